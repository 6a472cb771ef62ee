//! The common model of a result. A report is a function from a result to a [`Finding`]: sentences, numbers and plots in display
//! order, machine-readable facts, and the rows of a tidy table. Four renderers show a finding: [`Finding::text`] as
//! human-readable text, [`Finding::json`] and [`Finding::csv`] as machine-readable data, and [`Finding::html`] as a page.
//!
//! ```text
//! let mut found = Finding::new("Books on the shelf");
//! found.say(format!("{} books", books.len()));
//! found.fact("books", json!(names));
//! found.add(Table::new("Books", &["book", "clauses"], rows));
//! ```
//!
//! A command prints it with `out.finding(form, &found)` and `args.page.put(out, || found)`.

mod text;

pub(super) use text::MOST_LINES;

use super::page::{Curve, Heat, Histogram, IntervalRow, Intervals, Number, Receipt};
use super::table::{self, Row};
use serde_json::{Value, json};

/// Maximum width of lines of running text, in characters.
pub(super) const WIDTH: usize = 100;

/// A result, independent of its output format.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The title of the page.
    pub title: String,
    pub(super) blocks: Vec<Block>,
    /// The JSON object.
    pub facts: Row,
    /// The column names of the table.
    pub columns: Vec<String>,
    /// The rows of the table.
    pub rows: Vec<Row>,
}

/// A part of the human-readable output.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading that begins a section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A highlighted paragraph, for warnings.
    Note(String),
    /// A statement about one thing, and lines with details.
    Item(String, Vec<String>),
    /// A heading and a list of names.
    List(String, Vec<String>),
    /// Numbers, one on each line.
    Numbers(Vec<IntervalRow>),
    Table(Table),
    Histogram(Histogram),
    /// Numbers with their intervals on one scale.
    Intervals(Intervals),
    /// A function of one variable. Shown only on pages.
    Curve(Curve),
    /// A function of two variables. Shown only on pages.
    Heat(Heat),
    /// The data needed to reproduce the result. Shown only on pages.
    Receipt(Receipt),
    /// A block that is shown only on pages, because the text shows the same in another form.
    Drawn(Box<Block>),
    /// A block that is shown only in text, because a page shows the same in another form.
    Words(Box<Block>),
}

/// A table.
///
/// Invariant: each row has as many cells as there are heads.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub caption: String,
    /// The column names.
    pub heads: Vec<String>,
    /// The rows. The first cell of each row names it.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Creates a table from its rows.
    pub fn new(caption: &str, heads: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> Table {
        let heads = heads.iter().map(|head| (*head).to_string()).collect();
        Table { caption: caption.into(), heads, rows: rows.into_iter().collect() }
    }
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    Number(Number),
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::Text(text.into())
    }
}

macro_rules! blocks {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Block {
            fn from(block: $kind) -> Block {
                Block::$kind(block)
            }
        })*
    };
}

blocks!(Table, Histogram, Intervals, Curve, Heat, Receipt);

impl Finding {
    /// Creates a finding with a title and no content.
    pub fn new(title: impl Into<String>) -> Finding {
        Finding { title: title.into(), ..Finding::default() }
    }

    /// Appends a block below the existing ones.
    pub fn add(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Appends a heading, which begins a section.
    pub fn head(&mut self, text: impl Into<String>) {
        self.add(Block::Heading(text.into()));
    }

    /// Appends a paragraph below the existing blocks.
    pub fn say(&mut self, text: impl Into<String>) {
        self.add(Block::Text(text.into()));
    }

    /// Appends a highlighted paragraph, for warnings.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.add(Block::Note(text.into()));
    }

    /// Appends a statement about one thing, and lines with details.
    pub fn item(&mut self, head: impl Into<String>, lines: Vec<String>) {
        self.add(Block::Item(head.into(), lines));
    }

    /// Appends a probability. Consecutive probabilities share one scale.
    pub fn chance(&mut self, chance: IntervalRow) {
        match self.blocks.last_mut() {
            Some(Block::Intervals(before)) if before.span.is_some() => before.rows.push(chance),
            _ => self.add(Intervals::chances(vec![chance])),
        }
    }

    /// Appends a number. Consecutive numbers share one block.
    pub fn number(&mut self, number: IntervalRow) {
        match self.blocks.last_mut() {
            Some(Block::Numbers(before)) => before.push(number),
            _ => self.add(Block::Numbers(vec![number])),
        }
    }

    /// Appends a heading and a list of names. Does nothing if there are no names.
    pub fn list(&mut self, head: impl Into<String>, names: Vec<String>) {
        if !names.is_empty() {
            self.add(Block::List(head.into(), names));
        }
    }

    /// Appends a block that is shown only on pages.
    pub fn draw(&mut self, block: impl Into<Block>) {
        self.add(Block::Drawn(Box::new(block.into())));
    }

    /// Appends a block that is shown only in text.
    pub fn words(&mut self, block: impl Into<Block>) {
        self.add(Block::Words(Box::new(block.into())));
    }

    /// Sets one field of the JSON object.
    pub fn fact(&mut self, name: &str, value: Value) {
        self.facts.insert(name.into(), value);
    }

    /// Sets all fields of `object` in the JSON object.
    pub fn all_facts(&mut self, object: Value) {
        self.facts.append(&mut table::row(object));
    }

    /// Sets the table to a list of JSON objects, with the given fields as columns.
    pub(super) fn list_rows(&mut self, columns: &[&str], list: &Value) {
        self.columns = table::columns(&[columns]);
        self.rows = table::list_rows(columns, list);
    }

    /// Appends the blocks and the table rows of another finding. The JSON fields of `other` are dropped.
    pub fn append(&mut self, other: Finding) {
        self.blocks.extend(other.blocks);
        if !other.rows.is_empty() {
            self.columns = other.columns;
        }
        self.rows.extend(other.rows);
    }

    /// Sets the fields of `head` in every row of the table.
    pub fn everywhere(&mut self, head: Value) {
        let head = table::row(head);
        for row in &mut self.rows {
            head.iter().for_each(|(name, value)| drop(row.insert(name.clone(), value.clone())));
        }
    }

    /// Returns the highlighted paragraphs, in display order.
    pub fn notes(&self) -> Vec<&str> {
        let mut notes = Vec::new();
        for block in &self.blocks {
            if let Block::Note(text) = block {
                notes.push(text.as_str());
            }
        }
        notes
    }

    /// Renders the finding as human-readable text.
    pub fn text(&self) -> String {
        text::render(&self.blocks)
    }

    /// Returns the finding as a JSON object.
    pub fn json(&self) -> Value {
        Value::Object(self.facts.clone())
    }

    /// Renders the table as CSV.
    pub fn csv(&self) -> String {
        table::csv(&self.columns, &self.rows)
    }
}

/// Combines the results of one command into a finding whose JSON lists them under `name`.
pub fn listed(title: impl Into<String>, schema: u32, name: &str, parts: Vec<Finding>) -> Finding {
    let mut all = Finding::new(title);
    all.fact("schema", json!(schema));
    all.fact(name, parts.iter().map(Finding::json).collect());
    parts.into_iter().for_each(|part| all.append(part));
    all
}
