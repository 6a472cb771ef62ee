//! Declares traits, statuses and conditions: their changes, their forbidden actions, and their rules.

use super::{Declarer, ParamDecl};
use crate::checker::Scope;
use crate::index::Means;
use crate::ruleset::{Change, FieldSort, Forbid, Trait};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, did_you_mean};
use grognard_syntax::tree::{self, Expr, Formal, ItemKind, ModifyOp, Name, TraitMember, TraitMemberKind};

/// A `replace` or `modify` as written.
struct Written<'a> {
    name: &'a Name,
    params: Option<&'a [Formal]>,
    /// `None` for `replace`.
    op: Option<ModifyOp>,
    value: &'a Expr,
    when: Option<&'a Expr>,
    over: Option<&'a Name>,
}

impl<'a> Declarer<'a, '_> {
    /// Completes every trait. Conditions and rules come first, because the changes need the types of derived values.
    pub fn declare_traits(&mut self) {
        let items = self.items;
        for item in items {
            if let ItemKind::Trait(t) = &item.kind
                && let Some(id) = self.borne_trait(t)
            {
                self.declare_trait(id, t);
            }
        }
        for item in items {
            if let ItemKind::Trait(t) = &item.kind
                && let Some(id) = self.borne_trait(t)
            {
                for member in &t.members {
                    self.declare_change(id, t, member);
                }
            }
        }
    }

    /// Returns the id of a trait whose kind exists.
    fn borne_trait(&self, t: &tree::Trait) -> Option<TraitId> {
        let id = self.c.rs.names.traits.get(&t.name.text).copied()?;
        (self.c.rs.traits[id.at()].on != Trait::NO_KIND).then_some(id)
    }

    fn declare_trait(&mut self, id: TraitId, t: &'a tree::Trait) {
        let (kind, item) = (self.c.rs.traits[id.at()].on, self.c.rs.traits[id.at()].item);
        if let Some(when) = &t.when {
            let func = self.condition(kind, item, &t.name.text, Vec::new(), when);
            self.c.rs.traits[id.at()].when = Some(func);
        }
        for member in &t.members {
            match &member.kind {
                TraitMemberKind::Forbid { actions, when } => {
                    for name in actions {
                        self.declare_forbid(id, name, when.as_ref(), &member.cites);
                    }
                }
                TraitMemberKind::Rule(rule) => self.declare_rule(rule, &member.cites, Some(id)),
                _ => {}
            }
        }
    }

    /// Creates a function for a condition on the bearer.
    fn condition(&mut self, kind: KindId, item: ItemId, name: &str, keys: Vec<ParamDecl>, when: &'a Expr) -> FuncId {
        let mut scope = self.self_scope(kind, when.span);
        scope.params.extend(keys);
        scope.result = Some(Type::Flag);
        self.value_function(item, name.to_string(), scope, when, Some(Type::Flag))
    }

    fn declare_forbid(&mut self, id: TraitId, name: &Name, when: Option<&'a Expr>, cites: &[tree::ClauseRef]) {
        let Some(action) = self.c.rs.names.actions.get(&name.text).copied() else {
            let near = did_you_mean(&name.text, self.c.rs.names.actions.keys().map(String::as_str));
            return self.say(Code::UnknownName, name.span, format!("there is no action `{}`{near}", name.text));
        };
        self.c.means(name.span, || Means::Action(action));
        let (kind, item) = (self.c.rs.traits[id.at()].on, self.c.rs.traits[id.at()].item);
        let title = self.c.rs.traits[id.at()].name.clone();
        let when = when.map(|w| self.condition(kind, item, &title, Vec::new(), w));
        let cites = cites.iter().map(|c| c.text.clone()).collect();
        self.c.rs.traits[id.at()].forbids.push(Forbid { span: name.span, action, when, cites });
    }

    fn declare_change(&mut self, id: TraitId, t: &'a tree::Trait, member: &'a TraitMember) {
        let written = match &member.kind {
            TraitMemberKind::Replace { name, params, value, when, over } => {
                Written { name, params: params.as_deref(), op: None, value, when: when.as_ref(), over: over.as_ref() }
            }
            TraitMemberKind::Modify { name, op, value, when, over } => {
                let (when, over) = (when.as_ref(), over.as_ref());
                Written { name, params: None, op: Some(*op), value, when, over }
            }
            _ => return,
        };
        let kind = self.c.rs.traits[id.at()].on;
        let Some(field) = self.field_named(kind, written.name) else { return };
        if !matches!(self.c.rs.fields[field.at()].sort, FieldSort::Stat | FieldSort::Let(_)) {
            let name = &written.name.text;
            let message = format!("`{name}` is set by rules; a trait can change only stats and lets");
            let help =
                format!("declare `{name}` as a `stat` or a `let`, or change it with `set` where the status is granted");
            let found = Diagnostic::new(Code::NotAssignable, written.name.span, message).help(help);
            let declared = self.field_span(field);
            return self.c.problems.push(found.and(declared, "declared here"));
        }
        self.add_change(id, t, member, field, written);
    }

    fn add_change(
        &mut self,
        id: TraitId,
        t: &'a tree::Trait,
        member: &'a TraitMember,
        field: FieldId,
        written: Written<'a>,
    ) {
        let (kind, item) = (self.c.rs.traits[id.at()].on, self.c.rs.traits[id.at()].item);
        let keys = self.change_params(field, &written);
        let ty = self.changed_type(field, &written);
        let name = format!("{}.{}", t.name.text, written.name.text);
        let mut scope: Scope = self.self_scope(kind, written.name.span);
        scope.params.extend(keys.iter().cloned());
        scope.result = ty.clone();
        let value = self.value_function(item, name.clone(), scope, written.value, ty);
        let when = written.when.map(|w| self.condition(kind, item, &name, keys, w));
        let over = written.over.and_then(|n| self.trait_named(n));
        self.c.rs.traits[id.at()].changes.push(Change {
            field,
            op: written.op,
            value,
            when,
            over,
            alone: false,
            cites: member.cites.iter().map(|c| c.text.clone()).collect(),
        });
    }

    /// Returns the field's keys or parameters, under the names that the change uses.
    fn change_params(&mut self, field: FieldId, written: &Written<'a>) -> Vec<ParamDecl> {
        let own = self.field_params[field.at()].clone();
        let Some(formals) = written.params else { return own };
        let theirs = self.formals(formals, None);
        let alike = own.len() == theirs.len() && own.iter().zip(&theirs).all(|(a, b)| a.1 == b.1);
        if !alike {
            let other = self.field_span(field);
            let message = format!("`{}` is replaced with different parameters", written.name.text);
            self.say_two(Code::Signature, written.name.span, message, other, "declared here");
            return own;
        }
        theirs
    }

    /// Returns the expected type of a change: that of the field, without its range.
    fn changed_type(&mut self, field: FieldId, written: &Written<'a>) -> Option<Type> {
        let mut ty = self.c.rs.fields[field.at()].ty.clone();
        if let (Type::Unknown, FieldSort::Let(func)) = (&ty, self.c.rs.fields[field.at()].sort) {
            self.c.ensure(func);
            ty = self.c.rs.functions[func.at()].result.clone();
        }
        let additive = matches!(ty, Type::Int(_) | Type::Length | Type::Angle | Type::Ratio | Type::Unknown);
        if written.op.is_some() && !additive {
            let message =
                format!("`{}` is not a number; write `replace {} = ..`", written.name.text, written.name.text);
            return self.wrong(Code::WrongType, written.name.span, message);
        }
        match (ty, written.op) {
            (Type::Angle, Some(ModifyOp::AtMost | ModifyOp::AtLeast)) => {
                let message = format!("`{}` is a direction and cannot have a limit", written.name.text);
                self.wrong(Code::WrongType, written.name.span, message)
            }
            (Type::Ratio, Some(ModifyOp::Times(Some(_)))) => {
                let message = format!("`{}` is a fraction and is not rounded", written.name.text);
                self.wrong(Code::WrongType, written.name.span, message)
            }
            (ty, op) => factor_or(ty, op),
        }
    }

    fn trait_named(&mut self, name: &Name) -> Option<TraitId> {
        if let Some(id) = self.c.rs.names.traits.get(&name.text).copied() {
            self.c.means(name.span, || Means::Trait(id));
            return Some(id);
        }
        let near = did_you_mean(&name.text, self.c.rs.names.traits.keys().map(String::as_str));
        self.wrong(
            Code::UnknownName,
            name.span,
            format!("there is no trait, status or condition `{}`{near}", name.text),
        )
    }
}

/// Returns the expected type of the operand of a change to a field of type `ty`, or `None` if it is inferred.
fn factor_or(ty: Type, op: Option<ModifyOp>) -> Option<Type> {
    match (ty, op) {
        (Type::Unknown, _) => None,
        (Type::Int(_) | Type::Length, Some(ModifyOp::Times(Some(_)))) => Some(Type::Ratio),
        (Type::Length | Type::Angle | Type::Int(_), Some(ModifyOp::Times(_))) | (Type::Int(_), _) => Some(Type::INT),
        (other, _) => Some(other),
    }
}
