//! Points where two limits of a move intersect. The search tries the bearings toward them before it becomes finer.

use super::feasible::FeasibleRegion;
use super::{Line, Problem};
use crate::{Body, LIMIT, Point, dist};

/// A circle at which the result of a constraint changes.
struct Ring {
    middle: Point,
    radius: i64,
}

/// Maximum number of circles that are intersected pairwise.
const RINGS: usize = 24;

/// Returns points inside and at the corners of the feasible region, computed only from circles and the table. These are
/// intersections that no constraint rules out, the midpoints between any two of them, the centers of the circles, and
/// the corners of the table.
pub(super) fn corners(problem: &Problem) -> Vec<Point> {
    let start = problem.start().at;
    let mut rings = Vec::new();
    for (_, line) in &problem.lines {
        match line {
            Line::AtLeast(d) | Line::AtMost(d) | Line::Exactly(d) => {
                rings.push(Ring { middle: start, radius: (*d).clamp(0, LIMIT) })
            }
            Line::EndsWithin { distance, of } => {
                for m in &problem.movers {
                    around(&mut rings, start, m, of, |_| *distance);
                }
            }
            Line::NoNearerTo(all) => {
                for (x, m) in all.iter().flat_map(|x| problem.movers.iter().map(move |m| (x, m))) {
                    let gap = dist(std::slice::from_ref(m), x).unwrap_or(0);
                    around(&mut rings, start, m, x, |_| gap);
                }
            }
            _ => {}
        }
    }
    rings.truncate(RINGS);
    let mut points: Vec<Point> = Vec::new();
    for (i, a) in rings.iter().enumerate() {
        for b in &rings[i + 1..] {
            points.extend(crossings(a, b));
        }
    }
    // only intersections in the feasible region are its corners
    let room = FeasibleRegion::of(problem);
    points.retain(|p| room.holds(*p));
    let corners = points.len().min(2 * RINGS);
    for i in 0..corners {
        for j in i + 1..corners {
            let (a, b) = (points[i], points[j]);
            points.push(Point::new((a.x + b.x).div_euclid(2), (a.y + b.y).div_euclid(2)));
        }
    }
    let frame = frame(problem);
    points.extend(rings.iter().flat_map(|r| on_frame(r, frame)));
    points.extend(rings.iter().map(|r| r.middle));
    let (low, high) = frame;
    points.extend([low, Point { x: low.x, y: high.y }, high, Point { x: high.x, y: low.y }]);
    points
}

/// Returns the rectangle that is possible for the anchor, as its lower left and upper right corner.
fn frame(problem: &Problem) -> (Point, Point) {
    let start = problem.start().at;
    let (width, height) = (problem.table.width.clamp(0, LIMIT), problem.table.height.clamp(0, LIMIT));
    let mut low = Point::new(0, 0);
    let mut high = Point::new(width, height);
    for m in &problem.movers {
        let (a, b) = m.bounds();
        low = Point { x: low.x.max(start.x - a.x), y: low.y.max(start.y - a.y) };
        high = Point { x: high.x.min(width - (b.x - start.x)), y: high.y.min(height - (b.y - start.y)) };
    }
    (low, high)
}

/// Returns the points where a circle crosses the sides of the rectangle.
fn on_frame(ring: &Ring, (low, high): (Point, Point)) -> Vec<Point> {
    let half = |off: i64| {
        let left = i128::from(ring.radius).pow(2) - i128::from(off).pow(2);
        if left < 0 { None } else { i64::try_from(left.isqrt()).ok() }
    };
    let Point { x, y } = ring.middle;
    let mut out = Vec::new();
    for side in [low.x, high.x] {
        out.extend(half(side - x).into_iter().flat_map(|h| [Point::new(side, y - h), Point::new(side, y + h)]));
    }
    for side in [low.y, high.y] {
        out.extend(half(side - y).into_iter().flat_map(|h| [Point::new(x - h, side), Point::new(x + h, side)]));
    }
    out
}

/// Adds circles around the points of some bodies for one mover, shifted to the position of the anchor.
fn around(rings: &mut Vec<Ring>, start: Point, mover: &Body, of: &[Body], distance: impl Fn(&Body) -> i64) {
    let (dx, dy) = (start.x - mover.place().x, start.y - mover.place().y);
    for x in of {
        let core = x.core();
        let radius = distance(x).clamp(0, LIMIT) + core.radius + mover.radius();
        rings.extend(core.points.iter().map(|p| Ring { middle: p.shifted(dx, dy), radius }));
    }
}

/// Returns the intersections of two circles, to a few thousandths.
fn crossings(a: &Ring, b: &Ring) -> Vec<Point> {
    let squared = a.middle.squared_to(b.middle);
    let (sum, difference) = (i128::from(a.radius + b.radius + 4), i128::from((a.radius - b.radius).abs() - 4).max(0));
    if squared > sum * sum || squared < difference * difference {
        return Vec::new();
    }
    let Ok(apart) = i64::try_from(squared.isqrt()) else { return Vec::new() };
    if apart == 0 {
        return Vec::new();
    }
    let square = |n: i64| i128::from(n) * i128::from(n);
    // from the first center to the foot of the chord
    let foot = (square(a.radius) - square(b.radius) + squared) / (2 * i128::from(apart));
    let Ok(foot) = i64::try_from(foot) else { return Vec::new() };
    if foot.abs() > a.radius.saturating_add(2) {
        return Vec::new();
    }
    let Ok(height) = i64::try_from((square(a.radius) - square(foot)).max(0).isqrt()) else { return Vec::new() };
    let (x, y) = a.middle.to(b.middle);
    // position along the line between the centers and distance to its left, at most 2^26 * 2^26
    let at = |on: i64, left: i64| a.middle.shifted((x * on - y * left) / apart, (y * on + x * left) / apart);
    vec![at(foot, height), at(foot, -height)]
}
