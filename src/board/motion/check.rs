//! Checks a scripted end point line by line.

use super::bends::{bent_to, round};
use super::judge::{Trial, judge, path};
use super::lane::lane;
use super::sectors::Sectors;
use super::track::{Leg, Track};
use super::ways::{FAN, Fan, laid_out, named, spoken_ways};
use super::{Fault, Path, Problem, Refusal};
use crate::board::{Body, Point, Way, gap};

/// Every line that a path to `end` breaks, with both figures; empty if it is legal.
///
/// End points are cut to 1/1000", so a path of any length whose cut is `end` counts as leading there. Tried are: along a
/// declared path that path alone; else the straight ways the lines name, ways on whole hundredths of a degree and the
/// way through `end` itself; where the lines let the path bend also those round what is avoided, or with one bend. The
/// first without fault is taken, else the one with the fewest faults.
pub fn check(problem: &mut Problem, end: Point) -> Vec<Refusal> {
    settle(problem, end).err().unwrap_or_default()
}

/// The path that [`check`] finds to `end`, or what is wrong with the best one.
pub fn settle(problem: &mut Problem, end: Point) -> Result<Path, Vec<Refusal>> {
    let end = Point::new(end.x, end.y);
    if let Some((line, track)) = laid_out(problem) {
        return follow(problem, line, &track, end);
    }
    let start = problem.start().at;
    let mut best: Option<Vec<Refusal>> = None;
    let mut tracks: Vec<(Track, i64, i64)> = approaches_to(problem, start, end)
        .into_iter()
        .map(|(way, least, most)| (Track::straight(start, way), least, most))
        .collect();
    if problem.bend() > 0 && start != end {
        tracks.extend(bent(problem, end));
    }
    for (track, least, most) in tracks {
        match try_track(problem, track, end, least, most) {
            Ok(path) => return Ok(path),
            Err(faults) if best.as_ref().is_none_or(|b| faults.len() < b.len()) => best = Some(faults),
            Err(_) => {}
        }
    }
    Err(best.unwrap_or_default())
}

/// The tracks with bends that lead to `end`.
fn bent(problem: &mut Problem, end: Point) -> Vec<(Track, i64, i64)> {
    if !problem.avoids() {
        return bent_to(problem, end);
    }
    let mut ways = named(problem);
    if ways.is_empty() {
        let sectors = Sectors::all();
        let mut fan = Fan::new(problem, &sectors);
        fan.spread(problem, None, FAN);
        ways = fan.take();
    }
    let tracks: Vec<Track> = ways.into_iter().flat_map(|way| round(problem, way)).collect();
    let hits = |t: Track| t.lengths_to(end).into_iter().map(move |(least, most)| (t.clone(), least, most)).collect();
    tracks.into_iter().flat_map(|t| -> Vec<_> { hits(t) }).collect()
}

/// The path on a declared track to `end`.
fn follow(problem: &mut Problem, line: usize, track: &Track, end: Point) -> Result<Path, Vec<Refusal>> {
    let here = Body::point(end);
    let off = |(leg, until): (&Leg, i64)| {
        let (a, b) = (leg.from, leg.way.point(leg.from, until - leg.at));
        gap(&here, &Body::area(&[a, b]))
    };
    let off = track.pieces().map(off).min().map_or(0, |g| g.floor());
    let lengths = track.lengths_to(end);
    if lengths.is_empty() {
        return Err(vec![Refusal { line: Some(line), fault: Fault::OffRoute, wanted: 0, got: off.max(1) }]);
    }
    let mut best: Option<Vec<Refusal>> = None;
    for (least, most) in lengths {
        match try_track(problem, track.clone(), end, least, most) {
            Ok(path) => return Ok(path),
            Err(faults) if best.as_ref().is_none_or(|b| faults.len() < b.len()) => best = Some(faults),
            Err(_) => {}
        }
    }
    Err(best.unwrap_or_default())
}

/// The straight path through `end` itself, or one with a bend if the lines let it.
pub(super) fn settle_plain(problem: &mut Problem, end: Point) -> Option<Path> {
    let start = problem.start().at;
    let (way, least, most) = plain(start, end);
    if let Ok(path) = try_track(problem, Track::straight(start, way), end, least, most) {
        return Some(path);
    }
    if problem.bend() == 0 || problem.avoids() || start == end {
        return None;
    }
    let tracks = bent_to(problem, end);
    tracks.into_iter().find_map(|(track, least, most)| try_track(problem, track, end, least, most).ok())
}

fn try_track(problem: &mut Problem, track: Track, end: Point, least: i64, most: i64) -> Result<Path, Vec<Refusal>> {
    let lane = lane(problem, track);
    let mut best: Option<Vec<Refusal>> = None;
    // the nominal lengths whose cut is `end`; where the lane ends among them, that one counts too
    for d in least..=most {
        let trial = Trial { lane: &lane, d, end };
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

/// The way through `end`, with the lengths whose cut may be `end` on some bearing nearby.
fn plain(start: Point, end: Point) -> (Way, i64, i64) {
    let (dx, dy) = ((end.x - start.x).abs(), (end.y - start.y).abs());
    let square = |x: i64, y: i64| i128::from(x) * i128::from(x) + i128::from(y) * i128::from(y);
    let n = square(dx, dy);
    let floor = |n: i128| i64::try_from(n.isqrt()).unwrap_or(crate::board::FAR);
    let Some(way) = Way::toward(start, end) else {
        let facing = 0;
        return (Way::bearing(facing), 0, 0);
    };
    let least = if square(floor(n), 0) == n { floor(n) } else { floor(n) + 1 };
    (way, least, floor(square(dx + 1, dy + 1) - 1).max(least))
}

fn approaches_to(problem: &Problem, start: Point, end: Point) -> Vec<(Way, i64, i64)> {
    if start == end {
        return vec![(Way::bearing(problem.start().facing), 0, 0)];
    }
    let ways = spoken_ways(problem);
    let mut out: Vec<(Way, i64, i64)> = Vec::new();
    let hit = |w: Way| w.distances_to(start, end).map(|(least, most)| (w, least, most));
    out.extend(ways.into_iter().filter_map(hit).take(8));
    let through = plain(start, end);
    let middle = through.0.angle();
    out.push(through);
    // the nearer the end, the more bearings lead to it: a thousandth is 5730 / length hundredths of a degree
    let wide = (2 + 8_600 / through.1.max(1)).min(450);
    let spread = (0..=wide).flat_map(|k| if k == 0 { vec![0] } else { vec![k, -k] });
    out.extend(spread.map(|k| Way::bearing(middle + k)).filter_map(hit));
    out
}
