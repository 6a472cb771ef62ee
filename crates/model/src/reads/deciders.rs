//! Finds the kinds of things that can decide at some site of the rules.

use super::walk::{Node, walk_body};
use crate::code::{Choose, EachOrder, Expr, StmtKind};
use crate::ruleset::{HeaderLine, Ruleset, Trigger};
use grognard_base::value::*;

/// Maximum length of a chain of owners that is followed.
const MOST_OWNERS: usize = 16;

/// Returns the kinds of players that can receive a decision: the ends of the chains of owners.
pub fn deciders(rs: &Ruleset) -> IdSet<KindId> {
    let mut found: Vec<KindId> = Vec::new();
    for (at, function) in rs.functions.iter().enumerate() {
        let own = subjects(rs, FuncId::from(at));
        let mut ask = |by: Option<&Expr>| match by {
            Some(by) => found.extend(by.ty.kind()),
            None => found.extend(own.iter().copied()),
        };
        walk_body(&function.body, &mut |node| {
            let Node::Stmt(s) = node else { return };
            match &s.kind {
                StmtKind::ChooseAction { by, .. } | StmtKind::ChooseOption { by, .. } => ask(by.as_ref()),
                StmtKind::Choose(Choose { by, .. }) | StmtKind::May { by, .. } => ask(by.as_ref()),
                StmtKind::Each { order: EachOrder::Chosen { by, .. }, .. } => ask(by.as_ref()),
                StmtKind::Move { motion, .. } => ask(Some(&motion.thing)),
                _ => {}
            }
        });
        for line in rs.actions.iter().filter(|a| a.func.at() == at).flat_map(|a| &a.header) {
            if let HeaderLine::Late(choose) = line {
                ask(choose.by.as_ref());
            }
        }
    }
    found.into_iter().map(|kind| player_of(rs, kind)).collect()
}

/// Returns the kinds that decide without `by` in this function: its first parameter, or the actor of an action.
fn subjects(rs: &Ruleset, func: FuncId) -> Vec<KindId> {
    let actor = |action: ActionId| rs.actions[action.at()].actor.as_ref().and_then(|a| a.ty.kind());
    if let Some(at) = rs.actions.iter().position(|a| a.func == func) {
        return actor(ActionId::from(at)).into_iter().collect();
    }
    let function = &rs.functions[func.at()];
    let first = function.locals.first().filter(|_| function.params > 0).and_then(|l| l.ty.kind());
    let on = rs.rules.iter().find(|r| r.func == func).map(|r| r.on);
    let actors: Vec<ActionId> = match on {
        Some(Trigger::ActionStart(a) | Trigger::ActionEnd(a)) => vec![a],
        Some(Trigger::AnyActionStart | Trigger::AnyActionEnd) => (0..rs.actions.len()).map(ActionId::from).collect(),
        Some(Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase)) => rs.actions_in(phase),
        Some(Trigger::Event(_) | Trigger::PhaseStart(_) | Trigger::PhaseEnd(_)) | None => Vec::new(),
    };
    first.into_iter().chain(actors.into_iter().filter_map(actor)).collect()
}

/// Returns the kind at the end of the chain of owners.
fn player_of(rs: &Ruleset, mut kind: KindId) -> KindId {
    for _ in 0..MOST_OWNERS {
        let owner = rs.kinds[kind.at()].owner.and_then(|field| rs.fields[field.at()].ty.kind());
        let Some(owner) = owner else { break };
        kind = owner;
    }
    kind
}
