//! Checks `x.f`: fields of things, results and events, of optional values, and of lists.

use super::super::code::{Collection, Expr, ExprKind};
use super::body::{BodyChecker, Instead, expr, local, unknown};
use super::coerce::{map, part};
use super::types::is_upper;
use crate::index::Means;
use crate::merge::head::short_text;
use crate::ruleset::{FieldSort, TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, Name};

impl BodyChecker<'_, '_> {
    /// Checks `x.f`, or `x.f(..)` with arguments.
    pub fn field(&mut self, base: &tree::Expr, name: &Name, args: Option<&[tree::Arg]>, span: Span) -> Expr {
        if is_upper(&name.text)
            && let Some(case) = self.qualified(base, name, span)
        {
            return case;
        }
        if let tree::ExprKind::Upper(chain) = &base.kind
            && let Some(&TypeName::Chain(id)) = self.ck.rs.names.types.get(chain)
        {
            return self.die_of_chain(id, name);
        }
        if let tree::ExprKind::Name(bound) = &base.kind
            && self.find(bound).is_none()
            && let Some(found) = self.bound_field(bound, name, span)
        {
            self.note_bound(base.span);
            return match args {
                Some(_) => self.no_arguments(found, name),
                None => found,
            };
        }
        let of = self.expr(base, None);
        if let Type::List(inner) = of.ty.clone()
            && let Some(found) = self.asked_of_list(&inner, name, &short_text(base))
        {
            return found;
        }
        self.field_of(of, name, args, span)
    }

    /// Reports `Quality.d8`, because dice of a chain are written without its name.
    fn die_of_chain(&mut self, id: ChainId, name: &Name) -> Expr {
        let (chain, die) = (&self.ck.rs.chains[id.at()], &name.text);
        let all: Vec<String> = chain.dice.iter().map(|sides| format!("d{sides}")).collect();
        let (message, help) = if all.contains(die) {
            (format!("write a die of {} without the name of the chain", chain.name), format!("write `{die}`"))
        } else {
            (format!("chain {} has no `{die}`", chain.name), format!("use one of its dice: {}", all.join(", ")))
        };
        self.wrong_help(Code::UnknownField, name.span, message, help)
    }

    /// Checks a field of a checked value.
    pub fn field_of(&mut self, of: Expr, name: &Name, args: Option<&[tree::Arg]>, span: Span) -> Expr {
        match of.ty.clone() {
            Type::Unknown => unknown(span),
            Type::Optional(inner) => self.field_of_optional(of, &inner, name, args, span),
            Type::List(inner) => self.field_of_list(of, &inner, name, args, span),
            Type::Kind(kind) => self.field_of_thing(of, kind, name, args, span),
            Type::Record(id) => {
                let found = self.field_of_record(of, id, name, span);
                if args.is_some() { self.no_arguments(found, name) } else { found }
            }
            Type::Leg => self.field_of_leg(of, name, args, span),
            Type::Route if name.text == "goal" => part(of, 0, Type::Place),
            ty => {
                let ty = self.type_name(&ty);
                self.wrong(Code::UnknownField, name.span, format!("{ty} has no field `{}`", name.text))
            }
        }
    }

    fn field_of_optional(
        &mut self,
        of: Expr,
        inner: &Type,
        name: &Name,
        args: Option<&[tree::Arg]>,
        span: Span,
    ) -> Expr {
        if *inner == Type::Unknown {
            return unknown(span);
        }
        let there = self.hidden(inner.clone(), of.span);
        self.follow(&of, there);
        let body = self.field_of(local(there, inner.clone(), of.span), name, args, span);
        let ty = body.ty.clone().optional();
        expr(ExprKind::Then { value: Box::new(of), local: there, body: Box::new(body) }, ty, span)
    }

    fn field_of_list(&mut self, of: Expr, inner: &Type, name: &Name, args: Option<&[tree::Arg]>, span: Span) -> Expr {
        if *inner == Type::Unknown {
            return unknown(span);
        }
        let entry = self.hidden(inner.clone(), of.span);
        self.follow(&of, entry);
        let body = self.field_of(local(entry, inner.clone(), of.span), name, args, span);
        let ty = match &body.ty {
            Type::List(inner) | Type::Optional(inner) => (**inner).clone().list(),
            Type::Unknown => return unknown(span),
            other => other.clone().list(),
        };
        map(Collection::List(of), entry, None, body, ty, span)
    }

    /// Reports `dice.max()` or `xs.length`: methods of lists in other languages that the entries do not have as fields.
    fn asked_of_list(&mut self, inner: &Type, name: &Name, list: &str) -> Option<Expr> {
        if matches!(inner, Type::Kind(kind) if self.has_field(*kind, &name.text)) || matches!(inner, Type::Record(_)) {
            return None;
        }
        let dice = matches!(inner, Type::Int(_));
        let write = match name.text.as_str() {
            "max" | "highest" | "best" => format!("`total(highest(1, {list}))`"),
            "min" | "lowest" | "worst" => format!("`total(lowest(1, {list}))`"),
            "length" | "len" | "size" | "count" if dice => format!("`size({list})`, or `count {list} >= 4` of some"),
            "length" | "len" | "size" | "count" => format!("`size({list})`, or `count x in {list} where ..` of some"),
            "sum" | "total" => format!("`total({list})`"),
            "first" if dice => format!("`(nth(1, {list}) otherwise 0)`"),
            "first" => format!("`if nth(1, {list}) is some x {{ .. }}`"),
            "last" if dice => format!("`(nth(size({list}), {list}) otherwise 0)`"),
            "last" => format!("`if nth(size({list}), {list}) is some x {{ .. }}`"),
            "contains" | "includes" if dice => format!("`6 in {list}`"),
            "contains" | "includes" => format!("`x in {list}`"),
            "filter" | "where" | "select" => format!("`all x in {list} where ..`"),
            "any" | "some" | "exists" => format!("`any x in {list} where ..`"),
            "all" | "every" => format!("`every x in {list}: ..`"),
            "map" | "collect" | "reduce" => format!("`sum x in {list} of ..`, or `each x in {list} {{ .. }}`"),
            "sort" | "sorted" if dice => format!("`highest(size({list}), {list})`, the greatest first"),
            "append" | "push" | "add" => format!("`set {list} += ..`"),
            "remove" | "pop" => format!("`set {list} -= ..`"),
            _ => return None,
        };
        let message = format!("a list has no `{}`; use a word before the list", name.text);
        Some(self.wrong_help(Code::UnknownField, name.span, message, format!("write {write}")))
    }

    /// Returns whether the field is one that every thing has: `alive`, and on the board `at` and `facing`.
    pub fn is_common(&self, kind: KindId, name: &str) -> bool {
        let kind = &self.ck.rs.kinds[kind.at()];
        name == "alive" || (matches!(name, "at" | "facing") && (kind.on_board || kind.group.is_some()))
    }

    /// Returns the names of the fields of a kind.
    pub fn field_names(&self, kind: KindId) -> Vec<String> {
        let kind = &self.ck.rs.kinds[kind.at()];
        let mut names: Vec<String> = kind.fields.iter().map(|f| self.ck.rs.fields[f.at()].name.clone()).collect();
        names.push("alive".into());
        names
    }

    fn field_of_thing(&mut self, of: Expr, kind: KindId, name: &Name, args: Option<&[tree::Arg]>, span: Span) -> Expr {
        if let Some(&field) = self.ck.rs.names.fields.get(&(kind, name.text.clone())) {
            return self.declared_field(of, field, name, args, span);
        }
        if self.is_common(kind, &name.text) {
            let of = Box::new(of);
            let found = match name.text.as_str() {
                "at" => expr(ExprKind::At(of), Type::Place.optional(), span),
                "facing" => expr(ExprKind::Facing(of), Type::Angle, span),
                _ => expr(ExprKind::Alive(of), Type::Flag, span),
            };
            return if args.is_some() { self.no_arguments(found, name) } else { found };
        }
        if let Some(&status) = self.ck.rs.names.traits.get(&name.text) {
            return self.instances(of, kind, status, name, span);
        }
        self.no_field(kind, name)
    }

    /// Reports an unknown field of a kind. Values of the game are referred to without a thing.
    pub fn no_field<T: Instead>(&mut self, kind: KindId, name: &Name) -> T {
        let known = self.field_names(kind);
        let near = did_you_mean(&name.text, known.iter().map(String::as_str));
        let kind = self.ck.rs.kinds[kind.at()].name.clone();
        let message = format!("{kind} has no field `{}`{near}", name.text);
        let is = match self.ck.rs.names.values.get(&name.text) {
            Some(ValueName::Tally(_)) => "a tally counts over the whole run, not for one thing",
            Some(ValueName::Setting(_)) => "a param or reading is the same for all things",
            Some(ValueName::Global(_)) => "this state belongs to the game",
            Some(_) | None => return self.wrong(Code::UnknownField, name.span, message),
        };
        self.wrong_help(Code::UnknownField, name.span, message, format!("write only `{}`: {is}", name.text))
    }

    /// Checks `u.S`: the instances of a status.
    fn instances(&mut self, of: Expr, kind: KindId, status: TraitId, name: &Name, span: Span) -> Expr {
        let (on, data, sort) = {
            let t = &self.ck.rs.traits[status.at()];
            (t.on, t.data, t.sort)
        };
        self.ck.uses.traits.insert(status);
        self.ck.means(name.span, || Means::Trait(status));
        if on != kind {
            self.wrong_bearer(status, kind, name.span);
            return unknown(span);
        }
        if sort != tree::TraitSort::Status {
            let message = format!("`{}` is not a status, so it has no instances; write `has {}`", name.text, name.text);
            return self.wrong(Code::UnknownField, name.span, message);
        }
        expr(ExprKind::Instances { thing: Box::new(of), status }, Type::Record(data).list(), span)
    }

    fn declared_field(
        &mut self,
        of: Expr,
        field: FieldId,
        name: &Name,
        args: Option<&[tree::Arg]>,
        span: Span,
    ) -> Expr {
        self.ck.uses.fields.insert(field);
        self.ck.means(name.span, || Means::Field(field));
        let (sort, mut ty, keys, params) = {
            let f = &self.ck.rs.fields[field.at()];
            (f.sort, f.ty.clone(), f.keys.clone(), f.params)
        };
        let mut wanted: Vec<(String, Type)> = keys.into_iter().map(|(ty, _)| (String::new(), ty)).collect();
        if let FieldSort::Let(func) = sort {
            let climbs = self.climbs(&of);
            ty = self.result_of(func, climbs, span);
            self.ck.rs.fields[field.at()].ty = ty.clone();
            if params > 0 {
                wanted = self.signature(func).into_iter().skip(1).collect();
            }
        }
        let keys = match (args, wanted.is_empty()) {
            (None, true) => Vec::new(),
            (Some(args), false) => self.arguments(&name.text, &wanted, args, name.span),
            (Some(_), true) => {
                self.say(
                    Code::NotCallable,
                    name.span,
                    format!("`{}` does not have a value for each of something", name.text),
                );
                Vec::new()
            }
            (None, false) => {
                let of = self.type_name(&wanted[0].1);
                let message = format!("`{0}` has one value for each {of}; say which: `.{0}(..)`", name.text);
                return self.wrong(Code::Arity, name.span, message);
            }
        };
        expr(ExprKind::Field { thing: Box::new(of), field, keys }, ty, span)
    }

    fn field_of_record(&mut self, of: Expr, id: RecordId, name: &Name, span: Span) -> Expr {
        let record = self.ck.rs.records[id.at()].name.clone();
        if let Some(&test) = self.ck.rs.names.tests.get(&record) {
            self.ck.ensure(test);
        }
        let fields = &self.ck.rs.records[id.at()].fields;
        if let Some(index) = fields.iter().position(|(n, _)| *n == name.text) {
            let ty = fields[index].1.clone();
            self.ck.means(name.span, || Means::Part(id, name.text.clone()));
            return part(of, index, ty).at(span);
        }
        let near = did_you_mean(&name.text, fields.iter().map(|(n, _)| n.as_str()));
        self.wrong(Code::UnknownField, name.span, format!("{record} has no field `{}`{near}", name.text))
    }

    fn field_of_leg(&mut self, of: Expr, name: &Name, args: Option<&[tree::Arg]>, span: Span) -> Expr {
        match (name.text.as_str(), args) {
            ("covered", None) => part(of, 0, Type::Length).at(span),
            ("met", None) => part(of, 1, Type::Met).at(span),
            ("crossed", Some([only])) => match self.kind_named(&only.value) {
                Some(kind) => {
                    let ty = Type::Kind(kind).list();
                    self.ck.means(only.value.span, || Means::Type(TypeName::Kind(kind)));
                    expr(ExprKind::Crossed { leg: Box::new(of), kind }, ty, span)
                }
                None => self.wrong(
                    Code::UnknownType,
                    only.value.span,
                    "`crossed` expects a kind, as in \
                                                                    `leg.crossed(Hedge)`",
                ),
            },
            ("crossed", _) => {
                self.wrong(Code::Arity, name.span, "`crossed` expects exactly one kind, as in `leg.crossed(Hedge)`")
            }
            _ => {
                let near = did_you_mean(&name.text, ["covered", "met", "crossed"]);
                self.wrong(Code::UnknownField, name.span, format!("a move has no `{}`{near}", name.text))
            }
        }
    }

    /// Returns the kind with this capitalized name.
    pub fn kind_named(&self, e: &tree::Expr) -> Option<KindId> {
        let tree::ExprKind::Upper(name) = &e.kind else { return None };
        match self.ck.rs.names.types.get(name) {
            Some(crate::ruleset::TypeName::Kind(id)) => Some(*id),
            _ => None,
        }
    }

    fn no_arguments(&mut self, found: Expr, name: &Name) -> Expr {
        if found.ty != Type::Unknown {
            self.say(Code::NotCallable, name.span, format!("`{}` does not take values", name.text));
        }
        unknown(found.span)
    }

    /// Returns whether a value was reached along a tree link, so that a let can be recursive.
    pub fn climbs(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Local(id) => self.climbers.contains(*id),
            ExprKind::Field { thing, field, .. } => {
                let kind = self.ck.rs.fields[field.at()].kind;
                self.ck.rs.kinds[kind.at()].tree == Some(*field) || self.is_back_of_tree(*field) || self.climbs(thing)
            }
            ExprKind::Tree { .. } => true,
            ExprKind::Then { value, body, .. } => self.climbs(value) || self.climbs(body),
            ExprKind::Map { body, .. } => self.climbs(body),
            _ => false,
        }
    }

    /// Returns whether the field is the back link of a tree link.
    fn is_back_of_tree(&self, field: FieldId) -> bool {
        match self.ck.rs.fields[field.at()].sort {
            FieldSort::BackLink(link) => {
                let kind = self.ck.rs.fields[link.at()].kind;
                self.ck.rs.kinds[kind.at()].tree == Some(link)
            }
            _ => false,
        }
    }

    /// Records whether the value of a variable, or the list of which it is an entry, was reached along a tree link.
    pub fn follow(&mut self, value: &Expr, to: LocalId) {
        if self.climbs(value) {
            self.climbers.insert(to);
        }
    }
}
