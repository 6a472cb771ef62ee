//! Loops over unseen pools: one round is read for a variable face, and what the rounds do together becomes a sum over the dice.

use super::expr::{FACE, Id, Node};
use super::fold::{ANY, Range, Sweep};
use super::read::{Bound, Event, Part, Path, Reader, Val};
use grognard_base::value::dice::MOST_DICE;
use grognard_base::value::*;
use grognard_program::{AskKind, Instr, Operand, Pc, Reg};
use grognard_vm::Handle;
use std::rc::Rc;

/// The result of reading one round of a loop: its events, and the paths to the next round and out of the loop.
struct Round {
    events: Vec<Event>,
    onward: Option<Path>,
    leaves: Option<Path>,
}

impl Reader<'_> {
    /// Reads a loop over an unseen pool if one begins here. Otherwise returns `false`.
    pub fn begins_loop(&mut self, path: &mut Path, (at, a, value): (Reg, Reg, i16)) -> Result<bool, &'static str> {
        let (top, code) = (path.pc, &self.game.program.code);
        let next = [1, 2].map(|n| code.get(top as usize + n).copied());
        let [Some(Instr::JumpCompare { op: Op::Ge, a: index, to: exit, .. }), Some(entry)] = next else {
            return Ok(false);
        };
        let Instr::Entry { dst, list, index: same, n: 1 } = entry else { return Ok(false) };
        let first = matches!(self.val(path, a), Val::Is(id) if self.exprs.value(id) == Some(-1));
        if !first || at != a || value != 1 || index != at || same != at || exit <= top {
            return Ok(false);
        }
        let Val::Pool(parts) = self.list(path, list)? else { return Ok(false) };
        if (top..top + 3).any(|pc| self.stops.contains(pc as usize)) {
            return Err("ends inside the head of a loop");
        }
        let before = path.clone();
        let round = self.round(path, (at, dst), exit)?;
        self.finish(path, &before, &parts, &round, exit)?;
        path.pc = exit;
        Ok(true)
    }

    /// Reads one round of a loop. Registers that it writes hold [`Node::Old`] at its start.
    fn round(&mut self, path: &Path, (at, face): (Reg, Reg), exit: Pc) -> Result<Round, &'static str> {
        let top = path.pc;
        if self.depth + 1 >= FACE {
            return Err("nests more than six loops over pools");
        }
        let mut start = path.clone();
        for reg in self.written(top, exit) {
            let old = self.exprs.old(reg);
            if !matches!(start.regs.get(self.at(&start, reg)), None | Some(Val::Gone)) {
                self.set(&mut start, reg, Val::Is(old));
            }
        }
        let bound = self.exprs.face(self.depth);
        self.set(&mut start, at, Val::Gone);
        self.set(&mut start, face, Val::Is(bound));
        start.pc = top + 3;
        start.taken = self.exprs.known(1);
        let (events, callers) = (self.events.len(), start.callers());
        self.depth += 1;
        let (over, why) = self.read(vec![start], Bound::Round(top, exit, callers));
        self.depth -= 1;
        if let Some((_, why)) = why {
            return Err(why);
        }
        let events = self.events.split_off(events);
        let (mut onward, mut leaves) = (None, None);
        for path in over {
            match path.pc {
                pc if pc == top && onward.is_none() => onward = Some(path),
                pc if pc == exit && leaves.is_none() => leaves = Some(path),
                _ => return Err("leaves a loop over dice for another place"),
            }
        }
        Ok(Round { events, onward, leaves })
    }

    /// Returns the registers that code of a loop writes.
    pub fn written(&self, top: Pc, exit: Pc) -> Vec<Reg> {
        let mut found = Vec::new();
        for instr in &self.game.program.code[top as usize..exit as usize] {
            for operand in instr.operands() {
                match operand {
                    Operand::Write(reg, n) | Operand::Copy(reg, _, n) => found.extend(reg..reg + n),
                    Operand::Handle(reg, _) | Operand::Apply(_, reg, ..) => found.push(reg),
                    Operand::Load(reg, _) | Operand::Lookup(reg, _) => found.extend([reg, reg + 1]),
                    Operand::Ask(at) => {
                        if let AskKind::Reroll { pool, which, recipe, .. } = &self.game.program.asks[at as usize].kind {
                            found.extend([*pool, *which, *recipe]);
                        }
                    }
                    Operand::Call(func, _, reg) => {
                        found.extend(reg..reg + self.game.program.funcs[func.at()].result.max(1));
                    }
                    _ => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Sets the registers after a loop.
    fn finish(
        &mut self,
        path: &mut Path,
        before: &Path,
        parts: &[Part],
        round: &Round,
        exit: Pc,
    ) -> Result<(), &'static str> {
        let none = self.exprs.known(0);
        let left = match &round.leaves {
            Some(leaves) => {
                if self.exprs.contents(leaves.taken).old {
                    return Err("ends a loop after a number of dice");
                }
                let taken = leaves.taken;
                let leaving = self.over(parts, taken, taken);
                Some((self.exprs.op(Op::Lt, none, leaving), leaves))
            }
            None => None,
        };
        let mut added: Vec<(Reg, Id, Id)> = Vec::new();
        for reg in self.written(path.pc, exit) {
            let at = self.at(path, reg);
            let old = self.exprs.old(reg);
            let after = match &round.onward {
                Some(onward) => self.val(onward, reg),
                None => Val::Is(old),
            };
            let stays = after == Val::Is(old);
            if stays && left.is_none() && !round.events.iter().any(|event| event.concerns(at)) {
                continue;
            }
            let init = if matches!(&after, Val::Is(id) if self.exprs.contents(*id).old) {
                self.val(before, reg)
            } else {
                before.regs.get(at).cloned().unwrap_or(Val::Gone)
            };
            let mut own = round.events.iter().filter(|event| event.concerns(at));
            let all = match (own.next(), own.next(), &after) {
                (Some(event), None, _) if stays && left.is_none() => self.gathered(parts, &init, event)?,
                (Some(_), ..) => Val::Gone,
                (None, _, _) if stays => init.clone(),
                (None, _, Val::Is(after)) if left.is_none() => match (self.added(*after, old), &init) {
                    (Some(each), Val::Is(init)) => {
                        let (yes, init) = (self.exprs.known(1), *init);
                        added.push((reg, init, each));
                        let sum = self.over(parts, yes, each);
                        Val::Is(self.exprs.plus(init, 1, sum))
                    }
                    _ => Val::Gone,
                },
                _ => Val::Gone,
            };
            let all = match &left {
                None => all,
                Some((any, leaves)) => match (self.val(leaves, reg), &all) {
                    (Val::Is(id), Val::Is(all)) if id == old => Val::Is(*all),
                    (Val::Is(id), Val::Is(all)) if self.is_free(id) => Val::Is(self.exprs.choose(*any, id, *all)),
                    (Val::Is(id), all) if id == old => all.clone(),
                    _ => Val::Gone,
                },
            };
            self.set(path, reg, all);
        }
        for event in &round.events {
            if let Event::Fault { taken } = event {
                if self.exprs.contents(*taken).old {
                    if self.can_hold(parts, &added, *taken) {
                        return Err("adds up a value that can leave its range");
                    }
                    continue;
                }
                let failing = self.over(parts, *taken, *taken);
                let failing = self.exprs.op(Op::Lt, none, failing);
                self.events.push(Event::Fault { taken: self.exprs.and(path.taken, failing) });
            }
        }
        Ok(())
    }

    /// Returns whether a condition on sums can hold in a round, by the bounds of the sums: the register, its value before the loop,
    /// and the addend of a round.
    fn can_hold(&mut self, parts: &[Part], added: &[(Reg, Id, Id)], condition: Id) -> bool {
        let depth = self.depth as usize;
        let faces = parts.iter().flat_map(|part| &self.groups[part.group as usize].faces).map(|(face, _)| *face);
        let faces = faces.clone().min().zip(faces.max()).unwrap_or(ANY);
        let plain = parts.iter().all(|part| matches!(self.exprs.node(part.value), Node::Face(FACE)));
        let chains = parts.iter().any(|part| self.groups[part.group as usize].chain.is_some());
        let dice: usize = parts.iter().map(|part| self.groups[part.group as usize].dice).sum();
        let dice = if chains { MOST_DICE } else { dice } as i64;
        let mut sweep = Sweep::new(&mut self.exprs, &self.groups);
        sweep.visited[depth] = if plain { faces } else { ANY };
        let mut sum = |(reg, init, each): &(Reg, Id, Id)| {
            let (init, each) = (sweep.range(*init), sweep.range(*each));
            let low = init.0.saturating_add(each.0.min(0).saturating_mul(dice));
            let high = init.1.saturating_add(each.1.max(0).saturating_mul(dice));
            (*reg, (low, high))
        };
        let old: Vec<(Reg, Range)> = added.iter().map(&mut sum).collect();
        sweep.old = old;
        sweep.range(condition) != (0, 0)
    }

    /// Returns whether an expression reads neither the face of this loop nor its registers.
    fn is_free(&self, id: Id) -> bool {
        let own = self.exprs.contents(id);
        own.faces >> self.depth & 1 == 0 && !own.old
    }

    /// Returns the sum of an expression over the dice of a pool that satisfy a condition.
    fn over(&mut self, parts: &[Part], taken: Id, each: Id) -> Id {
        let (depth, none) = (self.depth, self.exprs.known(0));
        self.sum(parts, &mut |exprs, value| {
            let [taken, each] = [taken, each].map(|id| exprs.replace(id, &[(Node::Face(depth), value)]));
            exprs.choose(taken, each, none)
        })
    }

    /// Returns what a round adds to the old value of a register.
    fn added(&mut self, id: Id, old: Id) -> Option<Id> {
        if id == old {
            return Some(self.exprs.known(0));
        }
        if !self.exprs.contents(id).old {
            return None;
        }
        match self.exprs.node(id).clone() {
            Node::Linear(..) => {
                let Node::Linear(_, terms) = self.exprs.node(id).clone() else { return None };
                let mut with = terms.iter().filter(|(_, term)| self.exprs.contents(*term).old);
                let (Some((1, term)), None) = (with.next(), with.next()) else { return None };
                let (term, rest) = (*term, self.exprs.plus(id, -1, *term));
                let each = self.added(term, old)?;
                Some(self.exprs.plus(rest, 1, each))
            }
            Node::If(test, yes, no) if !self.exprs.contents(test).old => {
                let (yes, no) = (self.added(yes, old)?, self.added(no, old)?);
                Some(self.exprs.choose(test, yes, no))
            }
            _ => None,
        }
    }

    /// Returns the list or the best face that the rounds of a loop gather.
    fn gathered(&mut self, parts: &[Part], init: &Val, event: &Event) -> Result<Val, &'static str> {
        let (depth, none) = (self.depth, self.exprs.known(0));
        let (taken, value) = match event {
            Event::Push { taken, value, .. } => (*taken, *value),
            Event::Best { taken, .. } => (*taken, self.exprs.face(depth)),
            Event::Fault { .. } => return Ok(Val::Gone),
        };
        if [taken, value].iter().any(|id| self.exprs.contents(*id).old) {
            return Err("makes a list that depends on the order of dice");
        }
        let filtered: Vec<Part> = parts
            .iter()
            .map(|part| {
                let to = [(Node::Face(depth), part.value)];
                let [taken, value] = [taken, value].map(|id| self.exprs.replace(id, &to));
                Part { filter: self.exprs.choose(part.filter, taken, none), value, ..*part }
            })
            .collect();
        match (event, init) {
            (Event::Best { high, .. }, Val::Is(init)) if self.exprs.value(*init) == Some(NONE) => {
                Ok(Val::Is(self.rank(&filtered, 1, *high)?))
            }
            (Event::Best { .. }, _) => Ok(Val::Gone),
            (_, Val::List(items, _)) if items.is_empty() => Ok(Val::Pool(Rc::new(filtered))),
            (_, Val::Is(id)) if self.exprs.value(*id).is_some_and(|cell| Handle::of(cell).len == 0) => {
                Ok(Val::Pool(Rc::new(filtered)))
            }
            _ => Err("adds an entry to a pool"),
        }
    }

    /// Reads the code that keeps the greatest or least face so far: if the register has no entry yet, or the face is better than
    /// the key of the entry, both are replaced. Returns whether the code at the path is that code.
    pub fn keeps_best(&mut self, path: &mut Path, out: Reg) -> Result<bool, &'static str> {
        let code = &self.game.program.code;
        let at = |n: u32| code.get((path.pc + n) as usize).copied();
        let (Some(Instr::JumpNone { to, .. }), Some(Instr::JumpCompare { op, a: key, b: best, .. })) = (at(0), at(1))
        else {
            return Ok(false);
        };
        let (Some(Instr::Copy { dst: first, src }), Some(Instr::Copy { dst: second, src: same })) = (at(2), at(3))
        else {
            return Ok(false);
        };
        let old = self.exprs.old(out);
        let fits = to == path.pc + 2 && (first, second, same) == (out, best, key) && matches!(op, Op::Le | Op::Ge);
        if !fits || self.val(path, out) != Val::Is(old) || self.depth == 0 {
            return Ok(false);
        }
        let face = Val::Is(self.exprs.face(self.depth - 1));
        if self.val(path, src) != face || self.val(path, key) != face {
            return Err("keeps the first of several dice, by another value than the face");
        }
        let [out, best] = [out, best].map(|reg| self.at(path, reg));
        self.events.push(Event::Best { out, best, taken: path.taken, high: op == Op::Le });
        path.pc += 4;
        Ok(true)
    }
}

impl Event {
    /// Returns whether the event changes a register.
    fn concerns(&self, reg: usize) -> bool {
        match self {
            Event::Push { list, .. } => *list == reg,
            Event::Best { out, best, .. } => *out == reg || *best == reg,
            Event::Fault { .. } => false,
        }
    }
}
