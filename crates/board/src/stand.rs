//! How things stand to each other: fronts and rears, places next to a thing, the table and its grid.

use super::angle::{direction, normal, turn_between};
use super::contact::{Contact, contact};
use super::gap::{gap, touches};
use super::shape::{cross, dot};
use super::{Body, Bounds, LIMIT, ONE, Point, Shape, TOUCH, Way, meets, widened};

/// The table: from (0, 0) at the lower left to (width, height) at the upper right, in thousandths of an inch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// To the right.
    pub width: i64,
    /// Up.
    pub height: i64,
}

impl Table {
    /// True if the whole body lies on the table, edges included.
    pub fn holds(&self, body: &Body) -> bool {
        let (low, high) = body.bounds();
        low.x >= 0 && low.y >= 0 && high.x <= self.width && high.y <= self.height
    }

    /// How far the nearest edge of a body is from the nearest edge of the table; 0 if it reaches it.
    pub fn to_edge(&self, body: &Body) -> i64 {
        let (low, high) = body.bounds();
        [low.x, low.y, self.width - high.x, self.height - high.y].into_iter().min().unwrap_or(0).max(0)
    }

    /// How far a body can go on a way before its edge passes an edge of the table. An edge it is past already stops
    /// only what leads farther out.
    pub fn room(&self, body: &Body, way: &Way) -> i64 {
        let (low, high) = body.bounds();
        let (ux, uy) = way.unit();
        let side = |unit: i64, low: i64, high: i64, size: i64| {
            let slack = if unit > 0 { size.clamp(0, LIMIT) - high } else { low };
            if unit == 0 {
                return 2 * LIMIT;
            }
            // a sixteenth of a thousandth is forgiven, as for contacts: unit vectors are cut
            let one = i128::from(ONE);
            let far = (i128::from(slack.max(0)) * one + i128::from(unit.abs()) / 16) / i128::from(unit.abs());
            i64::try_from(far).unwrap_or(2 * LIMIT).min(2 * LIMIT)
        };
        side(ux, low.x, high.x, self.width).min(side(uy, low.y, high.y, self.height))
    }
}

/// Where the front of a body points.
pub fn ahead(body: &Body) -> i64 {
    normal(body.facing)
}

/// Where its rear points.
pub fn rear(body: &Body) -> i64 {
    normal(normal(body.facing) + 18_000)
}

/// True if `place` lies before the line through the middle of `body` that is square to its facing: in the front half
/// of the table. What lies on the line is neither in front nor in rear.
pub fn in_front(body: &Body, place: &Body) -> bool {
    dot(direction(body.facing), body.at.to(place.at)) > 0
}

/// True if `place` lies behind that line.
pub fn in_rear(body: &Body, place: &Body) -> bool {
    dot(direction(body.facing), body.at.to(place.at)) < 0
}

/// True if `place` lies no more than `half` (hundredths of a degree) to either side of where the front of `body`
/// points, seen from its middle. The middle itself lies in every arc.
pub fn in_arc(body: &Body, place: &Body, half: i64) -> bool {
    let to = body.at.to(place.at);
    if to == (0, 0) || half >= 18_000 {
        return half >= 0;
    }
    let side = |angle: i64| cross(direction(angle), to);
    let (left, right) = (side(normal(body.facing - half)), side(normal(body.facing + half)));
    // right of the left side and left of the right one; of an arc wider than half a circle one is enough
    half >= 0
        && if half <= 9_000 {
            left <= 0 && right >= 0 && (half > 0 || dot(direction(body.facing), to) > 0)
        } else {
            left <= 0 || right >= 0
        }
}

/// True if the fronts of two bodies point within 45 degrees of each other, 45 included.
pub fn same_facing(a: &Body, b: &Body) -> bool {
    turn_between(a.facing, b.facing) <= 4_500
}

/// The point of `thing` that `mover` heads for when it goes toward it: the middle of a disc, else the nearest point,
/// rounded to thousandths.
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

/// The length free straight to the rear of `body` before `others` or the edge of the table, cut. It is thought to slide
/// back as it stands. Points have no body that could stand in the way, as in a move.
pub fn room_behind(body: &Body, others: &[Body], table: Table) -> i64 {
    let way = Way::bearing(rear(body));
    let after = |o: &Body| match contact(body, o, &way) {
        Contact::After(d) if !o.is_round() || o.radius() > 0 => Some(d),
        _ => None,
    };
    others.iter().filter_map(after).chain([table.room(body, &way)]).min().unwrap_or(0)
}

/// The place where `mover`, which slides there as it stands, touches the rear of `thing`, straight behind its middle.
pub fn just_behind(mover: &Body, thing: &Body) -> Point {
    beside(mover, thing, thing.at, &Way::bearing(rear(thing))).unwrap_or(thing.at)
}

/// The place where `mover` touches the side of `thing` away from it: straight on toward the nearest point, and through.
/// If it touches the thing already, straight on as it faces.
pub fn just_beyond(mover: &Body, thing: &Body) -> Point {
    let touching = touches(std::slice::from_ref(mover), std::slice::from_ref(thing));
    let near = near_point(mover, thing);
    let toward = Way::toward(mover.at, near).filter(|_| !touching);
    let place = beside(mover, thing, mover.at, &toward.unwrap_or(Way::bearing(mover.facing)));
    // a way is rounded, and may miss a corner or a point by a hair
    place.unwrap_or(if touching { mover.at } else { near })
}

/// The last place on a way from `from` where the mover still touches the thing; none if it never does.
fn beside(mover: &Body, thing: &Body, from: Point, way: &Way) -> Option<Point> {
    let spread = |b: &Body| {
        let (low, high) = b.bounds();
        (high.x - low.x) + (high.y - low.y)
    };
    let apart = i64::try_from(from.squared_to(thing.at).isqrt()).unwrap_or(0);
    let far = apart + spread(mover) + spread(thing) + 10;
    // come back from far off until it is touched
    let back = mover.moved_to(way.point(from, far));
    match contact(&back, thing, &way.back()) {
        Contact::After(d) => {
            // the cut goes toward the thing here, never short of it by more than a touch
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

/// No more grid points than this are looked at for one list.
const SPOTS: usize = 1 << 16;

/// The points of a grid, `step` apart and counted from (0, 0), where `mover` would stand on the table within `distance`
/// of `place` and overlap no base or piece among `others`, lowest row first (an area is ground, which may be entered); at most `cap`, and whether that is all. It
/// gives up after 65,536 points.
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
    // no part of the mover is farther from its place than this, up or sideways
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
