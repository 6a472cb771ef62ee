//! Where an answer is decided: which rolls move it, and which clauses and readings it leans on.

use super::{Explored, Report, Wish, explore_with, given, needs_history, query};
use grognard_base::value::*;
use grognard_odds::{Analysis, Graph, Label, Lean, Pools, Query, Swings, Target};
use grognard_scenario::{FigureSort, Scenario};
use grognard_vm::Fault;

/// Where an answer is decided.
#[derive(Clone, Debug)]
pub struct Why {
    /// How far each roll moves its mean; nothing if the value is no number.
    pub swings: Option<Swings>,
    /// Clauses by their place in the register, each with the chance that a run comes by code under it; those that no
    /// run came by are left out.
    pub clauses: Vec<(usize, Lean)>,
    /// Readings, each with the chance that a run asks for it.
    pub readings: Vec<(SettingId, Lean)>,
    /// How far all this can be trusted.
    pub label: Label,
}

impl Why {
    /// Looks into graphs of the same thing: one that kept marks, and one in which each roll shows at once what it
    /// brings.
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
        // where not everything was explored, the line of play that was followed need not be the best
        let sure = !marked.provisional()
            && !apart.provisional()
            && leans.unexplored().is_zero()
            && swings.iter().all(|s| s.unexplored.is_zero());
        Ok(Why { swings, clauses, readings, label: if sure { Label::Exact } else { Label::Bounded } })
    }

    /// True if another answer leans on the same with the same chances.
    pub fn leans_alike(&self, other: &Why) -> bool {
        (&self.clauses, &self.readings, self.label) == (&other.clauses, &other.readings, other.label)
    }
}

/// For each figure of a scenario's report where it is decided; nothing for those without an answer. The report was made
/// with marks.
pub fn whys<'s>(scenario: &'s Scenario, wish: &Wish<'s>, found: &Report<'s>) -> Vec<Option<Result<Why, Fault>>> {
    let budget = wish.budget.after(found.cost());
    let faces = Wish { budget, pools: Pools::Faces, marks: true, ..wish.clone() };
    // explored anew, without history and with it, where a pool shows late what it brought
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
                // of free moves only ends on the grid were looked at
                why.map(|why| if clear.free.is_empty() { why } else { Why { label: Label::Bounded, ..why } })
            }
        }));
    }
    list
}
