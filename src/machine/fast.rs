//! The plain instructions: arithmetic, jumps, looks at lists, stored figures.

use super::drive::{Dice, Trace};
use super::game::Game;
use super::state::{Handle, UNSET};
use crate::program::Instr;
use crate::value::{NONE, Op};

/// Runs instructions until one needs the whole position, can fail or wants a driver; gives its place.
/// An instruction that would fail here is left for the careful path, which finds the words for it.
#[inline]
pub(super) fn fast<D: Dice, T: Trace>(
    game: &Game,
    frame: &mut [i64],
    cells: &mut [i64],
    heap: &[i64],
    start: usize,
    fuel: &mut u64,
) -> usize {
    let code = game.program.code.as_slice();
    let mut pc = start;
    loop {
        // matched in place: copying the whole instruction first would put a memory round trip before every dispatch
        match code[pc] {
            Instr::Const { dst, value } => frame[dst as usize] = i64::from(value),
            Instr::Wide { dst, at } => frame[dst as usize] = game.program.pool[at as usize],
            Instr::Copy { dst, src } => frame[dst as usize] = frame[src as usize],
            Instr::AddConst { dst, a, value } => {
                frame[dst as usize] = frame[a as usize].saturating_add(i64::from(value))
            }
            Instr::AtLeast { dst, a, value } => frame[dst as usize] = frame[a as usize].max(i64::from(value)),
            Instr::AtMost { dst, a, value } => frame[dst as usize] = frame[a as usize].min(i64::from(value)),
            Instr::Op { op, dst, a, b, n } => match plain(op, frame[a as usize], frame[b as usize], n) {
                Some(v) => frame[dst as usize] = v,
                None => return pc,
            },
            Instr::Jump { to } => {
                if (to as usize) <= pc {
                    if *fuel == 0 {
                        return pc;
                    }
                    *fuel -= 1;
                }
                pc = to as usize;
                continue;
            }
            Instr::JumpIf { cond, to } => {
                if frame[cond as usize] != 0 {
                    pc = to as usize;
                    continue;
                }
            }
            Instr::JumpUnless { cond, to } => {
                if frame[cond as usize] == 0 {
                    pc = to as usize;
                    continue;
                }
            }
            Instr::JumpNone { reg, to } => {
                if frame[reg as usize] == NONE {
                    pc = to as usize;
                    continue;
                }
            }
            Instr::JumpCompare { op, a, b, to } => {
                if compare(op, frame[a as usize], frame[b as usize]) {
                    pc = to as usize;
                    continue;
                }
            }
            Instr::JumpCompareConst { op, a, value, to } => {
                if compare(op, frame[a as usize], i64::from(value)) {
                    pc = to as usize;
                    continue;
                }
            }
            Instr::Figure { dst, thing, column } => {
                let value = cells[column as usize + frame[thing as usize] as usize];
                if value == UNSET {
                    return pc;
                }
                frame[dst as usize] = value;
            }
            Instr::SetField { id, thing, src, .. } if !T::ON => {
                let layout = &game.layout.fields[id.at()];
                let value = frame[src as usize];
                if !layout.plain || i32::try_from(value).is_err() {
                    return pc;
                }
                cells[layout.base + frame[thing as usize] as usize] = value;
            }
            Instr::Alive { dst, thing, kind } => {
                frame[dst as usize] = cells[game.layout.kinds[kind.at()].alive + frame[thing as usize] as usize];
            }
            Instr::NextThing { dst, kind, to } => {
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
                if next >= used {
                    pc = to as usize;
                    continue;
                }
                frame[dst as usize] = next;
            }
            Instr::Bears { dst, thing, id } => {
                let count = cells[game.layout.bears[id.at()] + frame[thing as usize] as usize];
                frame[dst as usize] = i64::from(count > 0);
            }
            Instr::NewList { dst } => frame[dst as usize] = 0,
            Instr::Length { dst, list } => frame[dst as usize] = Handle::of(frame[list as usize]).len as i64,
            // while odds are computed the dice of a list may not be seen yet
            Instr::Entry { dst, list, index, n: 1 } if !D::EXACT => {
                frame[dst as usize] = heap[Handle::of(frame[list as usize]).at + frame[index as usize] as usize];
            }
            Instr::Look { dst, list, op, than } if !D::EXACT => {
                let list = Handle::of(frame[list as usize]);
                frame[dst as usize] = look(&heap[list.at..list.at + list.len], op, frame[than as usize]);
            }
            _ => return pc,
        }
        pc += 1;
    }
}

/// Plain arithmetic on single cells; none if it overflows or is not plain.
#[inline]
fn plain(op: Op, x: i64, y: i64, n: u16) -> Option<i64> {
    match op {
        Op::Add => x.checked_add(y),
        Op::Sub => x.checked_sub(y),
        Op::Mul => x.checked_mul(y),
        Op::Min => Some(x.min(y)),
        Op::Max => Some(x.max(y)),
        Op::Eq | Op::Ne if n > 1 => None,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Some(i64::from(compare(op, x, y))),
        Op::Not => Some(1 - x),
        Op::Pack => Some((i64::from(n) << 32) | x),
        _ => None,
    }
}

#[inline]
pub(super) fn compare(op: Op, x: i64, y: i64) -> bool {
    match op {
        Op::Eq => x == y,
        Op::Ne => x != y,
        Op::Lt => x < y,
        Op::Le => x <= y,
        Op::Gt => x > y,
        _ => x >= y,
    }
}

/// How many entries compare so with a value.
pub(super) fn look(entries: &[i64], op: Op, than: i64) -> i64 {
    let count = |holds: fn(i64, i64) -> bool| entries.iter().map(|v| i64::from(holds(*v, than))).sum();
    match op {
        Op::Eq => count(|v, t| v == t),
        Op::Ne => count(|v, t| v != t),
        Op::Lt => count(|v, t| v < t),
        Op::Le => count(|v, t| v <= t),
        Op::Gt => count(|v, t| v > t),
        _ => count(|v, t| v >= t),
    }
}
