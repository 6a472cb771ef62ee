//! Distances that a value asks for: `a within 6" of b`, `dist(a, b)`.

use super::walk::{any_part, parts};
use crate::code::{Expr, ExprKind, Pat};
use grognard_base::value::plain::measured;
use grognard_base::value::*;

/// Each distance as a value of three parts: the ends, and how near they have to be, or none. What is asked of an entry of
/// a query, of what a pattern binds, or before a move or step, is left out: outside of it that is not known.
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

/// True if a pattern inside a value binds a name, which is known only where the pattern fits.
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
