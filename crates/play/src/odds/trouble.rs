//! Reasons why an answer is incomplete: limits, faults, unbounded choices.

use super::{Ends, Explored, OddsAnswer, Report};
use grognard_base::value::SiteId;
use grognard_base::{Code, Diagnostic};
use grognard_odds::{Label, Limit, Reading, Worth};
use grognard_scenario::{Answerer, Scenario};

/// The help where code that distinguishes dice required many states.
const LESS_OF_DICE: &str = "ask for less about these dice (a sum, a count, the highest), use fewer of them, raise `--budget` or `--time`, or use runs";

/// Returns the diagnostics about the results of a scenario's report.
pub fn problems(scenario: &Scenario, found: &Report<'_>) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let cost = found.cost();
    let best = scenario.plan.players.iter().flat_map(|(_, sources)| sources);
    let best = best.clone().any(|source| matches!(source, Answerer::Best | Answerer::Worst));
    for (figure, answer) in scenario.plan.report.iter().zip(&found.answers) {
        match answer {
            Ok(answer) => {
                problems.extend(trouble_of(answer, cost, best).into_iter().map(|problem| located(problem, found)))
            }
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
pub fn trouble(answer: &OddsAnswer, found: &Report<'_>) -> Vec<Diagnostic> {
    trouble_of(answer, found.cost(), false).into_iter().map(|problem| located(problem, found)).collect()
}

/// Adds the code that required many branches to a diagnostic about an unexplored rest.
fn located(problem: Diagnostic, found: &Report<'_>) -> Diagnostic {
    let first = found.graph().and_then(|explored| explored.graph.many_branches());
    match first {
        Some(many) if problem.code == Code::Budget && problem.span.is_none() && many.span.is_some() => {
            let budget = matches!(found.cost().limit, Some(Limit::States | Limit::Memory | Limit::Work));
            let problem = Diagnostic { span: many.span, ..problem }.label(format!("this code {}", many.predicate()));
            if budget { problem.help(LESS_OF_DICE) } else { problem }
        }
        _ => problem,
    }
}

/// Same as [`trouble`]. `best` is whether a player optimizes.
fn trouble_of(answer: &OddsAnswer, Reading { states, limit, .. }: Reading, best: bool) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let Some(found) = &answer.found else {
        if answer.label == Label::Bounded && answer.mean.is_none() {
            let bounded = || format!("many of {states} states form cycles: the mean is between two bounds");
            let open = || format!("{states} states were explored, and the mean depends on the unexplored states");
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
    if open.is_zero() && answer.label == Label::Bounded && limit == Some(Limit::Rounded) {
        let message = format!("many of {states} states form cycles: the answer is between two bounds");
        problems.push(Diagnostic::general(Code::Budget, message).help(what_helps(limit, best)));
    }
    if !open.is_zero() {
        let message = format!("{}; {} of all outcomes were not reached", spent(states, limit), open.percent());
        problems.push(Diagnostic::general(Code::Budget, message).help(what_helps(limit, best)));
    }
    problems
}

/// Returns the help line for a limit that was reached.
pub(super) fn what_helps(limit: Option<Limit>, best: bool) -> &'static str {
    match limit {
        Some(Limit::States | Limit::Memory | Limit::Work) => Code::Budget.help(),
        Some(Limit::Time | Limit::Deadline) => "raise `--time`, ask for less, or sample",
        Some(Limit::Stopped) => "let it run longer, ask for less, or sample",
        Some(Limit::Tail) => {
            "the omitted probability is tiny; a mean of only `rounds` or of a tally is solved exactly if no `state` counts forever (a `tally` may)"
        }
        Some(Limit::Rounded) if best => {
            "the omitted probability is tiny; `--exact` computes the fraction of a best play, and `--time` limits the time"
        }
        Some(Limit::Rounded) => "the omitted probability is tiny; smaller cycles are solved in fractions",
        Some(Limit::Ways) | None => {
            "no budget changes this: ask for less about the dice or cards (their sum, the number that fit), use fewer of them or fewer kinds, or sample"
        }
    }
}

/// Returns the diagnostic about the unexplored rest, for a query that asks only for the final states.
pub fn left_over(found: &Report<'_>, ends: &Ends) -> Option<Diagnostic> {
    let Reading { states, limit, .. } = found.cost();
    let message = format!("{}; {} of all outcomes were not reached", spent(states, limit), ends.open.percent());
    let problem = || Diagnostic::general(Code::Budget, message).help(what_helps(limit, false));
    (!ends.open.is_zero()).then(|| located(problem(), found))
}

/// Returns the number of explored states and the limit that ended the exploration, as text.
fn spent(states: usize, limit: Option<Limit>) -> String {
    let why = match limit {
        Some(Limit::States) => ", the maximum allowed",
        Some(Limit::Memory) => " within the memory limit",
        Some(Limit::Work) => " within the work limit",
        Some(Limit::Time) => " in the part of the time limit for exploring; a faster machine explores more",
        Some(Limit::Deadline) => ", and the time ended before the answers were combined",
        Some(Limit::Stopped) => " until it was stopped",
        Some(Limit::Tail) => ", and the rest never ends, with a smaller probability in each step",
        Some(Limit::Rounded) => "; they form cycles, and were followed in rounded numbers until the rest was tiny",
        Some(Limit::Ways) | None => ", and at least one has too many branches",
    };
    let were = if states == 1 { "state was" } else { "states were" };
    format!("{states} {were} explored{why}")
}

/// Returns how far the exploration went before a limit ended it, as text.
pub(super) fn within(states: usize, limit: Option<Limit>) -> String {
    match limit {
        Some(Limit::Memory) => "within the memory limit".to_string(),
        Some(Limit::Work) => "within the work limit".to_string(),
        Some(Limit::Time) => "in the part of the time limit for exploring".to_string(),
        Some(Limit::Deadline) => "with an answer within the time limit".to_string(),
        Some(Limit::Stopped) => "before it was stopped".to_string(),
        Some(Limit::Ways) | None => "because it has too many branches for any budget".to_string(),
        Some(Limit::States | Limit::Tail | Limit::Rounded) => {
            format!("within {states} state{}", if states == 1 { "" } else { "s" })
        }
    }
}

/// Reports moves with a free end point, for which only the grid was explored.
fn free(scenario: &Scenario, explored: &Explored<'_>) -> Vec<Diagnostic> {
    let program = &scenario.game.program;
    let site = |at: &SiteId| {
        let site = &program.schema.sites[at.at()];
        let owner = program.functions.get(site.func.at()).map_or("", |f| f.name.as_str());
        let message = format!("a move in {owner} has a free end point; only end points on the grid were explored");
        Diagnostic::new(Code::FreePlace, site.span, message)
    };
    explored.free.iter().map(site).collect()
}
