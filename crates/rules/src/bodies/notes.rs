//! Results of checking bodies besides their code: the items that they use, and the scopes at their sites.

use super::super::checker::Scope;
use super::body::NameInScope;
use crate::code::{Expr, Function};
use grognard_base::value::*;
use grognard_base::{Code, OrdMap, OrdSet, Span};
use grognard_syntax::tree;

/// Everything that a body reads, calls or names. An item in none of these sets is unused.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Params and readings.
    pub settings: IdSet<SettingId>,
    /// Lets, tables, tests and procs.
    pub functions: IdSet<FuncId>,
    /// Stats, states, links and derived values.
    pub fields: IdSet<FieldId>,
    /// Traits, statuses and conditions.
    pub traits: IdSet<TraitId>,
    /// Top-level states.
    pub globals: IdSet<GlobalId>,
    pub tallies: IdSet<TallyId>,
    /// Events that are emitted.
    pub events: IdSet<EventId>,
    /// Phases that are run.
    pub phases: IdSet<PhaseId>,
    /// Declared dice. They are used through types, as are records and kinds.
    pub dice: IdSet<DieId>,
}

/// State that the checker of bodies keeps from one body to the next.
#[derive(Default)]
pub struct Notes<'a> {
    /// Syntax trees of checked values. The guard of a rule is read again for the body of the rule.
    pub(super) values: OrdMap<FuncId, &'a tree::Expr>,
    /// The scope at each site of the ruleset, for policies.
    pub(super) sites: Vec<SiteNote>,
    /// Reported diagnostics, so that each is reported once.
    pub(super) said: OrdSet<(Code, Option<Span>)>,
    /// Functions with an inferred type.
    pub(super) inferred: IdSet<FuncId>,
    pub(super) guards: Guards,
    /// Current nesting depth of expressions.
    pub(super) levels: usize,
    /// Current depth of bodies that wait for other bodies.
    pub(super) depth: usize,
}

#[derive(Default)]
pub(super) struct Guards {
    /// Number of rules when the table was built.
    pub rules: usize,
    /// The guard of each rule, by its body.
    pub of: OrdMap<FuncId, FuncId>,
    pub guards: IdSet<FuncId>,
}

/// The scope at a site.
#[derive(Clone, Debug)]
pub(super) struct SiteNote {
    /// The scope of the body that contains the site.
    pub scope: Scope,
    /// The names in scope before the site binds its own.
    pub names: Vec<NameInScope>,
    /// The candidate, with its type and its other name in a loop.
    pub entry: Option<(LocalId, Type, Option<String>)>,
}

/// A scripted pick from an action menu, such as `IssueOrder(officer: voss, target: laans)`.
#[derive(Clone, Debug)]
pub struct MenuPick {
    pub action: ActionId,
    /// Choices of the header with their values, by the local of the action's function. The values are expressions of
    /// `function`.
    pub given: Vec<(LocalId, Expr)>,
    /// The variables that the values need. The function has no parameters, and its body is not used.
    pub function: Function,
}
