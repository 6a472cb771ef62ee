//! The fast loop: executes arithmetic, jumps, list reads, field reads and writes, calls and rolls without returning.

use super::drive::Dice;
use super::game::Game;
use super::layout::{Aside, Bound, By, ChangeFigure, Step, look};
use super::lazy_dice::is_unseen;
use super::operate::plain;
use super::state::{Frame, Handle, State, UNSET};
use super::throws::{Before, DieFrom, ThrowDice, known_die, sides};
use fixedbitset::FixedBitSet;
use grognard_base::value::dice::MOST_DICE;
use grognard_base::value::{NONE, Ratio, pack_thing};
use grognard_program::{Pc, Reg};

/// Runs steps until one needs the whole state, can fail, or requires a driver. Returns its program point and the base
/// of its frame.
///
/// In a traced run, writes and calls are left to the dispatch, which reports them. With `STOP`, the loop also ends
/// before each of the stops of the run. Fused steps around a stop are then executed one by one, so that no stop is
/// skipped.
#[inline]
pub(super) fn fast<D: Dice, const STOP: bool>(
    game: &Game,
    state: &mut State,
    (dice, traced): (&mut D, bool),
    fuel: &mut u64,
    stops: &FixedBitSet,
    (mut pc, mut base): (usize, usize),
) -> (usize, usize) {
    let linked = &game.linked;
    let (steps, alone, further) = (linked.steps.as_slice(), linked.alone.as_slice(), linked.further.as_slice());
    let exact = dice.exact();
    // the result of the call may be memoized
    let calls = !(traced || exact || dice.pure() && state.memo.is_open());
    let State { stack, cells, heap, frames, .. } = state;
    let (mut frame, cells) = (&mut stack[base..], cells.as_mut_slice());
    // a step that would fail is left to the slow path, which creates the message
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
                    return (pc, base);
                }
                *fuel -= 1;
            }
            pc = $to as usize;
            continue;
        }};
    }
    // an invalid program point is detected at the lookup of its step
    macro_rules! on {
        ($by:expr) => {
            pc = pc.wrapping_add($by)
        };
    }
    loop {
        let mut now = steps;
        if STOP {
            if stops.contains(pc) {
                return (pc, base);
            }
            if (1..=usize::from(further[pc])).any(|n| stops.contains(pc + n)) {
                now = alone;
            }
        }
        // matched in place: copying the whole step first would put a memory round trip before every dispatch
        match now[pc] {
            Step::Const { dst, value } => frame[dst as usize] = value,
            Step::Copy { dst, src } => frame[dst as usize] = frame[src as usize],
            Step::AddConst { dst, a, value } => match frame[a as usize].checked_add(i64::from(value)) {
                Some(sum) => frame[dst as usize] = sum,
                None => return (pc, base),
            },
            Step::AtLeast { dst, a, value } => frame[dst as usize] = frame[a as usize].max(i64::from(value)),
            Step::AtMost { dst, a, value } => frame[dst as usize] = frame[a as usize].min(i64::from(value)),
            Step::Within { src, low, high } => {
                let value = frame[src as usize];
                if value < i64::from(low) || value > i64::from(high) {
                    return (pc, base);
                }
            }
            Step::Op { op, dst, a, b, n } => match plain(op, frame[a as usize], frame[b as usize], n) {
                Some(v) => frame[dst as usize] = v,
                None => return (pc, base),
            },
            Step::Sides { dst, a, chain } => {
                frame[dst as usize] = sides(&game.program.schema, frame[a as usize], chain as usize)
            }
            Step::Fraction { dst, num, den } => match Ratio::new(frame[num as usize], frame[den as usize]) {
                Some(ratio) => {
                    frame[dst as usize] = ratio.num();
                    frame[dst as usize + 1] = ratio.den();
                }
                None => return (pc, base),
            },
            Step::Round { dst, ratio, up } => {
                let (num, den) = (frame[ratio as usize], frame[ratio as usize + 1]);
                if den <= 0 {
                    return (pc, base);
                }
                let (down, rest) = (num.div_euclid(den), num.rem_euclid(den));
                frame[dst as usize] = down + i64::from(up && rest > 0);
            }
            Step::Keep { dst, most, list, high } => {
                let (Ok(most), list) = (usize::try_from(frame[most as usize]), Handle::of(frame[list as usize])) else {
                    return (pc, base);
                };
                if exact && unseen(&heap[list.at..list.at + list.len]) {
                    return (pc, base);
                }
                frame[dst as usize] = keep(heap, list, most, high);
            }
            Step::KeepConst { dst, most, value, list, high } => {
                frame[most as usize] = i64::from(value);
                let list = Handle::of(frame[list as usize]);
                on!(1);
                match usize::try_from(value) {
                    Ok(most) if !(exact && unseen(&heap[list.at..list.at + list.len])) => {
                        frame[dst as usize] = keep(heap, list, most, high);
                    }
                    _ => continue,
                }
            }
            Step::Total { dst, list } => {
                let list = Handle::of(frame[list as usize]);
                let entries = &heap[list.at..list.at + list.len];
                match entries.iter().try_fold(0i64, |sum, v| sum.checked_add(*v)) {
                    Some(sum) if !(exact && unseen(entries)) => frame[dst as usize] = sum,
                    _ => return (pc, base),
                }
            }
            Step::Setting { .. } if exact && dice.marks() => return (pc, base),
            Step::Setting { dst, at } => frame[dst as usize] = cells[at as usize],
            Step::Global { dst, at } => {
                let value = cells[at as usize];
                if value == UNSET {
                    return (pc, base);
                }
                frame[dst as usize] = value;
            }
            Step::SetGlobal { .. } if traced => return (pc, base),
            Step::SetGlobal { at, src } => cells[at as usize] = frame[src as usize],
            Step::Lookup { dst, row, column, at } => {
                let table = &game.program.lookups[at as usize];
                let (row, column) = (frame[row as usize] as usize, frame[column as usize] as usize);
                match table.cells.get(row * table.columns + column) {
                    Some(cell) if column < table.columns => frame[dst as usize] = *cell,
                    _ => return (pc, base),
                }
            }
            Step::Push { list, src } => {
                let mut handle = Handle::of(frame[list as usize]);
                let listed = handle.at..handle.at + handle.len;
                if handle.len >= MOST_DICE || exact && unseen(&heap[listed]) {
                    return (pc, base);
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
                let last = switch.to.len() as i64 - 1;
                pc = switch.to[frame[a as usize].saturating_sub(switch.low).clamp(0, last) as usize] as usize;
                continue;
            }
            Step::Figure { dst, thing, column } => {
                let value = cells[column as usize + frame[thing as usize] as usize];
                if value == UNSET {
                    return (pc, base);
                }
                frame[dst as usize] = value;
            }
            Step::SetFigure { thing, src, column } => {
                let value = frame[src as usize];
                if traced || i32::try_from(value).is_err() {
                    return (pc, base);
                }
                cells[column as usize + frame[thing as usize] as usize] = value;
            }
            Step::Cell { dst, thing, column } => {
                frame[dst as usize] = cells[column as usize + frame[thing as usize] as usize];
            }
            Step::NextThing { dst, kind, to } => {
                if *fuel == 0 {
                    return (pc, base);
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
            Step::LookConst { than, value, .. } if exact => frame[than as usize] = i64::from(value),
            Step::Entry { dst, list, index } => {
                let list = Handle::of(frame[list as usize]);
                if exact && unseen(&heap[list.at..list.at + list.len]) {
                    return (pc, base);
                }
                frame[dst as usize] = heap[list.at + frame[index as usize] as usize];
            }
            Step::Look { dst, list, op, than } => {
                let list = Handle::of(frame[list as usize]);
                let entries = &heap[list.at..list.at + list.len];
                if exact && unseen(entries) {
                    return (pc, base);
                }
                frame[dst as usize] = look(entries, op, frame[than as usize]);
            }
            Step::Mark { dst } => frame[dst as usize] = heap.len() as i64,
            Step::Release { mark } => heap.truncate(frame[mark as usize] as usize),
            Step::JumpFigure { holds, dst, thing, value, column, to } => {
                let figure = cells[column as usize + frame[thing as usize] as usize];
                if figure == UNSET {
                    return (pc, base);
                }
                frame[dst as usize] = figure;
                jump_if!(holds.between(figure, i64::from(value)), to);
                on!(1);
            }
            Step::JumpCount { holds, dst, a, value, b, to } => {
                let count = frame[a as usize].saturating_add(i64::from(value));
                frame[dst as usize] = count;
                jump_if!(holds.between(count, frame[b as usize]), to);
                on!(1);
            }
            Step::LookConst { dst, list, op, than, value } => {
                frame[than as usize] = i64::from(value);
                let list = Handle::of(frame[list as usize]);
                frame[dst as usize] = look(&heap[list.at..list.at + list.len], op, i64::from(value));
                on!(1);
            }
            Step::ReleaseJump { mark, to } => {
                heap.truncate(frame[mark as usize] as usize);
                on!(1);
                jump!(to)
            }
            Step::ConstJump { dst, value, to } => {
                frame[dst as usize] = i64::from(value);
                on!(1);
                jump!(to)
            }
            Step::ConstOp { op, dst, a, b, constant, value } => {
                frame[constant as usize] = i64::from(value);
                on!(1);
                match plain(op, frame[a as usize], frame[b as usize], 0) {
                    Some(v) => frame[dst as usize] = v,
                    None => continue,
                }
            }
            Step::OpJump { op, holds, dst, a, b, n, to } => match plain(op, frame[a as usize], frame[b as usize], n) {
                Some(v) => {
                    frame[dst as usize] = v;
                    jump_if!(holds.between(v, 0), to);
                    on!(1);
                }
                None => return (pc, base),
            },
            Step::LookupConst { dst, row, column, value, at } => {
                frame[column as usize] = i64::from(value);
                on!(1);
                let table = &game.program.lookups[at as usize];
                let (row, column) = (frame[row as usize] as usize, i64::from(value) as usize);
                match table.cells.get(row * table.columns + column) {
                    Some(cell) if column < table.columns => frame[dst as usize] = *cell,
                    _ => continue,
                }
            }
            Step::Shorter { dst, other, a, b } => {
                let [a, b] = [a, b].map(|list| Handle::of(frame[list as usize]).len);
                frame[other as usize] = b as i64;
                frame[dst as usize] = a.min(b) as i64;
                on!(2);
            }
            Step::Listed { dst, at } => {
                frame[dst as usize] = 0;
                if !exact {
                    let (entries, from) = (&linked.listed[at as usize], heap.len());
                    heap.extend(entries.iter().map(|src| frame[*src as usize]));
                    frame[dst as usize] = Handle { at: from, len: entries.len() }.cell();
                    on!(entries.len());
                }
            }
            Step::Pairs { at } => {
                let pairs = &linked.pairs[at as usize];
                let lists = pairs.lists.map(|list| Handle::of(frame[list as usize]));
                let open = exact && lists.iter().any(|list| unseen(&heap[list.at..list.at + list.len]));
                match if open { None } else { pairs.run(frame, heap, lists, *fuel) } {
                    Some(left) => {
                        *fuel = left;
                        pc = pairs.end as usize;
                        continue;
                    }
                    None => frame[pairs.lengths[0] as usize] = lists[0].len as i64,
                }
            }
            Step::Change { at } => {
                let change = &linked.changes[at as usize];
                let value = cells[change.from as usize + frame[change.thing as usize] as usize];
                if value == UNSET {
                    return (pc, base);
                }
                frame[change.reg as usize] = value;
                if !traced && self::change(change, frame, cells) {
                    on!(change.length as usize);
                    continue;
                }
            }
            Step::Throw { at } => {
                let throw = &linked.throws[at as usize];
                if traced || !self::throw(game, throw, dice, frame, cells, heap) {
                    return (pc, base);
                }
                on!(throw.length as usize);
                continue;
            }
            Step::Call { func, args, dst } => {
                if !calls || *fuel == 0 || frames.len() >= game.depth {
                    return (pc, base);
                }
                *fuel -= 1;
                let info = &game.program.funcs[func.at()];
                let (outer, back, mark) = (base as u32, pc as Pc + 1, heap.len() as u32);
                base += args as usize;
                let top = base + info.frame as usize;
                if stack.len() < top {
                    stack.resize(top, 0);
                }
                frames.push(Frame { func, back, base: outer, dst, heap: mark });
                frame = &mut stack[base..];
                pc = info.entry as usize;
                continue;
            }
            Step::Return { src } => {
                let Some(ended) = frames.last().filter(|ended| calls && ended.base != u32::MAX) else {
                    return (pc, base);
                };
                let info = &game.program.funcs[ended.func.at()];
                if !info.lists.is_empty() {
                    return (pc, base);
                }
                if !game.program.keeps_heap || info.sort.pure() {
                    heap.truncate(ended.heap as usize);
                }
                let result = frame[src as usize];
                base = ended.base as usize;
                pc = ended.back as usize;
                frame = &mut stack[base..];
                frame[ended.dst as usize] = result;
                frames.pop();
                continue;
            }
            Step::Careful => return (pc, base),
        }
        on!(1);
    }
}

/// Maximum number of kept entries for which the list is not sorted.
const FEW: usize = 4;

/// Creates a list of the highest or lowest entries of a list, the best first.
#[inline]
fn keep(heap: &mut Vec<i64>, list: Handle, most: usize, high: bool) -> i64 {
    let (at, most) = (heap.len(), most.min(list.len));
    if most > FEW {
        heap.extend_from_within(list.at..list.at + list.len);
        heap[at..].sort_unstable_by(|x, y| if high { y.cmp(x) } else { x.cmp(y) });
    } else {
        // the lowest entries are the highest if all bits are flipped
        let flip = i64::from(high) - 1;
        let mut best = [i64::MIN; FEW];
        // each entry is inserted into the best so far by exchanges without branches that depend on the roll
        for entry in &heap[list.at..list.at + list.len] {
            let mut carried = entry ^ flip;
            for slot in &mut best {
                (*slot, carried) = ((*slot).max(carried), (*slot).min(carried));
            }
        }
        heap.extend_from_slice(&best.map(|entry| entry ^ flip));
    }
    heap.truncate(at + most);
    Handle { at, len: most }.cell()
}

/// Returns whether a list contains symbolic dice, which occur only while odds are computed.
#[inline]
fn unseen(entries: &[i64]) -> bool {
    entries.iter().any(|cell| is_unseen(*cell))
}

/// Changes the field value in its register and writes it. Returns `false` if a step on the way would fail.
#[inline]
fn change(change: &ChangeFigure, frame: &mut [i64], cells: &mut [i64]) -> bool {
    let thing = frame[change.thing as usize] as usize;
    let old = frame[change.reg as usize];
    if let Some(Aside { op, dst, a, b }) = change.aside {
        match plain(op, frame[a as usize], frame[b as usize], 0) {
            Some(value) => frame[dst as usize] = value,
            None => return false,
        }
    }
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

/// Rolls the dice of a linked roll. Returns `false` if the slow path must do it.
#[inline]
fn throw<D: Dice>(
    game: &Game,
    ask: &ThrowDice,
    driver: &mut D,
    frame: &mut [i64],
    cells: &[i64],
    heap: &mut Vec<i64>,
) -> bool {
    // these reads have the same result if the slow path repeats them
    if let Some((thing, kind)) = ask.pack {
        frame[ask.subject as usize] = pack_thing(kind, frame[thing as usize]);
    }
    if let Some((into, before)) = ask.before {
        let figure = |thing: Reg, column: u32| cells[column as usize + frame[thing as usize] as usize];
        frame[into as usize] = match before {
            Before::Const(value) => i64::from(value),
            Before::Copy(src) => frame[src as usize],
            Before::Figure { thing, column } => figure(thing, column),
            Before::AtMost { most, reg, thing, column } => {
                let value = figure(thing, column);
                frame[reg as usize] = value;
                if value == UNSET { value } else { value.min(i64::from(most)) }
            }
        };
    }
    let subject = frame[ask.subject as usize];
    let die = match ask.die {
        DieFrom::Known(die) => die,
        DieFrom::AtRunTime(reg, sort) => match known_die(&game.program.schema, sort, frame[reg as usize]) {
            Some(die) => die,
            None => return false,
        },
    };
    let Some(count) = ask.count else {
        let face = driver.single(game, ask.site, subject, die);
        face.into_iter().for_each(|face| frame[ask.dst as usize] = face);
        return face.is_some();
    };
    // an unset value is below 0
    let count = frame[count as usize];
    let at = heap.len();
    if !(0..=MOST_DICE as i64).contains(&count) || !driver.pool(game, ask.site, subject, (die, count as usize), heap) {
        return false;
    }
    frame[ask.dst as usize] = Handle { at, len: heap.len() - at }.cell();
    true
}
