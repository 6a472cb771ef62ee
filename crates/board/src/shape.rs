//! Points, shapes and bodies.

use super::angle::direction;
use super::{LIMIT, ONE};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A point on the table, in thousandths of an inch to the right and up from the lower left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// To the right, in `-LIMIT..=LIMIT`.
    pub x: i64,
    /// Up, in `-LIMIT..=LIMIT`.
    pub y: i64,
}

/// The difference of two points, or a direction of any length.
pub(super) type Vector = (i64, i64);

impl Point {
    /// Creates the point (x, y). Coordinates are clamped to [`LIMIT`].
    pub fn new(x: i64, y: i64) -> Point {
        Point { x: x.clamp(-LIMIT, LIMIT), y: y.clamp(-LIMIT, LIMIT) }
    }

    /// Creates a point from whole inches.
    pub fn inches(x: i64, y: i64) -> Point {
        Point::new(x.saturating_mul(1000), y.saturating_mul(1000))
    }

    /// Returns the vector from this point to `other`.
    pub(super) fn to(self, other: Point) -> Vector {
        let (a, b) = (Point::new(self.x, self.y), Point::new(other.x, other.y));
        (b.x - a.x, b.y - a.y)
    }

    /// Returns this point, shifted by a vector and clamped to [`LIMIT`].
    pub fn shifted(self, dx: i64, dy: i64) -> Point {
        Point::new(self.x.saturating_add(dx), self.y.saturating_add(dy))
    }

    /// Returns the exact squared distance to `other`.
    pub fn squared_to(self, other: Point) -> i128 {
        let v = self.to(other);
        dot(v, v)
    }
}

/// Returns the product of two numbers whose bit lengths add up to at most 62. It does not check for overflow, because
/// on WebAssembly, which lacks 128-bit products, the check would be a function call.
pub(super) const fn times(a: i64, b: i64) -> i64 {
    a.wrapping_mul(b)
}

/// Returns `size` with the sign of `like`, or 0 if `like` is 0.
pub(super) const fn signed(size: i64, like: i64) -> i64 {
    match like {
        0 => 0,
        1.. => size,
        _ => -size,
    }
}

pub(super) fn dot(a: Vector, b: Vector) -> i128 {
    i128::from(a.0) * i128::from(b.0) + i128::from(a.1) * i128::from(b.1)
}

/// Returns a value above 0 if `b` points to the left of `a`.
pub(super) fn cross(a: Vector, b: Vector) -> i128 {
    i128::from(a.0) * i128::from(b.1) - i128::from(a.1) * i128::from(b.0)
}

/// Returns two sides of an area, by the indices of their first corners, that intersect elsewhere than in a shared
/// corner. Returns `None` if the outline is simple. The outline is closed from the last corner to the first.
pub fn sides_that_cross(corners: &[Point]) -> Option<(usize, usize)> {
    let n = corners.len();
    let side = |i: usize| (corners[i], corners[(i + 1) % n]);
    let boxed = |i: usize| super::bounds_of(&[Body::point(side(i).0), Body::point(side(i).1)]);
    let index = super::Index::new((0..n).map(boxed));
    for i in 0..n {
        let (a, b) = side(i);
        for j in index.within(boxed(i)).into_iter().filter(|j| *j > i) {
            let (c, d) = side(j);
            // neighbors share a corner, but must not overlap
            let back =
                |tip: Point, p: Point, q: Point| cross(tip.to(p), tip.to(q)) == 0 && dot(tip.to(p), tip.to(q)) > 0;
            let bad = match (j == i + 1, i == 0 && j == n - 1) {
                (true, _) => a == b || back(b, a, d),
                (_, true) => c == d || back(a, b, c),
                _ => super::gap::meet(a, b, c, d),
            };
            if bad {
                return Some((i, j));
            }
        }
    }
    None
}

/// The shape of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A round base. A radius of 0 is a point.
    Disc {
        /// The radius in thousandths of an inch, at least 0.
        radius: i64,
    },
    /// A segment without depth. Its center is the place of the body, and it is perpendicular to the facing.
    Segment {
        /// The length in thousandths of an inch.
        length: i64,
    },
    /// A polygonal area: its corners in order, as offsets from the place of the body. It does not turn with the facing.
    /// It can be concave, but its sides must not cross. With fewer than three corners it is a point or a segment.
    Polygon(Arc<[Point]>),
}

/// A thing on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The place: the center of a disc or segment, the origin of the corner offsets of a polygon.
    pub at: Point,
    /// The bearing of its front, in `0..36_000`.
    pub facing: i64,
    /// The area that it covers.
    pub shape: Shape,
}

/// The points and sides of a body on the table, without the radius around them.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// Coordinates are within [`LIMIT`].
    pub points: SmallVec<[Point; 8]>,
    pub radius: i64,
}

impl Core {
    /// Returns the sides. A point has one, from itself to itself.
    pub fn sides(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let n = self.points.len();
        let count = if n <= 2 { n.min(1) } else { n };
        (0..count).map(move |i| (self.points[i], self.points[if i + 1 < n { i + 1 } else { 0 }]))
    }

    /// Returns whether the core has an interior.
    pub fn filled(&self) -> bool {
        self.points.len() > 2
    }

    /// Returns whether `p` is in the interior or on a side.
    pub fn covers(&self, p: Point) -> bool {
        self.filled() && self.around(p) != Around::Outside
    }

    /// Returns whether `p` is in the interior, not on a side.
    pub fn holds_inside(&self, p: Point) -> bool {
        self.filled() && self.around(p) == Around::Inside
    }

    /// Locates `p` by the even-odd rule, with a ray to the right. Coordinates are below 2^25, so products of two
    /// differences fit in 64 bits.
    fn around(&self, p: Point) -> Around {
        let p = p.shifted(0, 0);
        let mut inside = false;
        for (a, b) in self.sides() {
            let left = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
            if left == 0 && (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y) <= 0 {
                return Around::OnSide;
            }
            if (a.y > p.y) != (b.y > p.y) && (left > 0) == (b.y > a.y) {
                inside = !inside;
            }
        }
        if inside { Around::Inside } else { Around::Outside }
    }

    /// Returns the bounding box, as lower left and upper right corner.
    pub fn bounds(&self) -> (Point, Point) {
        let mut low = self.points.first().copied().unwrap_or_default();
        let mut high = low;
        for p in &self.points {
            low = Point { x: low.x.min(p.x), y: low.y.min(p.y) };
            high = Point { x: high.x.max(p.x), y: high.y.max(p.y) };
        }
        (low.shifted(-self.radius, -self.radius), high.shifted(self.radius, self.radius))
    }

    /// Returns whether the point at half of `twice` plus `v` / 2^32 thousandths is in the interior. No corner is within
    /// so short a step, so the result shows whether a way leads inside.
    pub fn holds_just_ahead(&self, twice: Vector, v: Vector) -> bool {
        let wide = |n: i64| i128::from(n.clamp(-LIMIT, LIMIT)) << 32;
        let half = |n: i64, v: i64| (i128::from(n.clamp(-2 * LIMIT, 2 * LIMIT)) << 31) + i128::from(v);
        let p = (half(twice.0, v.0), half(twice.1, v.1));
        let mut inside = false;
        for (a, b) in self.sides() {
            let (a, b) = ((wide(a.x), wide(a.y)), (wide(b.x), wide(b.y)));
            let left = (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
            let between = |a: i128, b: i128, p: i128| a.min(b) <= p && p <= a.max(b);
            if left == 0 && between(a.0, b.0, p.0) && between(a.1, b.1, p.1) {
                return false;
            }
            if (a.1 > p.1) != (b.1 > p.1) && (left > 0) == (b.1 > a.1) {
                inside = !inside;
            }
        }
        self.filled() && inside
    }
}

/// The location of a point relative to an area.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Inside,
    OnSide,
    Outside,
}

impl Body {
    /// Creates a point that faces up.
    pub fn point(at: Point) -> Body {
        Body::disc(at, 0)
    }

    /// Creates a round base that faces up. `radius` is in thousandths of an inch.
    pub fn disc(at: Point, radius: i64) -> Body {
        Body { at, facing: 0, shape: Shape::Disc { radius: radius.clamp(0, LIMIT) } }
    }

    /// Creates a segment that is perpendicular to `facing`.
    pub fn segment(at: Point, length: i64, facing: i64) -> Body {
        Body { at, facing, shape: Shape::Segment { length: length.clamp(0, LIMIT) } }
    }

    /// Creates an area from its corners on the table. Its place is the center of its bounding box.
    pub fn area(corners: &[Point]) -> Body {
        let at = |low: Option<i64>, high: Option<i64>| (low.unwrap_or(0) + high.unwrap_or(0)).div_euclid(2);
        let xs = || corners.iter().map(|p| p.x.clamp(-LIMIT, LIMIT));
        let ys = || corners.iter().map(|p| p.y.clamp(-LIMIT, LIMIT));
        let at = Point::new(at(xs().min(), xs().max()), at(ys().min(), ys().max()));
        let offsets = corners.iter().map(|p| at.to(*p)).map(|(x, y)| Point::new(x, y)).collect();
        Body { at, facing: 0, shape: Shape::Polygon(offsets) }
    }

    /// Returns the body at another place.
    pub fn moved_to(&self, at: Point) -> Body {
        Body { at, ..self.clone() }
    }

    /// Returns the body with another facing.
    pub fn turned_to(&self, facing: i64) -> Body {
        Body { facing, ..self.clone() }
    }

    /// Returns the place, clamped to [`LIMIT`].
    pub(super) fn place(&self) -> Point {
        self.at.shifted(0, 0)
    }

    /// Returns whether the body is a disc or a point.
    pub(super) fn is_round(&self) -> bool {
        matches!(self.shape, Shape::Disc { .. })
    }

    /// Returns the radius, or 0 for a body that is not round.
    pub fn radius(&self) -> i64 {
        match self.shape {
            Shape::Disc { radius } => radius.clamp(0, LIMIT),
            _ => 0,
        }
    }

    /// Returns a circle that contains the whole body: its center and its radius.
    pub(super) fn around(&self) -> (Point, i64) {
        let radius = match &self.shape {
            Shape::Disc { .. } => self.radius(),
            Shape::Segment { length } => (*length).clamp(0, LIMIT) / 2 + 2,
            // an upper bound of the root of x * x + y * y, computed without a root
            Shape::Polygon(corners) => {
                let place = self.place();
                let far = |o: &Point| {
                    let (x, y) = place.to(self.at.shifted(o.x, o.y));
                    let (x, y) = (x.abs(), y.abs());
                    x.max(y) + x.min(y) * 27 / 64 + 1
                };
                corners.iter().map(far).max().unwrap_or(0)
            }
        };
        (self.place(), radius)
    }

    /// Returns the corners on the table: the ends of a segment, the center of a disc.
    pub fn outline(&self) -> Vec<Point> {
        self.core().points.to_vec()
    }

    pub(super) fn core(&self) -> Core {
        let points = match &self.shape {
            Shape::Disc { .. } => smallvec![self.place()],
            Shape::Segment { length } => {
                let (sin, cos) = direction(self.facing);
                // the vector perpendicular to the facing (sin, cos) is (cos, -sin); ends are rounded to the nearest
                // thousandth
                let half = |unit: i64| (unit * (*length).clamp(0, LIMIT) + ONE).div_euclid(2 * ONE);
                let (dx, dy) = (half(cos), half(-sin));
                smallvec![self.at.shifted(-dx, -dy), self.at.shifted(dx, dy)]
            }
            Shape::Polygon(offsets) if offsets.is_empty() => smallvec![self.place()],
            Shape::Polygon(offsets) => offsets.iter().map(|o| self.at.shifted(o.x, o.y)).collect(),
        };
        Core { points, radius: self.radius() }
    }

    /// Returns the bounding box, as lower left and upper right corner.
    pub fn bounds(&self) -> (Point, Point) {
        if let Shape::Disc { .. } = self.shape {
            let (at, radius) = (self.place(), self.radius());
            return (at.shifted(-radius, -radius), at.shifted(radius, radius));
        }
        self.core().bounds()
    }
}
