//! A candidate path, with all that can end a move on it.

use super::bound::misses;
use super::obstacles::{Obstacle, regard};
use super::standing::Halts;
use super::terrain_cost::TerrainCost;
use super::track::{Leg, Track};
use super::{Line, Met, Pose, Problem, SAMPLE, Thing};
use crate::contact::{Contact, contact};
use crate::{Body, LIMIT, TOUCH, Way};
use smallvec::SmallVec;

/// Why a candidate goes no farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    /// It is merely blocked; `at least` and `exactly` are not met by it.
    Blocked { line: Option<usize>, met: Met },
    /// A `stops` line ends the path there.
    Stopped(Met),
}

/// A track with all that can end a path on it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub track: Track,
    /// The farthest a path on it may go; below 0 if not even the start is allowed.
    pub reach: i64,
    pub bar: Bar,
    /// By number, the things that its end stands clear of: what stops it, and what is thin. Each with the length from
    /// which on that is asked.
    clear_of: Vec<(i64, usize)>,
    /// The `through` things and where each is entered.
    pub entered: Vec<(i64, u32)>,
    /// How far the nearest target of the `toward` lines is, if the candidate reaches it.
    pub target: Option<i64>,
    /// True if an avoided thing is what ends it.
    pub avoiding: bool,
    /// What it costs, if lengths are counted so.
    pub terrain_cost: Option<TerrainCost>,
}

impl Candidate {
    /// Where the anchor is, and how it faces, at the end of a path of length `d`.
    pub fn pose(&self, problem: &Problem, d: i64) -> Pose {
        let facing = if d <= 0 || problem.keeps_facing() { problem.start().facing } else { self.angle(d) };
        let leg = self.track.leg(d);
        let near = self.clear_of.iter().filter(|(from, _)| *from <= d).map(|(_, n)| &problem.things[*n].body);
        let near: SmallVec<[&Body; 4]> = near.collect();
        if d <= leg.at || near.is_empty() {
            return Pose { at: self.track.point(d), facing };
        }
        Pose { at: Halts::new(problem, leg, &under_way(problem, leg)).stand(d, &near), facing }
    }

    /// The bearing on which a path of length `d` ends.
    pub fn angle(&self, d: i64) -> i64 {
        self.track.leg(d).way.angle()
    }

    /// True if a path of length `d` is ended by a `stops` line, or by the end of its route.
    pub fn stops_at(&self, d: i64) -> bool {
        d == self.reach && matches!(self.bar, Bar::Stopped(_))
    }

    /// The length of a path as the lines count it: with `costs` what it cost.
    pub fn used(&self, problem: &Problem, d: i64) -> i64 {
        let Some(terrain_cost) = &self.terrain_cost else { return d };
        match problem.most() {
            // what is left of the allowance does not carry it a thousandth farther
            Some(most) if d < self.reach && terrain_cost.lasts(d, most) && !terrain_cost.lasts(d + 1, most) => most,
            _ => terrain_cost.used(d),
        }
    }

    /// The greatest length that is counted as no more than `limit`, below 0 if there is none.
    pub fn lasts(&self, limit: i64) -> i64 {
        match &self.terrain_cost {
            Some(terrain_cost) => terrain_cost.reach(limit, self.reach),
            None => limit.min(self.reach),
        }
    }

    /// The farthest that the lines about length let a path go.
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

/// The movers as they go on a leg: turned to it unless they keep their facing.
pub(super) fn under_way(problem: &Problem, leg: &Leg) -> Vec<Body> {
    problem.movers_at(leg.from, (!problem.keeps_facing()).then_some(leg.way.angle()))
}

/// Looks down a straight way.
pub(super) fn straight(problem: &mut Problem, way: Way) -> Candidate {
    let track = Track::straight(problem.start().at, way);
    candidate(problem, track)
}

/// Looks down a track.
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

/// A candidate that nothing ends but its track.
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

/// The same without what only the rules can answer: conditions and costs.
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

/// Where a `toward` target is reached: 0 if it is touched already.
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

/// What a thing does to a candidate; told is from which length on its end stands clear of it.
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

/// Asks `never where` and `stops where` along the candidate.
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

/// Where an answer changes between 0 and `far`, and what it is from there on. Looked for every [`SAMPLE`], or at 256
/// places if that is fewer.
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
