//! Moves as sets of constraints: the constraints of a move, its paths, and the solution.
//!
//! A path is a sequence of straight pieces. It has one piece unless a constraint allows it to bend (`bends at most`) or
//! prescribes its course (`along`).

mod bends;
#[doc(hidden)]
pub mod bound;
mod check;
mod circles;
mod closed;
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
#[doc(hidden)]
pub use {judge::stations, solve::canonical_in_full};

use super::{Body, LIMIT, Point, Table, normal};

/// Spacing, in thousandths of an inch, of the points along a path at which conditions are evaluated (larger on paths of
/// more than 64 inches). A change between two of them is then located to the thousandth.
pub const SAMPLE: i64 = 250;

/// Length, in thousandths of an inch, of the last stretch over which the approach to a target is checked. A path can
/// pass its target by half of it.
const LAST: i64 = 20;

/// Number of things whose obstruction test counts as one step of a search.
const EACH: usize = 16;

/// A constraint of a move. Lengths are in thousandths of an inch, angles in hundredths of a degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The path has at least this length.
    AtLeast(i64),
    /// The path has at most this length.
    AtMost(i64),
    /// The path has exactly this length.
    Exactly(i64),
    /// Each point of the path is nearer to the nearest of these than the point before, until one is reached. An empty
    /// list constrains nothing.
    Toward(Vec<Body>),
    /// The path follows the sum of the unit vectors away from these points. If the list is empty, or the sum is zero, any
    /// bearing is allowed. A group of movers uses the bearing of its first member.
    AwayFrom(Vec<Point>),
    /// The end is not nearer to any of these than the start. Each can be a group.
    NoNearerTo(Vec<Vec<Body>>),
    /// The end is within `distance` of the nearest of these. With an empty list, it cannot be satisfied.
    EndsWithin {
        /// The maximum distance, at least 0.
        distance: i64,
        /// The bodies of which one must be near.
        of: Vec<Body>,
    },
    /// The first bearing is in the smaller sector between two bearings, both included.
    Heading {
        /// One side of the sector.
        from: i64,
        /// The other side.
        to: i64,
    },
    /// The path does not bend before this length.
    StraightFor(i64),
    /// The mover slides and keeps its facing. Without this constraint, it faces along its path.
    KeepsFacing,
    /// The path can bend, by at most this angle in total. If things are avoided, it bends only where it reaches one, and
    /// only by the least angle that avoids it. Otherwise it can bend anywhere.
    BendsAtMost(i64),
    /// The path does not touch these things, given by [`Thing::id`].
    Avoids(Vec<u32>),
    /// These things do not stop the path.
    Through(Vec<u32>),
    /// The path ends where it first touches one of these or, for `None`, anything. The table edge counts.
    StopsOnContact(Option<Vec<u32>>),
    /// A condition holds at the end.
    EndsWhere,
    /// A condition holds at no point of the path, including its start.
    NeverWhere,
    /// The path ends at the first point after its start where a condition becomes true.
    StopsWhere,
    /// Lengths are costs: the cost of an inch depends on the place of the mover, see [`Judge::cost`]. Areas do not stop
    /// such a path; they only affect its cost.
    Costs,
    /// The path is a straight line from each of these points to the next, starting at the mover. It ends at the last
    /// point at the latest.
    Along(Vec<Point>),
}

/// A thing on the table other than the mover.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The id that the caller uses. Ids are unique.
    pub id: u32,
    /// The body at its place.
    pub body: Body,
    /// A circle that contains the whole body.
    around: (Point, i64),
}

impl Thing {
    /// Creates a thing with an id.
    pub fn new(id: u32, body: Body) -> Thing {
        Thing { id, around: body.around(), body }
    }
}

/// The assumed pose of the first member of the mover when a condition is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pose {
    /// The place of the anchor.
    pub at: Point,
    pub facing: i64,
}

/// Answers questions that only the rules can answer. It must be deterministic. A closure that evaluates conditions
/// implements it, with a cost of 1 everywhere.
pub trait Judge {
    /// Evaluates the condition of a line, given by its id, with the mover at a pose.
    fn holds(&mut self, line: usize, pose: Pose) -> bool;

    /// Returns the cost of an inch at a place, at least 0, or `None` if the ground is impassable.
    fn cost(&mut self, line: usize, at: Point) -> Option<i64> {
        let _ = (line, at);
        Some(1)
    }

    /// Charges steps of the search: one for each track that is evaluated, more if there are many things on the table.
    /// Return `false` to end the search; no further path is then found.
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

/// A move to be solved.
pub struct Problem<'a> {
    /// The movers, which keep their offsets. The first is the anchor. With an empty list, nothing moves.
    pub movers: Vec<Body>,
    /// The table. Every mover stays on it completely.
    pub table: Table,
    /// The things on the table, other than the movers, that can stop them.
    pub things: Vec<Thing>,
    /// The constraints, each with the id that the caller uses.
    pub lines: Vec<(usize, Line)>,
    /// The grid of enumerated moves, in thousandths of an inch; usually 1000.
    pub grid: i64,
    /// Evaluates conditions and costs.
    pub judge: &'a mut dyn Judge,
}

/// The obstacle that ended a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Met {
    /// No obstacle, even if the path touches something exactly at its end.
    Nothing,
    /// The edge of the table.
    Edge,
    /// The thing with this id.
    Thing(u32),
}

/// A path that satisfies every constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The end point of the anchor.
    pub end: Point,
    /// The points where the path bends, in order.
    pub corners: Vec<Point>,
    /// The sum of all bends.
    pub bent: i64,
    /// The facing at the end.
    pub facing: i64,
    /// The bearing of the first piece, or the initial facing if the length is 0.
    pub bearing: i64,
    /// The length or, with `costs`, the cost. The end is rounded to whole thousandths, so that its distance from the start
    /// of the last piece rounds to the length of that piece (see [`crate::Way::point`]). An obstacle can shift it by a
    /// thousandth.
    pub covered: i64,
    /// The obstacle that ended the path.
    pub met: Met,
    /// The things of `through` constraints that the path enters, in order.
    pub crossed: Vec<u32>,
}

/// The violation of a constraint by an end point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// `wanted` is the minimum length, `got` the length.
    TooShort,
    /// `wanted` is the maximum length, `got` the length.
    TooLong,
    /// The path moves away before it arrives. `wanted` is the bearing straight to the target, `got` that of the path.
    NotToward,
    /// `wanted` is the bearing away, `got` that of the path.
    NotAway,
    /// `wanted` is the distance at the start, `got` that at the end.
    Nearer {
        /// Index into the list of the line.
        of: usize,
    },
    /// `wanted` is the maximum distance, `got` the distance, or [`super::FAR`] if there is no body to be near to.
    TooFar,
    /// `wanted` is the nearer side of the sector, `got` the bearing.
    OffHeading,
    /// An obstacle is in the way or touched. `wanted` is the length of the path, `got` how far it can go.
    Blocked(Met),
    /// A condition is false at the end, or true on the way. Both values are 0.
    Condition,
    /// The ground is impassable. `wanted` is the length of the path, `got` how far it can go.
    Closed,
    /// `wanted` is the maximum sum of bends, `got` the sum.
    TooBent,
    /// `wanted` is the length that must be straight, `got` the length before the first bend.
    BentTooSoon,
    /// The end is not on the route. `wanted` is 0, `got` its distance from the route.
    OffRoute,
}

/// A violated constraint with the limit and the actual value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Id of the line, or `None` for the table and for things that no line names.
    pub line: Option<usize>,
    /// The kind of violation.
    pub fault: Fault,
    /// The limit.
    pub wanted: i64,
    /// The value of the end point.
    pub got: i64,
}

/// The extent of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Number of bearings that the constraints name. Each was tried over its whole length.
    pub named: usize,
    /// If they name none, the maximum angle between bearings that were tried over their whole length.
    pub apart: i64,
    /// Number of grid points tried as ends.
    pub points: usize,
    /// Number of bent paths tried.
    pub bent: usize,
}

/// The solution of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// The only path that was found.
    Forced(Path),
    /// The canonical path. The decider can choose another one.
    Free(Path),
    /// No path was found. This is exact if `apart` and `points` are 0; otherwise it holds for the bearings and points
    /// searched.
    Impossible(Searched),
}

impl Solution {
    /// Returns the path, if one was found.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Solution::Forced(p) | Solution::Free(p) => Some(p),
            _ => None,
        }
    }
}

impl Problem<'_> {
    /// Returns the initial pose of the anchor.
    pub fn start(&self) -> Pose {
        self.movers.first().map_or(Pose { at: Point::default(), facing: 0 }, |m| Pose {
            at: m.at.shifted(0, 0),
            facing: normal(m.facing),
        })
    }

    /// Charges one more track. Returns `false` if the search must end.
    pub(super) fn may_look(&mut self) -> bool {
        let steps = 1 + self.movers.len() * self.things.len() / EACH;
        self.judge.work(steps as u64)
    }

    /// Returns the movers with the anchor at `at`, facing `facing` if it is given.
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

    /// Returns the maximum length that the constraints allow, if any limits it.
    pub(super) fn most(&self) -> Option<i64> {
        let limit = |l: &Line| match l {
            Line::AtMost(d) | Line::Exactly(d) => Some(*d),
            _ => None,
        };
        self.lines.iter().filter_map(|(_, l)| limit(l)).min()
    }

    /// Returns the minimum length that the constraints require.
    pub(super) fn least(&self) -> i64 {
        let limit = |l: &Line| match l {
            Line::AtLeast(d) | Line::Exactly(d) => Some(*d),
            _ => None,
        };
        self.lines.iter().filter_map(|(_, l)| limit(l)).max().unwrap_or(0)
    }

    /// Returns the id of the constraint that counts costs, if any.
    pub(super) fn costs(&self) -> Option<usize> {
        self.lines.iter().find(|(_, l)| matches!(l, Line::Costs)).map(|(id, _)| *id)
    }

    /// Returns the maximum sum of bends, or 0 if no constraint allows bends.
    pub(super) fn bend(&self) -> i64 {
        let bend = |l: &Line| if let Line::BendsAtMost(a) = l { Some((*a).clamp(0, super::CIRCLE)) } else { None };
        self.lines.iter().filter_map(|(_, l)| bend(l)).min().unwrap_or(0)
    }

    /// Returns the length for which a path must be straight.
    pub(super) fn straight_for(&self) -> i64 {
        let least = |l: &Line| if let Line::StraightFor(d) = l { Some(*d) } else { None };
        self.lines.iter().filter_map(|(_, l)| least(l)).max().unwrap_or(0).clamp(0, LIMIT)
    }

    /// Returns whether a constraint names things to avoid.
    pub(super) fn avoids(&self) -> bool {
        self.lines.iter().any(|(_, l)| matches!(l, Line::Avoids(_)))
    }
}
