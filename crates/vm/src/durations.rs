//! Durations: a temporary value is a layer over the permanent one, which is restored when the duration ends.

use super::context::{Pure, With};
use super::drive::MachineEvent;
use super::state::{Handle, TagRow, UNSET, What};
use super::statuses::{data_width, take_away};
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::schema::Stored;
use grognard_program::{Instr, TagWhat};
use smallvec::{SmallVec, smallvec};

/// Gives the last write a duration until the start or end of a phase: a status has a row of its own, a slot a
/// [`layer`].
pub(super) fn tag(game: &Game, state: &mut State, with: &mut With<'_>, at: u32, thing: u16, key: u16, data: u16) {
    let base = state.base as usize;
    let info = &game.program.tags[at as usize];
    let key = if info.keyed { state.stack[base + key as usize] } else { -1 };
    if let TagWhat::Status(id) = info.what {
        let data = base + data as usize;
        let (thing, data) =
            (state.stack[base + thing as usize], state.stack[data..data + data_width(game, id)].to_vec());
        let depth = depth_of(game, state, at);
        state.tags.push(TagRow { tag: at, thing, key, depth, data });
    }
    if with.traced {
        let key = info.keyed.then_some(key);
        with.tell(game, state, &MachineEvent::Until { phase: info.phase, start: info.start, key });
    }
}

/// Makes the next write to a slot a layer over its value, which is restored when the layer ends.
pub(super) fn layer(game: &Game, state: &mut State, at: u32, thing: u16, key: u16) {
    let base = state.base as usize;
    let info = &game.program.tags[at as usize];
    let TagWhat::Stored(slot) = info.what else { return };
    let key = if info.keyed { state.stack[base + key as usize] } else { -1 };
    let thing = if let Stored::Field(_) = slot { state.stack[base + thing as usize] } else { -1 };
    let depth = depth_of(game, state, at);
    // if the topmost layer ends at the same moment, the value below it is restored
    let top = state.tags.iter().rev().find(|row| is_layer(game, row, slot, thing));
    let ends = |row: &TagRow| {
        let of = &game.program.tags[row.tag as usize];
        (of.phase, of.start, of.keyed, row.key, row.depth) == (info.phase, info.start, info.keyed, key, depth)
    };
    if !top.is_some_and(ends) {
        let data = state.cells[game.layout.cells(slot, thing)].to_vec();
        state.tags.push(TagRow { tag: at, thing, key, depth, data });
    }
}

/// Before bounds clamp a slot: adds a layer over its value for each duration that the bounds depend on, so that the
/// value is restored with the bounds.
pub(super) fn keep_cut(game: &Game, state: &mut State, slot: Stored, thing: i64) {
    let schema = &game.program.schema;
    let bounds = schema.declared(slot).bounds;
    let old = state.cells[game.layout.cells(slot, thing)].to_vec();
    if state.tags.is_empty() || within(game, state, old[0], bounds, &own(slot, thing)) == old[0] {
        return;
    }
    let kind = |slot| match slot {
        Stored::Field(field) => Some(schema.fields[field.at()].kind),
        Stored::Global(_) => None,
    };
    let moves = |row: &TagRow| {
        let what = game.program.tags[row.tag as usize].what;
        let of = match what {
            TagWhat::Stored(of) => kind(of),
            TagWhat::Status(id) => Some(schema.traits[id.at()].on),
        };
        reads(game, bounds, what) && (row.thing == thing || of != kind(slot))
    };
    for row in state.tags.iter().filter(|row| moves(row)).cloned().collect::<Vec<_>>() {
        let tags = &game.program.tags;
        let until = |tag: u32| (tags[tag as usize].phase, tags[tag as usize].start, tags[tag as usize].keyed);
        let same = |of: &TagRow| (until(of.tag), of.key, of.depth) == (until(row.tag), row.key, row.depth);
        if state.tags.iter().any(|of| is_layer(game, of, slot, thing) && same(of)) {
            continue;
        }
        // an effect that moves a bound temporarily has a separate tag for each slot that the bound clamps
        let tag = (0..tags.len() as u32)
            .find(|at| until(*at) == until(row.tag) && tags[*at as usize].what == TagWhat::Stored(slot));
        if let Some(tag) = tag {
            state.tags.push(TagRow { tag, thing, data: old.clone(), ..row });
        }
    }
}

/// Returns whether one of two bounds reads a slot or tests a status.
fn reads(game: &Game, (low, high): (Option<FuncId>, Option<FuncId>), what: TagWhat) -> bool {
    low.into_iter().chain(high).any(|bound| {
        let reads = &game.program.links.reads[bound.at()];
        match what {
            TagWhat::Stored(slot) => reads.has(slot),
            TagWhat::Status(id) => reads.traits.contains(id),
        }
    })
}

/// Removes the layers of a slot that is set permanently.
pub(super) fn unlayer(game: &Game, state: &mut State, slot: Stored, thing: i64) {
    state.tags.retain(|row| !is_layer(game, row, slot, thing));
}

/// Changes the values below the layers of a slot that is permanently changed by an amount.
pub(super) fn shift(game: &Game, state: &mut State, slot: Stored, thing: i64, by: i64) {
    let declared = game.program.schema.declared(slot);
    let bounds = declared.bounds;
    let wraps = *declared.ty == Type::Angle;
    for at in 0..state.tags.len() {
        let below = state.tags[at].data.first().copied().filter(|_| is_layer(game, &state.tags[at], slot, thing));
        let Some(below) = below.filter(|below| *below != NONE && *below != UNSET) else { continue };
        let sum = below.saturating_add(by);
        let sum = if wraps { sum.rem_euclid(36_000) } else { sum };
        state.tags[at].data[0] = within(game, state, sum, bounds, &own(slot, thing));
    }
}

/// Adds entries permanently to a list, or removes them, including the values below its layers.
pub(super) fn shift_list(
    game: &Game,
    state: &mut State,
    slot: Stored,
    thing: i64,
    list: i64,
    minus: bool,
) -> Result<(), Fault> {
    let width = game.layout.stored(slot).entry.max(1);
    let list = Handle::of(list);
    let entries: Vec<i64> = state.heap[list.at..list.at + list.len * width].to_vec();
    for at in 0..state.tags.len() {
        if !is_layer(game, &state.tags[at], slot, thing) {
            continue;
        }
        let data = &mut state.tags[at].data;
        let Some(len) = data.first().copied().filter(|len| *len >= 0) else { continue };
        let mut below: Vec<i64> = data[1..1 + len as usize * width].to_vec();
        for entry in entries.chunks(width) {
            match below.chunks(width).position(|old| minus && old == entry) {
                Some(found) => drop(below.drain(found * width..(found + 1) * width)),
                None if minus => {}
                None => below.extend_from_slice(entry),
            }
        }
        if below.len() >= data.len() {
            let name = game.program.schema.declared(slot).name;
            let room = (data.len() - 1) / width;
            return Err(Fault::new(Code::ListFull, format!("`{name}` has capacity for {room} entries")));
        }
        data[0] = (below.len() / width) as i64;
        data[1..=below.len()].copy_from_slice(&below);
        // cells after the entries are 0, so that equal states compare equal
        data[below.len() + 1..].fill(0);
    }
    Ok(())
}

fn is_layer(game: &Game, row: &TagRow, slot: Stored, thing: i64) -> bool {
    row.thing == thing && game.program.tags[row.tag as usize].what == TagWhat::Stored(slot)
}

/// Returns the running phase that ends a duration: the innermost of its name. A duration until a start, until a keyed
/// phase, or until a phase that is not running takes the next one.
fn depth_of(game: &Game, state: &State, at: u32) -> u32 {
    let info = &game.program.tags[at as usize];
    if info.start || info.keyed {
        return TagRow::NEXT;
    }
    let running = state.running.iter().rposition(|r| r.what == What::Phase(info.phase) && !r.ending);
    running.map_or(TagRow::NEXT, |at| at as u32)
}

/// Ends the durations until the start or end of a phase. `depth` is its index among the running phases.
pub(super) fn expire(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    (phase, start): (PhaseId, bool),
    base: usize,
    depth: usize,
) -> Result<(), Fault> {
    if state.tags.is_empty() {
        return Ok(());
    }
    let first = state.stack.get(base).copied().unwrap_or(-1);
    let due = |row: &TagRow| {
        let tag = &game.program.tags[row.tag as usize];
        let meant = row.depth == TagRow::NEXT || row.depth as usize == depth;
        tag.phase == phase && tag.start == start && meant && (!tag.keyed || row.key == first)
    };
    let what = |row: &TagRow| game.program.tags[row.tag as usize].what;
    let over: Vec<TagRow> = state.tags.iter().filter(|row| due(row)).cloned().collect();
    let mut slots: Vec<Restored> = Vec::new();
    for at in (0..state.tags.len()).rev().filter(|at| due(&state.tags[*at])).collect::<Vec<_>>() {
        let row = state.tags.remove(at);
        match what(&row) {
            TagWhat::Status(status) => {
                take_away(game, state, |id, bearer, data| status == id && bearer == row.thing && data == row.data)
            }
            TagWhat::Stored(slot) => {
                // under another layer the value stays until that layer ends
                if let Some(above) = state.tags[at..].iter_mut().find(|above| is_layer(game, above, slot, row.thing)) {
                    above.data = row.data;
                } else if let Some(known) = slots.iter_mut().find(|s| (s.slot, s.thing) == (slot, row.thing)) {
                    known.below = row.data;
                } else {
                    let old = state.cells[game.layout.cells(slot, row.thing)].to_vec();
                    slots.push(Restored { slot, thing: row.thing, old, below: row.data });
                }
            }
        }
    }
    // in the order of the writes
    slots.reverse();
    // the bounds of a slot may depend on slots that are restored at the same time
    for _ in 0..=slots.len() {
        let mut moved = false;
        for Restored { slot, thing, below, .. } in &slots {
            let (at, layout) = (game.layout.cells(*slot, *thing), game.layout.stored(*slot));
            let mut cells = below.clone();
            if layout.entry == 0 {
                let bounds = game.program.schema.declared(*slot).bounds;
                cells[0] = within(game, state, cells[0], bounds, &own(*slot, *thing));
            }
            moved |= state.cells[at.clone()] != cells[..];
            state.cells[at].copy_from_slice(&cells);
        }
        if !moved {
            break;
        }
    }
    let moved: Vec<TagWhat> = over.iter().map(what).collect();
    if with.traced {
        let mut slots = slots.into_iter();
        for row in over {
            if let TagWhat::Status(status) = what(&row) {
                with.tell(game, state, &MachineEvent::Revoked { status, thing: row.thing, expired: true });
                continue;
            }
            let Some(Restored { slot, thing, old, .. }) = slots.next() else { continue };
            let new = state.cells[game.layout.cells(slot, thing)].to_vec();
            if old != new {
                with.tell(game, state, &MachineEvent::Expired { slot, thing, old: &old, new: &new });
            }
        }
    }
    // a restored link may point to a thing that was put below it in the meantime
    for link in game.program.schema.kinds.iter().filter_map(|kind| kind.tree) {
        if moved.contains(&TagWhat::Stored(Stored::Field(link))) {
            super::operate::forest(game, state, link)?;
        }
    }
    cut(game, state, with, moved);
    Ok(())
}

/// Clamps slots whose bounds changed with the ended durations, and then the slots that have those as bounds.
fn cut(game: &Game, state: &mut State, with: &mut With<'_>, mut moved: Vec<TagWhat>) {
    let (rules, links) = (&game.program.schema, &game.program.links);
    for slot in &links.cut {
        let bounds = rules.declared(*slot).bounds;
        if !moved.iter().any(|what| reads(game, bounds, *what)) {
            continue;
        }
        // a state of the game is clamped once
        let kind = match slot {
            Stored::Field(field) => Some(game.layout.kinds[rules.fields[field.at()].kind.at()]),
            Stored::Global(_) => None,
        };
        for thing in kind.map_or(-1..0, |kind| 0..state.cells[kind.used]) {
            if kind.is_some_and(|kind| state.cells[kind.alive + thing as usize] == 0) {
                continue;
            }
            let at = game.layout.cells(*slot, thing).start;
            let old = state.cells[at];
            let new = within(game, state, old, bounds, &own(*slot, thing));
            state.cells[at] = new;
            if with.traced && old != new {
                let (old, new) = (&[old], &[new]);
                let rendered = MachineEvent::Set { slot: *slot, thing, old, new, wanted: old };
                with.tell(game, state, &rendered);
            }
        }
        moved.push(TagWhat::Stored(*slot));
    }
}

/// Returns the arguments of the defaults and bounds of a slot: the thing, if it is a field.
fn own(slot: Stored, thing: i64) -> SmallVec<[i64; 1]> {
    match slot {
        Stored::Field(_) => smallvec![thing],
        Stored::Global(_) => SmallVec::new(),
    }
}

/// Clamps a value to the current bounds.
fn within(game: &Game, state: &State, value: i64, (low, high): (Option<FuncId>, Option<FuncId>), args: &[i64]) -> i64 {
    if value == NONE || value == UNSET {
        return value;
    }
    let limit = |bound: Option<FuncId>| bound.and_then(|func| computed(game, state, func, args)).map(|v| v[0]);
    let value = limit(high).map_or(value, |most| value.min(most));
    limit(low).map_or(value, |least| value.max(least))
}

/// A slot whose layers ended, with the restored value.
struct Restored {
    slot: Stored,
    thing: i64,
    old: Vec<i64>,
    below: Vec<i64>,
}

/// Returns a bound, evaluated in the current state, or `None` if it fails.
fn computed(game: &Game, state: &State, func: FuncId, args: &[i64]) -> Option<Vec<i64>> {
    let entry = game.program.funcs[func.at()].entry as usize;
    if let Some([Instr::Const { dst, value }, Instr::Return { src, n: 1 }, ..]) = game.program.code.get(entry..)
        && dst == src
    {
        return Some(vec![i64::from(*value)]);
    }
    let mut aside = State { cells: state.cells.clone(), granted: state.granted.clone(), ..State::default() };
    let mut pure = Pure::pure(game);
    super::run::call(game, &mut aside, &mut pure, func, args).ok()?;
    Some(super::run::given(game, &aside, func))
}
