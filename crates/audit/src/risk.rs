//! Finds things that may have been destroyed earlier on some paths. A statement that requires them alive ends the run
//! with an error.

use super::Audit;
use super::fallen::{is_path, is_same, needs_living};
use crate::code::{Body, Expr, ExprKind, Stmt, StmtKind, Target};
use crate::reads::walk::{Node, any_part, walk_body, walk_expr, walk_stmts};
use crate::ruleset::FieldSort;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Parameters of functions.
type Marked = BTreeSet<(FuncId, usize)>;

/// A thing that may be destroyed, and the values that indicate whether it was.
#[derive(Clone)]
struct Risk<'c> {
    thing: &'c Expr,
    told_by: Vec<&'c Expr>,
    /// The variable that stores the result of the call that may destroy it.
    result: Option<LocalId>,
}

/// One pass over a body.
struct Pass<'a, 'c> {
    audit: &'a Audit<'a>,
    kills: &'a Marked,
    acts: &'a Marked,
    /// The values in the conditions around the statement.
    around: Vec<&'c Expr>,
    /// The variables that the body sets. They may record whether the thing was destroyed.
    set: Vec<LocalId>,
    /// The things at risk where a `stop` leaves the loop.
    stopped: Vec<Risk<'c>>,
    found: BTreeMap<Span, (String, &'static str)>,
}

impl Audit<'_> {
    /// Reports statements that require a thing that may have been destroyed, except where an error was already
    /// reported.
    pub(super) fn at_risk(&mut self, said: &[Span]) {
        let kills = self.killers();
        let acts = self.actors().union(&self.needed_alive()).copied().collect();
        let mut found = BTreeMap::new();
        for (_, function) in self.own_functions() {
            if let Body::Block(stmts) = &function.body {
                let mut pass = Pass {
                    audit: self,
                    kills: &kills,
                    acts: &acts,
                    around: Vec::new(),
                    set: set_in(&function.body),
                    stopped: Vec::new(),
                    found: BTreeMap::new(),
                };
                pass.block(stmts, Vec::new());
                found.append(&mut pass.found);
            }
        }
        for (span, (name, what)) in found.into_iter().filter(|(span, _)| !said.contains(span)) {
            let message = format!(
                "`{name}` may have been destroyed above, and then it cannot {what}: the run ends with an error"
            );
            let help = format!(
                "write `if {name}.alive {{ .. }}` around it; if both act at the same moment, roll for both before \
                 either is destroyed"
            );
            self.say_help(Code::InTurn, span, message, help);
        }
    }

    /// Returns the parameters that a body may destroy.
    fn killers(&self) -> Marked {
        self.marked(every, |s, _| match &s.kind {
            StmtKind::Destroy { thing, .. } => local_of(thing),
            _ => None,
        })
    }

    /// Returns the first parameters for which a body rolls dice or makes decisions.
    fn actors(&self) -> Marked {
        self.marked(every, |s, params| {
            let by = match &s.kind {
                StmtKind::Roll { by, .. } | StmtKind::ChooseOption { by, .. } | StmtKind::May { by, .. } => by,
                StmtKind::Choose(choose) => &choose.by,
                _ => return None,
            };
            let own = (params > 0).then_some(LocalId(0));
            by.as_ref().map_or(own, local_of).filter(|local| local.at() == 0)
        })
        .into_iter()
        .filter(|(func, at)| !self.asks_alive(*func, *at))
        .collect()
    }

    /// Returns the parameters that every call of a body requires alive.
    fn needed_alive(&self) -> Marked {
        self.marked(unconditional, |s, _| needs_living(s).and_then(|(thing, _)| local_of(thing)))
    }

    fn asks_alive(&self, func: FuncId, at: usize) -> bool {
        let mut asked = false;
        walk_body(&self.rs.functions[func.at()].body, &mut |node| {
            let Node::Expr(Expr { kind: ExprKind::Alive(of), .. }) = node else { return };
            asked |= local_of(of).is_some_and(|local| local.at() == at);
        });
        asked
    }

    /// Returns the parameters that a statement of the body marks, or that the body passes to a marked parameter (a fixed
    /// point).
    fn marked(&self, reach: fn(&Body) -> Vec<&Stmt>, says: impl Fn(&Stmt, usize) -> Option<LocalId>) -> Marked {
        let mut marked = Marked::new();
        loop {
            let known = marked.len();
            for (at, function) in self.rs.functions.iter().enumerate() {
                let id = FuncId::from(at);
                let is_param = |local: &LocalId| local.at() < function.params;
                for s in reach(&function.body) {
                    marked.extend(says(s, function.params).filter(is_param).map(|local| (id, local.at())));
                    let StmtKind::Call { func, args, .. } = &s.kind else { continue };
                    let passed = args.iter().enumerate().filter(|(n, _)| marked.contains(&(*func, *n)));
                    let passed: Vec<_> = passed.filter_map(|(_, arg)| local_of(arg)).filter(is_param).collect();
                    marked.extend(passed.into_iter().map(|local| (id, local.at())));
                }
            }
            if marked.len() == known {
                return marked;
            }
        }
    }

    /// Returns whether the path denotes the same thing after a destruction. A derived field may then denote another thing.
    fn is_stored(&self, path: &Expr) -> bool {
        let derived = |f: FieldId| matches!(self.rs.fields[f.at()].sort, FieldSort::Let(_));
        is_path(path) && !any_part(path, |e| matches!(e.kind, ExprKind::Field { field, .. } if derived(field)))
    }
}

fn local_of(e: &Expr) -> Option<LocalId> {
    match e.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

fn every(body: &Body) -> Vec<&Stmt> {
    let mut found = Vec::new();
    walk_body(body, &mut |node| {
        if let Node::Stmt(s) = node {
            found.push(s);
        }
    });
    found
}

/// Returns the statements that every call executes.
fn unconditional(body: &Body) -> Vec<&Stmt> {
    let Body::Block(stmts) = body else { return Vec::new() };
    stmts.iter().take_while(|s| !leaves(s)).collect()
}

fn leaves(s: &Stmt) -> bool {
    let mut found = false;
    walk_stmts(std::slice::from_ref(s), &mut |node| {
        let Node::Stmt(s) = node else { return };
        found |= matches!(s.kind, StmtKind::Return(_) | StmtKind::End(_) | StmtKind::Stop | StmtKind::CancelAction(_));
    });
    found
}

/// Returns the variables, params and states in a value.
fn sources_of(e: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    walk_expr(e, &mut |node| {
        if let Node::Expr(e) = node
            && matches!(
                e.kind,
                ExprKind::Local(_)
                    | ExprKind::Setting(_)
                    | ExprKind::Global(_)
                    | ExprKind::Ambient(_)
                    | ExprKind::Actor
            )
        {
            found.push(e);
        }
    });
    found
}

fn set_in(body: &Body) -> Vec<LocalId> {
    let set =
        |s: &Stmt| if let StmtKind::Set { target: Target::Local(local), .. } = s.kind { Some(local) } else { None };
    every(body).into_iter().filter_map(set).collect()
}

/// Returns the variables that the statements bind.
fn bound_in(stmts: &[Stmt]) -> Vec<LocalId> {
    let mut found = Vec::new();
    walk_stmts(stmts, &mut |node| {
        let Node::Stmt(s) = node else { return };
        match &s.kind {
            StmtKind::Each { local, .. }
            | StmtKind::Draw { local, .. }
            | StmtKind::Spawn { local, .. }
            | StmtKind::Let { local, .. }
            | StmtKind::Roll { local, .. } => found.push(*local),
            StmtKind::LetTuple { locals, .. } => found.extend(locals),
            StmtKind::Choose(choose) => found.push(choose.local),
            StmtKind::Call { into, .. } => found.extend(into),
            _ => {}
        }
    });
    found
}

impl<'c> Pass<'_, 'c> {
    /// Analyzes a block and returns the things at risk after it, or `None` if no path reaches its end.
    fn block(&mut self, stmts: &'c [Stmt], mut risks: Vec<Risk<'c>>) -> Option<Vec<Risk<'c>>> {
        for s in stmts {
            if let Some((thing, what)) = needs_living(s) {
                self.needed(thing, what, s.span, &mut risks);
            }
            risks = self.stmt(s, risks)?;
        }
        Some(risks)
    }

    /// Reports the first statement that requires a thing at risk.
    fn needed(&mut self, thing: &Expr, what: &'static str, span: Span, risks: &mut Vec<Risk>) {
        let length = risks.len();
        risks.retain(|risk| !is_same(risk.thing, thing));
        if risks.len() < length {
            let name = self.audit.sources.slice(thing.span).to_string();
            self.found.entry(span).or_insert((name, what));
        }
    }

    fn stmt(&mut self, s: &'c Stmt, mut risks: Vec<Risk<'c>>) -> Option<Vec<Risk<'c>>> {
        match &s.kind {
            StmtKind::Return(_) | StmtKind::End(_) | StmtKind::CancelAction(_) => return None,
            StmtKind::Stop => {
                self.stopped.append(&mut risks);
                return None;
            }
            StmtKind::Destroy { thing, .. } if self.audit.is_stored(thing) => {
                risks.push(Risk { thing, told_by: self.around.clone(), result: None });
            }
            StmtKind::Set { target: Target::Local(local), .. } => {
                risks.retain(|r| !any_part(r.thing, |e| matches!(e.kind, ExprKind::Local(l) if l == *local)));
            }
            StmtKind::Set { target: Target::Field { field, .. }, .. } => {
                let through = |e: &Expr| matches!(e.kind, ExprKind::Field { field: f, .. } if f == *field);
                risks.retain(|r| !any_part(r.thing, through));
            }
            StmtKind::Call { func, args, into } => {
                if let Some(arg) = (0..args.len())
                    .find(|at| self.acts.contains(&(*func, *at)) && risks.iter().any(|r| is_same(r.thing, &args[*at])))
                {
                    self.needed(&args[arg], "do this", s.span, &mut risks);
                }
                let risk = |at: usize| Risk { thing: &args[at], told_by: self.around.clone(), result: *into };
                let falls = |at: &usize| self.kills.contains(&(*func, *at)) && self.audit.is_stored(&args[*at]);
                let fallen = (0..args.len()).filter(falls);
                risks.extend(fallen.map(risk));
            }
            StmtKind::If { arms, otherwise } => {
                let conditions: Vec<_> = arms.iter().map(|(condition, _)| condition).collect();
                let bodies = arms.iter().map(|(_, body)| body).chain([otherwise]).map(Vec::as_slice).collect();
                return self.fork(&conditions, bodies, risks);
            }
            StmtKind::Match { subject, rows } => {
                let conditions: Vec<_> = rows.iter().filter_map(|r| r.when.as_ref()).chain([subject]).collect();
                return self.fork(&conditions, rows.iter().map(|r| r.body.as_slice()).collect(), risks);
            }
            StmtKind::ChooseOption { options, .. } => {
                let conditions: Vec<_> = options.iter().filter_map(|o| o.when.as_ref()).collect();
                return self.fork(&conditions, options.iter().map(|o| o.body.as_slice()).collect(), risks);
            }
            StmtKind::May { when, body, .. } => {
                let conditions: Vec<_> = when.iter().collect();
                return self.fork(&conditions, vec![body, &[]], risks);
            }
            StmtKind::Move { otherwise: Some(body), .. } => return self.fork(&[], vec![body, &[]], risks),
            StmtKind::Each { local, filter, body, .. } => {
                return Some(self.around_again(Some(*local), filter.as_ref(), body, risks));
            }
            StmtKind::Repeat { condition, body } => {
                return Some(self.around_again(None, condition.as_ref(), body, risks));
            }
            _ => {}
        }
        Some(risks)
    }

    /// Returns whether a condition tests the thing, or a value that may indicate whether it was destroyed.
    fn tells(&self, condition: &Expr, risk: &Risk) -> bool {
        let result = |local: LocalId| risk.result == Some(local) || self.set.contains(&local);
        any_part(condition, |e| {
            is_same(e, risk.thing)
                || risk.told_by.iter().any(|rendered| is_same(e, rendered))
                || local_of(e).is_some_and(result)
        })
    }

    /// Analyzes branches. A condition that tests the thing can imply that it lives, inside the branch and, if a branch
    /// leaves, after it.
    fn fork(
        &mut self,
        conditions: &[&'c Expr],
        bodies: Vec<&'c [Stmt]>,
        risks: Vec<Risk<'c>>,
    ) -> Option<Vec<Risk<'c>>> {
        let inside: Vec<_> = risks.iter().filter(|r| !conditions.iter().any(|c| self.tells(c, r))).cloned().collect();
        let length = self.around.len();
        self.around.extend(conditions.iter().flat_map(|c| sources_of(c)));
        let ends: Vec<_> = bodies.into_iter().map(|body| self.block(body, inside.clone())).collect();
        self.around.truncate(length);
        let left = ends.iter().any(Option::is_none);
        let asks = |r: &Risk| {
            conditions.iter().any(|c| any_part(c, |e| matches!(&e.kind, ExprKind::Alive(of) if is_same(of, r.thing))))
        };
        let settled = |r: &Risk| asks(r) || left && conditions.iter().any(|c| self.tells(c, r));
        let known = risks.into_iter().filter(|r| !settled(r));
        let all_left = ends.iter().all(Option::is_none);
        (!all_left).then(|| known.chain(ends.into_iter().flatten().flatten()).collect())
    }

    /// Analyzes a loop body twice, because a thing destroyed in the first iteration is missing in the second.
    fn around_again(
        &mut self,
        entry: Option<LocalId>,
        condition: Option<&'c Expr>,
        body: &'c [Stmt],
        risks: Vec<Risk<'c>>,
    ) -> Vec<Risk<'c>> {
        let bound: Vec<_> = bound_in(body).into_iter().chain(entry).collect();
        let outer = |r: &Risk| !any_part(r.thing, |e| matches!(e.kind, ExprKind::Local(l) if bound.contains(&l)));
        let before = std::mem::take(&mut self.stopped);
        let first = self.block(body, risks.clone()).unwrap_or_default();
        let mut again = first;
        again.retain(|r| outer(r) && !condition.is_some_and(|c| self.tells(c, r)));
        // the variables of the body have other values in the next iteration
        again.iter_mut().for_each(|r| r.told_by.retain(|e| local_of(e).is_none_or(|local| !bound.contains(&local))));
        let second = self.block(body, again).unwrap_or_default();
        let stopped = std::mem::replace(&mut self.stopped, before);
        risks.into_iter().chain(second).chain(stopped).collect()
    }
}
