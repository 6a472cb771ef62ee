//! Do these cases cover every value, and none twice? Answered on plain data, with a value to show for it.
//!
//! Every subject is cut into finitely many classes: each bound that some row names, the stretches between
//! them, each case, each die. Inside a class no row can tell two values apart, so the classes decide.
//! A bound that is no number is tried at every place it can have among the others; what holds at all of
//! them is settled, the rest wants `match first`.

mod cut;
mod judge;
mod witness;

pub use judge::judge;
pub use witness::{Piece, Witness};

use super::Ratio;

/// What the subject of a match, or the key of a table, can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Whole numbers, both ends included.
    Int {
        /// The least; none if there is none.
        lo: Option<i64>,
        /// The greatest; none if there is none.
        hi: Option<i64>,
    },
    /// `no` is case 0, `yes` is case 1.
    Flag,
    /// The cases of an enum or a reading, in order.
    Cases(Vec<String>),
    /// Inches in thousandths.
    Length {
        /// The least; none if there is none.
        lo: Option<i64>,
        /// The greatest; none if there is none.
        hi: Option<i64>,
    },
    /// Exact fractions without ends; between any two there is a third.
    Ratio,
    /// Hundredths of a degree, 0 to 35,999.
    Angle,
    /// Dice by their sides, smallest first; bands compare sides.
    Dice(Vec<u32>),
    /// One of the inner ones, or none.
    Optional(Box<Domain>),
    /// A die that was shifted along its chain, perhaps past an end.
    Past {
        /// The dice of the chain, smallest first.
        chain: Vec<u32>,
        /// It may lie past the top.
        top: bool,
        /// It may lie past the bottom.
        bottom: bool,
    },
    /// A thing: no two can be told apart here.
    Opaque,
    /// Several at once.
    Tuple(Vec<Domain>),
}

/// Where a bound lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// A number, in the unit of the domain: thousandths for lengths, sides for dice, the index for cases.
    At(Ratio),
    /// Something that is known only in play, compared as written.
    Written(String),
}

impl Edge {
    /// The whole number `n`.
    pub fn whole(n: i64) -> Edge {
        Edge::At(Ratio::whole(n))
    }
}

/// One end of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It goes on for ever.
    Unbounded,
    /// Up to here, and this too.
    Included(Edge),
    /// Up to here, but not this.
    Excluded(Edge),
}

/// What one pattern lets through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everything.
    Any,
    /// Only none.
    None,
    /// Everything but none.
    Some,
    /// A band; a single value has the same bound twice.
    Interval {
        /// Where it begins.
        lo: Bound,
        /// Where it ends.
        hi: Bound,
    },
    /// One case or die, by its index.
    Case(usize),
    /// A die past an end of its chain.
    Past {
        /// Past the top, else past the bottom.
        top: bool,
    },
    /// One list of alternatives for each component.
    Tuple(Vec<Vec<Shape>>),
    /// A single value known only in play, as written; for numbers an [`Edge::Written`] says more.
    Unknown(String),
}

impl Shape {
    /// The single value `edge`.
    pub fn value(edge: Edge) -> Shape {
        Shape::Interval { lo: Bound::Included(edge.clone()), hi: Bound::Included(edge) }
    }
}

/// One row of a match, or one key of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The alternatives.
    pub shapes: Vec<Shape>,
    /// It has a `when`, so it counts for nothing where gaps are asked for.
    pub guarded: bool,
    /// It is an `else`: it takes what the others leave.
    pub is_else: bool,
}

impl Row {
    /// A row of these alternatives.
    pub fn of(shapes: impl Into<Vec<Shape>>) -> Row {
        Row { shapes: shapes.into(), guarded: false, is_else: false }
    }

    /// The same row with a `when`.
    pub fn when(self) -> Row {
        Row { guarded: true, ..self }
    }

    /// `else`.
    pub fn otherwise() -> Row {
        Row { shapes: vec![Shape::Any], guarded: false, is_else: true }
    }
}

/// What is wrong with some rows. Rows are named by their index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Values without a case, at most [`MOST_SHOWN`] of them.
    pub gaps: Vec<Witness>,
    /// Rows that both take a value, the earlier one first; empty for `match first`.
    pub overlaps: Vec<(usize, usize, Witness)>,
    /// Rows that never take anything.
    pub dead: Vec<usize>,
    /// Bounds are compared as written, and that settles nothing: the match must be `first` and end with `else`.
    pub needs_first: bool,
    /// There were too many combinations to look at, so nothing found is not the same as nothing there.
    pub too_many: bool,
}

/// How many gaps, and how many overlaps, a verdict names.
pub const MOST_SHOWN: usize = 20;
