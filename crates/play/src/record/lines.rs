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
pub(super) struct TraceLine<'e> {
    pub(super) depth: u32,
    pub(super) mark: char,
    /// Subject of the line.
    pub(super) head: String,
    /// Text of the line.
    pub(super) body: String,
    pub(super) clauses: &'e [ShortText],
    pub(super) variant: &'e str,
}

impl TraceLine<'_> {
    /// Creates a line without clauses.
    pub(super) fn new(depth: u32, mark: char, head: impl Into<String>, body: impl Into<String>) -> Self {
        TraceLine { depth, mark, head: head.into(), body: body.into(), clauses: &[], variant: "" }
    }

    /// Writes the line, wrapped between words.
    pub(super) fn write(&self, out: &mut String) {
        let mut edge = self.edge();
        let mut from = out.len();
        indent(out, self.depth);
        let indent = out.len() - from;
        out.push(self.mark);
        out.push(' ');
        out.push_str(&abbreviated(clean(&self.head)));
        let body = abbreviated(clean(&self.body));
        let start = length(&out[from..]);
        let column = if body.is_empty() { 0 } else { self.column(indent, start) };
        pad(out, column.saturating_sub(start));
        let hang = column.min(WIDTH / 2).max(indent + 4);
        let mut room = WIDTH.saturating_sub(if edge.is_empty() { 0 } else { length(&edge) + 2 });
        // columns of the line so far
        let mut at = start.max(column);
        if at + length(body.trim_end()) <= room {
            out.push_str(&body);
            return finish(out, from, &edge);
        }
        for word in body.split_inclusive(' ') {
            let fresh = at <= column.max(hang) && out.ends_with(' ');
            if at + length(word.trim_end()) > room && !fresh {
                finish(out, from, &edge);
                edge.clear();
                (room, from, at) = (WIDTH, out.len(), hang);
                pad(out, hang);
            }
            out.push_str(word);
            at += length(word);
        }
        finish(out, from, &edge);
    }

    /// Returns the text at the right edge: clauses and variant.
    fn edge(&self) -> String {
        let clauses = clauses(self.clauses);
        match (self.variant, clauses.is_empty()) {
            ("", _) => clean(&clauses),
            (variant, true) => clean(&format!("({variant})")),
            (variant, false) => clean(&format!("{clauses} ({variant})")),
        }
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
    if text.len() < 2 * LONG_LIST || text.matches(", ").nth(LONG_LIST).is_none() {
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

/// Writes the indentation of a line: two spaces per level, and the depth as a number beyond [`LEVELS`].
pub(super) fn indent(out: &mut String, depth: u32) {
    pad(out, 2 * depth.min(LEVELS) as usize);
    if depth > LEVELS {
        out.push_str(&format!("({depth}) "));
    }
}

fn pad(out: &mut String, columns: usize) {
    out.extend(std::iter::repeat_n(' ', columns));
}

/// Formats clauses: `[WA-01 WA-02]`, at most four; empty for an empty list.
pub(super) fn clauses(all: &[ShortText]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let more = if all.len() > CLAUSES { " .." } else { "" };
    format!("[{}{more}]", all[..all.len().min(CLAUSES)].join(" "))
}

/// Returns the number of characters.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Ends the line that begins at byte `from`, with a text at its right edge.
fn finish(out: &mut String, from: usize, edge: &str) {
    out.truncate(from + out[from..].trim_end().len());
    if !edge.is_empty() {
        pad(out, WIDTH.saturating_sub(length(&out[from..]) + length(edge)).max(2));
        out.push_str(edge);
    }
    out.push('\n');
}
