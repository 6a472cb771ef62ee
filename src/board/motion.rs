//! Moves as sets of constraints: what a move asks, what a path is, and what can be said of it.
//!
//! A path here is one straight piece; lines that call for more are answered with [`Solution::Unknown`].

mod check;
mod circles;
mod ends;
mod judge;
mod lane;
mod marks;
mod solve;
mod ways;

pub use check::{check, settle};
pub use ends::{Ends, ends};
pub use solve::canonical;

use super::{Body, Point, Table, normal};

/// Points along a path that conditions are asked at lie this far apart, in thousandths of an inch (farther on paths of
/// more than 64 inches); a change between two of them is then found to the thousandth.
pub const SAMPLE: i64 = 250;

/// One line of a move. Lengths in thousandths of an inch, angles in hundredths of a degree.
#[derive(Clone, Debug)]
pub enum Line {
    /// The path is no shorter.
    AtLeast(i64),
    /// The path is no longer.
    AtMost(i64),
    /// The path is just so long.
    Exactly(i64),
    /// Each point of the path is nearer to the nearest of these than the one before, until one is reached.
    /// Of an empty list nothing is asked.
    Toward(Vec<Body>),
    /// The path goes along the sum of the unit vectors away from these; empty or zero: any bearing. Of a group, the
    /// bearing of its first member is that of all.
    AwayFrom(Vec<Point>),
    /// The end is not nearer to any of these (each may be a group) than the start was.
    NoNearerTo(Vec<Vec<Body>>),
    /// The end is within `distance` of the nearest of these; of none, it cannot be met.
    EndsWithin {
        /// How near, 0 or more.
        distance: i64,
        /// Of what.
        of: Vec<Body>,
    },
    /// The first bearing lies in the smaller fan between two bearings, both included.
    Heading {
        /// One side of the fan.
        from: i64,
        /// The other side.
        to: i64,
    },
    /// The path is straight for so long; a straight path always meets it.
    StraightFor(i64),
    /// The mover slides and keeps its facing; else it faces along its path.
    KeepsFacing,
    /// The path may bend, by so much in all.
    BendsAtMost(i64),
    /// The path does not touch these, named by [`Thing::id`].
    Avoids(Vec<u32>),
    /// These do not stop the path.
    Through(Vec<u32>),
    /// The path ends where it first touches one of these, or anything if none is named. The table edge counts.
    StopsOnContact(Option<Vec<u32>>),
    /// A condition holds at the end.
    EndsWhere,
    /// A condition holds at no point of the path, its start included.
    NeverWhere,
    /// The path ends at the first point after its start where a condition comes to hold.
    StopsWhere,
    /// Lengths are counted in costs. Not solved in this version.
    Costs,
    /// The path follows a route. Not solved in this version.
    Along,
}

/// Something on the table besides the mover.
#[derive(Clone, Debug)]
pub struct Thing {
    /// What the caller calls it; ids are different.
    pub id: u32,
    /// Where it stands.
    pub body: Body,
}

/// Where the first member of the mover is thought to be when a condition is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pose {
    /// Its place.
    pub at: Point,
    /// Its facing there.
    pub facing: i64,
}

/// Answers the condition of a line, by the line's id, with the mover at a pose.
pub type Test<'a> = &'a mut dyn FnMut(usize, Pose) -> bool;

/// A move to be made.
pub struct Problem<'a> {
    /// Who moves, with offsets kept: the first is the anchor. Of an empty list nothing moves.
    pub movers: Vec<Body>,
    /// The table; every mover stays on it whole.
    pub table: Table,
    /// What stands on the table besides the movers and stops them.
    pub things: Vec<Thing>,
    /// The lines that hold, each with the id the caller knows it by.
    pub lines: Vec<(usize, Line)>,
    /// The grid of enumerated moves, in thousandths of an inch; 1000 is usual.
    pub grid: i64,
    /// Answers conditions. It must give the same answer for the same pose.
    pub test: Test<'a>,
}

/// What ended a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Met {
    /// Nothing; also if something is touched just at the end.
    Nothing,
    /// The edge of the table.
    Edge,
    /// The thing of this id.
    Thing(u32),
}

/// A straight path that obeys every line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where the anchor ends.
    pub end: Point,
    /// Its facing there.
    pub facing: i64,
    /// Bearing of the path; the facing at the start if nothing was covered.
    pub bearing: i64,
    /// Its length. The end is cut toward the start, so it may lie nearer by up to 1/1000" in each coordinate.
    pub covered: i64,
    /// What ended it.
    pub met: Met,
    /// The things of `through` lines that were entered, in that order.
    pub crossed: Vec<u32>,
}

/// Which demand an end point breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// `wanted` the least length, `got` the length.
    TooShort,
    /// `wanted` the greatest length, `got` the length.
    TooLong,
    /// The path leads away before it arrives. `wanted` the bearing straight there, `got` that of the path.
    NotToward,
    /// `wanted` the bearing away, `got` that of the path.
    NotAway,
    /// `wanted` the distance at the start, `got` that at the end; `of` is the place in the list.
    Nearer {
        /// Index into the list of the line.
        of: usize,
    },
    /// `wanted` the greatest distance, `got` the distance, [`super::FAR`] if there is nothing to be near to.
    TooFar,
    /// `wanted` the nearer side of the fan, `got` the bearing.
    OffHeading,
    /// Something is in the way or touched: `wanted` the length of the path, `got` how far it may go.
    Blocked(Met),
    /// A condition does not hold at the end, or holds on the way; both figures are 0.
    Condition,
    /// The line is of a kind this version does not solve; both figures are 0.
    Unsolved,
}

/// One broken line, with both figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Id of the line; none if it is the table or a thing that no line names.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
    /// What the line wants.
    pub wanted: i64,
    /// What the end point has.
    pub got: i64,
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Bearings tried; each over its whole length.
    pub bearings: usize,
    /// The widest gap between neighbouring bearings, 0 if the lines name them all.
    pub apart: i64,
    /// Single end points tried on the grid.
    pub points: usize,
    /// Ids of lines this version cannot solve.
    pub unsolved: Vec<usize>,
}

/// What can be said of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// One path and no other was found.
    Forced(Path),
    /// The canonical path; the decider may choose others.
    Free(Path),
    /// No straight path: exact if `apart` and `points` are 0, else none on any bearing or point searched.
    Impossible(Searched),
    /// Not solved.
    Unknown(Searched),
}

impl Solution {
    /// The path, if one was found.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Solution::Forced(p) | Solution::Free(p) => Some(p),
            _ => None,
        }
    }
}

impl Problem<'_> {
    /// Where the anchor starts.
    pub fn start(&self) -> Pose {
        self.movers.first().map_or(Pose { at: Point::default(), facing: 0 }, |m| Pose {
            at: m.at.shifted(0, 0),
            facing: normal(m.facing),
        })
    }

    /// The movers with the anchor at `at`, turned to `facing` if they do not keep theirs.
    pub(super) fn movers_at(&self, at: Point, facing: Option<i64>) -> Vec<Body> {
        let from = self.start().at;
        self.movers
            .iter()
            .map(|m| {
                let placed = m.moved_to(m.at.shifted(at.x - from.x, at.y - from.y));
                facing.map_or(placed.clone(), |f| placed.turned_to(f))
            })
            .collect()
    }

    pub(super) fn keeps_facing(&self) -> bool {
        self.lines.iter().any(|(_, l)| matches!(l, Line::KeepsFacing))
    }

    /// The greatest length the lines allow, if they name one.
    pub(super) fn most(&self) -> Option<i64> {
        let limit = |l: &Line| match l {
            Line::AtMost(d) | Line::Exactly(d) => Some(*d),
            _ => None,
        };
        self.lines.iter().filter_map(|(_, l)| limit(l)).min()
    }

    pub(super) fn unsolved(&self) -> Vec<usize> {
        let open = |l: &Line| matches!(l, Line::Costs | Line::Along);
        self.lines.iter().filter(|(_, l)| open(l)).map(|(id, _)| *id).collect()
    }
}
