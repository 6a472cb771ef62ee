//! Finds the changes of a file: items, tables, types, and helpers for all finders.

mod expressions;
mod meaning;
mod patterns;
mod statements;

use super::{Mutation, MutationSort, exceptions, excuse};
use grognard_base::order;
use grognard_base::{FileId, Sources, Span};
use grognard_syntax::tree::*;
use meaning::Scene;

/// Returns every change of a file, in source order.
pub fn changes(file: &File, sources: &Sources) -> Vec<Mutation> {
    let Some(source) = sources.get(file.file) else { return Vec::new() };
    let mut finder = Finder { scene: Scene::of(file, &source.text), ..Finder::of(&source.text, file.file) };
    file.items.iter().for_each(|item| finder.item(item));
    let mut found = finder.found;
    exceptions::complete(file, sources, &mut found);
    order::sort_by_key(&mut found, |change| (change.edits.first().map(|(span, _)| *span), change.sort));
    found.dedup_by(|a, b| a.edits == b.edits);
    excuse::mark(file, source, &mut found);
    found
}

/// A walker over the syntax tree of a file.
pub(super) struct Finder<'t> {
    text: &'t str,
    whole: FileId,
    /// The current item.
    item: String,
    reached: Option<Span>,
    /// The clauses of the innermost element with citations.
    clauses: Vec<String>,
    scene: Scene,
    found: Vec<Mutation>,
}

impl<'t> Finder<'t> {
    /// Creates a walker over a text.
    pub fn of(text: &'t str, whole: FileId) -> Finder<'t> {
        let (item, clauses, scene, found) = (String::new(), Vec::new(), Scene::default(), Vec::new());
        Finder { text, item, reached: None, clauses, scene, found, whole }
    }

    /// Returns every change of an item.
    pub fn all(mut self, item: &Item) -> Vec<Mutation> {
        self.item(item);
        self.found
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.whole, start, end)
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn push(&mut self, sort: MutationSort, shown: Span, mut edits: Vec<(Span, String)>) {
        order::sort_by_key(&mut edits, |(span, _)| *span);
        edits.dedup();
        if edits.is_empty() || edits.iter().all(|(span, new)| self.slice(*span) == new) {
            return;
        }
        // a number says little without its line
        let shown = if self.slice(shown).chars().count() < 8 { self.lines(shown) } else { shown };
        self.found.push(Mutation {
            sort,
            edits,
            shown,
            item: self.item.clone(),
            reached: self.reached,
            clauses: self.clauses.clone(),
            excuse: None,
        });
    }

    /// Adds a change with one replacement.
    fn replace(&mut self, sort: MutationSort, shown: Span, span: Span, new: impl Into<String>) {
        self.push(sort, shown, vec![(span, new.into())]);
    }

    /// Returns the span of a word between two offsets.
    fn word(&self, from: u32, to: u32, word: &str) -> Option<Span> {
        let gap = self.text.get(from as usize..to as usize)?;
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let at = gap.match_indices(word).map(|(at, _)| at).find(|at| {
            let before = gap[..*at].chars().next_back().is_some_and(part);
            let behind = gap[at + word.len()..].chars().next().is_some_and(part);
            !word.chars().all(part) || !(before || behind)
        })?;
        Some(self.span(from as usize + at, from as usize + at + word.len()))
    }

    /// Replaces a word between two offsets.
    fn swap_word(&mut self, sort: MutationSort, shown: Span, gap: (u32, u32), words: (&str, &str)) {
        if let Some(span) = self.word(gap.0, gap.1, words.0) {
            self.replace(sort, shown, span, words.1);
        }
    }

    /// Adds a change that swaps two texts, unless they are equal.
    fn swap(&mut self, sort: MutationSort, shown: Span, a: Span, b: Span) {
        let (old, new) = (self.slice(a).to_string(), self.slice(b).to_string());
        if old != new {
            self.push(sort, shown, vec![(a, new), (b, old)]);
        }
    }

    /// Removes a clause: the word right before a value, and the value, as in `when C`, `where C`.
    fn drop_clause(&mut self, shown: Span, word: &str, value: &Expr) {
        let head = self.text.get(..value.span.start as usize).unwrap_or_default().trim_end();
        if let Some(head) = head.strip_suffix(word) {
            let start = head.trim_end_matches([' ', '\t', '\n']).len();
            let gone = self.span(start, value.span.end as usize);
            self.replace(MutationSort::Condition, shown, gone, "");
        }
    }

    /// Disables a line: sets its condition to `no`, or adds one at `at` if it has none.
    fn never(&mut self, shown: Span, when: Option<&Expr>, at: u32) {
        match when {
            Some(when) => self.replace(MutationSort::Line, shown, when.span, "no"),
            None => self.replace(MutationSort::Line, shown, self.span(at as usize, at as usize), " when no"),
        }
    }

    /// Removes an optional condition with its word, and changes its parts.
    fn clause(&mut self, shown: Span, word: &str, value: Option<&Expr>) {
        if let Some(value) = value {
            self.drop_clause(shown, word, value);
            self.expr(value);
        }
    }

    /// Calls `then` with the clauses of an element that has citations.
    fn under(&mut self, cites: &[ClauseRef], then: impl FnOnce(&mut Self)) {
        if cites.is_empty() {
            return then(self);
        }
        let outer = std::mem::replace(&mut self.clauses, cites.iter().map(|c| c.text.clone()).collect());
        then(self);
        self.clauses = outer;
    }

    /// Starts an item: its keyword and name, and whether only code that reaches it can be affected.
    fn begin(&mut self, word: &str, name: &Name, of_code: bool) {
        self.with(&[]);
        self.item = format!("{word} {}", name.text);
        self.reached = of_code.then_some(name.span);
    }

    fn item(&mut self, item: &Item) {
        self.clauses.clear();
        self.under(&item.cites, |f| f.declared(item));
    }

    fn declared(&mut self, item: &Item) {
        let whole = item.span;
        match &item.kind {
            ItemKind::Param(param) => {
                self.begin("param", &param.name, true);
                let before = self.found.len();
                self.expr(&param.value);
                self.found[before..].iter_mut().for_each(|change| change.sort = MutationSort::Default);
                if before == self.found.len()
                    && let Some(other) = param.sweep.iter().find(|r| self.slice(r.span) != self.slice(param.value.span))
                {
                    self.replace(MutationSort::Default, param.value.span, param.value.span, self.slice(other.low.span));
                }
            }
            ItemKind::Reading(reading) => {
                self.begin("reading", &reading.name, true);
                let places: Vec<Span> = reading.alternatives.iter().map(|a| a.value.span).collect();
                if let [first, others @ ..] = places.as_slice() {
                    for other in others {
                        self.swap(MutationSort::Default, first.to(*other), *first, *other);
                    }
                }
            }
            ItemKind::SetCell { table, value, .. } => {
                self.begin("table", table, true);
                self.expr(value);
            }
            ItemKind::Enum(found) => {
                self.begin("enum", &found.name, false);
                if found.ordered {
                    for pair in found.cases.windows(2) {
                        self.swap(MutationSort::Order, pair[0].span.to(pair[1].span), pair[0].span, pair[1].span);
                    }
                }
            }
            ItemKind::Die { name, sides, .. } => {
                self.begin("die", name, false);
                for side in sides {
                    if let DieFace::Number(number) = &side.face {
                        let end = side.span.end as usize;
                        let start = self
                            .slice(side.span)
                            .rfind([' ', '-'])
                            .map_or(side.span.start as usize, |at| side.span.start as usize + at + 1);
                        self.number(MutationSort::Number, self.span(start, end), number);
                    }
                }
            }
            ItemKind::Kind(kind) => self.members(&kind.name, &kind.members),
            ItemKind::ExtendKind { name, members } => self.members(name, members),
            ItemKind::State(slot) => {
                self.begin("state", &slot.name, false);
                self.slot(slot);
            }
            ItemKind::Record { name, fields, .. } | ItemKind::Event { name, fields, .. } => {
                self.begin("record", name, false);
                self.formals(fields);
            }
            ItemKind::Let(found) => {
                self.begin("let", &found.name, true);
                if let Some(of) = &found.of {
                    self.item = format!("let {}.{}", of.text, found.name.text);
                }
                self.derived(found);
            }
            ItemKind::Table(table) => {
                self.begin("table", &table.name, true);
                self.formals(&table.keys);
                self.ranged(&table.ty);
                self.table(table);
            }
            ItemKind::Trait(found) => self.special(found),
            ItemKind::Test(test) => {
                self.begin("test", &test.name, true);
                self.with(&[&test.params]);
                self.formals(&test.params);
                self.block(&test.body);
            }
            ItemKind::Proc(proc) => {
                self.begin("proc", &proc.name, true);
                self.with(&[&proc.params]);
                self.formals(&proc.params);
                proc.result.iter().for_each(|ty| self.ranged(ty));
                if let Some(body) = &proc.body {
                    if proc.result.is_none() {
                        self.emptied(whole, &body.stmts);
                    }
                    self.block(body);
                }
            }
            ItemKind::Phase(phase) => {
                self.begin("phase", &phase.name, true);
                self.with(&[&phase.params, &phase.shares]);
                self.formals(&phase.params);
                self.formals(&phase.shares);
                if let Some(body) = &phase.body {
                    self.emptied(whole, &body.stmts);
                    self.block(body);
                }
            }
            ItemKind::Action(action) => {
                self.begin("action", &action.name, true);
                let head = |s: &&Stmt| {
                    use StmtKind::{Choose, Cost, Let, Limit, Needs};
                    let value =
                        |s: &StmtKind| matches!(s, Let { value: grognard_syntax::tree::LetSource::Value(_), .. });
                    matches!(s.kind, Cost { .. } | Needs { .. } | Limit { .. } | Choose { .. }) || value(&s.kind)
                };
                let at = action.body.stmts.iter().take_while(head).count();
                self.emptied(whole, &action.body.stmts[at..]);
                self.block(&action.body);
            }
            ItemKind::Rule(rule) => self.rule(rule, whole),
            ItemKind::Law { name, holds, .. } => {
                self.begin("law", name, false);
                self.expr(holds);
            }
            ItemKind::Policy { name, entries, .. } => {
                self.begin("policy", name, false);
                for pref in entries.iter().flat_map(|e| &e.prefs) {
                    self.clause(pref.span, "when", pref.when.as_ref());
                    self.answer(pref.span, &pref.answer);
                }
                for pair in entries.iter().flat_map(|e| e.prefs.windows(2)) {
                    self.swap(MutationSort::Rows, pair[0].span.to(pair[1].span), pair[0].span, pair[1].span);
                }
            }
            ItemKind::Section(_)
            | ItemKind::Clause(_)
            | ItemKind::SetReading { .. }
            | ItemKind::Chain { .. }
            | ItemKind::Tally { .. } => {}
            ItemKind::Example(_) | ItemKind::Change(_) | ItemKind::Remove { .. } => {}
        }
    }

    fn answer(&mut self, shown: Span, answer: &Answer) {
        if let Answer::Extreme { most, by } = answer {
            self.extreme(shown, *most, shown.start, by);
            self.expr(by);
        }
    }

    /// Swaps `most` and `least` before a key.
    fn extreme(&mut self, shown: Span, most: bool, from: u32, by: &Expr) {
        let words = if most { ("most", "least") } else { ("least", "most") };
        self.swap_word(MutationSort::Word, shown, (from, by.span.start), words);
    }

    fn rule(&mut self, rule: &Rule, whole: Span) {
        self.begin("rule", &rule.name, true);
        let head = self.span(whole.start as usize, rule.body.span.start as usize);
        self.clause(head, "when", rule.when.as_ref());
        self.emptied(whole, &rule.body.stmts);
        self.block(&rule.body);
    }

    fn special(&mut self, found: &Trait) {
        let word = found.sort.word();
        self.begin(word, &found.name, false);
        match &found.when {
            Some(when) if found.sort == TraitSort::Condition => self.expr(when),
            when => when.iter().for_each(|when| self.clause(when.span, "when", Some(when))),
        }
        for member in &found.members {
            self.under(&member.cites, |f| f.change_of(member, &found.name));
            self.begin(word, &found.name, false);
        }
    }

    fn change_of(&mut self, member: &TraitMember, of: &Name) {
        let whole = member.span;
        match &member.kind {
            TraitMemberKind::Replace { value, when, .. } => {
                self.never(whole, when.as_ref(), value.span.end);
                self.clause(whole, "when", when.as_ref());
                self.expr(value);
            }
            TraitMemberKind::Modify { op, value, when, .. } => {
                self.never(whole, when.as_ref(), value.span.end);
                self.clause(whole, "when", when.as_ref());
                let gap = (whole.start, value.span.start);
                match op {
                    ModifyOp::Add => self.assign(whole, SetOp::Add, gap),
                    ModifyOp::Sub => self.assign(whole, SetOp::Sub, gap),
                    ModifyOp::Times(_) | ModifyOp::AtMost | ModifyOp::AtLeast => {}
                }
                self.expr(value);
            }
            TraitMemberKind::Forbid { actions, when } => {
                self.never(whole, when.as_ref(), actions.last().map_or(whole.end, |name| name.span.end));
                self.clause(whole, "when", when.as_ref());
            }
            TraitMemberKind::Let(found) => self.derived(found),
            TraitMemberKind::Rule(rule) => {
                self.rule(rule, whole);
                self.item = format!("rule {}.{}", of.text, rule.name.text);
            }
        }
    }

    fn members(&mut self, of: &Name, members: &[Member]) {
        for member in members {
            self.under(&member.cites, |f| {
                let (word, name) = match &member.kind {
                    MemberKind::Stat(slot) => ("stat", &slot.name),
                    MemberKind::State(slot) => ("state", &slot.name),
                    MemberKind::Let(found) => ("let", &found.name),
                    MemberKind::Owner(name) | MemberKind::Link { name, .. } => ("link", name),
                };
                f.begin(word, name, matches!(member.kind, MemberKind::Let(_)));
                f.item = format!("{word} {}.{}", of.text, name.text);
                match &member.kind {
                    MemberKind::Stat(slot) => {
                        f.ranged(&slot.ty);
                        slot.default.iter().for_each(|value| f.expr(value));
                    }
                    MemberKind::State(slot) => f.slot(slot),
                    MemberKind::Let(found) => f.derived(found),
                    MemberKind::Owner(_) | MemberKind::Link { .. } => {}
                }
            });
        }
    }

    fn slot(&mut self, slot: &Slot) {
        self.cut_to(&slot.ty);
        slot.default.iter().for_each(|value| self.expr(value));
    }

    fn derived(&mut self, found: &Let) {
        found.params.iter().for_each(|params| self.formals(params));
        found.ty.iter().for_each(|ty| self.ranged(ty));
        found.value.iter().for_each(|value| self.expr(value));
    }

    fn formals(&mut self, formals: &[Formal]) {
        for formal in formals {
            formal.ty.iter().for_each(|ty| self.ranged(ty));
            formal.default.iter().for_each(|value| self.expr(value));
        }
    }

    /// Changes the ends of a range to which values are clamped.
    fn cut_to(&mut self, ty: &TypeExpr) {
        self.ends(ty, &[1, -1], &[1, -1]);
    }

    /// Changes the ends of a range that is only checked. A wider range admits only values that do not occur, so no test
    /// could notice it.
    fn ranged(&mut self, ty: &TypeExpr) {
        self.ends(ty, &[1], &[-1]);
    }

    /// Changes the low end of a range by each number in `low_by`, and the high end by each number in `high_by`.
    fn ends(&mut self, ty: &TypeExpr, low_by: &[i64], high_by: &[i64]) {
        let TypeExprKind::Bounded { low, high } = &ty.kind else { return };
        for (end, by) in [(Some(low), low_by), (high.as_ref(), high_by)] {
            let Some((end, ExprKind::Number(number))) = end.map(|end| (end, &end.kind)) else { continue };
            for new in by.iter().filter_map(|by| expressions::written(number, *by)) {
                self.replace(MutationSort::Range, ty.span, end.span, new);
            }
        }
    }
}
