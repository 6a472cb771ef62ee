//! Messages about operators of other languages, and about common mistakes in values.

use super::notation::Custom;
use super::{Spot, is_small};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words;
use grognard_base::{Code, Diagnostic, did_you_mean};

pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    let hints = |group| super::hints::say(spot, group);
    custom(spot)
        .or_else(|| dice(spot))
        .or_else(|| quotient(spot))
        .or_else(|| measured(spot))
        .or_else(|| remainder(spot))
        .or_else(|| hints("signs"))
        .or_else(|| misspelt(spot))
        .or_else(|| hints("questions"))
        .or_else(|| query(spot))
        .or_else(|| hints("comparisons"))
        .or_else(|| chained(spot))
        .or_else(|| missing(spot))
        .or_else(|| no_else(spot))
        .or_else(|| hints("values"))
}

/// Reports `s.men > 3 and < 6`: a comparison without a left side.
pub(super) fn half(spot: &Spot) -> Option<Diagnostic> {
    let joint = spot.before(1);
    if !compares(spot.now()) || !matches!(joint, "and" | "or") || spot.line_ended() {
        return None;
    }
    let left = (spot.line_start(spot.at)..spot.at - 1).rev().find(|n| compares(spot.word(*n)))?;
    let begins = |n: &usize| {
        *n == 0 || !(is_small(spot.word(n - 1)) || spot.word(n - 1) == ".") || {
            matches!(spot.word(n - 1), "if" | "when" | "where" | "while" | "and" | "or" | "not" | "then")
        }
    };
    let start = (0..left).rev().find(begins)?;
    let value = spot.between(start, left);
    let found = spot.here(Code::Syntax, format!("expected a complete condition after `{joint}`"));
    Some(found.help(format!("write `{joint} {value} {} {}`", spot.now(), spot.word(spot.at + 1))))
}

fn compares(word: &str) -> bool {
    matches!(word, "<" | "<=" | ">" | ">=" | "==" | "!=")
}

/// Reports an operator without a right operand: `if u.hp > { .. }`.
fn missing(spot: &Spot) -> Option<Diagnostic> {
    if matches!(spot.now(), "{" | "}" | ")" | "]" | "," | ";") { behind_sign(spot, 1) } else { swallowed(spot) }
}

/// Reports a missing value in whose place the parser read the first word of the next line or clause: `roll dice =`,
/// below it `pass`.
fn swallowed(spot: &Spot) -> Option<Diagnostic> {
    let begun = spot.at.checked_sub(1)?;
    let word = spot.word(begun);
    let leads = spot.fresh(begun) && words::leading().iter().any(|all| all.contains(&word));
    if leads || words::GO_ON.contains(&word) { behind_sign(spot, 2) } else { None }
}

/// Reports a missing operand after the operator or word `back` tokens before the position. Returns `None` if it needs
/// no operand, or if it begins a line.
pub(super) fn behind_sign(spot: &Spot, back: usize) -> Option<Diagnostic> {
    let sign = spot.before(back);
    let (what, help) = match sign {
        "if" | "when" | "where" => ("a condition", format!("`{sign}` asks something, as in `{sign} u.hp > 2`")),
        "in" => ("a list", "write a list after `in`; the value before it is looked up there".to_string()),
        "=" | "+=" | "-=" => ("a value", format!("write a value after `{sign}`, for the name before it")),
        "+" | "-" | "*" | "/" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "and" | "or" | "otherwise" => {
            ("a value", format!("write `{sign}` between two values"))
        }
        _ => return None,
    };
    if what == "a value" && spot.fresh(spot.at - back) {
        return None;
    }
    Some(spot.at(spot.at - back, Code::Syntax, format!("{what} is missing after `{sign}`")).help(help))
}

/// Reports a die whose faces are written where it is rolled: `d{1, 1, 2}`.
fn custom(spot: &Spot) -> Option<Diagnostic> {
    let at = spot.at.checked_sub(1)?;
    let count = spot.word(at).strip_suffix(['d', 'D']).filter(|_| spot.now() == "{" && spot.glued(at))?;
    if !count.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let close = (spot.at..spot.at + 400).find(|n| matches!(spot.word(*n), "}" | ""))?;
    let found = Custom::of(spot.between(spot.at + 1, close))?;
    let start = spot.line_start(at);
    let roll = if spot.word(start) == "roll" && is_small(spot.word(start + 1)) { spot.word(start + 1) } else { "pip" };
    let pool = if at >= 2 && spot.word(at - 1) == "of" { spot.word(at - 2) } else { count };
    let (many, sum) = match pool {
        "" => (String::new(), String::new()),
        _ if count.is_empty() => (format!("{pool} of "), String::new()),
        _ => (format!("{pool} of "), format!(", and `total({roll})` where you use the result")),
    };
    let help = format!("write `{}` in the rules, then `roll {roll} = {many}Odd` here{sum}", found.declared());
    Some(spot.at(at, Code::Syntax, "a die with other faces needs a declaration").help(help))
}

/// Reports the dice notation of other tools.
fn dice(spot: &Spot) -> Option<Diagnostic> {
    let back = usize::from(matches!(spot.now(), "!" | "%"));
    let at = spot.at.checked_sub(back)?;
    let sign = if spot.glued(at) { spot.word(at + 1) } else { "" };
    let (message, help) = super::dialect::notation(spot.word(at), sign)?;
    let start = spot.line_start(at);
    let roll = if spot.word(start) == "roll" && is_small(spot.word(start + 1)) { spot.word(start + 1) } else { "dice" };
    let help = super::dialect::in_rules(spot.word(at), sign, roll).unwrap_or(help);
    Some(spot.at(at, Code::Syntax, message).help(help))
}

/// Reports a number with its unit as a word (`5cm`, `6 inches`), or a die with a space in it (`d 6`).
fn measured(spot: &Spot) -> Option<Diagnostic> {
    let (now, before) = (spot.now(), spot.before(1));
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let same_line = spot.at > 0 && !spot.line_ended();
    let torn = "a die cannot have a space between `d` and its sides";
    if same_line && matches!(before, "d" | "D") && number(now) {
        return Some(spot.at(spot.at - 1, Code::Syntax, torn).help(format!("write `d{now}`")));
    }
    let sides = spot.word(spot.at + 1);
    if same_line && matches!(now, "d" | "D") && number(before) && number(sides) {
        let help = format!("`{before}d{sides}` is their sum, `{before} of d{sides}` the pool");
        return Some(spot.here(Code::Syntax, torn).help(help));
    }
    let (at, amount, unit) = match now.find(|c: char| !c.is_ascii_digit() && c != '.') {
        Some(n) if n > 0 => (spot.at, &now[..n], &now[n..]),
        // `6 in` parses as the beginning of `6 in xs`, and the error is after it
        _ if before == "in" => (spot.at - 1, spot.before(2), before),
        _ if same_line => (spot.at, before, now),
        _ => return None,
    };
    if spot.kind(at) != Some(TokenKind::Word) || !amount.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (message, help) = super::units::with_unit(amount.trim_end_matches('"'), unit)?;
    Some(spot.at(at, Code::Syntax, message).help(help))
}

/// Reports `a // b`, but not a comment after a line: it has a value on both sides and ends its expression.
fn quotient(spot: &Spot) -> Option<Diagnostic> {
    let first =
        [spot.at.checked_sub(1)?, spot.at].into_iter().find(|n| spot.word(*n) == "/" && spot.word(n + 1) == "/")?;
    let figure = |n: usize| matches!(spot.kind(n), Some(TokenKind::Word | TokenKind::Number));
    let (next, mut from) = (first + 2, first.checked_sub(1)?);
    if !spot.glued(first) || [first, next].iter().any(|n| spot.fresh(*n)) || !figure(next) {
        return None;
    }
    let grouped = (spot.word(from) == ")").then(|| spot.opening(from)).flatten();
    match grouped {
        Some(open) => from = open,
        None if !figure(from) => return None,
        None => {
            while from >= 2 && spot.word(from - 1) == "." {
                from -= 2;
            }
        }
    }
    let mut end = next + 1;
    while spot.word(end) == "." && !spot.fresh(end) {
        end += 2;
    }
    // a single word could be a comment
    if spot.kind(next) == Some(TokenKind::Word) && end == next + 1 {
        return None;
    }
    let ends = spot.fresh(end) || matches!(spot.word(end), "" | "}" | ")" | "," | ";" | "+" | "-" | "{");
    let (a, b) = (spot.between(from, first), spot.between(next, end));
    let found = spot.at(first, Code::Syntax, "a quotient is made whole by `rounded`");
    ends.then(|| found.help(format!("write `{a} / {b} rounded down`; a comment begins with `#`")))
}

/// Reports `a % b` and `a mod b`. The help uses the operands if each is a single value.
fn remainder(spot: &Spot) -> Option<Diagnostic> {
    let sign = spot.now() == "%" && spot.kind(spot.at) == Some(TokenKind::Sign) || spot.now() == "mod";
    let figure = |n: usize| {
        matches!(spot.kind(n), Some(TokenKind::Word | TokenKind::Number))
            && !crate::words::RESERVED.contains(&spot.word(n))
    };
    let (mut first, next) = (spot.at.checked_sub(1)?, spot.at + 1);
    if !sign || spot.line_ended() || spot.fresh(next) || !figure(next) && spot.word(next) != "(" {
        return None;
    }
    while first >= 2 && spot.word(first - 1) == "." {
        first -= 2;
    }
    let mut end = next + 1;
    while spot.word(end) == "." && !spot.fresh(end) {
        end += 2;
    }
    // the content of brackets that are not those of a call
    let open = (spot.before(1) == ")").then(|| spot.opening(spot.at - 1)).flatten();
    let grouped = open.filter(|open| *open == 0 || !figure(open - 1));
    let left = match grouped {
        Some(open) => Some(spot.between(open + 1, spot.at - 1)),
        None => (figure(first) && figure(spot.at - 1)).then(|| spot.between(first, spot.at)),
    };
    let right = (figure(next) && spot.word(end) != "(").then(|| spot.between(next, end));
    let (a, b) = left.zip(right).unwrap_or(("a", "b"));
    let found = spot.here(Code::Syntax, format!("there is no remainder operator; found `{}`", spot.now()));
    Some(found.help(format!("write `remainder({a}, {b})`")))
}

/// Words that begin a query of several things or of dice.
const ASKS: &[&str] = &["all", "any", "count", "every", "no", "sum", "the"];

/// Reports `coutn dice >= 4`: a misspelled query word.
fn misspelt(spot: &Spot) -> Option<Diagnostic> {
    let at = spot.at.checked_sub(1).filter(|_| !spot.line_ended() && spot.kind(spot.at) == Some(TokenKind::Word))?;
    let word = spot.word(at);
    let near = did_you_mean(word, ASKS.iter().copied());
    if near.is_empty()
        || ASKS.contains(&word)
        || words::is_reserved(word)
        || words::is_reserved(spot.now())
        || spot.fresh(at)
    {
        return None;
    }
    let found = spot.at(at, Code::UnknownWord, format!("no question begins with `{word}`{near}"));
    Some(found.help(format!("it begins with one of: {}", ASKS.join(", "))))
}

/// Reports a colon in place of `where` or `of`: `count m in xs: m.hurt`.
fn query(spot: &Spot) -> Option<Diagnostic> {
    if spot.now() != ":" {
        return None;
    }
    let begins = |n: &usize| ASKS.contains(&spot.word(*n));
    let query = (spot.line_start(spot.at)..spot.at).rev().find(begins)?;
    if spot.word(query + 2) != "in" {
        return None;
    }
    let (rendered, behind) = match spot.word(query) {
        "sum" => ("expected `of` and the expression to add up", "of .."),
        _ => ("expected `where` and the condition of the query", "where .."),
    };
    Some(spot.here(Code::Syntax, rendered).help(format!("write `{} {behind}`", spot.between(query, spot.at))))
}

/// Reports a chained comparison: `1 < n < 3`.
fn chained(spot: &Spot) -> Option<Diagnostic> {
    if !compares(spot.now()) || spot.line_ended() {
        return None;
    }
    let mut left = (spot.line_start(spot.at)..spot.at)
        .rev()
        .map(|n| spot.word(n))
        .take_while(|w| !matches!(*w, "and" | "or" | "(" | "[" | "," | "not" | "when" | "where" | "if"));
    left.any(compares).then(|| {
        spot.here(Code::Syntax, "comparisons do not chain").help(
            "write `a < b and b < c`, with dice named first: `k = d6; 2 < k and k < 5`; put a count that is compared in ( ): `(count dice >= 4) >= 2`",
        )
    })
}

/// Reports an `if` value that ends with the line after `then`.
fn no_else(spot: &Spot) -> Option<Diagnostic> {
    let begun = || (spot.line_start(spot.at - 1)..spot.at).any(|n| spot.word(n) == "then");
    if spot.at == 0 || !spot.line_ended() || !spot.wants(Rule::k_else) || !begun() {
        return None;
    }
    let found = spot.here(Code::Syntax, "an `if` used as a value needs an `else`");
    Some(found.help("write `if c then a else b`; for an action, write `if c { .. }`"))
}
