//! Number and seed of the runs of an answer, and the scenarios that runs cannot answer.

use grognard_base::Effort;
use grognard_scenario::{Answerer, Plan};
use grognard_stats::Settings;
use grognard_stats::stats::Level;
use std::fmt::{Display, Formatter};

/// The runs of an answer. The user may set their seed and their number.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The seed, or `None` for that of the scenario.
    pub seed: Option<u64>,
    /// The number of runs, or `None` for that of the scenario.
    pub runs: Option<u64>,
    /// The effort that sets the number if neither the user nor the scenario does.
    pub effort: Effort,
    /// The level of intervals.
    pub level: Level,
    /// The number of threads, which does not change an answer.
    pub threads: usize,
}

impl Runs {
    /// Returns runs of which the user sets neither seed nor number, on one thread.
    pub fn of(effort: Effort) -> Runs {
        Runs { seed: None, runs: None, effort, level: Level::USUAL, threads: 1 }
    }

    /// Returns how a scenario is sampled.
    pub fn settings(&self, plan: &Plan) -> Settings {
        let runs = self.runs.unwrap_or_else(|| plan.runs_or(self.effort.runs()));
        Settings { level: self.level, ..Settings::of(self.seed.unwrap_or(plan.seed), runs, self.threads) }
    }
}

/// Why a question is refused before any run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The scenario reports nothing.
    Empty,
    /// The scenario reports no number and no condition.
    NoMean,
    /// This measure is not a number and not a condition.
    Other(String),
    /// A person answers in the scenario.
    Person,
    /// This player plays for the best or the worst, which only exact odds can answer.
    Seeks(String),
    /// A width for conditions is given, and no condition is asked about.
    NoConditions,
    /// A width for means is given, and no mean is asked about.
    NoMeans,
    /// A width for means is given, and nothing bounds this measure.
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

/// Returns whether a person answers in a scenario.
pub fn asks_person(plan: &Plan) -> bool {
    plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt))
}
