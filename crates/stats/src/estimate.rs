//! Estimates of one measure from a sample: a share or a mean with its interval, or the frequency of each value.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::simulate::Settings;
use super::stats::{Level, Sequence, wilson};
use super::tally::{Tally, mean};
use grognard_base::order;
use grognard_base::value::*;
use grognard_scenario::{Figure, FigureSort};

/// The method of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Wilson's score interval, for a number of runs fixed in advance.
    Wilson,
    /// A betting confidence sequence, valid at every interim analysis.
    Betting,
}

impl Method {
    /// Returns the name of the method in output.
    pub fn name(self) -> &'static str {
        match self {
            Method::Wilson => "Wilson",
            Method::Betting => "betting",
        }
    }
}

/// A point estimate of a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum PointEstimate {
    /// The share of runs in which a condition holds.
    Share {
        /// Number of runs in which it holds.
        held: u64,
    },
    /// The exact mean of the sample, or `None` without runs or on overflow. Lengths are in thousandths of an inch.
    Mean(Option<Ratio>),
    /// The cells of each value, its frequency, and the interval of its share.
    Values(Vec<(Vec<i64>, u64, (f64, f64))>),
}

/// The estimate of a measure from a sample.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The source text of the measure.
    pub text: String,
    /// The type of the measure.
    pub ty: Type,
    /// Number of runs that count: those without an error in which the condition of `given` holds.
    pub counted: u64,
    /// The point estimate.
    pub point: PointEstimate,
    /// The ends of the interval; lengths in inches. `None` for an unbounded mean, and for values, which have one
    /// interval each.
    pub interval: Option<(f64, f64)>,
    /// The method of the intervals.
    pub method: Method,
    /// The level of the intervals.
    pub level: Level,
}

impl Estimate {
    /// Returns the distance from the estimate to the farther end of the interval.
    pub fn reach(&self) -> Option<f64> {
        let ((low, high), value) = (self.interval?, self.value()?);
        Some((high - value).max(value - low))
    }

    /// Returns the share or the mean as a number for output; lengths in inches.
    pub fn value(&self) -> Option<f64> {
        match &self.point {
            PointEstimate::Share { held } => (self.counted > 0).then(|| *held as f64 / self.counted as f64),
            PointEstimate::Mean(mean) => mean.map(|m| shown(&self.ty, m)),
            PointEstimate::Values(_) => None,
        }
    }
}

/// Converts a number to the unit in which it is shown: inches for lengths.
pub(super) fn shown(ty: &Type, value: Ratio) -> f64 {
    let number = value.num() as f64 / value.den() as f64;
    if *ty == Type::Length { number / 1_000.0 } else { number }
}

/// Converts values, each with its frequency, to the unit in which they are shown.
pub(super) fn shown_all(ty: &Type, numbers: &[(Ratio, u64)]) -> Vec<(f64, u64)> {
    numbers.iter().map(|(value, times)| (shown(ty, *value), *times)).collect()
}

/// Computes the interval of a share. `anytime`: the number of runs was not fixed in advance.
pub fn share_interval(held: u64, counted: u64, settings: &Settings, anytime: bool) -> (f64, f64) {
    if !anytime {
        return wilson(held, counted, settings.level);
    }
    let sequence = Sequence::new(0.0, 1.0, settings.runs);
    let values = [(0.0, counted - held), (1.0, held)].into_iter().filter(|(_, n)| *n > 0);
    let values = sequence.take(&values.collect::<Vec<(f64, u64)>>());
    values.map_or((0.0, 1.0), |v| sequence.interval(&v, settings.level))
}

/// Estimates a measure from its tally. `anytime`: the number of runs was not fixed in advance.
pub fn estimate(figure: &Figure, tally: &Tally, settings: &Settings, anytime: bool) -> Estimate {
    let level = settings.level;
    let share = |held: u64| share_interval(held, tally.counted, settings, anytime);
    let (point, interval, betting) = match figure.sort {
        FigureSort::Chance => {
            let held = tally.times(1);
            (PointEstimate::Share { held }, Some(share(held)), anytime)
        }
        FigureSort::Mean => {
            let numbers = tally.numbers(figure.asked.ty == Type::Ratio);
            let interval = numbers.as_ref().zip(figure.bounds).and_then(|(numbers, (low, high))| {
                let sequence =
                    Sequence::new(shown(&figure.asked.ty, low), shown(&figure.asked.ty, high), settings.runs);
                let values = sequence.take(&shown_all(&figure.asked.ty, numbers))?;
                Some(sequence.interval(&values, level))
            });
            (PointEstimate::Mean(numbers.and_then(|n| mean(&n))), interval, true)
        }
        FigureSort::Hist => {
            let values = tally.values().into_iter().flatten();
            let mut values: Vec<_> = values.map(|(cells, times)| (cells.to_vec(), times, share(times))).collect();
            order::sort_by(&mut values, |(a, ..), (b, ..)| order(&figure.asked.ty, a, b));
            (PointEstimate::Values(values), None, anytime)
        }
    };
    let method = if betting { Method::Betting } else { Method::Wilson };
    Estimate {
        text: figure.text.clone(),
        ty: figure.asked.ty.clone(),
        counted: tally.counted,
        point,
        interval,
        method,
        level,
    }
}
