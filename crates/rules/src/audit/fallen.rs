//! What is done to a thing, or by it, after it was destroyed; and sums over the living that mean the fallen.

use super::Audit;
use crate::code::{Body, Collection, Expr, ExprKind, Stmt, StmtKind, Target};
use crate::reads::walk::{Node, any_part, walk_body};
use crate::ruleset::FieldSort;
use grognard_base::value::*;
use grognard_base::{Code, Span};

impl Audit<'_> {
    /// Checks all bodies of the file itself.
    pub fn fallen(&mut self) {
        let mut used = Vec::new();
        for (_, function) in self.own_functions() {
            if let Body::Block(stmts) = &function.body {
                self.used_after(stmts, &mut Vec::new(), &mut used);
            }
        }
        for (span, name, what) in used {
            let message = format!("`{name}` was destroyed above and cannot {what} any more");
            self.say(Code::AfterDeath, span, message);
        }
        self.acts_after();
        self.sums_of_living();
    }

    /// `do shoot(a, b)` and then `do shoot(b, a)`: b may have fallen, and then the second line ends the run.
    fn acts_after(&mut self) {
        let (kills, acts) = (self.killers(), self.actors());
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            if let Body::Block(stmts) = &function.body {
                self.calls_after(stmts, &kills, &acts, Vec::new(), &mut found);
            }
        }
        for (span, name) in found {
            let message = format!(
                "`{name}` may have been destroyed above, and then it cannot do this: the run ends with an error"
            );
            let help = format!(
                "write `if {name}.alive {{ .. }}` around it; where both act at the same moment, throw for both before either is destroyed"
            );
            self.say_help(Code::InTurn, span, message, help);
        }
    }

    /// Calls by things that an earlier call of the same block may destroy. A question whether the thing lives ends the search for it.
    fn calls_after<'c>(
        &self,
        stmts: &'c [Stmt],
        kills: &Marked,
        acts: &Marked,
        mut at_risk: Vec<&'c Expr>,
        found: &mut Vec<(Span, String)>,
    ) {
        for s in stmts {
            let asks = |condition: &Expr, thing: &Expr| {
                any_part(condition, |e| matches!(&e.kind, ExprKind::Alive(of) if is_same(of, thing)))
            };
            match &s.kind {
                StmtKind::Call { func, args, .. } => {
                    if let Some(first) = args.first()
                        && acts.contains(&(*func, 0))
                        && at_risk.iter().any(|thing| is_same(thing, first))
                    {
                        found.push((s.span, self.sources.slice(first.span).to_string()));
                    }
                    let falls = |at: &usize| kills.contains(&(*func, *at)) && is_path(&args[*at]);
                    at_risk.extend((0..args.len()).filter(falls).map(|at| &args[at]));
                }
                StmtKind::If { arms, otherwise } => {
                    at_risk.retain(|thing| !arms.iter().any(|(condition, _)| asks(condition, thing)));
                    for (_, body) in arms {
                        self.calls_after(body, kills, acts, at_risk.clone(), found);
                    }
                    self.calls_after(otherwise, kills, acts, at_risk.clone(), found);
                }
                StmtKind::Match { rows, .. } => {
                    rows.iter().for_each(|r| self.calls_after(&r.body, kills, acts, at_risk.clone(), found));
                }
                StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => {
                    self.calls_after(body, kills, acts, at_risk.clone(), found);
                }
                _ => {}
            }
        }
    }

    /// Parameters that a body may destroy.
    fn killers(&self) -> Marked {
        self.marked(|s, _| match &s.kind {
            StmtKind::Destroy { thing, .. } => local_of(thing),
            _ => None,
        })
    }

    /// First parameters for which a body throws dice or decides.
    fn actors(&self) -> Marked {
        self.marked(|s, params| {
            let by = match &s.kind {
                StmtKind::Roll { by, .. } | StmtKind::ChooseOption { by, .. } | StmtKind::May { by, .. } => by,
                StmtKind::Choose(choose) => &choose.by,
                _ => return None,
            };
            let own = (params > 0).then_some(LocalId(0));
            by.as_ref().map_or(own, local_of).filter(|local| local.at() == 0)
        })
    }

    /// Parameters of which a statement of the body says something, or of a body that it calls with them.
    fn marked(&self, says: impl Fn(&Stmt, usize) -> Option<LocalId>) -> Marked {
        let mut marked = Marked::new();
        loop {
            let known = marked.len();
            for (at, function) in self.rs.functions.iter().enumerate() {
                let id = FuncId::from(at);
                walk_body(&function.body, &mut |node| {
                    let Node::Stmt(s) = node else { return };
                    if let Some(local) = says(s, function.params).filter(|local| local.at() < function.params) {
                        marked.insert((id, local.at()));
                    }
                    let StmtKind::Call { func, args, .. } = &s.kind else { return };
                    for (n, arg) in args.iter().enumerate() {
                        if let Some(local) = local_of(arg).filter(|local| local.at() < function.params)
                            && marked.contains(&(*func, n))
                        {
                            marked.insert((id, local.at()));
                        }
                    }
                });
            }
            if marked.len() == known {
                return marked;
            }
        }
    }

    /// Statements that need a living thing behind one that destroyed it, in the same block or inside it.
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
                StmtKind::Set { target: Target::Field { thing, .. }, .. } => Some((thing, "be set")),
                StmtKind::Grant { to, .. } => Some((to, "be given a status")),
                StmtKind::Revoke { from, .. } => Some((from, "lose a status")),
                StmtKind::Place { thing, .. } => Some((thing, "be placed")),
                StmtKind::Turn { thing, .. } => Some((thing, "turn")),
                StmtKind::Move { motion, .. } => Some((&motion.thing, "move")),
                StmtKind::Destroy { thing, .. } => Some((thing, "be destroyed")),
                StmtKind::Merge { from, into } => Some((if same(from) { from } else { into }, "be merged")),
                StmtKind::Roll { by: Some(by), .. } => Some((by, "throw dice")),
                StmtKind::Choose(choose) => choose.by.as_ref().map(|by| (by, "choose")),
                StmtKind::ChooseOption { by: Some(by), .. } | StmtKind::May { by: Some(by), .. } => {
                    Some((by, "choose"))
                }
                StmtKind::Run { args, .. } => args.first().map(|a| (a, "have a phase")),
                _ => None,
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

    /// `sum x in s.units where x.gone of x.cost`, where only what is destroyed gets the flag: the list has no such things.
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
            let message = "lists leave out what is destroyed, and this asks for that";
            self.say_help(
                Code::Whom,
                span,
                message,
                format!("to count the fallen too go through `with_fallen({list})`"),
            );
        }
    }

    /// Flags that are set only of things which the same body destroys.
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

/// Parameters of functions.
type Marked = std::collections::BTreeSet<(FuncId, usize)>;

fn local_of(e: &Expr) -> Option<LocalId> {
    match e.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

fn span_of(from: &Collection, else_span: Span) -> Span {
    match from {
        Collection::List(e) | Collection::Group(e) | Collection::Range(e, _) => e.span,
        Collection::Kind(_) | Collection::Cases(..) => else_span,
    }
}

/// Returns whether it is a variable, and for a link of one: what means the same thing a line further down.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Ambient(_) | ExprKind::Actor => true,
        ExprKind::Field { thing, keys, .. } => keys.is_empty() && is_path(thing),
        _ => false,
    }
}

fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Ambient(x), ExprKind::Ambient(y)) => x == y,
        (ExprKind::Actor, ExprKind::Actor) => true,
        (ExprKind::Field { thing: x, field: f, .. }, ExprKind::Field { thing: y, field: g, .. }) => {
            f == g && is_same(x, y)
        }
        _ => false,
    }
}
