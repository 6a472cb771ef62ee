//! Reports durations that end with the turn of another player: `until end of Turn` for a thing that does not act in this
//! Turn.

use super::Audit;
use super::lasting::LastingMessage;
use crate::code::{Body, Collection, Expr, ExprKind, Function, Stmt, StmtKind, Until};
use crate::reads::walk::{Node, any_part, walk_body};
use crate::ruleset::{AmbientCase, FieldSort, HeaderLine, Ruleset, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use std::collections::{HashMap, HashSet};

/// How a thing differs from the one whose phase runs.
enum Outside {
    /// The turn belongs to a thing of the same kind.
    OtherThing,
    /// The turn belongs to a side, and the thing belongs to another side.
    OtherSide,
}

/// The function that makes a call or emits an event, and the arguments.
type CallSite<'a> = (FuncId, &'a [Expr]);

/// The statements that call functions and emit events. A book can emit one event in many places and have many rules on it, so the
/// places are kept once for all rules.
pub(super) struct CallSites<'a> {
    calls: HashMap<FuncId, Vec<CallSite<'a>>>,
    emits: HashMap<EventId, Vec<CallSite<'a>>>,
    /// The event of each rule, and the number of its parameters that no argument gives.
    rules: HashMap<FuncId, (EventId, usize)>,
}

impl<'a> CallSites<'a> {
    pub(super) fn new(rs: &'a Ruleset) -> Self {
        let (mut calls, mut emits) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for (at, function) in rs.functions.iter().enumerate() {
            let caller = FuncId::from(at);
            walk_body(&function.body, &mut |node| match node {
                Node::Stmt(Stmt { kind: StmtKind::Call { func, args, .. }, .. }) => {
                    calls.entry(*func).or_default().push((caller, args.as_slice()));
                }
                Node::Stmt(Stmt { kind: StmtKind::Emit { event, args }, .. }) => {
                    emits.entry(*event).or_default().push((caller, args.as_slice()));
                }
                _ => {}
            });
        }
        let rules = rs.rules.iter().filter_map(|rule| match rule.on {
            // a rule of a trait has its bearer as first parameter
            Trigger::Event(event) => Some((rule.func, (event, usize::from(rule.of_trait.is_some())))),
            _ => None,
        });
        CallSites { calls, emits, rules: rules.collect() }
    }

    /// Returns the statements that call a function, or that emit its event if it is a rule, and the number of its first parameters
    /// that no argument gives.
    fn of(&self, id: FuncId) -> (&[CallSite<'a>], usize) {
        let (sites, bearer) = match self.rules.get(&id) {
            Some((event, bearer)) => (self.emits.get(event), *bearer),
            None => (self.calls.get(&id), 0),
        };
        (sites.map_or(&[], Vec::as_slice), bearer)
    }
}

impl Audit<'_> {
    /// Reports `until end of Turn` for a thing that acts in another Turn: the duration ends before that Turn begins.
    pub(super) fn other_turn(&self, id: FuncId, thing: &Expr, until: &Until, span: Span) -> Option<LastingMessage> {
        let Type::Kind(kind) = thing.ty.present() else { return None };
        let phase = &self.rs.phases[until.phase.at()];
        let (first, others) = self.rs.functions[phase.func.at()].locals.get(..phase.params)?.split_first()?;
        // a phase of two things, such as an exchange of fire, is not the turn of either
        if others.iter().any(|other| other.ty == first.ty) {
            return None;
        }
        if until.start || until.key.is_some() {
            return None;
        }
        let (name, turn) = (self.sources.slice(thing.span), &phase.name);
        let message = format!("this ends with the current {turn}, which is not the {turn} of `{name}`");
        let owner = match self.outside(id, thing, until.phase, &first.ty, &mut HashSet::new())? {
            Outside::OtherSide if first.ty.present() != thing.ty.present() => {
                let link = self.rs.fields.iter().find(|f| f.kind == *kind && f.ty == first.ty);
                format!("{name}.{}", link.map_or(&first.name, |f| &f.name))
            }
            Outside::OtherThing | Outside::OtherSide => name.to_string(),
        };
        let help = format!("write `until end of {turn} for {owner}` to use its own");
        Some((Code::Lasting, span, message, help))
    }

    /// Returns how the thing differs from the one whose phase runs, or `None` if no difference is found. A parameter is
    /// traced to the calls and events that give it its value.
    fn outside(
        &self,
        id: FuncId,
        thing: &Expr,
        phase: PhaseId,
        owner: &Type,
        seen: &mut HashSet<(FuncId, Span)>,
    ) -> Option<Outside> {
        if !seen.insert((id, thing.span)) {
            return None;
        }
        let function = &self.rs.functions[id.at()];
        let foe = self.is_of_others(function, thing, owner);
        if self.belongs_to(id, phase) {
            let whose = owner.present() == thing.ty.present() && !self.is_whose(function, thing, phase);
            return if whose { Some(Outside::OtherThing) } else { foe.then_some(Outside::OtherSide) };
        }
        let parameter = match thing.kind {
            ExprKind::Local(local) if local.at() < function.params => Some(local.at()),
            ExprKind::Local(_) => None,
            _ => return None,
        };
        if parameter.is_none() && !foe {
            return None;
        }
        let (sites, bearer) = self.calls.of(id);
        sites.iter().find_map(|(caller, args)| match parameter {
            Some(at) => self.outside(*caller, args.get(at.checked_sub(bearer)?)?, phase, owner, seen),
            None => self.is_run_in(*caller, thing.span, phase, seen).then_some(Outside::OtherSide),
        })
    }

    /// Returns whether the function is the body of the phase or of an action of it.
    fn belongs_to(&self, id: FuncId, phase: PhaseId) -> bool {
        let action = self.rs.actions.iter().find(|a| a.func == id);
        self.rs.phases[phase.at()].func == id || action.is_some_and(|a| a.phases.contains(&phase))
    }

    /// Returns whether a chain of calls leads from the phase to the function. `thing` is the span of the examined thing.
    fn is_run_in(&self, id: FuncId, thing: Span, phase: PhaseId, seen: &mut HashSet<(FuncId, Span)>) -> bool {
        let new = seen.insert((id, thing));
        new && (self.belongs_to(id, phase)
            || self.calls.of(id).0.iter().any(|(caller, _)| self.is_run_in(*caller, thing, phase, seen)))
    }

    /// Returns whether the thing is the first parameter of the phase, or the actor.
    fn is_whose(&self, function: &Function, thing: &Expr, phase: PhaseId) -> bool {
        let own = std::ptr::eq(function, &raw const self.rs.functions[self.rs.phases[phase.at()].func.at()]);
        match &thing.kind {
            ExprKind::Local(local) => own && local.at() == 0,
            ExprKind::Actor => true,
            ExprKind::Ambient(id) => self.rs.ambients[id.at()].cases.iter().any(|case| match case {
                AmbientCase::Phase(_, local) | AmbientCase::PhaseOfAction(_, _, local) => local.at() == 0,
                AmbientCase::Action(..) => false,
            }),
            _ => false,
        }
    }

    /// Returns whether the thing is a variable over a list that excludes a side, such as `unit.foes` with the condition
    /// `u.side != side` in its `let`.
    fn is_of_others(&self, function: &Function, thing: &Expr, side: &Type) -> bool {
        let ExprKind::Local(local) = thing.kind else { return false };
        let mut found = false;
        let mut look = |of: LocalId, from: &Collection, filter: Option<&Expr>| {
            if of != local {
                return;
            }
            let sides = |args: &[Expr]| args.iter().all(|a| a.ty.present() == side.present());
            let not = |e: &Expr| any_part(e, |e| matches!(&e.kind, ExprKind::Op(Op::Ne, args) if sides(args)));
            let listed = match from {
                Collection::List(Expr { kind: ExprKind::Field { field, .. }, .. }) => self.body_of_field(*field),
                Collection::List(e) => Some(e),
                _ => None,
            };
            found |= listed.is_some_and(not) || filter.is_some_and(not);
        };
        walk_body(&function.body, &mut |node| match node {
            Node::Stmt(Stmt { kind: StmtKind::Choose(choose), .. }) => {
                look(choose.local, &choose.from, choose.filter.as_ref());
            }
            Node::Stmt(Stmt { kind: StmtKind::Each { local, from, filter, .. }, .. }) => {
                look(*local, from, filter.as_ref());
            }
            _ => {}
        });
        for line in self
            .rs
            .actions
            .iter()
            .filter(|a| std::ptr::eq(&raw const self.rs.functions[a.func.at()], function))
            .flat_map(|a| &a.header)
        {
            if let HeaderLine::Choose { local, from, filter } = line {
                look(*local, from, filter.as_ref());
            }
        }
        found
    }

    fn body_of_field(&self, field: FieldId) -> Option<&Expr> {
        let FieldSort::Let(func) = self.rs.fields[field.at()].sort else { return None };
        match &self.rs.functions[func.at()].body {
            Body::Value(e) => Some(e),
            Body::Block(_) | Body::Open => None,
        }
    }
}
