//! Bent paths: around avoided things by the least sufficient angle, or anywhere.

use super::candidate::{Candidate, bare, under_way};
use super::obstacles::avoided;
use super::terrain_cost::TerrainCost;
use super::track::{Leg, Track, length_down, length_up};
use super::{Line, Problem};
use crate::contact::{Contact, comes_nearer, contact};
use crate::shape::cross;
use crate::{Body, LIMIT, ONE, Point, TOUCH, Way, normal, turn_between};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum number of bent tracks that are evaluated for one first bearing.
const TRACKS: usize = 400;

/// Maximum number of bearings to each side on which a track can turn off at an avoided thing.
const BRANCHES: usize = 6;

/// Step, in hundredths of a degree, in which bodies that are not round are turned until they are clear.
const STEP: i64 = 100;

/// Returns the tracks that start on `way` and turn off where they reach an avoided thing. They have the minimum total
/// turn that avoids all such things up to the maximum length of the move. There are several if they turn equally far.
/// If no track reaches that length, returns the longest one. The search is uniform-cost by the sum of turns.
pub(super) fn round(problem: &mut Problem, way: Way) -> Vec<Track> {
    let (bend, straight) = (problem.bend(), problem.straight_for());
    let first = Track::straight(problem.start().at, way);
    let mut open = BinaryHeap::from([Reverse((0i64, 0usize))]);
    let mut tracks = vec![first];
    let mut found: Vec<Track> = Vec::new();
    let mut least = None;
    let mut short: Option<(i64, Track)> = None;
    while let Some(Reverse((turned, n))) = open.pop() {
        if least.is_some_and(|l| turned > l) {
            break;
        }
        if !problem.may_look() {
            break;
        }
        let track = tracks[n].clone();
        let candidate = bare(problem, track.clone());
        if !candidate.avoiding || reaches(problem, &candidate) {
            least = Some(turned);
            found.push(track);
            continue;
        }
        if short.as_ref().is_none_or(|(reach, _)| candidate.reach > *reach) {
            short = Some((candidate.reach, track.clone()));
        }
        if candidate.reach < straight {
            continue;
        }
        let corner = candidate.pose(problem, candidate.reach).at;
        for (turn, way) in turns(problem, &candidate, corner, bend - turned) {
            if tracks.len() < TRACKS {
                open.push(Reverse((turned + turn, tracks.len())));
                tracks.push(track.then(candidate.reach, corner, way));
            }
        }
    }
    if found.is_empty() {
        found.extend(short.map(|(_, track)| track));
    }
    found
}

/// Returns whether the candidate reaches the maximum length of the move.
fn reaches(problem: &mut Problem, candidate: &Candidate) -> bool {
    let Some(most) = problem.most() else { return false };
    match problem.costs() {
        None => candidate.reach >= most,
        Some(line) => {
            TerrainCost::of(problem, line, &candidate.track, candidate.reach).reach(most, candidate.reach)
                < candidate.reach
        }
    }
}

/// Returns the directions in which a track can turn off at the end of a candidate, with their angles. Each angle is at
/// most `most`, and no direction is blocked immediately.
fn turns(problem: &Problem, candidate: &Candidate, at: Point, most: i64) -> Vec<(i64, Way)> {
    let now = candidate.angle(candidate.reach);
    let things: Vec<&Body> = problem.things.iter().filter(|t| avoided(problem, t)).map(|t| &t.body).collect();
    let bodies_on = |way: &Way| under_way(problem, &Leg { at: 0, from: at, way: *way });
    let clear = |angle: i64| {
        let way = Way::bearing(angle);
        let bodies = bodies_on(&way);
        // a touched thing must be left at a right angle or more
        let nears = |b: &Body, t: &Body| comes_nearer(b, t, 2 * TOUCH, &way);
        let meets = |b: &Body, t: &Body| matches!(contact(b, t, &way), Contact::After(d) if d <= 10) || nears(b, t);
        let blocked = |t: &&&Body| bodies.iter().any(|b| meets(b, t));
        !things.iter().any(|t| blocked(&t))
    };
    let round = problem.movers.iter().all(|m| m.core().points.len() == 1);
    let mut wanted: Vec<i64> = Vec::new();
    for body in bodies_on(&Way::bearing(now)) {
        for thing in &things {
            let core = thing.core();
            for p in &core.points {
                let radius = core.radius + body.radius();
                wanted.extend(tangents(body.place(), *p, radius + 1));
                // a touched thing must be left at a right angle or more
                if body.place().squared_to(*p) <= i128::from(radius + 2 * TOUCH).pow(2) {
                    wanted.extend(tangents(body.place(), *p, radius + 3 * TOUCH));
                }
            }
        }
    }
    let mut out = Vec::new();
    for side in [1, -1] {
        // the angle to turn to this side
        let off = |angle: i64| normal((angle - now) * side);
        let mut turns: Vec<i64> = wanted.iter().map(|a| off(*a)).filter(|o| (1..=most).contains(o)).collect();
        if !round {
            turns.extend((1..=most / STEP).map(|k| k * STEP));
        }
        turns.push(most);
        turns.sort_unstable();
        turns.dedup();
        let (mut taken, mut blocked) = (0, 0);
        for turn in turns {
            // bearings are rounded to a hundredth, so one of the next few can be the first that is clear
            let free = (turn..=(turn + 3).min(most)).find(|t| clear(now + t * side));
            let Some(mut free) = free.filter(|t| *t > 0) else {
                blocked = turn;
                continue;
            };
            if !round {
                while free - blocked > 1 {
                    let mid = blocked + (free - blocked) / 2;
                    if clear(now + mid * side) { free = mid } else { blocked = mid }
                }
            }
            out.push((free, Way::bearing(now + free * side)));
            taken += 1;
            if taken == BRANCHES {
                break;
            }
        }
    }
    out
}

/// Returns the two bearings from a point that are tangent to a circle. From a point on or in the circle, returns the
/// two that are perpendicular to the line to its center.
pub(super) fn tangents(from: Point, middle: Point, radius: i64) -> Vec<i64> {
    let Some(way) = Way::toward(from, middle) else { return Vec::new() };
    let r = i128::from(radius);
    let squared = from.squared_to(middle);
    // the length along the tangent, scaled so that the root is exact to 2^-8 of a thousandth
    let along = ((squared - r * r).max(0) << 16).isqrt();
    let (along, across) = (i64::try_from(along).unwrap_or(LIMIT), radius << 8);
    let Some(lean) = Way::along((across, along)) else { return Vec::new() };
    vec![normal(way.angle() + lean.angle()), normal(way.angle() - lean.angle())]
}

/// Returns tracks with one bend that lead to `end`, each with its length there, rounded down.
pub(super) fn bent_to(problem: &Problem, end: Point) -> Vec<(Track, i64)> {
    let start = problem.start().at;
    let straight = problem.straight_for().max(1);
    let mut lengths: Vec<i64> = Vec::new();
    let mut firsts: Vec<Way> = Vec::new();
    let direct = Way::toward(start, end);
    for (_, line) in &problem.lines {
        match line {
            Line::Exactly(d) | Line::AtLeast(d) if *d > 0 => lengths.push((*d).min(2 * LIMIT)),
            Line::Heading { from, to } => firsts.extend([Way::bearing(*from), Way::bearing(*to)]),
            _ => {}
        }
    }
    if firsts.is_empty() {
        // a detour of a given length turns least if it bends halfway
        for length in &lengths {
            let c = length_up(start, end);
            let rise = i128::from(*length).pow(2) - i128::from(c).pow(2);
            let rise = i64::try_from(rise.max(0).isqrt()).unwrap_or(LIMIT);
            if let (Some(lean), Some(way)) = (Way::along((rise, c)), direct) {
                firsts.extend([1, -1].map(|side| Way::bearing(way.angle() + side * lean.angle())));
            }
        }
    }
    firsts.dedup();
    let mut out = Vec::new();
    for first in firsts {
        let base = Track::straight(start, first);
        let whole = |s: i64| s + length_down(base.point(s), end);
        let mut bends = vec![straight];
        for length in &lengths {
            // the later the bend, the longer the path
            let (mut low, mut high) = (straight, *length);
            while low < high {
                let mid = low + (high - low) / 2;
                if whole(mid) >= *length { high = mid } else { low = mid + 1 }
            }
            bends.extend([low, (low - 1).max(straight)]);
        }
        for s in bends {
            let from = base.point(s);
            if let Some(way) = Way::toward(from, end) {
                let track = base.then(s, from, way);
                out.push((track, whole(s)));
            }
        }
    }
    out
}

/// Maximum number of corners, nearest first, that a path with one bend can follow.
const CORNERS: usize = 24;

/// `STEPS`: number of positions of a bend that are tried in a direction. `APART`: angle between these directions, in hundredths of
/// a degree.
const STEPS: i64 = 12;
const APART: i64 = 500;

/// Returns further tracks with one bend that lead to `end`, each with its length rounded down. Their candidates are
/// both legs along corners of obstacles, as in a shortest path, a first leg of the required length, and evenly spaced
/// directions and bends.
pub(super) fn bent_past(problem: &Problem, end: Point) -> Vec<(Track, i64)> {
    let start = problem.start().at;
    let (most, straight) = (problem.bend(), problem.straight_for().max(1));
    let Some(direct) = Way::toward(start, end) else { return Vec::new() };
    let own = problem.movers.iter().map(|m| m.around().1).max().unwrap_or(0);
    let mut corners: Vec<(i128, Point, i64)> = Vec::new();
    for core in problem.things.iter().map(|thing| thing.body.core()) {
        let far = |p: Point| p.squared_to(start).max(p.squared_to(end));
        corners.extend(core.points.iter().map(|p| (far(*p), *p, core.radius + own)));
    }
    corners.sort_by_key(|(far, ..)| *far);
    corners.truncate(CORNERS);
    let along = |at: Point| -> Vec<i64> {
        let pass = |(_, p, radius): &(i128, Point, i64)| {
            let all = [radius + 1, radius + 3 * TOUCH].map(|radius| tangents(at, *p, radius));
            all.into_iter().flatten().collect::<Vec<i64>>()
        };
        corners.iter().flat_map(pass).collect()
    };
    let (mut firsts, lasts) = (along(start), along(end));
    let (mut length, mut range) = (0, None);
    for (_, line) in &problem.lines {
        match line {
            Line::Exactly(d) | Line::AtLeast(d) => length = length.max((*d).min(2 * LIMIT)),
            Line::Heading { from, to } => {
                range = Some((*from, *to));
                firsts.extend([*from, *to]);
            }
            _ => {}
        }
    }
    let chord = length_up(start, end);
    // a first leg of the minimum length, and a second one for the rest of the length
    let (s, rest) = (i128::from(straight), i128::from(length - straight));
    let across = s * s + i128::from(chord).pow(2) - rest * rest;
    let whole = 2 * s * i128::from(chord);
    if length > chord && across.abs() <= whole {
        let beside = (whole * whole - across * across).isqrt();
        let lean = Way::along((beside as i64, across as i64)).map_or(0, |way| way.angle());
        firsts.extend([-1, 0, 1].map(|off| direct.angle() + lean + off));
        firsts.extend([-1, 0, 1].map(|off| direct.angle() - lean + off));
    }
    let mut bends: Vec<(i64, i64)> = Vec::new();
    for first in &firsts {
        bends.push((*first, straight));
        let u = Way::bearing(*first).unit();
        for last in &lasts {
            // the intersection of the directions from both ends
            let v = Way::bearing(*last).unit();
            let apart = cross(u, v);
            if apart != 0 {
                let s = cross(start.to(end), v) * i128::from(ONE) / apart;
                bends.extend(i64::try_from(s).ok().into_iter().flat_map(|s| [(*first, s), (*first, s + 1)]));
            }
        }
    }
    let reach = problem.most().unwrap_or(2 * chord).min(2 * LIMIT);
    for k in -(most / APART)..=most / APART {
        bends.extend((1..=STEPS).map(|n| (direct.angle() + k * APART, straight.max(reach * n / (STEPS + 1)))));
    }
    if let Some((from, to)) = range {
        // only directions between the two sides
        bends.retain(|(first, _)| normal(first - from) <= normal(to - from));
    }
    let mut out = Vec::new();
    for (first, s) in bends.into_iter().filter(|(_, s)| (straight..=reach).contains(s)) {
        let base = Track::straight(start, Way::bearing(first));
        let from = base.point(s);
        let whole = s + length_down(from, end);
        if let Some(way) = Way::toward(from, end).filter(|way| turn_between(way.angle(), first) <= most)
            && whole <= reach
        {
            out.push((base.then(s, from, way), whole));
        }
    }
    out.sort_by_key(|(_, whole)| *whole);
    out
}

/// Returns candidate bearings after a bend: every 5 degrees, and the points that the move refers to, at most `most`
/// from the current bearing.
pub(super) fn bent_from(spoken: &[Point], at: Point, now: i64, most: i64) -> Vec<Way> {
    let mut out: Vec<Way> = (1..=most / 500).flat_map(|k| [now + k * 500, now - k * 500]).map(Way::bearing).collect();
    out.extend([Way::bearing(now + most), Way::bearing(now - most)]);
    out.extend(spoken.iter().filter_map(|p| Way::toward(at, *p)));
    out.retain(|w| turn_between(w.angle(), now) <= most);
    out
}
