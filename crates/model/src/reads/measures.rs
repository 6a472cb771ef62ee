//! Finds the distances that a value measures: `a within 6" of b`, `dist(a, b)`.

use super::walk::{any_part, parts};
use crate::code::{Expr, ExprKind, Pat};
use grognard_base::value::plain::measured;
use grognard_base::value::*;

/// Returns each distance as a value of three parts: the two ends, and the maximum distance or `none`. Distances that
/// depend on a query entry, on a binding of a pattern, or on the state before a move or step are skipped. They have no
/// value outside that scope.
pub fn measures(e: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    if !binds(e) {
        gather(e, &mut found);
    }
    found
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all else is only gone through")]
fn gather(e: &Expr, found: &mut Vec<Expr>) {
    let (from, to, within) = match &e.kind {
        ExprKind::Op(Op::Within, args) => (&args[0], &args[2], args[1].clone()),
        ExprKind::Op(Op::Dist, args) => {
            (&args[0], &args[1], Expr { kind: ExprKind::None, ty: Type::Length, span: e.span })
        }
        ExprKind::Query { .. } | ExprKind::Map { .. } | ExprKind::Match { .. } => return,
        ExprKind::Then { .. } | ExprKind::Was(_) => return,
        _ => return parts(e, &mut |part| gather(part, found)),
    };
    let kind = ExprKind::Make(vec![from.clone(), to.clone(), within]);
    found.push(Expr { kind, ty: measured(), span: e.span });
}

/// Returns whether a pattern inside a value binds a name. The name has a value only if the pattern matches.
pub fn binds(e: &Expr) -> bool {
    any_part(e, |e| matches!(&e.kind, ExprKind::Is { pattern, .. } if names(pattern)))
}

fn names(pattern: &Pat) -> bool {
    match pattern {
        Pat::Some(local) | Pat::OnChain(local) | Pat::MetKind(_, local) | Pat::Past { local, .. } => local.is_some(),
        Pat::Present(inner) => names(inner),
        Pat::Tuple(parts) => parts.iter().flatten().any(names),
        Pat::Any | Pat::None | Pat::Between { .. } | Pat::Equal(_) | Pat::MetEdge => false,
    }
}
