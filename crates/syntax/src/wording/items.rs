//! Messages about heads of items, names and types.

use super::{Inside, Spot, is_capital, is_small};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words;
use grognard_base::{Code, Diagnostic, did_you_mean};

/// Reports an item that does not begin with a keyword.
pub(super) fn start(spot: &Spot) -> Option<Diagnostic> {
    let first = spot.item_word();
    let mut word = spot.word(first);
    let mut at = first;
    if matches!(word, "override" | "open" | "extern" | "extend" | "remove" | "stand-in") && spot.at == first + 1 {
        at += 1;
        let marked = word;
        word = spot.word(at);
        let fits: &[&str] = match marked {
            "override" => &[
                "param", "reading", "let", "table", "die", "trait", "status", "condition", "test", "proc", "phase",
                "action", "rule", "policy", "law", "example",
            ],
            "open" => &["phase", "let", "proc"],
            "extern" => &["let", "test", "proc", "event"],
            "extend" => &["kind"],
            "stand-in" => &["section", "test", "proc", "phase", "action", "rule"],
            _ => &["action", "rule", "law", "policy", "example"],
        };
        if fits.contains(&word) {
            return None;
        }
        if let Some(found) = super::hints::say(spot, "overrides") {
            return Some(found);
        }
        let message = format!("`{marked}` does not go with `{word}`{}", did_you_mean(word, fits.iter().copied()));
        let list: Vec<String> = fits.iter().map(|w| format!("`{w}`")).collect();
        let help = if marked == "override" {
            "params, readings, lets, tables, cells, dice, traits, tests, procs, phases, actions, rules, laws, policies and examples can be overridden".to_string()
        } else {
            format!("expected {} after `{marked}`", list.join(", "))
        };
        return Some(spot.at(at, Code::UnknownWord, message).help(help));
    }
    if words::ITEMS.contains(&word) {
        return None;
    }
    if let Some(found) = super::hints::say(spot, "settings without their word") {
        return Some(found);
    }
    let kind = spot.kind(at)?;
    if kind != TokenKind::Word {
        let message = match word {
            "{" => "this block does not belong to an item".to_string(),
            "|" => "this row is outside a table".to_string(),
            _ => format!("no item begins with `{word}`"),
        };
        return Some(spot.at(at, Code::UnknownWord, message));
    }
    if words::STATEMENTS.contains(&word) && !matches!(word, "if" | "match")
        || matches!(word, "if" | "match" | "for" | "while")
    {
        let message = format!("`{word}` is a statement; it must be inside a test, proc, phase, action or rule");
        let help = match word {
            "var" => {
                "a number that the game keeps is a `state`: `state turn : 0..9 = 1`; one that stays is a `let` or a `param`"
            }
            _ => "check whether there is an extra `}` above it",
        };
        return Some(spot.at(at, Code::UnknownWord, message).help(help));
    }
    // a paragraph whose id is written otherwise, or that has no sentence
    let number = spot.word(at + 2);
    if spot.word(at + 1) == "-"
        && number.trim_start_matches(char::is_alphabetic).starts_with(|c: char| c.is_ascii_digit())
    {
        let message = format!("`{word}-{number}` begins no paragraph");
        let help = "write the id in capitals, a space, and the sentence of the clause on the same line, as in `FR-1  A shot hits on 4.`";
        return Some(spot.at(at, Code::UnknownWord, message).help(help));
    }
    let foreign = match word {
        "function" | "func" | "fn" | "def" | "sub" => {
            "; values are `let f(x) = ..`, things that happen `proc f(x) { }`"
        }
        "class" | "struct" | "type" | "unit" => "; things on the table are a `kind`, data is a `record`",
        "const" | "constant" | "parameter" => "; an adjustable number is a `param`",
        "var" | "global" => "; a value that the game keeps is a `state`",
        "import" | "include" | "use" => "; a file builds on another by `ruleset a/b extends c/d`",
        _ => "",
    };
    let near = if foreign.is_empty() { did_you_mean(word, words::ITEMS.iter().copied()) } else { foreign.to_string() };
    let message = format!("no item begins with `{word}`{near}");
    let help = "items begin with a word of the language, such as `param`, `kind`, `proc`, `rule`; indent the next lines of a paragraph";
    Some(spot.at(at, Code::UnknownWord, message).help(help))
}

/// Reports a folder or file name in a header with characters that such names do not allow.
fn file_name(spot: &Spot) -> Option<Diagnostic> {
    if !matches!(spot.word(0), "ruleset" | "variant") || spot.line_ended() && spot.at > 0 {
        return None;
    }
    // the error is after the part of the path that parses
    let glued = spot.tokens.get(spot.at).zip(spot.at.checked_sub(1).and_then(|n| spot.tokens.get(n)));
    let in_path = matches!(spot.before(1), "ruleset" | "variant" | "extends" | "of")
        || glued.is_some_and(|(now, before)| now.start == before.end);
    let at = spot.at + usize::from(spot.now() == "/");
    let fits = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if !in_path
        || spot.fresh(at)
        || matches!(spot.kind(at), Some(TokenKind::Text | TokenKind::OpenText))
        || fits(spot.word(at))
    {
        return None;
    }
    let found =
        spot.at(at, Code::Syntax, format!("`{}` cannot be used in the name of a folder or a file", spot.word(at)));
    Some(found.help("such names have small letters, digits, `-`, `_` and `.`, as in `game/second-edition`"))
}

/// Reports `param len "Length" : Length = 2` and `param len Length = 2`. The type must come after a `:` and before the
/// title.
fn misplaced_type(spot: &Spot) -> Option<Diagnostic> {
    let item = if spot.inside(spot.at) == Inside::Members { spot.line_start(spot.at) } else { spot.item_word() };
    let (head, name) = (spot.word(item), spot.word(item + 1));
    if !matches!(head, "param" | "reading" | "let" | "stat" | "state" | "link") || !is_small(name) {
        return None;
    }
    let titled = spot.kind(item + 2) == Some(TokenKind::Text);
    let sign = item + 2 + usize::from(titled);
    let signed = spot.word(sign) == ":";
    let ty = sign + usize::from(signed);
    let end = (ty..).find(|n| spot.fresh(*n) || matches!(spot.word(*n), "=" | ";" | "}")).unwrap_or(ty);
    let begins_type = is_capital(spot.word(ty)) || matches!(spot.word(ty + 1), ".." | "of");
    let fits = if signed { !titled } else { !begins_type };
    if fits || head == "reading" && spot.word(end) != "=" {
        return None;
    }
    let title = if titled { format!(" {}", spot.word(item + 2)) } else { String::new() };
    let value = if spot.word(end) == "=" { " = .." } else { "" };
    let help = format!("write `{head} {name} : {}{title}{value}`", spot.between(ty, end));
    let found = match signed {
        true => spot.at(item + 2, Code::Syntax, "the title must come after the type"),
        false => spot.at(ty, Code::Syntax, format!("a `:` is missing between `{name}` and its type")),
    };
    Some(found.help(help))
}

/// Reports a block that does not open at the end of its head, a title after the value, and an invalid type.
pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    if spot.now() == "{" && spot.line_ended() {
        let found = spot.line_end(Code::Syntax, "the opening { must be at the end of this line");
        return Some(found.help("write the { after the head, not on a separate line"));
    }
    if let Some(found) = misplaced_type(spot).or_else(|| file_name(spot)) {
        return Some(found);
    }
    let head = spot.word(spot.item_word());
    let valued = (0..spot.at).any(|n| spot.word(n) == "=");
    // a text after an operator or inside brackets is not a title
    let kinds = || (0..spot.at).filter_map(|n| spot.kind(n));
    let closed =
        kinds().filter(|k| *k == TokenKind::Open).count() == kinds().filter(|k| *k == TokenKind::Close).count();
    let behind = matches!(kinds().next_back(), Some(TokenKind::Word | TokenKind::Number | TokenKind::Close));
    if closed
        && behind
        && spot.kind(spot.at) == Some(TokenKind::Text)
        && spot.inside(spot.at) == Inside::Head
        && valued
        && !spot.line_ended()
    {
        let found = spot.here(Code::Syntax, "the title must come before the `=`: `param reach \"How far\" = 6\"`");
        return Some(found.help(format!("write `{head} name \"Title\" = value`")));
    }
    super::hints::say(spot, "items").or_else(|| wrong_type(spot))
}

fn wrong_type(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    let behind = matches!(spot.before(1), ":" | "->") || spot.before(1) == "of" && matches!(spot.before(2), "list");
    if !behind
        || !is_small(word)
        || !(spot.wants(Rule::type_e) || spot.wants(Rule::tname) || spot.wants(Rule::range_op))
    {
        return bound_type(spot);
    }
    Some(type_message(spot, spot.at, word))
}

/// Reports `n: int`, which parses as the bound `int..`, so the error is after it.
fn bound_type(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.before(1);
    if !spot.wants(Rule::range_op) || !is_small(word) || !matches!(spot.before(2), ":" | "->" | "of") {
        return None;
    }
    let found = type_message(spot, spot.at - 1, word);
    Some(found)
}

fn type_message(spot: &Spot, at: usize, word: &str) -> Diagnostic {
    let message = match word.to_ascii_lowercase().as_str() {
        "int" | "integer" | "number" | "num" | "i32" | "u32" | "long" => {
            "the type is `Int`, or a range `0..9`".to_string()
        }
        "bool" | "boolean" | "flag" => "the type is `Flag`; its values are `yes` and `no`".to_string(),
        "length" | "inches" | "inch" | "distance" => "the type is `Length`; one value is 6\"".to_string(),
        "angle" | "degrees" => "the type is `Angle`; one value is 45°".to_string(),
        "float" | "double" | "real" | "ratio" | "fraction" => "the type is `Ratio`, an exact fraction".to_string(),
        "string" | "text" | "str" => "texts are titles and reasons, never values; use an `enum`".to_string(),
        "list" | "array" => "the type is `list of Unit`, with its element type".to_string(),
        "place" | "route" | "leg" | "die" => format!("the type is `{}`", capital(word)),
        _ => format!("a type begins with a capital: `{}`", capital(word)),
    };
    spot.at(at, Code::CaseLaw, message)
        .help("types are Int, 0..9, Flag, Length, Angle, Ratio, Place, an enum, a kind, `list of T`, `T?`")
}

pub(super) fn capital(word: &str) -> String {
    let mut out = String::new();
    for part in word.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.extend(letters);
    }
    out
}

fn small(word: &str) -> String {
    if !word.contains(|c: char| c.is_ascii_lowercase()) {
        return word.to_ascii_lowercase();
    }
    let mut out = String::new();
    for (n, c) in word.chars().enumerate() {
        if c.is_ascii_uppercase() && n > 0 && !out.ends_with('_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

const NAMED: &[&str] = &[
    "param", "reading", "let", "var", "roll", "state", "stat", "link", "owner", "tally", "proc", "choose", "may",
    "draw", "each", "table", "reroll", "explode", "as", "replace", "modify", "kind", "enum", "chain", "die", "record",
    "event", "test", "phase", "action", "rule", "law", "policy", "trait", "status", "condition", "spawn", "(", ",",
];

/// Reports reserved words as names, and names with wrong capitalization.
pub(super) fn names(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    if spot.kind(spot.at) != Some(TokenKind::Word)
        || spot.line_ended() && spot.at > 0 && !NAMED.contains(&spot.before(1))
    {
        return None;
    }
    let names_it = NAMED.contains(&spot.before(1)) || matches!(spot.word(spot.at + 1), ":" | "=" | "=>");
    let wanted = spot.wants(Rule::name) || spot.wants(Rule::odds_part);
    if wanted && words::RESERVED.contains(&word) && names_it {
        let message = format!("`{word}` is one of the 32 words the grammar keeps for itself; call it something else");
        return Some(spot.here(Code::Reserved, message));
    }
    if wanted && words::is_die(word) && names_it {
        let found = spot.here(Code::Reserved, format!("`{word}` is a die and cannot be used as a name"));
        return Some(found.help(format!("call it something else, such as `on_{word}`")));
    }
    let other = !words::RESERVED.contains(&word);
    if spot.wants(Rule::tname) && !spot.wants(Rule::name) && is_small(word) && other && !spot.wants(Rule::number) {
        let message = "types, cases, tests, phases, actions, events and rules begin with a capital";
        return Some(spot.here(Code::CaseLaw, message).help(format!("write `{}`", capital(word))));
    }
    if spot.wants(Rule::name) && !spot.wants(Rule::tname) && is_capital(word) {
        let message = "values, procs, rolls and decisions begin with a small letter";
        return Some(spot.here(Code::CaseLaw, message).help(format!("write `{}`", small(word))));
    }
    None
}
