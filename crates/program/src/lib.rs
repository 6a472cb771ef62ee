//! The compiler: turns a checked ruleset into register code, with tables and analyses of the code.
//!
//! The input is a [`Ruleset`] from `grognard-rules`, the output a [`Program`]. A program has flat code of fixed width
//! ([`Instr`]), the frame of each function ([`Func`]), and one table for each kind of operand that does not fit an
//! instruction: questions to the drivers ([`Ask`]), queries of the board ([`BoardAsk`]), constants, durations, texts.
//! `grognard-vm` runs the program. Names, spans and clauses are in the [`schema`] and in [`Debug`](struct@Debug), which
//! only traces and errors read.
//!
//! * [`compile`] compiles a ruleset. [`Detail`] selects what it prepares for traces and coverage. [`Built`] keeps the
//!   ruleset together with its program.
//! * [`extend`] adds code to a program: the strings of a scenario or of an example, as [`Snippet`]s.
//! * [`flow`] has the control flow graph and the dataflow analyses: liveness, lists whose order no code reads, pure
//!   regions. [`settings_reached`] and [`reached`] find what the code of a scenario can read and write, [`derived`]
//!   finds functions whose results can be kept, and [`opaque`] finds code that sees the table only through answers of
//!   the board.
//!
//! # Example
//!
//! A roll is a question to the drivers (`Ask`), and `count aim >= hit_on` demands of the dice only how they compare
//! with a number (`Look`):
//!
//! ```
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_program::{Detail, compile, listing};
//!
//! let text = "ruleset first/volley
//! param hit_on = 4
//! kind Squad { state men : 0..20 }
//! proc volley(shooters: Squad, target: Squad) {
//!   roll aim = shooters.men of d6
//!   set target.men -= count aim >= hit_on
//! }";
//! let (loaded, _) = Shelf::of(&[("first/volley.rules", text)]).load("first/volley");
//! let program = compile(&loaded.sound().unwrap(), Detail::Plain);
//!
//! let code = listing(&program);
//! let (_, volley) = code.split_once("proc volley").unwrap();
//! let names = volley.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect::<Vec<_>>();
//! assert_eq!(
//!     names.join(" "),
//!     "Op Field Ask Field Setting Look Op AtMost AtLeast SetField Return"
//! );
//! ```
//!
//! Registers are allocated like a stack. Each variable of a function has its own registers, intermediate values are
//! above the variables, and the arguments of a call are computed where the frame of the callee begins, so a call copies
//! nothing. The code does not depend on a table: `grognard-vm` specializes it when a scenario is known.

mod compile;
mod debug;
mod derived;
pub mod flow;
pub mod instr;
mod listing;
mod note;
mod opaque;
mod ran;
mod reach;
mod settings;
mod roll_needs;
mod trace_notes;

pub use compile::{Snippet, compile, extend, find_lists};
pub use debug::{Debug, Signature};
pub use derived::{Derived, Sources, derived};
pub use grognard_rules::code::{Constraint, MovePart, Preferred};
pub use grognard_rules::schema;
pub use grognard_rules::wording::constant;
pub use instr::{FaultCode, Instr, Operand, Pc, Reg, Wants};
pub use listing::listing;
pub use note::{Never, Note, NoteKind, Piece, RollNeed, Wording};
pub use opaque::opaque;
pub use ran::Ran;
pub use reach::{Reached, reached, reached_with, settings_reached};

use grognard_base::value::*;
use grognard_base::{OrdMap, Shared, Span};
use grognard_rules::reads::Reads;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::schema::{Schema, Site, Stored};
use std::collections::HashSet;
use std::sync::Arc;

/// A compiled ruleset.
#[derive(Clone, Debug)]
pub struct Program {
    /// Declarations of the rules: kinds, fields, names and titles. The program keeps no checked code.
    pub schema: Shared<Schema>,
    /// Name, result and local variables of each function in the rules. Functions added by the compiler are not listed.
    pub functions: Shared<Vec<Signature>>,
    /// Tables that [`extend`] needs when a scenario adds code.
    pub links: Shared<Links>,
    /// The code.
    pub code: Vec<Instr>,
    /// Entry point and frame of each function: first the functions of the ruleset, then those of the compiler.
    pub funcs: Vec<Func>,
    /// Constants that do not fit an instruction.
    pub pool: Vec<i64>,
    /// Queries to the driver.
    pub asks: Vec<Ask>,
    /// Queries of the board.
    pub board: Vec<BoardAsk>,
    /// Durations.
    pub tags: Vec<Tag>,
    /// Constant tables.
    pub lookups: Vec<Lookup>,
    /// Table cells that have a mark for coverage: table, row and column.
    pub cells: Vec<(ItemId, usize, usize)>,
    /// Ranges that numbers are checked against.
    pub bounds: Vec<Bounds>,
    /// Notes for the trace.
    pub notes: Vec<Note>,
    /// Reasons and titles that instructions refer to by index.
    pub texts: Vec<String>,
    /// For each phase: its wrapper and the actions on its menu.
    pub phases: Vec<PhaseCode>,
    /// For each action: its header and wrapper.
    pub actions: Vec<ActionCode>,
    /// For each event: its dispatcher.
    pub events: Vec<FuncId>,
    /// Rules of policies: the answer for each policy and site.
    pub policies: Vec<PolicyCode>,
    /// Level of detail that was prepared for traces.
    pub detail: Detail,
    /// Sorted program points that take an entry in a loop whose result does not depend on the order of the list.
    pub orderless: Vec<Pc>,
    /// Entries of loops that only count how many entries of one list compare with the entry at the same index of
    /// another list. Apart from the count, no value of such a loop is read after it.
    pub pairs: Vec<Pc>,
    /// Sorted program points that take an entry in a loop whose only effect is to append to a list, with that list.
    pub gathers: Vec<(Pc, Reg)>,
    /// For each field: whether a duration is ever set on it.
    pub tagged: Vec<bool>,
    /// Whether the code ever writes a list into a variable of another frame. If so, no call releases heap.
    pub keeps_heap: bool,
    /// Source positions and clauses of the code.
    pub debug: Debug,
}

impl Program {
    /// Returns the key of the dice of a site, for example `Volley.aim`.
    pub fn address(&self, site: &Site) -> String {
        site.address(self.functions.get(site.func.at()).map_or("", |f| f.name.as_str()))
    }

    /// Returns the name of a site with the function that it is in, such as `Volley.aim`.
    pub fn qualified(&self, site: &Site) -> String {
        site.qualified(self.functions.get(site.func.at()).map_or("", |f| f.name.as_str()))
    }
}

/// Checked rules together with their program, for callers that look up names or add code.
#[derive(Clone, Debug)]
pub struct Built {
    /// The checked rules.
    pub rules: Arc<Ruleset>,
    /// The program compiled from `rules`.
    pub program: Program,
    /// Clauses that ran, on any table.
    pub ran: Ran,
}

impl Built {
    /// Compiles `rules` and keeps them with their program.
    pub fn new(rules: Ruleset, detail: Detail) -> Built {
        let program = compile(&rules, detail);
        Built { ran: Ran::of(&program), program, rules: Arc::new(rules) }
    }
}

/// Tables that [`extend`] needs when a scenario adds code.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// State that each function of the ruleset reads.
    pub reads: Vec<Reads>,
    /// For each field with special rules: the function that returns its value with these rules applied.
    pub accessors: OrdMap<FieldId, FuncId>,
    /// Rolls whose dice the rules may roll again.
    pub rerolled: IdSet<SiteId>,
    /// For each field with a variable bound: the function that clamps it.
    pub cutters: OrdMap<FieldId, FuncId>,
    /// Slots with variable bounds in dependency order: a slot that a bound reads is clamped before the slot it bounds.
    pub cut: Vec<Stored>,
    /// Kinds whose things may be out of play.
    pub mortal: IdSet<KindId>,
    /// Slots that can have a layer over their permanent value.
    pub layered: Vec<Stored>,
    /// Fields that at least one rule writes.
    pub written: HashSet<FieldId>,
}

/// Level of detail that the compiler prepares for traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// No notes, for sampling and exact odds.
    Plain,
    /// Notes on derived values, guards and readings.
    Traced,
    /// No notes, but coverage marks where code belongs to a clause.
    Covered,
}

/// Entry point, frame layout and types of a function.
#[derive(Clone, Debug)]
pub struct Func {
    /// First instruction.
    pub entry: Pc,
    /// Number of cells of the parameters.
    pub params: Reg,
    /// Number of cells of the frame, without the frames of callees.
    pub frame: Reg,
    /// Number of cells of the result.
    pub result: Reg,
    /// Cells of the result that hold list handles, each with the width of a list entry in cells.
    pub lists: Vec<(Reg, Reg)>,
    /// Kind of function, for traces and heap management.
    pub sort: FuncSort,
    /// The item that declares the function.
    pub item: ItemId,
    /// Types of the parameters, for traces.
    pub types: Vec<Type>,
}

impl Func {
    /// Creates a function without code.
    fn new(sort: FuncSort, item: ItemId, types: Vec<Type>) -> Func {
        Func { entry: 0, params: 0, frame: 0, result: 0, lists: Vec::new(), sort, item, types }
    }
}

/// Kind of a function, for traces and heap management.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FuncSort {
    Value,
    Test,
    Proc,
    Phase,
    Action,
    Rule,
    Event,
    Snippet,
}

impl FuncSort {
    /// Returns whether a function of this kind has no side effects and leaves nothing on the heap.
    pub fn pure(self) -> bool {
        self == FuncSort::Value
    }
}

/// A piece of pure code that runs in the frame of the function it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// First instruction. The code ends with `Done`.
    pub entry: Pc,
    /// First register of the result.
    pub result: Reg,
    /// Number of cells of the result.
    pub width: Reg,
    /// First free register.
    pub top: Reg,
}

/// Subject and player of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Register with the subject as a packed thing, or -1.
    pub subject: Reg,
    /// Register with the player as a packed thing, or -1.
    pub player: Reg,
}

/// A query to the driver.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The site that the query belongs to.
    pub site: SiteId,
    /// Subject and player.
    pub who: Who,
    /// Kind of the query, with its operands.
    pub kind: AskKind,
    /// First register that is free during the query.
    pub top: Reg,
}

impl Ask {
    /// Returns whether this is a choice between plain numbers. Things are excluded because they have further
    /// properties.
    pub fn is_of_values(&self, schema: &Schema) -> bool {
        let chooses = matches!(self.kind, AskKind::Choose { .. } | AskKind::Subset { .. });
        chooses && matches!(schema.sites[self.site.at()].ty.present(), Type::Int(_))
    }
}

/// Kinds of queries to the driver, with their operands.
#[allow(missing_docs)] // the doc of a variant describes its fields
#[derive(Clone, Debug)]
pub enum AskKind {
    /// Rolls dice. `dice` is one die or a list of dice; a constant die is in `fixed` instead. With `count`, rolls that
    /// many dice. With `sum`, adds them up.
    Roll { dst: Reg, count: Option<Reg>, dice: Reg, fixed: Option<i64>, sort: DiceSort, list: bool, sum: bool },
    /// Rolls some dice of `pool` again: a list of faces, or one face. `which` lists their indices. `recipe` holds the
    /// dice of the original roll: one die, or a list of dice if `many`, which grows when dice explode. `chains` is set
    /// if dice explode only by their own faces.
    Reroll {
        pool: Reg,
        which: Reg,
        recipe: Reg,
        many: bool,
        sort: DiceSort,
        explode: bool,
        list: bool,
        roll: SiteId,
        chains: Option<Chains>,
    },
    /// Draws a thing at random from a list of candidates of `width` cells. `weights` is a list.
    Draw { dst: Reg, from: Reg, width: Reg, weights: Option<Reg>, amount: Option<(Reg, Reg)>, or_none: bool },
    /// Chooses one candidate.
    Choose { dst: Reg, from: Reg, width: Reg, or_none: bool, prefer: Option<PreferCode>, entry: Reg },
    /// Chooses a subset of at least `least` and at most `most` candidates.
    Subset { dst: Reg, from: Reg, width: Reg, least: Reg, most: Reg, prefer: Option<PreferCode>, entry: Reg },
    /// Chooses one option from a list of option indices; `dst` receives the index. Preferences are evaluated at the
    /// query.
    Option { dst: Reg, from: Reg, prefer: Vec<(usize, Option<Fragment>)> },
    /// A yes-or-no decision.
    May { dst: Reg, prefer: Option<Fragment> },
    /// Chooses one of the actions of the running phase. If register `stop` holds yes, the player can stop, and `dst` is
    /// yes.
    Menu { dst: Reg, stop: Option<Reg> },
    /// Chooses who is next; `dst` receives the index in the list.
    Next { dst: Reg, from: Reg, width: Reg },
    /// A move.
    Move(MoveCode),
}

/// Dice that explode only by their own faces: whether a die is followed by another does not depend on the rest of the
/// pool.
#[derive(Clone, Debug)]
pub struct Chains {
    /// Comparisons of a face with a register. A die explodes if all of them hold.
    pub fits: Vec<(Op, Reg)>,
    /// Register with the number of rounds left, including the current one.
    pub left: Reg,
    /// Program point at which execution continues when no die explodes.
    pub over: Pc,
}

/// Kind of dice that a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DiceSort {
    Sides,
    Chain(ChainId),
    Shifted(ChainId),
    Faces(DieId),
}

/// Default of a choice, taken if the player does not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PreferCode {
    Extreme { most: bool, key: Fragment, optional: bool },
    When { which: Preferred, condition: Fragment },
}

/// A move with the registers of its lines.
#[derive(Clone, Debug)]
pub struct MoveCode {
    /// The kind of the mover.
    pub kind: KindId,
    /// Register of the mover.
    pub thing: Reg,
    /// Lines of the move.
    pub lines: Vec<LineCode>,
    /// First of the four cells that receive the Leg.
    pub leg: Reg,
    /// Register that receives yes if there was a legal path.
    pub moved: Reg,
    /// The lines for evaluation under other readings, for traces. `None` if no line contains a reading.
    pub again: Option<Box<MoveAgain>>,
}

/// The lines of a move, evaluated a second time to show the effect of other readings.
#[derive(Clone, Debug)]
pub struct MoveAgain {
    /// Code that computes the operands of the lines.
    pub fragment: Fragment,
    /// The lines with separate registers. Conditions and costs are those of the move itself.
    pub lines: Vec<LineCode>,
    /// Readings that the lines depend on.
    pub readings: Vec<SettingId>,
    /// The subset of `readings` that conditions and costs depend on.
    pub asked: Vec<SettingId>,
}

/// One line of a move.
#[derive(Clone, Debug)]
pub struct LineCode {
    /// Register that holds yes if the line applies; without a register the line always applies.
    pub active: Option<Reg>,
    /// The constraint.
    pub asks: Constraint,
    /// Operands, in the order of the table of constraints.
    pub parts: Vec<LinePart>,
    /// First register of the point at which a cost is evaluated.
    pub point: Option<Reg>,
    /// Clauses.
    pub cites: Vec<String>,
    /// Text of the line.
    pub text: String,
}

/// An operand of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// A register with a length or an angle.
    Number(Reg),
    /// A register with a list of places, of two cells each.
    Places(Reg),
    /// Code that is evaluated during the search for a path.
    Judged(Fragment),
}

impl LineCode {
    /// Returns the register of the first number, or `None` if the line has no number.
    pub fn number(&self) -> Option<Reg> {
        self.parts.iter().find_map(|part| if let LinePart::Number(reg) = part { Some(*reg) } else { None })
    }

    /// Returns the register of the places, or `None` if the line has no places.
    pub fn places(&self) -> Option<Reg> {
        self.parts.iter().find_map(|part| if let LinePart::Places(reg) = part { Some(*reg) } else { None })
    }

    /// Returns the code that is evaluated during the search for a path, or `None` if it does not exist.
    pub fn judged(&self) -> Option<Fragment> {
        self.parts.iter().find_map(|part| if let LinePart::Judged(judge) = part { Some(*judge) } else { None })
    }
}

/// A query of the board: the operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardAsk {
    /// The operation.
    pub op: Op,
    /// Registers of the operands. A place takes two cells.
    pub args: [Reg; 4],
    /// For each operand that is a thing: its kind.
    pub kinds: [Option<KindId>; 4],
}

/// A duration.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The value to reset or the status to remove.
    pub what: TagWhat,
    /// Whether it ends at the start of the phase instead of the end.
    pub start: bool,
    /// The phase.
    pub phase: PhaseId,
    /// Whether it ends only in a run of the phase whose first parameter equals the key.
    pub keyed: bool,
}

/// The value or status that a duration ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TagWhat {
    Stored(Stored),
    Status(TraitId),
}

/// A table of constants.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Number of columns.
    pub columns: usize,
    /// Number of cells of an entry.
    pub width: usize,
    /// All entries, row by row.
    pub cells: Vec<i64>,
    /// Whether there is an entry for every key. Otherwise a key without an entry yields `none`.
    pub whole: bool,
}

/// A range that a number must fall within.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The range.
    pub range: Range,
    /// Owner of the range, as named in messages.
    pub of: String,
}

/// Entry points, menu and locals of a phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseCode {
    /// The wrapper: shares, rules, body.
    pub func: FuncId,
    /// Start of the rules that run at the end of the phase.
    pub end: Pc,
    /// Program point after these rules.
    pub out: Pc,
    /// Actions on its menu, in order.
    pub menu: Vec<ActionId>,
    /// Register of each local of the phase.
    pub locals: Vec<Reg>,
}

/// Entry points, registers and header lines of an action.
#[derive(Clone, Debug, Default)]
pub struct ActionCode {
    /// Name of the action.
    pub name: String,
    /// Function that puts the instances of the action on the menu.
    pub header: FuncId,
    /// Function that runs the chosen instance. Its frame begins with the variables of the header.
    pub func: FuncId,
    /// Program point after the action.
    pub out: Pc,
    /// Register of each local.
    pub locals: Vec<Reg>,
    /// Variables that identify an instance in output.
    pub shown: Vec<LocalId>,
    /// Choices made after an instance is picked, each with its site.
    pub late: Vec<(LocalId, SiteId)>,
    /// Number of cells of an instance.
    pub frame: Reg,
    /// Kind of the actor, or `None` if the action has no actor.
    pub actor: Option<KindId>,
    /// Lines of the header, followed by the rules that forbid the action.
    pub lines: Vec<HeaderCode>,
}

/// A line of a header, with the text for a refusal and the key of a limit.
#[derive(Clone, Debug, Default)]
pub struct HeaderCode {
    /// Number of choices of the header above the line.
    pub chosen: usize,
    /// For a limit: the phase in which uses are counted, and the type of the key if it names one.
    pub limit: Option<(PhaseId, Option<Type>)>,
    /// The line or its reason. If it ends in a blank, the failed numbers follow it in the output.
    pub text: String,
    /// Wording of the numbers that failed; empty if none are shown.
    pub figures: Wording,
    /// Clauses.
    pub cites: Vec<String>,
    /// Parts of the line that no game can change.
    pub never: Vec<Never>,
}

/// One answer of a policy.
#[derive(Clone, Debug)]
pub struct PolicyCode {
    /// The policy.
    pub policy: PolicyId,
    /// The site, or `None` for menus.
    pub site: Option<SiteId>,
    /// The answer.
    pub answer: PolicyAnswerCode,
    /// Condition under which the answer applies.
    pub when: Option<Fragment>,
}

/// An answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PolicyAnswerCode {
    Action(ActionId),
    Stop,
    Flag(bool),
    None,
    Option(usize),
    Extreme { most: bool, key: Fragment, optional: bool, entry: Reg },
    Value(Fragment),
}
