//! The table of a run at one point, for a played run and for a game.

use crate::{Thing, Value};
use grognard_base::value::KindId;
use grognard_vm::{Game as Machine, KindLayout, State};

/// The table of a run at one point.
#[derive(Clone, Copy)]
pub(crate) struct View<'p> {
    pub game: &'p Machine,
    pub state: &'p State,
}

impl<'p> View<'p> {
    /// Returns all things that are or were in play.
    pub fn all(self) -> impl Iterator<Item = Thing<'p>> {
        let used = move |layout: &KindLayout| self.state.cells.get(layout.used).copied().unwrap_or(0);
        let kinds = self.game.layout.kinds.iter().enumerate();
        let things = kinds.flat_map(move |(kind, layout)| (0..used(layout)).map(move |n| (KindId::from(kind), n)));
        things.map(move |(kind, number)| Thing { view: self, kind, number })
    }

    /// Returns a state of the game.
    pub fn state(self, name: &str) -> Option<Value> {
        let View { game, state } = self;
        let globals = &game.program.schema.globals;
        let id = globals.iter().position(|global| global.name == name)?;
        let layout = game.layout.globals[id];
        Some(crate::value::stored(game, state, &globals[id].ty, layout, layout.base))
    }
}
