//! Translates bodies from syntax trees to typed code. A body is checked when its result is first needed, or at the end.

mod actions;
mod arith;
mod at_once;
mod body;
mod brackets;
mod builtins;
mod calls;
mod certain;
mod choices;
mod coerce;
mod collections;
mod compare;
mod conditions;
mod dice;
mod doing;
mod exprs;
mod facts;
mod fields;
mod foreign;
mod gaps;
mod guards;
mod leaving;
mod literals;
mod matches;
mod meetings;
mod moves;
mod names;
mod notes;
mod paths;
mod patterns;
mod policies;
mod queries;
mod ranges;
pub mod signed;
mod snippets;
mod stmts;
mod tables;
mod tests;
mod triggers;
mod types;
mod units;
mod writes;

pub use notes::{MenuPick, Notes, Uses};

use super::checker::{Checker, Pending, Scope, ScopeSort};
use super::code::{Body, Stmt};
use super::ruleset::FieldSort;
use body::BodyChecker;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree;

/// Maximum depth of bodies that wait for each other's inferred types.
const DEEPEST: usize = 100;

/// Maximum nesting of expressions, over all bodies that wait for each other, at which the check of another body can
/// begin.
const LEVELS: usize = 200;

impl<'a> Checker<'a> {
    /// Checks every body that is not done.
    pub fn ensure_all(&mut self) {
        self.widen_changed();
        for at in 0..self.pending.len() {
            self.ensure(FuncId::from(at));
        }
    }

    /// Widens the type of derived fields that a trait changes, because the change can result in any number. The type
    /// may have been used before the traits were declared.
    fn widen_changed(&mut self) {
        let changed = self.rs.traits.iter().flat_map(|t| &t.changes).map(|c| self.rs.fields[c.field.at()].sort);
        let changed: Vec<FieldSort> = changed.collect();
        for sort in changed {
            if let FieldSort::Let(func) = sort
                && self.notes.inferred.contains(func)
            {
                let f = &mut self.rs.functions[func.at()];
                f.result = types::widened(&f.result);
            }
        }
    }

    /// Checks a body if it is not done. A body whose check is in progress is skipped.
    pub fn ensure(&mut self, func: FuncId) {
        let Some(slot) = self.pending.get_mut(func.at()) else { return };
        if matches!(slot, Pending::Done | Pending::Doing) {
            return;
        }
        if self.notes.depth >= DEEPEST || self.notes.levels >= LEVELS {
            return self.too_deep(func);
        }
        let job = std::mem::replace(slot, Pending::Doing);
        self.notes.depth += 1;
        match job {
            Pending::Value { scope, expr, expected } => self.value_body(func, scope, expr, expected),
            Pending::Table { scope, table } => BodyChecker::open(self, func, scope).table(table),
            Pending::Block { scope, block } => self.block_body(func, scope, block),
            Pending::Action { scope, action, tree } => BodyChecker::open(self, func, scope).action(action, tree),
            Pending::Done | Pending::Doing => {}
        }
        self.notes.depth -= 1;
        self.pending[func.at()] = Pending::Done;
    }

    /// Reports a chain of bodies without written types that is too long.
    fn too_deep(&mut self, func: FuncId) {
        if self.rs.functions[func.at()].result != Type::Unknown {
            return;
        }
        let span = self.rs.functions[func.at()].item_span(&self.rs.items);
        let name = self.rs.functions[func.at()].name.clone();
        self.say(
            Code::NeedType,
            span,
            format!("`{name}` depends on more than {DEEPEST} others without a written type"),
        );
    }

    fn value_body(&mut self, func: FuncId, scope: Scope, expr: &'a tree::Expr, expected: Option<Type>) {
        self.notes.values.insert(func, expr);
        let expected = expected.or_else(|| scope.result.clone());
        if let Some(ty) = &expected {
            self.rs.functions[func.at()].result = ty.clone();
        }
        let mut body = BodyChecker::open(self, func, scope);
        let value = match &expected {
            Some(Type::Unknown) | None => body.expr(expr, None),
            Some(Type::Flag) => body.flag(expr),
            Some(ty) => body.within(expr, ty),
        };
        let inferred = !matches!(&expected, Some(ty) if *ty != Type::Unknown);
        let result = match expected {
            Some(ty) if ty != Type::Unknown => ty,
            _ if body.is_changed() => types::widened(&value.ty),
            _ => types::kept(&value.ty),
        };
        if inferred && stmts::is_untyped(&value) {
            let help = "write the type before the `=`, as in `let x: list of Int = []`";
            body.say_help(Code::NeedType, value.span, "the type of this value cannot be inferred", help);
        }
        body.finish(Body::Value(value), Some(result));
        if inferred {
            self.notes.inferred.insert(func);
        }
    }

    fn block_body(&mut self, func: FuncId, scope: Scope, block: &'a tree::Block) {
        let guard = match scope.sort {
            ScopeSort::Rule { .. } => self.guard_of(func),
            _ => None,
        };
        let mut body = BodyChecker::open(self, func, scope);
        let stmts = match body.scope.sort {
            ScopeSort::Test { record, grade, gives } => body.test(block, record, grade, gives),
            ScopeSort::Rule { .. } => body.rule(block, guard),
            ScopeSort::Value | ScopeSort::Proc | ScopeSort::Phase(_) | ScopeSort::Action(_) | ScopeSort::Snippet => {
                body.plain(block)
            }
        };
        body.finish(Body::Block(stmts), None);
    }

    /// Returns the guard of the rule whose body this is, as a syntax tree.
    fn guard_of(&mut self, func: FuncId) -> Option<&'a tree::Expr> {
        let guard = *self.guards().of.get(&func)?;
        match self.pending.get(guard.at()) {
            Some(Pending::Value { expr, .. }) => Some(expr),
            _ => self.notes.values.get(&guard).copied(),
        }
    }
}

impl BodyChecker<'_, '_> {
    /// Checks the body of a proc or phase.
    fn plain(&mut self, block: &tree::Block) -> Vec<Stmt> {
        let stmts = self.block(block);
        if self.scope.result.as_ref().is_some_and(|t| *t != Type::Nothing) && !paths::always_ends(&stmts) {
            let name = self.own_name();
            self.say(Code::NoResult, block.span, format!("`{name}` can end without a `return`"));
        }
        stmts
    }
}
