//! What came of playing a scenario.

use crate::base::{Code, Diagnostic, Span};
use crate::machine::State;
use crate::scenario::{FigureSort, Mode};
use crate::value::*;
use std::collections::BTreeMap;

/// What came of playing a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it was run.
    pub mode: Mode,
    /// The seed of dice that were not given.
    pub seed: u64,
    /// How many runs there were.
    pub runs: u64,
    /// Runs that ended in an error.
    pub faults: u64,
    /// Every expectation and its verdict, in order.
    pub checks: Vec<Checked>,
    /// What was found wrong: errors of the run, expectations that do not hold, answers and dice left over.
    pub problems: Vec<Diagnostic>,
    /// What the report asks for.
    pub figures: Vec<Told>,
    /// How often the start was run, in the last run.
    pub rounds: u64,
    /// Tallies of the last run.
    pub tallies: Vec<i64>,
    /// The position at the end of the last run.
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
    /// It needs exact odds, which a later version computes.
    Waiting,
}

/// A figure of the report, in whole numbers.
#[derive(Clone, Debug)]
pub struct Told {
    /// As written.
    pub text: String,
    /// What is told.
    pub sort: FigureSort,
    /// Its type.
    pub ty: Type,
    /// Runs that counted: without errors, and with what is given.
    pub counted: u64,
    /// Runs in which a condition held.
    pub held: u64,
    /// The sum of a number; none if it grew too large.
    pub sum: Option<Ratio>,
    /// How often each value came.
    pub values: BTreeMap<String, u64>,
}

impl Told {
    /// The mean as an exact fraction; none without runs, or if the sum grew too large.
    pub fn mean(&self) -> Option<Ratio> {
        let count = i64::try_from(self.counted).ok().filter(|n| *n > 0)?;
        self.sum?.checked_div(Ratio::whole(count))
    }
}

/// True for errors that mean that a limit was hit.
pub fn is_limit(code: Code) -> bool {
    matches!(
        code,
        Code::Fuel
            | Code::Depth
            | Code::TooManyDice
            | Code::ListFull
            | Code::NoReserve
            | Code::TooLarge
            | Code::TooDeep
    )
}

impl Outcome {
    /// How many expectations hold, and how many were looked for now.
    pub fn count(&self) -> (usize, usize) {
        let looked = self.checks.iter().filter(|c| c.verdict != Verdict::Waiting);
        (looked.clone().filter(|c| c.verdict == Verdict::Holds).count(), looked.count())
    }

    /// Expectations that wait for a later version.
    pub fn waiting(&self) -> usize {
        self.checks.iter().filter(|c| c.verdict == Verdict::Waiting).count()
    }

    /// True if nothing is wrong.
    pub fn sound(&self) -> bool {
        !self.problems.iter().any(Diagnostic::is_error)
    }

    /// True if a limit was hit.
    pub fn limited(&self) -> bool {
        self.problems.iter().any(|d| is_limit(d.code))
    }
}
