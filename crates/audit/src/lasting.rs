//! Reports effects that last or add up differently than their line suggests.

use super::Audit;
use crate::code::{Body, Collection, Expr, ExprKind, Stmt, StmtKind, Target, Until};
use crate::reads::walk::{Node, any_part, walk_body, walk_stmts};
use crate::ruleset::{FieldSort, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{ModifyOp, TraitSort};

/// A diagnostic: code, location, message, help.
pub(super) type LastingMessage = (Code, Span, String, String);

impl Audit<'_> {
    /// Checks all bodies of the checked file.
    pub fn lasting(&mut self) {
        let mut found = Vec::new();
        for (id, function) in self.own_functions() {
            let ending = self.rs.rules.iter().find(|r| r.func == id).and_then(|r| match r.on {
                Trigger::PhaseEnd(phase) => Some(phase),
                _ => None,
            });
            if let Body::Block(body) = &function.body {
                self.granted_twice(body, &mut found);
            }
            walk_body(&function.body, &mut |node| {
                let Node::Stmt(s) = node else { return };
                let until = match &s.kind {
                    StmtKind::Set { target: Target::Field { thing, .. }, until: Some(until), .. } => {
                        Some((thing, until))
                    }
                    StmtKind::Grant { to, until: Some(until), .. } => Some((to, until)),
                    _ => None,
                };
                if let Some((thing, until)) = until {
                    found.extend(self.other_turn(id, thing, until, s.span));
                    found.extend(self.never_run(until, s.span));
                    found.extend(ending.and_then(|phase| self.over_at_once(phase, until, s.span)));
                }
                match &s.kind {
                    StmtKind::Grant { status, data, until: None, .. } => {
                        found.extend(self.cuts_for_good(*status, s.span));
                        found.extend(self.outlives(*status, data, s.span));
                    }
                    StmtKind::Each { local, body, from, .. } => {
                        self.granted_again(Some(*local), body, &mut found);
                        self.falls_in_turn(*local, from, body, &mut found);
                    }
                    StmtKind::Repeat { body, .. } => self.granted_again(None, body, &mut found),
                    _ => {}
                }
            });
        }
        for (code, span, message, help) in found {
            self.say_help(code, span, message, help);
        }
        self.below_zero();
    }

    /// Reports `until end of Turn` in a rule on the end of Turn: the duration ends right after the rules on that end.
    fn over_at_once(&self, phase: PhaseId, until: &Until, span: Span) -> Option<LastingMessage> {
        if until.start || until.phase != phase || until.key.is_some() {
            return None;
        }
        let turn = &self.rs.phases[phase.at()].name;
        let message = format!("this ends at once: the {turn} that it waits for ends right after this rule");
        let help = format!(
            "write `until start of {turn}` to end when the next {turn} begins; to last for all of the next {turn}, \
             set it in a rule on the start of it"
        );
        Some((Code::Lasting, span, message, help))
    }

    /// Reports a status without data that is granted twice to one thing in the same block.
    fn granted_twice(&self, body: &[Stmt], found: &mut Vec<LastingMessage>) {
        let granted = |s: &Stmt| match &s.kind {
            StmtKind::Grant { status, data, to, .. } if data.is_empty() => {
                Some((*status, self.sources.slice(to.span).to_string()))
            }
            _ => None,
        };
        for pair in body.windows(2) {
            if let (Some(first), Some(second)) = (granted(&pair[0]), granted(&pair[1]))
                && first == second
            {
                let name = &self.rs.traits[first.0.at()].name;
                let message = format!("a thing can have {name} only once: granting it again has no effect");
                let help = "to add up, count it in a `state`, as in `set u.doses += 1`";
                found.push((Code::Lasting, pair[1].span, message, help.to_string()));
            }
        }
    }

    /// Reports a duration that ends with a phase that no code runs, although code runs other phases.
    fn never_run(&self, until: &Until, span: Span) -> Option<LastingMessage> {
        let mut run = IdSet::<PhaseId>::default();
        for function in self.rs.functions.iter() {
            walk_body(&function.body, &mut |node| {
                if let Node::Stmt(Stmt { kind: StmtKind::Run { phase, .. }, .. }) = node {
                    run.insert(*phase);
                }
            });
        }
        let phase = &self.rs.phases[until.phase.at()];
        let here = self
            .rs
            .phases
            .iter()
            .any(|p| run.contains(until.phase) || p.func == phase.func && self.reaches(p.func, span));
        if here || run.is_empty() {
            return None;
        }
        let message = format!("no code runs {}, so this may last forever", phase.name);
        Some((
            Code::Lasting,
            span,
            message,
            format!("name a phase that ends, or run {0} with `run {0}(..)`", phase.name),
        ))
    }

    /// Returns whether the statement is part of a function or of a function that it calls.
    fn reaches(&self, func: FuncId, span: Span) -> bool {
        let (mut seen, mut waiting) = (vec![false; self.rs.functions.len()], vec![func]);
        let mut found = false;
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut seen[at.at()], true) {
                continue;
            }
            let phase = self.rs.phases.iter().position(|p| p.func == at).map(PhaseId::from);
            waiting.extend(
                self.rs.actions.iter().filter(|a| phase.is_some_and(|p| a.phases.contains(&p))).map(|a| a.func),
            );
            waiting.extend(self.rs.rules.iter().map(|r| r.func).filter(|_| phase.is_some()));
            walk_body(&self.rs.functions[at.at()].body, &mut |node| {
                let Node::Stmt(s) = node else { return };
                found |= s.span == span;
                match &s.kind {
                    StmtKind::Call { func, .. } => waiting.push(*func),
                    StmtKind::Run { phase, .. } => waiting.push(self.rs.phases[phase.at()].func),
                    StmtKind::Emit { .. } => waiting.extend(self.rs.rules.iter().map(|r| r.func)),
                    _ => {}
                }
            });
        }
        found
    }

    /// Reports a status that lowers the bound of a state: the amount that the bound cuts off is not restored with it.
    fn cuts_for_good(&self, status: TraitId, span: Span) -> Option<LastingMessage> {
        let data = &self.rs.traits[status.at()];
        for change in &data.changes {
            let bounded = self.rs.fields.iter().find(|f| {
                let by = f.high.map(|high| &self.reads[high.at()]);
                f.sort == FieldSort::State && by.is_some_and(|reads| reads.fields.contains(change.field))
            });
            let lowers = !matches!(change.op, Some(ModifyOp::Add | ModifyOp::AtLeast));
            if let Some(bounded) = bounded.filter(|_| lowers) {
                let (bound, name) = (&self.rs.fields[change.field.at()].name, &bounded.name);
                let message = format!(
                    "while it is {}, `{name}` is reduced to the lower `{bound}`, and stays reduced afterwards",
                    data.name
                );
                let help = format!(
                    "to restore it, use a separate value for the lower of the two: `let now = min({name}, ..)`"
                );
                return Some((Code::Lasting, span, message, help));
            }
        }
        None
    }

    /// Reports a status that refers to a thing that may be destroyed while the status continues.
    fn outlives(&self, status: TraitId, data: &[Expr], span: Span) -> Option<LastingMessage> {
        let mut destroyed = Vec::new();
        let mut revoked = false;
        for function in self.rs.functions.iter() {
            walk_body(&function.body, &mut |node| match node {
                Node::Stmt(Stmt { kind: StmtKind::Destroy { thing, .. }, .. }) => {
                    destroyed.push(thing.ty.present().clone())
                }
                Node::Stmt(Stmt { kind: StmtKind::Revoke { status: of, .. }, .. }) => revoked |= *of == status,
                _ => {}
            });
        }
        let kept = data.iter().find(|e| destroyed.contains(e.ty.present())).filter(|_| !revoked)?;
        let status = &self.rs.traits[status.at()].name;
        let name = self.sources.slice(kept.span);
        let message = format!("{status} continues when `{name}` is destroyed");
        let help =
            format!("end it with `until ..`, or with `revoke {status}` in a rule on the destruction of `{name}`");
        Some((Code::Lasting, span, message, help))
    }

    /// Reports a status without data that a loop grants to one thing repeatedly.
    fn granted_again(&self, entry: Option<LocalId>, body: &[Stmt], found: &mut Vec<LastingMessage>) {
        walk_stmts(body, &mut |node| {
            let Node::Stmt(Stmt { kind: StmtKind::Grant { status, data, to, .. }, span, .. }) = node else { return };
            let named = |e: &Expr| {
                any_part(e, |e| matches!(e.kind, ExprKind::Local(l) if Some(l) == entry) || is_inner(body, e))
            };
            let status = &self.rs.traits[status.at()];
            if status.sort != TraitSort::Status || named(to) || data.iter().any(named) {
                return;
            }
            let message = format!("a thing can have {0} only once: granting a second {0} has no effect", status.name);
            let help = "to add up, count it in a `state`, as in `set u.doses += 1`";
            found.push((Code::Lasting, *span, message, help.to_string()));
        });
    }

    /// Reports `each u in U { .. destroy o .. }`: a thing destroyed by an earlier u has no round.
    fn falls_in_turn(&self, entry: LocalId, from: &Collection, body: &[Stmt], found: &mut Vec<LastingMessage>) {
        let Collection::Kind(kind) = *from else { return };
        walk_stmts(body, &mut |node| {
            let Node::Stmt(Stmt { kind: StmtKind::Destroy { thing, .. }, span, .. }) = node else { return };
            if *thing.ty.present() == Type::Kind(kind) && !matches!(thing.kind, ExprKind::Local(l) if l == entry) {
                let kind = &self.rs.kinds[kind.at()].name;
                let message =
                    format!("a {kind} that is destroyed here loses its turn in this loop if it has not had it yet");
                let help = "if all act at the same moment, write the loop inside `all at once { .. }`";
                found.push((Code::InTurn, *span, message, help.to_string()));
            }
        });
    }

    /// Reports `modify mv -= 8"` on a field without a lower bound whose value is 6".
    fn below_zero(&mut self) {
        let rs = self.rs;
        let constant = |func: FuncId| match &rs.functions[func.at()].body {
            Body::Value(Expr { kind: ExprKind::Const(n), .. }) => Some(*n),
            _ => None,
        };
        let mut found = Vec::new();
        for data in rs.traits.iter().filter(|t| self.is_own(t.item)) {
            for change in data.changes.iter().filter(|c| c.op == Some(ModifyOp::Sub)) {
                let field = &rs.fields[change.field.at()];
                if field.low.is_some() || !matches!(field.sort, FieldSort::Stat) {
                    continue;
                }
                let (Some(usual), Some(less)) = (field.default.and_then(constant), constant(change.value)) else {
                    continue;
                };
                if usual >= 0 && usual < less {
                    let Body::Value(value) = &rs.functions[change.value.at()].body else { continue };
                    let from = if field.ty == Type::Length { "0\" .." } else { "0 .." };
                    let message = format!("this lowers `{}` below 0, and no bound prevents that", field.name);
                    found.push((value.span, message, format!("add a bound: `stat {} : {from}`", field.name)));
                }
            }
        }
        for (span, message, help) in found {
            self.say_help(Code::Signed, span, message, help);
        }
    }
}

/// Returns whether a value is a variable of a loop or a choice inside these statements.
fn is_inner(body: &[Stmt], e: &Expr) -> bool {
    let ExprKind::Local(local) = e.kind else { return false };
    let mut found = false;
    walk_stmts(body, &mut |node| {
        let Node::Stmt(s) = node else { return };
        found |= match &s.kind {
            StmtKind::Each { local: l, .. } | StmtKind::Draw { local: l, .. } | StmtKind::Spawn { local: l, .. } => {
                *l == local
            }
            StmtKind::Let { local: l, .. } | StmtKind::Roll { local: l, .. } => *l == local,
            StmtKind::Choose(choose) => choose.local == local,
            _ => false,
        };
    });
    found
}
