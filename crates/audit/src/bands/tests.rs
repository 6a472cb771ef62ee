//! Interprets conditions as tests of one number: the tested value, and the numbers that pass.

use super::cells::NumberTest;
use crate::code::{Expr, ExprKind, Pat};
use crate::reads::walk::any_part;
use crate::ruleset::Ruleset;
use crate::wording::exact_words;
use grognard_base::value::*;

/// A condition on one value, or on the difference of two values.
#[derive(Clone, Debug)]
pub struct Atom<'r> {
    /// The tested value.
    pub subject: &'r Expr,
    /// The value that is subtracted from it, if the condition compares two values.
    pub against: Option<&'r Expr>,
    /// A canonical text of the value. Two conditions test the same value if their keys are equal.
    pub key: String,
    /// The test of the value or of the difference.
    pub test: NumberTest,
}

/// Interprets conditions of a ruleset, with the default values of its params.
pub struct Reader<'r> {
    pub rules: &'r Ruleset,
}

impl<'r> Reader<'r> {
    /// Returns the tests of single values that a condition requires, and whether they are the whole condition.
    pub fn parts(&self, condition: &'r Expr) -> (Vec<Atom<'r>>, bool) {
        let ExprKind::And(parts) = &condition.kind else {
            let atom = self.atom(condition);
            let whole = atom.is_some();
            return (atom.into_iter().collect(), whole);
        };
        let (mut found, mut all): (Vec<Atom<'r>>, bool) = (Vec::new(), true);
        for part in parts {
            let (atoms, whole) = self.parts(part);
            all &= whole;
            for atom in atoms {
                match found.iter_mut().find(|known| known.key == atom.key) {
                    Some(known) => known.test = NumberTest::All(vec![known.test.clone(), atom.test]),
                    None => found.push(atom),
                }
            }
        }
        (found, all)
    }

    /// Interprets a condition, or returns `None` if it depends on more than one value or difference.
    fn atom(&self, e: &'r Expr) -> Option<Atom<'r>> {
        match &e.kind {
            ExprKind::Op(Op::Not, args) => {
                let atom = self.atom(args.first()?)?;
                Some(Atom { test: NumberTest::Not(Box::new(atom.test)), ..atom })
            }
            ExprKind::And(parts) => self.several(parts, NumberTest::All),
            ExprKind::Or(parts) => self.several(parts, NumberTest::Any),
            ExprKind::Is { value, pattern } => {
                let (subject, key) = self.figure(value)?;
                Some(Atom { subject, against: None, key, test: self.pattern(pattern)? })
            }
            ExprKind::Op(how, args) => {
                let [a, b] = args.as_slice() else { return None };
                let (side, bound, turned) = match (self.number(a), self.number(b)) {
                    (None, Some(bound)) => (a, bound, false),
                    (Some(bound), None) => (b, bound, true),
                    (None, None) => return self.pair(*how, a, b),
                    (Some(_), Some(_)) => return None,
                };
                let test = compared(*how, bound, turned)?;
                let (subject, key) = self.figure(side)?;
                Some(Atom { subject, against: None, key, test })
            }
            _ => None,
        }
    }

    /// Interprets a comparison of two values as a test of their difference. The order of the operands does not matter.
    fn pair(&self, how: Op, a: &'r Expr, b: &'r Expr) -> Option<Atom<'r>> {
        let (a, b) = (self.figure(a)?, self.figure(b)?);
        let turned = b.1 < a.1;
        let test = compared(how, Ratio::ZERO, turned).filter(|_| a.1 != b.1)?;
        let ((subject, first), (against, second)) = if turned { (b, a) } else { (a, b) };
        Some(Atom { subject, against: Some(against), key: format!("{first} against {second}"), test })
    }

    fn several(&self, parts: &'r [Expr], join: fn(Vec<NumberTest>) -> NumberTest) -> Option<Atom<'r>> {
        let atoms: Vec<Atom<'r>> = parts.iter().map(|part| self.atom(part)).collect::<Option<_>>()?;
        let first = atoms.first()?;
        let same = atoms.iter().all(|atom| atom.key == first.key);
        let (subject, against, key) = (first.subject, first.against, first.key.clone());
        same.then(|| Atom { subject, against, key, test: join(atoms.into_iter().map(|atom| atom.test).collect()) })
    }

    /// Returns the numeric value and its key, without a conversion to a ratio. Returns `None` for other types.
    pub fn figure(&self, e: &'r Expr) -> Option<(&'r Expr, String)> {
        if let ExprKind::Op(Op::ToRatio, args) = &e.kind {
            return self.figure(args.first()?);
        }
        // rules often do nothing on purpose for some values of a part of a result, such as the lead of a test
        let part = |e: &Expr| matches!(e.kind, ExprKind::Part { .. });
        if !matches!(e.ty, Type::Int(_) | Type::Length | Type::Ratio) || any_part(e, part) {
            return None;
        }
        Some((e, exact_words(self.rules, &|id| Some(format!("#{}", id.0)), e)?))
    }

    /// Returns a number that is known before the game: a constant, or the default value of a param.
    pub fn number(&self, e: &Expr) -> Option<Ratio> {
        match &e.kind {
            ExprKind::Const(n) if matches!(e.ty, Type::Int(_) | Type::Length) => Some(Ratio::whole(*n)),
            ExprKind::ConstRatio(n, d) => Ratio::new(*n, *d),
            ExprKind::Op(Op::ToRatio, args) => self.number(args.first()?),
            ExprKind::Op(Op::Neg | Op::NegRatio, args) => self.number(args.first()?)?.checked_neg(),
            ExprKind::Setting(id) => match (&e.ty, self.rules.settings[id.at()].value.as_slice()) {
                (Type::Int(_) | Type::Length, [n]) => Some(Ratio::whole(*n)),
                (Type::Ratio, [n, d]) => Ratio::new(*n, *d),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the test of a pattern, or `None` if a number in it is not known before the game.
    pub fn pattern(&self, pattern: &Pat) -> Option<NumberTest> {
        Some(match pattern {
            Pat::Any => NumberTest::Always,
            Pat::Equal(value) => NumberTest::Is(self.number(value)?),
            Pat::Between { low, high } => {
                let mut tests = Vec::new();
                if let Some((bound, too)) = low {
                    tests.push(NumberTest::Above(self.number(bound)?, *too));
                }
                if let Some((bound, too)) = high {
                    tests.push(NumberTest::Below(self.number(bound)?, *too));
                }
                NumberTest::All(tests)
            }
            _ => return None,
        })
    }
}

/// Returns the test `x < n` for `<`, or `n < x` if `turned`, and so on. Returns `None` if `how` is not a comparison.
fn compared(how: Op, n: Ratio, turned: bool) -> Option<NumberTest> {
    Some(match (how, turned) {
        (Op::Lt | Op::LtRatio, false) | (Op::Gt, true) => NumberTest::Below(n, false),
        (Op::Le | Op::LeRatio, false) | (Op::Ge, true) => NumberTest::Below(n, true),
        (Op::Gt, false) | (Op::Lt | Op::LtRatio, true) => NumberTest::Above(n, false),
        (Op::Ge, false) | (Op::Le | Op::LeRatio, true) => NumberTest::Above(n, true),
        (Op::Eq, _) => NumberTest::Is(n),
        (Op::EqCells, _) => NumberTest::Is(n),
        (Op::Ne, _) => NumberTest::Not(Box::new(NumberTest::Is(n))),
        _ => return None,
    })
}

/// Returns the numbers of a type, or `None` if it is not numeric.
pub fn domain(ty: &Type) -> Option<bands::Domain> {
    let kept = |n: i64| Some(n).filter(|n| Range::ALL.low < *n && *n < Range::ALL.high);
    Some(match ty.present() {
        Type::Int(r) => bands::Domain::Int { lo: kept(r.low), hi: kept(r.high) },
        Type::Length => bands::Domain::Length { lo: None, hi: None },
        Type::Ratio => bands::Domain::Ratio,
        _ => return None,
    })
}
