//! The dispatch loop of the machine.

use super::ambient::{ambient, running_action};
use super::context::Run;
use super::drive::{Decide, Dice, Drivers, Flow, MachineEvent, Trace};
use super::fast::fast;
use super::layout::Step;
use super::state::{Handle, UNSET, What};
use super::{Fault, Frame, Game, Running, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::{FaultCode, FuncSort, Instr, Pc, Reg};

/// Reason why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The called function returned. Its result is at the bottom of the stack.
    Finished,
    /// A fragment ended.
    Judged,
    /// A driver will answer later, and the next instruction repeats the query. Or the next instruction is in
    /// [`Run::stops`].
    Waiting,
    /// A phase that the caller waits for began or ended.
    Reached,
}

/// Calls a function of the state from outside with the parameters `args`.
///
/// # Errors
///
/// Returns the fault that ended the call.
pub fn call<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<Drivers<D, C, T>>,
    func: FuncId,
    args: &[i64],
) -> Result<Stop, Fault> {
    state.heap.clear();
    call_onward(game, state, with, func, args)
}

/// Calls a function like [`call`] but keeps the lists of the state, so `args` can contain lists.
///
/// # Errors
///
/// Returns the fault that ended the call.
pub fn call_onward<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<Drivers<D, C, T>>,
    func: FuncId,
    args: &[i64],
) -> Result<Stop, Fault> {
    begin(game, state, with, func, args)?;
    run(game, state, with)
}

/// Begins a call like [`call_onward`], before its first instruction. [`run`] executes it.
///
/// # Errors
///
/// Returns a fault if the maximum call depth is exceeded.
pub fn begin<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<Drivers<D, C, T>>,
    func: FuncId,
    args: &[i64],
) -> Result<(), Fault> {
    state.stack.clear();
    state.frames.clear();
    state.running.clear();
    state.stack.extend_from_slice(args);
    enter(game, state, func, 0, 0, 0, u32::MAX)?;
    if with.traced {
        let args = state.stack[..game.program.funcs[func.at()].params as usize].to_vec();
        with.drivers.trace.happen(game, state, &MachineEvent::Enter { func, args: &args });
    }
    Ok(())
}

/// Returns the result of the function that [`call`] ran; for a list, its entries.
pub(super) fn given(game: &Game, state: &State, func: FuncId) -> Vec<i64> {
    let info = &game.program.funcs[func.at()];
    if let Some((cell, width)) = info.lists.first() {
        let list = Handle::of(state.stack[*cell as usize]);
        return state.heap[list.at..list.at + list.len * *width as usize].to_vec();
    }
    state.stack[..info.result as usize].to_vec()
}

pub(super) fn room(state: &mut State, len: usize) {
    if state.stack.len() < len {
        state.stack.resize(len, 0);
    }
}

/// Enters a function whose frame starts at `base`.
///
/// # Errors
///
/// Returns a fault if the maximum call depth is exceeded.
pub(super) fn enter(
    game: &Game,
    state: &mut State,
    func: FuncId,
    base: usize,
    back: Pc,
    dst: Reg,
    caller: u32,
) -> Result<(), Fault> {
    if state.frames.len() >= game.depth {
        return Err(Fault::new(Code::Depth, format!("more than {} nested rules", game.depth)));
    }
    let info = &game.program.funcs[func.at()];
    room(state, base + info.frame as usize);
    state.frames.push(Frame { func, back, base: caller, dst, heap: state.heap.len() as u32 });
    state.base = base as u32;
    state.pc = info.entry;
    Ok(())
}

/// Runs until the machine stops.
///
/// # Errors
///
/// Returns the fault that ended the run, with its location and callers.
pub fn run<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<Drivers<D, C, T>>,
) -> Result<Stop, Fault> {
    loop {
        match steps(game, state, with) {
            Ok(stop) => return Ok(stop),
            Err(fault) => {
                state.memo.unwind();
                super::laws::excuse(game, state, with, fault).map_err(|f| located(game, state, f))?
            }
        }
    }
}

/// Adds the location and the callers to a fault.
fn located(game: &Game, state: &State, mut fault: Fault) -> Fault {
    if fault.span.is_none() {
        fault.span = game.program.debug.place(state.pc);
    }
    if fault.stack.is_empty() {
        fault.stack = state.frames.iter().rev().filter_map(|f| name_of(game, f.func)).collect();
    }
    fault
}

fn name_of(game: &Game, func: FuncId) -> Option<String> {
    let rules = &game.program.schema;
    if game.program.funcs.get(func.at()).is_some_and(|f| f.sort == FuncSort::Snippet) {
        return None;
    }
    let name = game.program.functions.get(func.at()).map(|f| f.name.clone()).or_else(|| {
        let item = game.program.funcs.get(func.at())?.item;
        rules.items.get(item.at()).map(|i| i.name.clone())
    })?;
    (!name.is_empty()).then_some(name)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "an instruction without an implementation is an error")]
fn steps<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<Drivers<D, C, T>>,
) -> Result<Stop, Fault> {
    // a compile-time constant, except for whether the run is traced
    let (exact, pure, traced) = (with.drivers.dice.exact(), with.drivers.dice.pure(), with.drivers.trace.on());
    let code = game.program.code.as_slice();
    let mut pc = state.pc as usize;
    let mut base = state.base as usize;
    macro_rules! reg {
        ($r:expr) => {
            state.stack[base + $r as usize]
        };
    }
    macro_rules! burn {
        () => {
            if with.fuel == 0 {
                state.pc = pc as Pc;
                return Err(Fault::new(Code::Fuel, format!("more than {} rounds and calls in one step", game.fuel)));
            }
            with.fuel -= 1;
        };
    }
    // instructions that can fail or read the whole state need the program counter
    macro_rules! slow {
        ($e:expr) => {{
            state.pc = pc as Pc;
            $e?
        }};
    }
    loop {
        // plain steps run on slices that stay in registers; the first other step returns here
        let by = (&mut with.drivers.dice, traced);
        (pc, base) = if exact && !with.stops.is_clear() {
            fast::<D, true>(game, state, by, &mut with.fuel, &with.stops, (pc, base))
        } else {
            fast::<D, false>(game, state, by, &mut with.fuel, &with.stops, (pc, base))
        };
        state.base = base as u32;
        if exact && with.stops.contains(pc) {
            (state.pc, state.base) = (pc as Pc, base as u32);
            return Ok(Stop::Waiting);
        }
        // the first instruction of a fused roll that the loop did not execute is executed separately
        if let Step::Throw { at } = game.linked.steps[pc]
            && let throw = &game.linked.throws[at as usize]
            && let Some((thing, kind)) = throw.pack
        {
            reg!(throw.subject) = pack_thing(kind, reg!(thing));
            pc += 1;
            continue;
        }
        let instr = &code[pc];
        pc += 1;
        if exact {
            state.base = base as u32;
            state.pc = pc as Pc;
            match super::lazy_dice::see(game, state, base, pc as Pc - 1, *instr)? {
                super::lazy_dice::Seen::Plain => {}
                super::lazy_dice::Seen::Done => continue,
                super::lazy_dice::Seen::Open => {
                    state.pc = pc as Pc - 1;
                    return Ok(Stop::Waiting);
                }
            }
            match *instr {
                Instr::Call { func, .. } | Instr::CallExtern { func, .. } => with.drivers.dice.enters(func),
                Instr::Setting { id, .. } => with.drivers.dice.reads(id),
                Instr::Ran { clause } => with.drivers.dice.comes_by(clause),
                Instr::Look { dst, list, op, than } => {
                    reg!(dst) = super::layout::look(state.list(reg!(list)), op, reg!(than));
                    continue;
                }
                _ => {}
            }
        }
        match *instr {
            Instr::CopyMany { dst, src, n } => {
                let from = base + src as usize;
                state.stack.copy_within(from..from + n as usize, base + dst as usize);
            }
            // no fuel left
            Instr::Jump { .. } | Instr::NextThing { .. } => {
                burn!();
                pc -= 1;
            }
            // overflow
            Instr::AddConst { a, value, .. } => {
                state.pc = pc as Pc;
                return Err(super::fault::too_large(reg!(a), Op::Add, i64::from(value)));
            }
            Instr::Op { op, dst, a, b, n } => slow!(super::operate::operate(game, state, op, dst, a, b, n)),
            Instr::Setting { dst, id } => {
                let (at, width) = game.layout.settings[id.at()];
                reg!(dst) = state.cells[at];
                if width > 1 {
                    reg!(dst + 1) = state.cells[at + 1];
                }
            }
            Instr::Global { dst, id } => {
                let layout = game.layout.globals[id.at()];
                let dst = base + dst as usize;
                if state.cells[layout.base] == UNSET {
                    state.pc = pc as Pc;
                    return Err(Fault::new(
                        Code::Unset,
                        format!("`{}` has no value", game.program.schema.globals[id.at()].name),
                    ));
                }
                if layout.entry > 0 {
                    super::lists::take_out(state, dst, layout.base, layout.entry);
                    continue;
                }
                state.stack[dst..dst + layout.width]
                    .copy_from_slice(&state.cells[layout.base..layout.base + layout.width]);
            }
            Instr::Field { dst, thing, id } => {
                let layout = &game.layout.fields[id.at()];
                if layout.entry > 0 {
                    slow!(super::lists::load(game, state, base + dst as usize, base + thing as usize, id, 0));
                    continue;
                }
                let at = layout.base + reg!(thing) as usize * layout.width * layout.figures;
                let first = state.cells[at];
                if first == UNSET {
                    state.pc = pc as Pc;
                    return Err(super::fault::unset(game, id, reg!(thing)));
                }
                reg!(dst) = first;
                if layout.width > 1 {
                    let dst = base + dst as usize;
                    state.stack[dst..dst + layout.width].copy_from_slice(&state.cells[at..at + layout.width]);
                }
            }
            Instr::Keyed { dst, thing, id, key } => {
                slow!(super::lists::load_keyed(
                    game,
                    state,
                    base + dst as usize,
                    base + thing as usize,
                    id,
                    base + key as usize
                ));
            }
            Instr::Ambient { dst, id } => {
                let (at, width) = slow!(ambient(game, state, id));
                let dst = base + dst as usize;
                state.stack.copy_within(at..at + width, dst);
            }
            Instr::SetAmbient { id, src } => {
                let (at, width) = slow!(ambient(game, state, id));
                let src = base + src as usize;
                state.stack.copy_within(src..src + width, at);
            }
            Instr::ActionName { dst } => {
                reg!(dst) = running_action(state).map_or(-1, |(action, _)| i64::from(action.0))
            }
            Instr::Actor { dst } => reg!(dst) = running_action(state).map_or(NONE, |(_, at)| state.running[at].actor),
            Instr::Running { dst, phase } => {
                reg!(dst) = i64::from(state.running.iter().any(|r| r.what == What::Phase(phase)))
            }
            Instr::Innermost { dst, phase } => {
                let last = state.running.iter().rev().find(|r| matches!(r.what, What::Phase(_)));
                reg!(dst) = i64::from(last.is_some_and(|r| r.what == What::Phase(phase)))
            }
            Instr::Push { list, src, n } => {
                slow!(super::lists::push(state, base + list as usize, base + src as usize, n as usize))
            }
            Instr::Entry { dst, list, index, n } => {
                let at = Handle::of(reg!(list)).at + reg!(index) as usize * n as usize;
                if n == 1 {
                    reg!(dst) = state.heap[at];
                } else {
                    let dst = base + dst as usize;
                    state.stack[dst..dst + n as usize].copy_from_slice(&state.heap[at..at + n as usize]);
                }
            }
            Instr::Lookup { dst, row, column, at } => {
                let table = &game.program.lookups[at as usize];
                let (row, column) = (reg!(row) as usize, reg!(column) as usize);
                let start = (row * table.columns + column) * table.width;
                let dst = base + dst as usize;
                match table.cells.get(start..start + table.width) {
                    Some(cells) if column < table.columns => state.stack[dst..dst + table.width].copy_from_slice(cells),
                    _ if table.whole => {
                        state.pc = pc as Pc;
                        return Err(super::fault::named(game, state, FaultCode::NoCase, 0));
                    }
                    _ => {
                        state.stack[dst] = NONE;
                        state.stack[dst + 1..dst + table.width].fill(0);
                    }
                }
            }
            Instr::Within { src, at } => {
                let (value, range) = (reg!(src), game.program.bounds[at as usize].range);
                if value < range.low || value > range.high {
                    state.pc = pc as Pc;
                    return Err(super::fault::beyond(game, value, at));
                }
            }
            Instr::Call { func, args, dst } => {
                burn!();
                let new = base + args as usize;
                if pure
                    && state.memo.is_open()
                    && let Some(rounds) = super::memo::recall(game, state, func, new, base + dst as usize, with.fuel)
                {
                    with.fuel -= rounds;
                    continue;
                }
                slow!(enter(game, state, func, new, pc as Pc, dst, base as u32));
                if traced && !game.program.funcs[func.at()].sort.pure() {
                    let args = state.stack[new..new + game.program.funcs[func.at()].params as usize].to_vec();
                    with.drivers.trace.happen(game, state, &MachineEvent::Enter { func, args: &args });
                }
                pc = state.pc as usize;
                base = new;
            }
            Instr::CallExtern { func, args, dst } => {
                burn!();
                let new = base + args as usize;
                room(state, new + game.program.funcs[func.at()].frame as usize);
                state.pc = pc as Pc;
                match super::stand_in::stand_in(game, state, with, func, new, base + dst as usize)? {
                    super::stand_in::Substitute::Done => {}
                    super::stand_in::Substitute::Wait => {
                        state.pc = pc as Pc - 1;
                        state.base = base as u32;
                        return Ok(Stop::Waiting);
                    }
                    super::stand_in::Substitute::Call(func) => {
                        slow!(enter(game, state, func, new, pc as Pc, dst, base as u32));
                        if traced && !game.program.funcs[func.at()].sort.pure() {
                            let args = state.stack[new..new + game.program.funcs[func.at()].params as usize].to_vec();
                            with.drivers.trace.happen(game, state, &MachineEvent::Enter { func, args: &args });
                        }
                        pc = state.pc as usize;
                        base = new;
                    }
                }
            }
            Instr::Return { src, n } => {
                let Some(frame) = state.frames.pop() else { return Ok(Stop::Finished) };
                let info = &game.program.funcs[frame.func.at()];
                let from = base + src as usize;
                if traced && !info.sort.pure() {
                    let result = state.stack[from..from + n as usize].to_vec();
                    state.pc = pc as Pc;
                    with.drivers.trace.happen(game, state, &MachineEvent::Leave { func: frame.func, result: &result });
                }
                if !exact && (frame.heap as usize) < state.heap.len() && (!game.program.keeps_heap || info.sort.pure())
                {
                    super::lists::keep_result(state, frame.heap as usize, from, &info.lists);
                }
                if pure && state.memo.is_open() {
                    super::memo::keep(game, state, frame.func, from, with.fuel);
                }
                let outer = if frame.base == u32::MAX { 0 } else { frame.base as usize };
                let to = outer + frame.dst as usize;
                if n == 1 {
                    state.stack[to] = state.stack[from];
                } else if n > 1 {
                    state.stack.copy_within(from..from + n as usize, to);
                }
                base = outer;
                state.base = outer as u32;
                pc = frame.back as usize;
                if frame.base == u32::MAX {
                    state.pc = pc as Pc;
                    return Ok(Stop::Finished);
                }
            }
            Instr::Done => {
                state.pc = pc as Pc;
                return Ok(Stop::Judged);
            }
            Instr::Ask { at } => {
                state.pc = pc as Pc;
                state.base = base as u32;
                let ask = &game.program.asks[at as usize];
                let hidden = if exact && super::lazy_dice::decides(game, at) {
                    super::lazy_dice::reveal(game, &mut state.heap)
                } else {
                    Vec::new()
                };
                let flow = super::ask::ask(game, state, with, ask)?;
                super::lazy_dice::conceal(&mut state.heap, &hidden);
                if flow == Flow::Wait {
                    state.pc = pc as Pc - 1;
                    return Ok(Stop::Waiting);
                }
                pc = state.pc as usize;
                base = state.base as usize;
            }
            Instr::Enter { phase } => {
                state.pc = pc as Pc;
                let frame = state.frames.len() as u32 - 1;
                state.running.push(Running {
                    what: What::Phase(phase),
                    frame,
                    base: base as u32,
                    actor: -1,
                    ending: false,
                });
                let depth = state.running.len() - 1;
                super::durations::expire(game, state, with, (phase, true), base, depth)?;
            }
            Instr::Started { phase } => {
                if with.halt.is_some_and(|h| h.here(phase, true, state, base)) {
                    state.pc = pc as Pc;
                    return Ok(Stop::Reached);
                }
            }
            Instr::Ending { phase } => {
                if let Some(r) = state.running.iter_mut().rev().find(|r| r.what == What::Phase(phase)) {
                    r.ending = true;
                }
            }
            Instr::Leave { phase } => {
                state.pc = pc as Pc;
                let running = state.running.iter().rposition(|r| r.what == What::Phase(phase));
                super::durations::expire(game, state, with, (phase, false), base, running.unwrap_or(usize::MAX))?;
                super::writes::leave(state, What::Phase(phase));
                if with.halt.is_some_and(|h| h.here(phase, false, state, base)) {
                    return Ok(Stop::Reached);
                }
            }
            Instr::End { phase } => {
                state.pc = pc as Pc;
                pc = super::writes::end_phase(game, state, with, phase)? as usize;
                base = state.base as usize;
            }
            Instr::Begin { action, actor } => {
                let frame = state.frames.len() as u32 - 1;
                state.running.push(Running {
                    what: What::Action(action),
                    frame,
                    base: base as u32,
                    actor: reg!(actor),
                    ending: false,
                });
            }
            Instr::Finish { action } => super::writes::leave(state, What::Action(action)),
            Instr::Cancel => {
                state.pc = pc as Pc;
                pc = super::writes::cancel_action(game, state, with)? as usize;
                base = state.base as usize;
            }
            Instr::Fault { code, at } => {
                state.pc = pc as Pc;
                return Err(super::fault::named(game, state, code, at));
            }
            Instr::Ran { clause } => game.ran.note(clause),
            Instr::Note { at } => {
                if traced {
                    state.pc = pc as Pc;
                    state.base = base as u32;
                    super::note::note(game, state, with, &game.program.notes[at as usize])?;
                }
            }
            _ => {
                state.pc = pc as Pc;
                state.base = base as u32;
                super::writes::rare(game, state, with, *instr)?;
            }
        }
    }
}
