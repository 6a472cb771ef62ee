//! Where a mover stands that something stops: places are whole thousandths of an inch, and nobody stands in a thing, or
//! past a line, by rounding.

use super::Problem;
use super::track::Leg;
use crate::contact::{runs_into, thin};
use crate::{Body, Point, TOUCH, Table, gap};

/// No more thousandths than this are gone back from a contact.
const STEPS: usize = 64;

/// The movers at the start of a leg, and how far they may go.
pub(super) struct Halts<'a> {
    pub leg: &'a Leg,
    pub bodies: &'a [Body],
    table: Table,
    /// The greatest length the lines allow, if it is a length.
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

    /// True if nobody is in a thing with the anchor at a place.
    fn is_clear(&self, at: Point, thing: &Body) -> bool {
        let by = (at.x - self.leg.from.x, at.y - self.leg.from.y);
        self.bodies.iter().all(|b| !runs_into(b, thing, by))
    }

    /// True if a move is over before a contact counts: who stands clear of a thing when all of the move is used up has
    /// not met it, though by the rounding of places it be met within a touch of that.
    pub fn is_over(&self, d: i64, thing: &Body) -> bool {
        self.most.is_some_and(|most| {
            (d + 1..=d + TOUCH).contains(&most) && !self.is_thin(thing) && self.is_clear(self.point(most), thing)
        })
    }

    /// The greatest length below `d` at which nobody touches a thing.
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

    /// True if a thing is passed, not touched, and somebody stands to one side of it.
    pub fn is_thin(&self, thing: &Body) -> bool {
        self.bodies.iter().any(|b| thin(b, thing) && !gap(b, thing).is_zero())
    }

    /// Where the anchor stands at the length `d`: where the way leads, or next to there, or else a little before, so
    /// that nobody is in one of some things.
    pub fn stand(&self, d: i64, near: &[&Body]) -> Point {
        let free = |p: &Point| {
            let by = (p.x - self.leg.from.x, p.y - self.leg.from.y);
            near.iter().all(|thing| self.is_clear(*p, thing))
                && self.bodies.iter().all(|b| self.table.holds(&b.moved_to(b.at.shifted(by.0, by.1))))
        };
        let there = self.point(d);
        // itself, the four next to it, then the four at the corners; of those the nearest to the start first
        let mut around: Vec<(i64, i64)> = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).collect();
        around.sort_by_key(|(x, y)| (x.abs() + y.abs(), there.shifted(*x, *y).squared_to(self.leg.from)));
        let beside = around.iter().map(|(x, y)| there.shifted(*x, *y));
        let before = (self.leg.at..d).rev().take(STEPS).map(|d| self.point(d));
        beside.chain(before).find(free).unwrap_or(there)
    }
}
