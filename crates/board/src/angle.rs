//! Bearings and directions in integers: CORDIC (Volder 1959), with tables for the common cases.

use super::Point;
use super::shape::Vector;
use std::sync::LazyLock;

/// A full turn, in hundredths of a degree.
pub const CIRCLE: i64 = 36_000;

/// The length of the vectors that [`direction`] returns.
pub const ONE: i64 = 1 << 30;

/// The angles whose tangents are 2^-i, in 10^-12 degrees.
const ARCTANGENTS: [i64; 41] = [
    45_000_000_000_000, 26_565_051_177_078, 14_036_243_467_926, 7_125_016_348_902, 3_576_334_374_997,
    1_789_910_608_246, 895_173_710_211, 447_614_170_861, 223_810_500_369, 111_905_677_066, 55_952_891_894,
    27_976_452_617, 13_988_227_142, 6_994_113_675, 3_497_056_851, 1_748_528_427, 874_264_214, 437_132_107, 218_566_053,
    109_283_027, 54_641_513, 27_320_757, 13_660_378, 6_830_189, 3_415_095, 1_707_547, 853_774, 426_887, 213_443,
    106_722, 53_361, 26_680, 13_340, 6_670, 3_335, 1_668, 834, 417, 208, 104, 52,
];

/// A hundredth of a degree, in 10^-12 degrees.
pub const FINE: i64 = 10_000_000_000;

/// The inverse of the CORDIC gain, in units of 2^-50.
const SHRINK: i64 = 683_706_022_956_409;

/// Normalizes an angle to `0..36_000`.
pub fn normal(angle: i64) -> i64 {
    angle.rem_euclid(CIRCLE)
}

/// Returns the smaller angle between two bearings, in `0..=18_000`.
pub fn turn_between(a: i64, b: i64) -> i64 {
    let d = normal(normal(a) - normal(b));
    d.min(CIRCLE - d)
}

/// Returns `n`, or `-n` if `back` is -1. It is branchless because the direction of a CORDIC step is unpredictable.
fn turned_if(back: i64, n: i64) -> i64 {
    (n ^ back) - back
}

/// Computes the angle of a vector from up to the right, in 10^-12 degrees, with CORDIC. Both parts must be at least 0.
pub fn lean_by_turns(right: i64, up: i64) -> i64 {
    // scale up to the maximum that the steps allow, so that short vectors are as exact as long ones
    let shift = (right | up).leading_zeros().saturating_sub(4);
    let (mut x, mut y, mut angle) = (up << shift, right << shift, 0i64);
    for (i, step) in ARCTANGENTS.iter().enumerate() {
        let back = y >> 63;
        (x, y, angle) = (x + turned_if(back, y >> i), y - turned_if(back, x >> i), angle + turned_if(back, *step));
    }
    angle
}

/// Number of equal steps of the tangent in the table, from 0 to 1.
const TANGENTS: i64 = 512;

/// Error bound of linear interpolation in the table, in 10^-12 degrees. An eighth of the square of a step, times the
/// maximum second derivative of the arctangent, is 1.8 * 10^7. The rest allows for truncation.
const DOUBT: i64 = 20_000_000;

/// Computes the angle of a vector from up to the right, rounded to hundredths of a degree. It uses the table, and
/// CORDIC where the error of the table could change the rounding.
pub fn lean(right: i64, up: i64) -> i64 {
    static LEANS: LazyLock<Vec<i64>> =
        LazyLock::new(|| (0..=TANGENTS + 1).map(|k| lean_by_turns(k, TANGENTS)).collect());
    const PART: i64 = 1 << 19;
    let (short, long) = (right.min(up), right.max(up));
    if long < 1 << 34 {
        let tangent = short * TANGENTS * PART / long;
        let (k, rest) = ((tangent / PART) as usize, tangent % PART);
        let flat = LEANS[k] + (LEANS[k + 1] - LEANS[k]) * rest / PART;
        let half = FINE / 2 + if right <= up { flat } else { 9_000 * FINE - flat };
        if (DOUBT..FINE - DOUBT).contains(&(half % FINE)) {
            return half / FINE;
        }
    }
    (lean_by_turns(right, up) + FINE / 2).div_euclid(FINE).clamp(0, 9_000)
}

/// Returns the bearing of a vector, or `None` for the zero vector. See [`bearing`].
pub fn bearing_of(v: Vector) -> Option<i64> {
    if v == (0, 0) {
        return None;
    }
    let lean = lean(v.0.abs(), v.1.abs());
    Some(normal(match (v.0 >= 0, v.1 >= 0) {
        (true, true) => lean,
        (true, false) => 18_000 - lean,
        (false, false) => 18_000 + lean,
        (false, true) => CIRCLE - lean,
    }))
}

/// Returns the bearing from one point to another, in `0..36_000` (0 is up, 9,000 right), rounded to the nearest
/// hundredth of a degree. The error is at most 0.005 degrees plus 10^-8. Returns 0 if the points are equal.
pub fn bearing(from: Point, to: Point) -> i64 {
    bearing_of(from.to(to)).unwrap_or(0)
}

/// Returns the unit vector of a bearing, times [`ONE`]. The error of each part is less than 1 (2^-30 of the length).
/// The parts 0, 1/2 and 1 are exact.
pub fn direction(angle: i64) -> (i64, i64) {
    static FIRST_QUARTER: LazyLock<Vec<(i64, i64)>> = LazyLock::new(|| (0..9_000).map(turned).collect());
    let angle = normal(angle);
    let (quarter, rest) = (angle / 9_000, angle % 9_000);
    let (sin, cos) = FIRST_QUARTER[rest as usize];
    match quarter {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Computes sine and cosine of an angle below 90 degrees, times [`ONE`], with CORDIC.
fn turned(angle: i64) -> (i64, i64) {
    let (mut x, mut y, mut left) = (SHRINK, 0i64, angle * FINE);
    for (i, step) in ARCTANGENTS.iter().enumerate() {
        let back = left >> 63;
        (x, y, left) = (x - turned_if(back, y >> i), y + turned_if(back, x >> i), left - turned_if(back, *step));
    }
    let cut = |n: i64| ((n + (1 << 19)) >> 20).clamp(0, ONE);
    (cut(y), cut(x))
}
