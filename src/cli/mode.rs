//! Exact or sampled: the choice that several commands offer.

use crate::exact::Budget;
use clap::ValueEnum;

/// How answers are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Exact where it can be worked out within the budget, sampled elsewhere.
    Auto,
    /// Exact or not at all.
    Exact,
    /// From runs.
    Sampled,
}

impl Mode {
    /// As plans and receipts write it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Exact => "exact",
            Mode::Sampled => "sampled",
        }
    }

    /// The mode of that name.
    pub fn of(word: &str) -> Option<Mode> {
        [Mode::Auto, Mode::Exact, Mode::Sampled].into_iter().find(|mode| mode.word() == word)
    }

    /// Positions that are explored for one table unless somebody says how many.
    pub fn usual(self) -> u64 {
        if self == Mode::Auto { LITTLE } else { Budget::default().states as u64 }
    }
}

/// Positions that are explored before runs are taken instead.
const LITTLE: u64 = 50_000;
/// Most positions that may be asked for.
pub const MOST_STATES: u64 = 100_000_000;

/// The greatest seed: every program that reads a table or a scenario has whole numbers as great as this.
pub const MOST_SEED: u64 = i64::MAX as u64;

/// A budget of so many positions. It ends by Ctrl-C too, where somebody listens to that.
pub fn budget(states: u64) -> Budget {
    let budget = Budget::of(usize::try_from(states).unwrap_or(usize::MAX));
    Budget { watch: Some(super::long::watch), ..budget }
}
