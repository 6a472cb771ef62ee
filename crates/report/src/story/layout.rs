//! Layout of a story: who acts at the left, changes in a column, marks and clauses at the right edge.

use super::{LineSort, StoryLine};
use grognard_base::safe::clean;
use textwrap::{Options, WordSplitter, wrap};

/// Maximum width of a line, in columns.
pub(super) const WIDTH: usize = 100;

/// Maximum width of the names at the left. A longer name pushes its line to the right.
pub(super) const NAMES: usize = 16;

/// Column at which changes begin, if the text before them is shorter.
const CHANGES: usize = 56;

/// Maximum number of clauses on a line.
const CLAUSES: usize = 2;

/// Returns the text of each line. A name is printed where it differs from the name of the line before.
pub(super) fn texts(lines: &[StoryLine]) -> Vec<String> {
    let names = lines.iter().map(|l| length(&l.who)).filter(|n| *n <= NAMES).max().unwrap_or(0);
    let mut all = Vec::new();
    let mut last = "";
    for line in lines {
        let mut out = String::new();
        match line.sort {
            LineSort::Plain => out += &format!("{}\n", line.text),
            LineSort::Heading => {
                let options = Options::new(WIDTH).subsequent_indent("    ").word_splitter(WordSplitter::NoHyphenation);
                for part in wrap(&clean(&line.text), options.break_words(false)) {
                    out += &format!("{part}\n");
                }
            }
            LineSort::Event => {
                let who = if line.who == last { "" } else { &line.who };
                event(line, who, names, &mut out);
            }
        }
        last = if line.sort == LineSort::Event { &line.who } else { "" };
        all.push(out);
    }
    all
}

/// Writes an event, wrapped between words.
fn event(line: &StoryLine, who: &str, names: usize, out: &mut String) {
    let start = if names == 0 { "  ".to_string() } else { format!("  {who:names$}  ") };
    let hang = " ".repeat(names + if names == 0 { 4 } else { 6 });
    let body = clean(&body(line, length(&start)));
    let edge = clean(&edge(line));
    let room = WIDTH.saturating_sub(if edge.is_empty() { 0 } else { length(&edge) + 2 });
    let mut rest = body.as_str();
    let mut first = String::new();
    // the first line leaves room for the edge, and the others do not
    let options = |width| Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    let width = room.saturating_sub(length(&start)).max(20);
    if length(rest) > width {
        let head = wrap(rest, options(width)).first().map_or(0, |l| l.len());
        let (line, more) = rest.split_at_checked(head).unwrap_or((rest, ""));
        first.push_str(line);
        rest = more.trim_start();
    } else {
        first.push_str(rest);
        rest = "";
    }
    let mut head = start + &first;
    head.truncate(head.trim_end().len());
    if !edge.is_empty() {
        let gap = WIDTH.saturating_sub(length(&head) + length(&edge)).max(2);
        head += &" ".repeat(gap);
        head += &edge;
    }
    out.push_str(&head);
    out.push('\n');
    if !rest.is_empty() {
        for more in wrap(rest, options(WIDTH - length(&hang))) {
            out.push_str(&format!("{hang}{more}\n"));
        }
    }
}

/// Returns the text and the changes, in their column if they fit.
fn body(line: &StoryLine, start: usize) -> String {
    let changes = line.changes.join("; ");
    let text = match line.times {
        0 => line.text.clone(),
        again => format!("{} times: {}", again + 1, line.text),
    };
    if changes.is_empty() {
        return text;
    }
    if text.is_empty() {
        return changes;
    }
    let gap = CHANGES.saturating_sub(start + length(&text)).max(2);
    let fits = start + length(&text) + gap + length(&changes) + 2 + length(&edge(line)) <= WIDTH;
    let gap = if fits { gap } else { 2 };
    format!("{text}{}{changes}", " ".repeat(gap))
}

/// Returns the marks and the clauses.
pub(super) fn edge(line: &StoryLine) -> String {
    let shown = line.clauses.iter().take(CLAUSES).map(|c| c.as_str()).collect::<Vec<_>>().join(" ");
    let more = if line.clauses.len() > CLAUSES { " .." } else { "" };
    let marks = format!("{}{}", if line.stand_in { "~" } else { "" }, if line.reading { "!" } else { "" });
    format!("{marks} {shown}{more}").trim().to_string()
}

/// Returns the number of columns that a line takes if it is not wrapped, with names of at most `names` columns.
pub(super) fn columns(line: &StoryLine, names: usize) -> usize {
    let changes: usize = line.changes.iter().map(|c| length(c) + 2).sum();
    names.max(length(&line.who)) + 4 + length(&line.text) + changes + length(&edge(line)) + 2
}

/// Returns the number of characters.
fn length(text: &str) -> usize {
    text.chars().count()
}
