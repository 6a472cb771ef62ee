//! Cumulative distributions: a sum that is only compared with a number splits by the result of the comparison, not by its value.

use super::branch::{BoxedBranch, Branch};
use super::branches::Splitter;
use super::num::Num;
use super::open::Open;
use super::sums::{Pool, Spread};
use grognard_base::value::Op;
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::holds;
use std::cell::OnceCell;
use std::rc::Rc;

/// Maximum number of cached pools.
const MOST_TOTALS: usize = 8;
/// Maximum number of sums of a cached pool.
const MOST_SUMS: usize = 1 << 16;

/// A cached distribution of the sum of a pool.
pub struct Totals {
    cells: Vec<i64>,
    /// The sums in ascending order.
    pub spread: Rc<Spread<i64>>,
    /// Cumulative weights: the weight below each sum, and the weight of all sums at the end. Computed on demand.
    below: OnceCell<Vec<Num>>,
}

impl Totals {
    fn bytes(&self) -> usize {
        let size: usize = self.spread.list.iter().map(|(_, weight)| weight.bytes()).sum();
        self.cells.len() * 8 + 2 * size
    }

    /// Returns the weight below each sum, and the weight of all sums at the end.
    fn below(&self) -> &[Num] {
        self.below.get_or_init(|| {
            let mut below = Vec::with_capacity(self.spread.list.len() + 1);
            let mut sum = Num::Narrow(0);
            for (_, weight) in &self.spread.list {
                below.push(sum.clone());
                sum.add(weight);
            }
            below.push(sum);
            below
        })
    }
}

/// A comparison of a sum with a number, after which no code reads the sum.
pub struct Fold {
    op: Op,
    than: i64,
    /// A constant that an instruction before the comparison loads.
    constant: Option<(Reg, i64)>,
    /// The next instruction and the register that gets the result, if the comparison is false and if it is true.
    ends: [(Pc, Option<(Reg, i64)>); 2],
}

impl Fold {
    /// Returns whether the comparison holds for a sum.
    pub fn holds(&self, sum: i64) -> bool {
        holds(self.op, sum, self.than)
    }

    /// Advances a branch past the comparison with the given result.
    pub fn take(&self, branch: &mut Branch, held: bool) {
        let (pc, result) = self.ends[usize::from(held)];
        branch.state.pc = pc;
        for (reg, cell) in self.constant.into_iter().chain(result) {
            let at = branch.state.base as usize + reg as usize;
            branch.state.stack[at] = cell;
        }
    }
}

impl Splitter<'_, '_> {
    /// Returns the sums of a pool, or `None` if there are too many or the budget does not allow them.
    pub fn totals(&mut self, cells: &[i64]) -> Option<Rc<Totals>> {
        if let Some(known) = self.totals.iter().find(|t| t.cells == cells) {
            return Some(Rc::clone(known));
        }
        let spread = self.pool(cells).total()?;
        let totals = Rc::new(Totals { cells: cells.to_vec(), spread: Rc::new(spread), below: OnceCell::new() });
        if totals.spread.list.len() < MOST_SUMS && self.meter.hold(totals.bytes()) {
            if self.totals.len() == MOST_TOTALS {
                self.meter.free(self.totals.remove(0).bytes());
            }
            self.totals.push(Rc::clone(&totals));
        }
        Some(totals)
    }

    /// Returns a pool with its limits.
    pub fn pool<'p>(&'p self, cells: &'p [i64]) -> Pool<'p> {
        Pool { game: self.game, cells, width: self.width, most: self.most_branches(), meter: &self.meter }
    }

    /// Returns the comparison that the code at `first` makes with the sum in `reg`, if no code reads the sum afterwards.
    pub fn fold(&self, branch: &Branch, first: Pc, reg: Reg) -> Option<Fold> {
        if !self.folds || self.keeps {
            return None;
        }
        let code = &self.game.program.code;
        let constant = self.constant(first, reg);
        let pc = first + Pc::from(constant.is_some());
        let instr = *code.get(pc as usize)?;
        let number = |reg: Reg| match constant {
            Some((own, value)) if own == reg => value,
            _ => branch.state.stack[branch.state.base as usize + reg as usize],
        };
        let (op, (a, b), ends) = if let Instr::Op { op, dst, a, b, n: 0 | 1 } = instr {
            (op, (a, Some(b)), [(pc + 1, Some((dst, 0))), (pc + 1, Some((dst, 1)))])
        } else if let Instr::JumpCompare { op, a, b, to } = instr {
            (op, (a, Some(b)), [(pc + 1, None), (to, None)])
        } else if let Instr::JumpCompareConst { op, a, .. } = instr {
            (op, (a, None), [(pc + 1, None); 2])
        } else {
            return None;
        };
        let turned = op.turned()?;
        if (first..=pc).any(|pc| self.stops.contains(pc as usize)) {
            return None;
        }
        let (op, than, ends) = match (b, instr) {
            (None, Instr::JumpCompareConst { value, to, .. }) if a == reg => {
                (op, i64::from(value), [(pc + 1, None), (to, None)])
            }
            (Some(b), _) if a == reg && b != reg => (op, number(b), ends),
            (Some(b), _) if b == reg && a != reg => (turned, number(a), ends),
            _ => return None,
        };
        let mut canonical = self.canonical.borrow_mut();
        let dead = |(pc, result): &(Pc, Option<(Reg, i64)>)| {
            result.is_some_and(|(dst, _)| dst == reg)
                || canonical.dead(&branch.state, *pc - branch.state.pc, self.root, reg)
        };
        let onward = ends.iter().all(|(to, _)| *to > pc);
        (onward && ends.iter().all(dead)).then_some(Fold { op, than, constant, ends })
    }

    /// Returns the constant that the instruction at `pc` loads into a register other than `but`.
    pub fn constant(&self, pc: Pc, but: Reg) -> Option<(Reg, i64)> {
        match self.game.program.code.get(pc as usize) {
            Some(Instr::Const { dst, value }) if *dst != but => Some((*dst, i64::from(*value))),
            _ => None,
        }
    }

    /// Splits a branch by the comparison of a sum.
    pub fn compare(
        &mut self,
        branch: &mut BoxedBranch,
        fold: &Fold,
        totals: &Totals,
        out: &mut Open,
        set: impl Fn(&mut Branch),
    ) -> bool {
        let (spread, below) = (&totals.spread, totals.below());
        let before = |place: usize| below[place].clone();
        let less = spread.list.partition_point(|(sum, _)| *sum < fold.than);
        let most = spread.list.partition_point(|(sum, _)| *sum <= fold.than);
        let mut equal = before(most);
        equal.saturating_sub(&before(less));
        let mut greater = spread.whole.clone();
        greater.saturating_sub(&before(most));
        let mut ways = [Num::Narrow(0), Num::Narrow(0)];
        for (sum, weight) in [(-1, before(less)), (0, equal), (1, greater)] {
            ways[usize::from(holds(fold.op, sum, 0))].add(&weight);
        }
        self.split_in_two(branch, fold, ways, &spread.whole, out, set)
    }

    /// Splits a branch by the comparison of a number whose cumulative weights are not cached.
    pub fn compare_each(
        &mut self,
        branch: &mut BoxedBranch,
        fold: &Fold,
        spread: &Spread<i64>,
        out: &mut Open,
    ) -> bool {
        let mut ways = [Num::Narrow(0), Num::Narrow(0)];
        for (number, weight) in &spread.list {
            ways[usize::from(fold.holds(*number))].add(weight);
        }
        self.split_in_two(branch, fold, ways, &spread.whole, out, |_| {})
    }

    /// Splits a branch in two, given the weights of a false and a true comparison.
    pub fn split_in_two(
        &mut self,
        branch: &mut BoxedBranch,
        fold: &Fold,
        [not, held]: [Num; 2],
        whole: &Num,
        out: &mut Open,
        set: impl Fn(&mut Branch),
    ) -> bool {
        if !self.room(branch, out.len() + 2) {
            return false;
        }
        branch.whole = branch.whole.mul(whole);
        let mut add = |mut branch: BoxedBranch, weight: &Num, held: bool| {
            branch.weight = branch.weight.mul(weight);
            set(&mut branch);
            fold.take(&mut branch, held);
            out.push(branch);
        };
        if held.is_zero() {
            add(self.take(branch), &not, false);
            return true;
        }
        if !not.is_zero() {
            add(self.copy(branch), &not, false);
        }
        add(self.take(branch), &held, true);
        true
    }
}
