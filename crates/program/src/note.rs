//! Notes for traces: texts with values, which the machine fills in by running fragments of code.

use super::{Fragment, Reg};
use grognard_base::value::plain::NeedOf;
use grognard_base::value::*;

/// A text with values in it. The values come from fragments, which run in the frame that they belong to.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a wording.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Piece {
    /// A literal text.
    Text(String),
    /// A value, formatted by its type.
    Value { fragment: Fragment, ty: Type },
    /// A distance that the text depends on: two places and a length, or `none`. It is not part of the text.
    Measure { fragment: Fragment },
    /// The value that a roll is compared with. It is not part of the text.
    Need { fragment: Fragment, ty: Type, need: RollNeed },
    /// A condition for the next `count` pieces: without it they are skipped.
    If { fragment: Fragment, count: usize },
    /// Skips the next `count` pieces.
    Skip { count: usize },
}

/// A comparison of the dice of a roll.
#[derive(Clone, Debug)]
pub struct RollNeed {
    /// Name of the roll.
    pub roll: String,
    /// Dice that are compared.
    pub of: NeedOf,
    /// The comparison: `>=`.
    pub op: &'static str,
    /// Whether the rules can reroll or explode the dice before.
    pub again: bool,
}

/// A note for the trace.
#[derive(Clone, Debug)]
pub struct Note {
    /// The noted event.
    pub kind: NoteKind,
    /// The text of the condition that decided it.
    pub wording: Wording,
    /// Readings that can have decided it.
    pub readings: Vec<SettingId>,
    /// Code that computes the value again, to find its value under other readings.
    pub again: Option<(Fragment, Type)>,
    /// Clauses of the statement.
    pub cites: Vec<String>,
    /// Whether the condition reads the table.
    pub on_table: bool,
    /// Parts of a guard that no event of a game can change.
    pub never: Vec<Never>,
}

/// A part of a condition that no event of a game can change, or that requires a thing of some kinds.
#[derive(Clone, Debug)]
pub struct Never {
    /// Code that evaluates it.
    pub fragment: Fragment,
    /// Kinds of which there must be a thing for the part to hold. If empty, its subject decides it for the whole game.
    pub kinds: Vec<KindId>,
}

/// An event that is noted.
#[allow(missing_docs)] // the doc of a variant describes its fields
#[derive(Clone, Debug)]
pub enum NoteKind {
    /// A derived value got a name.
    Value { name: String, reg: Reg, ty: Type },
    /// A condition was evaluated.
    Condition {
        reg: Reg,
        /// Whether it depends only on settings, so that these select the statement.
        selects: bool,
    },
    /// A match chose a row by a reading.
    Branch,
    /// The guard of a rule was evaluated.
    Guard { rule: RuleId, reg: Reg },
    /// A variable that a phase shares was set: its old and its new value.
    Shared { name: String, old: Reg, reg: Reg, ty: Type },
    /// An effect on a missing thing did nothing.
    Nothing { text: String },
}
