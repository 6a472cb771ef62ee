//! Messages about what a line has of another language or rulebook: colons for blocks, signs that change a value, other words.

use super::{Inside, Spot, is_capital, is_small};
use crate::scan::TokenKind;
use crate::words::is_die;
use grognard_base::{Code, Diagnostic};

pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    colon(spot)
        .or_else(|| pass_if(spot))
        .or_else(|| changed(spot))
        .or_else(|| elif(spot))
        .or_else(|| bracketed(spot))
        .or_else(|| nameless(spot))
        .or_else(|| may_else(spot))
        .or_else(|| comma(spot))
        .or_else(|| rule_when(spot))
        .or_else(|| of_a_figure(spot))
        .or_else(|| other_case(spot))
        .or_else(|| nothing(spot))
        .or_else(|| contains(spot))
        .or_else(|| half(spot))
        .or_else(|| two_dice(spot))
        .or_else(|| list_type(spot))
        .or_else(|| event(spot))
}

/// `if c: set ..`, `each x in xs: ..`, `else: ..`.
fn colon(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.word(spot.line_start(spot.at));
    let head = matches!(word, "if" | "each" | "repeat" | "while" | "for" | "else") || spot.before(1) == "else";
    // the condition of a query has a message of its own
    let query = spot.before(2) == "in" && word == "if";
    if spot.now() != ":" || !head || query || spot.inside(spot.at) == Inside::Rows {
        return None;
    }
    let found = spot.here(Code::Syntax, "what happens stands in { }, not behind a `:`");
    Some(found.help(format!("write `{} {{ .. }}`", if spot.before(1) == "else" { "else" } else { word })))
}

/// `pass if die >= 4`, `pass die >= 4`.
fn pass_if(spot: &Spot) -> Option<Diagnostic> {
    let begins = spot.line_start(spot.at) + 1 == spot.at && !spot.line_ended();
    let value = begins && matches!(spot.kind(spot.at), Some(TokenKind::Word | TokenKind::Number));
    if spot.before(1) != "pass" || !(value || matches!(spot.now(), "if" | "on" | "where" | "unless")) {
        return None;
    }
    Some(spot.here(Code::Syntax, "a test is passed `when` a condition holds").help("write `pass when ..`"))
}

/// `set u.hp++`, `set u.hp *= 2`.
fn changed(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let (now, next) = (spot.now(), spot.word(spot.at + 1));
    let first = start + 1;
    let written = spot.kind(spot.at.checked_sub(1)?) == Some(TokenKind::Word) && spot.at > first;
    if spot.word(start) != "set" || !written || spot.line_ended() {
        return None;
    }
    let place = spot.between(first, spot.at);
    let write = match (now, next) {
        ("+", "+") | ("-", "-") => format!("set {place} {now}= 1"),
        ("*" | "/", "=") if now == "*" => format!("set {place} = {place} * {}", spot.word(spot.at + 2)),
        ("*" | "/", "=") => format!("set {place} = {place} / {} rounded down", spot.word(spot.at + 2)),
        _ => return None,
    };
    Some(spot.here(Code::Syntax, "a change is written `=`, `+=` or `-=`").help(format!("write `{write}`")))
}

/// `elif c {`, behind the `}` or on a line of its own.
fn elif(spot: &Spot) -> Option<Diagnostic> {
    let begins = spot.before(1) == "}" || spot.line_start(spot.at) == spot.at;
    if !matches!(spot.now(), "elif" | "elsif" | "elseif") || !begins || spot.inside(spot.at) != Inside::Statements {
        return None;
    }
    Some(spot.here(Code::Syntax, "a further case of an `if` is `else if`").help("write `} else if c {`"))
}

/// `destroy(u)`.
fn bracketed(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.before(1);
    if spot.now() != "(" || !matches!(word, "destroy" | "roll" | "emit" | "choose" | "draw") {
        return None;
    }
    if spot.line_start(spot.at) + 1 != spot.at {
        return None;
    }
    let help = match word {
        "destroy" => format!("write `destroy {} \"why\"`", spot.word(spot.at + 1)),
        "roll" => "write `roll dice = 3 of d6`".to_string(),
        "emit" => "write `emit Hit(..)`".to_string(),
        _ => format!("write `{word} what in ..`"),
    };
    Some(spot.here(Code::Syntax, format!("no bracket stands behind `{word}`")).help(help))
}

/// `choose { .. }`, `choose Act { .. }`.
fn nameless(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    if spot.word(start) != "choose" {
        return None;
    }
    if spot.now() == "{" && spot.at == start + 1 {
        let found = spot.here(Code::Syntax, "a choice has a name, by which scripts and policies answer it");
        return Some(found.help("write `choose what { .. }`"));
    }
    let name = spot.before(1);
    if spot.now() == "{" && spot.at == start + 2 && is_capital(name) {
        let found = spot.at(start + 1, Code::CaseLaw, "values, procs, rolls and decisions begin with a small letter");
        return Some(found.help(format!("write `choose {} {{ .. }}`", name.to_lowercase())));
    }
    None
}

/// `may shoot { .. } else { .. }`.
fn may_else(spot: &Spot) -> Option<Diagnostic> {
    let at = if spot.now() == "else" { spot.at } else { spot.at + 1 };
    if spot.word(at) != "else" || spot.word(at.checked_sub(1)?) != "}" {
        return None;
    }
    let mut open = 0;
    let brace = (0..at - 1).rev().find(|n| {
        open += match spot.word(*n) {
            "}" => 1,
            "{" => -1,
            _ => 0,
        };
        open < 0
    })?;
    let start = spot.line_start(brace);
    if spot.word(start) != "may" {
        return None;
    }
    let found = spot.at(at, Code::Syntax, "a `may` has no `else`");
    let name = spot.word(start + 1);
    Some(
        found.help(format!(
            "write `choose {name} {{ yes_do => ..; no_do => .. }}`, or set a flag inside and ask it behind"
        )),
    )
}

/// `min(a, 3, )`.
fn comma(spot: &Spot) -> Option<Diagnostic> {
    if spot.before(1) != "," || !matches!(spot.now(), ")" | "]") {
        return None;
    }
    let found =
        spot.at(spot.at - 1, Code::Syntax, format!("nothing stands between this comma and the `{}`", spot.now()));
    Some(found.help("take the comma away"))
}

/// `rule R when turn > 3 { .. }`.
fn rule_when(spot: &Spot) -> Option<Diagnostic> {
    let item = spot.item_word();
    if spot.word(item) != "rule" || spot.at != item + 2 || !matches!(spot.now(), "when" | "if" | "{") {
        return None;
    }
    let found = spot.here(Code::Syntax, "a rule waits for something: an event, or a phase that begins or ends");
    Some(found.help(format!("write `rule {} on end of P as p when .. {{ .. }}`", spot.before(1))))
}

/// `mean rounds`, `chance red.hp == 0`, where the figure alone stands.
fn of_a_figure(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.word(0);
    let told = matches!(
        word,
        "mean" | "average" | "chance" | "probability" | "odds" | "minimize" | "maximize" | "minimise" | "maximise"
    ) || matches!(word, "min" | "max") && is_small(spot.now());
    if !told || spot.at != 1 || spot.line_ended() || spot.now() == "(" {
        return None;
    }
    let found = spot.at(0, Code::Syntax, "here stands the figure alone, or a condition");
    let help = match word.starts_with("m") && word.len() != 4 {
        true => "write `rounds`; a player who is `worst` makes it small, one who is `best` great",
        false => "write `rounds`, or `rounds <= 5`: of a number the mean is told, of a condition the chance",
    };
    Some(found.help(help))
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

fn compares(word: &str) -> bool {
    matches!(word, "<" | "<=" | ">" | ">=" | "==" | "!=")
}
