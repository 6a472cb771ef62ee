//! Messages about throws, modifiers and what is done to several things, as other rulebooks write them.

use super::Spot;
use crate::scan::TokenKind;
use grognard_base::{Code, Diagnostic};

pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    against(spot)
        .or_else(|| compared(spot))
        .or_else(|| again(spot))
        .or_else(|| to_all(spot))
        .or_else(|| counted(spot))
        .or_else(|| times(spot))
        .or_else(|| modified(spot))
        .or_else(|| lasting(spot))
        .or_else(|| list_of_numbers(spot))
        .or_else(|| in_order(spot))
}

/// The name that a roll of this line has.
fn rolled<'s>(spot: &'s Spot) -> Option<&'s str> {
    let start = spot.line_start(spot.at);
    (spot.word(start) == "roll" && spot.word(start + 2) == "=").then(|| spot.word(start + 1))
}

/// `roll x = d6 vs d6`.
fn against(spot: &Spot) -> Option<Diagnostic> {
    if !matches!(spot.now(), "vs" | "versus" | "against") {
        return None;
    }
    rolled(spot)?;
    let found = spot.here(Code::Syntax, "each side throws dice of its own, and conditions compare them");
    Some(found.help("write `roll ours = d6`, `roll theirs = d6`, and then `ours > theirs`"))
}

/// `roll x = 2d6 >= 7`.
fn compared(spot: &Spot) -> Option<Diagnostic> {
    let name = rolled(spot)?;
    let sign = spot.now();
    if !matches!(sign, ">=" | "<=" | ">" | "<" | "==" | "!=") || spot.line_ended() {
        return None;
    }
    let found = spot.here(Code::Syntax, "a roll throws dice, and a condition looks at what they show");
    let number = spot.word(spot.at + 1);
    Some(found.help(format!(
        "write the roll alone, and behind it `pass when {name} {sign} {number}` or `if {name} {sign} {number} {{ .. }}`"
    )))
}

/// Dice that fall again: `roll x = 3d6 reroll 1s`, `reroll 1s in x`, and `reroll x where face == 1` without a name for each.
fn again(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let rolled = rolled(spot).filter(|_| spot.at > start + 3);
    let word = if rolled.is_some() { spot.now() } else { spot.word(start) };
    if !matches!(word, "reroll" | "explode") {
        return None;
    }
    let counted = spot.at == start + 1 && spot.now().starts_with(|c: char| c.is_ascii_digit());
    let nameless = spot.at == start + 2 && matches!(spot.now(), "where" | "when" | "if");
    let pool = rolled.unwrap_or(if nameless { spot.before(1) } else { "dice" });
    let (die, face) = (if pool == "x" { "die" } else { "x" }, if word == "reroll" { 1 } else { 6 });
    let again = format!("`{word} {die} in {pool} where {die} == {face}`");
    if nameless {
        let found = spot.here(Code::Syntax, format!("`{word}` looks at dice one by one, each by a name"));
        return Some(found.help(format!("write {again}")));
    }
    if rolled.is_none() && !counted {
        return None;
    }
    let message = format!("`{word}` is a line of its own behind a roll of dice that are looked at one by one");
    Some(spot.here(Code::Syntax, message).help(format!("write `roll {pool} = 3 of d6`, and below it {again}")))
}

/// `destroy all u in Unit where ..`.
fn to_all(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let word = spot.word(start);
    if !matches!(word, "destroy" | "grant" | "revoke" | "set" | "place" | "move") || spot.word(start + 1) != "all" {
        return None;
    }
    let found = spot.at(start + 1, Code::Syntax, format!("`{word}` takes one thing; `each` goes through all of them"));
    let then = if word == "destroy" { "destroy x \"why\"".to_string() } else { format!("{word} ..") };
    Some(found.help(format!("write `each x in XS where C {{ {then} }}`")))
}

/// `spawn 2 of Unit`.
fn counted(spot: &Spot) -> Option<Diagnostic> {
    let number = spot.kind(spot.at) == Some(TokenKind::Number);
    if spot.before(1) != "spawn" || !number {
        return None;
    }
    let found = spot.here(Code::Syntax, "`spawn` brings one thing in, by a name");
    let kind = if spot.word(spot.at + 1) == "of" { spot.word(spot.at + 2) } else { spot.word(spot.at + 1) };
    Some(found.help(format!("write `each n in 1 .. {} {{ spawn fresh : {kind} {{ }} }}`", spot.now())))
}

/// `repeat 3 { .. }`, `repeat 3 times { .. }`.
fn times(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let number = spot.kind(start + 1) == Some(TokenKind::Number);
    if spot.word(start) != "repeat" || !number || spot.at > start + 2 {
        return None;
    }
    let found = spot.at(start + 1, Code::Syntax, "what is done so often goes through the numbers");
    Some(found.help(format!("write `each n in 1 .. {} {{ .. }}`", spot.word(start + 1))))
}

/// `modify f *= 2`, `modify f += 1 max 5`.
fn modified(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    if spot.word(start) != "modify" {
        return None;
    }
    let figure = spot.word(start + 1);
    if matches!(spot.now(), "*" | "/") && spot.word(spot.at + 1) == "=" {
        let found = spot.here(Code::Syntax, "`modify` adds and takes away");
        let (sign, by) = (spot.now(), spot.word(spot.at + 2));
        let by = if sign == "/" { format!("{by} rounded down") } else { by.to_string() };
        return Some(
            found.help(format!("for a factor put another base in its place: `replace {figure} = .. {sign} {by}`")),
        );
    }
    if matches!(spot.now(), "max" | "min" | "upto" | "to") {
        let found = spot.here(Code::Syntax, "a modifier has no bound of its own");
        let least = if spot.now() == "min" { "max" } else { "min" };
        let bound = spot.word(spot.at + 1);
        let of = (0..start).find(|n| spot.word(*n) == "on").map_or("Unit", |on| spot.word(on + 1));
        return Some(found.help(format!("bound what reads it: `let bounded(u: {of}) = {least}(u.{figure}, {bound})`")));
    }
    None
}

/// `status S on Unit for 2 turns`.
fn lasting(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    if !matches!(spot.word(start), "status" | "trait") || !matches!(spot.now(), "for" | "until" | "lasts") {
        return None;
    }
    let found = spot.here(Code::Syntax, "how long a status lasts is said where it is granted");
    let name = spot.word(start + 1);
    Some(found.help(format!("write `grant {name} to u until end of P`, with the phase that ends it")))
}

/// `list of 1..9`.
fn list_of_numbers(spot: &Spot) -> Option<Diagnostic> {
    let number = spot.kind(spot.at) == Some(TokenKind::Number) && spot.before(1) == "of" && spot.before(2) == "list";
    if !number {
        return None;
    }
    let found = spot.here(Code::Syntax, "a list of numbers has no range");
    Some(found.help("write `list of Int`"))
}

/// `all u in Unit ordered by u.hp`.
fn in_order(spot: &Spot) -> Option<Diagnostic> {
    if spot.now() != "ordered" && spot.now() != "sorted" || spot.word(spot.line_start(spot.at)) == "each" {
        return None;
    }
    let found = spot.here(Code::Syntax, "an order belongs to an `each`, which goes through a list in it");
    Some(found.help("write `each x in XS ordered by E { .. }`; `least x in XS by E` is the first of them alone"))
}
