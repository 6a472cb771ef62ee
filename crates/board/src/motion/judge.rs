//! Checks whether a path of a given length on a candidate satisfies every constraint.

use super::candidate::{Bar, Candidate};
use super::{Fault, LAST, Line, Met, Path, Problem, Refusal, SAMPLE};
use crate::{Body, FAR, Gap, Point, Way, dist, gap, gap_between, normal, turn_between};
use std::ops::ControlFlow::{self, Break, Continue};

/// A path of length `d` on a candidate. `end` is its last point in whole thousandths.
pub(super) struct Trial<'l> {
    pub candidate: &'l Candidate,
    pub d: i64,
    pub end: Point,
}

/// Returns every violation of the trial.
pub(super) fn judge(problem: &mut Problem, trial: &Trial) -> Vec<Refusal> {
    let mut out = Vec::new();
    let _ = breaks(problem, trial, &mut |line, fault, wanted, got| {
        out.push(Refusal { line, fault, wanted, got: got() });
        Continue(())
    });
    out
}

/// Returns whether the trial violates no constraint.
pub(super) fn obeys(problem: &mut Problem, trial: &Trial) -> bool {
    breaks(problem, trial, &mut |_, _, _, _| Break(())).is_continue()
}

/// Receives each violated constraint with its limit and, on request, the actual value. Return `Break` to stop.
type Listener<'a> = dyn FnMut(Option<usize>, Fault, i64, &dyn Fn() -> i64) -> ControlFlow<()> + 'a;

/// Reports every violation of the trial to `tell`.
fn breaks(problem: &mut Problem, trial: &Trial, tell: &mut Listener) -> ControlFlow<()> {
    let Trial { candidate, d, end } = *trial;
    let mut broken = false;
    if d > candidate.reach {
        let costs = problem.costs();
        let (line, fault) = match candidate.bar {
            Bar::Blocked { line: line @ Some(_), met: Met::Nothing } if line == costs => (line, Fault::Closed),
            Bar::Blocked { line, met: Met::Nothing } => (line, Fault::Condition),
            Bar::Blocked { line, met } => (line, Fault::Blocked(met)),
            Bar::Stopped(met) => (None, Fault::Blocked(met)),
        };
        broken = true;
        tell(line, fault, d, &|| candidate.reach)?;
    }
    let pose = super::Pose { at: end, facing: candidate.facing(problem, d) };
    let stopped = candidate.stops_at(d);
    let turned = (d > 0 && !problem.keeps_facing()).then_some(pose.facing);
    let movers = problem.movers_at(end, turned);
    let used = candidate.used(problem, d);
    let bends_at = candidate.track.legs.get(1).map(|l| l.at).filter(|at| *at < d);
    let first = candidate.track.first();
    let mut asked = Vec::new();
    for (id, line) in &problem.lines {
        let mut refuse = |fault, wanted, got: &dyn Fn() -> i64| {
            broken = true;
            tell(Some(*id), fault, wanted, got)
        };
        match line {
            Line::AtLeast(least) if used < *least && !stopped => refuse(Fault::TooShort, *least, &|| used)?,
            Line::AtMost(most) if used > *most => refuse(Fault::TooLong, *most, &|| used)?,
            Line::Exactly(length) if used < *length && !stopped => refuse(Fault::TooShort, *length, &|| used)?,
            Line::Exactly(length) if used > *length => refuse(Fault::TooLong, *length, &|| used)?,
            Line::BendsAtMost(most) if candidate.track.bent(d) > *most => {
                refuse(Fault::TooBent, *most, &|| candidate.track.bent(d))?;
            }
            Line::StraightFor(least) if bends_at.is_some_and(|at| at < *least) => {
                refuse(Fault::BentTooSoon, *least, &|| bends_at.unwrap_or(0))?;
            }
            Line::Toward(target) if !approaches(problem, trial, target) => {
                let wanted = way_to(&problem.movers, target).map_or(0, |w| w.angle());
                refuse(Fault::NotToward, wanted, &|| first.angle())?;
            }
            Line::AwayFrom(points) => {
                let start = problem.start().at;
                if let Some(way) = Way::away(start, points)
                    && d > 0
                    && (bends_at.is_some() || *first != way && way.distances_to(start, end, 0).next().is_none())
                {
                    refuse(Fault::NotAway, way.angle(), &|| first.angle())?;
                }
            }
            Line::NoNearerTo(all) => {
                for (of, x) in all.iter().enumerate() {
                    for (before, after) in problem.movers.iter().zip(&movers) {
                        let (a, b) = (std::slice::from_ref(before), std::slice::from_ref(after));
                        if gap_between(b, x) < gap_between(a, x) {
                            let figure = |m| dist(m, x).unwrap_or(FAR);
                            refuse(Fault::Nearer { of }, figure(a), &|| figure(b))?;
                            break;
                        }
                    }
                }
            }
            Line::EndsWithin { distance, of } => {
                let far = movers.iter().find(|m| !of.iter().any(|x| gap(m, x).at_most(*distance)));
                if let Some(m) = far {
                    let figure = || dist(std::slice::from_ref(m), of).unwrap_or(FAR);
                    refuse(Fault::TooFar, *distance, &figure)?;
                }
            }
            Line::Heading { from, to } if d > 0 && !in_fan(first.angle(), *from, *to) => {
                let angle = first.angle();
                let side = if turn_between(angle, *from) <= turn_between(angle, *to) { *from } else { *to };
                refuse(Fault::OffHeading, normal(side), &|| angle)?;
            }
            Line::EndsWhere => asked.push(*id),
            _ => {}
        }
    }
    // conditions can be expensive, so they are evaluated last, and only if nothing else is violated
    if !broken {
        for id in asked {
            if !problem.judge.holds(id, pose) {
                tell(Some(id), Fault::Condition, 0, &|| 0)?;
            }
        }
    }
    Continue(())
}

/// Returns whether `angle` is in the smaller sector between two bearings. Between opposite bearings, every angle is.
pub(super) fn in_fan(angle: i64, from: i64, to: i64) -> bool {
    turn_between(from, angle) + turn_between(angle, to) == turn_between(from, to)
}

/// Returns the way straight from the nearest mover to the nearest point of the target.
pub(super) fn way_to(movers: &[Body], target: &[Body]) -> Option<Way> {
    let pairs = movers.iter().flat_map(|m| target.iter().map(move |t| (m, t)));
    let (m, t) = pairs.min_by_key(|(m, t)| crate::gap(m, t))?;
    Way::toward(m.at, crate::near_point(m, t))
}

/// Returns whether the path approaches the target at every step until it is reached. It is sampled along the path; the
/// last two samples are [`super::LAST`] apart.
fn approaches(problem: &Problem, trial: &Trial, target: &[Body]) -> bool {
    let Trial { candidate, d, end } = *trial;
    let Some(stations) = trial.stations(target) else { return true };
    let nearer = steady(problem, candidate, &stations, target);
    if !nearer.unwrap_or_else(|| falls(problem, candidate, &stations, target)) {
        return false;
    }
    let reached = candidate.target.is_some_and(|t| t <= d);
    let last = stations.last().copied().unwrap_or(0);
    reached
        || gap_at(problem, candidate, end, d, target)
            < gap_at(problem, candidate, candidate.track.point(last), last, target)
}

impl Trial<'_> {
    /// Returns the lengths before the end, or before the target, at which a path must be nearer each time, or `None` if
    /// nothing is to be compared.
    fn stations(&self, target: &[Body]) -> Option<Vec<i64>> {
        if self.d == 0 || target.is_empty() {
            return None;
        }
        let upto = self.candidate.target.map_or(self.d, |t| t.min(self.d));
        let pieces = (upto / SAMPLE).clamp(1, 64);
        let mut stations: Vec<i64> = (0..pieces).map(|k| upto * k / pieces).collect();
        if upto > LAST {
            stations.push(upto - LAST);
        }
        stations.extend(self.candidate.track.legs.iter().map(|l| l.at).filter(|at| *at < upto));
        stations.sort_unstable();
        stations.dedup();
        Some(stations)
    }
}

/// Returns the distance to the target with the anchor at a point, after a length.
fn gap_at(problem: &Problem, candidate: &Candidate, at: Point, d: i64, target: &[Body]) -> Option<Gap> {
    let turned = (!problem.keeps_facing()).then_some(candidate.angle(d));
    gap_between(&problem.movers_at(at, turned), target)
}

/// Returns whether the mover is nearer to the target at each station than at the one before.
fn falls(problem: &Problem, candidate: &Candidate, stations: &[i64], target: &[Body]) -> bool {
    let mut gaps = stations.iter().map(|s| gap_at(problem, candidate, candidate.track.point(*s), *s, target));
    let mut last = gaps.next();
    gaps.all(|now| last.replace(now).is_some_and(|last| now < last))
}

/// Bound of the error of a difference of two rounded distances between rounded points: 1.42 for each point, and 1.
const ROUNDING: i64 = 4;

/// Returns whether a disc is nearer to a disc at each station of a straight path than at the one before, or `None` if
/// the last two stations do not decide it. The distance is a convex function of the length, so that every earlier step
/// falls at least as steeply as the last.
fn steady(problem: &Problem, candidate: &Candidate, stations: &[i64], target: &[Body]) -> Option<bool> {
    let ([mover], [body], [leg]) = (problem.movers.as_slice(), target, candidate.track.legs.as_slice()) else {
        return None;
    };
    let [_, _, .., before, last] = *stations else { return None };
    if !mover.is_round() || !body.is_round() {
        return None;
    }
    let start = problem.start().at;
    let off = |d: i64| {
        let at = leg.way.point(leg.from, d);
        let apart = mover.place().shifted(at.x - start.x, at.y - start.y).squared_to(body.place());
        i64::try_from(apart.unsigned_abs().isqrt()).ok()
    };
    let (from, to) = (off(before)?, off(last)?);
    if to - from > ROUNDING {
        return Some(false);
    }
    let fall = from - to - ROUNDING;
    let shortest = stations.windows(2).map(|two| two[1] - two[0]).min()?;
    let apart = to - mover.radius() - body.radius() > ROUNDING;
    (apart && fall > 0 && fall * shortest > ROUNDING * (last - before)).then_some(true)
}

/// Returns whether a straight path of length `d` approaches the target of the first `toward` line at each of its
/// stations, once by two of them, if they decide it, and once by all. For tests.
pub fn stations(problem: &mut Problem, way: Way, d: i64) -> Option<(Option<bool>, bool)> {
    let target = problem.lines.iter().find_map(|(_, line)| match line {
        Line::Toward(target) => Some(target.clone()),
        _ => None,
    })?;
    let candidate = super::candidate::straight(problem, way);
    let trial = Trial { candidate: &candidate, d, end: candidate.pose(problem, d).at };
    let stations = trial.stations(&target)?;
    let by_two = steady(problem, &candidate, &stations, &target);
    Some((by_two, falls(problem, &candidate, &stations, &target)))
}

/// Returns the path of a trial without violations.
pub(super) fn path(problem: &Problem, trial: &Trial) -> Path {
    let Trial { candidate, d, end } = *trial;
    let facing = candidate.facing(problem, d);
    // an obstacle that is touched exactly where the constraints end the path does not count
    let used = candidate.used(problem, d);
    let went_on = problem.most().is_none_or(|m| m > used);
    let met = match candidate.bar {
        Bar::Blocked { met, .. } | Bar::Stopped(met) if d == candidate.reach && went_on => met,
        _ => Met::Nothing,
    };
    Path {
        end,
        corners: candidate.track.corners(d),
        bent: candidate.track.bent(d),
        facing,
        bearing: if d == 0 { facing } else { candidate.track.first().angle() },
        covered: used,
        met,
        crossed: candidate.entered.iter().filter(|(at, _)| *at < d).map(|(_, id)| *id).collect(),
    }
}
