//! Linear sums of rounds and tallies. Their means, and the best play for them, do not require counts in a state.

use grognard_base::value::{LocalId, Op, TallyId};
use grognard_rules::code::{Body, Expr, ExprKind};

/// A counted quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The number of rounds of the start.
    Rounds,
    /// A tally.
    Tally(TallyId),
}

/// A linear combination of counts plus a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The counts with their coefficients.
    pub parts: Vec<(Counted, i64)>,
    /// The constant.
    pub plus: i64,
}

impl Counts {
    /// Creates the sum that consists of one count.
    pub fn one(counted: Counted) -> Counts {
        Counts { parts: vec![(counted, 1)], plus: 0 }
    }

    /// Returns the linear sum that a value is, if it is one. `rounds`: the first variable is the number of rounds.
    pub(super) fn of(body: &Body, rounds: bool) -> Option<Counts> {
        let Body::Value(value) = body else { return None };
        linear(value, rounds).filter(|found| !found.parts.is_empty())
    }

    /// Returns the only count, if its coefficient is 1 and the constant is 0.
    pub fn single(&self) -> Option<Counted> {
        match self.parts[..] {
            [(counted, 1)] if self.plus == 0 => Some(counted),
            _ => None,
        }
    }

    /// Returns `Some(true)` if the sum increases with every count, `Some(false)` if it decreases with every count, and
    /// `None` otherwise.
    pub fn rises(&self) -> Option<bool> {
        let rises = self.parts.first()?.1 > 0;
        self.parts.iter().all(|(_, times)| *times != 0 && (*times > 0) == rises).then_some(rises)
    }

    fn times(self, by: i64) -> Option<Counts> {
        let times = |n: i64| n.checked_mul(by);
        let parts = self.parts.into_iter().map(|(counted, n)| Some((counted, times(n)?))).collect::<Option<_>>()?;
        Some(Counts { parts, plus: times(self.plus)? })
    }

    fn and(mut self, other: Counts) -> Option<Counts> {
        for (counted, times) in other.parts {
            match self.parts.iter_mut().find(|(known, _)| *known == counted) {
                Some((_, sum)) => *sum = sum.checked_add(times)?,
                None => self.parts.push((counted, times)),
            }
        }
        Some(Counts { plus: self.plus.checked_add(other.plus)?, ..self })
    }
}

fn linear(value: &Expr, rounds: bool) -> Option<Counts> {
    let of = |expr| linear(expr, rounds);
    match &value.kind {
        ExprKind::Local(LocalId(0)) if rounds => Some(Counts::one(Counted::Rounds)),
        ExprKind::Tally(id) => Some(Counts::one(Counted::Tally(*id))),
        ExprKind::Const(plus) => Some(Counts { parts: Vec::new(), plus: *plus }),
        ExprKind::Op(Op::Neg, args) => of(args.first()?)?.times(-1),
        ExprKind::Op(op, args) => {
            let [a, b] = &args[..] else { return None };
            let (op, a, b) = (*op, of(a)?, of(b)?);
            if op == Op::Add {
                a.and(b)
            } else if op == Op::Sub {
                a.and(b.times(-1)?)
            } else if op == Op::Mul && a.parts.is_empty() {
                b.times(a.plus)
            } else if op == Op::Mul && b.parts.is_empty() {
                a.times(b.plus)
            } else {
                None
            }
        }
        _ => None,
    }
}
