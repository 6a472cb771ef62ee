//! Lowers arithmetic: turns a flat list of operands and operators into chains of one precedence.
//!
//! From lowest to highest precedence: `up down`, then `rounded` (it applies to everything to its left), then `+ -`,
//! then `* /`.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;

/// The operand of an `up` or `down`: finished terms, and the current term.
struct Operand {
    terms: Vec<(ArithOp, Expr)>,
    /// The operator between the current term and the previous ones.
    join: ArithOp,
    factors: Vec<(ArithOp, Expr)>,
}

impl Operand {
    fn new(first: Expr) -> Self {
        Operand { terms: Vec::new(), join: ArithOp::Add, factors: vec![(ArithOp::Mul, first)] }
    }

    fn push(&mut self, op: ArithOp, value: Expr) {
        if matches!(op, ArithOp::Add | ArithOp::Sub) {
            self.close_term();
            self.join = op;
            self.factors.push((ArithOp::Mul, value));
        } else {
            self.factors.push((op, value));
        }
    }

    fn close_term(&mut self) {
        if let Some(term) = chain(std::mem::take(&mut self.factors)) {
            self.terms.push((self.join, term));
        }
    }

    fn finish(mut self) -> Option<Expr> {
        self.close_term();
        chain(self.terms)
    }
}

fn chain(mut all: Vec<(ArithOp, Expr)>) -> Option<Expr> {
    if all.len() < 2 {
        return all.pop().map(|(_, value)| value);
    }
    let mut all = all.into_iter();
    let (_, first) = all.next()?;
    let rest: Vec<_> = all.collect();
    let span = rest.last().map_or(first.span, |(_, last)| first.span.to(last.span));
    Some(Expr { kind: ExprKind::Arith { first: Box::new(first), rest }, span })
}

impl Lower<'_> {
    /// Lowers an `arith` pair to an expression.
    pub fn arith(&self, pair: Pair) -> Low<Expr> {
        let start = pair.as_span().start();
        let mut kids = Kids::of(pair);
        let first = self.operand(&mut kids)?;
        if kids.peek().is_none() {
            return Ok(first);
        }
        let missing = || self.odd(start, "a value");
        let mut part = Operand::new(first);
        let mut shift: Option<(Expr, bool)> = None;
        while let Some(next) = kids.next() {
            match next.as_rule() {
                Rule::aop => {
                    let op = ArithOp::ALL.into_iter().find(|op| op.op().written() == next.as_str());
                    let op = op.unwrap_or(ArithOp::Div);
                    let value = self.operand(&mut kids)?;
                    part.push(op, value);
                }
                Rule::rounded => {
                    let span = self.span(&next);
                    let to = match next.into_inner().last().map(|p| p.as_rule()) {
                        Some(Rule::k_up) => Rounding::Up,
                        Some(Rule::k_down) => Rounding::Down,
                        _ => Rounding::Nearest,
                    };
                    let Some(value) = part.finish() else {
                        return missing();
                    };
                    let span = value.span.to(span);
                    part = Operand::new(Expr { kind: ExprKind::Rounded { value: Box::new(value), to }, span });
                }
                Rule::k_up | Rule::k_down => {
                    let up = next.as_rule() == Rule::k_up;
                    let by = self.operand(&mut kids)?;
                    let Some(value) = std::mem::replace(&mut part, Operand::new(by)).finish() else {
                        return missing();
                    };
                    shift = Some((shifted(shift.take(), value), up));
                }
                _ => return self.odd(next.as_span().start(), "an operator"),
            }
        }
        let Some(value) = part.finish() else {
            return missing();
        };
        Ok(shifted(shift, value))
    }

    fn operand(&self, kids: &mut Kids) -> Low<Expr> {
        let prefix = kids.take(Rule::prefix);
        let value = self.pooled(kids)?;
        let Some(prefix) = prefix else {
            return Ok(value);
        };
        let span = self.span(&prefix).to(value.span);
        let value = Box::new(value);
        let kind = if prefix.as_str() == "-" { ExprKind::Neg(value) } else { ExprKind::Was(value) };
        Ok(Expr { kind, span })
    }
}

fn shifted(shift: Option<(Expr, bool)>, value: Expr) -> Expr {
    let Some((die, up)) = shift else { return value };
    let span = die.span.to(value.span);
    Expr { kind: ExprKind::Shift { die: Box::new(die), up, by: Box::new(value) }, span }
}
