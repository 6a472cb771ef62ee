//! Combines the results of one comparison on several scenarios.

#![allow(clippy::float_arithmetic)] // for means and intervals only, see `stats`

use super::{Compared, Judgement, same_sort};
use grognard_base::value::*;
use grognard_scenario::Good;

/// The combined effect of several scenarios on one measure. All scenarios have equal weight.
#[derive(Clone, Debug)]
pub struct Together {
    /// The source text of the measure.
    pub text: String,
    /// The type of the measure.
    pub ty: Type,
    /// Whether the measure is the share of runs in which a condition holds.
    pub share: bool,
    /// Whether it is the primary measure.
    pub primary: bool,
    /// The direction that is declared good, if all scenarios agree.
    pub good: Option<Good>,
    /// Number of scenarios with each verdict: more in B, less, the same, undecided.
    pub judged: [usize; 4],
    /// The mean of the differences; lengths in inches. `None` if any of the differences is not known.
    pub difference: Option<f64>,
    /// The exact mean, if each difference is exact.
    pub exact: Option<Fraction>,
    /// The ends of an interval of that mean. It is valid if all the intervals of the scenarios are.
    pub interval: (f64, f64),
    /// Probability that the interval does not contain the true mean.
    pub alpha: f64,
}

/// One effect, exact or sampled.
struct One<'c> {
    text: &'c str,
    ty: &'c Type,
    judgement: Judgement,
    good: Option<Good>,
    difference: Option<f64>,
    exact: Option<Fraction>,
    interval: (f64, f64),
    alpha: f64,
}

/// Combines comparisons of the same two versions, measure by measure. Measures that a comparison lacks are omitted. The
/// result is empty for fewer than two comparisons.
pub fn together(all: &[&Compared]) -> Vec<Together> {
    let each: Vec<Vec<One<'_>>> = all.iter().map(|c| effects(c)).collect();
    let Some((first, rest)) = each.split_first().filter(|(_, rest)| !rest.is_empty()) else { return Vec::new() };
    let mut found = Vec::new();
    for (n, one) in first.iter().enumerate() {
        let same = |other: &&One<'_>| other.text == one.text && same_sort(other.ty) == same_sort(one.ty);
        let others: Option<Vec<&One<'_>>> = rest.iter().map(|effects| effects.iter().find(same)).collect();
        let Some(others) = others else { continue };
        found.push(mean(n == 0, one, &others));
    }
    found
}

fn effects(found: &Compared) -> Vec<One<'_>> {
    match found {
        Compared::Exact(found) => found
            .effects
            .iter()
            .map(|e| {
                let exact = e.difference();
                let difference = exact.float();
                One {
                    text: &e.text,
                    ty: &e.ty,
                    judgement: e.judgement,
                    good: e.good,
                    difference: Some(difference),
                    interval: (difference, difference),
                    alpha: 0.0,
                    exact: Some(exact),
                }
            })
            .collect(),
        Compared::Sampled(found) => found
            .effects
            .iter()
            .map(|e| One {
                text: &e.text,
                ty: &e.ty,
                judgement: e.judgement,
                good: e.good,
                difference: e.means.map(|means| means[2]),
                exact: None,
                interval: e.wide.0,
                alpha: e.wide.1,
            })
            .collect(),
    }
}

fn mean(primary: bool, first: &One<'_>, rest: &[&One<'_>]) -> Together {
    let all: Vec<&One<'_>> = std::iter::once(first).chain(rest.iter().copied()).collect();
    let count = all.len() as f64;
    let over = |end: &dyn Fn(&One<'_>) -> f64| all.iter().map(|one| end(one)).sum::<f64>() / count;
    let differences: Option<Vec<f64>> = all.iter().map(|one| one.difference).collect();
    let sum = all.iter().try_fold(Fraction::zero(), |sum, one| Some(&sum + one.exact.as_ref()?));
    let judged = [Judgement::More, Judgement::Less, Judgement::Same, Judgement::Undecided];
    Together {
        text: first.text.to_string(),
        ty: first.ty.clone(),
        share: *first.ty == Type::Flag,
        primary,
        good: first.good.filter(|good| rest.iter().all(|one| one.good == Some(*good))),
        judged: judged.map(|j| all.iter().filter(|one| one.judgement == j).count()),
        difference: differences.map(|d| d.iter().sum::<f64>() / count),
        exact: sum.map(|sum| &sum / &Fraction::whole(all.len() as i64)),
        interval: (over(&|one| one.interval.0), over(&|one| one.interval.1)),
        alpha: all.iter().map(|one| one.alpha).sum(),
    }
}
