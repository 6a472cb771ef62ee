//! Layout specialisation: the code bound to one table, with figures by their column and frequent pairs as superinstructions.
//!
//! A step stands at the place of its instruction. A fused step stands at the place of the first instruction it is made
//! of and goes on behind the last; the others keep steps of their own, so jumps may land between. It leaves every
//! register as they would; where one of them would fail, or somebody stops between them, the first is done alone and the
//! second is next.

use super::memo::Memoised;
use super::state::Handle;
use super::throws::ThrowDice;
use grognard_base::value::*;
use grognard_program::flow::{Demands, Kept};
use grognard_program::{Pc, Reg};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The steps of a program with one table.
#[derive(Clone, Debug, Default)]
pub(super) struct Linked {
    /// One for each instruction.
    pub steps: Vec<Step>,
    /// The same where nothing is fused.
    pub alone: Vec<Step>,
    /// How many instructions behind the first each step stands for.
    pub further: Vec<u16>,
    /// Figures that are changed, cut to their bounds and written.
    pub changes: Vec<ChangeFigure>,
    /// Comparisons that follow each other.
    pub switches: Vec<Switch>,
    /// Lists that are compared entry by entry.
    pub pairs: Vec<Pairs>,
    /// Entries that are listed.
    pub listed: Vec<Vec<Reg>>,
    /// Throws of like dice.
    pub throws: Vec<ThrowDice>,
    /// What each instruction has to know of dice, once dice are not seen.
    pub demands: OnceLock<Vec<Demands>>,
    /// What was found out about the code.
    pub facts: Kept,
    /// See [`super::judgements::kept`]; once something moves.
    pub kept: OnceLock<FxHashMap<Pc, Vec<FuncId>>>,
    /// Once a question is put.
    pub memoised: OnceLock<Memoised>,
}

/// One step of the fast loop. An instruction is named where the step does what it does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// `Const`.
    Const { dst: Reg, value: i64 },
    /// `Copy`.
    Copy { dst: Reg, src: Reg },
    /// `AddConst`.
    AddConst { dst: Reg, a: Reg, value: i16 },
    /// `AtLeast`.
    AtLeast { dst: Reg, a: Reg, value: i32 },
    /// `AtMost`.
    AtMost { dst: Reg, a: Reg, value: i32 },
    /// `Within`.
    Within { src: Reg, low: i32, high: i32 },
    /// `Op`.
    Op { op: Op, dst: Reg, a: Reg, b: Reg, n: Reg },
    /// `Op` for the sides of a die; a chain has its number with 1 added.
    Sides { dst: Reg, a: Reg, chain: Reg },
    /// `Op` for the quotient of two whole numbers.
    Fraction { dst: Reg, num: Reg, den: Reg },
    /// `Op` that rounds a fraction.
    Round { dst: Reg, ratio: Reg, up: bool },
    /// `Op` for the highest or lowest entries of one cell.
    Keep { dst: Reg, most: Reg, list: Reg, high: bool },
    /// `Op` for the sum of a list.
    Total { dst: Reg, list: Reg },
    /// A param or reading of one cell.
    Setting { dst: Reg, at: u32 },
    /// A state of the game of one cell.
    Global { dst: Reg, at: u32 },
    /// `SetGlobal`.
    SetGlobal { at: u32, src: Reg },
    /// An entry of a table of single cells.
    Lookup { dst: Reg, row: Reg, column: Reg, at: u32 },
    /// One entry of one cell.
    Push { list: Reg, src: Reg },
    /// `Jump`.
    Jump { to: Pc },
    /// `JumpNone`.
    JumpNone { reg: Reg, to: Pc },
    /// `JumpCompare`.
    JumpCompare { holds: Holds, a: Reg, b: Reg, to: Pc },
    /// `JumpCompareConst`.
    JumpCompareConst { holds: Holds, a: Reg, value: i16, to: Pc },
    /// `Figure`.
    Figure { dst: Reg, thing: Reg, column: u32 },
    /// `SetFigure`.
    SetFigure { thing: Reg, src: Reg, column: u32 },
    /// A cell of a thing that always has a value.
    Cell { dst: Reg, thing: Reg, column: u32 },
    /// `NextThing`.
    NextThing { dst: Reg, kind: KindId, to: Pc },
    /// `Bears`.
    Bears { dst: Reg, thing: Reg, column: u32 },
    /// `NewList`.
    NewList { dst: Reg },
    /// `Length`.
    Length { dst: Reg, list: Reg },
    /// `Entry`.
    Entry { dst: Reg, list: Reg, index: Reg },
    /// `Look`.
    Look { dst: Reg, list: Reg, op: Op, than: Reg },
    /// `Mark`.
    Mark { dst: Reg },
    /// `Release`.
    Release { mark: Reg },
    /// `Field`, `JumpCompareConst` of it.
    JumpFigure { holds: Holds, dst: Reg, thing: Reg, value: i16, column: u32, to: Pc },
    /// `AddConst`, `JumpCompare` of it: the head of a counted loop.
    JumpCount { holds: Holds, dst: Reg, a: Reg, value: i16, b: Reg, to: Pc },
    /// `Const`, `Look` against it.
    LookConst { dst: Reg, list: Reg, op: Op, than: Reg, value: i32 },
    /// `Release`, `Jump`: the foot of a loop.
    ReleaseJump { mark: Reg, to: Pc },
    /// `Const`, a plain `Op`.
    ConstOp { op: Op, dst: Reg, a: Reg, b: Reg, constant: Reg, value: i32 },
    /// A plain `Op`, `JumpIf` or `JumpUnless` of it.
    OpJump { op: Op, holds: Holds, dst: Reg, a: Reg, b: Reg, n: Reg, to: Pc },
    /// `Const`, `Jump`.
    ConstJump { dst: Reg, value: i32, to: Pc },
    /// `Const`, `Lookup` in that column.
    LookupConst { dst: Reg, row: Reg, column: Reg, value: i16, at: u32 },
    /// `Const`, `Keep` of so many.
    KeepConst { dst: Reg, most: Reg, value: i32, list: Reg, high: bool },
    /// `Length`, `Length`, the lesser of them.
    Shorter { dst: Reg, other: Reg, a: Reg, b: Reg },
    /// `NewList`, and each of its entries pushed: the registers by their place among those of lists.
    Listed { dst: Reg, at: u32 },
    /// See [`Pairs`].
    Pairs { at: u32 },
    /// See [`Switch`].
    Switch { a: Reg, at: u32 },
    /// See [`ChangeFigure`].
    Change { at: u32 },
    /// See [`ThrowDice`].
    Throw { at: u32 },
    /// A call whose result is one cell, or nothing.
    Call { func: FuncId, args: Reg, dst: Reg },
    /// The end of a function whose result is one cell, which holds no list.
    Return { src: Reg },
    /// Whatever needs the whole position.
    Careful,
}

/// Which of less, equal and more make a comparison hold: one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holds(u8);

impl Holds {
    pub fn of(op: Op) -> Holds {
        let orders = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        Holds((0..).zip(orders).map(|(bit, order)| u8::from(op.holds(order) == Some(true)) << bit).sum())
    }

    /// True if it holds between two values.
    #[inline]
    pub fn between(self, x: i64, y: i64) -> bool {
        let order = i8::from(x > y) - i8::from(x < y) + 1;
        self.0 >> order & 1 != 0
    }
}

/// Returns how many entries compare with a value as `op` says.
#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "no other operator compares single cells")]
pub(super) fn look(entries: &[i64], op: Op, than: i64) -> i64 {
    let count = |holds: fn(i64, i64) -> bool| entries.iter().map(|v| i64::from(holds(*v, than))).sum();
    match op {
        Op::Eq => count(|v, t| v == t),
        Op::Ne => count(|v, t| v != t),
        Op::Lt => count(|v, t| v < t),
        Op::Le => count(|v, t| v <= t),
        Op::Gt => count(|v, t| v > t),
        Op::Ge => count(|v, t| v >= t),
        _ => 0,
    }
}

/// A loop over the places of two lists of single cells that counts how many entries compare so with the one beside them.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// The lists.
    pub lists: [Reg; 2],
    /// Where their entries go.
    pub entries: [Reg; 2],
    /// How long the lists are; the first is the shorter length from then on.
    pub lengths: [Reg; 2],
    /// The place of the entries.
    pub at: Reg,
    /// What is counted up.
    pub count: Reg,
    /// How entries that are not counted compare.
    pub(super) skips: Holds,
    /// The same as an operator.
    pub skipped: Op,
    /// Where it goes on.
    pub end: Pc,
}

impl Pairs {
    /// How many entries compare so with the one beside them.
    #[inline]
    pub fn counts(&self, a: &[i64], b: &[i64]) -> usize {
        a.iter().zip(b).filter(|(x, y)| !self.skips.between(**x, **y)).count()
    }

    /// Carries the loop out on lists, registers included, if so much fuel is there; what is left of it.
    #[inline]
    pub(super) fn run(&self, frame: &mut [i64], heap: &[i64], lists: [Handle; 2], fuel: u64) -> Option<u64> {
        let [a, b] = lists.map(|list| &heap[list.at..list.at + list.len]);
        let counted = self.counts(a, b);
        let left = fuel.checked_sub(counted as u64)?;
        let sum = frame[self.count as usize].checked_add(counted as i64)?;
        let length = a.len().min(b.len());
        frame[self.lengths[1] as usize] = b.len() as i64;
        frame[self.lengths[0] as usize] = length as i64;
        frame[self.at as usize] = length as i64;
        frame[self.count as usize] = sum;
        if length > 0 {
            frame[self.entries[0] as usize] = a[length - 1];
            frame[self.entries[1] as usize] = b[length - 1];
        }
        Some(left)
    }
}

/// `JumpCompareConst` several times on one register: a jump table.
#[derive(Clone, Debug)]
pub(super) struct Switch {
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
    /// What is worked out before it is changed, from other registers.
    pub aside: Option<Aside>,
    pub by: By,
    pub high: Bound,
    pub low: Bound,
    pub to: u32,
    /// Instructions it stands for.
    pub length: u32,
}

/// A plain `Op`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aside {
    pub op: Op,
    pub dst: Reg,
    pub a: Reg,
    pub b: Reg,
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
    /// A number.
    Const(i64),
    /// Another figure of the thing, read to a register.
    Figure { reg: Reg, column: u32 },
}
