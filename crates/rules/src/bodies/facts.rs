//! Flow-sensitive facts about numbers from conditions. In `if x >= 2 { need(x) }`, the table `need` does not need a row
//! for 1.

use super::super::checker::Pending;
use super::super::code::{Body, Expr, ExprKind, Pat};
use super::body::{BodyChecker, NameInScope};
use super::ranges;
use grognard_base::value::*;
use grognard_base::{Code, Span};

/// A number, identified by its text, with the range that it has where a condition holds.
pub(super) type Fact = (String, Range);

impl BodyChecker<'_, '_> {
    /// Records the facts about numbers where a condition is true, or where it is false.
    pub fn note_facts(&mut self, test: &Expr, holds: bool) {
        match &test.kind {
            ExprKind::And(parts) if holds => parts.iter().for_each(|p| self.note_facts(p, true)),
            ExprKind::Or(parts) if !holds => parts.iter().for_each(|p| self.note_facts(p, false)),
            ExprKind::Op(Op::Not, args) => args.iter().for_each(|a| self.note_facts(a, !holds)),
            ExprKind::Op(how, args) => {
                let [a, b] = args.as_slice() else { return };
                let (Type::Int(_), Type::Int(_)) = (&a.ty, &b.ty) else { return };
                let (x, y) = (self.range_now(a), self.range_now(b));
                self.note_difference(*how, holds, a, b);
                let Some((x, y)) = compared(*how, holds, x, y) else { return };
                for (side, range) in [(a, x), (b, y)] {
                    if !matches!(side.kind, ExprKind::Const(_)) {
                        self.facts.push((self.written(side), range));
                    }
                }
            }
            _ => {}
        }
    }

    /// Records that the difference `a - b` is positive where `a > b`.
    fn note_difference(&mut self, how: Op, holds: bool, a: &Expr, b: &Expr) {
        let (more, less, least) = match (how, holds) {
            (Op::Gt, true) | (Op::Le, false) => (a, b, 1),
            (Op::Ge, true) | (Op::Lt, false) => (a, b, 0),
            (Op::Lt, true) | (Op::Ge, false) => (b, a, 1),
            (Op::Le, true) | (Op::Gt, false) => (b, a, 0),
            _ => return,
        };
        let difference = Expr {
            kind: ExprKind::Op(Op::Sub, vec![more.clone(), less.clone()]),
            ty: Type::Int(Range::WIDE),
            span: more.span,
        };
        self.facts.push((self.written(&difference), Range::new(least, Range::WIDE.high)));
    }

    /// Records the facts about numbers in a row of a match.
    pub fn note_row(&mut self, subject: &Expr, patterns: &[Pat]) {
        let constant = |e: &Expr| if let ExprKind::Const(n) = e.kind { Some(n) } else { None };
        let end = |bound: &Option<(Expr, bool)>, open: i64, inward: i64| match bound {
            None => Some(open),
            Some((e, included)) => constant(e).map(|n| if *included { n } else { n.saturating_add(inward) }),
        };
        let ranges = patterns.iter().map(|p| match p {
            Pat::Equal(e) => constant(e).map(|n| Range::new(n, n)),
            Pat::Between { low, high } => {
                Some(Range::new(end(low, Range::WIDE.low, 1)?, end(high, Range::WIDE.high, -1)?))
            }
            _ => None,
        });
        if let (Type::Int(_), Some(ranges)) = (&subject.ty, ranges.collect::<Option<Vec<_>>>())
            && let Some(range) = ranges.into_iter().reduce(Range::join)
        {
            self.facts.push((self.written(subject), range));
        }
    }

    /// Drops the facts about values that a statement can change. With `dice`, it also drops those about rolled dice.
    pub fn forget_facts(&mut self, dice: bool) {
        let changes = |s: &NameInScope| s.writable || dice && self.rolls.contains_key(&s.local);
        let fixed = |name: &str| self.find(name).is_some_and(|s| !changes(s));
        let kept = self.facts.iter().filter(|(of, _)| fixed(of)).cloned().collect();
        self.facts = kept;
    }

    /// Returns the range of a number here: that of its type, restricted by the known facts.
    pub fn range_now(&self, e: &Expr) -> Range {
        let Type::Int(declared) = e.ty else { return Range::WIDE };
        let parts = |args: &[Expr]| args.iter().map(|a| self.range_now(a)).collect::<Vec<_>>();
        let found = match &e.kind {
            ExprKind::Op(how, args) => match (how, parts(args).as_slice()) {
                (Op::Add, [a, b]) => ranges::add(*a, *b),
                (Op::Sub, [a, b]) => ranges::sub(*a, *b),
                (Op::Mul, [a, b]) => ranges::mul(*a, *b),
                (Op::Neg, [a]) => ranges::sub(Range::new(0, 0), *a),
                (Op::Min, all) => all.iter().copied().reduce(ranges::min).unwrap_or(declared),
                (Op::Max, all) => all.iter().copied().reduce(ranges::max).unwrap_or(declared),
                _ => declared,
            },
            _ => declared,
        };
        let text = self.written(e);
        let known = self.facts.iter().filter(|(of, _)| *of == text).map(|(_, range)| *range);
        let range = known.chain([found]).fold(declared, meet);
        // contradictory facts: the program point is unreachable
        if range.low > range.high { declared } else { range }
    }

    /// Reports a table without a row for a possible value of an argument.
    pub fn rows_there(&mut self, func: FuncId, name: &str, wanted: &[(String, Type)], args: &[Expr]) {
        if self.loose || !self.is_table(func) {
            return;
        }
        for ((param, ty), arg) in wanted.iter().zip(args) {
            let (Type::Int(rows), Type::Int(declared)) = (ty, &arg.ty) else { continue };
            let may = self.range_now(arg);
            // a value that never matches is already reported
            if !rows.holds(may) && declared.low <= rows.high && declared.high >= rows.low {
                self.no_row(name, param, *rows, may, arg.span);
            }
        }
    }

    fn no_row(&mut self, name: &str, param: &str, rows: Range, may: Range, span: Span) {
        let (below, above) = (may.low < rows.low, may.high > rows.high);
        let first = if below { may.high.min(rows.low - 1) } else { may.low.max(rows.high + 1) };
        let also = if below && above { format!(", nor for {}", rows.high + 1) } else { String::new() };
        let (given, takes) = (self.type_name(&Type::Int(may)), self.type_name(&Type::Int(rows)));
        let given = if given == "Int" { "any number".to_string() } else { given };
        let message =
            format!("table {name} has no row for {first}{also}: `{param}` is {takes}, and this value can be {given}");
        let cut = match (below, above) {
            (true, false) => format!("`max({}, ..)`", rows.low),
            (false, true) => format!("`min({}, ..)`", rows.high),
            _ => format!("`max({}, min({}, ..))`", rows.low, rows.high),
        };
        let help = format!("add rows, limit the number with {cut}, or ask under an `if`");
        self.say_help(Code::Gap, span, message, help);
    }

    fn is_table(&self, func: FuncId) -> bool {
        if let Some(Pending::Table { .. }) = self.ck.pending.get(func.at()) {
            return true;
        }
        let body = self.ck.rs.functions.get(func.at()).map(|f| &f.body);
        matches!(body, Some(Body::Value(Expr { kind: ExprKind::Table { .. }, .. })))
    }
}

fn meet(a: Range, b: Range) -> Range {
    Range::new(a.low.max(b.low), a.high.min(b.high))
}

/// Returns the ranges of two numbers for which a comparison is true, or false.
fn compared(how: Op, holds: bool, x: Range, y: Range) -> Option<(Range, Range)> {
    let upto = |r: Range, most: i64| Range::new(r.low, r.high.min(most));
    let from = |r: Range, least: i64| Range::new(r.low.max(least), r.high);
    Some(match (how, holds) {
        (Op::Lt, true) | (Op::Ge, false) => (upto(x, y.high.saturating_sub(1)), from(y, x.low.saturating_add(1))),
        (Op::Le, true) | (Op::Gt, false) => (upto(x, y.high), from(y, x.low)),
        (Op::Gt, true) | (Op::Le, false) => (from(x, y.low.saturating_add(1)), upto(y, x.high.saturating_sub(1))),
        (Op::Ge, true) | (Op::Lt, false) => (from(x, y.low), upto(y, x.high)),
        (Op::Eq, true) | (Op::Ne, false) => (meet(x, y), meet(x, y)),
        // a number that is not one of the ends of a range
        (Op::Ne, true) | (Op::Eq, false) => (without(x, y), without(y, x)),
        _ => return None,
    })
}

fn without(r: Range, other: Range) -> Range {
    match other.low == other.high {
        true if r.low == other.low => Range::new(r.low.saturating_add(1), r.high),
        true if r.high == other.low => Range::new(r.low, r.high.saturating_sub(1)),
        _ => r,
    }
}
