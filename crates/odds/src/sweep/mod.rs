//! Sweeps over the faces of unsampled pools: all queries of the code about them are read at once, and no die is distinguished.
//!
//! [`read`] and [`loops`] read the code from the first demand on and turn it into expressions over the faces; [`fold`] sweeps over
//! the faces. The result is one branch for each vector of values with which the code continues.

#![expect(clippy::wildcard_enum_match_arm, reason = "code that is not handled is answered without a sweep")]

mod expr;
mod fold;
mod loops;
mod read;
mod sources;
mod values;

use super::branch::{BoxedBranch, Branch};
use super::branches::Splitter;
use super::num::Num;
use super::open::Open;
use expr::{Id, Node};
use fold::Sweep;
use grognard_base::Span;
use grognard_base::value::*;
use grognard_program::flow::{Holds, LiveSet};
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::{Handle, LazyDice, State};
pub use read::Why;
use read::{Bound, End, Event, Reader, Val};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of cached sweeps.
const MOST_SWEEPS: usize = 64;
/// Maximum number of lists of the highest or lowest dice of a pool that are distinguished without a sweep.
pub(super) const FEW_LISTS: usize = 64;

/// Code that requires many branches because it distinguishes the dice of a pool.
#[derive(Clone, Copy, Debug)]
pub struct ManyBranches {
    /// The location of the code.
    pub span: Option<Span>,
    /// The reason: a verb phrase whose subject is the code.
    pub reason: &'static str,
    cases: Cases,
}

/// How many cases code distinguishes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cases {
    Number(usize),
    TooMany,
    /// A loop distinguishes the dice one by one, so their combinations are not all separate.
    OneByOne,
}

impl Cases {
    /// Returns the number of cases, or that there are too many if it is unknown.
    pub(super) fn of(number: Option<usize>) -> Cases {
        number.map_or(Cases::TooMany, Cases::Number)
    }
}

impl ManyBranches {
    /// Returns the reason and the number of cases: the predicate of a sentence whose subject is the code.
    pub fn predicate(&self) -> String {
        let cases = match self.cases {
            Cases::Number(cases) => format!(" ({cases} cases)"),
            Cases::TooMany => " (too many cases)".to_string(),
            Cases::OneByOne => " one by one".to_string(),
        };
        format!("{}, so the dice are distinguished{cases}", self.reason)
    }
}

/// The result of a sweep, for all branches that have the same pools and registers.
pub struct Swept {
    start: Pc,
    /// The registers that were read before they were written.
    inputs: Vec<(Reg, i64)>,
    /// The lists that were read, with their cells.
    lists: Vec<(Handle, Vec<i64>)>,
    heap: usize,
    onward: Onward,
    list: Vec<(Vec<i64>, Num)>,
    whole: Num,
}

/// The registers that a branch continues with.
struct Onward {
    pc: Pc,
    /// Registers with a cell that is the same for all results.
    known: Vec<(Reg, i64)>,
    /// Registers with the result of an expression.
    found: Vec<(Reg, Id)>,
}

impl Swept {
    fn fits(&self, state: &State) -> bool {
        let cell = |reg: Reg| state.stack.get(state.base as usize + reg as usize);
        self.start == state.pc
            && self.heap == state.heap.len()
            && self.inputs.iter().all(|(reg, value)| cell(*reg) == Some(value))
            && self.lists.iter().all(|(list, cells)| state.heap.get(list.at..list.at + list.len) == Some(cells))
    }
}

impl Splitter<'_, '_> {
    /// Splits a branch at a demand by all that the following code asks of unseen pools. Returns `None` if the code is not of that
    /// kind or the budget does not allow it; the branch is then unchanged.
    pub fn sweep(&mut self, branch: &mut BoxedBranch, out: &mut Open) -> Option<bool> {
        let (start, inside) = (branch.state.pc as usize, !self.stops.is_clear());
        let asks = matches!(self.game.program.code[start], Instr::Ask { .. });
        if !self.folds || self.keeps || asks || self.unswept[usize::from(inside)].contains(start) {
            return None;
        }
        let known = self.sweeps.iter().find(|known| !inside && known.fits(&branch.state)).map(Rc::clone);
        // Code that recurs with other registers is read only up to its first end, so that more states can use the result.
        let again = !inside && self.sweeps.iter().any(|known| known.start == branch.state.pc);
        let mut found = known.map(Ok);
        if found.is_none() && again && !self.unshared.contains(start) {
            found = Some(self.swept(&branch.state, inside, true)).filter(Result::is_ok);
            if found.is_none() {
                self.unshared.grow(start + 1);
                self.unshared.insert(start);
            }
        }
        let swept = match found.unwrap_or_else(|| self.swept(&branch.state, inside, false)) {
            Ok(swept) => swept,
            Err(why) => {
                self.unswept[usize::from(inside)].grow(start + 1);
                self.unswept[usize::from(inside)].insert(start);
                self.whys.push((start as Pc, why));
                return None;
            }
        };
        let Onward { pc, known, found } = &swept.onward;
        Some(self.split(branch, swept.list.iter().cloned(), &swept.whole, out, |branch: &mut Branch, values| {
            let base = branch.state.base as usize;
            branch.state.pc = *pc;
            let found = found.iter().zip(values).map(|((reg, _), value)| (*reg, value));
            for (reg, value) in known.iter().copied().chain(found) {
                if let Some(cell) = branch.state.stack.get_mut(base + reg as usize) {
                    *cell = value;
                }
            }
        }))
    }

    /// Computes a sweep up to the last program point at which the branches can continue, or up to the first one.
    fn swept(&mut self, state: &State, inside: bool, first_end: bool) -> Result<Rc<Swept>, Why> {
        let (root, start) = (self.root, state.pc);
        if self.canonical.borrow_mut().innermost(state, root).is_none() {
            return Err((start, "reads dice that another function holds too"));
        }
        let mut reader = Reader::new(self.game, state, &self.stops);
        let from = self.first_round(state);
        let mut first = reader.first(from.map_or(start, |(pc, _)| pc));
        if let Some((_, at)) = from {
            let before = reader.exprs.known(-1);
            reader.set(&mut first, at, Val::Is(before));
        }
        let (_, why) = reader.read(vec![first], Bound::Open);
        let mut ends = std::mem::take(&mut reader.ends);
        if !first_end {
            ends.reverse();
        }
        let found = ends.into_iter().filter(|end| end.pc > start).find_map(|end| {
            let live = self.canonical.borrow_mut().live_at(state, end.pc, root)?;
            onward(&reader, &end, &live).map(|onward| (end, onward))
        });
        let Some((end, onward)) = found else {
            return Err(why.unwrap_or((start, "reads dice that are read again later")));
        };
        let mut roots: Vec<Id> = onward.found.iter().map(|(_, id)| *id).collect();
        let mut fails = reader.exprs.known(0);
        for event in &reader.events[..end.events] {
            if let Event::Fault { taken } = event {
                fails = reader.exprs.or(fails, *taken);
            }
        }
        roots.push(fails);
        if roots.iter().any(|root| reader.exprs.contents(*root).dice & end.spent != 0) {
            return Err((start, "asks about dice that are rolled again later"));
        }
        if roots.iter().any(|root| matches!(reader.exprs.node(*root), Node::Bad)) {
            return Err((start, "makes a number that is too large"));
        }
        let Reader { mut exprs, mut groups, pools, lists, .. } = reader;
        let summed = sources::summed(&mut exprs, &mut groups, &mut roots, &self.meter);
        summed.ok_or((start, "asks too many sums of dice that explode"))?;
        let found = Sweep::new(&mut exprs, &groups).fold(&roots, self.width, &mut self.ways, &self.meter);
        let (mut list, whole) = found.ok_or((start, "needs too many intermediate results"))?;
        // The last value is 1 if the run ends with an error.
        if list.iter_mut().any(|(values, _)| values.pop() != Some(0)) {
            return Err((start, "can end the run with an error"));
        }
        if first_end && list.len() > FEW_LISTS {
            return Err((start, "needs too many intermediate results"));
        }
        let base = state.base as usize;
        let inputs = end.used.ones().filter_map(|reg| Some((reg as Reg, *state.stack.get(base + reg)?))).collect();
        let cells = |list: &Handle| state.heap[list.at..list.at + list.len].to_vec();
        let lists = pools.iter().map(|(list, _)| list).chain(&lists).map(|list| (*list, cells(list))).collect();
        let swept = Rc::new(Swept { start: state.pc, inputs, lists, heap: state.heap.len(), onward, list, whole });
        if !inside && !end.outer {
            self.sweeps.truncate(MOST_SWEEPS - 1);
            self.sweeps.insert(0, Rc::clone(&swept));
        }
        Ok(swept)
    }

    /// Records the first code that requires many branches, with the reason why no sweep answers it. `reason` is the default.
    pub fn note_many(&mut self, pc: Pc, reason: Option<&'static str>, cases: Cases) {
        if self.many.is_some() || matches!(cases, Cases::Number(number) if number <= FEW_LISTS) {
            return;
        }
        let known = self.whys.iter().find(|(start, _)| *start == pc).map(|(_, why)| *why);
        if let Some((at, reason)) = known.or_else(|| reason.map(|reason| (pc, reason))) {
            let span = self.game.program.debug.place(at + 1);
            self.many = Some(ManyBranches { span, reason, cases });
        }
    }

    /// Returns whether a demand is not answered in closed form: a sum, a count, or few lists of the best dice.
    pub fn sweeps_first(&self, branch: &Branch) -> bool {
        let state = &branch.state;
        let number = |reg: Reg| state.stack[state.base as usize + reg as usize];
        let (list, dst, best) = match self.game.program.code[state.pc as usize] {
            Instr::Own { .. } | Instr::Ask { .. } | Instr::Op { op: Op::Concat, .. } => return false,
            Instr::Op { op: Op::Total, dst, a, .. } => (a, dst, None),
            Instr::Look { dst, list, .. } => (list, dst, None),
            Instr::Op { op: Op::Highest | Op::Lowest, dst, a, b, .. } => (b, dst, Some(number(a))),
            _ => return true,
        };
        let list = Handle::of(number(list));
        if !self.forgotten(branch, list, dst) {
            return true;
        }
        let Some(count) = best else { return false };
        let faces = |cell: &i64| LazyDice::of(*cell).map_or(1, |die| (die.high - die.low) as usize + 1);
        let faces = state.heap[list.at..list.at + list.len].iter().map(faces).max().unwrap_or(1);
        let count = usize::try_from(count).unwrap_or(0).min(list.len);
        let lists = (1..=count).try_fold(1usize, |lists, n| Some(lists.checked_mul(faces + n - 1)? / n));
        lists.is_none_or(|lists| lists > FEW_LISTS) && self.summed(branch, dst).is_none()
    }

    /// Returns the start of the loop whose first entry the branch is about to read, and the register of its index.
    pub fn first_round(&self, state: &State) -> Option<(Pc, Reg)> {
        let code = &self.game.program.code;
        let Instr::Entry { index, .. } = code[state.pc as usize] else { return None };
        let top = state.pc.checked_sub(2)?;
        let counts = matches!(code[top as usize], Instr::AddConst { dst, a, value: 1 } if dst == index && a == index);
        let loops = matches!(code[top as usize + 1], Instr::JumpCompare { a, .. } if a == index);
        (counts && loops && state.stack[state.base as usize + index as usize] == 0).then_some((top, index))
    }
}

/// Returns the registers at an end, or `None` if code after it reads what is not a number, or dice that were read.
fn onward(reader: &Reader<'_>, end: &End, live: &Arc<LiveSet>) -> Option<Onward> {
    let mut found = Vec::new();
    for (reg, holds) in live.iter() {
        let id = match end.regs.get(*reg as usize)? {
            Val::Is(id) => id,
            Val::List(items, _) if items.is_empty() => continue,
            Val::List(..) | Val::Pool(_) | Val::Gone => return None,
        };
        match reader.exprs.value(*id) {
            Some(cell) if holds.is_of_cells() => {
                let list = Handle::of(cell);
                let read = |(pool, _): &(Handle, _)| pool.at < list.at + list.len && list.at < pool.at + pool.len;
                if reader.pools.iter().any(read) {
                    return None;
                }
            }
            Some(_) => {}
            None if *holds == Holds::Plain && !reader.exprs.contents(*id).old => found.push((*reg, *id)),
            None => return None,
        }
    }
    // An empty list is 0.
    let known = end.regs.iter().enumerate().filter(|(reg, _)| !end.kept.contains(*reg)).filter_map(|(reg, val)| {
        let value = match val {
            Val::Is(id) => reader.exprs.value(*id),
            Val::List(items, _) if items.is_empty() => Some(0),
            Val::List(..) | Val::Pool(_) | Val::Gone => None,
        };
        value.map(|value| (reg as Reg, value))
    });
    let known = known.collect();
    Some(Onward { pc: end.pc, known, found })
}
