//! Lines of a trace for people: indentation, columns, clauses at the right edge. What they say is made safe for a terminal
//! here.

use grognard_base::safe::clean;
use grognard_base::value::plain::ShortText;

/// Columns a line may take.
pub(super) const WIDTH: usize = 100;

/// Where titles begin.
const TITLES: usize = 30;

/// Levels that are told by indentation; deeper lines stand there and say how deep they are.
const LEVELS: u32 = 20;

/// Clauses that are shown of a line that has more.
const CLAUSES: usize = 4;

/// One line, or several if it is long.
pub(super) struct TraceLine {
    pub(super) depth: u32,
    pub(super) mark: char,
    /// What it is about.
    pub(super) head: String,
    /// What there is to say.
    pub(super) body: String,
    pub(super) clauses: Vec<ShortText>,
    pub(super) variant: ShortText,
}

impl TraceLine {
    /// A line without clauses.
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

    /// Writes it, wrapped between words.
    pub(super) fn write(&self, out: &mut String) {
        let edge = self.edge();
        let indent = indent(self.depth);
        let start = format!("{indent}{} {}", self.mark, abbreviated(clean(&self.head)));
        let column = if self.body.is_empty() { 0 } else { self.column(length(&indent), length(&start)) };
        // a width of `format!` may not pass 65,535, and a list of many dice is longer
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

    /// Clauses and variant as they stand at the right.
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

    /// Where the body begins, after an indentation and a head that ends at `end`.
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

/// Entries of a list that are shown of one that has more than [`LONG_LIST`].
const SHOWN: usize = 10;

/// Entries up to which a list is shown whole.
const LONG_LIST: usize = 60;

/// The text with long lists cut: `[6, 6, 1, .. 9,990 more]`.
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

/// What stands in front of a line: two blanks a level, and how deep it is where there are too many.
pub(super) fn indent(depth: u32) -> String {
    let blanks = "  ".repeat(depth.min(LEVELS) as usize);
    if depth > LEVELS { format!("{blanks}({depth}) ") } else { blanks }
}

/// `[WA-01 WA-02]`, at most four; nothing for none.
pub(super) fn clauses(all: &[ShortText]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let more = if all.len() > CLAUSES { " .." } else { "" };
    format!("[{}{more}]", all[..all.len().min(CLAUSES)].join(" "))
}

/// Words with the blanks behind them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

/// Characters, not bytes.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Puts a line out, with what stands at its right edge.
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
