//! Cumulative distributions: a sum that is only compared with a number is told apart by how that comes out, not by what it
//! is.

use super::branches::{BoxedBranch, Branch, Splitter};
use super::num::Num;
use super::open::Open;
use super::sums::{Pool, Spread};
use grognard_base::value::Op;
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::holds;
use std::cell::OnceCell;
use std::rc::Rc;

/// Most pools of which the sums are kept.
const MOST_TOTALS: usize = 8;
/// Most sums of a pool that is kept.
const MOST_SUMS: usize = 1 << 16;

/// The sums of a pool, worked out.
pub struct Totals {
    cells: Vec<i64>,
    /// The sums in rising order.
    pub spread: Rc<Spread<i64>>,
    /// What all sums before each weigh, and at the end what all of them do; once somebody asks.
    below: OnceCell<Vec<Num>>,
}

impl Totals {
    fn bytes(&self) -> usize {
        let size: usize = self.spread.list.iter().map(|(_, weight)| weight.bytes()).sum();
        self.cells.len() * 8 + 2 * size
    }

    /// What all sums before each weigh, and at the end what all of them do.
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

/// What is done with a sum that nobody reads afterwards: it is compared with a number.
pub struct Fold {
    op: Op,
    than: i64,
    /// A constant that is put into a register on the way there.
    constant: Option<(Reg, i64)>,
    /// Where it goes on, and what goes into which register, if the comparison does not hold and if it does.
    ends: [(Pc, Option<(Reg, i64)>); 2],
}

impl Fold {
    /// Whether the comparison holds for a sum.
    pub fn holds(&self, sum: i64) -> bool {
        holds(self.op, sum, self.than)
    }

    /// Lets a way go on behind the comparison.
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
    /// The sums of a pool; none if there are too many, or if they are too much work.
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

    /// A pool, with what may be spent on it.
    pub fn pool<'p>(&'p self, cells: &'p [i64]) -> Pool<'p> {
        Pool { game: self.game, cells, width: self.width, most: self.most_branches(), meter: &self.meter }
    }

    /// What the instruction at `first` does with a sum in a register, if it compares it and nobody reads it afterwards.
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

    /// The constant that the instruction at a place puts into another register than one.
    pub fn constant(&self, pc: Pc, but: Reg) -> Option<(Reg, i64)> {
        match self.game.program.code.get(pc as usize) {
            Some(Instr::Const { dst, value }) if *dst != but => Some((*dst, i64::from(*value))),
            _ => None,
        }
    }

    /// Splits a branch by how a sum compares.
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

    /// The same where nothing is known of what lies below each number.
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

    /// Splits a branch by what a comparison that does not hold weighs, and one that does.
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
