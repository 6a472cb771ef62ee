//! What a scenario reports, if all of it can be worked out exactly.

use super::trouble::within;
use super::{Report, report, wish};
use crate::Undecided;
use grognard_base::value::*;
use grognard_odds::{Budget, Distribution, Label, Limit, Worth};
use grognard_scenario::{Answerer, Scenario};
use std::fmt;

/// What a figure comes to, with nothing left open.
#[derive(Clone, Debug)]
pub struct Known {
    /// The mean of a number, the chance of a condition; lengths in thousandths of an inch.
    pub mean: Option<Fraction>,
    /// Values and their shares; nothing of what was only counted on the way.
    pub found: Option<Distribution>,
}

/// All figures of a report.
#[derive(Clone, Debug)]
pub struct Whole {
    /// One for each figure.
    pub figures: Vec<Known>,
    /// Positions that were explored.
    pub positions: usize,
    /// Number of answers that neither a player nor the rules gave.
    pub undecided: Undecided,
}

/// Why an exact answer is not known, and the limit that ended the search for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotExact {
    /// The reason in a few words.
    pub why: String,
    /// The limit; none if something else is the reason.
    pub ended_by: Option<Limit>,
}

impl NotExact {
    /// Adds of what it is said.
    pub fn of(self, what: &str) -> NotExact {
        NotExact { why: format!("of {what}: {}", self.why), ..self }
    }
}

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl<S: Into<String>> From<S> for NotExact {
    fn from(why: S) -> NotExact {
        NotExact { why: why.into(), ended_by: None }
    }
}

/// Works out every figure of a scenario's report, or says in a few words why it cannot be done: somebody is asked,
/// there are too many positions, something may end anywhere, or a run may end in an error or never. Dice that the
/// scenario gives are given, as they are in every run of a sample.
pub fn whole(scenario: &Scenario, budget: Budget) -> Result<Whole, NotExact> {
    let plan = &scenario.plan;
    if plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt)) {
        return Err("a person answers".into());
    }
    let found = report(scenario, &wish(scenario, budget)).map_err(|fault| fault.message)?;
    if is_free(&found) {
        return Err("somebody may end a move anywhere".into());
    }
    let mut figures = Vec::new();
    for (answer, figure) in found.answers.iter().zip(&scenario.plan.report) {
        let answer = answer.as_ref().map_err(|fault| format!("`{}`: {}", figure.text, fault.message))?;
        for outcome in answer.found.iter().flat_map(|f| &f.outcomes) {
            match &outcome.worth {
                Worth::Cells(_) => {}
                Worth::Fault(fault) => return Err(format!("a run may end in an error: {}", fault.message).into()),
                Worth::Never => return Err("a run may never end".into()),
            }
        }
        if answer.label != Label::Exact {
            let limit = found.cost().limit;
            let why = format!("not everything was explored {}", within(budget.states, limit));
            return Err(NotExact { why, ended_by: limit });
        }
        figures.push(Known { mean: answer.mean.clone(), found: answer.found.clone() });
    }
    let undecided = found.graph().map(|g| g.undecided.clone()).unwrap_or_default();
    Ok(Whole { figures, positions: found.graph().map_or(0, |g| g.graph.states()), undecided })
}

fn is_free(found: &Report<'_>) -> bool {
    [&found.plain, &found.history].into_iter().flatten().any(|explored| !explored.free.is_empty())
}
