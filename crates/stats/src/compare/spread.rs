//! Whether values come more or less often in one of two versions, whatever the means are: the greatest difference of the two
//! cumulative distributions (A. N. Kolmogorov, 1933; N. V. Smirnov, 1939), from pairs of runs.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::super::stats::{Level, Seen, Sequence};
use super::super::tally::Tally;
use super::Measure;
use crate::estimate::shown;
use grognard_base::value::*;

/// Thresholds that are looked at.
const THRESHOLDS: u64 = 100;

/// A threshold that values stay at or below in more or in fewer runs of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The threshold; lengths in inches.
    pub at: f64,
    /// It is the least value there can be.
    pub least: bool,
    /// The share of runs with at most that, in A and in B.
    pub shares: [f64; 2],
    /// The ends of an interval of the difference of these shares, B less A. It holds for all thresholds together.
    pub interval: (f64, f64),
    /// How often all of these intervals together may miss.
    pub alpha: f64,
}

/// The threshold with the greatest difference that was shown, if one was: of each threshold the difference of the two shares
/// is bet on, and all of them together miss with a chance of `alpha` at most. Thresholds were fixed before the first run:
/// all whole numbers that the measure can come to, or so many steps of its range.
pub(super) fn shown_of(measure: &Measure<'_>, both: &Tally, alpha: f64, most: u64) -> Option<Spread> {
    let ty = &measure.figure.asked.ty;
    let (low, high) = measure.own;
    let steps = match ty {
        Type::Int(_) if high - low <= THRESHOLDS as f64 => (high - low) as u64,
        _ => THRESHOLDS,
    };
    let pairs = pairs(ty, both)?;
    let level = Level { alpha: alpha / steps.max(1) as f64, ..Level::USUAL };
    let sequence = Sequence::new(-1.0, 1.0, most);
    let runs = both.counted.max(1) as f64;
    let spread = |step: u64| {
        let at = low + (high - low) * (step as f64 / steps as f64);
        let mut times = [0u64; 3];
        let mut under = [0u64; 2];
        for (a, b, n) in &pairs {
            let sides = [*a <= at, *b <= at];
            (0..2).for_each(|side| under[side] += if sides[side] { *n } else { 0 });
            times[1 + usize::from(sides[1]) - usize::from(sides[0])] += n;
        }
        let values = [(-1.0, times[0]), (0.0, times[1]), (1.0, times[2])].into_iter().filter(|(_, n)| *n > 0);
        let values = sequence.take(&values.collect::<Vec<(f64, u64)>>())?;
        let interval = sequence.interval(&values, level);
        let shares = under.map(|n| n as f64 / runs);
        (Seen::of(interval) != Seen::Open).then_some(Spread { at, least: step == 0, shares, interval, alpha })
    };
    let size = |s: &Spread| (s.shares[1] - s.shares[0]).abs();
    (0..steps).filter_map(spread).reduce(|best, next| if size(&next) > size(&best) { next } else { best })
}

/// Each pair of values with how often it came; none if there were too many.
fn pairs(ty: &Type, both: &Tally) -> Option<Vec<(f64, f64, u64)>> {
    let value = |cells: &[i64]| match cells {
        [num, den] => Ratio::new(*num, *den).map(|r| shown(ty, r)),
        [n] => Some(shown(ty, Ratio::whole(*n))),
        _ => None,
    };
    let pair = |(cells, times): (&[i64], u64)| {
        let (a, b) = cells.split_at(cells.len() / 2);
        Some((value(a)?, value(b)?, times))
    };
    both.values()?.map(pair).collect()
}
