//! A checked ruleset: the declarations of a ruleset and of those that it extends, merged, with ids in place of names.
//!
//! Ids index the tables of [`Ruleset`] and of its [`Schema`]. The order is always base, extension, variant, and file
//! order within each. An override keeps the position of the item that it replaces.

pub use super::clauses::{Citation, Clause, ClauseStatus};
use super::code::{Expr, Function};
pub use super::schema::*;
use grognard_base::value::*;
use grognard_base::{OrdMap, Shared, Span};
use grognard_syntax::tree;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A checked ruleset.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// Declarations.
    pub schema: Shared<Schema>,
    /// Bodies of code.
    pub functions: Shared<Vec<Function>>,
    pub actions: Shared<Vec<Action>>,
    pub policies: Shared<Vec<Policy>>,
    /// Examples as written. They are compiled when they run.
    pub examples: Shared<Vec<Example>>,
    /// Every clause that an item, row or statement cites, with its citations.
    pub cited: Shared<OrdMap<String, Vec<Citation>>>,
    /// Items that are open and not filled. A ruleset with open items can be checked but not run.
    pub open: Vec<ItemId>,
    pub names: Shared<Names>,
}

/// Declarations are available through `Deref`, as in `rules.kinds`.
impl Ruleset {
    /// Returns the actions that are available in a phase.
    pub fn actions_in(&self, phase: PhaseId) -> Vec<ActionId> {
        let all = self.actions.iter().enumerate().filter(|(_, a)| a.phases.contains(&phase));
        all.map(|(n, _)| ActionId::from(n)).collect()
    }

    /// Returns the triggers that fire at the start of an action.
    pub fn starts_of_action(&self, id: ActionId) -> Vec<Trigger> {
        let phases = self.actions[id.at()].phases.iter().map(|p| Trigger::PhaseActionStart(*p));
        [Trigger::ActionStart(id), Trigger::AnyActionStart].into_iter().chain(phases).collect()
    }

    /// Returns the triggers that fire at the end of an action.
    pub fn ends_of_action(&self, id: ActionId) -> Vec<Trigger> {
        let phases = self.actions[id.at()].phases.iter().map(|p| Trigger::PhaseActionEnd(*p));
        [Trigger::ActionEnd(id), Trigger::AnyActionEnd].into_iter().chain(phases).collect()
    }
}

impl Deref for Ruleset {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        &self.schema
    }
}

impl DerefMut for Ruleset {
    fn deref_mut(&mut self) -> &mut Schema {
        &mut self.schema
    }
}

/// Name tables. Types, traits, phases, actions, rules, events, policies, laws, tests and values are separate
/// namespaces.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Enums, chains, dice, records and kinds.
    pub types: OrdMap<String, TypeName>,
    /// Each case name with the enums that have it, and its index there.
    pub cases: OrdMap<String, Vec<(EnumId, i64)>>,
    /// Params, readings, global lets and tables, procs, states and tallies.
    pub values: OrdMap<String, ValueName>,
    /// Traits, statuses and conditions.
    pub traits: OrdMap<String, TraitId>,
    pub tests: OrdMap<String, FuncId>,
    pub phases: OrdMap<String, PhaseId>,
    pub actions: OrdMap<String, ActionId>,
    pub rules: OrdMap<String, RuleId>,
    pub events: OrdMap<String, EventId>,
    pub policies: OrdMap<String, PolicyId>,
    pub laws: OrdMap<String, LawId>,
    /// Fields by kind and name.
    pub fields: OrdMap<(KindId, String), FieldId>,
}

impl Names {
    /// Returns the param or reading with this name.
    pub fn setting(&self, name: &str) -> Option<SettingId> {
        if let Some(ValueName::Setting(id)) = self.values.get(name) { Some(*id) } else { None }
    }

    /// Returns the word of the statement that calls a test, phase, event or proc, or `None` if the name is not one.
    pub fn statement(&self, name: &str) -> Option<&'static str> {
        Some(match () {
            () if self.tests.contains_key(name) => "test",
            () if self.phases.contains_key(name) => "run",
            () if self.events.contains_key(name) => "emit",
            () if matches!(self.values.get(name), Some(ValueName::Proc(_))) => "do",
            () => return None,
        })
    }
}

impl Ruleset {
    /// Returns the item that declares a type.
    pub fn item_of_type(&self, name: TypeName) -> Option<ItemId> {
        Some(match name {
            TypeName::Enum(id) => self.enums.get(id.at())?.item,
            TypeName::Chain(id) => self.chains.get(id.at())?.item,
            TypeName::Die(id) => self.dice.get(id.at())?.item,
            TypeName::Record(id) => self.records.get(id.at())?.item,
            TypeName::Kind(id) => self.kinds.get(id.at())?.item,
        })
    }

    /// Returns the item that declares a value.
    pub fn item_of_value(&self, name: ValueName) -> Option<ItemId> {
        Some(match name {
            ValueName::Setting(id) => self.settings.get(id.at())?.item,
            ValueName::Let(id) | ValueName::Proc(id) => self.functions.get(id.at())?.item,
            ValueName::Global(id) => self.globals.get(id.at())?.item,
            ValueName::Tally(id) => self.tallies.get(id.at())?.item,
        })
    }
}

/// The referent of a capitalized type name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeName {
    Enum(EnumId),
    Chain(ChainId),
    Die(DieId),
    Record(RecordId),
    Kind(KindId),
}

/// The referent of a lowercase name outside bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ValueName {
    Setting(SettingId),
    Let(FuncId),
    Proc(FuncId),
    Global(GlobalId),
    Tally(TallyId),
}

/// An action. The body of its function runs when the action is committed. The variables of the header are its first
/// locals.
#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    /// The phases whose menu offers the action.
    pub phases: Vec<PhaseId>,
    /// The thing that acts: a value in the scope of the header (a choose, or the phase's first parameter). `None` if
    /// the phase has no parameter.
    pub actor: Option<Expr>,
    /// The header, in order.
    pub header: Vec<HeaderLine>,
    /// The function of the header and the body, which share its locals. It has no parameters.
    pub func: FuncId,
    pub item: ItemId,
}

/// A line of an action's header.
#[derive(Clone, Debug)]
#[allow(missing_docs, clippy::large_enum_variant)] // a header has only a few lines
pub enum HeaderLine {
    /// A named value.
    Let { local: LocalId, value: Expr },
    /// A single choice. The menu has an instance for each candidate.
    Choose { local: LocalId, from: super::code::Collection, filter: Option<Expr> },
    /// Subsets, routes and positions. They are chosen after the player picks the instance and before the player pays a
    /// cost.
    Late(super::code::Choose),
    /// `cites` are the clauses cited above the line. `text` is the condition as written. `reason` is the text after
    /// `else` and may be empty.
    Needs { condition: Expr, text: String, reason: String, cites: Vec<String> },
    /// A shared variable from which `amount` is subtracted. `paid` stores the amount if it can change later.
    Cost { amount: Expr, of: AmbientId, name: String, paid: Option<LocalId> },
    /// At most `times` in the innermost running `per`, counted by action and key. The default key is the actor.
    Limit { times: Expr, per: PhaseId, key: Option<Expr>, when: Option<Expr> },
}

#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Policy {
    pub name: String,
    pub entries: Vec<PolicyEntry>,
    pub item: ItemId,
}

/// A preference of a policy for one site. If a name matches several sites, each has its own entry. The entry is checked
/// in the function of its site, so the variables of that function are in scope.
#[derive(Clone, Debug)]
pub struct PolicyEntry {
    /// The site whose question the entry answers.
    pub site: PolicySite,
    pub answer: PolicyAnswer,
    /// The entry applies only if this is true. It is in the scope of the site's function or of the action's header.
    pub when: Option<Expr>,
}

/// The question that a policy entry answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PolicySite {
    Site(SiteId),
    Menu,
}

/// The answer of a policy entry.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum PolicyAnswer {
    /// The first instance of this action for which the entry's `when` is true. `when` is in the action's header scope.
    Action(ActionId),
    /// No further action.
    Stop,
    /// The answer to a `may`.
    Flag(bool),
    /// `none`, where it is a legal answer.
    None,
    /// An option of a `choose { }`, by index.
    Option(usize),
    /// The candidate with the maximum or minimum of `by`, evaluated with `entry` bound to it.
    Extreme { most: bool, entry: LocalId, by: Expr },
    /// The candidate equal to this value.
    Value(Expr),
}

/// An example as written, with its origin.
#[derive(Clone, Debug)]
pub struct Example {
    /// Syntax tree.
    pub tree: Arc<tree::Example>,
    pub cites: Vec<String>,
    /// Index of its file in [`Schema::chain`].
    pub from: usize,
    pub span: Span,
}
