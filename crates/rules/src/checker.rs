//! The checker: what it knows while it works, and the order in which bodies are checked.
//!
//! `decls` fills the tables of the [`Ruleset`] and leaves every body as [`Pending`]; `bodies` turns a body into code.
//! A body is checked when somebody needs its result, so declarations may stand in any order.

use super::bodies::{Notes, Uses};
use super::index::Noted;
use super::ruleset::Ruleset;
use crate::bodies::signed::SignedArgument;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, Span};
use grognard_syntax::tree;

/// What one run of the checker has found so far.
pub struct Checker<'a> {
    /// The ruleset as far as it is known.
    pub rs: Ruleset,
    /// Findings, in any order; sorted by place at the end.
    pub problems: Vec<Diagnostic>,
    /// One per function of `rs.functions`.
    pub pending: Vec<Pending<'a>>,
    /// Things a scenario or an example knows by name: kind and number.
    pub things: &'a dyn Fn(&str) -> Option<(KindId, i64)>,
    /// Figures that some test borrows, each with the state that holds it meanwhile.
    pub borrowed: OrdMap<FieldId, FieldId>,
    /// What the bodies checked so far make use of.
    pub uses: Uses,
    /// What `bodies` remembers between two bodies.
    pub notes: Notes<'a>,
    /// Arguments that may be below 0.
    pub signed: Vec<SignedArgument>,
    /// Where names are written and what they mean, if somebody wants to know.
    pub noted: Option<Box<Noted>>,
}

/// How far a body is.
#[allow(missing_docs)] // parts of a form are told of where the form is
pub enum Pending<'a> {
    /// Checked (or there is nothing to check).
    Done,
    /// Being checked: asking for its result now is a circle.
    Doing,
    /// A value: `expected` is its annotated type.
    Value { scope: Scope, expr: &'a tree::Expr, expected: Option<Type> },
    /// A table.
    Table { scope: Scope, table: &'a tree::Table },
    /// Statements.
    Block { scope: Scope, block: &'a tree::Block },
    /// An action: its header fills `rs.actions[id]`.
    Action { scope: Scope, action: ActionId, tree: &'a tree::Action },
}

/// What a body may see and do.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What the body belongs to.
    pub sort: ScopeSort,
    /// Parameters, which become the first locals; a thing called `self` first if there is one.
    pub params: Vec<(String, Type, Span)>,
    /// True if parameter 0 is `self`, whose fields are bare names here.
    pub has_self: bool,
    /// Names that stand for variables of the running phase (actions, and the phases they run in).
    pub ambients: Vec<(String, AmbientId)>,
    /// The bound name of a rule on a phase or action: `a` in `a.unit`.
    pub bound: Option<(String, super::ruleset::Trigger)>,
    /// The bound name of a rule on an event: `s` in `s.target`; the event's fields are the parameters after self.
    pub event: Option<(String, EventId)>,
    /// The declared result; None if it is inferred (lets) or nothing (rules).
    pub result: Option<Type>,
    /// Shared variables of a phase (their defaults are functions of their own): they become the locals after the parameters.
    pub shares: Vec<(String, Type, Span)>,
}

/// What a body belongs to.
#[allow(missing_docs)] // parts of a form are told of where the form is
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeSort {
    /// Let, table, guard, law, bound, default: pure.
    Value,
    /// May roll, ask, and set its own variables. The record is its result; its grade enum, if it grades;
    /// `gives`: fields are only those of the record as declared (extern tests).
    Test { record: RecordId, grade: Option<EnumId>, gives: bool },
    /// May do everything.
    Proc,
    /// A phase.
    Phase(PhaseId),
    /// An action.
    Action(ActionId),
    /// The body of a rule; `phase_rule` if it waits for a phase or action (then `end P` may stand there).
    Rule { phase_rule: bool },
    /// A string of a scenario or example: pure, or one statement; may read tallies and say `was`.
    Snippet,
}

impl<'a> Checker<'a> {
    /// A checker at the start: tables that are filled so far, and the names of things.
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
    /// Notes a finding.
    pub fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message));
    }
}
