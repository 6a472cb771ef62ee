//! The final position of a stopped mover. Positions are rounded to thousandths of an inch, and rounding must not put a
//! mover into a thing or across a line.

use super::Problem;
use super::track::Leg;
use crate::contact::{runs_into, thin};
use crate::{Body, Point, TOUCH, Table, gap};

/// Maximum number of thousandths by which a mover backs off from a contact.
const STEPS: usize = 64;

/// The movers at the start of a leg, with the limits of their move.
pub(super) struct Halts<'a> {
    pub leg: &'a Leg,
    pub bodies: &'a [Body],
    table: Table,
    /// The maximum length that the constraints allow, if lengths are not costs.
    most: Option<i64>,
}

impl<'a> Halts<'a> {
    pub fn new(problem: &Problem, leg: &'a Leg, bodies: &'a [Body]) -> Halts<'a> {
        let most = problem.most().filter(|_| problem.costs().is_none());
        Halts { leg, bodies, table: problem.table, most }
    }

    fn point(&self, d: i64) -> Point {
        self.leg.way.point(self.leg.from, d - self.leg.at)
    }

    /// Returns whether no mover overlaps a thing with the anchor at a point.
    fn is_clear(&self, at: Point, thing: &Body) -> bool {
        let by = (at.x - self.leg.from.x, at.y - self.leg.from.y);
        self.bodies.iter().all(|b| !runs_into(b, thing, by))
    }

    /// Returns whether the move ends before a contact counts. This is so if the mover is clear of the thing after its
    /// full length, even if rounding puts the contact within a touch of that length.
    pub fn is_over(&self, d: i64, thing: &Body) -> bool {
        self.most.is_some_and(|most| {
            (d + 1..=d + TOUCH).contains(&most) && !self.is_thin(thing) && self.is_clear(self.point(most), thing)
        })
    }

    /// Returns the maximum length below `d` at which no mover touches a thing.
    pub fn clear_before(&self, d: i64, thing: &Body) -> i64 {
        let free = |d: &i64| {
            let at = self.point(*d);
            let apart = |b: &Body| {
                !gap(&b.moved_to(b.at.shifted(at.x - self.leg.from.x, at.y - self.leg.from.y)), thing).is_zero()
            };
            self.is_clear(at, thing) && self.bodies.iter().all(apart)
        };
        let last = (d - 1).max(self.leg.at);
        (self.leg.at..=last).rev().take(STEPS).find(free).unwrap_or(last)
    }

    /// Returns whether a thing is crossed rather than touched, and some mover is on one side of it.
    pub fn is_thin(&self, thing: &Body) -> bool {
        self.bodies.iter().any(|b| thin(b, thing) && !gap(b, thing).is_zero())
    }

    /// Returns the position of the anchor at length `d`, where no mover overlaps a thing of `near`. It is the point on
    /// the path, a neighboring point, or a point slightly before it.
    pub fn stand(&self, d: i64, near: &[&Body]) -> Point {
        let free = |p: &Point| {
            let by = (p.x - self.leg.from.x, p.y - self.leg.from.y);
            near.iter().all(|thing| self.is_clear(*p, thing))
                && self.bodies.iter().all(|b| self.table.holds(&b.moved_to(b.at.shifted(by.0, by.1))))
        };
        let there = self.point(d);
        // the point itself, its four direct neighbors, then the four diagonal ones; those nearest to the start first
        let mut around: Vec<(i64, i64)> = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).collect();
        around.sort_by_key(|(x, y)| (x.abs() + y.abs(), there.shifted(*x, *y).squared_to(self.leg.from)));
        let beside = around.iter().map(|(x, y)| there.shifted(*x, *y));
        let before = (self.leg.at..d).rev().take(STEPS).map(|d| self.point(d));
        beside.chain(before).find(free).unwrap_or(there)
    }
}
