//! The feasible region: where the length and distance constraints allow an end, within a tolerance. It is built once
//! and queried for many points.

use super::{Line, Problem};
use crate::{Body, FAR, LIMIT, Point, dist, gap};

/// Tolerance in thousandths of an inch.
const SLACK: i64 = 8;

/// A mover and a body, with a distance that they must or must not exceed.
enum Pair {
    /// Both are round: the position of the anchor at which their centers coincide, and the maximum distance from it.
    Round(Point, i64),
    /// The index of the mover, the body, and the distance between them.
    Any(usize, Body, i64),
}

/// The feasible region. It does not restrict movers that are not round, because they can turn, and lengths that are
/// costs.
pub(super) struct FeasibleRegion {
    start: Point,
    movers: Vec<Body>,
    least: i64,
    most: i64,
    /// In each of these lists, one pair must be at most this far apart.
    near: Vec<Vec<Pair>>,
    /// Each of these pairs must be farther apart.
    off: Vec<Pair>,
}

impl FeasibleRegion {
    /// Builds the region of a problem.
    pub fn of(problem: &Problem) -> FeasibleRegion {
        let start = problem.start().at;
        let movers = problem.movers.clone();
        let mut room = FeasibleRegion { start, movers, least: 0, most: FAR, near: Vec::new(), off: Vec::new() };
        if problem.costs().is_some() || !problem.movers.iter().all(Body::is_round) {
            return room;
        }
        let stops = problem.lines.iter().any(|(_, l)| matches!(l, Line::StopsOnContact(_) | Line::StopsWhere));
        room.least = if stops || problem.bend() > 0 { 0 } else { problem.least() };
        room.most = problem.most().unwrap_or(FAR);
        for (_, line) in &problem.lines {
            for mover in 0..problem.movers.len() {
                match line {
                    Line::EndsWithin { distance, of } => {
                        let pairs = room.pairs(mover, of, distance.saturating_add(SLACK));
                        room.near.push(pairs);
                    }
                    Line::NoNearerTo(all) => {
                        for x in all {
                            let before = dist(std::slice::from_ref(&problem.movers[mover]), x).unwrap_or(FAR);
                            let pairs = room.pairs(mover, x, before - SLACK);
                            room.off.extend(pairs);
                        }
                    }
                    _ => {}
                }
            }
        }
        room
    }

    /// Returns the pairs of a mover with some bodies, without the pairs that can never come so near.
    fn pairs(&self, mover: usize, of: &[Body], distance: i64) -> Vec<Pair> {
        if distance < 0 {
            return Vec::new();
        }
        let distance = distance.min(FAR);
        let (from, own) = self.movers[mover].around();
        let mut out = Vec::new();
        for body in of {
            let (at, radius) = body.around();
            let reach = distance + own + radius;
            if from.squared_to(at) > i128::from(reach + self.most.clamp(0, FAR) + 2 * SLACK).pow(2) {
                continue;
            }
            let (dx, dy) = (at.x - from.x, at.y - from.y);
            out.push(match body.is_round() {
                true => Pair::Round(self.start.shifted(dx, dy), reach),
                false => Pair::Any(mover, body.clone(), distance),
            });
        }
        out
    }

    /// Returns whether the region contains a point, within the tolerance.
    pub fn holds(&self, end: Point) -> bool {
        let length = i64::try_from(self.start.squared_to(end).isqrt()).unwrap_or(LIMIT);
        if length + SLACK < self.least || length - SLACK > self.most {
            return false;
        }
        let within = |pair: &Pair| match pair {
            Pair::Round(at, reach) => at.squared_to(end) <= i128::from(*reach).pow(2),
            Pair::Any(mover, body, distance) => {
                let mover = &self.movers[*mover];
                let there = mover.moved_to(mover.at.shifted(end.x - self.start.x, end.y - self.start.y));
                gap(&there, body).at_most(*distance)
            }
        };
        self.near.iter().all(|pairs| pairs.iter().any(within)) && !self.off.iter().any(within)
    }
}
