//! Error recovery by lines (panic mode). The lines of an error are blanked and the item is parsed again, so one run
//! reports all its errors. The head of a block of statements is replaced by an `if`, so the block is parsed too.
//! Recovery stops at an error that could be a consequence of the previous one.

use super::grammar::{Grammar, Rule};
use super::scan::{Scan, Token, TokenKind};
use super::wording;
use super::words::{GO_ON, is_die, is_reserved, leading, leaves_open};
use grognard_base::{Diagnostic, FileId};
use pest::Parser;
use pest::error::{Error, InputLocation};

/// Maximum number of errors reported for an item.
const MOST: usize = 10;

/// Size of an item in bytes above which only its first error is reported, because each error requires a parse.
const LONGEST: usize = 1 << 16;

/// Statements that begin a block, and the replacement for their head.
const BLOCKS: &[&str] = &["each", "if", "may", "repeat"];
const STAND_IN: &str = "if 1";

/// Returns all errors of an item. `first` is the first error of the parser.
pub(super) fn all(file: FileId, text: &str, base: usize, first: &Error<Rule>) -> Vec<Diagnostic> {
    let mut found = vec![wording::item(file, text, base, first)];
    let (mut text, mut at) = (text.to_string(), stuck(first));
    while found.len() < MOST && text.len() <= LONGEST {
        let Some((from, to, stand_in)) = lines_of(&text, at) else { break };
        let blanks = text[from..to].bytes().skip(stand_in.len()).map(|b| if b == b'\n' { '\n' } else { ' ' });
        let instead: String = stand_in.chars().chain(blanks).collect();
        text.replace_range(from..to, &instead);
        let Err(error) = Grammar::parse(Rule::one_item, &text) else { break };
        at = stuck(&error);
        if at < to || !is_own(&text, to, at) {
            break;
        }
        found.push(wording::item(file, &text, base, &error));
    }
    found
}

/// Returns whether the word is a keyword that begins a line.
fn begins(word: &str) -> bool {
    leading().iter().any(|words| words.contains(&word))
}

/// Returns whether the word continues the line before it, which ends in `before`. A `while` continues only a block;
/// elsewhere it begins a loop of another language.
fn goes_on(word: &str, before: &str) -> bool {
    GO_ON.contains(&word) && (word != "while" || before == "}")
}

/// Returns whether the line is not a value of the line before it: a keyword that begins lines, followed by a word that
/// is not an operator.
fn begins_anew(line: &[Token], text: &str) -> bool {
    let word = |n: usize| line.get(n).filter(|t| t.kind == TokenKind::Word).map(|t| t.text(text));
    let (Some(first), Some(second)) = (word(0), word(1)) else { return false };
    // a test and a roll can also be part of a value
    let value = first == "test" || (first == "roll" && is_die(second)) || matches!(first, "if" | "match" | "no");
    begins(first) && !value && !is_reserved(second)
}

/// Returns the byte offset of the error.
fn stuck(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    }
}

/// Returns whether an error after blanked lines is independent of their content. A line directly below could have
/// continued them, unless its first word is not a keyword.
fn is_own(text: &str, blanked: usize, at: usize) -> bool {
    let mut behind =
        Scan::new(text, blanked, text.len()).filter(|t| !matches!(t.kind, TokenKind::Newline | TokenKind::Comment));
    let Some(next) = behind.next() else { return false };
    if at <= next.start {
        let word = next.text(text);
        return next.kind == TokenKind::Word && !begins(word) && !goes_on(word, "");
    }
    // the end of a block may be that of a blanked one, unless an operator waits for its operand
    let mut before = next;
    let found = behind.find(|t| {
        t.end > at || {
            before = *t;
            false
        }
    });
    found.is_some_and(|t| t.kind != TokenKind::Close || leaves_open(before.text(text)))
}

/// Returns the range of the lines of an error, including the lines that they continue and that continue them, and the
/// replacement. Returns `None` if they are the head of the item or contain the end of a block.
fn lines_of(text: &str, at: usize) -> Option<(usize, usize, &'static str)> {
    let tokens: Vec<Token> = Scan::new(text, 0, text.len()).filter(|t| t.kind != TokenKind::Comment).collect();
    let lines: Vec<&[Token]> = tokens.split(|t| t.kind == TokenKind::Newline).filter(|line| !line.is_empty()).collect();
    let word = |token: &Token| token.text(text);
    let mut last = lines.iter().position(|line| line.last().is_some_and(|t| t.end > at))?;
    let mut first = last;
    let head = &lines[last][0];
    let open = |n: usize| lines[n].last().is_some_and(|t| leaves_open(word(t)));
    if last > 0 && open(last - 1) && begins_anew(lines[last], text) {
        // a value is missing, and the parser read the next line in its place
        last -= 1;
        first = last;
    } else if at <= head.start && (head.kind != TokenKind::Word || begins(word(head))) {
        // an incomplete line is detected only at the start of the next one
        first = last.checked_sub(1)?;
        if head.kind == TokenKind::Close {
            last = first;
        }
    }
    // line `n` continues the one before
    let joined = |n: usize| {
        let before = lines[n - 1].last().map_or("", word);
        let begins_so = match lines[n][0].kind {
            TokenKind::Word => goes_on(word(&lines[n][0]), before),
            TokenKind::Sign => word(&lines[n][0]) != "|",
            _ => false,
        };
        begins_so
            || matches!(before, "(" | "[")
            || (open(n - 1) && word(&lines[n][0]) != "}" && !begins_anew(lines[n], text))
    };
    while first > 0 && joined(first) {
        first -= 1;
    }
    while last + 1 < lines.len() && joined(last + 1) {
        last += 1;
    }
    let (mut depth, mut lowest) = (0, 0);
    for token in lines[first..=last].iter().copied().flatten() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    if first == 0 || lowest < 0 {
        return None;
    }
    let (begin, end) = (&lines[first][0], lines[last].last()?);
    match depth {
        0 => Some((begin.start, end.end, "")),
        1 if end.kind == TokenKind::Open
            && BLOCKS.contains(&word(begin))
            && !text[begin.start..end.start].contains('\n') =>
        {
            (begin.start + STAND_IN.len() < end.start).then_some((begin.start, end.start, STAND_IN))
        }
        _ => None,
    }
}
