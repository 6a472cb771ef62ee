//! Lazily sampled dice: rolled dice whose faces no instruction has demanded yet.
//!
//! While odds are computed, a pool on the heap holds such cells in place of faces. Each cell encodes its die and the
//! range of faces that the demands so far leave open. Dice of one kind and batch are exchangeable: their order is
//! unspecified. An instruction that demands more stops the machine. The caller that computes the odds then splits the
//! state and resumes.

use super::layout::{Holds, look};
use super::lists::list_instr;
use super::operate::operate;
use super::state::{Handle, State};
use super::throws::{Die, MOST_SIDES};
use super::{Fault, Game};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::flow::demands;
use grognard_program::{Instr, Pc, Reg, Wants};
use smallvec::SmallVec;

/// A die without a known face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LazyDice {
    /// The die.
    pub die: Die,
    /// The lowest possible face, as an index into the distinct faces of the die, from 1.
    pub low: u32,
    /// The highest possible face, as the same kind of index; inclusive.
    pub high: u32,
    /// The roll of its pool that the die belongs to. Only dice of the same batch are exchangeable.
    pub batch: u8,
}

/// The batch of dice from several rolls, whose order is no longer known.
pub const MIXED: u8 = 3;

/// Returns the fault for symbolic dice that must be distinguished but no longer can. Such dice must be sampled when
/// rolled.
pub fn unsampled_fault() -> Fault {
    Fault::new(Code::NeedsOdds, ORDER_LOST)
}

const ORDER_LOST: &str = "the order of the dice is no longer known";

/// Returns whether a fault was created by [`unsampled_fault`].
pub fn is_unsampled_fault(fault: &Fault) -> bool {
    fault.code == Code::NeedsOdds && fault.message == ORDER_LOST
}

/// The first cell that encodes a symbolic die. Cells for missing values and similar markers are below it.
const FIRST: i64 = i64::MIN + 16;
const LAST: i64 = FIRST + (1 << 62) - 1;
const BITS: u32 = 20;
const MASK: i64 = (1 << BITS) - 1;

impl LazyDice {
    /// Creates a die that was just rolled.
    pub fn new(game: &Game, die: Die) -> LazyDice {
        LazyDice { die, low: 1, high: levels(game, die), batch: 0 }
    }

    /// Encodes the die as a cell.
    pub fn cell(self) -> i64 {
        // declared dice are numbered downward from the maximum
        let die = match self.die {
            Die::Sides(n) => i64::from(n),
            Die::Faces(id) => MASK - i64::from(id.0),
        };
        let head = (i64::from(self.batch) << BITS) | die;
        FIRST + ((head << (2 * BITS)) | (i64::from(self.low) << BITS) | i64::from(self.high))
    }

    /// Decodes a cell, or returns `None` if it is not a symbolic die.
    pub fn of(cell: i64) -> Option<LazyDice> {
        if !is_unseen(cell) {
            return None;
        }
        let bits = cell - FIRST;
        let die = (bits >> (2 * BITS)) & MASK;
        Some(LazyDice {
            die: if die <= MOST_SIDES { Die::Sides(die as u32) } else { Die::Faces(DieId((MASK - die) as u32)) },
            low: ((bits >> BITS) & MASK) as u32,
            high: (bits & MASK) as u32,
            batch: (bits >> (3 * BITS)) as u8,
        })
    }

    /// Returns whether its face is known. Its index in the pool can still be unknown.
    pub fn known(self) -> bool {
        self.low == self.high
    }

    /// Returns the face at an index of the distinct faces, from 1.
    pub fn face(self, game: &Game, level: u32) -> i64 {
        match self.die {
            Die::Sides(_) => i64::from(level),
            Die::Faces(_) => faces(game, self.die).get(level as usize - 1).map_or(0, |(face, _)| *face),
        }
    }

    /// Returns the number of sides that show the faces from `low` to `high`, both inclusive.
    pub fn sides(self, game: &Game, low: u32, high: u32) -> u64 {
        match self.die {
            Die::Sides(_) => u64::from(high + 1 - low),
            Die::Faces(_) => faces(game, self.die)[low as usize - 1..high as usize].iter().map(|(_, n)| n).sum(),
        }
    }
}

/// Assigns batches to dice that are added to a pool after its first roll.
///
/// A new die in the place of a symbolic die is as exchangeable with the others of its batch as the old die was. In the
/// place of a known face, or at the end of the pool, it belongs to a new batch, shared by all dice of the same roll.
pub(super) struct Fallen<'p> {
    pool: &'p [i64],
    /// The new batch of each kind of die so far.
    batches: Vec<(Die, u8)>,
}

impl<'p> Fallen<'p> {
    /// Starts with the pool before the roll.
    pub fn into(pool: &'p [i64]) -> Fallen<'p> {
        Fallen { pool, batches: Vec::new() }
    }

    /// Returns the cell of a new die, which replaces `old` if present.
    ///
    /// # Errors
    ///
    /// Returns [`unsampled_fault`] if the batch of the old die is no longer known.
    pub fn cell(&mut self, old: Option<i64>, new: i64) -> Result<i64, Fault> {
        let Some(die) = LazyDice::of(new) else { return Ok(new) };
        if let Some(old) = old.and_then(LazyDice::of) {
            if old.die != die.die {
                return Err(unsampled_fault());
            }
            return Ok(LazyDice { batch: old.batch, ..die }.cell());
        }
        let known = self.batches.iter().find(|(of, _)| *of == die.die).map(|(_, batch)| *batch);
        let batch = known.unwrap_or_else(|| {
            let batch = self.unused(die.die);
            self.batches.push((die.die, batch));
            batch
        });
        Ok(LazyDice { batch, ..die }.cell())
    }

    /// Returns the first batch that no die of this kind in the pool uses.
    fn unused(&self, sort: Die) -> u8 {
        let mut used = [false; MIXED as usize + 1];
        let dice = self.pool.iter().filter_map(|cell| LazyDice::of(*cell)).filter(|die| die.die == sort);
        dice.for_each(|die| used[die.batch as usize] = true);
        (0..MIXED).find(|n| !used[*n as usize]).unwrap_or(MIXED)
    }
}

/// Returns whether a cell encodes a symbolic die.
#[inline]
pub fn is_unseen(cell: i64) -> bool {
    (FIRST..=LAST).contains(&cell)
}

/// Returns the number of distinct faces of a die.
fn levels(game: &Game, die: Die) -> u32 {
    match die {
        Die::Sides(n) => n,
        Die::Faces(_) => faces(game, die).len() as u32,
    }
}

/// Returns the distinct faces of a die in ascending order, each with the number of sides that show it.
fn faces(game: &Game, die: Die) -> Vec<(i64, u64)> {
    let mut all: Vec<i64> = (1..=die.sides(game)).map(|side| die.face(game, side)).collect();
    all.sort_unstable();
    let mut found: Vec<(i64, u64)> = Vec::new();
    for face in all {
        match found.last_mut() {
            Some((last, n)) if *last == face => *n += 1,
            _ => found.push((face, 1)),
        }
    }
    found
}

/// Returns the lists whose dice an instruction reads, with its demands on them.
#[inline]
pub fn wants(game: &Game, at: Pc) -> &[(Reg, Wants)] {
    &game.linked.demands.get_or_init(|| demands(&game.program))[at as usize]
}

/// Returns whether a query is a decision. Its preferences can read any dice.
pub(super) fn decides(game: &Game, ask: u32) -> bool {
    use grognard_program::AskKind;
    !matches!(
        game.program.asks[ask as usize].kind,
        AskKind::Roll { .. } | AskKind::Reroll { .. } | AskKind::Draw { .. }
    )
}

/// Replaces symbolic dice with known faces during a decision. Returns the replaced cells.
pub(super) fn reveal(game: &Game, heap: &mut [i64]) -> Vec<(usize, i64)> {
    let mut hidden = Vec::new();
    for (at, cell) in heap.iter_mut().enumerate() {
        if let Some(u) = LazyDice::of(*cell) {
            hidden.push((at, *cell));
            *cell = u.face(game, u.low);
        }
    }
    hidden
}

/// Restores the cells that [`reveal`] replaced.
pub(super) fn conceal(heap: &mut [i64], hidden: &[(usize, i64)]) {
    for (at, cell) in hidden {
        if let Some(place) = heap.get_mut(*at) {
            *place = *cell;
        }
    }
}

/// Result of executing an instruction that may read symbolic dice.
pub(super) enum Seen {
    /// The instruction reads no symbolic dice.
    Plain,
    /// The instruction was executed.
    Done,
    /// The instruction demands more than is known.
    Open,
}

/// Executes an instruction on lists of symbolic dice if they satisfy its demands.
pub(super) fn see(game: &Game, state: &mut State, base: usize, at: Pc, instr: Instr) -> Result<Seen, Fault> {
    if let Instr::Ask { at } = instr
        && decides(game, at)
        && state.heap.iter().any(|c| LazyDice::of(*c).is_some_and(|u| !u.known()))
    {
        return Ok(Seen::Open);
    }
    let list = |reg: Reg| Handle::of(state.stack[base + reg as usize]);
    let holds_unseen = |list: Handle| cells(state, list).iter().any(|c| is_unseen(*c));
    let wanted = wants(game, at);
    if !wanted.iter().any(|(reg, _)| holds_unseen(list(*reg))) {
        return Ok(Seen::Plain);
    }
    let lists = wanted.iter().map(|(reg, wants)| (list(*reg), *wants)).filter(|(list, _)| holds_unseen(*list));
    let lists: SmallVec<[(Handle, Wants); 2]> = lists.collect();
    if lists.iter().any(|(list, wants)| is_open(game, cells(state, *list), *wants, wants.value(&state.stack[base..]))) {
        return Ok(Seen::Open);
    }
    // the instruction temporarily reads faces; any of several faces with the same result will do
    let mut hidden: SmallVec<[(usize, i64); 16]> = SmallVec::new();
    for at in lists.iter().flat_map(|(list, _)| list.at..list.at + list.len) {
        if let Some(u) = LazyDice::of(state.heap[at]) {
            hidden.push((at, state.heap[at]));
            state.heap[at] = u.face(game, u.low);
        }
    }
    if let Instr::Look { dst, list, op, than } = instr {
        let faces = state.list(state.stack[base + list as usize]);
        state.stack[base + dst as usize] = look(faces, op, state.stack[base + than as usize]);
    } else if let Instr::Entry { dst, list, index, .. } = instr {
        let at = Handle::of(state.stack[base + list as usize]).at + state.stack[base + index as usize] as usize;
        state.stack[base + dst as usize] = state.heap[at];
    } else if let Instr::Op { op, dst, a, b, n } = instr {
        operate(game, state, op, dst, a, b, n)?;
    } else {
        // the rest are rare list instructions; one that demands the order sees no symbolic die
        list_instr(game, state, instr)?;
    }
    conceal(&mut state.heap, &hidden);
    Ok(Seen::Done)
}

fn cells(state: &State, list: Handle) -> &[i64] {
    state.heap.get(list.at..list.at + list.len).unwrap_or_default()
}

/// Returns whether a demand on the dice of a list is open.
pub fn is_open(game: &Game, cells: &[i64], wants: Wants, value: i64) -> bool {
    let open = |c: &i64| LazyDice::of(*c).filter(|u| !u.known());
    match wants {
        Wants::Order => cells.iter().any(|c| is_unseen(*c)),
        Wants::Faces => cells.iter().any(|c| open(c).is_some()),
        Wants::Place(..) => usize::try_from(value).ok().and_then(|n| cells.get(n)).is_some_and(|c| is_unseen(*c)),
        Wants::Look(op, _) => cells.iter().filter_map(open).any(|u| {
            (u.low..u.high).any(|n| holds(op, u.face(game, n), value) != holds(op, u.face(game, n + 1), value))
        }),
    }
}

/// Returns whether the comparison of a face with a threshold holds.
pub fn holds(op: Op, face: i64, than: i64) -> bool {
    Holds::of(op).between(face, than)
}
