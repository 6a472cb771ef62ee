//! Candidate paths: a track with everything that can end a path on it.

use super::bound::misses;
use super::obstacles::{Obstacle, regard};
use super::standing::Halts;
use super::terrain_cost::TerrainCost;
use super::track::{Leg, Track};
use super::{Line, Met, Pose, Problem, SAMPLE, Thing};
use crate::contact::{Contact, contact};
use crate::{Body, LIMIT, TOUCH, Way};
use smallvec::SmallVec;

/// The reason why a candidate ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    /// An obstacle. It does not excuse a violation of `at least` or `exactly`.
    Blocked { line: Option<usize>, met: Met },
    /// A `stops` constraint ends the path.
    Stopped(Met),
}

/// A track with everything that can end a path on it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub track: Track,
    /// The maximum length of a path, or below 0 if even the start is not allowed.
    pub reach: i64,
    pub bar: Bar,
    /// Indices of the things with which the end must not overlap: the one that stops the path, and thin ones. Each has
    /// the length from which on this applies.
    clear_of: Vec<(i64, usize)>,
    /// The `through` things, with the length at which each is entered.
    pub entered: Vec<(i64, u32)>,
    /// The length at which the nearest target of a `toward` constraint is reached, if it is.
    pub target: Option<i64>,
    /// Whether an avoided thing ends the candidate.
    pub avoiding: bool,
    /// The costs along the track, if lengths are costs.
    pub terrain_cost: Option<TerrainCost>,
}

impl Candidate {
    /// Returns the pose of the anchor at the end of a path of length `d`.
    pub fn pose(&self, problem: &Problem, d: i64) -> Pose {
        let facing = self.facing(problem, d);
        let leg = self.track.leg(d);
        let near = self.clear_of.iter().filter(|(from, _)| *from <= d).map(|(_, n)| &problem.things[*n].body);
        let near: SmallVec<[&Body; 4]> = near.collect();
        if d <= leg.at || near.is_empty() {
            return Pose { at: self.track.point(d), facing };
        }
        Pose { at: Halts::new(problem, leg, &under_way(problem, leg)).stand(d, &near), facing }
    }

    /// Returns the facing of the anchor at the end of a path of length `d`.
    pub fn facing(&self, problem: &Problem, d: i64) -> i64 {
        if d <= 0 || problem.keeps_facing() { problem.start().facing } else { self.angle(d) }
    }

    /// Returns the bearing at the end of a path of length `d`.
    pub fn angle(&self, d: i64) -> i64 {
        self.track.leg(d).way.angle()
    }

    /// Returns whether a `stops` constraint, or the end of its route, ends a path of length `d`.
    pub fn stops_at(&self, d: i64) -> bool {
        d == self.reach && matches!(self.bar, Bar::Stopped(_))
    }

    /// Returns the length of a path or, with `costs`, its cost.
    pub fn used(&self, problem: &Problem, d: i64) -> i64 {
        let Some(terrain_cost) = &self.terrain_cost else { return d };
        match problem.most() {
            // the remaining allowance is not enough for another thousandth
            Some(most) if d < self.reach && terrain_cost.lasts(d, most) && !terrain_cost.lasts(d + 1, most) => most,
            _ => terrain_cost.used(d),
        }
    }

    /// Returns the maximum length that counts as at most `limit`, or below 0 if no length does.
    pub fn lasts(&self, limit: i64) -> i64 {
        match &self.terrain_cost {
            Some(terrain_cost) => terrain_cost.reach(limit, self.reach),
            None => limit.min(self.reach),
        }
    }

    /// Returns the maximum length that the length constraints allow.
    pub fn far(&self, problem: &Problem) -> i64 {
        problem.most().map_or(self.reach, |most| self.lasts(most))
    }

    fn bar(&mut self, at: i64, why: Bar) {
        if at < self.reach {
            self.reach = at;
            self.bar = why;
            self.avoiding = false;
        }
    }
}

/// Returns the movers on a leg, facing its bearing unless they keep their facing.
pub(super) fn under_way(problem: &Problem, leg: &Leg) -> Vec<Body> {
    problem.movers_at(leg.from, (!problem.keeps_facing()).then_some(leg.way.angle()))
}

/// Evaluates the straight track on a way.
pub(super) fn straight(problem: &mut Problem, way: Way) -> Candidate {
    let track = Track::straight(problem.start().at, way);
    candidate(problem, track)
}

/// Evaluates a track, including costs and conditions.
pub(super) fn candidate(problem: &mut Problem, track: Track) -> Candidate {
    if !problem.may_look() {
        return Candidate { reach: -1, ..free(track) };
    }
    let mut candidate = bare(problem, track);
    if let Some(line) = problem.costs() {
        let terrain_cost = TerrainCost::of(problem, line, &candidate.track, candidate.reach);
        let routed = problem.lines.iter().any(|(_, l)| matches!(l, Line::Along(_)));
        let why =
            if routed { Bar::Stopped(Met::Nothing) } else { Bar::Blocked { line: Some(line), met: Met::Nothing } };
        candidate.bar(terrain_cost.open, why);
        candidate.terrain_cost = Some(terrain_cost);
    }
    conditions(problem, &mut candidate);
    candidate.entered.sort_unstable();
    candidate
}

/// Creates a candidate that ends only where its track ends.
fn free(track: Track) -> Candidate {
    let routed = track.length < 2 * LIMIT;
    let bar = if routed { Bar::Stopped(Met::Nothing) } else { Bar::Blocked { line: None, met: Met::Edge } };
    Candidate {
        reach: track.length,
        track,
        bar,
        clear_of: Vec::new(),
        entered: Vec::new(),
        target: None,
        avoiding: false,
        terrain_cost: None,
    }
}

/// Evaluates a track without the conditions and costs that only the rules can answer.
pub(super) fn bare(problem: &Problem, track: Track) -> Candidate {
    let mut candidate = free(track);
    let edge_stops = problem.lines.iter().any(|(_, l)| matches!(l, Line::StopsOnContact(_)));
    let edge = if edge_stops { Bar::Stopped(Met::Edge) } else { Bar::Blocked { line: None, met: Met::Edge } };
    let pieces: Vec<(Leg, i64)> = candidate.track.pieces().map(|(leg, until)| (*leg, until)).collect();
    for (leg, until) in pieces {
        if leg.at > candidate.reach {
            break;
        }
        let bodies = under_way(problem, &leg);
        let room = bodies.iter().map(|b| problem.table.room(b, &leg.way)).min().unwrap_or(0);
        if leg.at + room < until {
            candidate.bar(leg.at + room, edge);
        }
        let circles: Vec<_> = bodies.iter().map(Body::around).collect();
        let unit = leg.way.unit();
        let halts = Halts::new(problem, &leg, &bodies);
        for (n, thing) in problem.things.iter().enumerate() {
            let far = until.min(candidate.reach) - leg.at;
            if !misses(&circles, thing.around, unit, far) {
                let from = meet(problem, &mut candidate, &halts, until, thing);
                candidate.clear_of.extend(from.map(|from| (from, n)));
            }
        }
        for (_, line) in &problem.lines {
            if let Line::Toward(target) = line {
                let found = target.iter().filter_map(|x| first_contact(&bodies, x, &leg.way)).min();
                let found = found.map(|d| leg.at + d).filter(|d| *d <= until);
                candidate.target = candidate.target.into_iter().chain(found).min();
            }
        }
    }
    candidate
}

/// Returns the length at which a `toward` target is reached, or 0 if it is touched at the start.
fn first_contact(bodies: &[Body], target: &Body, way: &Way) -> Option<i64> {
    if crate::touches(bodies, std::slice::from_ref(target)) {
        return Some(0);
    }
    bodies.iter().filter_map(|b| after(contact(b, target, way))).min()
}

fn after(contact: Contact) -> Option<i64> {
    match contact {
        Contact::After(d) => Some(d),
        _ => None,
    }
}

/// Applies a thing to a candidate. Returns the length from which on the end must not overlap the thing, if this
/// applies.
fn meet(problem: &Problem, candidate: &mut Candidate, halts: &Halts, until: i64, thing: &Thing) -> Option<i64> {
    let Halts { leg, bodies, .. } = halts;
    let all = || bodies.iter().map(|b| contact(b, &thing.body, &leg.way));
    let touched = || all().filter_map(after).min().map(|d| leg.at + d).filter(|d| *d <= until);
    let Obstacle { avoided, through, stops, named } = regard(problem, thing);
    let met = Met::Thing(thing.id);
    if avoided.is_some() {
        if let Some(d) = touched() {
            let before = candidate.reach;
            candidate.bar(halts.clear_before(d, &thing.body), Bar::Blocked { line: avoided, met });
            candidate.avoiding |= candidate.reach < before;
        }
    } else if through && !named {
        let entry = |c: Contact| if c == Contact::Over { Some(0) } else { after(c) };
        let at = all().filter_map(entry).min().map(|d| leg.at + d).filter(|d| *d < until);
        if let Some(at) = at.filter(|_| candidate.entered.iter().all(|(_, id)| *id != thing.id)) {
            candidate.entered.push((at, thing.id));
        }
    } else if let Some(d) = touched().filter(|d| !halts.is_over(*d, &thing.body)) {
        candidate.bar(d, if stops { Bar::Stopped(met) } else { Bar::Blocked { line: None, met } });
        return Some(if halts.is_thin(&thing.body) { leg.at } else { d - TOUCH });
    }
    (!through && halts.is_thin(&thing.body)).then_some(leg.at)
}

/// Evaluates `never where` and `stops where` along the candidate.
fn conditions(problem: &mut Problem, candidate: &mut Candidate) {
    let asked: Vec<(usize, bool)> = problem
        .lines
        .iter()
        .filter_map(|(id, l)| match l {
            Line::NeverWhere => Some((*id, false)),
            Line::StopsWhere => Some((*id, true)),
            _ => None,
        })
        .collect();
    for (line, stops) in asked {
        let far = candidate.far(problem).max(0);
        let mut ask = |d: i64| {
            let pose = candidate.pose(problem, d);
            problem.judge.holds(line, pose)
        };
        if !stops && ask(0) {
            candidate.bar(-1, Bar::Blocked { line: Some(line), met: Met::Nothing });
            return;
        }
        if let Some(d) = changes(far, &mut ask).into_iter().find(|(_, now)| *now).map(|(d, _)| d) {
            if stops {
                candidate.bar(d, Bar::Stopped(Met::Nothing));
            } else {
                candidate.bar(d - 1, Bar::Blocked { line: Some(line), met: Met::Nothing });
            }
        }
    }
}

/// Returns the lengths from 0 to `far` where an answer changes, each with the new answer. It samples in steps of
/// [`SAMPLE`], or at 256 lengths if those are fewer, and locates changes by bisection.
pub(super) fn changes(far: i64, ask: &mut dyn FnMut(i64) -> bool) -> Vec<(i64, bool)> {
    let step = SAMPLE.max(far / 256 + 1);
    let mut out = Vec::new();
    let (mut at, mut now) = (0, ask(0));
    while at < far {
        let next = (at + step).min(far);
        let then = ask(next);
        if then != now {
            let (mut low, mut high) = (at, next);
            while high - low > 1 {
                let mid = (low + high) / 2;
                if ask(mid) == then { high = mid } else { low = mid }
            }
            out.push((high, then));
        }
        (at, now) = (next, then);
    }
    out
}
