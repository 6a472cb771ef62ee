//! Lowers traits, tests, procs, phases, actions and rules, including their open and extern forms.

use super::items::Declared;
use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;

impl Lower<'_> {
    pub fn trait_of(&self, sort: TraitSort, k: &mut Kids) -> Low<Trait> {
        let name = self.tname(k)?;
        let params = self.opt_params(k)?.unwrap_or_default();
        let title = self.title(k);
        k.skip(Rule::k_on);
        let on = self.tname(k)?;
        let when = self.opt_when(k)?;
        let members = match k.take(Rule::tbody) {
            Some(body) => body.into_inner().map(|p| self.trait_member(p)).collect::<Low<Vec<_>>>()?,
            None => Vec::new(),
        };
        Ok(Trait { sort, name, params, title, on, when, members })
    }

    fn trait_member(&self, pair: Pair) -> Low<TraitMember> {
        let end = pair.as_span().end();
        let mut kids = Kids::of(pair);
        let mut cites = self.above(&mut kids).unwrap_or_default();
        let inner = self.any(&mut kids, "a line of the trait")?;
        let span = self.span_at(inner.as_span().start(), end);
        let kind = match inner.as_rule() {
            Rule::rule_d => TraitMemberKind::Rule(self.rule(inner)?),
            Rule::let_d => TraitMemberKind::Let(self.let_of(inner)?),
            rule => self.trait_line(rule, inner)?,
        };
        cites.append(&mut self.cite(&mut kids));
        Ok(TraitMember { cites, kind, span })
    }

    fn trait_line(&self, rule: Rule, pair: Pair) -> Low<TraitMemberKind> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        if rule == Rule::forbid {
            let mut actions = vec![self.tname(k)?];
            while let Some(next) = self.opt_tname(k) {
                actions.push(next);
            }
            return Ok(TraitMemberKind::Forbid { actions, when: self.opt_when(k)? });
        }
        let name = self.name(k)?;
        if rule == Rule::modify {
            let (op, value) = self.modification(k)?;
            return Ok(TraitMemberKind::Modify { name, op, value, when: self.opt_when(k)?, over: self.opt_over(k)? });
        }
        let (params, value, when) = (self.opt_params(k)?, self.next_expr(k)?, self.opt_when(k)?);
        let over = self.opt_over(k)?;
        Ok(TraitMemberKind::Replace { name, params, value, when, over })
    }

    /// Lowers the operator and the value of a `modify`. `*= 1/2 rounded up` rounds the product, `*= (k / 2 rounded up)`
    /// the factor.
    fn modification(&self, k: &mut Kids) -> Low<(ModifyOp, Expr)> {
        let op = self.want(k, Rule::modify_op, "`+=`")?;
        let (op, value) = (op.as_str(), self.next_expr(k)?);
        Ok(match (op, value.kind) {
            ("*=", ExprKind::Rounded { value, to }) => (ModifyOp::Times(Some(to)), *value),
            (op, kind) => {
                let op = match op {
                    "*=" => ModifyOp::Times(None),
                    "+=" => ModifyOp::Add,
                    "-=" => ModifyOp::Sub,
                    band if band.ends_with("most") => ModifyOp::AtMost,
                    _ => ModifyOp::AtLeast,
                };
                (op, Expr { kind, span: value.span })
            }
        })
    }

    fn opt_over(&self, k: &mut Kids) -> Low<Option<Name>> {
        if k.skip(Rule::k_over) { self.tname(k).map(Some) } else { Ok(None) }
    }

    /// Lowers a test after its keyword.
    pub fn test(&self, k: &mut Kids, external: bool) -> Low<Test> {
        let name = self.tname(k)?;
        let params = self.opt_params(k)?.unwrap_or_default();
        let (grade, title) = (self.opt_tname(k), self.title(k));
        let gives = k.take(Rule::gives).map_or(Ok(Vec::new()), |p| self.formals(p))?;
        k.skip(Rule::k_default);
        Ok(Test { name, params, grade, title, gives, body: self.next_block(k)?, external })
    }

    /// Lowers a proc after its keyword.
    pub fn proc(&self, k: &mut Kids, external: bool) -> Low<Proc> {
        let name = self.name(k)?;
        let params = self.opt_params(k)?.unwrap_or_default();
        let (result, title) = (self.opt_type(k)?, self.title(k));
        k.skip(Rule::k_default);
        let body = k.take(Rule::block).map(|p| self.block(p)).transpose()?;
        Ok(Proc { name, params, result, title, body, external })
    }

    /// Lowers a phase after its keyword.
    pub fn phase(&self, k: &mut Kids) -> Low<Phase> {
        let name = self.tname(k)?;
        let params = self.opt_params(k)?.unwrap_or_default();
        let title = self.title(k);
        let shares = k.take(Rule::shares).map_or(Ok(Vec::new()), |p| self.formals(p))?;
        let body = k.take(Rule::block).map(|p| self.block(p)).transpose()?;
        Ok(Phase { name, params, title, shares, body })
    }

    /// Lowers an action after its keyword.
    pub fn action(&self, k: &mut Kids) -> Low<Action> {
        let (name, title) = (self.tname(k)?, self.title(k));
        k.skip(Rule::k_in);
        let mut phases = vec![self.tname(k)?];
        while let Some(next) = self.opt_tname(k) {
            phases.push(next);
        }
        let by = if k.skip(Rule::k_by) { Some(self.name(k)?) } else { None };
        Ok(Action { name, title, phases, by, body: self.next_block(k)? })
    }

    pub fn rule(&self, pair: Pair) -> Low<Rule_> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        let (name, title) = (self.tname(k)?, self.title(k));
        let order = if k.skip(Rule::k_before) {
            Some((true, self.tname(k)?))
        } else if k.skip(Rule::k_after) {
            Some((false, self.tname(k)?))
        } else {
            None
        };
        k.skip(Rule::k_on);
        let on = self.want(k, Rule::trigger, "the event of the rule")?;
        let on = self.trigger(on)?;
        let bound = if k.skip(Rule::k_as) { Some(self.name(k)?) } else { None };
        let when = self.opt_when(k)?;
        Ok(Rule_ { name, title, order, on, bound, when, body: self.next_block(k)? })
    }

    fn trigger(&self, pair: Pair) -> Low<Trigger> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        if k.skip(Rule::k_destroy) {
            k.skip(Rule::k_of);
            return Ok(Trigger::DestroyOf(self.tname(k)?));
        }
        let start = k.skip(Rule::k_start);
        let end = !start && k.skip(Rule::k_end);
        k.skip(Rule::k_of);
        if k.skip(Rule::k_action) {
            k.skip(Rule::k_in);
            let within = self.opt_tname(k);
            return Ok(if start { Trigger::StartOfAction(within) } else { Trigger::EndOfAction(within) });
        }
        let name = self.tname(k)?;
        Ok(match (start, end) {
            (true, _) => Trigger::StartOf(name),
            (_, true) => Trigger::EndOf(name),
            _ => Trigger::Event(name),
        })
    }

    /// Lowers the declaration after `extern` or `open`, except events.
    pub fn extern_or_open(&self, pair: Pair) -> Low<Declared> {
        let rule = pair.as_rule();
        let start = pair.as_span().start();
        if matches!(rule, Rule::extern_let | Rule::open_let) {
            return Ok((ItemKind::Let(self.let_of(pair)?), Vec::new()));
        }
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        let kind = match rule {
            Rule::extern_test => ItemKind::Test(self.test(k, true)?),
            Rule::extern_proc => ItemKind::Proc(self.proc(k, true)?),
            Rule::open_proc => ItemKind::Proc(self.proc(k, false)?),
            Rule::open_phase => ItemKind::Phase(self.phase(k)?),
            _ => return self.odd(start, "an item"),
        };
        Ok((kind, Vec::new()))
    }
}

/// The rule of the syntax tree. The name `Rule` is that of the parser's rules.
use crate::tree::Rule as Rule_;
