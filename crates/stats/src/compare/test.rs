//! The test of the primary measure, looked at again and again.

use super::super::stats::{Found, Level, Seen, Trial};
use super::super::tally::{Tally, mean};
use super::BETA;
use crate::estimate::{shown, shown_all};
use grognard_base::value::Type;

/// Decides whether a measure differs. It may be looked at as often as one likes.
#[derive(Clone, Debug)]
pub struct Test {
    trial: Trial,
    ty: Type,
}

impl Test {
    /// A test for a measure of this type whose difference lies in `range`, with at most so many pairs, that finds a
    /// difference where there is none with a chance of `alpha` at most. "Same" may be wrong as often as ever, however
    /// many comparisons share the rest.
    pub fn new(ty: &Type, range: (f64, f64), within: f64, most: u64, alpha: f64) -> Test {
        Test { trial: Trial::new(range, within, most, alpha, BETA), ty: ty.clone() }
    }

    /// Looks at all differences so far. The first look tunes the test.
    pub fn look(&mut self, difference: &Tally) -> Seen {
        self.values(difference).map_or(Seen::Open, |values| self.trial.look(&values))
    }

    /// The interval that belongs to a verdict.
    pub fn found(&self, difference: &Tally, seen: Seen) -> Found {
        self.trial.found(&self.values(difference).unwrap_or_default(), seen)
    }

    /// The interval at another level.
    pub fn interval(&self, difference: &Tally, alpha: f64) -> (f64, f64) {
        let values = self.values(difference).unwrap_or_default();
        self.trial.interval(&values, Level { alpha, ..Level::USUAL })
    }

    /// The mean of the differences.
    pub fn mean(&self, difference: &Tally) -> Option<f64> {
        Some(shown(&self.ty, mean(&difference.numbers(self.ty == Type::Ratio)?)?))
    }

    fn values(&self, difference: &Tally) -> Option<Vec<(f64, u64)>> {
        Some(shown_all(&self.ty, &difference.numbers(self.ty == Type::Ratio)?))
    }
}
