//! Translates parser errors to messages for designers. A message names the probable intention, never a rule of the
//! grammar.

mod anydice;
mod dialect;
mod expected;
mod hints;
mod items;
mod notation;
mod signs;
mod statements;
mod units;

pub use dialect::{Dialect, dialect};
pub use notation::{Notation, notations};

use super::grammar::Rule;
use super::scan::{Scan, Token, TokenKind};
use super::words;
use grognard_base::{Code, Diagnostic, FileId, Span};
use pest::error::{Error, ErrorVariant, InputLocation};

/// Returns the diagnostic for an item that does not parse. `base` is its offset in the file.
pub(super) fn item(file: FileId, text: &str, base: usize, error: &Error<Rule>) -> Diagnostic {
    let spot = Spot::new(file, text, base, error);
    too_much(&spot, error)
        .or_else(|| items::start(&spot))
        .or_else(|| common(&spot))
        .unwrap_or_else(|| expected::fallback(&spot))
}

/// Returns the diagnostic for a string of a scenario that does not parse.
pub(super) fn fragment(file: FileId, text: &str, error: &Error<Rule>) -> Diagnostic {
    let spot = Spot::new(file, text, 0, error);
    too_much(&spot, error).or_else(|| common(&spot)).unwrap_or_else(|| expected::fallback(&spot))
}

fn common(spot: &Spot) -> Option<Diagnostic> {
    ["tables", "lists", "habits"]
        .into_iter()
        .find_map(|group| hints::say(spot, group))
        .or_else(|| signs::half(spot))
        .or_else(|| hints::say(spot, "parts of numbers"))
        .or_else(|| hints::say(spot, "durations"))
        .or_else(|| hints::say(spot, "throws"))
        .or_else(|| statements::say(spot))
        .or_else(|| items::say(spot))
        .or_else(|| signs::say(spot))
        .or_else(|| items::names(spot))
}

fn too_much(spot: &Spot, error: &Error<Rule>) -> Option<Diagnostic> {
    let ErrorVariant::CustomError { message } = &error.variant else {
        return None;
    };
    let (code, message) = if message.contains("stack") {
        (Code::TooDeep, "brackets and queries nest too deep here".to_string())
    } else {
        (Code::TooLarge, "reading this item takes too long".to_string())
    };
    Some(spot.here(code, message))
}

/// The block that encloses a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// No block: the head of an item.
    Head,
    Statements,
    Rows,
    Options,
    MoveLines,
    Members,
    TraitLines,
    /// Rows of a table, claims, policy entries, or fields of a spawn.
    Other,
}

/// The position of a parse error, with the tokens around it.
pub(super) struct Spot<'s> {
    file: FileId,
    text: &'s str,
    base: usize,
    tokens: Vec<Token>,
    /// Whether each token begins a line.
    fresh: Vec<bool>,
    /// Index of the token at the error. At the end of the text it is the number of tokens.
    at: usize,
    /// Byte offset of the error.
    stuck: usize,
    wanted: Vec<Rule>,
}

impl<'s> Spot<'s> {
    fn new(file: FileId, text: &'s str, base: usize, error: &Error<Rule>) -> Self {
        let stuck = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let (mut tokens, mut fresh, mut line) = (Vec::new(), Vec::new(), true);
        for token in Scan::new(text, 0, text.len()) {
            match token.kind {
                TokenKind::Newline => line = true,
                TokenKind::Comment => {}
                _ => {
                    tokens.push(token);
                    fresh.push(std::mem::take(&mut line));
                }
            }
        }
        let at = tokens.partition_point(|t| t.end <= stuck);
        let wanted = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let mut spot = Spot { file, text, base, tokens, fresh, at, stuck, wanted };
        spot.leave_brackets();
        spot
    }

    /// Corrects the position after a closed bracket. The parser reports the last position at which it tried a named
    /// rule. If no named rule can follow the bracket, that position is the bracket, and the error is after it.
    fn leave_brackets(&mut self) {
        let closed = match (self.before(1), self.now()) {
            ("(", ")") => self.before(2).ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
            ("{", "}") => self.wants(Rule::stmt),
            (_, ")") => self.wants(Rule::cmp_op) && self.bracketed(self.at),
            _ => false,
        };
        if let (true, Some(next)) = (closed, self.tokens.get(self.at + 1)) {
            (self.at, self.stuck) = (self.at + 1, next.start);
            self.wanted.clear();
        }
    }

    /// Returns the text of token `n`, or an empty text if the token does not exist.
    fn word(&self, n: usize) -> &'s str {
        self.tokens.get(n).map_or("", |t| t.text(self.text))
    }

    /// Returns the text from token `from` up to token `to`, trimmed.
    fn between(&self, from: usize, to: usize) -> &'s str {
        let start = |n: usize| self.tokens.get(n).map_or(self.text.len(), |t| t.start);
        self.text.get(start(from)..start(to)).unwrap_or("").trim()
    }

    fn kind(&self, n: usize) -> Option<TokenKind> {
        self.tokens.get(n).map(|t| t.kind)
    }

    fn now(&self) -> &'s str {
        self.word(self.at)
    }

    /// Returns the token `back` tokens before the error.
    fn before(&self, back: usize) -> &'s str {
        self.at.checked_sub(back).map_or("", |n| self.word(n))
    }

    fn fresh(&self, n: usize) -> bool {
        self.fresh.get(n).copied().unwrap_or(true)
    }

    /// Returns whether the error is at the end of a line.
    fn line_ended(&self) -> bool {
        self.fresh(self.at)
    }

    fn span(&self, n: usize) -> Span {
        let end = self.text.len();
        let (from, to) = self.tokens.get(n).map_or((end, end), |t| (t.start, t.end));
        Span::new(self.file, self.base + from, self.base + to)
    }

    /// Creates a diagnostic at token `n`.
    fn at(&self, n: usize, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.span(n), message)
    }

    /// Creates a diagnostic at the error: at its token, or at the end of the line before it.
    fn here(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        if self.line_ended() && self.at > 0 && self.tokens.get(self.at).is_none_or(|t| self.stuck < t.start) {
            return self.line_end(code, message);
        }
        self.at(self.at, code, message)
    }

    /// Creates a diagnostic after the last token before the error.
    fn line_end(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        let end = self.at.checked_sub(1).and_then(|n| self.tokens.get(n)).map_or(0, |t| t.end);
        Diagnostic::new(code, Span::new(self.file, self.base + end, self.base + end), message)
    }

    fn wants(&self, rule: Rule) -> bool {
        self.wanted.contains(&rule)
    }

    /// Returns the first token of the statement, row or line that contains token `n`.
    fn line_start(&self, n: usize) -> usize {
        let mut depth = 0usize;
        let mut i = n.min(self.tokens.len());
        while i > 0 {
            let before = self.word(i - 1);
            let goes_on = words::leaves_open(before)
                || words::GO_ON.contains(&self.word(i)) && !self.foreign_loop(i)
                || matches!(before, "(" | "[");
            if depth == 0 && self.fresh(i) && !goes_on && i < self.tokens.len() {
                return i;
            }
            match before {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" => depth = depth.saturating_sub(1),
                "{" if depth == 0 => return i,
                "{" => depth -= 1,
                ";" | "=>" if depth == 0 => return i,
                _ => {}
            }
            i -= 1;
        }
        0
    }

    /// Returns whether token `n` begins a loop of another language.
    fn foreign_loop(&self, n: usize) -> bool {
        let mut line = (n + 1..).take_while(|n| !self.fresh(*n)).map(|n| self.word(n));
        matches!(self.word(n), "for" | "while") && line.any(|word| matches!(word, "{" | ":" | "in"))
    }

    /// Returns whether token `n` is in the result of a row instead of its pattern.
    fn behind_arrow(&self, n: usize) -> bool {
        self.line_start(n).checked_sub(1).is_some_and(|before| self.word(before) == "=>")
    }

    /// Returns the innermost open `{` before token `n`.
    fn opened(&self, n: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..n.min(self.tokens.len())).rev() {
            match self.word(at) {
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// Returns the bracket that the `)` at token `n` closes.
    fn opening(&self, n: usize) -> Option<usize> {
        let mut depth = 0usize;
        (0..=n).rev().find(|at| {
            match self.word(*at) {
                ")" => depth += 1,
                "(" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// Returns the kind of the innermost block that contains token `n`.
    fn inside(&self, n: usize) -> Inside {
        self.opened(n).map_or(Inside::Head, |brace| self.opened_by(brace))
    }

    /// Returns whether there is no space between token `n` and the next.
    fn glued(&self, n: usize) -> bool {
        self.tokens.get(n).zip(self.tokens.get(n + 1)).is_some_and(|(token, next)| next.start == token.end)
    }

    /// Returns whether a `=>` follows on the line of the error.
    fn arrow_ahead(&self) -> bool {
        let line = (self.at..).take_while(|n| *n == self.at || !self.fresh(*n)).map(|n| self.word(n));
        line.into_iter()
            .find(|word| matches!(*word, "=>" | "->" | "{" | "}" | ";" | ""))
            .is_some_and(|word| matches!(word, "=>" | "->"))
    }

    /// Returns whether a round or square bracket is open before token `n`, inside the innermost `{`.
    fn bracketed(&self, n: usize) -> bool {
        let mut depth = 0i32;
        for word in (0..n.min(self.tokens.len())).rev().map(|n| self.word(n)) {
            match word {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" | "[" => return true,
                "{" => return false,
                _ => {}
            }
        }
        false
    }

    fn opened_by(&self, brace: usize) -> Inside {
        let start = self.line_start(brace);
        let head = || (start..brace).map(|n| self.word(n));
        if head().any(|w| w == "match") {
            return Inside::Rows;
        }
        match self.word(brace.saturating_sub(1)) {
            "else" => return Inside::Statements,
            "default" => return Inside::Statements,
            _ => {}
        }
        let first = match self.word(start) {
            "cite" => self.word(self.item_word()),
            "override" | "extern" | "extend" | "stand-in" => self.word(start + 1),
            first => first,
        };
        match first {
            "choose" if head().all(|w| w != "in") => Inside::Options,
            "move" => Inside::MoveLines,
            "let" if head().any(|w| w == "move") => Inside::MoveLines,
            "kind" => Inside::Members,
            "trait" | "status" | "condition" => Inside::TraitLines,
            "table" | "policy" | "example" | "enum" | "spawn" => Inside::Other,
            _ => Inside::Statements,
        }
    }

    /// Returns the first token of the item, after its cite line.
    fn item_word(&self) -> usize {
        if self.word(0) != "cite" {
            return 0;
        }
        (1..self.tokens.len()).find(|&n| self.fresh(n) && self.word(n - 1) != ",").unwrap_or(0)
    }
}

/// Returns whether the word can be the name of a value.
fn is_small(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Returns whether the word can be a type or a case.
fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}
