//! Dynamically scoped variables: finds the innermost phase or action of a kind and the location of its variables.

use super::state::What;
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::schema::AmbientCase;

/// Returns the location of a variable of a running phase or action: absolute register and number of cells.
pub(super) fn ambient(game: &Game, state: &State, id: AmbientId) -> Result<(usize, usize), Fault> {
    let info = &game.program.schema.ambients[id.at()];
    let width = game.program.schema.width(&info.ty).max(1);
    let action = running_action(state);
    let mut found: Option<(usize, usize)> = None;
    for case in &info.cases {
        let (at, reg) = match *case {
            AmbientCase::Phase(phase, local) => {
                (innermost(state, phase), game.program.phases[phase.at()].locals[local.at()])
            }
            AmbientCase::Action(id, local) => {
                (action.filter(|(a, _)| *a == id).map(|(_, at)| at), game.program.actions[id.at()].locals[local.at()])
            }
            AmbientCase::PhaseOfAction(id, phase, local) => (
                action.filter(|(a, _)| *a == id).and_then(|_| innermost(state, phase)),
                game.program.phases[phase.at()].locals[local.at()],
            ),
        };
        // of several phases, an action was taken in the one that began last
        if let Some(at) = at
            && found.is_none_or(|(best, _)| best < at)
        {
            found = Some((at, state.running[at].base as usize + reg as usize));
        }
    }
    let missing = || Fault::new(Code::Scope, format!("`{}` belongs to a phase that is not running", info.name));
    found.map(|(_, reg)| (reg, width)).ok_or_else(missing)
}

fn innermost(state: &State, phase: PhaseId) -> Option<usize> {
    state.running.iter().rposition(|r| r.what == What::Phase(phase))
}

/// Returns the innermost running action, and its index among the running phases and actions.
pub(super) fn running_action(state: &State) -> Option<(ActionId, usize)> {
    state.running.iter().enumerate().rev().find_map(|(at, r)| match r.what {
        What::Action(id) => Some((id, at)),
        What::Phase(_) => None,
    })
}
