//! Reports special rules that conflict, guards that are evaluated too early, and limits without an enclosing phase.

use super::Audit;
use crate::code::{Body, ExprKind};
use crate::ruleset::{HeaderLine, Rule, Trigger};
use grognard_base::Code;
use grognard_base::order;
use grognard_base::value::*;
use std::collections::HashMap;

/// Maximum number of entries that are compared in pairs. Bounds the quadratic cost for generated files.
const MOST: usize = 500;

impl Audit<'_> {
    /// Reports two unconditional changes that replace the same field, unless one has `over` or both have the same constant.
    pub fn conflicts(&mut self) {
        let rs = self.rs;
        let mut by_field: HashMap<FieldId, Vec<(TraitId, usize)>> = HashMap::new();
        for (t, data) in rs.traits.iter().enumerate().filter(|(_, t)| t.when.is_none()) {
            for (at, change) in data.changes.iter().enumerate() {
                if change.op.is_none() && change.when.is_none() {
                    by_field.entry(change.field).or_default().push((TraitId::from(t), at));
                }
            }
        }
        let mut found: Vec<_> = by_field.into_iter().collect();
        order::sort_by_key(&mut found, |(field, _)| *field);
        for (field, changes) in found {
            for (n, b) in changes.iter().enumerate().take(MOST) {
                let _ = changes[..n].iter().any(|a| self.conflict(field, *a, *b));
            }
        }
    }

    fn conflict(&mut self, field: FieldId, a: (TraitId, usize), b: (TraitId, usize)) -> bool {
        let rs = self.rs;
        let (first, second) = (&rs.traits[a.0.at()], &rs.traits[b.0.at()]);
        let (x, y) = (&first.changes[a.1], &second.changes[b.1]);
        if x.over == Some(b.0) || y.over == Some(a.0) || self.same_constant(x.value, y.value) {
            return false;
        }
        let name = &rs.fields[field.at()].name;
        let span = |f: FuncId, item: ItemId| rs.functions[f.at()].locals.first().map_or(self.span(item), |l| l.span);
        let (here, there) = (span(y.value, second.item), span(x.value, first.item));
        let message = if a.0 == b.0 {
            format!("`{}` replaces `{name}` twice", first.name)
        } else {
            format!("{} and {} both replace `{name}`; write `over` in one to give it priority", first.name, second.name)
        };
        self.say_two(Code::Conflict, here, message, there, "the other");
        true
    }

    fn same_constant(&self, a: FuncId, b: FuncId) -> bool {
        let value = |f: FuncId| match &self.rs.functions[f.at()].body {
            Body::Value(e) => match e.kind {
                ExprKind::Const(n) => Some(n),
                _ => None,
            },
            _ => None,
        };
        value(a).is_some() && value(a) == value(b)
    }

    /// Reports a guard that reads values written by an earlier rule on its event: all guards are evaluated before any rule
    /// runs.
    pub fn guard_order(&mut self) {
        let rs = self.rs;
        let mut groups: HashMap<Trigger, Vec<&Rule>> = HashMap::new();
        for rule in &rs.rules {
            groups.entry(rule.on).or_default().push(rule);
        }
        for rule in &rs.rules {
            let Some(guard) = rule.guard else { continue };
            let Some(group) = groups.get(&rule.on) else { continue };
            let earlier = group.iter().take(MOST).take_while(|r| r.func != rule.func);
            let reads = &self.reads[guard.at()];
            let Some(first) = earlier.into_iter().find(|r| reads.touched_by(&self.writes[r.func.at()])) else {
                continue;
            };
            let fields = &self.writes[first.func.at()].fields;
            let shared: Vec<&str> =
                reads.fields.iter().filter(|f| fields.contains(*f)).map(|f| rs.fields[f.at()].name.as_str()).collect();
            let what = if shared.is_empty() { "things".to_string() } else { format!("`{}`", shared.join("`, `")) };
            let message = format!("{} reads {what} from before {}", rule.name, first.name);
            let (here, there) = (self.span(rule.item), self.span(first.item));
            self.say_two(Code::GuardOrder, here, message, there, "runs before it");
        }
    }

    /// Reports a limit per phase on an action that can be available without that phase.
    pub fn limits(&mut self) {
        let rs = self.rs;
        for action in &rs.actions {
            for line in &action.header {
                let HeaderLine::Limit { times, per, .. } = line else { continue };
                if action.phases.contains(per) {
                    continue;
                }
                let phase = action.phases.first().map_or("its phase", |p| rs.phases[p.at()].name.as_str());
                let message = format!(
                    "{} is limited per {}, but {phase} can run without one: then the limit applies to the whole run",
                    action.name,
                    rs.phases[per.at()].name
                );
                self.say(Code::ScopeMaybe, times.span, message);
            }
        }
    }

    /// Reports a rule whose guard is the constant `no`.
    pub fn dead_rules(&mut self) {
        let rs = self.rs;
        for rule in &rs.rules {
            let Some(guard) = rule.guard else { continue };
            if let Body::Value(e) = &rs.functions[guard.at()].body
                && matches!(e.kind, ExprKind::Const(0))
            {
                self.say(Code::Dead, e.span, format!("{} can never apply: its condition is always false", rule.name));
            }
        }
    }
}
