//! The highest or lowest dice of pools. The lists stay distinct, unless the code only counts them against other lists.

use super::branch::{BoxedBranch, Branch};
use super::branches::Splitter;
use super::num::Num;
use super::open::{Open, Values};
use super::sums::Spread;
use super::sweep::Cases;
use grognard_base::value::Op;
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::{Handle, is_unseen};
use std::rc::Rc;

/// Maximum number of cached distributions.
const MOST_BEST: usize = 32;

/// A cached distribution of the highest or lowest dice of a pool.
pub struct Best {
    cells: Vec<i64>,
    count: usize,
    highest: bool,
    lists: Rc<Spread<Vec<i64>>>,
}

/// A register, and the distribution of the list that it gets.
type ListRegs = (Reg, Rc<Spread<Vec<i64>>>);

impl Splitter<'_, '_> {
    /// Writes the best dice of a pool that no register holds afterwards into `dst`. Returns `false` if there are too many
    /// branches.
    pub fn best_of(
        &mut self,
        branch: &mut BoxedBranch,
        list: Handle,
        best: (usize, bool),
        dst: Reg,
        out: &mut Open,
    ) -> bool {
        let lists = self.best(&branch.state.heap[list.at..list.at + list.len], best);
        self.note_many(branch.state.pc, None, Cases::of(lists.as_ref().map(|lists| lists.list.len())));
        let Some(lists) = lists else { return false };
        branch.use_up(list);
        let (base, whole) = (branch.state.base as usize, &lists.whole);
        branch.state.stack[base + dst as usize] = 0;
        if let Some((count, numbers)) = self.counted(branch, (dst, Rc::clone(&lists))) {
            let values = Values::Numbers(base + count as usize, Rc::clone(&numbers));
            return self.split_by(branch, values, &numbers.whole, out);
        }
        self.split_by(branch, Values::Lists(base + dst as usize, Rc::clone(&lists)), whole, out)
    }

    /// Returns the distribution of the best dice of a pool, or `None` if the budget does not allow it.
    fn best(&mut self, cells: &[i64], (count, highest): (usize, bool)) -> Option<Rc<Spread<Vec<i64>>>> {
        let known = self.best.iter().find(|b| b.count == count && b.highest == highest && b.cells == cells);
        if let Some(known) = known {
            return Some(Rc::clone(&known.lists));
        }
        let found = self.pool(cells).best(count, highest);
        let lists = found.map(Rc::new)?;
        if self.best.len() < MOST_BEST {
            self.best.push(Best { cells: cells.to_vec(), count, highest, lists: Rc::clone(&lists) });
        }
        Some(lists)
    }

    /// Skips the loop over pairs of entries that comes next, and returns its count register with the distribution of the count.
    /// The loop must be the only reader of the list in the register of `own`. The other list must be known, or be the best dice
    /// of another pool. Otherwise returns `None`.
    fn counted(&mut self, branch: &mut Branch, own: ListRegs) -> Option<(Reg, Rc<Spread<i64>>)> {
        let (start, base) = (branch.state.pc, branch.state.base as usize);
        let (second, pc) = self.next_best(branch, own.0).map_or((None, start), |(lists, pc)| (Some(lists), pc));
        let game = self.game;
        let pairs = game.pairs(pc).filter(|pairs| pairs.lists.contains(&own.0))?;
        let other = pairs.lists.into_iter().find(|list| *list != own.0)?;
        let dead = |reg| self.canonical.borrow_mut().dead(&branch.state, pairs.end - start, self.root, reg);
        let alone = dead(own.0) && second.as_ref().is_none_or(|(reg, _)| *reg == other && dead(other));
        if !alone || (start..pairs.end).any(|pc| self.stops.contains(pc as usize)) {
            return None;
        }
        let others = match second {
            Some((_, lists)) => lists,
            None => {
                let list = Handle::of(branch.state.stack[base + other as usize]);
                let cells = branch.state.heap.get(list.at..list.at + list.len)?;
                let known = !cells.iter().any(|cell| is_unseen(*cell));
                known
                    .then(|| Rc::new(Spread { list: vec![(cells.to_vec(), Num::Narrow(1))], whole: Num::Narrow(1) }))?
            }
        };
        let [first, second] = if pairs.lists[0] == own.0 { [own.1, others] } else { [others, own.1] };
        let before = branch.state.stack[base + pairs.count as usize];
        let numbers = self.numbers(&first, &second, before, |a, b| pairs.counts(a, b))?;
        branch.state.pc = pairs.end;
        Some((pairs.count, Rc::new(numbers)))
    }

    /// Returns the distribution of `before` plus the count over the lists of two pools.
    fn numbers(
        &self,
        first: &Spread<Vec<i64>>,
        second: &Spread<Vec<i64>>,
        before: i64,
        counts: impl Fn(&[i64], &[i64]) -> usize,
    ) -> Option<Spread<i64>> {
        let longest = first.list.iter().map(|(list, _)| list.len()).max()?;
        let pairs = (first.list.len() as u64).saturating_mul(second.list.len() as u64);
        if !self.meter.words(pairs.saturating_mul(longest as u64 + 1)) {
            return None;
        }
        let mut weights = vec![Num::Narrow(0); longest + 1];
        for (a, weight) in &first.list {
            let mut row = vec![Num::Narrow(0); longest + 1];
            second.list.iter().for_each(|(b, weight)| row[counts(a, b)].add(weight));
            weights.iter_mut().zip(&row).for_each(|(sum, more)| sum.add(&weight.mul(more)));
        }
        let numbers = weights.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        let list = numbers.map(|(n, weight)| Some((before.checked_add(n as i64)?, weight))).collect::<Option<_>>()?;
        Some(Spread { list, whole: first.whole.mul(&second.whole) })
    }

    /// Returns the best dice of another pool, if the next instruction computes them and no register holds that pool afterwards.
    /// The result is their register with their distribution, and the place after the instruction. The first list goes into `own`.
    fn next_best(&mut self, branch: &mut Branch, own: Reg) -> Option<(ListRegs, Pc)> {
        let (start, base) = (branch.state.pc, branch.state.base as usize);
        let constant = self.constant(start, own);
        let at = start + Pc::from(constant.is_some());
        let instr = *self.game.program.code.get(at as usize)?;
        let Instr::Op { op: op @ (Op::Highest | Op::Lowest), dst, a, b, .. } = instr else { return None };
        if b == own {
            return None;
        }
        // No instruction in between reads the old value of the register.
        constant.into_iter().for_each(|(reg, value)| branch.state.stack[base + reg as usize] = value);
        let [count, list] = [a, b].map(|reg| branch.state.stack[base + reg as usize]);
        let list = Handle::of(list);
        branch.state.pc = at;
        let alone = self.forgotten(branch, list, dst);
        branch.state.pc = start;
        let cells = branch.state.heap.get(list.at..list.at + list.len).filter(|_| alone)?;
        let lists = self.best(cells, (usize::try_from(count).ok()?, op == Op::Highest))?;
        Some(((dst, lists), at + 1))
    }
}
