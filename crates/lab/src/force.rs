//! Which edits between two versions of rules can show on a table: an edit is in force, or the scenario holds what it changes,
//! or no run reaches it. No figure says anything of an edit that is not in force.

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

/// An edit.
#[derive(Clone, Debug)]
pub enum EditOf {
    /// Of the rules.
    Rules(Edit),
    /// A param or a reading that is set otherwise for the two versions, whatever the scenario sets.
    Setting(String),
}

/// Whether an edit can show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "force", content = "why", rename_all = "snake_case")]
pub enum Force {
    /// Code that reads or runs it is reached, or nothing else is known.
    InForce,
    /// The scenario sets what it changes.
    Held(String),
    /// No code that reads or runs it is reached.
    Unreached(String),
}

impl Force {
    /// Why the edit is not in force, in words; none if it is.
    pub fn told(&self) -> Option<String> {
        match self {
            Force::InForce => None,
            Force::Held(why) => Some(format!("held: {why}")),
            Force::Unreached(why) => Some(format!("never reached on this table: {why}")),
        }
    }
}

/// An edit, and whether it can show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The edit in a line.
    pub edit: String,
    /// Whether it can show.
    #[serde(flatten)]
    pub force: Force,
}

/// The edits between two versions of a table.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// The edits.
    edits: Vec<EditOf>,
    /// What is known of each.
    list: Vec<Standing>,
}

/// Runs of each version that are looked at, at most: where nothing differs, and where something does.
pub const RUNS_LOOKED_AT: [u64; 2] = [10_000, 200];

/// How runs are looked at for edits that the table alone leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// The question that was answered: its seed, and whether each version throws its own dice.
    pub question: Question,
    /// Runs of each version that are looked at, at most.
    pub runs: u64,
    /// What an exact look may cost, if the answer was exact.
    pub exact: Option<Budget>,
}

impl Standings {
    /// What the table alone says of each edit. `told` has a line for each of them. `by_hand` are params and readings that the
    /// command line sets for both versions alike.
    pub fn new(edits: Vec<EditOf>, told: Vec<String>, sides: [&Scenario; 2], by_hand: &[String]) -> Standings {
        let table = table::Table::new(sides, by_hand);
        let own = |edit: &EditOf| match edit {
            EditOf::Rules(edit) => Some(edit.change.name.clone()),
            EditOf::Setting(name) => Some(name.clone()),
        };
        let names: Vec<String> = edits.iter().filter_map(own).collect();
        let list = edits.iter().zip(told);
        let list = list.map(|(edit, told)| Standing { force: table.force(edit, &names), edit: told }).collect();
        Standings { edits, list }
    }

    /// Each edit with what is known of it.
    pub fn list(&self) -> &[Standing] {
        &self.list
    }

    /// True if there are edits, and none of them is in force.
    pub fn nothing(&self) -> bool {
        !self.list.is_empty() && self.list.iter().all(|standing| standing.force != Force::InForce)
    }

    /// True if runs may say more: more than one edit may be in force, or what was found is the same in both versions.
    pub fn open(&self, same: bool) -> bool {
        let open = self.list.iter().filter(|standing| standing.force == Force::InForce).count();
        open > 1 || open == 1 && same
    }

    /// Takes in what covered runs of both versions came to. `same` says that no measure differs; else one edit is in force.
    pub fn look(&mut self, covered: &[Scenario; 2], looks: Looks, same: bool) {
        let wanted: Vec<usize> = (0..self.list.len()).filter(|n| self.list[*n].force == Force::InForce).collect();
        let edits: Vec<&EditOf> = wanted.iter().map(|n| &self.edits[*n]).collect();
        let found = cover(covered, &edits, looks);
        // what differs does so because of an edit; dice that are given hold one only where nothing differs
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
