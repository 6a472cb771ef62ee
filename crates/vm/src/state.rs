//! The state of a run as one value: everything that the machine knows between two instructions.

use super::memo::Memo;
use super::moving_index::MovingIndex;
use grognard_base::value::*;
use grognard_board::Point;
use grognard_program::{Pc, Reg};

/// A stored value that was never given.
pub const UNSET: i64 = i64::MIN + 2;

/// The complete state of a run. It can be cloned, compared, hashed and stored; it contains no names.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Fields of things and of the game, in the order of the [`super::Layout`].
    pub cells: Vec<i64>,
    /// Status instances with their data: status, bearer, data; oldest first.
    pub granted: Vec<i64>,
    /// Durations in progress.
    pub tags: Vec<TagRow>,
    /// Uses of limited actions.
    pub uses: Vec<UseRow>,
    /// Running phases and actions, innermost last.
    pub running: Vec<Running>,
    /// Running functions, innermost last.
    pub frames: Vec<Frame>,
    /// Registers of the running functions.
    pub stack: Vec<i64>,
    /// Entries of lists.
    pub heap: Vec<i64>,
    /// Number of answers that each scripted stand-in has given.
    pub cursors: Vec<u32>,
    /// The next instruction.
    pub pc: Pc,
    /// First register of the running function.
    pub base: u32,
    /// The move in evaluation, while its conditions run.
    pub judged: Option<JudgedMove>,
    /// Spatial index of the things that rules move. It is derived from the cells and excluded from comparison.
    pub moving: MovingIndex,
    /// Memoized results of derived values. They are also excluded from comparison.
    pub memo: Memo,
}

/// A move whose conditions are evaluated with the mover at a tried position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JudgedMove {
    /// The mover as a packed thing.
    pub mover: i64,
    /// Start of the move.
    pub start: Point,
    /// Facing of the mover at the start; for a group, that of its first member.
    pub facing: i64,
}

/// A running function with its return point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// Program point at which the caller continues.
    pub back: Pc,
    /// First register of its caller.
    pub base: u32,
    /// Register of the caller that receives the result.
    pub dst: Reg,
    /// Size of the heap at the call.
    pub heap: u32,
}

/// A running phase or action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Running {
    /// The phase or action.
    pub what: What,
    /// Index of its function in [`State::frames`].
    pub frame: u32,
    /// First register of its function.
    pub base: u32,
    /// The actor of an action, or -1.
    pub actor: i64,
    /// Whether its end-of-phase rules have begun.
    pub ending: bool,
}

/// A phase or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum What {
    Phase(PhaseId),
    Action(ActionId),
}

/// A duration in progress: the value or status that it ends (see [`grognard_program::Tag`]), the thing, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TagRow {
    /// Index of the tag in the program.
    pub tag: u32,
    /// The thing, or -1.
    pub thing: i64,
    /// First parameter of the phase that ends it, if the duration is keyed.
    pub key: i64,
    /// Index in [`State::running`] of the phase that ends it, or [`TagRow::NEXT`] for the next phase of its name.
    pub depth: u32,
    /// Data of the status instance that ends, or the value of the slot below this layer.
    pub data: Vec<i64>,
}

impl TagRow {
    /// Marks a duration that ends with the next phase of a name.
    pub const NEXT: u32 = u32::MAX;
}

/// Number of uses of one limited action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UseRow {
    /// Index of the phase among the running phases, or `u32::MAX` if none ran.
    pub running: u32,
    /// The action.
    pub action: ActionId,
    /// The line of its header.
    pub line: u16,
    /// Key by which uses are counted.
    pub key: i64,
    /// Number of uses.
    pub times: i64,
}

/// A list: the position of its entries on the heap, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// First cell on the heap.
    pub at: usize,
    /// Number of entries.
    pub len: usize,
}

impl Handle {
    /// Encodes the handle as a cell.
    pub fn cell(self) -> i64 {
        if self.len == 0 { 0 } else { ((self.at as i64) << 16) | self.len as i64 }
    }

    /// Decodes the handle from a cell.
    pub fn of(cell: i64) -> Handle {
        if cell <= 0 {
            Handle { at: 0, len: 0 }
        } else {
            Handle { at: (cell >> 16) as usize, len: (cell & 0xffff) as usize }
        }
    }
}

impl Handle {
    /// Returns whether two lists of single cells share heap cells.
    pub fn overlaps(self, other: Handle) -> bool {
        other.at < self.at + self.len && self.at < other.at + other.len
    }
}

impl State {
    /// Discards the spatial index. Callers that write cells directly must call this.
    pub fn written_over(&mut self) {
        self.moving = MovingIndex::default();
    }

    /// Returns the entries of a list of single cells.
    pub fn list(&self, cell: i64) -> &[i64] {
        let h = Handle::of(cell);
        &self.heap[h.at..h.at + h.len]
    }

    /// Creates a list with entries of `width` cells and returns its handle as a cell.
    pub fn new_list(&mut self, cells: &[i64], width: usize) -> i64 {
        let at = self.heap.len();
        self.heap.extend_from_slice(cells);
        Handle { at, len: cells.len() / width.max(1) }.cell()
    }

    /// Sets a value of `width` registers to `none`. The other registers become 0, so they hold no list and equal states
    /// compare equal.
    pub(super) fn none(&mut self, dst: usize, width: usize) {
        self.stack[dst] = NONE;
        self.stack[dst + 1..dst + width].fill(0);
    }
}

/// Copies a list; several lists of a state are usually empty, which is checked first.
#[inline]
fn copy<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(to.is_empty() && from.is_empty()) {
        to.clone_from(from);
    }
}

/// Implemented by hand so that `clone_from` reuses allocations: each run starts from a copy of the start state.
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
