//! Durations: what was written for a time, and what it goes back to when that is over.

use super::drive::{Decide, Dice, Happening, NoDice, NoTrace, Trace};
use super::run::Run;
use super::state::{TagRow, UNSET};
use super::statuses::data_width;
use super::writes::take_away;
use super::{Fault, Game, State};
use crate::program::{Bounded, Instr, TagWhat};
use crate::value::*;

/// What was written last lasts until the start or end of a phase.
pub(super) fn tag<D, C, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    at: u32,
    thing: u16,
    key: u16,
    data: u16,
) {
    let base = state.base as usize;
    let info = &game.program.tags[at as usize];
    let key = if info.keyed { state.stack[base + key as usize] } else { -1 };
    let (thing, data) = match info.what {
        TagWhat::Field(_) => (state.stack[base + thing as usize], Vec::new()),
        TagWhat::Global(_) => (-1, Vec::new()),
        TagWhat::Status(id) => {
            let data = base + data as usize;
            (state.stack[base + thing as usize], state.stack[data..data + data_width(game, id)].to_vec())
        }
    };
    state.tags.push(TagRow { tag: at, thing, key, data });
    if T::ON {
        let key = info.keyed.then_some(key);
        with.trace.happen(game, state, &Happening::Until { phase: info.phase, start: info.start, key });
    }
}

/// What was to last until the start or end of this phase is over.
pub(super) fn expire<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
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
    let mut slots: Vec<(TagWhat, i64, Vec<i64>)> = Vec::new();
    for row in &over {
        match slot(game, what(row), row.thing) {
            Some(cells) if slots.iter().all(|(of, thing, _)| (*of, *thing) != (what(row), row.thing)) => {
                slots.push((what(row), row.thing, state.cells[cells].to_vec()));
            }
            Some(_) => {}
            None => take_away(game, state, |id, bearer, data| {
                what(row) == TagWhat::Status(id) && bearer == row.thing && data == row.data
            }),
        }
    }
    // what a slot goes back to may hang on others that go back with it, whichever was written first
    for _ in 0..=slots.len() {
        let mut moved = false;
        for (what, thing, _) in &slots {
            let (Some(at), Some(cells)) = (slot(game, *what, *thing), begun(game, state, *what, *thing)) else {
                continue;
            };
            moved |= state.cells[at.clone()] != cells[..];
            state.cells[at].copy_from_slice(&cells);
        }
        if !moved {
            break;
        }
    }
    let moved: Vec<TagWhat> = over.iter().map(what).collect();
    if T::ON {
        let mut slots = slots.into_iter();
        for row in over {
            if let TagWhat::Status(status) = what(&row) {
                with.trace.happen(game, state, &Happening::Revoked { status, thing: row.thing, expired: true });
                continue;
            }
            let Some((what, thing, old)) = slots.next() else { continue };
            let Some(new) = slot(game, what, thing).map(|at| state.cells[at].to_vec()) else { continue };
            let (old, new) = (&old[..], &new[..]);
            match what {
                _ if old == new => {}
                TagWhat::Field(field) => with.trace.happen(game, state, &Happening::Expired { field, thing, old, new }),
                TagWhat::Global(id) => with.trace.happen(game, state, &Happening::ExpiredGlobal { id, old, new }),
                TagWhat::Status(_) => {}
            }
        }
    }
    // a link that goes back may lead to what was put below it meanwhile
    for link in game.program.schema.kinds.iter().filter_map(|kind| kind.tree) {
        if moved.contains(&TagWhat::Field(link)) {
            super::operate::forest(game, state, link)?;
        }
    }
    cut(game, state, with, moved);
    Ok(())
}

/// Slots are cut whose bounds moved with what is over, and then those whose bounds these are.
fn cut<D, C, T: Trace>(game: &Game, state: &mut State, with: &mut Run<D, C, T>, mut moved: Vec<TagWhat>) {
    let (rules, links) = (&game.program.schema, &game.program.links);
    for slot in &links.cut {
        let bounds = match slot {
            Bounded::Field(id) => (rules.fields[id.at()].low, rules.fields[id.at()].high),
            Bounded::Global(id) => (rules.globals[id.at()].low, rules.globals[id.at()].high),
        };
        let reads = |bound: FuncId| {
            let reads = &links.reads[bound.at()];
            moved.iter().any(|what| match what {
                TagWhat::Field(id) => reads.fields.contains(*id),
                TagWhat::Global(id) => reads.globals.contains(*id),
                TagWhat::Status(id) => reads.traits.contains(*id),
            })
        };
        if !bounds.0.into_iter().chain(bounds.1).any(reads) {
            continue;
        }
        match *slot {
            Bounded::Field(field) => {
                let kind = game.layout.kinds[rules.fields[field.at()].kind.at()];
                for thing in 0..state.cells[kind.used] {
                    if state.cells[kind.alive + thing as usize] == 0 {
                        continue;
                    }
                    let at = game.layout.field(field, thing, 0);
                    let old = state.cells[at];
                    let new = within(game, state, old, bounds, &[thing]);
                    state.cells[at] = new;
                    if T::ON && old != new {
                        let (old, new) = (&[old], &[new]);
                        let told = Happening::Set { field, thing, old, new, wanted: old };
                        with.trace.happen(game, state, &told);
                    }
                }
                moved.push(TagWhat::Field(field));
            }
            Bounded::Global(id) => {
                let at = game.layout.globals[id.at()].base;
                let old = state.cells[at];
                let new = within(game, state, old, bounds, &[]);
                state.cells[at] = new;
                if T::ON && old != new {
                    let (old, new) = (&[old], &[new]);
                    with.trace.happen(game, state, &Happening::SetGlobal { id, old, new, wanted: old });
                }
                moved.push(TagWhat::Global(id));
            }
        }
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

/// The cells of a slot that was written for a time; none for a status.
fn slot(game: &Game, what: TagWhat, thing: i64) -> Option<std::ops::Range<usize>> {
    let (at, width) = match what {
        TagWhat::Field(id) => (game.layout.field(id, thing, 0), game.layout.fields[id.at()].width),
        TagWhat::Global(id) => (game.layout.globals[id.at()].base, game.layout.globals[id.at()].width),
        TagWhat::Status(_) => return None,
    };
    Some(at..at + width)
}

/// What a slot goes back to: its declared default; without one, the value it began with. Within its bounds.
fn begun(game: &Game, state: &State, what: TagWhat, thing: i64) -> Option<Vec<i64>> {
    let rules = &game.program.schema;
    let (layout, default, low, high) = match what {
        TagWhat::Field(id) => {
            let field = &rules.fields[id.at()];
            (game.layout.fields[id.at()], field.default, field.low, field.high)
        }
        TagWhat::Global(id) => {
            let global = &rules.globals[id.at()];
            (game.layout.globals[id.at()], global.default, global.low, global.high)
        }
        TagWhat::Status(_) => return None,
    };
    let own = [thing];
    let args = if matches!(what, TagWhat::Field(_)) { &own[..] } else { &[] };
    let declared = default.and_then(|func| layout.stored(worked_out(game, state, func, args)?));
    let mut cells = declared.unwrap_or_else(|| game.start.cells[slot(game, what, thing).unwrap_or_default()].to_vec());
    if layout.entry == 0 {
        cells[0] = within(game, state, cells[0], (low, high), args);
    }
    Some(cells)
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
    let mut pure = Run::new(game, NoDice, NoDice, NoTrace);
    super::run::call(game, &mut aside, &mut pure, func, args).ok()?;
    Some(super::setup::given(game, &aside, func))
}
