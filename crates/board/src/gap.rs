//! Distances between the nearest edges of bodies, compared without rounding.

use super::shape::{Core, cross, dot};
use super::wide::Wide;
use super::{Body, Point};
use std::cmp::Ordering;

/// Maximum distance at which two bodies touch, in thousandths of an inch. Coordinates are rounded to thousandths, and a
/// mover that a contact stopped must touch what stopped it.
pub const TOUCH: i64 = 2;

/// Two distances are equal if they differ by less than this, in thousandths of an inch.
const DOUBT: i64 = 2;

/// If two distances, rounded to thousandths of an inch, differ by more than this, the order of the exact ones is
/// certain.
pub const CLEARLY: i64 = DOUBT + 1;

/// Returns the square root of a fraction, rounded to the nearest whole number.
pub fn rounded_root(num: i128, den: i128) -> i64 {
    let twice = (4 * num / den).isqrt();
    i64::try_from((twice + 1) / 2).unwrap_or(super::FAR)
}

/// An exact distance: the square root of `num / den`, minus `less`, and at least 0.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    num: i128,
    den: i128,
    less: i64,
}

impl Gap {
    /// Returns the distance between two round bodies around these points. `less` is the sum of their radii.
    pub(super) fn round(p: Point, q: Point, less: i64) -> Gap {
        Gap { num: p.squared_to(q), den: 1, less }
    }

    /// Returns the distance between the nearest edges of two bodies, or 0 if they overlap.
    fn of(a: &Core, b: &Core) -> Gap {
        let less = a.radius + b.radius;
        let zero = Gap { num: 0, den: 1, less };
        let covered = |x: &Core, y: &Core| y.points.first().is_some_and(|p| x.covers(*p));
        if covered(a, b) || covered(b, a) {
            return zero;
        }
        let mut best: Option<Gap> = None;
        for (one, other) in [(a, b), (b, a)] {
            if let [p] = one.points.as_slice() {
                let each = other.sides().map(|(r, s)| to_side(*p, r, s)).map(|(num, den)| Gap { num, den, less });
                return each.min_by(|g, h| ratio_cmp(g.num, g.den, h.num, h.den)).unwrap_or(zero);
            }
        }
        for (p, q) in a.sides() {
            for (r, s) in b.sides() {
                if meet(p, q, r, s) {
                    return zero;
                }
                let four = [to_side(p, r, s), to_side(q, r, s), to_side(r, p, q), to_side(s, p, q)];
                for (num, den) in four {
                    if best.is_none_or(|g| ratio_cmp(num, den, g.num, g.den).is_lt()) {
                        best = Some(Gap { num, den, less });
                    }
                }
            }
        }
        best.unwrap_or(zero)
    }

    /// Returns whether the distance is at most `d`. The result is `false` for a negative `d`.
    pub fn at_most(&self, d: i64) -> bool {
        if d < 0 {
            return false;
        }
        let reach = i128::from(d.min(super::FAR)) + i128::from(self.less);
        self.num <= reach * reach * self.den
    }

    /// Returns whether the distance is less than `d`. For `d` at most 0, this requires that the bodies overlap by more
    /// than `-d`.
    pub(super) fn is_below(&self, d: i64) -> bool {
        let reach = i128::from(d) + i128::from(self.less);
        reach > 0 && self.num < reach * reach * self.den
    }

    /// Returns the distance, rounded down to thousandths of an inch.
    pub fn floor(&self) -> i64 {
        let root = (self.num / self.den).isqrt();
        i64::try_from(root).map_or(super::FAR, |r| (r - self.less).clamp(0, super::FAR))
    }

    /// Returns the distance, rounded to the nearest thousandth of an inch.
    pub fn rounded(&self) -> i64 {
        (rounded_root(self.num, self.den) - self.less).clamp(0, super::FAR)
    }

    /// Compares the distance with a length. Because coordinates are rounded to thousandths of an inch, a difference
    /// below a thousandth counts as equal.
    pub fn compare_to(&self, length: i64) -> Ordering {
        if self.at_most(length.saturating_sub(1)) {
            Ordering::Less
        } else if length >= 0 && self.is_below(length.saturating_add(1).min(super::FAR)) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    /// Compares two distances. Each can be off by less than a thousandth of an inch, so a difference below two counts
    /// as equal. The relation is not an order, because equality is not transitive. See [`ranks`].
    pub fn compare(&self, other: &Gap) -> Ordering {
        let less = |a: &Gap, b: &Gap| !b.is_below(DOUBT) && *a <= Gap { less: b.less + DOUBT, ..*b };
        match (less(self, other), less(other, self)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// Returns whether the distance is 0.
    pub fn is_zero(&self) -> bool {
        self.at_most(0)
    }
}

impl PartialEq for Gap {
    fn eq(&self, other: &Gap) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Gap {}

impl PartialOrd for Gap {
    fn partial_cmp(&self, other: &Gap) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Gap {
    fn cmp(&self, other: &Gap) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) if self.less == other.less => ratio_cmp(self.num, self.den, other.num, other.den),
            (false, false) if self.less < other.less => roots_cmp(other, self).reverse(),
            (false, false) => roots_cmp(self, other),
        }
    }
}

/// Compares root(a) - a.less with root(b) - b.less, where a.less > b.less: squares root(a) and root(b) + c twice.
fn roots_cmp(a: &Gap, b: &Gap) -> Ordering {
    let c = i128::from(a.less - b.less);
    if a.den == 1 && b.den == 1 {
        // all values are below 2^110
        let left = a.num - b.num - c * c;
        return if left < 0 { Ordering::Less } else { (left * left).cmp(&(4 * c * c * b.num)) };
    }
    let (x, y) = (Wide::of(a.num).times(Wide::of(b.den)), Wide::of(b.num).times(Wide::of(a.den)));
    let m = Wide::of(a.den).times(Wide::of(b.den));
    let c2 = Wide::of(c * c);
    let Some(left) = x.minus(y).and_then(|d| d.minus(c2.times(m))) else {
        return Ordering::Less;
    };
    left.times(left).cmp(&Wide::of(4).times(c2).times(y).times(m))
}

/// Compares a/b with c/d for a, c >= 0 and b, d > 0, by continued fractions, without a product that could overflow.
pub fn ratio_cmp(mut a: i128, mut b: i128, mut c: i128, mut d: i128) -> Ordering {
    if b == d {
        return a.cmp(&c);
    }
    let mut turned = false;
    loop {
        let answer = match (a / b).cmp(&(c / d)) {
            Ordering::Equal => {
                let (r, s) = (a % b, c % d);
                if r != 0 && s != 0 {
                    // comparing r/b with s/d is comparing d/s with b/r
                    (a, b, c, d) = (b, r, d, s);
                    turned = !turned;
                    continue;
                }
                r.cmp(&s)
            }
            other => other,
        };
        return if turned { answer.reverse() } else { answer };
    }
}

/// Returns the squared distance from `p` to the segment from `a` to `b`, as a fraction.
pub(super) fn to_side(p: Point, a: Point, b: Point) -> (i128, i128) {
    let (side, w) = (a.to(b), a.to(p));
    let (along, whole) = (dot(side, w), dot(side, side));
    if along <= 0 || whole == 0 {
        (dot(w, w), 1)
    } else if along >= whole {
        (p.squared_to(b), 1)
    } else {
        let c = cross(side, w);
        (c * c, whole)
    }
}

/// Returns whether the segments p-q and r-s have a point in common.
pub(super) fn meet(p: Point, q: Point, r: Point, s: Point) -> bool {
    let side = |a: Point, b: Point, c: Point| cross(a.to(b), a.to(c)).signum();
    let on = |a: Point, b: Point, c: Point| side(a, b, c) == 0 && dot(c.to(a), c.to(b)) <= 0;
    let (d1, d2, d3, d4) = (side(p, q, r), side(p, q, s), side(r, s, p), side(r, s, q));
    (d1 * d2 < 0 && d3 * d4 < 0) || on(p, q, r) || on(p, q, s) || on(r, s, p) || on(r, s, q)
}

/// Returns the distance between the nearest edges of two bodies.
pub fn gap(a: &Body, b: &Body) -> Gap {
    if a.is_round() && b.is_round() {
        return Gap::round(a.place(), b.place(), a.radius() + b.radius());
    }
    Gap::of(&a.core(), &b.core())
}

pub(super) fn core_gap(a: &Core, b: &Core) -> Gap {
    Gap::of(a, b)
}

/// Returns the distance between the nearest members of two groups, or `None` if a group is empty.
pub fn gap_between(a: &[Body], b: &[Body]) -> Option<Gap> {
    if a.iter().chain(b).all(Body::is_round) {
        return a.iter().flat_map(|x| b.iter().map(move |y| gap(x, y))).min();
    }
    let others: Vec<Core> = b.iter().map(Body::core).collect();
    a.iter().map(Body::core).flat_map(|x| others.iter().map(move |y| Gap::of(&x, y)).min()).min()
}

/// Returns the distance between two groups in thousandths of an inch, rounded to the nearest, or `None` if a group is
/// empty.
pub fn dist(a: &[Body], b: &[Body]) -> Option<i64> {
    gap_between(a, b).map(|g| g.rounded())
}

/// Compares the distance between two groups with a length, as [`Gap::compare_to`] does. The distance to an empty group
/// is infinite.
pub fn compare_distance(a: &[Body], b: &[Body], d: i64) -> Ordering {
    gap_between(a, b).map_or(Ordering::Greater, |g| g.compare_to(d))
}

/// Returns whether the distance between two groups is at most `d`, as [`Gap::compare_to`] does. The distance to an
/// empty group is infinite.
pub fn within(a: &[Body], b: &[Body], d: i64) -> bool {
    compare_distance(a, b, d).is_le()
}

/// Compares the distance from `a` to `b` with that from `c` to `d`, as [`Gap::compare`] does. The distance to an empty
/// group is infinite.
pub fn compare_distances(a: &[Body], b: &[Body], c: &[Body], d: &[Body]) -> Ordering {
    match (gap_between(a, b), gap_between(c, d)) {
        (Some(x), Some(y)) => x.compare(&y),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Ranks distances between groups: returns, for each, how many are less. Starting with the least, the distances that
/// [`Gap::compare`] finds equal to the first one of a rank share that rank.
pub fn ranks<B: AsRef<[Body]>>(pairs: &[[B; 2]]) -> Vec<i64> {
    let gaps: Vec<Option<Gap>> = pairs.iter().map(|[a, b]| gap_between(a.as_ref(), b.as_ref())).collect();
    let mut order: Vec<usize> = (0..gaps.len()).collect();
    // empty groups are last
    let cmp = |a: usize, b: usize| match (&gaps[a], &gaps[b]) {
        (Some(x), Some(y)) => x.cmp(y),
        (x, y) => y.is_some().cmp(&x.is_some()),
    };
    order.sort_by(|a, b| cmp(*a, *b));
    let equal = |a: usize, b: usize| match (&gaps[a], &gaps[b]) {
        (Some(x), Some(y)) => x.compare(y).is_eq(),
        (x, y) => x.is_none() && y.is_none(),
    };
    let mut out = vec![0; gaps.len()];
    let mut rank = 0;
    for (n, at) in order.iter().enumerate() {
        if !equal(order[rank], *at) {
            rank = n;
        }
        out[*at] = i64::try_from(rank).unwrap_or(i64::MAX);
    }
    out
}

/// Returns whether the distance between two groups is at most [`TOUCH`].
pub fn touches(a: &[Body], b: &[Body]) -> bool {
    gap_between(a, b).is_some_and(|g| g.at_most(TOUCH))
}
