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
mod telling;

pub use compile::{Snippet, compile, extend, find_lists};
pub use debug::{Debug, Signature};
pub use derived::{Derived, Sources, derived};
pub use grognard_rules::code::{Constraint, MovePart, Preferred};
pub use grognard_rules::schema;
pub use grognard_rules::wording::constant;
pub use instr::{FaultCode, Instr, Pc, Reg, Wants};
pub use listing::listing;
pub use note::{Never, Note, NoteKind, Piece, Wording};
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
    /// What its rules declare: kinds and fields, names and titles. Of the checked code nothing is kept.
    pub schema: Shared<Schema>,
    /// What the rules call each of their functions and its variables; the compiler's own are not among them.
    pub functions: Vec<Signature>,
    /// What the compiler needs again when a scenario adds code.
    pub links: Links,
    /// The code.
    pub code: Vec<Instr>,
    /// Where each function begins, and its frame. The first are those of the ruleset; the compiler's own follow.
    pub funcs: Vec<Func>,
    /// Constants that do not fit an instruction.
    pub pool: Vec<i64>,
    /// Questions to the driver.
    pub asks: Vec<Ask>,
    /// Questions to the board.
    pub board: Vec<BoardAsk>,
    /// Durations.
    pub tags: Vec<Tag>,
    /// Constant tables: cells row by row.
    pub lookups: Vec<Lookup>,
    /// Cells of tables that have a mark for coverage: the table, the row and the column.
    pub cells: Vec<(ItemId, usize, usize)>,
    /// Ranges that numbers are checked against.
    pub bounds: Vec<Bounds>,
    /// Notes for the trace.
    pub notes: Vec<Note>,
    /// Reasons and titles that code names.
    pub texts: Vec<String>,
    /// For each phase: its wrapper and the actions on its menu.
    pub phases: Vec<PhaseCode>,
    /// For each action: its header and wrapper.
    pub actions: Vec<ActionCode>,
    /// For each event: its dispatcher.
    pub events: Vec<FuncId>,
    /// For each policy and site: what it answers.
    pub policies: Vec<PolicyCode>,
    /// How much was prepared for traces.
    pub detail: Detail,
    /// Where an entry is taken in a loop whose outcome does not depend on the order of the list; rising.
    pub orderless: Vec<Pc>,
    /// Where loops begin that count how often an entry of one list compares so with the one beside it in another, and of
    /// which nothing else is read behind them.
    pub pairs: Vec<Pc>,
    /// Where an entry is taken in a loop that does nothing but add to a list, or not; rising, and that list.
    pub gathers: Vec<(Pc, Reg)>,
    /// For each field: whether a duration is ever set on it.
    pub tagged: Vec<bool>,
    /// True if a list is ever written into a variable of another frame: then no call gives heap back.
    pub keeps_heap: bool,
    /// Where the code comes from, and the clauses under which it stands.
    pub debug: Debug,
}

impl Program {
    /// What the dice of a site are keyed by, as in `Volley.aim`.
    pub fn address(&self, site: &Site) -> String {
        site.address(self.functions.get(site.func.at()).map_or("", |f| f.name.as_str()))
    }
}

/// Checked rules, and the program made of them: for whoever looks up names or adds code.
#[derive(Clone, Debug)]
pub struct Built {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// Their program.
    pub program: Program,
    /// Which clauses ran, on whatever table.
    pub ran: Ran,
}

impl Built {
    /// Compiles rules.
    pub fn new(rules: Ruleset, detail: Detail) -> Built {
        let program = compile(&rules, detail);
        Built { ran: Ran::of(&program), program, rules: Arc::new(rules) }
    }
}

/// What the compiler needs again when a scenario adds code.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// What each function of the ruleset reads.
    pub reads: Vec<Reads>,
    /// Functions that give a field with special rules applied.
    pub accessors: OrdMap<FieldId, FuncId>,
    /// Rolls whose dice may be thrown again.
    pub rerolled: IdSet<SiteId>,
    /// Functions that cut a field whose bound can move.
    pub cutters: OrdMap<FieldId, FuncId>,
    /// Slots whose bound can move, those of others first: what is read by a bound is cut before what it bounds.
    pub cut: Vec<Stored>,
    /// Fields that some rule writes.
    pub written: HashSet<FieldId>,
}

/// How much the compiler prepares for traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// No notes: for sampling and odds.
    Plain,
    /// Notes on derived values, guards and readings.
    Traced,
    /// No notes, but marks where code stands under a clause.
    Covered,
}

/// A function's code.
#[derive(Clone, Debug)]
pub struct Func {
    /// First instruction.
    pub entry: Pc,
    /// Cells of parameters.
    pub params: Reg,
    /// Cells of its frame without the frames it calls.
    pub frame: Reg,
    /// Cells of its result.
    pub result: Reg,
    /// Which cells of the result are list handles and how wide their entries are.
    pub lists: Vec<(Reg, Reg)>,
    /// What the trace calls it.
    pub sort: FuncSort,
    /// Its item.
    pub item: ItemId,
    /// Types of the parameters, for traces.
    pub types: Vec<Type>,
}

impl Func {
    /// One that has no code yet.
    fn new(sort: FuncSort, item: ItemId, types: Vec<Type>) -> Func {
        Func { entry: 0, params: 0, frame: 0, result: 0, lists: Vec::new(), sort, item, types }
    }
}

/// What a function is, for traces and for the heap.
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
    /// Values leave nothing behind.
    pub fn pure(self) -> bool {
        self == FuncSort::Value
    }
}

/// A piece of pure code that runs in the frame of the function it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// First instruction; ends with `Done`.
    pub entry: Pc,
    /// Where the result is.
    pub result: Reg,
    /// Cells of the result.
    pub width: Reg,
    /// First free register.
    pub top: Reg,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Register with the subject as a packed thing, or -1.
    pub subject: Reg,
    /// Register with the player as a packed thing, or -1.
    pub player: Reg,
}

/// A question to the driver.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The site.
    pub site: SiteId,
    /// Whose.
    pub who: Who,
    /// What is asked.
    pub kind: AskKind,
    /// First register that is free while it is asked.
    pub top: Reg,
}

impl Ask {
    /// True for a choice between values, which are all that can be said of them; things have more to them.
    pub fn is_of_values(&self, schema: &Schema) -> bool {
        let chooses = matches!(self.kind, AskKind::Choose { .. } | AskKind::Subset { .. });
        chooses && matches!(schema.sites[self.site.at()].ty.present(), Type::Int(_))
    }
}

/// What is asked.
#[allow(missing_docs)] // parts of a form are told of where the form is
#[derive(Clone, Debug)]
pub enum AskKind {
    /// Dice: `dice` is one die or a list of dice, unless it is `fixed`; with `count` so many of it. A sum adds its dice.
    Roll { dst: Reg, count: Option<Reg>, dice: Reg, fixed: Option<i64>, sort: DiceSort, list: bool, sum: bool },
    /// The dice of `pool` (a list of faces, or one face) whose place is in the list `which` once more; `dice` as in the
    /// roll they came from, kept in `recipe`: one die, or a list of dice if `many`, which grows with those that explode.
    /// Dice that explode by their faces alone are `chains`.
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
    /// A thing picked by chance from a list of candidates of `width` cells; weights as a list, or none.
    Draw { dst: Reg, from: Reg, width: Reg, weights: Option<Reg>, amount: Option<(Reg, Reg)>, or_none: bool },
    /// One candidate.
    Choose { dst: Reg, from: Reg, width: Reg, or_none: bool, prefer: Option<PreferCode>, entry: Reg },
    /// A subset: least and greatest size.
    Subset { dst: Reg, from: Reg, width: Reg, least: Reg, most: Reg, prefer: Option<PreferCode>, entry: Reg },
    /// One of the options whose places are in a list: `dst` is the place. Preferences are judged when asked.
    Option { dst: Reg, from: Reg, prefer: Vec<(usize, Option<Fragment>)> },
    /// Yes or no.
    May { dst: Reg, prefer: Option<Fragment> },
    /// One of the actions of the running phase, or stop if the register says so: then `dst` is yes.
    Menu { dst: Reg, stop: Option<Reg> },
    /// Who is next: `dst` is the place in the list.
    Next { dst: Reg, from: Reg, width: Reg },
    /// A move.
    Move(MoveCode),
}

/// Dice that explode by their faces alone: each of them is followed by others whatever the rest of the pool shows.
#[derive(Clone, Debug)]
pub struct Chains {
    /// How a face compares with the number in a register, wherever a die explodes.
    pub fits: Vec<(Op, Reg)>,
    /// How many rounds are left, this one among them.
    pub left: Reg,
    /// Where the code goes on once no die explodes any more.
    pub over: Pc,
}

/// What sort of dice a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DiceSort {
    Sides,
    Chain(ChainId),
    Shifted(ChainId),
    Faces(DieId),
}

/// What an undecided player takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PreferCode {
    Extreme { most: bool, key: Fragment, optional: bool },
    When { which: Preferred, condition: Fragment },
}

/// A move with the registers of its lines.
#[derive(Clone, Debug)]
pub struct MoveCode {
    /// The kind of what moves.
    pub kind: KindId,
    /// What moves.
    pub thing: Reg,
    /// Its lines.
    pub lines: Vec<LineCode>,
    /// Result of a Leg, four cells.
    pub leg: Reg,
    /// Gets yes if there was a legal path.
    pub moved: Reg,
    /// The lines once more, for traces: none if no reading stands in them.
    pub again: Option<Box<MoveAgain>>,
}

/// The lines of a move worked out once more, to see what other readings would make of it.
#[derive(Clone, Debug)]
pub struct MoveAgain {
    /// Puts the operands of its lines in their registers.
    pub fragment: Fragment,
    /// The lines, with registers of their own; conditions and costs are those of the move itself.
    pub lines: Vec<LineCode>,
    /// Readings that the lines hang on.
    pub readings: Vec<SettingId>,
    /// Those of them that conditions and costs hang on.
    pub asked: Vec<SettingId>,
}

/// One line of a move.
#[derive(Clone, Debug)]
pub struct LineCode {
    /// Register with yes if the line counts now.
    pub active: Option<Reg>,
    /// What it asks.
    pub asks: Constraint,
    /// Its parts, as the table of constraints has them.
    pub parts: Vec<LinePart>,
    /// Register of the place that a cost is asked at.
    pub point: Option<Reg>,
    /// Clauses.
    pub cites: Vec<String>,
    /// Its words.
    pub text: String,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// A register with a length or an angle.
    Number(Reg),
    /// A register with a list of places, of two cells each.
    Places(Reg),
    /// What is judged while a path is looked for.
    Judged(Fragment),
}

impl LineCode {
    /// The register of its first number.
    pub fn number(&self) -> Option<Reg> {
        self.parts.iter().find_map(|part| if let LinePart::Number(reg) = part { Some(*reg) } else { None })
    }

    /// The register of its places.
    pub fn places(&self) -> Option<Reg> {
        self.parts.iter().find_map(|part| if let LinePart::Places(reg) = part { Some(*reg) } else { None })
    }

    /// What is judged while a path is looked for.
    pub fn judged(&self) -> Option<Fragment> {
        self.parts.iter().find_map(|part| if let LinePart::Judged(judge) = part { Some(*judge) } else { None })
    }
}

/// A question to the board: the operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardAsk {
    /// Which.
    pub op: Op,
    /// Registers of its operands: places take two cells.
    pub args: [Reg; 4],
    /// The kind of the operand if it is a thing.
    pub kinds: [Option<KindId>; 4],
}

/// A duration.
#[derive(Clone, Debug)]
pub struct Tag {
    /// What is set back or taken away.
    pub what: TagWhat,
    /// At the start of the phase, or its end.
    pub start: bool,
    /// The phase.
    pub phase: PhaseId,
    /// Only for a first parameter equal to the key.
    pub keyed: bool,
}

/// What a duration ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TagWhat {
    Stored(Stored),
    Status(TraitId),
}

/// A table of constants.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Columns of a row.
    pub columns: usize,
    /// Cells of an entry.
    pub width: usize,
    /// Row by row.
    pub cells: Vec<i64>,
    /// Whether it has an entry for every key; else a key without one gives nothing.
    pub whole: bool,
}

/// A range that a number has to lie within.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The range.
    pub range: Range,
    /// Whose it is, as a message says it.
    pub of: String,
}

/// A phase's code.
#[derive(Clone, Debug, Default)]
pub struct PhaseCode {
    /// The wrapper: shares, rules, body.
    pub func: FuncId,
    /// Where its end-of rules begin.
    pub end: Pc,
    /// Where they are over.
    pub out: Pc,
    /// Actions on its menu, in order.
    pub menu: Vec<ActionId>,
    /// Register of each local of the phase.
    pub locals: Vec<Reg>,
}

/// An action's code.
#[derive(Clone, Debug, Default)]
pub struct ActionCode {
    /// Its name.
    pub name: String,
    /// Puts its instances on the menu.
    pub header: FuncId,
    /// What happens when one is picked; its frame begins with the header's variables.
    pub func: FuncId,
    /// Where it is over.
    pub out: Pc,
    /// Register of each local.
    pub locals: Vec<Reg>,
    /// The variables an instance is told by: names, registers, types.
    pub shown: Vec<LocalId>,
    /// Choices that are made after an instance is picked, and where each is asked.
    pub late: Vec<(LocalId, SiteId)>,
    /// Cells an instance takes.
    pub frame: Reg,
    /// Kind of the actor.
    pub actor: Option<KindId>,
    /// Each line of the header, then whatever forbids the action: what a refusal says, and what a limit counts.
    pub lines: Vec<HeaderCode>,
}

/// A line of a header: what a refusal says, and what a limit counts.
#[derive(Clone, Debug, Default)]
pub struct HeaderCode {
    /// How many of the header's choices stand above it.
    pub chosen: usize,
    /// Of a limit: the phase in which uses count, and the type of the key they are counted by, if it names one.
    pub limit: Option<(PhaseId, Option<Type>)>,
    /// The line, or its reason; one that ends in a blank wants its figures behind it.
    pub text: String,
    /// The figures that failed; empty where none are told.
    pub figures: Wording,
    /// Clauses.
    pub cites: Vec<String>,
    /// Parts of the line that nothing in a game can change.
    pub never: Vec<Never>,
}

/// One answer of a policy.
#[derive(Clone, Debug)]
pub struct PolicyCode {
    /// The policy.
    pub policy: PolicyId,
    /// The site; none for menus.
    pub site: Option<SiteId>,
    /// What it answers.
    pub answer: PolicyAnswerCode,
    /// Only when this holds.
    pub when: Option<Fragment>,
}

/// What a policy answers.
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
