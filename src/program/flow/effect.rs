//! Instruction by instruction: what is read, what is written, where it leads.

use super::*;
use crate::value::Op;

/// One register read or written.
const ONE: Reg = 1;

impl Flow<'_> {
    /// What the instruction at a place does.
    pub(super) fn effect(&self, pc: Pc) -> Effect {
        let mut e = Effect { next: vec![pc + 1], ..Effect::default() };
        let rules = &self.program.rules;
        match self.program.code[pc as usize] {
            Instr::Const { dst, .. } | Instr::Wide { dst, .. } => e.write(dst, ONE),
            Instr::Copy { dst, src } => e.copy(dst, src, ONE),
            Instr::CopyMany { dst, src, n } => e.copy(dst, src, n),
            Instr::Op { op, dst, a, b, n } => self.operation(&mut e, op, dst, a, b, n),
            Instr::AddConst { dst, a, .. } | Instr::AtLeast { dst, a, .. } | Instr::AtMost { dst, a, .. } => {
                e.read(a, ONE);
                e.write(dst, ONE);
            }
            Instr::Jump { to } => e.next = vec![to],
            Instr::JumpIf { cond, to } | Instr::JumpUnless { cond, to } => {
                e.read(cond, ONE);
                e.next.push(to);
            }
            Instr::JumpNone { reg, to } => {
                e.read(reg, ONE);
                e.next.push(to);
            }
            Instr::JumpCompare { a, b, to, .. } => {
                e.read(a, ONE);
                e.read(b, ONE);
                e.next.push(to);
            }
            Instr::JumpCompareConst { a, to, .. } => {
                e.read(a, ONE);
                e.next.push(to);
            }
            Instr::Setting { dst, id } => self.typed(&mut e, dst, &rules.settings[id.at()].ty),
            Instr::Global { dst, id } => self.typed(&mut e, dst, &rules.globals[id.at()].ty),
            Instr::SetGlobal { id, src, .. } => e.read(src, self.width(&rules.globals[id.at()].ty).max(1)),
            Instr::Count { src, .. } => e.read(src, ONE),
            Instr::Tally { dst, .. } => e.write(dst, ONE),
            Instr::Field { dst, thing, id } => {
                e.read(thing, ONE);
                self.typed(&mut e, dst, &rules.fields[id.at()].ty);
            }
            Instr::Keyed { dst, thing, id, key } => {
                e.read(thing, ONE);
                e.read(key, ONE);
                self.typed(&mut e, dst, &rules.fields[id.at()].ty);
            }
            Instr::SetField { id, thing, src, .. } => {
                e.read(thing, ONE);
                e.read(src, self.width(&rules.fields[id.at()].ty).max(1));
            }
            Instr::SetKeyed { id, thing, key, src } => {
                e.read(thing, ONE);
                e.read(key, ONE);
                e.read(src, self.width(&rules.fields[id.at()].ty).max(1));
            }
            Instr::BackLink { dst, thing, .. } => {
                e.read(thing, ONE);
                e.list(dst, 1);
            }
            Instr::SetBackLink { thing, list, .. } => {
                e.read(thing, ONE);
                e.read(list, ONE);
            }
            Instr::Alive { dst, thing, .. } | Instr::Facing { dst, thing, .. } | Instr::Bears { dst, thing, .. } => {
                e.read(thing, ONE);
                e.write(dst, ONE);
            }
            Instr::At { dst, thing, .. } => {
                e.read(thing, ONE);
                e.write(dst, 2);
            }
            Instr::Home { at } => e.write(at, 2),
            Instr::Forth { at } => e.read(at, 2),
            Instr::Before { place } => {
                e.read(place, ONE);
                e.write(place, ONE);
            }
            Instr::NextThing { dst, to, .. } => {
                e.read(dst, ONE);
                e.write(dst, ONE);
                e.next.push(to);
            }
            Instr::Instances { dst, thing, id } => {
                e.read(thing, ONE);
                let width = self.width(&Type::Record(rules.traits[id.at()].data));
                e.list(dst, width.max(1));
            }
            Instr::Ambient { dst, id } => self.typed(&mut e, dst, &rules.ambients[id.at()].ty),
            Instr::SetAmbient { id, src } => e.read(src, self.width(&rules.ambients[id.at()].ty).max(1)),
            Instr::ActionName { dst } | Instr::Actor { dst } | Instr::Running { dst, .. } => e.write(dst, ONE),
            Instr::NewList { dst } => e.writes.push((dst, 1, Holds::Empty)),
            Instr::Push { list, src, n } => {
                e.read(list, ONE);
                e.read(src, n);
                e.list(list, n);
            }
            Instr::Entry { dst, list, index, n } => {
                e.read(list, ONE);
                e.read(index, ONE);
                e.write(dst, n);
            }
            Instr::Length { dst, list } => {
                e.counts = Some(list);
                e.write(dst, ONE);
            }
            Instr::Look { dst, list, than, .. } => {
                e.read(list, ONE);
                e.read(than, ONE);
                e.write(dst, ONE);
            }
            Instr::Which { dst, list, among, than, .. } => {
                e.read(list, ONE);
                e.read(among, ONE);
                e.read(than, ONE);
                e.list(dst, 1);
            }
            Instr::Own { list } => e.read(list, ONE),
            Instr::Distinct { list, n } => {
                e.read(list, ONE);
                e.list(list, n);
            }
            Instr::TakeOut { list, index, n } => {
                e.read(list, ONE);
                e.read(index, ONE);
                e.list(list, n);
            }
            Instr::Living { dst, list, .. } => {
                e.read(list, ONE);
                e.list(dst, 1);
            }
            Instr::Span { dst, low, high } => {
                e.read(low, ONE);
                e.read(high, ONE);
                e.list(dst, 1);
            }
            Instr::SortBy { list, keys, width, .. } => {
                e.read(list, ONE);
                e.read(keys, ONE);
                e.list(list, width);
            }
            Instr::Mark { dst } => e.writes.push((dst, 1, Holds::Mark)),
            Instr::Release { mark } => e.read(mark, ONE),
            Instr::Tree { op, dst, a, b, .. } => {
                e.read(a, ONE);
                e.read(b, ONE);
                if op == Op::Below { e.list(dst, 1) } else { e.write(dst, ONE) }
            }
            Instr::Board { dst, at } => {
                let ask = &self.program.board[at as usize];
                for (reg, kind) in ask.args.iter().zip(&ask.kinds) {
                    e.read(*reg, if kind.is_some() { 1 } else { 2 });
                }
                match ask.op {
                    Op::Routes | Op::SpotsNear => e.list(dst, 2),
                    Op::Ranks => e.list(dst, 1),
                    Op::Near => {
                        e.list(dst, 1);
                        e.write(dst + 1, ONE);
                    }
                    _ => e.write(dst, ONE),
                }
            }
            Instr::Lookup { dst, row, column, .. } => {
                e.read(row, ONE);
                e.read(column, ONE);
                // a place without an entry leaves all but the first cell
                e.write(dst, ONE);
            }
            Instr::Call { func, args, dst } | Instr::CallExtern { func, args, dst } => {
                let info = &self.program.funcs[func.at()];
                e.read(args, info.params);
                e.write(dst, info.result);
                e.writes.extend(info.lists.iter().map(|(cell, width)| (dst + cell, 1, Holds::List(*width))));
            }
            Instr::Return { src, n } => {
                e.next.clear();
                e.result = Some((src, n));
            }
            Instr::Done | Instr::Cancel | Instr::Fault { .. } => e.next.clear(),
            Instr::End { .. } => e.next.clear(),
            Instr::Ask { at } => self.question(&mut e, at),
            Instr::Offer { action } => e.read(0, self.program.actions[action.at()].frame),
            Instr::Refuse { action, .. } => e.read(0, self.program.actions[action.at()].frame),
            Instr::Allowed { dst, times, key, .. } => {
                e.read(times, ONE);
                e.read(key, ONE);
                e.write(dst, ONE);
            }
            Instr::Use { times, key, .. } => {
                e.read(times, ONE);
                e.read(key, ONE);
            }
            Instr::Enter { .. }
            | Instr::Leave { .. }
            | Instr::Started { .. }
            | Instr::Ending { .. }
            | Instr::Finish { .. } => e.read(0, ONE),
            Instr::Begin { actor, .. } => e.read(actor, ONE),
            Instr::Grant { id, thing, data } => {
                e.read(thing, ONE);
                e.read(data, self.width(&Type::Record(rules.traits[id.at()].data)));
            }
            Instr::Revoke { thing, .. } | Instr::Untag { thing, .. } | Instr::Destroy { thing, .. } => {
                e.read(thing, ONE)
            }
            Instr::Tag { at, thing, key, data } => {
                let tag = &self.program.tags[at as usize];
                e.read(thing, ONE);
                if tag.keyed {
                    e.read(key, ONE);
                }
                if let TagWhat::Status(id) = tag.what {
                    e.read(data, self.width(&Type::Record(rules.traits[id.at()].data)));
                }
            }
            Instr::Spawn { dst, .. } => e.write(dst, ONE),
            Instr::Put { thing, at, .. } => {
                e.read(thing, ONE);
                e.read(at, 2);
            }
            Instr::Turn { thing, angle, .. } => {
                e.read(thing, ONE);
                e.read(angle, ONE);
            }
            Instr::Merge { from, into, .. } => {
                e.read(from, ONE);
                e.read(into, ONE);
            }
            // notes are for traces, and here nobody traces
            Instr::Note { .. } | Instr::Ran { .. } => {}
        }
        e
    }

    /// A value of a type comes into registers.
    fn typed(&self, e: &mut Effect, dst: Reg, ty: &Type) {
        e.write(dst, self.width(ty).max(1));
        e.writes.extend(self.lists(ty).into_iter().map(|(cell, width)| (dst + cell, 1, Holds::List(width))));
    }

    fn operation(&self, e: &mut Effect, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) {
        let (reads, writes) = match op {
            Op::AddRatio | Op::SubRatio | Op::MulRatio | Op::DivRatio | Op::MinRatio | Op::MaxRatio => ([2, 2], 2),
            Op::LtRatio | Op::LeRatio => ([2, 2], 1),
            Op::Fraction | Op::Open => ([1, 1], 2),
            Op::NegRatio => ([2, 0], 2),
            Op::RoundDown | Op::RoundUp => ([2, 0], 1),
            Op::Eq | Op::Ne | Op::EqCells => ([n.max(1), n.max(1)], 1),
            Op::InList => ([n.max(1), 1], 1),
            Op::Nth => ([1, 1], 1),
            Op::Copies => ([1, n], 1),
            Op::Not | Op::Neg | Op::Total | Op::Pack | Op::KindOf | Op::NumberOf => ([1, 0], 1),
            _ => ([1, 1], 1),
        };
        e.read(a, reads[0]);
        e.read(b, reads[1]);
        match op {
            Op::Highest | Op::Lowest => e.list(dst, 1),
            Op::Copies | Op::Concat => e.list(dst, n),
            _ => e.write(dst, writes),
        }
    }

    /// A question: its operands, and what its preferences and policies look at.
    fn question(&self, e: &mut Effect, at: u32) {
        let ask = &self.program.asks[at as usize];
        e.read(ask.who.subject, ONE);
        e.read(ask.who.player, ONE);
        let mut fragments: Vec<Fragment> = Vec::new();
        let prefer = |prefer: &Option<PreferCode>| {
            prefer.map(|p| match p {
                PreferCode::Extreme { key, .. } => key,
                PreferCode::When { condition, .. } => condition,
            })
        };
        match &ask.kind {
            AskKind::Roll { dst, count, dice, fixed, list, sum, .. } => {
                if let Some(count) = count {
                    e.read(*count, ONE);
                }
                if fixed.is_none() {
                    e.read(*dice, ONE);
                }
                if count.is_some() && !sum || *list { e.list(*dst, 1) } else { e.write(*dst, ONE) }
            }
            AskKind::Reroll { pool, which, recipe, list, .. } => {
                for reg in [*pool, *which, *recipe] {
                    e.read(reg, ONE);
                }
                if *list {
                    e.list(*pool, 1)
                } else {
                    e.write(*pool, ONE)
                }
                e.list(*which, 1);
            }
            AskKind::Draw { dst, from, width, weights, amount, .. } => {
                e.read(*from, ONE);
                if let Some(weights) = weights {
                    e.read(*weights, ONE);
                }
                match amount {
                    Some((least, most)) => {
                        e.read(*least, ONE);
                        e.read(*most, ONE);
                        e.list(*dst, *width);
                    }
                    None => e.write(*dst, ONE),
                }
            }
            AskKind::Choose { dst, from, prefer: code, .. } => {
                e.read(*from, ONE);
                e.write(*dst, ONE);
                fragments.extend(prefer(code));
            }
            AskKind::Subset { dst, from, width, least, most, prefer: code, .. } => {
                for reg in [*from, *least, *most] {
                    e.read(reg, ONE);
                }
                e.list(*dst, *width);
                fragments.extend(prefer(code));
            }
            AskKind::Option { dst, from, prefer } => {
                e.read(*from, ONE);
                e.write(*dst, ONE);
                fragments.extend(prefer.iter().filter_map(|(_, f)| *f));
            }
            AskKind::May { dst, prefer } => {
                e.write(*dst, ONE);
                fragments.extend(*prefer);
            }
            AskKind::Menu { dst, stop } => {
                if let Some(stop) = stop {
                    e.read(*stop, ONE);
                }
                e.write(*dst, ONE);
            }
            AskKind::Next { dst, from, .. } => {
                e.read(*from, ONE);
                e.write(*dst, ONE);
            }
            AskKind::Move(code) => {
                e.read(code.thing, ONE);
                e.write(code.leg, 3);
                e.list(code.leg + 3, 1);
                e.write(code.moved, ONE);
                for line in &code.lines {
                    if let Some(active) = line.active {
                        e.read(active, ONE);
                    }
                    match line.operands {
                        LineOperands::None => {}
                        LineOperands::Number(reg) | LineOperands::Places(reg) => e.read(reg, ONE),
                        LineOperands::Two(a, b) => {
                            e.read(a, ONE);
                            e.read(b, ONE);
                        }
                        LineOperands::Reach { distance, places } => {
                            e.read(distance, ONE);
                            e.read(places, ONE);
                        }
                        LineOperands::Condition(fragment) => fragments.push(fragment),
                        LineOperands::Cost { cost, .. } => fragments.push(cost),
                    }
                }
            }
        }
        for policy in self.program.policies.iter().filter(|p| p.site == Some(ask.site)) {
            fragments.extend(policy.when);
            match policy.answer {
                PolicyAnswerCode::Extreme { key, .. } => fragments.push(key),
                PolicyAnswerCode::Value(value) => fragments.push(value),
                _ => {}
            }
        }
        for fragment in fragments {
            e.reads.extend(self.fragment_reads(fragment));
        }
    }
}

impl Effect {
    /// Every register it reads: first and how many.
    pub(super) fn all_reads(&self) -> impl Iterator<Item = (Reg, Reg)> {
        let counts = self.counts.map(|reg| (reg, ONE));
        self.reads.iter().copied().chain(self.copies.map(|(_, from, n)| (from, n))).chain(counts)
    }

    /// Every register it writes.
    pub(super) fn all_writes(&self) -> impl Iterator<Item = Reg> {
        let writes = self.writes.iter().map(|(reg, n, _)| (*reg, *n));
        writes.chain(self.copies.map(|(to, _, n)| (to, n))).flat_map(|(reg, n)| reg..reg + n)
    }

    fn read(&mut self, reg: Reg, n: Reg) {
        if n > 0 {
            self.reads.push((reg, n));
        }
    }

    fn write(&mut self, reg: Reg, n: Reg) {
        if n > 0 {
            self.writes.push((reg, n, Holds::Plain));
        }
    }

    fn list(&mut self, reg: Reg, width: Reg) {
        self.writes.push((reg, 1, Holds::List(width)));
    }

    /// What is copied is read only where the copy is.
    fn copy(&mut self, dst: Reg, src: Reg, n: Reg) {
        self.copies = Some((dst, src, n));
    }
}
