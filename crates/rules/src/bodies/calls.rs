//! Checks calls: the callee and the arguments.

use super::super::checker::Pending;
use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr, unknown};
use super::foreign::{called_elsewhere, called_with};
use crate::index::Means;
use crate::merge::head::short_text;
use crate::ruleset::{TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span, did_you_mean};
use grognard_syntax::tree::{self, Arg, ExprKind as Tree};

impl BodyChecker<'_, '_> {
    /// Checks `f(..)` as a value.
    pub fn call(&mut self, callee: &tree::Expr, args: &[Arg], hint: Option<&Type>, span: Span) -> Expr {
        match &callee.kind {
            Tree::Field(base, name) => self.field(base, name, Some(args), span),
            Tree::Upper(name) => self.make(name, args, callee.span, span),
            Tree::Name(name) if self.find(name).is_none() && self.ambient(name).is_none() => {
                self.call_name(name, args, hint, callee.span, span)
            }
            Tree::Name(name) => self.hidden_by_local(name, callee.span),
            _ => self.wrong(Code::NotCallable, callee.span, "this cannot be called"),
        }
    }

    /// Reports a call of a local, a parameter or a variable of the phase. It can hide a builtin, a `let` or a proc.
    fn hidden_by_local(&mut self, name: &str, at: Span) -> Expr {
        let local = self.find(name).map(|seen| (seen.span, seen.local.at() < self.scope.params.len()));
        let what = match local {
            Some((_, true)) => "a parameter",
            Some((_, false)) => "a local",
            None => "a variable of the phase",
        };
        let hides = match self.ck.rs.names.values.get(name) {
            Some(ValueName::Let(_)) => format!("the `let {name}`"),
            Some(ValueName::Proc(_)) => format!("the proc `{name}`"),
            _ if Op::builtin(name).is_some() => format!("the builtin `{name}`"),
            _ => {
                let message = format!("`{name}` is {what} here and cannot be called");
                return self.wrong(Code::NotCallable, at, message);
            }
        };
        let message = format!("`{name}` is {what} here and hides {hides}");
        let mut found = Diagnostic::new(Code::NotCallable, at, message);
        found = found.help(format!("rename {} `{name}`, so that the call finds {hides}", what.replacen('a', "the", 1)));
        if let Some((span, _)) = local.filter(|(span, _)| *span != Span::default()) {
            found = found.and(span, "declared here");
        }
        self.report(found);
        unknown(at)
    }

    fn call_name(&mut self, name: &str, args: &[Arg], hint: Option<&Type>, at: Span, span: Span) -> Expr {
        if let Some(me) = self.own_thing(at)
            && let Type::Kind(kind) = me.ty
            && self.has_field(kind, name)
        {
            let name = tree::Name { text: name.to_string(), span: at };
            return self.field_of(me, &name, Some(args), span);
        }
        let found = self.ck.rs.names.values.get(name).copied();
        if let Some(found) = found {
            self.ck.means(at, || Means::Value(found));
        }
        match found {
            Some(ValueName::Let(func)) => {
                let before = self.ck.problems.len();
                let value = self.call_let(func, args, span);
                if Op::builtin(name).is_some() {
                    for found in self.ck.problems[before..]
                        .iter_mut()
                        .filter(|found| matches!(found.code, Code::Arity | Code::WrongType))
                    {
                        found.help = hidden(name);
                    }
                }
                value
            }
            Some(ValueName::Proc(_)) => {
                let help = match Op::builtin(name) {
                    Some(_) => hidden(name),
                    None => format!("put it on a separate line: `let x = do {name}(..)`"),
                };
                self.wrong_help(Code::Effect, at, format!("`do {name}(..)` changes things and is not a value"), help)
            }
            Some(ValueName::Setting(_) | ValueName::Global(_) | ValueName::Tally(_)) => {
                self.wrong(Code::NotCallable, at, format!("`{name}` is a value and cannot be called"))
            }
            None => match Op::builtin(name) {
                Some(op) => self.builtin(op, args, hint, at, span),
                None => self.no_such_call(name, args, at),
            },
        }
    }

    fn no_such_call(&mut self, name: &str, args: &[Arg], at: Span) -> Expr {
        if let Some((here, help)) = called_elsewhere(name) {
            // with the written arguments in place of those of the sample
            let written: Vec<String> = args.iter().map(|arg| short_text(&arg.value)).collect();
            let spelled = written.iter().all(|text| !text.contains('`') && text != "..");
            let help = if spelled { called_with(name, help, &written) } else { help.to_string() };
            return self.wrong_help(Code::UnknownName, at, format!("`{name}` is not defined: {here}"), help);
        }
        if matches!(name, "any" | "no" | "every" | "count") {
            let help =
                format!("write `{name} dice >= 4` or `{name} (dice) >= 4`; with a name, `{name} x in xs where C`");
            return self.wrong_help(Code::UnknownName, at, format!("`{name}` is a query and cannot be called"), help);
        }
        let builtins = || Op::ALL.iter().filter(|o| o.sort() == ops::OpSort::Builtin).map(|o| o.written());
        let names = &self.ck.rs.names;
        let near = match names.tests.keys().find(|test| test.eq_ignore_ascii_case(name)) {
            Some(test) => format!("; did you mean the test `{test}`?"),
            None => did_you_mean(name, names.values.keys().map(String::as_str).chain(builtins())),
        };
        self.wrong(Code::UnknownName, at, format!("no function is named `{name}`{near}"))
    }

    /// Checks the construction of a record: `Shot(w, t, mode)`.
    fn make(&mut self, name: &str, args: &[Arg], at: Span, span: Span) -> Expr {
        if let Some(TypeName::Record(id)) = self.ck.rs.names.types.get(name).copied()
            && !self.ck.rs.names.tests.contains_key(name)
        {
            let wanted = self.ck.rs.records[id.at()].fields.clone();
            self.ck.means(at, || Means::Type(TypeName::Record(id)));
            self.note_parts(id, args);
            let parts = self.arguments(name, &wanted, args, at);
            return expr(ExprKind::Make(parts), Type::Record(id), span);
        }
        let (code, message, help) = if self.ck.rs.names.tests.contains_key(name) {
            let help = format!("put it on a separate line: `let t = test {name}(..)`");
            (Code::Effect, format!("`test {name}(..)` can roll and ask, and is not a value"), help)
        } else if self.ck.rs.names.phases.contains_key(name) {
            (Code::NotCallable, format!("`{name}` is a phase"), format!("write `run {name}(..)`"))
        } else if self.ck.rs.names.events.contains_key(name) {
            (Code::NotCallable, format!("`{name}` is an event"), format!("write `emit {name}(..)`"))
        } else if self.ck.rs.names.actions.contains_key(name) {
            let help = "players choose it from the menu of its phase".to_string();
            (Code::NotCallable, format!("`{name}` is an action"), help)
        } else if matches!(name, "IF" | "If") {
            (Code::UnknownType, format!("no record is named `{name}`"), "write `if c then a else b`".to_string())
        } else {
            let names = &self.ck.rs.names;
            let records = names.types.iter().filter(|(_, of)| matches!(of, TypeName::Record(_))).map(|(name, _)| name);
            let all = records.chain(names.tests.keys()).chain(names.phases.keys()).chain(names.events.keys());
            let near = did_you_mean(name, all.map(String::as_str));
            let code = Code::UnknownType;
            (code, format!("no record, test, phase or event is named `{name}`{near}"), code.help().to_string())
        };
        self.wrong_help(code, at, message, help)
    }

    /// Checks a call of a let or a table.
    pub fn call_let(&mut self, func: FuncId, args: &[Arg], span: Span) -> Expr {
        let wanted = self.signature(func);
        let name = self.ck.rs.functions[func.at()].name.clone();
        self.note_params(func, args);
        let args = self.arguments(&name, &wanted, args, span);
        self.rows_there(func, &name, &wanted, &args);
        let climbs = args.iter().any(|a| self.climbs(a));
        let ty = self.result_of(func, climbs, span);
        expr(ExprKind::Call { func, args }, ty, span)
    }

    /// Returns the result type of a let, table or derived field. Reports a cycle if its check is in progress, unless
    /// the call follows a tree link.
    pub fn result_of(&mut self, func: FuncId, climbs: bool, span: Span) -> Type {
        self.ck.uses.functions.insert(func);
        if self.ck.is_doing(func) {
            let known = self.ck.rs.functions[func.at()].result.clone();
            if !climbs {
                let name = self.ck.rs.functions[func.at()].name.clone();
                self.say(Code::Circle, span, format!("`{name}` depends on itself"));
                return known;
            }
            if known == Type::Unknown {
                let name = self.ck.rs.functions[func.at()].name.clone();
                let help = "write the type after its name";
                self.say_help(Code::Circle, span, format!("`{name}` refers to itself before its type is known"), help);
            }
            return known;
        }
        self.ck.ensure(func);
        self.ck.rs.functions[func.at()].result.clone()
    }

    /// Returns the names and types of the parameters, without `self` of a trait rule but with that of a derived field.
    pub fn signature(&self, func: FuncId) -> Vec<(String, Type)> {
        match self.ck.pending.get(func.at()) {
            Some(
                Pending::Value { scope, .. }
                | Pending::Table { scope, .. }
                | Pending::Block { scope, .. }
                | Pending::Action { scope, .. },
            ) => scope.params.iter().map(|(n, t, _)| (n.clone(), t.clone())).collect(),
            Some(Pending::Done | Pending::Doing) | None => {
                let f = &self.ck.rs.functions[func.at()];
                let params = f.locals.iter().take(f.params);
                params.map(|l| (l.name.clone(), l.ty.clone())).collect()
            }
        }
    }

    /// Checks arguments, in order or all named, against the types of the parameters.
    pub fn arguments(&mut self, name: &str, wanted: &[(String, Type)], args: &[Arg], span: Span) -> Vec<Expr> {
        if args.iter().any(|a| a.name.is_some()) {
            return self.named_arguments(name, wanted, args, span);
        }
        if args.len() != wanted.len() {
            let heads: Vec<String> = wanted.iter().map(|(n, t)| format!("{n}: {}", self.type_name(t))).collect();
            let message =
                format!("`{name}` takes {} ({}), but is given {}", count(wanted.len()), heads.join(", "), args.len());
            self.say(Code::Arity, span, message);
        }
        // report the errors in surplus arguments too
        for more in args.iter().skip(wanted.len()) {
            self.expr(&more.value, None);
        }
        let mut made = Vec::new();
        for (at, (param, ty)) in wanted.iter().enumerate() {
            made.push(match args.get(at) {
                Some(arg) => self.within_of(&arg.value, ty, param),
                None => unknown(span),
            });
        }
        made
    }

    /// Records the parameters that named arguments refer to.
    pub fn note_params(&mut self, func: FuncId, args: &[Arg]) {
        if self.ck.noted.is_none() || args.iter().all(|arg| arg.name.is_none()) {
            return;
        }
        let names: Vec<String> = self.signature(func).into_iter().map(|(name, _)| name).collect();
        for name in args.iter().filter_map(|arg| arg.name.as_ref()) {
            if let Some(at) = names.iter().position(|n| *n == name.text) {
                self.ck.means(name.span, || Means::Param(func, at));
            }
        }
    }

    /// Records the fields of a record that named arguments refer to.
    pub fn note_parts(&mut self, record: RecordId, args: &[Arg]) {
        for name in args.iter().filter_map(|arg| arg.name.as_ref()) {
            self.ck.means(name.span, || Means::Part(record, name.text.clone()));
        }
    }

    fn named_arguments(&mut self, name: &str, wanted: &[(String, Type)], args: &[Arg], span: Span) -> Vec<Expr> {
        for arg in args {
            match &arg.name {
                Some(given) if !wanted.iter().any(|(n, _)| *n == given.text) => {
                    let near = did_you_mean(&given.text, wanted.iter().map(|(n, _)| n.as_str()));
                    self.say(Code::Arity, given.span, format!("`{name}` has no `{}`{near}", given.text));
                }
                Some(_) => {}
                None => self.say(Code::Arity, arg.value.span, "give all values in order, or all by name"),
            }
        }
        let mut made = Vec::new();
        for (param, ty) in wanted {
            let mut given = args.iter().filter(|a| a.name.as_ref().is_some_and(|n| n.text == *param));
            made.push(match given.next() {
                Some(arg) => self.within_of(&arg.value, ty, param),
                None => {
                    if args.iter().all(|a| a.name.as_ref().is_some_and(|n| wanted.iter().any(|(w, _)| *w == n.text))) {
                        self.say(Code::Arity, span, format!("`{name}` requires a `{param}`"));
                    }
                    unknown(span)
                }
            });
            if let Some(again) = given.next() {
                self.say(Code::Arity, again.value.span, format!("`{param}` is given twice"));
            }
        }
        made
    }
}

/// Returns a number of values as text.
fn count(n: usize) -> String {
    match n {
        0 => "no value".into(),
        1 => "one value".into(),
        n => format!("{n} values"),
    }
}

/// Returns the help line for an item that has the name of a builtin.
fn hidden(name: &str) -> String {
    format!("the `{name}` of these rules hides the builtin `{name}`; rename it to call the builtin")
}
