//! A way: a direction kept exact enough that points along it can be cut by whole-number proportion.

use super::angle::{bearing_of, direction, normal};
use super::shape::{Vector, cross, dot};
use super::{LIMIT, ONE, Point};

/// A direction on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    v: Vector,
    /// The length of `v` if it is a whole number, else none: its root is taken where it is used.
    length: Option<i64>,
    bearing: i64,
}

impl Way {
    /// The way on a bearing in hundredths of a degree.
    pub fn bearing(angle: i64) -> Way {
        let angle = normal(angle);
        Way { v: direction(angle), length: Some(ONE), bearing: angle }
    }

    /// The way from one point to another, exact; none if they are one.
    pub fn toward(from: Point, to: Point) -> Option<Way> {
        Way::along(from.to(to))
    }

    /// The way straight away from a list of points: along the sum of the unit vectors away from each. One point gives
    /// an exact way. None for an empty list or a zero sum; a point at `from` itself has no say.
    pub fn away(from: Point, points: &[Point]) -> Option<Way> {
        if let [only] = points {
            return Way::toward(*only, from);
        }
        let mut sum = (0, 0);
        for p in points {
            if let Some(way) = Way::toward(*p, from) {
                let (x, y) = way.unit();
                sum = (sum.0 + x, sum.1 + y);
            }
        }
        // each unit vector is cut by less than 1 in each part: a smaller sum is none
        let blur = i64::try_from(points.len()).unwrap_or(LIMIT);
        if sum.0.abs() <= blur && sum.1.abs() <= blur {
            return None;
        }
        while sum.0.abs().max(sum.1.abs()) > ONE {
            sum = (sum.0 / 2, sum.1 / 2);
        }
        Way::along(sum)
    }

    /// The way of any vector with parts up to [`ONE`].
    pub(super) fn along(v: Vector) -> Option<Way> {
        Some(Way { v, length: None, bearing: bearing_of(v)? })
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
        Way { v: (-x, -y), length: self.length, bearing: normal(self.bearing + 18_000) }
    }

    /// The unit vector times [`ONE`], cut toward zero; each part is off by at most 1.
    pub(super) fn unit(&self) -> Vector {
        match self.length {
            Some(_) => self.v,
            None => (self.part(self.v.0, ONE), self.part(self.v.1, ONE)),
        }
    }

    fn part(&self, v: i64, distance: i64) -> i64 {
        if let Some(length) = self.length {
            let part = i128::from(v) * i128::from(distance) / i128::from(length);
            return i64::try_from(part).unwrap_or(0);
        }
        // |v| d / root(n), cut: the root of v^2 d^2 / n
        let square = (i128::from(v) * i128::from(distance)).unsigned_abs().pow(2);
        let root = (square / dot(self.v, self.v).unsigned_abs().max(1)).isqrt();
        i64::try_from(root).unwrap_or(0) * v.signum()
    }

    /// The point `distance` from `from` on this way, each coordinate cut toward `from`.
    pub fn point(&self, from: Point, distance: i64) -> Point {
        let d = distance.clamp(0, 2 * LIMIT);
        from.shifted(self.part(self.v.0, d), self.part(self.v.1, d))
    }

    /// The least and the greatest distance at which this way ends at `to` after the cut; none if it never does.
    pub fn distances_to(&self, from: Point, to: Point) -> Option<(i64, i64)> {
        let w = from.to(to);
        if w == (0, 0) {
            return Some((0, 0));
        }
        if dot(w, self.v) <= 0 {
            return None;
        }
        let root = i64::try_from(dot(w, w).isqrt()).unwrap_or(0);
        let hits = |d: &i64| self.point(from, *d) == to;
        let least = (root.saturating_sub(1)..=root + 3).find(hits)?;
        let most = (least..=root + 3).take_while(hits).last()?;
        Some((least, most))
    }

    /// Above 0 if `w` points to the left of this way, 0 if along it.
    pub(super) fn side(&self, w: Vector) -> i128 {
        cross(self.v, w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proportion_is_exact() {
        let away = Way::away(Point::inches(0, 0), &[Point::inches(3, 4)]).map(|w| w.point(Point::inches(0, 0), 12_000));
        assert_eq!(away, Some(Point::new(-7_200, -9_600)));
        assert_eq!(Way::bearing(3_000).point(Point::default(), 10_000), Point::new(5_000, 8_660));
        assert_eq!(Way::away(Point::default(), &[Point::inches(1, 0), Point::inches(-9, 0)]), None);
        assert_eq!(Way::away(Point::default(), &[]), None);
        let both = Way::away(Point::default(), &[Point::inches(3, 4), Point::inches(-3, 4)]).map(|w| w.angle());
        assert_eq!(both, Some(18_000));
    }

    #[test]
    fn a_cut_point_knows_how_long_the_way_was() {
        let from = Point::inches(3, 7);
        for a in (0..36_000).step_by(37) {
            let way = Way::bearing(a);
            for d in [1_000, 2_345, 12_000] {
                let (least, most) = way.distances_to(from, way.point(from, d)).unwrap_or((0, 0));
                assert!(least <= d && d <= most, "{a} {d}: {least} {most}");
            }
        }
    }
}
