//! Determines the execution order of rules: file order, with the rules of traits after the plain ones. `before` and
//! `after` move a rule.

use super::Declarer;
use crate::index::Means;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, ItemKind, Name, TraitMemberKind};
use std::collections::{HashMap, HashSet};

/// A `before` or `after` of a rule.
struct OrderConstraint<'a> {
    rule: usize,
    before: bool,
    of: &'a Name,
    target: usize,
}

impl<'a> Declarer<'a, '_> {
    /// Sorts the rules into execution order.
    pub fn order_rules(&mut self) {
        let (plain, of_traits): (Vec<usize>, Vec<usize>) =
            (0..self.c.rs.rules.len()).partition(|&at| self.c.rs.rules[at].of_trait.is_none());
        let constraints = self.constraints();
        let moved: HashSet<usize> = constraints.iter().map(|w| w.rule).collect();
        let mut order: Vec<usize> = plain.into_iter().chain(of_traits).filter(|r| !moved.contains(r)).collect();
        let mut open: Vec<OrderConstraint> = constraints;
        let mut following: HashMap<usize, usize> = HashMap::new();
        loop {
            let before = open.len();
            open.retain(|constraint| {
                let Some(at) = order.iter().position(|r| *r == constraint.target) else { return true };
                let at = if constraint.before {
                    at
                } else {
                    let behind = following.entry(constraint.target).or_default();
                    *behind += 1;
                    at + *behind
                };
                order.insert(at.min(order.len()), constraint.rule);
                false
            });
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        self.say_circle(&open);
        order.extend(open.iter().map(|w| w.rule));
        self.apply_order(&order);
    }

    /// Returns every `before` and `after` whose target exists.
    fn constraints(&mut self) -> Vec<OrderConstraint<'a>> {
        let mut found = Vec::new();
        let items = self.items;
        for item in items {
            match &item.kind {
                ItemKind::Rule(r) => found.extend(self.constraint(r)),
                ItemKind::Trait(t) => {
                    for member in &t.members {
                        if let TraitMemberKind::Rule(r) = &member.kind {
                            found.extend(self.constraint(r));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn constraint(&mut self, rule: &'a tree::Rule) -> Option<OrderConstraint<'a>> {
        let (before, of) = rule.order.as_ref()?;
        let own = self.c.rs.names.rules.get(&rule.name.text)?.at();
        let Some(target) = self.c.rs.names.rules.get(&of.text) else {
            let near = did_you_mean(&of.text, self.c.rs.names.rules.keys().map(String::as_str));
            return self.wrong(Code::UnknownName, of.span, format!("there is no rule `{}`{near}", of.text));
        };
        let target = target.at();
        let item = self.c.rs.rules[target].item;
        self.c.means(of.span, || Means::Item(item));
        Some(OrderConstraint { rule: own, before: *before, of, target })
    }

    fn say_circle(&mut self, open: &[OrderConstraint]) {
        let Some(first) = open.first() else { return };
        let names: Vec<&str> = open.iter().map(|w| self.c.rs.rules[w.rule].name.as_str()).collect();
        let message = match names.as_slice() {
            [one] => format!("`{one}` cannot run before or after itself"),
            several => format!("these rules must each run before or after the other: {}", several.join(", ")),
        };
        let other: Span = open.last().map_or(first.of.span, |w| w.of.span);
        if other == first.of.span {
            self.say(Code::Order, first.of.span, message);
        } else {
            self.say_two(Code::Order, first.of.span, message, other, "and here");
        }
    }

    fn apply_order(&mut self, order: &[usize]) {
        let mut old: Vec<Option<_>> = std::mem::take(&mut self.c.rs.rules).into_iter().map(Some).collect();
        self.c.rs.rules = order.iter().filter_map(|at| old.get_mut(*at).and_then(Option::take)).collect();
        let rs = &mut self.c.rs;
        for (at, rule) in rs.schema.rules.iter().enumerate() {
            rs.names.rules.insert(rule.name.clone(), RuleId::from(at));
        }
    }
}
