//! Lines of sight past blockers: critical lines, each along two corners or discs, as in a visibility graph (T.
//! Lozano-Pérez and M. A. Wesley, 1979).
//!
//! Free lines between two bodies form connected families. At the border of a family, a line touches two objects at
//! once. Each is a blocker, an end of the viewer or target, or a point where the outlines of a blocker and of the
//! viewer or target cross. The search tries one line close to each such pair and checks it exactly. It can miss a gap
//! that is only a few thousandths of an inch wide.

use super::gap::core_gap;
use super::shape::{Core, cross, dot};
use super::{Body, Outline, Point, SightLine};

/// Distance at which a line passes a corner or disc, in thousandths of an inch. It allows for the rounding of the ends
/// of lines.
const BESIDE: i64 = 2;

/// Number of fractional bits of a direction, whose length is 2 to this power.
const UNIT: u32 = 30;

/// An element that a critical line passes: a corner or the center of a disc, and the distance of the line to its right.
#[derive(Clone, Copy)]
struct Edge {
    at: Point,
    off: i64,
}

/// An infinite line: a direction, and an element that it passes.
struct StraightLine {
    past: Edge,
    /// The direction, scaled by 2 to the power of [`UNIT`].
    way: (i64, i64),
}

impl StraightLine {
    /// Returns the line along two elements, from the first to the second, or `None` if there is no such line.
    fn along(a: Edge, b: Edge) -> Option<StraightLine> {
        let d = a.at.to(b.at);
        let (square, turn) = (dot(d, d), i128::from(b.off - a.off));
        let ahead = ((square - turn * turn) << 32).max(0).isqrt();
        if square == 0 || turn * turn > square {
            return None;
        }
        let (dx, dy) = (i128::from(d.0), i128::from(d.1));
        let part = |along: i128, beside: i128| {
            i64::try_from(((ahead * along + (turn << 16) * beside) << (UNIT - 16)) / square).ok()
        };
        Some(StraightLine { past: a, way: (part(dx, dy)?, part(dy, -dx)?) })
    }

    /// Returns the distance of a point to the left of the line, scaled by 2 to the power of [`UNIT`].
    fn left(&self, p: Point) -> i128 {
        cross(self.way, self.past.at.to(p)) + (i128::from(self.past.off) << UNIT)
    }

    /// Returns the minimum and maximum distance of the points of a body to the left of the line.
    fn spread(&self, body: &Core) -> (i128, i128) {
        let radius = i128::from(body.radius) << UNIT;
        let all = body.points.iter().map(|p| self.left(*p));
        all.fold((i128::MAX, i128::MIN), |(low, high), left| (low.min(left - radius), high.max(left + radius)))
    }

    /// Returns the position of a point along the line.
    fn ahead(&self, p: Point) -> i64 {
        (dot(self.way, self.past.at.to(p)) >> UNIT) as i64
    }

    /// Returns the point at a position along the line.
    fn point(&self, ahead: i64) -> Point {
        let round = |v: i128| ((v + (1 << (UNIT - 1))) >> UNIT) as i64;
        let (x, y) = (i128::from(self.way.0), i128::from(self.way.1));
        let (off, ahead) = (i128::from(self.past.off), i128::from(ahead));
        self.past.at.shifted(round(off * y + ahead * x), round(ahead * y - off * x))
    }

    /// Returns the positions where the line crosses the border of a body, with the points there.
    fn meets(&self, body: &Core) -> Vec<(i64, Point)> {
        let mut met = Vec::new();
        if let [p] = body.points.as_slice() {
            let (left, ahead) = (self.left(*p), self.ahead(*p));
            let off = left >> UNIT;
            if body.radius == 0 {
                // the line passes a point if it goes through it
                return if left.abs() <= 1 << UNIT { vec![(ahead, *p)] } else { met };
            }
            let half = i128::from(body.radius).pow(2) - off * off;
            if half >= 0 {
                let half = half.isqrt() as i64;
                met.extend([ahead - half, ahead + half].map(|ahead| (ahead, self.point(ahead))));
            }
            return met;
        }
        for (p, q) in body.sides() {
            let (left_p, left_q) = (self.left(p), self.left(q));
            if left_p.signum() * left_q.signum() > 0 {
                continue;
            }
            if left_p == left_q {
                met.extend([p, q].map(|p| (self.ahead(p), p)));
                continue;
            }
            let part = |from: i64, to: i64| from + ((i128::from(to - from) * left_p) / (left_p - left_q)) as i64;
            let at = Point { x: part(p.x, q.x), y: part(p.y, q.y) };
            met.push((self.ahead(at), at));
        }
        met
    }

    /// Returns the shortest part of the line from one body to another.
    fn between(&self, a: &Core, b: &Core) -> Option<(Point, Point)> {
        let (from, to) = (self.meets(a), self.meets(b));
        let pairs = from.iter().flat_map(|x| to.iter().map(move |y| (x, y)));
        pairs.min_by_key(|(x, y)| (x.0 - y.0).abs()).map(|(x, y)| (x.1, y.1))
    }
}

/// Adds the elements that a critical line can pass: on the outside of a blocker, on the inside of the viewer or the
/// target.
fn edges(body: &Core, blocks: bool, out: &mut Vec<Edge>) {
    let beside = if blocks { BESIDE } else { -BESIDE };
    for at in &body.points {
        let off = (body.radius + beside).abs();
        out.extend([off, -off].map(|off| Edge { at: *at, off }));
        if !blocks && body.radius == 0 {
            out.push(Edge { at: *at, off: 0 });
        }
    }
}

/// Adds the points where the outlines of two bodies cross. A blocker that covers a part of the viewer or the target can
/// leave a corner of it free.
fn crossings(a: &Core, b: &Core, out: &mut Vec<Edge>) {
    let mut found = Vec::new();
    for (one, other) in [(a, b), (b, a)] {
        for (p, q) in one.sides().filter(|(p, q)| p != q) {
            let side = StraightLine::along(Edge { at: p, off: 0 }, Edge { at: q, off: 0 });
            found.extend(side.iter().flat_map(|line| line.meets(other)).map(|(_, at)| at));
        }
    }
    if let ([p], [q]) = (a.points.as_slice(), b.points.as_slice()) {
        let d = p.to(*q);
        let (square, r, s) = (dot(d, d), i128::from(a.radius), i128::from(b.radius));
        // position along the line of the centers, times twice their distance, and distance from it
        let along = square + r * r - s * s;
        let beside = 4 * r * r * square - along * along;
        if square > 0 && beside >= 0 {
            let beside = beside.isqrt();
            let part = |along_by: i64, beside_by: i64| {
                ((along * i128::from(along_by) + beside * i128::from(beside_by)) / (2 * square)) as i64
            };
            found.push(p.shifted(part(d.0, -d.1), part(d.1, d.0)));
            found.push(p.shifted(part(d.0, d.1), part(d.1, -d.0)));
        }
    }
    out.extend(found.into_iter().flat_map(|at| [0, BESIDE, -BESIDE].map(|off| Edge { at, off })));
}

/// Returns the blockers that come near the strip around the two bodies.
fn in_between<'b>(x: &Core, y: &Core, blockers: &[&'b Body]) -> Vec<&'b Body> {
    let middle = |core: &Core| Edge { at: core.points[0], off: 0 };
    let Some(axis) = StraightLine::along(middle(x), middle(y)) else { return blockers.to_vec() };
    let (one, two) = (axis.spread(x), axis.spread(y));
    let near = i128::from(2 * BESIDE) << UNIT;
    let (low, high) = (one.0.min(two.0) - near, one.1.max(two.1) + near);
    let comes_near = |t: &Body| {
        let spread = axis.spread(&t.core());
        spread.0 <= high && low <= spread.1
    };
    blockers.iter().copied().filter(|t| comes_near(t)).collect()
}

/// Returns whether a line passes over no blocker, and not between two that touch.
fn is_clear((from, to): (Point, Point), blockers: &[&Body]) -> bool {
    let mut line = SightLine::new(from, to);
    !blockers.iter().any(|t| line.is_blocked_by(&Outline::of(t), || true))
}

/// Returns a line between the two bodies that passes over no blocker. `blockers` must contain all blockers in the
/// bounding box of both.
pub(super) fn between(a: &Body, b: &Body, blockers: &[&Body]) -> Option<(Point, Point)> {
    let (x, y) = (a.core(), b.core());
    let blockers = &in_between(&x, &y, blockers)[..];
    let is_point = |core: &Core| core.points.len() == 1 && core.radius == 0;
    if is_point(&x) && is_point(&y) {
        let line = (x.points[0], y.points[0]);
        return is_clear(line, blockers).then_some(line);
    }
    let mut all = Vec::new();
    // all lines go through the viewer or target if it is a point
    let through = match (is_point(&x), is_point(&y)) {
        (true, _) => Some(x.points[0]),
        (_, true) => Some(y.points[0]),
        _ => None,
    };
    for (core, own) in [(&x, !is_point(&x)), (&y, !is_point(&y))] {
        if own {
            edges(core, false, &mut all);
        }
    }
    for blocker in blockers {
        let t = blocker.core();
        edges(&t, true, &mut all);
        for core in [&x, &y].into_iter().filter(|core| core_gap(core, &t).is_zero()) {
            crossings(core, &t, &mut all);
        }
    }
    let tried = |a: Edge, b: Edge| {
        let (p, q) = StraightLine::along(a, b)?.between(&x, &y)?;
        is_clear((p, q), blockers).then_some((p, q))
    };
    if let Some(at) = through {
        return all.iter().find_map(|edge| tried(Edge { at, off: 0 }, *edge));
    }
    all.iter().enumerate().find_map(|(n, a)| all[n + 1..].iter().find_map(|b| tried(*a, *b)))
}
