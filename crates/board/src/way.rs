//! An exact direction: points along it are found by proportion of integers.

use super::angle::{bearing_of, direction, normal};
use super::gap::rounded_root;
use super::shape::{Vector, cross, dot, signed, times};
use super::{LIMIT, ONE, Point};

/// Parts of a thousandth of an inch that points on a way are found in.
const PARTS: i64 = 1 << 8;

/// A direction on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    v: Vector,
    /// True if `v` is [`ONE`] long; else the root of its length is taken where it is used.
    is_unit: bool,
    bearing: i64,
}

impl Way {
    /// The way on a bearing in hundredths of a degree.
    pub fn bearing(angle: i64) -> Way {
        let angle = normal(angle);
        Way { v: direction(angle), is_unit: true, bearing: angle }
    }

    /// The way from one point to another, exact; none if they are one.
    pub fn toward(from: Point, to: Point) -> Option<Way> {
        Way::along(from.to(to))
    }

    /// The way straight away from a list of points: along the sum of the unit vectors away from each. One point gives
    /// an exact way. None for an empty list, and for a sum that is none or may come from the rounding of places alone; a
    /// point at `from` itself has no say.
    pub fn away(from: Point, points: &[Point]) -> Option<Way> {
        if let [only] = points {
            return Way::toward(*only, from);
        }
        let (mut sum, mut error) = ((0, 0), 0);
        for p in points {
            if let Some(way) = Way::toward(*p, from) {
                let (x, y) = way.unit();
                sum = (sum.0 + x, sum.1 + y);
                // each part is cut by less than 1, and both places are off by half a thousandth
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

    /// The way of any vector with parts up to [`ONE`].
    pub(super) fn along(v: Vector) -> Option<Way> {
        Some(Way { v, is_unit: false, bearing: bearing_of(v)? })
    }

    /// Its bearing, rounded to hundredths of a degree.
    pub fn angle(&self) -> i64 {
        self.bearing
    }

    pub(super) fn vector(&self) -> Vector {
        self.v
    }

    /// The opposite way.
    pub fn back(&self) -> Way {
        let (x, y) = self.v;
        Way { v: (-x, -y), is_unit: self.is_unit, bearing: normal(self.bearing + 18_000) }
    }

    /// The unit vector times [`ONE`], cut toward zero; each part is off by at most 1.
    pub(super) fn unit(&self) -> Vector {
        if self.is_unit {
            return self.v;
        }
        (self.part(self.v.0, ONE), self.part(self.v.1, ONE))
    }

    /// The part of `distance` that falls to a part of the vector, cut toward zero.
    fn part(&self, v: i64, distance: i64) -> i64 {
        if self.is_unit {
            // at most 2^30 times 2^33
            let product = v.unsigned_abs().wrapping_mul(distance.unsigned_abs());
            return signed((product / ONE.unsigned_abs()).cast_signed(), v);
        }
        // |v| d / root(n), cut: the root of v^2 d^2 / n
        let square = (i128::from(v) * i128::from(distance)).unsigned_abs().pow(2);
        let root = (square / dot(self.v, self.v).unsigned_abs().max(1)).isqrt();
        signed(i64::try_from(root).unwrap_or(0), v)
    }

    /// The point `distance` from `from` on this way: of the whole thousandths whose distance from `from`, rounded to
    /// the nearest, is `distance`, the one nearest to the way's own point.
    pub fn point(&self, from: Point, distance: i64) -> Point {
        let d = distance.clamp(0, 2 * LIMIT);
        // in parts of a thousandth; 2^30 * 2^25 * 2^8 squared fits in 128 bits
        let parts = (self.part(self.v.0, d * PARTS).abs(), self.part(self.v.1, d * PARTS).abs());
        let below = (parts.0 / PARTS, parts.1 / PARTS);
        // of both whole numbers beside a part four times the square, and the square of how far off they are
        let beside = |whole: i64, part: i64| {
            [whole, whole + 1].map(|n| (4 * times(n, n), times(n * PARTS - part, n * PARTS - part)))
        };
        let (xs, ys) = (beside(below.0, parts.0), beside(below.1, parts.1));
        // they round to `d` if their length lies between these
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

    /// The distances at which this way ends within `near` thousandths of `to` in each coordinate. To the place itself
    /// that is one at the most: how far off it is, rounded.
    pub fn distances_to(self, from: Point, to: Point, near: i64) -> impl Iterator<Item = i64> {
        let d = rounded_root(from.squared_to(to), 1);
        let hits = move |d: &i64| {
            let there = self.point(from, *d);
            (there.x - to.x).abs() <= near && (there.y - to.y).abs() <= near
        };
        ((d - 2 * near).max(0)..=d + 2 * near).filter(hits)
    }

    /// Above 0 if `w` points to the left of this way, 0 if along it.
    pub(super) fn side(&self, w: Vector) -> i128 {
        cross(self.v, w)
    }
}
