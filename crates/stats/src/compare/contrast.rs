//! Contrasts: linear combinations of the results of several versions, exact or estimated from common random numbers.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::super::batch::{Watcher, Work, batch, looks};
use super::super::estimate::{shown, shown_all};
use super::super::stats::{Level, Seen, Sequence};
use super::super::tally::{Tally, mean};
use super::several::{Cells, Several, sum};
use super::{Question, Unfit, exact, measures, within_of};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_odds::Budget;
use grognard_play::odds::{NotExact, Whole, whole};
use grognard_scenario::{Figure, Scenario};
use grognard_vm::Fault;

/// A linear combination of versions: B minus A is 1 of B and -1 of A. Invariant: it is not empty and names each version
/// at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The coefficient and the index of each version.
    pub terms: Vec<(i64, usize)>,
}

/// How contrasts were computed.
#[derive(Clone, Debug)]
pub enum Basis {
    /// Every version has an exact answer.
    Exact {
        /// The maximum number of states that one version explored.
        positions: usize,
    },
    /// The contrasts are estimated from runs, each played with every version.
    Sampled {
        /// Number of runs played.
        runs: u64,
        /// Number of runs that ended in an error with at least one version. They are not counted.
        faults: u64,
        /// The number of the first such run, the version, and the error.
        first_fault: Option<(u64, usize, Fault)>,
        /// Whether the watcher stopped the sampling.
        stopped: bool,
    },
}

/// The size of a contrast in one measure.
#[derive(Clone, Debug)]
pub struct Size {
    /// The mean; lengths in inches. `None` without runs, or on overflow.
    pub value: Option<f64>,
    /// The exact value, if it is known.
    pub exact: Option<Fraction>,
    /// The ends of an interval that is valid at every interim analysis; both are `value` if the value is exact.
    pub interval: (f64, f64),
    /// Probability that the interval does not contain the true value.
    pub alpha: f64,
    /// The verdict: above 0, below 0, or too small to matter.
    pub seen: Seen,
}

/// The results of all contrasts.
#[derive(Clone, Debug)]
pub struct Contrasts {
    /// How they were computed.
    pub basis: Basis,
    /// The margin of the primary measure, or `None` if none was requested and the measure is unbounded.
    pub within: Option<f64>,
    /// For each contrast, its size in each measure.
    pub sizes: Vec<Vec<Size>>,
}

/// Computes contrasts exactly.
///
/// # Errors
///
/// Returns the reason if a version exceeds the budget or has no exact answer.
pub fn exact_contrasts(
    versions: &[&Scenario],
    contrasts: &[Contrast],
    asked: Question,
    budget: Budget,
    watch: &Watcher<'_>,
) -> Result<Contrasts, NotExact> {
    let mut known: Vec<Whole> = Vec::new();
    for version in versions {
        known.push(whole(version, budget.clone())?);
        if !watch(0) {
            return Err("it was stopped by hand".into());
        }
    }
    let figures = versions.first().map_or([].as_slice(), |v| &v.plan.report);
    let within = within_of(versions, asked);
    let size = |contrast: &Contrast, (at, figure): (usize, &Figure)| -> Result<Size, NotExact> {
        let ty = &figure.asked.ty;
        let add = |total: Fraction, (times, version): &(i64, usize)| {
            let mean = known.get(*version)?.figures.get(at)?.mean.as_ref()?;
            Some(&total + &(&Fraction::whole(*times) * mean))
        };
        let sum = contrast.terms.iter().try_fold(Fraction::zero(), add);
        let value = exact::shown(ty, &sum.ok_or_else(|| format!("`{}` is missing at an end", figure.text))?);
        let margin = within.filter(|_| at == 0).map(exact::decimal);
        let seen = exact::seen(&value, margin.as_ref());
        let near = value.float();
        Ok(Size { value: Some(near), exact: Some(value), interval: (near, near), alpha: 0.0, seen })
    };
    let sizes = contrasts.iter().map(|c| figures.iter().enumerate().map(|figure| size(c, figure)).collect());
    let sizes = sizes.collect::<Result<Vec<Vec<Size>>, NotExact>>()?;
    let positions = known.iter().map(|w| w.positions).max().unwrap_or(0);
    Ok(Contrasts { basis: Basis::Exact { positions }, within, sizes })
}

/// One contrast of one measure during sampling.
struct Bet {
    ty: Type,
    range: (f64, f64),
    alpha: f64,
    within: Option<f64>,
}

impl Bet {
    fn size(&self, tally: &Tally, most: u64) -> Size {
        let numbers = tally.numbers(self.ty == Type::Ratio);
        let sequence = Sequence::new(self.range.0, self.range.1, most);
        let values = numbers.as_ref().and_then(|n| sequence.take(&shown_all(&self.ty, n)));
        let level = Level { alpha: self.alpha, ..Level::USUAL };
        let interval = values.map_or(self.range, |values| sequence.interval(&values, level));
        let seen = match self.within {
            _ if interval.0 > 0.0 => Seen::More,
            _ if interval.1 < 0.0 => Seen::Less,
            Some(within) if -within < interval.0 && interval.1 < within => Seen::Same,
            _ => Seen::Open,
        };
        let value = numbers.and_then(|n| mean(&n)).map(|mean| shown(&self.ty, mean));
        Size { value, exact: None, interval, alpha: self.alpha, seen }
    }
}

/// Estimates contrasts: plays the same runs with all versions until each contrast of the primary measure is decided or
/// the runs are used up. All intervals together have the error rate of one comparison.
///
/// # Errors
///
/// Returns the first measure that cannot be compared.
pub fn sampled_contrasts(
    versions: &[&Scenario],
    contrasts: &[Contrast],
    asked: Question,
    watch: &Watcher<'_>,
) -> Result<Contrasts, Unfit> {
    let Some((first, rest)) = versions.split_first() else {
        return Ok(Contrasts {
            basis: Basis::Sampled { runs: 0, faults: 0, first_fault: None, stopped: false },
            within: None,
            sizes: Vec::new(),
        });
    };
    for other in rest {
        measures(first, other)?;
    }
    let count = first.plan.report.len();
    let within = within_of(versions, asked);
    let bets: Vec<Vec<Bet>> = contrasts.iter().map(|c| bets(versions, c, asked, within, contrasts.len())).collect();
    let worker = |_| Sums::new(versions, contrasts, asked.seed);
    let mut workers: Vec<Sums<'_>> = (0..asked.threads.max(1)).map(worker).collect();
    let (mut runs, mut stopped) = (0, false);
    let mut sizes = Vec::new();
    for mark in looks(asked.runs) {
        let reached = batch(&mut workers, runs..mark, asked.chunk.max(1), watch);
        (runs, stopped) = (reached, reached < mark);
        let mut tallies = vec![vec![Tally::default(); count]; contrasts.len()];
        for worker in &workers {
            let pairs = tallies.iter_mut().flatten().zip(worker.tallies.iter().flatten());
            pairs.for_each(|(all, part)| all.merge(part));
        }
        let look = |(bets, tallies): (&Vec<Bet>, &Vec<Tally>)| -> Vec<Size> {
            bets.iter().zip(tallies).map(|(bet, tally)| bet.size(tally, asked.runs)).collect()
        };
        sizes = bets.iter().zip(&tallies).map(look).collect::<Vec<Vec<Size>>>();
        let open = sizes.iter().any(|s| s.first().is_some_and(|s| s.seen == Seen::Open));
        if stopped || !open {
            break;
        }
    }
    let first_fault =
        workers.iter().filter_map(|w| w.first_fault.clone()).min_by_key(|(run, version, _)| (*run, *version));
    let faults = workers.iter().map(|w| w.faults).sum();
    Ok(Contrasts { basis: Basis::Sampled { runs, faults, first_fault, stopped }, within, sizes })
}

/// Creates the bets on the measures of a contrast. All contrasts of all measures share the error rate (Bonferroni).
fn bets(versions: &[&Scenario], contrast: &Contrast, asked: Question, within: Option<f64>, count: usize) -> Vec<Bet> {
    let Some(first) = versions.first() else { return Vec::new() };
    let measures = first.plan.report.len();
    let bet = |(at, figure): (usize, &Figure)| {
        let ty = figure.asked.ty.clone();
        let mut range = (0.0, 0.0);
        for (times, version) in &contrast.terms {
            let Some((low, high)) = versions[*version].plan.report[at].bounds else { continue };
            let times = *times as f64;
            let (low, high) = (times * shown(&ty, low), times * shown(&ty, high));
            range = (range.0 + low.min(high), range.1 + low.max(high));
        }
        let alpha = asked.alpha() / (count * measures) as f64;
        Bet { ty, range, alpha, within: within.filter(|_| at == 0) }
    };
    first.plan.report.iter().enumerate().map(bet).collect()
}

/// A worker that plays each run with every version and counts the contrasts.
struct Sums<'a> {
    several: Several<'a>,
    versions: usize,
    contrasts: &'a [Contrast],
    tallies: Vec<Vec<Tally>>,
    faults: u64,
    first_fault: Option<(u64, usize, Fault)>,
}

impl<'a> Sums<'a> {
    fn new(versions: &[&'a Scenario], contrasts: &'a [Contrast], seed: u64) -> Sums<'a> {
        let several = Several::new(versions, seed);
        let tallies = vec![vec![Tally::default(); several.measures()]; contrasts.len()];
        Sums { several, versions: versions.len(), contrasts, tallies, faults: 0, first_fault: None }
    }

    /// Plays a run with all versions. Returns each contrast of each measure, or the version that failed with its error.
    fn play(&mut self, run: u64) -> Result<Vec<Vec<Cells>>, (usize, Fault)> {
        for version in 0..self.versions {
            self.several.play(version, run).map_err(|fault| (version, fault))?;
        }
        let values: Vec<Vec<Option<&[i64]>>> = (0..self.versions).map(|v| self.several.values(v).collect()).collect();
        let one = |contrast: &Contrast, at: usize| {
            let terms: Option<Vec<(i64, &[i64])>> =
                contrast.terms.iter().map(|(times, version)| Some((*times, values[*version][at]?))).collect();
            sum(&terms?)
        };
        let all = self.contrasts.iter().map(|c| (0..self.several.measures()).map(|at| one(c, at)).collect());
        let all: Option<Vec<Vec<Cells>>> = all.collect();
        all.ok_or_else(|| (0, Fault::new(Code::Overflow, "the difference of the versions grows too large")))
    }
}

impl Work for Sums<'_> {
    fn expect(&mut self, runs: u64) {
        self.several.expect(runs);
    }

    fn run(&mut self, run: u64) -> bool {
        match self.play(run) {
            Ok(found) => {
                let all = self.tallies.iter_mut().flatten().zip(found.iter().flatten());
                all.for_each(|(tally, (cells, width))| tally.add(&cells[..*width]));
            }
            Err((version, fault)) => {
                self.faults += 1;
                if self.first_fault.as_ref().is_none_or(|(first, ..)| run < *first) {
                    self.first_fault = Some((run, version, fault));
                }
            }
        }
        true
    }
}
