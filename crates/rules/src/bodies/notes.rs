//! What bodies leave behind besides their code: what they use, and what can be seen at the places where play stops.

use super::super::checker::Scope;
use super::body::NameInScope;
use crate::code::{Expr, Function};
use grognard_base::value::*;
use grognard_base::{Code, OrdMap, OrdSet, Span};
use grognard_syntax::tree;

/// Everything that some body reads, calls or names; what is in none of these sets is unused.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Params and readings.
    pub settings: IdSet<SettingId>,
    /// Lets, tables, tests and procs.
    pub functions: IdSet<FuncId>,
    /// Stats, states, links and derived values.
    pub fields: IdSet<FieldId>,
    /// Traits, statuses, conditions.
    pub traits: IdSet<TraitId>,
    /// Top-level states.
    pub globals: IdSet<GlobalId>,
    /// Tallies.
    pub tallies: IdSet<TallyId>,
    /// Events that are emitted.
    pub events: IdSet<EventId>,
    /// Phases that are run.
    pub phases: IdSet<PhaseId>,
    /// Declared dice, records and kinds are used through types; these are the dice.
    pub dice: IdSet<DieId>,
}

/// What the checker of bodies remembers from one body to the next.
#[derive(Default)]
pub struct Notes<'a> {
    /// The trees of values that were checked: the guard of a rule is read again for its body.
    pub(super) values: OrdMap<FuncId, &'a tree::Expr>,
    /// One per site of the ruleset: what policies may speak of there.
    pub(super) sites: Vec<SiteNote>,
    /// Findings that were noted, so that each is noted once.
    pub(super) said: OrdSet<(Code, Option<Span>)>,
    /// Values whose type was not written.
    pub(super) inferred: IdSet<FuncId>,
    /// Guards of rules.
    pub(super) guards: Guards,
    /// How deep the expressions at hand nest.
    pub(super) levels: usize,
    /// How deep bodies ask for bodies.
    pub(super) depth: usize,
}

/// Guards of rules.
#[derive(Default)]
pub(super) struct Guards {
    /// How many rules there were when this was read.
    pub rules: usize,
    /// The guard of each rule by its body.
    pub of: OrdMap<FuncId, FuncId>,
    /// All guards.
    pub guards: IdSet<FuncId>,
}

/// What can be seen at a site.
#[derive(Clone, Debug)]
pub(super) struct SiteNote {
    /// The scope of the body it stands in.
    pub scope: Scope,
    /// The names in sight, before the site binds its own.
    pub names: Vec<NameInScope>,
    /// The candidate, with its type and the other name it goes by in a loop.
    pub entry: Option<(LocalId, Type, Option<String>)>,
}

/// A scripted pick from an action menu, such as `IssueOrder(officer: voss, target: laans)`.
#[derive(Clone, Debug)]
pub struct MenuPick {
    /// The action.
    pub action: ActionId,
    /// Choices of its header that are given, each by the local of the action's function; their values are
    /// expressions of `function`.
    pub given: Vec<(LocalId, Expr)>,
    /// Holds the variables the values need; it has no parameters and no body of its own.
    pub function: Function,
}
