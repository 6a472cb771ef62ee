//! Resolves bare names.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr, local, unknown};
use super::collections::collect;
use super::foreign::valued_elsewhere;
use crate::checker::ScopeSort;
use crate::index::Means;
use crate::ruleset::{Phase, TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, LOOKED_AT, Span, did_you_mean};
use grognard_syntax::tree;

/// Maximum number of names in scope that the message for an unknown name lists.
const MOST_TOLD: usize = 6;

impl BodyChecker<'_, '_> {
    /// Resolves a lowercase name: a local, a parameter, a phase variable, a field of `self`, a thing, or a global.
    pub fn name(&mut self, name: &str, span: Span) -> Expr {
        if let Some(seen) = self.find(name) {
            let (id, ty, declared) = (seen.local, seen.ty.clone(), seen.span);
            self.read.insert(id);
            self.ck.means(span, || Means::Local(declared));
            return local(id, ty, span);
        }
        if let Some(id) = self.ambient(name) {
            self.ck.means(span, || Means::Ambient(id));
            return expr(ExprKind::Ambient(id), self.ck.rs.ambients[id.at()].ty.clone(), span);
        }
        if let Some(me) = self.own_thing(span)
            && let Type::Kind(kind) = me.ty
            && self.has_field(kind, name)
        {
            return self.field_of(me, &tree::Name { text: name.to_string(), span }, None, span);
        }
        if name == "earlier"
            && let Some(list) = self.earlier(span)
        {
            return list;
        }
        if self.loose
            && let Some((kind, number)) = (self.ck.things)(name)
        {
            return expr(ExprKind::Const(number), Type::Kind(kind), span);
        }
        match self.ck.rs.names.values.get(name).copied() {
            Some(value) => {
                self.ck.means(span, || Means::Value(value));
                self.global(name, value, span)
            }
            None => self.no_such_name(name, span),
        }
    }

    /// Returns `self`, if the body has one.
    pub fn own_thing(&self, span: Span) -> Option<Expr> {
        let (_, ty, _) = self.scope.params.first().filter(|_| self.scope.has_self)?;
        Some(local(LocalId(0), ty.clone(), span))
    }

    /// Returns whether things of the kind have the field, either declared or common to all things.
    pub fn has_field(&self, kind: KindId, name: &str) -> bool {
        self.ck.rs.names.fields.contains_key(&(kind, name.to_string())) || self.is_common(kind, name)
    }

    /// Resolves a name that is declared outside bodies.
    fn global(&mut self, name: &str, value: ValueName, span: Span) -> Expr {
        match value {
            ValueName::Setting(id) => {
                self.ck.uses.settings.insert(id);
                expr(ExprKind::Setting(id), self.ck.rs.settings[id.at()].ty.clone(), span)
            }
            ValueName::Global(id) => {
                self.ck.uses.globals.insert(id);
                expr(ExprKind::Global(id), self.ck.rs.globals[id.at()].ty.clone(), span)
            }
            ValueName::Tally(id) if self.loose => {
                self.ck.uses.tallies.insert(id);
                expr(ExprKind::Tally(id), Type::Int(Range::new(0, Range::ALL.high)), span)
            }
            ValueName::Tally(_) => {
                let message = format!("`{name}` can only be counted up; a number that rules read is a `state`");
                self.wrong(Code::TallyRead, span, message)
            }
            ValueName::Let(func) => self.call_let(func, &[], span),
            ValueName::Proc(_) => self.wrong_help(
                Code::Effect,
                span,
                format!("`{name}` is a proc and changes things"),
                format!("put it on a separate line: `do {name}(..)`"),
            ),
        }
    }

    fn no_such_name(&mut self, name: &str, span: Span) -> Expr {
        let bound = self.scope.bound.as_ref().map(|(n, _)| n).or(self.scope.event.as_ref().map(|(n, _)| n));
        if bound.is_some_and(|n| n == name) {
            let help = "name one of its fields, as in `s.target`";
            return self.wrong_help(Code::UnknownName, span, format!("`{name}` on its own is not a value"), help);
        }
        if let Some(phase) = self.unshared(name) {
            let what = self.own_name();
            let message = format!("{what} reads `{name}`, but {phase} does not share it");
            return self.wrong(Code::Interface, span, message);
        }
        if let Some(phase) = self.shared_by(name) {
            let message = format!("`{name}` is a variable of phase {phase} and is not in scope here");
            let help = format!(
                "pass it as a parameter; only {phase}, its actions and the rules that they trigger can read it"
            );
            return self.say_help_unknown(span, message, help);
        }
        if let Some(status) = self.status_data(name) {
            let help = format!(
                "write `self.{status}.{name}` for the list of values, or `sum s in self.{status} of s.{name}` \
                         for their sum"
            );
            let message = format!("`{name}` is data of {status}, and one bearer can have several of them");
            return self.say_help_unknown(span, message, help);
        }
        if let Some((word, help)) = valued_elsewhere(name) {
            return self.say_help_unknown(span, format!("unknown name `{name}`; write `{word}`"), help.to_string());
        }
        if let Some(capital) = self.capital_of(name) {
            let message = format!("unknown name `{name}`; did you mean `{capital}`?");
            let is = |ty: &Type| matches!(ty, Type::Kind(kind) if self.ck.rs.kinds[kind.at()].name == capital);
            let help = match self.names.iter().rev().find(|seen| is(seen.ty.present())) {
                Some(one) => format!("`{}` is a {capital} here, while `{capital}` means all of them", one.name),
                None => format!("write `{capital}`: types and cases begin with a capital"),
            };
            return self.say_help_unknown(span, message, help);
        }
        let ended = self.locals.iter().skip(self.scope.params.len()).any(|local| local.name == name);
        if ended {
            let message = format!("`{name}` is in scope only inside its {{ }}");
            let help = format!("declare it before them as `var {name} = ..`, and change it inside with `set`");
            return self.say_help_unknown(span, message, help);
        }
        // a declaration does not suggest its own name for a name inside it
        let own = self.own_name();
        let own = own.rsplit([' ', '.']).next().unwrap_or_default();
        let known = self.names_in_sight();
        let has = |ty: &Type| matches!(ty, Type::Kind(kind) if self.has_field(*kind, name));
        let near = match self.names.iter().rev().find(|seen| has(&seen.ty)) {
            Some(whose) => format!("; did you mean `{}.{name}`?", whose.name),
            None => did_you_mean(name, known.iter().map(String::as_str).filter(|known| *known != own)),
        };
        let message = format!("unknown name `{name}`{near}");
        if self.scope.sort == ScopeSort::Snippet {
            return self.say_help_unknown(span, message, "use a name from the rules or a thing on the table".into());
        }
        if near.is_empty() && matches!(name, "this" | "self" | "me") {
            let help = "name the thing: a parameter, or a field of the event as in `h.target`";
            return self.say_help_unknown(span, message, help.to_string());
        }
        let things = self.names.iter().filter(|seen| matches!(seen.ty.present(), Type::Kind(_)));
        let here: Vec<&str> = things.map(|seen| seen.name.as_str()).collect();
        if near.is_empty() && !here.is_empty() && here.len() <= MOST_TOLD {
            let help = format!("use a parameter, `let` or loop variable; in scope here: `{}`", here.join("`, `"));
            return self.say_help_unknown(span, message, help);
        }
        self.wrong(Code::UnknownName, span, message)
    }

    /// Returns the type or case with this name apart from capitalization: `Musket` for `musket`, `Unit` for `unit` or
    /// `units`.
    fn capital_of(&self, name: &str) -> Option<String> {
        let plain = name.replace('_', "");
        let same = |known: &&str| known.eq_ignore_ascii_case(&plain);
        let of = |name: &str| name.strip_suffix('s').map(str::to_string);
        let many = of(&plain);
        let known =
            || self.ck.rs.names.types.iter().filter(|(_, ty)| !matches!(ty, TypeName::Record(_))).map(|(n, _)| n);
        let found = self.capital_names().find(same).map(str::to_string);
        found.or_else(|| {
            known().find(|known| many.as_ref().is_some_and(|many| known.eq_ignore_ascii_case(many))).cloned()
        })
    }

    fn say_help_unknown(&mut self, span: Span, message: String, help: String) -> Expr {
        self.wrong_help(Code::UnknownName, span, message, help)
    }

    /// Returns the status whose body this is, if its data has a field with this name.
    fn status_data(&self, name: &str) -> Option<String> {
        let rs = &self.ck.rs;
        let rule = rs.rules.iter().find(|r| r.func == self.func || r.guard == Some(self.func));
        let item = rs.functions.get(self.func.at())?.item;
        let found = match rule.and_then(|r| r.of_trait) {
            Some(id) => rs.traits.get(id.at())?,
            None => rs.traits.iter().find(|t| t.item == item)?,
        };
        let has = rs.records[found.data.at()].fields.iter().any(|(field, _)| field == name);
        has.then(|| found.name.clone())
    }

    /// Returns a phase that shares a variable with this name.
    fn shared_by(&self, name: &str) -> Option<String> {
        let rs = &self.ck.rs;
        let shares = |phase: &&Phase| {
            let locals = &rs.functions[phase.func.at()].locals;
            phase.shares.iter().any(|(local, _)| locals.get(local.at()).is_some_and(|l| l.name == name))
        };
        rs.phases.iter().find(shares).map(|phase| phase.name.clone())
    }

    /// Returns the phase of this action that has an unshared variable with this name.
    fn unshared(&mut self, name: &str) -> Option<String> {
        let ScopeSort::Action(action) = self.scope.sort else { return None };
        let phases = self.ck.rs.actions.get(action.at())?.phases.clone();
        for phase in phases {
            let func = self.ck.rs.phases[phase.at()].func;
            self.ck.ensure(func);
            if self.ck.rs.functions[func.at()].locals.iter().any(|l| l.name == name) {
                return Some(self.ck.rs.phases[phase.at()].name.clone());
            }
        }
        None
    }

    /// Returns every lowercase name that is in scope.
    pub fn names_in_sight(&self) -> Vec<String> {
        let mut all: Vec<String> = self.names.iter().rev().map(|s| s.name.clone()).collect();
        all.extend(self.scope.ambients.iter().map(|(n, _)| n.clone()));
        if let Some((_, Type::Kind(kind), _)) = self.scope.params.first().filter(|_| self.scope.has_self) {
            all.extend(self.field_names(*kind));
        }
        all.extend(self.scope.bound.iter().map(|(n, _)| n.clone()));
        all.extend(self.scope.event.iter().map(|(n, _)| n.clone()));
        all.extend(self.ck.rs.names.values.keys().take(LOOKED_AT).cloned());
        all
    }

    /// Resolves a capitalized name: a case of the expected type, the only such case, a kind or enum as a list, or a
    /// die.
    pub fn upper(&mut self, name: &str, hint: Option<&Type>, span: Span) -> Expr {
        let wanted = match hint.map(Type::present) {
            Some(Type::Enum(id)) => Some(*id),
            Some(Type::List(inner)) => match **inner {
                Type::Enum(id) => Some(id),
                _ => None,
            },
            _ => None,
        };
        if let Some(case) = wanted.and_then(|id| self.case(id, name, span)) {
            self.note_case(&case, span);
            return case;
        }
        let having = self.ck.rs.names.cases.get(name).cloned().unwrap_or_default();
        match having.as_slice() {
            [(id, _)] => {
                if let Some(case) = self.case(*id, name, span) {
                    self.note_case(&case, span);
                    return case;
                }
            }
            [(a, _), (b, _), ..] if wanted.is_none() => {
                let (a, b) = (self.enum_name(*a), self.enum_name(*b));
                let message = format!("`{name}` is a case of {a} and of {b}; write which");
                return self.wrong_help(Code::AmbiguousCase, span, message, format!("write `{a}.{name}`"));
            }
            _ => {}
        }
        self.type_as_value(name, wanted, span)
    }

    /// Returns a case of an enum by name.
    pub fn case(&mut self, id: EnumId, name: &str, span: Span) -> Option<Expr> {
        let at = self.ck.rs.enums[id.at()].cases.iter().position(|c| c == name)?;
        Some(expr(ExprKind::Const(at as i64), Type::Enum(id), span))
    }

    /// Records a reference to a case.
    fn note_case(&mut self, case: &Expr, span: Span) {
        if let (ExprKind::Const(at), Type::Enum(id)) = (&case.kind, &case.ty) {
            let (id, at) = (*id, usize::try_from(*at).unwrap_or_default());
            self.ck.means(span, || Means::Case(id, at));
        }
    }

    fn enum_name(&self, id: EnumId) -> String {
        self.ck.rs.enums[id.at()].name.clone()
    }

    fn type_as_value(&mut self, name: &str, wanted: Option<EnumId>, span: Span) -> Expr {
        let found = self.ck.rs.names.types.get(name).copied();
        if let Some(found) = found {
            self.ck.means(span, || Means::Type(found));
        }
        match found {
            Some(TypeName::Die(id)) => {
                self.ck.uses.dice.insert(id);
                expr(ExprKind::Const(-1 - i64::from(id.0)), self.die_type(id), span)
            }
            Some(TypeName::Kind(_) | TypeName::Enum(_) | TypeName::Chain(_)) => match self.type_collection(name) {
                Some((all, ty)) => collect(self, all, ty, span),
                None => unknown(span),
            },
            Some(TypeName::Record(_)) => {
                self.wrong(Code::WrongType, span, format!("`{name}` is a record; make one with `{name}(..)`"))
            }
            None => {
                let sides = name.strip_prefix('D').filter(|sides| sides.parse::<u32>().is_ok());
                if let (None, Some(sides)) = (wanted, sides) {
                    let (message, help) = ("a die is written with a lowercase `d`", format!("write `d{sides}`"));
                    return self.wrong_help(Code::CaseLaw, span, message, help);
                }
                if let (None, Some((word, help))) = (wanted, valued_elsewhere(&name.to_ascii_lowercase())) {
                    return self.wrong_help(
                        Code::UnknownName,
                        span,
                        format!("unknown name `{name}`; write `{word}`"),
                        help,
                    );
                }
                let near = match wanted {
                    Some(id) => did_you_mean(name, self.ck.rs.enums[id.at()].cases.iter().map(String::as_str)),
                    None => did_you_mean(name, self.capital_names()),
                };
                // a lowercase name in scope, or of a thing on the table
                let small = name.to_ascii_lowercase();
                let known = (self.ck.things)(&small).is_some() || self.names_in_sight().contains(&small);
                let near = if near.is_empty() && known { format!("; did you mean `{small}`?") } else { near };
                let of = wanted.map(|id| format!("{} has no case", self.enum_name(id)));
                if self.ck.rs.names.events.contains_key(name) {
                    let message = format!("`{name}` is an event, not a value");
                    let small = name.to_lowercase().chars().next().unwrap_or('e');
                    let help = format!("name the event in the rule: `on {name} as {small} when {small}.x > 1`");
                    return self.wrong_help(Code::UnknownType, span, message, help);
                }
                let message = format!("{} `{name}`{near}", of.as_deref().unwrap_or("unknown type or case"));
                if known && near.contains(&format!("`{small}`")) {
                    let help = format!("write `{small}`: names of values are lowercase");
                    return self.wrong_help(Code::UnknownType, span, message, help);
                }
                self.wrong(Code::UnknownType, span, message)
            }
        }
    }

    fn capital_names(&self) -> impl Iterator<Item = &str> {
        self.ck.rs.names.cases.keys().chain(self.ck.rs.names.types.keys()).map(String::as_str)
    }

    /// Resolves `Sight.Nothing` or `crossing_salvo.Free`: a case qualified with its enum or reading.
    pub fn qualified(&mut self, base: &tree::Expr, case: &tree::Name, span: Span) -> Option<Expr> {
        let id = match &base.kind {
            tree::ExprKind::Upper(name) => match self.ck.rs.names.types.get(name) {
                Some(TypeName::Enum(id)) => *id,
                _ => return None,
            },
            tree::ExprKind::Name(name) if self.find(name).is_none() => match self.ck.rs.names.values.get(name) {
                Some(ValueName::Setting(id)) => match self.ck.rs.settings[id.at()].ty {
                    Type::Enum(e) => e,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        match &base.kind {
            tree::ExprKind::Name(name) => {
                if let Some(value) = self.ck.rs.names.values.get(name).copied() {
                    self.ck.means(base.span, || Means::Value(value));
                }
            }
            _ => self.ck.means(base.span, || Means::Type(TypeName::Enum(id))),
        }
        if let Some(found) = self.case(id, &case.text, span) {
            self.note_case(&found, case.span);
            return Some(found);
        }
        let near = did_you_mean(&case.text, self.ck.rs.enums[id.at()].cases.iter().map(String::as_str));
        let of = self.enum_name(id);
        self.say(Code::UnknownType, case.span, format!("{of} has no case `{}`{near}", case.text));
        Some(unknown(span))
    }

    /// Resolves `earlier`: the living things that the enclosing loop has handled.
    fn earlier(&mut self, span: Span) -> Option<Expr> {
        let Some(at) = self.loops.iter().rposition(|l| l.things.is_some()) else {
            self.say(Code::Capture, span, "`earlier` is allowed only in an `each` over things");
            return Some(unknown(span));
        };
        let ty = self.loops[at].things.clone()?;
        let id = match self.loops[at].earlier {
            Some(id) => id,
            None => self.hidden(ty.clone(), span),
        };
        self.loops[at].earlier = Some(id);
        Some(local(id, ty, span))
    }
}
