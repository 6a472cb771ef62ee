//! Lines of a trace for people: indentation, columns, clauses at the right edge.

/// Columns a line may take.
pub(super) const WIDTH: usize = 100;

/// Where titles begin.
const TITLES: usize = 30;

/// Clauses that are shown of a line that has more.
const CLAUSES: usize = 4;

/// One line, or several if it is long.
pub(super) struct Line {
    pub(super) depth: u32,
    pub(super) mark: char,
    /// What it is about.
    pub(super) head: String,
    /// What there is to say.
    pub(super) body: String,
    pub(super) clauses: Vec<String>,
    pub(super) variant: String,
}

impl Line {
    /// A line without clauses.
    pub(super) fn new(depth: u32, mark: char, head: impl Into<String>, body: impl Into<String>) -> Line {
        Line { depth, mark, head: head.into(), body: body.into(), clauses: Vec::new(), variant: String::new() }
    }

    /// Writes it, wrapped between words.
    pub(super) fn write(&self, out: &mut String) {
        let edge = self.edge();
        let start = format!("{}{} {}", "  ".repeat(self.depth as usize), self.mark, self.head);
        let column = if self.body.is_empty() { 0 } else { self.column(length(&start)) };
        let mut line = format!("{start:column$}");
        let hang = column.clamp(2 * self.depth as usize + 4, WIDTH / 2);
        let room = WIDTH - if edge.is_empty() { 0 } else { length(&edge) + 2 };
        let mut first = true;
        for word in pieces(&self.body) {
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
        edge
    }

    /// Where the body begins, after a head that ends at `end`.
    fn column(&self, end: usize) -> usize {
        let indent = 2 * self.depth as usize + 2;
        let wanted = match self.mark {
            '>' | '<' => TITLES,
            '+' | '-' => indent + 20,
            _ => indent + 12,
        };
        wanted.max(end + 2)
    }
}

/// `[WA-01 WA-02]`, at most four; nothing for none.
pub(super) fn clauses(all: &[String]) -> String {
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
