//! A compiled scenario whose params and readings are still open.

use super::puts::Put;
use super::{ClaimedValue, Expected, Fixed, Mark, Params, PieceId, Plan, Scenario, bounds, evaluate, evaluate_onward};
use grognard_base::value::*;
use grognard_base::{Diagnostic, Span};
use grognard_program::flow::Flow;
use grognard_program::{Program, Reached, Snippet};
use grognard_rules::code::Expr;
use grognard_rules::ruleset::Ruleset;
use grognard_vm::{Fault, Game, Setup, set_up};
use std::sync::Arc;

/// A scenario with its program, before setup. Params and readings are cells of the state, so one program serves every
/// point of a sweep.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) rules: Arc<Ruleset>,
    pub(super) program: Program,
    pub(super) setup: Setup,
    pub(super) pieces: Vec<Snippet>,
    pub(super) plan: Plan,
    /// The expressions of the figures of the report, for the computation of their bounds.
    pub(super) asked: Vec<Option<Expr>>,
    /// The expression of the objective.
    pub(super) objective: Option<Expr>,
    /// The reachable code, or `None` if there is neither a report nor an objective.
    pub(super) reached: Option<Reached>,
    pub(super) stop: Option<(PhaseId, bool, Option<PieceId>)>,
    /// Values that are evaluated on the table before they are assigned.
    pub(super) puts: Vec<Put>,
    /// The arguments of the call.
    pub(super) args: Vec<PieceId>,
    /// Claimed numbers of odds, by the index of their expectation.
    pub(super) numbers: Vec<(usize, PieceId)>,
    /// The start of the scenario file, for errors without a span.
    pub(super) whole: Span,
    /// Messages about keys that these rules do not know but other rulesets do.
    pub left_out: Vec<String>,
}

impl Prepared {
    /// Returns the plan. Values that depend on params and readings are missing: bounds of figures and the stop mark.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the rules that the scenario is bound to.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Builds the scenario with these params and readings, which override those of the scenario.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the setup fails.
    pub fn with(&self, settings: &[(SettingId, Vec<i64>)]) -> Result<Scenario, Vec<Diagnostic>> {
        let mut own = self.clone();
        own.setup.settings.extend_from_slice(settings);
        own.settle()
    }

    /// Builds the scenario with its own params and readings.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the setup fails.
    pub fn settle(self) -> Result<Scenario, Vec<Diagnostic>> {
        let whole = self.whole;
        self.set().map_err(|fault| {
            let mut found = fault.diagnostic();
            found.span = found.span.or(Some(whole));
            vec![found]
        })
    }

    /// Builds the scenario like [`Prepared::settle`], but returns the fault of the machine.
    ///
    /// # Errors
    ///
    /// Returns the fault if the setup fails.
    pub fn set(mut self) -> Result<Scenario, Fault> {
        let given = self.put()?;
        self.plan.fixed = Fixed::of(&self.setup, &self.program.schema);
        let mut game = set_up(self.program, self.setup)?;
        if let Params::Given(cells) = &mut self.plan.params {
            cells.clone_from(&given);
        }
        if let Some(call) = &mut self.plan.call {
            let mut state = game.start.clone();
            for arg in &self.args {
                call.args.extend(evaluate_onward(&game, &self.pieces[arg.0], &mut state, &[], &given)?);
            }
            game.start.heap = state.heap;
        }
        for (at, piece) in &self.numbers {
            let number = number(&game, &self.pieces[piece.0])?;
            if let Expected::Odds(claim) = &mut self.plan.expects[*at].what {
                claim.what = match claim.what {
                    ClaimedValue::Mean(_) => ClaimedValue::Mean(number.into()),
                    ClaimedValue::Always | ClaimedValue::Chance(_) => ClaimedValue::Chance(number.into()),
                };
            }
        }
        keep(&mut self.plan, &game, &self.pieces);
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

/// Evaluates a piece at the start and returns its number.
fn number(game: &Game, piece: &Snippet) -> Result<Fraction, Fault> {
    Ok(match evaluate(game, piece, &mut game.start.clone(), &[], &[])?[..] {
        [n] => Fraction::whole(n),
        [num, den] => Ratio::new(num, den).map(Fraction::from).unwrap_or_default(),
        _ => Fraction::zero(),
    })
}

/// Determines the cells of the result of the call that the requested odds read.
fn keep(plan: &mut Plan, game: &Game, pieces: &[Snippet]) {
    let (Some(call), Params::Result) = (&mut plan.call, &plan.params) else { return };
    let claims =
        plan.expects.iter().filter_map(|e| if let Expected::Odds(c) = &e.what { Some(&c.asked) } else { None });
    let asked = claims.chain(plan.report.iter().map(|f| &f.asked));
    let asked: Vec<PieceId> = asked.flat_map(|asked| [Some(asked.piece), asked.given]).flatten().collect();
    if asked.is_empty() {
        return;
    }
    let (mut flow, mut keep) = (Flow::new(&game.program), Vec::new());
    for piece in asked {
        let reads = flow.reads(pieces[piece.0].func);
        keep.resize(keep.len().max(reads.len()), false);
        reads.iter().zip(&mut keep).for_each(|(read, keep)| *keep |= read);
    }
    call.keep = Some(keep);
}
