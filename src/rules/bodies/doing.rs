//! Statements that call something else: procs, tests, phases, events.

use super::super::checker::ScopeSort;
use super::super::code::{Expr, StmtKind};
use super::body::Body;
use crate::base::{Code, Span, did_you_mean};
use crate::rules::ruleset::ValueName;
use crate::syntax::tree::{self, Name};
use crate::value::*;

impl Body<'_, '_> {
    /// Notes that the body changes the table, which tests may not.
    pub fn writes(&mut self, span: Span, what: &str) -> Option<()> {
        if !matches!(self.scope.sort, ScopeSort::Test { .. }) {
            return Some(());
        }
        let name = self.own_name();
        self.say(Code::TestWrites, span, format!("test {name} {what}; tests only roll and ask"));
        None
    }

    pub fn do_call(&mut self, call: &tree::Call, into: Option<&Name>, span: Span) -> Option<StmtKind> {
        let found = self.proc_call(call);
        let result = found.as_ref().map_or(Type::Unknown, |(f, _)| self.ck.rs.functions[f.at()].result.clone());
        if result == Type::Nothing
            && let Some(name) = into
        {
            self.say(Code::WrongType, name.span, format!("`do {}(..)` gives nothing to keep", call.name.text));
        }
        let into =
            into.map(|name| self.bind(name, if result == Type::Nothing { Type::Unknown } else { result }, false));
        self.writes(span, "calls a proc")?;
        let (func, args) = found?;
        Some(StmtKind::Call { func, args, into })
    }

    fn proc_call(&mut self, call: &tree::Call) -> Option<(FuncId, Vec<Expr>)> {
        let name = &call.name;
        match self.ck.rs.names.values.get(&name.text) {
            Some(ValueName::Proc(func)) => {
                let func = *func;
                self.ck.uses.functions.insert(func);
                let wanted = self.signature(func);
                Some((func, self.arguments(&name.text, &wanted, &call.args, name.span)))
            }
            Some(ValueName::Let(_)) => {
                let message = format!("`{}` is a value; it changes nothing", name.text);
                self.say_help(Code::NotCallable, name.span, message, format!("write `{}(..)` without `do`", name.text));
                None
            }
            Some(_) => {
                self.say(Code::NotCallable, name.span, format!("`{}` is no proc", name.text));
                None
            }
            None => {
                let values = self.ck.rs.names.values.iter();
                let procs = values.filter(|(_, v)| matches!(v, ValueName::Proc(_))).map(|(n, _)| n.as_str());
                let near = did_you_mean(&name.text, procs);
                self.say(Code::UnknownName, name.span, format!("no proc `{}`{near}", name.text));
                None
            }
        }
    }

    pub fn test_call(&mut self, call: &tree::Call) -> Option<(FuncId, Vec<Expr>)> {
        let name = &call.name;
        let Some(&func) = self.ck.rs.names.tests.get(&name.text) else {
            let near = did_you_mean(&name.text, self.ck.rs.names.tests.keys().map(String::as_str));
            self.say(Code::UnknownName, name.span, format!("no test `{}`{near}", name.text));
            return None;
        };
        self.ck.uses.functions.insert(func);
        let wanted = self.signature(func);
        let args = self.arguments(&name.text, &wanted, &call.args, name.span);
        Some((func, args))
    }

    pub fn run(&mut self, call: &tree::Call, span: Span) -> Option<StmtKind> {
        self.writes(span, "runs a phase")?;
        let phase = self.phase_named(&call.name)?;
        self.ck.uses.phases.insert(phase);
        let func = self.ck.rs.phases[phase.at()].func;
        let wanted = self.signature(func);
        let args = self.arguments(&call.name.text, &wanted, &call.args, call.name.span);
        Some(StmtKind::Run { phase, args })
    }

    pub fn emit(&mut self, call: &tree::Call, span: Span) -> Option<StmtKind> {
        self.writes(span, "emits an event")?;
        let Some(&event) = self.ck.rs.names.events.get(&call.name.text) else {
            let near = did_you_mean(&call.name.text, self.ck.rs.names.events.keys().map(String::as_str));
            self.say(Code::UnknownName, call.name.span, format!("no event `{}`{near}", call.name.text));
            return None;
        };
        self.ck.uses.events.insert(event);
        let data = self.ck.rs.events[event.at()].data;
        let wanted = self.ck.rs.records[data.at()].fields.clone();
        let args = self.arguments(&call.name.text, &wanted, &call.args, call.name.span);
        Some(StmtKind::Emit { event, args })
    }

    /// A phase by its name.
    pub fn phase_named(&mut self, name: &Name) -> Option<PhaseId> {
        if let Some(&phase) = self.ck.rs.names.phases.get(&name.text) {
            return Some(phase);
        }
        let near = did_you_mean(&name.text, self.ck.rs.names.phases.keys().map(String::as_str));
        self.say(Code::UnknownName, name.span, format!("no phase `{}`{near}", name.text));
        None
    }
}
