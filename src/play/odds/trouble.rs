//! What keeps an answer from being the whole one.

use super::{Answer, Explored, Report};
use crate::base::{Code, Diagnostic};
use crate::exact::{Label, Limit, Worth};
use crate::scenario::Scenario;
use crate::value::SiteId;

/// What is wrong with the answers to a scenario's report.
pub fn problems(scenario: &Scenario, found: &Report<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let (states, limit) = found.graph().map_or((0, None), |g| (g.graph.states(), g.graph.limit()));
    for (figure, answer) in scenario.plan.report.iter().zip(&found.answers) {
        match answer {
            Ok(answer) => problems.extend(trouble(answer, states, limit)),
            Err(fault) => {
                let mut problem = fault.diagnostic();
                problem.span = problem.span.or(Some(figure.span));
                problem.message = format!("`{}`: {}", figure.text, problem.message);
                problems.push(problem);
            }
        }
    }
    problems.extend(found.graph().iter().flat_map(|explored| free(scenario, explored)));
    problems.dedup();
    problems
}

/// Errors among the ends of an answer, and what was left over when so many positions were explored.
pub fn trouble(answer: &Answer, states: usize, limit: Option<Limit>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let Some(found) = &answer.found else {
        if answer.label == Label::Bounded && answer.mean.is_none() {
            let message = format!("{states} positions were explored, and the mean hangs on what lies beyond");
            problems.push(Diagnostic::general(Code::Budget, message));
        }
        return problems;
    };
    for outcome in &found.outcomes {
        if let Worth::Fault(fault) = &outcome.worth {
            let mut problem = fault.diagnostic();
            problem.message = format!("in {} of all cases: {}", found.share(outcome).percent(), problem.message);
            problems.push(problem);
        }
    }
    let open = found.unexplored();
    if !open.is_zero() {
        let open = open.percent();
        let message = match limit {
            Some(Limit::States) => {
                format!("{states} positions were explored, the most that were allowed; {open} of all lies beyond")
            }
            Some(Limit::Work) => {
                format!(
                    "{states} positions were explored with all the work that was allowed; {open} of all lies beyond"
                )
            }
            None => format!("{states} positions were explored; {open} of all is too large to be worked out"),
        };
        problems.push(Diagnostic::general(Code::Budget, message));
    }
    problems
}

/// Moves that somebody could end anywhere: only the grid was looked at.
fn free(scenario: &Scenario, explored: &Explored<'_>) -> Vec<Diagnostic> {
    let rules = &scenario.game.program.rules;
    let site = |at: &SiteId| {
        let site = &rules.sites[at.at()];
        let owner = rules.functions.get(site.func.at()).map_or("", |f| f.name.as_str());
        let message = format!("a move in {owner} may end anywhere; only ends on the grid were looked at");
        Diagnostic::new(Code::FreePlace, site.span, message)
    };
    explored.free.iter().map(site).collect()
}
