//! Checks whether cases cover every value exactly once, and finds a witness if they do not.
//!
//! Every subject is partitioned into finitely many classes: each bound that a row uses, the intervals between them,
//! each case, and each die. No row distinguishes two values of a class, so checking the classes is enough. A bound that
//! is not a number is tried at every possible rank among the others. A result that holds at all of them is settled;
//! otherwise the match needs `match first`.

mod cut;
mod judge;
mod witness;

pub use judge::judge;
pub use witness::{Piece, Witness};

use super::Ratio;

/// The possible values of the subject of a match, or of the key of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Whole numbers; both ends are inclusive.
    Int {
        /// The minimum, or `None` if unbounded.
        lo: Option<i64>,
        /// The maximum, or `None` if unbounded.
        hi: Option<i64>,
    },
    /// A flag; `no` is case 0, `yes` is case 1.
    Flag,
    /// The cases of an enum or a reading, in order.
    Cases(Vec<String>),
    /// Lengths, in thousandths of an inch.
    Length {
        /// The minimum, or `None` if unbounded.
        lo: Option<i64>,
        /// The maximum, or `None` if unbounded.
        hi: Option<i64>,
    },
    /// Exact fractions, unbounded and dense.
    Ratio,
    /// Angles in hundredths of a degree, 0 to 35,999.
    Angle,
    /// Dice by their number of sides, smallest first. Bands compare sides.
    Dice(Vec<u32>),
    /// A value of the inner domain, or none.
    Optional(Box<Domain>),
    /// A die shifted along its chain, possibly past an end.
    Past {
        /// The dice of the chain, smallest first.
        chain: Vec<u32>,
        /// Whether it can be past the top.
        top: bool,
        /// Whether it can be past the bottom.
        bottom: bool,
    },
    /// A thing. Rows cannot distinguish two things.
    Opaque,
    /// A tuple of domains.
    Tuple(Vec<Domain>),
}

/// The position of a bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// A number in the unit of the domain: thousandths for lengths, sides for dice, the index for cases.
    At(Ratio),
    /// A value known only during play, compared by its source text.
    Written(String),
}

impl Edge {
    /// Creates an edge at the whole number `n`.
    pub fn whole(n: i64) -> Edge {
        Edge::At(Ratio::whole(n))
    }
}

/// One end of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No bound.
    Unbounded,
    /// Inclusive.
    Included(Edge),
    /// Exclusive.
    Excluded(Edge),
}

/// The values that one pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everything.
    Any,
    /// Only `none`.
    None,
    /// Everything except `none`.
    Some,
    /// A band. For a single value, both bounds are equal.
    Interval {
        /// Lower bound.
        lo: Bound,
        /// Upper bound.
        hi: Bound,
    },
    /// One case or die, by index.
    Case(usize),
    /// A die past an end of its chain.
    Past {
        /// Whether it is past the top; otherwise past the bottom.
        top: bool,
    },
    /// One list of alternatives for each component.
    Tuple(Vec<Vec<Shape>>),
    /// A single value known only during play, by its source text. For numbers, an [`Edge::Written`] is more precise.
    Unknown(String),
}

impl Shape {
    /// Creates the shape of the single value `edge`.
    pub fn value(edge: Edge) -> Shape {
        Shape::Interval { lo: Bound::Included(edge.clone()), hi: Bound::Included(edge) }
    }
}

/// One row of a match, or one key of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The alternatives.
    pub shapes: Vec<Shape>,
    /// Whether it has a `when`, so that it does not count as covering any value.
    pub guarded: bool,
    /// Whether it is an `else`, which matches all remaining values.
    pub is_else: bool,
}

impl Row {
    /// Creates a row with these alternatives.
    pub fn of(shapes: impl Into<Vec<Shape>>) -> Row {
        Row { shapes: shapes.into(), guarded: false, is_else: false }
    }

    /// Returns the row with a `when`.
    pub fn when(self) -> Row {
        Row { guarded: true, ..self }
    }

    pub fn otherwise() -> Row {
        Row { shapes: vec![Shape::Any], guarded: false, is_else: true }
    }
}

/// The errors of a list of rows. Rows are identified by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Values without a case, at most [`MOST_SHOWN`].
    pub gaps: Vec<Witness>,
    /// Pairs of rows that match a common value, the earlier row first; empty for `match first`.
    pub overlaps: Vec<(usize, usize, Witness)>,
    /// Rows that never match.
    pub dead: Vec<usize>,
    /// Whether comparing bounds by source text leaves the result open. If so, the match must be `first` and end with
    /// `else`.
    pub needs_first: bool,
    /// Whether there were too many combinations to check, so that an empty result proves nothing.
    pub too_many: bool,
}

/// Maximum number of gaps, and of overlaps, in a verdict.
pub const MOST_SHOWN: usize = 20;
