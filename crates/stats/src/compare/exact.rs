//! Two versions without a single run: the difference of two exact distributions.

use super::{Judgement, Question, not_numbers, range_of, within_of};
use crate::stats::Seen;
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Budget, Distribution, Worth};
use grognard_play::odds::{NotExact, whole};
use grognard_play::{NoDecision, named};
use grognard_scenario::{Good, Scenario};
use std::collections::BTreeMap;

/// What came of a comparison that nothing was left open of.
#[derive(Clone, Debug)]
pub struct Exactly {
    /// The margin of the primary measure; none if nobody named one and nothing bounds the measure.
    pub within: Option<Fraction>,
    /// Between which values the primary measure lies in both versions, if the margin is a hundredth of that.
    pub range: Option<(f64, f64)>,
    /// Positions that were explored of A and of B.
    pub positions: [usize; 2],
    /// Choices that have no decider, in A and in B.
    pub undecided: [Vec<NoDecision>; 2],
    /// The effects; the first is the primary one.
    pub effects: Vec<ExactEffect>,
}

/// The effect on one measure.
#[derive(Clone, Debug)]
pub struct ExactEffect {
    /// The measure as written.
    pub text: String,
    /// Its type.
    pub ty: Type,
    /// It is the chance of a condition.
    pub share: bool,
    /// The mean, or the chance, in A and in B; lengths in inches.
    pub means: [Fraction; 2],
    /// Values and their shares in A and in B; nothing of what was only counted on the way.
    pub values: [Option<Distribution>; 2],
    /// What is said of it. Nothing stays undecided.
    pub judgement: Judgement,
    /// Which direction is good, if somebody said so.
    pub good: Option<Good>,
}

/// A threshold that values stay at or below more or less often in B.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The cells of the threshold.
    pub at: Vec<i64>,
    /// It is the least value that comes in either.
    pub least: bool,
    /// How often values stay at or below it, in A and in B.
    pub shares: [Fraction; 2],
}

impl ExactEffect {
    /// B less A.
    pub fn difference(&self) -> Fraction {
        &self.means[1] - &self.means[0]
    }

    /// Each value with its shares in A and in B, in rising order; none of what was only counted.
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

    /// Where the two distributions lie farthest apart: the threshold with the greatest difference of their cumulative
    /// distributions (A. N. Kolmogorov, 1933). None if values come as often in both, or were only counted.
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

    /// In how many of all runs at least the value has to change to make the distribution of B out of that of A.
    pub fn moved(&self) -> Option<Fraction> {
        let more = self.both()?.into_iter().map(|(_, [a, b])| &b - &a).filter(|d| *d > Fraction::zero());
        Some(more.fold(Fraction::zero(), |sum, d| &sum + &d))
    }
}

/// The difference of two versions, if both can be worked out exactly within the budget; or, in words, why not.
pub fn exactly(a: &Scenario, b: &Scenario, asked: &Question, budget: Budget) -> Result<Exactly, NotExact> {
    let report = || a.plan.report.iter().zip(&b.plan.report);
    if let Some(unfit) = not_numbers(a, b) {
        return Err(unfit.why.into());
    }
    let of_a = whole(a, budget).map_err(|why| why.of("A"))?;
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

/// A mean as it is told: lengths in inches.
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

/// A finite number above 0 as it is written with the fewest digits: `0.01` is a hundredth.
pub fn decimal(x: f64) -> Fraction {
    let text = format!("{x}");
    let (whole, behind) = text.split_once('.').unwrap_or((&text, ""));
    let under = format!("1{}", "0".repeat(behind.len()));
    format!("{whole}{behind}/{under}").parse().unwrap_or_default()
}
