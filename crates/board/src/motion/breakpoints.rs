//! Breakpoints: the lengths on a candidate where the result of a constraint changes.

use super::bound::{half_chord, seen_along};
use super::candidate::{Candidate, changes, under_way};
use super::track::Leg;
use super::{Line, Problem};
use crate::gap::core_gap;
use crate::shape::Core;
use crate::{Body, Gap, LIMIT, Point, Way};
use smallvec::smallvec;

/// Returns the convex pieces of a body: points or sides, with the radius around them.
fn pieces(body: &Body) -> Vec<Core> {
    let core = body.core();
    core.sides()
        .map(|(a, b)| Core { points: if a == b { smallvec![a] } else { smallvec![a, b] }, radius: core.radius })
        .collect()
}

/// The distance between a piece that moves along a way and one that does not, as a function of the length. It
/// decreases, then increases.
struct Glide<'a> {
    moving: &'a Core,
    still: &'a Core,
    way: &'a Way,
}

impl Glide<'_> {
    fn at(&self, d: i64) -> Gap {
        let by = self.way.point(Point::default(), d);
        if let Some((p, q)) = self.points() {
            return Gap::round(p.shifted(by.x, by.y), q, self.moving.radius + self.still.radius);
        }
        let points = self.moving.points.iter().map(|p| p.shifted(by.x, by.y)).collect();
        core_gap(&Core { points, radius: self.moving.radius }, self.still)
    }

    /// Returns the two centers if both pieces are discs or points.
    fn points(&self) -> Option<(Point, Point)> {
        match (self.moving.points.as_slice(), self.still.points.as_slice()) {
            ([p], [q]) => Some((*p, *q)),
            _ => None,
        }
    }

    /// Returns the length at which the pieces are nearest, by ternary search.
    fn nearest(&self, far: i64) -> i64 {
        let (mut low, mut high) = (0, far.max(0));
        if let Some((p, q)) = self.points() {
            let (ahead, _) = seen_along(p.to(q), self.way.unit());
            (low, high) = ((ahead - 3).clamp(0, high), (ahead + 3).clamp(0, high));
        }
        while high - low > 8 {
            let third = (high - low) / 3;
            if self.at(low + third) <= self.at(high - third) { high -= third } else { low += third }
        }
        (low..=high).min_by_key(|d| self.at(*d)).unwrap_or(low)
    }

    /// Returns estimates of the lengths at which the pieces have this distance, before and after they are nearest, or
    /// `None` if they are not discs or points.
    fn guess(&self, distance: i64) -> Option<(i64, i64)> {
        let (p, q) = self.points()?;
        let (ahead, aside) = seen_along(p.to(q), self.way.unit());
        let half = half_chord(distance + self.moving.radius + self.still.radius, aside)?;
        Some((ahead - half, ahead + half))
    }

    /// Returns the first length in `low..=high` for which `now` holds, by binary search that starts at `guess`. The
    /// predicate must be monotonic.
    fn turn(&self, mut low: i64, mut high: i64, guess: Option<i64>, now: impl Fn(Gap) -> bool) -> i64 {
        if let Some(guess) = guess {
            let (a, b) = ((guess - 4).clamp(low, high), (guess + 4).clamp(low, high));
            if a > low && !now(self.at(a)) {
                low = a;
            }
            if b < high && now(self.at(b)) {
                high = b;
            }
        }
        while low < high {
            let mid = low + (high - low) / 2;
            if now(self.at(mid)) { high = mid } else { low = mid + 1 }
        }
        low
    }
}

/// Returns the lengths, from 0 to the reach of the candidate, next to which the maximum or minimum legal length must
/// be, in ascending order. These are the breakpoints of constraints on length, distance and conditions, their neighbors
/// within 2/1000", and one length between each two.
pub(super) fn marks(problem: &mut Problem, candidate: &Candidate) -> Vec<i64> {
    let far = candidate.far(problem);
    if far < 0 {
        return Vec::new();
    }
    let mut at = vec![0, far, candidate.reach];
    at.extend(candidate.target);
    at.extend(candidate.track.legs.iter().map(|l| l.at));
    let mut asked = Vec::new();
    for (id, line) in &problem.lines {
        match line {
            Line::AtLeast(d) | Line::AtMost(d) | Line::Exactly(d) => {
                // the first length that reaches `d`, and the last that does not exceed it
                at.extend([candidate.lasts(d.saturating_sub(1)).saturating_add(1), candidate.lasts(*d)]);
            }
            Line::EndsWhere => asked.push(*id),
            _ => {}
        }
    }
    for (leg, until) in candidate.track.pieces() {
        let on_leg = (until.min(far) - leg.at).max(0);
        if leg.at <= far {
            distances(problem, leg, on_leg, &mut |d| at.push(leg.at + d));
        }
    }
    for id in asked {
        let mut ask = |d: i64| {
            let pose = candidate.pose(problem, d);
            problem.judge.holds(id, pose)
        };
        at.extend(changes(far, &mut ask).into_iter().map(|(d, _)| d));
    }
    spread(at, far)
}

/// Passes the breakpoints of distance constraints on one leg to `note`.
fn distances(problem: &Problem, leg: &Leg, far: i64, note: &mut dyn FnMut(i64)) {
    let moving: Vec<Core> = under_way(problem, leg).iter().flat_map(pieces).collect();
    let start: Vec<Core> = problem.movers.iter().flat_map(pieces).collect();
    for (_, line) in &problem.lines {
        let each = |of: &[Body], note: &mut dyn FnMut(&Glide, i64, &Core)| {
            for still in of.iter().flat_map(pieces) {
                for (m, from) in moving.iter().zip(&start) {
                    let glide = Glide { moving: m, still: &still, way: &leg.way };
                    let nearest = glide.nearest(far);
                    note(&glide, nearest, from);
                }
            }
        };
        match line {
            Line::Toward(target) => each(target, &mut |_, nearest, _| note(nearest)),
            Line::EndsWithin { distance, of } => each(of, &mut |glide, nearest, _| {
                note(nearest);
                if glide.at(nearest).at_most(*distance) {
                    let (enters, leaves) = glide.guess((*distance).min(LIMIT)).unzip();
                    note(glide.turn(0, nearest, enters, |g| g.at_most(*distance)));
                    note(glide.turn(nearest, far, leaves, |g| !g.at_most(*distance)));
                }
            }),
            Line::NoNearerTo(all) => {
                for x in all {
                    each(x, &mut |glide, nearest, from| {
                        note(nearest);
                        if nearest == 0 {
                            return;
                        }
                        let before = core_gap(from, glide.still);
                        let again = glide.points().map(|_| 2 * nearest);
                        note(glide.turn(0, nearest, again.map(|_| 0), |g| g < before) - 1);
                        note(glide.turn(nearest, far, again, |g| g >= before));
                    });
                }
            }
            _ => {}
        }
    }
}

fn spread(mut at: Vec<i64>, far: i64) -> Vec<i64> {
    at.iter_mut().for_each(|d| *d = (*d).clamp(0, far));
    at.sort_unstable();
    at.dedup();
    let between = at.windows(2).map(|w| w[0] + (w[1] - w[0]) / 2);
    let mut out = Vec::with_capacity(6 * at.len());
    out.extend(at.iter().flat_map(|d| d - 2..=d + 2).chain(between).filter(|d| (0..=far).contains(d)));
    out.sort_unstable();
    out.dedup();
    out
}
