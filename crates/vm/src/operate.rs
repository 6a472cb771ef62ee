//! Operators: plain arithmetic, which the fast loop inlines, and those on fractions, lists, chains and trees.

use super::fault::no_operation;
use super::lists::full;
use super::state::Handle;
use super::throws::sides;
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_base::value::ops::Interval;
use grognard_base::value::*;
use grognard_program::Reg;
use grognard_program::schema::FieldSort;

/// Applies an operation to registers of a state, as the dispatch does.
///
/// # Errors
///
/// Returns a fault for overflow, division by zero, or an invalid operand.
pub fn apply(game: &Game, state: &mut State, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) -> Result<(), Fault> {
    let base = state.base_of();
    let (x, y) = (state.stack[base + a as usize], state.stack[base + b as usize]);
    match plain(op, x, y, n) {
        Some(value) => state.stack[base + dst as usize] = value,
        None => operate(game, state, op, dst, a, b, n)?,
    }
    Ok(())
}

/// Executes an operation whose operands are registers of the running function.
pub(super) fn operate(game: &Game, state: &mut State, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) -> Result<(), Fault> {
    let base = state.base_of();
    let (d, a, b, n) = (base + dst as usize, base + a as usize, base + b as usize, n as usize);
    let (x, y) = (state.stack[a], state.stack[b]);
    match op {
        Op::Add | Op::Sub | Op::Mul => {
            return Err(super::fault::too_large(x, op, y));
        }
        Op::AddRatio
        | Op::SubRatio
        | Op::MulRatio
        | Op::DivRatio
        | Op::LtRatio
        | Op::LeRatio
        | Op::MinRatio
        | Op::MaxRatio => {
            return fraction_pair(state, op, d, a, b);
        }
        Op::Fraction => {
            let ratio = fraction(x, y)?;
            put_ratio(state, d, ratio);
        }
        Op::NegRatio => {
            let (num, den) = (x, state.stack[a + 1]);
            state.stack[d] = -num;
            state.stack[d + 1] = den;
        }
        Op::RoundDown | Op::RoundUp => {
            let ratio = fraction(x, state.stack[a + 1])?;
            state.stack[d] = if op == Op::RoundDown { ratio.floor() } else { ratio.ceil() };
        }
        Op::RoundNear => {
            let half = fraction(x, state.stack[a + 1])?.checked_add(Ratio::HALF).ok_or_else(overflow)?;
            state.stack[d] = half.floor();
        }
        Op::Remainder => {
            if y == 0 {
                return Err(zero());
            }
            // the remainder of a division rounded down has the sign of the divisor
            let left = x.checked_rem(y).unwrap_or(0);
            state.stack[d] = if left != 0 && (left < 0) != (y < 0) { left + y } else { left };
        }
        Op::TurnBetween => {
            let turn = (x - y).rem_euclid(36_000);
            state.stack[d] = turn.min(36_000 - turn);
        }
        Op::DivLength => {
            if y == 0 {
                return Err(zero());
            }
            state.stack[d] = x / y;
        }
        Op::Neg => state.stack[d] = x.checked_neg().ok_or_else(overflow)?,
        Op::AddAngle => state.stack[d] = (x + y).rem_euclid(36_000),
        Op::SubAngle => state.stack[d] = (x - y).rem_euclid(36_000),
        Op::MulAngle => state.stack[d] = x.checked_mul(y).ok_or_else(overflow)?.rem_euclid(36_000),
        Op::Eq | Op::EqCells => state.stack[d] = i64::from(same(state, a, b, n)),
        Op::Ne => state.stack[d] = i64::from(!same(state, a, b, n)),
        Op::EqList => {
            let (l, r) = (Handle::of(x), Handle::of(y));
            let cells = |h: Handle| &state.heap[h.at..h.at + h.len * n];
            state.stack[d] = i64::from(l.len == r.len && cells(l) == cells(r));
        }
        Op::Next => state.stack[d] = (x + 1).min(n as i64 - 1),
        Op::Open => {
            // the steps that the first could not climb are subtracted from the second
            let over = (x - (n as i64 - 1)).max(0) + x.min(0);
            state.stack[d] = x.clamp(0, n as i64 - 1);
            // its chain may be another: a following instruction clamps it
            state.stack[d + 1] = y - over;
        }
        Op::Faces | Op::ToDie => state.stack[d] = sides(&game.program.schema, x, n),
        Op::DieOf => {
            if !(1..=1_000_000).contains(&x) {
                return Err(Fault::new(Code::OutOfBounds, format!("there is no die with {x} faces")));
            }
            state.stack[d] = x;
        }
        Op::Pack => state.stack[d] = pack_thing(KindId(n as u32), x),
        Op::KindOf => state.stack[d] = i64::from(unpack_thing(x).0.0),
        Op::NumberOf => state.stack[d] = unpack_thing(x).1,
        Op::Nth => {
            let list = Handle::of(y);
            if x >= 1 && (x as usize) <= list.len {
                let at = list.at + (x as usize - 1) * n;
                state.stack[d..d + n].copy_from_slice(&state.heap[at..at + n]);
            } else {
                put_entry(state, d, None, n);
            }
        }
        Op::Copies => {
            let times = how_many(op, x)?.min(10_001);
            full(times)?;
            let at = state.heap.len();
            for _ in 0..times {
                for cell in 0..n {
                    let v = state.stack[b + cell];
                    state.heap.push(v);
                }
            }
            state.stack[d] = Handle { at, len: times }.cell();
        }
        Op::Without => state.stack[d] = super::lists::without(state, x, y, n),
        Op::Concat => state.stack[d] = super::lists::concat(state, x, y, n)?,
        Op::Total => {
            let sum = state.list(x).iter().try_fold(0i64, |s, v| s.checked_add(*v)).ok_or_else(overflow)?;
            state.stack[d] = sum;
        }
        Op::Highest | Op::Lowest => {
            let (sorted, most) = (rising(state, y, n), how_many(op, x)?);
            let cells: Vec<i64> = if op == Op::Highest {
                sorted.rchunks(n).take(most).flatten().copied().collect()
            } else {
                sorted.chunks(n).take(most).flatten().copied().collect()
            };
            state.stack[d] = state.new_list(&cells, n);
        }
        Op::Median => {
            let sorted = rising(state, x, n);
            put_entry(state, d, sorted.chunks(n).nth((sorted.len() / n).saturating_sub(1) / 2), n);
        }
        Op::Mode => {
            let sorted = rising(state, x, n);
            let runs = sorted.chunks(n).collect::<Vec<_>>();
            // the last of the longest runs
            let most = runs.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
            put_entry(state, d, most.map(|run| run[0]), n);
        }
        Op::Distinct => {
            let list = Handle::of(x);
            let mut entries: Vec<&[i64]> = state.heap[list.at..list.at + list.len * n].chunks(n).collect();
            entries.sort_unstable();
            entries.dedup();
            state.stack[d] = entries.len() as i64;
        }
        Op::InList => {
            let list = Handle::of(y);
            let found = (0..list.len).any(|i| {
                let at = list.at + i * n;
                (0..n.max(1)).all(|c| state.heap[at + c] == state.stack[a + c])
            });
            state.stack[d] = i64::from(found);
        }
        // `fast::plain` carries these out for all operands
        Op::Min | Op::Max | Op::Lt | Op::Le | Op::Gt | Op::Ge => return Err(no_operation(op)),
        Op::Not | Op::Up | Op::Down | Op::Closed | Op::IsPast => return Err(no_operation(op)),
        // the compiler turns these into other instructions: see `Lowering` in the table of operators
        Op::ToRatio | Op::Size | Op::Below | Op::Tiers | Op::Running | Op::PlaceOf | Op::Point => {
            return Err(no_operation(op));
        }
        // `board::answer` carries these out
        Op::Dist | Op::DistCmp | Op::DistTo | Op::Near | Op::Ranks | Op::Bearing => return Err(no_operation(op)),
        Op::Within | Op::Sees | Op::Inside | Op::Crosses | Op::LengthIn | Op::ToEdge => return Err(no_operation(op)),
        Op::WithFallen => return Err(no_operation(op)),
        Op::Touches | Op::Ahead | Op::Rear | Op::InFront | Op::InRear | Op::InArc => return Err(no_operation(op)),
        Op::SameFacing | Op::RoomBehind | Op::JustBehind | Op::JustBeyond => return Err(no_operation(op)),
        Op::Routes | Op::SpotsNear => return Err(no_operation(op)),
    }
    Ok(())
}

/// Applies plain arithmetic to single cells. Returns `None` if the result overflows or the operator is not plain.
#[inline(always)]
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever is not plain takes the slow path")]
pub fn plain(op: Op, x: i64, y: i64, n: u16) -> Option<i64> {
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
        // longer than any chain
        Op::Up => Some(x.saturating_add(y).clamp(-FAR, FAR)),
        Op::Down => Some(x.saturating_sub(y).clamp(-FAR, FAR)),
        Op::Closed if n > 0 => Some(x.clamp(0, i64::from(n) - 1)),
        Op::IsPast => Some(i64::from(x < 0 || x >= i64::from(n))),
        Op::Pack => Some(pack_thing(KindId(u32::from(n)), x)),
        _ => None,
    }
}

/// Returns the first operand of `copies`, `highest` and `lowest`.
fn how_many(op: Op, n: i64) -> Result<usize, Fault> {
    usize::try_from(n).map_err(|_| super::fault::too_few(n, "", op.written()))
}

/// Writes an entry of `n` cells, or `none`.
fn put_entry(state: &mut State, d: usize, entry: Option<&[i64]>, n: usize) {
    state.stack[d..d + n].fill(0);
    state.stack[d] = NONE;
    if let Some(entry) = entry {
        state.stack[d..d + n].copy_from_slice(entry);
    }
}

/// Returns the cells of a list sorted by entries of `n` cells. Entries of two cells are fractions.
fn rising(state: &State, list: i64, n: usize) -> Vec<i64> {
    let list = Handle::of(list);
    let cells = &state.heap[list.at..list.at + list.len * n];
    if n == 1 {
        let mut sorted = cells.to_vec();
        sorted.sort_unstable();
        return sorted;
    }
    let mut entries: Vec<&[i64]> = cells.chunks(n).collect();
    entries.sort_by_key(|entry| Ratio::new(entry[0], entry[1]));
    entries.concat()
}

fn same(state: &State, a: usize, b: usize, n: usize) -> bool {
    // missing values are equal, independent of the registers that follow
    if state.stack[a] == NONE || state.stack[b] == NONE {
        return state.stack[a] == state.stack[b];
    }
    state.stack[a..a + n.max(1)] == state.stack[b..b + n.max(1)]
}

fn zero() -> Fault {
    Fault::new(Code::DivideByZero, "division by zero")
}

fn overflow() -> Fault {
    Fault::new(Code::Overflow, "the result is too large")
}

fn fraction(num: i64, den: i64) -> Result<Ratio, Fault> {
    if den == 0 {
        return Err(zero());
    }
    Ratio::new(num, den).ok_or_else(overflow)
}

fn put_ratio(state: &mut State, d: usize, ratio: Ratio) {
    state.stack[d] = ratio.num();
    state.stack[d + 1] = ratio.den();
}

fn fraction_pair(state: &mut State, op: Op, d: usize, a: usize, b: usize) -> Result<(), Fault> {
    if let Op::LtRatio | Op::LeRatio = op {
        // denominators are positive, so fractions compare by cross-multiplication
        let wide = |n: usize| i128::from(state.stack[n]);
        let (left, right) = (wide(a) * wide(b + 1), wide(b) * wide(a + 1));
        state.stack[d] = i64::from(if op == Op::LtRatio { left < right } else { left <= right });
        return Ok(());
    }
    let x = fraction(state.stack[a], state.stack[a + 1])?;
    let y = fraction(state.stack[b], state.stack[b + 1])?;
    let result = if op == Op::DivRatio {
        if y.num() == 0 {
            return Err(zero());
        }
        x.checked_div(y)
    } else if let Interval::Corners(result) = op.facts().interval {
        result(x, y)
    } else {
        return Err(no_operation(op));
    };
    put_ratio(state, d, result.ok_or_else(overflow)?);
    Ok(())
}

/// Returns the parent of a thing along a tree link, or `None` at the root.
fn above(game: &Game, state: &State, link: FieldId, thing: i64) -> Option<i64> {
    let kind = game.layout.kinds[game.program.schema.fields[link.at()].kind.at()];
    let above = state.cells[game.layout.field(link, thing, 0)];
    (0..state.cells[kind.used]).contains(&above).then_some(above)
}

/// Ends the run with an error if a tree link has a cycle.
pub(super) fn forest(game: &Game, state: &State, link: FieldId) -> Result<(), Fault> {
    let field = &game.program.schema.fields[link.at()];
    let kind = game.layout.kinds[field.kind.at()];
    let used = state.cells[kind.used];
    let way = |from: i64| std::iter::successors(Some(from), |thing| above(game, state, link, *thing));
    let returns = |thing: &i64| way(*thing).skip(1).take(used as usize).any(|other| other == *thing);
    let alive = |thing: &i64| state.cells[kind.alive + *thing as usize] != 0;
    let Some(first) = (0..used).filter(alive).find(returns) else { return Ok(()) };
    let round = way(first).skip(1).take_while(|thing| *thing != first);
    let names: Vec<String> =
        [first].into_iter().chain(round).chain([first]).map(|thing| game.name(field.kind, thing)).collect();
    let message = format!("`{}` leads back to its start: {}", field.name, names.join(" -> "));
    Err(Fault::new(Code::TreeCircle, message))
}

/// Lists all descendants of a thing along a tree link, or counts the links between two things.
pub(super) fn tree(game: &Game, state: &mut State, op: Op, dst: Reg, a: Reg, b: Reg, link: FieldId) {
    let base = state.base_of();
    let (x, y) = (state.stack[base + a as usize], state.stack[base + b as usize]);
    let field = &game.program.schema.fields[link.at()];
    debug_assert!(matches!(field.sort, FieldSort::Link));
    let kind = game.layout.kinds[field.kind.at()];
    let alive = |thing: i64| state.cells[kind.alive + thing as usize] != 0;
    let used = state.cells[kind.used];
    // number of links up from a thing to another, or `none` if the other is not an ancestor
    let rise = |from: i64, to: i64| {
        let mut at = from;
        for steps in 0..=used {
            if at == to {
                return Some(steps);
            }
            at = above(game, state, link, at)?;
        }
        None
    };
    if op == Op::Below {
        let under: Vec<i64> = (0..used).filter(|t| *t != x && alive(*t) && rise(*t, x).is_some()).collect();
        state.stack[base + dst as usize] = state.new_list(&under, 1);
        return;
    }
    let mut at = x;
    let mut found = 0;
    for climbed in 0..=used {
        if let Some(down) = rise(y, at) {
            found = climbed + down;
            break;
        }
        let Some(next) = above(game, state, link, at) else { break };
        at = next;
    }
    state.stack[base + dst as usize] = found;
}

impl State {
    pub(super) fn base_of(&self) -> usize {
        self.base as usize
    }
}
