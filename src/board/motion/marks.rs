//! The lengths on a lane where the answer to some line changes.

use super::lane::{Lane, changes, under_way};
use super::{Line, Problem};
use crate::board::gap::core_gap;
use crate::board::shape::Core;
use crate::board::{Body, Gap, Point, Way};

/// A convex piece of a body: a point or one side, with the radius around it.
fn pieces(body: &Body) -> Vec<Core> {
    let core = body.core();
    core.sides().map(|(a, b)| Core { points: if a == b { vec![a] } else { vec![a, b] }, radius: core.radius }).collect()
}

/// The distance between a piece that goes along a way and one that stays; it falls, then rises.
struct Glide<'a> {
    moving: &'a Core,
    still: &'a Core,
    way: &'a Way,
}

impl Glide<'_> {
    fn at(&self, d: i64) -> Gap {
        let origin = Point::default();
        let by = self.way.point(origin, d);
        let points = self.moving.points.iter().map(|p| p.shifted(by.x, by.y)).collect();
        core_gap(&Core { points, radius: self.moving.radius }, self.still)
    }

    /// The length at which they are nearest, by trisection.
    fn nearest(&self, far: i64) -> i64 {
        let (mut low, mut high) = (0, far.max(0));
        while high - low > 8 {
            let third = (high - low) / 3;
            if self.at(low + third) <= self.at(high - third) { high -= third } else { low += third }
        }
        (low..=high).min_by_key(|d| self.at(*d)).unwrap_or(low)
    }

    /// The first length in `low..=high` for which `now` holds, which must fail before and hold from there on.
    fn turn(&self, mut low: i64, mut high: i64, now: impl Fn(Gap) -> bool) -> i64 {
        while low < high {
            let mid = low + (high - low) / 2;
            if now(self.at(mid)) { high = mid } else { low = mid + 1 }
        }
        low
    }
}

/// The lengths, from 0 to the lane's reach, next to which the greatest or the least legal one must lie: where lines
/// about length, distance and conditions change, their neighbours within 2/1000", and one between each two. Sorted.
pub(super) fn marks(problem: &mut Problem, lane: &Lane) -> Vec<i64> {
    let far = problem.most().map_or(lane.reach, |m| m.min(lane.reach));
    if far < 0 {
        return Vec::new();
    }
    let mut at = vec![0, far, lane.reach];
    at.extend(lane.target);
    let bodies = under_way(problem, &lane.way);
    let moving: Vec<Core> = bodies.iter().flat_map(pieces).collect();
    let mut asked = Vec::new();
    for (id, line) in &problem.lines {
        let each = |of: &[Body], note: &mut dyn FnMut(&Glide, i64)| {
            for still in of.iter().flat_map(pieces) {
                for m in &moving {
                    let glide = Glide { moving: m, still: &still, way: &lane.way };
                    let nearest = glide.nearest(far);
                    note(&glide, nearest);
                }
            }
        };
        match line {
            Line::AtLeast(d) | Line::AtMost(d) | Line::Exactly(d) => at.push(*d),
            Line::Toward(target) => each(target, &mut |_, nearest| at.push(nearest)),
            Line::EndsWithin { distance, of } => each(of, &mut |glide, nearest| {
                at.push(nearest);
                if glide.at(nearest).at_most(*distance) {
                    at.push(glide.turn(0, nearest, |g| g.at_most(*distance)));
                    at.push(glide.turn(nearest, far, |g| !g.at_most(*distance)));
                }
            }),
            Line::NoNearerTo(all) => {
                for x in all {
                    each(x, &mut |glide, nearest| {
                        at.push(nearest);
                        let before = glide.at(0);
                        at.push(glide.turn(nearest, far, |g| g >= before));
                    });
                }
            }
            Line::EndsWhere => asked.push(*id),
            _ => {}
        }
    }
    for id in asked {
        let mut ask = |d: i64| {
            let pose = lane.pose(problem, d);
            (problem.test)(id, pose)
        };
        at.extend(changes(far, &mut ask).into_iter().map(|(d, _)| d));
    }
    spread(at, far)
}

fn spread(mut at: Vec<i64>, far: i64) -> Vec<i64> {
    at.iter_mut().for_each(|d| *d = (*d).clamp(0, far));
    at.sort_unstable();
    at.dedup();
    let between: Vec<i64> = at.windows(2).map(|w| w[0] + (w[1] - w[0]) / 2).collect();
    let mut out: Vec<i64> =
        at.iter().flat_map(|d| d - 2..=d + 2).chain(between).filter(|d| (0..=far).contains(d)).collect();
    out.sort_unstable();
    out.dedup();
    out
}
