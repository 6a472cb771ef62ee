//! Reports to look at: one HTML file that needs no other, opens from disk, asks nothing of a network and runs no script.
//!
//! A command adds a report in two steps: `#[command(flatten)] page: super::page::File` among its arguments gives it
//! `--report FILE.html`, and `args.page.put(out, || finding)` writes a [`Finding`]; `args.page.ready()?` before long work
//! finds out that the file could not be written.
//!
//! Every number is a [`Number`]: the text that is told of it, where it is drawn, its interval, and [`How`] it was found,
//! which stands at it as a word or, in a heat map, a sign. Positions are whole millionths of the unit ([`millionths`]), so a
//! page is the same on every machine. Texts go in as they are; all are escaped here.
//!
//! No colour carries a meaning alone: series also differ by pattern, dash and mark, and every plot has its numbers as text.

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

/// What pages look like.
pub const STYLE: &str = include_str!("style.css");

/// How often each value comes, of one series or of several over each other.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// What it shows.
    pub caption: String,
    /// What the series are called. Two differ most clearly; past six, looks are used again.
    pub series: Vec<String>,
    /// What stands behind a value on the axis, such as `"` for inches.
    pub unit: String,
    /// The values. If each has a place, they are drawn as columns along an axis, else as rows.
    pub bars: Vec<Bar>,
    /// Means to be marked: of which series, and the mean.
    pub means: Vec<(usize, Number)>,
    /// What more is said of them, such as a deviation; may be empty.
    pub note: String,
}

/// A value of a distribution.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The value in words.
    pub label: String,
    /// Where it lies, in millionths, if it is a number.
    pub at: Option<i64>,
    /// How often it comes in each series, in percent.
    pub shares: Vec<Number>,
    /// How often this or less comes, and this or more; of values that have an order, in a distribution of one series.
    pub sums: Option<[Number; 2]>,
}

/// What has to be known to get the same again.
#[derive(Clone, Debug, Default)]
pub struct Receipt {
    /// Names with values, such as `seed` with `7`.
    pub facts: Vec<(String, String)>,
    /// The receipt itself, as another command reads it; may be empty. Its lines stay lines.
    pub text: String,
}

impl Finding {
    /// As a page: the whole of an HTML file.
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

/// An element whose text cannot turn round the writing of what stands beside it.
fn words(out: &mut Markup, tag: &'static str, text: &str) {
    out.begin(tag, &[]);
    out.content("bdi", &[], text);
    out.end();
}

/// What is said of one thing, and below it what says more.
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

/// Numbers as a table.
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

/// Begins a figure; the caller ends it.
fn figure(out: &mut Markup, class: &str, caption: &str) {
    out.begin("figure", &[("class", class.to_string())]);
    words(out, "figcaption", caption);
}

/// A table in a box that scrolls when it is wider than the screen. A column in which no row has anything is left out.
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

/// Begins a box that can be scrolled sideways, also with the keyboard.
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
