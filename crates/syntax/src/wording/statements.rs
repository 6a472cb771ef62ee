//! Messages about statements, rows and lines of blocks.

use super::{Inside, Spot};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words;
use grognard_base::{Code, Diagnostic, did_you_mean};

/// Returns the diagnostic for the most likely intended statement, row or line of a block.
pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    let hints = |group| super::hints::say(spot, group);
    hints("statements")
        .or_else(|| begun_if(spot))
        .or_else(|| hints("statements, where no sign waits for a value"))
        .or_else(|| stray_else(spot))
        .or_else(|| hints("statements, except their first words"))
        .or_else(|| first_word(spot))
}

/// Reports a missing operand before an `if` with a block on the next line.
fn begun_if(spot: &Spot) -> Option<Diagnostic> {
    let mut behind = (spot.at..spot.tokens.len()).map(|n| spot.word(n));
    let block = spot.now() == "if" && behind.find(|word| matches!(*word, "then" | "{")) == Some("{");
    if block && spot.line_ended() { super::signs::behind_sign(spot, 1) } else { None }
}

/// Reports an `else` on a line below a statement other than `if`.
fn stray_else(spot: &Spot) -> Option<Diagnostic> {
    let after = spot.before(1);
    if spot.now() != "else" || !spot.line_ended() || spot.inside(spot.at) != Inside::Statements {
        return None;
    }
    if after == "}" {
        // a blank line separates them
        let from = spot.tokens[spot.at - 1].end;
        let apart = spot.text[from..spot.tokens[spot.at].start].matches('\n').count() > 1;
        return apart.then(|| lonely_else(spot, spot.at));
    }
    // a value continues on the next line
    let value = (spot.line_start(spot.at)..spot.at).any(|n| spot.word(n) == "then");
    (!value).then(|| lonely_else(spot, spot.at))
}

fn lonely_else(spot: &Spot, at: usize) -> Diagnostic {
    let found = spot.at(at, Code::Syntax, "this `else` does not belong to an `if`");
    found.help("write it after the `}` of its `if` or on the next line, without a comment between them")
}

fn first_word(spot: &Spot) -> Option<Diagnostic> {
    let start = spot.line_start(spot.at);
    let inside = spot.inside(start);
    let word = spot.word(start);
    if start != spot.at || spot.kind(start) != Some(TokenKind::Word) {
        return None;
    }
    let (words, what): (&[&str], &str) = match inside {
        Inside::Statements => return statement(spot, start, word),
        // a statement in a string of a scenario
        Inside::Head if spot.wants(Rule::stmt) => return statement(spot, start, word),
        Inside::MoveLines => (words::MOVE_LINES, "line of a `move`"),
        Inside::Members => (words::MEMBERS, "line of a `kind`"),
        Inside::TraitLines => (words::TRAIT_LINES, "line of a trait"),
        _ => return None,
    };
    if words.contains(&word) {
        return None;
    }
    if let (Inside::TraitLines, Some(found)) = (inside, super::hints::say(spot, "lines of traits")) {
        return Some(found);
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
        let message = "a `cite` belongs to the line directly below it; no line follows here";
        return Some(spot.at(start, Code::StrayCite, message));
    }
    if words::STATEMENTS.contains(&word) {
        return None;
    }
    if word == "else" {
        return Some(lonely_else(spot, start));
    }
    if let Some(found) = super::hints::say(spot, "first words of statements") {
        return Some(found);
    }
    let near = did_you_mean(word, words::STATEMENTS.iter().copied());
    let message = format!("no statement begins with `{word}`{near}");
    Some(spot.at(start, Code::UnknownWord, message))
}
