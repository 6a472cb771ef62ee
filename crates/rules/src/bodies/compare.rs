//! Comparisons: what may stand on the two sides, and which operation it is.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, unknown};
use super::coerce::{is_measure, measure, op, to_ratio, with_sign};
use super::types::join;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, CompareOp};

impl BodyChecker<'_, '_> {
    /// `a == b`, `a < b`.
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

    /// A comparison of two values at hand.
    pub fn compare_values(&mut self, a: Expr, how: CompareOp, b: Expr, span: Span) -> Expr {
        if matches!(how, CompareOp::Eq | CompareOp::Ne) {
            return self.equal(a, how == CompareOp::Ne, b, span);
        }
        for side in [&a, &b] {
            if matches!(side.ty, Type::Optional(_)) {
                return self.absent(side, side.span);
            }
        }
        let Some((a, b, ty)) = self.sides(a, b, span) else { return unknown(span) };
        if !self.has_order(&ty) {
            self.no_order(&ty, [&a, &b], span);
            return unknown(span);
        }
        let (how, args) = match (&ty, how) {
            (Type::Ratio, CompareOp::Lt) => (Op::LtRatio, vec![a, b]),
            (Type::Ratio, CompareOp::Le) => (Op::LeRatio, vec![a, b]),
            (Type::Ratio, CompareOp::Gt) => (Op::LtRatio, vec![b, a]),
            (Type::Ratio, _) => (Op::LeRatio, vec![b, a]),
            (_, CompareOp::Lt) => (Op::Lt, vec![a, b]),
            (_, CompareOp::Le) => (Op::Le, vec![a, b]),
            (_, CompareOp::Gt) => (Op::Gt, vec![a, b]),
            (_, CompareOp::Ge | CompareOp::Eq | CompareOp::Ne) => (Op::Ge, vec![a, b]),
        };
        op(how, args, Type::Flag).at(span)
    }

    fn equal(&mut self, a: Expr, not: bool, b: Expr, span: Span) -> Expr {
        for side in [&a, &b] {
            if matches!(side.kind, ExprKind::None) {
                let other = if std::ptr::eq(side, &a) { &b } else { &a };
                let name = self.called(other).unwrap_or_else(|| "x".into());
                let message = "nothing is compared with `none`";
                return self.wrong_help(
                    Code::NoCompare,
                    span,
                    message,
                    format!("write `{name} is none` or `{name} is some n`"),
                );
            }
        }
        let Some((a, b, ty)) = self.sides(a, b, span) else { return unknown(span) };
        let (how, inverted) = match ty.present() {
            Type::List(_) => (Op::EqList, true),
            Type::Ratio | Type::Record(_) | Type::Tuple(_) | Type::Place | Type::Route => (Op::EqCells, true),
            Type::Met | Type::Leg | Type::Nothing => {
                return self.wrong(Code::NoCompare, span, "this is matched, not compared");
            }
            _ if not => (Op::Ne, false),
            _ => (Op::Eq, false),
        };
        let test = op(how, vec![a, b], Type::Flag).at(span);
        if not && inverted { op(Op::Not, vec![test], Type::Flag).at(span) } else { test }
    }

    /// `x <= 30%` of a d100: a number that is never on the other side of the fraction.
    fn beside_a_fraction(&mut self, whole: &Expr, range: Range, fraction: &Expr, span: Span) {
        let ExprKind::ConstRatio(num, den) = fraction.kind else { return };
        let (num, den) = (i128::from(num), i128::from(den));
        let outside = i128::from(range.low) * den > num || i128::from(range.high) * den < num;
        let Some(name) = self.called(whole).filter(|_| outside) else { return };
        let message = format!("`{name}` is {} to {}, and so always on one side of {num}/{den}", range.low, range.high);
        if 100 % den == 0 && (1..den).contains(&num) {
            let percent = num * 100 / den;
            let help = format!("{percent}% is the fraction {num}/{den}: for the number {percent} write `{percent}`");
            return self.say_help(Code::Dead, span, message, help);
        }
        self.say(Code::Dead, span, message);
    }

    /// Both sides as values of one type.
    fn sides(&mut self, a: Expr, b: Expr, span: Span) -> Option<(Expr, Expr, Type)> {
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
            (Type::Int(range), Type::Ratio) => {
                self.beside_a_fraction(&a, *range, &b, span);
                return Some((to_ratio(a), b, Type::Ratio));
            }
            (Type::Ratio, Type::Int(range)) => {
                self.beside_a_fraction(&b, *range, &a, span);
                return Some((a, to_ratio(b), Type::Ratio));
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
        } else if self.unthrown(Code::NoCompare, &a, &b, span) {
        } else if matches!(x, Type::List(_)) != matches!(y, Type::List(_)) && (self.is_sum(&a) || self.is_sum(&b)) {
            let sum = if self.is_sum(&a) { &a } else { &b };
            self.pool_needed(&sum.clone(), span);
        } else {
            let (named, other) = (self.type_name(&a.ty), self.type_name(&b.ty));
            let message = format!("{named} and {other} cannot be compared");
            let (list, one) = if matches!(x, Type::List(_)) { (&a, &y) } else { (&b, &x) };
            match list.ty.present() {
                Type::List(inner) if join(inner, one).is_some() => {
                    let list = self.called(list).unwrap_or_else(|| "dice".into());
                    let help = format!(
                        "`any {list} >= 4` and `count {list} >= 4` compare each entry, `total({list})` is the sum; two \
                         conditions on one entry: `count die in {list} where die == 1 or die >= 4`"
                    );
                    self.say_help(Code::NoCompare, span, message, help);
                }
                _ => self.say(Code::NoCompare, span, message),
            }
        }
        None
    }

    /// Two values are asked which is more, and their type has no order.
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
                let help = format!(
                    "{sums} entries, the first of one with the first of the other: `count x in {a} against y in {b} where x > y`"
                );
                self.say_help(Code::NotOrdered, span, "a list is not more or less than another", help);
            }
            Type::Enum(_) => self.say(Code::NotOrdered, span, format!("values of {named} have no order")),
            _ => {
                let help = "numbers, lengths, dice and cases of an enum with `<` between them have an order";
                self.say_help(Code::NotOrdered, span, format!("values of {named} have no order"), help);
            }
        }
    }
}
