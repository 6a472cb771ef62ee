//! The outcome of playing a scenario.

use grognard_base::{Code, Diagnostic, Span};
use grognard_vm::State;
use serde::{Deserialize, Serialize};

/// The outcome of playing a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Each expectation with its verdict, in order.
    pub checks: Vec<Checked>,
    /// Errors of the run, failed expectations, and unused answers and dice.
    pub problems: Vec<Diagnostic>,
    /// Cells of each measure of the report, or `None` if its condition does not hold. After an error, only the measures
    /// evaluated before it.
    pub figures: Vec<Option<Vec<i64>>>,
    /// Tallies at the end.
    pub tallies: Vec<i64>,
    /// Final state.
    pub state: State,
    /// Whether the human player's input ended before the run did.
    pub gone: bool,
}

/// An expectation and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Source text.
    pub text: String,
    pub span: Span,
    /// Index of its step, from 0, or `None` for an expectation about the end.
    pub step: Option<usize>,
    pub verdict: Verdict,
}

/// The result of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It holds. In a sample, it holds in every run.
    Holds,
    /// It fails. In a sample, the number of runs in which it fails.
    Fails(u64),
    /// The run ended before it was evaluated.
    Unreached,
    /// It refers to all ends together and waits for exact odds; see [`super::odds::judge`].
    Waiting,
}

/// Returns whether an error means that a limit was reached.
pub fn is_limit(code: Code) -> bool {
    use Code::{Budget, Depth, FreePlace, Fuel, ListFull, LongMove, NoReserve, TooDeep, TooLarge, TooManyDice};
    matches!(
        code,
        Fuel | Depth | LongMove | TooManyDice | ListFull | NoReserve | TooLarge | TooDeep | Budget | FreePlace
    )
}

/// Returns how many expectations hold, and how many were judged.
pub fn count(checks: &[Checked]) -> (usize, usize) {
    let looked = checks.iter().filter(|c| c.verdict != Verdict::Waiting);
    (looked.clone().filter(|c| c.verdict == Verdict::Holds).count(), looked.count())
}

/// Returns the number of expectations that wait for exact odds.
pub fn waiting(checks: &[Checked]) -> usize {
    checks.iter().filter(|c| c.verdict == Verdict::Waiting).count()
}

impl Outcome {
    /// Returns how many expectations hold, and how many were judged.
    pub fn count(&self) -> (usize, usize) {
        count(&self.checks)
    }

    /// Returns the number of expectations that wait for exact odds.
    pub fn waiting(&self) -> usize {
        waiting(&self.checks)
    }

    /// Returns whether the outcome has no errors.
    pub fn sound(&self) -> bool {
        !self.problems.iter().any(Diagnostic::is_error)
    }
}
