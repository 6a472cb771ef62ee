//! The formatter of TOML files: scenarios, project files and registers.
//!
//! It keeps the lines, comments, texts and numbers of the author, and sets spaces, indentation, blank lines and commas.

use super::document::entries;
use grognard_base::{Code, Diagnostic, FileId};
use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, parse_document};

/// The gap between a value and its comment, unless the author put the comment further to the right.
const GAP: usize = 2;

/// Returns a TOML text in canonical layout. Formatting is idempotent and keeps the value and the comments.
///
/// # Errors
///
/// Returns an error if the text is not valid TOML.
pub fn format(file: FileId, text: &str) -> Result<String, Diagnostic> {
    entries(file, text)
        .map_err(|(span, why)| Diagnostic::new(Code::ScenarioForm, span, format!("the file is {why}")))?;
    let mut events: Vec<Event> = Vec::new();
    let mut collect = |event: Event| events.push(event);
    parse_document(&Source::new(text).lex().into_vec(), &mut collect, &mut ());
    let newline = events.iter().find(|event| event.kind() == EventKind::Newline);
    let end = newline.and_then(|event| text.get(event.span().start()..event.span().end())).unwrap_or("\n");
    let mut writer = Writer { text, end, wide: wide(&events), ..Writer::default() };
    events.iter().enumerate().for_each(|(at, event)| writer.take(at, event));
    Ok(writer.finish())
}

/// Returns for each event whether it opens an array or inline table over several lines.
fn wide(events: &[Event]) -> Vec<bool> {
    struct Level {
        open: usize,
        filled: bool,
        broken: bool,
    }
    let mut wide = vec![false; events.len()];
    let mut levels: Vec<Level> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let kind = event.kind();
        if is_close(kind) {
            let level = levels.pop();
            level.filter(|level| level.filled && level.broken).iter().for_each(|level| wide[level.open] = true);
        } else if let Some(level) = levels.last_mut() {
            level.broken |= kind == EventKind::Newline;
            level.filled |= !matches!(kind, EventKind::Newline | EventKind::Whitespace);
        }
        if is_open(kind) {
            levels.push(Level { open: at, filled: false, broken: false });
        }
    }
    wide
}

/// Returns whether an array or inline table begins.
fn is_open(kind: EventKind) -> bool {
    matches!(kind, EventKind::ArrayOpen | EventKind::InlineTableOpen)
}

/// Returns whether an array or inline table ends.
fn is_close(kind: EventKind) -> bool {
    matches!(kind, EventKind::ArrayClose | EventKind::InlineTableClose)
}

/// An array or inline table around the current event.
struct Container {
    wide: bool,
    table: bool,
    filled: bool,
}

#[derive(Default)]
struct Writer<'t> {
    text: &'t str,
    /// The line end of the file.
    end: &'t str,
    wide: Vec<bool>,
    out: String,
    containers: Vec<Container>,
    /// Number of line ends since the last part.
    newlines: usize,
    /// Whether the next part continues a key, a header or an entry.
    joined: bool,
    /// Start of the comment lines directly above the current line.
    comments: Option<usize>,
}

impl Writer<'_> {
    fn take(&mut self, at: usize, event: &Event) {
        let part = self.text.get(event.span().start()..event.span().end()).unwrap_or_default();
        match event.kind() {
            // the writer sets commas and spaces itself
            EventKind::Whitespace | EventKind::ValueSep | EventKind::Error => {}
            EventKind::Newline => self.newlines += 1,
            EventKind::Comment => self.comment(part, event.span().start()),
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.header();
                self.join(part);
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.out.push_str(part);
                self.joined = false;
            }
            EventKind::KeySep => self.join(part),
            EventKind::KeyValSep => self.join(" = "),
            EventKind::SimpleKey => {
                self.begin();
                self.out.push_str(part);
            }
            EventKind::Scalar => {
                self.begin();
                self.out.push_str(part);
                self.after_value();
            }
            EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                self.begin();
                self.out.push_str(part);
                let table = event.kind() == EventKind::InlineTableOpen;
                self.containers.push(Container { wide: self.wide[at], table, filled: false });
                self.newlines = 0;
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                let inner = self.containers.pop();
                match inner {
                    Some(inner) if inner.wide => self.line(1),
                    Some(inner) if inner.table && inner.filled => self.out.push(' '),
                    _ => {}
                }
                self.newlines = 0;
                self.out.push_str(part);
                self.after_value();
            }
        }
    }

    /// Writes a part that the next part follows directly.
    fn join(&mut self, part: &str) {
        self.out.push_str(part);
        self.joined = true;
    }

    /// Starts a new line, after at most one blank line, with the indentation of the containers.
    fn line(&mut self, newlines: usize) {
        for _ in 0..newlines.min(2) {
            self.out.push_str(self.end);
        }
        let depth = self.containers.iter().filter(|container| container.wide).count();
        self.out.extend(std::iter::repeat_n("  ", depth));
        self.newlines = 0;
    }

    /// Separates a key, a value or a comment on its own line from the part before it.
    fn begin(&mut self) {
        if std::mem::take(&mut self.joined) {
            return;
        }
        let Some(container) = self.containers.last_mut() else {
            let newlines = if self.out.is_empty() { 0 } else { self.newlines };
            self.comments = None;
            return self.line(newlines);
        };
        let first = !std::mem::replace(&mut container.filled, true);
        match container {
            Container { wide: true, .. } if first => self.line(1),
            Container { wide: true, .. } if self.newlines > 0 => self.line(self.newlines),
            Container { table: false, .. } if first => {}
            Container { wide: false, .. } if !first => self.out.push_str(", "),
            _ => self.out.push(' '),
        }
    }

    /// Ends a value. In a container over several lines, every entry has a comma.
    fn after_value(&mut self) {
        self.joined = false;
        if self.containers.last().is_some_and(|container| container.wide) {
            self.out.push(',');
        }
    }

    /// Starts the line of a table header: after one blank line, which is above the comments of the header.
    fn header(&mut self) {
        let above = self.comments.take().filter(|_| self.newlines == 1);
        let start = above.unwrap_or(self.out.len());
        let blank = format!("{0}{0}", self.end);
        if above.is_some() && start > 0 && !self.out[..start].ends_with(&blank) {
            self.out.insert_str(start, self.end);
        }
        let newlines = if self.out.is_empty() { 0 } else { 2 };
        self.line(if above.is_some() { 1 } else { newlines });
    }

    fn comment(&mut self, part: &str, start: usize) {
        let (mark, said) = part.trim_end_matches([' ', '\t']).split_at(1);
        // a second sign makes `#!`, `##` or the `#:schema` of editors
        let space = if said.is_empty() || said.starts_with([' ', '\t', '#', '!', ':']) { "" } else { " " };
        if self.newlines > 0 || self.out.is_empty() {
            let above = self.comments.filter(|_| self.newlines == 1);
            self.begin();
            if self.containers.is_empty() {
                self.comments = above.or(Some(self.out.len()));
            }
        } else {
            let gap = self.gap(start);
            self.out.extend(std::iter::repeat_n(' ', gap));
        }
        self.out.extend([mark, space, said]);
    }

    /// Returns the number of spaces before a comment that is not on its own line. A comment that the author set apart keeps its column.
    fn gap(&self, start: usize) -> usize {
        fn last_line(text: &str) -> &str {
            text.rfind('\n').map_or(text, |newline| &text[newline + 1..])
        }
        let line = last_line(self.text.get(..start).unwrap_or_default()).trim_start_matches('\u{feff}');
        let (column, code) = (line.chars().count(), line.trim_end_matches([' ', '\t']).chars().count());
        let written = last_line(&self.out).chars().count();
        let apart = column > code.max(written) + GAP;
        if apart { column - written } else { GAP }
    }

    fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push_str(self.end);
        }
        if self.text.starts_with('\u{feff}') {
            self.out.insert(0, '\u{feff}');
        }
        self.out
    }
}
