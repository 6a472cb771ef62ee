//! Upper bounds of branch and bound, computed only from circles. Directions that cannot improve on the best path
//! are not evaluated.

use super::obstacles::bars;
use super::{LAST, Line, Problem};
use crate::gap::to_side;
use crate::shape::{Vector, dot, times};
use crate::{Body, FAR, Gap, LIMIT, ONE, Point, TOUCH, Way, gap, gap_between};

/// Bound of all rounding errors in this module, in thousandths of an inch.
const SLACK: i64 = 4;

/// Returns the coordinates of a vector relative to a way: the distance along it and the distance across it, in
/// thousandths of an inch, truncated.
pub(super) fn seen_along((x, y): Vector, (ux, uy): Vector) -> (i64, i64) {
    ((times(x, ux) + times(y, uy)) / ONE, (times(x, uy) - times(y, ux)) / ONE)
}

/// Returns half the length of the chord of a circle that a way passes at distance `aside` from the center, or `None` if
/// it misses the circle.
pub(super) fn half_chord(radius: i64, aside: i64) -> Option<i64> {
    let left = radius.max(0) * radius.max(0) - aside * aside;
    u64::try_from(left).ok().and_then(|n| i64::try_from(n.isqrt()).ok())
}

/// Returns whether a thing within a circle is missed by movers within `circles` that move `far` on a way. The answer is
/// never `true` for a touched thing.
pub(super) fn misses(circles: &[(Point, i64)], (there, radius): (Point, i64), unit: Vector, far: i64) -> bool {
    circles.iter().all(|(at, own)| {
        let (ahead, aside) = seen_along(at.to(there), unit);
        let reach = radius + own + SLACK;
        aside.abs() > reach
            || ahead > far.clamp(0, 2 * LIMIT) + reach
            || ahead < 0 && ahead * ahead + aside * aside > reach * reach
    })
}

/// Returns a lower bound of the distance between a mover and a target on a way, up to a length. Returns `None` if a
/// body is not round.
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

/// A bound of the deviation of a path from a way, relative to its length.
#[derive(Clone, Copy)]
pub struct ErrorBound(i64);

impl ErrorBound {
    /// A deviation of 0.
    const NONE: ErrorBound = ErrorBound(0);

    /// Creates a bound of at most `parts` / 10,000 of the length.
    pub const fn parts(parts: i64) -> ErrorBound {
        ErrorBound(parts)
    }

    /// Returns the bound after a length.
    pub fn after(self, length: i64) -> i64 {
        if self.0 == 0 { 0 } else { length * self.0 / 10_000 + 1 }
    }

    /// Returns the bound at the center of a circle.
    fn at(self, (x, y): Vector) -> i64 {
        self.after(x.abs() + y.abs())
    }
}

/// A circle for the anchor: its center relative to the start, and its radius.
type Wavefront = (Vector, i64);

/// A relaxation of the constraints on length and distance for straight paths, as circles. It allows slightly more than
/// the constraints.
pub struct Limits {
    least: i64,
    most: i64,
    /// For each mover and constraint, circles of which the anchor must end in one.
    near: Vec<Vec<Wavefront>>,
    /// Circles in which the anchor must not end, unless it stays.
    out: Vec<Wavefront>,
    /// For each `toward` constraint, the circles of its targets. A path reaches one of them, or ends before it has
    /// passed all.
    toward: Vec<Vec<Wavefront>>,
    /// Circles that no path enters, each with a lower bound of the length to it, in ascending order.
    walls: Vec<(i64, Wavefront)>,
}

/// Passes discs inside a body to `note`: the body itself if it is a disc, otherwise its corners and the largest disc
/// around its place.
fn discs_in(body: &Body, note: &mut dyn FnMut(Point, i64)) {
    let core = body.core();
    core.points.iter().for_each(|p| note(*p, core.radius));
    if core.holds_inside(body.place()) {
        let depth = core.sides().map(|(a, b)| to_side(body.place(), a, b)).map(|(num, den)| (num / den).isqrt()).min();
        note(body.place(), depth.and_then(|d| i64::try_from(d).ok()).unwrap_or(0));
    }
}

/// Returns the circles of obstacles that are not touched at the start.
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

/// Returns the range in which a way is inside a circle, or `None` if it misses it.
fn chord(ring: &Wavefront, unit: Vector) -> Option<(i64, i64)> {
    chord_where(ring, unit, |_, _| true)
}

/// Returns the range like [`chord`], but only if `may` holds for the widest possible range.
fn chord_where((middle, radius): &Wavefront, unit: Vector, may: impl Fn(i64, i64) -> bool) -> Option<(i64, i64)> {
    let (ahead, aside) = seen_along(*middle, unit);
    if !may(ahead - radius, ahead + radius) {
        return None;
    }
    half_chord(*radius, aside).map(|half| (ahead - half, ahead + half))
}

/// Returns whether a path of length `most` can enter a circle.
fn reaches((middle, radius): &Wavefront, most: i64) -> bool {
    let far = i128::from(radius.max(&0) + most.max(0) + 2 * SLACK);
    dot(*middle, *middle) <= far * far
}

impl Limits {
    /// Computes the limits of a problem. They are weaker if something is not round or if lengths are costs.
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
                    // for a group of movers, another member can become the nearer one
                    Line::Toward(of)
                        if round(of) && problem.bend() == 0 && !of.is_empty() && problem.movers.len() == 1 =>
                    {
                        limits.toward.push(of.iter().map(|x| ring(x, TOUCH + SLACK)).collect());
                    }
                    Line::NoNearerTo(all) => {
                        for x in all.iter().filter(|x| round(x)) {
                            let from = gap_between(std::slice::from_ref(mover), x).map_or(FAR, |g: Gap| g.floor());
                            if from == 0 {
                                // the distance to a touched body cannot decrease
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

    /// Returns the minimum length of a path.
    pub fn least(&self) -> i64 {
        self.least
    }

    /// Returns the lengths on a way that the distance constraints forbid, as open intervals.
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

    /// Returns an upper bound of the length, at most `length`, of a straight path before it meets an obstacle.
    fn free_along(&self, unit: Vector, length: i64, error: i64) -> i64 {
        let mut free = length;
        for (soonest, ring) in &self.walls {
            if *soonest > free {
                break;
            }
            if ring.1 <= error {
                continue;
            }
            // skip the root if no part of the circle is ahead of the start, or if an obstacle is nearer
            let may = |from: i64, to: i64| to > 0 && from + SLACK < free;
            if let Some((from, _)) = chord_where(&(ring.0, ring.1 - error), unit, may).filter(|(_, to)| *to > 0) {
                free = free.min(from.max(0) + SLACK);
            }
        }
        free
    }

    /// Returns whether the limits rule out a straight path from one point to another.
    pub fn bar(&self, start: Point, end: Point) -> bool {
        let length = i64::try_from(start.squared_to(end).isqrt()).unwrap_or(LIMIT);
        Way::toward(start, end).is_some_and(|way| self.longest(&way).is_none_or(|most| most < length))
    }

    /// Returns an upper bound of the length of a straight path on a way, or `None` if no length is possible.
    pub fn longest(&self, way: &Way) -> Option<i64> {
        self.longest_about(way, ErrorBound::NONE)
    }

    /// Returns an upper bound like [`Limits::longest`] for all directions that deviate from this one by at most `error`.
    pub fn longest_about(&self, way: &Way, error: ErrorBound) -> Option<i64> {
        let unit = way.unit();
        let mut length = self.most;
        // a path that passes a target moves away from it
        for rings in &self.toward {
            let ahead = |(middle, radius): &Wavefront| {
                let error = error.at(*middle);
                let through = chord(&(*middle, radius + error), unit).is_some_and(|(_, to)| to > 0);
                if through { self.most } else { seen_along(*middle, unit).0 + error }
            };
            length = length.min(rings.iter().map(ahead).max().unwrap_or(0).max(0) + LAST / 2 + SLACK);
        }
        // the distance constraints leave few directions, so obstacles are tested only for those
        let error = error.after(self.most);
        let ends = self.ends_along(unit, length, error)?;
        match self.free_along(unit, ends, error) {
            free if free < ends => self.ends_along(unit, free, error),
            _ => Some(ends),
        }
    }

    /// Returns an upper bound, at most `length`, of the lengths that the length and distance constraints allow.
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
