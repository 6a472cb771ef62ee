//! Messages about rows of tables, and about words that other languages and rulebooks have for what stands here otherwise.

use super::{Inside, Spot, is_small};
use crate::base::{Code, Diagnostic};
use crate::syntax::scan::Kind;
use crate::syntax::words::is_die;

const COMPARED: [&str; 4] = ["<", "<=", ">", ">="];

pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    table(spot)
        .or_else(|| other_case(spot))
        .or_else(|| nothing(spot))
        .or_else(|| contains(spot))
        .or_else(|| half(spot))
        .or_else(|| two_dice(spot))
        .or_else(|| list_type(spot))
        .or_else(|| event(spot))
}

/// What a cell or a row of a table is taken for.
fn table(spot: &Spot) -> Option<Diagnostic> {
    if spot.word(spot.item_word()) != "table" || !spot.tokens.iter().take(spot.at).any(|t| t.text(spot.text) == "{") {
        return None;
    }
    let (now, before) = (spot.now(), spot.before(1));
    let band = "a band is written `1 to 3`, `at least 6`, `over 5\"`";
    if before == "+" && matches!(now, "|" | ",") && spot.at >= 2 && spot.kind(spot.at - 2) == Some(Kind::Number) {
        let found = spot.at(spot.at - 1, Code::BandForm, band);
        return Some(found.help(format!("write `at least {}`", spot.before(2))));
    }
    if matches!(before, "|" | ",") && COMPARED.contains(&now) {
        return Some(super::statements::compared_band(spot));
    }
    if matches!(before, "-" | ":") && matches!(now, "-" | "|") && spot.line_start(spot.at) + 2 >= spot.at {
        let found = spot.here(Code::Syntax, "no line of dashes stands between the head and the rows of a table");
        return Some(found.help("take that line away"));
    }
    if before == "|" && matches!(now, "else" | "default" | "_" | "*" | "otherwise" | "any") {
        let found = spot.here(Code::Syntax, "a table has a row for each value, and none for all others");
        return Some(found.help("write the rest as a band, `over 6` or `at most 2`; a `match` has `else`"));
    }
    if matches!(before, "{" | "|") && spot.fresh(spot.at) && now != "|" && now != "}" {
        let found = spot.at(spot.at, Code::Syntax, "each row of a table begins and ends with `|`");
        return Some(found.help("write `| 1 to 3 | 0 |`"));
    }
    None
}

/// `otherwise` in the place of `else`.
fn other_case(spot: &Spot) -> Option<Diagnostic> {
    let at = if spot.before(1) == "otherwise" { spot.at - 1 } else { spot.at };
    if spot.word(at) != "otherwise" || at == 0 || spot.word(at - 1) != "}" {
        return None;
    }
    let found =
        spot.at(at, Code::Syntax, "the other case of an `if` is `else`; `otherwise` is for what may be missing");
    Some(found.help("write `} else { .. }`"))
}

/// `wait => pass`.
fn nothing(spot: &Spot) -> Option<Diagnostic> {
    if spot.before(1) != "pass" || spot.before(2) != "=>" || spot.now() == "when" {
        return None;
    }
    let found = spot.at(spot.at - 1, Code::Syntax, "what does nothing is an empty block");
    Some(found.help("write `=> { }`"))
}

/// `a contains 6`, `xs includes u`.
fn contains(spot: &Spot) -> Option<Diagnostic> {
    if !matches!(spot.now(), "contains" | "includes" | "holds" | "shows") || spot.line_ended() {
        return None;
    }
    let next = spot.word(spot.at + 1);
    let what = if next.is_empty() || spot.fresh(spot.at + 1) { "x" } else { next };
    let found = spot.here(Code::Syntax, "whether a list has an entry is asked by `in`");
    Some(found.help(format!("write `{what} in {}`", spot.before(1))))
}

/// `s.men > 3 and < 6`: a comparison of which one side is left out.
fn half(spot: &Spot) -> Option<Diagnostic> {
    let joint = spot.before(1);
    let compared = matches!(spot.now(), "<" | "<=" | ">" | ">=" | "==" | "!=");
    if !compared || !matches!(joint, "and" | "or") || spot.line_ended() {
        return None;
    }
    let sign = |n: &usize| matches!(spot.word(*n), "<" | "<=" | ">" | ">=" | "==" | "!=");
    let left = (spot.line_start(spot.at)..spot.at - 1).rev().find(sign)?;
    let begins = |n: &usize| {
        *n == 0 || !(is_small(spot.word(n - 1)) || spot.word(n - 1) == ".") || {
            matches!(spot.word(n - 1), "if" | "when" | "where" | "while" | "and" | "or" | "not" | "then")
        }
    };
    let start = (0..left).rev().find(begins)?;
    let value = spot.between(start, left);
    let found = spot.here(Code::Syntax, format!("behind `{joint}` stands a whole condition"));
    Some(found.help(format!("write `{joint} {value} {} {}`", spot.now(), spot.word(spot.at + 1))))
}

/// `roll a = d6, d6`, `roll a = d6 + d6` is a sum.
fn two_dice(spot: &Spot) -> Option<Diagnostic> {
    let (die, next) = (spot.before(1), spot.word(spot.at + 1));
    let start = spot.line_start(spot.at);
    if spot.now() != "," || !is_die(die) || !is_die(next) || spot.word(start) != "roll" {
        return None;
    }
    let found = spot.here(Code::Syntax, "dice that are thrown together are one pool, or have a roll each");
    let help = match die == next {
        true => format!("write `roll {} = 2 of {die}`", spot.word(start + 1)),
        false => "write each on a line of its own: `roll one = ..`, `roll other = ..`".to_string(),
    };
    Some(found.help(help))
}

/// `Squad[]`, `List<Squad>`.
fn list_type(spot: &Spot) -> Option<Diagnostic> {
    let (now, before) = (spot.now(), spot.before(1));
    let of = match now {
        "[" if spot.word(spot.at + 1) == "]" => before,
        "<" if matches!(before, "List" | "Array" | "Vec" | "Set") => spot.word(spot.at + 1),
        _ => return None,
    };
    if spot.before(2) != ":" {
        return None;
    }
    Some(spot.here(Code::Syntax, "a list has its type behind `list of`").help(format!("write `list of {of}`")))
}

/// `event Hit { target: Squad }`.
fn event(spot: &Spot) -> Option<Diagnostic> {
    let item = spot.item_word();
    if spot.word(item) != "event" || spot.now() != "{" || spot.at != item + 2 || spot.inside(spot.at) != Inside::Head {
        return None;
    }
    let found = spot.here(Code::Syntax, "what an event tells stands in round brackets");
    Some(found.help(format!("write `event {}(target: Unit)`", spot.before(1))))
}
