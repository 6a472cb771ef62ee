//! A checked ruleset: every declaration of a ruleset and of those below it, merged, with ids for names.
//!
//! Ids index the tables of [`Ruleset`] and of its [`Schema`]. Order is always: base, extension,
//! variant; file order inside; an override keeps the place of what it replaces.

pub use super::clauses::{Citation, Clause, ClauseStatus};
use super::code::{Expr, Function};
pub use super::schema::*;
use grognard_base::value::*;
use grognard_base::{OrdMap, Shared, Span};
use grognard_syntax::tree;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Everything a ruleset says.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// What it declares.
    pub schema: Shared<Schema>,
    /// Bodies of code.
    pub functions: Shared<Vec<Function>>,
    /// Actions.
    pub actions: Shared<Vec<Action>>,
    /// Policies.
    pub policies: Shared<Vec<Policy>>,
    /// Examples, as written; they are compiled when they are run.
    pub examples: Shared<Vec<Example>>,
    /// Every clause some item, row or statement cites, with who cites it.
    pub cited: Shared<OrdMap<String, Vec<Citation>>>,
    /// Items that are open and not filled: the ruleset can be checked, not run.
    pub open: Vec<ItemId>,
    /// Names.
    pub names: Shared<Names>,
}

/// Its declarations are read as its own: `rules.kinds`.
impl Ruleset {
    /// The actions that may be taken in a phase.
    pub fn actions_in(&self, phase: PhaseId) -> Vec<ActionId> {
        let all = self.actions.iter().enumerate().filter(|(_, a)| a.phases.contains(&phase));
        all.map(|(n, _)| ActionId::from(n)).collect()
    }

    /// What rules on the start of an action wait for.
    pub fn starts_of_action(&self, id: ActionId) -> Vec<Trigger> {
        let phases = self.actions[id.at()].phases.iter().map(|p| Trigger::PhaseActionStart(*p));
        [Trigger::ActionStart(id), Trigger::AnyActionStart].into_iter().chain(phases).collect()
    }

    /// What rules on the end of an action wait for.
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

/// Name spaces: types, traits, phases, actions, rules, events, policies, laws, tests, and one for values.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Enums, chains, dice, records, kinds.
    pub types: OrdMap<String, TypeName>,
    /// Case name to every enum that has it, with its place there.
    pub cases: OrdMap<String, Vec<(EnumId, i64)>>,
    /// Params, readings, global lets and tables, procs, states, tallies.
    pub values: OrdMap<String, ValueName>,
    /// Traits, statuses, conditions.
    pub traits: OrdMap<String, TraitId>,
    /// Tests.
    pub tests: OrdMap<String, FuncId>,
    /// Phases.
    pub phases: OrdMap<String, PhaseId>,
    /// Actions.
    pub actions: OrdMap<String, ActionId>,
    /// Rules.
    pub rules: OrdMap<String, RuleId>,
    /// Events.
    pub events: OrdMap<String, EventId>,
    /// Policies.
    pub policies: OrdMap<String, PolicyId>,
    /// Laws.
    pub laws: OrdMap<String, LawId>,
    /// Fields by kind and name.
    pub fields: OrdMap<(KindId, String), FieldId>,
}

impl Names {
    /// The param or the reading of a name.
    pub fn setting(&self, name: &str) -> Option<SettingId> {
        if let Some(ValueName::Setting(id)) = self.values.get(name) { Some(*id) } else { None }
    }
}

impl Ruleset {
    /// What declares a type.
    pub fn item_of_type(&self, name: TypeName) -> Option<ItemId> {
        Some(match name {
            TypeName::Enum(id) => self.enums.get(id.at())?.item,
            TypeName::Chain(id) => self.chains.get(id.at())?.item,
            TypeName::Die(id) => self.dice.get(id.at())?.item,
            TypeName::Record(id) => self.records.get(id.at())?.item,
            TypeName::Kind(id) => self.kinds.get(id.at())?.item,
        })
    }

    /// What declares a value.
    pub fn item_of_value(&self, name: ValueName) -> Option<ItemId> {
        Some(match name {
            ValueName::Setting(id) => self.settings.get(id.at())?.item,
            ValueName::Let(id) | ValueName::Proc(id) => self.functions.get(id.at())?.item,
            ValueName::Global(id) => self.globals.get(id.at())?.item,
            ValueName::Tally(id) => self.tallies.get(id.at())?.item,
        })
    }
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
    /// A name for a value.
    Let { local: LocalId, value: Expr },
    /// A single choice: the menu has an instance for each.
    Choose { local: LocalId, from: super::code::Collection, filter: Option<Expr> },
    /// Asked after the instance is picked and before anything is paid: subsets, routes, spots.
    Late(super::code::Choose),
    /// `cites` as written above it; `text` is the condition as written; `reason` the words after `else`, maybe empty.
    Needs { condition: Expr, text: String, reason: String, cites: Vec<String> },
    /// A shared variable from which `amount` is taken; `paid` remembers an amount that may be another one later.
    Cost { amount: Expr, of: AmbientId, name: String, paid: Option<LocalId> },
    /// At most `times` in the innermost running `per`, counted by action and key (default: the actor).
    Limit { times: Expr, per: PhaseId, key: Option<Expr>, when: Option<Expr> },
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
    /// To act no more.
    Stop,
    /// Yes or no of a `may`.
    Flag(bool),
    /// Nobody, where that may be taken.
    None,
    /// An option of a `choose { }` by its place.
    Option(usize),
    /// The candidate with the most or least of this, `entry` bound.
    Extreme { most: bool, entry: LocalId, by: Expr },
    /// The candidate equal to this.
    Value(Expr),
}

/// An example as written, and where it comes from.
#[derive(Clone, Debug)]
pub struct Example {
    /// The tree.
    pub tree: Arc<tree::Example>,
    /// Clauses.
    pub cites: Vec<String>,
    /// Index of its file in [`Schema::chain`].
    pub from: usize,
    /// Where it stands.
    pub span: Span,
}
