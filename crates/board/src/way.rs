//! Exact directions: points along a direction are computed with integer proportions.

use super::angle::{bearing_of, direction, normal};
use super::gap::rounded_root;
use super::shape::{Vector, cross, dot, signed, times};
use super::{LIMIT, ONE, Point};

/// Units per thousandth of an inch in the computation of points.
const PARTS: i64 = 1 << 8;

/// A direction on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    v: Vector,
    /// Whether the length of `v` is [`ONE`]. Otherwise the root of its squared length is computed where it is needed.
    is_unit: bool,
    bearing: i64,
}

impl Way {
    /// Returns the way on a bearing in hundredths of a degree.
    pub fn bearing(angle: i64) -> Way {
        let angle = normal(angle);
        Way { v: direction(angle), is_unit: true, bearing: angle }
    }

    /// Returns the exact way from one point to another, or `None` if they are equal.
    pub fn toward(from: Point, to: Point) -> Option<Way> {
        Way::along(from.to(to))
    }

    /// Returns the way away from a list of points: the sum of the unit vectors away from each. One point gives an exact
    /// way. A point at `from` itself is ignored. Returns `None` for an empty list, and if the sum is zero within the
    /// rounding error of the coordinates.
    pub fn away(from: Point, points: &[Point]) -> Option<Way> {
        if let [only] = points {
            return Way::toward(*only, from);
        }
        let (mut sum, mut error) = ((0, 0), 0);
        for p in points {
            if let Some(way) = Way::toward(*p, from) {
                let (x, y) = way.unit();
                sum = (sum.0 + x, sum.1 + y);
                // each part is truncated by less than 1, and both points are rounded by half a thousandth
                let apart = i64::try_from(from.squared_to(*p).isqrt()).unwrap_or(LIMIT);
                error += 1 + ONE / apart.max(1);
            }
        }
        if sum.0.abs() <= error && sum.1.abs() <= error {
            return None;
        }
        while sum.0.abs().max(sum.1.abs()) > ONE {
            sum = (sum.0 / 2, sum.1 / 2);
        }
        Way::along(sum)
    }

    /// Returns the way of a vector with parts of at most [`ONE`], or `None` for the zero vector.
    pub(super) fn along(v: Vector) -> Option<Way> {
        Some(Way { v, is_unit: false, bearing: bearing_of(v)? })
    }

    /// Returns the bearing, rounded to hundredths of a degree.
    pub fn angle(&self) -> i64 {
        self.bearing
    }

    pub(super) fn vector(&self) -> Vector {
        self.v
    }

    /// Returns the way in the opposite direction.
    pub fn back(&self) -> Way {
        let (x, y) = self.v;
        Way { v: (-x, -y), is_unit: self.is_unit, bearing: normal(self.bearing + 18_000) }
    }

    /// Returns the unit vector times [`ONE`], truncated toward zero. The error of each part is at most 1.
    pub(super) fn unit(&self) -> Vector {
        if self.is_unit {
            return self.v;
        }
        (self.part(self.v.0, ONE), self.part(self.v.1, ONE))
    }

    /// Returns `distance` times a part of the unit vector, truncated toward zero.
    fn part(&self, v: i64, distance: i64) -> i64 {
        if self.is_unit {
            // the product is at most 2^30 * 2^33
            let product = v.unsigned_abs().wrapping_mul(distance.unsigned_abs());
            return signed((product / ONE.unsigned_abs()).cast_signed(), v);
        }
        // |v| d / root(n), truncated: the root of v^2 d^2 / n
        let square = (i128::from(v) * i128::from(distance)).unsigned_abs().pow(2);
        let root = (square / dot(self.v, self.v).unsigned_abs().max(1)).isqrt();
        signed(i64::try_from(root).unwrap_or(0), v)
    }

    /// Returns the point at `distance` from `from` on this way. Among the points in whole thousandths whose rounded
    /// distance from `from` is `distance`, it is the one nearest to the exact point.
    pub fn point(&self, from: Point, distance: i64) -> Point {
        let d = distance.clamp(0, 2 * LIMIT);
        // in 1/256 of a thousandth; (2^30 * 2^25 * 2^8) squared fits in 128 bits
        let parts = (self.part(self.v.0, d * PARTS).abs(), self.part(self.v.1, d * PARTS).abs());
        let below = (parts.0 / PARTS, parts.1 / PARTS);
        // for both neighboring integers, four times the square, and the squared error
        let beside = |whole: i64, part: i64| {
            [whole, whole + 1].map(|n| (4 * times(n, n), times(n * PARTS - part, n * PARTS - part)))
        };
        let (xs, ys) = (beside(below.0, parts.0), beside(below.1, parts.1));
        // the distance rounds to `d` if four times its square is between these
        let (low, high) = (times(2 * d - 1, 2 * d - 1), times(2 * d + 1, 2 * d + 1));
        let (mut best, mut least) = (below, (true, i64::MAX));
        for (up, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (four, off) = (xs[right].0 + ys[up].0, xs[right].1 + ys[up].1);
            let rounds = (d == 0 || low < four) && four < high;
            if (!rounds, off) < least {
                (best, least) = ((below.0 + right as i64, below.1 + up as i64), (!rounds, off));
            }
        }
        from.shifted(signed(best.0, self.v.0), signed(best.1, self.v.1))
    }

    /// Returns the distances at which this way ends within `near` thousandths of `to` in each coordinate. For `near` 0,
    /// there is at most one: the rounded distance.
    pub fn distances_to(self, from: Point, to: Point, near: i64) -> impl Iterator<Item = i64> {
        let d = rounded_root(from.squared_to(to), 1);
        let hits = move |d: &i64| {
            let there = self.point(from, *d);
            (there.x - to.x).abs() <= near && (there.y - to.y).abs() <= near
        };
        ((d - 2 * near).max(0)..=d + 2 * near).filter(hits)
    }

    /// Returns a value above 0 if `w` points to the left of this way, and 0 if it is parallel.
    pub(super) fn side(&self, w: Vector) -> i128 {
        cross(self.v, w)
    }
}
