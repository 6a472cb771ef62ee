//! The positions in which a scenario can end: how many different ones there are, and how likely each is.

use super::Explored;
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Distribution, Label, Worth};
use grognard_vm::{State, statuses};

/// The different positions at the end.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Each position with its chance, the likeliest first. Only fields, what is in play and statuses are told apart.
    pub list: Vec<(State, Fraction)>,
    /// What was not explored: chances are that much higher at most, and there may be more positions.
    pub open: Fraction,
    /// Whether these are all.
    pub label: Label,
}

impl Explored<'_> {
    /// In which different positions the scenario can end. Runs that end in an error, or never, come to none.
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
            list.push((state, found.share(outcome)));
        }
        order::sort_by(&mut list, |a, b| b.1.cmp(&a.1));
        let sure = found.label == Label::Exact && self.free.is_empty() && self.graph.enclosure().is_none();
        Ends { list, open: found.unexplored(), label: if sure { Label::Exact } else { Label::Bounded } }
    }
}
