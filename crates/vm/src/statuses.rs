//! Statuses of a state: rows of status, bearer and data, oldest first.

use super::{Game, State};
use grognard_base::value::*;

pub(super) fn data_width(game: &Game, id: TraitId) -> usize {
    let record = game.program.schema.traits[id.at()].data;
    game.program.schema.width(&Type::Record(record))
}

/// Returns the statuses of a state as text with their data, each with the name of its bearer.
pub fn granted(game: &Game, state: &State) -> Vec<(String, String)> {
    let rules = &game.program.schema;
    let rendered = |(at, id, bearer, width): (usize, TraitId, i64, usize)| {
        let status = &rules.traits[id.at()];
        let data = game.tell(state, &Type::Record(status.data), &state.granted[at + 2..at + 2 + width]);
        let name = if width == 0 { status.name.clone() } else { format!("{} {data}", status.name) };
        (name, game.name(status.on, bearer))
    };
    rows(game, &state.granted).into_iter().map(rendered).collect()
}

/// Returns the statuses of a state as cells, in an order that does not depend on the order of grants.
pub fn statuses(game: &Game, state: &State) -> Vec<i64> {
    let row = |(at, _, _, width): (usize, TraitId, i64, usize)| &state.granted[at..at + 2 + width];
    let mut all: Vec<&[i64]> = rows(game, &state.granted).into_iter().map(row).collect();
    all.sort_unstable();
    all.concat()
}

/// Returns the start of each row of `granted` with its status, bearer and data width.
pub(super) fn rows(game: &Game, granted: &[i64]) -> Vec<(usize, TraitId, i64, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < granted.len() {
        let id = TraitId(granted[at] as u32);
        let width = data_width(game, id);
        found.push((at, id, granted[at + 1], width));
        at += 2 + width;
    }
    found
}

/// Returns the data of all instances of a status on a thing, oldest first.
pub(super) fn instances(game: &Game, state: &State, id: TraitId, thing: i64) -> Vec<i64> {
    let mut cells = Vec::new();
    for (at, status, bearer, width) in rows(game, &state.granted) {
        if status == id && bearer == thing {
            cells.extend_from_slice(&state.granted[at + 2..at + 2 + width]);
        }
    }
    cells
}

/// Removes the instances of statuses for which `which` returns `true`.
pub(super) fn take_away(game: &Game, state: &mut State, which: impl Fn(TraitId, i64, &[i64]) -> bool) {
    let mut kept = Vec::with_capacity(state.granted.len());
    for (at, status, bearer, width) in rows(game, &state.granted) {
        let row = &state.granted[at..at + 2 + width];
        if which(status, bearer, &row[2..]) {
            state.cells[game.layout.bears[status.at()] + bearer as usize] -= 1;
        } else {
            kept.extend_from_slice(row);
        }
    }
    state.granted = kept;
}
