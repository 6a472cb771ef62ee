//! Linking: translates each instruction into a step and fuses frequent sequences into one step.

use super::game::Layout;
use super::layout::{Aside, Bound, By, ChangeFigure, Holds, Linked, Pairs, Step, Switch};
use super::throws::{Before, DieFrom, ThrowDice, known_die};
use grognard_base::value::*;
use grognard_program::{AskKind, Instr, Pc, Program, Reg};

/// Links a program with a layout.
pub(super) fn link(program: &Program, layout: &Layout) -> Linked {
    let mut linker = Specialiser { program, layout, linked: Linked::default(), compared: 0 };
    for pc in 0..program.code.len() {
        let alone = linker.single(pc);
        let (step, length) = linker.fused(pc).unwrap_or((alone, 1));
        linker.linked.alone.push(alone);
        linker.linked.steps.push(step);
        linker.linked.further.push((length - 1) as u16);
    }
    linker.linked
}

/// Minimum number of comparisons for a jump table.
const LEAST_COMPARED: usize = 3;

/// Maximum number of rows of a jump table.
const MOST_ROWS: i64 = 64;

/// Number of instructions of the loop that [`Pairs`] replaces.
const PAIRS: usize = 11;

/// Maximum number of entries of a fused list literal.
const MOST_LISTED: usize = 16;

/// Returns whether an operator is arithmetic or a comparison on single cells, independent of its width or count.
fn is_plain(op: Op) -> bool {
    use Op::{Add, Eq, Ge, Gt, Le, Lt, Max, Min, Mul, Ne, Sub};
    matches!(op, Add | Sub | Mul | Min | Max | Eq | Ne | Lt | Le | Gt | Ge)
}

/// Returns whether a jump on the result of an operator can be fused with it.
fn jumps(op: Op, n: Reg) -> bool {
    is_plain(op) && n <= 1 || matches!(op, Op::Not | Op::IsPast)
}

struct Specialiser<'a> {
    program: &'a Program,
    layout: &'a Layout,
    linked: Linked,
    /// Comparisons before this program point are in the last jump table.
    compared: usize,
}

impl Specialiser<'_> {
    fn at(&self, pc: usize) -> Option<Instr> {
        self.program.code.get(pc).copied()
    }

    /// Returns the column of a field with one cell for each thing, or `None` for other fields.
    fn column(&self, id: FieldId) -> Option<u32> {
        let field = &self.layout.fields[id.at()];
        field.plain.then_some(field.base as u32)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "an instruction without its own step takes the slow path")]
    fn single(&self, pc: usize) -> Step {
        let compared = |cond, op, to| Step::JumpCompareConst { holds: Holds::of(op), a: cond, value: 0, to };
        match self.program.code[pc] {
            Instr::Const { dst, value } => Step::Const { dst, value: i64::from(value) },
            Instr::Wide { dst, at } => Step::Const { dst, value: self.program.pool[at as usize] },
            Instr::Copy { dst, src } => Step::Copy { dst, src },
            Instr::AddConst { dst, a, value } => Step::AddConst { dst, a, value },
            Instr::AtLeast { dst, a, value } => Step::AtLeast { dst, a, value },
            Instr::AtMost { dst, a, value } => Step::AtMost { dst, a, value },
            Instr::Within { src, at } => {
                let Range { low, high } = self.program.bounds[at as usize].range;
                Step::Within { src, low: low as i32, high: high as i32 }
            }
            Instr::Op { op: Op::Faces | Op::ToDie, dst, a, n, .. } => Step::Sides { dst, a, chain: n },
            Instr::Op { op: Op::Fraction, dst, a, b, .. } => Step::Fraction { dst, num: a, den: b },
            Instr::Op { op: op @ (Op::RoundDown | Op::RoundUp), dst, a, .. } => {
                Step::Round { dst, ratio: a, up: op == Op::RoundUp }
            }
            Instr::Op { op: op @ (Op::Highest | Op::Lowest), dst, a, b, n: 1 } => {
                Step::Keep { dst, most: a, list: b, high: op == Op::Highest }
            }
            Instr::Op { op: Op::Total, dst, a, .. } => Step::Total { dst, list: a },
            Instr::Setting { dst, id } if self.layout.settings[id.at()].1 == 1 => {
                Step::Setting { dst, at: self.layout.settings[id.at()].0 as u32 }
            }
            Instr::Global { dst, id } if self.layout.globals[id.at()].plain => {
                Step::Global { dst, at: self.layout.globals[id.at()].base as u32 }
            }
            Instr::SetGlobal { id, src, .. } if self.layout.globals[id.at()].plain => {
                Step::SetGlobal { at: self.layout.globals[id.at()].base as u32, src }
            }
            Instr::Lookup { dst, row, column, at } if self.program.lookups[at as usize].width == 1 => {
                Step::Lookup { dst, row, column, at }
            }
            Instr::Push { list, src, n: 1 } => Step::Push { list, src },
            Instr::Op { op, dst, a, b, n } => Step::Op { op, dst, a, b, n },
            Instr::Jump { to } => Step::Jump { to },
            Instr::JumpIf { cond, to } => compared(cond, Op::Ne, to),
            Instr::JumpUnless { cond, to } => compared(cond, Op::Eq, to),
            Instr::JumpNone { reg, to } => Step::JumpNone { reg, to },
            Instr::JumpCompare { op, a, b, to } => Step::JumpCompare { holds: Holds::of(op), a, b, to },
            Instr::JumpCompareConst { op, a, value, to } => {
                Step::JumpCompareConst { holds: Holds::of(op), a, value, to }
            }
            Instr::Field { dst, thing, id } => match self.column(id) {
                Some(column) => Step::Figure { dst, thing, column },
                None => Step::Careful,
            },
            Instr::SetField { id, thing, src, .. } => match self.column(id) {
                Some(column) => Step::SetFigure { thing, src, column },
                None => Step::Careful,
            },
            Instr::Alive { dst, thing, kind } => {
                Step::Cell { dst, thing, column: self.layout.kinds[kind.at()].alive as u32 }
            }
            Instr::NextThing { dst, kind, to } => Step::NextThing { dst, kind, to },
            Instr::Bears { dst, thing, id } => Step::Bears { dst, thing, column: self.layout.bears[id.at()] as u32 },
            Instr::NewList { dst } => Step::NewList { dst },
            Instr::Length { dst, list } => Step::Length { dst, list },
            Instr::Entry { dst, list, index, n: 1 } => Step::Entry { dst, list, index },
            Instr::Look { dst, list, op, than } => Step::Look { dst, list, op, than },
            Instr::Mark { dst } => Step::Mark { dst },
            Instr::Call { func, args, dst } => Step::Call { func, args, dst },
            Instr::Return { src, n: 1 } => Step::Return { src },
            Instr::Release { mark } => Step::Release { mark },
            _ => Step::Careful,
        }
    }

    /// Returns a step for the instruction at `pc` and some that follow, with the number of instructions.
    fn fused(&mut self, pc: usize) -> Option<(Step, usize)> {
        if let Some(change) = self.change(pc) {
            let length = change.length as usize;
            self.linked.changes.push(change);
            return Some((Step::Change { at: self.linked.changes.len() as u32 - 1 }, length));
        }
        if let Some(throw) = self.throw(pc) {
            let length = throw.length as usize;
            self.linked.throws.push(throw);
            return Some((Step::Throw { at: self.linked.throws.len() as u32 - 1 }, length));
        }
        if let Some((a, switch)) = self.switch(pc) {
            self.linked.switches.push(switch);
            return Some((Step::Switch { a, at: self.linked.switches.len() as u32 - 1 }, self.compared - pc));
        }
        if let Some(pairs) = self.pairs(pc) {
            self.linked.pairs.push(pairs);
            return Some((Step::Pairs { at: self.linked.pairs.len() as u32 - 1 }, PAIRS));
        }
        if let Some((dst, entries)) = self.listed(pc) {
            let length = 1 + entries.len();
            self.linked.listed.push(entries);
            return Some((Step::Listed { dst, at: self.linked.listed.len() as u32 - 1 }, length));
        }
        let (first, next) = (self.at(pc)?, self.at(pc + 1)?);
        self.two(first, next).map(|step| (step, 2)).or_else(|| {
            let (Instr::Length { dst, list: a }, Instr::Length { dst: other, list: b }) = (first, next) else {
                return None;
            };
            let lesser = self.at(pc + 2)? == Instr::Op { op: Op::Min, dst, a: dst, b: other, n: 1 };
            (lesser && dst != other && dst != b).then_some((Step::Shorter { dst, other, a, b }, 3))
        })
    }

    /// Returns a step for two instructions.
    fn two(&self, first: Instr, next: Instr) -> Option<Step> {
        Some(match (first, next) {
            (Instr::Field { dst, thing, id }, next) => {
                let (op, value, to) = match (dst, next) {
                    (dst, Instr::JumpCompareConst { op, a, value, to }) if a == dst => (op, value, to),
                    (dst, Instr::JumpIf { cond, to }) if cond == dst => (Op::Ne, 0, to),
                    (dst, Instr::JumpUnless { cond, to }) if cond == dst => (Op::Eq, 0, to),
                    _ => return None,
                };
                Step::JumpFigure { holds: Holds::of(op), dst, thing, value, column: self.column(id)?, to }
            }
            (Instr::AddConst { dst, a, value }, Instr::JumpCompare { op, a: counted, b, to }) if counted == dst => {
                Step::JumpCount { holds: Holds::of(op), dst, a, value, b, to }
            }
            (Instr::Const { dst: than, value }, Instr::Look { dst, list, op, than: other }) if than == other => {
                Step::LookConst { dst, list, op, than, value }
            }
            (Instr::Const { dst: most, value }, Instr::Op { op: op @ (Op::Highest | Op::Lowest), dst, a, b, n: 1 })
                if a == most && b != most =>
            {
                Step::KeepConst { dst, most, value, list: b, high: op == Op::Highest }
            }
            (Instr::Const { dst: constant, value }, Instr::Op { op, dst, a, b, n: 0 | 1 })
                if is_plain(op) && (a == constant || b == constant) =>
            {
                Step::ConstOp { op, dst, a, b, constant, value }
            }
            (Instr::Const { dst: column, value }, Instr::Lookup { dst, row, column: own, at })
                if own == column && row != column && self.program.lookups[at as usize].width == 1 =>
            {
                Step::LookupConst { dst, row, column, value: i16::try_from(value).ok()?, at }
            }
            (Instr::Const { dst, value }, Instr::Jump { to }) => Step::ConstJump { dst, value, to },
            (Instr::Op { op, dst, a, b, n }, Instr::JumpIf { cond, to }) if cond == dst && jumps(op, n) => {
                Step::OpJump { op, holds: Holds::of(Op::Ne), dst, a, b, n, to }
            }
            (Instr::Op { op, dst, a, b, n }, Instr::JumpUnless { cond, to }) if cond == dst && jumps(op, n) => {
                Step::OpJump { op, holds: Holds::of(Op::Eq), dst, a, b, n, to }
            }
            (Instr::Release { mark }, Instr::Jump { to }) => Step::ReleaseJump { mark, to },
            _ => return None,
        })
    }

    /// Returns a list literal: its register and the registers of its entries.
    fn listed(&self, pc: usize) -> Option<(Reg, Vec<Reg>)> {
        let Instr::NewList { dst } = self.at(pc)? else { return None };
        let pushed = |pc: usize| match self.at(pc) {
            Some(Instr::Push { list, src, n: 1 }) if list == dst && src != dst => Some(src),
            _ => None,
        };
        let entries: Vec<Reg> = (pc + 1..).map_while(pushed).take(MOST_LISTED).collect();
        (!entries.is_empty()).then_some((dst, entries))
    }

    /// Returns the loop that counts pairs of entries of two lists for which a comparison holds.
    fn pairs(&self, pc: usize) -> Option<Pairs> {
        self.program.pairs.binary_search(&(pc as Pc)).ok()?;
        let at = |n: usize| self.at(pc + n);
        let (Instr::Length { dst: first, list: a }, Instr::Length { dst: second, list: b }) = (at(0)?, at(1)?) else {
            return None;
        };
        let lesser = at(2)? == Instr::Op { op: Op::Min, dst: first, a: first, b: second, n: 1 };
        let (Instr::Const { dst: place, value: -1 }, top) = (at(3)?, pc as Pc + 4) else { return None };
        let counts = at(4)? == Instr::AddConst { dst: place, a: place, value: 1 };
        let end = pc as Pc + PAIRS as Pc;
        let ends = at(5)? == Instr::JumpCompare { op: Op::Ge, a: place, b: first, to: end };
        let (Instr::Entry { dst: x, list: own, index, n: 1 }, Instr::Entry { dst: y, list: other, index: same, n: 1 }) =
            (at(6)?, at(7)?)
        else {
            return None;
        };
        let entries = (own, other, index, same) == (a, b, place, place);
        let Instr::JumpCompare { op: skipped, a: left, b: right, to } = at(8)? else { return None };
        let Instr::AddConst { dst: count, a: counted, value: 1 } = at(9)? else { return None };
        let back = at(10)? == Instr::Jump { to: top };
        let registers = [a, b, first, second, place, x, y, count];
        let apart = (1..registers.len()).all(|n| n == 1 || !registers[..n].contains(&registers[n]));
        let fits = lesser && counts && ends && entries && back && apart && counted == count && to == top;
        (fits && [left, right] == [x, y]).then_some(Pairs {
            lists: [a, b],
            entries: [x, y],
            lengths: [first, second],
            at: place,
            count,
            skips: Holds::of(skipped),
            skipped,
            end,
        })
    }

    /// Returns a chain of comparisons of one register with constants as a jump table.
    fn switch(&mut self, pc: usize) -> Option<(Reg, Switch)> {
        let compared = |pc: usize| {
            let Some(Instr::JumpCompareConst { op, a, value, to }) = self.at(pc) else { return None };
            Some((a, (Holds::of(op), value, to)))
        };
        let (a, _) = compared(pc).filter(|_| pc >= self.compared)?;
        let follows = |pc: usize| compared(pc).filter(|(b, _)| *b == a).map(|(_, compare)| compare);
        let (mut all, mut n) = (vec![pc], 0);
        while let Some((_, _, to)) = all.get(n).and_then(|pc| follows(*pc)) {
            let next = [all[n] + 1, to as usize].into_iter().filter(|next| *next > all[n] && follows(*next).is_some());
            let next: Vec<usize> = next.filter(|next| !all.contains(next)).collect();
            all.extend(next);
            n += 1;
        }
        let values = all.iter().filter_map(|pc| follows(*pc)).map(|(_, value, _)| i64::from(value));
        let (low, high) = (values.clone().min()? - 1, values.max()? + 1);
        if all.len() < LEAST_COMPARED || high - low > MOST_ROWS {
            return None;
        }
        let goes = |x: i64| {
            let step = |at: usize, _| match follows(at).filter(|_| all.contains(&at)) {
                Some((holds, value, to)) if holds.between(x, i64::from(value)) => to as usize,
                Some(_) => at + 1,
                None => at,
            };
            (0..all.len()).fold(pc, step) as Pc
        };
        let to = (low..=high).map(goes).collect();
        self.compared = all.into_iter().max()? + 1;
        Some((a, Switch { low, to }))
    }

    fn change(&self, pc: usize) -> Option<ChangeFigure> {
        let Instr::Field { dst: reg, thing, id } = self.at(pc)? else { return None };
        let from = self.column(id)?;
        let aside = match (self.at(pc + 1), self.at(pc + 2)) {
            (
                Some(Instr::Op { op, dst, a, b, n: 0 | 1 }),
                Some(Instr::Op { op: Op::Add | Op::Sub, dst: changed, .. }),
            ) if changed == reg && is_plain(op) && ![dst, a, b].contains(&reg) && ![thing, a, b].contains(&dst) => {
                Some(Aside { op, dst, a, b })
            }
            _ => None,
        };
        let start = pc;
        let pc = pc + usize::from(aside.is_some());
        let by = match self.at(pc + 1) {
            Some(Instr::AddConst { dst, a, value }) if dst == reg && a == reg => By::Const(i64::from(value)),
            Some(Instr::Op { op: Op::Add, dst, a, b, .. }) if dst == reg && a == reg => By::Plus(b),
            Some(Instr::Op { op: Op::Sub, dst, a, b, .. }) if dst == reg && a == reg => By::Minus(b),
            _ => return None,
        };
        let (high, next) = self.bound(pc + 2, Op::Min, reg, thing);
        let (low, next) = self.bound(next, Op::Max, reg, thing);
        let Instr::SetField { id, thing: written, src, .. } = self.at(next)? else { return None };
        let length = (next + 1 - start) as u32;
        (written == thing && src == reg && thing != reg).then_some(ChangeFigure {
            thing,
            reg,
            from,
            aside,
            by,
            high,
            low,
            to: self.column(id)?,
            length,
        })
    }

    /// Returns a bound of the value in a register, and the program point after it.
    fn bound(&self, pc: usize, side: Op, reg: Reg, thing: Reg) -> (Bound, usize) {
        let open = (Bound::Const(if side == Op::Min { i64::MAX } else { i64::MIN }), pc);
        match (self.at(pc), self.at(pc + 1)) {
            (Some(Instr::AtMost { dst, a, value }), _) if side == Op::Min && dst == reg && a == reg => {
                (Bound::Const(i64::from(value)), pc + 1)
            }
            (Some(Instr::AtLeast { dst, a, value }), _) if side == Op::Max && dst == reg && a == reg => {
                (Bound::Const(i64::from(value)), pc + 1)
            }
            (Some(Instr::Field { dst: limit, thing: own, id }), Some(Instr::Op { op, dst, a, b, .. }))
                if op == side && own == thing && limit != thing && limit != reg && (dst, a, b) == (reg, reg, limit) =>
            {
                self.column(id).map_or(open, |column| (Bound::Figure { reg: limit, column }, pc + 2))
            }
            _ => open,
        }
    }

    fn throw(&self, start: usize) -> Option<ThrowDice> {
        let mut pc = start;
        let mut pack = None;
        if let Instr::Op { op: Op::Pack, dst, a, n, .. } = self.at(pc)? {
            pack = Some((dst, a, KindId(u32::from(n))));
            pc += 1;
        }
        // a field as the first instruction is not fused: a value that was never given has a separate message
        let before = if pack.is_some() { self.before(pc) } else { None };
        pc += before.map_or(0, |(.., length)| length);
        let Instr::Ask { at } = self.at(pc)? else { return None };
        let ask = &self.program.asks[at as usize];
        let AskKind::Roll { dst, count, dice, fixed, sort, list: false, sum } = ask.kind else { return None };
        let die = match fixed {
            Some(value) => DieFrom::Known(known_die(&self.program.schema, sort, value)?),
            None => DieFrom::AtRunTime(dice, sort),
        };
        let subject = ask.who.subject;
        // the register written before is read only by the query
        let asked = [count, fixed.is_none().then_some(dice)];
        let fits = !(sum && count.is_some())
            && pack.is_none_or(|(packed, thing, _)| packed == subject && thing != subject)
            && before.is_none_or(|(into, ..)| into != subject && asked.contains(&Some(into)));
        (fits && !asked.contains(&Some(subject))).then_some(ThrowDice {
            site: ask.site,
            die,
            pack: pack.map(|(_, thing, kind)| (thing, kind)),
            subject,
            before: before.map(|(into, before, _)| (into, before)),
            count,
            dst,
            length: (pc + 1 - start) as u32,
        })
    }

    /// Returns the value that a register receives at `pc`, and the number of instructions for it.
    fn before(&self, pc: usize) -> Option<(Reg, Before, usize)> {
        match (self.at(pc)?, self.at(pc + 1), self.at(pc + 2)) {
            (
                Instr::Const { dst, value: most },
                Some(Instr::Field { dst: reg, thing, id }),
                Some(Instr::Op { op: Op::Min, dst: least, a, b, .. }),
            ) if (least, a, b) == (dst, dst, reg) && reg != dst && thing != reg && thing != dst => {
                Some((dst, Before::AtMost { most, reg, thing, column: self.column(id)? }, 3))
            }
            (Instr::Const { dst, value }, ..) => Some((dst, Before::Const(value), 1)),
            (Instr::Copy { dst, src }, ..) if dst != src => Some((dst, Before::Copy(src), 1)),
            (Instr::Field { dst, thing, id }, ..) if dst != thing => {
                Some((dst, Before::Figure { thing, column: self.column(id)? }, 1))
            }
            _ => None,
        }
    }
}
