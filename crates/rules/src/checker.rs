//! The checker: its state, and the order in which bodies are checked.
//!
//! `declare` fills the tables of the [`Ruleset`] and leaves every body as [`Pending`]. `bodies` turns a body into code.
//! A body is checked when its result is first needed, so declarations can appear in any order.

use super::bodies::{Notes, Uses};
use super::index::Noted;
use super::ruleset::Ruleset;
use crate::bodies::signed::SignedArgument;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, Span};
use grognard_syntax::tree;

/// The state of one run of the checker.
pub struct Checker<'a> {
    /// The ruleset so far.
    pub rs: Ruleset,
    /// Diagnostics in any order. They are sorted by position at the end.
    pub problems: Vec<Diagnostic>,
    /// State of each body, indexed like `rs.functions`.
    pub pending: Vec<Pending<'a>>,
    /// Looks up a thing that a scenario or an example names. Returns its kind and index.
    pub things: &'a dyn Fn(&str) -> Option<(KindId, i64)>,
    /// Fields that a test borrows, each with the state that holds the borrowed value during the test.
    pub borrowed: OrdMap<FieldId, FieldId>,
    /// Everything that the bodies checked so far use.
    pub uses: Uses,
    /// State that `bodies` keeps between two bodies.
    pub notes: Notes<'a>,
    /// Arguments that can be negative.
    pub signed: Vec<SignedArgument>,
    /// References for the index of names, if it was requested.
    pub noted: Option<Box<Noted>>,
}

/// Progress of a body.
#[allow(missing_docs)] // the parts of a variant are documented at the variant
pub enum Pending<'a> {
    /// The body is checked, or there is nothing to check.
    Done,
    /// The check is in progress. A request for the result now is a cycle.
    Doing,
    /// A value. `expected` is its annotated type.
    Value { scope: Scope, expr: &'a tree::Expr, expected: Option<Type> },
    /// A table.
    Table { scope: Scope, table: &'a tree::Table },
    /// Statements.
    Block { scope: Scope, block: &'a tree::Block },
    /// An action. Its header fills `rs.actions[id]`.
    Action { scope: Scope, action: ActionId, tree: &'a tree::Action },
}

/// The names and effects that a body can use.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The kind of owner of the body.
    pub sort: ScopeSort,
    /// Parameters, which become the first locals. A thing called `self` comes first if there is one.
    pub params: Vec<(String, Type, Span)>,
    /// Whether parameter 0 is `self`, whose fields are bare names here.
    pub has_self: bool,
    /// Names of variables of the running phase, in actions and in the phases they run in.
    pub ambients: Vec<(String, AmbientId)>,
    /// The bound name of a rule on a phase or action: `a` in `a.unit`.
    pub bound: Option<(String, super::ruleset::Trigger)>,
    /// The bound name of a rule on an event: `s` in `s.target`. The event's fields are the parameters after `self`.
    pub event: Option<(String, EventId)>,
    /// The declared result. `None` if it is inferred (lets) or there is none (rules).
    pub result: Option<Type>,
    /// Shared variables of a phase, which become the locals after the parameters. Their defaults are separate
    /// functions.
    pub shares: Vec<(String, Type, Span)>,
}

/// The kind of owner of a body.
#[allow(missing_docs)] // the parts of a variant are documented at the variant
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeSort {
    /// Let, table, guard, law, bound or default: pure.
    Value,
    /// A test. It can roll, start decisions, and set its own variables. `record` is its result type, and `grade` its
    /// grade enum. With `gives`, the result has exactly the declared fields (extern tests).
    Test { record: RecordId, grade: Option<EnumId>, gives: bool },
    /// A proc. All effects are allowed.
    Proc,
    /// A phase.
    Phase(PhaseId),
    /// An action.
    Action(ActionId),
    /// The body of a rule. `phase_rule` is set if it waits for a phase or action, in which case it can contain `end P`.
    Rule { phase_rule: bool },
    /// A string of a scenario or example: pure, or one statement. It can read tallies and use `was`.
    Snippet,
}

impl<'a> Checker<'a> {
    /// Creates a checker from the tables that are filled so far and the names of things.
    pub fn new(rs: Ruleset, things: &'a dyn Fn(&str) -> Option<(KindId, i64)>) -> Self {
        Checker {
            rs,
            problems: Vec::new(),
            pending: Vec::new(),
            things,
            borrowed: OrdMap::new(),
            uses: Uses::default(),
            notes: Notes::default(),
            signed: Vec::new(),
            noted: None,
        }
    }
}

impl Checker<'_> {
    /// Reports a diagnostic at `span`.
    pub fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message));
    }
}
