//! How far a way can lead at most, told from circles alone: ways that cannot better what is found are not looked down.

use super::regard::bars;
use super::{Line, Problem};
use crate::board::shape::{Vector, cross, dot};
use crate::board::{Body, FAR, Gap, LIMIT, ONE, Point, TOUCH, Way, gap_between};

/// Everything here is rounded by less than this many thousandths of an inch.
const SLACK: i64 = 4;

/// Where a point lies as seen along a way: how far on it is nearest, and how far aside it stays, in thousandths of an
/// inch, cut.
pub(super) fn seen_along((x, y): Vector, (ux, uy): Vector) -> (i64, i64) {
    ((x * ux + y * uy) / ONE, (x * uy - y * ux) / ONE)
}

/// Half of what a way runs within `radius` of a point that it passes so far aside; none if it does not come so near.
pub(super) fn half_chord(radius: i64, aside: i64) -> Option<i64> {
    let left = radius.max(0) * radius.max(0) - aside * aside;
    u64::try_from(left).ok().and_then(|n| i64::try_from(n.isqrt()).ok())
}

/// True if a thing around `there` with that radius is missed by movers around `circles` that go so far on a way, none of
/// them wider than their circle. Exact: it is never said of what is touched.
pub(super) fn misses(circles: &[(Point, i64)], (there, radius): (Point, i64), way: &Way, far: i64) -> bool {
    circles.iter().all(|(at, own)| {
        let (w, v) = (at.to(there), way.vector());
        let square = |n: i64| i128::from(n) * i128::from(n);
        let reach = radius + own + 2 * SLACK;
        let (ahead, aside, v2) = (dot(v, w), cross(v, w), dot(v, v));
        aside * aside > square(reach) * v2
            || ahead < 0 && dot(w, w) > square(reach)
            || ahead > 0 && ahead * ahead > square(far.clamp(0, 2 * LIMIT) + reach) * v2
    })
}

/// A circle as an anchor at the start sees its middle, with its radius.
type Ring = (Vector, i64);

/// What the lines about length and distance leave of straight paths, as circles: a little more than is legal.
pub(super) struct Limits {
    least: i64,
    most: i64,
    /// For each mover and line, circles of which the anchor ends in one.
    near: Vec<Vec<Ring>>,
    /// Circles in which the anchor does not end, if it goes at all.
    out: Vec<Ring>,
    /// For each `toward` line, circles of which a path comes into one, or it ends before it passes by all of them.
    toward: Vec<Vec<Ring>>,
    /// Circles that no path goes into.
    walls: Vec<Ring>,
}

/// What stops a path and is not touched yet.
fn walls(problem: &Problem, most: i64) -> Vec<Ring> {
    let mut walls = Vec::new();
    for thing in problem.things.iter().filter(|t| t.body.is_round() && bars(problem, t)) {
        for mover in &problem.movers {
            let radius = mover.radius() + thing.body.radius() - SLACK;
            let ring = (mover.place().to(thing.body.place()), radius);
            let apart = radius + 2 * SLACK;
            if radius > 0 && dot(ring.0, ring.0) > i128::from(apart) * i128::from(apart) && reaches(&ring, most) {
                walls.push(ring);
            }
        }
    }
    walls
}

/// What a way runs through a ring, from and to; none if it passes by.
fn chord(ring: &Ring, unit: Vector) -> Option<(i64, i64)> {
    chord_where(ring, unit, |_, _| true)
}

/// The same where `may` holds for the widest that the ring could be run through.
fn chord_where((middle, radius): &Ring, unit: Vector, may: impl Fn(i64, i64) -> bool) -> Option<(i64, i64)> {
    let (ahead, aside) = seen_along(*middle, unit);
    if !may(ahead - radius, ahead + radius) {
        return None;
    }
    half_chord(*radius, aside).map(|half| (ahead - half, ahead + half))
}

/// True if a path so long may come into a ring.
fn reaches((middle, radius): &Ring, most: i64) -> bool {
    let far = i128::from(radius.max(&0) + most.max(0) + 2 * SLACK);
    dot(*middle, *middle) <= far * far
}

impl Limits {
    /// Of a problem; where something is not round, or lengths are costs, less is told.
    pub fn of(problem: &Problem) -> Limits {
        let free = problem.costs().is_some();
        let stops = problem.lines.iter().any(|(_, l)| matches!(l, Line::StopsOnContact(_) | Line::StopsWhere));
        let mut limits = Limits {
            least: if free || stops { 0 } else { problem.least() },
            most: if free { 2 * LIMIT } else { problem.most().unwrap_or(2 * LIMIT).clamp(-1, 2 * LIMIT) },
            near: Vec::new(),
            out: Vec::new(),
            toward: Vec::new(),
            walls: Vec::new(),
        };
        let round = |all: &[Body]| all.iter().all(Body::is_round);
        if !round(&problem.movers) {
            return limits;
        }
        if !free {
            limits.walls = walls(problem, limits.most);
        }
        for (_, line) in &problem.lines {
            for mover in &problem.movers {
                let ring = |x: &Body, d: i64| {
                    let d = d.clamp(-2 * LIMIT, 2 * LIMIT);
                    (mover.place().to(x.place()), d + mover.radius() + x.radius())
                };
                match line {
                    Line::EndsWithin { distance, of } if round(of) => {
                        let rings = of.iter().map(|x| ring(x, distance.saturating_add(SLACK)));
                        limits.near.push(rings.filter(|r| reaches(r, limits.most)).collect());
                    }
                    // of a group, another member may be the nearer one farther on
                    Line::Toward(of)
                        if round(of) && problem.bend() == 0 && !of.is_empty() && problem.movers.len() == 1 =>
                    {
                        limits.toward.push(of.iter().map(|x| ring(x, TOUCH + SLACK)).collect());
                    }
                    Line::NoNearerTo(all) => {
                        for x in all.iter().filter(|x| round(x)) {
                            let from = gap_between(std::slice::from_ref(mover), x).map_or(FAR, |g: Gap| g.floor());
                            if from == 0 {
                                // nothing is nearer than what is touched
                                continue;
                            }
                            let rings = x.iter().map(|x| ring(x, from - SLACK));
                            limits.out.extend(rings.filter(|r| r.1 > 0 && reaches(r, limits.most)));
                        }
                    }
                    _ => {}
                }
            }
        }
        limits
    }

    /// Lengths on a way that the lines about distance forbid, from and to, both left out.
    pub fn forbidden(&self, way: &Way) -> Vec<(i64, i64)> {
        let unit = way.unit();
        let chords = self.out.iter().filter_map(|(middle, radius)| {
            let (ahead, aside) = seen_along(*middle, unit);
            half_chord(*radius, aside).map(|half| (ahead - half + SLACK, ahead + half - SLACK))
        });
        let mut all: Vec<(i64, i64)> = chords.filter(|(from, to)| from < to && *to > 0).collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let joined = next.0 < kept.1;
            if joined {
                kept.1 = kept.1.max(next.1);
            }
            joined
        });
        all
    }

    /// How far a straight path on a way might lead before it comes upon something, if only by what is round.
    pub fn free(&self, way: &Way) -> i64 {
        self.free_along(way.unit(), self.most)
    }

    /// The same, up to a length.
    fn free_along(&self, unit: Vector, length: i64) -> i64 {
        let mut free = length;
        for ring in &self.walls {
            // a root is dear: not where the whole ring lies behind, or beyond what stands nearer
            let may = |from: i64, to: i64| to > 0 && from + SLACK < free;
            if let Some((from, _)) = chord_where(ring, unit, may).filter(|(_, to)| *to > 0) {
                free = free.min(from.max(0) + SLACK);
            }
        }
        free
    }

    /// The greatest length at which a straight path on a way might end; none if there is no such length.
    pub fn longest(&self, way: &Way) -> Option<i64> {
        let unit = way.unit();
        let mut length = self.most;
        // who passes a target by has gone away from it since it was abreast
        for rings in &self.toward {
            let through = |ring: &Ring| chord(ring, unit).is_some();
            let ahead = |ring: &Ring| if through(ring) { self.most } else { seen_along(ring.0, unit).0 };
            length = length.min(rings.iter().map(ahead).max().unwrap_or(0).max(0) + SLACK);
        }
        // few ways are left by the lines about distance: what stands in the way is asked of those alone
        let ends = self.ends_along(unit, length)?;
        match self.free_along(unit, ends) {
            free if free < ends => self.ends_along(unit, free),
            _ => Some(ends),
        }
    }

    /// The greatest length up to `length` that the lines about length and distance may leave.
    fn ends_along(&self, unit: Vector, mut length: i64) -> Option<i64> {
        let least = self.least.max(0);
        if length < least {
            return None;
        }
        loop {
            let before = length;
            for rings in &self.near {
                let mut reach = None;
                for ring in rings {
                    let farther = |from: i64, to: i64| {
                        from - SLACK <= length && to + SLACK >= least && reach.is_none_or(|r| to + SLACK > r)
                    };
                    if let Some((_, to)) = chord_where(ring, unit, farther).filter(|(from, to)| farther(*from, *to)) {
                        reach = Some((to + SLACK).min(length));
                    }
                    if reach == Some(length) {
                        break;
                    }
                }
                length = reach?;
            }
            for ring in &self.out {
                let inside = |from: i64, to: i64| from + SLACK < length && length < to - SLACK;
                if let Some((from, _)) = chord_where(ring, unit, inside).filter(|(from, to)| inside(*from, *to)) {
                    length = from + SLACK;
                    if length < least {
                        return None;
                    }
                }
            }
            if length == before {
                return Some(length);
            }
        }
    }
}
