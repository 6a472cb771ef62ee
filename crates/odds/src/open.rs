//! A worklist of weighted branches, last in, first out. Branches that differ only in one value are created when they are popped.

use super::branch::{BoxedBranch, Branch};
use super::branches::Splitter;
use super::driver::Ready;
use super::num::Num;
use super::sums::Spread;
use std::rc::Rc;

/// The branches that are not followed yet.
#[derive(Default)]
pub struct Open {
    list: Vec<Entry>,
    count: usize,
}

enum Entry {
    /// A single branch.
    One(BoxedBranch),
    /// Branches that differ in one value; the first `left` values are still open.
    Many { like: BoxedBranch, values: Values, left: usize },
}

/// The values in which branches differ, and their destination.
pub enum Values {
    /// Numbers for a cell of the stack.
    Numbers(usize, Rc<Spread<i64>>),
    /// Numbers that answer the roll at which the branches are.
    Thrown(Rc<Spread<i64>>),
    /// Lists for a cell of the stack.
    Lists(usize, Rc<Spread<Vec<i64>>>),
}

impl Values {
    fn count(&self) -> usize {
        match self {
            Values::Numbers(_, spread) | Values::Thrown(spread) => spread.list.len(),
            Values::Lists(_, spread) => spread.list.len(),
        }
    }

    /// Writes value `n` and its weight into a branch.
    fn put(&self, n: usize, branch: &mut Branch) {
        let weight = match self {
            Values::Numbers(at, spread) => {
                branch.state.stack[*at] = spread.list[n].0;
                &spread.list[n].1
            }
            Values::Thrown(spread) => {
                branch.ready = Some(Ready::Cell(spread.list[n].0));
                branch.fresh = false;
                &spread.list[n].1
            }
            Values::Lists(at, spread) => {
                branch.state.stack[*at] = branch.state.new_list(&spread.list[n].0, 1);
                &spread.list[n].1
            }
        };
        branch.weight = branch.weight.mul(weight);
    }
}

impl Open {
    /// Returns the number of branches.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the worklist is empty.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a branch at the end.
    pub fn push(&mut self, branch: BoxedBranch) {
        self.list.push(Entry::One(branch));
        self.count += 1;
    }

    /// Removes the last branch. A branch that must be created reuses one of `spare`.
    pub fn pop(&mut self, spare: &mut Vec<BoxedBranch>) -> Option<BoxedBranch> {
        self.pop_over(None, spare)
    }

    /// Removes the last branch after `before`, a finished one of a pure region. If both have the same origin, only registers and
    /// lists are rewritten.
    pub fn pop_over(&mut self, before: Option<BoxedBranch>, spare: &mut Vec<BoxedBranch>) -> Option<BoxedBranch> {
        let before = match (self.list.last_mut(), before) {
            (Some(Entry::Many { like, values, left }), Some(mut branch)) if (2..values.count()).contains(&*left) => {
                // The finished branch has the same origin.
                branch.restore(like);
                Some(branch)
            }
            (_, before) => {
                spare.extend(before);
                None
            }
        };
        let last = self.list.last_mut()?;
        self.count -= 1;
        if let Entry::Many { like, values, left: left @ 2.. } = last {
            let mut branch = before.unwrap_or_else(|| {
                let mut branch = spare.pop().unwrap_or_default();
                branch.clone_from(like);
                branch
            });
            *left -= 1;
            values.put(*left, &mut branch);
            return Some(branch);
        }
        Some(match self.list.pop()? {
            Entry::One(branch) => branch,
            Entry::Many { mut like, values, .. } => {
                values.put(0, &mut like);
                like
            }
        })
    }
}

impl Splitter<'_, '_> {
    /// Splits a branch into parts that differ in one value; `whole` is the sum of their weights. Returns `false` if there is no
    /// memory for all of them.
    pub fn split_by(&mut self, branch: &mut BoxedBranch, values: Values, whole: &Num, out: &mut Open) -> bool {
        let left = values.count();
        if left == 0 {
            return true;
        }
        if !self.room(branch, out.len() + left) {
            return false;
        }
        branch.whole = branch.whole.mul(whole);
        out.count += left;
        out.list.push(Entry::Many { like: self.take(branch), values, left });
        true
    }
}
