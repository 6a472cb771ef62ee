//! Source texts and locations in them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Id of a source text: an index into [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u16);

/// A range of bytes in one source text.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span of the bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clip(start), end: clip(end) }
    }

    /// Returns the smallest span that covers both. If `other` is in another file, returns `self`.
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

/// Line and column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A source text with its name and a table of line starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Name such as `warstrike/core.rules`; never an absolute path.
    pub name: String,
    /// Name that messages show: the path relative to the working directory, if one exists.
    pub shown: String,
    /// Contents.
    pub text: String,
    lines: Vec<u32>,
    offset: usize,
    /// For a text merged from others: the start of each piece, and the original span of that piece.
    pieces: Vec<(u32, Span)>,
    /// Location of the code that caused the merge.
    by: Option<Span>,
}

impl Source {
    /// Creates a source and computes its line starts.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let name = name.into();
        Source { shown: name.clone(), name, text, lines, offset: 0, pieces: Vec::new(), by: None }
    }

    /// Sets the name that messages show.
    pub fn shown_as(mut self, shown: String) -> Self {
        self.shown = shown;
        self
    }

    /// Marks the text as part of a larger one. Findings in it are reported `offset` bytes later.
    pub fn starting_at(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Marks the text as merged by the code at `by`. Each piece is a start offset and an original span.
    pub fn made_of(mut self, by: Span, pieces: Vec<(u32, Span)>) -> Self {
        self.pieces = pieces;
        self.by = Some(by);
        self
    }

    /// Returns the offset of the text in its file; 0 for a whole file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns line and column of a byte offset. An offset after the end returns the end.
    pub fn place(&self, offset: u32) -> Place {
        let offset = offset.min(self.text.len() as u32);
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line] as usize;
        let head = self.text.get(start..offset as usize).unwrap_or("");
        Place { line: line + 1, column: head.chars().count() + 1 }
    }

    /// Returns line `n` (from 1) without its line ending, or an empty string if it does not exist.
    pub fn line(&self, n: usize) -> &str {
        let Some(&start) = self.lines.get(n.wrapping_sub(1)) else { return "" };
        let end = self.lines.get(n).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// All source texts of a run, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<Source>>,
}

impl Sources {
    /// Adds a text and returns its id.
    pub fn add(&mut self, source: Source) -> FileId {
        self.files.push(Arc::new(source));
        FileId((self.files.len() - 1) as u16)
    }

    /// Replaces a text. An unknown id changes nothing.
    pub fn replace(&mut self, file: FileId, source: Source) {
        if let Some(old) = self.files.get_mut(file.0 as usize) {
            *old = Arc::new(source);
        }
    }

    /// Returns the text with this id, or `None` if the id is unknown.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize).map(Arc::as_ref)
    }

    /// Returns the text of a span; empty if the span is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Maps a span of a merged text to its original file. Other spans do not change. A span that continues into another
    /// piece is cut at the end of its first piece.
    pub fn origin(&self, mut span: Span) -> Span {
        while let Some(source) = self.get(span.file).filter(|s| !s.pieces.is_empty()) {
            let at = source.pieces.partition_point(|(start, _)| *start <= span.start).max(1) - 1;
            let (start, origin) = source.pieces[at];
            let place = |offset: u32| (origin.start + offset.saturating_sub(start)).min(origin.end);
            span = Span { file: origin.file, start: place(span.start), end: place(span.end) };
        }
        span
    }

    /// Returns the file that determines the contents of a text: the text itself, or the file that merged it.
    pub fn author(&self, file: FileId) -> FileId {
        self.changed_at(file).map_or(file, |at| at.file)
    }

    /// Returns the location of the code that merged the text, or `None` for an original text.
    pub fn changed_at(&self, file: FileId) -> Option<Span> {
        self.get(file).and_then(|s| s.by)
    }

    /// Returns all texts with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(i, s)| (FileId(i as u16), s.as_ref()))
    }
}
