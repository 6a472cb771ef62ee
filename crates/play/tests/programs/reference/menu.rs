//! Runs menus of actions.

use super::path::Step;
use super::value::V;
use super::world::{Decisions, Exit, Frame, Res, Running, World};
use grognard_syntax::tree::*;

/// Instance of an action: its choices, its costs, and the limits that count it.
struct Instance<'b> {
    action: &'b Action,
    vars: Vec<(String, V)>,
    costs: Vec<(String, i64)>,
    uses: Vec<(usize, u64, V)>,
}

fn is_head(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Choose { amount, .. } => amount.is_none(),
        StmtKind::Let { value, .. } => matches!(value, LetSource::Value(_)),
        StmtKind::Needs { .. } | StmtKind::Limit { .. } | StmtKind::Cost { .. } => true,
        _ => false,
    }
}

impl<'b> World<'b> {
    /// Offers the instances of the actions of the innermost running phase.
    pub fn choose_action(&mut self, frame: &mut Frame, by: Option<&Expr>, stops: bool) -> Res<()> {
        let decisions = self.decider(frame, by)?;
        let book = self.book;
        let phase = self.running.iter().rev().find(|r| !r.action).expect("a phase");
        let (phase, first) = (phase.name.clone(), phase.vars.first().map(|(_, v)| v.clone()));
        let mut offered: Vec<Instance<'b>> = Vec::new();
        for action in book.actions.iter().filter(|a| a.phases.iter().any(|p| p.text == phase)) {
            let lines: Vec<&'b Stmt> = action.body.stmts.iter().take_while(|s| is_head(s)).collect();
            let start = Instance { action, vars: Vec::new(), costs: Vec::new(), uses: Vec::new() };
            self.fill(start, &lines, 0, first.as_ref(), &mut offered)?;
        }
        let entries = offered.len() + usize::from(stops);
        if entries == 0 {
            return Err(Exit::Fault("R0901"));
        }
        let pick = if entries == 1 {
            0
        } else if decisions == Decisions::Random {
            let pick = self.path.pick(&vec![1; entries]);
            self.path.steps.push(if pick == offered.len() { Step::Stop } else { Step::Pick(pick) });
            pick
        } else {
            self.path.steps.push(Step::Preferred);
            let policy = if let Decisions::Policy(policy) = &decisions { Some(policy) } else { None };
            let advised = policy.map_or(Ok(None), |policy| self.advised_action(policy, &offered, stops))?;
            advised.unwrap_or(0)
        };
        if pick == offered.len() {
            self.log.push(format!("action {} stop", self.asked));
            return Err(Exit::Stop);
        }
        let instance = offered.swap_remove(pick);
        self.take(instance, first, &phase)
    }

    /// Returns the entry that a policy takes. A policy that names actions takes no others.
    fn advised_action(&mut self, policy: &str, offered: &[Instance<'b>], stops: bool) -> Res<Option<usize>> {
        let mut speaks = false;
        for entry in self.book.policies[policy].iter().filter(|e| e.choice.text == "action") {
            speaks = true;
            for preference in &entry.prefs {
                if let Answer::Stop(_) = preference.answer
                    && stops
                    && self.holds(&mut Frame::default(), preference.when.as_ref())?
                {
                    return Ok(Some(offered.len()));
                }
                let Answer::Value(Expr { kind: ExprKind::Upper(action), .. }) = &preference.answer else { continue };
                for (at, instance) in offered.iter().enumerate().filter(|(_, i)| i.action.name.text == *action) {
                    let mut frame = Frame { env: instance.vars.clone(), ..Frame::default() };
                    if self.holds(&mut frame, preference.when.as_ref())? {
                        return Ok(Some(at));
                    }
                }
            }
        }
        Ok((speaks && stops).then_some(offered.len()))
    }

    fn actor(&self, action: &Action, vars: &[(String, V)], first: Option<&V>) -> Option<V> {
        match &action.by {
            Some(by) => vars.iter().find(|(n, _)| *n == by.text).map(|(_, v)| v.clone()),
            None => first.cloned(),
        }
    }

    fn fill(
        &mut self,
        mut so_far: Instance<'b>,
        lines: &[&'b Stmt],
        at: usize,
        first: Option<&V>,
        offered: &mut Vec<Instance<'b>>,
    ) -> Res<()> {
        let mut frame = Frame { env: so_far.vars.clone(), ..Frame::default() };
        let Some(line) = lines.get(at) else {
            if let Some(V::Thing(actor)) = self.actor(so_far.action, &so_far.vars, first)
                && self.forbidden(actor, &so_far.action.name.text)?
            {
                return Ok(());
            }
            offered.push(so_far);
            return Ok(());
        };
        match &line.kind {
            StmtKind::Choose { name, from, filter, or_none, .. } => {
                let (_, entries) = self.candidates(&mut frame, &name.text, from, filter.as_ref())?;
                let none = or_none.then_some(V::None);
                for entry in none.into_iter().chain(entries) {
                    let mut vars = so_far.vars.clone();
                    vars.push((name.text.clone(), entry));
                    let (costs, uses) = (so_far.costs.clone(), so_far.uses.clone());
                    self.fill(Instance { action: so_far.action, vars, costs, uses }, lines, at + 1, first, offered)?;
                }
                return Ok(());
            }
            StmtKind::Let { names, value: LetSource::Value(value), .. } => {
                let value = self.eval(&mut frame, value)?;
                so_far.vars.push((names[0].text.clone(), value));
            }
            StmtKind::Needs { condition, .. } => {
                if !self.eval(&mut frame, condition)?.flag() {
                    return Ok(());
                }
            }
            StmtKind::Cost { amount, of } => {
                let amount = self.eval(&mut frame, amount)?.int();
                if amount < 0 {
                    return Err(Exit::Fault("R0905"));
                }
                let there = self.running.iter().rev().flat_map(|r| &r.vars).find(|(n, _)| *n == of.text);
                if there.expect("a shared variable").1.int() < amount {
                    return Ok(());
                }
                so_far.costs.push((of.text.clone(), amount));
            }
            StmtKind::Limit { times, per, key, when } => {
                if self.holds(&mut frame, when.as_ref())? {
                    let times = self.eval(&mut frame, times)?.int();
                    let key = match key {
                        Some(key) => self.eval(&mut frame, key)?,
                        None => self.actor(so_far.action, &so_far.vars, first).unwrap_or(V::None),
                    };
                    let since = self.running.iter().rev().find(|r| r.name == per.text).map_or(0, |r| r.id);
                    let name = &so_far.action.name.text;
                    let used = self.uses.iter().filter(|u| (u.0, &u.1, u.2, &u.3) == (since, name, at, &key)).count();
                    if used as i64 >= times {
                        return Ok(());
                    }
                    so_far.uses.push((at, since, key));
                }
            }
            other => panic!("{other:?} is no line of a head"),
        }
        self.fill(so_far, lines, at + 1, first, offered)
    }

    fn forbidden(&mut self, actor: usize, action: &str) -> Res<bool> {
        let kind = self.things[actor].kind.clone();
        for of in self.book.traits.iter().filter(|t| t.on.text == kind) {
            for member in &of.members {
                if let TraitMemberKind::Forbid { actions, when } = &member.kind
                    && actions.iter().any(|a| a.text == action)
                    && self.bears(actor, of)?
                    && self.holds(&mut Frame { me: Some(actor), ..Frame::default() }, when.as_ref())?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Runs an action in this order: cost, count, rules on its start, body, rules on its end.
    fn take(&mut self, of: Instance<'b>, first: Option<V>, phase: &str) -> Res<()> {
        let name = of.action.name.text.clone();
        let actor = self.actor(of.action, &of.vars, first.as_ref());
        let values: Vec<V> = of.vars.iter().map(|(_, v)| v.clone()).collect();
        self.log.push(format!("action {} {name} {}", self.asked, self.shown_all(&values)));
        for (var, amount) in &of.costs {
            self.pay(var, -amount);
        }
        for (line, since, key) in of.uses {
            self.uses.push((since, name.clone(), line, key));
        }
        self.ids += 1;
        let mut vars = of.vars.clone();
        vars.extend(of.costs.into_iter().map(|(var, amount)| (format!("cost {var}"), V::Int(amount))));
        let running =
            Running { id: self.ids, name: name.clone(), action: true, ending: false, actor: actor.clone(), vars };
        self.running.push(running);
        let at = self.running.len() - 1;
        let subject = if let Some(V::Thing(n)) = actor { Some(n) } else { None };
        let mut frame = Frame { env: of.vars, who: name.clone(), subject, ..Frame::default() };
        let within = |p: &Option<Name>| p.as_ref().is_none_or(|p| p.text == phase);
        let starts = |on: &Trigger| match on {
            Trigger::StartOf(a) => a.text == name,
            Trigger::StartOfAction(p) => within(p),
            _ => false,
        };
        let ends = |on: &Trigger| match on {
            Trigger::EndOf(a) => a.text == name,
            Trigger::EndOfAction(p) => within(p),
            _ => false,
        };
        let head = of.action.body.stmts.iter().take_while(|s| is_head(s)).count();
        let started = self.fire(&starts, &V::Running(at));
        let done = started.and_then(|()| self.statements(&mut frame, &of.action.body.stmts[head..]));
        match done {
            Ok(()) | Err(Exit::Return(_) | Exit::Stop) => self.fire(&ends, &V::Running(at))?,
            Err(Exit::Cancel) => {}
            Err(other) => return Err(other),
        }
        self.running.truncate(at);
        Ok(())
    }

    fn pay(&mut self, var: &str, by: i64) {
        let vars = self.running.iter_mut().rev().flat_map(|r| &mut r.vars);
        for (_, value) in vars.filter(|(n, _)| n == var).take(1) {
            *value = V::Int(value.int() + by);
        }
    }

    /// Returns the cost of the running action.
    pub fn give_back(&mut self) {
        let action = self.running.iter().rev().find(|r| r.action).expect("an action");
        let costs: Vec<(String, i64)> =
            action.vars.iter().filter_map(|(n, v)| Some((n.strip_prefix("cost ")?.to_string(), v.int()))).collect();
        for (var, amount) in costs {
            self.pay(&var, amount);
        }
    }
}
