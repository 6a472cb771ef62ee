//! Declares bounds, defaults and derived values of fields, as functions of the thing.

use super::types::{is_length, literal};
use super::{Declarer, Scope};
use crate::checker::Pending;
use crate::code::{Body, Expr, ExprKind};
use crate::index::Means;
use crate::ruleset::{FieldSort, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, ItemKind, Let, MemberKind, Name, Slot, TypeExprKind};

impl<'a> Declarer<'a, '_> {
    /// Looks up a field of a kind by name. Reports an error if it does not exist.
    pub fn field_named(&mut self, kind: KindId, name: &Name) -> Option<FieldId> {
        if let Some(id) = self.c.rs.names.fields.get(&(kind, name.text.clone())).copied() {
            self.c.means(name.span, || Means::Field(id));
            return Some(id);
        }
        let known = self.c.rs.kinds[kind.at()].fields.iter().map(|f| self.c.rs.fields[f.at()].name.as_str());
        let near = did_you_mean(&name.text, known);
        let message = format!("{} has no field `{}`{near}", self.c.rs.kinds[kind.at()].name, name.text);
        self.wrong(Code::UnknownField, name.span, message)
    }

    /// Declares bounds, defaults and derived values, as functions of the thing.
    pub fn declare_fields(&mut self) {
        let items = self.items;
        for item in items {
            let (name, members) = match &item.kind {
                ItemKind::Kind(k) => (&k.name, &k.members),
                ItemKind::ExtendKind { name, members } => (name, members),
                ItemKind::Let(l) => {
                    if let Some(kind) = &l.of {
                        self.derive(kind, l, None);
                    }
                    continue;
                }
                ItemKind::Trait(t) => {
                    for member in &t.members {
                        if let tree::TraitMemberKind::Let(l) = &member.kind {
                            self.derive(&t.on, l, Some(&t.name.text));
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            for member in members {
                match &member.kind {
                    MemberKind::Stat(s) | MemberKind::State(s) => self.bound_slot(name, s),
                    MemberKind::Let(l) => self.derive(name, l, None),
                    _ => {}
                }
            }
        }
    }

    /// Returns the field declared at this span. A second field of the same name was rejected, so it returns `None` for
    /// it.
    fn field_at(&self, kind: &Name, name: &Name) -> Option<FieldId> {
        let Some(TypeName::Kind(kind)) = self.c.rs.names.types.get(&kind.text) else { return None };
        let id = *self.c.rs.names.fields.get(&(*kind, name.text.clone()))?;
        (self.field_span(id) == name.span).then_some(id)
    }

    fn bound_slot(&mut self, kind: &Name, slot: &'a Slot) {
        let Some(id) = self.field_at(kind, &slot.name) else { return };
        let field = &self.c.rs.fields[id.at()];
        let (kind, ty, item, name) = (field.kind, field.ty.clone(), field.item, self.full_name(id));
        let mut scope = self.self_scope(kind, slot.name.span);
        if let TypeExprKind::Bounded { low, high } = &slot.ty.kind {
            let low = self.bound(item, &name, &scope, low, &ty);
            let high = high.as_ref().map(|h| self.bound(item, &name, &scope, h, &ty));
            let field = &mut self.c.rs.fields[id.at()];
            field.low = Some(low);
            field.high = high;
        }
        if let Some(default) = &slot.default {
            scope.result = Some(ty.clone());
            let func = self.value_function(item, name, scope, default, Some(ty));
            self.c.rs.fields[id.at()].default = Some(func);
        }
    }

    /// Creates the function of one bound of a slot or a top-level state.
    pub fn bound(&mut self, item: ItemId, name: &str, scope: &Scope, bound: &'a tree::Expr, ty: &Type) -> FuncId {
        let wide = match ty.present() {
            Type::Int(_) => Type::INT,
            other => other.clone(),
        };
        match literal(bound) {
            Some(value) => {
                if wide == Type::Length && !is_length(bound) && value != 0 {
                    self.say(Code::Units, bound.span, "one bound is in inches, the other a plain number");
                }
                self.constant_function(item, name.to_string(), scope, wide, value, bound.span)
            }
            None => self.value_function(item, name.to_string(), scope.clone(), bound, Some(wide)),
        }
    }

    /// Creates the function of a derived value.
    fn derive(&mut self, kind: &Name, l: &'a Let, helper_of: Option<&str>) {
        let Some(id) = self.field_at(kind, &l.name) else { return };
        let field = &self.c.rs.fields[id.at()];
        let (kind, item) = (field.kind, field.item);
        let ty = (field.ty != Type::Unknown).then(|| field.ty.clone());
        let name = match helper_of {
            Some(name) => format!("{name}.{}", l.name.text),
            None => self.full_name(id),
        };
        let mut scope = self.self_scope(kind, l.name.span);
        scope.params.extend(self.field_params[id.at()].iter().cloned());
        scope.result = ty.clone();
        let func = match &l.value {
            Some(value) => self.value_function(item, name, scope, value, ty),
            None => {
                self.c.rs.open.push(item);
                self.function(item, name, &scope, Pending::Done)
            }
        };
        self.c.rs.fields[id.at()].sort = FieldSort::Let(func);
    }

    fn full_name(&self, field: FieldId) -> String {
        self.c.rs.items[self.c.rs.fields[field.at()].item.at()].name.clone()
    }

    /// Sets the types of derived fields and runs the checks that need them, after the bodies are checked.
    pub fn finish_fields(&mut self) {
        for at in 0..self.c.rs.fields.len() {
            if let FieldSort::Let(func) = self.c.rs.fields[at].sort
                && let Some(function) = self.c.rs.functions.get(func.at())
            {
                self.c.rs.fields[at].ty = function.result.clone();
            }
        }
        self.judge_defaults();
        for at in 0..self.c.rs.kinds.len() {
            let flag = |f: FieldId| self.c.rs.fields[f.at()].ty == Type::Flag;
            self.c.rs.kinds[at].blocks = self.c.rs.kinds[at].blocks.filter(|f| flag(*f));
            let length = |f: FieldId| {
                let field = &self.c.rs.fields[f.at()];
                field.ty == Type::Length && field.keys.is_empty() && !matches!(field.sort, FieldSort::Let(_))
            };
            self.c.rs.kinds[at].height = self.c.rs.kinds[at].height.filter(|f| length(*f));
        }
    }

    /// Reports a default outside the bounds that result from the defaults of other fields.
    fn judge_defaults(&mut self) {
        for field in self.c.rs.fields.clone() {
            let Some((value, span)) = field.default.and_then(|f| self.fixed(f)) else { continue };
            for (bound, upper) in [(field.low, false), (field.high, true)] {
                let Some((limit, other)) = bound.and_then(|f| self.default_of_bound(f)) else { continue };
                if if upper { value <= limit } else { value >= limit } {
                    continue;
                }
                let most = if upper { "most" } else { "least" };
                let tell = |n: i64| match field.ty {
                    Type::Length => format!("{}\"", Ratio::new(n, 1000).unwrap_or(Ratio::whole(n))),
                    _ => n.to_string(),
                };
                let (value, limit) = (tell(value), tell(limit));
                let text =
                    format!("`{}` is {value} by default, but `{other}`, the {most} it can be, is {limit}", field.name);
                self.say(Code::WrongType, span, text);
            }
        }
    }

    /// Returns the value of a constant function.
    fn fixed(&self, func: FuncId) -> Option<(i64, Span)> {
        match &self.c.rs.functions.get(func.at())?.body {
            Body::Value(Expr { kind: ExprKind::Const(value), span, .. }) => Some((*value, *span)),
            _ => None,
        }
    }

    /// Returns the default and the name of the field that a bound refers to.
    fn default_of_bound(&self, bound: FuncId) -> Option<(i64, String)> {
        let Body::Value(value) = &self.c.rs.functions.get(bound.at())?.body else { return None };
        let ExprKind::Field { thing, field, keys } = &value.kind else { return None };
        let own = keys.is_empty() && matches!(thing.kind, ExprKind::Local(LocalId(0)));
        let other = &self.c.rs.fields[field.at()];
        let (value, _) = self.fixed(other.default.filter(|_| own)?)?;
        Some((value, other.name.clone()))
    }
}
