//! Resolves fields of a rule's bound name: fields of its event, or variables of the phase or action that triggers it.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr, local, unknown};
use super::types::join;
use crate::checker::{Checker, Pending, Scope};
use crate::index::Means;
use crate::ruleset::{Ambient, AmbientCase, HeaderLine, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::Name;

/// A variable of a phase or action that a rule can access.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    pub name: String,
    pub ty: Type,
    pub cases: Vec<AmbientCase>,
    pub writable: bool,
}

/// Returns whether the trigger is an action.
pub(super) fn is_action(on: Trigger) -> bool {
    match on {
        Trigger::ActionStart(_) | Trigger::ActionEnd(_) | Trigger::AnyActionStart | Trigger::AnyActionEnd => true,
        Trigger::PhaseActionStart(_) | Trigger::PhaseActionEnd(_) => true,
        Trigger::Event(_) | Trigger::PhaseStart(_) | Trigger::PhaseEnd(_) => false,
    }
}

impl BodyChecker<'_, '_> {
    /// Checks `s.target` or `a.unit`, if the name before the dot is the bound name of the rule.
    pub fn bound_field(&mut self, bound: &str, field: &Name, span: Span) -> Option<Expr> {
        if let Some((name, event)) = &self.scope.event
            && name == bound
        {
            let event = *event;
            return Some(self.event_field(event, field, span));
        }
        let (name, on) = self.scope.bound.as_ref()?;
        if name != bound {
            return None;
        }
        let on = *on;
        Some(self.trigger_field(on, field, span))
    }

    /// Records a reference to the bound name of a rule.
    pub fn note_bound(&mut self, span: Span) {
        let item = self.ck.rs.functions.get(self.func.at()).map(|f| f.item);
        if let Some(item) = item {
            self.ck.means(span, || Means::Bound(item));
        }
    }

    /// Returns a field of the event, which is a parameter of the rule.
    fn event_field(&mut self, event: EventId, field: &Name, span: Span) -> Expr {
        let first = usize::from(self.scope.has_self);
        let params = &self.scope.params[first.min(self.scope.params.len())..];
        if let Some(at) = params.iter().position(|(n, _, _)| *n == field.text) {
            let found = local(LocalId::from(first + at), params[at].1.clone(), span);
            let data = self.ck.rs.events[event.at()].data;
            self.ck.means(field.span, || Means::Part(data, field.text.clone()));
            return found;
        }
        let near = did_you_mean(&field.text, params.iter().map(|(n, _, _)| n.as_str()));
        let event = self.ck.rs.events[event.at()].name.clone();
        self.wrong(Code::UnknownField, field.span, format!("{event} has no field `{}`{near}", field.text))
    }

    fn trigger_field(&mut self, on: Trigger, field: &Name, span: Span) -> Expr {
        if is_action(on) && field.text == "name" {
            let help = "write `a.name == X` or `a.name in [X, Y]`";
            return self.wrong_help(
                Code::WrongType,
                span,
                "the name of an action can be compared only with actions",
                help,
            );
        }
        if is_action(on) && field.text == "actor" {
            return self.actor(on, span);
        }
        match self.outer(on, field) {
            Some(found) => {
                let id = self.ck.ambient(&found);
                self.ck.means(field.span, || Means::Ambient(id));
                expr(ExprKind::Ambient(id), found.ty, span)
            }
            None => unknown(span),
        }
    }

    /// Returns the variable that a field of a rule's bound name refers to. Reports an error if it does not exist.
    pub fn outer(&mut self, on: Trigger, field: &Name) -> Option<Outer> {
        match on {
            Trigger::Event(_) => None,
            Trigger::PhaseStart(phase) | Trigger::PhaseEnd(phase) => {
                let all = self.ck.phase_outers(phase, None);
                let of = self.ck.rs.phases[phase.at()].name.clone();
                self.pick_outer(all, field, &of, Some(phase))
            }
            Trigger::ActionStart(action) | Trigger::ActionEnd(action) => {
                let all = self.ck.action_outers(action);
                let of = self.ck.rs.actions[action.at()].name.clone();
                self.pick_outer(all, field, &of, None)
            }
            Trigger::AnyActionStart | Trigger::AnyActionEnd => self.common_outer(field),
            Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase) => {
                let own = self.ck.phase_outers(phase, None).into_iter().find(|o| o.name == field.text);
                own.or_else(|| self.common_outer(field))
            }
        }
    }

    fn pick_outer(&mut self, all: Vec<Outer>, field: &Name, of: &str, phase: Option<PhaseId>) -> Option<Outer> {
        if let Some(found) = all.iter().find(|o| o.name == field.text) {
            return Some(found.clone());
        }
        if let Some(phase) = phase {
            let func = self.ck.rs.phases[phase.at()].func;
            self.ck.ensure(func);
            if self.ck.rs.functions[func.at()].locals.iter().any(|l| l.name == field.text) {
                return self.wrong(Code::Interface, field.span, format!("{of} does not share `{}`", field.text));
            }
        }
        let near = did_you_mean(&field.text, all.iter().map(|o| o.name.as_str()));
        self.wrong(Code::UnknownField, field.span, format!("{of} has no `{}`{near}", field.text))
    }

    /// Returns a field that all actions have, or all possible running actions if they are known.
    fn common_outer(&mut self, field: &Name) -> Option<Outer> {
        let among = match &self.named {
            Some(named) => named.clone(),
            None => (0..self.ck.rs.actions.len()).map(ActionId::from).collect(),
        };
        let mut found: Option<Outer> = None;
        for action in among {
            let own = self.ck.action_outers(action).into_iter().find(|o| o.name == field.text);
            let joined = match (&found, &own) {
                (_, None) => None,
                (None, Some(own)) => Some(own.clone()),
                (Some(all), Some(own)) => join(&all.ty, &own.ty).filter(|t| narrow(t, &all.ty)).map(|ty| Outer {
                    name: own.name.clone(),
                    ty,
                    cases: all.cases.iter().chain(&own.cases).copied().collect(),
                    writable: all.writable && own.writable,
                }),
            };
            if joined.is_none() {
                let name = self.ck.rs.actions[action.at()].name.clone();
                let message = format!("not every action has `{}`: {name} has none of that type", field.text);
                let help = "add a condition on the action first: `a.name in [X, Y] and ...`";
                return self.wrong_help(Code::UnknownField, field.span, message, help);
            }
            found = joined;
        }
        if found.is_none() {
            self.say(Code::UnknownField, field.span, format!("no action has `{}`", field.text));
        }
        found
    }

    /// Checks the expression `a.actor` and translates it to typed code.
    fn actor(&mut self, on: Trigger, span: Span) -> Expr {
        let among = match (on, &self.named) {
            (Trigger::ActionStart(one) | Trigger::ActionEnd(one), _) => vec![one],
            (_, Some(named)) => named.clone(),
            _ => (0..self.ck.rs.actions.len()).map(ActionId::from).collect(),
        };
        let mut ty = Type::Unknown;
        for action in among {
            let func = self.ck.rs.actions[action.at()].func;
            self.ck.ensure(func);
            let own = self.ck.rs.actions[action.at()].actor.as_ref().map(|a| a.ty.clone());
            match own.and_then(|own| join(&ty, &own)) {
                Some(joined) => ty = joined,
                None => {
                    let name = self.ck.rs.actions[action.at()].name.clone();
                    let message = format!("not every action has an actor of the same kind: {name} differs");
                    return self.wrong_help(Code::UnknownField, span, message, "add a condition on the action first");
                }
            }
        }
        expr(ExprKind::Actor, ty, span)
    }
}

/// Returns whether the joined type equals the first one apart from the range of a number.
fn narrow(joined: &Type, first: &Type) -> bool {
    super::types::same_cells(joined, first) && super::types::same_cells(first, joined)
}

impl Checker<'_> {
    /// Returns the variables of a phase that other code can access: parameters, then shared ones.
    pub(super) fn phase_outers(&self, phase: PhaseId, action: Option<ActionId>) -> Vec<Outer> {
        let (func, params) = {
            let p = &self.rs.phases[phase.at()];
            (p.func, p.params)
        };
        let vars: Vec<(String, Type)> = match self.pending.get(func.at()) {
            Some(Pending::Block { scope: Scope { params, shares, .. }, .. }) => {
                params.iter().chain(shares).map(|(n, t, _)| (n.clone(), t.clone())).collect()
            }
            _ => {
                let count = params + self.rs.phases[phase.at()].shares.len();
                let locals = self.rs.functions[func.at()].locals.iter().take(count);
                locals.map(|l| (l.name.clone(), l.ty.clone())).collect()
            }
        };
        let case = |at: usize| match action {
            Some(action) => AmbientCase::PhaseOfAction(action, phase, LocalId::from(at)),
            None => AmbientCase::Phase(phase, LocalId::from(at)),
        };
        vars.into_iter()
            .enumerate()
            .map(|(at, (name, ty))| Outer { name, ty, cases: vec![case(at)], writable: at >= params })
            .collect()
    }

    /// Returns the variables of an action that other code can access: its choices, and the variables common to its
    /// phases.
    pub(super) fn action_outers(&mut self, action: ActionId) -> Vec<Outer> {
        let func = self.rs.actions[action.at()].func;
        self.ensure(func);
        let mut all = Vec::new();
        for line in &self.rs.actions[action.at()].header {
            let local = match line {
                HeaderLine::Choose { local, .. } => *local,
                HeaderLine::Late(choose) => choose.local,
                HeaderLine::Let { .. }
                | HeaderLine::Needs { .. }
                | HeaderLine::Cost { .. }
                | HeaderLine::Limit { .. } => {
                    continue;
                }
            };
            let Some(var) = self.rs.functions[func.at()].locals.get(local.at()) else { continue };
            let cases = vec![AmbientCase::Action(action, local)];
            all.push(Outer { name: var.name.clone(), ty: var.ty.clone(), cases, writable: false });
        }
        let mut shared: Option<Vec<Outer>> = None;
        for phase in self.rs.actions[action.at()].phases.clone() {
            let own = self.phase_outers(phase, Some(action));
            shared = Some(match shared {
                None => own,
                Some(before) => before.into_iter().filter_map(|o| both(o, &own)).collect(),
            });
        }
        all.extend(shared.unwrap_or_default());
        all
    }

    /// Returns the ambient of a variable, creating it on first use.
    pub(super) fn ambient(&mut self, of: &Outer) -> AmbientId {
        let known = self.rs.ambients.iter().position(|a| a.name == of.name && a.cases == of.cases);
        AmbientId::from(known.unwrap_or_else(|| {
            self.rs.ambients.push(Ambient { name: of.name.clone(), ty: of.ty.clone(), cases: of.cases.clone() });
            self.rs.ambients.len() - 1
        }))
    }
}

/// Returns a variable that two phases have with the same type.
fn both(a: Outer, others: &[Outer]) -> Option<Outer> {
    let b = others.iter().find(|o| o.name == a.name)?;
    let ty = join(&a.ty, &b.ty).filter(|t| narrow(t, &a.ty))?;
    let cases = a.cases.iter().chain(&b.cases).copied().collect();
    Some(Outer { name: a.name, ty, cases, writable: a.writable && b.writable })
}
