//! Messages about statements, rows and lines of blocks.

use super::expected::next_in_block;
use super::{Inside, Spot, is_capital, is_small};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words;
use crate::words::is_die;
use grognard_base::{Code, Diagnostic, did_you_mean};

/// How a band is written.
pub(super) const BAND: &str = "a band is written `1 to 3`, `at least 6`, `over 5\"`";

const LOOPS: &str = "loops are `each x in XS { .. }`, `each i in 1 .. 3 { .. }` and `repeat { .. } while C`";

/// What a statement, a row or a line of a block most likely wanted to be.
pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    rolls(spot)
        .or_else(|| let_figure(spot))
        .or_else(|| named_move(spot))
        .or_else(|| rows(spot))
        .or_else(|| nested_if(spot))
        .or_else(|| effects(spot))
        .or_else(|| stray_else(spot))
        .or_else(|| options(spot))
        .or_else(|| words_elsewhere(spot))
        .or_else(|| first_word(spot))
}

/// `let u.men = 3`: a figure that is given a value as if it were a new name.
fn let_figure(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let at = [start, spot.at].into_iter().find(|n| spot.word(*n) == "let" && spot.word(n + 2) == ".")?;
    if !is_small(spot.word(at + 1)) {
        return None;
    }
    let end = (at + 2..).find(|n| spot.fresh(*n) || spot.word(*n) == "=")?;
    let figure = spot.between(at + 1, end);
    let found = spot.at(at, Code::Syntax, format!("`let` names something new, and `{figure}` is a figure of a thing"));
    Some(found.help(format!("write `set {figure} = ..`")))
}

fn rolls(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    if matches!(spot.before(2), "draw" | "choose") && is_die(spot.before(1)) && word == "in" {
        let found =
            spot.at(spot.at - 1, Code::Syntax, format!("`{}` is a die, and names nothing else", spot.before(1)));
        return Some(found.help("give what is taken a name of its own"));
    }
    let of = [spot.at, spot.at.saturating_sub(1)].into_iter().find(|n| spot.word(*n) == "of").filter(|of| *of >= 2);
    if let Some(of) = of.filter(|of| spot.word(of - 2) == "draw" && is_small(spot.word(of - 1))) {
        let (name, from) = (spot.word(of - 1), spot.word(of + 1));
        let found = spot.at(of, Code::Syntax, "what is drawn comes out of a list");
        return Some(
            found.help(format!("write `draw {name} in {from} ..`, or `draw 2 of {name} in {from} ..` for several")),
        );
    }
    if word == "of" && spot.at > 0 && is_die(spot.word(spot.at + 1)) {
        return Some(pool(spot));
    }
    if is_die(word) && spot.at.checked_sub(1).and_then(|n| spot.kind(n)) == Some(TokenKind::Number) {
        let count = spot.before(1);
        let found = spot.here(Code::Syntax, "between a number and its dice stands `of`");
        return Some(found.help(format!(
            "`{count} of {word}` are dice that are looked at one by one, `{count}{word}` is their sum"
        )));
    }
    let thrown = is_die(word) || spot.kind(spot.at) == Some(TokenKind::Number);
    if !matches!(spot.before(1), "roll" | "rolling") || !thrown || spot.before(1) == "rolling" {
        return None;
    }
    if is_die(word) && spot.word(spot.at + 1) == "=" {
        let found = spot.here(Code::Syntax, format!("`{word}` is a die, and names nothing else"));
        return Some(found.help("give the roll a name of its own: `roll first = d6`"));
    }
    if spot.line_start(spot.at) + 1 == spot.at {
        let dice = if is_die(word) { word.to_string() } else { format!("{word} of d6") };
        let found = spot.here(Code::Syntax, format!("every roll has a name: `roll dice = {dice}`"));
        return Some(found.help("scripts, chances and traces use the name"));
    }
    let found = spot.here(Code::Effect, "a roll is a statement of its own: `roll x = d6`");
    Some(found.help(format!("write `roll x = {word}` on a line above, and use `x` here")))
}

/// `let aim = 3 of d6`: dice that stand where nothing throws them.
fn pool(spot: &Spot) -> Diagnostic {
    let start = spot.line_start(spot.at);
    let dice = format!("{} of {}", spot.before(1), spot.word(spot.at + 1));
    if matches!(spot.word(start), "let" | "set") && spot.word(start + 2) == "=" && spot.at == start + 4 {
        let found = spot.at(start, Code::Syntax, "dice are thrown by `roll`, not by a value");
        return found.help(format!("write `roll {} = {dice}`", spot.word(start + 1)));
    }
    if spot.word(spot.item_word()) == "let" {
        let found = spot.here(Code::Effect, "a `let` is worked out, and throws nothing");
        return found.help(format!("make it a `proc` or a `test`, with `roll dice = {dice}` in its body"));
    }
    let found = spot.here(Code::Effect, format!("a roll is a statement of its own: `roll dice = {dice}`"));
    found.help(format!("write `roll dice = {dice}` on a line above, and `dice` here"))
}

fn rows(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    if word == "->" && spot.inside(spot.at) != Inside::Head {
        let found =
            spot.here(Code::Syntax, "a case reads `pattern => result`; `->` only names what a proc or test gives back");
        return Some(found.help("write `=>`"));
    }
    if spot.inside(spot.at) != Inside::Rows {
        return None;
    }
    let before = spot.before(1);
    let number = spot.at.checked_sub(1).and_then(|n| spot.kind(n)) == Some(TokenKind::Number);
    let pattern = spot.line_start(spot.at) < spot.at && arrow_ahead(spot) && !spot.behind_arrow(spot.at);
    if !pattern {
        let compared = matches!(word, "<" | ">" | "<=" | ">=") && spot.line_start(spot.at) == spot.at;
        return if compared { Some(compared_band(spot)) } else { None };
    }
    match word {
        ".." | "-" => {
            let help = match spot.word(spot.at + 1) {
                "=>" => format!("write `at least {before}`"),
                end => format!("write `{before} to {end}`"),
            };
            Some(spot.here(Code::BandForm, BAND).help(help))
        }
        "+" if number => Some(spot.here(Code::BandForm, BAND).help(format!("write `at least {before}`"))),
        "," => {
            let next = spot.word(spot.at + 1);
            let found = spot.here(Code::BandForm, format!("cases are joined with `|`: `{before} | {next} => ..`"));
            Some(found.help("in a cell of a table they are joined with a comma"))
        }
        "<" | ">" | "<=" | ">=" => Some(compared_band(spot)),
        _ => None,
    }
}

pub(super) fn compared_band(spot: &Spot) -> Diagnostic {
    let help = "`< v` is `under v`, `<= v` is `at most v`, `> v` is `over v`, `>= v` is `at least v`";
    spot.here(Code::BandForm, BAND).help(help)
}

/// True if a `=>` follows in the same line.
fn arrow_ahead(spot: &Spot) -> bool {
    let mut n = spot.at;
    while !spot.fresh(n) || n == spot.at {
        if matches!(spot.word(n), "=>" | "->") {
            return true;
        }
        if matches!(spot.word(n), "{" | "}" | ";" | "") {
            return false;
        }
        n += 1;
    }
    false
}

fn nested_if(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    if !matches!(word, "if" | "match") {
        return None;
    }
    if matches!(spot.before(1), "then" | "else") {
        let found = spot.here(Code::Syntax, "a `match` or `if` inside an `if` stands in ( )");
        return Some(found.help(format!("write `({word} ...)`")));
    }
    // the line of the `=>`: what stands behind one begins a line of its own elsewhere
    let cost = spot.before(1) == "=>" && spot.word(spot.line_start(spot.at - 1)) == "costs";
    let operand = matches!(
        spot.before(1),
        "+" | "-"
            | "*"
            | "/"
            | "=="
            | "!="
            | "<"
            | ">"
            | "<="
            | ">="
            | "and"
            | "or"
            | "not"
            | "otherwise"
            | "in"
            | "where"
            | "weight"
            | "by"
            | "of"
    );
    let begins = || (spot.at..spot.tokens.len()).map(|n| spot.word(n)).find(|word| matches!(*word, "then" | "{"));
    if word == "if"
        && spot.line_ended()
        && begins() == Some("{")
        && let Some(found) = super::signs::behind_sign(spot, 1)
    {
        return Some(found);
    }
    if operand || cost {
        let found = spot.here(
            Code::Syntax,
            format!("an `{word}` inside a larger value stands in ( )").replace("an `match`", "a `match`"),
        );
        let form = if word == "if" { "(if c then a else b)" } else { "(match v { .. })" };
        let before = if cost { format!("costs {} => ", spot.before(2)) } else { String::new() };
        return Some(found.help(format!("write `{before}{form}`")));
    }
    None
}

/// `let leg = move u { .. } else ..`: only a move that is a statement has an `else`.
fn named_move(spot: &Spot) -> Option<Diagnostic> {
    let close = if spot.now() == "else" { spot.at.checked_sub(1)? } else { spot.at };
    if spot.word(close) != "}" || spot.word(close + 1) != "else" {
        return None;
    }
    let mut open = 0;
    let start = (0..close).rev().find(|n| {
        open += match spot.word(*n) {
            "}" => 1,
            "{" => -1,
            _ => 0,
        };
        open < 0
    })?;
    let word =
        (0..start).rev().take_while(|n| !matches!(spot.word(*n), "{" | "}" | ";")).find(|n| spot.word(*n) == "move")?;
    if spot.word(word.checked_sub(1)?) != "=" {
        return None;
    }
    let name = spot.word(word.saturating_sub(2)).to_string();
    let found = spot.at(close + 1, Code::Syntax, "a move with a name has no `else`");
    Some(
        found.help(format!(
            "a move without a legal way covers nothing: ask `if {name}.covered == 0\" {{ .. }}` behind it"
        )),
    )
}

/// `do`, `test`, `run`, `emit` inside a value: the parser took the word for a name.
fn effects(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.before(1);
    if !matches!(word, "do" | "test" | "run" | "emit" | "move" | "choose" | "draw")
        || spot.kind(spot.at) != Some(TokenKind::Word)
    {
        return None;
    }
    let start = spot.line_start(spot.at);
    if spot.inside(spot.at) == Inside::Head && spot.item_word() == start || start + 1 == spot.at || spot.line_ended() {
        return None;
    }
    let named = spot.now();
    let message = format!("`{word} {named}` happens, and cannot stand inside a value");
    let help = match word {
        "do" | "test" => format!("put it on its own line: `let found = {word} {named}(..)`, and use `found` here"),
        _ => format!("put it on a line of its own: `{word} {named} ..`"),
    };
    Some(spot.at(spot.at - 1, Code::Effect, message).help(help))
}

/// An `else` on a line below a statement that is no `if`.
fn stray_else(spot: &Spot) -> Option<Diagnostic> {
    let after = spot.before(1);
    if spot.now() != "else" || !spot.line_ended() || spot.inside(spot.at) != Inside::Statements {
        return None;
    }
    if after == "}" {
        // a line between them parts them
        let from = spot.tokens[spot.at - 1].end;
        let apart = spot.text[from..spot.tokens[spot.at].start].matches('\n').count() > 1;
        return apart.then(|| lonely_else(spot, spot.at));
    }
    // a value goes on in the next line
    let value = (spot.line_start(spot.at)..spot.at).any(|n| spot.word(n) == "then");
    (!value).then(|| lonely_else(spot, spot.at))
}

fn lonely_else(spot: &Spot, at: usize) -> Diagnostic {
    let found = spot.at(at, Code::Syntax, "this `else` belongs to no `if`");
    found.help("it stands behind the `}` of its `if`, or begins the very next line, without a comment between them")
}

/// `until`, `when` and bare bodies where a loop, an `if` or a test is meant; commas between lines.
fn words_elsewhere(spot: &Spot) -> Option<Diagnostic> {
    let (now, before, start) = (spot.now(), spot.before(1), spot.line_start(spot.at));
    let head = spot.word(start);
    if now == "until" && before == "}" && spot.wants(Rule::k_while) {
        let found = spot.here(Code::Syntax, "a loop goes on while a condition holds, which is asked before each round");
        return Some(found.help("write `while not (..)` with the condition that ends it"));
    }
    if spot.inside(start) == Inside::Statements || spot.inside(start) == Inside::Head && spot.wants(Rule::block) {
        let bodied = (start..spot.at).any(|n| spot.word(n) == "{");
        let bare = words::STATEMENTS.contains(&now) && (before == "else" || head == "if" && !bodied);
        if bare && !spot.fresh(spot.at) {
            let found = spot.here(Code::Syntax, "what an `if` or an `else` does stands in { }");
            let head = if before == "else" { "else" } else { "if .." };
            return Some(found.help(format!("write `{head} {{ {now} .. }}`")));
        }
        if now == "when" && !spot.fresh(spot.at) && head == "set" || now == "when" && start == spot.at {
            let found = spot.here(Code::Syntax, "what happens under a condition stands in an `if`");
            return Some(found.help("write `if .. { .. }`"));
        }
        if before == "pass" && matches!(now, "}" | ";") {
            let found = spot.at(spot.at - 1, Code::Syntax, "a test says once by what it is passed");
            return Some(found.help("write `pass when ..` with the condition, and no `if` around it"));
        }
    }
    let line = matches!(spot.inside(spot.at), Inside::Rows | Inside::Members | Inside::Options);
    let last = spot.fresh(spot.at + 1) || spot.word(spot.at + 1) == "}";
    if now == "," && (line && last || next_in_block(spot, spot.at + 1).is_some()) {
        let found = spot.here(Code::Syntax, "each of these ends with its line, and has no comma behind it");
        return Some(found.help("take the comma away; a `;` parts two on one line"));
    }
    None
}

/// `choose stand or run {`: options that stand in the head of a choice.
fn options(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    if spot.word(start) != "choose" || spot.at != start + 2 || !matches!(spot.now(), "or" | "," | "|") {
        return None;
    }
    let (one, other) = (spot.before(1), spot.word(spot.at + 1));
    let found = spot.here(Code::Syntax, "a choice has a name, and its options stand in its block");
    Some(found.help(format!("write `choose what {{ {one} => ..; {other} => .. }}`")))
}

fn first_word(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let inside = spot.inside(start);
    let word = spot.word(start);
    if word == "repeat" && spot.at == start + 1 {
        return Some(spot.at(start, Code::Syntax, LOOPS));
    }
    if start != spot.at || spot.kind(start) != Some(TokenKind::Word) {
        return None;
    }
    let (words, what): (&[&str], &str) = match inside {
        Inside::Statements => return statement(spot, start, word),
        // a statement in a text of a scenario
        Inside::Head if spot.wants(Rule::stmt) => return statement(spot, start, word),
        Inside::MoveLines => (words::MOVE_LINES, "line of a `move`"),
        Inside::Members => (words::MEMBERS, "line of a `kind`"),
        Inside::TraitLines => (words::TRAIT_LINES, "line of a trait"),
        _ => return None,
    };
    if words.contains(&word) {
        return None;
    }
    if inside == Inside::Members && spot.word(start + 1) == ":" {
        let found = spot.at(start, Code::Syntax, format!("`{word}` is declared with a word before it"));
        let kept = format!("`state {word} : ..` changes in play, `stat {word} : ..` is given by the scenario");
        return Some(found.help(format!("{kept}, `link {word} : ..` leads to other things")));
    }
    let message = format!("no {what} begins with `{word}`{}", did_you_mean(word, words.iter().copied()));
    let list: Vec<&str> = words.iter().copied().filter(|w| *w != "cite").collect();
    Some(spot.at(start, Code::UnknownWord, message).help(format!("it begins with one of: {}", list.join(", "))))
}

fn statement(spot: &Spot, start: usize, word: &str) -> Option<Diagnostic> {
    if word == "cite" {
        let message = "a `cite` belongs to the line directly below it; here nothing follows";
        return Some(spot.at(start, Code::StrayCite, message));
    }
    if words::STATEMENTS.contains(&word) {
        return None;
    }
    match word {
        "while" | "until" => {
            let help = "write `repeat { .. } while C`: C is asked before each round, the first too";
            return Some(spot.at(start, Code::Syntax, LOOPS).help(help));
        }
        "for" | "foreach" => return Some(spot.at(start, Code::Syntax, LOOPS).help("write `each` for `for`")),
        "loop" => return Some(spot.at(start, Code::Syntax, LOOPS)),
        "else" => return Some(lonely_else(spot, start)),
        "switch" | "case" | "select" => {
            let found = spot.at(start, Code::Syntax, "which case holds is told by `match`");
            return Some(found.help("write `match u.men { 1 => ..; 2 to 4 => ..; else => .. }`"));
        }
        "remove" | "delete" | "kill" | "eliminate" => {
            let found = spot.at(start, Code::Syntax, "what leaves play is destroyed");
            let what = spot.word(start + 1);
            let what = if is_small(what) { what } else { "u" };
            return Some(found.help(format!("write `destroy {what} \"why\"`")));
        }
        "tally" | "count"
            if is_small(spot.word(start + 1))
                && (spot.fresh(start + 2) || matches!(spot.word(start + 2), "}" | ";")) =>
        {
            let found = spot.at(start, Code::Syntax, "a tally is added to by `set`");
            return Some(found.help(format!("write `set {} += 1`", spot.word(start + 1))));
        }
        "shuffle" => {
            let found = spot.at(start, Code::Syntax, "nothing is shuffled: chance picks where something is drawn");
            return Some(found.help("write `draw card in deck`, and take it out by `set deck -= card`"));
        }
        "break" => return Some(spot.at(start, Code::Syntax, "a loop is left with `stop`").help("write `stop`")),
        "continue" => {
            let found = spot.at(start, Code::Syntax, "nothing goes on with the next round at once");
            return Some(found.help("put the rest of the loop into an `if`; `stop` leaves it"));
        }
        "print" | "log" | "say" | "echo" | "show" | "note" => {
            let found = spot.at(
                start,
                Code::Syntax,
                format!("there is no `{word}`: a trace tells every roll, choice and change by itself"),
            );
            return Some(
                found.help("`grognard run --trace full` shows it; a name that a `let` gives to a value is told too"),
            );
        }
        _ => {}
    }
    // The end of the place written to: names and fields.
    let mut end = start + 1;
    while spot.word(end) == "." {
        end += 2;
    }
    let sign = spot.word(end);
    let place: String = (start..end).map(|n| spot.word(n)).collect();
    let kept = end == start + 1 && (0..start).any(|n| spot.word(n) == "let" && spot.word(n + 1) == word);
    if kept && matches!(sign, "=" | "+=" | "-=") {
        let found = spot.at(start, Code::Syntax, format!("what `let` names keeps its value, and so does `{word}`"));
        return Some(found.help(format!("write `var {word} = ..` above, and `set {word} {sign} ..` here")));
    }
    if matches!(sign, "=" | "+=" | "-=") && is_small(word) {
        let found = spot.at(start, Code::Syntax, "a write begins with `set`, a new name with `let`");
        return Some(found.help(format!("write `set {place} {sign} ..`")));
    }
    if matches!((sign, spot.word(end + 1)), ("+", "+") | ("-", "-")) {
        let found = spot.at(start, Code::Syntax, "a write begins with `set`, a new name with `let`");
        return Some(found.help(format!("write `set {place} {sign}= 1`")));
    }
    if sign == "(" && end > start + 1 {
        let (list, method) = place.rsplit_once('.').unwrap_or(("xs", ""));
        let change = match method {
            "add" | "push" | "append" | "insert" | "extend" => Some("+="),
            "remove" | "discard" | "delete" | "pop" => Some("-="),
            _ => None,
        };
        if let Some(change) = change {
            let found = spot.at(start, Code::Syntax, "a list is changed by `set`");
            return Some(found.help(format!("write `set {list} {change} ..`")));
        }
    }
    if sign == "(" {
        let message = format!("a call that changes things is `do {place}(..)`; a test is `test`, a phase is `run`");
        let help = match is_capital(word) {
            true => format!("write `run {place}(..)` if it is a phase, `test {place}(..)` if it is a test"),
            false => format!("write `do {place}(..)`"),
        };
        return Some(spot.at(start, Code::Syntax, message).help(help));
    }
    let near = did_you_mean(word, words::STATEMENTS.iter().copied());
    let message = format!("no statement begins with `{word}`{near}");
    Some(spot.at(start, Code::UnknownWord, message))
}
