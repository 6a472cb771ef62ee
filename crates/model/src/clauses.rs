//! Clauses of a rulebook, and the items that cite them.

use grognard_base::Span;

/// A clause in the clause register.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Identifier, such as `WA-14` or `WA-H1`.
    pub id: String,
    /// Heading in the rulebook.
    pub section: String,
    /// Paraphrase of the clause.
    pub says: String,
    pub status: ClauseStatus,
    /// How a hole without a reading was settled. May be empty.
    pub decided: String,
    /// Position of the id in the register.
    pub span: Span,
}

/// Relation of a clause to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseStatus {
    /// Implemented by rules.
    Modelled,
    /// Belongs to another chapter.
    External,
    /// Contains no rule.
    Commentary,
    /// The rulebook leaves the case open.
    Hole,
}

impl ClauseStatus {
    /// Returns the word that the output uses for the status.
    pub fn word(self) -> &'static str {
        match self {
            ClauseStatus::Modelled => "modelled",
            ClauseStatus::External => "external",
            ClauseStatus::Commentary => "commentary",
            ClauseStatus::Hole => "hole",
        }
    }
}

/// An item or statement that cites a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Keyword and name of the citing item: `rule RattledByHits`, `stat Unit.ld`.
    pub item: String,
    /// Title of the item. May be empty.
    pub title: String,
    /// Position of the item's name, or of the `cite` for one inside a body.
    pub span: Span,
}
