//! Reports statements that act on a destroyed thing or let it act, and sums over living things that should include
//! destroyed things.

use super::Audit;
use crate::code::{Body, Collection, Expr, ExprKind, Stmt, StmtKind, Target};
use crate::reads::walk::{Node, any_part, walk_body};
use crate::ruleset::FieldSort;
use grognard_base::value::*;
use grognard_base::{Code, Span};

impl Audit<'_> {
    /// Checks all bodies of the checked file.
    pub fn fallen(&mut self) {
        let mut used = Vec::new();
        for (_, function) in self.own_functions() {
            if let Body::Block(stmts) = &function.body {
                self.used_after(stmts, &mut Vec::new(), &mut used);
            }
        }
        let said: Vec<Span> = used.iter().map(|(span, ..)| *span).collect();
        for (span, name, what) in used {
            let message = format!("`{name}` was destroyed above and can no longer {what}");
            self.say(Code::AfterDeath, span, message);
        }
        self.at_risk(&said);
        self.sums_of_living();
    }

    /// Reports statements that require a thing to be alive after a statement that destroys it, in the same block or nested
    /// in it.
    fn used_after<'c>(
        &self,
        stmts: &'c [Stmt],
        gone: &mut Vec<&'c Expr>,
        found: &mut Vec<(Span, String, &'static str)>,
    ) {
        let before = gone.len();
        for s in stmts {
            let same = |e: &Expr| gone.iter().any(|g| is_same(g, e));
            let needs = match &s.kind {
                StmtKind::Merge { from, into } => Some((if same(from) { from } else { into }, "be merged")),
                _ => needs_living(s),
            };
            if let Some((thing, what)) = needs
                && same(thing)
            {
                found.push((s.span, self.sources.slice(thing.span).to_string(), what));
            }
            match &s.kind {
                StmtKind::Destroy { thing, .. } if is_path(thing) => gone.push(thing),
                StmtKind::If { arms, otherwise } => {
                    for (_, body) in arms {
                        self.used_after(body, gone, found);
                    }
                    self.used_after(otherwise, gone, found);
                }
                StmtKind::Match { rows, .. } => rows.iter().for_each(|r| self.used_after(&r.body, gone, found)),
                StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => {
                    self.used_after(body, gone, found);
                }
                StmtKind::Set { target: Target::Local(local), .. } => {
                    gone.retain(|g| !any_part(g, |e| matches!(e.kind, ExprKind::Local(l) if l == *local)));
                }
                _ => {}
            }
        }
        gone.truncate(before);
    }

    /// Reports `sum x in s.units where x.gone of x.cost` if only destroyed things have the flag: the list omits them.
    fn sums_of_living(&mut self) {
        let flags = self.flags_of_fallen();
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| {
                let Node::Expr(Expr { kind: ExprKind::Query { over, filter: Some(filter), .. }, span, .. }) = node
                else {
                    return;
                };
                let [(entry, from)] = over.as_slice() else { return };
                if matches!(from, Collection::List(Expr { kind: ExprKind::Op(Op::WithFallen, _), .. })) {
                    return;
                }
                let of_entry = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == *entry);
                let asks = any_part(filter, |e| match &e.kind {
                    ExprKind::Field { thing, field, .. } => flags.contains(*field) && of_entry(thing),
                    ExprKind::Op(Op::Not, args) => {
                        args.iter().any(|a| matches!(&a.kind, ExprKind::Alive(thing) if of_entry(thing)))
                    }
                    _ => false,
                });
                if asks {
                    found.push((*span, self.sources.slice(span_of(from, *span)).to_string()));
                }
            });
        }
        for (span, list) in found {
            let message = "lists do not contain destroyed things, and this condition selects only them";
            self.say_help(
                Code::Whom,
                span,
                message,
                format!("to count destroyed things too, write `with_fallen({list})`"),
            );
        }
    }

    /// Returns the flags that are set only on things that the same body destroys.
    fn flags_of_fallen(&self) -> IdSet<FieldId> {
        let (mut dying, mut others) = (IdSet::<FieldId>::default(), IdSet::<FieldId>::default());
        for function in self.rs.functions.iter() {
            let (mut set, mut destroyed) = (Vec::new(), Vec::new());
            walk_body(&function.body, &mut |node| match node {
                Node::Stmt(Stmt {
                    kind: StmtKind::Set { target: Target::Field { thing, field }, value, .. }, ..
                }) => {
                    if matches!(value.kind, ExprKind::Const(1)) {
                        set.push((thing, *field));
                    }
                }
                Node::Stmt(Stmt { kind: StmtKind::Destroy { thing, .. }, .. }) => destroyed.push(thing),
                _ => {}
            });
            for (thing, field) in set {
                let dies = destroyed.iter().any(|d| is_same(d, thing));
                if dies {
                    dying.insert(field)
                } else {
                    others.insert(field)
                };
            }
        }
        let is_flag = |f: &FieldId| {
            let field = &self.rs.fields[f.at()];
            field.ty == Type::Flag && field.sort == FieldSort::State
        };
        dying.iter().filter(|f| is_flag(f) && !others.contains(*f)).collect()
    }
}

/// Returns the thing that a statement requires alive, and the action that a destroyed thing cannot perform or undergo.
pub(super) fn needs_living(s: &Stmt) -> Option<(&Expr, &'static str)> {
    match &s.kind {
        StmtKind::Set { target: Target::Field { thing, .. }, .. } => Some((thing, "be set")),
        StmtKind::Grant { to, .. } => Some((to, "be given a status")),
        StmtKind::Revoke { from, .. } => Some((from, "lose a status")),
        StmtKind::Place { thing, .. } => Some((thing, "be placed")),
        StmtKind::Turn { thing, .. } => Some((thing, "turn")),
        StmtKind::Move { motion, .. } => Some((&motion.thing, "move")),
        StmtKind::Destroy { thing, .. } => Some((thing, "be destroyed")),
        StmtKind::Merge { from, .. } => Some((from, "be merged")),
        StmtKind::Roll { by: Some(by), .. } => Some((by, "roll dice")),
        StmtKind::Choose(choose) => choose.by.as_ref().map(|by| (by, "choose")),
        StmtKind::ChooseOption { by: Some(by), .. } | StmtKind::May { by: Some(by), .. } => Some((by, "choose")),
        StmtKind::Run { args, .. } => args.first().map(|a| (a, "have a phase")),
        _ => None,
    }
}

fn span_of(from: &Collection, else_span: Span) -> Span {
    match from {
        Collection::List(e) | Collection::Group(e) | Collection::Range(e, _) => e.span,
        Collection::Kind(_) | Collection::Cases(..) => else_span,
    }
}

/// Returns whether a value is a variable or a link of one, so that it denotes the same thing in the next line.
pub(super) fn is_path(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Ambient(_) | ExprKind::Actor => true,
        ExprKind::Field { thing, keys, .. } => keys.is_empty() && is_path(thing),
        _ => false,
    }
}

/// Returns whether two values are written as the same variable, link or param.
pub fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Ambient(x), ExprKind::Ambient(y)) => x == y,
        (ExprKind::Setting(x), ExprKind::Setting(y)) => x == y,
        (ExprKind::Global(x), ExprKind::Global(y)) => x == y,
        (ExprKind::Actor, ExprKind::Actor) => true,
        (ExprKind::Field { thing: x, field: f, .. }, ExprKind::Field { thing: y, field: g, .. }) => {
            f == g && is_same(x, y)
        }
        _ => false,
    }
}
