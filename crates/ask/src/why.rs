//! The causes of a value in one run: the tests that led to its changes, and the possible origins of a status.

use grognard_base::{Budget, order};
use grognard_play::why::{Change, Provenance, chain, origins, tested};
use grognard_report::why::WhyAnswer;
use grognard_scenario::Scenario;

/// Maximum memory for the exact odds of one test, in bytes.
const BYTES: usize = 256 << 20;
/// Maximum number of changes whose tests are examined, latest first.
const MOST_CHANGES: usize = 20;

/// A question about a value in a run.
#[derive(Clone, Debug)]
pub struct Why<'q> {
    /// The condition or the value.
    pub question: &'q str,
    /// Whether the user asks why it does not hold.
    pub not: bool,
    /// Budget of the odds of one test.
    pub budget: Budget,
}

impl<'q> Why<'q> {
    /// Computes the alternative results of the tests that led to the changes of a run. If nothing changed, returns the
    /// possible origins of a status instead.
    pub fn answer(&self, scenario: &Scenario, found: &Provenance) -> WhyAnswer<'q> {
        let budget = Budget { bytes: BYTES, ..self.budget.clone() };
        let mut tests = Vec::new();
        for Change { at, .. } in found.changes.iter().rev().take(MOST_CHANGES) {
            let led: Vec<u64> = chain(&found.events, *at).iter().map(|event| event.seq).collect();
            let made = found.tests.between(0, at + 1).filter(|made| led.contains(&(made.at as u64)));
            tests.extend(made.filter_map(|made| tested(scenario, made, budget.clone())));
        }
        order::sort_by_key(&mut tests, |test| test.at);
        tests.dedup_by_key(|test| test.at);
        let origins = match found.changes.is_empty() {
            true => origins(scenario, self.question, &found.events, &found.tests, budget),
            false => Vec::new(),
        };
        WhyAnswer::Value { text: self.question, not: self.not, tests, origins }
    }
}
