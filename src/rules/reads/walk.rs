//! Walks typed code and shows every expression and statement in it.

use crate::rules::code::*;

/// Sees each node before what is inside it.
pub trait Walker {
    /// A value.
    fn expr(&mut self, _: &Expr) {}
    /// A statement.
    fn stmt(&mut self, _: &Stmt) {}
    /// A collection that is gone through.
    fn collection(&mut self, _: &Collection) {}
}

/// Shows a whole body.
pub fn walk_body(body: &Body, w: &mut dyn Walker) {
    match body {
        Body::Value(e) => walk_expr(e, w),
        Body::Block(stmts) => walk_stmts(stmts, w),
        Body::Open => {}
    }
}

/// Shows a value and its parts.
pub fn walk_expr(e: &Expr, w: &mut dyn Walker) {
    w.expr(e);
    use ExprKind as K;
    match &e.kind {
        K::Const(_) | K::ConstRatio(..) | K::None | K::Local(_) | K::Setting(_) | K::Global(_) | K::Tally(_) => {}
        K::Ambient(_) | K::ActionName | K::Actor | K::Running(_) => {}
        K::Field { thing, keys, .. } => {
            walk_expr(thing, w);
            all(keys, w);
        }
        K::Alive(x) | K::At(x) | K::Facing(x) | K::Was(x) => walk_expr(x, w),
        K::Part { of: x, .. } | K::Crossed { leg: x, .. } | K::Has { thing: x, .. } | K::Instances { thing: x, .. } => {
            walk_expr(x, w)
        }
        K::Call { args, .. } | K::Op(_, args) | K::Tree { args, .. } => all(args, w),
        K::And(parts) | K::Or(parts) | K::List(parts) | K::Make(parts) => all(parts, w),
        K::Otherwise(a, b) => {
            walk_expr(a, w);
            walk_expr(b, w);
        }
        K::If { arms, otherwise } => {
            for (a, b) in arms {
                walk_expr(a, w);
                walk_expr(b, w);
            }
            walk_expr(otherwise, w);
        }
        K::Match { subject, rows } => {
            walk_expr(subject, w);
            for row in rows {
                patterns(&row.patterns, w);
                all(&row.when, w);
                walk_expr(&row.value, w);
            }
        }
        K::Table { keys, rows, columns, cells } => {
            all(keys, w);
            rows.iter().chain(columns).for_each(|p| patterns(p, w));
            cells.iter().for_each(|row| all(row, w));
        }
        K::Is { value, pattern } => {
            walk_expr(value, w);
            walk_pattern(pattern, w);
        }
        K::Then { value, body, .. } => {
            walk_expr(value, w);
            walk_expr(body, w);
        }
        K::Map { over, filter, body, .. } => {
            walk_collection(over, w);
            all(filter.as_deref(), w);
            walk_expr(body, w);
        }
        K::Query { over, filter, body, .. } => {
            over.iter().for_each(|(_, c)| walk_collection(c, w));
            all(filter.as_deref(), w);
            all(body.as_deref(), w);
        }
    }
}

fn all<'a>(parts: impl IntoIterator<Item = &'a Expr>, w: &mut dyn Walker) {
    parts.into_iter().for_each(|e| walk_expr(e, w));
}

/// Shows a collection and its parts.
pub fn walk_collection(c: &Collection, w: &mut dyn Walker) {
    w.collection(c);
    match c {
        Collection::List(e) | Collection::Group(e) => walk_expr(e, w),
        Collection::Range(a, b) => {
            walk_expr(a, w);
            walk_expr(b, w);
        }
        Collection::Cases(..) | Collection::Kind(_) => {}
    }
}

fn patterns(found: &[Pat], w: &mut dyn Walker) {
    found.iter().for_each(|p| walk_pattern(p, w));
}

fn walk_pattern(p: &Pat, w: &mut dyn Walker) {
    match p {
        Pat::Present(inner) => walk_pattern(inner, w),
        Pat::Between { low, high } => low.iter().chain(high).for_each(|(e, _)| walk_expr(e, w)),
        Pat::Equal(e) => walk_expr(e, w),
        Pat::Tuple(parts) => parts.iter().for_each(|p| patterns(p, w)),
        _ => {}
    }
}

/// Shows statements.
pub fn walk_stmts(stmts: &[Stmt], w: &mut dyn Walker) {
    stmts.iter().for_each(|s| walk_stmt(s, w));
}

fn until(u: &Option<Until>, w: &mut dyn Walker) {
    all(u.iter().filter_map(|u| u.key.as_ref()), w);
}

fn walk_stmt(s: &Stmt, w: &mut dyn Walker) {
    w.stmt(s);
    use StmtKind as K;
    match &s.kind {
        K::Let { value, .. } | K::LetTuple { value, .. } => walk_expr(value, w),
        K::Set { target, value, until: u, .. } => {
            if let Target::Field { thing, keys, .. } = target {
                walk_expr(thing, w);
                all(keys, w);
            }
            walk_expr(value, w);
            until(u, w);
        }
        K::Grant { data, to, until: u, .. } => {
            all(data, w);
            walk_expr(to, w);
            until(u, w);
        }
        K::Revoke { from: e, .. } | K::Destroy { thing: e, .. } | K::Pass(e) | K::Grade(e) => walk_expr(e, w),
        K::Place { thing: a, at: b } | K::Turn { thing: a, angle: b, .. } | K::Merge { from: a, into: b } => {
            walk_expr(a, w);
            walk_expr(b, w);
        }
        K::Spawn { fields, .. } => all(fields.iter().map(|f| &f.1), w),
        K::Call { args, .. } | K::Run { args, .. } | K::Emit { args, .. } => all(args, w),
        K::Return(e) => all(e, w),
        K::Stop | K::End(_) | K::CancelAction => {}
        K::If { arms, otherwise } => {
            for (condition, body) in arms {
                walk_expr(condition, w);
                walk_stmts(body, w);
            }
            walk_stmts(otherwise, w);
        }
        K::Match { subject, rows } => {
            walk_expr(subject, w);
            for row in rows {
                patterns(&row.patterns, w);
                all(&row.when, w);
                walk_stmts(&row.body, w);
            }
        }
        _ => walk_question(&s.kind, w),
    }
}

/// Statements that ask somebody, or dice, and loops.
fn walk_question(kind: &StmtKind, w: &mut dyn Walker) {
    use StmtKind as K;
    match kind {
        K::Roll { count, dice, by, .. } => all(count.iter().chain([dice]).chain(by), w),
        K::Draw { amount, from, filter, weight, by, .. } => {
            all(amount.iter().flat_map(|(a, b)| [a, b]), w);
            walk_collection(from, w);
            all(filter.iter().chain(weight).chain(by), w);
        }
        K::Reroll { filter, rounds, .. } => all(filter.iter().chain(rounds), w),
        K::ChooseAction { by, stop_when, .. } => all(by.iter().chain(stop_when), w),
        K::ChooseOption { by, options, .. } => {
            all(by, w);
            for option in options {
                all(option.when.iter().chain(option.prefer.iter().flatten()), w);
                walk_stmts(&option.body, w);
            }
        }
        K::Choose(choose) => walk_choose(choose, w),
        K::May { by, when, prefer, body, .. } => {
            all(by.iter().chain(when).chain(prefer), w);
            walk_stmts(body, w);
        }
        K::Each { from, filter, order, body, .. } => {
            walk_collection(from, w);
            all(filter, w);
            match order {
                EachOrder::AsListed => {}
                EachOrder::Chosen { by, .. } => all(by, w),
                EachOrder::By(e) => walk_expr(e, w),
            }
            walk_stmts(body, w);
        }
        K::Repeat { body, condition } => {
            all(condition, w);
            walk_stmts(body, w);
        }
        K::Move { motion, otherwise, .. } => {
            walk_expr(&motion.thing, w);
            motion.lines.iter().for_each(|line| walk_line(line, w));
            otherwise.iter().for_each(|body| walk_stmts(body, w));
        }
        _ => {}
    }
}

/// Shows a choice among values.
pub fn walk_choose(c: &Choose, w: &mut dyn Walker) {
    if let Some((low, high)) = &c.amount {
        walk_expr(low, w);
        all(high, w);
    }
    walk_collection(&c.from, w);
    all(c.by.iter().chain(&c.filter), w);
    match &c.prefer {
        Some(Prefer::Extreme { by: e, .. } | Prefer::When { condition: e, .. }) => walk_expr(e, w),
        None => {}
    }
}

fn walk_line(line: &MoveLine, w: &mut dyn Walker) {
    all(&line.when, w);
    use MoveLineKind as L;
    match &line.kind {
        L::AtLeast(e) | L::AtMost(e) | L::Exactly(e) | L::Toward(e) | L::AwayFrom(e) | L::NoNearerTo(e) => {
            walk_expr(e, w)
        }
        L::EndsWhere(e) | L::NeverWhere(e) | L::Along(e) | L::StraightFor(e) | L::BendsAtMost(e) => walk_expr(e, w),
        L::Avoids(e) | L::Through(e) | L::StopsWhere(e) | L::Costs { cost: e, .. } => walk_expr(e, w),
        L::EndsWithin { distance: a, of: b } => {
            walk_expr(a, w);
            walk_expr(b, w);
        }
        L::Heading(a, b) => all([a].into_iter().chain(b), w),
        L::StopsOnContact(e) => all(e, w),
        L::KeepsFacing => {}
    }
}
