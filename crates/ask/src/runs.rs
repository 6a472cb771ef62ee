//! Number and seed of the runs of an answer, and the scenarios that runs cannot answer.

use grognard_base::Effort;
use grognard_scenario::{Answerer, Plan};
use grognard_stats::Settings;
use grognard_stats::stats::Level;
use std::fmt::{Display, Formatter};

/// The runs of an answer. The user can set their seed and number.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The seed, or `None` for the seed of the scenario.
    pub seed: Option<u64>,
    /// The number of runs, or `None` for the number of the scenario.
    pub runs: Option<u64>,
    /// The effort that sets the number if neither the user nor the scenario does.
    pub effort: Effort,
    /// The confidence level of intervals.
    pub level: Level,
    /// The number of threads, which does not change the answer.
    pub threads: usize,
}

impl Runs {
    /// Creates settings without a user-defined seed or number, on one thread.
    pub fn of(effort: Effort) -> Runs {
        Runs { seed: None, runs: None, effort, level: Level::USUAL, threads: 1 }
    }

    /// Returns the settings with which a scenario is sampled.
    pub fn settings(&self, plan: &Plan) -> Settings {
        let runs = self.runs.unwrap_or_else(|| plan.runs_or(self.effort.runs()));
        Settings { level: self.level, ..Settings::of(self.seed.unwrap_or(plan.seed), runs, self.threads) }
    }
}

/// Why a question is rejected before any run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The scenario reports nothing.
    Empty,
    /// The scenario reports no number and no condition.
    NoMean,
    /// This measure is not a number and not a condition.
    Other(String),
    /// A human player answers in the scenario.
    Person,
    /// This player optimizes, which only exact odds can answer.
    Seeks(String),
    /// A width for conditions is given, but no condition is measured.
    NoConditions,
    /// A width for means is given, but no mean is measured.
    NoMeans,
    /// A width for means is given, but this measure has no bounds.
    Unbounded(String),
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Empty => write!(f, "the scenario reports nothing"),
            Refused::NoMean => write!(f, "the scenario reports no number and no condition"),
            Refused::Other(text) => {
                write!(f, "`{text}` is not a number and not a condition; write a condition, such as `x == Case`")
            }
            Refused::Person => write!(f, "a person answers in this scenario; give the player a policy"),
            Refused::Seeks(name) => {
                write!(f, "{name} plays for the best or the worst, which only exact odds can answer")
            }
            Refused::NoConditions => write!(f, "a width with % is for conditions, and no condition is asked about"),
            Refused::NoMeans => write!(f, "a width without % is for means, and no mean is asked about"),
            Refused::Unbounded(text) => {
                write!(
                    f,
                    "nothing bounds `{text}`, so no interval of its mean ever narrows; write `min(max(x, 0), 40)`"
                )
            }
        }
    }
}

/// Returns whether a human player answers in a scenario.
pub fn asks_person(plan: &Plan) -> bool {
    plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt))
}
