//! Answers as findings, which `grognard-report` renders.

use super::{Answer, Compare, Compared, Odds, OddsReport};
use grognard_base::{Budget, Diagnostic, Effort};
use grognard_lab::force::{Looks, RUNS_LOOKED_AT, Standings};
use grognard_play::odds::OddsOptions;
use grognard_report::compared::{Names, one};
use grognard_report::finding::Finding;
use grognard_report::odds::{Asked, Odds as ShownOdds, finding};
use grognard_report::sampled;
use grognard_scenario::Scenario;
use grognard_stats::Compared as Found;

impl OddsReport {
    /// Returns the answer in the form that reports print, under the given name.
    pub fn rendered<'a>(&'a self, name: &'a str, scenario: &'a Scenario) -> ShownOdds<'a> {
        let figures = scenario.plan.report.iter().zip(&self.answers).enumerate();
        let rendered = figures.filter_map(|(n, (figure, answer))| {
            let (answer, why) = (answer.as_ref().ok()?, self.whys.get(n).and_then(Option::as_ref));
            Some(Asked { text: &figure.text, ty: &figure.asked.ty, sort: figure.sort, answer, why })
        });
        let estimate = self.estimate.as_ref().map(|sample| (scenario, sample));
        ShownOdds {
            scenario: name,
            game: &scenario.game,
            rendered: rendered.collect(),
            cost: self.cost,
            rolls: Vec::new(),
            ends: self.ends.as_ref(),
            estimate,
            undecided: self.undecided.clone(),
        }
    }

    /// Returns the answer as a finding about a scenario of this name.
    pub fn finding(&self, name: &str, scenario: &Scenario) -> Finding {
        finding(name, &self.rendered(name, scenario), self.line.as_deref())
    }
}

impl Answer {
    /// Returns the answer as a finding about a scenario of this name.
    pub fn finding(&self, name: &str, scenario: &Scenario) -> Finding {
        match self {
            Answer::Exact(found) => found.finding(name, scenario),
            Answer::Sampled(sample) => sampled::sample(name, scenario, sample),
        }
    }
}

impl Compare {
    /// Determines which of the edits the compared runs executed, if the comparison itself does not show it. `covered`
    /// builds both versions with coverage marks in their code.
    pub fn look(&self, found: &Found, edits: &mut Standings, covered: &mut dyn FnMut() -> Option<[Scenario; 2]>) {
        let (same, pairs, exact) = match found {
            Found::Exact(found) => {
                let same = found.effects.iter().all(|e| e.difference().is_zero() && e.parting().is_none());
                (
                    same,
                    RUNS_LOOKED_AT[0],
                    Some(if same { self.budget.clone() } else { self.budget.least(Effort::Quick) }),
                )
            }
            Found::Sampled(found) => (found.effects.iter().all(|e| e.discordant == 0), found.pairs, None),
        };
        if !edits.open(same) {
            return;
        }
        if let Some(covered) = covered() {
            let runs = pairs.min(RUNS_LOOKED_AT[usize::from(!same)]);
            edits.look(&covered, Looks { question: self.question, runs, exact }, same);
        }
    }
}

impl Compared {
    /// Returns the answer as a finding.
    pub fn finding(&self, names: &Names<'_>) -> Finding {
        one(names, &self.found)
    }
}

/// Returns the report of a scenario as text, without its cost. Returns `None` if the report is empty, or if `whole` is
/// set and part of the report exceeds the budget.
///
/// # Errors
///
/// If nothing can be explored.
pub fn reported(scenario: &Scenario, budget: Budget, whole: bool) -> Result<Option<String>, Diagnostic> {
    if scenario.plan.report.is_empty() {
        return Ok(None);
    }
    let found = Odds::plain(OddsOptions::plain(budget)).answer(scenario).map_err(|fault| fault.diagnostic())?;
    if whole && !found.whole() {
        return Ok(None);
    }
    // the number of undecided answers depends on the exploration
    let odds = ShownOdds { undecided: Vec::new(), ..found.rendered("", scenario) };
    let text = finding("", &odds, None).text();
    let lines = text.lines().filter(|line| !line.contains(" states explored"));
    Ok(Some(lines.map(|line| format!("{line}\n")).collect()))
}
