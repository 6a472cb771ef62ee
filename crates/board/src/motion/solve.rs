//! Branch and bound over bearings: the canonical path of a move, and whether there is another.

use super::bearings::{FAN, Fan, headings, laid_out, named, spoken_ways};
use super::bends::{bent_from, round};
use super::bound::{Limits, nearest_along};
use super::breakpoints::marks;
use super::candidate::{Candidate, candidate, straight};
use super::check::settle_plain;
use super::circles::corners;
use super::feasible::FeasibleRegion;
use super::judge::{Trial, obeys, path, way_to};
use super::pruning::with_fewer;
use super::sectors::Sectors;
use super::track::Track;
use super::{Line, Path, Problem, Searched, Solution};
use crate::{Body, CIRCLE, LIMIT, Point, Way, dist, normal, turn_between};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The second fan.
const FINE_FAN: i64 = 100;

/// No more grid points than this are tried before a move is called impossible.
const POINTS: usize = 4096;

/// No more than so many steps are taken to better the best bearing.
const REFINEMENTS: usize = 64;

/// No more paths with a bend are tried.
const BENT: usize = 2048;

/// What a path is worth; what counts first stands first, and less is better: whether it runs past the target of
/// `toward`; its gain, negated; how far it turns; how far it runs past; its bearing; how it faces at the end.
type Rank = (bool, i64, i64, i64, i64, i64);

struct Search {
    /// The bearing that turning is counted from.
    wanted: i64,
    /// Where the first `toward` line leads, and how far off it is at the start.
    target: Option<(Vec<Body>, i64)>,
    /// Farther than the target from any part of the mover: who goes on so long has passed it, or never came near.
    beyond: i64,
    limits: Limits,
    best: Option<(Rank, Path)>,
    /// True once two legal paths with different ends were seen.
    choice: bool,
    searched: Searched,
}

/// The canonical path. Among the legal straight paths it is the longest; then the one that turns least from the facing;
/// then the one with the lowest bearing. With `toward`, turning is counted from the bearing straight to the (first)
/// target, and what counts is not the length but how much nearer the path comes: so it leads straight there if it can,
/// ends where the target is reached, and goes only as far beyond as the lines force it.
///
/// Tried are, over their whole length, the bearings the lines name; if they name none, the facing, the bearings to and
/// from everything the move speaks of and past everything in the way, those to the points where limits cross, and a fan
/// every 5 degrees; then, if nothing was found, every degree and the points of the grid. Where the longest path found is
/// shorter than the lines allow, bearings next to it are tried down to 1/100 degree. On each bearing the legal
/// lengths are found to the thousandth. A move without any line is no move: the mover stays.
///
/// What circles alone rule out, or show to gain less than what is found, is not looked down (see [`Limits`] and
/// [`Sectors`]), and of many to keep away from those that make no difference are gone by.
pub fn canonical(problem: &mut Problem) -> Solution {
    with_fewer(problem, search)
}

fn search(problem: &mut Problem) -> Solution {
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

/// No mover reaches the target, nor the point where it is nearest to it, on a way longer than this.
fn reach(movers: &[Body], target: &Body) -> i64 {
    let (there, radius) = target.around();
    let each = movers.iter().map(|m| {
        let (at, own) = m.around();
        i64::try_from(at.squared_to(there).isqrt()).unwrap_or(LIMIT) + own + radius
    });
    each.max().unwrap_or(0) + 4
}

impl Search {
    /// Looks down ways, but for those that cannot be better than what is found.
    fn over(&mut self, problem: &mut Problem, mut ways: Vec<Way>, sectors: &Sectors) {
        ways.sort_by_cached_key(|w| turn_between(w.angle(), self.wanted) * CIRCLE + w.angle());
        // an exact way and a rounded one may share a bearing: both are looked at
        ways.dedup();
        if self.rounds(problem) {
            return self.round(problem, ways);
        }
        // those that may gain most first, so that what cannot gain as much need not be looked down; what a way may gain
        // itself is asked only where its sector may gain so much
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
            // of the rest none can gain more, and who gains as much turns more
            if self.choice && self.full(problem) {
                break;
            }
        }
    }

    /// Looks down ways whose paths may bend round what is avoided.
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

    /// True if paths bend round what is avoided.
    fn rounds(&self, problem: &Problem) -> bool {
        problem.bend() > 0 && problem.avoids()
    }

    /// The most that a straight path on a way can gain, a little more than is true; none if the limits leave none.
    fn worth(&self, problem: &Problem, way: &Way) -> Option<i64> {
        Some(self.gain(problem, way, self.limits.longest(way)?))
    }

    /// The same of all ways in each sector.
    fn sectors(&self, problem: &Problem) -> Sectors {
        Sectors::of(|way, error| {
            let longest = self.limits.longest_about(way, error)?;
            let aside = if self.target.is_some() { error.after(longest) } else { 0 };
            Some(self.gain(problem, way, longest).saturating_add(aside))
        })
    }

    /// The most that a straight path on a way can gain within a length, a little more than is true.
    fn gain(&self, problem: &Problem, way: &Way, length: i64) -> i64 {
        match &self.target {
            // costs are no lengths: nothing is told
            None if problem.costs().is_some() => i64::MAX,
            None => length,
            Some((target, off)) => {
                nearest_along(&problem.movers, target, way, length).map_or(i64::MAX, |near| off - near)
            }
        }
    }

    /// True if who gains no more than this need not be looked for.
    fn beaten(&self, gain: i64) -> bool {
        self.choice && self.best.as_ref().is_some_and(|((past, best, ..), _)| !past && gain < -best)
    }

    /// The best path on one track, and whether there is another.
    fn look(&mut self, problem: &mut Problem, track: Track) {
        let candidate = candidate(problem, track);
        let straight = candidate.track.legs.len() == 1 && candidate.terrain_cost.is_none();
        if candidate.far(problem) < self.limits.least() {
            return;
        }
        if !(straight && self.beaten(self.gain(problem, candidate.track.first(), candidate.far(problem)))) {
            self.along(problem, &candidate);
        }
    }

    /// Where a path may bend anywhere: with one bend if no straight one is legal; else only whether the owner could do
    /// otherwise.
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

    /// True if no path on another bearing could gain more than the best one.
    fn full(&self, problem: &Problem) -> bool {
        let Some(((past, gain, turn, ..), path)) = &self.best else { return false };
        let longest = problem.most().is_some_and(|m| path.covered >= m);
        match &self.target {
            None => longest,
            // straight past the target, as all must go
            Some(_) if *past => {
                *turn == 0 && problem.bend() == 0 && problem.costs().is_none() && problem.least() > self.beyond
            }
            Some((_, off)) => -gain >= *off || longest && *turn == 0,
        }
    }

    /// Looks for a longer path on bearings next to the best one, halving the step down to a hundredth of a degree.
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

    /// The best path on one candidate, and whether there is another.
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
        // up to the target the longest first, then past it the shortest first
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

    /// Tries the points of the grid within reach.
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

/// The points of the board's grid where a straight path may end, by rows from below; at most `cap`. If there are more,
/// they are taken evenly, and the flag is false.
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
