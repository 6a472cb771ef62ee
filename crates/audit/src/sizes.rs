//! Reports sizes of lists after their things were destroyed: a list omits destroyed things.

use super::Audit;
use crate::code::{Body, Collection, Expr, ExprKind, Stmt, StmtKind, Target};
use crate::reads::walk::{Node, walk_stmts};
use grognard_base::value::*;
use grognard_base::{Code, Span};

/// A list variable with destroyed entries, and whether all of them were destroyed.
type Thinned = (LocalId, bool);

impl Audit<'_> {
    /// Reports `size(before) - size(after)` after a loop over `before` that destroys things, and `size(before)` after a loop
    /// that destroys all of them.
    pub fn sizes_of_thinned(&mut self) {
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            if let Body::Block(stmts) = &function.body {
                sizes_in(stmts, &mut found);
            }
        }
        let found: Vec<(Span, bool)> = found.into_iter().map(|(list, all)| (list.span, all)).collect();
        for (span, all) in found {
            let name = self.sources.slice(span).to_string();
            let message = match all {
                true => format!("the size of `{name}` is 0 here: the loop above destroys all its entries"),
                false => format!("the size of `{name}` does not count the things that the loop above destroyed"),
            };
            let help = format!("write `size(with_fallen({name}))`, or store the size above: `let many = size({name})`");
            self.say_help(Code::Whom, span, message, help);
        }
    }
}

fn sizes_in<'c>(stmts: &'c [Stmt], found: &mut Vec<(&'c Expr, bool)>) {
    let mut thinned: Vec<Thinned> = Vec::new();
    for s in stmts {
        if !thinned.is_empty() {
            asked(s, &thinned, found);
        }
        match &s.kind {
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| sizes_in(body, found));
                sizes_in(otherwise, found);
            }
            StmtKind::Match { rows, .. } => rows.iter().for_each(|r| sizes_in(&r.body, found)),
            StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => sizes_in(body, found),
            StmtKind::Each { local, from, filter, body, .. } => {
                sizes_in(body, found);
                if let (Collection::List(Expr { kind: ExprKind::Local(list), .. }), Some(sure)) =
                    (from, destroys(body, *local))
                {
                    thinned.push((*list, sure && filter.is_none()));
                }
            }
            StmtKind::Set { target: Target::Local(list), .. } => thinned.retain(|(of, _)| of != list),
            _ => {}
        }
    }
}

/// Returns whether a loop destroys its entry in every iteration, or `None` if it never does.
fn destroys(body: &[Stmt], entry: LocalId) -> Option<bool> {
    let of = |s: &Stmt| matches!(&s.kind, StmtKind::Destroy { thing: Expr { kind: ExprKind::Local(local), .. }, .. } if *local == entry);
    let mut some = false;
    walk_stmts(body, &mut |node| some |= matches!(node, Node::Stmt(s) if of(s)));
    let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Stop | StmtKind::Return(_));
    some.then(|| body.iter().take_while(|s| !leaves(s)).any(of) && body.len() == 1)
}

/// Adds the sizes of these lists in a statement: those in a difference, and those that are always 0.
fn asked<'c>(s: &'c Stmt, thinned: &[Thinned], found: &mut Vec<(&'c Expr, bool)>) {
    let size = |e: &'c Expr| match &e.kind {
        ExprKind::Op(Op::Size, args) => args.first().and_then(|list| match list.kind {
            ExprKind::Local(local) => thinned.iter().find(|(of, _)| *of == local).map(|(_, all)| (list, *all)),
            _ => None,
        }),
        _ => None,
    };
    walk_stmts(std::slice::from_ref(s), &mut |node| {
        let Node::Expr(e) = node else { return };
        let new = match &e.kind {
            ExprKind::Op(Op::Sub, args) => match args.as_slice() {
                [a, b] if matches!(b.kind, ExprKind::Op(Op::Size, _)) => size(a),
                _ => None,
            },
            _ => size(e).filter(|(_, all)| *all),
        };
        if let Some(new) = new
            && !found.iter().any(|(known, _)| known.span == new.0.span)
        {
            found.push(new);
        }
    });
}
