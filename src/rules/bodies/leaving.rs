//! Statements that leave a body or a phase, or speak the verdict of a test.

use super::super::checker::ScopeSort;
use super::super::code::StmtKind;
use super::body::Body;
use crate::base::{Code, Span};
use crate::rules::ruleset::Trigger;
use crate::syntax::tree::{self, Name};
use crate::value::*;

impl Body<'_, '_> {
    pub fn return_stmt(&mut self, value: Option<&tree::Expr>, span: Span) -> Option<StmtKind> {
        if let ScopeSort::Test { .. } = self.scope.sort {
            self.say(Code::Scope, span, "a test gives its result by `pass when` or `grade`, not by `return`");
            return None;
        }
        let result = self.scope.result.clone().filter(|t| *t != Type::Nothing);
        match (value, result) {
            (Some(value), Some(ty)) => Some(StmtKind::Return(Some(self.within(value, &ty)))),
            (None, None) => Some(StmtKind::Return(None)),
            (Some(value), None) => {
                let value = self.expr(value, None);
                let name = self.own_name();
                let message = format!("`{name}` gives no value");
                self.say_help(Code::WrongType, value.span, message, "write `-> T` after its parameters");
                None
            }
            (None, Some(ty)) => {
                let (name, ty) = (self.own_name(), self.type_name(&ty));
                self.say(Code::NoResult, span, format!("`{name}` gives {ty}, and here it returns without one"));
                Some(StmtKind::Return(None))
            }
        }
    }

    /// The phases that `end P` may end here; none means any.
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
            let message =
                format!("`end {0}` may stand in {0}, in its actions and in rules on them; not here", name.text);
            self.say(Code::Scope, span, message);
            return None;
        }
        Some(StmtKind::End(phase))
    }

    pub fn cancel(&mut self, span: Span) -> Option<StmtKind> {
        let on = self.ck.rs.rules.iter().find(|r| r.func == self.func).map(|r| r.on);
        let on = on.or(self.scope.bound.as_ref().map(|(_, on)| *on));
        if matches!(on, Some(Trigger::ActionStart(_) | Trigger::AnyActionStart | Trigger::PhaseActionStart(_))) {
            return Some(StmtKind::CancelAction);
        }
        self.say(Code::Scope, span, "`cancel action` stands only in a rule on the start of an action");
        None
    }

    /// A verdict belongs to a test.
    pub fn verdict(&mut self, span: Span, word: &str) -> Option<Option<EnumId>> {
        match self.scope.sort {
            ScopeSort::Test { grade, .. } => Some(grade),
            _ => {
                self.say(Code::Scope, span, format!("`{word}` gives the result of a test; this is none"));
                None
            }
        }
    }

    pub fn grade(&mut self, value: &tree::Expr, span: Span) -> Option<StmtKind> {
        let Some(of) = self.verdict(span, "grade")? else {
            let help = "write `-> Grade` after the parameters, `Grade` being an enum";
            self.say_help(Code::TestPath, span, "this test declares no grade", help);
            self.expr(value, None);
            return None;
        };
        Some(StmtKind::Grade(self.want(value, &Type::Enum(of))))
    }
}
