//! Checks decisions: choices among things, options or actions, and yes-or-no questions.

use super::super::checker::ScopeSort;
use super::super::code::{ChoiceOption, Choose, Collection, Expr, Prefer, StmtKind};
use super::body::BodyChecker;
use super::matches::ids;
use crate::ruleset::SiteSort;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};
use grognard_syntax::tree::{self, Name, Preferred, StmtKind as TreeStmt};

impl BodyChecker<'_, '_> {
    /// Checks the `by` of a decision or roll.
    pub fn decider(&mut self, by: Option<&tree::Expr>) -> Option<Expr> {
        by.map(|by| self.thing(by))
    }

    /// Checks the statement `choose n in XS` or `choose a .. b of n in XS` and translates it to typed code.
    pub fn choose(&mut self, s: &tree::Stmt) -> Option<Choose> {
        let TreeStmt::Choose { from, .. } = &s.kind else { return None };
        let (from, ty) = self.collection(from, None);
        self.choose_from(s, from, ty)
    }

    /// Checks a choice with known candidates.
    pub fn choose_from(&mut self, s: &tree::Stmt, from: Collection, ty: Type) -> Option<Choose> {
        let TreeStmt::Choose { name, amount, by, filter, or_none, prefer, .. } = &s.kind else { return None };
        let by = self.decider(by.as_ref());
        let amount = amount.as_ref().map(|a| self.amount(a));
        let subset = amount.is_some();
        if subset && *or_none {
            let help = "start the amount at 0";
            self.say_help(Code::WrongType, s.span, "a subset cannot have `or none`", help);
        }
        self.fits_amount(prefer.as_ref(), subset, s.span);
        let optional = *or_none && !subset;
        let answer = if optional { ty.clone().optional() } else { ty.clone() };
        let sort = if subset { SiteSort::Subset } else { SiteSort::Choose };
        let site = self.site(&name.text, sort, answer.clone(), s.span);
        let entry = self.fresh(name, answer.clone());
        self.site_entry(site, entry, answer.clone(), None);
        let (filter, prefer) = self.candidate(name, entry, &ty, &answer, filter.as_ref(), prefer.as_ref());
        let held = if subset { ty.list() } else { answer };
        let local = self.bind(name, held, false);
        if let Some((low, high)) = &amount {
            let size = self.amount_range(low, high.as_ref());
            self.sizes.insert(local, size);
        } else if let Collection::List(list) = &from {
            self.follow(list, local);
        }
        Some(Choose { site, local, entry, amount, by, from, filter, or_none: optional, prefer })
    }

    /// Checks that `prefer all when` belongs to a choice of several and `prefer none when` to a choice of one.
    fn fits_amount(&mut self, prefer: Option<&tree::Prefer>, subset: bool, span: Span) {
        match prefer {
            Some(tree::Prefer::When { which: Preferred::Every, .. }) if !subset => {
                let help = "write `prefer when`, or give an amount: `choose 0 .. of xs in XS prefer all when ..`";
                self.say_help(
                    Code::WrongType,
                    span,
                    "`prefer all` applies to a choice of several, and this is a choice of one",
                    help,
                );
            }
            Some(tree::Prefer::When { which: Preferred::Nobody, .. }) if subset => {
                let help = "write `prefer when`: it takes every candidate for which the condition is true, up to the \
                            maximum";
                self.say_help(
                    Code::WrongType,
                    span,
                    "`prefer none` applies to a choice of one, and this is a choice of several",
                    help,
                );
            }
            _ => {}
        }
    }

    /// Checks the filter and the preference of a candidate. It is present in the filter and can be missing in `prefer`.
    fn candidate(
        &mut self,
        name: &Name,
        entry: LocalId,
        there: &Type,
        answer: &Type,
        filter: Option<&tree::Expr>,
        prefer: Option<&tree::Prefer>,
    ) -> (Option<Expr>, Option<Prefer>) {
        let mark = self.mark();
        self.show(name, entry, there.clone(), false);
        let filter = filter.map(|f| self.condition(f));
        let prefer = prefer.map(|p| match p {
            tree::Prefer::When { which, condition } => Prefer::When { which: *which, condition: self.flag(condition) },
            tree::Prefer::Extreme { most, by } => {
                if let Some(seen) = self.names.iter_mut().rev().find(|s| s.local == entry) {
                    seen.ty = answer.clone();
                }
                self.candidate = Some(entry);
                let by = self.key(by);
                self.candidate = None;
                Prefer::Extreme { most: *most, by }
            }
        });
        self.leave(mark);
        (filter, prefer)
    }

    /// Checks the statement `choose n { options }` and translates it to typed code.
    pub fn choose_option(&mut self, name: &Name, by: Option<&tree::Expr>, options: &[tree::ChoiceOption]) -> StmtKind {
        let by = self.decider(by);
        let site = self.site(&name.text, SiteSort::Option, Type::INT, name.span);
        self.ck.rs.sites[site.at()].options = options.iter().map(|o| o.name.text.clone()).collect();
        let mut made = Vec::new();
        for (at, option) in options.iter().enumerate() {
            if let Some(first) = options[..at].iter().find(|o| o.name.text == option.name.text) {
                let message = format!("the option `{}` is listed twice", option.name.text);
                self.report(
                    Diagnostic::new(Code::Twice, option.name.span, message).and(first.name.span, "first used here"),
                );
            }
            let taken = |o: &&tree::ChoiceOption| o.when.is_none() && matches!(o.prefer, Some(None));
            if option.prefer.is_some()
                && let Some(first) = options[..at].iter().find(taken)
            {
                let message =
                    format!("this option is never preferred: `{}` above is preferred in every case", first.name.text);
                let help = "add a condition to the first: `prefer when ..`";
                self.say_help(Code::Dead, option.name.span, message, help);
            }
            made.push(self.option(option));
        }
        StmtKind::ChooseOption { site, by, options: made }
    }

    fn option(&mut self, option: &tree::ChoiceOption) -> ChoiceOption {
        let mark = self.mark();
        let when = option.when.as_ref().map(|w| self.condition(w));
        let prefer = option.prefer.as_ref().map(|p| p.as_ref().map(|c| self.flag(c)));
        let body = self.body(&option.body, &option.cites);
        self.leave(mark);
        let (name, cites, span) = (option.name.text.clone(), ids(&option.cites), option.span);
        ChoiceOption { name, when, prefer, body, cites, span }
    }

    /// Checks the statement `may n when C { .. }` and translates it to typed code.
    pub fn may(
        &mut self,
        name: &Name,
        by: Option<&tree::Expr>,
        when: Option<&tree::Expr>,
        prefer: Option<&tree::Expr>,
        body: &tree::Block,
    ) -> StmtKind {
        let by = self.decider(by);
        let site = self.site(&name.text, SiteSort::May, Type::Flag, name.span);
        let mark = self.mark();
        let when = when.map(|w| self.condition(w));
        let prefer = prefer.map(|p| self.flag(p));
        let body = self.stmts(&body.stmts);
        self.leave(mark);
        StmtKind::May { site, by, when, prefer, body }
    }

    /// Checks the statement `choose action by x or stop when C` and translates it to typed code.
    pub fn choose_action(
        &mut self,
        by: Option<&tree::Expr>,
        or_stop: bool,
        stop_when: Option<&tree::Expr>,
        span: Span,
    ) -> Option<StmtKind> {
        self.writes(span, "opens an action")?;
        if !matches!(self.scope.sort, ScopeSort::Phase(_)) {
            let help = "move it to the phase that the actions belong to";
            return self.wrong_help(
                Code::Scope,
                span,
                "`choose action` must be in a phase: its actions are the menu",
                help,
            );
        }
        let by = self.decider(by);
        let stop_when = stop_when.map(|w| self.flag(w));
        let site = self.site("action", SiteSort::Menu, Type::INT, span);
        self.may_stop |= or_stop;
        Some(StmtKind::ChooseAction { site, by, or_stop, stop_when })
    }
}
