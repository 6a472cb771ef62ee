//! One weighted branch of a run.

use super::driver::Ready;
use super::num::{Num, Width};
use super::outer::Outer;
use grognard_base::Budget;
use grognard_vm::{Handle, State};

/// Word operations for each cell of a branch: it is copied, hashed, compared and sorted.
const CELL: u64 = 8;

/// Estimated size of the small lists of a branch, in bytes.
const BRANCH: usize = 256;

/// One weighted branch of a run.
pub struct Branch {
    /// The state of the machine.
    pub state: State,
    /// The part of the state outside the machine.
    pub outer: Outer,
    /// The memory of the deciders.
    pub memory: Vec<i64>,
    /// The answer to the question at which the branch stopped.
    pub ready: Option<Ready>,
    /// Whether the first question of the branch is still open.
    pub fresh: bool,
    /// The weight of the branch.
    pub weight: Num,
    /// The sum of the weights of the branch and its siblings.
    pub whole: Num,
    /// The tallies, then the number of rounds, then the failures of expectations.
    pub sums: Vec<i64>,
    /// The functions called and settings read, as a bit set.
    pub marks: Vec<u64>,
}

/// A boxed branch, which is cheap to move.
pub type BoxedBranch = Box<Branch>;

impl Branch {
    /// Creates the first branch, which has the whole weight.
    pub fn start(state: State, outer: Outer, sums: Vec<i64>, width: Width) -> Branch {
        let one = Num::one(width);
        Branch {
            state,
            outer,
            memory: Vec::new(),
            ready: None,
            fresh: false,
            weight: one.clone(),
            whole: one,
            sums,
            marks: Vec::new(),
        }
    }

    /// Restores the fields that the code of a pure region can change from the branch `from`.
    pub fn restore(&mut self, from: &Branch) {
        copy(&mut self.state.stack, &from.state.stack);
        copy(&mut self.state.heap, &from.state.heap);
        (self.state.pc, self.state.base) = (from.state.pc, from.state.base);
        self.ready.clone_from(&from.ready);
        self.fresh = from.fresh;
        self.weight.clone_from(&from.weight);
        self.whole.clone_from(&from.whole);
    }

    /// Returns its work for [`Meter::words`]: one step, and more if it is large.
    pub fn work(&self) -> u64 {
        Budget::WORDS + CELL * (self.state.stack.len() + self.state.heap.len()) as u64
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let State { cells, stack, heap, .. } = &self.state;
        size_of::<Branch>() + BRANCH + 8 * (cells.len() + stack.len() + heap.len())
    }

    /// Advances past the current instruction and drops the consumed list if it is the last of the heap.
    pub fn use_up(&mut self, list: Handle) {
        self.state.pc += 1;
        if list.at + list.len == self.state.heap.len() {
            self.state.heap.truncate(list.at);
        }
    }
}

/// Clones a list into another one and skips the common case that both are empty.
fn copy<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(to.is_empty() && from.is_empty()) {
        to.clone_from(from);
    }
}

impl Default for Branch {
    fn default() -> Self {
        Branch::start(State::default(), Outer::default(), Vec::new(), Width::default())
    }
}

/// Implemented by hand so that `clone_from` reuses the allocations of the old branch.
impl Clone for Branch {
    fn clone(&self) -> Self {
        let mut new = Branch::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, from: &Self) {
        self.state.clone_from(&from.state);
        self.outer.clone_from(&from.outer);
        copy(&mut self.memory, &from.memory);
        self.ready.clone_from(&from.ready);
        self.fresh = from.fresh;
        self.weight.clone_from(&from.weight);
        self.whole.clone_from(&from.whole);
        copy(&mut self.sums, &from.sums);
        copy(&mut self.marks, &from.marks);
    }
}
