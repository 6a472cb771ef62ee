//! Plays a scenario as `grognard test` does: once, or several times if it is sampled, or not at all if it requires
//! exact odds.

use super::{Sample, Settings, sample};
use grognard_base::{Budget, Diagnostic};
use grognard_play::{self as play, Checked, Options};
use grognard_scenario::{Mode, Scenario};

/// Maximum number of runs of a sampled scenario in a test. Claims about a sample must be clear enough for this number.
const MOST_RUNS: u64 = 200;

/// The result of testing a scenario.
pub struct Tested {
    /// The expectations with their verdicts.
    pub checks: Vec<Checked>,
    /// The problems found.
    pub problems: Vec<Diagnostic>,
    /// The sample of a sampled scenario.
    pub sample: Option<Sample>,
}

/// Plays the sample that a test uses.
pub fn few(scenario: &Scenario, threads: usize) -> Sample {
    sample(scenario, settings(scenario, threads), None, &|_| true)
}

fn settings(scenario: &Scenario, threads: usize) -> Settings {
    let (seed, runs) = (scenario.plan.seed, scenario.plan.runs.min(MOST_RUNS));
    Settings::of(seed, runs, threads)
}

/// Tests a scenario. Claims about all outcomes stay open until [`Tested::judge`] is called.
pub fn tested(scenario: &Scenario, threads: usize) -> Tested {
    match scenario.plan.mode {
        Mode::Sampled => Tested::of_sample(scenario, few(scenario, threads)),
        _ => played(scenario),
    }
}

/// Plays a scenario that is not sampled once. An exact scenario is not played.
fn played(scenario: &Scenario) -> Tested {
    if scenario.plan.mode == Mode::Exact {
        return Tested { checks: play::checked(&scenario.plan, &[]), problems: Vec::new(), sample: None };
    }
    let outcome = play::play(scenario, Options::default());
    Tested { checks: outcome.checks, problems: outcome.problems, sample: None }
}

impl Tested {
    fn of_sample(scenario: &Scenario, sample: Sample) -> Tested {
        Tested { checks: sample.checks.clone(), problems: sample.problems(scenario), sample: Some(sample) }
    }

    /// Returns whether claims about all outcomes are still open. For an exact scenario this is always the case.
    pub fn open(&self, scenario: &Scenario) -> bool {
        play::waiting(&self.checks) > 0 || scenario.plan.mode == Mode::Exact
    }

    /// Judges the open claims about all outcomes, if any.
    pub fn judge(&mut self, scenario: &Scenario, budget: Budget) {
        if self.open(scenario) {
            self.problems.extend(play::odds::judge(scenario, budget, &mut self.checks));
        }
    }
}
