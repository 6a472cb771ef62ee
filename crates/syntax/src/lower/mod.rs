//! Lowers parser pairs to the syntax tree. An unexpected shape results in a diagnostic, never in a panic.

mod examples;
mod expressions;
mod items;
mod moves;
mod operators;
mod patterns;
mod phases;
mod statements;
mod throws;
mod vocabulary;

use super::grammar::Rule;
pub(super) use super::pairs::Pair;
use super::pairs::Pairs;
use super::tree::{ClauseRef, Name, Number, Unit};
use grognard_base::{Code, Diagnostic, FileId, Span};
pub use throws::AGAIN;
pub(super) use throws::Throws;

/// Result of lowering. The error is boxed to keep the `Ok` case small.
pub(super) type Low<T> = Result<T, Box<Diagnostic>>;

/// The context of lowering: the file, the parsed piece with its position, and its comments.
pub(super) struct Lower<'s> {
    pub file: FileId,
    /// Offset of the parsed piece in its file.
    pub base: usize,
    /// Text of the piece.
    pub text: &'s str,
    /// Spans of the comments of the file from this piece on, in order. Offsets are relative to the file.
    pub comments: &'s [Span],
    /// The rolls so far, if the piece is an expression with dice.
    pub throws: Option<Throws<'s>>,
}

/// An iterator over the children of a pair, with one child of lookahead.
pub(super) struct Kids<'i> {
    head: Option<Pair<'i>>,
    rest: Pairs<'i>,
    end: usize,
}

impl<'i> Kids<'i> {
    pub fn of(pair: Pair<'i>) -> Self {
        let end = pair.as_span().end();
        let mut rest = pair.into_inner();
        Kids { head: rest.next(), rest, end }
    }

    pub fn peek(&self) -> Option<Rule> {
        self.head.as_ref().map(Pair::as_rule)
    }

    pub fn next(&mut self) -> Option<Pair<'i>> {
        std::mem::replace(&mut self.head, self.rest.next())
    }

    /// Returns the next child if it has this rule.
    pub fn take(&mut self, rule: Rule) -> Option<Pair<'i>> {
        if self.peek() == Some(rule) { self.next() } else { None }
    }

    /// Skips the next child if it has this rule. Returns whether it did.
    pub fn skip(&mut self, rule: Rule) -> bool {
        self.take(rule).is_some()
    }
}

impl<'s> Lower<'s> {
    /// Creates the context for a piece without comments or dice in expressions.
    pub fn new(file: FileId, base: usize, text: &'s str) -> Self {
        Lower { file, base, text, comments: &[], throws: None }
    }
}

impl Lower<'_> {
    pub fn span_at(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + self.tight(start, end))
    }

    /// Returns the span of a pair, without trailing whitespace and comments that the parser included.
    pub fn span(&self, pair: &Pair) -> Span {
        let span = pair.as_span();
        self.span_at(span.start(), span.end())
    }

    fn tight(&self, start: usize, mut end: usize) -> usize {
        let text = self.text.as_bytes();
        loop {
            while end > start && text.get(end - 1).is_some_and(u8::is_ascii_whitespace) {
                end -= 1;
            }
            let here = (self.base + end) as u32;
            let at = self.comments.partition_point(|c| c.start < here);
            match at.checked_sub(1).and_then(|i| self.comments.get(i)) {
                Some(c) if c.end >= here && c.start as usize >= self.base + start => {
                    end = c.start as usize - self.base;
                }
                _ => return end,
            }
        }
    }

    /// Creates the diagnostic for a shape that the grammar should not produce.
    pub fn odd<T>(&self, start: usize, what: &str) -> Low<T> {
        let span = self.span_at(start, (start + 1).min(self.text.len()));
        Err(Box::new(
            Diagnostic::new(Code::Syntax, span, format!("{what} is missing here")).help("see the language reference"),
        ))
    }

    pub fn fail<T>(&self, code: Code, pair: &Pair, message: impl Into<String>) -> Low<T> {
        Err(Box::new(Diagnostic::new(code, self.span(pair), message)))
    }

    pub fn any<'i>(&self, kids: &mut Kids<'i>, what: &str) -> Low<Pair<'i>> {
        match kids.next() {
            Some(pair) => Ok(pair),
            None => self.odd(kids.end, what),
        }
    }

    pub fn want<'i>(&self, kids: &mut Kids<'i>, rule: Rule, what: &str) -> Low<Pair<'i>> {
        match kids.take(rule) {
            Some(pair) => Ok(pair),
            None => {
                let at = kids.head.as_ref().map_or(kids.end, |p| p.as_span().start());
                self.odd(at, what)
            }
        }
    }

    /// Returns the only child of a pair.
    pub fn inner<'i>(&self, pair: Pair<'i>, what: &str) -> Low<Pair<'i>> {
        let mut kids = Kids::of(pair);
        self.any(&mut kids, what)
    }

    pub fn name_of(&self, pair: &Pair) -> Name {
        let span = pair.as_span();
        Name {
            text: pair.as_str().to_string(),
            span: Span::new(self.file, self.base + span.start(), self.base + span.end()),
        }
    }

    /// Lowers the next child as a lowercase name.
    pub fn name(&self, kids: &mut Kids) -> Low<Name> {
        self.want(kids, Rule::name, "a name").map(|p| self.name_of(&p))
    }

    /// Lowers the next child as a capitalized name.
    pub fn tname(&self, kids: &mut Kids) -> Low<Name> {
        self.want(kids, Rule::tname, "a name with a capital").map(|p| self.name_of(&p))
    }

    pub fn opt_tname(&self, kids: &mut Kids) -> Option<Name> {
        kids.take(Rule::tname).map(|p| self.name_of(&p))
    }

    /// Lowers a quoted text. The text excludes the quotes; the span includes them.
    pub fn text_of(&self, pair: &Pair) -> Name {
        let mut name = self.name_of(pair);
        name.text = name.text.trim_matches('"').to_string();
        name
    }

    pub fn string(&self, kids: &mut Kids) -> Low<Name> {
        self.want(kids, Rule::string, "a text in quotes").map(|p| self.text_of(&p))
    }

    pub fn title(&self, kids: &mut Kids) -> Option<Name> {
        let pair = kids.take(Rule::title)?;
        pair.into_inner().next().map(|p| self.text_of(&p))
    }

    /// Lowers the clauses of a `cite` if it comes next.
    pub fn cite(&self, kids: &mut Kids) -> Vec<ClauseRef> {
        kids.take(Rule::cite).map_or(Vec::new(), |p| self.cites_in(p))
    }

    /// Returns all clauses cited in a pair.
    pub fn cited(&self, pair: &Pair) -> Vec<ClauseRef> {
        let inside = pair.clone().into_inner().flatten().filter(|p| p.as_rule() == Rule::cid);
        inside.map(|p| self.name_of(&p)).collect()
    }

    /// Returns the fields that tests in the pair borrow, as pairs of test and field.
    pub fn borrowed(&self, pair: &Pair) -> Vec<(Name, Name)> {
        let tests = pair.clone().into_inner().flatten().filter(|p| p.as_rule() == Rule::test_e);
        let mut found = Vec::new();
        for test in tests {
            let mut parts = test.into_inner().skip(1);
            let (Some(name), Some(with)) = (parts.next(), parts.find(|p| p.as_rule() == Rule::borrowed)) else {
                continue;
            };
            let figures = with.into_inner().filter(|p| p.as_rule() == Rule::name);
            found.extend(figures.map(|figure| (self.name_of(&name), self.name_of(&figure))));
        }
        found
    }

    fn cites_in(&self, pair: Pair) -> Vec<ClauseRef> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::cid).map(|p| self.name_of(&p)).collect()
    }

    /// Lowers the clauses of a cite line above if it comes next.
    pub fn above(&self, kids: &mut Kids) -> Option<Vec<ClauseRef>> {
        let pair = kids.take(Rule::above)?;
        Some(pair.into_inner().filter(|p| p.as_rule() == Rule::cite).flat_map(|p| self.cites_in(p)).collect())
    }

    /// Lowers a number to thousandths.
    pub fn number(&self, pair: &Pair) -> Low<Number> {
        let (digits, unit) = split_unit(pair.as_str());
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() > 9 || part.len() > 3 {
            let what = format!("`{digits}` has too many digits");
            return self.fail(Code::BadNumber, pair, what);
        }
        let read = |s: &str| s.bytes().fold(0i64, |n, b| n * 10 + i64::from(b.wrapping_sub(b'0') % 10));
        let scale = [1000, 100, 10, 1][part.len()];
        Ok(Number { thousandths: read(whole) * 1000 + read(part) * scale, unit })
    }

    /// Lowers `d6` or `3d6` to the count, the number of sides, and whether the count is omitted.
    pub fn dice(&self, pair: &Pair) -> Low<(u32, u32, bool)> {
        let (count, sides) = pair.as_str().split_once('d').unwrap_or(("", ""));
        let bare = count.is_empty();
        match (if bare { Ok(1) } else { count.parse() }, sides.parse()) {
            (Ok(count), Ok(sides)) => Ok((count, sides, bare)),
            _ => self.fail(Code::BadNumber, pair, format!("`{}` has too many dice", pair.as_str())),
        }
    }
}

fn split_unit(text: &str) -> (&str, Unit) {
    for (mark, unit) in [("\"", Unit::Inches), ("%", Unit::Percent), ("°", Unit::Degrees)] {
        if let Some(digits) = text.strip_suffix(mark) {
            return (digits, unit);
        }
    }
    (text, Unit::Plain)
}
