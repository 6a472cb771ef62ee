//! Upper bounds of branch and bound, from circles alone: ways that cannot better what is found are not looked down.

use super::obstacles::bars;
use super::{LAST, Line, Problem};
use crate::gap::to_side;
use crate::shape::{Vector, dot, times};
use crate::{Body, FAR, Gap, LIMIT, ONE, Point, TOUCH, Way, gap, gap_between};

/// Everything here is rounded by less than this many thousandths of an inch.
const SLACK: i64 = 4;

/// Where a point lies as seen along a way: how far on it is nearest, and how far aside it stays, in thousandths of an
/// inch, cut.
pub(super) fn seen_along((x, y): Vector, (ux, uy): Vector) -> (i64, i64) {
    ((times(x, ux) + times(y, uy)) / ONE, (times(x, uy) - times(y, ux)) / ONE)
}

/// Half of what a way runs within `radius` of a point that it passes so far aside; none if it does not come so near.
pub(super) fn half_chord(radius: i64, aside: i64) -> Option<i64> {
    let left = radius.max(0) * radius.max(0) - aside * aside;
    u64::try_from(left).ok().and_then(|n| i64::try_from(n.isqrt()).ok())
}

/// True if a thing around `there` with that radius is missed by movers around `circles` that go so far on a way, none of
/// them wider than their circle. It is never said of what is touched.
pub(super) fn misses(circles: &[(Point, i64)], (there, radius): (Point, i64), unit: Vector, far: i64) -> bool {
    circles.iter().all(|(at, own)| {
        let (ahead, aside) = seen_along(at.to(there), unit);
        let reach = radius + own + SLACK;
        aside.abs() > reach
            || ahead > far.clamp(0, 2 * LIMIT) + reach
            || ahead < 0 && ahead * ahead + aside * aside > reach * reach
    })
}

/// How near a mover comes to a target at least on a way, within a length, a little less than is true; none if that is
/// not told by circles.
pub(super) fn nearest_along(movers: &[Body], target: &[Body], way: &Way, length: i64) -> Option<i64> {
    if !movers.iter().chain(target).all(Body::is_round) {
        return None;
    }
    let unit = way.unit();
    let off = |(mover, body): (&Body, &Body)| {
        let (ahead, aside) = seen_along(mover.place().to(body.place()), unit);
        let short = (ahead - length).max(0);
        let middles = i64::try_from((short * short + aside * aside).unsigned_abs().isqrt()).unwrap_or(0);
        (middles - mover.radius() - body.radius() - SLACK).max(0)
    };
    movers.iter().flat_map(|m| target.iter().map(move |b| (m, b))).map(off).min()
}

/// By which part of its length a path may be off from the way it is told by.
#[derive(Clone, Copy)]
pub struct ErrorBound(i64);

impl ErrorBound {
    /// Not at all.
    const NONE: ErrorBound = ErrorBound(0);

    /// By so many parts in 10,000.
    pub const fn parts(parts: i64) -> ErrorBound {
        ErrorBound(parts)
    }

    /// How far off it may be after a length.
    pub fn after(self, length: i64) -> i64 {
        if self.0 == 0 { 0 } else { length * self.0 / 10_000 + 1 }
    }

    /// How far off it may be at the middle of a ring.
    fn at(self, (x, y): Vector) -> i64 {
        self.after(x.abs() + y.abs())
    }
}

/// A circle as an anchor at the start sees its middle, with its radius.
type Wavefront = (Vector, i64);

/// What the lines about length and distance leave of straight paths, as circles: a little more than is legal.
pub struct Limits {
    least: i64,
    most: i64,
    /// For each mover and line, circles of which the anchor ends in one.
    near: Vec<Vec<Wavefront>>,
    /// Circles in which the anchor does not end, if it goes at all.
    out: Vec<Wavefront>,
    /// For each `toward` line, circles of which a path comes into one, or it ends before it passes by all of them.
    toward: Vec<Vec<Wavefront>>,
    /// Circles that no path goes into, by how soon one might at least, each with that.
    walls: Vec<(i64, Wavefront)>,
}

/// Discs that lie in a body: itself if it is one, else its corners and the widest around its place.
fn discs_in(body: &Body, note: &mut dyn FnMut(Point, i64)) {
    let core = body.core();
    core.points.iter().for_each(|p| note(*p, core.radius));
    if core.holds_inside(body.place()) {
        let depth = core.sides().map(|(a, b)| to_side(body.place(), a, b)).map(|(num, den)| (num / den).isqrt()).min();
        note(body.place(), depth.and_then(|d| i64::try_from(d).ok()).unwrap_or(0));
    }
}

/// What stops a path and is not touched yet.
fn walls(problem: &Problem, most: i64) -> Vec<(i64, Wavefront)> {
    let mut walls = Vec::with_capacity(problem.things.len());
    for thing in problem.things.iter().filter(|t| bars(problem, t)) {
        for mover in &problem.movers {
            let (middle, radius) = thing.around;
            let around = (mover.place().to(middle), radius + mover.radius());
            let near = || reaches(&around, 0) && gap(mover, &thing.body).at_most(SLACK);
            if !reaches(&around, most) || near() {
                continue;
            }
            discs_in(&thing.body, &mut |at, radius| {
                let ring = (mover.place().to(at), radius + mover.radius() - SLACK);
                if ring.1 > 0 && reaches(&ring, most) {
                    let apart = i64::try_from(dot(ring.0, ring.0).isqrt()).unwrap_or(0);
                    walls.push((apart - ring.1 - SLACK, ring));
                }
            });
        }
    }
    walls.sort_unstable();
    walls
}

/// What a way runs through a ring, from and to; none if it passes by.
fn chord(ring: &Wavefront, unit: Vector) -> Option<(i64, i64)> {
    chord_where(ring, unit, |_, _| true)
}

/// The same where `may` holds for the widest that the ring could be run through.
fn chord_where((middle, radius): &Wavefront, unit: Vector, may: impl Fn(i64, i64) -> bool) -> Option<(i64, i64)> {
    let (ahead, aside) = seen_along(*middle, unit);
    if !may(ahead - radius, ahead + radius) {
        return None;
    }
    half_chord(*radius, aside).map(|half| (ahead - half, ahead + half))
}

/// True if a path so long may come into a ring.
fn reaches((middle, radius): &Wavefront, most: i64) -> bool {
    let far = i128::from(radius.max(&0) + most.max(0) + 2 * SLACK);
    dot(*middle, *middle) <= far * far
}

impl Limits {
    /// Of a problem; where something is not round, or lengths are costs, less is told.
    pub fn of(problem: &Problem) -> Limits {
        let free = problem.costs().is_some();
        let ends = |l: &Line| matches!(l, Line::StopsOnContact(_) | Line::StopsWhere | Line::Along(_));
        let stops = problem.lines.iter().any(|(_, l)| ends(l));
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

    /// No path is shorter.
    pub fn least(&self) -> i64 {
        self.least
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

    /// How far a straight path, no longer than some length, might lead before it comes upon something.
    fn free_along(&self, unit: Vector, length: i64, error: i64) -> i64 {
        let mut free = length;
        for (soonest, ring) in &self.walls {
            if *soonest > free {
                break;
            }
            if ring.1 <= error {
                continue;
            }
            // a root is dear: not where the whole ring lies behind, or beyond what stands nearer
            let may = |from: i64, to: i64| to > 0 && from + SLACK < free;
            if let Some((from, _)) = chord_where(&(ring.0, ring.1 - error), unit, may).filter(|(_, to)| *to > 0) {
                free = free.min(from.max(0) + SLACK);
            }
        }
        free
    }

    /// True if no straight path leads from one point to another.
    pub fn bar(&self, start: Point, end: Point) -> bool {
        let length = i64::try_from(start.squared_to(end).isqrt()).unwrap_or(LIMIT);
        Way::toward(start, end).is_some_and(|way| self.longest(&way).is_none_or(|most| most < length))
    }

    /// The greatest length at which a straight path on a way might end; none if there is no such length.
    pub fn longest(&self, way: &Way) -> Option<i64> {
        self.longest_about(way, ErrorBound::NONE)
    }

    /// The same of all ways that are off from this one by no more than `error`.
    pub fn longest_about(&self, way: &Way, error: ErrorBound) -> Option<i64> {
        let unit = way.unit();
        let mut length = self.most;
        // who passes a target by has gone away from it since it was abreast
        for rings in &self.toward {
            let ahead = |(middle, radius): &Wavefront| {
                let error = error.at(*middle);
                let through = chord(&(*middle, radius + error), unit).is_some_and(|(_, to)| to > 0);
                if through { self.most } else { seen_along(*middle, unit).0 + error }
            };
            length = length.min(rings.iter().map(ahead).max().unwrap_or(0).max(0) + LAST / 2 + SLACK);
        }
        // few ways are left by the lines about distance: what stands in the way is asked of those alone
        let error = error.after(self.most);
        let ends = self.ends_along(unit, length, error)?;
        match self.free_along(unit, ends, error) {
            free if free < ends => self.ends_along(unit, free, error),
            _ => Some(ends),
        }
    }

    /// The greatest length up to `length` that the lines about length and distance may leave.
    fn ends_along(&self, unit: Vector, mut length: i64, error: i64) -> Option<i64> {
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
                    if let Some((_, to)) =
                        chord_where(&(ring.0, ring.1 + error), unit, farther).filter(|(from, to)| farther(*from, *to))
                    {
                        reach = Some((to + SLACK).min(length));
                    }
                    if reach == Some(length) {
                        break;
                    }
                }
                length = reach?;
            }
            for ring in self.out.iter().filter(|ring| ring.1 > error) {
                let inside = |from: i64, to: i64| from + SLACK < length && length < to - SLACK;
                if let Some((from, _)) =
                    chord_where(&(ring.0, ring.1 - error), unit, inside).filter(|(from, to)| inside(*from, *to))
                {
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
