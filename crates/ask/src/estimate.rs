//! Estimates from runs, reported alongside answers that are known only within wide bounds.

use super::asks_person;
use grognard_base::value::Fraction;
use grognard_base::{Effort, Watch};
use grognard_odds::Label;
use grognard_play::odds::OddsAnswer;
use grognard_scenario::{Figure, FigureSort, Scenario};
use grognard_stats::{Growing, Sample, Settings};
use grognard_vm::Fault;

/// Maximum number of steps that an estimate may take. A game that never ends uses them up after few runs.
const STEPS: u64 = 20_000_000;

/// Returns whether the bounds are so wide that runs are more informative: more than a thousandth of the range is open.
pub(crate) fn is_wide(figure: &Figure, answer: &Result<OddsAnswer, Fault>) -> bool {
    let Some(answer) = answer.as_ref().ok().filter(|answer| answer.label == Label::Bounded) else { return false };
    let open = match (&answer.found, &answer.between) {
        _ if answer.mean.is_some() => return false,
        (Some(found), _) => found.unexplored(),
        (None, Some((low, high))) => {
            let Some((least, most)) = figure.bounds else { return low != high };
            let range = &Fraction::from(most) - &Fraction::from(least);
            if range.is_zero() { Fraction::zero() } else { &(high - low) / &range }
        }
        (None, None) => return figure.sort == FigureSort::Mean,
    };
    open > Fraction::of(1u32.into(), 1000u32.into())
}

/// Plays a scenario, up to 10,000 times. Returns `None` if runs cannot answer, because a human player answers or a
/// player optimizes.
pub(crate) fn estimate(scenario: &Scenario, watch: Option<Watch>) -> Option<Sample> {
    if scenario.plan.optimizer().is_some() || asks_person(&scenario.plan) {
        return None;
    }
    let settings = Settings::of(scenario.plan.seed, Effort::Usual.runs(), 1);
    let mut table = scenario.clone();
    // dice that a question about a call does not give are rolled at random
    table.plan.alone = None;
    let mut growing = Growing::new(&table, settings, watch);
    let mut sample = growing.grow(Effort::FIRST_RUNS);
    for mark in Effort::run_marks(settings.runs) {
        let times = mark / sample.runs.max(1);
        if sample.faults == sample.runs || growing.steps().saturating_mul(times) > STEPS {
            break;
        }
        sample = growing.grow(mark);
        if sample.runs < mark {
            break;
        }
    }
    Some(sample)
}
