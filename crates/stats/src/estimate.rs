//! What a sample says about one figure: a share or a mean with its interval, or how often each value came.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::simulate::Settings;
use super::stats::{Level, Sequence, wilson};
use super::tally::{Tally, mean};
use grognard_base::order;
use grognard_base::value::*;
use grognard_scenario::{Figure, FigureSort};

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Wilson's score interval, for a number of runs fixed beforehand.
    Wilson,
    /// A betting confidence sequence, which holds at every look.
    Betting,
}

impl Method {
    /// Its name in what is printed.
    pub fn name(self) -> &'static str {
        match self {
            Method::Wilson => "Wilson",
            Method::Betting => "betting",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum PointEstimate {
    /// In how many runs a condition held.
    Share {
        /// Runs in which it held.
        held: u64,
    },
    /// The mean, exact; none without runs, or if it grew too large. Lengths are in thousandths of an inch.
    Mean(Option<Ratio>),
    /// Values by their cells, with how often each came and the interval of that share.
    Values(Vec<(Vec<i64>, u64, (f64, f64))>),
}

/// What a sample says about a figure.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The figure as written.
    pub text: String,
    /// Its type.
    pub ty: Type,
    /// Runs that counted: without errors, and with what is given.
    pub counted: u64,
    /// What was found.
    pub point: PointEstimate,
    /// The ends of the interval; a length in inches. None for a mean that nothing bounds, and for values, which have
    /// one each.
    pub interval: Option<(f64, f64)>,
    /// How intervals were made.
    pub method: Method,
    /// Their level.
    pub level: Level,
}

impl Estimate {
    /// How far the interval reaches from the estimate, to the side where it reaches farther.
    pub fn reach(&self) -> Option<f64> {
        let ((low, high), value) = (self.interval?, self.value()?);
        Some((high - value).max(value - low))
    }

    /// The share or the mean as a number for printing; a length in inches.
    pub fn value(&self) -> Option<f64> {
        match &self.point {
            PointEstimate::Share { held } => (self.counted > 0).then(|| *held as f64 / self.counted as f64),
            PointEstimate::Mean(mean) => mean.map(|m| shown(&self.ty, m)),
            PointEstimate::Values(_) => None,
        }
    }
}

/// A number as it is printed: lengths in inches.
pub(super) fn shown(ty: &Type, value: Ratio) -> f64 {
    let number = value.num() as f64 / value.den() as f64;
    if *ty == Type::Length { number / 1_000.0 } else { number }
}

/// Values with how often each came, as they are printed.
pub(super) fn shown_all(ty: &Type, numbers: &[(Ratio, u64)]) -> Vec<(f64, u64)> {
    numbers.iter().map(|(value, times)| (shown(ty, *value), *times)).collect()
}

/// The interval of a share of so many runs. `anytime`: the number of runs was not fixed beforehand.
pub fn share_interval(held: u64, counted: u64, settings: &Settings, anytime: bool) -> (f64, f64) {
    if !anytime {
        return wilson(held, counted, settings.level);
    }
    let sequence = Sequence::new(0.0, 1.0, settings.runs);
    let values = [(0.0, counted - held), (1.0, held)].into_iter().filter(|(_, n)| *n > 0);
    let values = sequence.take(&values.collect::<Vec<(f64, u64)>>());
    values.map_or((0.0, 1.0), |v| sequence.interval(&v, settings.level))
}

/// What a tally says about a figure. `anytime`: the number of runs was not fixed beforehand.
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
