//! What a scenario reports, worked out and told.

use super::{Asked, Odds, finding};
use grognard_base::{Budget, Diagnostic};
use grognard_play::odds::{Report, Why, Wish, problems, report};
use grognard_scenario::Scenario;

/// The answers to what a scenario reports, and where they are decided if that was asked.
pub fn answers<'a>(
    (name, scenario): (&'a str, &'a Scenario),
    found: &'a Report<'_>,
    whys: &'a [Option<Why>],
) -> Odds<'a> {
    let figures = scenario.plan.report.iter().zip(&found.answers).enumerate();
    let told = figures.filter_map(|(n, (figure, answer))| {
        let (answer, why) = (answer.as_ref().ok()?, whys.get(n).and_then(Option::as_ref));
        Some(Asked { text: &figure.text, ty: &figure.asked.ty, sort: figure.sort, answer, why })
    });
    let states = found.graph().map_or(0, |g| g.graph.states());
    Odds { scenario: name, game: &scenario.game, told: told.collect(), states, rolls: Vec::new(), ends: None }
}

/// What a scenario reports, for people, without how much work it was; nothing if it reports nothing, or if it is to be
/// `whole` and some of it lies beyond the budget.
pub fn reported(scenario: &Scenario, budget: Budget, whole: bool) -> Result<Option<String>, Diagnostic> {
    if scenario.plan.report.is_empty() {
        return Ok(None);
    }
    let found = report(scenario, &Wish::plain(budget)).map_err(|fault| fault.diagnostic())?;
    if whole && !problems(scenario, &found).is_empty() {
        return Ok(None);
    }
    let text = finding("", &answers(("", scenario), &found, &[]), None).text();
    let lines = text.lines().filter(|line| !line.contains(" positions explored"));
    Ok(Some(lines.map(|line| format!("{line}\n")).collect()))
}
