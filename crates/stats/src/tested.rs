//! A scenario played as `grognard test` plays it: once, a few times if it is sampled, and not at all if it asks for exact odds.

use super::{Sample, Settings, sample};
use grognard_base::{Budget, Diagnostic};
use grognard_play::{self as play, Checked, Options};
use grognard_scenario::{Mode, Scenario};

/// Runs of a sampled scenario in a test, at most. What is claimed of a sample has to be so clear that these show it.
const MOST_RUNS: u64 = 200;

/// What a test of a scenario came to.
pub struct Tested {
    /// Its expectations with what became of them.
    pub checks: Vec<Checked>,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
    /// Of a sampled one what its runs came to.
    pub sample: Option<Sample>,
}

/// The sample of a scenario that a test takes.
pub fn few(scenario: &Scenario, threads: usize) -> Sample {
    sample(scenario, settings(scenario, threads), None, &|_| true)
}

fn settings(scenario: &Scenario, threads: usize) -> Settings {
    let (seed, runs) = (scenario.plan.seed, scenario.plan.runs.min(MOST_RUNS));
    Settings::of(seed, runs, threads)
}

/// Plays a scenario. What it claims of all its outcomes waits for [`Tested::judge`].
pub fn tested(scenario: &Scenario, threads: usize) -> Tested {
    match scenario.plan.mode {
        Mode::Sampled => Tested::of_sample(scenario, few(scenario, threads)),
        _ => played(scenario),
    }
}

/// What is not sampled is played once; what is exact, not at all.
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

    /// True if something is claimed of all outcomes that was not judged yet; of an exact scenario that is everything.
    pub fn open(&self, scenario: &Scenario) -> bool {
        play::waiting(&self.checks) > 0 || scenario.plan.mode == Mode::Exact
    }

    /// Judges what is claimed of all outcomes, if anything is.
    pub fn judge(&mut self, scenario: &Scenario, budget: Budget) {
        if self.open(scenario) {
            self.problems.extend(play::odds::judge(scenario, budget, &mut self.checks));
        }
    }
}
