//! The bearings a search looks down.

use super::bends::tangents;
use super::circles::corners;
use super::judge::{in_fan, way_to};
use super::track::Track;
use super::{Line, Problem};
use crate::board::{Body, CIRCLE, Point, Way, bearing, normal};

/// No more corners of one area than this are passed by.
const CORNERS: usize = 64;

/// The ways the lines leave, if they name single ones.
pub(super) fn named(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let way = |l: &Line| match l {
        Line::Heading { from, to } if normal(*from) == normal(*to) => Some(Way::bearing(*from)),
        Line::AwayFrom(points) => Way::away(start, points),
        _ => None,
    };
    problem.lines.iter().filter_map(|(_, l)| way(l)).collect()
}

/// The sides of the fans that lines ask for.
pub(super) fn headings(problem: &Problem) -> Vec<Way> {
    let sides = |l: &Line| match l {
        Line::Heading { from, to } if from == to => vec![Way::bearing(*from)],
        Line::Heading { from, to } => vec![Way::bearing(*from), Way::bearing(*to)],
        _ => Vec::new(),
    };
    problem.lines.iter().flat_map(|(_, l)| sides(l)).collect()
}

/// The track that an `along` line lays out, with its id: from the point of it where the mover stands.
pub(super) fn laid_out(problem: &Problem) -> Option<(usize, Track)> {
    let start = problem.start();
    let (line, points) = problem.lines.iter().find_map(|(id, l)| match l {
        Line::Along(points) => Some((*id, points)),
        _ => None,
    })?;
    let here = [Body::point(start.at)];
    let on = points.windows(2).position(|two| crate::board::touches(&here, &[Body::area(two)]));
    let rest = &points[on.map_or(0, |n| n + 1)..];
    let still = || Track { length: 0, ..Track::straight(start.at, Way::bearing(start.facing)) };
    Some((line, Track::through(start.at, rest).unwrap_or_else(still)))
}

/// The exact ways a move speaks of: those the lines name, and straight to and from everything in them or on the table.
pub(super) fn spoken_ways(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let mut ways = line_ways(problem);
    let things = problem.things.iter().filter_map(|t| Way::toward(start, t.body.at));
    ways.extend(things.flat_map(|w| [w, w.back()]));
    ways
}

/// The exact ways the lines name, and straight to and from everything in them.
fn line_ways(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let mut ways = Vec::new();
    for (_, line) in &problem.lines {
        match line {
            Line::Toward(target) => ways.extend(way_to(&problem.movers, target)),
            Line::AwayFrom(points) => ways.extend(Way::away(start, points)),
            Line::Heading { from, to } => ways.extend([Way::bearing(*from), Way::bearing(*to)]),
            _ => {}
        }
    }
    let bodies = problem.lines.iter().flat_map(|(_, l)| bodies_of(l));
    ways.extend(bodies.filter_map(|b| Way::toward(start, b.at)).flat_map(|w| [w, w.back()]));
    ways
}

/// Bearings worth a look: what the move speaks of, what lies between, and a fan `step` apart.
pub(super) fn fan(problem: &Problem, toward: Option<Way>, step: i64) -> Vec<Way> {
    let start = problem.start();
    let mut ways: Vec<Way> = toward.into_iter().collect();
    ways.push(Way::bearing(start.facing));
    ways.extend((0..CIRCLE / step).map(|k| Way::bearing(k * step)));
    for way in line_ways(problem) {
        // square to it: the bearings on which it comes no nearer at first
        ways.extend([way, Way::bearing(way.angle() + 9_000), Way::bearing(way.angle() - 9_000)]);
    }
    ways.extend(problem.things.iter().filter_map(|t| Way::toward(start.at, t.body.at)));
    let aim = |to: Point| Way::bearing(bearing(start.at, to));
    ways.extend(corners(problem).into_iter().filter(|c| *c != start.at).map(aim));
    let own = problem.movers.iter().map(Body::radius).max().unwrap_or(0);
    ways.extend(problem.things.iter().flat_map(|t| past(start.at, &t.body, own)));
    ways.retain(|way| headed(problem, way));
    ways
}

/// The bearings of a fan `step` apart that one `coarse` apart leaves out.
pub(super) fn between(problem: &Problem, coarse: i64, step: i64) -> Vec<Way> {
    let angles = (0..CIRCLE / step).map(|k| k * step).filter(|a| a % coarse != 0);
    angles.map(Way::bearing).filter(|way| headed(problem, way)).collect()
}

/// True if a way lies in the fans that lines ask for.
fn headed(problem: &Problem, way: &Way) -> bool {
    problem.lines.iter().all(|(_, l)| match l {
        Line::Heading { from, to } => in_fan(way.angle(), *from, *to),
        _ => true,
    })
}

/// Bearings that just clear the corners or the width of a thing: next to one of them a free way is longest.
fn past(from: Point, body: &Body, own: i64) -> Vec<Way> {
    let core = body.core();
    let rim = |p: &Point| tangents(from, *p, core.radius + own + 2);
    // a hundredth of a degree outward, for the cut
    core.points
        .iter()
        .take(CORNERS)
        .flat_map(rim)
        .zip([1, -1].into_iter().cycle())
        .map(|(b, k)| Way::bearing(b + k))
        .collect()
}

fn bodies_of(line: &Line) -> Vec<&Body> {
    match line {
        Line::Toward(of) | Line::EndsWithin { of, .. } => of.iter().collect(),
        Line::NoNearerTo(all) => all.iter().flatten().collect(),
        _ => Vec::new(),
    }
}
