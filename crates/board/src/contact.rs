//! Computes where a body that moves in a straight line first touches another.

use super::gap::{core_gap, meet, to_side};
use super::shape::{Core, Vector, cross, dot};
use super::{Body, ONE, Point, TOUCH, Way};
use smallvec::smallvec;

/// Units per thousandth of an inch in the computation of contacts.
const PART: i128 = 1 << 32;

/// Tolerance by which a contact can exceed a whole thousandth and still count as being there, because unit vectors are
/// truncated at 2^-30.
const SLACK: i128 = PART / 16;

/// The first contact of a moving body with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// The bodies never touch.
    Never,
    /// The bodies already overlap.
    Over,
    /// The bodies touch after this length, in thousandths of an inch, rounded down.
    After(i64),
}

/// Maximum length, in thousandths of an inch, at which the contact of touching bodies counts as immediate.
pub(super) const AT_ONCE: i64 = 10;

/// Returns the first contact of `mover` with `thing` on `way`. If the bodies touch at the start, the contact is
/// immediate if the way leads straight into the thing, and later if it approaches at an angle. Otherwise there is none.
/// A mover without interior and radius that starts exactly on such a thing is not on either side of it.
pub fn contact(mover: &Body, thing: &Body, way: &Way) -> Contact {
    let (m, t) = (mover.core(), thing.core());
    let radius = m.radius + t.radius;
    if passes_by(&m, &t, radius, way) {
        return Contact::Never;
    }
    let touching = touch(&m, &t, radius);
    let joined = touching && core_gap(&m, &t).is_zero();
    if joined {
        let start = at_start(&m, &t, radius, way);
        // a convex thing cannot be met again after the mover leaves it
        if start != Contact::Never || is_convex(&t.points) && is_convex(&m.points) {
            return start;
        }
    }
    let near = |from: &Core, to: &Core, way: &Way| {
        let ray = Ray { way, unit: unit(way), radius };
        from.points.iter().filter_map(|p| ray.to_outline(*p, to, joined)).min()
    };
    let best = near(&m, &t, way);
    let best = if m.points.len() > 1 { best.into_iter().chain(near(&t, &m, &way.back())).min() } else { best };
    match best.and_then(|b| i64::try_from((b + SLACK) / PART).ok()) {
        None => Contact::Never,
        Some(d) if touching && d <= AT_ONCE => Contact::After(0),
        Some(d) => Contact::After(d),
    }
}

/// Returns whether a mover, shifted by a vector, overlaps a thing by more than a touch. For a [`thin`] thing, returns
/// whether the mover is on it or has crossed it.
pub(super) fn runs_into(mover: &Body, thing: &Body, by: Vector) -> bool {
    let (from, t) = (mover.core(), thing.core());
    let m = mover.moved_to(mover.at.shifted(by.0, by.1)).core();
    if core_gap(&m, &t).is_below(0) || inside_of(&m, &t) || inside_of(&t, &m) {
        return true;
    }
    let crosses = |p: Point, q: Point, of: &Core| of.sides().any(|(a, b)| meet(p, q, a, b));
    thin(mover, thing)
        && (from.points.iter().zip(&m.points).any(|(p, q)| crosses(*p, *q, &t))
            || t.points.iter().any(|q| crosses(*q, q.shifted(-by.0, -by.1), &from)))
}

/// Returns whether the thing is a line without depth and the mover has no radius. Such a thing is crossed, not touched.
pub(super) fn thin(mover: &Body, thing: &Body) -> bool {
    mover.radius() + thing.radius() == 0 && thing.core().points.len() == 2
}

fn inside_of(of: &Core, core: &Core) -> bool {
    of.points.iter().any(|p| core.holds_inside(*p))
}

/// Returns whether the gap between two bodies is at most [`TOUCH`].
fn touch(m: &Core, t: &Core, radius: i64) -> bool {
    let [p] = m.points.as_slice() else { return core_gap(m, t).at_most(TOUCH) };
    let reach = i128::from(radius + TOUCH).pow(2);
    t.covers(*p)
        || t.sides().any(|(a, b)| {
            let (num, den) = to_side(*p, a, b);
            num <= reach * den
        })
}

/// Returns whether the whole thing stays on one side of a point that moves on a way, and is not touched.
fn passes_by(m: &Core, t: &Core, radius: i64, way: &Way) -> bool {
    let [p] = m.points.as_slice() else { return false };
    let reach = i128::from(radius + TOUCH).pow(2) * dot(way.vector(), way.vector());
    let aside = |q: &Point| {
        let off = way.side(p.to(*q));
        if off * off > reach { off.signum() } else { 0 }
    };
    let mut sides = t.points.iter().map(aside);
    sides.next().is_some_and(|first| first != 0 && sides.all(|side| side == first))
}

/// Returns whether an outline is convex. Points and segments are.
fn is_convex(corners: &[Point]) -> bool {
    let n = corners.len();
    let turns = |i: usize| {
        let (a, b, c) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        let (x, y) = (i128::from(b.x) - i128::from(a.x), i128::from(b.y) - i128::from(a.y));
        x * (i128::from(c.y) - i128::from(b.y)) - y * (i128::from(c.x) - i128::from(b.x))
    };
    n <= 3 || (0..n).all(|i| turns(i) >= 0) || (0..n).all(|i| turns(i) <= 0)
}

/// Returns the contact of bodies that have no gap between them at the start.
fn at_start(m: &Core, t: &Core, radius: i64, way: &Way) -> Contact {
    let back = way.back();
    if radius > 0 {
        if core_gap(m, t).is_below(-TOUCH) || inside_of(m, t) || inside_of(t, m) {
            return Contact::Over;
        }
        return if nears(m, t, radius + TOUCH, way) { Contact::After(0) } else { Contact::Never };
    }
    let deep = |of: &Core, core: &Core| of.points.iter().any(|p| core.holds_inside(*p) && borders(*p, core).is_empty());
    if deep(m, t) || deep(t, m) {
        return Contact::Over;
    }
    if enters(m, t, way) || enters(t, m, &back) { Contact::After(0) } else { Contact::Never }
}

/// Returns whether a way approaches any side of a thing whose distance, between cores, is at most `reach`.
fn nears(m: &Core, t: &Core, reach: i64, way: &Way) -> bool {
    let back = way.back();
    let near = |p: &Point, (a, b): (Point, Point), w: &Way| {
        core_gap(&single(*p), &pair(a, b)).at_most(reach) && closes_in(*p, a, b, w)
    };
    m.points.iter().any(|p| t.sides().any(|s| near(p, s, way)))
        || (m.points.len() > 1 && t.points.iter().any(|p| m.sides().any(|s| near(p, s, &back))))
}

/// Returns whether a mover would approach a thing that is within `reach`.
pub(super) fn comes_nearer(mover: &Body, thing: &Body, reach: i64, way: &Way) -> bool {
    let (m, t) = (mover.core(), thing.core());
    nears(&m, &t, m.radius + t.radius + reach, way)
}

/// Returns the sides of an area that a point touches.
fn borders(p: Point, core: &Core) -> Vec<(Point, Point)> {
    let near = |(a, b): &(Point, Point)| core_gap(&single(p), &pair(*a, *b)).at_most(TOUCH);
    core.sides().filter(near).collect()
}

/// Returns whether a body that moves on a way enters an area with a corner, or with the middle of a side, that is on
/// the border of the area. A corner that rounding placed just inside enters if the way leads inward from all sides that
/// it touches.
fn enters(of: &Core, area: &Core, way: &Way) -> bool {
    if !area.filled() {
        return false;
    }
    let v = way.vector();
    let origin = Point::default();
    let wound = area.sides().map(|(a, b)| cross(origin.to(a), origin.to(b))).sum::<i128>().signum();
    let inward = |(a, b): &(Point, Point)| cross(a.to(*b), v).signum() == wound;
    let both = |a: Point, b: Point| {
        let (a, b) = (origin.to(a), origin.to(b));
        (a.0 + b.0, a.1 + b.1)
    };
    let corner = |p: &Point| match area.holds_inside(*p) {
        true => borders(*p, area).iter().all(inward),
        false => area.holds_just_ahead(both(*p, *p), v),
    };
    let middle = |(a, b): (Point, Point)| {
        let twice = both(a, b);
        !area.holds_just_ahead(twice, (0, 0)) && area.holds_just_ahead(twice, v)
    };
    of.points.iter().any(corner) || of.points.len() > 1 && of.sides().any(middle)
}

fn single(p: Point) -> Core {
    Core { points: smallvec![p], radius: 0 }
}

fn pair(a: Point, b: Point) -> Core {
    Core { points: if a == b { smallvec![a] } else { smallvec![a, b] }, radius: 0 }
}

/// Returns whether the way from `p` approaches the segment a-b.
fn closes_in(p: Point, a: Point, b: Point, way: &Way) -> bool {
    let (side, w) = (a.to(b), a.to(p));
    let (along, whole) = (dot(side, w), dot(side, side));
    let target = if along <= 0 || whole == 0 {
        a
    } else if along >= whole {
        b
    } else {
        return cross(side, w).signum() * cross(side, way.vector()).signum() < 0;
    };
    dot(p.to(target), way.vector()) > 0
}

/// Returns the unit vector of a way, scaled by [`PART`].
fn unit(way: &Way) -> (i128, i128) {
    let (x, y) = way.unit();
    let up = PART / i128::from(ONE);
    (i128::from(x) * up, i128::from(y) * up)
}

/// The motion of points on a way until they are at distance `radius` from an outline.
struct Ray<'a> {
    way: &'a Way,
    unit: (i128, i128),
    radius: i64,
}

impl Ray<'_> {
    /// Returns the length, in parts, until a point is near an outline, or `None` if it never is. If the bodies are
    /// `joined` at the start, sides that touch the point are ignored: [`at_start`] has already examined them.
    fn to_outline(&self, p: Point, to: &Core, joined: bool) -> Option<i128> {
        let apart = |a: &Point, b: &Point| !joined || !core_gap(&single(p), &pair(*a, *b)).at_most(self.radius);
        let sides = to.sides().filter(|(a, b)| apart(a, b));
        if joined {
            let each = |(a, b)| [self.to_point(p, a), self.to_point(p, b), self.to_flank(p, a, b)];
            return sides.flat_map(each).flatten().min();
        }
        let corners = to.points.iter().filter_map(|a| self.to_point(p, *a));
        corners.chain(sides.filter_map(|(a, b)| self.to_flank(p, a, b))).min()
    }

    fn to_point(&self, p: Point, a: Point) -> Option<i128> {
        let (way, w) = (self.way, p.to(a));
        if dot(w, way.vector()) <= 0 {
            return None;
        }
        // this test is exact
        let (off, v2) = (way.side(w), dot(way.vector(), way.vector()));
        let r = i128::from(self.radius);
        if off * off > r * r * v2 {
            return None;
        }
        let (ux, uy) = self.unit;
        let (wx, wy) = (i128::from(w.0), i128::from(w.1));
        let along = wx * ux + wy * uy;
        let beside = wx * uy - wy * ux;
        let depth = (r * r * PART * PART - beside * beside).max(0).isqrt();
        Some((along - depth).max(0))
    }

    fn to_flank(&self, p: Point, a: Point, b: Point) -> Option<i128> {
        if a == b {
            return None;
        }
        let (way, radius) = (self.way, i128::from(self.radius));
        let side = a.to(b);
        let (off, rate) = (cross(side, a.to(p)), cross(side, way.vector()));
        if off.signum() * rate.signum() >= 0 {
            return None;
        }
        // both ends are on the same side, out of reach
        let (left, right) = (way.side(p.to(a)), way.side(p.to(b)));
        let reach = radius * radius * dot(way.vector(), way.vector());
        if left.signum() * right.signum() > 0 && left * left > reach && right * right > reach {
            return None;
        }
        let (ux, uy) = self.unit;
        let fall = (i128::from(side.0) * uy - i128::from(side.1) * ux).abs();
        let whole = dot(side, side);
        // the argument of the root fits: 2^52 * 2^64
        let length = (whole * PART * PART).isqrt();
        let over = off.abs() * PART - radius * length;
        if over < 0 || fall == 0 || over / fall > (1 << 28) {
            return None;
        }
        let t = over * PART / fall;
        let foot = dot(side, a.to(p)) * PART + t * (i128::from(side.0) * ux + i128::from(side.1) * uy) / PART;
        let error = length / PART + 1;
        (foot >= -error && foot <= whole * PART + error).then_some(t)
    }
}
