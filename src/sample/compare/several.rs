//! Several versions on one table: the same run with each of them.

use super::super::simulate::Figures;
use crate::machine::{Fault, NoTrace};
use crate::play::Play;
use crate::scenario::Scenario;
use crate::value::Ratio;

/// Plays runs with several versions. All have the same measures.
pub(in crate::sample) struct Several<'a> {
    plays: Vec<(Play<'a, NoTrace>, Figures)>,
    seed: u64,
    measures: usize,
}

impl<'a> Several<'a> {
    /// None of them has played yet.
    pub(in crate::sample) fn new(versions: &[&'a Scenario], seed: u64) -> Several<'a> {
        let plays = versions.iter().map(|v| (Play::new(v, None, NoTrace), Figures::default())).collect();
        Several { plays, seed, measures: versions.iter().map(|v| v.plan.report.len()).min().unwrap_or(0) }
    }

    /// How many measures there are.
    pub(in crate::sample) fn measures(&self) -> usize {
        self.measures
    }

    /// Plays a run with one version.
    pub(in crate::sample) fn play(&mut self, version: usize, run: u64) -> Result<(), Fault> {
        let (play, figures) = &mut self.plays[version];
        play.start(self.seed, run);
        figures.play(play, self.measures)
    }

    /// What the measures of a version came to in the run that was played last.
    pub(in crate::sample) fn values(&self, version: usize) -> impl Iterator<Item = Option<&[i64]>> {
        self.plays[version].1.all()
    }
}

/// A number in cells, and how many of them: of a whole number one, of a fraction two.
pub(in crate::sample) type Cells = ([i64; 2], usize);

/// A sum of values, each so many times; none if it grows too large.
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
