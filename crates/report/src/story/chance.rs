//! The need of a roll, and the chance of its outcome before the roll.

use grognard_base::value::Value;
use grognard_base::value::plain::{Need, NeedOf};
use grognard_play::record::What;

/// Maximum sum whose distribution is computed.
const LARGEST_SUM: usize = 10_000;

/// Returns the text of a need: `one of 3 or less`, `4+`.
pub(super) fn need(need: &Need) -> String {
    let than = &need.than;
    let number = match (need.op.as_str(), than) {
        (">=", Value::Int(_)) => format!("{than}+"),
        (">=", _) => format!("at least {than}"),
        (">", _) => format!("more than {than}"),
        ("<", _) => format!("less than {than}"),
        ("<=", _) => format!("{than} or less"),
        _ => than.to_string(),
    };
    match need.of {
        NeedOf::One | NeedOf::Count => number,
        NeedOf::Any => format!("one of {number}"),
        NeedOf::No => format!("none of {number}"),
        NeedOf::Every => format!("each {number}"),
    }
}

/// Number of outcomes of a roll in which something holds, and number of all outcomes, which are equally likely.
struct Chance(u128, u128);

/// Returns the chance of an outcome, such as `50 %`: of the truth value of a condition, or of that number of dice or more. `None` for a
/// roll whose dice are not numbered or do not stand alone.
pub(super) fn chance(roll: &What, need: &Need, outcome: &Value) -> Option<String> {
    let What::Roll { dice, sum, again, .. } = roll else { return None };
    if need.again || !again.is_empty() || dice.is_empty() {
        return None;
    }
    let sides: Vec<u128> = dice.iter().map(|die| die.strip_prefix('d')?.parse().ok()).collect::<Option<_>>()?;
    let than = need.than.as_int()?;
    let fits = |face: i64| match need.op.as_str() {
        ">=" => face >= than,
        ">" => face > than,
        "<" => face < than,
        "<=" => face <= than,
        _ => face == than,
    };
    // faces of one die that fit, of all its faces
    let die = |sides: u128| (1..=sides).filter(|face| i64::try_from(*face).is_ok_and(fits)).count() as u128;
    let all = sides.iter().try_fold(1_u128, |all, sides| all.checked_mul(*sides))?;
    let every =
        |each: &dyn Fn(u128) -> u128| sides.iter().try_fold(1_u128, |ways, sides| ways.checked_mul(each(*sides)));
    let ways = match (need.of, outcome) {
        (NeedOf::One, _) => ways_of_sum(&sides, sum.is_some(), &fits)?,
        (NeedOf::Every, _) => every(&die)?,
        (NeedOf::No, _) => every(&|sides| sides - die(sides))?,
        (NeedOf::Any, _) => all - every(&|sides| sides - die(sides))?,
        (NeedOf::Count, Value::Int(count)) => at_least(&sides, usize::try_from(*count).ok()?, &die)?,
        (NeedOf::Count, _) => return None,
    };
    let held = !matches!(outcome, Value::Flag(false));
    let text = percent(&Chance(if held { ways } else { all - ways }, all))?;
    match (need.of, outcome) {
        // a single die is a hit or a miss
        (NeedOf::Count, Value::Int(0)) if sides.len() == 1 => percent(&Chance(all - die(sides[0]), all)),
        (NeedOf::Count, Value::Int(0)) => {
            percent(&Chance(every(&|sides| sides - die(sides))?, all)).map(|text| format!("none: {text}"))
        }
        (NeedOf::Count, Value::Int(count)) if sides.len() > 1 => Some(format!("{count} or more: {text}")),
        _ => Some(text),
    }
}

/// Returns the number of ways in which the sum of the dice fits.
fn ways_of_sum(sides: &[u128], summed: bool, fits: &dyn Fn(i64) -> bool) -> Option<u128> {
    let most = usize::try_from(sides.iter().try_fold(0_u128, |sum, s| sum.checked_add(*s))?).ok()?;
    if most > LARGEST_SUM || sides.len() > 1 && !summed {
        return None;
    }
    let mut ways = vec![1_u128];
    for sides in sides {
        let mut next = vec![0_u128; ways.len() + usize::try_from(*sides).ok()?];
        for (sum, count) in ways.iter().enumerate().filter(|(_, count)| **count > 0) {
            for face in 1..=usize::try_from(*sides).ok()? {
                next[sum + face] = next[sum + face].checked_add(*count)?;
            }
        }
        ways = next;
    }
    let fitting = ways.iter().enumerate().filter(|(sum, _)| i64::try_from(*sum).is_ok_and(fits));
    fitting.map(|(_, count)| *count).try_fold(0_u128, u128::checked_add)
}

/// Returns the number of ways in which at least `count` dice fit.
fn at_least(sides: &[u128], count: usize, die: &dyn Fn(u128) -> u128) -> Option<u128> {
    let mut ways = vec![1_u128];
    for sides in sides {
        let (hit, miss) = (die(*sides), sides - die(*sides));
        let mut next = vec![0_u128; ways.len() + 1];
        for (hits, n) in ways.iter().enumerate() {
            next[hits] = next[hits].checked_add(n.checked_mul(miss)?)?;
            next[hits + 1] = next[hits + 1].checked_add(n.checked_mul(hit)?)?;
        }
        ways = next;
    }
    ways.iter().skip(count).copied().try_fold(0_u128, u128::checked_add)
}

/// Returns a chance in whole percent, rounded to the nearest: `56 %`. A chance that would round to 0 or 100 without being
/// so is printed as a bound.
fn percent(&Chance(ways, all): &Chance) -> Option<String> {
    let rounded = ways.checked_mul(200)?.checked_add(all)? / all.checked_mul(2)?;
    Some(match rounded {
        0 if ways > 0 => "under 1 %".to_string(),
        100 if ways < all => "over 99 %".to_string(),
        _ => format!("{rounded} %"),
    })
}
