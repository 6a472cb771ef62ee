//! Budgets of questions: the single policy that every adapter uses.
//!
//! The command line, the language server and the studio choose an [`Effort`] for a question. One table sets its budget,
//! its number of runs and its number of pairs. So the same question with the same effort has the same answer
//! everywhere.

use super::{Budget, Watch};

/// How long the user is prepared to wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// A first pass while the user types.
    Glance,
    /// One of many small questions: an entry of a menu, a save, a pinned result.
    Quick,
    /// The default of every question that runs can also answer.
    Usual,
    /// A question that the user waits for and that runs cannot answer.
    Long,
    /// A question on the command line that only an exact answer satisfies.
    Thorough,
    /// The number of states that the user allows.
    Given(usize),
}

/// A row of the table: states and steps of an exact answer, runs of a sample, pairs of a comparison.
struct Limits(usize, u64, u64, u64);

impl Effort {
    /// Number of pairs after which a comparison shows its first result. The next one follows after four times as many.
    pub const FIRST_PAIRS: u64 = 250;
    /// Number of runs after which a sample shows its first result. The next one follows after four times as many.
    pub const FIRST_RUNS: u64 = 16;
    /// Maximum number of states that a user can allow.
    pub const MOST_STATES: usize = 100_000_000;
    /// Maximum number of runs that a user can request.
    pub const MOST_RUNS: u64 = 100_000_000;

    const fn row(self) -> Limits {
        match self {
            Effort::Glance => Limits(400, 1 << 14, 100, 250),
            Effort::Quick => Limits(6_000, 1 << 18, 1_000, 4_000),
            Effort::Usual => Limits(50_000, 1 << 21, 10_000, 100_000),
            Effort::Long => Limits(200_000, 1 << 22, 100_000, 1_000_000),
            Effort::Thorough => Limits(2_000_000, 40_000_000, 10_000_000, 10_000_000),
            Effort::Given(states) => Limits(states, Budget::work_of(states), 10_000, 100_000),
        }
    }

    /// Returns the maximum number of states of an exact answer.
    pub const fn states(self) -> usize {
        self.row().0
    }

    /// Returns the number of runs of a sample.
    pub const fn runs(self) -> u64 {
        self.row().2
    }

    /// Returns the maximum number of pairs of a comparison.
    pub const fn pairs(self) -> u64 {
        self.row().3
    }

    /// Returns the number of runs for each of `entries` menu entries that are sampled together.
    pub fn runs_each(entries: usize) -> u64 {
        (1_200 / entries.max(1) as u64).clamp(50, 400)
    }

    /// Returns the budget of an exact answer. Only counts limit it, so it ends at the same point on every machine.
    pub fn budget(self) -> Budget {
        let Limits(states, work, ..) = self.row();
        Budget { work, ..Budget::of(states) }
    }

    /// Returns the same budget for an answer of the studio, which `watch` can end.
    ///
    /// Memory is not limited, because the WebAssembly and native builds must end at the same point.
    pub fn watched(self, watch: Option<Watch>) -> Budget {
        Budget { bytes: usize::MAX, watch, ..self.budget() }
    }

    /// Returns the numbers of pairs, up to `most`, after which a growing comparison shows its current estimate.
    pub fn pair_marks(most: u64) -> impl Iterator<Item = u64> {
        marks(Effort::FIRST_PAIRS, most)
    }

    /// Returns the numbers of runs, up to `most`, after which a growing sample shows its current estimate.
    pub fn run_marks(most: u64) -> impl Iterator<Item = u64> {
        marks(Effort::FIRST_RUNS, most)
    }
}

/// Returns `first`, four times `first`, and so on, up to `most`.
fn marks(first: u64, most: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first.min(most)), move |mark| (*mark < most).then(|| mark.saturating_mul(4).min(most)))
}
