//! Explains a result: which rolls move it, and which clauses and readings it depends on.

use super::{Explored, OddsOptions, Report, explore_with, given, needs_history, query};
use grognard_base::value::*;
use grognard_odds::{Analysis, Graph, Label, Lean, Pools, Query, Swings, Target};
use grognard_scenario::{FigureSort, Scenario};
use grognard_vm::Fault;

/// The rolls, clauses, and readings that a result depends on.
#[derive(Clone, Debug)]
pub struct Why {
    /// How far each roll moves the mean, or `None` if the value is not a number.
    pub swings: Option<Swings>,
    /// Clauses by index in the register, each with the probability that a run executes its code. Clauses that no run
    /// executes are omitted.
    pub clauses: Vec<(usize, Lean)>,
    /// Readings, each with the probability that a run consults it.
    pub readings: Vec<(SettingId, Lean)>,
    /// Whether the explanation is exact or bounded.
    pub label: Label,
}

impl Why {
    /// Reads two graphs of the same scenario. `marked` records the executed code. In `apart`, each roll reveals its
    /// faces at once.
    fn of(
        marked: &Graph<'_>,
        apart: &Graph<'_>,
        (of, given): (Target<'_>, Option<Query<'_>>),
        ty: &Type,
    ) -> Result<Why, Fault> {
        let swings = if ty.has_mean() { Some(apart.swings(of, given)?) } else { None };
        let mut leans = marked.leans(given)?;
        let rules = apart.rules();
        let mut clauses = Vec::new();
        for n in 0..rules.register.len() {
            clauses.push((n, leans.clause(n)));
        }
        clauses.retain(|(_, lean)| !lean.chance.is_zero());
        let mut readings = Vec::new();
        for (n, _) in rules.settings.iter().enumerate().filter(|(_, s)| !s.alternatives.is_empty()) {
            readings.push((SettingId::from(n), leans.setting(SettingId::from(n))));
        }
        // after an incomplete exploration, the strategy that was followed can be suboptimal
        let sure = !marked.provisional()
            && !apart.provisional()
            && leans.unexplored().is_zero()
            && swings.iter().all(|s| s.unexplored.is_zero());
        Ok(Why { swings, clauses, readings, label: if sure { Label::Exact } else { Label::Bounded } })
    }

    /// Returns whether two explanations have the same clauses and readings with the same probabilities.
    pub fn leans_alike(&self, other: &Why) -> bool {
        (&self.clauses, &self.readings, self.label) == (&other.clauses, &other.readings, other.label)
    }
}

/// Explains each measure of a scenario's report, or `None` for a measure without a result. The report must have been
/// made with `marks`.
pub fn whys<'s>(
    scenario: &'s Scenario,
    odds_options: &OddsOptions<'s>,
    found: &Report<'s>,
) -> Vec<Option<Result<Why, Fault>>> {
    let budget = odds_options.budget.after(found.cost());
    let faces = OddsOptions { budget, pools: Pools::Faces, marks: true, ..odds_options.clone() };
    // explored again, without and with history, if a pool reveals its faces late
    let mut anew: [Option<Result<Explored<'s>, Fault>>; 2] = [None, None];
    let mut list = Vec::new();
    for (figure, answer) in scenario.plan.report.iter().zip(&found.answers) {
        if answer.is_err() {
            list.push(None);
            continue;
        }
        let history = needs_history(scenario, &figure.asked, figure.sort);
        let marked = if history { found.history.as_ref() } else { found.plain.as_ref() };
        let clear = marked.filter(|explored| explored.graph.looks_at_once());
        let clear = match clear {
            Some(explored) => Ok(explored),
            None => {
                let at = usize::from(history);
                let known = match anew[at].take() {
                    Some(known) => known,
                    None => explore_with(&Analysis::new(&scenario.game), scenario, &faces, history),
                };
                Result::as_ref(anew[at].insert(known))
            }
        };
        list.push(Some(match clear {
            Err(fault) => Err(fault.clone()),
            Ok(clear) => {
                let counted = figure.asked.counted.as_ref().filter(|_| figure.sort == FigureSort::Mean);
                let of = counted.map_or_else(|| Target::Value(query(scenario, &figure.asked)), Target::Counted);
                let asked = (of, given(scenario, &figure.asked));
                let why = Why::of(&marked.unwrap_or(clear).graph, &clear.graph, asked, &figure.asked.ty);
                // of moves with a free end point, only ends on the grid were explored
                why.map(|why| if clear.free.is_empty() { why } else { Why { label: Label::Bounded, ..why } })
            }
        }));
    }
    list
}
