//! Reports values that a body computes and never reads (variables, rolls, parameters, results), and rules that never
//! run.

use super::Audit;
use crate::code::{Body, Expr, ExprKind, Function, Stmt, StmtKind, Target};
use crate::reads::walk::{Node, walk_body, walk_expr};
use crate::ruleset::{AmbientCase, HeaderLine, Trigger, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use std::collections::HashSet;

/// Variables that a body declares, reads and sets.
#[derive(Default)]
struct BodyReads {
    /// Variables that are read.
    read: HashSet<LocalId>,
    /// Declared variables, each with the keyword that declares it.
    named: Vec<(LocalId, &'static str)>,
    /// First location that sets each variable.
    set: Vec<(LocalId, Span)>,
    /// Calls whose result is not used.
    dropped: Vec<(FuncId, Span)>,
    asks: bool,
}

impl Audit<'_> {
    /// Reports values that are never read.
    pub fn unread(&mut self) {
        if !self.rs.open.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for (id, function) in self.own_functions() {
            let seen = self.seen(id, function);
            let fields = if self.is_test(id) { top_level(&function.body) } else { HashSet::new() };
            let unread = |local: &LocalId| {
                let name = &function.locals[local.at()].name;
                !name.is_empty() && !seen.read.contains(local) && !fields.contains(local)
            };
            for (local, word) in seen.named.iter().filter(|(local, _)| unread(local)) {
                let data = &function.locals[local.at()];
                match seen.set.iter().find(|(of, _)| of == local) {
                    Some((_, span)) => found.push((*span, format!("`{}` is set and never read", data.name))),
                    None => found.push((data.span, format!("{word} `{}` is never read", data.name))),
                }
            }
            if self.has_own_params(id, function) {
                let skipped = usize::from(seen.asks || function.locals.first().is_some_and(|l| l.name == "self"));
                for at in (skipped..function.params).map(LocalId::from).filter(unread) {
                    let data = &function.locals[at.at()];
                    found.push((data.span, format!("parameter `{}` is never read", data.name)));
                }
            }
            for (func, span) in seen.dropped {
                let name = &self.rs.functions[func.at()].name;
                found.push((span, format!("the result of {name} is not used")));
            }
        }
        for (span, message) in found {
            self.say(Code::Unused, span, message);
        }
        self.never_set_off();
    }

    /// Returns whether the function is a test, proc or value in a file without a base. In other files, the base can
    /// determine the parameters.
    fn has_own_params(&self, id: FuncId, function: &Function) -> bool {
        let called = |name: &ValueName| matches!(name, ValueName::Let(f) | ValueName::Proc(f) if *f == id);
        self.rs.chain.len() == 1
            && !function.external
            && !matches!(&function.body, Body::Block(stmts) if stmts.is_empty())
            && (self.is_test(id) || self.rs.names.values.values().any(called))
    }

    fn is_test(&self, id: FuncId) -> bool {
        self.rs.names.tests.values().any(|f| *f == id)
    }

    fn seen(&self, id: FuncId, function: &Function) -> BodyReads {
        let rs = self.rs;
        let mut seen = BodyReads::default();
        // a proc with side effects may be called only for them
        let results = |func: FuncId| {
            let writes = &self.writes[func.at()];
            let changes = writes.positions || !writes.fields.is_empty() || !writes.globals.is_empty();
            rs.functions[func.at()].result != Type::Nothing && !changes && writes.traits.is_empty()
        };
        walk_body(&function.body, &mut |node| match node {
            Node::Expr(e) => seen.value(e),
            Node::Stmt(s) => seen.stmt(s, &results),
        });
        for action in rs.actions.iter().filter(|a| a.func == id) {
            seen.header(&action.header);
        }
        for case in rs.ambients.iter().flat_map(|a| &a.cases) {
            let (func, local) = match *case {
                AmbientCase::Phase(phase, local) => (rs.phases[phase.at()].func, local),
                AmbientCase::Action(action, local) => (rs.actions[action.at()].func, local),
                AmbientCase::PhaseOfAction(_, phase, local) => (rs.phases[phase.at()].func, local),
            };
            if func == id {
                seen.read.insert(local);
            }
        }
        seen
    }

    /// Reports rules on events that no code emits, and statuses that no code grants.
    fn never_set_off(&mut self) {
        let rs = self.rs;
        let (mut emitted, mut granted) = (IdSet::<EventId>::default(), IdSet::<TraitId>::default());
        for function in rs.functions.iter() {
            walk_body(&function.body, &mut |node| match node {
                Node::Stmt(Stmt { kind: StmtKind::Emit { event, .. }, .. }) => {
                    emitted.insert(*event);
                }
                Node::Stmt(Stmt { kind: StmtKind::Grant { status, .. }, .. }) => {
                    granted.insert(*status);
                }
                _ => {}
            });
        }
        let silent = |event: EventId| {
            let data = &rs.events[event.at()];
            !emitted.contains(event) && !data.external && !self.is_in_examples(&data.name)
        };
        let mut found = Vec::new();
        for rule in &rs.rules {
            if let Trigger::Event(event) = rule.on
                && silent(event)
                && self.is_own(rule.item)
            {
                let name = &rs.events[event.at()].name;
                found.push((self.span(rule.item), format!("nothing emits {name}, so {} never runs", rule.name)));
            }
        }
        for (at, event) in rs.events.iter().enumerate() {
            let heard = rs.rules.iter().any(|r| r.on == Trigger::Event(EventId::from(at)));
            if !heard && silent(EventId::from(at)) && self.is_own(event.item) {
                found.push((self.span(event.item), format!("event `{}` is never emitted", event.name)));
            }
        }
        for (span, message) in found {
            self.say(Code::Unused, span, message);
        }
    }

    /// Returns whether an example contains this word.
    pub fn is_in_examples(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let has = |text: &str| {
            let mut found = text.match_indices(word);
            found.any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
        };
        self.rs.examples.iter().any(|example| has(self.sources.slice(example.span)))
    }
}

impl BodyReads {
    fn value(&mut self, e: &Expr) {
        if let ExprKind::Local(local) = e.kind {
            self.read.insert(local);
        }
    }

    fn all_of(&mut self, e: &Expr) {
        walk_expr(e, &mut |node| {
            if let Node::Expr(e) = node {
                self.value(e);
            }
        });
    }

    fn stmt(&mut self, s: &Stmt, has_result: &dyn Fn(FuncId) -> bool) {
        match &s.kind {
            StmtKind::Let { local, .. } => self.named.push((*local, "variable")),
            StmtKind::Roll { local, .. } => {
                self.asks = true;
                self.named.push((*local, "roll"));
            }
            StmtKind::Set { target: Target::Local(local), .. } => self.set.push((*local, s.span)),
            StmtKind::Call { func, into: None, .. } if has_result(*func) => self.dropped.push((*func, s.span)),
            StmtKind::Draw { .. } | StmtKind::Choose(_) | StmtKind::ChooseOption { .. } | StmtKind::May { .. } => {
                self.asks = true;
            }
            _ => {}
        }
    }

    fn header(&mut self, lines: &[HeaderLine]) {
        for line in lines {
            match line {
                HeaderLine::Let { value, .. } => self.all_of(value),
                HeaderLine::Choose { from, filter, .. } => {
                    crate::reads::walk::walk_collection(from, &mut |node| {
                        if let Node::Expr(e) = node {
                            self.value(e);
                        }
                    });
                    filter.iter().for_each(|e| self.all_of(e));
                }
                HeaderLine::Late(choose) => crate::reads::walk::walk_choose(choose, &mut |node| {
                    if let Node::Expr(e) = node {
                        self.value(e);
                    }
                }),
                HeaderLine::Needs { condition, .. } => self.all_of(condition),
                HeaderLine::Cost { amount, .. } => self.all_of(amount),
                HeaderLine::Limit { times, key, when, .. } => {
                    [Some(times), key.as_ref(), when.as_ref()].into_iter().flatten().for_each(|e| self.all_of(e));
                }
            }
        }
    }
}

/// Returns the variables at the top level of a test: the fields of its result.
fn top_level(body: &Body) -> HashSet<LocalId> {
    let Body::Block(stmts) = body else { return HashSet::new() };
    let named = |s: &Stmt| match s.kind {
        StmtKind::Let { local, .. } | StmtKind::Roll { local, .. } => Some(local),
        _ => None,
    };
    stmts.iter().filter_map(named).collect()
}
