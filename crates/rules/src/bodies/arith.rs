//! Checks arithmetic: units, fractions, rounding, and steps along a chain.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr, unknown};
use super::coerce::{is_measure, measure, op, retype, to_ratio, with_sign};
use super::literals::ratio;
use super::ranges;
use super::types::join;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, ArithOp};

impl BodyChecker<'_, '_> {
    /// Checks a sequence of `+ -` or of `* /`, left to right.
    pub fn arith(
        &mut self,
        first: &tree::Expr,
        rest: &[(ArithOp, tree::Expr)],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let mut rendered = match hint {
            Some(Type::List(_)) => hint.cloned(),
            _ => None,
        };
        if rendered.is_none() && self.needs_hint(first) {
            let teller = rest.iter().map(|(_, e)| e).find(|e| !self.needs_hint(e));
            if matches!(first.kind, tree::ExprKind::List(_)) {
                rendered = teller.and_then(|e| self.peek(None, e)).filter(|t| matches!(t, Type::List(_)));
            }
        }
        let mut value = self.expr(first, rendered.as_ref());
        for (how, next) in rest {
            let hint = if matches!(value.ty, Type::List(_)) { Some(value.ty.clone()) } else { None };
            let next = self.expr(next, hint.as_ref());
            let span = value.span.to(next.span);
            value = self.two(value, *how, next, span);
        }
        value.at(span)
    }

    /// Checks one operation on two values.
    fn two(&mut self, a: Expr, how: ArithOp, b: Expr, span: Span) -> Expr {
        for side in [&a, &b] {
            if side.ty == Type::Unknown {
                return unknown(span);
            }
            if matches!(side.ty, Type::Optional(_)) {
                return self.absent(side, side.span);
            }
        }
        match how {
            ArithOp::Add | ArithOp::Sub => self.sum(a, how == ArithOp::Sub, b, span),
            ArithOp::Mul => self.product(a, b, span),
            ArithOp::Div => self.quotient(a, b, span),
        }
    }

    fn sum(&mut self, a: Expr, minus: bool, b: Expr, span: Span) -> Expr {
        let pick = |plus: Op, sub: Op| if minus { sub } else { plus };
        match (&a.ty, &b.ty) {
            (Type::Int(x), Type::Int(y)) => {
                let range = if minus { ranges::sub(*x, *y) } else { ranges::add(*x, *y) };
                op(pick(Op::Add, Op::Sub), vec![a, b], Type::Int(range)).at(span)
            }
            (Type::Length, Type::Length) => op(pick(Op::Add, Op::Sub), vec![a, b], Type::Length).at(span),
            (Type::Angle, Type::Angle) => {
                if minus {
                    self.angle_below_zero(&a, &b, span);
                }
                op(pick(Op::AddAngle, Op::SubAngle), vec![a, b], Type::Angle).at(span)
            }
            (Type::Ratio | Type::Int(_), Type::Ratio | Type::Int(_)) => {
                let done = if minus { "subtracted" } else { "added" };
                if self.share_beside_number(&a, &b, done, span) {
                    return unknown(span);
                }
                let args = vec![self.as_ratio(a), self.as_ratio(b)];
                op(pick(Op::AddRatio, Op::SubRatio), args, Type::Ratio).at(span)
            }
            (Type::List(_), Type::List(_)) => match join(&a.ty, &b.ty) {
                Some(ty) => {
                    let args = vec![self.fit(a, &ty), self.fit(b, &ty)];
                    op(pick(Op::Concat, Op::Without), args, ty).at(span)
                }
                None => self.refuse(if minus { "subtracted" } else { "added" }, &a, &b, span),
            },
            (Type::Chain(_) | Type::Shifted(_), Type::Int(_)) => {
                let word = if minus { "down" } else { "up" };
                self.wrong_help(
                    Code::WrongType,
                    span,
                    "a die cannot be added to",
                    format!("to move along its chain, write `{word}`; to add to its result, roll it with `roll` first"),
                )
            }
            _ => self.refuse(if minus { "subtracted" } else { "added" }, &a, &b, span),
        }
    }

    fn product(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        match (&a.ty, &b.ty) {
            (Type::Int(x), Type::Int(y)) => {
                let range = ranges::mul(*x, *y);
                op(Op::Mul, vec![a, b], Type::Int(range)).at(span)
            }
            (Type::Int(_), Type::Length) => op(Op::Mul, vec![a, b], Type::Length).at(span),
            (Type::Length, Type::Int(_)) => op(Op::Mul, vec![b, a], Type::Length).at(span),
            (Type::Int(_), Type::Angle) => op(Op::MulAngle, vec![a, b], Type::Angle).at(span),
            (Type::Angle, Type::Int(_)) => op(Op::MulAngle, vec![b, a], Type::Angle).at(span),
            (Type::Ratio | Type::Int(_), Type::Ratio | Type::Int(_)) => {
                let args = vec![self.as_ratio(a), self.as_ratio(b)];
                op(Op::MulRatio, args, Type::Ratio).at(span)
            }
            (Type::Ratio, Type::Length | Type::Angle) | (Type::Length | Type::Angle, Type::Ratio) => {
                self.wrong(Code::Fraction, span, "a length times a fraction is not exact; round the fraction first")
            }
            _ => self.refuse("multiplied", &a, &b, span),
        }
    }

    fn quotient(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let number = is_measure(&a.ty) && is_measure(&b.ty);
        let zero = matches!(b.kind, ExprKind::Const(0) | ExprKind::ConstRatio(0, _))
            || matches!(b.ty, Type::Int(Range { low: 0, high: 0 }));
        if number && zero {
            return self.wrong_help(Code::DivideByZero, b.span, "division by 0", "divide by a number other than 0");
        }
        // `1/2` as written is a constant fraction, so it can bound a band
        if let (Type::Int(_), ExprKind::Const(over), Type::Int(_), ExprKind::Const(under @ 1..)) =
            (&a.ty, &a.kind, &b.ty, &b.kind)
        {
            let (kind, ty) = ratio(*over, *under);
            return expr(kind, ty, span);
        }
        match (&a.ty, &b.ty) {
            (Type::Int(_), Type::Int(_)) | (Type::Length, Type::Length) => {
                op(Op::Fraction, vec![a, b], Type::Ratio).at(span)
            }
            (Type::Length, Type::Int(_)) => op(Op::DivLength, vec![a, b], Type::Length).at(span),
            (Type::Ratio | Type::Int(_), Type::Ratio | Type::Int(_)) => {
                let args = vec![self.as_ratio(a), self.as_ratio(b)];
                op(Op::DivRatio, args, Type::Ratio).at(span)
            }
            _ => self.refuse("divided", &a, &b, span),
        }
    }

    pub fn as_ratio(&mut self, value: Expr) -> Expr {
        if matches!(value.ty, Type::Int(_)) { to_ratio(value) } else { value }
    }

    /// Reports two values that cannot be combined.
    fn refuse(&mut self, done: &str, a: &Expr, b: &Expr, span: Span) -> Expr {
        if is_measure(&a.ty) && is_measure(&b.ty) {
            let message = format!("{} and {} cannot be {done}", measure(&a.ty), measure(&b.ty));
            match with_sign(b, &a.ty).or_else(|| with_sign(a, &b.ty)).filter(|_| done != "multiplied") {
                Some(written) => self.say_help(Code::Units, span, message, format!("did you mean {written}?")),
                None => self.say(Code::Units, span, message),
            }
        } else if self.is_result(&a.ty) {
            self.result_used(a, span);
        } else if !self.unrolled(Code::WrongType, a, b, span) {
            let (x, y) = (self.type_name(&a.ty), self.type_name(&b.ty));
            let message = format!("{x} and {y} cannot be {done}");
            let die = |e: &Expr| matches!(e.ty, Type::Die | Type::Chain(_));
            if done == "added" && die(a) && die(b) {
                let help =
                    "roll each die under its own name and add the results: `roll a = d6`, `roll b = d8`, `a + b`";
                self.say_help(Code::WrongType, span, message, help);
            } else if matches!(a.ty, Type::List(_)) && done != "multiplied" {
                let mut help = "write an entry in [ ], as in `xs + [x]` and `xs - [x]`".to_string();
                if let (Type::List(inner), Type::Int(_)) = (&a.ty, &b.ty)
                    && matches!(**inner, Type::Int(_))
                {
                    let list = self.called(a).unwrap_or_else(|| "dice".into());
                    help = format!("write `total({list})` for the sum of the list; {help}");
                }
                self.say_help(Code::WrongType, span, message, help);
            } else {
                self.say(Code::WrongType, span, message);
            }
        }
        unknown(span)
    }

    /// Checks the expression `-x` and translates it to typed code.
    pub fn negative(&mut self, inner: &tree::Expr, hint: Option<&Type>, span: Span) -> Expr {
        let value = self.expr(inner, hint);
        match (&value.ty, &value.kind) {
            (Type::Int(_), ExprKind::Const(n)) => expr(ExprKind::Const(-n), Type::Int(Range::new(-n, -n)), span),
            (Type::Length, ExprKind::Const(n)) => expr(ExprKind::Const(-n), Type::Length, span),
            (Type::Ratio, ExprKind::ConstRatio(n, d)) => expr(ExprKind::ConstRatio(-n, *d), Type::Ratio, span),
            (Type::Int(r), _) => {
                let range = ranges::sub(Range::new(0, 0), *r);
                op(Op::Neg, vec![value], Type::Int(range)).at(span)
            }
            (Type::Length, _) => op(Op::Neg, vec![value], Type::Length).at(span),
            (Type::Ratio, _) => op(Op::NegRatio, vec![value], Type::Ratio).at(span),
            (Type::Unknown, _) => unknown(span),
            (Type::Optional(_), _) => self.absent(&value, span),
            (Type::Die | Type::Chain(_), _) => {
                self.say_unthrown(Code::WrongType, &value, span);
                unknown(span)
            }
            _ => {
                let ty = self.type_name(&value.ty);
                self.wrong(Code::WrongType, span, format!("a minus cannot be used with {ty}"))
            }
        }
    }

    /// Checks the expression `x rounded down` and translates it to typed code.
    pub fn rounded(&mut self, tree: &tree::Expr, to: tree::Rounding, span: Span) -> Expr {
        let value = self.expr(tree, None);
        self.rounds_a_sum(tree, &value, to);
        if self.is_percentage(&value) {
            self.lone_share(&value);
            return unknown(span);
        }
        match &value.ty {
            Type::Int(_) => {
                let name = self.called(&value).map_or_else(|| "this".into(), |name| format!("`{name}`"));
                let message = format!("rounding has no effect: {name} is already a whole number");
                let help = "remove `rounded`; round a quotient where it is written, as in `(n / 2 rounded down)`";
                self.say_help(Code::Dead, span, message, help);
                value.at(span)
            }
            Type::Unknown => value.at(span),
            Type::Ratio => {
                let range = ranges::rounded(&value, to);
                let how = match to {
                    tree::Rounding::Down => Op::RoundDown,
                    tree::Rounding::Up => Op::RoundUp,
                    tree::Rounding::Nearest => Op::RoundNear,
                };
                op(how, vec![value], Type::Int(range)).at(span)
            }
            Type::Optional(_) => self.absent(&value, span),
            ty => self.unlike("a fraction to round", ty, span),
        }
    }

    /// Checks the expression `die up n` or `die down n` and translates it to typed code.
    pub fn shift(&mut self, die: &tree::Expr, up: bool, by: &tree::Expr, hint: Option<&Type>, span: Span) -> Expr {
        let die = self.expr(die, hint.filter(|h| matches!(h.present(), Type::Chain(_) | Type::Shifted(_))));
        let by = self.int(by);
        let chain = match &die.ty {
            Type::Chain(id) | Type::Shifted(id) => *id,
            Type::Unknown => return unknown(span),
            Type::Optional(_) => {
                return self.absent(&die, die.span);
            }
            ty => return self.unlike("a die of a chain to go up or down", ty, die.span),
        };
        let ty = Type::Shifted(chain);
        let die = retype(die, &ty);
        op(if up { Op::Up } else { Op::Down }, vec![die, by], ty).at(span)
    }
}
