//! The dispatch loop of a block: one instruction for all lanes of the running group, then the next.

use super::cells::{LIMIT, OPEN, blend, change, each, encode, lanes, marked, taken};
use super::uniform::Uniform;
use super::waits::Wait;
use super::{Block, LANES};
use grognard_base::value::*;
use grognard_program::{AskKind, Instr, Reg};
use grognard_vm::StandIn;

/// Runs a block until no lane is left to run.
pub(super) struct Steps<'b, 'g>(pub &'b mut Block<'g>);

impl super::vectors::Loops for Steps<'_, '_> {
    #[inline(always)]
    fn run(self) {
        self.0.steps();
    }
}

/// Calls a method with the comparison of an operator. The calls are written out: a closure around them would be a separate
/// function, and not compiled for the instruction set of its caller.
macro_rules! compared {
    ($op:expr, $block:ident.$method:ident($($operand:expr),*)) => {
        match $op {
            Op::Eq => $block.$method($($operand),*, |x, y| x == y),
            Op::Ne => $block.$method($($operand),*, |x, y| x != y),
            Op::Lt => $block.$method($($operand),*, |x, y| x < y),
            Op::Le => $block.$method($($operand),*, |x, y| x <= y),
            Op::Gt => $block.$method($($operand),*, |x, y| x > y),
            _ => $block.$method($($operand),*, |x, y| x >= y),
        }
    };
}

impl Block<'_> {
    #[inline(always)]
    fn steps(&mut self) {
        let game = self.game;
        let code = &game.program.code[..];
        loop {
            if self.count == 0 {
                if !self.pick() {
                    return;
                }
                continue;
            }
            if self.pc >= self.next {
                self.join(self.pc);
            }
            let instr = code[self.pc as usize];
            self.unread = self.waits[self.pc as usize] == Wait::Unread;
            self.pc += 1;
            match instr {
                Instr::Const { dst, value } => match encode(i64::from(value)) {
                    Some(value) => self.fill(dst, value),
                    None => self.leave(),
                },
                Instr::Wide { dst, at } => match encode(game.program.pool[at as usize]) {
                    Some(value) => self.fill(dst, value),
                    None => self.leave(),
                },
                Instr::Copy { dst, src } => self.copy(dst, src, 1),
                Instr::CopyMany { dst, src, n } => self.copy(dst, src, n),
                Instr::Op { op, dst, a, b, n } => self.operate(op, dst, a, b, n),
                Instr::AddConst { dst, a, value } => {
                    self.constant = i32::from(value);
                    self.add_constant(dst, a);
                }
                Instr::AtLeast { dst, a, value } => self.single(dst, a, |x| x.max(value)),
                Instr::AtMost { dst, a, value } => self.single(dst, a, |x| x.min(value)),
                Instr::Jump { to } => {
                    if to >= self.pc || self.burn() {
                        self.go(to);
                    }
                }
                Instr::JumpIf { cond, to } => self.branch(cond, cond, to, |x, _| x != 0),
                Instr::JumpUnless { cond, to } => self.branch(cond, cond, to, |x, _| x == 0),
                Instr::JumpNone { reg, to } => self.branch(reg, reg, to, |x, _| x == i32::MIN),
                Instr::JumpCompare { op, a, b, to } => compared!(op, self.branch(a, b, to)),
                Instr::JumpCompareConst { op, a, value, to } => {
                    self.constant = i32::from(value);
                    compared!(op, self.branch_const(a, to));
                }
                Instr::Setting { dst, id } => {
                    let (at, width) = game.layout.settings[id.at()];
                    for cell in 0..width.min(2) {
                        self.fill(dst + cell as Reg, encode(game.start.cells[at + cell]).unwrap_or(0));
                    }
                }
                Instr::Global { dst, id } => {
                    let global = game.layout.globals[id.at()];
                    if global.entry > 0 {
                        self.leave();
                        continue;
                    }
                    for cell in 0..global.width {
                        self.load(dst + cell as Reg, global.base + cell, cell == 0);
                    }
                }
                Instr::SetGlobal { id, src, .. } => {
                    let global = game.layout.globals[id.at()];
                    if global.entry > 0 {
                        self.leave();
                        continue;
                    }
                    for cell in 0..global.width {
                        self.store(global.base + cell, src + cell as Reg);
                    }
                }
                Instr::Count { id, src, minus } => self.tally_up(id, src, minus),
                Instr::Tally { dst, id } => {
                    self.out.0 = self.tallies[id.at()].0;
                    self.put(self.base + dst as usize);
                }
                Instr::Field { dst, thing, id } => {
                    let field = game.layout.fields[id.at()];
                    if field.entry > 0 {
                        self.leave();
                        continue;
                    }
                    let step = field.width * field.figures;
                    for cell in 0..field.width {
                        self.load_of(dst + cell as Reg, thing, field.base + cell, step, cell == 0);
                    }
                }
                Instr::SetField { id, thing, src, .. } => {
                    let field = game.layout.fields[id.at()];
                    if field.entry > 0 {
                        self.leave();
                        continue;
                    }
                    let step = field.width * field.figures;
                    for cell in 0..field.width {
                        self.store_of(field.base + cell, step, thing, src + cell as Reg);
                    }
                }
                Instr::Alive { dst, thing, kind } => {
                    self.load_of(dst, thing, game.layout.kinds[kind.at()].alive, 1, false);
                }
                Instr::Bears { dst, thing, id } => {
                    self.load_of(dst, thing, game.layout.bears[id.at()], 1, false);
                    self.single(dst, dst, |x| i32::from(x > 0));
                }
                Instr::NextThing { dst, kind, to } => self.next_thing(dst, kind, to),
                Instr::Ambient { dst, id } => match self.ambient(id) {
                    Some((at, width)) => {
                        for cell in 0..width {
                            self.copy_row(self.base + dst as usize + cell, at + cell);
                        }
                    }
                    None => self.leave(),
                },
                Instr::SetAmbient { id, src } => match self.ambient(id) {
                    Some((at, width)) => {
                        for cell in 0..width {
                            self.copy_row(at + cell, self.base + src as usize + cell);
                        }
                    }
                    None => self.leave(),
                },
                Instr::Running { dst, phase } => self.fill(dst, i32::from(self.running(phase))),
                Instr::Innermost { dst, phase } => self.fill(dst, i32::from(self.innermost(phase))),
                // No action runs in a block.
                Instr::ActionName { dst } => self.fill(dst, -1),
                Instr::Actor { dst } => self.fill(dst, i32::MIN),
                Instr::NewList { dst } => self.fill(dst, 0),
                Instr::Push { list, src, n } => self.push(list, src, n as usize),
                Instr::Entry { dst, list, index, n } => self.entry(dst, list, index, n as usize),
                Instr::Length { dst, list } => match game.pairs(self.pc - 1) {
                    Some(pairs) => compared!(pairs.skipped, self.pairs(pairs)),
                    None => self.length(dst, list),
                },
                Instr::Look { dst, list, op, than } => compared!(op, self.look_at(dst, list, than)),
                Instr::Mark { dst } => {
                    self.out.0 = self.tops.0;
                    self.put(self.base + dst as usize);
                }
                Instr::Release { mark } => {
                    blend(&mut self.tops, &self.regs[self.base + mark as usize], &self.mask);
                }
                Instr::Within { src, at } => {
                    let range = game.program.bounds[at as usize].range;
                    let bound = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
                    let (low, high) = (bound(range.low), bound(range.high));
                    let row = &self.regs[self.base + src as usize];
                    each(&mut self.taken, row, |x| -i32::from(x < low || x > high));
                    self.leave_marked();
                }
                Instr::Lookup { dst, row, column, at } => self.look_up(dst, row, column, at),
                Instr::Call { func, args, dst } => {
                    if self.burn() && !self.enter(func, self.depth + 1, self.base + args as usize, dst) {
                        self.leave();
                    }
                }
                Instr::CallExtern { func, args, dst } => {
                    let func = match game.stand_ins.get(func.at()).and_then(Option::as_ref) {
                        None => func,
                        Some(StandIn::Body(other)) => *other,
                        Some(StandIn::Value(_) | StandIn::Script(_) | StandIn::Odds(_) | StandIn::By(_)) => {
                            self.leave();
                            continue;
                        }
                    };
                    if self.burn() && !self.enter(func, self.depth + 1, self.base + args as usize, dst) {
                        self.leave();
                    }
                }
                Instr::Return { src, n } => self.come_back_with(src, n),
                Instr::Ask { at } => {
                    let ask = &game.program.asks[at as usize];
                    if let AskKind::Roll { .. } = ask.kind {
                        self.roll(ask);
                    } else {
                        self.leave();
                    }
                }
                Instr::Enter { phase } => self.enter_phase(phase),
                Instr::Leave { phase } => self.leave_phase(phase),
                // No duration runs in a block, and no call is interrupted.
                Instr::Started { .. } | Instr::Ending { .. } | Instr::Untag { .. } => {}
                // A lane has no layers: it leaves where one begins.
                Instr::UntagGlobal { .. } | Instr::Shift { .. } | Instr::ShiftGlobal { .. } => {}
                Instr::ShiftList { .. } | Instr::ShiftListGlobal { .. } => {}
                Instr::Own { .. } | Instr::Note { .. } => {}
                Instr::Ran { clause } => game.ran.note(clause),
                Instr::Keyed { .. } | Instr::BackLink { .. } | Instr::EverLinked { .. } => self.leave(),
                Instr::SetBackLink { .. } | Instr::At { .. } | Instr::Facing { .. } => self.leave(),
                Instr::Instances { .. } | Instr::Which { .. } | Instr::Distinct { .. } => self.leave(),
                Instr::TakeOut { .. } | Instr::Living { .. } | Instr::Span { .. } | Instr::SortBy { .. } => {
                    self.leave()
                }
                Instr::Home { .. } | Instr::Forth { .. } | Instr::Before { .. } => self.leave(),
                Instr::Forest { .. } => self.leave(),
                Instr::Tree { .. } | Instr::Board { .. } | Instr::Done | Instr::Offer { .. } => self.leave(),
                Instr::Refuse { .. } | Instr::Allowed { .. } | Instr::Use { .. } => self.leave(),
                Instr::End { .. } | Instr::Begin { .. } | Instr::Finish { .. } | Instr::Cancel => self.leave(),
                Instr::Grant { .. }
                | Instr::Revoke { .. }
                | Instr::RevokeOne { .. }
                | Instr::Tag { .. }
                | Instr::Layer { .. }
                | Instr::KeepCut { .. }
                | Instr::KeepCutGlobal { .. } => self.leave(),
                Instr::Destroy { .. } | Instr::Spawn { .. } | Instr::Put { .. } => self.leave(),
                Instr::Turn { .. } | Instr::Merge { .. } | Instr::Fault { .. } => self.leave(),
            }
        }
    }

    #[inline(always)]
    fn copy(&mut self, dst: Reg, src: Reg, n: Reg) {
        // Copies as if all cells were read before any is written.
        let turned = dst > src;
        for cell in 0..n {
            let cell = if turned { n - 1 - cell } else { cell } as usize;
            self.copy_row(self.base + dst as usize + cell, self.base + src as usize + cell);
        }
    }

    /// Copies a row to another in the lanes of the group.
    #[inline(always)]
    pub(super) fn copy_row(&mut self, to: usize, from: usize) {
        match self.uniform[from].of(self.group) {
            Some(value) => self.fill_row(to, value),
            None => {
                self.out.0 = self.regs[from].0;
                self.put(to);
            }
        }
    }

    #[inline(always)]
    fn branch(&mut self, a: Reg, b: Reg, to: u32, holds: impl Fn(i32, i32) -> bool) {
        let count = if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            if holds(x, y) { self.count } else { 0 }
        } else {
            let (x, y) = (&self.regs[self.base + a as usize], &self.regs[self.base + b as usize]);
            taken(&mut self.taken, x, y, &self.mask, holds)
        };
        self.part(count, to);
    }

    /// Branches on a comparison with a constant.
    #[inline(always)]
    fn branch_const(&mut self, a: Reg, to: u32, holds: impl Fn(i32, i32) -> bool) {
        let constant = self.constant;
        let count = if let Some(x) = self.known(a) {
            if holds(x, constant) { self.count } else { 0 }
        } else {
            let x = &self.regs[self.base + a as usize];
            taken(&mut self.taken, x, x, &self.mask, |x, _| holds(x, constant))
        };
        self.part(count, to);
    }

    #[inline(always)]
    fn add_constant(&mut self, dst: Reg, a: Reg) {
        let constant = self.constant;
        self.sum(dst, a, a, |x, _| x.wrapping_add(constant));
    }

    /// Loads a cell of the table. With `given`, lanes in which it is not set leave.
    #[inline(always)]
    fn load(&mut self, dst: Reg, at: usize, given: bool) {
        if let Some(value) = self.known_cell(at) {
            return if given && value == OPEN { self.leave() } else { self.fill(dst, value) };
        }
        // a cell without a row is known
        let Some(cells) = self.cells.row(at) else { return self.leave() };
        let open = marked(&mut self.out, cells, cells, &self.mask, |cell, _| (cell, -i32::from(cell == OPEN)));
        if given && open < 0 {
            self.check_given();
        }
        self.put(self.base + dst as usize);
    }

    #[inline(always)]
    fn check_given(&mut self) {
        each(&mut self.taken, &self.out, |cell| -i32::from(cell == OPEN));
        self.leave_marked();
    }

    #[inline(always)]
    fn store(&mut self, at: usize, src: Reg) {
        if let Some(value) = self.known(src) {
            return self.fill_cell(at, value);
        }
        let from = &self.regs[self.base + src as usize];
        let Some((row, uniform)) = self.cells.row_mut(at) else { return self.leave() };
        *uniform = Uniform::NOTHING;
        if self.waiting == 0 {
            row.0 = from.0;
        } else {
            blend(row, from, &self.mask);
        }
    }

    /// Loads a cell of a thing; the same cell of the next thing is `step` rows further.
    #[inline(always)]
    fn load_of(&mut self, dst: Reg, thing: Reg, at: usize, step: usize, given: bool) {
        match self.same(thing) {
            Some(thing) => {
                let at = at + thing.max(0) as usize * step;
                return if thing >= 0 && at < self.cells.len() { self.load(dst, at, given) } else { self.leave() };
            }
            None => self.load_of_each(thing, at, step),
        }
        if given {
            self.check_given();
        }
        self.put(self.base + dst as usize);
    }

    fn load_of_each(&mut self, thing: Reg, at: usize, step: usize) {
        let things = &self.regs[self.base + thing as usize].0;
        for lane in 0..LANES {
            let at = if self.mask.0[lane] == 0 { 0 } else { at + things[lane].max(0) as usize * step };
            self.out.0[lane] = if at < self.cells.len() { self.cells.of(at, lane) } else { OPEN };
        }
    }

    #[inline(always)]
    fn store_of(&mut self, at: usize, step: usize, thing: Reg, src: Reg) {
        match self.same(thing) {
            Some(thing) if thing >= 0 && at + thing as usize * step < self.cells.len() => {
                self.store(at + thing as usize * step, src);
            }
            Some(_) => self.leave(),
            None => self.store_of_each(at, step, thing, src),
        }
    }

    fn store_of_each(&mut self, at: usize, step: usize, thing: Reg, src: Reg) {
        let things = &self.regs[self.base + thing as usize].0;
        let from = &self.regs[self.base + src as usize].0;
        self.taken.0.fill(0);
        for lane in 0..LANES {
            let at = at + things[lane].max(0) as usize * step;
            if self.mask.0[lane] == 0 || at >= self.cells.len() {
                continue;
            }
            match self.cells.row_mut(at) {
                Some((row, uniform)) => {
                    row.0[lane] = from[lane];
                    *uniform = Uniform::NOTHING;
                }
                None => self.taken.0[lane] = -1,
            }
        }
        self.leave_marked();
    }

    #[inline(always)]
    fn tally_up(&mut self, id: TallyId, src: Reg, minus: bool) {
        let (tally, by) = (&mut self.tallies[id.at()], &self.regs[self.base + src as usize]);
        change(tally, by, &self.mask, |sum, by, mask| {
            sum.wrapping_add((if minus { by.wrapping_neg() } else { by }) & mask)
        });
        each(&mut self.taken, tally, |sum| sum.wrapping_add(LIMIT));
        self.leave_marked();
    }

    /// Advances to the next living thing of a kind, or jumps to `to` after the last one.
    fn next_thing(&mut self, dst: Reg, kind: KindId, to: u32) {
        if !self.burn() {
            return;
        }
        let kind = &self.game.layout.kinds[kind.at()];
        if let (Some(thing), Some(used)) = (self.known(dst), self.known_cell(kind.used)) {
            let open = (thing + 1..used).find(|next| self.known_cell(kind.alive + *next as usize) != Some(0));
            match open.map(|next| (next, self.known_cell(kind.alive + next as usize))) {
                None => return self.part(self.count, to),
                Some((next, Some(_))) => return self.fill(dst, next),
                // not known to live in all lanes
                Some((_, None)) => {}
            }
        }
        let reg = self.base + dst as usize;
        self.uniform[reg] = Uniform::NOTHING;
        let mut ended = 0;
        for lane in 0..LANES {
            self.taken.0[lane] = 0;
            if self.mask.0[lane] == 0 {
                continue;
            }
            let used = self.cells.of(kind.used, lane);
            let mut next = self.regs[reg].0[lane] + 1;
            while next < used && self.cells.of(kind.alive + next as usize, lane) == 0 {
                next += 1;
            }
            if next >= used {
                self.taken.0[lane] = -1;
                ended += 1;
            } else {
                self.regs[reg].0[lane] = next;
            }
        }
        self.part(ended, to);
    }

    /// Loads an entry of a constant table.
    fn look_up(&mut self, dst: Reg, row: Reg, column: Reg, at: u32) {
        let table = &self.game.program.lookups[at as usize];
        let entry = |row: i32, column: i32, n: usize| {
            let start = (row.max(0) as usize * table.columns + column.max(0) as usize) * table.width;
            let there = row >= 0 && column >= 0 && (column as usize) < table.columns;
            match table.cells.get(start..start + table.width).filter(|_| there) {
                Some(cells) => encode(cells[n]),
                None if table.whole => None,
                None => encode(if n == 0 { NONE } else { 0 }),
            }
        };
        if let (Some(row), Some(column)) = (self.same(row), self.same(column)) {
            for n in 0..table.width {
                match entry(row, column, n) {
                    Some(value) => self.fill(dst + n as Reg, value),
                    None => return self.leave(),
                }
            }
            return;
        }
        let (rows, columns) = (self.base + row as usize, self.base + column as usize);
        self.taken.0.fill(0);
        let dst = self.base + dst as usize;
        self.uniform[dst..dst + table.width].fill(Uniform::NOTHING);
        for lane in lanes(&self.mask) {
            let (row, column) = (self.regs[rows].0[lane], self.regs[columns].0[lane]);
            for n in 0..table.width {
                match entry(row, column, n) {
                    Some(value) => self.regs[dst + n].0[lane] = value,
                    None => self.taken.0[lane] = -1,
                }
            }
        }
        self.leave_marked();
    }
}
