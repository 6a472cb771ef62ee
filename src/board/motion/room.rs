//! Where the lines about length and distance leave room for an end, or nearly so: worked out once, asked of many points.

use super::{Line, Problem};
use crate::board::{Body, FAR, LIMIT, Point, dist, gap};

/// Points are told to so many thousandths of an inch.
const SLACK: i64 = 8;

/// A mover, by its number, and a body that it must be near to or must not.
struct Pair {
    mover: usize,
    body: Body,
    distance: i64,
}

/// What the lines leave; of movers that are not round nothing is told, as they may turn, nor of lengths that are costs.
pub(super) struct Room {
    start: Point,
    movers: Vec<Body>,
    least: i64,
    most: i64,
    /// Of each of these one pair is no farther apart.
    near: Vec<Vec<Pair>>,
    /// Each of these is farther apart.
    off: Vec<Pair>,
}

impl Room {
    /// Of a problem.
    pub fn of(problem: &Problem) -> Room {
        let start = problem.start().at;
        let movers = problem.movers.clone();
        let mut room = Room { start, movers, least: 0, most: FAR, near: Vec::new(), off: Vec::new() };
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
                            room.off.extend(room.pairs(mover, x, before - SLACK));
                        }
                    }
                    _ => {}
                }
            }
        }
        room
    }

    /// The pairs of a mover with each of some bodies; those that never come so near are left out.
    fn pairs(&self, mover: usize, of: &[Body], distance: i64) -> Vec<Pair> {
        if distance < 0 {
            return Vec::new();
        }
        let (from, own) = self.movers[mover].around();
        let may_come = |body: &&Body| {
            let (at, radius) = body.around();
            let far = distance.min(FAR) + self.most.clamp(0, FAR) + own + radius + 2 * SLACK;
            from.squared_to(at) <= i128::from(far).pow(2)
        };
        of.iter().filter(may_come).map(|body| Pair { mover, body: body.clone(), distance }).collect()
    }

    /// True if the lines leave a point as an end, or nearly so.
    pub fn holds(&self, end: Point) -> bool {
        let length = i64::try_from(self.start.squared_to(end).isqrt()).unwrap_or(LIMIT);
        if length + SLACK < self.least || length - SLACK > self.most {
            return false;
        }
        let within = |pair: &Pair| {
            let mover = &self.movers[pair.mover];
            let there = mover.moved_to(mover.at.shifted(end.x - self.start.x, end.y - self.start.y));
            gap(&there, &pair.body).at_most(pair.distance)
        };
        self.near.iter().all(|pairs| pairs.iter().any(within)) && !self.off.iter().any(within)
    }
}
