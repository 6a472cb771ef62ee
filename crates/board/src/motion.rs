//! Moves as sets of constraints: what a move asks, what a path is, and what can be said of it.
//!
//! A path is a row of straight pieces. It is one piece unless a line lets it bend (`bends at most`) or lays it out
//! (`along`).

mod bends;
#[doc(hidden)]
pub mod bound;
mod check;
mod circles;
mod ends;
mod standing;
mod judge;
mod candidate;
mod breakpoints;
#[doc(hidden)]
pub mod pruning;
mod obstacles;
mod feasible;
#[doc(hidden)]
pub mod sectors;
mod solve;
mod terrain_cost;
mod track;
mod bearings;

pub use check::settle;
pub use ends::{Ends, ends_after};
pub use solve::canonical;

use super::{Body, LIMIT, Point, Table, normal};

/// Points along a path that conditions are asked at lie this far apart, in thousandths of an inch (farther on paths of
/// more than 64 inches); a change between two of them is then found to the thousandth.
pub const SAMPLE: i64 = 250;

/// Whether a path comes nearer is read last over so many thousandths of an inch: it may pass what it goes to by half of
/// that.
const LAST: i64 = 20;

/// To see whether so many things are in the way counts as one step of a search.
const EACH: usize = 16;

/// One line of a move. Lengths in thousandths of an inch, angles in hundredths of a degree.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The path does not bend before it is so long.
    StraightFor(i64),
    /// The mover slides and keeps its facing; else it faces along its path.
    KeepsFacing,
    /// The path may bend, by so much in all. Where something is avoided it bends only to keep clear of that, by the least
    /// that does, where it is reached; else it may bend anywhere.
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
    /// Lengths are counted in costs, so many for each inch where the mover is; see [`Judge::cost`]. Areas do not stop
    /// such a path: what they cost is all that they ask.
    Costs,
    /// The path leads straight from each of these points to the next, from where the mover stands on; it ends at the
    /// last at the latest.
    Along(Vec<Point>),
}

/// Something on the table besides the mover.
#[derive(Clone, Debug)]
pub struct Thing {
    /// What the caller calls it; ids are different.
    pub id: u32,
    /// Where it stands.
    pub body: Body,
    /// A circle that holds all of it.
    around: (Point, i64),
}

impl Thing {
    /// A thing by its id.
    pub fn new(id: u32, body: Body) -> Thing {
        Thing { id, around: body.around(), body }
    }
}

/// Where the first member of the mover is thought to be when a condition is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pose {
    /// Its place.
    pub at: Point,
    /// Its facing there.
    pub facing: i64,
}

/// Answers what only the rules know. It must give the same answer to the same question. A closure that answers
/// conditions is one: everything costs it 1.
pub trait Judge {
    /// The condition of a line, by the line's id, with the mover at a pose.
    fn holds(&mut self, line: usize, pose: Pose) -> bool;

    /// What an inch costs at a place, 0 or more; none where the ground is closed.
    fn cost(&mut self, line: usize, at: Point) -> Option<i64> {
        let _ = (line, at);
        Some(1)
    }

    /// Charges steps of the search: one for each track that is looked down, more where much stands on the table. False
    /// if no more may be done; then no further path is found.
    fn work(&mut self, steps: u64) -> bool {
        let _ = steps;
        true
    }
}

impl<F: FnMut(usize, Pose) -> bool> Judge for F {
    fn holds(&mut self, line: usize, pose: Pose) -> bool {
        self(line, pose)
    }
}

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
    /// Answers conditions and costs.
    pub judge: &'a mut dyn Judge,
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

/// A path that obeys every line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where the anchor ends.
    pub end: Point,
    /// Where the path bends on the way there, in order.
    pub corners: Vec<Point>,
    /// By how much it bends in all.
    pub bent: i64,
    /// Its facing at the end.
    pub facing: i64,
    /// Bearing of the first piece; the facing at the start if nothing was covered.
    pub bearing: i64,
    /// Its length, with `costs` what it cost. The end is a whole thousandth: as far off as the last piece is long, to the
    /// nearest one (see [`crate::Way::point`]); what stopped it may put it a thousandth aside.
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
    /// The ground is closed: `wanted` the length of the path, `got` how far it may go.
    Closed,
    /// `wanted` the most it may bend in all, `got` what it bends.
    TooBent,
    /// `wanted` the length that is straight, `got` where it bends first.
    BentTooSoon,
    /// The end does not lie on the route: `wanted` 0, `got` how far off it is.
    OffRoute,
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
    /// How many bearings the lines name; each was tried over its whole length.
    pub named: usize,
    /// If they name none: how far apart the bearings are, at the most, that were tried over their whole length.
    pub apart: i64,
    /// Single end points tried on the grid.
    pub points: usize,
    /// Paths with bends tried.
    pub bent: usize,
}

/// What can be said of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// One path and no other was found.
    Forced(Path),
    /// The canonical path; the decider may choose others.
    Free(Path),
    /// No path: exact if `apart` and `points` are 0, else none on any bearing or point searched.
    Impossible(Searched),
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

    /// Charges one more track; false if no more may be looked down.
    pub(super) fn may_look(&mut self) -> bool {
        let steps = 1 + self.movers.len() * self.things.len() / EACH;
        self.judge.work(steps as u64)
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

    /// The least length the lines ask for.
    pub(super) fn least(&self) -> i64 {
        let limit = |l: &Line| match l {
            Line::AtLeast(d) | Line::Exactly(d) => Some(*d),
            _ => None,
        };
        self.lines.iter().filter_map(|(_, l)| limit(l)).max().unwrap_or(0)
    }

    /// The line that counts costs, if there is one.
    pub(super) fn costs(&self) -> Option<usize> {
        self.lines.iter().find(|(_, l)| matches!(l, Line::Costs)).map(|(id, _)| *id)
    }

    /// By how much a path may bend in all: 0 without a line that lets it.
    pub(super) fn bend(&self) -> i64 {
        let bend = |l: &Line| if let Line::BendsAtMost(a) = l { Some((*a).clamp(0, super::CIRCLE)) } else { None };
        self.lines.iter().filter_map(|(_, l)| bend(l)).min().unwrap_or(0)
    }

    /// How long a path is straight before it may bend.
    pub(super) fn straight_for(&self) -> i64 {
        let least = |l: &Line| if let Line::StraightFor(d) = l { Some(*d) } else { None };
        self.lines.iter().filter_map(|(_, l)| least(l)).max().unwrap_or(0).clamp(0, LIMIT)
    }

    /// True if a line says what is kept clear of.
    pub(super) fn avoids(&self) -> bool {
        self.lines.iter().any(|(_, l)| matches!(l, Line::Avoids(_)))
    }
}
