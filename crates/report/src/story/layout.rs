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

/// The space inside a chance, where a line is not broken.
const FIRM: char = '\u{a0}';

/// Maximum number of clauses on a line.
const CLAUSES: usize = 2;

/// The parts of a line that have a color.
#[derive(Clone, Copy)]
enum Part {
    Heading,
    Name,
    Mark,
    Margin,
    Refused,
}

/// Colors the parts of a line, or leaves them as they are.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn part(self, part: Part, text: &str) -> String {
        let code = match part {
            Part::Heading => "1",
            Part::Name => "36",
            Part::Mark => "33",
            Part::Margin | Part::Refused => "2",
        };
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }
}

/// Returns the text of each line, with colors for a terminal or not. A name is printed where it differs from the name of the line
/// before.
pub(super) fn texts(lines: &[StoryLine], colored: bool) -> Vec<String> {
    let paint = Paint(colored);
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
                    out += &format!("{}\n", paint.part(Part::Heading, &part));
                }
            }
            LineSort::Event => {
                let who = if line.who == last { "" } else { &line.who };
                event(line, who, names, paint, &mut out);
                out = out.replace(FIRM, " ");
            }
        }
        last = if line.sort == LineSort::Event { &line.who } else { "" };
        all.push(out);
    }
    all
}

/// Writes an event, wrapped between words.
fn event(line: &StoryLine, who: &str, names: usize, paint: Paint, out: &mut String) {
    let start = if names == 0 { "  ".to_string() } else { format!("  {who:names$}  ") };
    let hang = " ".repeat(names + if names == 0 { 4 } else { 6 });
    let body = clean(&body(line, length(&start))).replace(" %", &format!("{FIRM}%"));
    let (marks, clauses) = edge(line);
    let clauses = clean(&clauses);
    let edge = format!("{marks} {clauses}").trim().to_string();
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
    let gap = if edge.is_empty() { 0 } else { WIDTH.saturating_sub(length(&head) + length(&edge)).max(2) };
    let named = head.strip_prefix("  ").and_then(|head| head.strip_prefix(who));
    match named {
        Some(rest) => *out += &format!("  {}{rest}", paint.part(Part::Name, who)),
        None => *out += &head,
    }
    let between = if marks.is_empty() || clauses.is_empty() { "" } else { " " };
    let edge = [&paint.part(Part::Mark, &marks), between, &paint.part(Part::Margin, &clauses)].concat();
    *out += &format!("{}{edge}\n", " ".repeat(gap));
    if !rest.is_empty() {
        for more in wrap(rest, options(WIDTH - length(&hang))) {
            out.push_str(&format!("{hang}{more}\n"));
        }
    }
    for refused in &line.refused {
        let below = format!("{hang}  ");
        for (n, part) in wrap(&clean(refused), options(WIDTH - length(&below))).iter().enumerate() {
            let indent = if n == 0 { &hang } else { &below };
            *out += &format!("{indent}{}\n", paint.part(Part::Refused, part));
        }
    }
}

/// Returns the text and the changes, in their column if they fit.
fn body(line: &StoryLine, start: usize) -> String {
    let changes = line.changes.join("; ");
    let text = repeated(line, line.text.clone());
    if changes.is_empty() {
        return text;
    }
    if text.is_empty() {
        return changes;
    }
    let gap = CHANGES.saturating_sub(start + length(&text)).max(2);
    let fits = start + length(&text) + gap + length(&changes) + 2 + margin(line) <= WIDTH;
    let gap = if fits { gap } else { 2 };
    format!("{text}{}{changes}", " ".repeat(gap))
}

/// Returns a text after the number of times that its line happened.
pub(super) fn repeated(line: &StoryLine, text: String) -> String {
    match line.times {
        0 => text,
        again => format!("{} times: {text}", again + 1),
    }
}

/// Returns the marks and the clauses of the margin.
fn edge(line: &StoryLine) -> (String, String) {
    let shown = line.clauses.iter().take(CLAUSES).map(|c| c.as_str()).collect::<Vec<_>>().join(" ");
    let more = if line.clauses.len() > CLAUSES { " .." } else { "" };
    let marks = format!("{}{}", if line.stand_in { "~" } else { "" }, if line.reading { "!" } else { "" });
    (marks, format!("{shown}{more}"))
}

/// Returns the number of columns of the margin.
fn margin(line: &StoryLine) -> usize {
    let (marks, clauses) = edge(line);
    length(format!("{marks} {clauses}").trim())
}

/// Returns the number of columns that a line takes if it is not wrapped, with names of at most `names` columns.
pub(super) fn columns(line: &StoryLine, names: usize) -> usize {
    let changes: usize = line.changes.iter().map(|c| length(c) + 2).sum();
    names.max(length(&line.who)) + 4 + length(&line.text) + changes + margin(line) + 2
}

/// Returns the number of characters.
fn length(text: &str) -> usize {
    text.chars().count()
}
