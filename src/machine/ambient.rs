//! Dynamically scoped variables: the innermost phase or action of a sort, and where its variables lie.

use super::state::What;
use super::{Fault, Game, Running, State};
use crate::base::Code;
use crate::program::schema::AmbientCase;
use crate::value::*;

/// Where a variable of a running phase or action lies: absolute register and cells.
pub(super) fn ambient(game: &Game, state: &State, id: AmbientId) -> Result<(usize, usize), Fault> {
    let info = &game.program.schema.ambients[id.at()];
    let width = game.program.schema.width(&info.ty).max(1);
    let action = running_action(state);
    for case in &info.cases {
        let found = match *case {
            AmbientCase::Phase(phase, local) => {
                innermost(state, phase).map(|r| (r, game.program.phases[phase.at()].locals[local.at()]))
            }
            AmbientCase::Action(id, local) => {
                action.filter(|(a, _)| *a == id).map(|(_, r)| (r, game.program.actions[id.at()].locals[local.at()]))
            }
            AmbientCase::PhaseOfAction(id, phase, local) => action
                .filter(|(a, _)| *a == id)
                .and_then(|_| innermost(state, phase))
                .map(|r| (r, game.program.phases[phase.at()].locals[local.at()])),
        };
        if let Some((running, reg)) = found {
            return Ok((running.base as usize + reg as usize, width));
        }
    }
    Err(Fault::new(Code::Scope, format!("`{}` belongs to a phase that is not running", info.name)))
}

fn innermost(state: &State, phase: PhaseId) -> Option<Running> {
    state.running.iter().rev().find(|r| r.what == What::Phase(phase)).copied()
}

/// The innermost running action.
pub(super) fn running_action(state: &State) -> Option<(ActionId, Running)> {
    state.running.iter().rev().find_map(|r| match r.what {
        What::Action(id) => Some((id, *r)),
        What::Phase(_) => None,
    })
}
