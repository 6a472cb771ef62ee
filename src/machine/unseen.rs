//! Lazily sampled dice: they have fallen, and no instruction has demanded their faces yet.
//!
//! While odds are computed a pool lies on the heap as such cells in place of faces: each tells its die and between
//! which faces it lies, no more than was asked so far. Dice of one sort and batch are exchangeable: they may stand in any
//! order. An instruction that has to know more stops the machine; whoever computes the odds splits the position and lets
//! it go on.

use super::drive::Die;
use super::state::{Handle, State};
use super::{Fault, Game};
use crate::base::Code;
use crate::program::{Instr, Pc, Reg};
use crate::value::*;

/// A die that nobody has looked at, or not well enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unseen {
    /// The die.
    pub die: Die,
    /// The lowest face it may show: its place among the different faces of the die, from 1.
    pub low: u32,
    /// The highest.
    pub high: u32,
    /// Which throw of its pool it fell in: only dice of one batch may stand in each other's places.
    pub batch: u8,
}

/// The batch of dice from several throws: how they stand is not known any more.
pub const MIXED: u8 = 3;

/// The first cell that stands for an unseen die; those for a missing value and the like lie below.
const FIRST: i64 = i64::MIN + 16;
const LAST: i64 = FIRST + (1 << 62) - 1;
const BITS: u32 = 20;
const MASK: i64 = (1 << BITS) - 1;

impl Unseen {
    /// A die that was just thrown.
    pub fn new(game: &Game, die: Die) -> Unseen {
        Unseen { die, low: 1, high: levels(game, die), batch: 0 }
    }

    /// As a cell.
    pub fn cell(self) -> i64 {
        // declared dice are counted down from the top
        let die = match self.die {
            Die::Sides(n) => i64::from(n),
            Die::Faces(id) => MASK - i64::from(id.0),
        };
        let head = (i64::from(self.batch) << BITS) | die;
        FIRST + ((head << (2 * BITS)) | (i64::from(self.low) << BITS) | i64::from(self.high))
    }

    /// From a cell, if it stands for one.
    pub fn of(cell: i64) -> Option<Unseen> {
        if !is_unseen(cell) {
            return None;
        }
        let bits = cell - FIRST;
        let die = (bits >> (2 * BITS)) & MASK;
        Some(Unseen {
            die: if die <= super::dice::MOST_SIDES {
                Die::Sides(die as u32)
            } else {
                Die::Faces(DieId((MASK - die) as u32))
            },
            low: ((bits >> BITS) & MASK) as u32,
            high: (bits & MASK) as u32,
            batch: (bits >> (3 * BITS)) as u8,
        })
    }

    /// True if its face is known, though not its place.
    pub fn known(self) -> bool {
        self.low == self.high
    }

    /// A face it may show, by its place.
    pub fn face(self, game: &Game, level: u32) -> i64 {
        match self.die {
            Die::Sides(_) => i64::from(level),
            Die::Faces(_) => faces(game, self.die).get(level as usize - 1).map_or(0, |(face, _)| *face),
        }
    }

    /// How many sides show the faces between two places, ends included.
    pub fn sides(self, game: &Game, low: u32, high: u32) -> u64 {
        match self.die {
            Die::Sides(_) => u64::from(high + 1 - low),
            Die::Faces(_) => faces(game, self.die)[low as usize - 1..high as usize].iter().map(|(_, n)| n).sum(),
        }
    }
}

/// A die that falls into a pool after its first throw, as a cell: in the place of one that lay there, or behind them all.
/// In the place of an unseen one it is as exchangeable with the others of that batch as that was. A known place, and one
/// behind the pool, makes a batch of its own; all that fall at once share it.
pub(super) fn fallen(pool: &[i64], old: Option<i64>, new: i64) -> Result<i64, Fault> {
    let Some(die) = Unseen::of(new) else { return Ok(new) };
    if let Some(old) = old.and_then(Unseen::of) {
        if old.die != die.die {
            return Err(Fault::new(
                Code::NeedsOdds,
                "exact odds do not follow a die that another sort of die replaces",
            ));
        }
        return Ok(Unseen { batch: old.batch, ..die }.cell());
    }
    let mut used = [false; MIXED as usize + 1];
    pool.iter().filter_map(|c| Unseen::of(*c)).filter(|u| u.die == die.die).for_each(|u| used[u.batch as usize] = true);
    let batch = (0..MIXED).find(|n| !used[*n as usize]).unwrap_or(MIXED);
    Ok(Unseen { batch, ..die }.cell())
}

/// True for a cell that stands for an unseen die.
#[inline]
pub fn is_unseen(cell: i64) -> bool {
    (FIRST..=LAST).contains(&cell)
}

/// How many different faces a die has.
fn levels(game: &Game, die: Die) -> u32 {
    match die {
        Die::Sides(n) => n,
        Die::Faces(_) => faces(game, die).len() as u32,
    }
}

/// The different faces of a declared die in rising order, and how many sides show each.
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

/// What an instruction wants to know about the dice of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// How they compare with a threshold.
    Look(Op, Reg),
    /// The face at a place: a register that holds it, and what the first place is called.
    Place(Reg, i64),
    /// Their faces, in whatever order.
    Faces,
    /// Their faces in order.
    Order,
}

impl Wants {
    /// The threshold or place, from the registers of the running function.
    pub fn value(self, frame: &[i64]) -> i64 {
        match self {
            Wants::Look(_, than) => frame[than as usize],
            Wants::Place(at, first) => frame[at as usize].saturating_sub(first),
            Wants::Faces | Wants::Order => 0,
        }
    }
}

/// The lists whose entries an instruction reads, and what it wants of them.
pub fn wants(game: &Game, at: Pc, instr: Instr) -> [Option<(Reg, Wants)>; 2] {
    use Wants::*;
    let one = |reg, wants| [Some((reg, wants)), None];
    match instr {
        Instr::Look { list, op, than, .. } | Instr::Which { list, op, than, .. } => one(list, Look(op, than)),
        Instr::Entry { list, index, n: 1, .. } => {
            one(list, if game.program.orderless.binary_search(&at).is_ok() { Faces } else { Place(index, 0) })
        }
        Instr::Entry { list, .. } => one(list, Order),
        Instr::Own { list } => one(list, Order),
        Instr::Op { op: Op::Total, a, .. } => one(a, Faces),
        Instr::Op { op: Op::Highest | Op::Lowest | Op::InList, b, .. } => one(b, Faces),
        Instr::Op { op: Op::Nth, a, b, n: 1, .. } => one(b, Place(a, 1)),
        Instr::Op { op: Op::Nth, b, .. } => one(b, Order),
        Instr::Op { op: Op::EqList | Op::Concat, a, b, .. } => [Some((a, Order)), Some((b, Order))],
        Instr::Push { list, .. } | Instr::Distinct { list, .. } | Instr::TakeOut { list, .. } => one(list, Order),
        Instr::Living { list, .. } | Instr::SetBackLink { list, .. } => one(list, Order),
        Instr::SortBy { list, keys, .. } => [Some((list, Order)), Some((keys, Order))],
        Instr::SetField { id, src, .. } | Instr::SetKeyed { id, src, .. } if game.layout.fields[id.at()].entry > 0 => {
            one(src, Order)
        }
        Instr::Ask { at } => {
            use crate::program::AskKind;
            match &game.program.asks[at as usize].kind {
                AskKind::Draw { from, weights, .. } => [Some((*from, Order)), weights.map(|w| (w, Order))],
                AskKind::Choose { from, .. }
                | AskKind::Subset { from, .. }
                | AskKind::Option { from, .. }
                | AskKind::Next { from, .. } => one(*from, Order),
                AskKind::Roll { dice, list: true, .. } => one(*dice, Order),
                _ => [None, None],
            }
        }
        _ => [None, None],
    }
}

/// True for a question to a player, whose preferences may look at any dice.
pub(super) fn decides(game: &Game, ask: u32) -> bool {
    use crate::program::AskKind;
    !matches!(
        game.program.asks[ask as usize].kind,
        AskKind::Roll { .. } | AskKind::Reroll { .. } | AskKind::Draw { .. }
    )
}

/// Puts faces in the place of unseen dice that are known, while a player looks; gives what stood there.
pub(super) fn reveal(game: &Game, heap: &mut [i64]) -> Vec<(usize, i64)> {
    let mut hidden = Vec::new();
    for (at, cell) in heap.iter_mut().enumerate() {
        if let Some(u) = Unseen::of(*cell) {
            hidden.push((at, *cell));
            *cell = u.face(game, u.low);
        }
    }
    hidden
}

/// Puts them back.
pub(super) fn conceal(heap: &mut [i64], hidden: &[(usize, i64)]) {
    for (at, cell) in hidden {
        if let Some(place) = heap.get_mut(*at) {
            *place = *cell;
        }
    }
}

/// How far the machine gets with an instruction that may read unseen dice.
pub(super) enum Seen {
    /// No unseen dice in it.
    Plain,
    /// Carried out: what had to be known was.
    Done,
    /// More has to be known.
    Open,
}

/// Carries out an instruction on lists of unseen dice, as far as they are known well enough.
pub(super) fn see(game: &Game, state: &mut State, base: usize, at: Pc, instr: Instr) -> Result<Seen, Fault> {
    if let Instr::Ask { at } = instr
        && decides(game, at)
        && state.heap.iter().any(|c| Unseen::of(*c).is_some_and(|u| !u.known()))
    {
        return Ok(Seen::Open);
    }
    let reads = wants(game, at, instr);
    let mut unseen = None;
    for (reg, wants) in reads.into_iter().flatten() {
        let list = Handle::of(state.stack[base + reg as usize]);
        let cells = state.heap.get(list.at..list.at + list.len).unwrap_or_default();
        if cells.iter().any(|c| is_unseen(*c)) {
            unseen = Some((list, wants));
            break;
        }
    }
    let Some((list, wants)) = unseen else { return Ok(Seen::Plain) };
    match wants {
        Wants::Order => return Ok(Seen::Open),
        Wants::Faces => {
            let open = |c: &i64| Unseen::of(*c).is_some_and(|u| !u.known());
            if state.heap[list.at..list.at + list.len].iter().any(open) {
                return Ok(Seen::Open);
            }
        }
        Wants::Place(..) => {
            let place = wants.value(&state.stack[base..]);
            let cell = usize::try_from(place).ok().filter(|n| *n < list.len).map(|n| state.heap[list.at + n]);
            if cell.is_some_and(is_unseen) {
                return Ok(Seen::Open);
            }
        }
        Wants::Look(op, _) => {
            let than = wants.value(&state.stack[base..]);
            let open = |c: &i64| {
                Unseen::of(*c).is_some_and(|u| {
                    !u.known()
                        && (u.low..u.high)
                            .any(|n| holds(op, u.face(game, n), than) != holds(op, u.face(game, n + 1), than))
                })
            };
            if state.heap[list.at..list.at + list.len].iter().any(open) {
                return Ok(Seen::Open);
            }
        }
    }
    // the instruction sees faces for a moment; which of several that all count alike does not matter
    let hidden = state.heap[list.at..list.at + list.len].to_vec();
    for cell in &mut state.heap[list.at..list.at + list.len] {
        if let Some(u) = Unseen::of(*cell) {
            *cell = u.face(game, u.low);
        }
    }
    match instr {
        Instr::Look { dst, list, op, than } => {
            let cells = state.list(state.stack[base + list as usize]);
            let than = state.stack[base + than as usize];
            state.stack[base + dst as usize] = super::fast::look(cells, op, than);
        }
        Instr::Entry { dst, list, index, .. } => {
            let at = Handle::of(state.stack[base + list as usize]).at + state.stack[base + index as usize] as usize;
            state.stack[base + dst as usize] = state.heap[at];
        }
        Instr::Op { op, dst, a, b, n } => super::operate::operate(game, state, op, dst, a, b, n)?,
        Instr::Which { .. } => super::lists::list_instr(game, state, instr)?,
        // all others want the order, and then no die is unseen
        _ => {}
    }
    state.heap[list.at..list.at + list.len].copy_from_slice(&hidden);
    Ok(Seen::Done)
}

/// Whether a face compares so with a threshold.
pub fn holds(op: Op, face: i64, than: i64) -> bool {
    super::link::Holds::of(op).between(face, than)
}
