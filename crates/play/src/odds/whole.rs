//! The report of a scenario, if every measure has an exact result.

use super::trouble::within;
use super::{OddsOptions, Report, odds_options, report};
use crate::Undecided;
use grognard_base::value::*;
use grognard_odds::{Budget, Distribution, Label, Limit, Precision, Worth};
use grognard_scenario::{Answerer, Scenario};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Exact result of a measure.
#[derive(Clone, Debug)]
pub struct ExactFigure {
    /// Mean of a number or probability of a condition. Lengths are in thousandths of an inch.
    pub mean: Option<Fraction>,
    /// Distribution of the values, or `None` for a measure that the graph sums along its edges.
    pub found: Option<Distribution>,
}

/// Exact results of a report.
#[derive(Clone, Debug)]
pub struct Whole {
    /// One result for each measure.
    pub figures: Vec<ExactFigure>,
    /// Number of explored states.
    pub positions: usize,
    /// Number of answers that neither a player nor the rules gave.
    pub undecided: Undecided,
}

/// Why no exact result is known, and which limit ended the exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotExact {
    /// The reason as text.
    pub why: String,
    /// The limit, or `None` if the reason is not a limit.
    pub ended_by: Option<Limit>,
    /// Whether a run can end in an error.
    pub faulty: bool,
}

impl NotExact {
    /// Adds the item that the reason refers to.
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
        NotExact { why: why.into(), ended_by: None, faulty: false }
    }
}

/// Computes every measure of a scenario's report exactly. Dice that the scenario gives keep their faces, as in every
/// run of a sample.
///
/// # Errors
///
/// Returns the reason if a human player answers, the exploration is incomplete, or a move has a free end point. Also
/// returns a reason if a run can end in an error or never end.
pub fn whole(scenario: &Scenario, budget: Budget) -> Result<Whole, NotExact> {
    let plan = &scenario.plan;
    if plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt)) {
        return Err("a person answers".into());
    }
    let options = OddsOptions { precision: Precision::Fractions, ..odds_options(scenario, budget.clone()) };
    let found = report(scenario, &options).map_err(|fault| fault.message)?;
    if is_free(&found) {
        return Err("a player can end a move anywhere".into());
    }
    let mut figures = Vec::new();
    for (answer, figure) in found.answers.iter().zip(&scenario.plan.report) {
        let answer = answer.as_ref().map_err(|fault| format!("`{}`: {}", figure.text, fault.message))?;
        for outcome in answer.found.iter().flat_map(|f| &f.outcomes) {
            match &outcome.worth {
                Worth::Cells(_) => {}
                Worth::Fault(fault) => {
                    let why = format!("a run may end in an error: {}", fault.message);
                    return Err(NotExact { why, ended_by: None, faulty: true });
                }
                Worth::Never => return Err("a run may never end".into()),
            }
        }
        if answer.label != Label::Exact {
            let limit = found.cost().limit;
            let why = format!("the exploration did not finish {}", within(budget.states, limit));
            return Err(NotExact { why, ended_by: limit, faulty: false });
        }
        figures.push(ExactFigure { mean: answer.mean.clone(), found: answer.found.clone() });
    }
    let undecided = found.graph().map(|g| g.undecided.clone()).unwrap_or_default();
    Ok(Whole { figures, positions: found.graph().map_or(0, |g| g.graph.states()), undecided })
}

fn is_free(found: &Report<'_>) -> bool {
    [&found.plain, &found.history].into_iter().flatten().any(|explored| !explored.free.is_empty())
}
