//! A sample of the report of a scenario, from played runs or drawn from exact odds.

use super::runs::asks_person;
use super::{Refused, Runs};
use grognard_base::{Budget, Effort};
use grognard_play::odds::{ExactFigure, NotExact, whole};
use grognard_scenario::{Figure, FigureSort, Plan, Scenario};
use grognard_stats::{AliasTable, Sample, Settings, Until, Watcher, drawn, sample};

/// A question about many runs of a scenario.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// The runs. With `until` the number of runs is only a limit.
    pub runs: Runs,
    /// The width of intervals at which the sample ends early.
    pub until: Option<Until>,
    /// The budget of the exact odds from which values are drawn, or `None` if runs are played.
    pub drawn: Option<Budget>,
}

impl Simulate {
    /// Returns the settings of the sample.
    pub fn settings(&self, plan: &Plan) -> Settings {
        // a width decides when the sample ends, not the number of the scenario
        let most = self.runs.runs.or(self.until.map(|_| Effort::Thorough.runs()));
        Settings { until: self.until, ..Runs { runs: most, ..self.runs }.settings(plan) }
    }

    /// Checks whether runs can answer the question.
    ///
    /// # Errors
    ///
    /// If the report is empty, the width does not fit any measure, a human player answers, or a player needs exact
    /// odds.
    pub fn check(&self, scenario: &Scenario) -> Result<(), Refused> {
        let plan = &scenario.plan;
        if plan.report.is_empty() {
            return Err(Refused::Empty);
        }
        let has = |sort| plan.report.iter().any(|figure| figure.sort == sort);
        let unbounded = |figure: &&Figure| figure.sort == FigureSort::Mean && figure.bounds.is_none();
        match self.until {
            Some(Until::Share(_)) if !has(FigureSort::Chance) => return Err(Refused::NoConditions),
            Some(Until::Mean(_)) if !has(FigureSort::Mean) => return Err(Refused::NoMeans),
            Some(Until::Mean(_)) => {
                if let Some(figure) = plan.report.iter().find(unbounded) {
                    return Err(Refused::Unbounded(figure.text.clone()));
                }
            }
            _ => {}
        }
        if asks_person(plan) {
            return Err(Refused::Person);
        }
        match plan.optimizer().filter(|_| self.drawn.is_none()) {
            Some(player) => Err(Refused::Seeks(scenario.game.packed_name(player))),
            None => Ok(()),
        }
    }

    /// Answers the question.
    ///
    /// # Errors
    ///
    /// If values are drawn and no exact odds are known.
    pub fn answer(&self, scenario: &Scenario, watch: &Watcher<'_>) -> Result<Sample, NotExact> {
        let settings = self.settings(&scenario.plan);
        match self.drawn.clone() {
            Some(budget) => Ok(drawn(scenario, &tables(scenario, budget)?, settings, watch)),
            None => Ok(sample(scenario, settings, None, watch)),
        }
    }
}

/// Returns one alias table for each measure.
fn tables(scenario: &Scenario, budget: Budget) -> Result<Vec<AliasTable>, NotExact> {
    let known = whole(scenario, budget)?.figures.into_iter().zip(&scenario.plan.report);
    let table = |(known, figure): (ExactFigure, &Figure)| {
        let table = known.found.as_ref().and_then(AliasTable::of);
        table.ok_or_else(|| format!("of `{}` only the mean is known, or it has too many values", figure.text).into())
    };
    known.map(table).collect()
}
