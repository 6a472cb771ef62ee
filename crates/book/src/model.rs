//! The model of a book: the rulebook, the reference with its chapters and articles, and the register.

use super::player::Manual;
use super::sheet::Sheet;
use super::words::Words;

/// A complete book.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The title, such as `Warstrike: leadership`.
    pub name: String,
    /// The version of the book, and the books that it extends.
    pub about: Vec<String>,
    /// The changes that it makes to the book that it extends.
    pub changes: Vec<Words>,
    /// The paths and versions of its files, the base first.
    pub files: Vec<(String, String)>,
    /// The chapters, in order.
    pub chapters: Vec<Chapter>,
    pub clauses: Vec<Entry>,
    /// The index of names.
    pub names: Vec<Named>,
    /// The rulebook of a player, if the ruleset has paragraphs.
    pub manual: Option<Manual>,
    /// The reference sheet.
    pub sheet: Sheet,
}

/// An entry of the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// The sort key: the name in lower case.
    pub key: String,
    /// The name as written.
    pub name: String,
    /// The form of the item, such as `procedure`.
    pub word: String,
    /// The title of the item.
    pub title: String,
    /// The link to the explanation.
    pub href: String,
}

/// A clause of the register.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The ID of the clause, such as `WA-14`.
    pub id: String,
    /// The heading in the printed book.
    pub section: String,
    /// The content of the clause.
    pub says: String,
    /// The status: `modelled`, `external`, `commentary` or `hole`.
    pub status: &'static str,
    /// The decision about a hole.
    pub decided: String,
    /// The link to its text.
    pub href: String,
    /// The names and links of the items that cite the clause.
    pub cited: Vec<(String, String)>,
}

/// A chapter: a section of a file.
#[derive(Clone, Debug, Default)]
pub struct Chapter {
    /// The file of its page.
    pub page: String,
    /// The title of the chapter.
    pub title: String,
    /// Index of its file in the files of the book.
    pub from: usize,
    /// The articles, in order.
    pub articles: Vec<Article>,
}

/// An item, or several items in one article.
#[derive(Clone, Debug, Default)]
pub struct Article {
    /// The anchor on the page.
    pub id: String,
    /// The form of the item, such as `action` or `test`.
    pub word: String,
    /// The name of the item as text. Empty for an article about several items.
    pub heading: String,
    /// The title of the item.
    pub title: String,
    /// The tables, and the odds.
    pub grids: Vec<Grid>,
    /// IDs of the cited clauses.
    pub cites: Vec<String>,
    /// The rules text.
    pub source: Words,
    /// The changes by files above: the path of each file, with the old and new parts.
    pub changed: Vec<(String, Vec<Words>)>,
    /// The titles and texts of the examples that follow the item.
    pub examples: Vec<(String, String)>,
}

/// A table of cells.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The caption. Can be empty.
    pub caption: String,
    /// The column heads. Can be empty.
    pub heads: Vec<Words>,
    /// The rows. Each has an anchor, which is empty if no link leads to it. The first cell is the row head.
    pub rows: Vec<(String, Vec<Words>)>,
    /// Whether the cells are centered, for numbers.
    pub numbers: bool,
}
