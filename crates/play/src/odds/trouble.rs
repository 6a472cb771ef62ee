//! Reasons why an answer is incomplete: limits, faults, unbounded choices.

use super::{Ends, Explored, OddsAnswer, Report};
use grognard_base::value::SiteId;
use grognard_base::{Code, Diagnostic};
use grognard_odds::{Label, Limit, Reading, Worth};
use grognard_scenario::{Answerer, Scenario};

/// Returns the diagnostics about the results of a scenario's report.
pub fn problems(scenario: &Scenario, found: &Report<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let cost = found.cost();
    let best = scenario.plan.players.iter().flat_map(|(_, sources)| sources);
    let best = best.clone().any(|source| matches!(source, Answerer::Best | Answerer::Worst));
    for (figure, answer) in scenario.plan.report.iter().zip(&found.answers) {
        match answer {
            Ok(answer) => problems.extend(trouble_of(answer, cost, best)),
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

/// Returns the errors among the ends of a result, and the unexplored rest.
pub fn trouble(answer: &OddsAnswer, cost: Reading) -> Vec<Diagnostic> {
    trouble_of(answer, cost, false)
}

/// Same as [`trouble`]. `best` is whether a player optimizes.
fn trouble_of(answer: &OddsAnswer, Reading { states, limit, .. }: Reading, best: bool) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let Some(found) = &answer.found else {
        if answer.label == Label::Bounded && answer.mean.is_none() {
            let bounded =
                || format!("of {states} positions many come back to each other: the mean lies between two bounds");
            let open = || format!("{states} positions were explored, and the mean depends on the unexplored positions");
            let (message, limit) = match &answer.between {
                Some(_) => (bounded(), Some(Limit::Rounded)),
                None => (open(), limit),
            };
            problems.push(Diagnostic::general(Code::Budget, message).help(what_helps(limit, best)));
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
        let message = format!("{}; {} of all lies beyond", spent(states, limit), open.percent());
        problems.push(Diagnostic::general(Code::Budget, message).help(what_helps(limit, best)));
    }
    problems
}

/// Returns the help line for a limit that was reached.
pub(super) fn what_helps(limit: Option<Limit>, best: bool) -> &'static str {
    match limit {
        Some(Limit::States | Limit::Memory | Limit::Work) => Code::Budget.help(),
        Some(Limit::Time | Limit::Deadline) => "raise `--time`, ask for less, or sample",
        Some(Limit::Stopped) => "let it go on, ask for less, or sample",
        Some(Limit::Tail) => {
            "what is left out is next to nothing; a mean of `rounds` or of a tally alone is solved whole, where no `state` counts on without end (as a `tally` it may)"
        }
        Some(Limit::Rounded) if best => {
            "what is left out is next to nothing; `--exact` asks for the fraction of a best play, with `--time` for how long"
        }
        Some(Limit::Rounded) => {
            "what is left out is next to nothing; fewer positions that come back to each other are solved in fractions"
        }
        Some(Limit::Ways) | None => {
            "no budget changes that: ask for less of what falls or is drawn (its sum, how many fit), take fewer dice or cards or fewer sorts of them, or sample"
        }
    }
}

/// Returns the diagnostic about the unexplored rest, for a query that asks only for the final states.
pub fn left_over(found: &Report<'_>, ends: &Ends) -> Option<Diagnostic> {
    let Reading { states, limit, .. } = found.cost();
    let message = format!("{}; {} of all lies beyond", spent(states, limit), ends.open.percent());
    (!ends.open.is_zero()).then(|| Diagnostic::general(Code::Budget, message).help(what_helps(limit, false)))
}

/// Returns the number of explored states and the limit that ended the exploration, as text.
fn spent(states: usize, limit: Option<Limit>) -> String {
    let why = match limit {
        Some(Limit::States) => ", the most that were allowed",
        Some(Limit::Memory) => " with all the memory that was allowed",
        Some(Limit::Work) => " with all the work that was allowed",
        Some(Limit::Time) => " in the part of the time that is for exploring; a faster machine would come further",
        Some(Limit::Deadline) => ", and the time was over before the answers were put together",
        Some(Limit::Stopped) => " until it was stopped",
        Some(Limit::Tail) => ", and what is left goes on without end, less likely with each of them",
        Some(Limit::Rounded) => {
            "; they come back to each other, and were followed in rounded numbers until next to nothing was left"
        }
        Some(Limit::Ways) | None => ", and some of them part in too many ways",
    };
    let were = if states == 1 { "position was" } else { "positions were" };
    format!("{states} {were} explored{why}")
}

/// Returns how far the exploration went before a limit ended it, as text.
pub(super) fn within(states: usize, limit: Option<Limit>) -> String {
    match limit {
        Some(Limit::Memory) => "with all the memory that was allowed".to_string(),
        Some(Limit::Work) => "with all the work that was allowed".to_string(),
        Some(Limit::Time) => "in the part of the time that is for exploring".to_string(),
        Some(Limit::Deadline) => "and put together in the time that was allowed".to_string(),
        Some(Limit::Stopped) => "before it was stopped".to_string(),
        Some(Limit::Ways) | None => "because it parts in too many ways for any budget".to_string(),
        Some(Limit::States | Limit::Tail | Limit::Rounded) => {
            format!("within {states} position{}", if states == 1 { "" } else { "s" })
        }
    }
}

/// Reports moves with a free end point, for which only the grid was explored.
fn free(scenario: &Scenario, explored: &Explored<'_>) -> Vec<Diagnostic> {
    let program = &scenario.game.program;
    let site = |at: &SiteId| {
        let site = &program.schema.sites[at.at()];
        let owner = program.functions.get(site.func.at()).map_or("", |f| f.name.as_str());
        let message = format!("a move in {owner} may end anywhere; only ends on the grid were looked at");
        Diagnostic::new(Code::FreePlace, site.span, message)
    };
    explored.free.iter().map(site).collect()
}
