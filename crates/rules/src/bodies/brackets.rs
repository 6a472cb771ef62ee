//! Reports sums that most readers would bracket differently. They are errors until the brackets are written.

use super::super::code::{Collection, Expr, ExprKind};
use super::body::BodyChecker;
use crate::reads::walk::{Node, walk_expr};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, ExprKind as Tree};

impl BodyChecker<'_, '_> {
    /// Reports `10 - h / 2 rounded up`, which rounds the whole sum although only the quotient is a fraction.
    pub fn rounds_a_sum(&mut self, tree: &tree::Expr, value: &Expr, to: tree::Rounding) {
        let Tree::Arith { rest, .. } = &tree.kind else { return };
        let Some((sign, last)) = rest.last() else { return };
        let (ExprKind::Op(Op::AddRatio | Op::SubRatio, args), tree::ArithOp::Add | tree::ArithOp::Sub) =
            (&value.kind, sign)
        else {
            return;
        };
        let whole = |e: &Expr| matches!(e.kind, ExprKind::Op(Op::ToRatio, _) | ExprKind::ConstRatio(_, 1));
        if !args.iter().any(whole) {
            return;
        }
        let word = to.op().written();
        let last_only = args.first().is_some_and(whole);
        let message = if last_only {
            "`rounded` applies to the whole sum to its left, but only its last part is a fraction"
        } else {
            "`rounded` applies to the whole sum to its left, but some parts of the sum are not fractions"
        };
        let inner = match last_only {
            true => format!("`.. {} (.. {word})` to round only the last part", sign.op().written()),
            false => format!("`(.. {word}) {} ..` to round only the first part", sign.op().written()),
        };
        let span = tree.span.to(last.span);
        self.say_help(Code::Brackets, span, message, format!("add brackets: {inner}, `(..) {word}` to round the sum"));
    }

    /// Reports `sum m in M of m.br + 1`, which adds 1 for each `m`.
    pub fn adds_for_each(&mut self, body: &tree::Expr, value: &Expr, over: &[(LocalId, Collection)]) {
        let Tree::Arith { rest, .. } = &body.kind else { return };
        let Some((sign @ (tree::ArithOp::Add | tree::ArithOp::Sub), last)) = rest.last() else { return };
        let ExprKind::Op(_, args) = &value.kind else { return };
        let mut found = false;
        if let Some(added) = args.last() {
            walk_expr(added, &mut |node| {
                found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Local(id), .. }) if over.iter().any(|(e, _)| e == id));
            });
        }
        if found {
            return;
        }
        let sign = sign.op().written();
        let message = format!("the part after `{sign}` is the same for each entry and is included in the sum");
        let help = format!("add brackets: `(sum ..) {sign} ..` to apply it once, `of (.. {sign} ..)` for each entry");
        self.say_help(Code::Brackets, last.span, message, help);
    }

    /// Reports `boss.rank otherwise 0 + bonus`, which adds the bonus only if the boss is missing, and `.. otherwise no
    /// or late`.
    pub fn adds_to_fallback(&mut self, fallback: &tree::Expr) {
        let joined = |first: &tree::Expr, last: Option<&tree::Expr>| {
            matches!(first.kind, Tree::Yes | Tree::No).then(|| last.map(|e| e.span)).flatten()
        };
        let (sign, span) = match &fallback.kind {
            Tree::Arith { first, rest } if matches!(first.kind, Tree::Number(_)) => match rest.last() {
                Some((sign @ (tree::ArithOp::Add | tree::ArithOp::Sub), last)) => {
                    (sign.op().written(), Some(last.span))
                }
                _ => return,
            },
            Tree::And(parts) => ("and", parts.first().and_then(|first| joined(first, parts.last()))),
            Tree::Or(parts) => ("or", parts.first().and_then(|first| joined(first, parts.last()))),
            _ => return,
        };
        let Some(span) = span else { return };
        let message = format!("the part after `{sign}` applies only if the value before `otherwise` is missing");
        let help = format!(
            "add brackets: `(.. otherwise ..) {sign} ..` to use it in both cases, `otherwise (.. {sign} ..)` only in \
             the second"
        );
        self.say_help(Code::Brackets, span, message, help);
    }

    /// Reports `if a then 1 else 0 + bonus`, which adds the bonus only if `a` is false.
    pub fn adds_to_else(&mut self, arms: &[(tree::Expr, tree::Expr)], otherwise: &tree::Expr) {
        let sum = |e: &tree::Expr| match &e.kind {
            Tree::Arith { rest, .. } => rest.last().map(|(sign, last)| (*sign, last.span)),
            _ => None,
        };
        let Some((sign @ (tree::ArithOp::Add | tree::ArithOp::Sub), span)) = sum(otherwise) else { return };
        // only a sum that begins with a number is suspicious, and only if no other branch is a sum
        let Tree::Arith { first, .. } = &otherwise.kind else { return };
        if !matches!(first.kind, Tree::Number(_)) || arms.iter().any(|(_, value)| sum(value).is_some()) {
            return;
        }
        let sign = sign.op().written();
        let message = format!("the part after `{sign}` belongs only to the `else`");
        let help = format!(
            "add brackets: `(if .. else ..) {sign} ..` to use it in both cases, `else (.. {sign} ..)` only in the \
             second"
        );
        self.say_help(Code::Brackets, span, message, help);
    }
}
