//! A lane: one straight way with all that can end a path on it.

use super::{Line, Met, Pose, Problem, SAMPLE};
use crate::board::contact::{Contact, contact};
use crate::board::{Body, LIMIT, Way};

/// Why a lane goes no farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    /// It is merely blocked; `at least` and `exactly` are not met by it.
    Blocked { line: Option<usize>, met: Met },
    /// A `stops` line ends the path there.
    Stopped(Met),
}

/// One straight way.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub way: Way,
    /// The farthest a path on it may go; below 0 if not even the start is allowed.
    pub reach: i64,
    pub bar: Bar,
    /// The `through` things and where each is entered.
    pub entered: Vec<(i64, u32)>,
    /// How far the nearest target of the `toward` lines is, if the lane reaches it.
    pub target: Option<i64>,
    /// True if an avoided thing is what ends it.
    pub avoiding: bool,
}

impl Lane {
    /// Facing at the end of a path of length `d`.
    pub fn pose(&self, problem: &Problem, d: i64) -> Pose {
        let start = problem.start();
        let facing = if d == 0 || problem.keeps_facing() { start.facing } else { self.way.angle() };
        Pose { at: self.way.point(start.at, d), facing }
    }

    /// True if a path of length `d` is ended by a `stops` line.
    pub fn stops_at(&self, d: i64) -> bool {
        d == self.reach && matches!(self.bar, Bar::Stopped(_))
    }
}

/// The movers as they go on a way: turned to it unless they keep their facing.
pub(super) fn under_way(problem: &Problem, way: &Way) -> Vec<Body> {
    let facing = if problem.keeps_facing() { None } else { Some(way.angle()) };
    problem.movers_at(problem.start().at, facing)
}

/// Looks down a way.
pub(super) fn lane(problem: &mut Problem, way: Way) -> Lane {
    let bodies = under_way(problem, &way);
    let mut lane = Lane {
        way,
        reach: 2 * LIMIT,
        bar: Bar::Blocked { line: None, met: Met::Edge },
        entered: Vec::new(),
        target: None,
        avoiding: false,
    };
    let edge = bodies.iter().map(|b| problem.table.room(b, &way)).min().unwrap_or(0);
    let edge_stops = problem.lines.iter().any(|(_, l)| matches!(l, Line::StopsOnContact(_)));
    bar(
        &mut lane,
        edge,
        if edge_stops { Bar::Stopped(Met::Edge) } else { Bar::Blocked { line: None, met: Met::Edge } },
    );
    for thing in &problem.things {
        meet(problem, &mut lane, &bodies, thing.id, &thing.body);
    }
    for (_, line) in &problem.lines {
        if let Line::Toward(target) = line {
            let found = target.iter().filter_map(|x| first_contact(&bodies, x, &way)).min();
            lane.target = lane.target.into_iter().chain(found).min();
        }
    }
    conditions(problem, &mut lane);
    lane.entered.sort_unstable();
    lane
}

fn bar(lane: &mut Lane, at: i64, why: Bar) {
    if at < lane.reach {
        lane.reach = at;
        lane.bar = why;
        lane.avoiding = false;
    }
}

/// Where a `toward` target is reached: 0 if it is touched already.
fn first_contact(bodies: &[Body], target: &Body, way: &Way) -> Option<i64> {
    if crate::board::touches(bodies, std::slice::from_ref(target)) {
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

fn meet(problem: &Problem, lane: &mut Lane, bodies: &[Body], id: u32, body: &Body) {
    let mut avoided = None;
    let (mut stops, mut through) = (false, false);
    for (line, l) in &problem.lines {
        match l {
            Line::Avoids(ids) if ids.contains(&id) => avoided = Some(*line),
            Line::Through(ids) => through |= ids.contains(&id),
            Line::StopsOnContact(None) => stops = true,
            Line::StopsOnContact(Some(ids)) => stops |= ids.contains(&id),
            _ => {}
        }
    }
    let all = bodies.iter().map(|b| contact(b, body, &lane.way));
    let met = Met::Thing(id);
    if let Some(line) = avoided {
        if let Some(d) = all.filter_map(after).min() {
            let before = lane.reach;
            bar(lane, (d - 1).max(0), Bar::Blocked { line: Some(line), met });
            lane.avoiding |= lane.reach < before;
        }
        return;
    }
    let named = problem.lines.iter().any(|(_, l)| matches!(l, Line::StopsOnContact(Some(ids)) if ids.contains(&id)));
    if through && !named {
        let entry = |c: Contact| {
            if c == Contact::Over { Some(0) } else { after(c) }
        };
        lane.entered.extend(all.filter_map(entry).min().map(|d| (d, id)));
    } else if let Some(d) = all.filter_map(after).min() {
        bar(lane, d, if stops { Bar::Stopped(met) } else { Bar::Blocked { line: None, met } });
    }
}

/// Asks `never where` and `stops where` along the lane.
fn conditions(problem: &mut Problem, lane: &mut Lane) {
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
        let far = problem.most().map_or(lane.reach, |m| m.min(lane.reach)).max(0);
        let mut ask = |d: i64| {
            let pose = lane.pose(problem, d);
            (problem.test)(line, pose)
        };
        if !stops && ask(0) {
            bar(lane, -1, Bar::Blocked { line: Some(line), met: Met::Nothing });
            return;
        }
        if let Some(d) = changes(far, &mut ask).into_iter().find(|(_, now)| *now).map(|(d, _)| d) {
            if stops {
                bar(lane, d, Bar::Stopped(Met::Nothing));
            } else {
                bar(lane, d - 1, Bar::Blocked { line: Some(line), met: Met::Nothing });
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
