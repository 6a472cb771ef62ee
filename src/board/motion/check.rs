//! Checks a scripted end point line by line.

use super::judge::{Trial, judge, path};
use super::lane::lane;
use super::ways::spoken_ways;
use super::{Fault, Line, Path, Problem, Refusal};
use crate::board::{Point, Way};

/// Every line that a straight path to `end` breaks, with both figures; empty if it is legal.
///
/// End points are cut to 1/1000", so a path of any length whose cut is `end` counts as leading there. Ways the lines
/// name (toward and away from what stands in them), ways on whole hundredths of a degree and the way through `end`
/// itself are all tried; the first without fault is taken, else the one with the fewest faults. Where a line lets the
/// path bend and a bend might help, that line is among the refusals as [`Fault::Unsolved`].
pub fn check(problem: &mut Problem, end: Point) -> Vec<Refusal> {
    settle(problem, end).err().unwrap_or_default()
}

/// The path that [`check`] finds to `end`, or what is wrong with the best one.
pub fn settle(problem: &mut Problem, end: Point) -> Result<Path, Vec<Refusal>> {
    let start = problem.start().at;
    let end = Point::new(end.x, end.y);
    let mut best: Option<Vec<Refusal>> = None;
    for (way, least, most) in approaches_to(problem, start, end) {
        match try_way(problem, way, end, least, most) {
            Ok(path) => return Ok(path),
            Err(faults) if best.as_ref().is_none_or(|b| faults.len() < b.len()) => best = Some(faults),
            Err(_) => {}
        }
    }
    let mut faults = best.unwrap_or_default();
    // a bend, which is not tried here, might lead there
    let bent = faults.iter().any(|f| matches!(f.fault, Fault::OffHeading | Fault::Blocked(_)));
    if bent {
        let bends = problem.lines.iter().filter(|(_, l)| matches!(l, Line::BendsAtMost(a) if *a > 0));
        faults.extend(bends.map(|(id, _)| Refusal { line: Some(*id), fault: Fault::Unsolved, wanted: 0, got: 0 }));
    }
    Err(faults)
}

/// The straight path through `end` itself.
pub(super) fn settle_plain(problem: &mut Problem, end: Point) -> Option<Path> {
    let start = problem.start().at;
    let (way, least, most) = plain(start, end);
    try_way(problem, way, end, least, most).ok()
}

fn try_way(problem: &mut Problem, way: Way, end: Point, least: i64, most: i64) -> Result<Path, Vec<Refusal>> {
    let lane = lane(problem, way);
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
