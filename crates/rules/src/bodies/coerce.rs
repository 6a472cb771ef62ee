//! Type conversions, and the diagnostics for values of the wrong type.

use super::super::code::{Collection, Expr, ExprKind};
use super::body::{BodyChecker, expr, local, unknown};
use super::types::{join, same_cells};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree;

impl BodyChecker<'_, '_> {
    /// Checks a value and converts it to the expected type.
    pub fn want(&mut self, e: &tree::Expr, ty: &Type) -> Expr {
        let value = self.expr(e, Some(ty));
        self.fit(value, ty)
    }

    /// Like [`BodyChecker::want`], for a slot with a written type. A number that cannot be within its range is an
    /// error.
    pub fn within(&mut self, e: &tree::Expr, ty: &Type) -> Expr {
        self.within_of(e, ty, "")
    }

    /// Like [`BodyChecker::within`], for a slot with a name, such as a parameter.
    pub fn within_of(&mut self, e: &tree::Expr, ty: &Type, name: &str) -> Expr {
        let value = self.want(e, ty);
        if let (Type::Int(have), Type::Int(range)) = (value.ty.present(), ty.present())
            && (have.low > range.high || have.high < range.low)
        {
            let given = self.type_name(&Type::Int(*have));
            let of = if name.is_empty() { String::new() } else { format!(", the range of `{name}`") };
            let message = format!("{given} is not within {}{of}", self.ck.rs.type_name(ty.present()));
            self.say(Code::WrongType, value.span, message);
        }
        value
    }

    /// Checks a value against the type Int.
    pub fn int(&mut self, e: &tree::Expr) -> Expr {
        self.want(e, &Type::INT)
    }

    /// Checks a whole number that is a count, which must not be negative.
    pub fn how_many(&mut self, e: &tree::Expr) -> Expr {
        if let tree::ExprKind::Dice { sides, bare: true, .. } = &e.kind {
            let message = format!("expected a number, found `d{sides}`, a die that is not rolled yet");
            let help = format!("write `roll many = d{sides}` on a line above, and `many` here");
            return self.wrong_help(Code::WrongType, e.span, message, help);
        }
        let value = self.int(e);
        if let Type::Int(have) = value.ty.present()
            && have.high < 0
        {
            let message = format!("an amount must be 0 or more, and this is {}", self.type_name(&Type::Int(*have)));
            self.say_help(Code::WrongType, value.span, message, "to treat negative values as 0, write `max(0, k)`");
        }
        value
    }

    /// Checks a value against the type Length.
    pub fn length(&mut self, e: &tree::Expr) -> Expr {
        self.want(e, &Type::Length)
    }

    /// Converts a value to the expected type, or reports a type error.
    pub fn fit(&mut self, value: Expr, want: &Type) -> Expr {
        let span = value.span;
        match self.convert(value, want) {
            Ok(value) => value,
            Err(value) => {
                self.misfit(&value, want, span);
                Expr { ty: Type::Unknown, ..*value }
            }
        }
    }

    /// Converts a value to the expected type, or returns it unchanged as the error.
    pub fn convert(&mut self, value: Expr, want: &Type) -> Result<Expr, Box<Expr>> {
        let have = value.ty.clone();
        if have == *want || *want == Type::Unknown {
            return Ok(value);
        }
        match (&have, want) {
            (Type::Unknown, _) => Ok(retype(value, want)),
            (Type::Int(_), Type::Int(_)) => Ok(value),
            (Type::Int(_), Type::Ratio) => Ok(to_ratio(value)),
            (Type::Int(_) | Type::Ratio, Type::Length) if self.loose => loose_length(value),
            (Type::Kind(_), Type::Place) => Ok(self.place_of(value)),
            (Type::Optional(inner) | Type::List(inner), Type::Place) if matches!(**inner, Type::Kind(_)) => {
                Ok(self.place_of(value))
            }
            (Type::Optional(inner), Type::Optional(_)) if **inner == Type::Unknown => Ok(retype(value, want)),
            (Type::Route, Type::Place) => Ok(part(value, 0, Type::Place)),
            (Type::Chain(_), Type::Die) => Ok(op(Op::ToDie, vec![value], Type::Die)),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => self.convert_tuple(value, a, b),
            (Type::List(a), Type::List(b)) if !same_cells(a, b) => self.convert_list(value, a, b),
            (Type::Optional(a), Type::Optional(b)) if !same_cells(a, b) => self.convert_inside(value, a, b),
            // a number keeps its own range for the comparison with the expected one
            (Type::Optional(a), Type::Optional(b)) if is_int(a) && is_int(b) => Ok(value),
            (Type::Int(_), Type::Optional(inner)) if is_int(inner) => Ok(retype(value, &have.optional())),
            (_, Type::Optional(inner)) if !matches!(have, Type::Optional(_)) => {
                Ok(retype(self.convert(value, inner)?, want))
            }
            _ if same_cells(&have, want) => Ok(retype(value, want)),
            _ => Err(Box::new(value)),
        }
    }

    /// Converts a thing, several things, or a missing thing to a place.
    fn place_of(&mut self, value: Expr) -> Expr {
        self.on_board(&value);
        op(Op::PlaceOf, vec![value], Type::Place)
    }

    fn convert_tuple(&mut self, value: Expr, have: &[Type], want: &[Type]) -> Result<Expr, Box<Expr>> {
        let whole = Type::Tuple(want.to_vec());
        if have.iter().zip(want).all(|(a, b)| same_cells(a, b)) {
            return Ok(retype(value, &whole));
        }
        let ExprKind::Make(parts) = &value.kind else { return Err(Box::new(value)) };
        let mut made = Vec::new();
        for (given, ty) in parts.clone().into_iter().zip(want) {
            match self.convert(given, ty) {
                Ok(given) => made.push(given),
                Err(_) => return Err(Box::new(value)),
            }
        }
        Ok(expr(ExprKind::Make(made), whole, value.span))
    }

    /// Converts a list by converting each entry.
    fn convert_list(&mut self, value: Expr, have: &Type, want: &Type) -> Result<Expr, Box<Expr>> {
        let span = value.span;
        let entry = self.hidden(have.clone(), span);
        match self.convert(local(entry, have.clone(), span), want) {
            Ok(body) => Ok(map(Collection::List(value), entry, None, body, want.clone().list(), span)),
            Err(_) => Err(Box::new(value)),
        }
    }

    /// Converts an optional value by converting the present value.
    fn convert_inside(&mut self, value: Expr, have: &Type, want: &Type) -> Result<Expr, Box<Expr>> {
        let span = value.span;
        let inner = self.hidden(have.clone(), span);
        match self.convert(local(inner, have.clone(), span), want) {
            Ok(body) => {
                let kind = ExprKind::Then { value: Box::new(value), local: inner, body: Box::new(body) };
                Ok(expr(kind, want.clone().optional(), span))
            }
            Err(_) => Err(Box::new(value)),
        }
    }

    /// Converts values to their common type. Returns them with this type.
    pub fn unify(&mut self, values: Vec<Expr>, span: Span) -> (Vec<Expr>, Type) {
        let mut ty = Type::Unknown;
        for value in &values {
            match join(&ty, &value.ty) {
                Some(joined) => ty = joined,
                None => {
                    let (a, b) = (self.type_name(&ty), self.type_name(&value.ty));
                    self.say(Code::WrongType, span, format!("the branches have different types: {a} and {b}"));
                    return (values, Type::Unknown);
                }
            }
        }
        let values = values.into_iter().map(|v| self.fit(v, &ty)).collect();
        (values, ty)
    }

    /// Returns the name of a value for messages.
    pub fn called(&self, value: &Expr) -> Option<String> {
        match &value.kind {
            ExprKind::Local(id) => {
                let name = self.locals[id.at()].name.clone();
                (!name.is_empty()).then_some(name)
            }
            ExprKind::Then { body, .. } => self.called(body),
            _ => self.ck.rs.called(value).map(str::to_string),
        }
    }

    /// Reports a die in place of its roll, if that is the reason why two values do not match.
    pub fn unrolled(&mut self, code: Code, a: &Expr, b: &Expr, span: Span) -> bool {
        let number = |e: &Expr| is_measure(&e.ty);
        let die = match (&a.ty, &b.ty) {
            (Type::Die | Type::Chain(_), _) if number(b) => a,
            (_, Type::Die | Type::Chain(_)) if number(a) => b,
            _ => return false,
        };
        self.say_unthrown(code, die, span);
        true
    }

    /// Reports a die in place of its roll.
    pub fn say_unthrown(&mut self, code: Code, die: &Expr, span: Span) {
        let text = match (self.called(die), &die.kind, &die.ty) {
            (Some(name), ..) => name,
            (None, ExprKind::Const(at), Type::Chain(id)) => {
                format!("d{}", self.ck.rs.chains[id.at()].dice[*at as usize])
            }
            (None, ExprKind::Const(sides), _) if *sides > 0 => format!("d{sides}"),
            (None, ExprKind::Const(own), _) => self.ck.rs.dice[(-1 - own) as usize].name.clone(),
            _ => "die".to_string(),
        };
        let message = format!("`{text}` is a die here and has no number before it is rolled");
        let help = format!(
            "write `roll face = {text}` on a separate line to roll it, and use `face` as the number \
                            after that"
        );
        self.say_help(code, span, message, help);
    }

    /// Reports a value that can be missing where one is required.
    pub fn missing(&mut self, value: &Expr, span: Span) {
        if matches!(value.kind, ExprKind::None) {
            let help = "write a type with `?`, as in `Unit?`, if the value can be missing";
            return self.say_help(Code::Missing, span, "`none` is allowed only where a value can be missing", help);
        }
        let message = match self.called(value) {
            Some(name) => format!("`{name}` can be missing here"),
            None => "this value can be missing".to_string(),
        };
        self.say(Code::Missing, span, message);
    }

    /// Like [`BodyChecker::missing`]. Returns the placeholder for the value.
    pub fn absent(&mut self, value: &Expr, span: Span) -> Expr {
        self.missing(value, span);
        unknown(span)
    }

    /// Returns the help for a number in place of a condition.
    fn how_many_are_enough(&self, value: &Expr) -> Option<&'static str> {
        match &value.kind {
            ExprKind::Query { what: super::super::code::Quantifier::Count, .. } => {
                Some("compare the count, as in `(count ..) >= 2`, or ask for at least one with `any ..`")
            }
            _ if is_measure(&value.ty) => Some("compare the number with another: `u.markers > 0`"),
            _ => None,
        }
    }

    /// Reports why a value does not have the expected type.
    pub fn misfit(&mut self, value: &Expr, want: &Type, span: Span) {
        let have = value.ty.clone();
        let (code, message) = match (&have, want) {
            (Type::Nothing, _) => (Code::WrongType, "this does not return a value".to_string()),
            (Type::Optional(inner), want) if !matches!(want, Type::Optional(_)) && join(inner, want).is_some() => {
                return self.missing(value, span);
            }
            (Type::Record(_), Type::Flag) if self.is_result(&have) => return self.result_used(value, span),
            (Type::Ratio, Type::Int(_)) if self.is_percentage(value) => return self.lone_share(value),
            (Type::Ratio, Type::Int(_)) => (Code::Fraction, "expected a whole number, found a fraction".to_string()),
            (Type::Int(_), Type::List(_)) if self.is_sum(value) => return self.pool_needed(value, span),
            (Type::Shifted(_), Type::Chain(_) | Type::Die) => {
                (Code::ShiftedDie, "this die can be past the end of its chain".to_string())
            }
            (Type::Die | Type::Chain(_), want) if is_measure(want.present()) => {
                return self.say_unthrown(Code::WrongType, value, span);
            }
            (a, b) if is_measure(a) && is_measure(b) => {
                let message = format!("expected {}, found {}", measure(b), measure(a));
                return self.say_help(Code::Units, span, message, measure_help(value, b));
            }
            _ => {
                let (a, b) = (self.type_name(&have), self.type_name(want));
                let message = format!("expected {b}, found {a}");
                if matches!(want, Type::List(_)) {
                    return self.not_a_list(value, message);
                }
                if *want == Type::Flag
                    && let Some(help) = self.how_many_are_enough(value)
                {
                    return self.say_help(Code::WrongType, span, message, help);
                }
                if let (Type::List(inner), Type::Int(_)) = (have.present(), want.present())
                    && is_int(inner)
                {
                    let called = |list: &Expr| self.called(list).unwrap_or_else(|| "dice".into());
                    let args = if let ExprKind::Op(op, args) = &value.kind { Some((op, &args[..])) } else { None };
                    let help = match args {
                        Some((op @ (Op::Highest | Op::Lowest), [Expr { kind: ExprKind::Const(1), .. }, list])) => {
                            let word = if *op == Op::Highest { "highest" } else { "lowest" };
                            format!("write `total({word}(1, {}))`: a list with one entry is still a list", called(list))
                        }
                        _ => {
                            let list = called(value);
                            format!(
                                "write `total({list})` for its sum, or `count {list} >= 4` for how many are that \
                                     high"
                            )
                        }
                    };
                    return self.say_help(Code::WrongType, span, message, help);
                }
                if *want == Type::Place && matches!(value.kind, ExprKind::List(_)) {
                    let help = "use points such as `[10, 20]` in scenarios and in the `with` of examples; in rules, \
                                name a thing or a position";
                    return self.say_help(Code::WrongType, span, message, help);
                }
                (Code::WrongType, message)
            }
        };
        self.say(code, span, message);
    }

    /// Returns whether the type is the record of a test.
    pub fn is_result(&self, ty: &Type) -> bool {
        match ty {
            Type::Record(id) => self.ck.rs.names.tests.contains_key(&self.ck.rs.records[id.at()].name),
            _ => false,
        }
    }

    /// Reports a test result in place of a condition.
    pub fn result_used(&mut self, value: &Expr, span: Span) {
        let name = self.called(value).unwrap_or_else(|| "this".into());
        let message = format!("`{name}` is the result of a test, not a yes or no");
        self.say_help(Code::ResultUsed, span, message, format!("write `{name}.passed` or `{name}.grade`"));
    }

    /// Returns whether the value is a variable with the sum of several dice.
    pub fn is_sum(&self, value: &Expr) -> bool {
        matches!(value.kind, ExprKind::Local(id) if self.rolls.get(&id).is_some_and(|r| r.sum))
    }

    /// Reports a use of the individual dice of a sum.
    pub fn pool_needed(&mut self, value: &Expr, span: Span) {
        let (name, dice) = self.pool_of(value);
        let message = format!("`{name}` is one number, the sum of its dice");
        let help = format!("to use each die, write `roll {name} = {dice}`");
        self.say_help(Code::PoolNeeded, span, message, help);
    }

    /// Returns the name of a sum of dice, and the text of its pool.
    pub fn pool_of(&self, value: &Expr) -> (String, String) {
        let name = self.called(value).unwrap_or_else(|| "this".into());
        let dice = match value.ty {
            Type::Int(r) if r.low > 0 => format!("{} of d{}", r.low, r.high / r.low),
            _ => "3 of d6".to_string(),
        };
        (name, dice)
    }
}

fn is_int(ty: &Type) -> bool {
    matches!(ty, Type::Int(_))
}

/// Returns whether the type is a number, a length, an angle or a fraction.
pub(super) fn is_measure(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Length | Type::Angle | Type::Ratio)
}

/// Returns the description of a measure for messages.
pub(super) fn measure(ty: &Type) -> &'static str {
    match ty {
        Type::Length => "a length in inches",
        Type::Angle => "an angle in degrees",
        Type::Ratio => "a fraction",
        _ => "a plain number",
    }
}

/// Returns the text of a literal number as a length or an angle.
pub(super) fn with_sign(value: &Expr, want: &Type) -> Option<String> {
    let thousandths = match (&value.ty, &value.kind) {
        (Type::Int(_), ExprKind::Const(n)) => n.checked_mul(1000)?,
        (Type::Ratio, ExprKind::ConstRatio(n, d @ 1..)) if 1000 % d == 0 => n.checked_mul(1000 / d)?,
        (Type::Length, ExprKind::Const(n)) => *n,
        (Type::Angle, ExprKind::Const(n)) => n.checked_mul(10)?,
        _ => return None,
    };
    match want {
        Type::Length => Some(format!("{}\"", fixed(thousandths, 1000))),
        Type::Angle => Some(format!("{}°", fixed(thousandths.rem_euclid(360_000), 1000))),
        _ => None,
    }
}

/// Returns the help for a value of a different measure than expected.
fn measure_help(value: &Expr, want: &Type) -> String {
    if let Some(written) = with_sign(value, want) {
        return format!("write `{written}`");
    }
    let help = match (&value.ty, want) {
        (Type::Int(_), Type::Length) => "to make a length, multiply a number by an inch: `n * 1\"`",
        (Type::Int(_), Type::Angle) => "to make an angle, multiply a number by a degree: `n * 1°`",
        (Type::Ratio, Type::Length) => "round the fraction first: `(a / b rounded down) * 1\"`",
        (Type::Ratio, Type::Angle) => "round the fraction first: `(a / b rounded down) * 1°`",
        (Type::Length, Type::Int(_)) => "divide a length by a length for a plain number: `u.mv / 1\" rounded down`",
        (Type::Length, Type::Ratio) => "divide a length by a length for a plain fraction: `u.mv / 1\"`",
        (Type::Angle, _) => "compare an angle with an angle, such as 45°; it cannot be converted to a number",
        _ => "write a length with an inch mark, as in 6\", and an angle with a degree sign, as in 45°",
    };
    help.to_string()
}

/// Returns the same cells with another type.
pub(super) fn retype(value: Expr, ty: &Type) -> Expr {
    Expr { ty: ty.clone(), ..value }
}

/// Converts a whole number to a fraction.
pub(super) fn to_ratio(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Const(n) => Expr { kind: ExprKind::ConstRatio(n, 1), ty: Type::Ratio, span: value.span },
        _ => op(Op::ToRatio, vec![value], Type::Ratio),
    }
}

/// Converts a plain number of a scenario to inches.
fn loose_length(value: Expr) -> Result<Expr, Box<Expr>> {
    let thousandths = match value.kind {
        ExprKind::Const(n) => n.checked_mul(1000),
        ExprKind::ConstRatio(n, d) if d != 0 && 1000 % d == 0 => n.checked_mul(1000 / d),
        _ => None,
    };
    match thousandths {
        Some(n) => Ok(Expr { kind: ExprKind::Const(n), ty: Type::Length, span: value.span }),
        None => Err(Box::new(value)),
    }
}

/// Returns an operation whose span covers its operands.
pub(super) fn op(op: Op, args: Vec<Expr>, ty: Type) -> Expr {
    let span = args.iter().map(|a| a.span).reduce(|a, b| a.to(b)).unwrap_or_default();
    Expr { kind: ExprKind::Op(op, args), ty, span }
}

/// Returns a part of a composite value.
pub(super) fn part(of: Expr, index: usize, ty: Type) -> Expr {
    let span = of.span;
    Expr { kind: ExprKind::Part { of: Box::new(of), index }, ty, span }
}

/// Returns the list of `body` for the entries of a collection.
pub(super) fn map(over: Collection, entry: LocalId, filter: Option<Expr>, body: Expr, ty: Type, span: Span) -> Expr {
    let drop = matches!(body.ty, Type::Optional(_));
    let flatten = matches!(body.ty, Type::List(_)) && !matches!(&ty, Type::List(t) if matches!(**t, Type::List(_)));
    let (over, filter, body) = (Box::new(over), filter.map(Box::new), Box::new(body));
    Expr { kind: ExprKind::Map { over, local: entry, filter, body, drop, flatten }, ty, span }
}
