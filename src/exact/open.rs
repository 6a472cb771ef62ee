//! A worklist of weighted branches, last in, first out. Branches that differ in one number alone are written out one by
//! one, when it is their turn.

use super::branches::{BoxedBranch, Branch, Splitter};
use super::driver::Ready;
use super::num::Num;
use super::sums::Spread;
use std::rc::Rc;

/// Branches that are not followed yet.
#[derive(Default)]
pub struct Open {
    list: Vec<Entry>,
    count: usize,
}

enum Entry {
    One(BoxedBranch),
    /// So many of the first numbers are left.
    Many {
        like: BoxedBranch,
        place: Place,
        numbers: Rc<Spread<i64>>,
        left: usize,
    },
}

/// Where the number goes in which branches differ.
#[derive(Clone, Copy)]
pub enum Place {
    /// Into a cell of the stack.
    Stack(usize),
    /// It is what the throw gives at which they stand.
    Throw,
}

impl Place {
    fn put(self, branch: &mut Branch, number: i64, weight: &Num) {
        branch.weight = branch.weight.mul(weight);
        match self {
            Place::Stack(at) => branch.state.stack[at] = number,
            Place::Throw => {
                branch.ready = Some(Ready::Cell(number));
                branch.fresh = false;
            }
        }
    }
}

impl Open {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more.
    pub fn push(&mut self, branch: BoxedBranch) {
        self.list.push(Entry::One(branch));
        self.count += 1;
    }

    /// Many like one, each with a number of its own and its share of the weight.
    pub fn push_many(&mut self, like: BoxedBranch, place: Place, numbers: Rc<Spread<i64>>) {
        let left = numbers.list.len();
        self.count += left;
        self.list.push(Entry::Many { like, place, numbers, left });
    }

    /// The last one; it is written into a spare one, if it has to be written out.
    pub fn pop(&mut self, spare: &mut Vec<BoxedBranch>) -> Option<BoxedBranch> {
        loop {
            if let Entry::Many { like, place, numbers, left } = self.list.last_mut()?
                && *left > 1
            {
                *left -= 1;
                let (number, weight) = &numbers.list[*left];
                let mut branch = spare.pop().unwrap_or_default();
                branch.clone_from(like);
                place.put(&mut branch, *number, weight);
                self.count -= 1;
                return Some(branch);
            }
            match self.list.pop()? {
                Entry::One(branch) => {
                    self.count -= 1;
                    return Some(branch);
                }
                Entry::Many { mut like, place, numbers, left } => {
                    if let Some((number, weight)) = numbers.list[..left].last() {
                        place.put(&mut like, *number, weight);
                        self.count -= 1;
                        return Some(like);
                    }
                }
            }
        }
    }
}

impl Splitter<'_, '_> {
    /// Splits a branch into parts that differ in one number. False if there is no room for all of them.
    pub fn split_by(
        &mut self,
        mut branch: BoxedBranch,
        place: Place,
        spread: &Rc<Spread<i64>>,
        out: &mut Open,
    ) -> bool {
        if !self.room(&branch, out.len() + spread.list.len()) {
            self.spare.push(branch);
            return false;
        }
        branch.whole = branch.whole.mul(&spread.whole);
        out.push_many(branch, place, Rc::clone(spread));
        true
    }
}
