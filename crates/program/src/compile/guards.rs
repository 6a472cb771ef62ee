//! Names bound by the guard of a rule. The guard returns their values with its verdict, and they are parameters of the
//! body. Therefore both refer to the state at the event.

use super::*;
use grognard_rules::code::{Body, Expr, ExprKind, Pat, Stmt, StmtKind};

impl<'r> Compiler<'r> {
    /// Returns the locals that a guard binds; empty for other functions.
    pub(super) fn bound_by_guard(&self, guard: FuncId) -> Vec<LocalId> {
        let is_guard = self.rules.rules.iter().any(|r| r.guard == Some(guard));
        match self.function_of(guard).map(|f| &f.body) {
            Some(Body::Value(condition)) if is_guard => bound_by(condition),
            _ => Vec::new(),
        }
    }

    /// Returns the locals of a rule body that its guard has bound, and the code after the guard. The checker puts both
    /// into one `if`. Returns `None` if the guard binds no names.
    pub(super) fn bound_in_body(&self, body: FuncId) -> Option<(Vec<LocalId>, &'r [Stmt])> {
        let rules: &'r Ruleset = self.rules;
        let rule = rules.rules.iter().find(|r| r.func == body)?;
        if self.bound_by_guard(rule.guard?).is_empty() {
            return None;
        }
        let Body::Block(stmts) = &rules.functions.get(body.at())?.body else { return None };
        let StmtKind::If { arms, .. } = &stmts.first()?.kind else { return None };
        let (condition, then) = arms.first()?;
        Some((bound_by(condition), then))
    }

    /// Returns the types of the parameters of a function, with those of the names that a guard has bound.
    pub(super) fn types_of_params(&self, func: FuncId) -> Vec<Type> {
        let function = &self.rules.functions[func.at()];
        let params = function.locals.iter().take(function.params);
        let bound = self.bound_in_body(func).map_or(Vec::new(), |(bound, _)| bound);
        params.chain(bound.iter().map(|local| &function.locals[local.at()])).map(|local| local.ty.clone()).collect()
    }

    /// Returns the registers of the locals of a function, and their number of cells. Names that a guard has bound come
    /// after the parameters of the event.
    pub(super) fn places_of_locals(&self, func: FuncId) -> (Vec<Reg>, Reg) {
        let locals = self.locals_of(func);
        let params = 0..self.function_of(func).map_or(0, |f| f.params);
        let bound = self.bound_in_body(func).map_or(Vec::new(), |(bound, _)| bound);
        let (mut places, mut top) = (vec![Reg::MAX; locals.len()], 0);
        for at in params.chain(bound.iter().map(|local| local.at())).chain(0..locals.len()) {
            if places.get(at) == Some(&Reg::MAX) {
                places[at] = top;
                top += self.width(&locals[at].ty);
            }
        }
        (places, top)
    }

    /// Returns the number of cells that a guard returns after its verdict.
    pub(super) fn bound_cells(&self, guard: Option<FuncId>) -> Reg {
        let Some(guard) = guard else { return 0 };
        let locals = self.locals_of(guard);
        self.bound_by_guard(guard).iter().map(|l| self.width(&locals[l.at()].ty)).sum()
    }

    /// Records the cells that a guard returns after its verdict.
    pub(super) fn widen_guard(&mut self, guard: FuncId) {
        let mut at = 1;
        for local in self.bound_by_guard(guard) {
            let ty = self.locals_of(guard)[local.at()].ty.clone();
            find_lists(self.rules, &ty, at, &mut self.program.funcs[guard.at()].lists);
            at += self.width(&ty);
        }
        let func = &mut self.program.funcs[guard.at()];
        func.result = func.result.max(at);
        func.frame = func.frame.max(at);
    }

    /// Returns the verdict of a guard and the values of the names that it binds; 0 if it does not hold.
    pub(super) fn return_bound(&mut self, guard: FuncId, verdict: Reg) {
        let n = 1 + self.bound_cells(Some(guard));
        let out = self.take(n);
        self.copy(out, verdict, 1);
        (1..n).for_each(|cell| self.constant(out + cell, 0));
        let fails = self.emit(Instr::JumpUnless { cond: verdict, to: 0 });
        let mut at = out + 1;
        for local in self.bound_by_guard(guard) {
            let width = self.width(&self.locals_of(guard)[local.at()].ty);
            self.copy(at, self.frame.locals[local.at()], width);
            at += width;
        }
        self.aim(fails);
        self.emit(Instr::Return { src: out, n });
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only parts of a conjunction bind names for what follows")]
fn bound_by(condition: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    match &condition.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| found.extend(bound_by(part))),
        ExprKind::Is { pattern, .. } => named(pattern, &mut found),
        _ => {}
    }
    found
}

fn named(pattern: &Pat, found: &mut Vec<LocalId>) {
    match pattern {
        Pat::Some(local) | Pat::OnChain(local) | Pat::Past { local, .. } | Pat::MetKind(_, local) => {
            found.extend(*local)
        }
        Pat::Present(inner) => named(inner, found),
        Pat::Tuple(parts) => parts.iter().flatten().for_each(|part| named(part, found)),
        Pat::Any | Pat::None | Pat::Between { .. } | Pat::Equal(_) | Pat::MetEdge => {}
    }
}
