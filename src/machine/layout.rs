//! Layout specialisation: the code bound to one table, with figures by their column and frequent pairs as superinstructions.
//!
//! A step stands at the place of its instruction. A fused step stands at the place of the first instruction it is made
//! of and goes on behind the last; the others keep steps of their own, so jumps may land between. It leaves every
//! register as they would; where one of them would fail, it does the first alone and goes on at the second.

use super::dice::MOST_SIDES;
use super::game::Layout;
use super::memo::Memoised;
use crate::program::flow::{Demands, Kept, demands};
use crate::program::{AskKind, DiceSort, Instr, Pc, Program, Reg};
use crate::value::*;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The steps of a program with one table.
#[derive(Clone, Debug, Default)]
pub(super) struct Linked {
    /// One for each instruction.
    pub steps: Vec<Step>,
    /// Figures that are changed, cut to their bounds and written.
    pub changes: Vec<ChangeFigure>,
    /// Comparisons that follow each other.
    pub switches: Vec<Switch>,
    /// Throws of like dice.
    pub throws: Vec<ThrowDice>,
    /// What each instruction has to know of dice.
    pub demands: Vec<Demands>,
    /// What was found out about the code.
    pub facts: Kept,
    /// See [`super::judgements::kept`].
    pub kept: FxHashMap<Pc, Vec<FuncId>>,
    /// Once a question is put.
    pub memoised: OnceLock<Memoised>,
}

/// One step of the fast loop. Those without a comment do what the instruction of their name does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Const {
        dst: Reg,
        value: i64,
    },
    Copy {
        dst: Reg,
        src: Reg,
    },
    AddConst {
        dst: Reg,
        a: Reg,
        value: i16,
    },
    AtLeast {
        dst: Reg,
        a: Reg,
        value: i32,
    },
    AtMost {
        dst: Reg,
        a: Reg,
        value: i32,
    },
    Within {
        src: Reg,
        low: i32,
        high: i32,
    },
    Op {
        op: Op,
        dst: Reg,
        a: Reg,
        b: Reg,
        n: Reg,
    },
    /// `Op` for the sides of a die; a chain has its number with 1 added.
    Sides {
        dst: Reg,
        a: Reg,
        chain: Reg,
    },
    /// `Op` for the highest or lowest entries of one cell.
    Keep {
        dst: Reg,
        most: Reg,
        list: Reg,
        high: bool,
    },
    /// `Op` for the sum of a list.
    Total {
        dst: Reg,
        list: Reg,
    },
    /// A param or reading of one cell.
    Setting {
        dst: Reg,
        at: u32,
    },
    /// A state of the game of one cell.
    Global {
        dst: Reg,
        at: u32,
    },
    SetGlobal {
        at: u32,
        src: Reg,
    },
    /// An entry of a table of single cells.
    Lookup {
        dst: Reg,
        row: Reg,
        column: Reg,
        at: u32,
    },
    /// One entry of one cell.
    Push {
        list: Reg,
        src: Reg,
    },
    Jump {
        to: Pc,
    },
    JumpNone {
        reg: Reg,
        to: Pc,
    },
    JumpCompare {
        holds: Holds,
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpCompareConst {
        holds: Holds,
        a: Reg,
        value: i16,
        to: Pc,
    },
    Figure {
        dst: Reg,
        thing: Reg,
        column: u32,
    },
    SetFigure {
        thing: Reg,
        src: Reg,
        column: u32,
    },
    /// A cell of a thing that always has a value.
    Cell {
        dst: Reg,
        thing: Reg,
        column: u32,
    },
    NextThing {
        dst: Reg,
        kind: KindId,
        to: Pc,
    },
    Bears {
        dst: Reg,
        thing: Reg,
        column: u32,
    },
    NewList {
        dst: Reg,
    },
    Length {
        dst: Reg,
        list: Reg,
    },
    Entry {
        dst: Reg,
        list: Reg,
        index: Reg,
    },
    Look {
        dst: Reg,
        list: Reg,
        op: Op,
        than: Reg,
    },
    Mark {
        dst: Reg,
    },
    Release {
        mark: Reg,
    },
    /// `Field`, `JumpCompareConst` of it.
    JumpFigure {
        holds: Holds,
        dst: Reg,
        thing: Reg,
        value: i16,
        column: u32,
        to: Pc,
    },
    /// `AddConst`, `JumpCompare` of it: the head of a counted loop.
    JumpCount {
        holds: Holds,
        dst: Reg,
        a: Reg,
        value: i16,
        b: Reg,
        to: Pc,
    },
    /// `Const`, `Look` against it.
    LookConst {
        dst: Reg,
        list: Reg,
        op: Op,
        than: Reg,
        value: i32,
    },
    /// `Release`, `Jump`: the foot of a loop.
    ReleaseJump {
        mark: Reg,
        to: Pc,
    },
    /// See [`Switch`].
    Switch {
        a: Reg,
        at: u32,
    },
    /// See [`ChangeFigure`].
    Change {
        at: u32,
    },
    /// See [`ThrowDice`]. The fast loop leaves it to the dispatch, which knows the driver.
    Throw {
        at: u32,
    },
    /// Whatever needs the whole position.
    Careful,
}

/// Which of less, equal and more make a comparison hold: one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holds(u8);

impl Holds {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other operator compares single cells")]
    pub fn of(op: Op) -> Holds {
        Holds(match op {
            Op::Lt => 0b001,
            Op::Eq => 0b010,
            Op::Le => 0b011,
            Op::Gt => 0b100,
            Op::Ne => 0b101,
            Op::Ge => 0b110,
            _ => 0,
        })
    }

    /// True if it holds between two values.
    #[inline]
    pub fn between(self, x: i64, y: i64) -> bool {
        let order = i8::from(x > y) - i8::from(x < y) + 1;
        self.0 >> order & 1 != 0
    }
}

/// `JumpCompareConst` several times on one register: a jump table.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// The first alone.
    pub first: (Holds, i16, Pc),
    /// The value of the first place; what is less or more goes where the first or the last one goes.
    pub low: i64,
    pub to: Vec<Pc>,
}

/// `Field`, a change, bounds, `SetField`: a figure of a thing is changed, cut and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeFigure {
    pub thing: Reg,
    /// Where the figure is changed.
    pub reg: Reg,
    pub from: u32,
    pub by: By,
    pub high: Bound,
    pub low: Bound,
    pub to: u32,
    /// Instructions it stands for.
    pub length: u32,
}

/// How a figure changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    Const(i64),
    Plus(Reg),
    Minus(Reg),
}

/// A bound of a figure; where there is none, the greatest or least number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    Const(i64),
    /// Another figure of the thing, read to a register.
    Figure {
        reg: Reg,
        column: u32,
    },
}

/// `Ask` for like dice, with what most often stands before it: the subject, and how many dice.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThrowDice {
    pub site: SiteId,
    pub die: DieFrom,
    /// The thing that is packed as the subject, and its kind; none if the register holds the subject already.
    pub pack: Option<(Reg, KindId)>,
    pub subject: Reg,
    pub amount: Amount,
    /// How many dice; none for a single one.
    pub count: Option<Reg>,
    pub dst: Reg,
    /// Instructions it stands for.
    pub length: u32,
}

/// Which die is thrown.
#[derive(Clone, Copy, Debug)]
pub(super) enum DieFrom {
    /// One of so many sides.
    Known(u32),
    /// The one that a register tells.
    Told(Reg, DiceSort),
}

/// Where the number of dice comes from before it is in its register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    There,
    Const(i32),
    Copy(Reg),
    Figure { thing: Reg, column: u32 },
}

/// Links a program with a layout.
pub(super) fn link(program: &Program, layout: &Layout) -> Linked {
    let linked = Linked { demands: demands(program), kept: super::judgements::kept(program), ..Linked::default() };
    let mut linker = Specialiser { program, layout, linked, compared: 0 };
    for pc in 0..program.code.len() {
        let step = linker.fused(pc).unwrap_or_else(|| linker.single(pc));
        linker.linked.steps.push(step);
    }
    linker.linked
}

/// Fewer comparisons are done one after the other.
const LEAST_COMPARED: usize = 3;

/// No jump table has more rows.
const MOST_ROWS: i64 = 64;

struct Specialiser<'a> {
    program: &'a Program,
    layout: &'a Layout,
    linked: Linked,
    /// Comparisons before this place stand in the last table.
    compared: usize,
}

impl Specialiser<'_> {
    fn at(&self, pc: usize) -> Option<Instr> {
        self.program.code.get(pc).copied()
    }

    /// The column of a figure that takes one cell a thing.
    fn column(&self, id: FieldId) -> Option<u32> {
        let field = &self.layout.fields[id.at()];
        field.plain.then_some(field.base as u32)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever has no step of its own takes the slow path")]
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
            Instr::Op { op: op @ (Op::Highest | Op::Lowest), dst, a, b, n: 1 } => {
                Step::Keep { dst, most: a, list: b, high: op == Op::Highest }
            }
            Instr::Op { op: Op::Total, dst, a, .. } => Step::Total { dst, list: a },
            Instr::Setting { dst, id } if self.layout.settings[id.at()].1 == 1 => {
                Step::Setting { dst, at: self.layout.settings[id.at()].0 as u32 }
            }
            Instr::Global { dst, id } if self.layout.globals[id.at()].1 == 1 => {
                Step::Global { dst, at: self.layout.globals[id.at()].0 as u32 }
            }
            Instr::SetGlobal { id, src, .. } if self.layout.globals[id.at()].1 == 1 => {
                Step::SetGlobal { at: self.layout.globals[id.at()].0 as u32, src }
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
            Instr::Release { mark } => Step::Release { mark },
            _ => Step::Careful,
        }
    }

    /// A step for the instruction at a place and some behind it.
    fn fused(&mut self, pc: usize) -> Option<Step> {
        if let Some(change) = self.change(pc) {
            self.linked.changes.push(change);
            return Some(Step::Change { at: self.linked.changes.len() as u32 - 1 });
        }
        if let Some(throw) = self.throw(pc) {
            self.linked.throws.push(throw);
            return Some(Step::Throw { at: self.linked.throws.len() as u32 - 1 });
        }
        if let Some((a, switch)) = self.switch(pc) {
            self.linked.switches.push(switch);
            return Some(Step::Switch { a, at: self.linked.switches.len() as u32 - 1 });
        }
        match (self.at(pc)?, self.at(pc + 1)?) {
            (Instr::Field { dst, thing, id }, next) => {
                let (op, value, to) = match (dst, next) {
                    (dst, Instr::JumpCompareConst { op, a, value, to }) if a == dst => (op, value, to),
                    (dst, Instr::JumpIf { cond, to }) if cond == dst => (Op::Ne, 0, to),
                    (dst, Instr::JumpUnless { cond, to }) if cond == dst => (Op::Eq, 0, to),
                    _ => return None,
                };
                Some(Step::JumpFigure { holds: Holds::of(op), dst, thing, value, column: self.column(id)?, to })
            }
            (Instr::AddConst { dst, a, value }, Instr::JumpCompare { op, a: counted, b, to }) if counted == dst => {
                Some(Step::JumpCount { holds: Holds::of(op), dst, a, value, b, to })
            }
            (Instr::Const { dst: than, value }, Instr::Look { dst, list, op, than: other }) if than == other => {
                Some(Step::LookConst { dst, list, op, than, value })
            }
            (Instr::Release { mark }, Instr::Jump { to }) => Some(Step::ReleaseJump { mark, to }),
            _ => None,
        }
    }

    /// Comparisons of one register with constants that lead to each other, from the first of them on.
    fn switch(&mut self, pc: usize) -> Option<(Reg, Switch)> {
        let compared = |pc: usize| {
            let Some(Instr::JumpCompareConst { op, a, value, to }) = self.at(pc) else { return None };
            Some((a, (Holds::of(op), value, to)))
        };
        let (a, first) = compared(pc).filter(|_| pc >= self.compared)?;
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
        Some((a, Switch { first, low, to }))
    }

    fn change(&self, pc: usize) -> Option<ChangeFigure> {
        let Instr::Field { dst: reg, thing, id } = self.at(pc)? else { return None };
        let from = self.column(id)?;
        let by = match self.at(pc + 1) {
            Some(Instr::AddConst { dst, a, value }) if dst == reg && a == reg => By::Const(i64::from(value)),
            Some(Instr::Op { op: Op::Add, dst, a, b, .. }) if dst == reg && a == reg => By::Plus(b),
            Some(Instr::Op { op: Op::Sub, dst, a, b, .. }) if dst == reg && a == reg => By::Minus(b),
            _ => return None,
        };
        let (high, next) = self.bound(pc + 2, Op::Min, reg, thing);
        let (low, next) = self.bound(next, Op::Max, reg, thing);
        let Instr::SetField { id, thing: written, src, .. } = self.at(next)? else { return None };
        let length = (next + 1 - pc) as u32;
        (written == thing && src == reg && thing != reg).then_some(ChangeFigure {
            thing,
            reg,
            from,
            by,
            high,
            low,
            to: self.column(id)?,
            length,
        })
    }

    /// A bound of the value in a register, and the place behind it.
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
        // a figure as the first instruction is left alone: what is not given has words of its own
        let (amount, filled) = match self.at(pc) {
            Some(Instr::Const { dst, value }) if pack.is_some() => (Amount::Const(value), Some(dst)),
            Some(Instr::Copy { dst, src }) if pack.is_some() => (Amount::Copy(src), Some(dst)),
            Some(Instr::Field { dst, thing, id }) if pack.is_some() => {
                (Amount::Figure { thing, column: self.column(id)? }, Some(dst))
            }
            _ => (Amount::There, None),
        };
        pc += usize::from(filled.is_some());
        let Instr::Ask { at } = self.at(pc)? else { return None };
        let ask = &self.program.asks[at as usize];
        let AskKind::Roll { dst, count, dice, fixed, sort, list: false, sum } = ask.kind else { return None };
        let die = match fixed {
            Some(sides) if sort == DiceSort::Sides && (1..=MOST_SIDES).contains(&sides) => DieFrom::Known(sides as u32),
            Some(_) => return None,
            None => DieFrom::Told(dice, sort),
        };
        let subject = ask.who.subject;
        let fits = !(sum && count.is_some())
            && pack.is_none_or(|(packed, thing, _)| packed == subject && thing != subject)
            && filled.is_none_or(|filled| Some(filled) == count)
            && (fixed.is_some() || Some(dice) != count && dice != subject);
        (fits && Some(subject) != count).then_some(ThrowDice {
            site: ask.site,
            die,
            pack: pack.map(|(_, thing, kind)| (thing, kind)),
            subject,
            amount,
            count,
            dst,
            length: (pc + 1 - start) as u32,
        })
    }
}
