//! The analysis of bands against every number by itself: random chains of conditions over a small range.

use grognard_base::value::Ratio;
use grognard_base::value::dice::{Site, Stream};
use grognard_kit::Shelf;
use grognard_rules::bands::{Flaw, ladders};

/// One band as it is written, and as it is meant.
struct Band {
    text: String,
    holds: Box<dyn Fn(i64) -> bool>,
    /// It speaks of more or less.
    wide: bool,
}

/// The most that a number is.
const MOST: i64 = 12;

fn band(mut below: impl FnMut(u32) -> i64) -> Band {
    let (a, b) = (below(MOST as u32 + 1), below(MOST as u32 + 1));
    let (low, high) = (a.min(b), a.max(b));
    let (text, holds, wide): (String, Box<dyn Fn(i64) -> bool>, bool) = match below(8) {
        0 => (format!("u.n > {a}"), Box::new(move |n| n > a), true),
        1 => (format!("u.n < {a}"), Box::new(move |n| n < a), true),
        2 => (format!("{a} <= u.n"), Box::new(move |n| n >= a), true),
        3 => (format!("not (u.n > {a})"), Box::new(move |n| n <= a), true),
        4 => (format!("u.n == {a}"), Box::new(move |n| n == a), false),
        5 => (format!("u.n > {low} and u.n <= {high}"), Box::new(move |n| n > low && n <= high), true),
        6 => (format!("u.n is {low} to {high}"), Box::new(move |n| n >= low && n <= high), true),
        _ => (format!("u.n < {low} or u.n > {high}"), Box::new(move |n| n < low || n > high), true),
    };
    Band { text, holds, wide }
}

fn rules(bands: &[Band]) -> String {
    let arms: Vec<String> = bands.iter().map(|b| format!("if {} {{ set u.m += 1 }}", b.text)).collect();
    let chain = arms.join(" else ");
    format!(
        "ruleset page/bands\nkind Unit {{ state n : 0..{MOST} = 0; state m : 0..9 = 0 }}\nproc p(u: Unit) {{\n{chain}\n}}\n"
    )
}

/// What every number by itself says: arms that never come, and numbers between two bands that none takes.
fn expected(bands: &[Band]) -> (Vec<usize>, Vec<usize>, Vec<i64>) {
    let numbers = || 0..=MOST;
    let never = |at: &usize| numbers().all(|n| !(bands[*at].holds)(n));
    let taken = |at: usize, n: i64| bands[..at].iter().any(|b| (b.holds)(n));
    let shadowed = |at: &usize| !never(at) && *at > 0 && numbers().all(|n| !(bands[*at].holds)(n) || taken(*at, n));
    let open = |n: i64| bands.iter().all(|b| !(b.holds)(n));
    let taker = |n: i64| bands.iter().position(|b| (b.holds)(n));
    let many = bands.len() > 2 && bands.iter().all(|b| b.wide);
    let mut gaps = Vec::new();
    for n in numbers().filter(|n| open(*n)) {
        let below = (0..n).rev().find(|m| !open(*m));
        let above = (n + 1..=MOST).find(|m| !open(*m));
        let (Some(below), Some(above)) = (below, above) else { continue };
        let (Some(a), Some(b)) = (taker(below), taker(above)) else { continue };
        if a != b && bands[a].wide && bands[b].wide && (above - below == 2 || many) {
            gaps.push(n);
        }
    }
    ((0..bands.len()).filter(never).collect(), (0..bands.len()).filter(shadowed).collect(), gaps)
}

#[test]
fn chains_of_conditions_agree_with_every_number_by_itself() {
    let stream = Stream::new(11, 0);
    let (mut with_gaps, mut with_dead) = (0, 0);
    for case in 0..400 {
        let mut nth = 0;
        let mut below = |most: u32| {
            nth += 1;
            i64::from(stream.below(Site::new(case, nth, 0), 0, 0, most))
        };
        let bands: Vec<Band> = (0..2 + below(3)).map(|_| band(&mut below)).collect();
        let text = rules(&bands);
        let mut shelf = Shelf::default();
        let path = shelf.put(&text);
        let (loaded, _) = shelf.load(&path);
        // the checker refuses some itself, such as a band that stands on its head
        let Some(set) = loaded.ruleset else { continue };
        let all = ladders(&set);
        let whole = all.iter().find(|ladder| ladder.rows.len() == bands.len()).unwrap();
        let (mut never, mut shadowed, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
        for found in whole.judge() {
            match found.flaw {
                Flaw::Never(at) => never.push(at),
                Flaw::Shadowed(at) => shadowed.push(at),
                Flaw::Gap { .. } => {
                    let cell = found.cell.unwrap();
                    gaps.extend((0..=MOST).filter(|n| cell.holds(Ratio::whole(*n))));
                }
                Flaw::Both(..) => panic!("a chain takes one arm: {text}"),
            }
        }
        assert_eq!((never, shadowed, gaps.clone()), expected(&bands), "{text}");
        with_gaps += usize::from(!gaps.is_empty());
        with_dead += usize::from(whole.judge().len() > usize::from(!gaps.is_empty()));
    }
    assert!(with_gaps > 20 && with_dead > 20, "{with_gaps} {with_dead}");
}

/// A bound that is known only in play takes what it takes; arms that return leave the rest to what follows.
#[test]
fn rows_with_bounds_of_the_game_shadow_none() {
    let text = "ruleset page/bands
proc a(x: Int, y: Int) -> Int {
  match x { over y => return 1
    under y => return 2
    else => return 3 }
}
proc b(x: Int, y: Int, z: Int) -> Int {
  match first x { over y + z => return 1
    at least 9 => return 4
    under y => return 2
    else => return 3 }
}
proc c(x: Int, y: Int) -> Int {
  if x > y { return 1 }
  if x < y { return 2 }
  return 3
}
";
    let mut shelf = Shelf::default();
    let path = shelf.put(text);
    let set = shelf.load(&path).0.ruleset.unwrap();
    for ladder in ladders(&set) {
        assert_eq!(ladder.judge(), [], "{ladder:?}");
    }
    // where nothing follows, nothing happens to the rest
    let text = "ruleset page/bands\nkind U { state n : 0..9 }\nproc c(u: U, x: Int, y: Int) {
  if x > y { set u.n = 1 }\n  if x < y { set u.n = 2 }\n}\n";
    let path = shelf.put(text);
    let set = shelf.load(&path).0.ruleset.unwrap();
    assert!(ladders(&set).iter().any(|ladder| !ladder.judge().is_empty()));
}
