//! Executes writes, durations, and the ends of phases and actions.

use super::bodies::Question;
use super::context::With;
use super::drive::MachineEvent;
use super::durations::{expire, keep_cut, layer, shift, shift_list, tag, unlayer};
use super::lists::{list_full, list_instr, store};
use super::state::{UNSET, What};
use super::statuses::{data_width, instances, rows, take_away};
use super::{Fault, FieldLayout, Game, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::schema::{FieldSort, Stored};
use grognard_program::{Instr, Pc, TagWhat};

/// Executes the instructions that the dispatch delegates.
#[expect(clippy::wildcard_enum_match_arm, reason = "an instruction that no function executes is an error")]
pub(super) fn rare(game: &Game, state: &mut State, with: &mut With<'_>, instr: Instr) -> Result<(), Fault> {
    let base = state.base as usize;
    macro_rules! reg {
        ($r:expr) => {
            state.stack[base + $r as usize]
        };
    }
    match instr {
        Instr::SetField { id, thing, src, wanted } => {
            let thing = reg!(thing);
            set(game, state, with, (Stored::Field(id), thing), base + src as usize, base + wanted as usize)
        }
        Instr::Home { .. } | Instr::Forth { .. } | Instr::Before { .. } => {
            super::board::look_back(game, state, instr);
            Ok(())
        }
        Instr::SetGlobal { id, src, wanted } => {
            set(game, state, with, (Stored::Global(id), -1), base + src as usize, base + wanted as usize)
        }
        Instr::SetBackLink { id, thing, list, add } => {
            let members = state.list(reg!(list)).to_vec();
            set_back_link(game, state, with, id, reg!(thing), &members, add);
            Ok(())
        }
        Instr::Count { id, src, minus } => {
            // each is a cell of the state, and a run has too few steps to overflow 64 bits
            let by = reg!(src);
            with.tallies[id.at()] += if minus { -by } else { by };
            Ok(())
        }
        Instr::Tally { dst, id } => {
            reg!(dst) = with.tallies.get(id.at()).copied().unwrap_or(0);
            Ok(())
        }
        Instr::At { dst, thing, kind } => {
            let at = super::bodies::point_of(game, state, kind, reg!(thing));
            let (x, y) = at.map_or((NONE, 0), |p| (p.x, p.y));
            reg!(dst) = x;
            reg!(dst + 1) = y;
            Ok(())
        }
        Instr::Facing { dst, thing, kind } => {
            reg!(dst) = super::bodies::facing_of(game, state, kind, reg!(thing));
            Ok(())
        }
        Instr::Instances { dst, thing, id } => {
            let cells = instances(game, state, id, reg!(thing));
            let width = data_width(game, id).max(1);
            reg!(dst) = state.new_list(&cells, width);
            Ok(())
        }
        Instr::Tree { op, dst, a, b, link } => {
            super::operate::tree(game, state, op, dst, a, b, link);
            Ok(())
        }
        Instr::Forest { link } => super::operate::forest(game, state, link),
        Instr::Board { dst, at } => {
            let question = Question::of(state, &game.program.board[at as usize]);
            let (one, two) = super::board::answer(game, state, &question)?;
            reg!(dst) = one;
            if let Some(two) = two {
                reg!(dst + 1) = two;
            }
            if let Some(asked) = &mut with.asked {
                asked.push((question, [one, two.unwrap_or(0)]));
            }
            Ok(())
        }
        Instr::Offer { action } => {
            super::menu::offer(game, state, with, action, None);
            Ok(())
        }
        Instr::Refuse { action, line } => {
            super::menu::offer(game, state, with, action, Some(line));
            Ok(())
        }
        Instr::Allowed { dst, action, line, times, key } => {
            let used = super::menu::used(game, state, action, line, reg!(key));
            reg!(dst) = i64::from(used < reg!(times));
            Ok(())
        }
        Instr::Use { action, line, times, key } => {
            let (times, key) = (reg!(times), reg!(key));
            let count = super::menu::count_use(game, state, action, line, key);
            if with.traced {
                with.tell(game, state, &MachineEvent::Used { action, line, count, times, key });
            }
            Ok(())
        }
        Instr::Grant { id, thing, data } => {
            let thing = reg!(thing);
            grant(game, state, with, id, thing, base + data as usize);
            Ok(())
        }
        Instr::Revoke { id, thing } => {
            let thing = reg!(thing);
            let borne = state.cells[game.layout.bears[id.at()] + thing as usize] > 0;
            revoke(game, state, id, thing);
            if with.traced {
                let rendered = match borne {
                    true => MachineEvent::Revoked { status: id, thing, expired: false },
                    false => MachineEvent::Unborne { status: id, thing },
                };
                with.tell(game, state, &rendered);
            }
            Ok(())
        }
        Instr::RevokeOne { id, thing, data } => {
            let (thing, from) = (reg!(thing), base + data as usize);
            let data = state.stack[from..from + data_width(game, id)].to_vec();
            let before = state.granted.len();
            take_away(game, state, |status, bearer, of| status == id && bearer == thing && of == data);
            state.tags.retain(|row| {
                game.program.tags[row.tag as usize].what != TagWhat::Status(id)
                    || row.thing != thing
                    || row.data != data
            });
            if with.traced {
                let rendered = match state.granted.len() < before {
                    true => MachineEvent::Revoked { status: id, thing, expired: false },
                    false => MachineEvent::Unborne { status: id, thing },
                };
                with.tell(game, state, &rendered);
            }
            Ok(())
        }
        Instr::Tag { at, thing, key, data } => {
            tag(game, state, with, at, thing, key, data);
            Ok(())
        }
        Instr::Layer { at, thing, key } => {
            layer(game, state, at, thing, key);
            Ok(())
        }
        Instr::KeepCut { id, thing } => {
            keep_cut(game, state, Stored::Field(id), reg!(thing));
            Ok(())
        }
        Instr::KeepCutGlobal { id } => {
            keep_cut(game, state, Stored::Global(id), -1);
            Ok(())
        }
        Instr::Untag { id, thing } => {
            unlayer(game, state, Stored::Field(id), reg!(thing));
            Ok(())
        }
        Instr::UntagGlobal { id } => {
            unlayer(game, state, Stored::Global(id), -1);
            Ok(())
        }
        Instr::Shift { id, thing, by, minus } => {
            let by = if minus { -reg!(by) } else { reg!(by) };
            shift(game, state, Stored::Field(id), reg!(thing), by);
            Ok(())
        }
        Instr::ShiftList { id, thing, list, minus } => {
            let (thing, list) = (reg!(thing), reg!(list));
            shift_list(game, state, Stored::Field(id), thing, list, minus)
        }
        Instr::ShiftListGlobal { id, list, minus } => {
            let list = reg!(list);
            shift_list(game, state, Stored::Global(id), -1, list, minus)
        }
        Instr::ShiftGlobal { id, by, minus } => {
            let by = if minus { -reg!(by) } else { reg!(by) };
            shift(game, state, Stored::Global(id), -1, by);
            Ok(())
        }
        Instr::Destroy { kind, thing, why } => {
            let thing = reg!(thing);
            destroy(game, state, with, kind, thing, &game.program.texts[why as usize]);
            Ok(())
        }
        Instr::Spawn { dst, kind } => {
            reg!(dst) = spawn(game, state, with, kind)?;
            Ok(())
        }
        Instr::Put { kind, thing, at } => {
            let thing = reg!(thing);
            super::board::put(game, state, with, kind, thing, base + at as usize);
            Ok(())
        }
        Instr::Turn { kind, thing, by, angle } => {
            let (thing, angle) = (reg!(thing), reg!(angle));
            super::board::turn(game, state, with, kind, thing, by, angle);
            Ok(())
        }
        Instr::Merge { kind, from, into } => {
            let (from, into) = (reg!(from), reg!(into));
            merge(game, state, with, kind, from, into)
        }
        _ => list_instr(game, state, instr),
    }
}

/// Makes the given things point to a thing. Unless `add`, clears the links of other things to it.
fn set_back_link(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    id: FieldId,
    to: i64,
    members: &[i64],
    add: bool,
) {
    let kind = game.program.schema.fields[id.at()].kind;
    for thing in 0..state.cells[game.layout.kinds[kind.at()].used] {
        let at = game.layout.field(id, thing, 0);
        let old = state.cells[at];
        let new = match members.contains(&thing) {
            true => to,
            false if !add && old == to => NONE,
            false => continue,
        };
        state.cells[at] = new;
        if with.traced && new != old {
            let (old, new) = (&[if old == UNSET { NONE } else { old }], &[new]);
            let slot = Stored::Field(id);
            with.tell(game, state, &MachineEvent::Set { slot, thing, old, new, wanted: new });
        }
    }
}

fn set(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    (slot, thing): (Stored, i64),
    src: usize,
    wanted: usize,
) -> Result<(), Fault> {
    let hidden = matches!(slot, Stored::Global(id) if game.program.schema.globals[id.at()].hidden);
    if !with.traced || hidden {
        return store(game, state, slot, thing, src);
    }
    let (old, new) = before_and_after(state, game.layout.stored(slot), game.layout.cells(slot, thing).start, src);
    store(game, state, slot, thing, src)?;
    let wanted = [state.stack[wanted]];
    with.tell(game, state, &MachineEvent::Set { slot, thing, old: &old, new: &new, wanted: &wanted });
    Ok(())
}

/// Returns the old and the new value of a slot for the trace. Stored lists are loaded onto the heap, and a value never
/// given is `none`.
fn before_and_after(state: &mut State, layout: &FieldLayout, at: usize, src: usize) -> (Vec<i64>, Vec<i64>) {
    if state.cells[at] == UNSET {
        return (
            vec![NONE; layout.width],
            state.stack[src..src + if layout.entry > 0 { 1 } else { layout.width }].to_vec(),
        );
    }
    if layout.entry > 0 {
        let len = state.cells[at].max(0) as usize * layout.entry;
        let cells = state.cells[at + 1..at + 1 + len].to_vec();
        return (vec![state.new_list(&cells, layout.entry)], vec![state.stack[src]]);
    }
    (state.cells[at..at + layout.width].to_vec(), state.stack[src..src + layout.width].to_vec())
}

// -------------------------------------------------------------------- statuses

/// Grants a status. Equal data renews an instance; other data adds one.
fn grant(game: &Game, state: &mut State, with: &mut With<'_>, id: TraitId, thing: i64, data: usize) {
    let width = data_width(game, id);
    let cells = state.stack[data..data + width].to_vec();
    let same = rows(game, &state.granted).into_iter().any(|(at, status, bearer, _)| {
        status == id && bearer == thing && state.granted[at + 2..at + 2 + width] == cells
    });
    // a renewed instance has a new duration
    state.tags.retain(|row| {
        !(game.program.tags[row.tag as usize].what == TagWhat::Status(id) && row.thing == thing && row.data == cells)
    });
    if !same {
        state.granted.extend_from_slice(&[i64::from(id.0), thing]);
        state.granted.extend_from_slice(&cells);
        state.cells[game.layout.bears[id.at()] + thing as usize] += 1;
    }
    if with.traced {
        with.tell(game, state, &MachineEvent::Granted { status: id, thing, data: &cells, renewed: same });
    }
}

fn revoke(game: &Game, state: &mut State, id: TraitId, thing: i64) {
    take_away(game, state, |status, bearer, _| status == id && bearer == thing);
    state.tags.retain(|row| !(game.program.tags[row.tag as usize].what == TagWhat::Status(id) && row.thing == thing));
}

// -------------------------------------------------------------------- ends

/// Removes a phase or action from the stack, with the uses counted in it.
pub(super) fn leave(state: &mut State, what: What) {
    if let Some(at) = state.running.iter().rposition(|r| r.what == what) {
        state.running.truncate(at);
        state.uses.retain(|u| u.running == u32::MAX || (u.running as usize) < at);
    }
}

/// Executes `end P`: leaves everything inside P and continues with its end rules.
pub(super) fn end_phase(game: &Game, state: &mut State, with: &mut With<'_>, phase: PhaseId) -> Result<Pc, Fault> {
    let Some(at) = state.running.iter().rposition(|r| r.what == What::Phase(phase)) else {
        let name = &game.program.schema.phases[phase.at()].name;
        return Err(Fault::new(Code::Scope, format!("{name} is not running, so it cannot end")));
    };
    let row = state.running[at];
    // durations until the end of inner phases end
    while state.running.len() > at + 1 {
        if let Some(inner) = state.running.pop()
            && let What::Phase(id) = inner.what
        {
            let depth = state.running.len();
            expire(game, state, with, (id, false), inner.base as usize, depth)?;
        }
    }
    state.uses.retain(|u| u.running == u32::MAX || u.running as usize <= at);
    unwind(game, state, with, row.frame as usize);
    state.base = row.base;
    let code = &game.program.phases[phase.at()];
    Ok(if row.ending { code.out } else { code.end })
}

/// Executes `cancel action`: skips the rest of the action.
pub(super) fn cancel_action(game: &Game, state: &mut State, with: &mut With<'_>) -> Result<Pc, Fault> {
    let Some(at) = state.running.iter().rposition(|r| matches!(r.what, What::Action(_))) else {
        return Err(Fault::new(Code::Scope, "no action is running, so there is none to cancel"));
    };
    let row = state.running[at];
    let What::Action(action) = row.what else { return Err(Fault::new(Code::Scope, "no action is running")) };
    state.running.truncate(at + 1);
    unwind(game, state, with, row.frame as usize);
    state.base = row.base;
    Ok(game.program.actions[action.at()].out)
}

/// Leaves all functions inside the function at index `frame`.
fn unwind(game: &Game, state: &mut State, with: &mut With<'_>, frame: usize) {
    while state.frames.len() > frame + 1 {
        if let Some(left) = state.frames.pop()
            && with.traced
            && !game.program.funcs[left.func.at()].sort.pure()
        {
            with.tell(game, state, &MachineEvent::Leave { func: left.func, result: &[] });
        }
    }
}

// -------------------------------------------------------------------- things

fn destroy(game: &Game, state: &mut State, with: &mut With<'_>, kind: KindId, thing: i64, why: &str) {
    let alive = game.layout.kinds[kind.at()].alive + thing as usize;
    if state.cells[alive] == 0 {
        return;
    }
    // a group is destroyed before its members, so that the last member does not destroy it again
    let groups = groups_of(game, state, kind, thing);
    state.cells[alive] = 0;
    if let Some((field, member)) = game.program.schema.kinds[kind.at()].group {
        for m in super::bodies::members(game, state, field, thing) {
            destroy(game, state, with, member, m, why);
        }
    }
    if with.traced {
        with.tell(game, state, &MachineEvent::Destroyed { kind, thing, why });
    }
    for (group, number) in groups {
        let of = &game.program.schema.kinds[group.at()];
        if let Some((field, _)) = of.group
            && !of.stays_empty
            && super::bodies::members(game, state, field, number).is_empty()
        {
            destroy(game, state, with, group, number, "no member is left");
        }
    }
}

/// Returns the groups in play that contain a thing.
fn groups_of(game: &Game, state: &State, kind: KindId, thing: i64) -> Vec<(KindId, i64)> {
    let mut found = Vec::new();
    for (n, of) in game.program.schema.kinds.iter().enumerate() {
        let Some((field, _)) = of.group.filter(|(_, member)| *member == kind) else { continue };
        let (group, layout) = (KindId::from(n), game.layout.kinds[n]);
        let in_play = |number: &i64| state.cells[layout.alive + *number as usize] != 0;
        let has = |number: &i64| super::bodies::members(game, state, field, *number).contains(&thing);
        found.extend((0..state.cells[layout.used]).filter(in_play).filter(has).map(|number| (group, number)));
    }
    found
}

fn spawn(game: &Game, state: &mut State, with: &mut With<'_>, kind: KindId) -> Result<i64, Fault> {
    let layout = game.layout.kinds[kind.at()];
    let n = state.cells[layout.used] as usize;
    if n >= layout.slots {
        let name = &game.program.schema.kinds[kind.at()].name;
        return Err(Fault::new(
            Code::NoReserve,
            format!("no capacity for another {name}; the maximum here is {}", layout.slots),
        ));
    }
    state.cells[layout.used] += 1;
    state.cells[layout.alive + n] = 1;
    if layout.place > 0 {
        state.cells[layout.place + 3 * n] = NONE;
    }
    for (f, field) in game.program.schema.fields.iter().enumerate() {
        if field.kind == kind && matches!(field.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link) {
            let at = game.layout.field(FieldId::from(f), n as i64, 0);
            state.cells[at] = if let Type::Optional(_) = field.ty {
                NONE
            } else if let Type::List(_) = field.ty {
                0
            } else {
                UNSET
            };
        }
    }
    if with.traced {
        with.tell(game, state, &MachineEvent::Spawned { kind, thing: n as i64 });
    }
    Ok(n as i64)
}

/// Moves the members and links of `from` to `into` and destroys `from`.
fn merge(game: &Game, state: &mut State, with: &mut With<'_>, kind: KindId, from: i64, into: i64) -> Result<(), Fault> {
    for (f, field) in game.program.schema.fields.iter().enumerate() {
        let points = matches!(field.ty.present(), Type::Kind(k) if *k == kind);
        if field.sort != FieldSort::Link || !points {
            continue;
        }
        let used = state.cells[game.layout.kinds[field.kind.at()].used];
        for thing in 0..used {
            let at = game.layout.field(FieldId::from(f), thing, 0);
            if state.cells[at] == from && !(field.kind == kind && thing == into) {
                state.cells[at] = into;
            }
        }
    }
    if let Some((field, _)) = game.program.schema.kinds[kind.at()].group
        && game.program.schema.fields[field.at()].sort == FieldSort::Link
    {
        move_list(game, state, field, from, into)?;
    }
    if with.traced {
        with.tell(game, state, &MachineEvent::Merged { kind, from, into });
    }
    destroy(game, state, with, kind, from, "merged");
    Ok(())
}

/// Appends the stored list of `from` to that of `into`, and clears it.
///
/// # Errors
///
/// Fails if the entries exceed the capacity of the list.
fn move_list(game: &Game, state: &mut State, field: FieldId, from: i64, into: i64) -> Result<(), Fault> {
    let layout = game.layout.fields[field.at()];
    let (a, b) = (game.layout.field(field, from, 0), game.layout.field(field, into, 0));
    let (n, m) = (state.cells[a].max(0) as usize * layout.entry, state.cells[b].max(0) as usize * layout.entry);
    if m + n + 1 > layout.width {
        return Err(list_full(&game.program.schema.fields[field.at()].name, &layout));
    }
    state.cells.copy_within(a + 1..a + 1 + n, b + 1 + m);
    state.cells[b] += state.cells[a].max(0);
    state.cells[a..a + layout.width].fill(0);
    Ok(())
}
