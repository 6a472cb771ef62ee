//! Notes on expressions that can mean something else: dice that are written twice, and sums that look like counts.

use grognard_base::Span;
use grognard_syntax::AGAIN;
use grognard_syntax::tree::{Asked, CompareOp, Expr, ExprKind, LetSource, StmtKind, Thrown, Unit};

/// Returns the first note on an expression, if there is one.
pub(super) fn remark(text: &str, asked: Option<&Asked>) -> Option<String> {
    for part in asked.iter().flat_map(|asked| &asked.parts) {
        for throw in &part.throws {
            if let Some(said) = digits(throw) {
                return Some(said);
            }
        }
        let StmtKind::Let { names, value: LetSource::Value(value), .. } = &part.stmt.kind else { continue };
        let said = twice(text, value, &part.throws, names.is_empty()).or_else(|| counted(value, &part.throws));
        if said.is_some() {
            return said;
        }
    }
    None
}

/// Returns the text of a roll.
fn written(throw: &Thrown) -> &str {
    throw.name.text.trim_end_matches(AGAIN)
}

/// Returns the note on `d66`, which can mean two dice as digits.
fn digits(throw: &Thrown) -> Option<String> {
    match throw.dice.kind {
        ExprKind::Dice { sides: 66, .. } => Some(
            "d66 is one die with 66 sides here; for two d6 as tens and ones, write \
             `tens = d6; ones = d6; 10 * tens + ones`"
                .to_string(),
        ),
        ExprKind::Dice { sides: 666, .. } => Some(
            "d666 is one die with 666 sides here; for three d6 as digits, write \
             `a = d6; b = d6; c = d6; 100 * a + 10 * b + c`"
                .to_string(),
        ),
        _ => None,
    }
}

/// Returns the note on equal dice in two conditions that can mean one roll: `d6 >= 3 and d6 <= 5`,
/// `if d6 >= 4 then d6 else 0`.
fn twice(text: &str, value: &Expr, throws: &[Thrown], last: bool) -> Option<String> {
    let mut conditions = Vec::new();
    gather(value, &mut conditions);
    let inside = |throw: &&Thrown, at: &Span| at.start <= throw.name.span.start && throw.name.span.end <= at.end;
    let alike = |die: &str| {
        let of = |at: &Span| throws.iter().filter(|throw| inside(throw, at) && written(throw) == die).count();
        let counts: Vec<usize> = conditions.iter().map(of).filter(|n| *n > 0).collect();
        counts.len() > 1 && counts.iter().all(|n| *n == 1)
    };
    let die = throws.iter().map(written).find(|die| alike(die))?;
    let named = |name: &&str| !text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == *name);
    let name = ["a", "k", "x", "face"].into_iter().find(named).filter(|_| last);
    let head = format!("`{die}` occurs several times, and each occurrence is a separate roll");
    let Some(name) = name else {
        return Some(format!("{head}; for a single roll, name it first: `a = {die}; a >= 3 and a <= 5`"));
    };
    let start = value.span.start as usize;
    let (mut one, mut from, mut bare) = (String::new(), start, false);
    for throw in throws.iter().filter(|throw| written(throw) == die) {
        let at = throw.name.span;
        // a pool in a call stays a pool; one that is compared is added up
        bare |= !text.get(..at.start as usize)?.trim_end().ends_with(['(', ',']);
        one += text.get(from..at.start as usize)?;
        one += name;
        from = at.end as usize;
    }
    one += text.get(from..)?.trim_end();
    let before = text.get(..start)?;
    let value = if bare && die.contains(" of ") { format!("total({die})") } else { die.to_string() };
    Some(format!("{head}; for a single roll, write `{before}{name} = {value}; {one}`"))
}

/// Collects the spans of conditions about one case: those of an `and`, an `or`, and an `if` with its branches.
fn gather(value: &Expr, into: &mut Vec<Span>) {
    match &value.kind {
        ExprKind::And(all) | ExprKind::Or(all) => {
            for one in all {
                match &one.kind {
                    ExprKind::And(_) | ExprKind::Or(_) => gather(one, into),
                    ExprKind::Paren(inner) if matches!(inner.kind, ExprKind::And(_) | ExprKind::Or(_)) => {
                        gather(inner, into);
                    }
                    _ => into.push(one.span),
                }
            }
        }
        ExprKind::If { arms, otherwise } => {
            for (condition, value) in arms {
                match condition.kind {
                    ExprKind::And(_) | ExprKind::Or(_) => gather(condition, into),
                    _ => into.push(condition.span),
                }
                result(value, into);
            }
            result(otherwise, into);
        }
        ExprKind::Paren(inner) | ExprKind::Not(inner) => gather(inner, into),
        // `max(d6, 3) - d6`; plain `d6 - d6` means two dice
        ExprKind::Arith { first, rest }
            if std::iter::once(&**first).chain(rest.iter().map(|(_, one)| one)).any(is_call) =>
        {
            into.push(first.span);
            into.extend(rest.iter().map(|(_, one)| one.span));
        }
        ExprKind::Arith { first, rest } => {
            gather(first, into);
            rest.iter().for_each(|(_, one)| gather(one, into));
        }
        _ => {}
    }
}

/// Collects the spans of a result of an `if`. Its dice can be meant to be those of the condition.
fn result(value: &Expr, into: &mut Vec<Span>) {
    match value.kind {
        ExprKind::And(_) | ExprKind::Or(_) | ExprKind::If { .. } | ExprKind::Paren(_) => gather(value, into),
        _ => into.push(value.span),
    }
}

fn is_call(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Call(..))
}

/// Returns the note on a sum that is compared with a face: `5d6 >= 5`.
fn counted(value: &Expr, throws: &[Thrown]) -> Option<String> {
    let ExprKind::Compare { left, op, right } = &value.kind else { return None };
    let (ExprKind::Name(name), ExprKind::Number(n)) = (&left.kind, &right.kind) else { return None };
    let throw = throws.iter().find(|throw| throw.name.text == *name)?;
    let ExprKind::Dice { count, sides, bare: false } = throw.dice.kind else { return None };
    let face = u32::try_from(n.thousandths / 1000).ok().filter(|_| n.unit == Unit::Plain)?;
    let sign = match op {
        CompareOp::Ge => ">=",
        CompareOp::Gt => ">",
        _ => return None,
    };
    let likely = count >= 2 && face <= sides && (count >= 3 || face <= count);
    let die = written(throw);
    likely.then(|| {
        format!(
            "`{die}` is the sum of {count} dice; to count the dice {sign} {face}, write `count {count} of d{sides} {sign} {face}`"
        )
    })
}
