//! The planner for questions. It decides whether an answer is exact or sampled, the limit of its work, and what
//! happens if the exact answer is too large.
//!
//! An adapter (command line, language server, studio) parses a question, binds the scenarios, calls this crate, and
//! prints the answer. It chooses a [`Mode`] and an [`Effort`] and decides nothing else, so the same question has the
//! same answer in every adapter. The questions are
//!
//! * [`Compare`]: two versions of the rules on one scenario, and which of their edits makes the difference,
//! * [`Readings`]: the effect of each reading of a book on a scenario,
//! * [`Outlook`]: the report of a scenario, exactly or from runs,
//! * [`Simulate`]: the report of a scenario, from runs or from values drawn from its exact odds,
//! * [`Sweep`]: the report of a scenario at each point of a grid,
//! * [`Odds`]: exact odds of a scenario or of a call, their causes, and the best strategy,
//! * [`CallQuestion`]: exact odds of a call of the rules, or of an expression with dice,
//! * [`Menu`]: the odds of each entry of a menu at a decision of a run,
//! * [`Why`]: the causes of a value in one run,
//! * [`Holes`]: gaps, contradictions, errors and unreachable code of rules.
//!
//! Answers are typed. Each one can be converted to a [`Finding`](grognard_report::finding::Finding), which
//! `grognard-report` renders. Long computations poll a watch that can end them: a deadline, Ctrl-C, or a studio that no
//! longer needs the answer.
//!
//! # Example
//!
//! ```
//! use grognard_ask::Odds;
//! use grognard_base::{Effort, Sources};
//! use grognard_kit::Shelf;
//! use grognard_play::odds::OddsOptions;
//! use grognard_program::Detail;
//! use grognard_rules::load;
//! use grognard_scenario as scenario;
//!
//! let rules = "ruleset game/duel\nkind Unit { state men : 0..6 = 6 }\n\
//!     phase Volley(u: Unit) {\n roll aim = 2 of d6\n set u.men -= count aim >= 4\n}\n";
//! let table = "rules = \"game/duel\"\nstart = \"Volley(red)\"\n[Unit.red]\n[report]\nmean = [\"red.men\"]\n";
//! let (shelf, mut sources) = (Shelf::of(&[("game/duel.rules", rules)]), Sources::default());
//! let document = scenario::read("volley.toml", table.to_string(), &shelf, &mut sources).unwrap();
//! let rules = load("game/duel", &shelf, &mut sources).sound().unwrap();
//! let volley = scenario::build(&document, rules, &[], &sources, Detail::Plain).unwrap();
//!
//! let answer = Odds::plain(OddsOptions::plain(Effort::Quick.budget())).answer(&volley).unwrap();
//! assert!(answer.whole());
//! let men = answer.answers[0].as_ref().unwrap();
//! assert_eq!(men.mean.as_ref().unwrap().to_string(), "5");
//! ```

mod call;
mod compare;
mod estimate;
#[cfg(feature = "report")]
mod findings;
mod gaming;
#[cfg(feature = "report")]
mod holes;
mod menu;
mod odds;
mod outlook;
mod readings;
mod runs;
mod simulate;
mod sweep;
mod which;
#[cfg(feature = "report")]
mod why;

pub use call::{BoundCall, CallQuestion, Unbound, dice_only, questions, translated};
pub use compare::{Begun, Compare, Compared, Unanswered};
#[cfg(feature = "report")]
pub use findings::reported;
pub use gaming::{Gaming, NoGain};
#[cfg(feature = "report")]
pub use holes::{Holes, HolesReport, HolesSearch, Listener};
pub use menu::Menu;
pub use odds::{Odds, OddsReport};
pub use outlook::{Answer, Outlook};
pub use readings::{NoReadings, Readings, ReadingsTable, no_reading};
pub use runs::{Refused, Runs, asks_person};
pub use simulate::Simulate;
pub use sweep::{KnownAnswers, Sweep, SweepPoint};
#[cfg(feature = "report")]
pub use why::Why;

use grognard_base::Effort;

/// How an answer is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Exactly if the budget suffices, otherwise from runs.
    Auto,
    /// Exactly or not at all.
    Exact,
    /// From runs.
    Sampled,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Auto, Mode::Exact, Mode::Sampled];

    /// Returns the name of the mode in plans, options and receipts.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Exact => "exact",
            Mode::Sampled => "sampled",
        }
    }

    /// Returns the mode with this name.
    pub fn of(word: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// Returns the default effort of an exact answer. It is lower if runs can take over.
    pub fn effort(self) -> Effort {
        if self == Mode::Auto { Effort::Usual } else { Effort::Thorough }
    }

    /// Returns whether an exact answer is tried.
    pub fn explores(self) -> bool {
        self != Mode::Sampled
    }

    /// Returns whether runs may answer.
    pub fn samples(self) -> bool {
        self != Mode::Exact
    }
}
