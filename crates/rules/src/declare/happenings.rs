//! Declares phases, actions, rules, laws and policies.

use super::{Declarer, ParamDecl, plain_scope};
use crate::checker::{Pending, Scope, ScopeSort};
use crate::index::Means;
use crate::ruleset::{Ambient, AmbientCase, Event, Law, Policy, Rule, Trigger, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, Formal, ItemKind, Name};

impl<'a> Declarer<'a, '_> {
    /// Declares phases with their parameters and shared variables.
    pub fn declare_phases(&mut self) {
        let items = self.items;
        for item in items {
            let ItemKind::Phase(p) = &item.kind else { continue };
            let Some(id) = self.c.rs.names.phases.get(&p.name.text).copied() else { continue };
            self.declare_phase(id, p);
        }
    }

    fn declare_phase(&mut self, id: PhaseId, p: &'a tree::Phase) {
        let item = self.c.rs.phases[id.at()].item;
        let params = self.formals(&p.params, None);
        let mut scope = plain_scope(ScopeSort::Phase(id), params.clone());
        let mut shares = Vec::new();
        for (at, formal) in p.shares.iter().enumerate() {
            let ty = self.share_type(formal);
            self.check_share_name(formal, &scope);
            let name = format!("{}.{}", p.name.text, formal.name.text);
            if let Some(default) = &formal.default {
                let expected = (ty != Type::Unknown).then(|| ty.clone());
                let defaults = Scope { result: expected.clone(), ..plain_scope(ScopeSort::Value, params.clone()) };
                let func = self.value_function(item, name, defaults, default, expected);
                shares.push((LocalId::from(params.len() + at), func));
            } else {
                let message =
                    format!("`{}` needs an initial value, as in `{} = 0`", formal.name.text, formal.name.text);
                self.say(Code::Missing, formal.name.span, message);
            }
            scope.shares.push((formal.name.text.clone(), ty, formal.name.span));
        }
        let copy = scope.clone();
        let func = match &p.body {
            Some(block) => self.function(item, p.name.text.clone(), &copy, Pending::Block { scope, block }),
            None => self.function(item, p.name.text.clone(), &copy, Pending::Done),
        };
        let phase = &mut self.c.rs.phases[id.at()];
        phase.func = func;
        phase.params = params.len();
        phase.shares = shares;
    }

    fn check_share_name(&mut self, formal: &Formal, scope: &Scope) {
        let known = scope.params.iter().chain(&scope.shares).find(|p| p.0 == formal.name.text);
        if let Some((_, _, first)) = known {
            let (message, first) = (format!("two of these have the name `{}`", formal.name.text), *first);
            self.say_two(Code::Twice, formal.name.span, message, first, "first declared here");
        }
    }

    /// Returns the written type, or the type of a constant default.
    fn share_type(&mut self, formal: &'a Formal) -> Type {
        if let Some(ty) = &formal.ty {
            return self.resolve(ty, None);
        }
        let constant = formal.default.as_ref().is_some_and(|e| {
            use tree::ExprKind as K;
            matches!(e.kind, K::Number(_) | K::Yes | K::No | K::Upper(_) | K::Dice { .. })
        });
        match &formal.default {
            Some(e) if constant => self.constant(e, None).map_or(Type::Unknown, |c| c.0),
            _ => {
                let message = format!("`{}` needs a type, as in `{}: Int`", formal.name.text, formal.name.text);
                self.say(Code::NeedType, formal.name.span, message);
                Type::Unknown
            }
        }
    }

    /// Declares actions, with the variables of their phases that are in scope.
    pub fn declare_actions(&mut self) {
        let items = self.items;
        for item in items {
            let ItemKind::Action(a) = &item.kind else { continue };
            let Some(id) = self.c.rs.names.actions.get(&a.name.text).copied() else { continue };
            let mut phases: Vec<PhaseId> = Vec::new();
            for name in &a.phases {
                if let Some(phase) = self.phase_named(name) {
                    if phases.contains(&phase) {
                        self.say(Code::Twice, name.span, format!("`{}` is listed here twice", name.text));
                        continue;
                    }
                    phases.push(phase);
                }
            }
            let mut scope = plain_scope(ScopeSort::Action(id), Vec::new());
            scope.ambients = self.ambients_of(&phases);
            let item = self.c.rs.actions[id.at()].item;
            let copy = scope.clone();
            let func = self.function(item, a.name.text.clone(), &copy, Pending::Action { scope, action: id, tree: a });
            let action = &mut self.c.rs.actions[id.at()];
            action.func = func;
            action.phases = phases;
        }
    }

    /// Returns the parameters and shared variables that all these phases have with the same type.
    fn ambients_of(&mut self, phases: &[PhaseId]) -> Vec<(String, AmbientId)> {
        let Some((first, others)) = phases.split_first() else { return Vec::new() };
        let locals = |d: &Self, phase: PhaseId| -> Vec<(String, Type)> {
            let func = d.c.rs.phases[phase.at()].func;
            let function = &d.c.rs.functions[func.at()];
            function.locals.iter().map(|l| (l.name.clone(), l.ty.clone())).collect()
        };
        let mut found: Vec<(String, Type, Vec<AmbientCase>)> = Vec::new();
        for (at, (name, ty)) in locals(self, *first).into_iter().enumerate() {
            found.push((name, ty, vec![AmbientCase::Phase(*first, LocalId::from(at))]));
        }
        for phase in others {
            let theirs = locals(self, *phase);
            found.retain_mut(|(name, ty, cases)| {
                let Some(at) = theirs.iter().position(|(n, t)| n == name && t == ty) else { return false };
                cases.push(AmbientCase::Phase(*phase, LocalId::from(at)));
                true
            });
        }
        found.into_iter().map(|(name, ty, cases)| (name.clone(), self.ambient(name, ty, cases))).collect()
    }

    /// Returns the ambient with these cases. Actions of one phase share its ambients.
    fn ambient(&mut self, name: String, ty: Type, cases: Vec<AmbientCase>) -> AmbientId {
        if let Some(at) = self.c.rs.ambients.iter().position(|a| a.cases == cases) {
            return AmbientId::from(at);
        }
        self.c.rs.ambients.push(Ambient { name, ty, cases });
        AmbientId::from(self.c.rs.ambients.len() - 1)
    }

    /// Declares the rules outside traits.
    pub fn declare_rules(&mut self) {
        let items = self.items;
        for item in items {
            if let ItemKind::Rule(rule) = &item.kind {
                self.declare_rule(rule, &item.cites, None);
            }
        }
    }

    /// Declares a rule. In a rule of a trait, `self` is the bearer.
    pub fn declare_rule(&mut self, rule: &'a tree::Rule, cites: &[tree::ClauseRef], of_trait: Option<TraitId>) {
        let item = self.item("rule", rule.name.text.clone(), &rule.title, cites, rule.name.span);
        let Some(on) = self.trigger(&rule.on) else { return };
        let scope = self.rule_scope(rule, on, of_trait);
        let name = rule.name.text.clone();
        let guard = rule.when.as_ref().map(|when| {
            let scope = Scope { sort: ScopeSort::Value, result: Some(Type::Flag), ..scope.clone() };
            self.value_function(item, name.clone(), scope, when, Some(Type::Flag))
        });
        let guard_text = rule.when.as_ref().map_or(String::new(), |w| self.text(w.span));
        let copy = scope.clone();
        let func = self.function(item, name.clone(), &copy, Pending::Block { scope, block: &rule.body });
        let id = RuleId::from(self.c.rs.rules.len());
        if let Some(first) = self.c.rs.names.rules.get(&name).copied() {
            let first = self.c.rs.items[self.c.rs.rules[first.at()].item.at()].span;
            self.say_two(
                Code::Twice,
                rule.name.span,
                format!("rule `{name}` is declared twice"),
                first,
                "declared here first",
            );
        }
        self.c.rs.rules.push(Rule { name: name.clone(), on, of_trait, guard, guard_text, func, item });
        self.c.rs.names.rules.insert(name, id);
    }

    fn rule_scope(&self, rule: &tree::Rule, on: Trigger, of_trait: Option<TraitId>) -> Scope {
        let span = rule.name.span;
        let mut params: Vec<ParamDecl> = Vec::new();
        if let Some(t) = of_trait {
            params.push(("self".into(), Type::Kind(self.c.rs.traits[t.at()].on), span));
        }
        let mut scope = plain_scope(ScopeSort::Rule { phase_rule: !matches!(on, Trigger::Event(_)) }, Vec::new());
        let bound = rule.bound.as_ref().map(|n| n.text.clone());
        match on {
            Trigger::Event(event) => {
                let data = self.c.rs.events[event.at()].data;
                let fields = &self.c.rs.records[data.at()].fields;
                params.extend(fields.iter().map(|(name, ty)| (name.clone(), ty.clone(), span)));
                scope.event = bound.map(|b| (b, event));
            }
            _ => scope.bound = bound.map(|b| (b, on)),
        }
        scope.has_self = of_trait.is_some();
        scope.params = params;
        scope
    }

    /// Resolves the trigger of a rule. Reports an error if it does not exist.
    fn trigger(&mut self, on: &tree::Trigger) -> Option<Trigger> {
        match on {
            tree::Trigger::Event(name) => self.event_trigger(name),
            tree::Trigger::DestroyOf(name) => self.destroy_trigger(name),
            tree::Trigger::StartOf(name) => self.phase_trigger(name, Trigger::PhaseStart, Trigger::ActionStart),
            tree::Trigger::EndOf(name) => self.phase_trigger(name, Trigger::PhaseEnd, Trigger::ActionEnd),
            tree::Trigger::StartOfAction(None) => Some(Trigger::AnyActionStart),
            tree::Trigger::EndOfAction(None) => Some(Trigger::AnyActionEnd),
            tree::Trigger::StartOfAction(Some(name)) => self.phase_of_actions(name).map(Trigger::PhaseActionStart),
            tree::Trigger::EndOfAction(Some(name)) => self.phase_of_actions(name).map(Trigger::PhaseActionEnd),
        }
    }

    /// Returns the trigger for the event that announces the destruction of a thing of this kind. The first rule that
    /// needs it creates the event.
    fn destroy_trigger(&mut self, name: &Name) -> Option<Trigger> {
        let Some(TypeName::Kind(kind)) = self.c.rs.names.types.get(&name.text).copied() else {
            let kinds = self.c.rs.kinds.iter().map(|k| k.name.as_str());
            let near = did_you_mean(&name.text, kinds);
            return self.wrong(Code::UnknownName, name.span, format!("there is no kind `{}`{near}", name.text));
        };
        self.c.means(name.span, || Means::Type(TypeName::Kind(kind)));
        let event = Event::of_destruction(&name.text);
        if let Some(id) = self.c.rs.names.events.get(&event) {
            return Some(Trigger::Event(*id));
        }
        let item = self.c.rs.kinds[kind.at()].item;
        let data = self.record(event.clone(), item);
        self.c.rs.records[data.at()].fields = vec![("thing".into(), Type::Kind(kind))];
        let id = EventId::from(self.c.rs.events.len());
        self.c.rs.events.push(Event { name: event.clone(), data, external: true, item });
        self.c.rs.names.events.insert(event, id);
        Some(Trigger::Event(id))
    }

    fn event_trigger(&mut self, name: &Name) -> Option<Trigger> {
        let names = &self.c.rs.names;
        if let Some(id) = names.events.get(&name.text).copied() {
            self.c.means(name.span, || Means::Event(id));
            return Some(Trigger::Event(id));
        }
        let text = &name.text;
        let message = if names.phases.contains_key(text) || names.actions.contains_key(text) {
            format!("`{text}` is not an event; write `on start of {text}` or `on end of {text}`")
        } else {
            let near = did_you_mean(text, names.events.keys().map(String::as_str));
            format!("there is no event `{text}`{near}")
        };
        self.wrong(Code::UnknownName, name.span, message)
    }

    /// Resolves the phase of `start of action in P`. Reports an error if it does not exist.
    fn phase_of_actions(&mut self, name: &Name) -> Option<PhaseId> {
        let found = self.c.rs.names.phases.get(&name.text).copied();
        if found.is_none() {
            let phases = &self.c.rs.names.phases;
            let message = if self.c.rs.names.actions.contains_key(&name.text) {
                format!("`{0}` is an action; write `start of {0}`, or a phase after `in`", name.text)
            } else {
                let near = did_you_mean(&name.text, phases.keys().map(String::as_str));
                format!("there is no phase `{}`{near}", name.text)
            };
            self.say(Code::UnknownName, name.span, message);
        }
        if let Some(phase) = found {
            self.c.means(name.span, || Means::Phase(phase));
        }
        found
    }

    fn phase_trigger(
        &mut self,
        name: &Name,
        phase: fn(PhaseId) -> Trigger,
        action: fn(ActionId) -> Trigger,
    ) -> Option<Trigger> {
        let names = &self.c.rs.names;
        match (names.phases.get(&name.text), names.actions.get(&name.text)) {
            (Some(_), Some(_)) => {
                let message = format!("`{}` is a phase and an action; rename one of them", name.text);
                self.wrong(Code::AmbiguousCase, name.span, message)
            }
            (Some(&id), None) => {
                self.c.means(name.span, || Means::Phase(id));
                Some(phase(id))
            }
            (None, Some(&id)) => {
                self.c.means(name.span, || Means::Action(id));
                Some(action(id))
            }
            (None, None) => {
                let known = names.phases.keys().chain(names.actions.keys()).map(String::as_str);
                let near = did_you_mean(&name.text, known);
                self.wrong(Code::UnknownName, name.span, format!("there is no phase or action `{}`{near}", name.text))
            }
        }
    }

    /// Declares laws, which are conditions without parameters.
    pub fn declare_laws(&mut self) {
        let items = self.items;
        for item in items {
            let ItemKind::Law { name, title, holds } = &item.kind else { continue };
            let id = self.item("law", name.text.clone(), title, &item.cites, name.span);
            let scope = Scope { result: Some(Type::Flag), ..plain_scope(ScopeSort::Value, Vec::new()) };
            let func = self.value_function(id, name.text.clone(), scope, holds, Some(Type::Flag));
            let law = LawId::from(self.c.rs.laws.len());
            self.c.rs.laws.push(Law { name: name.text.clone(), func, item: id });
            self.c.rs.names.laws.insert(name.text.clone(), law);
        }
    }

    /// Declares policies. They come after all bodies, because they refer to the sites of decisions.
    pub fn declare_policies(&mut self) {
        let items = self.items;
        for item in items {
            let ItemKind::Policy { name, title, entries } = &item.kind else { continue };
            let id = self.item("policy", name.text.clone(), title, &item.cites, name.span);
            let policy = PolicyId::from(self.c.rs.policies.len());
            self.c.rs.policies.push(Policy { name: name.text.clone(), entries: Vec::new(), item: id });
            self.c.rs.names.policies.insert(name.text.clone(), policy);
            self.c.policy(policy, entries);
        }
    }
}
