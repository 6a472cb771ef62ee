//! Terrain cost of a path: the sum of length times cost per inch over its straight pieces.

use super::track::Track;
use super::{Problem, Thing};
use crate::shape::{cross, dot};
use crate::{Point, Way};

/// Units per thousandth of an inch in the computation of borders.
const PART: i64 = 1 << 16;

/// Tolerance by which a cost can exceed a whole thousandth and still be rounded down to it.
const SLACK: i128 = (PART / 64) as i128;

/// Spacing, in thousandths of an inch, at which the cost is sampled between two borders. A change that no border
/// explains is located to the thousandth.
const ASKED: i64 = 1_000;

/// Distance from a border, in thousandths, at which rounding cannot move a point across it, unless the way runs along
/// the border.
const CLEAR: i64 = 3;

/// The costs along a track.
#[derive(Clone, Debug)]
pub(super) struct TerrainCost {
    /// For each mover, the stretches from its start: the start of each, in parts, and its cost per inch.
    rows: Vec<Vec<(i64, i64)>>,
    /// The length up to which the ground is passable.
    pub open: i64,
}

impl TerrainCost {
    /// Returns the cost of a path of length `d`, in parts of a thousandth.
    fn parts(&self, d: i64) -> i128 {
        let end = d.saturating_mul(PART);
        let row = |row: &Vec<(i64, i64)>| -> i128 {
            let until = row.iter().skip(1).map(|(at, _)| *at).chain([i64::MAX]);
            row.iter()
                .zip(until)
                .take_while(|((from, _), _)| *from < end)
                .map(|((from, rate), to)| i128::from(to.min(end) - from) * i128::from(*rate))
                .sum()
        };
        self.rows.iter().map(row).max().unwrap_or(0)
    }

    /// Returns the cost of a path of length `d`, rounded up to a thousandth.
    pub fn used(&self, d: i64) -> i64 {
        let part = i128::from(PART);
        i64::try_from((self.parts(d) - SLACK + part - 1).div_euclid(part)).unwrap_or(crate::FAR).max(0)
    }

    /// Returns whether a path of length `d` costs at most `limit`.
    pub fn lasts(&self, d: i64, limit: i64) -> bool {
        self.parts(d) <= i128::from(limit) * i128::from(PART) + SLACK
    }

    /// Returns the maximum length, at most `far`, that costs at most `limit`.
    pub fn reach(&self, limit: i64, far: i64) -> i64 {
        let (mut low, mut high) = (-1, far);
        while low < high {
            let mid = low + (high - low + 1) / 2;
            if self.lasts(mid, limit) { low = mid } else { high = mid - 1 }
        }
        low
    }

    /// Computes the costs of the line `line` along a track, up to `far`.
    pub fn of(problem: &mut Problem, line: usize, track: &Track, far: i64) -> TerrainCost {
        let start = problem.start().at;
        let mut terrain_cost = TerrainCost { rows: Vec::new(), open: far };
        let offsets: Vec<(i64, i64)> =
            problem.movers.iter().map(|m| (m.place().x - start.x, m.place().y - start.y)).collect();
        for (dx, dy) in offsets {
            let mut cost = |d: i64| problem.judge.cost(line, track.point(d).shifted(dx, dy)).map(|c| c.max(0));
            let mut found: Vec<(i64, Option<i64>)> = Vec::new();
            for two in borders(&problem.things, track, far, (dx, dy)).windows(2) {
                stretch(two[0], two[1], &mut cost, &mut found);
                // a path never continues after impassable ground
                if found.last().is_some_and(|(_, rate)| rate.is_none()) {
                    break;
                }
            }
            found.dedup_by_key(|(_, rate)| *rate);
            let closed = found.iter().position(|(_, rate)| rate.is_none());
            if let Some(n) = closed {
                terrain_cost.open = terrain_cost.open.min(found[n].0 / PART);
                found.truncate(n);
            }
            terrain_cost.rows.push(found.into_iter().map(|(at, rate)| (at, rate.unwrap_or(0))).collect());
        }
        terrain_cost
    }
}

/// Samples one stretch between two borders, given in parts: near its ends, in its middle, and at regular steps. Points
/// of a way are rounded, so next to a border they can be on its other side.
fn stretch(from: i64, to: i64, cost: &mut dyn FnMut(i64) -> Option<i64>, found: &mut Vec<(i64, Option<i64>)>) {
    let (first, last) = (from / PART + CLEAR, (to - 1) / PART - CLEAR);
    if last <= first {
        return found.push((from, cost((from + (to - from) / 2) / PART)));
    }
    let middle = first + (last - first) / 2;
    let (mut at, mut now) = (first, cost(first));
    found.push((from, now));
    while at < last && now.is_some() {
        let next = (at + ASKED).min(if at < middle { middle } else { last });
        let then = cost(next);
        if then != now {
            let (mut low, mut high) = (at, next);
            while high - low > 1 {
                let mid = low + (high - low) / 2;
                if cost(mid) == then { high = mid } else { low = mid }
            }
            found.push((high * PART, then));
        }
        (at, now) = (next, then);
    }
}

/// Returns the positions where the track crosses the sides of things, in parts, from 0 to `far`.
fn borders(things: &[Thing], track: &Track, far: i64, (dx, dy): (i64, i64)) -> Vec<i64> {
    let end = far.saturating_mul(PART);
    let mut out = vec![0, end];
    for (leg, until) in track.pieces() {
        let (from, to) = (leg.at.saturating_mul(PART), until.min(far).saturating_mul(PART));
        let mut note = |t: i64| {
            let t = from.saturating_add(t);
            if from < t && t < to {
                out.push(t);
            }
        };
        let start = leg.from.shifted(dx, dy);
        for thing in things {
            let core = thing.body.core();
            for (a, b) in core.sides() {
                if core.radius > 0 {
                    rim(start, a, core.radius, &leg.way, &mut note);
                } else {
                    note_side(start, a, b, &leg.way, &mut note);
                }
            }
        }
        out.push(from.min(end));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Passes the position where the path crosses the segment a-b to `note`.
fn note_side(start: Point, a: Point, b: Point, way: &Way, note: &mut dyn FnMut(i64)) {
    let v = way.vector();
    let side = a.to(b);
    let den = cross(v, side);
    if way.side(start.to(a)).signum() * way.side(start.to(b)).signum() > 0 || den == 0 {
        return;
    }
    let num = cross(start.to(a), side) * den.signum();
    if num < 0 {
        return;
    }
    // the length of v, in parts: below 2^31 * 2^16
    let length = (dot(v, v) << 32).isqrt();
    if let Some(t) = num.checked_mul(length).and_then(|n| i64::try_from(n / den.abs()).ok()) {
        note(t);
    }
}

/// Passes the positions where the path enters and leaves a disc to `note`.
fn rim(start: Point, middle: Point, radius: i64, way: &Way, note: &mut dyn FnMut(i64)) {
    let (v, w, r) = (way.vector(), start.to(middle), i128::from(radius));
    let (off, v2) = (way.side(w), dot(v, v));
    if off * off >= r * r * v2 {
        return;
    }
    let length = v2.isqrt().max(1);
    let part = i128::from(PART);
    let along = dot(w, v) * part / length;
    let beside = off * part / length;
    let half = (r * r * part * part - beside * beside).max(0).isqrt();
    for t in [along - half, along + half] {
        if let Ok(t) = i64::try_from(t) {
            note(t);
        }
    }
}
