//! The canonical path of a move, and whether there is another.

use super::check::settle_plain;
use super::circles::corners;
use super::judge::{Trial, in_fan, judge, path, way_to};
use super::lane::{Lane, lane};
use super::marks::marks;
use super::{Line, Path, Problem, Searched, Solution};
use crate::board::{Body, CIRCLE, Point, Way, bearing, normal, turn_between};

/// The first fan of bearings, in hundredths of a degree.
const FAN: i64 = 500;

/// The second fan.
const FINE_FAN: i64 = 100;

/// No more grid points than this are tried before a move is called impossible.
const POINTS: usize = 4096;

/// The best path so far: what counts first stands first; less is better.
type Rank = (i64, i64, i64, i64);

struct Hunt {
    /// The bearing that turning is counted from.
    wanted: i64,
    best: Option<(Rank, Path)>,
    /// True once two legal paths with different ends were seen.
    choice: bool,
    searched: Searched,
}

/// The canonical path. Among the legal straight paths it is the longest; then the one that turns least, from the
/// bearing of the first `toward` line or else from the facing; then the one with the lowest bearing. With `toward` it
/// ends where the target is reached, and only as far beyond as the lines force it.
///
/// Tried are, over their whole length, the bearings the lines name; if they name none, the facing, the bearings to and
/// from everything the move speaks of and past everything in the way, those to the points where limits cross, and a fan
/// every 5 degrees; then, if nothing was found, every degree and the points of the grid. On each bearing the legal
/// lengths are found to the thousandth. A move without any line is no move: the mover stays.
pub fn canonical(problem: &mut Problem) -> Solution {
    let unsolved = problem.unsolved();
    if !unsolved.is_empty() {
        return Solution::Unknown(Searched {
            unsolved,
            ..Searched::default()
        });
    }
    let start = problem.start();
    let idle = |l: &Line| {
        matches!(
            l,
            Line::KeepsFacing | Line::Through(_) | Line::StopsOnContact(_) | Line::StraightFor(_)
        )
    };
    if problem.movers.is_empty() || problem.lines.iter().all(|(_, l)| idle(l)) {
        let still = lane(problem, Way::bearing(start.facing));
        return Solution::Forced(path(
            problem,
            &Trial {
                lane: &still,
                d: 0,
                end: start.at,
            },
        ));
    }
    let toward = problem.lines.iter().find_map(|(_, l)| match l {
        Line::Toward(target) => way_to(&problem.movers, target),
        _ => None,
    });
    let mut hunt = Hunt {
        wanted: toward.map_or(start.facing, |w| w.angle()),
        best: None,
        choice: false,
        searched: Searched::default(),
    };
    let named = named(problem);
    if named.is_empty() {
        let ways = fan(problem, toward, FAN);
        hunt.over(problem, ways);
        hunt.searched.apart = FAN;
        if hunt.best.is_none() {
            let ways = fan(problem, toward, FINE_FAN);
            hunt.over(problem, ways);
            hunt.searched.apart = FINE_FAN;
        }
        if hunt.best.is_none() {
            hunt.grid(problem);
        }
    } else {
        hunt.over(problem, named);
    }
    hunt.verdict(problem)
}

impl Hunt {
    fn over(&mut self, problem: &mut Problem, mut ways: Vec<Way>) {
        ways.sort_by_key(|w| (turn_between(w.angle(), self.wanted), w.angle()));
        // an exact way and a rounded one may share a bearing: both are looked at
        ways.dedup();
        let most = problem.most();
        for way in ways {
            self.searched.bearings += 1;
            let lane = lane(problem, way);
            self.along(problem, &lane);
            // the rest turn more; none can be longer than the lines allow
            let full = |(rank, _): &(Rank, Path)| rank.0 == 0 && most.is_some_and(|m| -rank.1 >= m);
            if self.choice && self.best.as_ref().is_some_and(full) {
                break;
            }
        }
    }

    /// The best path on one lane, and whether there is another.
    fn along(&mut self, problem: &mut Problem, lane: &Lane) {
        let marks = marks(problem, lane);
        let split = lane
            .target
            .map_or(marks.len(), |t| marks.partition_point(|d| *d <= t));
        let (near, past) = marks.split_at(split);
        let mut found = 0;
        // up to the target the longest first, then past it the shortest first
        for d in near.iter().rev().chain(past) {
            let trial = Trial {
                lane,
                d: *d,
                end: lane.pose(problem, *d).at,
            };
            if judge(problem, &trial).is_empty() {
                let past = lane.target.map_or(0, |t| (d - t).max(0));
                self.take(path(problem, &trial), past);
                found += 1;
                if found == 2 || self.choice {
                    break;
                }
            }
        }
    }

    fn take(&mut self, path: Path, past: i64) {
        let turn = if path.covered == 0 {
            0
        } else {
            turn_between(path.bearing, self.wanted)
        };
        let rank = (past, -path.covered, turn, path.bearing);
        match &self.best {
            None => self.best = Some((rank, path)),
            Some((old, other)) => {
                self.choice |= other.end != path.end;
                if rank < *old {
                    self.best = Some((rank, path));
                }
            }
        }
    }

    /// Tries the points of the grid within reach.
    fn grid(&mut self, problem: &mut Problem) {
        let start = problem.start().at;
        let (points, _) = grid_points(problem, POINTS);
        for end in points {
            self.searched.points += 1;
            if end == start {
                continue;
            }
            if let Some(path) = settle_plain(problem, end) {
                self.take(path, 0);
            }
        }
    }

    fn verdict(self, problem: &mut Problem) -> Solution {
        // where a path may bend and something to be avoided cuts the straight one short, a bend could do better
        let bends: Vec<usize> = problem
            .lines
            .iter()
            .filter(|(_, l)| matches!(l, Line::BendsAtMost(a) if *a > 0))
            .map(|(id, _)| *id)
            .collect();
        let full = |p: &Path| problem.most().is_some_and(|m| p.covered >= m);
        if !bends.is_empty() && !self.best.as_ref().is_some_and(|(_, p)| full(p)) {
            let way = self
                .best
                .as_ref()
                .map_or(Way::bearing(self.wanted), |(_, p)| Way::bearing(p.bearing));
            if self.best.is_none() || lane(problem, way).avoiding {
                return Solution::Unknown(Searched {
                    unsolved: bends,
                    ..self.searched
                });
            }
        }
        match self.best {
            Some((_, path)) if self.choice => Solution::Free(path),
            Some((_, path)) => Solution::Forced(path),
            None => Solution::Impossible(self.searched),
        }
    }
}

/// The ways the lines leave, if they name single ones.
fn named(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let way = |l: &Line| match l {
        Line::Heading { from, to } if normal(*from) == normal(*to) => Some(Way::bearing(*from)),
        Line::AwayFrom(points) => Way::away(start, points),
        _ => None,
    };
    problem.lines.iter().filter_map(|(_, l)| way(l)).collect()
}

/// Bearings worth a look, `step` apart and between.
pub(super) fn fan(problem: &Problem, toward: Option<Way>, step: i64) -> Vec<Way> {
    let start = problem.start();
    let mut ways: Vec<Way> = toward.into_iter().collect();
    ways.push(Way::bearing(start.facing));
    ways.extend((0..CIRCLE / step).map(|k| Way::bearing(k * step)));
    let spoken: Vec<&Body> = problem
        .lines
        .iter()
        .flat_map(|(_, l)| bodies_of(l))
        .collect();
    for (_, line) in &problem.lines {
        match line {
            Line::Heading { from, to } => ways.extend([Way::bearing(*from), Way::bearing(*to)]),
            Line::Toward(target) => ways.extend(way_to(&problem.movers, target)),
            _ => {}
        }
    }
    let own = problem.movers.iter().map(Body::radius).max().unwrap_or(0);
    for body in spoken
        .iter()
        .copied()
        .chain(problem.things.iter().map(|t| &t.body))
    {
        if let Some(way) = Way::toward(start.at, body.at) {
            ways.extend([way, way.back()]);
            // square to it: the bearings on which it comes no nearer at first
            ways.extend([
                Way::bearing(way.angle() + 9_000),
                Way::bearing(way.angle() - 9_000),
            ]);
        }
    }
    let corners = corners(problem);
    ways.extend(
        corners
            .into_iter()
            .filter(|c| *c != start.at)
            .map(|c| Way::bearing(bearing(start.at, c))),
    );
    for thing in &problem.things {
        ways.extend(past(start.at, &thing.body, own));
    }
    let allowed = |way: &Way| {
        problem.lines.iter().all(|(_, l)| match l {
            Line::Heading { from, to } => in_fan(way.angle(), *from, *to),
            _ => true,
        })
    };
    ways.retain(allowed);
    ways
}

/// Bearings that just clear the corners or the width of a thing.
fn past(from: Point, body: &Body, own: i64) -> Vec<Way> {
    let core = body.core();
    let wide = core.radius + own + 5;
    let mut out = Vec::new();
    for p in core.points.iter().take(16) {
        let Some(way) = Way::toward(from, *p) else {
            continue;
        };
        for quarter in [9_000, -9_000] {
            let flank = Way::bearing(way.angle() + quarter);
            // a tangent from near by turns more than the line to the flank: two widths are tried
            for width in [wide, wide + wide / 4] {
                out.extend(
                    Way::toward(from, flank.point(*p, width)).map(|w| Way::bearing(w.angle())),
                );
            }
        }
    }
    out
}

fn bodies_of(line: &Line) -> Vec<&Body> {
    match line {
        Line::Toward(of) | Line::EndsWithin { of, .. } => of.iter().collect(),
        Line::NoNearerTo(all) => all.iter().flatten().collect(),
        _ => Vec::new(),
    }
}

/// The points of the board's grid where a straight path may end, by rows from below; at most `cap`. If there are more,
/// they are taken evenly, and the flag is false.
pub(super) fn grid_points(problem: &Problem, cap: usize) -> (Vec<Point>, bool) {
    let start = problem.start().at;
    let step = problem.grid.max(1);
    let reach = problem.most().unwrap_or(i64::MAX);
    let span = |at: i64, size: i64| {
        let low = at.saturating_sub(reach).max(0);
        let high = at.saturating_add(reach).min(size);
        ((low + step - 1).div_euclid(step), high.div_euclid(step))
    };
    let (x, y) = (
        span(start.x, problem.table.width),
        span(start.y, problem.table.height),
    );
    let count = |(low, high): (i64, i64)| usize::try_from(high - low + 1).unwrap_or(0);
    let total = count(x).saturating_mul(count(y));
    let skip = total.div_ceil(cap.max(1)).max(1);
    let mut out = Vec::new();
    let mut k = 0;
    while k < total {
        let (column, row) = (k % count(x), k / count(x));
        let at = |low: i64, n: usize| low + i64::try_from(n).unwrap_or(0);
        out.push(Point::new(at(x.0, column) * step, at(y.0, row) * step));
        k += skip;
    }
    (out, skip == 1)
}
