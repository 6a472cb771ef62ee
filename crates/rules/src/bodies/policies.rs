//! Checks policies: the preferences of a side, in the scope of each decision.

use super::super::checker::Checker;
use super::body::{BodyChecker, NameInScope};
use crate::index::Means;
use crate::ruleset::{Action, HeaderLine, PolicyAnswer, PolicyEntry, PolicySite, SiteSort};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span, did_you_mean};
use grognard_syntax::tree::{self, Answer, ExprKind as Tree, Preference};

impl Checker<'_> {
    /// Fills the entries of a policy: one for each preference and each site with its name.
    pub fn policy(&mut self, id: PolicyId, entries: &[tree::PolicyEntry]) {
        self.ensure_all();
        let mut made = Vec::new();
        for entry in entries {
            if entry.choice.text == "action" {
                self.menu_entries(entry, &mut made);
            } else {
                self.site_entries(entry, &mut made);
            }
        }
        self.rs.policies[id.at()].entries = made;
    }

    fn say_once(&mut self, code: Code, span: Span, message: String) {
        if self.notes.said.insert((code, Some(span))) {
            self.say(code, span, message);
        }
    }

    /// Checks the policy entry `action = X when C, stop` and translates it to typed code.
    fn menu_entries(&mut self, entry: &tree::PolicyEntry, made: &mut Vec<PolicyEntry>) {
        for pref in &entry.prefs {
            let (answer, when) = match &pref.answer {
                Answer::Stop(_) => (PolicyAnswer::Stop, None),
                Answer::Value(tree::Expr { kind: Tree::Upper(name), span }) => {
                    let Some(&action) = self.rs.names.actions.get(name) else {
                        let near = did_you_mean(name, self.rs.names.actions.keys().map(String::as_str));
                        self.say_once(Code::UnknownName, *span, format!("there is no action `{name}`{near}"));
                        continue;
                    };
                    self.means(*span, || Means::Action(action));
                    (PolicyAnswer::Action(action), pref.when.as_ref().map(|w| self.in_header(action, w)))
                }
                Answer::Value(_) | Answer::Extreme { .. } => {
                    let message = "answer an action menu with an action or `stop`".to_string();
                    self.say_once(Code::WrongType, pref.span, message);
                    continue;
                }
            };
            let earlier = |e: &&PolicyEntry| match (&e.answer, &answer) {
                (PolicyAnswer::Action(a), PolicyAnswer::Action(b)) => e.when.is_none() && a == b,
                _ => false,
            };
            if let (PolicyAnswer::Action(action), Some(_)) = (&answer, made.iter().find(earlier)) {
                let name = &self.rs.actions[action.at()].name;
                let message = format!("this entry is never used: an entry above it takes {name} in every case");
                self.say_once(Code::Dead, pref.span, message);
            }
            made.push(PolicyEntry { site: PolicySite::Menu, answer, when });
        }
    }

    /// Checks a condition in the scope of an action's header.
    fn in_header(&mut self, action: ActionId, when: &tree::Expr) -> super::super::code::Expr {
        let func = self.rs.actions[action.at()].func;
        let mut body = BodyChecker::reopen(
            self,
            func,
            super::notes::SiteNote {
                scope: Checker::bare_scope(super::super::checker::ScopeSort::Action(action)),
                names: Vec::new(),
                entry: None,
            },
        );
        body.scope.ambients = body.ck.header_ambients(action);
        body.names = body.header_names(action);
        let when = body.flag(when);
        body.put_back();
        when
    }

    /// Returns the variables of its phases that are in scope in the header of an action.
    fn header_ambients(&mut self, action: ActionId) -> Vec<(String, AmbientId)> {
        let phases = self.rs.actions[action.at()].phases.clone();
        let mut all: Vec<(String, AmbientId)> = Vec::new();
        let Some(first) = phases.first() else { return all };
        for mut outer in self.phase_outers(*first, None) {
            for other in &phases[1..] {
                let theirs = self.phase_outers(*other, None);
                match theirs.into_iter().find(|o| o.name == outer.name && o.ty == outer.ty) {
                    Some(same) => outer.cases.extend(same.cases),
                    None => outer.cases.clear(),
                }
            }
            if !outer.cases.is_empty() {
                let id = self.ambient(&outer);
                all.push((outer.name, id));
            }
        }
        all
    }

    /// Reports a policy entry for a name without a decision, with suggestions.
    fn no_decision(&mut self, name: &tree::Name, asks: impl Fn(SiteSort) -> bool) {
        let text = &name.text;
        let in_head = |action: &&Action| {
            let locals = &self.rs.functions[action.func.at()].locals;
            action
                .header
                .iter()
                .any(|line| matches!(line, HeaderLine::Choose { local, .. } if locals[local.at()].name == *text))
        };
        let (message, help) = if let Some(action) = self.rs.actions.iter().find(in_head) {
            let action = &action.name;
            let help = format!("use it in a condition of that action: `action = {action} when {text} ..`");
            (format!("`{text}` is chosen with the action {action}, and is not a separate decision"), help)
        } else {
            let mut known: Vec<&str> = self.rs.sites.iter().filter(|s| asks(s.sort)).map(|s| s.name.as_str()).collect();
            order::sort(&mut known);
            known.dedup();
            let near = did_you_mean(text, known.iter().copied());
            let all: String = known.iter().take(12).map(|name| format!(", `{name}`")).collect();
            let more = if known.len() > 12 { ", .." } else { "" };
            (format!("no decision is named `{text}`{near}"), format!("a policy answers `action`{all}{more}"))
        };
        if self.notes.said.insert((Code::UnknownName, Some(name.span))) {
            self.problems.push(Diagnostic::new(Code::UnknownName, name.span, message).help(help));
        }
    }

    fn site_entries(&mut self, entry: &tree::PolicyEntry, made: &mut Vec<PolicyEntry>) {
        let asks = |sort: SiteSort| match sort {
            SiteSort::Menu | SiteSort::Move => false,
            other => !other.is_chance(),
        };
        let name = &entry.choice;
        let sites: Vec<usize> = (0..self.rs.sites.len())
            .filter(|at| self.rs.sites[*at].name == name.text && asks(self.rs.sites[*at].sort))
            .collect();
        if sites.is_empty() {
            return self.no_decision(name, asks);
        }
        for site in sites {
            let (func, note) = (self.rs.sites[site].func, self.notes.sites[site].clone());
            let mut body = BodyChecker::reopen(self, func, note.clone());
            let mut entries = Vec::new();
            if let Some((local, ty, also)) = note.entry {
                let declared = body.locals.get(local.at()).map(|l| l.span).unwrap_or_default();
                body.ck.means(name.span, || Means::Local(declared));
                let span = entry.choice.span;
                let named = |name| NameInScope { name, local, ty: ty.clone(), writable: false, span };
                entries = [Some(name.text.clone()), also].into_iter().flatten().map(named).collect();
            }
            for pref in &entry.prefs {
                let before = body.ck.problems.len();
                let when = pref.when.as_ref().map(|w| body.flag(w));
                // only a rank is computed for each entry of the menu; elsewhere the choice has no value yet
                let ranks = matches!(pref.answer, Answer::Extreme { .. });
                let known = body.names.len();
                body.names.extend(entries.iter().filter(|_| ranks).cloned());
                let answer = body.preference(SiteId::from(site), pref);
                body.names.truncate(known);
                for found in body.ck.problems[before..].iter_mut().filter(|found| found.code == Code::UnknownName) {
                    found.help = if ranks {
                        format!("use the name of the decision for the choice, as in `most {}.x`", name.text)
                    } else {
                        let name = &name.text;
                        format!(
                            "to pick by a condition, rank the choices: `{name} = most (if CONDITION then 1 else 0)`"
                        )
                    };
                }
                let Some(answer) = answer else { continue };
                made.push(PolicyEntry { site: PolicySite::Site(SiteId::from(site)), answer, when });
            }
            body.put_back();
        }
    }
}

impl BodyChecker<'_, '_> {
    /// Returns the choices and lets of an action's header as names in scope.
    fn header_names(&self, action: ActionId) -> Vec<NameInScope> {
        let header = &self.ck.rs.actions[action.at()].header;
        let locals = header.iter().filter_map(|line| match line {
            HeaderLine::Let { local, .. } | HeaderLine::Choose { local, .. } => Some(*local),
            HeaderLine::Late(_) | HeaderLine::Needs { .. } | HeaderLine::Cost { .. } | HeaderLine::Limit { .. } => None,
        });
        let seen = |local: LocalId| {
            let l = &self.locals[local.at()];
            NameInScope { name: l.name.clone(), local, ty: l.ty.clone(), writable: false, span: l.span }
        };
        locals.map(seen).collect()
    }

    /// Checks one preference for one site.
    fn preference(&mut self, site: SiteId, pref: &Preference) -> Option<PolicyAnswer> {
        let (sort, ty, name) = {
            let s = &self.ck.rs.sites[site.at()];
            (s.sort, s.ty.clone(), s.name.clone())
        };
        let entry = self.ck.notes.sites[site.at()].entry.clone();
        match (&pref.answer, sort) {
            (Answer::Stop(span), _) => self.no_answer(&name, "`stop` can only answer an action menu", *span),
            (Answer::Extreme { most, by }, SiteSort::Choose | SiteSort::Subset | SiteSort::Next) => {
                let by = self.key(by);
                let (local, _, _) = entry?;
                Some(PolicyAnswer::Extreme { most: *most, entry: local, by })
            }
            (Answer::Extreme { by, .. }, _) => self.no_answer(&name, "it has no values to rank", by.span),
            (Answer::Value(value), SiteSort::May) => match value.kind {
                Tree::Yes => Some(PolicyAnswer::Flag(true)),
                Tree::No => Some(PolicyAnswer::Flag(false)),
                _ => self.no_answer(&name, "answer it with `yes` or `no`", value.span),
            },
            (Answer::Value(value), SiteSort::Option) => self.option_answer(site, value).map(PolicyAnswer::Option),
            (Answer::Value(value), SiteSort::Choose) if matches!(value.kind, Tree::None) => {
                if !matches!(ty, Type::Optional(_)) {
                    return self.no_answer(&name, "`none` is not on the menu", value.span);
                }
                Some(PolicyAnswer::None)
            }
            (Answer::Value(value), SiteSort::Choose | SiteSort::Next) => {
                let value = self.want(value, ty.present());
                Some(PolicyAnswer::Value(value))
            }
            (Answer::Value(value), _) => self.no_answer(&name, "answer it with `most` or `least`", value.span),
        }
    }

    fn no_answer<T>(&mut self, name: &str, why: &str, span: Span) -> Option<T> {
        self.wrong(Code::WrongType, span, format!("this does not answer `{name}`: {why}"))
    }

    /// Returns the index of the option that a value names.
    pub fn option_answer(&mut self, site: SiteId, value: &tree::Expr) -> Option<usize> {
        let (options, name) = {
            let s = &self.ck.rs.sites[site.at()];
            (s.options.clone(), s.name.clone())
        };
        let Tree::Name(picked) = &value.kind else {
            return self.no_answer(&name, &format!("its options are {}", options.join(", ")), value.span);
        };
        let found = options.iter().position(|o| o == picked);
        if found.is_none() {
            let near = did_you_mean(picked, options.iter().map(String::as_str));
            self.say(Code::UnknownName, value.span, format!("`{name}` has no option `{picked}`{near}"));
        }
        found
    }
}
