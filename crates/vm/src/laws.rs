//! Laws that read values that were never given.

use super::context::With;
use super::drive::{MachineEvent, Remark};
use super::{Fault, Game, State};
use grognard_base::Code;

/// Treats a law as satisfied if it reads a value that was never given, and continues after it. Returns any other fault.
pub(super) fn excuse(game: &Game, state: &mut State, with: &mut With<'_>, fault: Fault) -> Result<(), Fault> {
    let laws = &game.program.schema.laws;
    let judged = |f: &super::state::Frame| laws.iter().find(|law| law.func == f.func);
    let found = state.frames.iter().enumerate().rev().find_map(|(at, frame)| Some((at, judged(frame)?)));
    let Some((at, law)) = found.filter(|(at, _)| fault.code == Code::Unset && *at > 0) else { return Err(fault) };
    let frame = state.frames[at];
    state.frames.truncate(at);
    state.heap.truncate(frame.heap as usize);
    state.base = frame.base;
    state.pc = frame.back;
    state.stack[frame.base as usize + frame.dst as usize] = 1;
    if with.traced {
        let remark = Remark::Unjudged { law: law.name.clone(), why: fault.message };
        with.tell(game, state, &MachineEvent::Remark(&remark));
    }
    Ok(())
}
