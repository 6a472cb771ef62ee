//! Branch and bound over bearings: the canonical path of a move, and whether there is another.

use super::bearings::{FAN, Fan, headings, laid_out, named, spoken_ways};
use super::bends::{bent_from, round};
use super::bound::{Limits, nearest_along};
use super::breakpoints::marks;
use super::candidate::{Candidate, candidate, straight};
use super::check::settle_plain;
use super::circles::corners;
use super::closed::Closed;
use super::feasible::FeasibleRegion;
use super::judge::{Trial, obeys, path, way_to};
use super::pruning::with_fewer;
use super::sectors::Sectors;
use super::track::Track;
use super::{Line, Path, Problem, Searched, Solution};
use crate::{Body, CIRCLE, LIMIT, Point, Way, dist, normal, turn_between};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Step of the second set of bearings, in hundredths of a degree.
const FINE_FAN: i64 = 100;

/// Maximum number of grid points tried before a move is considered impossible.
const POINTS: usize = 4096;

/// Maximum number of steps that refine the best bearing.
const REFINEMENTS: usize = 64;

/// Maximum number of bent paths tried.
const BENT: usize = 2048;

/// The lexicographic rank of a path; lower is better. Its parts are whether the path passes the target of `toward`, its
/// negated gain, its turn, its length past the target, its bearing, and its final facing.
type Rank = (bool, i64, i64, i64, i64, i64);

struct Search {
    /// The bearing from which turns are measured.
    wanted: i64,
    /// The target of the first `toward` constraint, and its distance at the start.
    target: Option<(Vec<Body>, i64)>,
    /// A length after which a path has passed the target or never came near it, for any part of the mover.
    beyond: i64,
    limits: Limits,
    closed: Closed,
    /// Whether a closed way was evaluated. On all others, the mover stays in the same way.
    stays: bool,
    best: Option<(Rank, Path)>,
    /// Whether two legal paths with different ends were found.
    choice: bool,
    searched: Searched,
}

/// Returns the canonical path and whether there is another. The canonical path is the longest legal straight path, then
/// the one that turns least from the facing, then the one with the lowest bearing. With `toward`, turns are measured
/// from the bearing straight to the first target, and the reduction of the distance replaces the length. The path
/// therefore leads straight to the target if possible, ends where it is reached, and goes past it no farther than the
/// constraints require.
///
/// If the constraints name bearings, those are tried over their whole length. Otherwise the search tries the facing,
/// the bearings to and from the bodies that the move refers to, and every 5 degrees. It also tries the bearings past
/// all obstacles and to the intersections of limits. If it finds nothing, it tries every degree and then the grid
/// points. If the longest path is shorter than the constraints allow, the neighboring bearings are tried down to 1/100
/// degree. On each bearing, legal lengths are found to the thousandth. A move without a constraint is not a move: the
/// mover stays.
///
/// Bearings that circles rule out, or whose upper bound is below the best path, are not evaluated (see [`Limits`] and
/// [`Sectors`]). Redundant bodies of `no nearer to` constraints are removed.
///
/// Closed ways are evaluated once (see [`Closed`]). If the way straight to a target reaches it, no other is evaluated.
pub fn canonical(problem: &mut Problem) -> Solution {
    with_fewer(problem, |problem| search(problem, true))
}

/// Returns the same as [`canonical`], without its shortcuts. Tests compare both.
#[doc(hidden)]
pub fn canonical_in_full(problem: &mut Problem) -> Solution {
    with_fewer(problem, |problem| search(problem, false))
}

fn search(problem: &mut Problem, shortcuts: bool) -> Solution {
    let start = problem.start();
    let idle = |l: &Line| {
        use Line::{BendsAtMost, Costs, KeepsFacing, StopsOnContact, StraightFor, Through};
        matches!(l, KeepsFacing | Through(_) | StopsOnContact(_) | StraightFor(_) | BendsAtMost(_) | Costs)
    };
    if problem.movers.is_empty() || problem.lines.iter().all(|(_, l)| idle(l)) {
        let still = straight(problem, Way::bearing(start.facing));
        return Solution::Forced(path(problem, &Trial { candidate: &still, d: 0, end: start.at }));
    }
    let target = problem.lines.iter().find_map(|(_, l)| match l {
        Line::Toward(target) => Some(target.clone()),
        _ => None,
    });
    let toward = target.as_ref().and_then(|t| way_to(&problem.movers, t));
    let target = target.and_then(|t| dist(&problem.movers, &t).map(|off| (t, off)));
    let beyond = target.iter().flat_map(|(t, _)| t).map(|t| reach(&problem.movers, t)).max().unwrap_or(0);
    let mut search = Search {
        wanted: toward.map_or(start.facing, |w| w.angle()),
        target,
        beyond,
        limits: Limits::of(problem),
        closed: if shortcuts { Closed::of(problem) } else { Closed::default() },
        stays: false,
        best: None,
        choice: false,
        searched: Searched::default(),
    };
    if let Some((_, track)) = laid_out(problem) {
        search.look(problem, track);
        return search.verdict();
    }
    let named = named(problem);
    if named.is_empty() {
        if let Some(way) = toward.filter(|_| shortcuts)
            && search.reaches(problem, way)
        {
            return search.verdict();
        }
        let sectors = if search.rounds(problem) { Sectors::all() } else { search.sectors(problem) };
        let mut fan = Fan::new(problem, &sectors);
        search.searched.apart = FAN;
        if !sectors.closed() {
            fan.spread(problem, toward, FAN);
            search.over(problem, fan.take(), &sectors);
        }
        if search.best.is_none() {
            fan.every(FINE_FAN);
            search.over(problem, fan.take(), &sectors);
            search.searched.apart = FINE_FAN;
        }
        if search.best.is_none() {
            search.grid(problem, &sectors);
        }
        search.refine(problem);
    } else {
        search.searched.named = named.len();
        search.over(problem, named, &Sectors::all());
    }
    search.bent(problem);
    search.verdict()
}

/// Returns a length beyond which every mover has passed the target and the point nearest to it.
fn reach(movers: &[Body], target: &Body) -> i64 {
    let (there, radius) = target.around();
    let each = movers.iter().map(|m| {
        let (at, own) = m.around();
        i64::try_from(at.squared_to(there).isqrt()).unwrap_or(LIMIT) + own + radius
    });
    each.max().unwrap_or(0) + 4
}

impl Search {
    /// Evaluates directions, except those that cannot improve on the best path.
    fn over(&mut self, problem: &mut Problem, mut ways: Vec<Way>, sectors: &Sectors) {
        ways.sort_by_cached_key(|w| turn_between(w.angle(), self.wanted) * CIRCLE + w.angle());
        // an exact direction and a rounded one can share a bearing; both are tried
        ways.dedup();
        if self.rounds(problem) {
            return self.round(problem, ways);
        }
        // best first by upper bound, so that weaker directions can be skipped. The bound of a direction is computed
        // only if that of its sector is high enough.
        let rough = |(n, way): (usize, &Way)| Some((sectors.worth(way.angle())?, Reverse(n), Reverse(false)));
        let mut open: BinaryHeap<_> = ways.iter().enumerate().filter_map(rough).collect();
        while let Some((bound, Reverse(n), Reverse(own))) = open.pop() {
            if self.beaten(bound) {
                break;
            }
            if !own {
                open.extend(self.worth(problem, &ways[n]).map(|worth| (worth.min(bound), Reverse(n), Reverse(true))));
                continue;
            }
            let track = Track::straight(problem.start().at, ways[n]);
            self.look(problem, track);
            // no other direction can gain more, and directions with an equal gain turn more
            if self.choice && self.full(problem) {
                break;
            }
        }
    }

    /// Evaluates directions whose paths can bend around avoided things.
    fn round(&mut self, problem: &mut Problem, ways: Vec<Way>) {
        for way in ways {
            let turn = turn_between(way.angle(), self.wanted);
            if self.best.as_ref().is_some_and(|(rank, _)| rank.2 <= turn) && self.choice && self.full(problem) {
                break;
            }
            for track in round(problem, way) {
                self.searched.bent += usize::from(track.legs.len() > 1);
                self.look(problem, track);
            }
            if self.choice && self.full(problem) {
                break;
            }
        }
    }

    /// Evaluates the way straight to the target. Returns whether it ends the search, because it leaves a choice and its
    /// best path reaches the target: as no way has a higher bound or turns less, it would be the first to be evaluated.
    fn reaches(&mut self, problem: &mut Problem, way: Way) -> bool {
        let heading = problem.lines.iter().any(|(_, line)| matches!(line, Line::Heading { .. }));
        let Some(off) = self.target.as_ref().map(|(_, off)| *off) else { return false };
        if heading || problem.bend() > 0 || self.worth(problem, &way).is_none_or(|worth| worth < off) {
            return false;
        }
        self.look(problem, Track::straight(problem.start().at, way));
        if self.choice && self.best.as_ref().is_some_and(|(rank, _)| !rank.0 && -rank.1 >= off) {
            return true;
        }
        (self.best, self.choice, self.stays) = (None, false, false);
        false
    }

    /// Returns whether paths bend around avoided things.
    fn rounds(&self, problem: &Problem) -> bool {
        problem.bend() > 0 && problem.avoids()
    }

    /// Returns an upper bound of the gain of a straight path on a way, or `None` if the limits rule it out.
    fn worth(&self, problem: &Problem, way: &Way) -> Option<i64> {
        Some(self.gain(problem, way, self.limits.longest(way)?))
    }

    /// Returns the upper bound of the gain in each sector.
    fn sectors(&self, problem: &Problem) -> Sectors {
        Sectors::of(|way, error| {
            let longest = self.limits.longest_about(way, error)?;
            let aside = if self.target.is_some() { error.after(longest) } else { 0 };
            Some(self.gain(problem, way, longest).saturating_add(aside))
        })
    }

    /// Returns an upper bound of the gain of a straight path on a way up to a length.
    fn gain(&self, problem: &Problem, way: &Way, length: i64) -> i64 {
        match &self.target {
            // costs are not lengths, so there is no bound
            None if problem.costs().is_some() => i64::MAX,
            None => length,
            Some((target, off)) => {
                nearest_along(&problem.movers, target, way, length).map_or(i64::MAX, |near| off - near)
            }
        }
    }

    /// Returns whether a path with at most this gain cannot change the result.
    fn beaten(&self, gain: i64) -> bool {
        self.choice && self.best.as_ref().is_some_and(|((past, best, ..), _)| !past && gain < -best)
    }

    /// Evaluates one track: the best path on it, and whether there is another.
    fn look(&mut self, problem: &mut Problem, track: Track) {
        let closed = matches!(track.legs.as_slice(), [leg] if self.closed.closes(&leg.way));
        if closed && self.stays {
            return;
        }
        let candidate = candidate(problem, track);
        let straight = candidate.track.legs.len() == 1 && candidate.terrain_cost.is_none();
        if candidate.far(problem) < self.limits.least() {
            return;
        }
        if !(straight && self.beaten(self.gain(problem, candidate.track.first(), candidate.far(problem)))) {
            self.along(problem, &candidate);
            self.stays |= closed;
        }
    }

    /// Evaluates paths with one bend, if a path can bend anywhere. It finds a legal path if no straight path is legal,
    /// and otherwise determines whether there is a choice.
    fn bent(&mut self, problem: &mut Problem) {
        let bend = problem.bend();
        let away = problem.lines.iter().any(|(_, l)| matches!(l, Line::AwayFrom(_)));
        if bend == 0 || problem.avoids() || away || self.best.is_some() && self.choice {
            return;
        }
        let start = problem.start().at;
        let mut firsts = headings(problem);
        if firsts.is_empty() {
            firsts = spoken_ways(problem);
            firsts.push(Way::bearing(self.wanted));
        }
        let spoken = corners(problem);
        for first in firsts {
            let base = straight(problem, first);
            let far = base.far(problem);
            let soonest = problem.straight_for().max(1);
            let mut bends = vec![soonest, (soonest + far) / 2, (soonest + 3 * far) / 4, far - 1];
            bends.retain(|s| (soonest..far.max(soonest + 1)).contains(s));
            bends.dedup();
            for s in bends {
                for way in bent_from(&spoken, base.track.point(s), first.angle(), bend) {
                    if self.searched.bent >= BENT || self.best.is_some() && self.choice {
                        return;
                    }
                    self.searched.bent += 1;
                    self.look(problem, Track::straight(start, first).then(s, base.track.point(s), way));
                }
            }
        }
    }

    /// Returns whether no path on another bearing can gain more than the best one.
    fn full(&self, problem: &Problem) -> bool {
        let Some(((past, gain, turn, ..), path)) = &self.best else { return false };
        let longest = problem.most().is_some_and(|m| path.covered >= m);
        match &self.target {
            None => longest,
            // straight past the target, if every path must pass it
            Some(_) if *past => {
                *turn == 0 && problem.bend() == 0 && problem.costs().is_none() && problem.least() > self.beyond
            }
            Some((_, off)) => -gain >= *off || longest && *turn == 0,
        }
    }

    /// Searches for a longer path on bearings next to the best one. It halves the step down to a hundredth of a degree.
    fn refine(&mut self, problem: &mut Problem) {
        let mut step = FAN / 2;
        for _ in 0..REFINEMENTS {
            let Some((rank, path)) = &self.best else { return };
            if step == 0 || rank.0 || self.full(problem) {
                return;
            }
            let (before, middle) = (*rank, path.bearing);
            for angle in [normal(middle - step), normal(middle + step)] {
                let way = Way::bearing(angle);
                if self.worth(problem, &way).is_some_and(|worth| worth >= -before.1) {
                    self.look(problem, Track::straight(problem.start().at, way));
                }
            }
            if self.best.as_ref().is_none_or(|(rank, _)| *rank == before) {
                step /= 2;
            }
        }
    }

    /// Evaluates the lengths on one candidate: the best path, and whether there is another.
    fn along(&mut self, problem: &mut Problem, candidate: &Candidate) {
        let mut marks = marks(problem, candidate);
        if let ([leg], false) = (candidate.track.legs.as_slice(), self.rounds(problem)) {
            let out = self.limits.forbidden(&leg.way);
            let longest = self.limits.longest(&leg.way).unwrap_or(-1);
            marks.retain(|d| {
                let n = out.partition_point(|(_, to)| to <= d);
                *d <= longest && out.get(n).is_none_or(|(from, _)| d <= from)
            });
        }
        let split = candidate.target.map_or(marks.len(), |t| marks.partition_point(|d| *d <= t));
        let (near, past) = marks.split_at(split);
        let mut found = 0;
        // the longest first up to the target, then the shortest first
        for d in near.iter().rev().chain(past) {
            let trial = Trial { candidate, d: *d, end: candidate.pose(problem, *d).at };
            if obeys(problem, &trial) {
                let past = candidate.target.map_or(0, |t| (d - t).max(0));
                let path = path(problem, &trial);
                self.take(problem, path, past);
                found += 1;
                if found == 2 || self.choice {
                    break;
                }
            }
        }
    }

    fn take(&mut self, problem: &Problem, path: Path, past: i64) {
        let turn = if path.covered == 0 { 0 } else { turn_between(path.bearing, self.wanted) };
        let gain = match &self.target {
            None => path.covered,
            Some((_, off)) if past > 0 => *off,
            Some((target, off)) => {
                let turned = (!problem.keeps_facing()).then_some(path.facing);
                off - dist(&problem.movers_at(path.end, turned), target).unwrap_or(*off)
            }
        };
        let rank = (past > 0, -gain, turn, past, path.bearing, path.facing);
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

    /// Tries the grid points within reach.
    fn grid(&mut self, problem: &mut Problem, sectors: &Sectors) {
        let start = problem.start().at;
        let (points, _) = grid_points(problem, POINTS);
        let bends = problem.bend() > 0;
        if !bends && sectors.closed() {
            self.searched.points += points.len();
            return;
        }
        let room = FeasibleRegion::of(problem);
        for end in points {
            self.searched.points += 1;
            if end == start || !room.holds(end) || !bends && self.limits.bar(start, end) {
                continue;
            }
            if let Some(path) = settle_plain(problem, end) {
                self.take(problem, path, 0);
            }
        }
    }

    fn verdict(self) -> Solution {
        match self.best {
            Some((_, path)) if self.choice => Solution::Free(path),
            Some((_, path)) => Solution::Forced(path),
            None => Solution::Impossible(self.searched),
        }
    }
}

/// Returns the grid points that a straight path can reach, in rows from the bottom. If there are more than `cap`,
/// returns evenly spaced ones and `false`.
pub(super) fn grid_points(problem: &Problem, cap: usize) -> (Vec<Point>, bool) {
    let start = problem.start().at;
    let step = problem.grid.clamp(1, LIMIT);
    let reach = problem.most().map_or(2 * LIMIT, |m| m.clamp(-1, 2 * LIMIT));
    let span = |at: i64, size: i64| {
        let low = at.saturating_sub(reach).max(0);
        let high = at.saturating_add(reach).min(size.clamp(0, LIMIT));
        ((low + step - 1).div_euclid(step), high.div_euclid(step))
    };
    let (x, y) = (span(start.x, problem.table.width), span(start.y, problem.table.height));
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
