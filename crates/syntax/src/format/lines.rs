//! The lines of a text as the author wrote them. Only the braces of blocks move: `{` ends a line, and `}` has its own line.

use super::marks::Marks;
use super::spacing::between;
use crate::scan::{Scan, Token, TokenKind};
use crate::words;

/// A line of the output.
#[derive(Clone, Default, Debug)]
pub(crate) struct Line {
    pub tokens: Vec<Token>,
    pub comment: Option<Token>,
    /// Whether a blank line comes before it in the source.
    pub blank: bool,
    /// Number of leading spaces.
    pub indent: usize,
    /// The innermost block that contains the line. 0 is the file.
    pub block: usize,
    /// Whether it continues the line before.
    pub goes_on: bool,
}

impl Line {
    pub fn first(&self) -> Option<Token> {
        self.tokens.first().copied()
    }

    pub fn word<'s>(&self, text: &'s str, n: usize) -> &'s str {
        self.tokens.get(n).map_or("", |t| t.text(text))
    }

    pub fn last_word<'s>(&self, text: &'s str) -> &'s str {
        self.tokens.last().map_or("", |t| t.text(text))
    }

    pub fn is_comment(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the number of spaces before token `n`.
    pub fn gap(&self, text: &str, marks: &Marks, n: usize) -> usize {
        let (Some(a), Some(b)) = (n.checked_sub(1).and_then(|i| self.tokens.get(i)), self.tokens.get(n)) else {
            return 0;
        };
        let before = n.checked_sub(2).and_then(|i| self.tokens.get(i)).copied();
        between(text, marks, *a, *b, self.tokens.get(n + 1).copied(), before)
    }

    /// Returns the text of tokens `from..to` with the canonical spaces.
    pub fn text(&self, text: &str, marks: &Marks, from: usize, to: usize) -> String {
        let mut out = String::new();
        for n in from..to.min(self.tokens.len()) {
            if n > from {
                out.extend(std::iter::repeat_n(' ', self.gap(text, marks, n)));
            }
            out.push_str(self.word(text, n));
        }
        out
    }
}

/// Returns which braces belong to blocks that span several lines.
fn wide_braces(tokens: &[Token], text: &str) -> Vec<bool> {
    let mut wide = vec![false; tokens.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut line = 0;
    for (n, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Newline => line += 1,
            TokenKind::Open => open.push((n, line)),
            TokenKind::Close => {
                if let Some((start, from)) = open.pop() {
                    let braces = token.text(text) == "}" && from != line;
                    wide[start] = braces;
                    wide[n] = braces;
                }
            }
            _ => {}
        }
    }
    wide
}

/// Returns the tokens of a text. A line of a `change` is a single token.
fn tokens(text: &str, marks: &Marks) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut whole = false;
    for token in Scan::new(text, 0, text.len()) {
        whole &= !matches!(token.kind, TokenKind::Newline | TokenKind::Comment);
        match tokens.last_mut() {
            Some(line) if whole => line.end = token.end,
            _ => {
                whole = marks.starts.get(&token.start) == Some(&super::marks::Start::Change);
                tokens.push(if whole { Token { kind: TokenKind::Text, ..token } } else { token });
            }
        }
    }
    tokens
}

pub(super) fn read(text: &str, marks: &Marks) -> Vec<Line> {
    let tokens = tokens(text, marks);
    let wide = wide_braces(&tokens, text);
    let mut reader = LineReader { text, lines: Vec::new(), now: Line::default(), newlines: 0, ended: false };
    let mut depth = 0usize;
    for (n, &token) in tokens.iter().enumerate() {
        let word = token.text(text);
        match token.kind {
            TokenKind::Newline => {
                reader.finish();
                reader.newlines += 1;
                continue;
            }
            TokenKind::Comment => {
                let written = word.trim_end();
                reader.now.comment = Some(Token { end: token.start + written.len(), ..token });
                reader.finish();
                continue;
            }
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if word == ";" {
            if depth == 0 {
                reader.ended = true;
            } else if reader.now.tokens.last().is_some_and(|t| !matches!(t.text(text), "{" | ";")) {
                reader.now.tokens.push(token);
            }
            continue;
        }
        if wide[n] && token.kind == TokenKind::Close || reader.ended {
            reader.finish();
        }
        if word == "}" {
            reader.drop_semicolon();
        }
        if marks.starts.get(&token.start) == Some(&super::marks::Start::Item) {
            reader.finish();
        }
        reader.now.tokens.push(token);
        if wide[n] && token.kind == TokenKind::Open && !tokens.get(n + 1).is_some_and(|t| t.kind == TokenKind::Comment)
        {
            reader.finish();
        }
    }
    reader.finish();
    reader.tidy();
    reader.lines
}

struct LineReader<'s> {
    text: &'s str,
    lines: Vec<Line>,
    now: Line,
    newlines: usize,
    /// Whether the last token was a `;` between items.
    ended: bool,
}

impl LineReader<'_> {
    fn finish(&mut self) {
        self.ended = false;
        if self.now.tokens.is_empty() && self.now.comment.is_none() {
            return;
        }
        let mut line = std::mem::take(&mut self.now);
        line.blank = self.newlines > 1;
        self.newlines = 0;
        self.lines.push(line);
    }

    fn drop_semicolon(&mut self) {
        if self.now.tokens.last().is_some_and(|t| t.text(self.text) == ";") {
            self.now.tokens.pop();
        }
    }

    /// Removes a `;` at the end of a line, unless the next line would then continue this one.
    fn tidy(&mut self) {
        for n in 0..self.lines.len() {
            let next = self.lines[n + 1..].iter().find(|l| !l.is_comment()).map_or("", |l| l.word(self.text, 0));
            let keep = words::GO_ON.contains(&next);
            if let Some(line) = self.lines.get_mut(n)
                && !keep
                && line.tokens.len() > 1
                && line.last_word(self.text) == ";"
            {
                line.tokens.pop();
            }
        }
    }
}

/// Maximum length of a line in characters. Longer lines are broken.
const WIDTH: usize = 140;

/// Breaks long lines after commas and operators and before `and` and `or`.
pub(super) fn break_long(text: &str, marks: &Marks, lines: Vec<Line>) -> Vec<Line> {
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let mut line = line;
        while let Some(at) = break_point(text, marks, &line) {
            let rest = line.tokens.split_off(at);
            let indent = if line.goes_on { line.indent } else { line.indent + 2 };
            let next = Line {
                tokens: rest,
                comment: line.comment.take(),
                blank: false,
                indent,
                block: line.block,
                goes_on: true,
            };
            out.push(std::mem::replace(&mut line, next));
        }
        out.push(line);
    }
    out
}

/// Returns the last token that still fits and can begin a line.
fn break_point(text: &str, marks: &Marks, line: &Line) -> Option<usize> {
    if matches!(line.word(text, 0), "|" | "chain" | "cite") {
        return None;
    }
    // the content of braces stays on its line
    let mut column = line.indent;
    let (mut found, mut braces, mut depth): (Option<(usize, usize)>, usize, usize) = (None, 0, 0);
    for n in 0..line.tokens.len() {
        let word = line.word(text, n);
        let before = n.checked_sub(1).map_or("", |i| line.word(text, i));
        let cite = line.tokens[..n].iter().any(|t| t.text(text) == "cite");
        let after_sign =
            before == "," || matches!(before, "+" | "*" | "==" | "!=" | "<=" | ">=") && line.gap(text, marks, n) > 0;
        let joins = word == "and" || word == "or" && !matches!(line.word(text, n + 1), "none" | "stop");
        if n > 1 && braces == 0 && !cite && (after_sign || joins) && column <= WIDTH {
            // a break outside brackets is preferred
            if found.is_none_or(|(least, _)| depth <= least) {
                found = Some((depth, n));
            }
        }
        match word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        column += line.gap(text, marks, n) + word.chars().count();
    }
    if column > WIDTH { found.map(|(_, n)| n) } else { None }
}
