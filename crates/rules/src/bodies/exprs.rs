//! Checks expressions, dispatched by form.

use super::super::code::{Expr, ExprKind, Pat};
use super::body::{BodyChecker, expr, unknown};
use super::coerce::op;
use super::types::join;
use crate::index::Means;
use crate::ruleset::Trait;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, ExprKind as Tree};

/// Maximum number of look-aheads per body. Only bodies with uninferable types reach it.
const PEEKS: usize = 500;

impl BodyChecker<'_, '_> {
    /// Checks an expression and returns its typed code. The hint is the expected type. It determines the meaning of
    /// case names and dice, and the result need not have this type.
    pub fn expr(&mut self, e: &tree::Expr, hint: Option<&Type>) -> Expr {
        self.ck.notes.levels += 1;
        let value = self.expr_kind(e, hint);
        self.ck.notes.levels -= 1;
        match value.ty.present() {
            Type::List(inner) if self.ck.rs.holds_list(inner) => {
                let help = "join lists with `+`, or keep each under its own name";
                let ty = self.type_name(inner);
                self.wrong_help(
                    Code::WrongType,
                    e.span,
                    format!("a list cannot contain lists, and this one would contain {ty}"),
                    help,
                )
            }
            _ => value,
        }
    }

    fn expr_kind(&mut self, e: &tree::Expr, hint: Option<&Type>) -> Expr {
        let span = e.span;
        match &e.kind {
            Tree::Number(n) => self.number(*n, hint, span),
            Tree::Dice { sides, bare: true, .. } => self.die(*sides, hint, span),
            Tree::Dice { count, sides, .. } => {
                let message = format!("{count}d{sides} is a roll, not a value");
                self.wrong_help(
                    Code::Effect,
                    span,
                    message,
                    format!("write `roll dice = {count}d{sides}` on a line above, and `dice` here"),
                )
            }
            Tree::Yes => expr(ExprKind::Const(1), Type::Flag, span),
            Tree::No => expr(ExprKind::Const(0), Type::Flag, span),
            Tree::None => match hint {
                Some(Type::Optional(inner)) => expr(ExprKind::None, (**inner).clone().optional(), span),
                _ => expr(ExprKind::None, Type::Optional(Box::new(Type::Unknown)), span),
            },
            Tree::Name(name) => self.name(name, span),
            Tree::Upper(name) => self.upper(name, hint, span),
            Tree::Field(base, name) => self.field(base, name, None, span),
            Tree::Call(callee, args) => self.call(callee, args, hint, span),
            Tree::Tuple(parts) => self.tuple(parts, hint, span),
            Tree::Paren(inner) => self.expr(inner, hint).at(span),
            Tree::List(parts) => self.list(parts, hint, span),
            Tree::Neg(inner) => self.negative(inner, hint, span),
            Tree::Was(inner) => self.was(inner, hint, span),
            Tree::Arith { first, rest } => self.arith(first, rest, hint, span),
            Tree::Rounded { value, to } => self.rounded(value, *to, span),
            Tree::Shift { die, up, by } => self.shift(die, *up, by, hint, span),
            Tree::Compare { left, op, right } => self.compare(left, *op, right, span),
            Tree::Has { thing, no, name } => self.has(thing, *no, name, span),
            Tree::Is { .. } | Tree::And(_) => {
                let mark = self.mark();
                let value = self.condition(e);
                self.leave(mark);
                value
            }
            Tree::In { value, not, range } => self.is_in(value, *not, range, span),
            Tree::Within { place, distance, of } => {
                let args = vec![self.place(place), self.length(distance), self.place(of)];
                op(Op::Within, args, Type::Flag).at(span)
            }
            Tree::Sees { from, to } => {
                let args = vec![self.place(from), self.place(to)];
                op(Op::Sees, args, Type::Flag).at(span)
            }
            Tree::Nearer { place, to, than } => {
                let [near, far] = [to, than].map(|other| {
                    let args = [place, other].map(|e| tree::Arg { name: None, value: (**e).clone() });
                    let dist = tree::Expr { kind: Tree::Name("dist".into()), span };
                    tree::Expr { kind: Tree::Call(Box::new(dist), args.into()), span }
                });
                self.compare(&near, tree::CompareOp::Lt, &far, span)
            }
            Tree::Not(inner) => {
                let inner = self.flag(inner);
                op(Op::Not, vec![inner], Type::Flag).at(span)
            }
            Tree::Or(parts) => {
                let mut made: Vec<Expr> = Vec::new();
                for part in parts {
                    let value = made.last().and_then(|before| self.lone_value(before, part));
                    made.push(value.unwrap_or_else(|| self.flag(part)));
                }
                expr(ExprKind::Or(made), Type::Flag, span)
            }
            Tree::Otherwise(parts) => self.otherwise(parts, hint, span),
            Tree::If { arms, otherwise } => self.if_value(arms, otherwise, hint, span),
            Tree::Match(m) => self.match_value(m, hint),
            Tree::Query { what, binds, filter, body } => {
                self.query(*what, binds, filter.as_deref(), body.as_deref(), hint, span)
            }
            Tree::PoolQuery { what, pool, op, than } => self.pool_query(*what, pool, *op, than, span),
        }
    }

    /// Reports `hit == 3 or 4`, in which the `4` is not part of a comparison.
    fn lone_value(&mut self, before: &Expr, part: &tree::Expr) -> Option<Expr> {
        if let (ExprKind::Query { .. }, Tree::Number(_)) = (&before.kind, &part.kind) {
            let message = "`or` expects two conditions, found a number";
            let help = "write `any x in dice where x == 1 or x == 2`";
            return Some(self.wrong_help(Code::WrongType, part.span, message, help));
        }
        if let (ExprKind::Is { value, .. }, Tree::Number(_)) = (&before.kind, &part.kind) {
            let other = self.expr(part, Some(&value.ty));
            let (name, rendered) = (self.written(value), self.written(&other));
            let message = format!("`or` expects two conditions, found only `{rendered}`");
            return Some(self.wrong_help(
                Code::WrongType,
                part.span,
                message,
                format!("write `or {name} is {rendered}`"),
            ));
        }
        let ExprKind::Op(op, args) = &before.kind else { return None };
        let [left, right] = &args[..] else { return None };
        let plain = matches!(part.kind, Tree::Number(_) | Tree::Upper(_)) && right.ty.present() != &Type::Flag;
        if !op.compares() || !plain {
            return None;
        }
        let value = self.expr(part, Some(&left.ty));
        let left = self.written(left);
        let sign = op.written();
        let rendered = if let Tree::Upper(name) = &part.kind { name.clone() } else { self.written(&value) };
        let message = format!("`or` expects two conditions, found only `{rendered}`");
        Some(self.wrong_help(Code::WrongType, part.span, message, format!("write `or {left} {sign} {rendered}`")))
    }

    /// Checks a value of type Flag.
    pub fn flag(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Flag));
        self.fit(value, &Type::Flag)
    }

    /// Checks a place: a point, a thing, a group, or a list of things. A missing one is nowhere.
    pub fn place(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Place));
        if let (ExprKind::Was(_), Type::Kind(_)) = (&value.kind, value.ty.present()) {
            let help = "write `was x.at`, or put `was` before the whole distance: `was dist(a, b)`";
            let message = "a thing is the same before and after, and here its current position is used";
            self.say_help(Code::Capture, e.span, message, help);
        }
        self.fit(value, &Type::Place)
    }

    fn was(&mut self, inner: &tree::Expr, hint: Option<&Type>, span: Span) -> Expr {
        if !self.was_ok {
            self.say(Code::Capture, span, "`was` is allowed only in a move or a step");
        }
        let value = self.expr(inner, hint);
        let ty = value.ty.clone();
        expr(ExprKind::Was(Box::new(value)), ty, span)
    }

    /// Checks `a otherwise b otherwise c`, from the right.
    fn otherwise(&mut self, parts: &[tree::Expr], hint: Option<&Type>, span: Span) -> Expr {
        let [first, rest @ ..] = parts else { return unknown(span) };
        let value = self.expr(first, hint);
        if rest.is_empty() {
            return value;
        }
        let present = value.ty.present().clone();
        let rendered = if present == Type::Unknown { hint.cloned() } else { Some(present.clone()) };
        let fallback = self.otherwise(rest, rendered.as_ref(), span);
        if let [last] = rest {
            self.adds_to_fallback(last);
        }
        if !matches!(value.ty, Type::Optional(_) | Type::Unknown) {
            let name = self.called(&value).map_or("this".to_string(), |n| format!("`{n}`"));
            self.say(
                Code::Dead,
                fallback.span,
                format!("{name} is never missing, so the part after `otherwise` is never used"),
            );
        }
        let Some(ty) = join(&present, &fallback.ty) else {
            self.misfit(&fallback, &present, fallback.span);
            return unknown(span);
        };
        let some = ty.present().clone().optional();
        let value = self.fit(value, &some);
        let fallback = self.fit(fallback, &ty);
        expr(ExprKind::Otherwise(Box::new(value), Box::new(fallback)), ty, span)
    }

    /// Checks `if a then b else c` as a value.
    fn if_value(
        &mut self,
        arms: &[(tree::Expr, tree::Expr)],
        otherwise: &tree::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        self.adds_to_else(arms, otherwise);
        let hint = hint.cloned().or_else(|| self.wording_of_branches(arms, otherwise));
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let around = self.mark();
        for (condition, value) in arms {
            let mark = self.mark();
            conditions.push(self.condition(condition));
            values.push(self.expr(value, hint.as_ref()));
            self.leave(mark);
            if let Some(condition) = conditions.last() {
                self.note_facts(condition, false);
            }
        }
        values.push(self.expr(otherwise, hint.as_ref()));
        self.leave(around);
        let (mut values, ty) = self.unify(values, span);
        let Some(last) = values.pop() else { return unknown(span) };
        let arms = conditions.into_iter().zip(values).collect();
        expr(ExprKind::If { arms, otherwise: Box::new(last) }, ty, span)
    }

    /// Infers the type from the first branch that needs no hint, if another branch needs one.
    fn wording_of_branches(&mut self, arms: &[(tree::Expr, tree::Expr)], otherwise: &tree::Expr) -> Option<Type> {
        let needy = arms.iter().any(|(_, v)| self.needs_hint(v)) || self.needs_hint(otherwise);
        if !needy {
            return None;
        }
        for (condition, value) in arms {
            if !self.needs_hint(value) {
                return self.peek(Some(condition), value);
            }
        }
        if self.needs_hint(otherwise) || self.peeks >= PEEKS {
            return None;
        }
        let (around, locals) = (self.mark(), self.locals.len());
        for (condition, _) in arms {
            let mark = self.mark();
            let condition = self.condition(condition);
            self.leave(mark);
            self.note_facts(&condition, false);
        }
        let rendered = self.peek(None, otherwise);
        self.leave(around);
        self.locals.truncate(locals);
        rendered
    }

    /// Infers the type of a value without keeping its code. Errors in the value are reported.
    pub fn peek(&mut self, guard: Option<&tree::Expr>, value: &tree::Expr) -> Option<Type> {
        if self.peeks >= PEEKS {
            return None;
        }
        self.peeks += 1;
        let (locals, loops) = (self.locals.len(), self.loops.clone());
        let mark = self.mark();
        if let Some(guard) = guard {
            self.condition(guard);
        }
        let ty = self.expr(value, None).ty;
        self.leave(mark);
        self.locals.truncate(locals);
        self.loops = loops;
        (ty != Type::Unknown).then_some(ty)
    }

    /// Checks the expression `x has T` or `x has no T` and translates it to typed code.
    fn has(&mut self, thing: &tree::Expr, no: bool, name: &tree::Name, span: Span) -> Expr {
        let thing = self.expr(thing, None);
        let Some(&what) = self.ck.rs.names.traits.get(&name.text) else {
            let near = grognard_base::did_you_mean(&name.text, self.ck.rs.names.traits.keys().map(String::as_str));
            return self.wrong(
                Code::UnknownName,
                name.span,
                format!("there is no trait, status or condition `{}`{near}", name.text),
            );
        };
        self.ck.uses.traits.insert(what);
        self.ck.means(name.span, || Means::Trait(what));
        let Some(on) = self.bearer_kind(what) else { return expr(ExprKind::Const(0), Type::Flag, span) };
        match thing.ty {
            Type::Kind(kind) if kind == on => {}
            Type::Unknown => return expr(ExprKind::Const(0), Type::Flag, span),
            Type::Kind(kind) => {
                self.wrong_bearer(what, kind, span);
                return unknown(span);
            }
            _ => {
                self.misfit(&thing.clone(), &Type::Kind(on), thing.span);
                return unknown(span);
            }
        }
        let has = expr(ExprKind::Has { thing: Box::new(thing), what }, Type::Flag, span);
        if no { op(Op::Not, vec![has], Type::Flag).at(span) } else { has }
    }

    /// Returns the kind that bears a trait. `None` if the kind is unknown, which is reported at the declaration.
    pub fn bearer_kind(&self, what: TraitId) -> Option<KindId> {
        let on = self.ck.rs.traits[what.at()].on;
        (on != Trait::NO_KIND).then_some(on)
    }

    /// Reports a trait on a thing of a kind that cannot bear it.
    pub fn wrong_bearer(&mut self, what: TraitId, kind: KindId, span: Span) {
        let Some(on) = self.bearer_kind(what) else { return };
        let name = self.ck.rs.traits[what.at()].name.clone();
        let (on, kind) = (self.ck.rs.kinds[on.at()].name.clone(), self.ck.rs.kinds[kind.at()].name.clone());
        self.say(Code::WrongType, span, format!("`{name}` is on {on}, and this is a {kind}"));
    }

    /// Checks the expression `x in XS` or `x not in XS` and translates it to typed code.
    fn is_in(&mut self, value: &tree::Expr, not: bool, range: &tree::Range, span: Span) -> Expr {
        if let Some((_, test)) = self.action_test(value, &tree_list(range), span) {
            return if not { op(Op::Not, vec![test], Type::Flag).at(span) } else { test };
        }
        let inside =
            if range.high.is_some() { self.in_band(value, range, span) } else { self.in_list(value, range, span) };
        if not { op(Op::Not, vec![inside], Type::Flag).at(span) } else { inside }
    }

    /// Checks the expression `x in 1 .. 3` and translates it to typed code.
    fn in_band(&mut self, value: &tree::Expr, range: &tree::Range, span: Span) -> Expr {
        let value = self.expr(value, None);
        let ty = value.ty.clone();
        let low = self.want(&range.low, &ty);
        let high = range.high.as_ref().map(|h| (self.want(h, &ty), true));
        if matches!(ty, Type::Optional(_)) {
            self.missing(&value, value.span);
        }
        if let Some((high, _)) = &high {
            self.never_between(&value, &low, high, span);
        }
        let pattern = Box::new(Pat::Between { low: Some((low, true)), high });
        expr(ExprKind::Is { value: Box::new(value), pattern }, Type::Flag, span)
    }

    /// Checks the expression `x in XS` and translates it to typed code.
    fn in_list(&mut self, value: &tree::Expr, range: &tree::Range, span: Span) -> Expr {
        let (value, list) = if self.needs_hint(value) {
            let list = self.as_list(range, None);
            let inner = entry_type(&list.ty);
            (self.want(value, &inner), list)
        } else {
            let value = self.expr(value, None);
            let wanted = value.ty.present().clone().list();
            let list = self.as_list(range, Some(&wanted));
            (value, list)
        };
        let inner = entry_type(&list.ty);
        if matches!(value.ty, Type::Optional(_)) {
            return self.absent(&value, value.span);
        }
        let Some(ty) = join(&value.ty, &inner) else {
            self.misfit(&value, &inner, span);
            return unknown(span);
        };
        let value = self.fit(value, &ty);
        let list = self.fit(list, &ty.list());
        self.never_listed(&value, &list);
        op(Op::InList, vec![value, list], Type::Flag).at(span)
    }
}

/// Returns the entry type of a list type.
fn entry_type(ty: &Type) -> Type {
    match ty {
        Type::List(inner) => (**inner).clone(),
        _ => Type::Unknown,
    }
}

/// Returns the entries of a list literal after `in`.
fn tree_list(range: &tree::Range) -> Vec<tree::Expr> {
    match (&range.low.kind, &range.high) {
        (Tree::List(parts), None) => parts.clone(),
        _ => Vec::new(),
    }
}
