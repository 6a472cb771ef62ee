//! Evaluates constant expressions at declaration time: the values of params, readings and sweeps.

use super::Declarer;
use crate::index::Means;
use crate::ruleset::TypeName;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{ArithOp, Expr, ExprKind, Number, Unit};

/// A constant: its type and its cells.
pub(crate) type Constant = (Type, Vec<i64>);

/// Returns a fraction in lowest terms.
fn share(num: i64, den: i64) -> Option<Constant> {
    Ratio::new(num, den).map(|ratio| (Type::Ratio, vec![ratio.num(), ratio.den()]))
}

/// Returns `number / parts` in decimal notation, where `parts` is 10 or 1000.
fn decimal(number: i64, parts: i64) -> String {
    let digits = if parts == 10 { 1 } else { 3 };
    let written = format!("{}.{:0digits$}", number / parts, number % parts);
    written.trim_end_matches('0').trim_end_matches('.').to_string()
}

impl Declarer<'_, '_> {
    /// Evaluates a constant expression, and converts it to the expected type if one is given. Reports errors.
    pub fn constant(&mut self, e: &Expr, expected: Option<&Type>) -> Option<Constant> {
        let found = self.constant_inner(e, expected)?;
        match expected {
            Some(ty) => self.fit(found, ty, e.span),
            None => Some(found),
        }
    }

    fn constant_inner(&mut self, e: &Expr, expected: Option<&Type>) -> Option<Constant> {
        match &e.kind {
            ExprKind::Number(n) => self.number(*n, expected, e.span),
            ExprKind::Yes => Some((Type::Flag, vec![1])),
            ExprKind::No => Some((Type::Flag, vec![0])),
            ExprKind::None => self.nothing(expected, e.span),
            ExprKind::Paren(x) => self.constant_inner(x, expected),
            ExprKind::Neg(x) => {
                let (ty, mut cells) = self.constant_inner(x, expected)?;
                if !matches!(ty, Type::Int(_) | Type::Length | Type::Ratio) {
                    return self.wrong(Code::WrongType, e.span, "a minus can be used only with a number");
                }
                cells[0] = -cells[0];
                Some((whole(ty), cells))
            }
            ExprKind::Dice { sides, bare: true, .. } => self.die(*sides, expected, e.span),
            ExprKind::Upper(name) => self.case(name, expected, e.span),
            ExprKind::Field(of, case) => self.named_case(of, &case.text, case.span),
            ExprKind::Arith { first, rest } => self.arithmetic(first, rest, expected),
            ExprKind::List(_) => {
                let help = "write `let sizes = [1, 2, 3]`; a `table` has one value for each of its keys".to_string();
                self.say_help(Code::WrongType, e.span, "expected one value, found a list".to_string(), help);
                None
            }
            _ => self.wrong(
                Code::WrongType,
                e.span,
                "expected a constant; declare a value that depends on others as \
                                                      a `let`",
            ),
        }
    }

    fn number(&mut self, n: Number, expected: Option<&Type>, span: Span) -> Option<Constant> {
        let ratio = matches!(expected.map(Type::present), Some(Type::Ratio));
        match n.unit {
            Unit::Inches => Some((Type::Length, vec![n.thousandths])),
            Unit::Degrees => Some((Type::Angle, vec![n.thousandths / 10])),
            Unit::Percent => share(n.thousandths, 100_000),
            Unit::Plain if ratio => share(n.thousandths, 1000),
            Unit::Plain if n.thousandths % 1000 != 0 => {
                let written = decimal(n.thousandths, 1000);
                let help =
                    format!("write `{}%` for a share, or `{written}\"` for a length", decimal(n.thousandths, 10));
                let message = format!("expected a whole number, found {written}");
                self.say_help(Code::Fraction, span, message, help);
                None
            }
            Unit::Plain => Some((Type::INT, vec![n.thousandths / 1000])),
        }
    }

    fn nothing(&mut self, expected: Option<&Type>, span: Span) -> Option<Constant> {
        match expected {
            Some(ty @ Type::Optional(_)) => {
                let mut cells = vec![0; self.c.rs.width(ty)];
                cells[0] = NONE;
                Some((ty.clone(), cells))
            }
            _ => self.wrong(Code::Missing, span, "`none` is not a value here"),
        }
    }

    fn die(&mut self, sides: u32, expected: Option<&Type>, span: Span) -> Option<Constant> {
        self.check_sides(sides, span);
        let step = |dice: &[u32]| dice.iter().position(|d| *d == sides).map(|n| n as i64);
        let chains = &self.c.rs.chains;
        match expected.map(Type::present) {
            Some(Type::Die) => Some((Type::Die, vec![i64::from(sides)])),
            Some(Type::Chain(id)) => match step(&chains[id.at()].dice) {
                Some(at) => Some((Type::Chain(*id), vec![at])),
                None => {
                    let message = format!("d{sides} is not a die of `{}`", chains[id.at()].name);
                    self.wrong(Code::WrongType, span, message)
                }
            },
            _ => {
                let mut with =
                    chains.iter().enumerate().filter_map(|(i, c)| step(&c.dice).map(|at| (ChainId::from(i), at)));
                match (with.next(), with.next()) {
                    (Some((id, at)), None) => Some((Type::Chain(id), vec![at])),
                    _ => Some((Type::Die, vec![i64::from(sides)])),
                }
            }
        }
    }

    /// Returns the index of a case in an enum. Reports an error if the enum does not have it.
    pub fn case_of(&mut self, id: EnumId, case: &str, span: Span) -> Option<i64> {
        let found = &self.c.rs.enums[id.at()];
        if let Some(at) = found.cases.iter().position(|c| c == case) {
            self.c.means(span, || Means::Case(id, at));
            return Some(at as i64);
        }
        let near = did_you_mean(case, found.cases.iter().map(String::as_str));
        let message = format!("`{case}` is not a case of {}{near}", found.name);
        self.wrong(Code::UnknownType, span, message)
    }

    fn case(&mut self, name: &str, expected: Option<&Type>, span: Span) -> Option<Constant> {
        if let Some(Type::Enum(id)) = expected.map(Type::present) {
            let id = *id;
            return self.case_of(id, name, span).map(|at| (Type::Enum(id), vec![at]));
        }
        if let Some(TypeName::Die(id)) = self.c.rs.names.types.get(name).copied() {
            self.c.means(span, || Means::Type(TypeName::Die(id)));
            return Some((Type::Die, vec![-1 - i64::from(id.0)]));
        }
        let found = self.c.rs.names.cases.get(name).map(Vec::as_slice).unwrap_or_default();
        match found {
            &[(id, at)] => {
                self.c.means(span, || Means::Case(id, usize::try_from(at).unwrap_or_default()));
                Some((Type::Enum(id), vec![at]))
            }
            [] => {
                let near = did_you_mean(name, self.c.rs.names.cases.keys().map(String::as_str));
                self.wrong(Code::UnknownType, span, format!("there is no case `{name}`{near}"))
            }
            several => {
                let owners: Vec<&str> = several.iter().map(|(id, _)| self.c.rs.enums[id.at()].name.as_str()).collect();
                let message = format!("`{name}` is a case of {}; write which", owners.join(" and "));
                self.wrong(Code::AmbiguousCase, span, message)
            }
        }
    }

    /// Evaluates a qualified case, such as `Sight.Nothing` or `crossing_salvo.Free`.
    fn named_case(&mut self, of: &Expr, case: &str, span: Span) -> Option<Constant> {
        let (ExprKind::Upper(name) | ExprKind::Name(name)) = &of.kind else {
            return self.wrong(Code::WrongType, of.span, "expected a constant");
        };
        match self.c.rs.names.types.get(name).copied() {
            Some(TypeName::Enum(id)) => {
                self.c.means(of.span, || Means::Type(TypeName::Enum(id)));
                self.case_of(id, case, span).map(|at| (Type::Enum(id), vec![at]))
            }
            _ => {
                let enums = self.c.rs.enums.iter().map(|e| e.name.as_str());
                let near = did_you_mean(name, enums);
                self.wrong(Code::UnknownType, of.span, format!("there is no enum `{name}`{near}"))
            }
        }
    }

    fn arithmetic(&mut self, first: &Expr, rest: &[(ArithOp, Expr)], expected: Option<&Type>) -> Option<Constant> {
        let hint = expected.filter(|t| !matches!(t, Type::Ratio));
        let mut left = self.constant_inner(first, hint)?;
        for (op, e) in rest {
            let right = self.constant_inner(e, hint)?;
            left = match combine(&left, *op, &right) {
                Some(value) => value,
                None => {
                    return self.wrong(Code::WrongType, e.span, "these two values cannot be combined in a constant");
                }
            };
        }
        Some(left)
    }

    /// Converts a constant to a type, or reports a type error.
    fn fit(&mut self, (ty, cells): Constant, wanted: &Type, span: Span) -> Option<Constant> {
        let fits = match (&ty, wanted.present()) {
            (_, Type::Unknown) => true,
            (Type::Int(_), Type::Int(range)) => {
                if cells[0] < range.low || cells[0] > range.high {
                    let message = format!("{} is not within {}", cells[0], self.c.rs.type_name(wanted));
                    return self.wrong(Code::WrongType, span, message);
                }
                true
            }
            (Type::Int(_), Type::Ratio) => return Some((wanted.clone(), vec![cells[0], 1])),
            (Type::Int(_), Type::Length | Type::Angle) | (Type::Length, Type::Int(_)) => {
                let message = format!("expected {}, found {}", self.c.rs.type_name(wanted), self.c.rs.type_name(&ty));
                return self.wrong(Code::Units, span, message);
            }
            (Type::Chain(id), Type::Die) => {
                let sides = self.c.rs.chains[id.at()].dice.get(cells[0] as usize).copied().unwrap_or(1);
                return Some((Type::Die, vec![i64::from(sides)]));
            }
            (a, b) => a.present() == b,
        };
        if !fits {
            let message = format!("expected {}, found {}", self.c.rs.type_name(wanted), self.c.rs.type_name(&ty));
            return self.wrong(Code::WrongType, span, message);
        }
        Some((wanted.clone(), cells))
    }
}

/// Returns the type without the range of an Int, because arithmetic does not track it.
fn whole(ty: Type) -> Type {
    if matches!(ty, Type::Int(_)) { Type::INT } else { ty }
}

fn combine(a: &Constant, op: ArithOp, b: &Constant) -> Option<Constant> {
    let (x, y) = (a.1[0], b.1[0]);
    let plain = |n: Option<i64>, ty: Type| n.filter(|n| i32::try_from(*n).is_ok()).map(|n| (ty, vec![n]));
    match (&a.0, op, &b.0) {
        (Type::Int(_), ArithOp::Add, Type::Int(_)) => plain(x.checked_add(y), Type::INT),
        (Type::Int(_), ArithOp::Sub, Type::Int(_)) => plain(x.checked_sub(y), Type::INT),
        (Type::Int(_), ArithOp::Mul, Type::Int(_)) => plain(x.checked_mul(y), Type::INT),
        (Type::Length, ArithOp::Add, Type::Length) => plain(x.checked_add(y), Type::Length),
        (Type::Length, ArithOp::Sub, Type::Length) => plain(x.checked_sub(y), Type::Length),
        (Type::Int(_), ArithOp::Mul, Type::Length) | (Type::Length, ArithOp::Mul, Type::Int(_)) => {
            plain(x.checked_mul(y), Type::Length)
        }
        (Type::Length, ArithOp::Div, Type::Int(_)) if y != 0 => plain(x.checked_div(y), Type::Length),
        (Type::Int(_), ArithOp::Div, Type::Int(_)) | (Type::Length, ArithOp::Div, Type::Length) if y != 0 => {
            share(x, y)
        }
        _ => None,
    }
}
