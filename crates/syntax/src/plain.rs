//! Renders a span of source text without its layout: its tokens, one line per statement, no comments.

use super::format::{Line, Marks};
use super::parse::with_stack;
use super::scan::{Scan, Token, TokenKind};
use super::words;
use grognard_base::{Sources, Span};
use std::cell::OnceCell;

/// Operators and keywords that are omitted together with the part after them.
const LEADS: [&str; 5] = [":", "=", "cite", "default", "when"];

/// Source texts that are rendered span by span.
pub struct Plain<'s> {
    sources: &'s Sources,
    marks: Vec<OnceCell<Marks>>,
}

impl<'s> Plain<'s> {
    /// Creates a renderer for texts that parse.
    pub fn new(sources: &'s Sources) -> Self {
        Plain { sources, marks: sources.iter().map(|_| OnceCell::new()).collect() }
    }

    /// Returns the text of a span on one line, with `; ` between the pieces of a block.
    pub fn line(&self, span: Span) -> String {
        let mut out = String::new();
        for line in self.lines(span, &[]) {
            let close = out.is_empty() || out.ends_with('{') || line.starts_with('}');
            out.push_str(if out.is_empty() { "" } else { [";", ""][usize::from(close)] });
            out.push_str(if out.is_empty() { "" } else { " " });
            out.push_str(&line);
        }
        out
    }

    /// Returns the text of a span with a line for each piece of its blocks, without the text in `without`.
    pub fn lines(&self, span: Span, without: &[Span]) -> Vec<String> {
        let (Some(source), Some(marks)) = (self.sources.get(span.file), self.marks.get(usize::from(span.file.0)))
        else {
            return Vec::new();
        };
        let text = source.text.as_str();
        let marks = marks.get_or_init(|| with_stack(|| super::format::marks(text), Marks::default));
        let mut lines = Vec::new();
        let mut end_line = |now: &mut Line| {
            if !now.tokens.is_empty() {
                lines.push(now.text(text, marks, 0, usize::MAX));
                now.tokens.clear();
            }
        };
        let cut = |token: &Token| {
            let inside =
                |s: &&Span| s.file == span.file && s.start as usize <= token.start && token.end <= s.end as usize;
            without.iter().find(inside).copied()
        };
        let tokens = Scan::new(text, span.start as usize, span.end as usize).filter(|t| t.kind != TokenKind::Comment);
        let (mut now, mut open, mut ended, mut gone) = (Line::default(), Vec::new(), false, None);
        for token in tokens {
            let word = token.text(text);
            if let Some(part) = cut(&token) {
                if gone != Some(part) && LEADS.contains(&now.last_word(text)) {
                    now.tokens.pop();
                }
                gone = Some(part);
                continue;
            }
            if token.kind == TokenKind::Newline || word == ";" {
                ended |= open.last() == Some(&"{") && (word == ";" || !words::leaves_open(now.last_word(text)));
                continue;
            }
            if ended && !words::GO_ON.contains(&word) || word == "}" {
                end_line(&mut now);
            }
            ended = false;
            now.tokens.push(token);
            match token.kind {
                TokenKind::Open => open.push(word),
                TokenKind::Close => drop(open.pop()),
                _ => {}
            }
            if word == "{" {
                end_line(&mut now);
            }
        }
        end_line(&mut now);
        lines
    }
}
