//! Checks statements that call other code: procs, tests, phases, events.

use super::super::checker::ScopeSort;
use super::super::code::{Expr, Stmt, StmtKind};
use super::body::BodyChecker;
use super::signed::Callee;
use crate::index::Means;
use crate::ruleset::ValueName;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, Name};

impl BodyChecker<'_, '_> {
    /// Checks that the body can change the table. Tests cannot.
    pub fn writes(&mut self, span: Span, what: &str) -> Option<()> {
        if !matches!(self.scope.sort, ScopeSort::Test { .. }) {
            return Some(());
        }
        let name = self.own_name();
        self.wrong(Code::TestWrites, span, format!("test {name} {what}; tests can only roll and ask"))
    }

    pub fn do_call(&mut self, call: &tree::Call, into: Option<&Name>, span: Span) -> Option<StmtKind> {
        let found = self.proc_call(call);
        let result = found.as_ref().map_or(Type::Unknown, |(f, _)| self.ck.rs.functions[f.at()].result.clone());
        if result == Type::Nothing
            && let Some(name) = into
        {
            self.say(Code::WrongType, name.span, format!("`do {}(..)` does not return a value", call.name.text));
        }
        let into =
            into.map(|name| self.bind(name, if result == Type::Nothing { Type::Unknown } else { result }, false));
        self.writes(span, "calls a proc")?;
        let (func, args) = found?;
        self.keep_signed(Callee::Function(func), &args);
        Some(StmtKind::Call { func, args, into })
    }

    fn proc_call(&mut self, call: &tree::Call) -> Option<(FuncId, Vec<Expr>)> {
        let name = &call.name;
        match self.ck.rs.names.values.get(&name.text) {
            Some(ValueName::Proc(func)) => {
                let func = *func;
                self.ck.uses.functions.insert(func);
                self.ck.means(name.span, || Means::Value(ValueName::Proc(func)));
                self.note_params(func, &call.args);
                let wanted = self.signature(func);
                Some((func, self.arguments(&name.text, &wanted, &call.args, name.span)))
            }
            Some(ValueName::Let(_)) => {
                let message = format!("`{}` is a value and changes nothing", name.text);
                self.wrong_help(
                    Code::NotCallable,
                    name.span,
                    message,
                    format!("write `{}(..)` without `do`", name.text),
                )
            }
            Some(_) => self.wrong(Code::NotCallable, name.span, format!("`{}` is not a proc", name.text)),
            None => {
                let values = self.ck.rs.names.values.iter();
                let procs = values.filter(|(_, v)| matches!(v, ValueName::Proc(_))).map(|(n, _)| n.clone()).collect();
                self.no_such("proc", name, procs);
                None
            }
        }
    }

    pub fn test_call(&mut self, call: &tree::Call) -> Option<(FuncId, Vec<Expr>)> {
        let name = &call.name;
        let Some(&func) = self.ck.rs.names.tests.get(&name.text) else {
            let tests = self.ck.rs.names.tests.keys().cloned().collect();
            self.no_such("test", name, tests);
            return None;
        };
        self.ck.uses.functions.insert(func);
        self.ck.means(name.span, || Means::Test(func));
        self.note_params(func, &call.args);
        let wanted = self.signature(func);
        let args = self.arguments(&name.text, &wanted, &call.args, name.span);
        Some((func, args))
    }

    /// Checks the statement `test T(u)` or `test T(u) with ld = 4` and translates it to typed code.
    pub fn test_stmt(&mut self, call: &tree::Call, into: Option<&Name>, span: Span) -> Option<StmtKind> {
        let called = self.test_call(call);
        let figures = called.as_ref().map_or(Vec::new(), |(_, args)| self.figures(call, args));
        let ty = called.as_ref().map_or(Type::Unknown, |(f, _)| self.ck.rs.functions[f.at()].result.clone());
        let into = into.map(|name| self.bind(name, ty, false));
        let (func, args) = called?;
        let thing = args.first().cloned();
        let call = StmtKind::Call { func, args, into };
        Some(match thing {
            Some(thing) if !figures.is_empty() => {
                let call = Box::new(Stmt { kind: call, span, cites: Vec::new() });
                StmtKind::Borrowing { thing, figures, call }
            }
            _ => call,
        })
    }

    /// Checks the values that a test borrows. Returns the states that hold them, and the values.
    fn figures(&mut self, call: &tree::Call, args: &[Expr]) -> Vec<(FieldId, Expr)> {
        let mut found: Vec<(FieldId, Expr)> = Vec::new();
        for (name, value) in &call.with {
            let Some(Type::Kind(kind)) = args.first().map(|a| a.ty.clone()) else {
                let message = format!("`{}` involves no thing whose `{}` can be replaced", call.name.text, name.text);
                self.say(Code::WrongType, name.span, message);
                self.expr(value, None);
                continue;
            };
            let own = self.ck.rs.names.fields.get(&(kind, name.text.clone())).copied();
            let Some((own, held)) = own.and_then(|own| Some((own, *self.ck.borrowed.get(&own)?))) else {
                // reported at the declaration, except for a query from outside the rules
                if self.scope.sort == ScopeSort::Snippet {
                    let message =
                        format!("only rules can borrow `{}` for a test, and no rule of the book does", name.text);
                    self.say(Code::Scope, name.span, message);
                }
                self.expr(value, None);
                continue;
            };
            self.ck.uses.fields.extend([own, held]);
            self.ck.means(name.span, || Means::Field(own));
            let ty = self.ck.rs.fields[held.at()].ty.present().clone();
            let value = self.want(value, &ty);
            if found.iter().any(|(id, _)| *id == held) {
                self.say(Code::Twice, name.span, format!("`{}` is borrowed twice", name.text));
                continue;
            }
            found.push((held, value));
        }
        found
    }

    pub fn run(&mut self, call: &tree::Call, span: Span) -> Option<StmtKind> {
        self.writes(span, "runs a phase")?;
        let phase = self.phase_named(&call.name)?;
        self.ck.uses.phases.insert(phase);
        let func = self.ck.rs.phases[phase.at()].func;
        self.note_params(func, &call.args);
        let wanted = self.signature(func);
        let args = self.arguments(&call.name.text, &wanted, &call.args, call.name.span);
        Some(StmtKind::Run { phase, args })
    }

    pub fn emit(&mut self, call: &tree::Call, span: Span) -> Option<StmtKind> {
        self.writes(span, "emits an event")?;
        let Some(&event) = self.ck.rs.names.events.get(&call.name.text) else {
            let events = self.ck.rs.names.events.keys().cloned().collect();
            self.no_such("event", &call.name, events);
            return None;
        };
        self.ck.uses.events.insert(event);
        let data = self.ck.rs.events[event.at()].data;
        self.ck.means(call.name.span, || Means::Event(event));
        self.note_parts(data, &call.args);
        let wanted = self.ck.rs.records[data.at()].fields.clone();
        let args = self.arguments(&call.name.text, &wanted, &call.args, call.name.span);
        self.keep_signed(Callee::Event(event), &args);
        Some(StmtKind::Emit { event, args })
    }

    /// Looks up a phase by name. Reports an error if it does not exist.
    pub fn phase_named(&mut self, name: &Name) -> Option<PhaseId> {
        if let Some(&phase) = self.ck.rs.names.phases.get(&name.text) {
            self.ck.means(name.span, || Means::Phase(phase));
            return Some(phase);
        }
        let phases = self.ck.rs.names.phases.keys().cloned().collect();
        self.no_such("phase", name, phases);
        None
    }

    /// Reports an unknown name of this kind. Suggests the kind that has the name, or a similar name.
    fn no_such(&mut self, sort: &str, name: &Name, all: Vec<String>) {
        let Name { text, span } = name;
        let names = &self.ck.rs.names;
        let (is, help) = if names.tests.contains_key(text) {
            ("a test", format!("write `test {text}(..)`"))
        } else if names.phases.contains_key(text) {
            ("a phase", format!("write `run {text}(..)`"))
        } else if names.events.contains_key(text) {
            ("an event", format!("write `emit {text}(..)`"))
        } else if names.actions.contains_key(text) {
            (
                "an action",
                "offer it with `choose action` in a phase; put the parts that several actions share in a \
                           proc"
                    .to_string(),
            )
        } else if names.rules.contains_key(text) {
            ("a rule", "let its trigger run it; put the parts that several rules share in a proc".to_string())
        } else {
            match names.values.get(text) {
                Some(ValueName::Proc(_)) => ("a proc", format!("write `do {text}(..)`")),
                Some(ValueName::Let(_)) => {
                    ("a value", format!("write `{text}(..)` without a word before it; it changes nothing"))
                }
                _ => {
                    let near = did_you_mean(text, all.iter().map(String::as_str));
                    return self.say(Code::UnknownName, *span, format!("there is no {sort} `{text}`{near}"));
                }
            }
        };
        self.say_help(
            Code::NotCallable,
            *span,
            format!("`{text}` is {is}, not {} {sort}", crate::merge::article(sort)),
            help,
        );
    }
}
