//! Checks statements that change the table.

use super::super::code::{Expr, ExprKind, SetOp, Stmt, StmtKind, Target, Until};
use super::body::{BodyChecker, expr};
use super::matches::ids;
use crate::index::Means;
use crate::ruleset::{FieldSort, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, Arg, ExprKind as Tree, Name};

impl BodyChecker<'_, '_> {
    /// Checks the statement `set x = v until end of P` and translates it to typed code.
    pub fn set(
        &mut self,
        target: &tree::Expr,
        op: SetOp,
        value: &tree::Expr,
        until: Option<&tree::Lasting>,
        span: Span,
    ) -> Option<StmtKind> {
        let found = self.target(target);
        if !matches!(found, Some((Target::Local(_), _)) | None) {
            self.writes(span, "sets something on the table")?;
        }
        let Some((place, ty)) = found else {
            self.expr(value, None);
            return None;
        };
        if let (Target::Tally(_), SetOp::Set | SetOp::Sub) = (&place, op) {
            self.say(Code::NotAssignable, span, "a tally can only be added to: `set t += 1`");
        }
        let (value, one) = match op {
            SetOp::Set => (self.want(value, &ty), false),
            SetOp::Add | SetOp::Sub => self.addition(value, &ty, op == SetOp::Sub, span),
        };
        if op == SetOp::Set {
            self.own_difference(&place, &value);
        }
        if let (SetOp::Set, Type::Int(range), ExprKind::Const(n)) = (op, &ty, &value.kind)
            && !matches!(place, Target::Tally(_))
            && (*n < range.low || *n > range.high)
        {
            let end = if *n < range.low { range.low } else { range.high };
            let message = format!("this is never {n}: the number is limited to {end}, the end of its range");
            self.say_help(Code::Dead, value.span, message, format!("write {end}, or declare a wider range"));
        }
        if let Target::Local(id) = &place {
            self.sizes.remove(id);
        }
        if until.is_some() && matches!(place, Target::Local(_) | Target::Ambient(_) | Target::Tally(_)) {
            self.say(Code::Scope, span, "only states and links of things and of the game can be set temporarily");
        }
        let set = |until| {
            let (target, value) = (place.clone(), value.clone());
            StmtKind::Set { target, op, value, one, until }
        };
        Some(self.lasting(until, span, &set))
    }

    /// Checks the operand of `+=` or `-=`. Also returns whether it is a single entry to append to a list.
    fn addition(&mut self, value: &tree::Expr, ty: &Type, minus: bool, span: Span) -> (Expr, bool) {
        match ty {
            Type::List(inner) => {
                let hint = if matches!(value.kind, Tree::List(_)) { ty } else { inner };
                let value = self.expr(value, Some(hint));
                if matches!(value.ty, Type::List(_)) {
                    return (self.fit(value, ty), false);
                }
                let entry = self.fit(value, inner);
                if minus { (expr(ExprKind::List(vec![entry]), ty.clone(), span), false) } else { (entry, true) }
            }
            Type::Int(_) | Type::Length | Type::Angle | Type::Ratio | Type::Unknown => {
                let value = self.want(value, ty);
                self.below_zero(&value, if minus { "-=" } else { "+=" });
                (value, false)
            }
            Type::Optional(_) => {
                self.say(Code::Missing, span, "the value to add to can be missing");
                (self.expr(value, None), false)
            }
            _ => {
                let (word, name) = (if minus { "-=" } else { "+=" }, self.type_name(ty));
                self.say(Code::WrongType, span, format!("`{word}` does not work on {name}"));
                (self.expr(value, None), false)
            }
        }
    }

    /// Checks the target of a `set`. Returns it with its type.
    fn target(&mut self, e: &tree::Expr) -> Option<(Target, Type)> {
        match &e.kind {
            Tree::Name(name) => self.target_name(name, e.span),
            Tree::Field(base, field) => self.target_field(base, field, None, e.span),
            Tree::Call(callee, args) => match &callee.kind {
                Tree::Field(base, field) => self.target_field(base, field, Some(args), e.span),
                _ => self.no_target("this", e.span),
            },
            Tree::Paren(inner) => self.target(inner),
            _ => self.no_target("this", e.span),
        }
    }

    fn no_target<T>(&mut self, what: &str, span: Span) -> Option<T> {
        self.wrong(Code::NotAssignable, span, format!("{what} cannot be set"))
    }

    fn target_name(&mut self, name: &str, span: Span) -> Option<(Target, Type)> {
        if let Some(seen) = self.find(name) {
            let declared = seen.span;
            if self.ck.noted.is_some() {
                self.ck.means(span, || Means::Local(declared));
            }
        }
        if let Some(seen) = self.find(name) {
            if seen.writable {
                return Some((Target::Local(seen.local), seen.ty.clone()));
            }
            let param = seen.local.at() < self.scope.params.len();
            let what = if param {
                format!("`{name}` is a parameter; it")
            } else {
                format!("`{name}` is a `let`, or a roll or choice; it")
            };
            if !param {
                let help = format!("make it a variable: `var {name} = ..`");
                return self.wrong_help(Code::NotAssignable, span, format!("{what} cannot be set"), help);
            }
            return self.no_target(&what, span);
        }
        if let Some(id) = self.ambient(name) {
            self.ck.means(span, || Means::Ambient(id));
            return self.target_ambient(id, span);
        }
        if let Some(me) = self.own_thing(span)
            && let Type::Kind(kind) = me.ty
            && self.ck.rs.names.fields.contains_key(&(kind, name.to_string()))
        {
            let field = Name { text: name.to_string(), span };
            return self.target_of(me, &field, None, span);
        }
        let found = self.ck.rs.names.values.get(name).copied();
        if let Some(found) = found {
            self.ck.means(span, || Means::Value(found));
        }
        match found {
            Some(ValueName::Global(id)) => {
                self.ck.uses.globals.insert(id);
                Some((Target::Global(id), self.ck.rs.globals[id.at()].ty.clone()))
            }
            Some(ValueName::Tally(id)) => Some((Target::Tally(id), Type::INT)),
            Some(ValueName::Setting(_)) => self.no_target(&format!("`{name}` is a param or reading; it"), span),
            Some(ValueName::Let(_) | ValueName::Proc(_)) => self.no_target(&format!("`{name}`"), span),
            None => {
                let value = self.name(name, span);
                if value.ty != Type::Unknown { self.no_target("this", span) } else { None }
            }
        }
    }

    /// Checks a variable of the phase as a target. Shared variables can be set; parameters cannot.
    fn target_ambient(&mut self, id: AmbientId, span: Span) -> Option<(Target, Type)> {
        let (name, ty, cases) = {
            let a = &self.ck.rs.ambients[id.at()];
            (a.name.clone(), a.ty.clone(), a.cases.clone())
        };
        if self.is_shared(&cases) {
            return Some((Target::Ambient(id), ty));
        }
        self.no_target(&format!("`{name}` is a parameter of the phase; it"), span)
    }

    fn is_shared(&self, cases: &[crate::ruleset::AmbientCase]) -> bool {
        use crate::ruleset::AmbientCase as Case;
        cases.iter().all(|case| match case {
            Case::Phase(phase, local) | Case::PhaseOfAction(_, phase, local) => {
                local.at() >= self.ck.rs.phases[phase.at()].params
            }
            Case::Action(..) => false,
        })
    }

    fn target_field(
        &mut self,
        base: &tree::Expr,
        field: &Name,
        args: Option<&[Arg]>,
        span: Span,
    ) -> Option<(Target, Type)> {
        if let Tree::Name(bound) = &base.kind
            && self.find(bound).is_none()
        {
            if let Some((name, on)) = self.scope.bound.clone()
                && name == *bound
                && !(super::triggers::is_action(on) && matches!(field.text.as_str(), "name" | "actor"))
            {
                let found = self.outer(on, field)?;
                let id = self.ck.ambient(&found);
                self.note_bound(base.span);
                self.ck.means(field.span, || Means::Ambient(id));
                return self.target_ambient(id, span);
            }
            if self.scope.event.as_ref().is_some_and(|(name, _)| name == bound) {
                return self.no_target(&format!("`{bound}.{}` is part of an event; it", field.text), span);
            }
        }
        let thing = self.expr(base, None);
        self.target_of(thing, field, args, span)
    }

    /// Checks a field as a target. The thing is given and can be missing.
    fn target_of(&mut self, thing: Expr, field: &Name, args: Option<&[Arg]>, span: Span) -> Option<(Target, Type)> {
        let kind = match thing.ty.present() {
            Type::Kind(kind) => *kind,
            Type::Unknown => return None,
            ty => {
                let ty = self.type_name(ty);
                return self.no_target(&format!("a field of {ty}"), span);
            }
        };
        let Some(&id) = self.ck.rs.names.fields.get(&(kind, field.text.clone())) else {
            if self.is_common(kind, &field.text) {
                let help = match field.text.as_str() {
                    "at" => "write `place x at p`",
                    "facing" => "write `turn x to a`",
                    _ => "write `destroy x`",
                };
                return self.wrong_help(Code::NotAssignable, span, format!("`{}` cannot be set", field.text), help);
            }
            return self.no_field(kind, field);
        };
        self.ck.means(field.span, || Means::Field(id));
        let (sort, ty) = {
            let f = &self.ck.rs.fields[id.at()];
            (f.sort, f.ty.clone())
        };
        match sort {
            FieldSort::State | FieldSort::Link | FieldSort::BackLink(_) => {}
            FieldSort::Stat => {
                return self.no_target(&format!("`{}` is a stat set by the scenario; it", field.text), span);
            }
            FieldSort::Let(_) => return self.no_target(&format!("`{}` is derived; it", field.text), span),
        }
        // only stats have keys
        if let Some(args) = args {
            self.arguments(&field.text, &[], args, field.span);
        }
        Some((Target::Field { thing, field: id }, ty))
    }

    /// Checks a thing that a statement changes. If it is missing, the statement has no effect.
    pub fn target_thing(&mut self, e: &tree::Expr) -> Option<Expr> {
        let value = self.expr(e, None);
        match value.ty.present() {
            Type::Kind(_) => Some(value),
            Type::Unknown => None,
            ty => self.unlike("a thing", ty, value.span),
        }
    }

    /// Creates a write with its duration. A duration chosen by a match becomes a match of writes.
    fn lasting(
        &mut self,
        until: Option<&tree::Lasting>,
        span: Span,
        write: &dyn Fn(Option<Until>) -> StmtKind,
    ) -> StmtKind {
        match until {
            None => write(None),
            Some(tree::Lasting::Edge(until)) => write(self.until(until)),
            Some(tree::Lasting::Chosen(rows)) => self.match_rows(rows, &mut |body, row| {
                let until = match &row.body {
                    tree::Body::Lasts(until, _) => until.as_ref().and_then(|u| body.until(u)),
                    // no other body can occur here
                    tree::Body::Block(_) | tree::Body::Stmt(_) | tree::Body::Value(_) => None,
                };
                vec![Stmt { kind: write(until), span, cites: ids(&row.cites) }]
            }),
        }
    }

    /// Checks the duration `until end of P for k` and translates it to typed code.
    pub fn until(&mut self, u: &tree::Until) -> Option<Until> {
        let phase = self.phase_named(&u.phase)?;
        let key = u.key.as_ref().map(|k| self.expr(k, None));
        if let Some(key) = &key {
            let outers = self.ck.phase_outers(phase, None);
            let first = outers.into_iter().next().filter(|_| self.ck.rs.phases[phase.at()].params > 0);
            match first {
                Some(first) => {
                    self.fit(key.clone(), &first.ty.optional());
                }
                None => self.say(Code::Arity, key.span, format!("{} has no parameter to wait for", u.phase.text)),
            }
        }
        Some(Until { start: u.start, phase, key })
    }

    fn status(&mut self, name: &Name) -> Option<TraitId> {
        let Some(&id) = self.ck.rs.names.traits.get(&name.text) else {
            let near = did_you_mean(&name.text, self.ck.rs.names.traits.keys().map(String::as_str));
            return self.wrong(Code::UnknownName, name.span, format!("no status `{}`{near}", name.text));
        };
        self.ck.uses.traits.insert(id);
        self.ck.means(name.span, || Means::Trait(id));
        if self.ck.rs.traits[id.at()].sort != tree::TraitSort::Status {
            let message = format!("`{}` is not a status; only a status can be granted or revoked", name.text);
            self.say(Code::WrongType, name.span, message);
        }
        Some(id)
    }

    /// Checks a thing that can bear the status.
    fn bearer(&mut self, status: TraitId, e: &tree::Expr) -> Option<Expr> {
        let thing = self.target_thing(e)?;
        if let Type::Kind(kind) = thing.ty.present()
            && *kind != self.ck.rs.traits[status.at()].on
        {
            let kind = *kind;
            self.wrong_bearer(status, kind, e.span);
            return None;
        }
        Some(thing)
    }

    /// Checks the statement `grant S(..) to x until ..` and translates it to typed code.
    pub fn grant(
        &mut self,
        name: &Name,
        args: &[Arg],
        to: &tree::Expr,
        until: Option<&tree::Lasting>,
        span: Span,
    ) -> Option<StmtKind> {
        self.writes(span, "grants a status")?;
        let status = self.status(name)?;
        let data = self.ck.rs.traits[status.at()].data;
        let wanted = self.ck.rs.records[data.at()].fields.clone();
        self.note_parts(data, args);
        let data = self.arguments(&name.text, &wanted, args, name.span);
        let to = self.bearer(status, to)?;
        let grant = |until| StmtKind::Grant { status, data: data.clone(), to: to.clone(), until };
        Some(self.lasting(until, span, &grant))
    }

    /// Checks the statement `revoke S(..) from x` or `revoke all S from x` and translates it to typed code.
    pub fn revoke(&mut self, name: &Name, all: bool, args: &[Arg], from: &tree::Expr, span: Span) -> Option<StmtKind> {
        self.writes(span, "revokes a status")?;
        let status = self.status(name)?;
        let record = self.ck.rs.traits[status.at()].data;
        let wanted = self.ck.rs.records[record.at()].fields.clone();
        let mut data = Vec::new();
        if !args.is_empty() {
            self.note_parts(record, args);
            data = self.arguments(&name.text, &wanted, args, name.span);
        } else if let (false, [first, ..]) = (all, wanted.as_slice()) {
            let message =
                format!("it can have {} several times with different data, and this revokes all of them", name.text);
            let help = format!(
                "write `revoke all {0} from ..`, or revoke one: `revoke {0}({1}: ..) from ..`",
                name.text, first.0
            );
            self.say_help(Code::Lasting, span, message, help);
        }
        let from = self.bearer(status, from)?;
        Some(StmtKind::Revoke { status, data, from })
    }

    /// Checks the statement `place x at p` and translates it to typed code.
    pub fn place_stmt(&mut self, thing: &tree::Expr, at: &tree::Expr, span: Span) -> Option<StmtKind> {
        self.writes(span, "places a thing")?;
        let thing = self.target_thing(thing)?;
        self.on_board(&thing);
        let at = self.place(at);
        Some(StmtKind::Place { thing, at })
    }

    /// Reports a thing without a position on the board.
    pub fn on_board(&mut self, thing: &Expr) {
        self.has_place(&thing.ty, thing.span);
    }

    /// Reports a type whose things have no position on the board.
    pub fn has_place(&mut self, ty: &Type, span: Span) {
        let ty = if let Type::List(inner) = ty.present() { inner } else { ty };
        let Type::Kind(kind) = ty.present() else { return };
        let kind = &self.ck.rs.kinds[kind.at()];
        if !kind.on_board && kind.group.is_none() {
            let message = format!("{} is not `on board`", kind.name);
            let help = format!("write `kind {} on board`, or `group of` a kind that is on the board", kind.name);
            self.say_help(Code::WrongType, span, message, help);
        }
    }

    /// Checks the statement `turn x by A` or `turn x to A` and translates it to typed code.
    pub fn turn(&mut self, thing: &tree::Expr, by: bool, angle: &tree::Expr, span: Span) -> Option<StmtKind> {
        self.writes(span, "turns a thing")?;
        let thing = self.target_thing(thing)?;
        let angle = self.want(angle, &Type::Angle);
        Some(StmtKind::Turn { thing, by, angle })
    }

    /// Checks the statement `merge a into b` and translates it to typed code.
    pub fn merge(&mut self, from: &tree::Expr, into: &tree::Expr, span: Span) -> Option<StmtKind> {
        self.writes(span, "merges things")?;
        let from = self.target_thing(from)?;
        let into = self.target_thing(into)?;
        if from.ty.present() != into.ty.present() {
            let (a, b) = (self.type_name(from.ty.present()), self.type_name(into.ty.present()));
            self.say(Code::WrongType, span, format!("a {a} cannot be merged into a {b}"));
        }
        Some(StmtKind::Merge { from, into })
    }

    /// Checks the statement `spawn x: K { .. }` and translates it to typed code.
    pub fn spawn(&mut self, name: &Name, kind: &Name, fields: &[(Name, tree::Expr)], span: Span) -> Option<StmtKind> {
        let allowed = self.writes(span, "makes a new thing");
        let named = tree::Expr { kind: Tree::Upper(kind.text.clone()), span: kind.span };
        let Some(id) = self.kind_named(&named) else {
            let near = did_you_mean(&kind.text, self.ck.rs.kinds.iter().map(|k| k.name.as_str()));
            self.say(Code::UnknownType, kind.span, format!("there is no kind `{}`{near}", kind.text));
            self.bind(name, Type::Unknown, false);
            return None;
        };
        self.ck.means(kind.span, || Means::Type(crate::ruleset::TypeName::Kind(id)));
        let fields = self.spawn_fields(id, kind, fields);
        let local = self.bind(name, Type::Kind(id), false);
        allowed?;
        Some(StmtKind::Spawn { local, kind: id, fields })
    }

    fn spawn_fields(&mut self, id: KindId, kind: &Name, fields: &[(Name, tree::Expr)]) -> Vec<(FieldId, Expr)> {
        let mut made: Vec<(FieldId, Expr)> = Vec::new();
        for (field, value) in fields {
            let Some(&known) = self.ck.rs.names.fields.get(&(id, field.text.clone())) else {
                let names = self.field_names(id);
                let near = did_you_mean(&field.text, names.iter().map(String::as_str));
                self.say(Code::UnknownField, field.span, format!("{} has no field `{}`{near}", kind.text, field.text));
                continue;
            };
            let (sort, ty) = {
                let f = &self.ck.rs.fields[known.at()];
                (f.sort, f.ty.clone())
            };
            if matches!(sort, FieldSort::Let(_)) {
                self.say(Code::NotAssignable, field.span, format!("`{}` is derived; it cannot be given", field.text));
                continue;
            }
            if made.iter().any(|(f, _)| *f == known) {
                self.say(Code::Twice, field.span, format!("`{}` is given twice", field.text));
            }
            let value = self.within_of(value, &ty, &field.text);
            made.push((known, value));
        }
        self.spawn_missing(id, kind, &made);
        made
    }

    /// Reports missing fields of a new thing: every stat, state and link that has no default and is not optional.
    fn spawn_missing(&mut self, id: KindId, kind: &Name, made: &[(FieldId, Expr)]) {
        let mut absent = Vec::new();
        for &field in &self.ck.rs.kinds[id.at()].fields {
            let f = &self.ck.rs.fields[field.at()];
            let free = f.default.is_some() || matches!(f.ty, Type::Optional(_) | Type::List(_));
            let stored = matches!(f.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
            if stored && !free && !made.iter().any(|(m, _)| *m == field) {
                absent.push(format!("`{}`", f.name));
            }
        }
        if !absent.is_empty() {
            let message = format!("a new {} requires {}", kind.text, absent.join(", "));
            self.say(Code::Arity, kind.span, message);
        }
    }
}
