//! The sequential test of the primary measure.

use super::super::stats::{Found, Level, Seen, Trial};
use super::super::tally::{Tally, mean};
use super::BETA;
use crate::estimate::{shown, shown_all};
use grognard_base::value::Type;

/// A test of whether a measure differs, valid at any number of interim analyses.
#[derive(Clone, Debug)]
pub struct Test {
    trial: Trial,
    ty: Type,
}

impl Test {
    /// Creates a test for a measure of type `ty` whose difference is within `range`, with at most `most` pairs. `alpha`
    /// bounds the probability of reporting a difference that does not exist. The error rate of "same" is always
    /// [`BETA`], regardless of how many comparisons share `alpha`.
    pub fn new(ty: &Type, range: (f64, f64), within: f64, most: u64, alpha: f64) -> Test {
        Test { trial: Trial::new(range, within, most, alpha, BETA), ty: ty.clone() }
    }

    /// Analyzes all differences so far. The first analysis tunes the test.
    pub fn look(&mut self, difference: &Tally) -> Seen {
        self.values(difference).map_or(Seen::Open, |values| self.trial.look(&values))
    }

    /// Returns the interval that belongs to a verdict.
    pub fn found(&self, difference: &Tally, seen: Seen) -> Found {
        self.trial.found(&self.values(difference).unwrap_or_default(), seen)
    }

    /// Returns the interval at error rate `alpha`.
    pub fn interval(&self, difference: &Tally, alpha: f64) -> (f64, f64) {
        let values = self.values(difference).unwrap_or_default();
        self.trial.interval(&values, Level { alpha, ..Level::USUAL })
    }

    /// Returns the mean of the differences.
    pub fn mean(&self, difference: &Tally) -> Option<f64> {
        Some(shown(&self.ty, mean(&difference.numbers(self.ty == Type::Ratio)?)?))
    }

    fn values(&self, difference: &Tally) -> Option<Vec<(f64, u64)>> {
        Some(shown_all(&self.ty, &difference.numbers(self.ty == Type::Ratio)?))
    }
}
