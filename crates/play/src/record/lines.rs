//! Lines of a human-readable trace: indentation, columns, and clauses at the right edge. This module also makes their
//! text safe for a terminal.

use grognard_base::safe::clean;
use grognard_base::value::plain::ShortText;

/// Maximum width of a line, in columns.
pub(super) const WIDTH: usize = 100;

/// Column at which titles begin.
const TITLES: usize = 30;

/// Maximum indentation, in levels. Deeper lines print their depth instead.
const LEVELS: u32 = 20;

/// Maximum number of clauses printed on a line.
const CLAUSES: usize = 4;

/// One entry of a trace. A long entry wraps to several lines.
pub(super) struct TraceLine {
    pub(super) depth: u32,
    pub(super) mark: char,
    /// Subject of the line.
    pub(super) head: String,
    /// Text of the line.
    pub(super) body: String,
    pub(super) clauses: Vec<ShortText>,
    pub(super) variant: ShortText,
}

impl TraceLine {
    /// Creates a line without clauses.
    pub(super) fn new(depth: u32, mark: char, head: impl Into<String>, body: impl Into<String>) -> TraceLine {
        TraceLine {
            depth,
            mark,
            head: head.into(),
            body: body.into(),
            clauses: Vec::new(),
            variant: ShortText::default(),
        }
    }

    /// Writes the line, wrapped between words.
    pub(super) fn write(&self, out: &mut String) {
        let edge = self.edge();
        let indent = indent(self.depth);
        let start = format!("{indent}{} {}", self.mark, abbreviated(clean(&self.head)));
        let column = if self.body.is_empty() { 0 } else { self.column(length(&indent), length(&start)) };
        // a width of `format!` is at most 65,535, and a list of many dice is longer
        let mut line = start.clone() + &" ".repeat(column.saturating_sub(length(&start)));
        let hang = column.min(WIDTH / 2).max(length(&indent) + 4);
        let room = WIDTH.saturating_sub(if edge.is_empty() { 0 } else { length(&edge) + 2 });
        let mut first = true;
        for word in pieces(&abbreviated(clean(&self.body))) {
            let most = if first { room } else { WIDTH };
            let fresh = length(&line) <= column.max(hang) && line.ends_with(' ');
            if length(&line) + length(word.trim_end()) > most && !fresh {
                finish(out, &line, if first { &edge } else { "" });
                first = false;
                line = " ".repeat(hang);
            }
            line.push_str(word);
        }
        finish(out, &line, if first { &edge } else { "" });
    }

    /// Returns the text at the right edge: clauses and variant.
    fn edge(&self) -> String {
        let mut edge = clauses(&self.clauses);
        if !self.variant.is_empty() {
            if !edge.is_empty() {
                edge.push(' ');
            }
            edge += &format!("({})", self.variant);
        }
        clean(&edge)
    }

    /// Returns the column at which the body begins, after a head that ends at column `end`.
    fn column(&self, indent: usize, end: usize) -> usize {
        let indent = indent + 2;
        let wanted = match self.mark {
            '>' | '<' => TITLES,
            '+' | '-' => indent + 20,
            _ => indent + 12,
        };
        wanted.max(end + 2)
    }
}

/// Number of entries shown of a list with more than [`LONG_LIST`] entries.
const SHOWN: usize = 10;

/// Maximum number of entries of a list that is shown in full.
const LONG_LIST: usize = 60;

fn abbreviated(text: String) -> String {
    if text.matches(", ").nth(LONG_LIST).is_none() {
        return text;
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('[') {
        let (before, list) = rest.split_at(open + 1);
        out += before;
        let end = list.find(['[', ']']).unwrap_or(list.len());
        let (inside, after) = list.split_at(end);
        let entries = inside.split(", ").count();
        if entries > LONG_LIST && after.starts_with(']') {
            let first: Vec<&str> = inside.split(", ").take(SHOWN).collect();
            out += &format!("{}, .. {} more", first.join(", "), entries - SHOWN);
        } else {
            out += inside;
        }
        rest = after;
    }
    out + rest
}

/// Returns the indentation of a line: two spaces per level, and the depth as a number beyond [`LEVELS`].
pub(super) fn indent(depth: u32) -> String {
    let blanks = "  ".repeat(depth.min(LEVELS) as usize);
    if depth > LEVELS { format!("{blanks}({depth}) ") } else { blanks }
}

/// Formats clauses: `[WA-01 WA-02]`, at most four; empty for an empty list.
pub(super) fn clauses(all: &[ShortText]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let more = if all.len() > CLAUSES { " .." } else { "" };
    format!("[{}{more}]", all[..all.len().min(CLAUSES)].join(" "))
}

/// Splits a text into words, each with the spaces after it.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

/// Returns the number of characters.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Appends a line with the text at its right edge.
fn finish(out: &mut String, line: &str, edge: &str) {
    let line = line.trim_end();
    out.push_str(line);
    if !edge.is_empty() {
        let gap = WIDTH.saturating_sub(length(line) + length(edge)).max(2);
        out.push_str(&" ".repeat(gap));
        out.push_str(edge);
    }
    out.push('\n');
}
