//! Lists on the heap, and lists and keyed fields that are stored with things.

use super::fault::unset;
use super::layout::Holds;
use super::state::{Handle, UNSET};
use super::{Fault, FieldLayout, Game, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::schema::{Declared, Stored};
use grognard_program::{Instr, Reg};
use rustc_hash::FxHashSet;

/// Maximum length of a list for which entries are compared pairwise.
const FEW: usize = 16;

/// Checks that a list can have `len` entries.
pub(super) fn full(len: usize) -> Result<(), Fault> {
    if len > 10_000 { Err(Fault::new(Code::ListFull, "a list with more than 10,000 entries")) } else { Ok(()) }
}

/// Appends an entry. A list that does not end at the end of the heap is moved there first.
pub(super) fn push(state: &mut State, list: usize, src: usize, n: usize) -> Result<(), Fault> {
    let mut handle = Handle::of(state.stack[list]);
    full(handle.len + 1)?;
    append(&mut state.heap, &mut handle, &state.stack[src..src + n]);
    state.stack[list] = handle.cell();
    Ok(())
}

#[inline]
pub(super) fn append(heap: &mut Vec<i64>, list: &mut Handle, entry: &[i64]) {
    let cells = list.len * entry.len();
    if list.len == 0 {
        list.at = heap.len();
    } else if list.at + cells != heap.len() {
        let at = heap.len();
        heap.extend_from_within(list.at..list.at + cells);
        list.at = at;
    }
    heap.extend_from_slice(entry);
    list.len += 1;
}

pub(super) fn concat(state: &mut State, a: i64, b: i64, n: usize) -> Result<i64, Fault> {
    let (a, b) = (Handle::of(a), Handle::of(b));
    full(a.len + b.len)?;
    if b.len == 0 {
        return Ok(a.cell());
    }
    if a.len == 0 {
        return Ok(b.cell());
    }
    let mut at = a.at;
    if a.at + a.len * n != state.heap.len() {
        at = state.heap.len();
        state.heap.extend_from_within(a.at..a.at + a.len * n);
    }
    state.heap.extend_from_within(b.at..b.at + b.len * n);
    Ok(Handle { at, len: a.len + b.len }.cell())
}

/// Removes from the first list one equal entry, the first, for each entry of the second list.
pub(super) fn without(state: &mut State, a: i64, b: i64, n: usize) -> i64 {
    let entries = |cell: i64| {
        let list = Handle::of(cell);
        state.heap[list.at..list.at + list.len * n].chunks(n)
    };
    let mut out: Vec<&[i64]> = entries(b).collect();
    out.sort_unstable();
    let mut left: Vec<i64> = Vec::new();
    for entry in entries(a) {
        match out.binary_search(&entry) {
            Ok(found) => drop(out.remove(found)),
            Err(_) => left.extend_from_slice(entry),
        }
    }
    state.new_list(&left, n)
}

/// Ends a function: releases the heap that it used, except for the lists of its result.
pub(super) fn keep_result(state: &mut State, mark: usize, from: usize, lists: &[(Reg, Reg)]) {
    let mut kept: Vec<i64> = Vec::new();
    for (cell, width) in lists {
        let at = from + *cell as usize;
        if state.stack[at] == NONE {
            continue;
        }
        let list = Handle::of(state.stack[at]);
        if list.len > 0 && list.at >= mark {
            let new = Handle { at: mark + kept.len(), len: list.len };
            kept.extend_from_slice(&state.heap[list.at..list.at + list.len * *width as usize]);
            state.stack[at] = new.cell();
        }
    }
    state.heap.truncate(mark);
    state.heap.extend_from_slice(&kept);
}

/// Loads a stored list onto the heap.
pub(super) fn load(
    game: &Game,
    state: &mut State,
    dst: usize,
    thing: usize,
    id: FieldId,
    key: i64,
) -> Result<(), Fault> {
    let at = game.layout.field(id, state.stack[thing], key);
    if state.cells[at] == UNSET {
        return Err(unset(game, id, state.stack[thing]));
    }
    take_out(state, dst, at, game.layout.fields[id.at()].entry);
    Ok(())
}

/// Loads the list stored at a cell onto the heap.
pub(super) fn take_out(state: &mut State, dst: usize, at: usize, entry: usize) {
    let len = state.cells[at] as usize;
    let start = state.heap.len();
    state.heap.extend_from_slice(&state.cells[at + 1..at + 1 + len * entry]);
    state.stack[dst] = Handle { at: start, len }.cell();
}

/// Loads an entry of a keyed field.
pub(super) fn load_keyed(
    game: &Game,
    state: &mut State,
    dst: usize,
    thing: usize,
    id: FieldId,
    key: usize,
) -> Result<(), Fault> {
    let layout = game.layout.fields[id.at()];
    let place = state.stack[key];
    if layout.entry > 0 {
        return load(game, state, dst, thing, id, place);
    }
    if place < 0 || place as usize >= layout.figures {
        return Err(Fault::new(Code::OutOfBounds, "a key that the field does not have"));
    }
    let at = game.layout.field(id, state.stack[thing], place);
    if state.cells[at] == UNSET {
        return Err(unset(game, id, state.stack[thing]));
    }
    state.stack[dst..dst + layout.width].copy_from_slice(&state.cells[at..at + layout.width]);
    Ok(())
}

/// Stores a value. Lists are copied from the heap.
pub(super) fn store(game: &Game, state: &mut State, slot: Stored, thing: i64, src: usize) -> Result<(), Fault> {
    let (layout, at) = (game.layout.stored(slot), game.layout.cells(slot, thing).start);
    let Declared { name, ty, .. } = game.program.schema.declared(slot);
    if layout.entry == 0 {
        fits(ty, name, state.stack[src])?;
        state.cells[at..at + layout.width].copy_from_slice(&state.stack[src..src + layout.width]);
        return Ok(());
    }
    let list = Handle::of(state.stack[src]);
    let cells = list.len * layout.entry;
    if cells + 1 > layout.width {
        return Err(list_full(name, layout));
    }
    state.cells[at] = list.len as i64;
    state.cells[at + 1..at + layout.width].fill(0);
    state.cells[at + 1..at + 1 + cells].copy_from_slice(&state.heap[list.at..list.at + cells]);
    Ok(())
}

/// Returns the fault for a stored list that exceeds its capacity.
pub(super) fn list_full(name: &str, layout: &FieldLayout) -> Fault {
    Fault::new(Code::ListFull, format!("`{name}` has capacity for {} entries", layout.room()))
}

/// Checks that a number can be stored: integers have 32 bits, lengths are limited.
pub(super) fn fits(ty: &Type, name: &str, value: i64) -> Result<(), Fault> {
    let number = matches!(ty.present(), Type::Int(_));
    if number && value != NONE && value != UNSET && i32::try_from(value).is_err() {
        return Err(Fault::new(Code::Overflow, format!("{value} is too large for `{name}`")));
    }
    Ok(())
}

/// Executes the rare instructions on lists.
#[expect(clippy::wildcard_enum_match_arm, reason = "an instruction that is carried out nowhere is an error")]
pub(super) fn list_instr(game: &Game, state: &mut State, instr: Instr) -> Result<(), Fault> {
    let base = state.base as usize;
    let reg = |r: Reg| base + r as usize;
    match instr {
        Instr::Distinct { list, n } => {
            let n = n as usize;
            let old = Handle::of(state.stack[reg(list)]);
            let entry = |i: usize| &state.heap[old.at + i * n..old.at + (i + 1) * n];
            let kept: Vec<i64> = if old.len <= FEW {
                let first = |i: &usize| (0..*i).all(|j| entry(j) != entry(*i));
                (0..old.len).filter(first).flat_map(entry).copied().collect()
            } else {
                let mut known = FxHashSet::default();
                (0..old.len).map(entry).filter(|entry| known.insert(*entry)).flatten().copied().collect()
            };
            state.stack[reg(list)] = state.new_list(&kept, n);
        }
        Instr::TakeOut { list, index, n } => {
            let n = n as usize;
            let old = Handle::of(state.stack[reg(list)]);
            let at = state.stack[reg(index)] as usize;
            let mut cells = state.heap[old.at..old.at + old.len * n].to_vec();
            cells.drain(at * n..(at + 1) * n);
            state.stack[reg(list)] = state.new_list(&cells, n);
        }
        // has an effect only while odds are computed
        Instr::Own { .. } => {}
        Instr::Which { dst, list, among, op, than } => {
            let (faces, than) = (state.list(state.stack[reg(list)]), state.stack[reg(than)]);
            let fits = |place: &i64| Holds::of(op).between(faces[*place as usize], than);
            let cells: Vec<i64> = state.list(state.stack[reg(among)]).iter().copied().filter(fits).collect();
            state.stack[reg(dst)] = state.new_list(&cells, 1);
        }
        Instr::Living { dst, list, kind } => {
            let alive = game.layout.kinds[kind.at()].alive;
            let given = state.stack[reg(list)];
            let lives = |t: &i64| state.cells[alive + *t as usize] != 0;
            state.stack[reg(dst)] = match state.list(given).iter().all(lives) {
                true => given,
                false => {
                    let cells: Vec<i64> = state.list(given).iter().copied().filter(lives).collect();
                    state.new_list(&cells, 1)
                }
            };
        }
        Instr::Span { dst, low, high } => {
            let (low, high) = (state.stack[reg(low)], state.stack[reg(high)]);
            full((high - low + 1).clamp(0, 1 << 30) as usize)?;
            let cells: Vec<i64> = (low..=high).collect();
            state.stack[reg(dst)] = state.new_list(&cells, 1);
        }
        Instr::SortBy { list, keys, width, n } => sort_by(state, reg(list), reg(keys), width as usize, n as usize),
        Instr::BackLink { dst, thing, id } => back_link(game, state, reg(dst), reg(thing), id, false),
        Instr::EverLinked { dst, thing, id } => back_link(game, state, reg(dst), reg(thing), id, true),
        _ => return Err(Fault::new(Code::WrongType, format!("{instr:?} is not implemented"))),
    }
    Ok(())
}

/// Sorts a list by keys in ascending order; the sort is stable.
fn sort_by(state: &mut State, list: usize, keys: usize, width: usize, n: usize) {
    let (old, keys) = (Handle::of(state.stack[list]), Handle::of(state.stack[keys]));
    let mut order: Vec<usize> = (0..old.len).collect();
    let key = |i: &usize| {
        let cells = &state.heap[keys.at + i * n..keys.at + (i + 1) * n];
        if n == 2 { Ratio::new(cells[0], cells[1]).unwrap_or(Ratio::whole(0)) } else { Ratio::whole(cells[0]) }
    };
    order.sort_by_key(key);
    let mut cells = Vec::with_capacity(old.len * width);
    for i in order {
        cells.extend_from_slice(&state.heap[old.at + i * width..old.at + (i + 1) * width]);
    }
    state.stack[list] = state.new_list(&cells, width);
}

/// Lists all things whose link points to this thing, or whose list contains it. Destroyed things are included only with
/// `fallen_too`.
fn back_link(game: &Game, state: &mut State, dst: usize, thing: usize, id: FieldId, fallen_too: bool) {
    let grognard_program::schema::FieldSort::BackLink(link) = game.program.schema.fields[id.at()].sort else { return };
    let to = state.stack[thing];
    let layout = game.layout.fields[link.at()];
    let kind = game.layout.kinds[game.program.schema.fields[link.at()].kind.at()];
    let start = state.heap.len();
    for other in 0..state.cells[kind.used] as usize {
        if !fallen_too && state.cells[kind.alive + other] == 0 {
            continue;
        }
        let at = layout.base + other * layout.width * layout.figures;
        let points = if layout.entry == 0 {
            state.cells[at] == to
        } else {
            let len = state.cells[at].max(0) as usize;
            state.cells[at + 1..at + 1 + len].contains(&to)
        };
        if points {
            state.heap.push(other as i64);
        }
    }
    state.stack[dst] = Handle { at: start, len: state.heap.len() - start }.cell();
}
