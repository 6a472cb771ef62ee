//! Instruction set of the machine: flat code whose typed registers have one cell each.
//!
//! A value of several cells is in consecutive registers. All jumps except the back edges of loops go forward, so lanes
//! that diverge meet again at the lowest program point that any of them has reached. Each instruction declares next to
//! its name its reads, its writes, its jump targets and its demands on dice. Liveness, pure regions and demands
//! are derived from these declarations.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new instruction or operator
#![allow(missing_docs)] // the doc of an instruction describes its operands

use super::flow::Holds;
use grognard_base::value::*;
use smallvec::{SmallVec, smallvec};

/// A register: a cell of the running frame.
pub type Reg = u16;

/// A program point: the index of an instruction.
pub type Pc = u32;

/// Effect of an instruction on registers and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Reads the given number of registers, from the first on.
    Read(Reg, Reg),
    /// Reads a list, with the given demand on its dice.
    Dice(Reg, Wants),
    /// Reads only the number of entries of a list.
    Length(Reg),
    /// Reads a value that is stored in a slot.
    Store(Reg, Slot),
    /// Definitely writes the given number of registers, from the first on.
    Write(Reg, Reg),
    /// Writes a list with the given width of entries in cells, or another handle on the heap.
    Handle(Reg, Holds),
    /// Writes the value of a slot.
    Load(Reg, Slot),
    /// Writes a list of the instances of a status.
    Statuses(Reg, TraitId),
    /// Writes an entry of a constant table.
    Lookup(Reg, u32),
    /// Copies registers: destination, source, count.
    Copy(Reg, Reg, Reg),
    /// Reads and writes what the table of operators defines.
    Apply(Op, Reg, [Reg; 2], Reg),
    /// Reads and writes what the query of the board defines.
    Board(Reg, u32),
    /// Reads the parameters of a function and writes its result.
    Call(FuncId, Reg, Reg),
    /// Reads and writes what the query to the driver defines.
    Ask(u32),
    /// Reads the first parameter of the phase, if it has one: durations can be limited to it.
    Phase(PhaseId),
    /// Reads the variables of an action's header.
    Instance(ActionId),
    /// Reads the key and data of a duration.
    Tag(u32, Reg, Reg),
    /// Ends the path: execution does not continue after the instruction.
    Stop,
    /// Reads the result of the function for its caller.
    Result(Reg, Reg),
}

/// Location of a value outside the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Setting(SettingId),
    Global(GlobalId),
    Field(FieldId),
    Ambient(AmbientId),
    Status(TraitId),
}

/// Demand of an instruction on the dice of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Result of the comparison with a threshold.
    Look(Op, Reg),
    /// Face at an index: the register with the index, and the number of the first index.
    Place(Reg, i64),
    /// All faces, in any order.
    Faces,
    /// All faces in their order.
    Order,
}

impl Wants {
    /// Returns the demand for one entry of `n` cells. Dice are single cells.
    pub fn entry(at: Reg, first: i64, n: Reg) -> Wants {
        if n == 1 { Wants::Place(at, first) } else { Wants::Order }
    }

    /// Returns the threshold or the index from the registers `frame`, or 0 if the demand has neither.
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
        /// An instruction of the machine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instr { $($(#[$doc])* $name $({ $($field: $type),* })?),* }

        impl Instr {
            /// Returns whether it accesses only registers of its own frame, lists that they hold, and settings, which no
            /// instruction writes.
            pub fn pure(self) -> bool {
                enum Purity { Pure, Outer }
                matches!(match self { $(Instr::$name { .. } => Purity::$purity),* }, Purity::Pure)
            }

            /// Returns its effects on registers and lists, in execution order.
            #[allow(unused_variables)]
            pub fn operands(self) -> SmallVec<[Operand; 4]> {
                use Operand::*;
                match self { $(Instr::$name { $($($field),*)? } => smallvec![$($operand),*]),* }
            }

            /// Returns its name and its operands, each with its name.
            pub fn written(self) -> (&'static str, Vec<(&'static str, String)>) {
                match self {
                    $(Instr::$name { $($($field),*)? } => {
                        (stringify!($name), vec![$($((stringify!($field), format!("{:?}", $field))),*)?])
                    }),*
                }
            }

            /// Returns its jump target, or `None` if it does not jump.
            #[allow(unused_variables)]
            pub fn target(&mut self) -> Option<&mut Pc> {
                match self { $(Instr::$name { $($($field),*)? } => None$(.or(Some($to)))?),* }
            }
        }
    };
}

instrs! {
    /// Loads a small constant.
    Const { dst: Reg, value: i32 } Pure [Write(dst, 1)];
    /// Loads a constant of the pool.
    Wide { dst: Reg, at: u32 } Pure [Write(dst, 1)];
    /// Copies one cell.
    Copy { dst: Reg, src: Reg } Pure [Copy(dst, src, 1)];
    /// Copies `n` cells.
    CopyMany { dst: Reg, src: Reg, n: Reg } Pure [Copy(dst, src, n)];
    /// Applies an operator or builtin. `n` is a width or a count, depending on the operation.
    Op { op: Op, dst: Reg, a: Reg, b: Reg, n: Reg } Pure [Apply(op, dst, [a, b], n)];
    /// `dst = a + value`.
    AddConst { dst: Reg, a: Reg, value: i16 } Pure [Read(a, 1), Write(dst, 1)];
    /// `dst = max(a, value)`.
    AtLeast { dst: Reg, a: Reg, value: i32 } Pure [Read(a, 1), Write(dst, 1)];
    /// `dst = min(a, value)`.
    AtMost { dst: Reg, a: Reg, value: i32 } Pure [Read(a, 1), Write(dst, 1)];
    /// Jumps to `to`.
    Jump { to: Pc } Pure [Stop] -> to;
    /// Jumps if the register holds yes.
    JumpIf { cond: Reg, to: Pc } Pure [Read(cond, 1)] -> to;
    /// Jumps if the register holds no.
    JumpUnless { cond: Reg, to: Pc } Pure [Read(cond, 1)] -> to;
    /// Jumps if the value is missing.
    JumpNone { reg: Reg, to: Pc } Pure [Read(reg, 1)] -> to;
    /// Jumps if the comparison holds (Eq Ne Lt Le Gt Ge on one cell).
    JumpCompare { op: Op, a: Reg, b: Reg, to: Pc } Pure [Read(a, 1), Read(b, 1)] -> to;
    /// Jumps if the comparison with a constant holds.
    JumpCompareConst { op: Op, a: Reg, value: i16, to: Pc } Pure [Read(a, 1)] -> to;
    /// Loads a param or reading.
    Setting { dst: Reg, id: SettingId } Pure [Load(dst, Slot::Setting(id))];
    /// Loads a top-level state.
    Global { dst: Reg, id: GlobalId } Outer [Load(dst, Slot::Global(id))];
    /// Writes a top-level state. `wanted` holds the value before its bounds were applied.
    SetGlobal { id: GlobalId, src: Reg, wanted: Reg } Outer [Store(src, Slot::Global(id))];
    /// Adds to a tally, or subtracts from it with `minus`.
    Count { id: TallyId, src: Reg, minus: bool } Outer [Read(src, 1)];
    /// Loads a tally.
    Tally { dst: Reg, id: TallyId } Outer [Write(dst, 1)];
    /// Loads a stored field of a thing.
    Field { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Load(dst, Slot::Field(id))];
    /// Loads one entry of a keyed field; `key` is the index of the key.
    Keyed { dst: Reg, thing: Reg, id: FieldId, key: Reg }
        Outer [Read(thing, 1), Read(key, 1), Load(dst, Slot::Field(id))];
    /// Writes a stored field. `wanted` holds the value before its bounds were applied.
    SetField { id: FieldId, thing: Reg, src: Reg, wanted: Reg } Outer [Read(thing, 1), Store(src, Slot::Field(id))];
    /// Lists all living things whose link points to this one.
    BackLink { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Handle(dst, Holds::List(1))];
    /// Lists all things whose link points to this one, including destroyed things.
    EverLinked { dst: Reg, thing: Reg, id: FieldId } Outer [Read(thing, 1), Handle(dst, Holds::List(1))];
    /// Sets the links of the things in a list to this thing. Unless `add`, clears the links of other things that
    /// pointed here.
    SetBackLink { id: FieldId, thing: Reg, list: Reg, add: bool } Outer [Read(thing, 1), Dice(list, Wants::Order)];
    /// Checks whether a thing is in play.
    Alive { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 1)];
    /// Loads the position of a thing, two cells; `none` off the board.
    At { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 2)];
    /// Loads the direction of the front of a thing.
    Facing { dst: Reg, thing: Reg, kind: KindId } Outer [Read(thing, 1), Write(dst, 1)];
    /// Finds the next living thing of the kind after `dst` (-1 before the first). Jumps if it does not exist.
    NextThing { dst: Reg, kind: KindId, to: Pc } Outer [Read(dst, 1), Write(dst, 1)] -> to;
    /// Counts the instances of a trait or status on a thing.
    Bears { dst: Reg, thing: Reg, id: TraitId } Outer [Read(thing, 1), Write(dst, 1)];
    /// Lists the instances of a status on a thing, oldest first.
    Instances { dst: Reg, thing: Reg, id: TraitId } Outer [Read(thing, 1), Statuses(dst, id)];
    /// Loads a variable of a running phase or action.
    Ambient { dst: Reg, id: AmbientId } Outer [Load(dst, Slot::Ambient(id))];
    /// Writes a variable of a running phase or action.
    SetAmbient { id: AmbientId, src: Reg } Outer [Store(src, Slot::Ambient(id))];
    /// Loads the running action.
    ActionName { dst: Reg } Outer [Write(dst, 1)];
    /// Loads the actor of the running action.
    Actor { dst: Reg } Outer [Write(dst, 1)];
    /// Checks whether a phase is on the phase stack.
    Running { dst: Reg, phase: PhaseId } Outer [Write(dst, 1)];
    /// Checks whether a phase is the innermost running phase.
    Innermost { dst: Reg, phase: PhaseId } Outer [Write(dst, 1)];
    /// Creates an empty list.
    NewList { dst: Reg } Pure [Handle(dst, Holds::Empty)];
    /// Appends an entry of `n` cells.
    Push { list: Reg, src: Reg, n: Reg } Pure [Dice(list, Wants::Order), Read(src, n), Handle(list, Holds::List(n))];
    /// Loads the entry at an index from 0, which must exist.
    Entry { dst: Reg, list: Reg, index: Reg, n: Reg }
        Pure [Dice(list, Wants::entry(index, 0, n)), Read(index, 1), Write(dst, n)];
    /// Loads the number of entries.
    Length { dst: Reg, list: Reg } Pure [Length(list), Write(dst, 1)];
    /// Counts the entries of a list of single cells for which the comparison with `than` holds.
    Look { dst: Reg, list: Reg, op: Op, than: Reg }
        Pure [Dice(list, Wants::Look(op, than)), Read(than, 1), Write(dst, 1)];
    /// Lists those indices of `among` whose entry in a list of single cells compares with `than` as `op` says.
    Which { dst: Reg, list: Reg, among: Reg, op: Op, than: Reg }
        Pure [Dice(list, Wants::Look(op, than)), Read(among, 1), Read(than, 1), Handle(dst, Holds::List(1))];
    /// Announces that a pool is modified in place. It has no effect, but unsampled dice of the pool may have to be
    /// split first.
    Own { list: Reg } Pure [Dice(list, Wants::Order)];
    /// Removes duplicate entries.
    Distinct { list: Reg, n: Reg } Pure [Dice(list, Wants::Order), Handle(list, Holds::List(n))];
    /// Removes the entry at an index.
    TakeOut { list: Reg, index: Reg, n: Reg }
        Pure [Dice(list, Wants::Order), Read(index, 1), Handle(list, Holds::List(n))];
    /// Filters a list to the living things.
    Living { dst: Reg, list: Reg, kind: KindId } Outer [Dice(list, Wants::Order), Handle(dst, Holds::List(1))];
    /// Lists a range of numbers, including both ends.
    Span { dst: Reg, low: Reg, high: Reg } Pure [Read(low, 1), Read(high, 1), Handle(dst, Holds::List(1))];
    /// Sorts a list by a list of keys of the same length. Keys have `n` cells; the sort is stable and ascending.
    SortBy { list: Reg, keys: Reg, width: Reg, n: Reg }
        Pure [Dice(list, Wants::Order), Dice(keys, Wants::Order), Handle(list, Holds::List(width))];
    /// Moves the mover of the evaluated move back to its start. The registers from `at` on save its position.
    Home { at: Reg } Outer [Write(at, 3)];
    /// Moves the mover to the saved position again.
    Forth { at: Reg } Outer [Read(at, 3)];
    /// Replaces a thing in the two registers of a place by its position at the start of the move.
    Before { place: Reg } Outer [Read(place, 1), Write(place, 1)];
    /// Saves the size of the heap in use.
    Mark { dst: Reg } Pure [Handle(dst, Holds::Mark)];
    /// Releases the heap that was allocated since the mark.
    Release { mark: Reg } Pure [Read(mark, 1)];
    /// Computes `below` and tiers along a tree link.
    Tree { op: Op, dst: Reg, a: Reg, b: Reg, link: FieldId } Outer [Apply(op, dst, [a, b], 1)];
    /// Ends the run with an error if a tree link has a cycle.
    Forest { link: FieldId } Outer [];
    /// Queries the board; see [`super::Program::board`].
    Board { dst: Reg, at: u32 } Outer [Board(dst, at)];
    /// Ends the run with an error unless the number is within a range; see [`super::Program::bounds`].
    Within { src: Reg, at: u32 } Pure [Read(src, 1)];
    /// Loads an entry of a constant table. Row and column are computed before.
    Lookup { dst: Reg, row: Reg, column: Reg, at: u32 } Pure [Read(row, 1), Read(column, 1), Lookup(dst, at)];
    /// Calls a function. Its frame begins at `args`, which hold its parameters; the result goes to `dst`.
    Call { func: FuncId, args: Reg, dst: Reg } Outer [Call(func, args, dst)];
    /// Calls a function that a scenario may replace.
    CallExtern { func: FuncId, args: Reg, dst: Reg } Outer [Call(func, args, dst)];
    /// Ends a function with a result of `n` cells.
    Return { src: Reg, n: Reg } Outer [Stop, Result(src, n)];
    /// Ends a fragment: pure code that the machine runs to evaluate a candidate or a note.
    Done Outer [Stop];
    /// Queries the driver for dice, a decision or a move; see [`super::Program::asks`].
    Ask { at: u32 } Outer [Ask(at)];
    /// Adds an instance of an action to the menu, with the current variables of the header.
    Offer { action: ActionId } Outer [Instance(action)];
    /// Records the line of the header that rejected an instance.
    Refuse { action: ActionId, line: u16 } Outer [Instance(action)];
    /// Checks whether a limit still allows the action. Uses are counted in the innermost running phase.
    Allowed { dst: Reg, action: ActionId, line: u16, times: Reg, key: Reg }
        Outer [Read(times, 1), Read(key, 1), Write(dst, 1)];
    /// Counts one use against a limit.
    Use { action: ActionId, line: u16, times: Reg, key: Reg } Outer [Read(times, 1), Read(key, 1)];
    /// Pushes a phase onto the phase stack. The running frame becomes the frame of the phase.
    Enter { phase: PhaseId } Outer [Phase(phase)];
    /// Pops the phase from the stack.
    Leave { phase: PhaseId } Outer [Phase(phase)];
    /// Marks the end of the rules that run at the start of the phase.
    Started { phase: PhaseId } Outer [Phase(phase)];
    /// Marks the start of the rules that run at the end of the phase. From here, `end P` skips them.
    Ending { phase: PhaseId } Outer [Phase(phase)];
    /// Leaves the innermost running phase with this id.
    End { phase: PhaseId } Outer [Stop];
    /// Pushes an action with its actor onto the action stack.
    Begin { action: ActionId, actor: Reg } Outer [Read(actor, 1)];
    /// Pops the action from the stack.
    Finish { action: ActionId } Outer [];
    /// Skips the rest of the running action.
    Cancel Outer [Stop];
    /// Grants a status; `data` are its fields.
    Grant { id: TraitId, thing: Reg, data: Reg } Outer [Read(thing, 1), Store(data, Slot::Status(id))];
    /// Removes all instances of a status.
    Revoke { id: TraitId, thing: Reg } Outer [Read(thing, 1)];
    /// Removes the instance of a status with these data.
    RevokeOne { id: TraitId, thing: Reg, data: Reg } Outer [Read(thing, 1), Store(data, Slot::Status(id))];
    /// Gives the last write a duration: it is reset when a phase starts or ends; see [`super::Program::tags`].
    Tag { at: u32, thing: Reg, key: Reg, data: Reg } Outer [Read(thing, 1), Tag(at, key, data)];
    /// Gives the next write a duration until a phase starts or ends. The value below it is kept.
    Layer { at: u32, thing: Reg, key: Reg } Outer [Read(thing, 1), Tag(at, key, 0)];
    /// For each duration that the bounds of a slot depend on: keeps the value below the layer if the bounds now clamp
    /// it.
    KeepCut { id: FieldId, thing: Reg } Outer [Read(thing, 1)];
    /// Does the same as `KeepCut` for a state of the game.
    KeepCutGlobal { id: GlobalId } Outer [];
    /// Discards the values below a slot when the slot is set permanently.
    Untag { id: FieldId, thing: Reg } Outer [Read(thing, 1)];
    /// Does the same as `Untag` for a state of the game.
    UntagGlobal { id: GlobalId } Outer [];
    /// Changes the values below a slot when an amount is permanently added to the slot or subtracted from it.
    Shift { id: FieldId, thing: Reg, by: Reg, minus: bool } Outer [Read(thing, 1), Read(by, 1)];
    /// Does the same as `Shift` for a state of the game.
    ShiftGlobal { id: GlobalId, by: Reg, minus: bool } Outer [Read(by, 1)];
    /// Does the same as `Shift` for a list, whose entries are added or removed.
    ShiftList { id: FieldId, thing: Reg, list: Reg, minus: bool } Outer [Read(thing, 1), Dice(list, Wants::Order)];
    /// Does the same as `ShiftList` for a list of the game.
    ShiftListGlobal { id: GlobalId, list: Reg, minus: bool } Outer [Dice(list, Wants::Order)];
    /// Removes a thing from play; see [`super::Program::texts`] for the reason.
    Destroy { kind: KindId, thing: Reg, why: u32 } Outer [Read(thing, 1)];
    /// Creates a thing without values of its fields.
    Spawn { dst: Reg, kind: KindId } Outer [Write(dst, 1)];
    /// Puts a thing at a position of two cells.
    Put { kind: KindId, thing: Reg, at: Reg } Outer [Read(thing, 1), Read(at, 2)];
    /// Turns a thing to an angle, or by an angle if `by`.
    Turn { kind: KindId, thing: Reg, by: bool, angle: Reg } Outer [Read(thing, 1), Read(angle, 1)];
    /// Moves the members and links of `from` to `into` and destroys `from`.
    Merge { kind: KindId, from: Reg, into: Reg } Outer [Read(from, 1), Read(into, 1)];
    /// Ends the run with an error caused by the state of the game.
    Fault { code: FaultCode, at: u32 } Outer [Stop];
    /// Records that the code of the clause was reached; see [`super::Ran`].
    Ran { clause: u32 } Pure [];
    /// A note for the trace, without an effect on the state; see [`super::Program::notes`].
    Note { at: u32 } Pure [];
}

/// Errors that instructions report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// A law is violated; the operand is its id.
    Law,
    /// Two `replace` rules have different results; the operand is the field.
    Conflict,
    /// A path has no result.
    NoResult,
    /// A `match` has no matching row.
    NoCase,
    /// A thing out of play would be changed or would act. The operand contains its kind and the register with its
    /// number.
    OutOfPlay,
}
