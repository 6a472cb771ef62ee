//! A sequential test of whether a mean difference is above 0, below 0, or smaller than a margin, and the confidence
//! interval that it inverts.
//!
//! Each hypothesis "the mean is `m`" is tested by betting, as in [`super::means`]. The verdict is derived from the
//! interval of the `m` that are not rejected, so the two never contradict each other. The verdict is "more" if the
//! whole interval is above 0, and "less" if it is below. For "same", both ends must be within the margin, each at its
//! own level: two one-sided tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
//!
//! The first analysis is a pilot. It estimates the variance of the differences. From the variance, it computes the bet
//! that grows fastest if the mean is 0 and `m` is the margin, or the reverse. That bet applies only to the runs after
//! the pilot. It is therefore fixed before them, and the interval is valid whatever the pilot shows. With it, the test
//! needs about as many runs as A. Wald's sequential probability ratio test ("Sequential Analysis", 1947).

use super::level::Level;
use super::means::Sequence;

/// The verdict of an analysis of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// There is no decision yet.
    Open,
    /// B has more of the measure.
    More,
    /// B has less of the measure.
    Less,
    /// The difference is smaller than the margin.
    Same,
}

impl Seen {
    /// Returns the verdict that an interval of a difference implies, without a margin.
    pub fn of((low, high): (f64, f64)) -> Seen {
        match () {
            () if low > 0.0 => Seen::More,
            () if high < 0.0 => Seen::Less,
            () => Seen::Open,
        }
    }
}

/// A verdict with the interval that it is derived from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The verdict.
    pub seen: Seen,
    /// The ends of the interval.
    pub interval: (f64, f64),
    /// Probability that the interval does not contain the true value.
    pub alpha: f64,
}

/// A sequential test. Its probability of reporting a difference that does not exist is at most `alpha`. Its probability
/// of reporting "same" for a difference of at least `within` is at most `beta`. Both hold for any number of analyses.
#[derive(Clone, Debug)]
pub struct Trial {
    sequence: Sequence,
    within: f64,
    alpha: f64,
    beta: f64,
    /// Whether the pilot was analyzed.
    tuned: bool,
}

impl Trial {
    /// Creates a test of a mean within `range`, tuned to `most` runs. `within` must be above 0.
    pub fn new(range: (f64, f64), within: f64, most: u64, alpha: f64, beta: f64) -> Trial {
        Trial { sequence: Sequence::new(range.0, range.1, most), within, alpha, beta, tuned: false }
    }

    /// Analyzes all values so far, each with its frequency. The first analysis is the pilot.
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

    /// Returns the interval that belongs to a verdict on these values.
    pub fn found(&self, values: &[(f64, u64)], seen: Seen) -> Found {
        let level = if seen == Seen::Same { self.near() } else { self.level() };
        let (low, high) = self.interval(values, level);
        // bisection can leave a tiny part of the rejected side in the interval, so it is cut off
        let interval = match seen {
            Seen::More => (low.max(0.0), high),
            Seen::Less => (low, high.min(0.0)),
            Seen::Same => (low.max(-self.within), high.min(self.within)),
            Seen::Open => (low, high),
        };
        Found { seen, interval, alpha: level.alpha }
    }

    /// Returns the interval at any level.
    pub fn interval(&self, values: &[(f64, u64)], level: Level) -> (f64, f64) {
        let bounded = self.sequence.take(values);
        bounded.map_or(self.sequence.ends(), |bounded| self.sequence.interval(&bounded, level))
    }

    fn level(&self) -> Level {
        Level { alpha: self.alpha, ..Level::USUAL }
    }

    /// Returns the level of the two one-sided tests: each has the error rate of "same".
    fn near(&self) -> Level {
        Level { alpha: 2.0 * self.beta, ..Level::USUAL }
    }
}

/// Estimates how many more runs would decide what `runs` of them left open, rounded up to two digits. The width of the
/// interval decreases with the square root of the number of runs. The test decides once half this width is smaller than the
/// distance of the mean from 0 or, with a margin, from the margin, whichever comes first. `near` is the interval from
/// which "same" is derived, with the margin. Returns `None` above a billion runs.
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
