//! The tree of a rules file: what was written, with its places, before anybody asks what it means.
//!
//! Chains of operators of one strength are lists, so the tree is never deeper than the brackets of the text.

#![allow(missing_docs)] // fields are called after the parts of the form

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

/// A name, a capital or a small one, with its place.
#[derive(Default, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A quoted text: a title or a reason, without its quotes.
pub type Text = Name;

/// A clause id such as `WA-14` or `WA-H1`.
pub type ClauseRef = Name;

/// One rules file.
#[derive(Clone, Debug)]
pub struct File {
    /// Which text.
    pub file: FileId,
    /// The first item; none if it could not be read.
    pub header: Option<Header>,
    /// The items that could be read, in file order.
    pub items: Vec<Arc<Item>>,
    /// Where the items stand that could not be read.
    pub faulty: Vec<Span>,
}

/// `ruleset path ...` or `variant path of path ...`.
#[derive(Clone, Debug)]
pub struct Header {
    /// True for `variant`.
    pub variant: bool,
    /// Folder and file, such as `warstrike/core`.
    pub path: Name,
    /// What is extended or varied.
    pub base: Option<Name>,
    /// The version text.
    pub version: Option<Text>,
    /// The whole line.
    pub span: Span,
}

/// One item of a file.
#[derive(Clone, Debug)]
pub struct Item {
    /// Clauses cited: above the item, or at the end of a data item.
    pub cites: Vec<ClauseRef>,
    /// All clauses cited in it, those of its rows and statements too.
    pub cited: Vec<ClauseRef>,
    /// Figures that a test borrows somewhere in it, each behind the name of the test.
    pub borrowed: Vec<(Name, Name)>,
    /// True for `override ...`.
    pub overrides: bool,
    /// What it declares.
    pub kind: ItemKind,
    /// The whole item, without the cite line above.
    pub span: Span,
}

/// What an item declares. `open` and `extern` are marks on the declaration they stand before.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `section "..."`: outline only.
    Section(Text),
    /// `param name = 6" sweep ...`.
    Param(Param),
    /// `reading name = A or B because "..." default because "..."`.
    Reading(Reading),
    /// `override reading name = A because "..."`.
    SetReading { name: Name, value: Expr, because: Option<Text> },
    /// `override table[key, key] = value`; a value of none is [`ExprKind::None`].
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
    /// `event E(...)`, also `extern event`.
    Event { name: Name, fields: Vec<Formal>, title: Option<Text>, external: bool },
    /// `let name(..) = ..`, `let Kind.name = ..`, `open let`, `extern let`.
    Let(Let),
    /// `table name(key: K): T { ... }`.
    Table(Table),
    /// `trait`, `status`, `condition`.
    Trait(Trait),
    /// `test`, `extern test`.
    Test(Test),
    /// `proc`, `open proc`, `extern proc`.
    Proc(Proc),
    /// `phase`, `open phase`.
    Phase(Phase),
    /// `action`.
    Action(Action),
    /// `rule`, at top level.
    Rule(Rule),
    /// `law L = cond`.
    Law { name: Name, title: Option<Text>, holds: Expr },
    /// `policy P { ... }`.
    Policy { name: Name, title: Option<Text>, entries: Vec<PolicyEntry> },
    /// `example "..." ...`.
    Example(Arc<Example>),
    /// `change rule X { ... }`: parts of an item below, in lines.
    Change(Change),
    /// `remove rule X`, `remove example "..."`.
    Remove { what: RemoveWhat, name: Name },
}

/// A part of an item below, said anew.
#[derive(Clone, Debug)]
pub struct Change {
    /// The word that the item begins with.
    pub what: Name,
    /// The kind of `let Kind.name`.
    pub of: Option<Name>,
    pub name: Name,
    pub lines: Vec<ChangeLine>,
}

/// A line of a `change`, without its sign.
#[derive(Clone, Debug)]
pub struct ChangeLine {
    pub sort: ChangeSort,
    pub text: Text,
}

/// What becomes of a line in a `change`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeSort {
    /// No sign: it stays, and says where the next one stands.
    Stays,
    /// `-`: it goes.
    Goes,
    /// `+`: it comes.
    Comes,
}

/// What `remove` takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveWhat {
    Action,
    Rule,
    Law,
    Policy,
    Example,
}
