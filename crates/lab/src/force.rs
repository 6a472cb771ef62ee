//! Determines which edits between two versions of the rules can affect a scenario. An edit is not in force if the
//! scenario overrides its subject or no run reaches it. A comparison carries no information about an edit that is not
//! in force.

mod examples;
mod runs;
mod table;

pub use examples::{HeldOverride, held_overrides};
pub use runs::{Covered, cover};

use super::mix::Edit;
use grognard_base::Budget;
use grognard_scenario::Scenario;
use grognard_stats::Question;
use serde::Serialize;

/// The subject of an edit.
#[derive(Clone, Debug)]
pub enum EditOf {
    /// An edit of the rules.
    Rules(Edit),
    /// A param or a reading that is set differently for the two versions, regardless of the scenario.
    Setting(String),
}

/// Whether an edit can affect the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "force", content = "why", rename_all = "snake_case")]
pub enum Force {
    /// Code that reads or runs it is reached, or its status is unknown.
    InForce,
    /// The scenario sets the value that it changes.
    Held(String),
    /// Both versions have the same value.
    Same(String),
    /// No code that reads or runs it is reached.
    Unreached(String),
}

impl Force {
    /// Returns the reason why the edit is not in force, or `None` if it is.
    pub fn rendered(&self) -> Option<String> {
        match self {
            Force::InForce => None,
            Force::Held(why) => Some(format!("held: {why}")),
            Force::Same(why) => Some(format!("no change: {why}")),
            Force::Unreached(why) => Some(format!("never reached on this table: {why}")),
        }
    }
}

/// An edit with its status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The edit in one line.
    pub edit: String,
    /// Whether it can affect the result.
    #[serde(flatten)]
    pub force: Force,
}

/// The edits between two versions, with their status.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    edits: Vec<EditOf>,
    /// The status of each edit.
    list: Vec<Standing>,
}

/// Maximum number of runs of each version that are examined: if nothing differs, and if something does.
pub const RUNS_LOOKED_AT: [u64; 2] = [10_000, 200];

/// The settings for examining runs if the setup does not decide the status of edits by itself.
#[derive(Clone, Debug)]
pub struct Looks {
    /// The question of the comparison: its seed, and whether each version has its own dice.
    pub question: Question,
    /// Maximum number of runs of each version.
    pub runs: u64,
    /// The budget of an exact search, if the answer was exact.
    pub exact: Option<Budget>,
}

impl Standings {
    /// Determines the status of each edit without runs. `rendered` has a line for each edit. `by_hand` are the params and
    /// readings that the command line sets for both versions.
    pub fn new(edits: Vec<EditOf>, rendered: Vec<String>, sides: [&Scenario; 2], by_hand: &[String]) -> Standings {
        let table = table::Table::new(sides, by_hand);
        let own = |edit: &EditOf| match edit {
            EditOf::Rules(edit) => Some(edit.change.name.clone()),
            EditOf::Setting(name) => Some(name.clone()),
        };
        let names: Vec<String> = edits.iter().filter_map(own).collect();
        let list = edits.iter().zip(rendered);
        let list = list.map(|(edit, rendered)| Standing { force: table.force(edit, &names), edit: rendered }).collect();
        Standings { edits, list }
    }

    /// Returns each edit with its status.
    pub fn list(&self) -> &[Standing] {
        &self.list
    }

    /// Returns whether there are edits and none of them is in force.
    pub fn nothing(&self) -> bool {
        !self.list.is_empty() && self.list.iter().all(|standing| standing.force != Force::InForce)
    }

    /// Returns whether runs can decide more: several edits can be in force, or the results of both versions are equal.
    pub fn open(&self, same: bool) -> bool {
        let open = self.list.iter().filter(|standing| standing.force == Force::InForce).count();
        open > 1 || open == 1 && same
    }

    /// Updates the status from runs with coverage of both versions. `same` says that no measure differs; otherwise at
    /// least one edit is in force.
    pub fn look(&mut self, covered: &[Scenario; 2], looks: Looks, same: bool) {
        let wanted: Vec<usize> = (0..self.list.len()).filter(|n| self.list[*n].force == Force::InForce).collect();
        let edits: Vec<&EditOf> = wanted.iter().map(|n| &self.edits[*n]).collect();
        let found = cover(covered, &edits, looks);
        // a difference is the effect of an edit, so given dice hold an edit only if nothing differs
        let found: Vec<Option<Force>> =
            found.force.into_iter().map(|force| force.filter(|f| same || matches!(f, Force::Unreached(_)))).collect();
        if !same && found.iter().all(Option::is_some) {
            return;
        }
        for (n, force) in wanted.into_iter().zip(found) {
            if let Some(force) = force {
                self.list[n].force = force;
            }
        }
    }
}
