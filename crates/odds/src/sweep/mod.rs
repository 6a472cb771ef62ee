//! Pools that lie unseen, answered face by face: all that code asks of them is read at once, and the dice are never told apart.
//!
//! [`read`] and [`loops`] read the code from the first demand on and turn it into expressions over the faces; [`fold`] sweeps over
//! the faces. The result is one branch for each vector of values that the code goes on with.

mod expr;
mod fold;
mod loops;
mod read;

use super::branches::{BoxedBranch, Branch, Splitter};
use super::open::Open;
use expr::{Id, Node};
use fold::Sweep;
use grognard_program::flow::{Holds, LiveSet};
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::{Handle, State};
use read::{Bound, End, Event, Reader, Val};
use std::sync::Arc;

/// The registers that a branch continues with.
struct Onward {
    pc: Pc,
    /// Registers with a cell that is the same for all results.
    known: Vec<(Reg, i64)>,
    /// Registers with the result of an expression.
    found: Vec<(Reg, Id)>,
}

impl Splitter<'_, '_> {
    /// Splits a branch at a demand by all that the following code asks of unseen pools. Returns `None` if the code is not of that
    /// kind or the budget does not allow it; the branch is then unchanged.
    pub fn sweep(&mut self, branch: &mut BoxedBranch, out: &mut Open) -> Option<bool> {
        let start = branch.state.pc;
        if !self.folds || self.keeps || self.unswept.contains(start as usize) {
            return None;
        }
        let found = self.swept(branch, out);
        if found.is_none() {
            self.unswept.grow(start as usize + 1);
            self.unswept.insert(start as usize);
        }
        found
    }

    fn swept(&mut self, branch: &mut BoxedBranch, out: &mut Open) -> Option<bool> {
        let root = self.root;
        self.canonical.borrow_mut().innermost(&branch.state, root)?;
        let mut reader = Reader::new(self.game, &branch.state, &self.stops);
        let from = self.first_round(&branch.state);
        let mut first = reader.first(from.map_or(branch.state.pc, |(pc, _)| pc));
        if let Some((_, at)) = from {
            first.regs[at as usize] = Val::Is(reader.exprs.known(-1));
        }
        let (_, _why) = reader.read(vec![first], Bound::Open);
        let ends = std::mem::take(&mut reader.ends);
        let mut last = ends.into_iter().rev().filter(|end| end.pc > branch.state.pc);
        let (end, onward) = last.find_map(|end| {
            let live = self.canonical.borrow_mut().live_at(&branch.state, end.pc, root)?;
            Some(()).and_then(|()| onward(&mut reader, &end, &live)).map(|onward| (end, onward))
        })?;
        let mut roots: Vec<Id> = onward.found.iter().map(|(_, id)| *id).collect();
        let faults: Vec<Id> = reader.events[..end.events]
            .iter()
            .filter_map(|event| if let Event::Fault { taken } = event { Some(*taken) } else { None })
            .collect();
        let mut fails = reader.exprs.known(0);
        for fault in faults {
            fails = reader.exprs.or(fails, fault);
        }
        roots.push(fails);
        let Reader { mut exprs, groups, .. } = reader;
        if roots.iter().any(|root| matches!(exprs.node(*root), Node::Bad)) {
            return None;
        }
        let (list, whole) = Sweep::new(&mut exprs, &groups).fold(&roots, self.width, &mut self.ways, &self.meter)?;
        if list.iter().any(|(values, weight)| values.last() != Some(&0) && !weight.is_zero()) {
            return None;
        }
        let Onward { pc, known, found } = onward;
        Some(self.split(branch, list, &whole, out, |branch: &mut Branch, values| {
            let base = branch.state.base as usize;
            branch.state.pc = pc;
            let found = found.iter().zip(values).map(|((reg, _), value)| (*reg, value));
            for (reg, value) in known.iter().copied().chain(found) {
                if let Some(cell) = branch.state.stack.get_mut(base + reg as usize) {
                    *cell = value;
                }
            }
        }))
    }

    /// Returns the start of the loop whose first entry the branch is about to read, and the register of its index.
    fn first_round(&self, state: &State) -> Option<(Pc, Reg)> {
        let code = &self.game.program.code;
        let Instr::Entry { index, .. } = code[state.pc as usize] else { return None };
        let top = state.pc.checked_sub(2)?;
        let counts = matches!(code[top as usize], Instr::AddConst { dst, a, value: 1 } if dst == index && a == index);
        let loops = matches!(code[top as usize + 1], Instr::JumpCompare { a, .. } if a == index);
        (counts && loops && state.stack[state.base as usize + index as usize] == 0).then_some((top, index))
    }
}

/// Returns the registers at an end, or `None` if code after it reads what is not a number, or dice that were read.
fn onward(reader: &mut Reader<'_>, end: &End, live: &Arc<LiveSet>) -> Option<Onward> {
    let base = reader.state.base as usize;
    let mut found = Vec::new();
    for (reg, holds) in live.iter() {
        let Some(Val::Is(id)) = end.regs.get(*reg as usize) else { return None };
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
    let stack = &reader.state.stack[base..];
    let known = end.regs.iter().zip(stack).enumerate().filter_map(|(reg, (val, cell))| match val {
        Val::Is(id) => reader.exprs.value(*id).filter(|value| value != cell).map(|value| (reg as Reg, value)),
        _ => None,
    });
    Some(Onward { pc: end.pc, known: known.collect(), found })
}
