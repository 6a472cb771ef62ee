//! Effects of instructions: reads, writes and successors, from the tables of instructions and operators.

use super::*;
use crate::instr::{Operand, Slot, Wants};
use grognard_base::value::ops::Demand;

/// One register read or written.
const ONE: Reg = 1;

impl Flow<'_> {
    /// Returns the effect of the instruction at `pc`.
    pub(super) fn effect(&self, pc: Pc) -> Effect {
        let mut e = self.own_effect(pc);
        if let Instr::Ask { at } = self.program.code[pc as usize] {
            self.fragments(&mut e, &self.program.asks[at as usize]);
        }
        self.order(&mut e, pc);
        e
    }

    /// Returns the effect without the code that a query runs to evaluate its candidates.
    pub(super) fn own_effect(&self, pc: Pc) -> Effect {
        let mut e = Effect { next: smallvec![pc + 1], ..Effect::default() };
        let mut instr = self.program.code[pc as usize];
        for operand in instr.operands() {
            self.operand(&mut e, operand);
        }
        e.next.extend(instr.target().copied());
        if self.program.orderless.binary_search(&pc).is_ok() {
            e.dice.iter_mut().for_each(|(_, wants)| *wants = Wants::Faces);
        }
        e
    }

    fn operand(&self, e: &mut Effect, operand: Operand) {
        let program = self.program;
        match operand {
            Operand::Read(reg, n) => e.read(reg, n),
            Operand::Dice(list, wants) => e.dice(list, wants),
            Operand::Length(list) => e.counts = Some(list),
            Operand::Store(src, slot) => {
                let ty = self.type_of(slot);
                e.read(src, self.width(&ty));
                // a variable is a register too
                let kept = !matches!(slot, Slot::Ambient(_));
                let lists = self.lists(&ty).into_iter().filter(|_| kept);
                e.dice.extend(lists.map(|(cell, _)| (src + cell, Wants::Order)));
            }
            Operand::Write(reg, n) => e.write(reg, n),
            Operand::Handle(reg, holds) => e.writes.push((reg, 1, holds)),
            Operand::Load(dst, slot) => {
                let ty = self.type_of(slot);
                e.write(dst, self.width(&ty).max(1));
                self.lists(&ty).into_iter().for_each(|(cell, width)| e.list(dst + cell, width));
            }
            Operand::Statuses(dst, id) => e.list(dst, self.width(&self.type_of(Slot::Status(id))).max(1)),
            Operand::Lookup(dst, at) => e.write(dst, program.lookups[at as usize].width as Reg),
            Operand::Copy(dst, src, n) => e.copies = Some((dst, src, n)),
            Operand::Apply(op, dst, regs, n) => apply(e, op, dst, &regs, n),
            Operand::Board(dst, at) => {
                let ask = &program.board[at as usize];
                for ((takes, reg), kind) in ask.op.facts().takes.iter().zip(ask.args).zip(ask.kinds) {
                    // a thing stands for its place
                    e.read(reg, if kind.is_some() { takes.width(1).min(1) } else { takes.width(1) });
                }
                gives(e, ask.op, dst, 1);
            }
            Operand::Call(func, args, dst) => {
                let info = &program.funcs[func.at()];
                e.read(args, info.params);
                e.write(dst, info.result);
                info.lists.iter().for_each(|(cell, width)| e.list(dst + cell, *width));
            }
            Operand::Ask(at) => self.question(e, &program.asks[at as usize]),
            Operand::Phase(phase) => {
                let func = program.phases[phase.at()].func;
                e.read(0, program.funcs[func.at()].params.min(ONE));
            }
            Operand::Instance(action) => e.read(0, program.actions[action.at()].frame),
            Operand::Tag(at, key, data) => {
                let tag = &program.tags[at as usize];
                e.read(key, Reg::from(tag.keyed));
                if let TagWhat::Status(id) = tag.what {
                    self.operand(e, Operand::Store(data, Slot::Status(id)));
                }
            }
            Operand::Stop => e.next.clear(),
            Operand::Result(src, n) => e.result = Some((src, n)),
        }
    }

    pub(super) fn type_of(&self, slot: Slot) -> Type {
        let rules = &self.program.schema;
        match slot {
            Slot::Setting(id) => rules.settings[id.at()].ty.clone(),
            Slot::Global(id) => rules.globals[id.at()].ty.clone(),
            Slot::Field(id) => rules.fields[id.at()].ty.clone(),
            Slot::Ambient(id) => rules.ambients[id.at()].ty.clone(),
            Slot::Status(id) => Type::Record(rules.traits[id.at()].data),
        }
    }

    /// Adds the operands of a query.
    fn question(&self, e: &mut Effect, ask: &Ask) {
        e.read(ask.who.subject, ONE);
        e.read(ask.who.player, ONE);
        match &ask.kind {
            AskKind::Roll { dst, count, dice, fixed, list, sum, .. } => {
                count.iter().for_each(|count| e.read(*count, ONE));
                match (fixed, list) {
                    (Some(_), _) => {}
                    (None, true) => e.dice(*dice, Wants::Order),
                    (None, false) => e.read(*dice, ONE),
                }
                if count.is_some() && !sum || *list { e.list(*dst, 1) } else { e.write(*dst, ONE) }
            }
            AskKind::Reroll { pool, which, recipe, list, chains, explode, many, .. } => {
                [*pool, *which, *recipe].into_iter().for_each(|reg| e.read(reg, ONE));
                if let Some(chains) = chains {
                    chains.fits.iter().for_each(|(_, than)| e.read(*than, ONE));
                    e.read(chains.left, ONE);
                }
                if *list {
                    e.list(*pool, 1)
                } else {
                    e.write(*pool, ONE)
                }
                e.list(*which, 1);
                if *explode && *many {
                    e.list(*recipe, 1);
                }
            }
            AskKind::Draw { dst, from, width, weights, amount, .. } => {
                e.dice(*from, Wants::Order);
                weights.iter().for_each(|weights| e.dice(*weights, Wants::Order));
                match amount {
                    Some((least, most)) => {
                        e.read(*least, ONE);
                        e.read(*most, ONE);
                        e.list(*dst, *width);
                    }
                    None => e.write(*dst, *width),
                }
            }
            AskKind::Choose { dst, from, width, .. } => {
                e.dice(*from, Wants::Order);
                e.write(*dst, *width);
            }
            AskKind::Option { dst, from, .. } | AskKind::Next { dst, from, .. } => {
                e.dice(*from, Wants::Order);
                e.write(*dst, ONE);
            }
            AskKind::Subset { dst, from, width, least, most, .. } => {
                e.dice(*from, Wants::Order);
                e.read(*least, ONE);
                e.read(*most, ONE);
                e.list(*dst, *width);
            }
            AskKind::May { dst, .. } => e.write(*dst, ONE),
            AskKind::Menu { dst, stop } => {
                stop.iter().for_each(|stop| e.read(*stop, ONE));
                e.write(*dst, ONE);
            }
            AskKind::Move(code) => {
                e.read(code.thing, ONE);
                e.write(code.leg, 3);
                e.list(code.leg + 3, 1);
                e.write(code.moved, ONE);
                for line in &code.lines {
                    line.active.iter().for_each(|active| e.read(*active, ONE));
                    for part in &line.parts {
                        match part {
                            LinePart::Number(reg) | LinePart::Places(reg) => e.read(*reg, ONE),
                            LinePart::Judged(_) => {}
                        }
                    }
                }
            }
        }
    }

    /// Adds what the preferences and policies of a query read.
    fn fragments(&self, e: &mut Effect, ask: &Ask) {
        let mut fragments: Vec<Fragment> = Vec::new();
        match &ask.kind {
            AskKind::Choose { prefer, .. } | AskKind::Subset { prefer, .. } => {
                fragments.extend(prefer.map(|prefer| match prefer {
                    PreferCode::Extreme { key, .. } => key,
                    PreferCode::When { condition, .. } => condition,
                }));
            }
            AskKind::Option { prefer, .. } => fragments.extend(prefer.iter().filter_map(|(_, f)| *f)),
            AskKind::May { prefer, .. } => fragments.extend(*prefer),
            AskKind::Move(code) => fragments.extend(code.lines.iter().filter_map(LineCode::judged)),
            AskKind::Roll { .. } | AskKind::Reroll { .. } | AskKind::Draw { .. } | AskKind::Menu { .. } => {}
            AskKind::Next { .. } => {}
        }
        for policy in self.program.policies.iter().filter(|p| p.site == Some(ask.site)) {
            fragments.extend(policy.when);
            match policy.answer {
                PolicyAnswerCode::Extreme { key: judge, .. } | PolicyAnswerCode::Value(judge) => fragments.push(judge),
                PolicyAnswerCode::Action(_) | PolicyAnswerCode::Stop | PolicyAnswerCode::Flag(_) => {}
                PolicyAnswerCode::None | PolicyAnswerCode::Option(_) => {}
            }
        }
        for fragment in fragments {
            let (reads, unordered) = self.fragment_reads(fragment);
            e.reads.extend(reads);
            e.unordered.extend(unordered);
        }
    }
}

/// Adds the effect of an operator with its operands in these registers.
fn apply(e: &mut Effect, op: Op, dst: Reg, regs: &[Reg], n: Reg) {
    for (takes, reg) in op.facts().takes.iter().zip(regs) {
        e.read(*reg, takes.width(n));
        let wants = takes.demand().and_then(|demand| match demand {
            Demand::Count => None,
            Demand::Faces => Some(Wants::Faces),
            Demand::Entry => Some(Wants::entry(regs[0], 1, n)),
            Demand::Order => Some(Wants::Order),
        });
        e.dice.extend(wants.map(|wants| (*reg, wants)));
    }
    gives(e, op, dst, n);
}

fn gives(e: &mut Effect, op: Op, dst: Reg, n: Reg) {
    let gives = op.facts().gives;
    e.write(dst, gives.width(n));
    gives.entries(n).into_iter().for_each(|width| e.list(dst, width));
}

impl Effect {
    /// Returns all registers that it reads: first and count.
    pub(super) fn all_reads(&self) -> impl Iterator<Item = (Reg, Reg)> {
        let lists = self.counts.into_iter().chain(self.unordered.iter().copied());
        self.reads_in_order().chain(lists.map(|reg| (reg, ONE)))
    }

    /// Returns the registers that it reads, without lists whose order it does not read.
    pub(super) fn reads_in_order(&self) -> impl Iterator<Item = (Reg, Reg)> {
        let lists = self.ordering.iter().map(|(_, from)| *from).chain(self.placed.map(|(list, _)| list));
        let copied = self.copies.map(|(_, from, n)| (from, n));
        let given = self.call.map(|(_, args, n)| (args, n));
        self.reads.iter().copied().chain(copied).chain(given).chain(lists.map(|reg| (reg, ONE)))
    }

    /// Returns all registers that it writes.
    pub(super) fn all_writes(&self) -> impl Iterator<Item = Reg> {
        let writes = self.writes.iter().map(|(reg, n, _)| (*reg, *n));
        writes.chain(self.copies.map(|(to, _, n)| (to, n))).flat_map(|(reg, n)| reg..reg + n)
    }

    /// Returns the number of registers up to the highest that it accesses.
    pub(super) fn registers(&self) -> usize {
        let reads = self.all_reads().chain(self.result).map(|(reg, n)| usize::from(reg) + usize::from(n));
        let places = self.placed.into_iter().chain(self.entry).map(|(_, place)| usize::from(place) + 1);
        let lists = self.ordering.iter().map(|(to, _)| usize::from(*to) + 1);
        let writes = self.all_writes().map(|reg| usize::from(reg) + 1);
        reads.chain(places).chain(lists).chain(writes).max().unwrap_or(0)
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

    fn dice(&mut self, list: Reg, wants: Wants) {
        self.read(list, ONE);
        self.dice.push((list, wants));
    }

    fn list(&mut self, reg: Reg, width: Reg) {
        self.writes.push((reg, 1, Holds::List(width)));
    }
}
