//! Checks bodies of rules, in which the facts of the guard hold.

use super::super::code::{ExprKind, Stmt, StmtKind};
use super::body::{BodyChecker, expr};
use grognard_base::value::*;
use grognard_syntax::tree::{self, ExprKind as Tree};

impl BodyChecker<'_, '_> {
    /// Checks the body of a rule. The guard is evaluated when the event happens, and the body receives the values of
    /// the names that the guard binds. The `if` around the code declares these names; the compiler omits it.
    pub fn rule(&mut self, block: &tree::Block, guard: Option<&tree::Expr>) -> Vec<Stmt> {
        let mark = self.mark();
        let mut parts = Vec::new();
        if let Some(guard) = guard {
            conjuncts(guard, &mut parts);
        }
        let mut bound = Vec::new();
        for part in parts {
            match &part.kind {
                Tree::Is { not: false, pattern, .. } if names_something(pattern) => bound.push(self.condition(part)),
                _ => self.learn(part),
            }
        }
        let body = self.stmts(&block.stmts);
        self.leave(mark);
        if bound.is_empty() {
            return body;
        }
        let span = block.span;
        let condition = expr(ExprKind::And(bound), Type::Flag, span);
        let kind = StmtKind::If { arms: vec![(condition, body)], otherwise: Vec::new() };
        vec![Stmt { kind, span, cites: Vec::new() }]
    }
}

/// Collects the conditions joined by `and`.
fn conjuncts<'t>(e: &'t tree::Expr, into: &mut Vec<&'t tree::Expr>) {
    match &e.kind {
        Tree::And(parts) => parts.iter().for_each(|p| conjuncts(p, into)),
        Tree::Paren(inner) => conjuncts(inner, into),
        _ => into.push(e),
    }
}

/// Returns whether a pattern binds a name.
fn names_something(p: &tree::Pattern) -> bool {
    match &p.kind {
        tree::PatternKind::Some(_)
        | tree::PatternKind::SomeKind { bound: Some(_), .. }
        | tree::PatternKind::Past { bound: Some(_), .. }
        | tree::PatternKind::Kind { .. } => true,
        tree::PatternKind::Tuple(rows) => rows.iter().flatten().any(names_something),
        _ => false,
    }
}
