//! Calls that keep the lists of the position: for parameters and results that hold lists.

use super::drive::{Decide, Dice, Happening, Trace};
use super::run::{Run, Stop, enter, run};
use super::{Fault, Game, State};
use crate::value::*;

/// Calls a function on the position from outside, as [`super::call`] does, but lists stay where they are, so `args` may
/// hold some.
pub fn call_onward<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    func: FuncId,
    args: &[i64],
) -> Result<Stop, Fault> {
    state.stack.clear();
    state.frames.clear();
    state.running.clear();
    state.stack.extend_from_slice(args);
    enter(game, state, func, 0, 0, 0, u32::MAX)?;
    if T::ON {
        let args = state.stack[..game.program.funcs[func.at()].params as usize].to_vec();
        with.trace.happen(game, state, &Happening::Enter { func, args: &args });
    }
    run(game, state, with)
}
