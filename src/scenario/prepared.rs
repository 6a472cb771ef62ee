//! A scenario compiled with its rules whose params and readings are still open.

use super::{Mark, PieceId, Plan, Scenario, bounds, evaluate};
use crate::base::{Diagnostic, Span};
use crate::machine::{Fault, Setup, set_up};
use crate::program::{Program, Reached, Snippet};
use crate::rules::code::Expr;
use crate::rules::ruleset::Ruleset;
use crate::value::{PhaseId, SettingId};
use std::sync::Arc;

/// A scenario whose program stands and whose table is not set yet. Params and readings are cells of the position, so
/// one program serves every point of a sweep over them.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) rules: Arc<Ruleset>,
    pub(super) program: Program,
    pub(super) setup: Setup,
    pub(super) pieces: Vec<Snippet>,
    pub(super) plan: Plan,
    /// The expressions of the figures of the report, to work out their bounds.
    pub(super) asked: Vec<Option<Expr>>,
    /// That of what `best` and `worst` players look at.
    pub(super) objective: Option<Expr>,
    /// What the code can come to; none if nothing is reported and nobody looks for the best.
    pub(super) reached: Option<Reached>,
    pub(super) stop: Option<(PhaseId, bool, Option<PieceId>)>,
    /// The start of the scenario file: where what fits nowhere else is said to be.
    pub(super) whole: Span,
}

impl Prepared {
    /// What it does, but for what hangs on params and readings: bounds of figures, and who ends it.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Its rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Sets the table with these params and readings, each of which goes before what the scenario says.
    pub fn with(&self, settings: &[(SettingId, Vec<i64>)]) -> Result<Scenario, Vec<Diagnostic>> {
        let mut own = self.clone();
        own.setup.settings.extend_from_slice(settings);
        own.settle()
    }

    /// Sets the table as the scenario says.
    pub fn settle(self) -> Result<Scenario, Vec<Diagnostic>> {
        let whole = self.whole;
        self.set().map_err(|fault| {
            let mut found = fault.diagnostic();
            found.span = found.span.or(Some(whole));
            vec![found]
        })
    }

    fn set(mut self) -> Result<Scenario, Fault> {
        let game = set_up(self.program, self.setup)?;
        let bounds = |value: &Option<Expr>| bounds::bounds(&self.rules, &game, self.reached.as_ref()?, value.as_ref()?);
        for (figure, value) in self.plan.report.iter_mut().zip(&self.asked) {
            figure.bounds = bounds(value);
        }
        self.plan.objective_bounds = bounds(&self.objective);
        if let Some((phase, start, key)) = self.stop {
            let key = match key {
                Some(piece) => {
                    let mut state = game.start.clone();
                    evaluate(&game, &self.pieces[piece.0], &mut state, &[], &[])?.first().copied()
                }
                None => None,
            };
            self.plan.stop = Some(Mark { start, phase, key });
        }
        Ok(Scenario { rules: self.rules, game, pieces: self.pieces, plan: self.plan })
    }
}
