//! Layout specialization: binds code to one table, with field columns resolved and frequent instruction pairs fused.
//!
//! A step has the index of its instruction. A fused step has the index of its first instruction and continues after its
//! last. The other instructions keep separate steps, so jumps can target them.
//!
//! A fused step leaves every register as its instructions would. If one of them would fail, or execution stops between
//! them, only the first is executed and the second is next.

use super::memo::Memoised;
use super::state::Handle;
use super::throws::ThrowDice;
use grognard_base::value::*;
use grognard_program::flow::{Demands, Kept};
use grognard_program::{Pc, Reg};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The steps of a program for one table.
#[derive(Clone, Debug, Default)]
pub(super) struct Linked {
    /// One step for each instruction.
    pub steps: Vec<Step>,
    /// The steps without fusion.
    pub alone: Vec<Step>,
    /// For each step, the number of instructions after the first that it replaces.
    pub further: Vec<u16>,
    /// Operands of steps that change a field, clamp it to its bounds and write it.
    pub changes: Vec<ChangeFigure>,
    /// Sequences of comparisons.
    pub switches: Vec<Switch>,
    /// Loops that compare two lists entry by entry.
    pub pairs: Vec<Pairs>,
    /// Entry registers of list literals.
    pub listed: Vec<Vec<Reg>>,
    /// Rolls of equal dice.
    pub throws: Vec<ThrowDice>,
    /// Demand of each instruction on dice, computed when lazily sampled dice are first used.
    pub demands: OnceLock<Vec<Demands>>,
    /// Cached analyses of the code.
    pub facts: Kept,
    /// Result of [`super::judgements::kept`], computed at the first move.
    pub kept: OnceLock<FxHashMap<Pc, Vec<FuncId>>>,
    /// Functions that can be memoized, computed at the first query.
    pub memoised: OnceLock<Memoised>,
}

/// A step of the fast loop. The doc of a variant names the instructions that it replaces.
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
    /// `Op` for the number of sides of a die. `chain` is the number of the chain plus 1.
    Sides { dst: Reg, a: Reg, chain: Reg },
    /// `Op` for the quotient of two integers.
    Fraction { dst: Reg, num: Reg, den: Reg },
    /// `Op` that rounds a fraction.
    Round { dst: Reg, ratio: Reg, up: bool },
    /// `Op` for the highest or lowest entries of single cells.
    Keep { dst: Reg, most: Reg, list: Reg, high: bool },
    /// `Op` for the sum of a list.
    Total { dst: Reg, list: Reg },
    /// `Setting` of one cell.
    Setting { dst: Reg, at: u32 },
    /// `Global` of one cell.
    Global { dst: Reg, at: u32 },
    /// `SetGlobal`.
    SetGlobal { at: u32, src: Reg },
    /// `Lookup` in a table of single cells.
    Lookup { dst: Reg, row: Reg, column: Reg, at: u32 },
    /// `Push` of one cell.
    Push { list: Reg, src: Reg },
    /// `Jump`.
    Jump { to: Pc },
    /// `JumpNone`.
    JumpNone { reg: Reg, to: Pc },
    /// `JumpCompare`.
    JumpCompare { holds: Holds, a: Reg, b: Reg, to: Pc },
    /// `JumpCompareConst`.
    JumpCompareConst { holds: Holds, a: Reg, value: i16, to: Pc },
    /// `Field` of one cell.
    Figure { dst: Reg, thing: Reg, column: u32 },
    /// `SetField` of one cell.
    SetFigure { thing: Reg, src: Reg, column: u32 },
    /// `Field` of one cell that always has a value.
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
    /// `Field`, then `JumpCompareConst` with it.
    JumpFigure { holds: Holds, dst: Reg, thing: Reg, value: i16, column: u32, to: Pc },
    /// `AddConst`, then `JumpCompare` with it: the head of a counted loop.
    JumpCount { holds: Holds, dst: Reg, a: Reg, value: i16, b: Reg, to: Pc },
    /// `Const`, then `Look` with it as the threshold.
    LookConst { dst: Reg, list: Reg, op: Op, than: Reg, value: i32 },
    /// `Release`, `Jump`: the end of a loop.
    ReleaseJump { mark: Reg, to: Pc },
    /// `Const`, then an `Op` on single cells.
    ConstOp { op: Op, dst: Reg, a: Reg, b: Reg, constant: Reg, value: i32 },
    /// An `Op` on single cells, then `JumpIf` or `JumpUnless` on its result.
    OpJump { op: Op, holds: Holds, dst: Reg, a: Reg, b: Reg, n: Reg, to: Pc },
    /// `Const`, `Jump`.
    ConstJump { dst: Reg, value: i32, to: Pc },
    /// `Const`, then `Lookup` in that column.
    LookupConst { dst: Reg, row: Reg, column: Reg, value: i16, at: u32 },
    /// `Const`, then `Keep` of that number of entries.
    KeepConst { dst: Reg, most: Reg, value: i32, list: Reg, high: bool },
    /// `Length`, `Length`, and the minimum of both.
    Shorter { dst: Reg, other: Reg, a: Reg, b: Reg },
    /// `NewList` with a `Push` for each entry; `at` is the index in [`Linked::listed`].
    Listed { dst: Reg, at: u32 },
    /// See [`Pairs`].
    Pairs { at: u32 },
    /// See [`Switch`].
    Switch { a: Reg, at: u32 },
    /// See [`ChangeFigure`].
    Change { at: u32 },
    /// See [`ThrowDice`].
    Throw { at: u32 },
    /// `Call` of a function whose result has at most one cell.
    Call { func: FuncId, args: Reg, dst: Reg },
    /// `Return` from a function whose result is one cell and not a list.
    Return { src: Reg },
    /// Any instruction that needs the whole state.
    Careful,
}

/// Results of a comparison (less, equal, greater) that satisfy an operator, as one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holds(u8);

impl Holds {
    pub fn of(op: Op) -> Holds {
        let orders = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        Holds((0..).zip(orders).map(|(bit, order)| u8::from(op.holds(order) == Some(true)) << bit).sum())
    }

    /// Returns whether the comparison of `x` with `y` satisfies the operator.
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

/// A loop over two lists of single cells that counts how many entries compare with the entry at the same index.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// Registers of the lists.
    pub lists: [Reg; 2],
    /// Registers that receive the current entries.
    pub entries: [Reg; 2],
    /// Registers of the lengths. The first holds the shorter length after the head of the loop.
    pub lengths: [Reg; 2],
    /// Register of the index.
    pub at: Reg,
    /// Register of the count.
    pub count: Reg,
    /// Comparison results for which a pair is not counted.
    pub(super) skips: Holds,
    /// The comparison as an operator.
    pub skipped: Op,
    /// Program point after the loop.
    pub end: Pc,
}

impl Pairs {
    /// Returns the number of pairs of entries that are counted.
    #[inline]
    pub fn counts(&self, a: &[i64], b: &[i64]) -> usize {
        a.iter().zip(b).filter(|(x, y)| !self.skips.between(**x, **y)).count()
    }

    /// Executes the loop on lists, including its registers. Returns the remaining fuel, or `None` if the loop cannot be
    /// executed.
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

/// Several `JumpCompareConst` on one register as a jump table.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// The value of the first row. Smaller and larger values use the first and the last row.
    pub low: i64,
    pub to: Vec<Pc>,
}

/// `Field`, a change, bounds, `SetField`: changes a field of a thing, clamps it and writes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeFigure {
    pub thing: Reg,
    /// Register in which the value is changed.
    pub reg: Reg,
    pub from: u32,
    /// An operation on other registers that is executed before the change.
    pub aside: Option<Aside>,
    pub by: By,
    pub high: Bound,
    pub low: Bound,
    pub to: u32,
    /// Number of instructions that it replaces.
    pub length: u32,
}

/// An `Op` on single cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aside {
    pub op: Op,
    pub dst: Reg,
    pub a: Reg,
    pub b: Reg,
}

/// Change of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    Const(i64),
    Plus(Reg),
    Minus(Reg),
}

/// A bound of a value. A missing bound is the largest or smallest number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// A constant.
    Const(i64),
    /// Another field of the thing, read into a register.
    Figure { reg: Reg, column: u32 },
}
