//! Containment, crossing and lines of sight.

use super::gap::{core_gap, to_side};
use super::shape::{Core, cross, dot};
use super::{Body, Bounds, Point, bounds_of, meets, sightlines};
use smallvec::SmallVec;

/// A prepared body for repeated queries: its corners and its bounding box.
#[derive(Clone, Debug)]
pub struct Outline {
    core: Core,
    bounds: Bounds,
}

impl Outline {
    /// Returns the outline of a body at its place.
    pub fn of(body: &Body) -> Outline {
        let core = body.core();
        Outline { bounds: core.bounds(), core }
    }

    /// Returns whether the line from `a` to `b` passes over the outline, as [`crosses`] does for a body.
    pub fn crosses(&self, a: Point, b: Point) -> bool {
        passes(a, b, &self.core)
    }

    /// Returns whether all of `place` is within the outline.
    pub fn holds(&self, place: &Body) -> bool {
        let a = &self.core;
        let (low, high) = self.bounds;
        let near = |p: &Point| low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
        if !near(&place.place()) && place.is_round() {
            return false;
        }
        let p = place.core();
        if a.filled() {
            let far = i128::from(p.radius) * i128::from(p.radius);
            let deep = |point: &Point| {
                let off = |(r, s)| {
                    let (num, den) = to_side(*point, r, s);
                    num >= far * den
                };
                a.covers(*point) && (p.radius == 0 || a.sides().all(off))
            };
            let cut = || p.sides().any(|(x, y)| a.sides().any(|(r, s)| cuts(x, y, r, s)));
            return p.points.iter().all(deep) && (p.points.len() == 1 || !cut());
        }
        if a.points.len() == 1 {
            // a disc: the distance of the centers is at most the difference of the radii
            let room = i128::from(a.radius - p.radius);
            return room >= 0 && p.points.iter().all(|q| q.squared_to(a.points[0]) <= room * room);
        }
        p.radius == 0 && p.points.iter().all(|q| near(q) && core_gap(&Body::point(*q).core(), a).is_zero())
    }
}

/// Returns whether two segments cross properly: the ends of each are on different sides of the other.
fn cuts(p: Point, q: Point, r: Point, s: Point) -> bool {
    let side = |a: Point, b: Point, c: Point| cross(a.to(b), a.to(c)).signum();
    side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0
}

/// Returns whether the line from `a` to `b` passes over `thing`. The line passes through the interior of an area or a
/// disc. It passes over a segment or a point if they meet other than at an end of the line. A line that runs along an
/// edge or touches a corner does not pass over an area.
pub fn crosses(a: Point, b: Point, thing: &Body) -> bool {
    passes(a, b, &thing.core())
}

/// A line of sight, with the stretches on which blockers touch it from one side. Two blockers that touch each other,
/// one on each side of the line, block it together.
pub struct SightLine {
    from: Point,
    to: Point,
    left: Vec<(Cut, Cut)>,
    right: Vec<(Cut, Cut)>,
}

impl SightLine {
    /// Creates a line that no blocker touches.
    pub fn new(from: Point, to: Point) -> SightLine {
        SightLine { from, to, left: Vec::new(), right: Vec::new() }
    }

    /// Returns whether the line is blocked by a body, alone or together with a body of an earlier call. `counts`
    /// returns whether the body blocks sight. It is only called if the body touches the line.
    pub fn is_blocked_by(&mut self, outline: &Outline, counts: impl FnOnce() -> bool) -> bool {
        let core = &outline.core;
        if passes(self.from, self.to, core) {
            return counts();
        }
        let (left, right) = self.beside(core);
        if (left.is_empty() && right.is_empty()) || !counts() {
            return false;
        }
        let closed = joint(&left, &self.right) || joint(&self.left, &right);
        self.left.extend(left);
        self.right.extend(right);
        closed
    }

    /// Returns the stretches on which an area or a disc touches the line from its left and from its right. The stretch
    /// of a single point has length 0.
    fn beside(&self, core: &Core) -> (Stretches, Stretches) {
        let (a, b) = (self.from, self.to);
        if core.filled() {
            // an area touches a line only if a corner is on the line
            if !core.points.iter().any(|p| cross(a.to(b), a.to(*p)) == 0) {
                return Default::default();
            }
            let on_line = |(from, to): &(Cut, Cut)| to.0 > 0 && from.0 < from.1;
            let side = |left| stretches(a, b, core, left).into_iter().filter(on_line).collect();
            return (side(true), side(false));
        }
        let (d, to_middle) = (a.to(b), a.to(core.points[0]));
        let (num, den) = to_side(core.points[0], a, b);
        let touches = core.radius > 0 && num == i128::from(core.radius) * i128::from(core.radius) * den;
        let at = (dot(d, to_middle), dot(d, d));
        let touch: Stretches = if touches { [(at, at)].into_iter().collect() } else { Stretches::new() };
        if cross(d, to_middle) > 0 { (touch, Stretches::new()) } else { (Stretches::new(), touch) }
    }
}

type Stretches = SmallVec<[(Cut, Cut); 2]>;

/// Returns whether a stretch of one side meets a stretch of the other side between the ends of the line.
fn joint(one: &[(Cut, Cut)], other: &[(Cut, Cut)]) -> bool {
    let less = |x: &Cut, y: &Cut| x.0 * y.1 < y.0 * x.1;
    one.iter().any(|(a0, a1)| {
        other.iter().any(|(b0, b1)| {
            let from = if less(a0, b0) { b0 } else { a0 };
            let to = if less(a1, b1) { a1 } else { b1 };
            // the viewer and the target are at the ends
            less(from, to) || (!less(to, from) && from.0 > 0 && from.0 < from.1)
        })
    })
}

fn passes(a: Point, b: Point, core: &Core) -> bool {
    if core.filled() {
        return passes_inside(a, b, core);
    }
    if core.radius > 0 {
        let (num, den) = to_side(core.points[0], a, b);
        return num < i128::from(core.radius) * i128::from(core.radius) * den;
    }
    core.sides().any(|(p, q)| {
        let (sp, sq) = (cross(a.to(b), a.to(p)).signum(), cross(a.to(b), a.to(q)).signum());
        let (sa, sb) = (cross(p.to(q), p.to(a)).signum(), cross(p.to(q), p.to(b)).signum());
        let between = |c: Point| cross(a.to(b), a.to(c)) == 0 && dot(c.to(a), c.to(b)) < 0;
        let over = |c: Point| c != a && c != b && cross(p.to(q), p.to(c)) == 0 && dot(c.to(p), c.to(q)) < 0;
        // they cross properly, touch at an end of the segment, or overlap
        (sp * sq < 0 && sa * sb < 0)
            || between(p)
            || between(q)
            || (sp == 0 && sq == 0 && a != b && over_both(a, b, p, q, over))
    })
}

/// Returns whether a line that is collinear with a segment overlaps it.
fn over_both(a: Point, b: Point, p: Point, q: Point, over: impl Fn(Point) -> bool) -> bool {
    over(a) || over(b) || (a == p && b == q) || (a == q && b == p) || {
        let on = |c: Point| dot(c.to(p), c.to(q)) <= 0;
        p != q && on(a) && on(b)
    }
}

/// Returns the length of the segment from `a` to `b` inside `area`, to the nearest thousandth of an inch. Parts along
/// an edge do not count. Segments and points have no interior.
pub fn length_in(a: Point, b: Point, area: &Body) -> i64 {
    let core = area.core();
    let whole = i64::try_from(a.squared_to(b).isqrt()).unwrap_or(0);
    if core.filled() && a != b {
        // each border as a fraction of the line, in 2^-32
        let part = |(num, den): &Cut| ((num << 32) / den).clamp(0, 1 << 32);
        let side = |left| -> Vec<(i128, i128)> {
            stretches(a, b, &core, left).iter().map(|(from, to)| (part(from), part(to))).collect()
        };
        let (left, right) = (side(true), side(false));
        let inside: i128 = left
            .iter()
            .flat_map(|l| right.iter().map(move |r| l.1.min(r.1) - l.0.max(r.0)))
            .filter(|length| *length > 0)
            .sum();
        let length = inside * (a.squared_to(b) << 32).isqrt();
        return i64::try_from((length + (1 << 47)) >> 48).unwrap_or(whole);
    }
    if core.radius > 0 && a != b {
        let (middle, v) = (core.points[0], a.to(b));
        let v2 = dot(v, v);
        let off = cross(v, a.to(middle));
        // in 2^-16 of a thousandth
        let root = (v2 << 32).isqrt();
        let beside = (off << 32) / root;
        let r = i128::from(core.radius) << 16;
        let half = (r * r - beside * beside).max(0).isqrt();
        let along = (dot(v, a.to(middle)) << 32) / root;
        let inside = (along + half).min(root) - (along - half).max(0);
        return if half == 0 { 0 } else { i64::try_from((inside.max(0) + (1 << 15)) >> 16).unwrap_or(whole) };
    }
    0
}

/// Returns whether a part of a-b is in the interior of a polygon. The line is shifted infinitesimally to its left and
/// to its right. Where both shifted lines are inside, the line is in the interior.
fn passes_inside(a: Point, b: Point, core: &Core) -> bool {
    if a == b {
        return core.holds_inside(a);
    }
    let (left, right) = (stretches(a, b, core, true), stretches(a, b, core, false));
    let less = |x: &Cut, y: &Cut| x.0 * y.1 < y.0 * x.1;
    let (zero, one) = ((0, 1), (1, 1));
    left.iter().any(|(l0, l1)| {
        right.iter().any(|(r0, r1)| {
            let from = [l0, r0, &zero].into_iter().reduce(|x, y| if less(x, y) { y } else { x });
            let to = [l1, r1, &one].into_iter().reduce(|x, y| if less(y, x) { y } else { x });
            from.zip(to).is_some_and(|(f, t)| less(f, t))
        })
    })
}

/// A position on a line as a fraction of it. The denominator is above 0.
type Cut = (i128, i128);

/// Returns where the line through a and b, shifted infinitesimally to one side, runs inside the polygon.
fn stretches(a: Point, b: Point, core: &Core, left: bool) -> Stretches {
    let d = a.to(b);
    let mut cuts: SmallVec<[Cut; 4]> = SmallVec::new();
    for (p, q) in core.sides() {
        let (sp, sq) = (cross(d, a.to(p)), cross(d, a.to(q)));
        let on_left = |s: i128| if left { s > 0 } else { s >= 0 };
        if on_left(sp) != on_left(sq) {
            let side = p.to(q);
            let (num, den) = (cross(a.to(p), side), cross(d, side));
            cuts.push(if den < 0 { (-num, -den) } else { (num, den) });
        }
    }
    cuts.sort_by(|x, y| (x.0 * y.1).cmp(&(y.0 * x.1)));
    cuts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Returns the points between which sight is tried first: the place and up to 16 corners. The place is omitted if it is
/// outside of its area. A disc has the two ends of its diameter perpendicular to the line of sight instead of corners.
fn eyes(body: &Body, toward: Point) -> Vec<Point> {
    let mut eyes = vec![body.at];
    match super::Way::toward(body.at, toward) {
        Some(way) if body.radius() > 0 => {
            let side = super::Way::bearing(way.angle() + 9_000);
            eyes.push(side.point(body.at, body.radius()));
            eyes.push(side.back().point(body.at, body.radius()));
        }
        _ => {
            let core = body.core();
            if core.filled() && !core.covers(body.at) {
                eyes.clear();
            }
            eyes.extend(core.points.iter().take(16).filter(|p| **p != body.at));
        }
    }
    eyes
}

/// Returns a clear line between centers and edges of two groups, if the first candidates contain one. In most cases
/// they do.
pub fn line_at_once(a: &[Body], b: &[Body], mut clear: impl FnMut(Point, Point) -> bool) -> Option<(Point, Point)> {
    a.iter().find_map(|x| {
        b.iter().find_map(|y| {
            let (from, to) = (eyes(x, y.at), eyes(y, x.at));
            from.iter().find_map(|p| to.iter().find(|q| clear(*p, **q)).map(|q| (*p, *q)))
        })
    })
}

/// Returns a line between the two groups that passes over no blocker, by an exhaustive search. Use it if
/// [`line_at_once`] finds none.
pub fn line_past(a: &[Body], b: &[Body], blockers: &[Body]) -> Option<(Point, Point)> {
    a.iter().find_map(|x| {
        b.iter().find_map(|y| {
            let around = bounds_of(&[x.clone(), y.clone()]);
            let near: SmallVec<[&Body; 16]> = blockers.iter().filter(|t| meets(t.bounds(), around)).collect();
            sightlines::between(x, y, &near)
        })
    })
}
