//! A checked ruleset: every declaration of a ruleset and of those below it, merged, with ids for names.
//!
//! Ids index the tables of [`Ruleset`]. Order is always: base, extension, variant; file order inside; an override
//! keeps the place of what it replaces.

use super::code::{Expr, Function};
pub use super::register::{Citation, Clause, ClauseStatus};
use crate::base::Span;
use crate::syntax::tree;
use crate::value::*;
use std::collections::BTreeMap;

/// Everything a ruleset says.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// Folder and file, such as `warstrike/leadership`.
    pub path: String,
    /// Its version text, maybe empty.
    pub version: String,
    /// True if the last file is a variant.
    pub variant: bool,
    /// Every file from the base up, as path and version; the last is this ruleset.
    pub chain: Vec<(String, String)>,
    /// Every item that can be titled and cited.
    pub items: Vec<Item>,
    /// Enums, and the cases of readings without a type.
    pub enums: Vec<Enum>,
    /// Chains.
    pub chains: Vec<Chain>,
    /// Dice with faces of their own.
    pub dice: Vec<Die>,
    /// Records, events' data, statuses' data, test results.
    pub records: Vec<Record>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Fields of kinds.
    pub fields: Vec<Field>,
    /// Params and readings.
    pub settings: Vec<Setting>,
    /// Top-level states.
    pub globals: Vec<Global>,
    /// Tallies.
    pub tallies: Vec<Tally>,
    /// Traits, statuses, conditions.
    pub traits: Vec<Trait>,
    /// Bodies of code.
    pub functions: Vec<Function>,
    /// Events.
    pub events: Vec<Event>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Rules, those of traits after the plain ones, in the order in which they run (`before`, `after` applied).
    pub rules: Vec<Rule>,
    /// Laws.
    pub laws: Vec<Law>,
    /// Policies.
    pub policies: Vec<Policy>,
    /// Places where the machine stops to ask.
    pub sites: Vec<Site>,
    /// Variables of running phases and actions that are used from outside.
    pub ambients: Vec<Ambient>,
    /// Examples, as written; they are compiled when they are run.
    pub examples: Vec<Example>,
    /// The clause register, in file order.
    pub register: Vec<Clause>,
    /// Every clause some item, row or statement cites, with who cites it.
    pub cited: BTreeMap<String, Vec<Citation>>,
    /// Items that are open and not filled: the ruleset can be checked, not run.
    pub open: Vec<ItemId>,
    /// Names.
    pub names: Names,
}

/// Name spaces: types, traits, phases, actions, rules, events, policies, laws, tests, and one for values.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Enums, chains, dice, records, kinds.
    pub types: BTreeMap<String, TypeName>,
    /// Case name to every enum that has it, with its place there.
    pub cases: BTreeMap<String, Vec<(EnumId, i64)>>,
    /// Params, readings, global lets and tables, procs, states, tallies.
    pub values: BTreeMap<String, ValueName>,
    /// Traits, statuses, conditions.
    pub traits: BTreeMap<String, TraitId>,
    /// Tests.
    pub tests: BTreeMap<String, FuncId>,
    /// Phases.
    pub phases: BTreeMap<String, PhaseId>,
    /// Actions.
    pub actions: BTreeMap<String, ActionId>,
    /// Rules.
    pub rules: BTreeMap<String, RuleId>,
    /// Events.
    pub events: BTreeMap<String, EventId>,
    /// Policies.
    pub policies: BTreeMap<String, PolicyId>,
    /// Laws.
    pub laws: BTreeMap<String, LawId>,
    /// Fields by kind and name.
    pub fields: BTreeMap<(KindId, String), FieldId>,
}

/// What a capital name of a type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeName {
    Enum(EnumId),
    Chain(ChainId),
    Die(DieId),
    Record(RecordId),
    Kind(KindId),
}

/// What a small name stands for outside bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ValueName {
    Setting(SettingId),
    Let(FuncId),
    Proc(FuncId),
    Global(GlobalId),
    Tally(TallyId),
}

/// An item with what people see of it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The word it begins with: `rule`, `let`, `param`.
    pub word: &'static str,
    /// Its name, with the kind for fields: `Unit.nerve`.
    pub name: String,
    /// Its title, maybe empty.
    pub title: String,
    /// Clauses it cites, holes too.
    pub cites: Vec<String>,
    /// Where its name stands.
    pub span: Span,
    /// Which file of [`Ruleset::chain`] it comes from.
    pub from: usize,
}

/// An enum.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Enum {
    pub name: String,
    pub cases: Vec<String>,
    pub ordered: bool,
    pub item: ItemId,
}

/// A chain: the sides of its dice, rising.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Chain {
    pub name: String,
    pub dice: Vec<u32>,
    pub item: ItemId,
}

/// A die with faces of its own: one entry per side, so equal faces repeat.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Die {
    pub name: String,
    pub of: Type,
    pub faces: Vec<i64>,
    pub item: ItemId,
}

/// Fields in order.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Record {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    pub item: ItemId,
}

/// A kind.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its things have a place.
    pub on_board: bool,
    /// The list field that holds its members, and their kind.
    pub group: Option<(FieldId, KindId)>,
    /// The field that decides for it.
    pub owner: Option<FieldId>,
    /// Its `tree` link.
    pub tree: Option<FieldId>,
    /// A Flag field `blocks`, if it has one.
    pub blocks: Option<FieldId>,
    /// A stored Length field `height`, if it has one.
    pub height: Option<FieldId>,
    /// All its fields, in order.
    pub fields: Vec<FieldId>,
    /// The item.
    pub item: ItemId,
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldSort {
    /// Fixed by the scenario.
    Stat,
    /// Changes.
    State,
    /// Refers.
    Link,
    /// Not stored: all living things of `.0`'s kind whose link field `.0` points here (or holds this).
    BackLink(FieldId),
    /// Derived: the function, of self, gives it.
    Let(FuncId),
}

/// A field of a kind.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its kind.
    pub kind: KindId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub sort: FieldSort,
    /// Its type (of one figure, if it has keys).
    pub ty: Type,
    /// Types of its keys: enums or chains; and how many cases each has.
    pub keys: Vec<(Type, i64)>,
    /// Bounds of an Int or Length: each a function of self. None if open.
    pub low: Option<FuncId>,
    /// The upper bound.
    pub high: Option<FuncId>,
    /// Value without one in the scenario: a function of self.
    pub default: Option<FuncId>,
    /// Parameters of a derived field (after self): functions only, such as `let Unit.pace(g)`.
    pub params: usize,
    /// The item.
    pub item: ItemId,
}

/// A param or a reading.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The value it has unless a scenario says otherwise (overrides applied); params may have any pure constant.
    pub value: Vec<i64>,
    /// The alternatives of a reading, each with its cells and how it is written; empty for a param.
    pub alternatives: Vec<(Vec<i64>, String)>,
    /// What each alternative means, in the words of the rules; maybe empty.
    pub glosses: Vec<String>,
    /// Values a sweep tries.
    pub sweep: Vec<Vec<i64>>,
    /// What the book leaves open.
    pub because: String,
    /// The item.
    pub item: ItemId,
}

/// A top-level state.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub low: Option<FuncId>,
    pub high: Option<FuncId>,
    /// None: the scenario must give it.
    pub default: Option<FuncId>,
    pub item: ItemId,
}

/// A tally.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Tally {
    pub name: String,
    pub item: ItemId,
}

/// A trait, status or condition.
#[derive(Clone, Debug)]
pub struct Trait {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub sort: tree::TraitSort,
    /// The kind that bears it.
    pub on: KindId,
    /// The data of a status; a record, maybe without fields.
    pub data: RecordId,
    /// A condition on self; traits and statuses that have one act only while it holds.
    pub when: Option<FuncId>,
    /// Values it changes.
    pub changes: Vec<Change>,
    /// Actions it forbids to its bearer.
    pub forbids: Vec<Forbid>,
    /// The item.
    pub item: ItemId,
}

impl Trait {
    /// Stands for the kind of a trait that names an unknown one; no ruleset with such a trait passes.
    pub const NO_KIND: KindId = KindId(u32::MAX);
}

/// An action that a trait forbids to its bearer.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// The action.
    pub action: ActionId,
    /// Only while this holds of the bearer.
    pub when: Option<FuncId>,
    /// Clauses.
    pub cites: Vec<String>,
}

/// One `replace` or `modify`. Its functions have self (and the field's keys or parameters) as parameters.
#[derive(Clone, Debug)]
pub struct Change {
    /// What it changes.
    pub field: FieldId,
    /// True for `replace`; then `op` is `Set`.
    pub replace: bool,
    /// `+=` or `-=` for `modify`.
    pub op: tree::SetOp,
    /// The new value, or the addend.
    pub value: FuncId,
    /// Only while this holds.
    pub when: Option<FuncId>,
    /// The trait it takes precedence over.
    pub over: Option<TraitId>,
    /// Clauses.
    pub cites: Vec<String>,
}

/// An event.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: String,
    pub data: RecordId,
    pub item: ItemId,
    pub external: bool,
}

/// A phase. Its function has the parameters first; shared variables are the locals after them.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its body.
    pub func: FuncId,
    /// How many parameters it has.
    pub params: usize,
    /// Shared variables: their locals, and the function of the phase's parameters that gives the first value.
    pub shares: Vec<(LocalId, FuncId)>,
    /// The item.
    pub item: ItemId,
}

/// An action. Its function's body is what happens on commit; the header's variables are its first locals.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// The phases on whose menu it stands.
    pub phases: Vec<PhaseId>,
    /// Who acts: a value in the scope of the header (a choose, or the phase's first parameter). None if the phase has no parameter.
    pub actor: Option<Expr>,
    /// The header, in order.
    pub header: Vec<HeaderLine>,
    /// Header and body share its locals; it has no parameters.
    pub func: FuncId,
    /// The item.
    pub item: ItemId,
}

/// One line of an action's header.
#[derive(Clone, Debug)]
#[allow(missing_docs, clippy::large_enum_variant)] // a header has a handful of lines
pub enum HeaderLine {
    Let {
        local: LocalId,
        value: Expr,
    },
    /// A single choice: the menu has an instance for each.
    Choose {
        local: LocalId,
        from: super::code::Collection,
        filter: Option<Expr>,
        span: Span,
    },
    /// Asked after the instance is picked and before anything is paid: subsets, routes, spots.
    Late(super::code::Choose),
    /// `cites` as written above it; `text` is the condition as written; `reason` the words after `else`, maybe empty.
    Needs {
        condition: Expr,
        text: String,
        reason: String,
        cites: Vec<String>,
    },
    /// A shared variable from which `amount` is taken.
    Cost {
        amount: Expr,
        of: AmbientId,
        name: String,
    },
    /// At most `times` in the innermost running `per`, counted by action and key (default: the actor).
    Limit {
        times: Expr,
        per: PhaseId,
        key: Option<Expr>,
        when: Option<Expr>,
    },
}

/// What a rule waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Trigger {
    Event(EventId),
    PhaseStart(PhaseId),
    PhaseEnd(PhaseId),
    ActionStart(ActionId),
    ActionEnd(ActionId),
    AnyActionStart,
    AnyActionEnd,
}

/// A rule. Guard and body have the same parameters: self for a trait rule, then the event's fields in order.
/// On phases and actions there are no event fields; the bound name's fields are ambients.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// What it waits for.
    pub on: Trigger,
    /// The trait it belongs to.
    pub of_trait: Option<TraitId>,
    /// The guard.
    pub guard: Option<FuncId>,
    /// The guard as written.
    pub guard_text: String,
    /// What happens.
    pub func: FuncId,
    /// The item.
    pub item: ItemId,
}

/// A law: a function without parameters.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Law {
    pub name: String,
    pub func: FuncId,
    pub item: ItemId,
}

/// A policy.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Policy {
    pub name: String,
    pub entries: Vec<PolicyEntry>,
    pub item: ItemId,
}

/// One preference of a policy for one site (a name may fit several sites; each gets its own entry, checked in that
/// site's function, so that its variables are in scope).
#[derive(Clone, Debug)]
pub struct PolicyEntry {
    /// The site asked.
    pub site: PolicySite,
    /// Its place among the preferences for that name, so that first match wins.
    pub rank: usize,
    /// What it answers.
    pub answer: PolicyAnswer,
    /// Only when this holds; in the scope of the site's function, or of the action's header.
    pub when: Option<Expr>,
}

/// Which question a policy entry answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PolicySite {
    Site(SiteId),
    Menu,
}

/// What a policy answers.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum PolicyAnswer {
    /// The first instance of this action for which the entry's `when` (in the action's header scope) holds.
    Action(ActionId),
    Stop,
    /// Yes or no of a `may`.
    Flag(bool),
    None,
    /// An option of a `choose { }` by its place.
    Option(usize),
    /// The candidate with the most or least of this, `entry` bound.
    Extreme {
        most: bool,
        entry: LocalId,
        by: Expr,
    },
    /// The candidate equal to this.
    Value(Expr),
}

/// A place where the machine stops to ask.
#[derive(Clone, Debug)]
pub struct Site {
    /// The function it stands in.
    pub func: FuncId,
    /// Its name: of the roll, of the decision; `action` for menus, `move` for moves.
    pub name: String,
    /// The lasting key of a roll, which names its dice instead of the function and the name.
    pub key: Option<String>,
    /// What it asks for.
    pub sort: SiteSort,
    /// Type of one answer: a face, a candidate.
    pub ty: Type,
    /// Names of options, for a choice among options.
    pub options: Vec<String>,
    /// Where it stands.
    pub span: Span,
    /// Clauses cited right above it; empty: those of the function's item.
    pub cites: Vec<String>,
}

/// What a site asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SiteSort {
    Roll,
    Reroll,
    Explode,
    Draw,
    Choose,
    Subset,
    Option,
    May,
    Menu,
    Next,
    Move,
}

impl SiteSort {
    /// True if chance answers, false if somebody decides.
    pub fn is_chance(self) -> bool {
        matches!(self, SiteSort::Roll | SiteSort::Reroll | SiteSort::Explode | SiteSort::Draw)
    }
}

/// A variable of a running phase or action, used from outside: by an action of the phase, or by a rule on it.
/// The first case whose phase or action is running innermost gives it.
#[derive(Clone, Debug)]
pub struct Ambient {
    /// As written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it may be found.
    pub cases: Vec<AmbientCase>,
}

/// Where an ambient may be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AmbientCase {
    /// A local of the innermost running phase of this id.
    Phase(PhaseId, LocalId),
    /// A local of the running action, if it is this one.
    Action(ActionId, LocalId),
    /// A local of the innermost running phase of this id, if the running action is that one.
    PhaseOfAction(ActionId, PhaseId, LocalId),
}

/// An example as written, and where it comes from.
#[derive(Clone, Debug)]
pub struct Example {
    /// The tree.
    pub tree: tree::Example,
    /// Clauses.
    pub cites: Vec<String>,
    /// Which file of [`Ruleset::chain`] it comes from.
    pub from: usize,
    /// Where it stands.
    pub span: Span,
}
