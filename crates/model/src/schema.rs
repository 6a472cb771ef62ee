//! What a ruleset declares, as plain rows: kinds, fields, settings, sites, names and titles. No code is among them, so a
//! compiled program keeps them when the checked code is gone.

use super::clauses::Clause;
use grognard_base::Span;
use grognard_base::value::*;
use grognard_syntax::tree;

/// The declarations of a ruleset. Ids index its tables.
#[derive(Clone, Debug, Default)]
pub struct Schema {
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
    /// Events.
    pub events: Vec<Event>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// Rules, those of traits after the plain ones, in the order in which they run (`before`, `after` applied).
    pub rules: Vec<Rule>,
    /// Laws.
    pub laws: Vec<Law>,
    /// Places where the machine stops to ask.
    pub sites: Vec<Site>,
    /// Variables of running phases and actions that are used from outside.
    pub ambients: Vec<Ambient>,
    /// The clause register, in file order.
    pub register: Vec<Clause>,
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
    /// Which file of [`Schema::chain`] it comes from.
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
    /// A group of it stays in play when its last member is destroyed.
    pub stays_empty: bool,
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
    /// Why the value is the default; maybe empty.
    pub default_because: String,
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

/// What is stored: a field of each thing of a kind, or a state of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stored {
    Field(FieldId),
    Global(GlobalId),
}

/// What is declared of something stored.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Declared<'s> {
    pub name: &'s str,
    pub ty: &'s Type,
    /// The lower one and the upper one.
    pub bounds: (Option<FuncId>, Option<FuncId>),
    pub default: Option<FuncId>,
    pub item: ItemId,
}

impl Schema {
    /// All that may be stored.
    pub fn all_stored(&self) -> impl Iterator<Item = Stored> + use<> {
        let fields = (0..self.fields.len()).map(|n| Stored::Field(FieldId::from(n)));
        fields.chain((0..self.globals.len()).map(|n| Stored::Global(GlobalId::from(n))))
    }

    /// What is declared of something stored.
    pub fn declared(&self, of: Stored) -> Declared<'_> {
        match of {
            Stored::Field(id) => {
                let Field { name, ty, low, high, default, item, .. } = &self.fields[id.at()];
                Declared { name, ty, bounds: (*low, *high), default: *default, item: *item }
            }
            Stored::Global(id) => {
                let Global { name, ty, low, high, default, item } = &self.globals[id.at()];
                Declared { name, ty, bounds: (*low, *high), default: *default, item: *item }
            }
        }
    }
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
    /// Where it names the action.
    pub span: Span,
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
    /// How a `modify` changes it, or `None` for `replace`.
    pub op: Option<tree::ModifyOp>,
    /// The new value, the factor, the addend or the limit.
    pub value: FuncId,
    /// Only while this holds.
    pub when: Option<FuncId>,
    /// The trait it takes precedence over.
    pub over: Option<TraitId>,
    /// Whatever else changes it does not count while this holds.
    pub alone: bool,
    /// Clauses.
    pub cites: Vec<String>,
}

/// An event.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: String,
    pub data: RecordId,
    /// Scenarios emit it.
    pub external: bool,
    pub item: ItemId,
}

impl Event {
    /// The name of the event by which things of a kind are announced before they are destroyed. No event of a text has it.
    pub fn of_destruction(kind: &str) -> String {
        format!("destroy of {kind}")
    }
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
    /// Any action that is taken in this phase.
    PhaseActionStart(PhaseId),
    PhaseActionEnd(PhaseId),
}

impl Trigger {
    /// The phase whose actions it waits for, if they are those of one phase.
    pub fn phase_of_actions(self) -> Option<PhaseId> {
        match self {
            Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase) => Some(phase),
            _ => None,
        }
    }
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

impl Site {
    /// What the dice of a roll are keyed by in a function of this name: its lasting key, else both names, as in
    /// `Volley.aim`.
    pub fn address(&self, owner: &str) -> String {
        match &self.key {
            Some(key) => key.clone(),
            None => format!("{owner}.{}", self.name),
        }
    }
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
