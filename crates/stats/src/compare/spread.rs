//! Finds changes of a distribution that its mean can hide: the greatest difference of the two cumulative distributions
//! (A. N. Kolmogorov, 1933; N. V. Smirnov, 1939), estimated from pairs of runs.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::super::stats::{Level, Seen, Sequence};
use super::super::tally::Tally;
use super::Measure;
use crate::estimate::shown;
use grognard_base::value::*;

/// Maximum number of thresholds that are tested.
const THRESHOLDS: u64 = 100;

/// A threshold at or below which the values are more or less often in B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The threshold; lengths in inches.
    pub at: f64,
    /// Whether it is the smallest possible value.
    pub least: bool,
    /// The share of runs with a value at or below the threshold, in A and in B.
    pub shares: [f64; 2],
    /// The ends of an interval of the difference of these shares, B minus A. It is valid for all thresholds
    /// simultaneously.
    pub interval: (f64, f64),
    /// Probability that any of these intervals does not contain its true value.
    pub alpha: f64,
}

/// Returns the threshold with the greatest significant difference, if any. It tests the difference of the two shares at
/// each threshold; all intervals together have the error rate `alpha` (Bonferroni). The thresholds are fixed before the
/// first run: all whole numbers in the range of the measure, or [`THRESHOLDS`] equal steps of it.
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

/// Returns each pair of values with its frequency, or `None` if there were too many values.
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
