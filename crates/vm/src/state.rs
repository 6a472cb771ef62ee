//! The position as one value: everything the machine knows between two instructions.

use super::memo::Memo;
use super::moving_index::MovingIndex;
use grognard_base::value::*;
use grognard_board::Point;
use grognard_program::{Pc, Reg};

/// A stored value that nobody has given.
pub const UNSET: i64 = i64::MIN + 2;

/// The whole position. It can be cloned, compared, hashed and stored; it holds no names.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Fields of things and of the game, in the order of the [`super::Layout`].
    pub cells: Vec<i64>,
    /// Status instances with their data: status, bearer, data; oldest first.
    pub granted: Vec<i64>,
    /// Durations that run.
    pub tags: Vec<TagRow>,
    /// Uses of limited actions.
    pub uses: Vec<UseRow>,
    /// Phases and actions that run, innermost last.
    pub running: Vec<Running>,
    /// Functions that run, innermost last.
    pub frames: Vec<Frame>,
    /// Their registers.
    pub stack: Vec<i64>,
    /// Entries of lists.
    pub heap: Vec<i64>,
    /// How far each scripted stand-in has been read.
    pub cursors: Vec<u32>,
    /// The next instruction.
    pub pc: Pc,
    /// First register of the running function.
    pub base: u32,
    /// The move that is judged, while its conditions are asked.
    pub judged: Option<JudgedMove>,
    /// Where to look for what moves; worked out from the cells, and no part of what is compared.
    pub moving: MovingIndex,
    /// What derived figures came to; likewise.
    pub memo: Memo,
}

/// A move whose conditions are asked with the mover where it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JudgedMove {
    /// Who moves, packed.
    pub mover: i64,
    /// Where it started.
    pub start: Point,
    /// The way it faced there; of a group its first member.
    pub facing: i64,
}

/// A running function: where it goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Which.
    pub func: FuncId,
    /// Where its caller goes on.
    pub back: Pc,
    /// First register of its caller.
    pub base: u32,
    /// Where the result goes, in the caller's frame.
    pub dst: Reg,
    /// How much of the heap was in use.
    pub heap: u32,
}

/// A running phase or action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Running {
    /// Which.
    pub what: What,
    /// Its function's place in the frames.
    pub frame: u32,
    /// First register of its function.
    pub base: u32,
    /// The actor of an action, or -1.
    pub actor: i64,
    /// Its end-of rules have begun.
    pub ending: bool,
}

/// A phase or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum What {
    Phase(PhaseId),
    Action(ActionId),
}

/// A duration that runs: what it ends (see [`grognard_program::Tag`]), on which thing, and for whom it waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TagRow {
    /// The program's tag.
    pub tag: u32,
    /// The thing, or -1.
    pub thing: i64,
    /// The first parameter of the phase it waits for, if it waits for one.
    pub key: i64,
    /// The place among the running phases of the one it waits for; [`TagRow::NEXT`] for the next of its name.
    pub depth: u32,
    /// Data of the status instance that ends, or the value of the slot below this layer.
    pub data: Vec<i64>,
}

impl TagRow {
    /// A duration that waits for the next phase of a name.
    pub const NEXT: u32 = u32::MAX;
}

/// Uses of one limited action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UseRow {
    /// Place of its phase among the running ones; `u32::MAX` if none ran.
    pub running: u32,
    /// The action and its line.
    pub action: ActionId,
    /// The line of its header.
    pub line: u16,
    /// For whom it counts.
    pub key: i64,
    /// How often.
    pub times: i64,
}

/// A list: where its entries begin on the heap, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// First cell on the heap.
    pub at: usize,
    /// How many entries.
    pub len: usize,
}

impl Handle {
    /// As a cell.
    pub fn cell(self) -> i64 {
        if self.len == 0 { 0 } else { ((self.at as i64) << 16) | self.len as i64 }
    }

    /// From a cell.
    pub fn of(cell: i64) -> Handle {
        if cell <= 0 {
            Handle { at: 0, len: 0 }
        } else {
            Handle { at: (cell >> 16) as usize, len: (cell & 0xffff) as usize }
        }
    }
}

impl Handle {
    /// True if two lists of single cells share some.
    pub fn overlaps(self, other: Handle) -> bool {
        other.at < self.at + self.len && self.at < other.at + other.len
    }
}

impl State {
    /// Said by who writes cells past the machine: what moves is looked for one by one from here on.
    pub fn written_over(&mut self) {
        self.moving = MovingIndex::default();
    }

    /// The entries of a list whose entries take one cell.
    pub fn list(&self, cell: i64) -> &[i64] {
        let h = Handle::of(cell);
        &self.heap[h.at..h.at + h.len]
    }

    /// A new list of entries of `width` cells.
    pub fn new_list(&mut self, cells: &[i64], width: usize) -> i64 {
        let at = self.heap.len();
        self.heap.extend_from_slice(cells);
        Handle { at, len: cells.len() / width.max(1) }.cell()
    }

    /// A value of `width` registers becomes none. The rest is 0: a list behind it is no list, and equal positions stay equal.
    pub(super) fn none(&mut self, dst: usize, width: usize) {
        self.stack[dst] = NONE;
        self.stack[dst + 1..dst + width].fill(0);
    }
}

/// Several of these lists are mostly empty.
#[inline]
fn copy<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(to.is_empty() && from.is_empty()) {
        to.clone_from(from);
    }
}

/// Written out so that `clone_from` keeps what the old position had allocated: runs start from a copy of the first.
impl Clone for State {
    fn clone(&self) -> Self {
        let mut new = State::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, from: &Self) {
        copy(&mut self.cells, &from.cells);
        copy(&mut self.granted, &from.granted);
        copy(&mut self.tags, &from.tags);
        copy(&mut self.uses, &from.uses);
        copy(&mut self.running, &from.running);
        copy(&mut self.frames, &from.frames);
        copy(&mut self.stack, &from.stack);
        copy(&mut self.heap, &from.heap);
        copy(&mut self.cursors, &from.cursors);
        self.pc = from.pc;
        self.base = from.base;
        self.judged = from.judged;
        self.moving.clone_from(&from.moving);
    }
}
