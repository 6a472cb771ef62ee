//! The code of the machine: flat, with typed registers of one cell each.
//!
//! A value of several cells lies in registers that follow each other. Jumps go forward, but for the back edges of
//! loops, so lanes that part always meet again at the lowest place any of them has reached. What an instruction reads and
//! writes, where it leads and what it has to know of dice stands beside it, and liveness, pure regions and demand follow
//! from that.

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere
#![allow(missing_docs)] // operands are told of where their instruction is

use super::flow::Holds;
use grognard_base::value::*;
use smallvec::{SmallVec, smallvec};

/// A register: a cell of the running frame.
pub type Reg = u16;

/// A place in the code.
pub type Pc = u32;

/// What an instruction does with registers and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Reads so many registers.
    Read(Reg, Reg),
    /// Reads a list, and so much of its dice.
    Dice(Reg, Wants),
    /// Reads of a list only how many entries it has.
    Length(Reg),
    /// Reads what goes into a slot.
    Store(Reg, Slot),
    /// Surely writes so many registers.
    Write(Reg, Reg),
    /// Writes a list with entries of so many cells, or something else about the heap.
    Handle(Reg, Holds),
    /// Writes what lies in a slot.
    Load(Reg, Slot),
    /// Writes a list of the instances of a status.
    Statuses(Reg, TraitId),
    /// Writes an entry of a constant table.
    Lookup(Reg, u32),
    /// Copies so many registers: to, from.
    Copy(Reg, Reg, Reg),
    /// Reads and writes what the table of operators says.
    Apply(Op, Reg, [Reg; 2], Reg),
    /// The same for a question to the board.
    Board(Reg, u32),
    /// Reads the parameters of a function and writes its result.
    Call(FuncId, Reg, Reg),
    /// Reads and writes what the question says.
    Ask(u32),
    /// Reads the variables of an action's header.
    Instance(ActionId),
    /// Reads the key and data of a duration.
    Tag(u32, Reg, Reg),
    /// Does not go on behind itself.
    Stop,
    /// Reads a result for its caller.
    Result(Reg, Reg),
}

/// Where a value lies outside the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Setting(SettingId),
    Global(GlobalId),
    Field(FieldId),
    Ambient(AmbientId),
    Status(TraitId),
}

/// What an instruction wants to know about the dice of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// How they compare with a threshold.
    Look(Op, Reg),
    /// The face at a place: a register that holds it, and what the first place is called.
    Place(Reg, i64),
    /// Their faces, in whatever order.
    Faces,
    /// Their faces in order.
    Order,
}

impl Wants {
    /// One entry of `n` cells. Dice are single cells.
    pub fn entry(at: Reg, first: i64, n: Reg) -> Wants {
        if n == 1 { Wants::Place(at, first) } else { Wants::Order }
    }

    /// The threshold or place, from the registers of the running function.
    pub fn value(self, frame: &[i64]) -> i64 {
        match self {
            Wants::Look(_, than) => frame[than as usize],
            Wants::Place(at, first) => frame[at as usize].saturating_sub(first),
            Wants::Faces | Wants::Order => 0,
        }
    }
}

macro_rules! instrs {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* })?
        $purity:ident [$($operand:expr),*] $(-> $to:ident)?;)*) => {
        /// One step of the machine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instr { $($(#[$doc])* $name $({ $($field: $type),* })?),* }

        impl Instr {
            /// Whether it reads and writes nothing but registers of its own frame and lists that they hold.
            pub fn pure(self) -> bool {
                enum Purity { Pure, Outer }
                matches!(match self { $(Instr::$name { .. } => Purity::$purity),* }, Purity::Pure)
            }

            /// What it does with registers and lists, in the order in which it does it.
            #[allow(unused_variables)]
            pub fn operands(self) -> SmallVec<[Operand; 4]> {
                use Operand::*;
                match self { $(Instr::$name { $($($field),*)? } => smallvec![$($operand),*]),* }
            }

            /// Its name, and its operands by name.
            pub fn written(self) -> (&'static str, Vec<(&'static str, String)>) {
                match self {
                    $(Instr::$name { $($($field),*)? } => {
                        (stringify!($name), vec![$($((stringify!($field), format!("{:?}", $field))),*)?])
                    }),*
                }
            }

            /// Where it may jump.
            #[allow(unused_variables)]
            pub fn target(&mut self) -> Option<&mut Pc> {
                match self { $(Instr::$name { $($($field),*)? } => None$(.or(Some($to)))?),* }
            }
        }
    };
}

instrs! {
    /// A small constant.
    Const { dst: Reg, value: i32 } Pure [Write(dst, 1)];
    /// A constant of the pool.
    Wide { dst: Reg, at: u32 } Pure [Write(dst, 1)];
    /// One cell.
    Copy { dst: Reg, src: Reg } Pure [Copy(dst, src, 1)];
    /// Several cells.
    CopyMany { dst: Reg, src: Reg, n: Reg } Pure [Copy(dst, src, n)];
    /// An operator or builtin: `n` is a width or a count, as the operation wants.
    Op { op: Op, dst: Reg, a: Reg, b: Reg, n: Reg } Pure [Apply(op, dst, [a, b], n)];
    /// `dst = a + value`.
    AddConst { dst: Reg, a: Reg, value: i16 } Pure [Read(a, 1), Write(dst, 1)];
    /// `dst = a`, cut at a constant from below.
    AtLeast { dst: Reg, a: Reg, value: i32 } Pure [Read(a, 1), Write(dst, 1)];
    /// `dst = a`, cut at a constant from above.
    AtMost { dst: Reg, a: Reg, value: i32 } Pure [Read(a, 1), Write(dst, 1)];
    /// Goes on at `to`.
    Jump { to: Pc } Pure [Stop] -> to;
    /// If the register holds yes.
    JumpIf { cond: Reg, to: Pc } Pure [Read(cond, 1)] -> to;
    /// If the register holds no.
    JumpUnless { cond: Reg, to: Pc } Pure [Read(cond, 1)] -> to;
    /// If the value is missing.
    JumpNone { reg: Reg, to: Pc } Pure [Read(reg, 1)] -> to;
    /// If the comparison holds (Eq Ne Lt Le Gt Ge on one cell).
    JumpCompare { op: Op, a: Reg, b: Reg, to: Pc } Pure [Read(a, 1), Read(b, 1)] -> to;
    /// The same against a constant.
    JumpCompareConst { op: Op, a: Reg, value: i16, to: Pc } Pure [Read(a, 1)] -> to;
    /// A param or reading.
    Setting { dst: Reg, id: SettingId } Outer [Load(dst, Slot::Setting(id))];
    /// A top-level state.
    Global { dst: Reg, id: GlobalId } Outer [Load(dst, Slot::Global(id))];
    /// Writes a top-level state; `wanted` holds the value before its bounds were applied.
    SetGlobal { id: GlobalId, src: Reg, wanted: Reg } Outer [Store(src, Slot::Global(id))];
    /// Adds to a tally.
    Count { id: TallyId, src: Reg, minus: bool } Outer [Read(src, 1)];
    /// A tally.
    Tally { dst: Reg, id: TallyId } Outer [Write(dst, 1)];
    /// A stored field of a thing.
    Field { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Load(dst, Slot::Field(id))];
    /// One figure of a field with keys: the key's place among them.
    Keyed { dst: Reg, thing: Reg, id: FieldId, key: Reg }
        Outer [Read(thing, 1), Read(key, 1), Load(dst, Slot::Field(id))];
    /// Writes a stored field; `wanted` holds the value before its bounds were applied.
    SetField { id: FieldId, thing: Reg, src: Reg, wanted: Reg } Outer [Read(thing, 1), Store(src, Slot::Field(id))];
    /// All living things whose link points to this one.
    BackLink { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Handle(dst, Holds::List(1))];
    /// The same with those that were destroyed.
    EverLinked { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Handle(dst, Holds::List(1))];
    /// Sets the links of the things in a list to this one, and clears those of others that pointed here.
    SetBackLink { id: FieldId, thing: Reg, list: Reg, add: bool } Outer [Read(thing, 1), Dice(list, Wants::Order)];
    /// Whether it is in play.
    Alive { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 1)];
    /// Its place as a point, two cells; none off the board.
    At { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 2)];
    /// Where its front points.
    Facing { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 1)];
    /// The next living thing of the kind after the one in `dst` (-1 before the first); jumps when there is none.
    NextThing { dst: Reg, kind: KindId, to: Pc } Outer [Read(dst, 1), Write(dst, 1)] -> to;
    /// How many instances of a trait or status a thing has.
    Bears { dst: Reg, thing: Reg, id: TraitId } Outer [Read(thing, 1), Write(dst, 1)];
    /// The instances of a status on a thing, oldest first.
    Instances { dst: Reg, thing: Reg, id: TraitId } Outer [Read(thing, 1), Statuses(dst, id)];
    /// A variable of a running phase or action.
    Ambient { dst: Reg, id: AmbientId } Outer [Load(dst, Slot::Ambient(id))];
    /// Writes it.
    SetAmbient { id: AmbientId, src: Reg } Outer [Store(src, Slot::Ambient(id))];
    /// The running action.
    ActionName { dst: Reg } Outer [Write(dst, 1)];
    /// The actor of the running action.
    Actor { dst: Reg } Outer [Write(dst, 1)];
    /// Whether a phase is on the phase stack.
    Running { dst: Reg, phase: PhaseId } Outer [Write(dst, 1)];
    /// Whether a phase is the last one that was begun and still runs.
    Innermost { dst: Reg, phase: PhaseId } Outer [Write(dst, 1)];
    /// An empty list.
    NewList { dst: Reg } Pure [Handle(dst, Holds::Empty)];
    /// Adds an entry of `n` cells.
    Push { list: Reg, src: Reg, n: Reg } Pure [Dice(list, Wants::Order), Read(src, n), Handle(list, Holds::List(n))];
    /// The entry at a place from 0, known to be there.
    Entry { dst: Reg, list: Reg, index: Reg, n: Reg }
        Pure [Dice(list, Wants::entry(index, 0, n)), Read(index, 1), Write(dst, n)];
    /// How many entries.
    Length { dst: Reg, list: Reg } Pure [Length(list), Write(dst, 1)];
    /// How many entries of a list of single cells compare so with a value.
    Look { dst: Reg, list: Reg, op: Op, than: Reg }
        Pure [Dice(list, Wants::Look(op, than)), Read(than, 1), Write(dst, 1)];
    /// Of the places in `among` those at which an entry of a list of single cells compares so with a value.
    Which { dst: Reg, list: Reg, among: Reg, op: Op, than: Reg }
        Pure [Dice(list, Wants::Look(op, than)), Read(among, 1), Read(than, 1), Handle(dst, Holds::List(1))];
    /// A pool is about to be changed in place: nothing happens, but its unseen dice may have to be told apart first.
    Own { list: Reg } Pure [Dice(list, Wants::Order)];
    /// Takes out equal entries.
    Distinct { list: Reg, n: Reg } Pure [Dice(list, Wants::Order), Handle(list, Holds::List(n))];
    /// Takes out the entry at a place.
    TakeOut { list: Reg, index: Reg, n: Reg }
        Pure [Dice(list, Wants::Order), Read(index, 1), Handle(list, Holds::List(n))];
    /// Those of a list that are alive.
    Living { dst: Reg, list: Reg, kind: KindId } Outer [Dice(list, Wants::Order), Handle(dst, Holds::List(1))];
    /// A list of a range of numbers, ends included.
    Span { dst: Reg, low: Reg, high: Reg } Pure [Read(low, 1), Read(high, 1), Handle(dst, Holds::List(1))];
    /// Puts a list in the order of keys: both lists of the same length, keys of `n` cells; stable, least first.
    SortBy { list: Reg, keys: Reg, width: Reg, n: Reg }
        Pure [Dice(list, Wants::Order), Dice(keys, Wants::Order), Handle(list, Holds::List(width))];
    /// Puts the mover of the move that is judged back where it started; two registers keep where it was put.
    Home { at: Reg } Outer [Write(at, 3)];
    /// Puts it there again.
    Forth { at: Reg } Outer [Read(at, 3)];
    /// A place in two registers: if it is a thing, as that stood when the move began.
    Before { place: Reg } Outer [Read(place, 1), Write(place, 1)];
    /// Remembers how much of the heap is in use.
    Mark { dst: Reg } Pure [Handle(dst, Holds::Mark)];
    /// Gives back what was used since.
    Release { mark: Reg } Pure [Read(mark, 1)];
    /// Below and tiers along a tree link.
    Tree { op: Op, dst: Reg, a: Reg, b: Reg, link: FieldId } Outer [Apply(op, dst, [a, b], 1)];
    /// Ends the run if a tree link leads back to where it began.
    Forest { link: FieldId } Outer [];
    /// A question to the board with places and things; see [`super::Program::board`].
    Board { dst: Reg, at: u32 } Outer [Board(dst, at)];
    /// Ends the run unless the number lies within a range; see [`super::Program::bounds`].
    Within { src: Reg, at: u32 } Pure [Read(src, 1)];
    /// A table of constant results: row and column picked before.
    Lookup { dst: Reg, row: Reg, column: Reg, at: u32 } Pure [Read(row, 1), Read(column, 1), Lookup(dst, at)];
    /// Calls a function; its frame begins at `args`, which hold its parameters; the result goes to `dst`.
    Call { func: FuncId, args: Reg, dst: Reg } Outer [Call(func, args, dst)];
    /// The same for a function that a scenario may replace.
    CallExtern { func: FuncId, args: Reg, dst: Reg } Outer [Call(func, args, dst)];
    /// Ends a function with a result of `n` cells.
    Return { src: Reg, n: Reg } Outer [Stop, Result(src, n)];
    /// Ends a fragment: pure code that the machine runs to judge a candidate or a note.
    Done Outer [Stop];
    /// Asks for dice, a decision or a move; see [`super::Program::asks`].
    Ask { at: u32 } Outer [Ask(at)];
    /// One instance of an action for the menu: the header's variables as they stand.
    Offer { action: ActionId } Outer [Instance(action)];
    /// The header's line that kept an instance from the menu.
    Refuse { action: ActionId, line: u16 } Outer [Instance(action)];
    /// Whether a limit still allows it: counts uses in the innermost running phase.
    Allowed { dst: Reg, action: ActionId, line: u16, times: Reg, key: Reg }
        Outer [Read(times, 1), Read(key, 1), Write(dst, 1)];
    /// Notes one use.
    Use { action: ActionId, line: u16, times: Reg, key: Reg } Outer [Read(times, 1), Read(key, 1)];
    /// Puts a phase on the stack, its frame the running one.
    Enter { phase: PhaseId } Outer [Read(0, 1)];
    /// Takes it off.
    Leave { phase: PhaseId } Outer [Read(0, 1)];
    /// Its start-of rules are over.
    Started { phase: PhaseId } Outer [Read(0, 1)];
    /// The end-of rules begin: from here `end P` goes past them.
    Ending { phase: PhaseId } Outer [Read(0, 1)];
    /// Leaves the innermost running phase of this id.
    End { phase: PhaseId } Outer [Stop];
    /// Puts an action on the stack: its actor.
    Begin { action: ActionId, actor: Reg } Outer [Read(actor, 1)];
    /// Takes it off.
    Finish { action: ActionId } Outer [Read(0, 1)];
    /// Skips the rest of the running action.
    Cancel Outer [Stop];
    /// Gives a status; `data` are its fields.
    Grant { id: TraitId, thing: Reg, data: Reg } Outer [Read(thing, 1), Store(data, Slot::Status(id))];
    /// Takes all instances away.
    Revoke { id: TraitId, thing: Reg } Outer [Read(thing, 1)];
    /// Takes the instance with these data away.
    RevokeOne { id: TraitId, thing: Reg, data: Reg } Outer [Read(thing, 1), Store(data, Slot::Status(id))];
    /// Sets what was written last back when a phase starts or ends; see [`super::Program::tags`].
    Tag { at: u32, thing: Reg, key: Reg, data: Reg } Outer [Read(thing, 1), Tag(at, key, data)];
    /// What is written next lasts until a phase starts or ends; the value below it is kept.
    Layer { at: u32, thing: Reg, key: Reg } Outer [Read(thing, 1), Tag(at, key, 0)];
    /// Keeps the value of a slot below a layer for each duration that its bounds are under, if they now cut the value.
    KeepCut { id: FieldId, thing: Reg } Outer [Read(thing, 1)];
    /// Does this for a state of the game.
    KeepCutGlobal { id: GlobalId } Outer [];
    /// Forgets what lies below a slot that is set for good.
    Untag { id: FieldId, thing: Reg } Outer [Read(thing, 1)];
    /// The same of a state of the game.
    UntagGlobal { id: GlobalId } Outer [];
    /// Changes what lies below a slot that is changed for good by an amount.
    Shift { id: FieldId, thing: Reg, by: Reg, minus: bool } Outer [Read(thing, 1), Read(by, 1)];
    /// The same of a state of the game.
    ShiftGlobal { id: GlobalId, by: Reg, minus: bool } Outer [Read(by, 1)];
    /// The same of a list: entries come or go.
    ShiftList { id: FieldId, thing: Reg, list: Reg, minus: bool } Outer [Read(thing, 1), Dice(list, Wants::Order)];
    /// The same of a list of the game.
    ShiftListGlobal { id: GlobalId, list: Reg, minus: bool } Outer [Dice(list, Wants::Order)];
    /// Takes a thing out of play; see [`super::Program::texts`] for the reason.
    Destroy { kind: KindId, thing: Reg, why: u32 } Outer [Read(thing, 1)];
    /// Makes a thing: none of its fields are set yet.
    Spawn { dst: Reg, kind: KindId } Outer [Write(dst, 1)];
    /// Puts a thing at a place (two cells).
    Put { kind: KindId, thing: Reg, at: Reg } Outer [Read(thing, 1), Read(at, 2)];
    /// Turns a thing.
    Turn { kind: KindId, thing: Reg, by: bool, angle: Reg } Outer [Read(thing, 1), Read(angle, 1)];
    /// Members and links of one thing go to another; the first is destroyed.
    Merge { kind: KindId, from: Reg, into: Reg } Outer [Read(from, 1), Read(into, 1)];
    /// An error that the rules' own state brings about.
    Fault { code: FaultCode, at: u32 } Outer [Stop];
    /// Code under the clause at this place of the register was reached: nothing happens; see [`super::Ran`].
    Ran { clause: u32 } Pure [];
    /// A note for the trace: nothing happens; see [`super::Program::notes`].
    Note { at: u32 } Pure [];
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
    /// A thing out of play is to change or to act: its kind, and below it the register with its number.
    OutOfPlay,
}
