//! Checks a given end point against every constraint.

use super::bearings::{FAN, Fan, laid_out, named, spoken_ways};
use super::bends::{bent_past, bent_to, round};
use super::candidate::candidate;
use super::judge::{Trial, judge, path};
use super::sectors::Sectors;
use super::track::{Leg, Track, length_down, length_up};
use super::{Fault, Path, Problem, Refusal};
use crate::gap::rounded_root;
use crate::{Body, CIRCLE, Point, Way, gap};

/// A track, with lengths on it and the end that is claimed for each.
type Course = (Track, Vec<(i64, Point)>);

/// Returns a legal path to `end`, or all violations of the best candidate.
///
/// On an `along` route, the only candidate is that route. Otherwise the candidates are the straight directions
/// of the constraints, the direction of `end` itself, and directions in whole hundredths of a degree. If the constraints allow bends,
/// paths around avoided things or with one bend are added. The first candidate without a violation is returned.
/// Otherwise, a second pass accepts points within 1/1000" of `end` in each coordinate, because callers round differently.
/// If that fails too, the violations of the candidate with the fewest are returned.
///
/// # Errors
///
/// Returns the violated constraints.
pub fn settle(problem: &mut Problem, end: Point) -> Result<Path, Vec<Refusal>> {
    let end = Point::new(end.x, end.y);
    let (start, laid_out) = (problem.start().at, laid_out(problem));
    let avoiding = match problem.bend() > 0 && problem.avoids() && start != end {
        true => avoiding(problem),
        false => Vec::new(),
    };
    let mut best: Option<Vec<Refusal>> = None;
    for near in [0, 1] {
        let courses: Vec<Course> = match &laid_out {
            Some((_, track)) => vec![on(track.clone(), end, near)],
            None => {
                let mut courses = straight_to(problem, start, end, near);
                if problem.bend() > 0 && !problem.avoids() && start != end {
                    courses.extend(bent_to(problem, end).into_iter().map(|(track, d)| match near {
                        0 => (track, vec![(d, end), (d + 1, end)]),
                        _ => on(track, end, near),
                    }));
                }
                courses.extend(avoiding.iter().map(|track| on(track.clone(), end, near)));
                courses
            }
        };
        for course in courses.into_iter().filter(|(_, ends)| !ends.is_empty()) {
            match try_course(problem, course, near) {
                Ok(path) => return Ok(path),
                Err(faults) if best.as_ref().is_none_or(|b| faults.len() < b.len()) => best = Some(faults),
                Err(_) => {}
            }
        }
        // the error reports the violations of the regular candidates, not of these
        if near == 0 && laid_out.is_none() && problem.bend() > 0 && !problem.avoids() && start != end {
            for (track, d) in bent_past(problem, end) {
                if let Ok(path) = try_course(problem, (track, vec![(d, end), (d + 1, end)]), near) {
                    return Ok(path);
                }
            }
        }
    }
    let off_route = |(line, track): &(usize, Track)| {
        vec![Refusal { line: Some(*line), fault: Fault::OffRoute, wanted: 0, got: off(track, end).max(1) }]
    };
    Err(best.or(laid_out.as_ref().map(off_route)).unwrap_or_default())
}

/// Returns the lengths at which a track ends within `near` thousandths of a point in each coordinate.
fn on(track: Track, end: Point, near: i64) -> Course {
    let ends = track.lengths_to(end, near).into_iter().map(|d| (d, track.point(d))).collect();
    (track, ends)
}

/// Returns the tracks that bend around avoided things.
fn avoiding(problem: &mut Problem) -> Vec<Track> {
    let mut ways = named(problem);
    if ways.is_empty() {
        let sectors = Sectors::all();
        let mut fan = Fan::new(problem, &sectors);
        fan.spread(problem, None, FAN);
        ways = fan.take();
    }
    ways.into_iter().flat_map(|way| round(problem, way)).filter(|track| track.legs.len() > 1).collect()
}

/// Returns the distance of a point from a track.
fn off(track: &Track, end: Point) -> i64 {
    let off = |(leg, until): (&Leg, i64)| {
        let (a, b) = (leg.from, leg.way.point(leg.from, until - leg.at));
        gap(&Body::point(end), &Body::area(&[a, b]))
    };
    track.pieces().map(off).min().map_or(0, |g| g.rounded())
}

/// Returns the straight path through `end` itself or, if the constraints allow bends, one with a bend.
pub(super) fn settle_plain(problem: &mut Problem, end: Point) -> Option<Path> {
    let start = problem.start().at;
    if let Ok(path) = try_course(problem, plain(start, end), 0) {
        return Some(path);
    }
    if problem.bend() == 0 || problem.avoids() || start == end {
        return None;
    }
    let courses = bent_to(problem, end).into_iter().map(|(track, d)| (track, vec![(d, end), (d + 1, end)]));
    courses.collect::<Vec<_>>().into_iter().find_map(|course| try_course(problem, course, 0).ok())
}

fn try_course(problem: &mut Problem, (track, ends): Course, near: i64) -> Result<Path, Vec<Refusal>> {
    let candidate = candidate(problem, track);
    let mut best: Option<Vec<Refusal>> = None;
    // the obstacle can shift the end next to the way
    let stop = candidate.pose(problem, candidate.reach).at;
    let next = |(d, at): &(i64, Point)| {
        let off = 2 * near;
        (d - candidate.reach).abs() <= off && (at.x - stop.x).abs() <= off && (at.y - stop.y).abs() <= off
    };
    let stop = ends.iter().any(|end| near > 0 && next(end)).then_some((candidate.reach, stop));
    for (d, end) in ends.into_iter().chain(stop) {
        let trial = Trial { candidate: &candidate, d, end };
        let faults = judge(problem, &trial);
        if faults.is_empty() {
            return Ok(path(problem, &trial));
        }
        if best.as_ref().is_none_or(|b| faults.len() < b.len()) {
            best = Some(faults);
        }
    }
    Err(best.unwrap_or_default())
}

/// Returns the way through `end`, with the lengths that differ from the distance by less than a thousandth.
fn plain(start: Point, end: Point) -> Course {
    let way = Way::toward(start, end).unwrap_or(Way::bearing(0));
    // the nearer one first
    let mut lengths = vec![length_down(start, end), length_up(start, end)];
    lengths.sort_by_key(|d| *d != rounded_root(start.squared_to(end), 1));
    lengths.dedup();
    (Track::straight(start, way), lengths.into_iter().map(|d| (d, end)).collect())
}

/// Returns the straight tracks that lead to a point, or within `near` thousandths of it.
fn straight_to(problem: &Problem, start: Point, end: Point, near: i64) -> Vec<Course> {
    if start == end {
        // a mover that is stopped immediately stays, whatever its way
        let facing = Way::bearing(problem.start().facing);
        let ways =
            std::iter::once(facing).chain(spoken_ways(problem)).chain((0..CIRCLE / FAN).map(|k| Way::bearing(k * FAN)));
        return ways.map(|way| (Track::straight(start, way), vec![(0, end)])).collect();
    }
    let hit = |way: Way| Some(on(Track::straight(start, way), end, near)).filter(|(_, ends)| !ends.is_empty());
    let mut out: Vec<Course> = spoken_ways(problem).into_iter().filter_map(hit).take(8).collect();
    let middle = Way::toward(start, end).map_or(0, |way| way.angle());
    out.push(plain(start, end));
    if near > 0 {
        return out;
    }
    // the nearer the end, the more bearings lead to it: a thousandth is 5730 / length hundredths of a degree
    let wide = (2 + 8_600 / length_up(start, end).max(1)).min(4_500);
    let apart = wide / 450 + 1;
    let spread = (0..=wide / apart).map(|k| k * apart).flat_map(|k| if k == 0 { vec![0] } else { vec![k, -k] });
    out.extend(spread.filter_map(|k| hit(Way::bearing(middle + k))));
    out
}
