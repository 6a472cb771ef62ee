//! Plays the same run with several versions of one scenario.

use super::super::runner::Runner;
use grognard_base::value::Ratio;
use grognard_scenario::Scenario;
use grognard_vm::Fault;

/// A player of runs with several versions. All versions have the same measures.
pub(crate) struct Several<'a> {
    runners: Vec<Runner<'a>>,
    seed: u64,
    measures: usize,
}

impl<'a> Several<'a> {
    /// Creates the runners of all versions.
    pub(crate) fn new(versions: &[&'a Scenario], seed: u64) -> Several<'a> {
        let runners = versions.iter().map(|v| Runner::new(v, None)).collect();
        Several { runners, seed, measures: versions.iter().map(|v| v.plan.report.len()).min().unwrap_or(0) }
    }

    /// Returns the number of measures.
    pub(crate) fn measures(&self) -> usize {
        self.measures
    }

    /// Announces that the next `runs` runs have consecutive numbers.
    pub(crate) fn expect(&mut self, runs: u64) {
        self.runners.iter_mut().for_each(|runner| runner.expect(runs));
    }

    /// Returns the approximate number of steps that all versions took so far.
    pub(crate) fn steps(&self) -> u64 {
        self.runners.iter().map(Runner::steps).sum()
    }

    /// Plays a run with one version.
    pub(crate) fn play(&mut self, version: usize, run: u64) -> Result<(), Fault> {
        self.runners[version].run(self.seed, run, self.measures)
    }

    /// Returns the values of the measures of a version in the last run.
    pub(crate) fn values(&self, version: usize) -> impl Iterator<Item = Option<&[i64]>> {
        self.runners[version].figures.all()
    }
}

/// A number in cells, and the number of cells: one for a whole number, two for a fraction.
pub(crate) type Cells = ([i64; 2], usize);

/// Computes a linear combination of values. Returns `None` on overflow or if `terms` is empty.
pub(super) fn sum(terms: &[(i64, &[i64])]) -> Option<Cells> {
    match terms.first()?.1 {
        [_, _] => {
            let add = |sum: Ratio, (times, cells): &(i64, &[i64])| {
                let [num, den] = cells else { return None };
                sum.checked_add(Ratio::new(num.checked_mul(*times)?, *den)?)
            };
            let sum = terms.iter().try_fold(Ratio::ZERO, add)?;
            Some(([sum.num(), sum.den()], 2))
        }
        _ => {
            let add = |sum: i64, (times, cells): &(i64, &[i64])| {
                let [n] = cells else { return None };
                sum.checked_add(n.checked_mul(*times)?)
            };
            Some(([terms.iter().try_fold(0, add)?, 0], 1))
        }
    }
}
