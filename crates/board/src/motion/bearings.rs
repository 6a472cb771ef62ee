//! Candidate bearings of a search.

use super::bends::tangents;
use super::circles::corners;
use super::judge::{in_fan, way_to};
use super::sectors::Sectors;
use super::track::Track;
use super::{Line, Problem};
use crate::{Body, CIRCLE, Point, Way, bearing, normal};

/// Step of the first set of bearings, in hundredths of a degree.
pub(super) const FAN: i64 = 500;

/// Maximum number of corners of one area that are used.
const CORNERS: usize = 64;

/// Returns the directions to which the constraints restrict a path. The list is empty if they do not restrict it.
pub(super) fn named(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let way = |l: &Line| match l {
        Line::Heading { from, to } if normal(*from) == normal(*to) => Some(Way::bearing(*from)),
        Line::AwayFrom(points) => Way::away(start, points),
        _ => None,
    };
    problem.lines.iter().filter_map(|(_, l)| way(l)).collect()
}

/// Returns the sides of the sectors of `heading` constraints.
pub(super) fn headings(problem: &Problem) -> Vec<Way> {
    let sides = |l: &Line| match l {
        Line::Heading { from, to } if from == to => vec![Way::bearing(*from)],
        Line::Heading { from, to } => vec![Way::bearing(*from), Way::bearing(*to)],
        _ => Vec::new(),
    };
    problem.lines.iter().flat_map(|(_, l)| sides(l)).collect()
}

/// Returns the track of an `along` constraint with its id. It starts at the place of the mover on the track.
pub(super) fn laid_out(problem: &Problem) -> Option<(usize, Track)> {
    let start = problem.start();
    let (line, points) = problem.lines.iter().find_map(|(id, l)| match l {
        Line::Along(points) => Some((*id, points)),
        _ => None,
    })?;
    let here = [Body::point(start.at)];
    let on = points.windows(2).position(|two| crate::touches(&here, &[Body::area(two)]));
    let rest = &points[on.map_or(0, |n| n + 1)..];
    let still = || Track { length: 0, ..Track::straight(start.at, Way::bearing(start.facing)) };
    Some((line, Track::through(start.at, rest).unwrap_or_else(still)))
}

/// Returns the exact directions that a move refers to: those of the constraints, and those straight to and from their
/// bodies and the things on the table.
pub(super) fn spoken_ways(problem: &Problem) -> Vec<Way> {
    let start = problem.start().at;
    let mut ways = line_ways(problem);
    let things = problem.things.iter().filter_map(|t| Way::toward(start, t.body.at));
    ways.extend(things.flat_map(|w| [w, w.back()]));
    ways
}

/// Returns the exact directions of the constraints, and those straight to and from the bodies in them.
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

/// The candidate bearings, without duplicates and without those that limits rule out.
pub(super) struct Fan<'a> {
    sectors: &'a Sectors,
    /// The sectors of `heading` constraints.
    asked: Vec<(i64, i64)>,
    /// One bit for each bearing.
    seen: Vec<u64>,
    ways: Vec<Way>,
}

impl Fan<'_> {
    /// Creates a set without bearings.
    pub fn new<'a>(problem: &Problem, sectors: &'a Sectors) -> Fan<'a> {
        let asked = |l: &Line| match l {
            Line::Heading { from, to } => Some((*from, *to)),
            _ => None,
        };
        let asked = problem.lines.iter().filter_map(|(_, l)| asked(l)).collect();
        Fan { sectors, asked, seen: vec![0; (CIRCLE / 64 + 1) as usize], ways: Vec::with_capacity(64) }
    }

    /// Adds the directions that the move refers to, those past obstacles, and all bearings in steps of `step`.
    pub fn spread(&mut self, problem: &Problem, toward: Option<Way>, step: i64) {
        let start = problem.start();
        toward.into_iter().for_each(|way| self.exactly(way));
        self.bearing(start.facing);
        self.every(step);
        for way in line_ways(problem) {
            self.exactly(way);
            // the perpendicular bearings, on which the distance does not decrease at first
            for turn in [9_000, -9_000] {
                self.bearing(way.angle() + turn);
            }
        }
        let own = problem.movers.iter().map(Body::radius).max().unwrap_or(0);
        for thing in &problem.things {
            let there = thing.body.place();
            let way = Way::toward(start.at, there);
            way.into_iter().for_each(|way| self.exactly(way));
            if self
                .sectors
                .open_about(normal(bearing(start.at, thing.body.place())), width(start.at, thing.around, own))
            {
                past(start.at, &thing.body, own).into_iter().for_each(|b| self.bearing(b));
            }
        }
        for corner in corners(problem).into_iter().filter(|c| *c != start.at) {
            self.bearing(bearing(start.at, corner));
        }
    }

    /// Adds all bearings in steps of `step`.
    pub fn every(&mut self, step: i64) {
        (0..CIRCLE / step).for_each(|k| self.bearing(k * step));
    }

    /// Returns the directions that were added since the last call.
    pub fn take(&mut self) -> Vec<Way> {
        std::mem::take(&mut self.ways)
    }

    fn open(&self, bearing: i64) -> bool {
        self.sectors.worth(bearing).is_some() && self.asked.iter().all(|(from, to)| in_fan(bearing, *from, *to))
    }

    fn bearing(&mut self, bearing: i64) {
        let bearing = normal(bearing);
        let (word, bit) = ((bearing / 64) as usize, 1 << (bearing % 64));
        if self.seen[word] & bit == 0 && self.open(bearing) {
            self.seen[word] |= bit;
            self.ways.push(Way::bearing(bearing));
        }
    }

    /// Adds an exact direction. It can share a bearing with a rounded direction; both are then tried.
    fn exactly(&mut self, way: Way) {
        if self.open(way.angle()) {
            self.ways.push(way);
        }
    }
}

/// Returns an upper bound of the angle between the center of a circle and any part of it or of a mover that passes it,
/// in hundredths of a degree.
fn width(from: Point, (middle, radius): (Point, i64), own: i64) -> i64 {
    let reach = i128::from(radius + own + 2);
    // reciprocal sines with their angles, rounded up
    let degrees = [(2, 3_000), (4, 1_448), (8, 719)];
    let fits = |(parts, _): &&(i128, i64)| (parts * reach).pow(2) <= from.squared_to(middle);
    degrees.iter().rev().find(fits).map_or(9_000, |(_, angle)| *angle)
}

/// Returns the bearings that just clear the corners or the width of a thing. The longest free paths are often next to
/// them.
fn past(from: Point, body: &Body, own: i64) -> Vec<i64> {
    let core = body.core();
    let rim = |p: &Point| tangents(from, *p, core.radius + own + 2);
    // shifted outward by a hundredth of a degree, because bearings are rounded
    core.points.iter().take(CORNERS).flat_map(rim).zip([1, -1].into_iter().cycle()).map(|(b, k)| b + k).collect()
}

fn bodies_of(line: &Line) -> Vec<&Body> {
    match line {
        Line::Toward(of) | Line::EndsWithin { of, .. } => of.iter().collect(),
        Line::NoNearerTo(all) => all.iter().flatten().collect(),
        _ => Vec::new(),
    }
}
