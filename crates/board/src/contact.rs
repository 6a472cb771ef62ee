//! Where a body that goes straight on first touches another.

use super::gap::{core_gap, meet, to_side};
use super::shape::{Core, Vector, cross, dot};
use super::{Body, ONE, Point, TOUCH, Way};
use smallvec::smallvec;

/// Parts of a thousandth of an inch that contacts are computed in.
const PART: i128 = 1 << 32;

/// A contact this near past a whole thousandth is taken to lie on it: unit vectors are cut at 2^-30.
const SLACK: i128 = PART / 16;

/// What a body meets on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Nothing, however far it goes.
    Never,
    /// It overlaps the other already.
    Over,
    /// It touches the other after so many thousandths of an inch, cut.
    After(i64),
}

/// What is touched and met within so many thousandths of an inch is met at once.
const AT_ONCE: i64 = 10;

/// The first contact of `mover` with `thing` on `way`. A thing touched at the start is met at once if the way leads
/// straight into it, where the way comes to it if it leads there on the slant, else not at all. A body without an inside
/// and without a radius that begins right on another such has no side of it to be kept on.
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
        // a convex thing that is left is not met again
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

/// True if a mover that has gone straight by a vector lies in a thing by more than it touches it; of what is [`thin`], if
/// it is on it or past it.
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

/// True if a thing is a line without depth and the mover has no radius: then no side of it is ever touched, only passed.
pub(super) fn thin(mover: &Body, thing: &Body) -> bool {
    mover.radius() + thing.radius() == 0 && thing.core().points.len() == 2
}

fn inside_of(of: &Core, core: &Core) -> bool {
    of.points.iter().any(|p| core.holds_inside(*p))
}

/// True if no more than [`TOUCH`] lies between two bodies.
fn touch(m: &Core, t: &Core, radius: i64) -> bool {
    let [p] = m.points.as_slice() else { return core_gap(m, t).at_most(TOUCH) };
    let reach = i128::from(radius + TOUCH).pow(2);
    t.covers(*p)
        || t.sides().any(|(a, b)| {
            let (num, den) = to_side(*p, a, b);
            num <= reach * den
        })
}

/// True if all of a thing stays aside of a point that goes on a way, on one side of it, and is not touched.
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

/// True for an outline that turns one way only, and for points and segments.
fn is_convex(corners: &[Point]) -> bool {
    let n = corners.len();
    let turns = |i: usize| {
        let (a, b, c) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        let (x, y) = (i128::from(b.x) - i128::from(a.x), i128::from(b.y) - i128::from(a.y));
        x * (i128::from(c.y) - i128::from(b.y)) - y * (i128::from(c.x) - i128::from(b.x))
    };
    n <= 3 || (0..n).all(|i| turns(i) >= 0) || (0..n).all(|i| turns(i) <= 0)
}

/// What holds for bodies without a gap between them before the first step.
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

/// True if a way leads nearer to any side of a thing that is no more than `reach` off between cores.
fn nears(m: &Core, t: &Core, reach: i64, way: &Way) -> bool {
    let back = way.back();
    let near = |p: &Point, (a, b): (Point, Point), w: &Way| {
        core_gap(&single(*p), &pair(a, b)).at_most(reach) && closes_in(*p, a, b, w)
    };
    m.points.iter().any(|p| t.sides().any(|s| near(p, s, way)))
        || (m.points.len() > 1 && t.points.iter().any(|p| m.sides().any(|s| near(p, s, &back))))
}

/// True if a mover would come nearer to a thing that is within `reach` of it.
pub(super) fn comes_nearer(mover: &Body, thing: &Body, reach: i64, way: &Way) -> bool {
    let (m, t) = (mover.core(), thing.core());
    nears(&m, &t, m.radius + t.radius + reach, way)
}

/// The sides of an area that a point touches.
fn borders(p: Point, core: &Core) -> Vec<(Point, Point)> {
    let near = |(a, b): &(Point, Point)| core_gap(&single(p), &pair(*a, *b)).at_most(TOUCH);
    core.sides().filter(near).collect()
}

/// True if a corner of a body, or the middle of a side of it, that is on the rim of an area goes into it on a way. A
/// corner that rounding has put just inside goes in if it leads in from all sides that it touches.
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

/// True if the way leads from `p` nearer to the piece a-b.
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

/// Unit vector in parts.
fn unit(way: &Way) -> (i128, i128) {
    let (x, y) = way.unit();
    let up = PART / i128::from(ONE);
    (i128::from(x) * up, i128::from(y) * up)
}

/// Points that go on a way until they are `radius` from something.
struct Ray<'a> {
    way: &'a Way,
    unit: (i128, i128),
    radius: i64,
}

impl Ray<'_> {
    /// How far, in parts, a point goes before it is near an outline; none if it never comes so near. Of what is `joined`
    /// at the start the sides that are do not count: they were judged there.
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
        // whether it is met at all is judged exactly
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
        // both ends stay aside, on one side
        let (left, right) = (way.side(p.to(a)), way.side(p.to(b)));
        let reach = radius * radius * dot(way.vector(), way.vector());
        if left.signum() * right.signum() > 0 && left * left > reach && right * right > reach {
            return None;
        }
        let (ux, uy) = self.unit;
        let fall = (i128::from(side.0) * uy - i128::from(side.1) * ux).abs();
        let whole = dot(side, side);
        // root of a number below 2^52 in parts: 2^52 * 2^64 fits
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
