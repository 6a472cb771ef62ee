//! The declarations of a ruleset as plain rows: kinds, fields, settings, sites, names and titles. The rows contain no
//! code, so a compiled program keeps them after the checked code is dropped.

use super::clauses::Clause;
use grognard_base::Span;
use grognard_base::value::*;
use grognard_syntax::tree;

/// The declarations of a ruleset. Ids index its tables.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Folder and file, such as `warstrike/leadership`.
    pub path: String,
    /// Version text. May be empty.
    pub version: String,
    /// Whether the last file is a variant.
    pub variant: bool,
    /// Path and version of every file from the base up. The last is this ruleset.
    pub chain: Vec<(String, String)>,
    /// Every item that can have a title and cites.
    pub items: Vec<Item>,
    /// Enums, and the cases of readings without a type.
    pub enums: Vec<Enum>,
    pub chains: Vec<Chain>,
    /// Dice with custom faces.
    pub dice: Vec<Die>,
    /// Records, the data of events and statuses, and test results.
    pub records: Vec<Record>,
    pub kinds: Vec<Kind>,
    pub fields: Vec<Field>,
    /// Params and readings.
    pub settings: Vec<Setting>,
    /// Top-level states.
    pub globals: Vec<Global>,
    pub tallies: Vec<Tally>,
    /// Traits, statuses and conditions.
    pub traits: Vec<Trait>,
    pub events: Vec<Event>,
    pub phases: Vec<Phase>,
    /// Rules in execution order (`before` and `after` applied). Rules of traits come after the plain ones.
    pub rules: Vec<Rule>,
    pub laws: Vec<Law>,
    /// Sites where the machine stops for a roll, a draw or a decision.
    pub sites: Vec<Site>,
    /// Variables of running phases and actions that other code uses.
    pub ambients: Vec<Ambient>,
    /// The clause register, in file order.
    pub register: Vec<Clause>,
}

/// An item with its title, cites and origin.
#[derive(Clone, Debug)]
pub struct Item {
    /// Keyword: `rule`, `let`, `param`.
    pub word: &'static str,
    /// Name, prefixed with the kind for a field: `Unit.nerve`.
    pub name: String,
    /// Title. May be empty.
    pub title: String,
    /// Clauses that the item cites, including holes.
    pub cites: Vec<String>,
    /// Position of the name.
    pub span: Span,
    /// Whether it is declared as a stand-in, which is not a rule of the book.
    pub stand_in: bool,
    /// Index of its file in [`Schema::chain`].
    pub from: usize,
}

#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Enum {
    pub name: String,
    pub cases: Vec<String>,
    pub ordered: bool,
    pub item: ItemId,
}

/// A chain: the sides of its dice, ascending.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Chain {
    pub name: String,
    pub dice: Vec<u32>,
    pub item: ItemId,
}

/// A die with custom faces: one entry per side, so equal faces repeat.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Die {
    pub name: String,
    pub of: Type,
    pub faces: Vec<i64>,
    pub item: ItemId,
}

/// A record: its fields in order.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Record {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    pub item: ItemId,
}

/// A kind of thing.
#[derive(Clone, Debug)]
pub struct Kind {
    pub name: String,
    /// Whether its things have a position on the board.
    pub on_board: bool,
    /// For a group, the list field that holds its members, and their kind.
    pub group: Option<(FieldId, KindId)>,
    /// Whether a group of this kind stays in play when its last member is destroyed.
    pub stays_empty: bool,
    /// The field that refers to the thing that decides for it.
    pub owner: Option<FieldId>,
    /// Its `tree` link.
    pub tree: Option<FieldId>,
    /// Its Flag field `blocks`, if it has one.
    pub blocks: Option<FieldId>,
    /// Its stored Length field `height`, if it has one.
    pub height: Option<FieldId>,
    /// All its fields, in order.
    pub fields: Vec<FieldId>,
    pub item: ItemId,
}

/// How a field gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldSort {
    /// Fixed by the scenario.
    Stat,
    /// Can change during play.
    State,
    /// Refers to other things.
    Link,
    /// Derived: all living things whose link field `.0` refers to this thing or has it in its list.
    BackLink(FieldId),
    /// Derived: computed by the function of `self`.
    Let(FuncId),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub kind: KindId,
    pub name: String,
    pub sort: FieldSort,
    /// Type of the value, or of one entry if the field has keys.
    pub ty: Type,
    /// Types of the keys (enums or chains), each with its number of cases.
    pub keys: Vec<(Type, i64)>,
    /// Lower bound of an Int or Length, as a function of `self`. `None` if unbounded.
    pub low: Option<FuncId>,
    /// Upper bound, as `low`.
    pub high: Option<FuncId>,
    /// Value if the scenario omits it, as a function of `self`.
    pub default: Option<FuncId>,
    /// Number of parameters of a derived field after `self`, for functions such as `let Unit.pace(g)`.
    pub params: usize,
    pub item: ItemId,
}

/// A param or a reading.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    pub ty: Type,
    /// Value unless a scenario sets another, with overrides applied. A param can have any pure constant.
    pub value: Vec<i64>,
    /// The alternatives of a reading, each with its cells and its text. Empty for a param.
    pub alternatives: Vec<(Vec<i64>, String)>,
    /// Meaning of each alternative, as the rules state it. May be empty.
    pub glosses: Vec<String>,
    /// Values that a sweep varies over.
    pub sweep: Vec<Vec<i64>>,
    /// The open point of the rulebook.
    pub because: String,
    /// Reason for the default. May be empty.
    pub default_because: String,
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
    /// `None` if the scenario must set the value.
    pub default: Option<FuncId>,
    pub item: ItemId,
    /// Whether a scenario added it to keep a value of a step. Traces do not show it.
    pub hidden: bool,
}

/// A storage location: a field of each thing of a kind, or a top-level state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stored {
    Field(FieldId),
    Global(GlobalId),
}

/// The declaration of a storage location.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Declared<'s> {
    pub name: &'s str,
    pub ty: &'s Type,
    /// Lower and upper bound.
    pub bounds: (Option<FuncId>, Option<FuncId>),
    pub default: Option<FuncId>,
    pub item: ItemId,
}

impl Schema {
    /// Returns the position of a rules file in the chain, base first; 0 for another file, such as a register.
    pub fn rank(&self, file: &str) -> usize {
        self.chain.iter().position(|(path, _)| file.strip_suffix(".rules") == Some(path)).unwrap_or(0)
    }

    /// Returns an iterator over all storage locations.
    pub fn all_stored(&self) -> impl Iterator<Item = Stored> + use<> {
        let fields = (0..self.fields.len()).map(|n| Stored::Field(FieldId::from(n)));
        fields.chain((0..self.globals.len()).map(|n| Stored::Global(GlobalId::from(n))))
    }

    /// Returns the declaration of a storage location.
    pub fn declared(&self, of: Stored) -> Declared<'_> {
        match of {
            Stored::Field(id) => {
                let Field { name, ty, low, high, default, item, .. } = &self.fields[id.at()];
                Declared { name, ty, bounds: (*low, *high), default: *default, item: *item }
            }
            Stored::Global(id) => {
                let Global { name, ty, low, high, default, item, .. } = &self.globals[id.at()];
                Declared { name, ty, bounds: (*low, *high), default: *default, item: *item }
            }
        }
    }
}

#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Tally {
    pub name: String,
    pub item: ItemId,
}

/// A trait, status or condition.
#[derive(Clone, Debug)]
pub struct Trait {
    pub name: String,
    /// Whether it is a trait, status or condition.
    pub sort: tree::TraitSort,
    /// The kind that can bear it.
    pub on: KindId,
    /// The data of a status: a record that can have no fields.
    pub data: RecordId,
    /// A condition on `self`. A trait or status with a condition applies only while it is true.
    pub when: Option<FuncId>,
    /// Fields that it changes.
    pub changes: Vec<Change>,
    /// Actions that it forbids to its bearer.
    pub forbids: Vec<Forbid>,
    pub item: ItemId,
}

impl Trait {
    /// Placeholder for the kind of a trait that names an unknown one. A ruleset with such a trait fails the check.
    pub const NO_KIND: KindId = KindId(u32::MAX);
}

/// An action that a trait forbids to its bearer.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// Position of the action's name.
    pub span: Span,
    pub action: ActionId,
    /// The action is forbidden only while this is true of the bearer.
    pub when: Option<FuncId>,
    pub cites: Vec<String>,
}

/// A `replace` or `modify`. Its functions take `self` and the field's keys or parameters.
#[derive(Clone, Debug)]
pub struct Change {
    pub field: FieldId,
    /// How a `modify` changes the field, or `None` for `replace`.
    pub op: Option<tree::ModifyOp>,
    /// The new value, factor, addend or limit.
    pub value: FuncId,
    /// The change applies only while this is true.
    pub when: Option<FuncId>,
    /// The trait that it takes precedence over.
    pub over: Option<TraitId>,
    /// Whether other changes of the field are ignored while this one applies.
    pub alone: bool,
    pub cites: Vec<String>,
}

#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: String,
    pub data: RecordId,
    /// Whether scenarios emit it.
    pub external: bool,
    pub item: ItemId,
}

impl Event {
    /// Returns the name of the event that announces the destruction of a thing of this kind. No event in a rules text
    /// can have this name.
    pub fn of_destruction(kind: &str) -> String {
        format!("destroy of {kind}")
    }
}

/// A phase. The first locals of its function are the parameters, followed by the shared variables.
#[derive(Clone, Debug)]
pub struct Phase {
    pub name: String,
    pub func: FuncId,
    /// Number of parameters.
    pub params: usize,
    /// Shared variables: the local, and the function of the phase's parameters that computes the initial value.
    pub shares: Vec<(LocalId, FuncId)>,
    pub item: ItemId,
}

/// The event that starts a rule.
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
    /// Any action taken in this phase.
    PhaseActionStart(PhaseId),
    PhaseActionEnd(PhaseId),
}

impl Trigger {
    /// Returns the phase if the trigger fires for the actions of a single phase.
    pub fn phase_of_actions(self) -> Option<PhaseId> {
        match self {
            Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase) => Some(phase),
            _ => None,
        }
    }
}

/// A rule. Guard and body have the same parameters: `self` for a trait rule, then the event's fields in order. A rule
/// on a phase or action has no event fields; the fields of the bound name are ambients.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub on: Trigger,
    /// The trait that it belongs to.
    pub of_trait: Option<TraitId>,
    pub guard: Option<FuncId>,
    /// The guard as written.
    pub guard_text: String,
    pub func: FuncId,
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

/// A site where the machine stops for a roll, a draw or a decision.
#[derive(Clone, Debug)]
pub struct Site {
    /// The function that contains the site.
    pub func: FuncId,
    /// Name of the roll or decision; `action` for menus, `move` for moves.
    pub name: String,
    /// Stable key of a roll. It replaces the function and the name in the address of the dice.
    pub key: Option<String>,
    /// Kind of answer.
    pub sort: SiteSort,
    /// Type of one answer: a face, a candidate.
    pub ty: Type,
    /// Names of the options, for a choice among options.
    pub options: Vec<String>,
    pub span: Span,
    /// Clauses cited directly above the site. If empty, those of the function's item apply.
    pub cites: Vec<String>,
}

impl Site {
    /// Returns the address of the dice of a roll in the function named `owner`: the stable key, or else both names, as
    /// in `Volley.aim`.
    pub fn address(&self, owner: &str) -> String {
        match &self.key {
            Some(key) => key.clone(),
            None => self.qualified(owner),
        }
    }

    /// Returns the name with the function that it is in, such as `Volley.aim`.
    pub fn qualified(&self, owner: &str) -> String {
        format!("{owner}.{}", self.name)
    }
}

/// The kind of answer that a site needs.
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
    /// Returns whether the answer is random. Otherwise a player decides.
    pub fn is_chance(self) -> bool {
        matches!(self, SiteSort::Roll | SiteSort::Reroll | SiteSort::Explode | SiteSort::Draw)
    }
}

/// A variable of a running phase or action that other code uses: an action of the phase, or a rule on it. Its value
/// comes from the first case whose phase or action is the innermost running one.
#[derive(Clone, Debug)]
pub struct Ambient {
    pub name: String,
    pub ty: Type,
    /// Where the variable can be.
    pub cases: Vec<AmbientCase>,
}

/// A possible location of an ambient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AmbientCase {
    /// A local of the innermost running phase with this id.
    Phase(PhaseId, LocalId),
    /// A local of the running action, if it has this id.
    Action(ActionId, LocalId),
    /// A local of the innermost running phase with this id, if the running action has the given id.
    PhaseOfAction(ActionId, PhaseId, LocalId),
}
