//! Compares two versions without sampling: subtracts two exact distributions.

use super::{Judgement, Question, not_numbers, range_of, within_of};
use crate::stats::Seen;
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Budget, Distribution, Worth};
use grognard_play::odds::{NotExact, whole};
use grognard_play::{NoDecision, named};
use grognard_scenario::{Good, Scenario};
use std::collections::BTreeMap;

/// The result of a comparison of two exact answers.
#[derive(Clone, Debug)]
pub struct Exactly {
    /// The margin of the primary measure, or `None` if none was requested and the measure is unbounded.
    pub within: Option<Fraction>,
    /// The range of the primary measure in both versions, if the margin is a hundredth of it.
    pub range: Option<(f64, f64)>,
    /// Number of states explored for A and for B.
    pub positions: [usize; 2],
    /// Choices without a decider in A and in B.
    pub undecided: [Vec<NoDecision>; 2],
    /// The effects, the primary measure first.
    pub effects: Vec<ExactEffect>,
}

/// The exact effect on one measure.
#[derive(Clone, Debug)]
pub struct ExactEffect {
    /// The source text of the measure.
    pub text: String,
    /// The type of the measure.
    pub ty: Type,
    /// Whether the measure is the probability of a condition.
    pub share: bool,
    /// The means, or probabilities, of A and of B; lengths in inches.
    pub means: [Fraction; 2],
    /// The distributions in A and in B, or `None` for a tally of which only the mean is known.
    pub values: [Option<Distribution>; 2],
    /// The verdict. It is never `Undecided`.
    pub judgement: Judgement,
    /// The direction that is declared good, if any.
    pub good: Option<Good>,
}

/// A threshold at which the cumulative distributions of A and B differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The cells of the threshold.
    pub at: Vec<i64>,
    /// Whether it is the smallest value that occurs in A or B.
    pub least: bool,
    /// The probability of a value at or below the threshold, in A and in B.
    pub shares: [Fraction; 2],
}

impl ExactEffect {
    /// Returns the difference of the means, B minus A.
    pub fn difference(&self) -> Fraction {
        &self.means[1] - &self.means[0]
    }

    /// Returns each value with its probabilities in A and in B, in ascending order, or `None` if a distribution is not
    /// known.
    pub fn both(&self) -> Option<Vec<(&[i64], [Fraction; 2])>> {
        let mut shares: BTreeMap<&[i64], [Fraction; 2]> = BTreeMap::new();
        for (n, found) in self.values.iter().enumerate() {
            let found = found.as_ref()?;
            for outcome in &found.outcomes {
                let Worth::Cells(cells) = &outcome.worth else { continue };
                shares.entry(cells).or_default()[n] += &found.share(outcome);
            }
        }
        let mut shares: Vec<_> = shares.into_iter().collect();
        order::sort_by(&mut shares, |(a, _), (b, _)| order(&self.ty, a, b));
        Some(shares)
    }

    /// Returns the threshold with the greatest difference of the cumulative distributions (A. N. Kolmogorov, 1933).
    /// Returns `None` if the distributions are equal or not known.
    pub fn parting(&self) -> Option<Parting> {
        let mut sums = [Fraction::zero(), Fraction::zero()];
        let mut best: Option<(Fraction, Parting)> = None;
        for (n, (cells, shares)) in self.both()?.into_iter().enumerate() {
            sums = [&sums[0] + &shares[0], &sums[1] + &shares[1]];
            let gap = &sums[1] - &sums[0];
            let gap = if gap < Fraction::zero() { -&gap } else { gap };
            if gap > best.as_ref().map_or(Fraction::zero(), |(most, _)| most.clone()) {
                best = Some((gap, Parting { at: cells.to_vec(), least: n == 0, shares: sums.clone() }));
            }
        }
        best.map(|(_, parting)| parting)
    }

    /// Returns the total variation distance: the least share of runs whose value must change to turn the distribution
    /// of A into that of B. Returns `None` if a distribution is not known.
    pub fn moved(&self) -> Option<Fraction> {
        let more = self.both()?.into_iter().map(|(_, [a, b])| &b - &a).filter(|d| *d > Fraction::zero());
        Some(more.fold(Fraction::zero(), |sum, d| &sum + &d))
    }
}

/// Computes the exact difference of two versions.
///
/// # Errors
///
/// Returns the reason if a version exceeds the budget, has no exact answer, or has a measure that cannot be compared.
pub fn exactly(a: &Scenario, b: &Scenario, asked: &Question, budget: Budget) -> Result<Exactly, NotExact> {
    let report = || a.plan.report.iter().zip(&b.plan.report);
    if let Some(unfit) = not_numbers(a, b) {
        return Err(unfit.why.into());
    }
    let of_a = whole(a, budget.clone()).map_err(|why| why.of("A"))?;
    let of_b = whole(b, budget).map_err(|why| why.of("B"))?;
    let within = within_of(&[a, b], *asked).map(decimal);
    let undecided = [named(&a.game.program, &of_a.undecided), named(&b.game.program, &of_b.undecided)];
    let known = of_a.figures.into_iter().zip(of_b.figures);
    let mut effects = Vec::new();
    for (n, ((figure, _), (x, y))) in report().zip(known).enumerate() {
        let ty = &figure.asked.ty;
        let (Some(x_mean), Some(y_mean)) = (x.mean, y.mean) else {
            return Err(format!("`{}` is missing at an end", figure.text).into());
        };
        let means = [x_mean, y_mean].map(|mean| shown(ty, &mean));
        let margin = within.as_ref().filter(|_| n == 0);
        let seen = seen(&(&means[1] - &means[0]), margin);
        effects.push(ExactEffect {
            text: figure.text.clone(),
            ty: ty.clone(),
            share: *ty == Type::Flag,
            means,
            values: [x.found, y.found],
            judgement: Judgement::of(seen),
            good: figure.good,
        });
    }
    let range = if asked.within.is_none() { range_of(&[a, b]) } else { None };
    Ok(Exactly { within, range, positions: [of_a.positions, of_b.positions], undecided, effects })
}

/// Converts a mean to the unit in which it is shown: inches for lengths.
pub(super) fn shown(ty: &Type, mean: &Fraction) -> Fraction {
    if *ty == Type::Length { mean / &Fraction::whole(1_000) } else { mean.clone() }
}

pub fn seen(difference: &Fraction, within: Option<&Fraction>) -> Seen {
    let none = Fraction::zero();
    let size = if *difference < none { -difference } else { difference.clone() };
    match () {
        () if size == none || within.is_some_and(|within| size < *within) => Seen::Same,
        () if *difference > none => Seen::More,
        () => Seen::Less,
    }
}

/// Converts a finite number above 0 to the fraction of its shortest decimal form: `0.01` becomes 1/100.
pub fn decimal(x: f64) -> Fraction {
    let text = format!("{x}");
    let (whole, behind) = text.split_once('.').unwrap_or((&text, ""));
    let under = format!("1{}", "0".repeat(behind.len()));
    format!("{whole}{behind}/{under}").parse().unwrap_or_default()
}
