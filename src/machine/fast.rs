//! The fast loop: arithmetic, jumps, looks at lists and stored figures, without a call for each instruction.

use super::game::Game;
use super::layout::{Bound, By, ChangeFigure, Step};
use super::lazy_dice::is_unseen;
use super::state::{Handle, State, UNSET};
use super::stops::Stops;
use crate::value::dice::MOST_DICE;
use crate::value::{FAR, NONE, Op, pack_thing};

/// Runs steps until one needs the whole position, can fail or wants a driver; gives its place. `WRITE` is false if
/// somebody wants to be told of every figure that is written. With `STOP` it also ends before each of `stops`, and what
/// is fused is done one by one, so that none of them is run over.
#[inline]
pub(super) fn fast<const WRITE: bool, const EXACT: bool, const STOP: bool>(
    game: &Game,
    state: &mut State,
    base: usize,
    start: usize,
    fuel: &mut u64,
    stops: &Stops,
) -> usize {
    let linked = &game.linked;
    let steps = linked.steps.as_slice();
    let State { stack, cells, heap, .. } = state;
    let (frame, cells) = (&mut stack[base..], cells.as_mut_slice());
    let mut pc = start;
    // a step that would fail is left for the slow path, which finds the words for it
    macro_rules! jump_if {
        ($holds:expr, $to:expr) => {
            if $holds {
                pc = $to as usize;
                continue;
            }
        };
    }
    macro_rules! jump {
        ($to:expr) => {{
            if ($to as usize) <= pc {
                if *fuel == 0 {
                    return pc;
                }
                *fuel -= 1;
            }
            pc = $to as usize;
            continue;
        }};
    }
    loop {
        if STOP && stops.has(pc) {
            return pc;
        }
        // matched in place: copying the whole step first would put a memory round trip before every dispatch
        match steps[pc] {
            Step::Const { dst, value } => frame[dst as usize] = value,
            Step::Copy { dst, src } => frame[dst as usize] = frame[src as usize],
            Step::AddConst { dst, a, value } => match frame[a as usize].checked_add(i64::from(value)) {
                Some(sum) => frame[dst as usize] = sum,
                None => return pc,
            },
            Step::AtLeast { dst, a, value } => frame[dst as usize] = frame[a as usize].max(i64::from(value)),
            Step::AtMost { dst, a, value } => frame[dst as usize] = frame[a as usize].min(i64::from(value)),
            Step::Within { src, low, high } => {
                let value = frame[src as usize];
                if value < i64::from(low) || value > i64::from(high) {
                    return pc;
                }
            }
            Step::Op { op, dst, a, b, n } => match plain(op, frame[a as usize], frame[b as usize], n) {
                Some(v) => frame[dst as usize] = v,
                None => return pc,
            },
            Step::Sides { dst, a, chain } => {
                frame[dst as usize] = super::operate::sides(game, frame[a as usize], chain as usize)
            }
            Step::Keep { dst, most, list, high } => {
                let Ok(most) = usize::try_from(frame[most as usize]) else { return pc };
                if EXACT {
                    return pc;
                }
                frame[dst as usize] = keep(heap, Handle::of(frame[list as usize]), most, high);
            }
            Step::Total { dst, list } => {
                let list = Handle::of(frame[list as usize]);
                let sum = heap[list.at..list.at + list.len].iter().try_fold(0i64, |sum, v| sum.checked_add(*v));
                match sum {
                    Some(sum) if !EXACT => frame[dst as usize] = sum,
                    _ => return pc,
                }
            }
            Step::Setting { .. } if EXACT => return pc,
            Step::Setting { dst, at } => frame[dst as usize] = cells[at as usize],
            Step::Global { dst, at } => {
                let value = cells[at as usize];
                if value == UNSET {
                    return pc;
                }
                frame[dst as usize] = value;
            }
            Step::SetGlobal { .. } if !WRITE => return pc,
            Step::SetGlobal { at, src } => cells[at as usize] = frame[src as usize],
            Step::Lookup { dst, row, column, at } => {
                let table = &game.program.lookups[at as usize];
                let (row, column) = (frame[row as usize] as usize, frame[column as usize] as usize);
                match table.cells.get(row * table.columns + column) {
                    Some(cell) if column < table.columns => frame[dst as usize] = *cell,
                    _ => return pc,
                }
            }
            Step::Push { list, src } => {
                let mut handle = Handle::of(frame[list as usize]);
                if EXACT || handle.len >= MOST_DICE {
                    return pc;
                }
                super::lists::append(heap, &mut handle, &[frame[src as usize]]);
                frame[list as usize] = handle.cell();
            }
            Step::Jump { to } => jump!(to),
            Step::JumpNone { reg, to } => jump_if!(frame[reg as usize] == NONE, to),
            Step::JumpCompare { holds, a, b, to } => {
                jump_if!(holds.between(frame[a as usize], frame[b as usize]), to)
            }
            Step::JumpCompareConst { holds, a, value, to } => {
                jump_if!(holds.between(frame[a as usize], i64::from(value)), to)
            }
            Step::Switch { a, at } => {
                let switch = &linked.switches[at as usize];
                let value = frame[a as usize];
                if STOP {
                    let (holds, than, to) = switch.first;
                    jump_if!(holds.between(value, i64::from(than)), to);
                } else {
                    let last = switch.to.len() as i64 - 1;
                    pc = switch.to[value.saturating_sub(switch.low).clamp(0, last) as usize] as usize;
                    continue;
                }
            }
            Step::Figure { dst, thing, column } => {
                let value = cells[column as usize + frame[thing as usize] as usize];
                if value == UNSET {
                    return pc;
                }
                frame[dst as usize] = value;
            }
            Step::SetFigure { thing, src, column } => {
                let value = frame[src as usize];
                if !WRITE || i32::try_from(value).is_err() {
                    return pc;
                }
                cells[column as usize + frame[thing as usize] as usize] = value;
            }
            Step::Cell { dst, thing, column } => {
                frame[dst as usize] = cells[column as usize + frame[thing as usize] as usize];
            }
            Step::NextThing { dst, kind, to } => {
                if *fuel == 0 {
                    return pc;
                }
                *fuel -= 1;
                let layout = &game.layout.kinds[kind.at()];
                let used = cells[layout.used];
                let mut next = frame[dst as usize] + 1;
                while next < used && cells[layout.alive + next as usize] == 0 {
                    next += 1;
                }
                jump_if!(next >= used, to);
                frame[dst as usize] = next;
            }
            Step::Bears { dst, thing, column } => {
                let count = cells[column as usize + frame[thing as usize] as usize];
                frame[dst as usize] = i64::from(count > 0);
            }
            Step::NewList { dst } => frame[dst as usize] = 0,
            Step::Length { dst, list } => frame[dst as usize] = Handle::of(frame[list as usize]).len as i64,
            Step::LookConst { than, value, .. } if EXACT => frame[than as usize] = i64::from(value),
            Step::Entry { dst, list, index } => {
                let list = Handle::of(frame[list as usize]);
                if EXACT && unseen(&heap[list.at..list.at + list.len]) {
                    return pc;
                }
                frame[dst as usize] = heap[list.at + frame[index as usize] as usize];
            }
            Step::Look { dst, list, op, than } => {
                let list = Handle::of(frame[list as usize]);
                let entries = &heap[list.at..list.at + list.len];
                if EXACT && unseen(entries) {
                    return pc;
                }
                frame[dst as usize] = look(entries, op, frame[than as usize]);
            }
            Step::Mark { dst } => frame[dst as usize] = heap.len() as i64,
            Step::Release { mark } => heap.truncate(frame[mark as usize] as usize),
            Step::JumpFigure { holds, dst, thing, value, column, to } => {
                let figure = cells[column as usize + frame[thing as usize] as usize];
                if figure == UNSET {
                    return pc;
                }
                frame[dst as usize] = figure;
                if !STOP {
                    jump_if!(holds.between(figure, i64::from(value)), to);
                    pc += 1;
                }
            }
            Step::JumpCount { holds, dst, a, value, b, to } => {
                let count = frame[a as usize].saturating_add(i64::from(value));
                frame[dst as usize] = count;
                if !STOP {
                    jump_if!(holds.between(count, frame[b as usize]), to);
                    pc += 1;
                }
            }
            Step::LookConst { dst, list, op, than, value } => {
                frame[than as usize] = i64::from(value);
                let list = Handle::of(frame[list as usize]);
                frame[dst as usize] = look(&heap[list.at..list.at + list.len], op, i64::from(value));
                pc += 1;
            }
            Step::ReleaseJump { mark, to } => {
                heap.truncate(frame[mark as usize] as usize);
                if !STOP {
                    pc += 1;
                    jump!(to)
                }
            }
            Step::Change { at } => {
                let change = &linked.changes[at as usize];
                let value = cells[change.from as usize + frame[change.thing as usize] as usize];
                if value == UNSET {
                    return pc;
                }
                frame[change.reg as usize] = value;
                if WRITE && !STOP && self::change(change, frame, cells) {
                    pc += change.length as usize;
                    continue;
                }
            }
            Step::Throw { .. } | Step::Careful => return pc,
        }
        pc += 1;
    }
}

/// A new list of the highest or lowest entries of a list, the best first.
#[inline]
fn keep(heap: &mut Vec<i64>, list: Handle, most: usize, high: bool) -> i64 {
    let at = heap.len();
    heap.extend_from_within(list.at..list.at + list.len);
    if high {
        heap[at..].sort_unstable_by(|a, b| b.cmp(a));
    } else {
        heap[at..].sort_unstable();
    }
    heap.truncate(at + most.min(list.len));
    Handle { at, len: heap.len() - at }.cell()
}

/// While odds are computed the dice of a list may not be seen yet.
#[inline]
fn unseen(entries: &[i64]) -> bool {
    entries.iter().any(|cell| is_unseen(*cell))
}

/// Changes the figure in its register and writes it; false if a step on the way would fail.
#[inline]
fn change(change: &ChangeFigure, frame: &mut [i64], cells: &mut [i64]) -> bool {
    let thing = frame[change.thing as usize] as usize;
    let old = frame[change.reg as usize];
    let changed = match change.by {
        By::Const(value) => Some(old.saturating_add(value)),
        By::Plus(b) => old.checked_add(frame[b as usize]),
        By::Minus(b) => old.checked_sub(frame[b as usize]),
    };
    let mut limit = |bound| match bound {
        Bound::Const(limit) => limit,
        Bound::Figure { reg, column } => {
            let limit = cells[column as usize + thing];
            frame[reg as usize] = limit;
            limit
        }
    };
    let (high, low) = (limit(change.high), limit(change.low));
    let (Some(changed), true) = (changed, high != UNSET && low != UNSET) else { return false };
    let value = changed.min(high).max(low);
    if i32::try_from(value).is_err() {
        return false;
    }
    frame[change.reg as usize] = value;
    cells[change.to as usize + thing] = value;
    true
}

/// Plain arithmetic on single cells; none if it overflows or is not plain.
#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever is not plain takes the slow path")]
pub(super) fn plain(op: Op, x: i64, y: i64, n: u16) -> Option<i64> {
    match op {
        Op::Add => x.checked_add(y),
        Op::Sub => x.checked_sub(y),
        Op::Mul => x.checked_mul(y),
        Op::Min => Some(x.min(y)),
        Op::Max => Some(x.max(y)),
        Op::Eq | Op::Ne if n > 1 => None,
        Op::Eq => Some(i64::from(x == y)),
        Op::Ne => Some(i64::from(x != y)),
        Op::Lt => Some(i64::from(x < y)),
        Op::Le => Some(i64::from(x <= y)),
        Op::Gt => Some(i64::from(x > y)),
        Op::Ge => Some(i64::from(x >= y)),
        Op::Not => Some(1 - x),
        // further than any chain is long
        Op::Up => Some(x.saturating_add(y).clamp(-FAR, FAR)),
        Op::Down => Some(x.saturating_sub(y).clamp(-FAR, FAR)),
        Op::Closed if n > 0 => Some(x.clamp(0, i64::from(n) - 1)),
        Op::IsPast => Some(i64::from(x < 0 || x >= i64::from(n))),
        Op::Pack => Some(pack_thing(crate::value::KindId(u32::from(n)), x)),
        _ => None,
    }
}

/// How many entries compare so with a value.
#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "no other operator compares single cells")]
pub(super) fn look(entries: &[i64], op: Op, than: i64) -> i64 {
    let count = |holds: fn(i64, i64) -> bool| entries.iter().map(|v| i64::from(holds(*v, than))).sum();
    match op {
        Op::Eq => count(|v, t| v == t),
        Op::Ne => count(|v, t| v != t),
        Op::Lt => count(|v, t| v < t),
        Op::Le => count(|v, t| v <= t),
        Op::Gt => count(|v, t| v > t),
        Op::Ge => count(|v, t| v >= t),
        _ => 0,
    }
}
