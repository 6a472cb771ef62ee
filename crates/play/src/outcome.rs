//! What came of playing a scenario.

use grognard_base::{Code, Diagnostic, Span};
use grognard_vm::State;

/// What came of playing a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Every expectation and its verdict, in order.
    pub checks: Vec<Checked>,
    /// What was found wrong: errors of the run, expectations that do not hold, answers and dice left over.
    pub problems: Vec<Diagnostic>,
    /// The cells of what the report asks for; none where what is given does not hold. Empty after an error.
    pub figures: Vec<Option<Vec<i64>>>,
    /// Tallies at the end.
    pub tallies: Vec<i64>,
    /// The position at the end.
    pub state: State,
    /// The input of a person ended before the run did.
    pub gone: bool,
}

/// An expectation and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// The step it belongs to, from 0; none for those on the end.
    pub step: Option<usize>,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds; in a sample, in every run.
    Holds,
    /// It does not; in a sample, in so many runs.
    Fails(u64),
    /// The run ended before it was looked at.
    Unreached,
    /// It is about all ends together, and nobody has worked out the odds; see [`super::odds::judge`].
    Waiting,
}

/// True for errors that mean that a limit was hit.
pub fn is_limit(code: Code) -> bool {
    use Code::{Budget, Depth, FreePlace, Fuel, ListFull, LongMove, NoReserve, TooDeep, TooLarge, TooManyDice};
    matches!(
        code,
        Fuel | Depth | LongMove | TooManyDice | ListFull | NoReserve | TooLarge | TooDeep | Budget | FreePlace
    )
}

/// How many expectations hold, and how many were looked at.
pub fn count(checks: &[Checked]) -> (usize, usize) {
    let looked = checks.iter().filter(|c| c.verdict != Verdict::Waiting);
    (looked.clone().filter(|c| c.verdict == Verdict::Holds).count(), looked.count())
}

/// Expectations that wait for exact odds.
pub fn waiting(checks: &[Checked]) -> usize {
    checks.iter().filter(|c| c.verdict == Verdict::Waiting).count()
}

impl Outcome {
    /// How many expectations hold, and how many were looked at.
    pub fn count(&self) -> (usize, usize) {
        count(&self.checks)
    }

    /// Expectations that wait for exact odds.
    pub fn waiting(&self) -> usize {
        waiting(&self.checks)
    }

    /// True if nothing is wrong.
    pub fn sound(&self) -> bool {
        !self.problems.iter().any(Diagnostic::is_error)
    }
}
