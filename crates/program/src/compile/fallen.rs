//! Things that may be out of play: lists that leave them out, and effects that need a thing in play.
//!
//! A destroyed thing keeps its figures, links, statuses and last place. Whatever goes through a list leaves it out, and whatever
//! changes it, or lets it act, is an error at that line.

use super::*;
use grognard_rules::code::{Body, Collection, ExprKind, Stmt, StmtKind};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::FieldSort;

/// How deep definitions of lists are followed.
const DEEPEST: usize = 4;

/// The kinds of which some code of the rules may destroy a thing.
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
    /// An error follows if the thing is out of play.
    pub(super) fn needs_play(&mut self, thing: Reg, kind: KindId) {
        if !self.mortal.contains(kind) {
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

    /// The things of a list that are in play.
    pub(super) fn in_play(&mut self, e: &Expr, list: Reg) -> Reg {
        let Some(Type::Kind(kind)) = e.ty.entry().cloned() else { return list };
        if !self.mortal.contains(kind) || self.leaves_out_fallen(e, DEEPEST) {
            return list;
        }
        let dst = self.take(1);
        self.emit(Instr::Living { dst, list, kind });
        dst
    }

    /// True for a list that was looked up just now, and for one that is to have the fallen too.
    #[expect(clippy::wildcard_enum_match_arm, reason = "a list that is looked through once more does no harm")]
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

    /// `with_fallen(xs)`: a looked-up list with all that ever pointed here, a stored one as it is.
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

/// True for `with_fallen(xs)`.
pub(super) fn is_with_fallen(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::WithFallen, _))
}
