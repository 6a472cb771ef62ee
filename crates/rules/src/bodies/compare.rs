//! Checks comparisons: the types of the two sides, and the operation for them.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, unknown};
use super::coerce::{is_measure, measure, op, with_sign};
use super::types::join;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, CompareOp};

impl BodyChecker<'_, '_> {
    /// Checks the expression `a == b` or `a < b` and translates it to typed code.
    pub fn compare(&mut self, left: &tree::Expr, how: CompareOp, right: &tree::Expr, span: Span) -> Expr {
        if matches!(how, CompareOp::Eq | CompareOp::Ne)
            && let Some((_, test)) = self.action_test(left, std::slice::from_ref(right), span)
        {
            return if how == CompareOp::Ne { op(Op::Not, vec![test], Type::Flag).at(span) } else { test };
        }
        let (a, b) = if self.needs_hint(left) && !self.needs_hint(right) {
            let b = self.expr(right, None);
            (self.expr(left, Some(&b.ty)), b)
        } else {
            let a = self.expr(left, None);
            let hint = a.ty.clone();
            (a, self.expr(right, Some(&hint)))
        };
        if a.ty == Type::Unknown || b.ty == Type::Unknown {
            return Expr { kind: ExprKind::Const(0), ty: Type::Flag, span };
        }
        self.compare_values(a, how, b, span)
    }

    /// Checks a comparison of two checked values.
    pub fn compare_values(&mut self, a: Expr, how: CompareOp, b: Expr, span: Span) -> Expr {
        if matches!(how, CompareOp::Eq | CompareOp::Ne) {
            return self.equal(a, how == CompareOp::Ne, b, span);
        }
        for side in [&a, &b] {
            if matches!(side.ty, Type::Optional(_)) {
                return self.absent(side, side.span);
            }
        }
        let Some((a, b, ty)) = self.sides(a, how, b, span) else { return unknown(span) };
        if !self.has_order(&ty) {
            self.no_order(&ty, [&a, &b], span);
            return unknown(span);
        }
        if ty == Type::Angle && self.wraps(&a, &b, span) {
            return unknown(span);
        }
        if !self.itself(&a, &b, matches!(how, CompareOp::Le | CompareOp::Ge), span) {
            self.one_way(how, &a, &b, span);
        }
        let (how, args) = match (&ty, how) {
            (Type::Ratio, CompareOp::Lt) => (Op::LtRatio, vec![a, b]),
            (Type::Ratio, CompareOp::Le) => (Op::LeRatio, vec![a, b]),
            (Type::Ratio, CompareOp::Gt) => (Op::LtRatio, vec![b, a]),
            (Type::Ratio, _) => (Op::LeRatio, vec![b, a]),
            (_, how) => (how.op(), vec![a, b]),
        };
        op(how, args, Type::Flag).at(span)
    }

    fn equal(&mut self, a: Expr, not: bool, b: Expr, span: Span) -> Expr {
        for side in [&a, &b] {
            if matches!(side.kind, ExprKind::None) {
                let other = if std::ptr::eq(side, &a) { &b } else { &a };
                let name = self.called(other).unwrap_or_else(|| "x".into());
                let message = "a value cannot be compared with `none`";
                return self.wrong_help(
                    Code::NoCompare,
                    span,
                    message,
                    format!("write `{name} is none` or `{name} is some n`"),
                );
            }
        }
        let how = if not { CompareOp::Ne } else { CompareOp::Eq };
        let Some((a, b, ty)) = self.sides(a, how, b, span) else { return unknown(span) };
        if matches!(ty.present(), Type::List(_))
            && let Some(pool) = [&a, &b].into_iter().find(|side| self.is_pool(side) && !is_sorted(side))
        {
            let name = self.called(pool).unwrap_or_else(|| "dice".into());
            let message = "dice are compared in the order in which they were rolled";
            let help = format!(
                "compare them in descending order, as in `highest(size({name}), {name}) == [2, 1]`, or test each face \
                 with `any` and `count`"
            );
            self.say_help(Code::Whom, span, message, help);
        }
        if !self.itself(&a, &b, !not, span) {
            self.one_way(how, &a, &b, span);
        }
        let (how, inverted) = match ty.present() {
            Type::List(_) => (Op::EqList, true),
            Type::Ratio | Type::Record(_) | Type::Tuple(_) | Type::Place | Type::Route => (Op::EqCells, true),
            Type::Met | Type::Leg | Type::Nothing => {
                return self.wrong(Code::NoCompare, span, "this must be matched, not compared");
            }
            _ if not => (Op::Ne, false),
            _ => (Op::Eq, false),
        };
        let test = op(how, vec![a, b], Type::Flag).at(span);
        if not && inverted { op(Op::Not, vec![test], Type::Flag).at(span) } else { test }
    }

    /// Converts both sides to one type.
    fn sides(&mut self, a: Expr, how: CompareOp, b: Expr, span: Span) -> Option<(Expr, Expr, Type)> {
        if self.loose {
            let (x, y) = (a.ty.present().clone(), b.ty.present().clone());
            if let (Type::Length, Type::Int(_) | Type::Ratio) = (&x, &y) {
                let b = self.fit(b, &Type::Length);
                return Some((a, b, x));
            }
            if let (Type::Int(_) | Type::Ratio, Type::Length) = (&x, &y) {
                let a = self.fit(a, &Type::Length);
                return Some((a, b, y));
            }
        }
        match (&a.ty, &b.ty) {
            (Type::Int(_) | Type::Ratio, Type::Int(_) | Type::Ratio) if a.ty == Type::Ratio || b.ty == Type::Ratio => {
                if self.share_beside_number(&a, &b, "compared", span) {
                    return None;
                }
                return Some((self.as_ratio(a), self.as_ratio(b), Type::Ratio));
            }
            (Type::Record(_), Type::Flag) if self.is_result(&a.ty) => {
                self.result_used(&a, span);
                return None;
            }
            _ => {}
        }
        if let Some(ty) = join(&a.ty, &b.ty) {
            let (a, b) = (self.fit(a, &ty), self.fit(b, &ty));
            return Some((a, b, ty));
        }
        let (x, y) = (a.ty.present().clone(), b.ty.present().clone());
        if is_measure(&x) && is_measure(&y) {
            let message = format!("{} and {} cannot be compared", measure(&x), measure(&y));
            match with_sign(&b, &x).or_else(|| with_sign(&a, &y)) {
                Some(written) => self.say_help(Code::Units, span, message, format!("did you mean {written}?")),
                None => self.say(Code::Units, span, message),
            }
        } else if self.unrolled(Code::NoCompare, &a, &b, span) {
        } else if matches!(x, Type::List(_)) != matches!(y, Type::List(_)) && (self.is_sum(&a) || self.is_sum(&b)) {
            let sum = if self.is_sum(&a) { &a } else { &b };
            self.pool_needed(&sum.clone(), span);
        } else {
            let (named, other) = (self.type_name(&a.ty), self.type_name(&b.ty));
            let message = format!("{named} and {other} cannot be compared");
            let (list, one, how) = if matches!(x, Type::List(_)) { (&a, &b, how) } else { (&b, &a, turned(how)) };
            match list.ty.present() {
                Type::List(inner) if join(inner, one.ty.present()).is_some() => {
                    let list = self.called(list).unwrap_or_else(|| "dice".into());
                    let test = format!("{} {}", how.op().written(), self.written(one));
                    let help = format!(
                        "write `any {list} {test}` or `count {list} {test}` to compare each entry, or `total({list}) \
                         {test}` to compare the sum; for two conditions on one entry, write `count die in {list} \
                         where die == 1 or die >= 4`"
                    );
                    self.say_help(Code::NoCompare, span, message, help);
                }
                _ => self.say(Code::NoCompare, span, message),
            }
        }
        None
    }

    /// Reports a comparison of the order of two values whose type has no order.
    fn no_order(&mut self, ty: &Type, sides: [&Expr; 2], span: Span) {
        let named = self.type_name(ty);
        match ty {
            Type::List(inner) if self.has_order(inner) => {
                let [a, b] = sides.map(|side| self.called(side));
                let (a, b) = (a.unwrap_or_else(|| "a".into()), b.unwrap_or_else(|| "b".into()));
                let sums = match **inner {
                    Type::Int(_) => format!("compare their sums, `total({a}) > total({b})`, or their"),
                    _ => "compare their".to_string(),
                };
                let help =
                    format!("{sums} entries in pairs, first with first: `count x in {a} against y in {b} where x > y`");
                self.say_help(Code::NotOrdered, span, "lists cannot be ordered with `<` or `>`", help);
            }
            Type::Enum(_) => self.say(Code::NotOrdered, span, format!("values of {named} are not ordered")),
            _ => {
                let help = "use numbers, lengths, dice, or cases of an enum declared with `<`: only these are ordered";
                self.say_help(Code::NotOrdered, span, format!("values of {named} are not ordered"), help);
            }
        }
    }
}

/// Returns the comparison with its sides exchanged.
fn turned(how: CompareOp) -> CompareOp {
    match how {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}

/// Returns whether the list is sorted by its definition.
fn is_sorted(list: &Expr) -> bool {
    matches!(list.kind, ExprKind::Op(Op::Highest | Op::Lowest, _))
}
