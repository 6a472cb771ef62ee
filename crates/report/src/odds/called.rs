//! What questions about one call of the rules come to, worked out and told.

use super::{Asked, Odds};
use grognard_base::{Code, Limit};
use grognard_play::odds::{Answer, Why, Wish, explore, report, whys};
use grognard_scenario::Scenario;
use grognard_vm::Fault;

/// What questions about a call come to.
pub struct Called {
    /// The answers.
    pub answers: Vec<Answer>,
    /// Where each is decided, if that was asked; or why it cannot be told.
    pub whys: Vec<Option<Result<Why, Fault>>>,
    /// Positions that were explored.
    pub states: usize,
    /// What ended that.
    pub limit: Option<Limit>,
}

/// Works the questions of a call out. A law that wants a figure which nobody gave is not judged.
pub fn called(scenario: &mut Scenario, wish: &Wish<'_>) -> Result<Called, Fault> {
    scenario.in_spite_of_laws(|scenario| worked_out(scenario, wish))
}

fn worked_out(scenario: &Scenario, wish: &Wish<'_>) -> Result<Called, Fault> {
    let wish = &Wish { instead: &[], objective: None, ..wish.clone() };
    let found = report(scenario, wish)?;
    let graphs = [&found.plain, &found.history].into_iter().flatten();
    let unset = graphs.flat_map(|explored| explored.graph.faults()).find(|fault| fault.code == Code::Unset);
    if let Some(fault) = unset {
        return Err(fault.clone());
    }
    let whys = if wish.marks { whys(scenario, wish, &found) } else { Vec::new() };
    let (states, limit) = found.graph().map_or((0, None), |explored| (explored.graph.states(), explored.graph.limit()));
    let mut answers = found.answers.into_iter().collect::<Result<Vec<Answer>, Fault>>()?;
    // a tally without end has no distribution that can be shown whole, and yet a mean
    let mut plain = found.plain;
    for (answer, figure) in answers.iter_mut().zip(&scenario.plan.report) {
        let (Some(counted), None, None) = (&figure.asked.counted, figure.asked.given, &answer.mean) else {
            continue;
        };
        if answer.found.is_some() {
            let explored = match plain.take() {
                Some(explored) => explored,
                None => explore(scenario, wish, false)?,
            };
            answer.mean = explored.graph.mean_counted(counted, None)?;
            plain = Some(explored);
        }
    }
    Ok(Called { answers, whys, states, limit })
}

impl Called {
    /// The answers under the texts of their questions.
    pub fn odds<'o>(
        &'o self,
        texts: impl IntoIterator<Item = &'o str>,
        scenario: &'o Scenario,
        whys: &'o [Option<Why>],
    ) -> Odds<'o> {
        let figures = texts.into_iter().zip(&scenario.plan.report).zip(&self.answers).enumerate();
        let told = figures.map(|(n, ((text, figure), answer))| {
            let why = whys.get(n).and_then(Option::as_ref);
            Asked { text, ty: &figure.asked.ty, sort: figure.sort, answer, why }
        });
        let (game, states) = (&scenario.game, self.states);
        Odds { scenario: "", game, told: told.collect(), states, rolls: Vec::new(), ends: None }
    }
}
