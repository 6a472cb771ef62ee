//! Relations between types: compatibility, common types, order.

use super::body::BodyChecker;
use crate::index::Means;
use crate::ruleset::{FieldSort, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, ExprKind, TypeExprKind};

/// Returns whether a value of the first type has the same cells as one of the second type.
pub(super) fn same_cells(have: &Type, want: &Type) -> bool {
    match (have, want) {
        (Type::Unknown, _) | (_, Type::Unknown) | (Type::Int(_), Type::Int(_)) => true,
        (Type::Chain(a), Type::Shifted(b)) => a == b,
        (Type::Optional(a), Type::Optional(b)) | (Type::List(a), Type::List(b)) => same_cells(a, b),
        (Type::Optional(a), Type::Place) => **a == Type::Place || **a == Type::Unknown,
        (a, Type::Optional(b)) => same_cells(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_cells(a, b)),
        _ => have == want,
    }
}

/// Returns the smallest type that contains the values of both, if it exists.
pub(super) fn join(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Unknown, other) | (other, Type::Unknown) => other.clone(),
        (Type::Int(x), Type::Int(y)) => Type::Int(x.join(*y)),
        (Type::Int(_), Type::Ratio) | (Type::Ratio, Type::Int(_)) => Type::Ratio,
        (Type::Optional(x), y) | (y, Type::Optional(x)) => join(x, y.present())?.optional(),
        (Type::Chain(c), Type::Shifted(d)) | (Type::Shifted(d), Type::Chain(c)) if c == d => b_or(a, b),
        (Type::Chain(c), Type::Chain(d)) if c != d => Type::Die,
        (Type::Chain(_), Type::Die) | (Type::Die, Type::Chain(_)) => Type::Die,
        (Type::Kind(_), Type::Place) | (Type::Place, Type::Kind(_)) => Type::Place,
        (Type::List(x), Type::List(y)) => join(x, y)?.list(),
        (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
            Type::Tuple(x.iter().zip(y).map(|(x, y)| join(x, y)).collect::<Option<_>>()?)
        }
        _ if a == b => a.clone(),
        _ => return None,
    })
}

/// Returns the type of a variable that can be set later. Its numbers lose their range.
pub(super) fn widened(ty: &Type) -> Type {
    match ty {
        Type::Int(_) => Type::INT,
        Type::Optional(inner) => widened(inner).optional(),
        Type::List(inner) => widened(inner).list(),
        other => other.clone(),
    }
}

/// Returns the type of a stored value. Its numbers are limited to those that a cell can store.
pub(super) fn kept(ty: &Type) -> Type {
    match ty {
        Type::Int(r) => Type::Int(r.kept()),
        Type::Optional(inner) => kept(inner).optional(),
        Type::List(inner) => kept(inner).list(),
        Type::Tuple(parts) => Type::Tuple(parts.iter().map(kept).collect()),
        other => other.clone(),
    }
}

/// Returns the shifted type of a chain type and a shifted type.
fn b_or(a: &Type, b: &Type) -> Type {
    if matches!(a, Type::Shifted(_)) { a.clone() } else { b.clone() }
}

/// Returns whether the name begins with a capital letter.
pub(super) fn is_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

impl BodyChecker<'_, '_> {
    /// Returns whether values of the type can be compared with `<`.
    pub fn has_order(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(_) | Type::Length | Type::Angle | Type::Ratio | Type::Chain(_) | Type::Unknown => true,
            Type::Enum(id) => self.ck.rs.enums[id.at()].ordered,
            Type::Die => true,
            Type::Flag | Type::Shifted(_) | Type::Faces(_) | Type::Kind(_) | Type::Record(_) => false,
            Type::Tuple(_) | Type::Place | Type::Route | Type::Leg | Type::List(_) | Type::Optional(_) => false,
            Type::Met | Type::Nothing => false,
        }
    }

    /// Returns whether the body is a derived field that a trait changes. Its value can then be any value of its type.
    pub fn is_changed(&self) -> bool {
        let func = self.func;
        let is_own = |field: FieldId| self.ck.rs.fields[field.at()].sort == FieldSort::Let(func);
        self.scope.has_self && self.ck.rs.traits.iter().flat_map(|t| &t.changes).any(|c| is_own(c.field))
    }

    /// Checks a type annotation in a body.
    pub fn written_type(&mut self, ty: &tree::TypeExpr) -> Type {
        let plain = match &ty.kind {
            TypeExprKind::Named(name) => self.named_type(name),
            TypeExprKind::List(name) => self.named_type(name).list(),
            TypeExprKind::Bounded { low, high } => {
                let low = plain_number(low).unwrap_or(Range::ALL.low);
                let high = high.as_ref().and_then(plain_number).unwrap_or(Range::ALL.high);
                Type::Int(Range::new(low, high))
            }
        };
        if ty.optional { plain.optional() } else { plain }
    }

    fn named_type(&mut self, name: &tree::Name) -> Type {
        if let Some(plain) = Type::named(&name.text) {
            return plain;
        }
        if let Some(found) = self.ck.rs.names.types.get(&name.text).copied() {
            self.ck.means(name.span, || Means::Type(found));
            return match found {
                TypeName::Enum(id) => Type::Enum(id),
                TypeName::Chain(id) => Type::Chain(id),
                TypeName::Die(id) => self.die_type(id),
                TypeName::Record(id) => Type::Record(id),
                TypeName::Kind(id) => Type::Kind(id),
            };
        }
        if let Some(&test) = self.ck.rs.names.tests.get(&name.text) {
            self.ck.means(name.span, || Means::Test(test));
            return self.ck.rs.functions[test.at()].result.clone();
        }
        if let Some(setting) = self.reading_type(&name.text) {
            return setting;
        }
        let near = did_you_mean(&name.text, self.type_names());
        self.say(Code::UnknownType, name.span, format!("unknown type `{}`{near}", name.text));
        Type::Unknown
    }

    fn reading_type(&self, name: &str) -> Option<Type> {
        let at = self.ck.rs.enums.iter().position(|e| e.name == name)?;
        Some(Type::Enum(EnumId::from(at)))
    }

    /// Returns the type of a declared die as a value: `Die` if its faces are numbers.
    pub fn die_type(&self, id: DieId) -> Type {
        match self.ck.rs.dice[id.at()].of {
            Type::Int(_) => Type::Die,
            _ => Type::Faces(id),
        }
    }

    fn type_names(&self) -> Vec<&str> {
        let names = &self.ck.rs.names;
        let known = names.types.keys().chain(names.tests.keys()).map(String::as_str);
        Type::NAMED.iter().map(|(name, _)| *name).chain(known).collect()
    }
}

/// Returns the whole number of a literal bound.
fn plain_number(e: &tree::Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Number(n) if n.unit == tree::Unit::Plain && n.thousandths % 1000 == 0 => Some(n.thousandths / 1000),
        ExprKind::Neg(inner) => plain_number(inner).map(|n| -n),
        _ => None,
    }
}
