//! Checks number, die, list and tuple literals.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr};
use super::coerce::op;
use super::types::{join, kept};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, Number, Unit};

impl BodyChecker<'_, '_> {
    /// Checks a number literal, with the expected type if it can have it.
    pub fn number(&mut self, n: Number, hint: Option<&Type>, span: Span) -> Expr {
        let whole = n.thousandths % 1000 == 0;
        let wanted = hint.map(Type::present);
        let (kind, ty) = match n.unit {
            Unit::Inches => (ExprKind::Const(n.thousandths), Type::Length),
            Unit::Degrees if n.thousandths > 360_000 => {
                let message = format!("{}° is more than a full turn", n.thousandths / 1000);
                return self.wrong_help(Code::BadNumber, span, message, "use an angle from 0° to 360°");
            }
            Unit::Degrees => (ExprKind::Const(turn(n.thousandths / 10)), Type::Angle),
            Unit::Percent => {
                self.percents.insert(span);
                ratio(n.thousandths, 100_000)
            }
            Unit::Plain if self.loose && wanted == Some(&Type::Length) => {
                (ExprKind::Const(n.thousandths), Type::Length)
            }
            Unit::Plain if whole && wanted == Some(&Type::Ratio) => ratio(n.thousandths, 1000),
            Unit::Plain if whole => {
                let n = n.thousandths / 1000;
                (ExprKind::Const(n), Type::Int(Range::new(n, n)))
            }
            Unit::Plain => ratio(n.thousandths, 1000),
        };
        expr(kind, ty, span)
    }

    /// Checks `d6`: a die of the expected chain, or of the only chain that has it, or else a plain die.
    pub fn die(&mut self, sides: u32, hint: Option<&Type>, span: Span) -> Expr {
        if sides == 0 || sides > 1_000_000 {
            return self.wrong(Code::DieSides, span, format!("there is no d{sides}"));
        }
        if sides == 66 || sides == 666 {
            let message = format!("d{sides} means one die with {sides} sides here");
            let help = if sides == 66 {
                "for two d6 read as tens and ones, write `roll tens = d6`, `roll ones = d6` and `10 * tens + ones`"
            } else {
                "for three d6 read as digits, write `roll a = d6`, `roll b = d6`, `roll c = d6` and `100 * a + 10 * b \
                 + c`"
            };
            self.say_help(Code::ReadTogether, span, message, help);
        }
        let on = |chain: &ChainId| self.ck.rs.chains[chain.at()].dice.iter().position(|d| *d == sides);
        let chain = match hint.map(Type::present) {
            Some(Type::Die) => None,
            Some(Type::Chain(id) | Type::Shifted(id)) => match on(id) {
                Some(_) => Some(*id),
                None => {
                    let name = self.ck.rs.chains[id.at()].name.clone();
                    return self.wrong(Code::WrongType, span, format!("d{sides} is not a die of {name}"));
                }
            },
            _ => {
                let mut having = (0..self.ck.rs.chains.len()).map(ChainId::from).filter(|c| on(c).is_some());
                having.next().filter(|_| having.next().is_none())
            }
        };
        match chain.and_then(|c| Some((c, on(&c)?))) {
            Some((chain, step)) => expr(ExprKind::Const(step as i64), Type::Chain(chain), span),
            None => expr(ExprKind::Const(i64::from(sides)), Type::Die, span),
        }
    }

    /// Checks `[a, b]`. In a scenario it can also be a place.
    pub fn list(&mut self, parts: &[tree::Expr], hint: Option<&Type>, span: Span) -> Expr {
        if self.loose && parts.len() == 2 && matches!(hint.map(Type::present), Some(Type::Place | Type::Route)) {
            let ty = hint.map(|h| h.present().clone()).unwrap_or(Type::Place);
            let cells = parts.iter().map(|p| self.length(p)).collect();
            return Expr { span, ..op(Op::Point, cells, ty) };
        }
        let wanted = match hint.map(Type::present) {
            Some(Type::List(inner)) if **inner != Type::Unknown => Some((**inner).clone()),
            _ => None,
        };
        let values = self.entries(parts, wanted.as_ref());
        let mut ty = wanted.unwrap_or(Type::Unknown);
        for value in &values {
            let present = value.ty.present();
            match join(&ty, present) {
                Some(joined) => ty = joined,
                None => {
                    let want = ty.clone();
                    self.misfit(value, &want, value.span);
                }
            }
        }
        let values = values.into_iter().map(|v| self.list_entry(v, &ty)).collect();
        expr(ExprKind::List(values), kept(&ty).list(), span)
    }

    /// Checks the entries of a list. An entry that needs no hint determines the type of the others.
    fn entries(&mut self, parts: &[tree::Expr], wanted: Option<&Type>) -> Vec<Expr> {
        let teller = parts.iter().position(|p| !self.needs_hint(p)).filter(|_| wanted.is_none());
        let rendered = teller.map(|at| self.expr(&parts[at], None));
        let hint = rendered.as_ref().map(|t| t.ty.present().clone());
        let hint = wanted.or(hint.as_ref());
        let mut values = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            values.push(match (&rendered, teller) {
                (Some(rendered), Some(t)) if t == at => rendered.clone(),
                // a die that is not in the chain of another entry has type `Die`
                _ => match (&part.kind, hint) {
                    (tree::ExprKind::Dice { sides, bare: true, .. }, Some(Type::Chain(id)))
                        if wanted.is_none() && !self.ck.rs.chains[id.at()].dice.contains(sides) =>
                    {
                        self.die(*sides, Some(&Type::Die), part.span)
                    }
                    _ => self.expr(part, hint),
                },
            });
        }
        values
    }

    /// Converts a list entry. A missing entry is skipped.
    fn list_entry(&mut self, value: Expr, ty: &Type) -> Expr {
        let want = if matches!(value.ty, Type::Optional(_)) { ty.clone().optional() } else { ty.clone() };
        self.convert(value, &want).unwrap_or_else(|v| *v)
    }

    /// Checks the expression `(a, b)` and translates it to typed code.
    pub fn tuple(&mut self, parts: &[tree::Expr], hint: Option<&Type>, span: Span) -> Expr {
        let wanted: &[Type] = match hint {
            Some(Type::Tuple(types)) => types,
            _ => &[],
        };
        let values: Vec<Expr> = parts.iter().enumerate().map(|(at, p)| self.expr(p, wanted.get(at))).collect();
        let ty = Type::Tuple(values.iter().map(|v| kept(&v.ty)).collect());
        expr(ExprKind::Make(values), ty, span)
    }

    /// Returns whether an expression needs a hint to have a type: a case, `none`, a number, an empty list.
    pub fn needs_hint(&self, e: &tree::Expr) -> bool {
        match &e.kind {
            tree::ExprKind::Upper(name) => self.ck.rs.names.cases.contains_key(name),
            tree::ExprKind::None | tree::ExprKind::Dice { .. } => true,
            tree::ExprKind::Number(_) => true,
            tree::ExprKind::Paren(inner) | tree::ExprKind::Neg(inner) => self.needs_hint(inner),
            tree::ExprKind::List(parts) => parts.iter().all(|p| self.needs_hint(p)),
            tree::ExprKind::Tuple(parts) => parts.iter().any(|p| self.needs_hint(p)),
            tree::ExprKind::If { arms, otherwise } => {
                self.needs_hint(otherwise) && arms.iter().all(|(_, v)| self.needs_hint(v))
            }
            tree::ExprKind::Match(m) => m.rows.iter().all(|r| match &r.body {
                tree::Body::Value(v) => self.needs_hint(v),
                tree::Body::Block(_) | tree::Body::Stmt(_) | tree::Body::Lasts(..) => false,
            }),
            tree::ExprKind::Otherwise(parts) => parts.iter().all(|p| self.needs_hint(p)),
            _ => false,
        }
    }
}

/// Returns a fraction in lowest terms.
pub(super) fn ratio(over: i64, under: i64) -> (ExprKind, Type) {
    let (mut a, mut b) = (over.unsigned_abs(), under.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let by = i64::try_from(a.max(1)).unwrap_or(1);
    (ExprKind::ConstRatio(over / by, under / by), Type::Ratio)
}

/// Normalizes an angle in hundredths of a degree to at most a full turn.
fn turn(hundredths: i64) -> i64 {
    if hundredths <= 36_000 { hundredths } else { hundredths % 36_000 }
}
