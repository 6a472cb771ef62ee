//! Declares fields that a test borrows. A hidden state holds the borrowed value, and a hidden condition replaces the
//! field by it.

use super::Declarer;
use crate::checker::Pending;
use crate::code::{Body, Expr, ExprKind, Local};
use crate::ruleset::{Change, Field, FieldSort, Trait, TypeName};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, ItemKind, Name, TypeExprKind};

impl Declarer<'_, '_> {
    /// Declares the state and the condition for `test T(u) with ld = ..`, once for each field.
    pub fn declare_borrowed(&mut self) {
        for item in self.items {
            for (test, figure) in &item.borrowed {
                // an unknown test, or one whose first parameter is not a thing, is reported at the call
                if let Some(kind) = self.subject(test) {
                    self.borrow(kind, figure);
                }
            }
        }
    }

    /// Returns the kind of the first parameter of a test.
    fn subject(&self, test: &Name) -> Option<KindId> {
        let of = self.items.iter().find_map(|item| match &item.kind {
            ItemKind::Test(t) if t.name.text == test.text => Some(t),
            _ => None,
        })?;
        let TypeExprKind::Named(kind) = &of.params.first()?.ty.as_ref()?.kind else { return None };
        match self.c.rs.names.types.get(&kind.text) {
            Some(TypeName::Kind(kind)) => Some(*kind),
            _ => None,
        }
    }

    fn borrow(&mut self, kind: KindId, figure: &Name) {
        let Some(of) = self.field_named(kind, figure) else { return };
        if self.c.borrowed.contains_key(&of) {
            return;
        }
        let field = self.c.rs.fields[of.at()].clone();
        let why = match &field.ty {
            _ if !matches!(field.sort, FieldSort::Stat | FieldSort::Let(_)) => {
                "only a `stat` or a `let` can be \
                                                                                borrowed"
            }
            _ if !self.field_params[of.at()].is_empty() => "it is not a single value",
            Type::Int(_) | Type::Length | Type::Angle | Type::Flag | Type::Enum(_) | Type::Chain(_) => "",
            Type::Unknown => "write its type, as in `let Unit.nerve : Int = ..`",
            _ => "only numbers, lengths, angles, flags, cases and dice of a chain can be borrowed",
        };
        if !why.is_empty() {
            let message = format!("`{}` cannot be borrowed for a test: {why}", figure.text);
            return self.say(Code::NotAssignable, figure.span, message);
        }
        let ty = if let Type::Int(_) = field.ty { Type::INT } else { field.ty.clone() };
        let held = FieldId::from(self.c.rs.fields.len());
        let name = format!("{} as borrowed", field.name);
        let (sort, of_it) = (FieldSort::State, Type::Optional(Box::new(ty.clone())));
        self.c.rs.fields.push(Field { name: name.clone(), sort, ty: of_it.clone(), ..field.clone() });
        self.field_params.push(Vec::new());
        self.c.borrowed.insert(of, held);
        let span = self.field_span(of);
        let own = |kind: ExprKind, ty: Type| Expr { kind, ty, span };
        let me = own(ExprKind::Local(LocalId(0)), Type::Kind(kind));
        let kept = own(ExprKind::Field { thing: Box::new(me), field: held, keys: Vec::new() }, of_it);
        let nothing = |ty: Type| Box::new(own(ExprKind::Const(0), ty));
        let yes = Box::new(own(ExprKind::Const(1), Type::Flag));
        let there = ExprKind::Then { value: Box::new(kept.clone()), local: LocalId(1), body: yes };
        let there = Box::new(own(there, Type::Flag.optional()));
        let when = own(ExprKind::Otherwise(there, nothing(Type::Flag)), Type::Flag);
        let value = own(ExprKind::Otherwise(Box::new(kept), nothing(ty.clone())), ty.clone());
        let [when, value] = [when, value].map(|body| {
            let scope = super::Scope { result: Some(body.ty.clone()), ..self.self_scope(kind, span) };
            let func = self.function(field.item, name.clone(), &scope, Pending::Done);
            let function = &mut self.c.rs.functions[func.at()];
            function.locals.push(Local { name: "borrowed".to_string(), ty: ty.clone(), span });
            function.body = Body::Value(body);
            func
        });
        let change = Change { field: of, op: None, value, when: None, over: None, alone: true, cites: Vec::new() };
        let data = self.record(name.clone(), field.item);
        self.c.rs.traits.push(Trait {
            name,
            sort: tree::TraitSort::Condition,
            on: kind,
            data,
            when: Some(when),
            changes: vec![change],
            forbids: Vec::new(),
            item: field.item,
        });
    }
}
