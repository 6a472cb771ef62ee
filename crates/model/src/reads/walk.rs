//! Traverses checked code: each value and statement, and their parts.

use crate::code::*;

/// A value or a statement.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Node<'c> {
    Expr(&'c Expr),
    Stmt(&'c Stmt),
}

impl<'c> Node<'c> {
    /// Returns the collections that the node itself iterates over.
    pub fn collections(self) -> Vec<&'c Collection> {
        match self {
            Node::Expr(Expr { kind: ExprKind::Map { over, .. }, .. }) => vec![over],
            Node::Expr(Expr { kind: ExprKind::Query { over, .. }, .. }) => over.iter().map(|(_, c)| c).collect(),
            Node::Stmt(Stmt { kind: StmtKind::Draw { from, .. } | StmtKind::Each { from, .. }, .. }) => vec![from],
            Node::Stmt(Stmt { kind: StmtKind::Choose(choose), .. }) => vec![&choose.from],
            Node::Expr(_) | Node::Stmt(_) => Vec::new(),
        }
    }
}

/// A visitor that receives each node before its parts.
type See<'s, 'c> = &'s mut dyn FnMut(Node<'c>);

/// Defines the traversal of the direct parts of a value, for shared and for mutable access.
macro_rules! parts {
    ($expr:ident $collection:ident $pattern:ident $($mutable:tt)?) => {
        /// Calls `f` for each direct part of a value.
        pub fn $expr<'c>(e: &'c $($mutable)? Expr, f: &mut dyn FnMut(&'c $($mutable)? Expr)) {
            use ExprKind as K;
            match &$($mutable)? e.kind {
                K::Const(_) | K::ConstRatio(..) | K::None | K::Local(_) | K::Setting(_) | K::Global(_) => {}
                K::Tally(_) | K::Ambient(_) | K::ActionName | K::Actor | K::Running(_) => {}
                K::Alive(x) | K::At(x) | K::Facing(x) | K::Was(x) => f(x),
                K::Part { of: x, .. } | K::Crossed { leg: x, .. } => f(x),
                K::Has { thing: x, .. } | K::Instances { thing: x, .. } => f(x),
                K::Field { thing, keys, .. } => {
                    f(thing);
                    keys.into_iter().for_each(f);
                }
                K::Call { args: all, .. } | K::Op(_, all) | K::Tree { args: all, .. } => all.into_iter().for_each(f),
                K::And(all) | K::Or(all) | K::List(all) | K::Make(all) => all.into_iter().for_each(f),
                K::Otherwise(a, b) | K::Then { value: a, body: b, .. } => {
                    f(a);
                    f(b);
                }
                K::If { arms, otherwise } => {
                    for (condition, value) in arms {
                        f(condition);
                        f(value);
                    }
                    f(otherwise);
                }
                K::Match { subject, rows } => {
                    f(subject);
                    for row in rows {
                        for pattern in &$($mutable)? row.patterns {
                            $pattern(pattern, f);
                        }
                        if let Some(when) = &$($mutable)? row.when {
                            f(when);
                        }
                        f(&$($mutable)? row.value);
                    }
                }
                K::Table { keys, rows, columns, cells } => {
                    keys.into_iter().for_each(&mut *f);
                    for pattern in rows.into_iter().chain(columns).flatten() {
                        $pattern(pattern, f);
                    }
                    cells.into_iter().flatten().for_each(f);
                }
                K::Is { value, pattern } => {
                    f(value);
                    $pattern(pattern, f);
                }
                K::Map { over, filter, body, .. } => {
                    $collection(over, f);
                    if let Some(filter) = filter {
                        f(filter);
                    }
                    f(body);
                }
                K::Query { over, filter, body, .. } => {
                    for (_, collection) in over {
                        $collection(collection, f);
                    }
                    for part in filter.into_iter().chain(body) {
                        f(part);
                    }
                }
            }
        }

        fn $collection<'c>(c: &'c $($mutable)? Collection, f: &mut dyn FnMut(&'c $($mutable)? Expr)) {
            match c {
                Collection::List(e) | Collection::Group(e) => f(e),
                Collection::Range(a, b) => {
                    f(a);
                    f(b);
                }
                Collection::Cases(..) | Collection::Kind(_) => {}
            }
        }

        fn $pattern<'c>(p: &'c $($mutable)? Pat, f: &mut dyn FnMut(&'c $($mutable)? Expr)) {
            match p {
                Pat::Present(inner) => $pattern(inner, f),
                Pat::Between { low, high } => {
                    for (bound, _) in low.into_iter().chain(high) {
                        f(bound);
                    }
                }
                Pat::Equal(e) => f(e),
                Pat::Tuple(all) => {
                    for pattern in all.into_iter().flatten() {
                        $pattern(pattern, f);
                    }
                }
                Pat::Any | Pat::None | Pat::Some(_) | Pat::OnChain(_) | Pat::Past { .. } => {}
                Pat::MetKind(..) | Pat::MetEdge => {}
            }
        }
    };
}

parts!(parts in_collection in_pattern);
parts!(parts_mut in_collection_mut in_pattern_mut mut);

pub fn walk_body<'c>(body: &'c Body, see: See<'_, 'c>) {
    match body {
        Body::Value(e) => walk_expr(e, see),
        Body::Block(stmts) => walk_stmts(stmts, see),
        Body::Open => {}
    }
}

/// Visits a value and its parts.
pub fn walk_expr<'c>(e: &'c Expr, see: See<'_, 'c>) {
    see(Node::Expr(e));
    parts(e, &mut |part| walk_expr(part, see));
}

/// Returns whether `holds` is true for a value or one of its parts.
pub fn any_part(e: &Expr, holds: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    walk_expr(e, &mut |node| found |= matches!(node, Node::Expr(e) if holds(e)));
    found
}

fn all<'c>(values: impl IntoIterator<Item = &'c Expr>, see: See<'_, 'c>) {
    values.into_iter().for_each(|e| walk_expr(e, see));
}

/// Visits a collection and its parts.
pub fn walk_collection<'c>(c: &'c Collection, see: See<'_, 'c>) {
    in_collection(c, &mut |e| walk_expr(e, see));
}

fn patterns<'c>(found: &'c [Pat], see: See<'_, 'c>) {
    found.iter().for_each(|p| in_pattern(p, &mut |e| walk_expr(e, see)));
}

pub fn walk_stmts<'c>(stmts: &'c [Stmt], see: See<'_, 'c>) {
    stmts.iter().for_each(|s| walk_stmt(s, see));
}

fn until<'c>(u: &'c Option<Until>, see: See<'_, 'c>) {
    all(u.iter().filter_map(|u| u.key.as_ref()), see);
}

fn walk_stmt<'c>(s: &'c Stmt, see: See<'_, 'c>) {
    see(Node::Stmt(s));
    use StmtKind as K;
    match &s.kind {
        K::Let { value, .. } | K::LetTuple { value, .. } => walk_expr(value, see),
        K::Set { target, value, until: u, .. } => {
            if let Target::Field { thing, .. } = target {
                walk_expr(thing, see);
            }
            walk_expr(value, see);
            until(u, see);
        }
        K::Grant { data, to, until: u, .. } => {
            all(data, see);
            walk_expr(to, see);
            until(u, see);
        }
        K::Destroy { thing: e, .. } | K::Pass(e) | K::Grade(e) => walk_expr(e, see),
        K::Revoke { data, from, .. } => {
            all(data, see);
            walk_expr(from, see);
        }
        K::Place { thing: a, at: b } | K::Turn { thing: a, angle: b, .. } | K::Merge { from: a, into: b } => {
            walk_expr(a, see);
            walk_expr(b, see);
        }
        K::Spawn { fields, .. } => all(fields.iter().map(|f| &f.1), see),
        K::Call { args, .. } | K::Run { args, .. } | K::Emit { args, .. } => all(args, see),
        K::Borrowing { thing, figures, call } => {
            all(std::iter::once(thing).chain(figures.iter().map(|f| &f.1)), see);
            walk_stmts(std::slice::from_ref(call), see);
        }
        K::Return(e) => all(e, see),
        K::Stop | K::End(_) => {}
        K::CancelAction(returned) => {
            for (condition, body) in returned {
                walk_expr(condition, see);
                walk_stmts(body, see);
            }
        }
        K::If { arms, otherwise } => {
            for (condition, body) in arms {
                walk_expr(condition, see);
                walk_stmts(body, see);
            }
            walk_stmts(otherwise, see);
        }
        K::Match { subject, rows } => {
            walk_expr(subject, see);
            for row in rows {
                patterns(&row.patterns, see);
                all(&row.when, see);
                walk_stmts(&row.body, see);
            }
        }
        _ => walk_question(&s.kind, see),
    }
}

/// Visits statements with a decision or a roll, and loops.
fn walk_question<'c>(kind: &'c StmtKind, see: See<'_, 'c>) {
    use StmtKind as K;
    match kind {
        K::Roll { count, dice, by, .. } => all(count.iter().chain([dice]).chain(by), see),
        K::Draw { amount, from, filter, weight, by, .. } => {
            all(amount.iter().flat_map(|(a, b)| [a, b]), see);
            walk_collection(from, see);
            all(filter.iter().chain(weight).chain(by), see);
        }
        K::Reroll { filter, rounds, .. } => all(filter.iter().chain(rounds), see),
        K::ChooseAction { by, stop_when, .. } => all(by.iter().chain(stop_when), see),
        K::ChooseOption { by, options, .. } => {
            all(by, see);
            for option in options {
                all(option.when.iter().chain(option.prefer.iter().flatten()), see);
                walk_stmts(&option.body, see);
            }
        }
        K::Choose(choose) => walk_choose(choose, see),
        K::May { by, when, prefer, body, .. } => {
            all(by.iter().chain(when).chain(prefer), see);
            walk_stmts(body, see);
        }
        K::Each { from, filter, order, body, .. } => {
            walk_collection(from, see);
            all(filter, see);
            match order {
                EachOrder::AsListed => {}
                EachOrder::Chosen { by, .. } => all(by, see),
                EachOrder::By(e) => walk_expr(e, see),
            }
            walk_stmts(body, see);
        }
        K::Repeat { body, condition } => {
            all(condition, see);
            walk_stmts(body, see);
        }
        K::Move { motion, otherwise, .. } => {
            walk_expr(&motion.thing, see);
            motion.lines.iter().for_each(|line| all(line.when.iter().chain(&line.parts), see));
            otherwise.iter().for_each(|body| walk_stmts(body, see));
        }
        _ => {}
    }
}

/// Visits a choice among values.
pub fn walk_choose<'c>(c: &'c Choose, see: See<'_, 'c>) {
    if let Some((low, high)) = &c.amount {
        walk_expr(low, see);
        all(high, see);
    }
    walk_collection(&c.from, see);
    all(c.by.iter().chain(&c.filter), see);
    match &c.prefer {
        Some(Prefer::Extreme { by: e, .. } | Prefer::When { condition: e, .. }) => walk_expr(e, see),
        None => {}
    }
}
