//! Finds comparisons with a constant result.

use super::super::code::{Body, Expr, ExprKind};
use super::body::BodyChecker;
use super::ranges;
use crate::reads::walk::any_part;
use grognard_base::Code;
use grognard_base::Span;
use grognard_base::value::*;
use grognard_syntax::tree::CompareOp;

/// A fraction with a positive denominator.
type Fraction = (i128, i128);

fn less(a: Fraction, b: Fraction) -> bool {
    a.0 * b.1 < b.0 * a.1
}

impl BodyChecker<'_, '_> {
    /// Reports a comparison of numbers with a constant result. Comparisons of only params and literals are exempt,
    /// because a scenario can set a param.
    pub fn one_way(&mut self, how: CompareOp, a: &Expr, b: &Expr, span: Span) {
        if is_fixed(a) && is_fixed(b) {
            return;
        }
        let (Some(x), Some(y)) = (self.bounds_of(a), self.bounds_of(b)) else { return };
        // a value with one possible number here can have another in an extension or variant
        let sized = |e: &Expr, other: &Expr| self.is_written_size(e) && !has_setting(other);
        if !is_fixed(a) && x.0 == x.1 && !sized(a, b) || !is_fixed(b) && y.0 == y.1 && !sized(b, a) {
            return;
        }
        let (below, above) = (less(x.1, y.0), less(y.1, x.0));
        let (upto, from) = (!less(y.0, x.1), !less(x.0, y.1));
        let holds = match how {
            CompareOp::Lt if below => true,
            CompareOp::Lt if from => false,
            CompareOp::Le if upto => true,
            CompareOp::Le if above => false,
            CompareOp::Gt if above => true,
            CompareOp::Gt if upto => false,
            CompareOp::Ge if from => true,
            CompareOp::Ge if below => false,
            CompareOp::Eq if below || above => false,
            CompareOp::Ne if below || above => true,
            CompareOp::Eq if upto && from => true,
            CompareOp::Ne if upto && from => false,
            _ => return,
        };
        let (varied, bounds) = if is_fixed(a) { (b, y) } else { (a, x) };
        self.say_certain(holds, varied, bounds, span);
    }

    /// Returns whether the value is the size of a pool, or a name of it, and the body has the number of dice as a literal.
    pub fn is_written_size(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id) => self.written_sizes.contains(id) && matches!(e.ty, Type::Int(_)),
            ExprKind::Op(Op::Size, args) => {
                matches!(args.as_slice(), [Expr { kind: ExprKind::Local(id), .. }] if self.written_sizes.contains(id))
            }
            _ => false,
        }
    }

    fn say_certain(&mut self, holds: bool, varied: &Expr, bounds: (Fraction, Fraction), span: Span) {
        let name = self.called(varied).map_or_else(|| "the number".into(), |name| format!("`{name}`"));
        let written = |(n, d): Fraction| if d == 1 { n.to_string() } else { format!("{n}/{d}") };
        let range = match less(bounds.0, bounds.1) {
            true => format!("{} to {}", written(bounds.0), written(bounds.1)),
            false => written(bounds.0),
        };
        let word = if holds { "true" } else { "false" };
        self.say(Code::Dead, span, format!("this is always {word}: {name} is {range}"));
    }

    /// Reports a comparison of a value with itself, and returns whether it did. `holds` is the constant result.
    pub fn itself(&mut self, a: &Expr, b: &Expr, holds: bool, span: Span) -> bool {
        let same = is_same(a, b) && !matches!(a.ty, Type::Optional(_));
        if same {
            let (word, name) = (if holds { "true" } else { "false" }, self.written(a));
            self.say(Code::Dead, span, format!("this is always {word}: `{name}` is compared with itself"));
        }
        same
    }

    /// Reports list entries that a number cannot equal. If it can equal none of them, reports the list.
    pub fn never_listed(&mut self, value: &Expr, list: &Expr) {
        let ExprKind::List(entries) = &list.kind else { return };
        let never = |e: &&Expr| matches!(e.kind, ExprKind::Const(_)) && self.outside(value, e, e).is_some();
        let outside: Vec<&Expr> = entries.iter().filter(never).collect();
        let all = outside.len() == entries.len();
        for entry in outside.into_iter().take(if all { 1 } else { entries.len() }) {
            self.never_between(value, entry, entry, if all { list.span } else { entry.span });
        }
    }

    /// Reports a number that cannot be between these two.
    pub fn never_between(&mut self, value: &Expr, low: &Expr, high: &Expr, span: Span) {
        if let Some(bounds) = self.outside(value, low, high) {
            self.say_certain(false, value, bounds, span);
        }
    }

    /// Returns the bounds of a number if it cannot be between these two.
    fn outside(&self, value: &Expr, low: &Expr, high: &Expr) -> Option<(Fraction, Fraction)> {
        let (x, low, high) = (self.bounds_of(value)?, self.bounds_of(low)?, self.bounds_of(high)?);
        let apart = less(x.1, low.0) || less(high.1, x.0);
        (!is_fixed(value) && x.0 != x.1 && apart).then_some(x)
    }

    /// Returns whether the number consists of literals and params and is not negative with their current values.
    pub fn is_known(&self, e: &Expr) -> bool {
        is_fixed(e) && self.bounds_of_whole(e).low >= 0
    }

    /// Returns the minimum and the maximum of a number, or `None` if it is unbounded on one side.
    fn bounds_of(&self, e: &Expr) -> Option<(Fraction, Fraction)> {
        match (&e.kind, &e.ty) {
            (_, Type::Int(_)) => {
                let range = self.bounds_of_whole(e);
                let bounded = |n: i64| n > Range::ALL.low && n < Range::ALL.high;
                (bounded(range.low) && bounded(range.high))
                    .then(|| ((i128::from(range.low), 1), (i128::from(range.high), 1)))
            }
            (ExprKind::ConstRatio(n, d @ 1..), _) => {
                let value = (i128::from(*n), i128::from(*d));
                Some((value, value))
            }
            (ExprKind::Op(Op::ToRatio, args), _) => self.bounds_of(args.first()?),
            (ExprKind::Op(Op::Fraction, args), _) => match args.as_slice() {
                [over, under] => self.bounds_of_quotient(over, under),
                _ => None,
            },
            _ => None,
        }
    }

    fn bounds_of_quotient(&self, over: &Expr, under: &Expr) -> Option<(Fraction, Fraction)> {
        let (Type::Int(_), Type::Int(_)) = (&over.ty, &under.ty) else { return None };
        let (n, d) = (self.bounds_of(over)?, self.bounds_of(under)?);
        let (low, high) = (n.0.0, n.1.0);
        if d.0.0 < 1 || low < 0 {
            return None;
        }
        // `state losses : 0..men` divided by `men` is at most 1
        let most = if self.is_bound(over, under) { (1, 1) } else { (high, d.0.0) };
        Some(((low, d.1.0), most))
    }

    /// Returns whether the second field is declared as the upper bound of the first, for the same thing.
    fn is_bound(&self, of: &Expr, bound: &Expr) -> bool {
        let (ExprKind::Field { thing, field, .. }, ExprKind::Field { thing: other, field: named, .. }) =
            (&of.kind, &bound.kind)
        else {
            return false;
        };
        let high = self.ck.rs.fields[field.at()].high.map(|f| &self.ck.rs.functions[f.at()].body);
        let is_it =
            matches!(high, Some(Body::Value(Expr { kind: ExprKind::Field { field, .. }, .. })) if field == named);
        is_it && self.written(thing) == self.written(other)
    }

    fn bounds_of_whole(&self, e: &Expr) -> Range {
        let Type::Int(declared) = e.ty else { return Range::ALL };
        let parts = |args: &[Expr]| args.iter().map(|a| self.bounds_of_whole(a)).collect::<Vec<_>>();
        match &e.kind {
            ExprKind::Setting(id) => {
                self.ck.rs.settings[id.at()].value.first().map_or(declared, |value| Range::new(*value, *value))
            }
            ExprKind::Op(how, args) => match (how, parts(args).as_slice()) {
                (Op::Add, [a, b]) => ranges::add(*a, *b),
                (Op::Sub, [a, b]) => ranges::sub(*a, *b),
                (Op::Mul, [a, b]) => ranges::mul(*a, *b),
                (Op::Min, all) => all.iter().copied().reduce(ranges::min).unwrap_or(declared),
                (Op::Max, all) => all.iter().copied().reduce(ranges::max).unwrap_or(declared),
                _ => declared,
            },
            _ => declared,
        }
    }
}

/// Returns whether the value consists only of literals, params and readings.
fn is_fixed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::Setting(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_fixed),
        _ => false,
    }
}

/// Returns whether a param or a reading is part of the value.
fn has_setting(e: &Expr) -> bool {
    any_part(e, |part| matches!(part.kind, ExprKind::Setting(_)))
}

/// Returns whether both values are the same variable, or the same field of the same thing.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Global(a), ExprKind::Global(b)) => a == b,
        (ExprKind::Ambient(a), ExprKind::Ambient(b)) => a == b,
        (ExprKind::Op(Op::ToRatio, a), ExprKind::Op(Op::ToRatio, b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (ExprKind::Field { thing: a, field: f, keys: k }, ExprKind::Field { thing: b, field: g, keys: l }) => {
            f == g && k.is_empty() && l.is_empty() && is_same(a, b)
        }
        _ => false,
    }
}
