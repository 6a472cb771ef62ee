//! Exact odds of a scenario, or of a call of the rules.

use super::estimate::{estimate, is_wide};
use grognard_base::{Code, Diagnostic, Reading};
use grognard_odds::{Label, ManyBranches};
use grognard_play::odds::{
    self, Ends, Explored, OddsAnswer, OddsOptions, PolicyDecision, Report, Why, decisions, left_over, trouble,
};
use grognard_play::{NoDecision, named};
use grognard_scenario::Scenario;
use grognard_stats::Sample;
use grognard_vm::Fault;

/// A question about exact odds: the report of a scenario, or the measures of a call.
#[derive(Clone, Debug)]
pub struct Odds<'w> {
    /// How the scenario is explored. With `marks`, the answer includes the causes of each measure.
    pub odds_options: OddsOptions<'w>,
    /// Whether to return the final states.
    pub ends: bool,
    /// Whether to return the strategy of players who optimize.
    pub line: bool,
    /// Whether runs estimate the measures that are known only within wide bounds.
    pub estimate: bool,
}

/// The result of a question about exact odds.
pub struct OddsReport {
    /// The result of each measure.
    pub answers: Vec<Result<OddsAnswer, Fault>>,
    /// The causes of each measure, if they were requested and are known.
    pub whys: Vec<Option<Why>>,
    /// The final states, if they were requested.
    pub ends: Option<Ends>,
    /// The strategy, if it was requested.
    pub line: Option<Vec<PolicyDecision>>,
    /// The estimate from runs, if some bounds are wide.
    pub estimate: Option<Sample>,
    /// Answers that neither a player nor the rules gave; only for a scenario.
    pub undecided: Vec<NoDecision>,
    /// Cost of the answers, and the limit that ended them early.
    pub cost: Reading,
    /// Whether every outcome was explored. Some outcomes can still end in an error.
    pub explored: bool,
    /// The first code that required many branches because it distinguishes dice.
    pub many: Option<ManyBranches>,
    /// Diagnostics about the answers.
    pub problems: Vec<Diagnostic>,
}

impl<'w> Odds<'w> {
    /// Creates a question about the measures only.
    pub fn plain(odds_options: OddsOptions<'w>) -> Odds<'w> {
        Odds { odds_options, ends: false, line: false, estimate: false }
    }

    /// Answers a question about a scenario.
    ///
    /// # Errors
    ///
    /// If nothing can be explored.
    pub fn answer(&self, scenario: &'w Scenario) -> Result<OddsReport, Fault> {
        let found = odds::report(scenario, &self.odds_options)?;
        let problems = odds::problems(scenario, &found);
        self.rest(scenario, found, problems)
    }

    /// Answers a question about a call of the rules, whose measures are written like `texts`. Laws that need a stat
    /// that was not given are not checked.
    ///
    /// # Errors
    ///
    /// If nothing can be explored, a measure fails, or the call needs a stat that was not given.
    pub fn answer_call(&self, scenario: &mut Scenario, texts: &[String]) -> Result<OddsReport, Fault> {
        scenario.plan.report.iter_mut().zip(texts).for_each(|(figure, text)| figure.text.clone_from(text));
        scenario.in_spite_of_laws(|scenario| {
            let odds_options = &OddsOptions { instead: &[], objective: None, from: None, ..self.odds_options.clone() };
            let mut found = odds::report(scenario, odds_options)?;
            let graphs = [&found.plain, &found.history].into_iter().flatten();
            let unset = graphs.flat_map(|explored| explored.graph.faults()).find(|fault| fault.code == Code::Unset);
            if let Some(fault) = unset {
                return Err(fault.clone());
            }
            let spare = [&found.plain, &found.history].into_iter().flatten().find_map(|explored| explored.spare);
            if let Some(dice) = spare {
                let name = if dice.name.is_empty() { "the roll".to_string() } else { format!("`{}`", dice.name) };
                let message = format!("these dice are never used: {name} is rolled fewer times than it is given dice");
                return Err(Fault { span: Some(dice.span), ..Fault::new(Code::ExampleForm, message) });
            }
            means_of_counts(scenario, odds_options, &mut found)?;
            let problems = found.answers.iter().flatten().flat_map(|answer| trouble(answer, &found)).collect();
            let (ends, line, estimate) = (self.ends, self.line, self.estimate);
            Odds { odds_options: odds_options.clone(), ends, line, estimate }.rest(scenario, found, problems)
        })
    }

    /// Adds the requested results other than the measures.
    fn rest(
        &self,
        scenario: &'w Scenario,
        found: Report<'w>,
        mut problems: Vec<Diagnostic>,
    ) -> Result<OddsReport, Fault> {
        let whys = if self.odds_options.marks { odds::whys(scenario, &self.odds_options, &found) } else { Vec::new() };
        let whys = decided(&whys, &mut problems);
        let ends = found.graph().filter(|_| self.ends).map(Explored::ends);
        if let Some(left) = ends.iter().filter(|_| found.answers.is_empty()).find_map(|ends| left_over(&found, ends)) {
            problems.push(left);
        }
        let line = found.graph().filter(|_| self.line).map(decisions).transpose()?;
        let wide = self.estimate && scenario.plan.report.iter().zip(&found.answers).any(|(f, a)| is_wide(f, a));
        let estimate = wide.then(|| estimate(scenario, self.odds_options.budget.watch.clone())).flatten();
        let undecided = found.graph().map(|g| named(&scenario.game.program, &g.undecided)).unwrap_or_default();
        let undecided = if scenario.plan.call.is_some() { Vec::new() } else { undecided };
        let cost = found.cost();
        let closed = |answer: &OddsAnswer| answer.found.as_ref().is_some_and(|found| found.unexplored().is_zero());
        let explored = found.answers.iter().all(|answer| answer.as_ref().is_ok_and(closed))
            && found.graph().is_some_and(|explored| explored.free.is_empty());
        let many = found.graph().and_then(|explored| explored.graph.many_branches());
        Ok(OddsReport { answers: found.answers, whys, ends, line, estimate, undecided, cost, explored, many, problems })
    }
}

/// Computes the means of unbounded tallies, whose distributions cannot be shown in full.
fn means_of_counts<'s>(
    scenario: &'s Scenario,
    odds_options: &OddsOptions<'s>,
    found: &mut Report<'s>,
) -> Result<(), Fault> {
    for (answer, figure) in found.answers.iter_mut().zip(&scenario.plan.report) {
        let (Some(counted), None, Ok(answer)) = (&figure.asked.counted, figure.asked.given, answer.as_mut()) else {
            continue;
        };
        if answer.mean.is_none() && answer.found.is_some() {
            let explored = match found.plain.take() {
                Some(explored) => explored,
                None => odds::explore(scenario, odds_options, false)?,
            };
            if let Some(mean) = explored.graph.mean_counted(counted, None)? {
                answer.set_mean(mean);
            }
            found.plain = Some(explored);
        }
    }
    Ok(())
}

/// Returns the causes of each measure, and adds a problem for each cause that is unknown.
fn decided(whys: &[Option<Result<Why, Fault>>], problems: &mut Vec<Diagnostic>) -> Vec<Option<Why>> {
    // an incomplete exploration is reported once
    let left = problems.iter().any(|problem| problem.code == Code::Budget);
    for fault in whys.iter().flatten().filter_map(|why| why.as_ref().err()) {
        if left && fault.code == Code::Budget {
            continue;
        }
        let mut problem = fault.diagnostic();
        problem.message = format!("the causes cannot be computed: {}", problem.message);
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    whys.iter().map(|why| why.as_ref()?.as_ref().ok().cloned()).collect()
}

impl OddsReport {
    /// Returns whether every measure has an exact result.
    pub fn whole(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns the weakest label of all answers.
    pub fn label(&self) -> Label {
        let ends = self.ends.iter().map(|ends| ends.label);
        let labels = self.answers.iter().flatten().map(|answer| answer.label).chain(ends);
        labels.fold(Label::Exact, Label::max)
    }
}
