//! The code of the machine: flat, with typed registers of one cell each.
//!
//! A value of several cells lies in registers that follow each other. Jumps go forward, but for the back edges of
//! loops, so lanes that part always meet again at the lowest place any of them has reached.

#![allow(missing_docs)] // operands are told of where their instruction is

use crate::value::*;

/// A register: a cell of the running frame.
pub type Reg = u16;

/// A place in the code.
pub type Pc = u32;

/// One step of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    /// A small constant.
    Const { dst: Reg, value: i32 },
    /// A constant of the pool.
    Wide { dst: Reg, at: u32 },
    /// One cell.
    Copy { dst: Reg, src: Reg },
    /// Several cells.
    CopyMany { dst: Reg, src: Reg, n: Reg },
    /// An operator or builtin: `n` is a width or a count, as the operation wants.
    Op { op: Op, dst: Reg, a: Reg, b: Reg, n: Reg },
    /// `dst = a + value`.
    AddConst { dst: Reg, a: Reg, value: i16 },
    /// `dst = a`, cut at a constant from below.
    AtLeast { dst: Reg, a: Reg, value: i32 },
    /// `dst = a`, cut at a constant from above.
    AtMost { dst: Reg, a: Reg, value: i32 },
    /// Goes on at `to`.
    Jump { to: Pc },
    /// If the register holds yes.
    JumpIf { cond: Reg, to: Pc },
    /// If the register holds no.
    JumpUnless { cond: Reg, to: Pc },
    /// If the value is missing.
    JumpNone { reg: Reg, to: Pc },
    /// If the comparison holds (Eq Ne Lt Le Gt Ge on one cell).
    JumpCompare { op: Op, a: Reg, b: Reg, to: Pc },
    /// The same against a constant.
    JumpCompareConst { op: Op, a: Reg, value: i16, to: Pc },
    /// A param or reading.
    Setting { dst: Reg, id: SettingId },
    /// A top-level state.
    Global { dst: Reg, id: GlobalId },
    /// Writes a top-level state; `wanted` holds the value before its bounds were applied.
    SetGlobal { id: GlobalId, src: Reg, wanted: Reg },
    /// Adds to a tally.
    Count { id: TallyId, src: Reg, minus: bool },
    /// A tally.
    Tally { dst: Reg, id: TallyId },
    /// A stored field of a thing.
    Field { dst: Reg, thing: Reg, id: FieldId },
    /// One figure of a field with keys: the key's place among them.
    Keyed { dst: Reg, thing: Reg, id: FieldId, key: Reg },
    /// Writes a stored field; `wanted` holds the value before its bounds were applied.
    SetField { id: FieldId, thing: Reg, src: Reg, wanted: Reg },
    /// Writes one figure of a field with keys (the register before `src` holds the key).
    SetKeyed { id: FieldId, thing: Reg, key: Reg, src: Reg },
    /// All living things whose link points to this one.
    BackLink { dst: Reg, thing: Reg, id: FieldId },
    /// Sets the links of the things in a list to this one, and clears those of others that pointed here.
    SetBackLink { id: FieldId, thing: Reg, list: Reg, add: bool },
    /// Whether it is in play.
    Alive { dst: Reg, thing: Reg, kind: KindId },
    /// Its place as a point, two cells; none off the board.
    At { dst: Reg, thing: Reg, kind: KindId },
    /// Where its front points.
    Facing { dst: Reg, thing: Reg, kind: KindId },
    /// The next living thing of the kind after the one in `dst` (-1 before the first); jumps when there is none.
    NextThing { dst: Reg, kind: KindId, to: Pc },
    /// How many instances of a trait or status a thing has.
    Bears { dst: Reg, thing: Reg, id: TraitId },
    /// The instances of a status on a thing, oldest first.
    Instances { dst: Reg, thing: Reg, id: TraitId },
    /// A variable of a running phase or action.
    Ambient { dst: Reg, id: AmbientId },
    /// Writes it.
    SetAmbient { id: AmbientId, src: Reg },
    /// The running action.
    ActionName { dst: Reg },
    /// The actor of the running action.
    Actor { dst: Reg },
    /// Whether a phase is on the phase stack.
    Running { dst: Reg, phase: PhaseId },
    /// An empty list.
    NewList { dst: Reg },
    /// Adds an entry of `n` cells.
    Push { list: Reg, src: Reg, n: Reg },
    /// The entry at a place from 0, known to be there.
    Entry { dst: Reg, list: Reg, index: Reg, n: Reg },
    /// How many entries.
    Length { dst: Reg, list: Reg },
    /// How many entries of a list of single cells compare so with a value.
    Look { dst: Reg, list: Reg, op: Op, than: Reg },
    /// Of the places in `among` those at which an entry of a list of single cells compares so with a value.
    Which { dst: Reg, list: Reg, among: Reg, op: Op, than: Reg },
    /// A pool is about to be changed in place: nothing happens, but its unseen dice may have to be told apart first.
    Own { list: Reg },
    /// Takes out equal entries.
    Distinct { list: Reg, n: Reg },
    /// Takes out the entry at a place.
    TakeOut { list: Reg, index: Reg, n: Reg },
    /// Those of a list that are alive.
    Living { dst: Reg, list: Reg, kind: KindId },
    /// A list of a range of numbers, ends included.
    Span { dst: Reg, low: Reg, high: Reg },
    /// Puts a list in the order of keys: both lists of the same length, keys of `n` cells; stable, least first.
    SortBy { list: Reg, keys: Reg, width: Reg, n: Reg },
    /// Puts the mover of the move that is judged back where it started; two registers keep where it was put.
    Home { at: Reg },
    /// Puts it there again.
    Forth { at: Reg },
    /// A place in two registers: if it is a thing, as that stood when the move began.
    Before { place: Reg },
    /// Remembers how much of the heap is in use.
    Mark { dst: Reg },
    /// Gives back what was used since.
    Release { mark: Reg },
    /// Below and tiers along a tree link.
    Tree { op: Op, dst: Reg, a: Reg, b: Reg, link: FieldId },
    /// A question to the board with places and things; see [`super::Program::board`].
    Board { dst: Reg, at: u32 },
    /// A table of constant results: row and column picked before.
    Lookup { dst: Reg, row: Reg, column: Reg, at: u32 },
    /// Calls a function; its frame begins at `args`, which hold its parameters; the result goes to `dst`.
    Call { func: FuncId, args: Reg, dst: Reg },
    /// The same for a function that a scenario may replace.
    CallExtern { func: FuncId, args: Reg, dst: Reg },
    /// Ends a function with a result of `n` cells.
    Return { src: Reg, n: Reg },
    /// Ends a fragment: pure code that the machine runs to judge a candidate or a note.
    Done,
    /// Asks for dice, a decision or a move; see [`super::Program::asks`].
    Ask { at: u32 },
    /// One instance of an action for the menu: the header's variables as they stand.
    Offer { action: ActionId },
    /// The header's line that kept an instance from the menu.
    Refuse { action: ActionId, line: u16 },
    /// Whether a limit still allows it: counts uses in the innermost running phase.
    Allowed { dst: Reg, action: ActionId, line: u16, times: Reg, key: Reg },
    /// Notes one use.
    Use { action: ActionId, line: u16, times: Reg, key: Reg },
    /// Puts a phase on the stack, its frame the running one.
    Enter { phase: PhaseId },
    /// Takes it off.
    Leave { phase: PhaseId },
    /// Its start-of rules are over.
    Started { phase: PhaseId },
    /// The end-of rules begin: from here `end P` goes past them.
    Ending { phase: PhaseId },
    /// Leaves the innermost running phase of this id.
    End { phase: PhaseId },
    /// Puts an action on the stack: its actor.
    Begin { action: ActionId, actor: Reg },
    /// Takes it off.
    Finish { action: ActionId },
    /// Skips the rest of the running action.
    Cancel,
    /// Gives a status; `data` are its fields.
    Grant { id: TraitId, thing: Reg, data: Reg },
    /// Takes all instances away.
    Revoke { id: TraitId, thing: Reg },
    /// Sets what was written last back when a phase starts or ends; see [`super::Program::tags`].
    Tag { at: u32, thing: Reg, key: Reg, data: Reg },
    /// Forgets tags on a slot that is written anew.
    Untag { id: FieldId, thing: Reg },
    /// Takes a thing out of play; see [`super::Program::texts`] for the reason.
    Destroy { kind: KindId, thing: Reg, why: u32 },
    /// Makes a thing: none of its fields are set yet.
    Spawn { dst: Reg, kind: KindId },
    /// Puts a thing at a place (two cells).
    Put { kind: KindId, thing: Reg, at: Reg },
    /// Turns a thing.
    Turn { kind: KindId, thing: Reg, by: bool, angle: Reg },
    /// Members and links of one thing go to another; the first is destroyed.
    Merge { kind: KindId, from: Reg, into: Reg },
    /// An error that the rules' own state brings about.
    Fault { code: FaultCode, at: u32 },
    /// Code under the clause at this place of the register was reached: nothing happens; see [`super::Ran`].
    Ran { clause: u32 },
    /// A note for the trace: nothing happens; see [`super::Program::notes`].
    Note { at: u32 },
}

/// Errors that code can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// A law does not hold: its id.
    Law,
    /// Two replaces differ: the field.
    Conflict,
    /// A path without a result.
    NoResult,
    /// A match without a fitting row.
    NoCase,
}
