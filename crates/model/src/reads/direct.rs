//! Direct effects of one body: its own reads and writes, and its callees.

use super::walk::{Node, walk_body, walk_choose, walk_collection, walk_expr};
use super::{Reads, Writes, value_functions};
use crate::code::{Collection, Expr, ExprKind, Stmt, StmtKind, Target};
use crate::ruleset::{FieldSort, HeaderLine, Policy, PolicyAnswer, Ruleset, Trigger};
use grognard_base::OrdSet;
use grognard_base::value::*;
use std::collections::HashMap;

/// A call. `same_self` is set if parameter 0 is passed on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CallLink {
    pub func: FuncId,
    pub same_self: bool,
}

/// Direct effects of one body.
#[derive(Clone, Default)]
pub(super) struct Direct {
    pub own_fields: IdSet<FieldId>,
    pub other_fields: IdSet<FieldId>,
    pub reads: Reads,
    pub writes: Writes,
    /// Values, tests, procs and phases that the body calls.
    pub calls: OrdSet<CallLink>,
    /// Actions of its menus, and the nodes of its events, phases and actions. These nodes set off the rules on them
    /// (see [`of_all`]).
    pub sets_off: OrdSet<CallLink>,
}

struct ReadFinder<'a> {
    rs: &'a Ruleset,
    changes: &'a [Vec<(TraitId, usize)>],
    nodes: &'a HashMap<Trigger, FuncId>,
    out: Direct,
}

/// The changes by traits of each field.
type Changes = Vec<Vec<(TraitId, usize)>>;

fn changes_of(rs: &Ruleset) -> Changes {
    let mut changes = vec![Vec::new(); rs.fields.len()];
    for (t, data) in rs.traits.iter().enumerate() {
        for (at, change) in data.changes.iter().enumerate() {
            changes[change.field.at()].push((TraitId::from(t), at));
        }
    }
    changes
}

/// Creates a node, after the functions, for each event, phase or action with rules on it. The number of links is the
/// sum of the sources and the rules instead of their product.
fn triggers_of(rs: &Ruleset) -> (HashMap<Trigger, FuncId>, Vec<Direct>) {
    let mut nodes: HashMap<Trigger, FuncId> = HashMap::new();
    let mut found: Vec<Direct> = Vec::new();
    for rule in &rs.rules {
        let node = *nodes.entry(rule.on).or_insert_with(|| {
            found.push(Direct::default());
            FuncId::from(rs.functions.len() + found.len() - 1)
        });
        let bodies = rule.guard.into_iter().chain([rule.func]).map(|func| CallLink { func, same_self: false });
        found[node.at() - rs.functions.len()].sets_off.extend(bodies);
    }
    (nodes, found)
}

/// Returns what the conditions and rankings of policies read. No rule performs these reads, so no function has them.
pub(super) fn of_policies(rs: &Ruleset, policies: &[Policy]) -> Direct {
    let (changes, nodes) = (changes_of(rs), HashMap::new());
    let mut finder = ReadFinder { rs, changes: &changes, nodes: &nodes, out: Direct::default() };
    for entry in policies.iter().flat_map(|p| &p.entries) {
        if let PolicyAnswer::Extreme { by: value, .. } | PolicyAnswer::Value(value) = &entry.answer {
            finder.value(value);
        }
        entry.when.iter().for_each(|when| finder.value(when));
    }
    finder.out
}

/// Returns one entry per function, followed by one for each event, phase or action that triggers rules.
pub(super) fn of_all(rs: &Ruleset) -> Vec<Direct> {
    let changes = changes_of(rs);
    let (nodes, triggers) = triggers_of(rs);
    let one = |body| {
        let mut finder = ReadFinder { rs, changes: &changes, nodes: &nodes, out: Direct::default() };
        walk_body(body, &mut |node| finder.see(node));
        finder.out
    };
    let mut found: Vec<Direct> = rs.functions.iter().map(|f| one(&f.body)).collect();
    for (at, action) in rs.actions.iter().enumerate() {
        let Some(slot) = found.get_mut(action.func.at()) else { continue };
        let mut finder = ReadFinder { rs, changes: &changes, nodes: &nodes, out: std::mem::take(slot) };
        finder.header(ActionId::from(at));
        *slot = finder.out;
    }
    for (at, phase) in rs.phases.iter().enumerate() {
        let Some(slot) = found.get_mut(phase.func.at()) else { continue };
        let id = PhaseId::from(at);
        let actions = rs.actions_in(id).into_iter().map(|a| rs.actions[a.at()].func);
        let around = [Trigger::PhaseStart(id), Trigger::PhaseEnd(id)];
        let around = around.iter().filter_map(|t| nodes.get(t).copied());
        slot.sets_off.extend(actions.chain(around).map(|func| CallLink { func, same_self: false }));
        let firsts = phase.shares.iter().map(|(_, func)| CallLink { func: *func, same_self: true });
        slot.calls.extend(firsts);
    }
    found.extend(triggers);
    found
}

impl ReadFinder<'_> {
    fn call(&mut self, func: FuncId, same_self: bool) {
        self.out.calls.insert(CallLink { func, same_self });
    }

    fn set_off(&mut self, trigger: Trigger) {
        if let Some(func) = self.nodes.get(&trigger) {
            self.out.sets_off.insert(CallLink { func: *func, same_self: false });
        }
    }

    fn header(&mut self, id: ActionId) {
        let rs = self.rs;
        let action = &rs.actions[id.at()];
        if let Some(actor) = &action.actor {
            self.value(actor);
        }
        for line in &action.header {
            match line {
                HeaderLine::Let { value, .. } => self.value(value),
                HeaderLine::Choose { from, filter, .. } => {
                    self.collection(from);
                    walk_collection(from, &mut |node| self.see(node));
                    filter.iter().for_each(|e| self.value(e));
                }
                HeaderLine::Late(choose) => {
                    self.collection(&choose.from);
                    walk_choose(choose, &mut |node| self.see(node));
                }
                HeaderLine::Needs { condition, .. } => self.value(condition),
                HeaderLine::Cost { amount, .. } => self.value(amount),
                HeaderLine::Limit { times, key, when, .. } => {
                    [times].into_iter().chain(key).chain(when).for_each(|e| self.value(e));
                }
            }
        }
        for trigger in self.rs.starts_of_action(id).into_iter().chain(self.rs.ends_of_action(id)) {
            self.set_off(trigger);
        }
    }

    fn field(&mut self, field: FieldId, own: bool) {
        let set = if own { &mut self.out.own_fields } else { &mut self.out.other_fields };
        set.insert(field);
        let data = &self.rs.fields[field.at()];
        if let FieldSort::BackLink(link) = data.sort {
            self.out.other_fields.insert(link);
            self.out.reads.counts.insert(self.rs.fields[link.at()].kind);
        }
        if let Some(changes) = self.changes.get(field.at()) {
            self.out.reads.traits.extend(changes.iter().map(|c| c.0));
        }
        for func in value_functions(self.rs, self.changes, field) {
            self.call(func, own);
        }
    }

    fn alive(&mut self, ty: &Type) {
        match ty.present() {
            Type::Kind(id) => {
                self.out.reads.counts.insert(*id);
                if let Some((field, member)) = self.rs.kinds[id.at()].group {
                    self.out.reads.counts.insert(member);
                    self.field(field, false);
                }
            }
            Type::List(inner) => self.alive(inner),
            _ => {}
        }
    }

    fn bears(&mut self, what: TraitId, own: bool) {
        self.out.reads.traits.insert(what);
        if let Some(when) = self.rs.traits[what.at()].when {
            self.call(when, own);
        }
    }

    /// Records the creation or destruction of a thing and of the members of a group.
    fn lives(&mut self, ty: &Type) {
        let Type::Kind(id) = ty.present() else { return };
        self.out.writes.counts.insert(*id);
        if let Some((_, member)) = self.rs.kinds[id.at()].group {
            self.out.writes.counts.insert(member);
        }
    }
}

fn is_self(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Local(LocalId(0)))
}

impl ReadFinder<'_> {
    fn value(&mut self, e: &Expr) {
        walk_expr(e, &mut |node| self.see(node));
    }

    fn see(&mut self, node: Node<'_>) {
        node.collections().into_iter().for_each(|c| self.collection(c));
        match node {
            Node::Expr(e) => self.expr(e),
            Node::Stmt(s) => self.stmt(s),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Setting(id) => {
                self.out.reads.settings.insert(*id);
            }
            ExprKind::Global(id) => {
                self.out.reads.globals.insert(*id);
            }
            ExprKind::Ambient(_) | ExprKind::Running(_) | ExprKind::ActionName | ExprKind::Actor => {
                self.out.reads.running = true
            }
            ExprKind::Field { thing, field, .. } => self.field(*field, is_self(thing)),
            ExprKind::Alive(x) => self.alive(&x.ty),
            ExprKind::At(x) | ExprKind::Facing(x) => {
                self.out.reads.positions = true;
                self.alive(&x.ty);
            }
            ExprKind::Call { func, args } => self.call(*func, args.first().is_some_and(is_self)),
            ExprKind::Op(op, args) => self.op(*op, args),
            ExprKind::Tree { link, .. } => {
                let kind = self.rs.fields[link.at()].kind;
                self.field(*link, false);
                self.out.reads.counts.insert(kind);
            }
            ExprKind::Has { thing, what } => self.bears(*what, is_self(thing)),
            ExprKind::Instances { thing, status } => self.bears(*status, is_self(thing)),
            _ => {}
        }
    }

    fn collection(&mut self, c: &Collection) {
        match c {
            Collection::Kind(id) => {
                self.out.reads.counts.insert(*id);
            }
            Collection::Group(e) => self.alive(&e.ty),
            _ => {}
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Set { target, .. } => self.target(target),
            StmtKind::Grant { status, .. } | StmtKind::Revoke { status, .. } => {
                self.out.writes.traits.insert(*status);
            }
            StmtKind::Move { .. } => {
                self.out.writes.positions = true;
                self.out.reads.positions = true;
            }
            StmtKind::Place { .. } | StmtKind::Turn { .. } => self.out.writes.positions = true,
            StmtKind::Destroy { thing, .. } => {
                self.lives(&thing.ty);
                self.out.writes.positions = true;
            }
            StmtKind::Spawn { kind, fields, .. } => {
                self.lives(&Type::Kind(*kind));
                self.out.writes.fields.extend(fields.iter().map(|f| f.0));
            }
            StmtKind::Merge { from, .. } => self.merge(&from.ty),
            StmtKind::Call { func, args, .. } => self.call(*func, args.first().is_some_and(is_self)),
            StmtKind::Run { phase, args } => {
                let func = self.rs.phases[phase.at()].func;
                self.call(func, args.first().is_some_and(is_self));
            }
            StmtKind::Emit { event, .. } => self.set_off(Trigger::Event(*event)),
            _ => {}
        }
    }

    fn op(&mut self, op: Op, args: &[Expr]) {
        let by_place = op.asks_board() || op == Op::PlaceOf;
        self.out.reads.positions |= by_place;
        let things = args.iter().filter(|a| by_place || op == Op::Size && matches!(a.ty.present(), Type::Kind(_)));
        things.for_each(|a| self.alive(&a.ty));
        if matches!(op, Op::Sees | Op::Crosses) {
            for kind in &self.rs.kinds {
                if let Some(field) = kind.blocks {
                    self.field(field, false);
                }
            }
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Field { field, .. } => {
                self.out.writes.fields.insert(*field);
                if let FieldSort::BackLink(link) = self.rs.fields[field.at()].sort {
                    self.out.writes.fields.insert(link);
                }
            }
            Target::Global(id) => {
                self.out.writes.globals.insert(*id);
            }
            Target::Tally(id) => {
                self.out.writes.tallies.insert(*id);
            }
            Target::Local(_) | Target::Ambient(_) => {}
        }
    }

    /// Records that every link to the kind can change.
    fn merge(&mut self, ty: &Type) {
        self.lives(ty);
        let points = |t: &Type| match t.present() {
            Type::List(inner) => inner.as_ref() == ty.present(),
            other => other == ty.present(),
        };
        let links = self.rs.fields.iter().enumerate().filter(|(_, f)| f.sort == FieldSort::Link && points(&f.ty));
        let links: Vec<FieldId> = links.map(|(at, _)| FieldId::from(at)).collect();
        self.out.writes.fields.extend(links);
    }
}
