//! Renders reports as pages: one self-contained HTML file that makes no network requests and runs no script.
//!
//! A command adds a report in two steps. `#[command(flatten)] page: super::page::File` among its arguments adds the option
//! `--report FILE.html`, and `args.page.put(out, || finding)` writes a [`Finding`]. Before a long computation,
//! `args.page.ready()?` checks that the file can be written.
//!
//! Every number is a [`Number`]: its text, its position, its interval, and the method [`How`] it was found. The method is shown
//! as a word or, in a heat map, as a sign. Positions are whole millionths of the unit ([`millionths`]), so a page is identical on
//! every machine. All text is escaped here.
//!
//! Color is never the only distinction: series also differ by pattern, dash and mark, and every plot has its numbers as text.

mod columns;
mod curve;
mod heat;
mod intervals;
#[doc(hidden)]
pub mod number;
mod plot;
mod rows;

pub use curve::{Curve, CurvePoint, Series};
pub use heat::Heat;
pub use intervals::{IntervalRow, Intervals, Zero};
pub use number::{How, MILLION, Number, millionths, ratio};

pub use super::finding::{Block, Cell, Finding, Table};

use super::markup::Markup;

/// The style sheet of pages.
pub const STYLE: &str = include_str!("style.css");

/// A distribution of one series, or of several series in one plot.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    pub caption: String,
    /// The names of the series. Two series are the easiest to distinguish. After six, the styles repeat.
    pub series: Vec<String>,
    /// The unit of the values on the axis, such as `"` for inches.
    pub unit: String,
    /// The values. If each value has a position, they are drawn as columns along an axis, and otherwise as rows.
    pub bars: Vec<Bar>,
    /// The means to mark, each with the index of its series.
    pub means: Vec<(usize, Number)>,
    /// A note, such as the standard deviation. Can be empty.
    pub note: String,
}

/// A value of a distribution.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The value as text.
    pub label: String,
    /// The position in millionths, or `None` if the value is not a number.
    pub at: Option<i64>,
    /// The share of the value in each series, in percent.
    pub shares: Vec<Number>,
    /// The cumulative shares: at most this value, and at least this value. Only for ordered values in a distribution of one
    /// series.
    pub sums: Option<[Number; 2]>,
}

/// The data needed to reproduce a result.
#[derive(Clone, Debug, Default)]
pub struct Receipt {
    /// Names with values, such as `seed` with `7`.
    pub facts: Vec<(String, String)>,
    /// The receipt in the format that `grognard` can rerun, with its line breaks. Can be empty.
    pub text: String,
}

impl Finding {
    /// Renders the finding as a complete HTML file.
    pub fn html(&self) -> String {
        let mut out = Markup::page(&self.title, STYLE);
        plot::definitions(&mut out);
        out.begin("main", &[]);
        words(&mut out, "h1", &self.title);
        for block in &self.blocks {
            draw(&mut out, block);
        }
        format!("<!DOCTYPE html>\n{}", out.finish())
    }
}

fn draw(out: &mut Markup, block: &Block) {
    match block {
        Block::Heading(text) => words(out, "h2", text),
        Block::Text(text) => words(out, "p", text),
        Block::Note(text) => {
            out.begin("p", &[("class", "note".into())]);
            out.content("bdi", &[], text);
            out.end();
        }
        Block::Item(head, lines) => item(out, head, lines),
        Block::List(head, names) => words(out, "p", &format!("{head}: {}.", names.join(", "))),
        Block::Numbers(rows) => numbers(out, rows),
        Block::Drawn(block) => draw(out, block),
        Block::Words(_) => {}
        Block::Table(t) => table(out, t),
        Block::Histogram(d) => {
            let numbers = d.bars.iter().all(|b| b.at.is_some()) && d.bars.len() > 1;
            if numbers { columns::draw(out, d) } else { rows::draw(out, d) }
        }
        Block::Intervals(i) => intervals::draw(out, i),
        Block::Curve(c) => curve::draw(out, c),
        Block::Heat(h) => heat::draw(out, h),
        Block::Receipt(r) => receipt(out, r),
    }
}

/// Writes an element whose text is isolated from the text direction around it.
fn words(out: &mut Markup, tag: &'static str, text: &str) {
    out.begin(tag, &[]);
    out.content("bdi", &[], text);
    out.end();
}

/// Writes a statement, and the lines with its details.
fn item(out: &mut Markup, head: &str, lines: &[String]) {
    out.begin("section", &[("class", "item".into())]);
    words(out, "p", head);
    if !lines.is_empty() {
        out.begin("ul", &[]);
        lines.iter().for_each(|line| words(out, "li", line));
        out.end();
    }
    out.end();
}

/// Writes numbers as a table.
fn numbers(out: &mut Markup, rows: &[IntervalRow]) {
    let cells = |row: &IntervalRow| {
        let said = [row.verdict.as_str(), row.note.as_str()]
            .iter()
            .filter(|word| !word.is_empty())
            .copied()
            .collect::<Vec<&str>>();
        vec![row.label.as_str().into(), Cell::Number(row.number.clone()), said.join(", ").into()]
    };
    table(out, &Table::new("", &["", "number", ""], rows.iter().map(cells)));
}

/// Begins a `figure` element. The caller ends it.
fn figure(out: &mut Markup, class: &str, caption: &str) {
    out.begin("figure", &[("class", class.to_string())]);
    words(out, "figcaption", caption);
}

/// Writes a table in a box that scrolls if it is wider than the screen. Columns without any content are omitted.
fn table(out: &mut Markup, table: &Table) {
    let says = |row: &[Cell], n: usize| match row.get(n) {
        Some(Cell::Text(text)) => !text.is_empty(),
        cell => cell.is_some(),
    };
    let shown = |n: &usize| table.rows.is_empty() || table.rows.iter().any(|row| says(row, *n));
    let columns: Vec<usize> = (0..table.heads.len()).filter(shown).collect();
    scroller(out, &table.caption);
    out.begin("table", &[]);
    if !table.caption.is_empty() {
        words(out, "caption", &table.caption);
    }
    out.begin("thead", &[]);
    out.begin("tr", &[]);
    for head in columns.iter().filter_map(|n| table.heads.get(*n)) {
        out.begin("th", &[("scope", "col".into())]);
        out.content("bdi", &[], head);
        out.end();
    }
    out.end();
    out.end();
    out.begin("tbody", &[]);
    for row in &table.rows {
        out.begin("tr", &[]);
        for (n, cell) in columns.iter().filter_map(|n| Some((*n, row.get(*n)?))) {
            match cell {
                Cell::Text(text) if n == 0 => {
                    out.begin("th", &[("scope", "row".into())]);
                    out.content("bdi", &[], text);
                    out.end();
                }
                Cell::Text(text) => words(out, "td", text),
                Cell::Number(number) => {
                    out.begin("td", &[("class", "number".into())]);
                    number.tell(out);
                    out.end();
                }
            }
        }
        out.end();
    }
    out.end();
    out.end();
    out.end();
}

/// Begins a box that scrolls horizontally, also with the keyboard.
fn scroller(out: &mut Markup, name: &str) {
    let name = if name.is_empty() { "table" } else { name };
    let attributes =
        [("class", "scroll".into()), ("tabindex", "0".into()), ("role", "region".into()), ("aria-label", name.into())];
    out.begin("div", &attributes);
}

fn receipt(out: &mut Markup, receipt: &Receipt) {
    out.begin("section", &[("class", "receipt".into())]);
    words(out, "h2", "Receipt");
    out.begin("dl", &[]);
    for (name, value) in &receipt.facts {
        words(out, "dt", name);
        words(out, "dd", value);
    }
    out.end();
    if !receipt.text.is_empty() {
        scroller(out, "receipt");
        out.lines("pre", &[], &receipt.text);
        out.end();
    }
    out.end();
}
