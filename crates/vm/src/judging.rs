//! Evaluates pure code outside the main execution: conditions, costs and keys of the running function, and header
//! lines.

use super::bodies::Question;
use super::context::Pure;
use super::judgements::BoardAnswer;
use super::run::{room, run};
use super::{Fault, Game, State};
use grognard_program::{Fragment, Reg};
use smallvec::SmallVec;

/// Cells of a value, usually one or two.
pub type Cells = SmallVec<[i64; 4]>;

/// Evaluates pure code of an action's header as if this instance had been picked. `top` is the first free register.
///
/// # Errors
///
/// Returns the fault of the evaluation.
pub fn judge_instance(
    game: &Game,
    state: &mut State,
    fragment: Fragment,
    top: Reg,
    cells: &[i64],
) -> Result<Cells, Fault> {
    let base = state.base;
    let at = base as usize + top as usize;
    room(state, at + cells.len() + fragment.top as usize + 8);
    state.stack[at..at + cells.len()].copy_from_slice(cells);
    state.base = at as u32;
    let found = judge(game, state, fragment, None);
    state.base = base;
    found
}

/// Runs pure code of the running function and returns its cells. First writes `entry` to its register.
///
/// # Errors
///
/// Returns the fault of the evaluation.
pub fn judge(game: &Game, state: &mut State, fragment: Fragment, entry: Option<(Reg, &[i64])>) -> Result<Cells, Fault> {
    judge_asking(game, state, fragment, entry, false).cells
}

/// Value of an evaluation, with its cost.
pub(super) struct Judged {
    pub cells: Result<Cells, Fault>,
    /// Number of loop rounds and calls.
    pub rounds: u64,
    /// Queries of the board with their answers, if recorded.
    pub asked: Vec<(Question, BoardAnswer)>,
}

/// Evaluates like [`judge`] and, with `noting`, records the queries of the board.
pub(super) fn judge_asking(
    game: &Game,
    state: &mut State,
    fragment: Fragment,
    entry: Option<(Reg, &[i64])>,
    noting: bool,
) -> Judged {
    let (pc, base) = (state.pc, state.base as usize);
    let mut kept = Cells::new();
    room(state, base + fragment.top as usize + 8);
    if let Some((reg, cells)) = entry {
        let at = base + reg as usize;
        room(state, at + cells.len());
        kept.extend_from_slice(&state.stack[at..at + cells.len()]);
        state.stack[at..at + cells.len()].copy_from_slice(cells);
    }
    state.pc = fragment.entry;
    let mut pure = Pure::pure(game);
    pure.asked = noting.then(Vec::new);
    let frames = state.frames.len();
    let outcome = run(game, state, &mut pure);
    state.frames.truncate(frames);
    state.base = base as u32;
    state.pc = pc;
    let at = base + fragment.result as usize;
    let cells = Cells::from_slice(&state.stack[at..at + fragment.width as usize]);
    if let Some((reg, _)) = entry {
        let at = base + reg as usize;
        state.stack[at..at + kept.len()].copy_from_slice(&kept);
    }
    // lists in the result remain readable: the caller truncates the heap
    Judged { cells: outcome.map(|_| cells), rounds: game.fuel - pure.fuel, asked: pure.asked.unwrap_or_default() }
}
