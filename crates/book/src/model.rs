//! What a book is made of: chapters, the items in them as prose, the register.

use super::words::{Step, Words};

/// A whole book.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// What it is called: `Warstrike: leadership`.
    pub name: String,
    /// What it stands on, and what it is.
    pub about: Vec<String>,
    /// What it changes of what it stands on.
    pub changes: Vec<Words>,
    /// Its files, the base first: path and version.
    pub files: Vec<(String, String)>,
    /// Its chapters in order.
    pub chapters: Vec<Chapter>,
    /// The register.
    pub clauses: Vec<Entry>,
    /// Every name: how it is sorted, what it is called, what it is, and where.
    pub names: Vec<Named>,
}

/// A name of the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// In small letters.
    pub key: String,
    /// As it is written.
    pub name: String,
    /// The word it is declared with.
    pub word: String,
    /// Its title.
    pub title: String,
    /// Where it is explained.
    pub href: String,
}

/// A clause of the register.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `WA-14`.
    pub id: String,
    /// Its heading in the printed book.
    pub section: String,
    /// What it says.
    pub says: String,
    /// `modelled`, `external`, `commentary` or `hole`.
    pub status: &'static str,
    /// How a hole was settled.
    pub decided: String,
    /// What cites it: name and place.
    pub cited: Vec<(String, String)>,
}

/// A chapter: a section of a file.
#[derive(Clone, Debug, Default)]
pub struct Chapter {
    /// The file of its page.
    pub page: String,
    /// Its title.
    pub title: String,
    /// Which file of the book it comes from.
    pub from: usize,
    /// What stands in it.
    pub articles: Vec<Article>,
}

/// An item, or several that are told together.
#[derive(Clone, Debug, Default)]
pub struct Article {
    /// Its place on the page.
    pub id: String,
    /// What it is: `action`, `test`.
    pub word: String,
    /// Its name in words; empty for several items together.
    pub heading: String,
    /// Its title.
    pub title: String,
    /// What it says.
    pub parts: Vec<Part>,
    /// Clauses it cites.
    pub cites: Vec<String>,
    /// The rules text.
    pub source: String,
    /// What a file above changed of it: who did, and what it was before.
    pub changed: Vec<(String, Vec<Words>)>,
    /// Examples that stand behind it: title and text.
    pub examples: Vec<(String, String)>,
}

/// A part of an article.
#[derive(Clone, Debug)]
pub enum Part {
    /// A sentence.
    Text(Words),
    /// A procedure: numbered, or a list.
    Steps(bool, Vec<Step>),
    /// A table.
    Grid(Grid),
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// What it shows; maybe empty.
    pub caption: String,
    /// Heads of the columns; maybe none.
    pub heads: Vec<Words>,
    /// Rows, each with its place on the page if something leads there; the first cell of a row is its head.
    pub rows: Vec<(String, Vec<Words>)>,
    /// Numbers are set in the middle.
    pub numbers: bool,
}
