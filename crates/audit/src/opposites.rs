//! Conditions joined by `and` or `or` that contradict each other or together cover everything.

use super::Audit;
use crate::code::{Expr, ExprKind};
use crate::fallen::is_same;
use crate::reads::walk::{Node, walk_body};
use grognard_base::value::*;
use grognard_base::{Code, Span};

/// A condition that must hold, or must fail if `fails`. `span` includes its `not`.
#[derive(Clone, Copy)]
struct Literal<'c> {
    of: &'c Expr,
    fails: bool,
    span: Span,
}

impl Audit<'_> {
    /// Reports `p and not p`, `p or not p`, `x == A and x == B`, and `x != A or x != B`.
    pub fn opposites(&mut self) {
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| {
                let Node::Expr(e) = node else { return };
                let (parts, any) = match &e.kind {
                    ExprKind::And(parts) => (parts, false),
                    ExprKind::Or(parts) => (parts, true),
                    _ => return,
                };
                let mut all = Vec::new();
                parts.iter().for_each(|part| literals(part, any, None, &mut all));
                let pairs = all.iter().enumerate().flat_map(|(n, a)| all[n + 1..].iter().map(move |b| (a, b)));
                if let Some((a, b)) = pairs.into_iter().find(|(a, b)| excluded(**a, **b)) {
                    found.push((e.span, any, a.span, b.span));
                }
            });
        }
        for (span, any, a, b) in found {
            if self.problems.iter().any(|p| p.code == Code::Dead && p.span == Some(span)) {
                continue;
            }
            let written = |span| self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
            let (a, b) = (written(a), written(b));
            let (message, help) = match any {
                true => (
                    format!("this is always true: `{a}` or `{b}` is true in every case"),
                    "write `and` if both must hold, or delete the condition",
                ),
                false => (
                    format!("this is always false: `{a}` and `{b}` exclude each other"),
                    "write `or` if one condition is enough, or delete this one",
                ),
            };
            self.say_help(Code::Dead, span, message, help);
        }
    }
}

/// Collects the literals of a conjunction. For the parts of an `or`, `fails` negates them (De Morgan's laws).
fn literals<'c>(e: &'c Expr, fails: bool, not: Option<Span>, into: &mut Vec<Literal<'c>>) {
    match &e.kind {
        ExprKind::Op(Op::Not, args) => {
            args.iter().for_each(|arg| literals(arg, !fails, Some(not.unwrap_or(e.span)), into));
        }
        ExprKind::And(parts) if !fails => parts.iter().for_each(|part| literals(part, fails, not, into)),
        ExprKind::Or(parts) if fails => parts.iter().for_each(|part| literals(part, fails, not, into)),
        _ => into.push(Literal { of: e, fails, span: not.unwrap_or(e.span) }),
    }
}

/// Returns whether two literals contradict each other.
fn excluded(a: Literal<'_>, b: Literal<'_>) -> bool {
    if a.fails != b.fails && alike(a.of, b.of) {
        return true;
    }
    if let (Some((how, x, fails)), Some((other, y, fail))) = (comparison(a), comparison(b))
        && how == other
        && fails != fail
        && x.iter().zip(y).all(|(x, y)| alike(x, y))
    {
        return true;
    }
    let (Some((x, low, high)), Some((y, from, to))) = (range(a), range(b)) else { return false };
    (high < from || to < low) && alike(x, y)
}

/// Returns the operator, the operands, and whether the comparison must fail. `!=`, `>=` and `>` become the negations of
/// `==`, `<` and `<=`.
fn comparison<'c>(literal: Literal<'c>) -> Option<(Op, &'c [Expr], bool)> {
    let ExprKind::Op(how, args) = &literal.of.kind else { return None };
    Some(match how {
        Op::Eq | Op::Lt | Op::Le => (*how, args, literal.fails),
        Op::Ne => (Op::Eq, args, !literal.fails),
        Op::Ge => (Op::Lt, args, !literal.fails),
        Op::Gt => (Op::Le, args, !literal.fails),
        _ => return None,
    })
}

/// Returns the value that a literal compares with a constant, and the inclusive range that the literal allows.
fn range<'c>(literal: Literal<'c>) -> Option<(&'c Expr, i64, i64)> {
    let ExprKind::Op(how, args) = &literal.of.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let constant = |e: &Expr| if let ExprKind::Const(n) = e.kind { Some(n) } else { None };
    let (value, n, how) = match (constant(a), constant(b)) {
        (None, Some(n)) => (a, n, *how),
        (Some(n), None) => (b, n, turned(*how)?),
        _ => return None,
    };
    let less = (i64::MIN, n.saturating_sub(1));
    let more = (n.saturating_add(1), i64::MAX);
    let (low, high) = match (how, literal.fails) {
        (Op::Eq, false) | (Op::Ne, true) => (n, n),
        (Op::Lt, false) | (Op::Ge, true) => less,
        (Op::Gt, false) | (Op::Le, true) => more,
        (Op::Le, false) | (Op::Gt, true) => (i64::MIN, n),
        (Op::Ge, false) | (Op::Lt, true) => (n, i64::MAX),
        _ => return None,
    };
    Some((value, low, high))
}

/// Returns the operator with its sides exchanged.
fn turned(how: Op) -> Option<Op> {
    Some(match how {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        Op::Eq | Op::Ne => how,
        _ => return None,
    })
}

/// Returns whether two expressions have the same value whenever both are evaluated in the same state.
fn alike(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b));
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Alive(a), ExprKind::Alive(b)) => alike(a, b),
        (ExprKind::Has { thing: a, what: s }, ExprKind::Has { thing: b, what: t }) => s == t && alike(a, b),
        (ExprKind::Op(f, a), ExprKind::Op(g, b)) => f == g && all(a, b),
        (ExprKind::Call { func: f, args: a }, ExprKind::Call { func: g, args: b }) => f == g && all(a, b),
        (ExprKind::Field { thing: a, field: f, keys: k }, ExprKind::Field { thing: b, field: g, keys: l }) => {
            f == g && all(k, l) && alike(a, b)
        }
        _ => is_same(a, b),
    }
}
