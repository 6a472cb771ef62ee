//! Clauses of a book, and the items that cite them.

use grognard_base::Span;

/// One clause of the register.
#[derive(Clone, Debug)]
pub struct Clause {
    /// `WA-14`, `WA-H1`.
    pub id: String,
    /// Heading in the book.
    pub section: String,
    /// What it says, in our words.
    pub says: String,
    /// Its status.
    pub status: ClauseStatus,
    /// How a hole without a reading was settled; maybe empty.
    pub decided: String,
    /// Where its id stands in the register.
    pub span: Span,
}

/// How a clause stands to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseStatus {
    /// Carried by rules.
    Modelled,
    /// Belongs to another chapter.
    External,
    /// Carries no rule.
    Commentary,
    /// A hole of the book.
    Hole,
}

impl ClauseStatus {
    /// As it is told.
    pub fn word(self) -> &'static str {
        match self {
            ClauseStatus::Modelled => "modelled",
            ClauseStatus::External => "external",
            ClauseStatus::Commentary => "commentary",
            ClauseStatus::Hole => "hole",
        }
    }
}

/// One place that cites a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// What cites it, as it is declared: `rule RattledByHits`, `stat Unit.ld`.
    pub item: String,
    /// Its title, maybe empty.
    pub title: String,
    /// Where its name stands; for a cite inside a body, where that stands.
    pub span: Span,
}
