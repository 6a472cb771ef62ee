//! Whether a mean difference is above 0, below 0, or smaller than a margin: a sequential test, and the interval that it
//! inverts.
//!
//! Every hypothesis "the mean is `m`" is bet against, as in [`super::means`]. The verdict is read off the interval of those
//! `m` that nobody could win enough against, so the two never contradict each other: "more" when all of it lies above 0,
//! "less" when all of it lies below. For "same" both sides must lie within the margin, each at its own level: two
//! one-sided tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). The first look is a
//! pilot: it says how much the differences scatter, and with that which bet grows fastest if the mean is 0 and `m` the
//! margin, or the other way round. That bet is made on the runs after the pilot only, so it was chosen before them, and the
//! interval holds however the pilot came out. With it the test needs about as many runs as A. Wald's sequential
//! probability ratio test ("Sequential Analysis", 1947).

use super::level::Level;
use super::means::Sequence;

/// What a look at a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Not yet.
    Open,
    /// There is more of it in B.
    More,
    /// There is less of it in B.
    Less,
    /// The difference is smaller than what was asked for.
    Same,
}

impl Seen {
    /// What an interval says of a difference.
    pub fn of((low, high): (f64, f64)) -> Seen {
        match () {
            () if low > 0.0 => Seen::More,
            () if high < 0.0 => Seen::Less,
            () => Seen::Open,
        }
    }
}

/// A verdict, and the interval that it was read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The verdict.
    pub seen: Seen,
    /// The ends of the interval.
    pub interval: (f64, f64),
    /// How often it may miss.
    pub alpha: f64,
}

/// A test that finds a difference where there is none with a chance of `alpha` at most, and says "same" of one that is
/// `within` or more with a chance of `beta` at most, however often it is looked at.
#[derive(Clone, Debug)]
pub struct Trial {
    sequence: Sequence,
    within: f64,
    alpha: f64,
    beta: f64,
    /// The pilot was seen.
    tuned: bool,
}

impl Trial {
    /// A test of a mean within `range`, tuned to `most` runs; `within` is above 0.
    pub fn new(range: (f64, f64), within: f64, most: u64, alpha: f64, beta: f64) -> Trial {
        Trial { sequence: Sequence::new(range.0, range.1, most), within, alpha, beta, tuned: false }
    }

    /// Looks at all values so far, each with how often it came. The first look is the pilot.
    pub fn look(&mut self, values: &[(f64, u64)]) -> Seen {
        if !self.tuned {
            self.sequence.tune(values, self.within);
            self.tuned = true;
        }
        let Some(bounded) = self.sequence.take(values) else { return Seen::Open };
        let above = |mean, bar| self.sequence.above(&bounded, mean) >= bar;
        let below = |mean, bar| self.sequence.below(&bounded, mean) >= bar;
        let (bar, near) = (self.level().bar(), self.near().bar());
        match () {
            () if above(0.0, bar) => Seen::More,
            () if below(0.0, bar) => Seen::Less,
            () if above(-self.within, near) && below(self.within, near) => Seen::Same,
            () => Seen::Open,
        }
    }

    /// The interval that belongs to a verdict on these values.
    pub fn found(&self, values: &[(f64, u64)], seen: Seen) -> Found {
        let level = if seen == Seen::Same { self.near() } else { self.level() };
        let (low, high) = self.interval(values, level);
        // what was given up lies outside, also where halving has left a hair of it
        let interval = match seen {
            Seen::More => (low.max(0.0), high),
            Seen::Less => (low, high.min(0.0)),
            Seen::Same => (low.max(-self.within), high.min(self.within)),
            Seen::Open => (low, high),
        };
        Found { seen, interval, alpha: level.alpha }
    }

    /// The interval at any level.
    pub fn interval(&self, values: &[(f64, u64)], level: Level) -> (f64, f64) {
        let bounded = self.sequence.take(values);
        bounded.map_or(self.sequence.ends(), |bounded| self.sequence.interval(&bounded, level))
    }

    fn level(&self) -> Level {
        Level { alpha: self.alpha, ..Level::USUAL }
    }

    /// Of the two one-sided tests each may miss as often as "same" may be wrong.
    fn near(&self) -> Level {
        Level { alpha: 2.0 * self.beta, ..Level::USUAL }
    }
}

/// About how many more runs would decide what `runs` of them left open, rounded up to two digits: as many as narrow the
/// interval, which shrinks with the square root of their number, to less than the mean is away from 0; or, with a margin,
/// to less than it is away from the margin, whichever comes first. `near` is the interval that "same" is read off. None if
/// that is more than a billion.
pub fn more_runs(runs: u64, mean: f64, interval: (f64, f64), near: Option<((f64, f64), f64)>) -> Option<u64> {
    let needed = |(low, high): (f64, f64), distance: f64| {
        let times = (high - low) / 2.0 / distance;
        (distance > 0.0).then_some(runs as f64 * times * times)
    };
    let differs = needed(interval, mean.abs());
    let same = near.and_then(|(near, within)| needed(near, within - mean.abs()));
    let all = differs.into_iter().chain(same).reduce(f64::min)?;
    let more = (all - runs as f64).max(runs as f64 / 10.0).max(1.0);
    (more <= 1e9).then(|| {
        let more = more.ceil() as u64;
        let step = 10u64.pow(more.ilog10().saturating_sub(1));
        more.div_ceil(step) * step
    })
}
