//! Source texts and places in them.

use std::fmt;
use std::sync::Arc;

/// Which text a span points into: an index into [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u16);

/// A stretch of bytes in one source text.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clip(start), end: clip(end) }
    }

    /// The smallest span that covers both; `other` must be of the same file, else `self` is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// Line and column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

/// One text: its name as the user gave it, its content, and a table of line starts made once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name, such as `warstrike/core.rules`; never an absolute path.
    pub name: String,
    /// The name that messages show: the path from where the user stands, if there is one.
    pub shown: String,
    /// The whole text.
    pub text: String,
    lines: Vec<u32>,
    offset: usize,
    /// For a text put together out of others: where each piece of it begins, and where that piece stands.
    pieces: Vec<(u32, Span)>,
    /// Where that is said.
    by: Option<Span>,
}

impl Source {
    /// Takes in a text and notes where its lines start.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let name = name.into();
        Source { shown: name.clone(), name, text, lines, offset: 0, pieces: Vec::new(), by: None }
    }

    /// The same text, shown under another name.
    pub fn shown_as(mut self, shown: String) -> Self {
        self.shown = shown;
        self
    }

    /// The same text as a part of a larger one: what is found in it is said to stand `offset` bytes further on.
    pub fn starting_at(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// The same text as put together by what stands at `by`, out of pieces that begin at these bytes and stand at these
    /// places.
    pub fn made_of(mut self, by: Span, pieces: Vec<(u32, Span)>) -> Self {
        self.pieces = pieces;
        self.by = Some(by);
        self
    }

    /// Where the text begins in the file it is a part of; 0 for a whole file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Line and column of a byte offset; offsets past the end give the end.
    pub fn place(&self, offset: u32) -> Place {
        let offset = offset.min(self.text.len() as u32);
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line] as usize;
        let head = self.text.get(start..offset as usize).unwrap_or("");
        Place { line: line + 1, column: head.chars().count() + 1 }
    }

    /// The text of line `n` (from 1), without its line end.
    pub fn line(&self, n: usize) -> &str {
        let Some(&start) = self.lines.get(n.wrapping_sub(1)) else { return "" };
        let end = self.lines.get(n).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// All texts of one run, in the order they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<Source>>,
}

impl Sources {
    /// Adds a text and gives its id.
    pub fn add(&mut self, source: Source) -> FileId {
        self.files.push(Arc::new(source));
        FileId((self.files.len() - 1) as u16)
    }

    /// Puts another text in the place of one; an unknown id changes nothing.
    pub fn replace(&mut self, file: FileId, source: Source) {
        if let Some(old) = self.files.get_mut(file.0 as usize) {
            *old = Arc::new(source);
        }
    }

    /// The text of an id; an unknown id gives nothing.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize).map(Arc::as_ref)
    }

    /// The text under a span; empty when the span is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Where a place of a text that was put together stands in a file; other places stay as they are. A place that goes on
    /// into another piece ends with its own.
    pub fn origin(&self, mut span: Span) -> Span {
        while let Some(source) = self.get(span.file).filter(|s| !s.pieces.is_empty()) {
            let at = source.pieces.partition_point(|(start, _)| *start <= span.start).max(1) - 1;
            let (start, origin) = source.pieces[at];
            let place = |offset: u32| (origin.start + offset.saturating_sub(start)).min(origin.end);
            span = Span { file: origin.file, start: place(span.start), end: place(span.end) };
        }
        span
    }

    /// The file that says what stands in a text: itself, or the one that put it together.
    pub fn author(&self, file: FileId) -> FileId {
        self.changed_at(file).map_or(file, |at| at.file)
    }

    /// Where it is said that a text is put together as it is.
    pub fn changed_at(&self, file: FileId) -> Option<Span> {
        self.get(file).and_then(|s| s.by)
    }

    /// All texts with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(i, s)| (FileId(i as u16), s.as_ref()))
    }
}
