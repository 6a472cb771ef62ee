//! The final states of a scenario: how many distinct states exist and how likely each one is.

use super::Explored;
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Distribution, Label, Worth};
use grognard_vm::{State, statuses};

/// Distinct final states.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Each state with the bounds of its probability, most likely first. Only fields, pieces in play, and statuses distinguish
    /// states.
    pub list: Vec<(State, [Fraction; 2])>,
    /// Unexplored probability. More states can exist.
    pub open: Fraction,
    /// `Bounded` if the list is not complete.
    pub label: Label,
}

impl Explored<'_> {
    /// Returns the distinct states in which the scenario can end. Runs that end in an error or never end are omitted.
    pub fn ends(&self) -> Ends {
        let start = &self.scenario.game.start;
        let width = start.cells.len();
        let game = &self.scenario.game;
        let cells = |state: &State| [state.cells.as_slice(), &statuses(game, state)].concat();
        let mut found: Distribution = self.graph.distribution_by(cells);
        if self.graph.provisional() {
            found.forget();
        }
        let mut list = Vec::new();
        for outcome in &found.outcomes {
            let Worth::Cells(all) = &outcome.worth else { continue };
            let (cells, granted) = all.split_at(width.min(all.len()));
            let state = State { cells: cells.to_vec(), granted: granted.to_vec(), ..State::default() };
            list.push((state, found.share_between(outcome)));
        }
        order::sort_by(&mut list, |a, b| b.1[0].cmp(&a.1[0]));
        let sure = self.free.is_empty() && self.graph.enclosure().is_none();
        Ends { list, open: found.unexplored(), label: if sure { found.label } else { Label::Bounded } }
    }
}
