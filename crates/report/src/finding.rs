//! The one model of a result. A report is a function from a result to a [`Finding`]: sentences, numbers and plots in the
//! order in which they are told, facts, and rows of a tidy table. Four renderers show it: [`Finding::text`] for people,
//! [`Finding::json`] and [`Finding::csv`] for programs, [`Finding::html`] as a page.
//!
//! ```text
//! let mut found = Finding::new("what the shelf holds");
//! found.say(format!("{} books", books.len()));
//! found.fact("books", json!(names));
//! found.add(Table::new("Books", &["book", "clauses"], rows));
//! ```
//!
//! A command shows it with `out.finding(form, &found)` and `args.page.put(out, || found)`.

mod text;

use super::page::{Curve, Heat, Histogram, IntervalRow, Intervals, Number, Receipt};
use super::table::{self, Row};
use serde_json::{Value, json};

/// Lines of running text are broken at so many columns.
pub(super) const WIDTH: usize = 100;

/// A result, however it is shown.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// What a page is called.
    pub title: String,
    pub(super) blocks: Vec<Block>,
    /// The JSON object.
    pub facts: Row,
    /// What the columns of the table are called.
    pub columns: Vec<String>,
    /// The rows of the table.
    pub rows: Vec<Row>,
}

/// A part of what is told to people.
#[derive(Clone, Debug)]
pub enum Block {
    /// Begins a section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A paragraph that must not be overlooked.
    Note(String),
    /// What is said of one thing in a line, and lines that say more.
    Item(String, Vec<String>),
    /// Names under a heading.
    List(String, Vec<String>),
    /// Numbers, a line for each.
    Numbers(Vec<IntervalRow>),
    /// A table.
    Table(Table),
    /// How often each value comes.
    Histogram(Histogram),
    /// Numbers with their intervals on one scale.
    Intervals(Intervals),
    /// A number that depends on another; on pages alone.
    Curve(Curve),
    /// A number that depends on two others; on pages alone.
    Heat(Heat),
    /// What has to be known to get the same again; on pages alone.
    Receipt(Receipt),
    /// For pages alone: what the text says in another way.
    Drawn(Box<Block>),
    /// For the text alone: what a page shows in another way.
    Words(Box<Block>),
}

/// A table. Rows are as long as its heads.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// What the columns are called.
    pub heads: Vec<String>,
    /// The rows; the first cell of each names it.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with rows.
    pub fn new(caption: &str, heads: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> Table {
        let heads = heads.iter().map(|head| (*head).to_string()).collect();
        Table { caption: caption.into(), heads, rows: rows.into_iter().collect() }
    }
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number.
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
    /// A result of which nothing is told yet.
    pub fn new(title: impl Into<String>) -> Finding {
        Finding { title: title.into(), ..Finding::default() }
    }

    /// Adds a part below the others.
    pub fn add(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Begins a section.
    pub fn head(&mut self, text: impl Into<String>) {
        self.add(Block::Heading(text.into()));
    }

    /// A sentence.
    pub fn say(&mut self, text: impl Into<String>) {
        self.add(Block::Text(text.into()));
    }

    /// A sentence that must not be overlooked.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.add(Block::Note(text.into()));
    }

    /// What is said of one thing, and lines that say more.
    pub fn item(&mut self, head: impl Into<String>, lines: Vec<String>) {
        self.add(Block::Item(head.into(), lines));
    }

    /// A chance, on one scale with those before it.
    pub fn chance(&mut self, chance: IntervalRow) {
        match self.blocks.last_mut() {
            Some(Block::Intervals(before)) if before.span.is_some() => before.rows.push(chance),
            _ => self.add(Intervals::chances(vec![chance])),
        }
    }

    /// A number, below those before it.
    pub fn number(&mut self, number: IntervalRow) {
        match self.blocks.last_mut() {
            Some(Block::Numbers(before)) => before.push(number),
            _ => self.add(Block::Numbers(vec![number])),
        }
    }

    /// Names under a heading; nothing, if there are none.
    pub fn list(&mut self, head: impl Into<String>, names: Vec<String>) {
        if !names.is_empty() {
            self.add(Block::List(head.into(), names));
        }
    }

    /// Shows something on pages alone.
    pub fn draw(&mut self, block: impl Into<Block>) {
        self.add(Block::Drawn(Box::new(block.into())));
    }

    /// Tells something in the text alone.
    pub fn words(&mut self, block: impl Into<Block>) {
        self.add(Block::Words(Box::new(block.into())));
    }

    /// What programs are told under a name.
    pub fn fact(&mut self, name: &str, value: Value) {
        self.facts.insert(name.into(), value);
    }

    /// What programs are told under several names.
    pub fn all_facts(&mut self, object: Value) {
        self.facts.append(&mut table::row(object));
    }

    /// What is told to people of another result, and its rows.
    pub fn append(&mut self, other: Finding) {
        self.blocks.extend(other.blocks);
        if !other.rows.is_empty() {
            self.columns = other.columns;
        }
        self.rows.extend(other.rows);
    }

    /// What stands in every row of the table.
    pub fn everywhere(&mut self, head: Value) {
        let head = table::row(head);
        for row in &mut self.rows {
            head.iter().for_each(|(name, value)| drop(row.insert(name.clone(), value.clone())));
        }
    }

    /// What must not be overlooked.
    pub fn notes(&self) -> Vec<&str> {
        let mut notes = Vec::new();
        for block in &self.blocks {
            if let Block::Note(text) = block {
                notes.push(text.as_str());
            }
        }
        notes
    }

    /// For people.
    pub fn text(&self) -> String {
        text::render(&self.blocks)
    }

    /// As a JSON object.
    pub fn json(&self) -> Value {
        Value::Object(self.facts.clone())
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        table::csv(&self.columns, &self.rows)
    }
}

/// Results of one command: each is an entry of a list under `name`.
pub fn listed(title: impl Into<String>, schema: u32, name: &str, parts: Vec<Finding>) -> Finding {
    let mut all = Finding::new(title);
    all.fact("schema", json!(schema));
    all.fact(name, parts.iter().map(Finding::json).collect());
    parts.into_iter().for_each(|part| all.append(part));
    all
}
