//! Checks conditions: `and`, `is`, and the names that they bind for the code to their right.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr};
use super::coerce::op;
use crate::index::Means;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, CompareOp, ExprKind as Tree};

impl BodyChecker<'_, '_> {
    /// Checks a condition. The bindings of its `is` patterns stay in scope: the caller calls `mark` before it and
    /// `leave` after it.
    pub fn condition(&mut self, e: &tree::Expr) -> Expr {
        match &e.kind {
            Tree::Paren(inner) => self.condition(inner).at(e.span),
            Tree::And(parts) => {
                let parts = parts.iter().map(|p| self.condition(p)).collect();
                expr(ExprKind::And(parts), Type::Flag, e.span)
            }
            Tree::Is { value, not, pattern } => self.is(value, *not, pattern, e.span),
            _ => {
                let test = self.flag(e);
                self.learn(e);
                self.note_facts(&test, true);
                test
            }
        }
    }

    /// Checks the expression `x is P` or `x is not P` and translates it to typed code.
    fn is(&mut self, value: &tree::Expr, not: bool, pattern: &tree::Pattern, span: Span) -> Expr {
        let value = self.expr(value, None);
        let mark = self.mark();
        let pattern = self.pattern(pattern, &value);
        if not {
            self.leave(mark);
        }
        let is = expr(ExprKind::Is { value: Box::new(value), pattern: Box::new(pattern) }, Type::Flag, span);
        if not { op(Op::Not, vec![is], Type::Flag).at(span) } else { is }
    }

    /// Records the possible running actions after `a.name == X` or `a.name in [X, Y]`.
    pub fn learn(&mut self, e: &tree::Expr) {
        let named = match &e.kind {
            Tree::Paren(inner) => return self.learn(inner),
            Tree::Compare { left, op: CompareOp::Eq, right } => self.action_names(left, std::slice::from_ref(right)),
            Tree::In { value, not: false, range } if range.high.is_none() => match &range.low.kind {
                Tree::List(parts) => self.action_names(value, parts),
                _ => None,
            },
            _ => None,
        };
        let Some(mut named) = named else { return };
        if let Some(known) = &self.named {
            named.retain(|a| known.contains(a));
        }
        self.named = Some(named);
    }

    /// Returns the actions that the running action's name is compared with.
    fn action_names(
        &self,
        value: &tree::Expr,
        names: &[impl std::borrow::Borrow<tree::Expr>],
    ) -> Option<Vec<ActionId>> {
        if !self.is_action_name(value) {
            return None;
        }
        names
            .iter()
            .map(|n| match &n.borrow().kind {
                Tree::Upper(name) => self.ck.rs.names.actions.get(name).copied(),
                _ => None,
            })
            .collect()
    }

    /// Returns whether the expression is `a.name` in a rule on actions.
    pub fn is_action_name(&self, e: &tree::Expr) -> bool {
        let Tree::Field(base, field) = &e.kind else { return false };
        let Tree::Name(name) = &base.kind else { return false };
        field.text == "name"
            && self.scope.bound.as_ref().is_some_and(|(bound, on)| bound == name && super::triggers::is_action(*on))
    }

    /// Checks `a.name == X` or `a.name in [X, Y]`. Returns the ids and the code of the comparison.
    pub fn action_test(
        &mut self,
        value: &tree::Expr,
        names: &[tree::Expr],
        span: Span,
    ) -> Option<(Vec<ActionId>, Expr)> {
        if !self.is_action_name(value) {
            return None;
        }
        if let Tree::Field(base, _) = &value.kind {
            self.note_bound(base.span);
        }
        let mut ids = Vec::new();
        let mut consts = Vec::new();
        for name in names {
            let Tree::Upper(text) = &name.kind else {
                self.say(Code::WrongType, name.span, "the name of an action can be compared only with actions");
                continue;
            };
            match self.ck.rs.names.actions.get(text) {
                Some(&id) => {
                    ids.push(id);
                    self.ck.means(name.span, || Means::Action(id));
                    consts.push(expr(ExprKind::Const(i64::from(id.0)), Type::INT, name.span));
                }
                None => {
                    let known = self.ck.rs.names.actions.keys().map(String::as_str);
                    let near = grognard_base::did_you_mean(text, known);
                    self.say(Code::UnknownName, name.span, format!("there is no action `{text}`{near}"));
                }
            }
        }
        let name = expr(ExprKind::ActionName, Type::INT, value.span);
        let test = match <[Expr; 1]>::try_from(consts) {
            Ok([only]) => op(Op::Eq, vec![name, only], Type::Flag),
            Err(consts) => {
                let list = expr(ExprKind::List(consts), Type::INT.list(), span);
                op(Op::InList, vec![name, list], Type::Flag)
            }
        };
        Some((ids, test.at(span)))
    }
}
