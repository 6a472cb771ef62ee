//! Checks the operand of `in`.

use super::super::code::{Collection, Expr, ExprKind};
use super::body::{BodyChecker, expr, local, unknown};
use super::coerce::map;
use super::ranges;
use crate::index::Means;
use crate::ruleset::TypeName;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, ExprKind as Tree};

/// Returns a collection as a list value.
pub(super) fn collect(body: &mut BodyChecker<'_, '_>, over: Collection, entry: Type, span: Span) -> Expr {
    if let Collection::List(list) = over {
        return list;
    }
    let id = body.hidden(entry.clone(), span);
    let value = local(id, entry.clone(), span);
    map(over, id, None, value, entry.list(), span)
}

impl BodyChecker<'_, '_> {
    /// Checks a collection. Returns it with the type of its entries.
    pub fn collection(&mut self, range: &tree::Range, hint: Option<&Type>) -> (Collection, Type) {
        if let Some(high) = &range.high {
            let low = self.int(&range.low);
            let high = self.int(high);
            if let (ExprKind::Const(from), ExprKind::Const(to)) = (&low.kind, &high.kind)
                && from > to
            {
                let message = format!("this range is empty: {from} is greater than {to}");
                self.say_help(
                    Code::Dead,
                    range.span,
                    message,
                    format!("write the lower number first: `{to} .. {from}`"),
                );
            }
            let ty = match (&low.ty, &high.ty) {
                (Type::Int(a), Type::Int(b)) => Type::Int(Range::new(a.low, b.high.max(a.low)).kept()),
                _ => Type::INT,
            };
            return (Collection::Range(low, high), ty);
        }
        if range.open {
            self.say(Code::NotACollection, range.span, "this range has no end");
        }
        let named = match &range.low.kind {
            Tree::Upper(name) => {
                self.note_type(name, range.low.span);
                self.type_collection(name)
            }
            _ => None,
        };
        match named {
            Some(found) => found,
            None => self.listed(&range.low, hint),
        }
    }

    /// Records a reference to a type.
    pub fn note_type(&mut self, name: &str, span: Span) {
        if let Some(found) = self.ck.rs.names.types.get(name).copied() {
            self.ck.means(span, || Means::Type(found));
        }
    }

    /// Returns the collection of a kind, an enum or a chain.
    pub fn type_collection(&mut self, name: &str) -> Option<(Collection, Type)> {
        let (over, ty) = match self.ck.rs.names.types.get(name).copied() {
            Some(TypeName::Kind(id)) => (Collection::Kind(id), Type::Kind(id)),
            Some(TypeName::Enum(id)) => {
                let n = self.ck.rs.enums[id.at()].cases.len() as i64;
                (Collection::Cases(Type::Enum(id), n), Type::Enum(id))
            }
            Some(TypeName::Chain(id)) => {
                let n = self.ck.rs.chains[id.at()].dice.len() as i64;
                (Collection::Cases(Type::Chain(id), n), Type::Chain(id))
            }
            Some(TypeName::Die(_) | TypeName::Record(_)) | None => return None,
        };
        Some((over, ty))
    }

    fn listed(&mut self, e: &tree::Expr, hint: Option<&Type>) -> (Collection, Type) {
        if let Tree::Upper(name) = &e.kind
            && !self.ck.rs.names.cases.contains_key(name)
            && !self.ck.rs.names.types.contains_key(name)
        {
            let near = did_you_mean(name, self.ck.rs.names.types.keys().map(String::as_str));
            self.say(Code::UnknownType, e.span, format!("there is no kind, enum or chain `{name}`{near}"));
            return (Collection::List(expr(ExprKind::List(Vec::new()), Type::Unknown.list(), e.span)), Type::Unknown);
        }
        let value = self.expr(e, hint);
        let span = value.span;
        match value.ty.clone() {
            Type::List(inner) => return (Collection::List(value), (*inner).clone()),
            Type::Kind(kind) => {
                if let Some((_, members)) = self.ck.rs.kinds[kind.at()].group {
                    return (Collection::Group(value), Type::Kind(members));
                }
                let name = self.ck.rs.kinds[kind.at()].name.clone();
                self.say(
                    Code::NotACollection,
                    span,
                    format!("{name} is a single thing, not a group, and cannot be looped over"),
                );
            }
            Type::Unknown => {}
            Type::Optional(_) => self.missing(&value, span),
            _ if self.is_sum(&value) => self.pool_needed(&value, span),
            ty => {
                let ty = self.type_name(&ty);
                self.say(Code::NotACollection, span, format!("{ty} cannot be looped over"));
            }
        }
        (Collection::List(unknown(span)), Type::Unknown)
    }

    /// Checks the operand of `in` as a list value.
    pub fn as_list(&mut self, range: &tree::Range, hint: Option<&Type>) -> Expr {
        let (over, entry) = self.collection(range, hint);
        collect(self, over, entry, range.span)
    }

    /// Checks the size of a subset: the minimum, and the maximum unless it is unbounded.
    pub fn amount(&mut self, range: &tree::Range) -> (Expr, Option<Expr>) {
        let low = self.how_many(&range.low);
        let high = match &range.high {
            Some(high) => Some(self.how_many(high)),
            None if range.open => None,
            None => Some(low.clone()),
        };
        (low, high)
    }

    /// Returns the range of the length of a list with this size.
    pub fn amount_range(&self, low: &Expr, high: Option<&Expr>) -> Range {
        let most = Range::new(0, 10_000);
        let low = match low.ty {
            Type::Int(r) => r,
            _ => most,
        };
        let high = match high.map(|h| &h.ty) {
            Some(Type::Int(r)) => *r,
            _ => most,
        };
        ranges::min(Range::new(low.low.max(0), high.high.max(0)), most)
    }
}
