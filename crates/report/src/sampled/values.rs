//! Formats the values that occurred in runs: their shares, positions and labels.

#![allow(clippy::float_arithmetic)] // rounds numbers only for printing

use super::super::page::{Bar, How, MILLION, Number, ratio};
use super::{Unit, estimated, trimmed};
use grognard_base::order;
use grognard_base::value::{Type, order};
use grognard_stats::Tally;
use grognard_stats::stats::{Level, wilson};
use std::collections::BTreeMap;

/// Returns a bar for each value that occurred in any of the tallies. The shares have intervals if `level` is given, which
/// requires that the number of runs was fixed beforehand.
pub(in super::super) fn bars(
    ty: &Type,
    tallies: &[&Tally],
    (level, how): (Option<Level>, How),
    label: impl Fn(&[i64]) -> String,
) -> Vec<Bar> {
    let mut times: BTreeMap<&[i64], Vec<u64>> = BTreeMap::new();
    for (n, tally) in tallies.iter().enumerate() {
        for (cells, count) in tally.values().into_iter().flatten() {
            times.entry(cells).or_insert_with(|| vec![0; tallies.len()])[n] = count;
        }
    }
    let share = |(tally, times): (&&Tally, &u64)| {
        let share = Some(*times as f64 / tally.counted.max(1) as f64);
        let (interval, name) = level.map_or((None, ""), |l| (Some(wilson(*times, tally.counted, l)), l.name));
        Number { how, ..estimated(Unit::Percent, share, interval, name) }
    };
    let mut below = 0;
    let bar = |(cells, times): (&&[i64], &Vec<u64>)| {
        let at = place(ty, cells);
        let sums = match (tallies, times.as_slice()) {
            ([tally], [own]) if at.is_some() => {
                below += own;
                Some([below, tally.counted + own - below].map(|times| share((tally, &times))))
            }
            _ => None,
        };
        Bar { label: label(cells), at, shares: tallies.iter().zip(times).map(share).collect(), sums }
    };
    let mut times: Vec<(&&[i64], &Vec<u64>)> = times.iter().collect();
    order::sort_by(&mut times, |(a, _), (b, _)| order(ty, a, b));
    times.into_iter().map(bar).collect()
}

/// Returns the position of a value in millionths, or `None` if the value is not a number.
pub(in super::super) fn place(ty: &Type, cells: &[i64]) -> Option<i64> {
    match (ty, cells) {
        (Type::Int(_), [n, ..]) => ratio(*n, 1),
        (Type::Length, [n, ..]) => ratio(*n, 1_000),
        (Type::Ratio, [num, den, ..]) => ratio(*num, *den),
        _ => None,
    }
}

/// Formats a number with its unit. Returns `None` for other values.
pub(in super::super) fn label(ty: &Type, cells: &[i64]) -> Option<String> {
    let at = place(ty, cells)?;
    Some(trimmed(at as f64 / MILLION as f64) + Unit::of(ty, false).sign())
}
