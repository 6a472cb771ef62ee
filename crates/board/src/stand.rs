//! Relative positions: fronts and rears, points next to a thing, the table and its grid.

use super::angle::{direction, normal, turn_between};
use super::contact::{Contact, contact};
use super::gap::{gap, touches};
use super::shape::{cross, dot};
use super::{Body, Bounds, LIMIT, ONE, Point, Shape, TOUCH, Way, meets, widened};

/// The table, from (0, 0) at the lower left to (width, height) at the upper right, in thousandths of an inch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The extent to the right.
    pub width: i64,
    /// The extent upward.
    pub height: i64,
}

impl Table {
    /// Returns whether the whole body is on the table, edges included.
    pub fn holds(&self, body: &Body) -> bool {
        let (low, high) = body.bounds();
        low.x >= 0 && low.y >= 0 && high.x <= self.width && high.y <= self.height
    }

    /// Returns the distance from a body to the nearest edge of the table, or 0 if it reaches the edge.
    pub fn to_edge(&self, body: &Body) -> i64 {
        let (low, high) = body.bounds();
        [low.x, low.y, self.width - high.x, self.height - high.y].into_iter().min().unwrap_or(0).max(0)
    }

    /// Returns how far a body can move on a way before it crosses an edge of the table. An edge that it has already
    /// crossed only stops a way that leads farther out.
    pub fn room(&self, body: &Body, way: &Way) -> i64 {
        let (low, high) = body.bounds();
        let (ux, uy) = way.unit();
        let side = |unit: i64, low: i64, high: i64, size: i64| {
            let slack = if unit > 0 { size.clamp(0, LIMIT) - high } else { low };
            if unit == 0 {
                return 2 * LIMIT;
            }
            // tolerance of a sixteenth of a thousandth, as for contacts: unit vectors are truncated
            let one = i128::from(ONE);
            let far = (i128::from(slack.max(0)) * one + i128::from(unit.abs()) / 16) / i128::from(unit.abs());
            i64::try_from(far).unwrap_or(2 * LIMIT).min(2 * LIMIT)
        };
        side(ux, low.x, high.x, self.width).min(side(uy, low.y, high.y, self.height))
    }
}

/// Returns the bearing of the front of a body.
pub fn ahead(body: &Body) -> i64 {
    normal(body.facing)
}

/// Returns the bearing of the rear of a body.
pub fn rear(body: &Body) -> i64 {
    normal(normal(body.facing) + 18_000)
}

/// Returns whether `place` is in front of the line through the center of `body` that is perpendicular to its facing. A
/// point on the line is neither in front nor in rear.
pub fn in_front(body: &Body, place: &Body) -> bool {
    dot(direction(body.facing), body.at.to(place.at)) > 0
}

/// Returns whether `place` is to the rear of the line that [`in_front`] uses.
pub fn in_rear(body: &Body, place: &Body) -> bool {
    dot(direction(body.facing), body.at.to(place.at)) < 0
}

/// Returns whether the bearing from the center of `body` to `place` is within `half` (hundredths of a degree) of its
/// facing. The center itself is in every arc.
pub fn in_arc(body: &Body, place: &Body, half: i64) -> bool {
    let to = body.at.to(place.at);
    if to == (0, 0) || half >= 18_000 {
        return half >= 0;
    }
    let side = |angle: i64| cross(direction(angle), to);
    let (left, right) = (side(normal(body.facing - half)), side(normal(body.facing + half)));
    // the point is right of the left side and left of the right side; an arc wider than half a circle needs only one of
    // the two
    half >= 0
        && if half <= 9_000 {
            left <= 0 && right >= 0 && (half > 0 || dot(direction(body.facing), to) > 0)
        } else {
            left <= 0 || right >= 0
        }
}

/// Returns whether the facings of two bodies differ by at most 45 degrees.
pub fn same_facing(a: &Body, b: &Body) -> bool {
    turn_between(a.facing, b.facing) <= 4_500
}

/// Returns the point of `thing` that `mover` moves toward: the center of a disc, otherwise the nearest point, rounded
/// to thousandths.
pub fn near_point(mover: &Body, thing: &Body) -> Point {
    let core = thing.core();
    if core.points.len() == 1 || core.covers(mover.at) {
        return core.points.first().copied().filter(|_| core.points.len() == 1).unwrap_or(mover.at);
    }
    let nearest = |(a, b): (Point, Point)| {
        let (side, w) = (a.to(b), a.to(mover.at));
        let (along, whole) = (dot(side, w), dot(side, side));
        if along <= 0 || whole == 0 {
            a
        } else if along >= whole {
            b
        } else {
            let part = |n: i64| i64::try_from((2 * i128::from(n) * along + whole).div_euclid(2 * whole)).unwrap_or(0);
            a.shifted(part(side.0), part(side.1))
        }
    };
    core.sides().map(nearest).min_by_key(|p| p.squared_to(mover.at)).unwrap_or(thing.at)
}

/// Returns the free length straight to the rear of `body` before it meets one of `others` or the edge of the table,
/// rounded down. The body keeps its facing. Points do not block it, as in a move.
pub fn room_behind(body: &Body, others: &[Body], table: Table) -> i64 {
    let way = Way::bearing(rear(body));
    let after = |o: &Body| match contact(body, o, &way) {
        Contact::After(d) if !o.is_round() || o.radius() > 0 => Some(d),
        _ => None,
    };
    others.iter().filter_map(after).chain([table.room(body, &way)]).min().unwrap_or(0)
}

/// Returns the point where `mover`, keeping its facing, touches the rear of `thing`, exactly to the rear of its center.
pub fn just_behind(mover: &Body, thing: &Body) -> Point {
    beside(mover, thing, thing.at, &Way::bearing(rear(thing))).unwrap_or(thing.at)
}

/// Returns the point where `mover` touches the far side of `thing`, on the way to its nearest point and through it. If
/// the two already touch, the way is the facing of `mover`.
pub fn just_beyond(mover: &Body, thing: &Body) -> Point {
    let touching = touches(std::slice::from_ref(mover), std::slice::from_ref(thing));
    let near = near_point(mover, thing);
    let toward = Way::toward(mover.at, near).filter(|_| !touching);
    let place = beside(mover, thing, mover.at, &toward.unwrap_or(Way::bearing(mover.facing)));
    // rounding can make a way miss a corner or a point
    place.unwrap_or(if touching { mover.at } else { near })
}

/// Returns the last point on a way from `from` where the mover still touches the thing, or `None` if it never does.
fn beside(mover: &Body, thing: &Body, from: Point, way: &Way) -> Option<Point> {
    let spread = |b: &Body| {
        let (low, high) = b.bounds();
        (high.x - low.x) + (high.y - low.y)
    };
    let apart = i64::try_from(from.squared_to(thing.at).isqrt()).unwrap_or(0);
    let far = apart + spread(mover) + spread(thing) + 10;
    // move back from a far point until the first contact
    let back = mover.moved_to(way.point(from, far));
    match contact(&back, thing, &way.back()) {
        Contact::After(d) => {
            // rounding down moves the mover past the contact by at most a touch, so correct it
            let mut length = (far - d).max(0);
            let apart = |l: i64| gap(&mover.moved_to(way.point(from, l)), thing);
            for _ in 0..16 {
                if length == 0 || apart(length).at_most(TOUCH) {
                    break;
                }
                length -= 1;
            }
            Some(way.point(from, length))
        }
        _ => None,
    }
}

/// Maximum number of grid points that are examined for one list.
const SPOTS: usize = 1 << 16;

/// Lists the points of a grid, in rows from the bottom, that are legal for `mover`. There, it is on the table and
/// within `distance` of `place`, and overlaps no base or piece of `others`. Areas are ground, which can be entered. The
/// grid has the spacing `step` and starts at (0, 0). Returns at most `cap` points, and whether the list is complete.
/// The search stops after 65,536 grid points.
pub fn spots_near(
    mover: &Body,
    place: &Body,
    distance: i64,
    others: &[Body],
    table: Table,
    step: i64,
    cap: usize,
) -> (Vec<Point>, bool) {
    let step = step.clamp(1, LIMIT);
    let (low, high) = place.bounds();
    let reach = distance.clamp(0, LIMIT) + mover.radius();
    let from = |c: i64| (c - reach).max(0).div_euclid(step) * step;
    // maximum distance of a part of the mover from its place, along an axis
    let (own_low, own_high) = mover.moved_to(Point::default()).bounds();
    let wide = [own_low.x, own_low.y, own_high.x, own_high.y].map(i64::abs).into_iter().max().unwrap_or(0);
    let area = widened((low, high), reach + step + wide);
    let in_area = |o: &&Body| !matches!(o.shape, Shape::Polygon(_)) && meets(o.bounds(), area);
    let near = |o: &'_ Body| widened(o.bounds(), wide);
    let others: Vec<_> = others.iter().filter(in_area).map(|o| (near(o), o)).collect();
    let (mut out, mut tried) = (Vec::new(), 0);
    let mut y = from(low.y);
    while y <= (high.y + reach).min(table.height) {
        let mut x = from(low.x);
        while x <= (high.x + reach).min(table.width) {
            let there = mover.moved_to(Point::new(x, y));
            let (x_at, y_at) = (there.at.x, there.at.y);
            let in_box = |(low, high): Bounds| low.x <= x_at && x_at <= high.x && low.y <= y_at && y_at <= high.y;
            let overlaps = |(area, o): &(Bounds, &Body)| in_box(*area) && gap(&there, o).is_zero();
            if table.holds(&there) && gap(&there, place).at_most(distance) && !others.iter().any(overlaps) {
                if out.len() >= cap {
                    return (out, false);
                }
                out.push(there.at);
            }
            tried += 1;
            if tried > SPOTS {
                return (out, false);
            }
            x += step;
        }
        y += step;
    }
    (out, true)
}
