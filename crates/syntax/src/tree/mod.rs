//! The syntax tree of a rules file, with spans, before name resolution.
//!
//! Operators of equal precedence form a flat list, so the depth of the tree is bounded by the brackets of the text.

#![allow(missing_docs)] // fields are named after the parts of the form

mod expressions;
mod happenings;
mod moves;
mod statements;
mod vocabulary;

pub use expressions::*;
pub use happenings::*;
pub use moves::*;
pub use statements::*;
pub use vocabulary::*;

use grognard_base::{FileId, Span};
use std::sync::Arc;

/// A capitalized or lowercase name with its span.
#[derive(Default, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// The content of a quoted text: a title or a reason.
pub type Text = Name;

/// A clause id such as `WA-14` or `WA-H1`.
pub type ClauseRef = Name;

/// A rules file.
#[derive(Clone, Debug)]
pub struct File {
    pub file: FileId,
    /// The first item. `None` if it does not parse.
    pub header: Option<Header>,
    /// The items that parse, in file order.
    pub items: Vec<Arc<Item>>,
    /// Spans of the items that do not parse.
    pub faulty: Vec<Span>,
}

/// `ruleset path ...` or `variant path of path ...`.
#[derive(Clone, Debug)]
pub struct Header {
    /// Whether it is a `variant`.
    pub variant: bool,
    /// Folder and file, such as `warstrike/core`.
    pub path: Name,
    /// Path of the ruleset that it extends or varies.
    pub base: Option<Name>,
    pub version: Option<Text>,
    /// Span of the whole line.
    pub span: Span,
}

/// An item of a file.
#[derive(Clone, Debug)]
pub struct Item {
    /// Clauses cited above the item, or at the end of a data item.
    pub cites: Vec<ClauseRef>,
    /// All clauses cited in the item, including those of its rows and statements.
    pub cited: Vec<ClauseRef>,
    /// Fields that tests borrow in the item, as pairs of test and field.
    pub borrowed: Vec<(Name, Name)>,
    /// Whether it is an `override ...`.
    pub overrides: bool,
    /// Whether it is declared as `stand-in`, or its section is: it is not a rule of the book.
    pub stand_in: bool,
    pub kind: ItemKind,
    /// Span of the whole item, without the cite line above.
    pub span: Span,
}

/// The declaration of an item. `open` and `extern` are flags of the declaration that they precede.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `section "..."`: a heading without effect on the rules.
    Section(Text),
    /// `WA-14 (hole) ...`: a paragraph of the book. The items below it, up to the next paragraph or section, cite it.
    Clause(Paragraph),
    /// `param name = 6" sweep ...`.
    Param(Param),
    /// `reading name = A or B because "..." default because "..."`.
    Reading(Reading),
    /// `override reading name = A because "..."`.
    SetReading { name: Name, value: Expr, because: Option<Text> },
    /// `override table[key, key] = value`. The value `none` is [`ExprKind::None`].
    SetCell { table: Name, keys: Vec<Expr>, value: Expr },
    /// `enum E { A < B }`.
    Enum(Enum),
    /// `chain Quality = d4 < d6`.
    Chain { name: Name, title: Option<Text>, dice: Vec<(u32, Span)> },
    /// `die Average of 2..5 = 2, 3, 3`.
    Die { name: Name, of: TypeExpr, title: Option<Text>, sides: Vec<DieSide> },
    /// `kind Unit group of models { ... }`.
    Kind(Kind),
    /// `extend kind Unit { ... }`.
    ExtendKind { name: Name, members: Vec<Member> },
    /// A top-level `state`.
    State(Slot),
    /// `tally throws "Dice thrown"`.
    Tally { name: Name, title: Option<Text> },
    /// `record Shot(...)`.
    Record { name: Name, fields: Vec<Formal>, title: Option<Text> },
    /// `event E(...)` or `extern event E(...)`.
    Event { name: Name, fields: Vec<Formal>, title: Option<Text>, external: bool },
    /// `let name(..) = ..`, `let Kind.name = ..`, `open let` or `extern let`.
    Let(Let),
    /// `table name(key: K): T { ... }`.
    Table(Table),
    /// `trait`, `status` or `condition`.
    Trait(Trait),
    /// `test` or `extern test`.
    Test(Test),
    /// `proc`, `open proc` or `extern proc`.
    Proc(Proc),
    /// `phase` or `open phase`.
    Phase(Phase),
    /// `action`.
    Action(Action),
    /// A top-level `rule`.
    Rule(Rule),
    /// `law L = cond`.
    Law { name: Name, title: Option<Text>, holds: Expr },
    /// `policy P { ... }`.
    Policy { name: Name, title: Option<Text>, entries: Vec<PolicyEntry> },
    /// `example "..." ...`.
    Example(Arc<Example>),
    /// `change rule X { ... }`: a patch to the text of an item below.
    Change(Change),
    /// `remove rule X` or `remove example "..."`.
    Remove { what: RemoveWhat, name: Name },
}

/// A paragraph of the book: a clause.
#[derive(Clone, Debug)]
pub struct Paragraph {
    pub id: ClauseRef,
    /// The word in brackets after the id.
    pub status: Option<Name>,
    /// The decision about a hole, in the same brackets.
    pub decided: Option<Text>,
    /// The sentences, on one line.
    pub says: Text,
}

/// A patch to an item below.
#[derive(Clone, Debug)]
pub struct Change {
    /// The keyword of the item.
    pub what: Name,
    /// The kind of `let Kind.name`.
    pub of: Option<Name>,
    pub name: Name,
    /// The reading and its answer, if the change is an exception under it.
    pub under: Option<(Name, Text)>,
    pub lines: Vec<ChangeLine>,
}

/// A line of a `change`, without its sign.
#[derive(Clone, Debug)]
pub struct ChangeLine {
    pub sort: ChangeSort,
    pub text: Text,
}

/// The effect of a line in a `change`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeSort {
    /// No sign: a context line, which locates the next one.
    Stays,
    /// `-`: the line is removed.
    Goes,
    /// `+`: the line is added.
    Comes,
}

/// The kind of item that `remove` deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveWhat {
    Action,
    Rule,
    Law,
    Policy,
    Example,
}
