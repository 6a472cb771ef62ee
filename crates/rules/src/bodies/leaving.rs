//! Checks statements that leave a body or a phase, or set the verdict of a test.

use super::super::checker::ScopeSort;
use super::super::code::{Expr, ExprKind, SetOp, Stmt, StmtKind, Target};
use super::body::{BodyChecker, expr};
use super::coerce::op;
use super::triggers::Outer;
use crate::ruleset::{AmbientCase, HeaderLine, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, Name};

impl BodyChecker<'_, '_> {
    pub fn return_stmt(&mut self, value: Option<&tree::Expr>, span: Span) -> Option<StmtKind> {
        if let ScopeSort::Test { .. } = self.scope.sort {
            let message = "a test returns its result with `pass when` or `grade`, not with `return`";
            return self.wrong_help(
                Code::Scope,
                span,
                message,
                "write `pass when ..` with the condition, as its last line",
            );
        }
        let result = self.scope.result.clone().filter(|t| *t != Type::Nothing);
        match (value, result) {
            (Some(value), Some(ty)) => Some(StmtKind::Return(Some(self.within(value, &ty)))),
            (None, None) => Some(StmtKind::Return(None)),
            (Some(value), None) => {
                let value = self.expr(value, None);
                let name = self.own_name();
                let message = format!("`{name}` does not return a value");
                self.wrong_help(Code::WrongType, value.span, message, "write `-> T` after its parameters")
            }
            (None, Some(ty)) => {
                let (name, ty) = (self.own_name(), self.type_name(&ty));
                self.say(Code::NoResult, span, format!("`{name}` returns {ty}, but this `return` has no value"));
                Some(StmtKind::Return(None))
            }
        }
    }

    /// Returns the phases that `end P` can end here. `None` means any phase.
    fn endable(&mut self) -> Option<Vec<PhaseId>> {
        match self.scope.sort {
            ScopeSort::Phase(phase) => Some(vec![phase]),
            ScopeSort::Action(action) => Some(self.ck.rs.actions[action.at()].phases.clone()),
            ScopeSort::Rule { phase_rule: true } => {
                let on = self.ck.rs.rules.iter().find(|r| r.func == self.func).map(|r| r.on);
                match on.or(self.scope.bound.as_ref().map(|(_, on)| *on)) {
                    Some(Trigger::PhaseStart(phase) | Trigger::PhaseEnd(phase)) => Some(vec![phase]),
                    Some(Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase)) => Some(vec![phase]),
                    Some(Trigger::ActionStart(action) | Trigger::ActionEnd(action)) => {
                        Some(self.ck.rs.actions[action.at()].phases.clone())
                    }
                    _ => None,
                }
            }
            ScopeSort::Rule { phase_rule: false }
            | ScopeSort::Value
            | ScopeSort::Test { .. }
            | ScopeSort::Proc
            | ScopeSort::Snippet => Some(Vec::new()),
        }
    }

    pub fn end_phase(&mut self, name: &Name, span: Span) -> Option<StmtKind> {
        let phase = self.phase_named(name)?;
        if self.endable().is_some_and(|phases| !phases.contains(&phase)) {
            let message = format!("`end {0}` is allowed only in {0}, in its actions and in rules on them", name.text);
            return self.wrong(Code::Scope, span, message);
        }
        Some(StmtKind::End(phase))
    }

    pub fn cancel(&mut self, returned: bool, span: Span) -> Option<StmtKind> {
        let on = self.ck.rs.rules.iter().find(|r| r.func == self.func).map(|r| r.on);
        let actions = match (self.scope.sort, on.or(self.scope.bound.as_ref().map(|(_, on)| *on))) {
            (ScopeSort::Action(action), _) | (_, Some(Trigger::ActionStart(action))) => vec![action],
            (_, Some(Trigger::PhaseActionStart(phase))) => {
                self.named.clone().unwrap_or_else(|| self.ck.rs.actions_in(phase))
            }
            (_, Some(Trigger::AnyActionStart)) => {
                self.named.clone().unwrap_or_else(|| (0..self.ck.rs.actions.len()).map(ActionId::from).collect())
            }
            _ => {
                let message = "`cancel action` is allowed only in an action or in a rule on the start of one";
                return self.wrong(Code::Scope, span, message);
            }
        };
        if !returned {
            return Some(StmtKind::CancelAction(Vec::new()));
        }
        let given: Vec<_> = actions.iter().filter_map(|action| self.cost_returned(*action, span)).collect();
        if given.is_empty() {
            self.say(Code::Scope, span, "no cost to return: none of these actions has a `cost` in its header");
        }
        // actions without a cost still need an arm, because the arms identify the running action
        let unpaid =
            (given.len() == 1 && actions.len() > 1).then(|| (expr(ExprKind::Const(0), Type::Flag, span), Vec::new()));
        Some(StmtKind::CancelAction(given.into_iter().chain(unpaid).collect()))
    }

    /// Returns the assignments that refund the cost of an action, and the condition that it is the running one.
    fn cost_returned(&mut self, action: ActionId, span: Span) -> Option<(Expr, Vec<Stmt>)> {
        let own = self.scope.sort == ScopeSort::Action(action);
        if !own {
            let func = self.ck.rs.actions[action.at()].func;
            self.ck.ensure(func);
        }
        let mut stmts = Vec::new();
        for line in self.ck.rs.actions[action.at()].header.clone() {
            let HeaderLine::Cost { amount, of, paid, .. } = line else { continue };
            let from = match (paid, &amount.kind) {
                (Some(local), _) => Some(local),
                (None, ExprKind::Local(local)) => Some(*local),
                _ => None,
            };
            let value = match from {
                None => amount,
                Some(local) if own => expr(ExprKind::Local(local), amount.ty, span),
                Some(local) => {
                    let cases = vec![AmbientCase::Action(action, local)];
                    let name = "its cost".to_string();
                    let id = self.ck.ambient(&Outer { name, ty: amount.ty.clone(), cases, writable: false });
                    expr(ExprKind::Ambient(id), amount.ty, span)
                }
            };
            let kind = StmtKind::Set { target: Target::Ambient(of), op: SetOp::Add, value, one: false, until: None };
            stmts.push(Stmt { kind, span, cites: Vec::new() });
        }
        let which = vec![
            expr(ExprKind::ActionName, Type::INT, span),
            expr(ExprKind::Const(i64::from(action.0)), Type::INT, span),
        ];
        (!stmts.is_empty()).then(|| (op(Op::Eq, which, Type::Flag).at(span), stmts))
    }

    /// Checks that a verdict is in a test.
    pub fn verdict(&mut self, span: Span, word: &str) -> Option<Option<EnumId>> {
        match self.scope.sort {
            ScopeSort::Test { grade, .. } => Some(grade),
            _ => self.wrong(Code::Scope, span, format!("`{word}` sets the result of a test, and this is not a test")),
        }
    }

    pub fn grade(&mut self, value: &tree::Expr, span: Span) -> Option<StmtKind> {
        let Some(of) = self.verdict(span, "grade")? else {
            let help = "write `-> Grade` after the parameters, where `Grade` is an enum";
            self.say_help(Code::TestPath, span, "this test declares no grade", help);
            self.expr(value, None);
            return None;
        };
        Some(StmtKind::Grade(self.want(value, &Type::Enum(of))))
    }
}
