//! Durations: what was written for a time, and what it goes back to when that is over.

use super::context::{Pure, With};
use super::drive::Happening;
use super::state::{TagRow, UNSET};
use super::statuses::{data_width, take_away};
use super::{Fault, Game, State};
use grognard_base::value::*;
use grognard_program::schema::Stored;
use grognard_program::{Instr, TagWhat};
use smallvec::{SmallVec, smallvec};

/// What was written last lasts until the start or end of a phase.
pub(super) fn tag(game: &Game, state: &mut State, with: &mut With<'_>, at: u32, thing: u16, key: u16, data: u16) {
    let base = state.base as usize;
    let info = &game.program.tags[at as usize];
    let key = if info.keyed { state.stack[base + key as usize] } else { -1 };
    let (thing, data) = match info.what {
        TagWhat::Stored(Stored::Field(_)) => (state.stack[base + thing as usize], Vec::new()),
        TagWhat::Stored(Stored::Global(_)) => (-1, Vec::new()),
        TagWhat::Status(id) => {
            let data = base + data as usize;
            (state.stack[base + thing as usize], state.stack[data..data + data_width(game, id)].to_vec())
        }
    };
    state.tags.push(TagRow { tag: at, thing, key, data });
    if with.traced {
        let key = info.keyed.then_some(key);
        with.tell(game, state, &Happening::Until { phase: info.phase, start: info.start, key });
    }
}

/// What was to last until the start or end of this phase is over.
pub(super) fn expire(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    phase: PhaseId,
    start: bool,
    base: usize,
) -> Result<(), Fault> {
    if state.tags.is_empty() {
        return Ok(());
    }
    let first = state.stack.get(base).copied().unwrap_or(-1);
    let due = |row: &TagRow| {
        let tag = &game.program.tags[row.tag as usize];
        tag.phase == phase && tag.start == start && (!tag.keyed || row.key == first)
    };
    let (over, left): (Vec<TagRow>, Vec<TagRow>) =
        std::mem::take(&mut state.tags).into_iter().partition(|row| due(row));
    state.tags = left;
    let what = |row: &TagRow| game.program.tags[row.tag as usize].what;
    let mut slots: Vec<(Stored, i64, Vec<i64>)> = Vec::new();
    for row in &over {
        match what(row) {
            TagWhat::Stored(slot) if slots.iter().all(|(of, thing, _)| (*of, *thing) != (slot, row.thing)) => {
                slots.push((slot, row.thing, state.cells[game.layout.cells(slot, row.thing)].to_vec()));
            }
            TagWhat::Stored(_) => {}
            TagWhat::Status(status) => {
                take_away(game, state, |id, bearer, data| status == id && bearer == row.thing && data == row.data)
            }
        }
    }
    // what a slot goes back to may hang on others that go back with it, whichever was written first
    for _ in 0..=slots.len() {
        let mut moved = false;
        for (slot, thing, _) in &slots {
            let (at, cells) = (game.layout.cells(*slot, *thing), begun(game, state, *slot, *thing));
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
                with.tell(game, state, &Happening::Revoked { status, thing: row.thing, expired: true });
                continue;
            }
            let Some((slot, thing, old)) = slots.next() else { continue };
            let new = state.cells[game.layout.cells(slot, thing)].to_vec();
            if old != new {
                with.tell(game, state, &Happening::Expired { slot, thing, old: &old, new: &new });
            }
        }
    }
    // a link that goes back may lead to what was put below it meanwhile
    for link in game.program.schema.kinds.iter().filter_map(|kind| kind.tree) {
        if moved.contains(&TagWhat::Stored(Stored::Field(link))) {
            super::operate::forest(game, state, link)?;
        }
    }
    cut(game, state, with, moved);
    Ok(())
}

/// Slots are cut whose bounds moved with what is over, and then those whose bounds these are.
fn cut(game: &Game, state: &mut State, with: &mut With<'_>, mut moved: Vec<TagWhat>) {
    let (rules, links) = (&game.program.schema, &game.program.links);
    for slot in &links.cut {
        let bounds = rules.declared(*slot).bounds;
        let reads = |bound: FuncId| {
            let reads = &links.reads[bound.at()];
            moved.iter().any(|what| match what {
                TagWhat::Stored(slot) => reads.has(*slot),
                TagWhat::Status(id) => reads.traits.contains(*id),
            })
        };
        if !bounds.0.into_iter().chain(bounds.1).any(reads) {
            continue;
        }
        // a state of the game is cut once
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
                let told = Happening::Set { slot: *slot, thing, old, new, wanted: old };
                with.tell(game, state, &told);
            }
        }
        moved.push(TagWhat::Stored(*slot));
    }
}

/// What defaults and bounds are worked out for: the thing, if it is a field.
fn own(slot: Stored, thing: i64) -> SmallVec<[i64; 1]> {
    match slot {
        Stored::Field(_) => smallvec![thing],
        Stored::Global(_) => SmallVec::new(),
    }
}

/// A value cut to its bounds, as they are now.
fn within(game: &Game, state: &State, value: i64, (low, high): (Option<FuncId>, Option<FuncId>), args: &[i64]) -> i64 {
    if value == NONE || value == UNSET {
        return value;
    }
    let limit = |bound: Option<FuncId>| bound.and_then(|func| worked_out(game, state, func, args)).map(|v| v[0]);
    let value = limit(high).map_or(value, |most| value.min(most));
    limit(low).map_or(value, |least| value.max(least))
}

/// What a slot goes back to: its declared default; without one, the value it began with. Within its bounds.
fn begun(game: &Game, state: &State, slot: Stored, thing: i64) -> Vec<i64> {
    let (layout, declared, args) = (game.layout.stored(slot), game.program.schema.declared(slot), own(slot, thing));
    let default = declared.default.and_then(|func| layout.stored(worked_out(game, state, func, &args)?));
    let mut cells = default.unwrap_or_else(|| game.start.cells[game.layout.cells(slot, thing)].to_vec());
    if layout.entry == 0 {
        cells[0] = within(game, state, cells[0], declared.bounds, &args);
    }
    cells
}

/// A default or a bound, worked out on the position as it is; of a list its entries.
fn worked_out(game: &Game, state: &State, func: FuncId, args: &[i64]) -> Option<Vec<i64>> {
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
