//! Bearings and directions by shifts and adds (CORDIC), in whole numbers; common ones are read from tables made so.

use super::Point;
use super::shape::Vector;
use std::sync::LazyLock;

/// Hundredths of a degree in a full turn.
pub const CIRCLE: i64 = 36_000;

/// The length of the vectors [`direction`] gives.
pub const ONE: i64 = 1 << 30;

/// The angle whose tangent is 2^-i, in 10^-12 degrees.
const ARCTANGENTS: [i64; 41] = [
    45_000_000_000_000, 26_565_051_177_078, 14_036_243_467_926, 7_125_016_348_902, 3_576_334_374_997,
    1_789_910_608_246, 895_173_710_211, 447_614_170_861, 223_810_500_369, 111_905_677_066, 55_952_891_894,
    27_976_452_617, 13_988_227_142, 6_994_113_675, 3_497_056_851, 1_748_528_427, 874_264_214, 437_132_107, 218_566_053,
    109_283_027, 54_641_513, 27_320_757, 13_660_378, 6_830_189, 3_415_095, 1_707_547, 853_774, 426_887, 213_443,
    106_722, 53_361, 26_680, 13_340, 6_670, 3_335, 1_668, 834, 417, 208, 104, 52,
];

/// 10^-12 degrees in a hundredth of a degree.
pub const FINE: i64 = 10_000_000_000;

/// What the turns of the table leave of a vector's length, as a part of 2^50.
const SHRINK: i64 = 683_706_022_956_409;

/// Brings an angle into 0 to under 36,000.
pub fn normal(angle: i64) -> i64 {
    angle.rem_euclid(CIRCLE)
}

/// The smaller angle between two bearings, 0 to 18,000.
pub fn turn_between(a: i64, b: i64) -> i64 {
    let d = normal(normal(a) - normal(b));
    d.min(CIRCLE - d)
}

/// A number, or with -1 for `back` its opposite. No branch, as nobody could guess which way a turn goes.
fn turned_if(back: i64, n: i64) -> i64 {
    (n ^ back) - back
}

/// How far a vector with these parts, neither below 0, leans from up to the right, in 10^-12 degrees; by turns.
pub fn lean_by_turns(right: i64, up: i64) -> i64 {
    // as large as the turns can bear, so that short vectors are as exact as long ones
    let shift = (right | up).leading_zeros().saturating_sub(4);
    let (mut x, mut y, mut angle) = (up << shift, right << shift, 0i64);
    for (i, step) in ARCTANGENTS.iter().enumerate() {
        let back = y >> 63;
        (x, y, angle) = (x + turned_if(back, y >> i), y - turned_if(back, x >> i), angle + turned_if(back, *step));
    }
    angle
}

/// A table holds the leans of so many tangents from 0 to 1, evenly apart.
const TANGENTS: i64 = 512;

/// Between two of the table a lean is no farther than this from the straight line, in 10^-12 degrees: an eighth of the
/// square of a step, times the greatest bend of the arctangent, makes 1.8 * 10^7; the rest is for what is cut.
const DOUBT: i64 = 20_000_000;

/// The same lean in hundredths of a degree, rounded; from a table, and by turns where that leaves it in doubt.
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

/// The bearing of a vector, or none of the zero vector. See [`bearing`].
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

/// The bearing from one point to another, 0 to under 36,000 (0 is up, 9,000 right), rounded to the nearest hundredth
/// of a degree: never more than 0.005 degrees and 10^-8 off. 0 if the points are one.
pub fn bearing(from: Point, to: Point) -> i64 {
    bearing_of(from.to(to)).unwrap_or(0)
}

/// The unit vector of a bearing, times [`ONE`]. Each part is off by less than 1 (2^-30 of the length), and exact
/// where it is 0, a half or 1.
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

/// Sine and cosine of an angle under 90 degrees, times [`ONE`].
fn turned(angle: i64) -> (i64, i64) {
    let (mut x, mut y, mut left) = (SHRINK, 0i64, angle * FINE);
    for (i, step) in ARCTANGENTS.iter().enumerate() {
        let back = left >> 63;
        (x, y, left) = (x - turned_if(back, y >> i), y + turned_if(back, x >> i), left - turned_if(back, *step));
    }
    let cut = |n: i64| ((n + (1 << 19)) >> 20).clamp(0, ONE);
    (cut(y), cut(x))
}
