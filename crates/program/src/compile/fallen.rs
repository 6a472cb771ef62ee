//! Things out of play: lists that omit them, and effects that require a thing in play.
//!
//! A destroyed thing keeps its fields, links, statuses and last position. A loop over a list omits it. Code that
//! changes it, or lets it act, causes an error at that line.

use super::*;
use grognard_rules::code::{Body, Collection, ExprKind, Stmt, StmtKind};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::{Event, FieldSort};

/// Maximum depth to which definitions of lists are followed.
const DEEPEST: usize = 4;

/// Returns the kinds whose things some code of the rules may destroy.
pub(super) fn mortal(rules: &Ruleset) -> IdSet<KindId> {
    let mut found = IdSet::default();
    let mut fall = |kind: KindId| {
        found.insert(kind);
        if let Some((_, member)) = rules.kinds[kind.at()].group {
            found.insert(member);
        }
        let groups = rules.kinds.iter().enumerate();
        found.extend(
            groups
                .filter(|(_, of)| !of.stays_empty && of.group.is_some_and(|(_, m)| m == kind))
                .map(|(n, _)| KindId::from(n)),
        );
    };
    for function in rules.functions.iter() {
        walk_body(&function.body, &mut |node| {
            let Node::Stmt(Stmt {
                kind: StmtKind::Destroy { thing, .. } | StmtKind::Merge { from: thing, .. }, ..
            }) = node
            else {
                return;
            };
            if let Some(kind) = thing.ty.kind() {
                fall(kind);
            }
        });
    }
    found
}

impl Compiler<'_> {
    /// Emits an error for a thing out of play.
    pub(super) fn needs_play(&mut self, thing: Reg, kind: KindId) {
        if !self.program.links.mortal.contains(kind) {
            return;
        }
        self.scoped(|c| {
            let cond = c.take(1);
            c.emit(Instr::Alive { dst: cond, thing, kind });
            let alive = c.emit(Instr::JumpIf { cond, to: 0 });
            c.emit(Instr::Fault { code: FaultCode::OutOfPlay, at: kind.0 << 16 | u32::from(thing) });
            c.aim(alive);
        });
    }

    /// Runs the rules on the destruction of a thing while it still exists: for the group that is destroyed with its
    /// last member, for the thing, and for the members of a group.
    pub(super) fn announce_destruction(&mut self, thing: Reg, kind: KindId) {
        for (at, of) in self.rules.kinds.iter().enumerate() {
            let Some((field, _)) = of.group.filter(|(_, member)| *member == kind && !of.stays_empty) else { continue };
            let FieldSort::BackLink(link) = self.rules.fields[field.at()].sort else { continue };
            let group = KindId::from(at);
            if self.event_of_destruction(group).is_some() {
                self.scoped(|c| c.announce_group(thing, link, group));
            }
        }
        self.announce(thing, kind);
        if let Some((_, member)) = self.rules.kinds[kind.at()].group
            && self.event_of_destruction(member).is_some()
        {
            self.scoped(|c| {
                let (list, bind) = (c.take(1), c.take(1));
                c.members(thing, kind, list);
                let looped = c.begin_loop(&collections::Entries::List { list, width: 1 }, bind);
                c.announce(bind, member);
                c.end_loop(looped, Vec::new(), Vec::new());
            });
        }
    }

    /// Announces the group of a thing if it has no other member.
    fn announce_group(&mut self, thing: Reg, link: FieldId, group: KindId) {
        let (of, list, length, one) = (self.take(1), self.take(1), self.take(1), self.take(1));
        self.emit(Instr::Field { dst: of, thing, id: link });
        let missing = self.emit(Instr::JumpNone { reg: of, to: 0 });
        self.members(of, group, list);
        self.emit(Instr::Length { dst: length, list });
        self.constant(one, 1);
        let others = self.emit(Instr::JumpCompare { op: Op::Gt, a: length, b: one, to: 0 });
        self.announce(of, group);
        self.aim(missing);
        self.aim(others);
    }

    fn event_of_destruction(&self, kind: KindId) -> Option<EventId> {
        let name = Event::of_destruction(&self.rules.kinds[kind.at()].name);
        self.rules.names.events.get(&name).copied()
    }

    fn announce(&mut self, thing: Reg, kind: KindId) {
        let Some(event) = self.event_of_destruction(kind) else { return };
        let func = self.program.events[event.at()];
        self.scoped(|c| {
            let none = c.take(1);
            c.call_with(func, &[(thing, 1)], none);
        });
    }

    /// Compiles a list reduced to the things in play.
    pub(super) fn in_play(&mut self, e: &Expr, list: Reg) -> Reg {
        let Some(Type::Kind(kind)) = e.ty.entry().cloned() else { return list };
        if !self.program.links.mortal.contains(kind) || self.leaves_out_fallen(e, DEEPEST) {
            return list;
        }
        let dst = self.take(1);
        self.emit(Instr::Living { dst, list, kind });
        dst
    }

    /// Returns whether a list omits destroyed things already, or must include them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "a second search of a list does no harm")]
    fn leaves_out_fallen(&self, e: &Expr, deep: usize) -> bool {
        let of_function = |func: FuncId| match &self.rules.functions[func.at()].body {
            Body::Value(value) => deep > 0 && self.leaves_out_fallen(value, deep - 1),
            Body::Block(_) | Body::Open => false,
        };
        match &e.kind {
            ExprKind::Field { field, .. } => match self.rules.fields[field.at()].sort {
                FieldSort::BackLink(_) => true,
                FieldSort::Let(func) => of_function(func),
                FieldSort::Stat | FieldSort::State | FieldSort::Link => false,
            },
            ExprKind::Call { func, .. } => of_function(*func),
            ExprKind::Map { over, local, body, .. } => {
                let own = matches!(body.kind, ExprKind::Local(entry) if entry == *local);
                own && !matches!(&**over, Collection::List(e) if is_with_fallen(e))
            }
            ExprKind::Tree { op: Op::Below, .. } => true,
            ExprKind::Op(Op::WithFallen, _) => true,
            ExprKind::Op(Op::Concat, args) => args.iter().all(|arg| self.leaves_out_fallen(arg, deep)),
            _ => false,
        }
    }

    /// Compiles `with_fallen(xs)`: a back link with all things that ever pointed here, a stored list unchanged.
    pub(super) fn with_fallen(&mut self, list: &Expr, dst: Reg) {
        if let ExprKind::Field { thing, field, .. } = &list.kind
            && let FieldSort::BackLink(_) = self.rules.fields[field.at()].sort
        {
            let (thing, _) = self.thing(thing);
            self.emit(Instr::EverLinked { dst, thing, id: *field });
            return;
        }
        self.value_to(list, dst);
    }
}

/// Returns whether an expression is `with_fallen(xs)`.
pub(super) fn is_with_fallen(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::WithFallen, _))
}
