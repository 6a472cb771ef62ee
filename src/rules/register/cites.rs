//! Walks the tree of an item and shows every cite in it.

use crate::syntax::tree::*;

type Show<'a, 's> = &'s mut dyn FnMut(&'a ClauseRef);

/// Shows every cite of an item, those inside its body too; with the member of a kind that it stands at.
pub fn visit_cites<'a>(item: &'a Item, show: &mut dyn FnMut(&'a ClauseRef, Option<&'a Member>)) {
    if let ItemKind::Kind(Kind { members, .. }) | ItemKind::ExtendKind { members, .. } = &item.kind {
        for m in members {
            member(m, &mut |cite| show(cite, Some(m)));
        }
    }
    visit(item, &mut |cite| show(cite, None));
}

fn visit<'a>(item: &'a Item, show: Show<'a, '_>) {
    cites(&item.cites, show);
    match &item.kind {
        ItemKind::Let(l) => exprs(&l.value, show),
        ItemKind::Table(t) => {
            for row in &t.rows {
                cites(&row.cites, show);
                row.cells.iter().for_each(|c| cell(c, show));
            }
        }
        ItemKind::Trait(t) => {
            exprs(&t.when, show);
            t.members.iter().for_each(|m| trait_member(m, show));
        }
        ItemKind::Test(t) => block(&t.body, show),
        ItemKind::Proc(p) => p.body.iter().for_each(|b| block(b, show)),
        ItemKind::Phase(p) => p.body.iter().for_each(|b| block(b, show)),
        ItemKind::Action(a) => block(&a.body, show),
        ItemKind::Rule(r) => rule(r, show),
        ItemKind::Law { holds, .. } => expr(holds, show),
        _ => {}
    }
}

fn cites<'a>(found: &'a [ClauseRef], show: Show<'a, '_>) {
    found.iter().for_each(show);
}

fn exprs<'a>(found: impl IntoIterator<Item = &'a Expr>, show: Show<'a, '_>) {
    found.into_iter().for_each(|e| expr(e, show));
}

fn member<'a>(m: &'a Member, show: Show<'a, '_>) {
    cites(&m.cites, show);
    match &m.kind {
        MemberKind::Stat(s) | MemberKind::State(s) => exprs(&s.default, show),
        MemberKind::Let(l) => exprs(&l.value, show),
        MemberKind::Owner(_) | MemberKind::Link { .. } => {}
    }
}

fn cell<'a>(c: &'a Cell, show: Show<'a, '_>) {
    if let CellKind::Value(e) = &c.kind {
        expr(e, show);
    }
}

fn trait_member<'a>(m: &'a TraitMember, show: Show<'a, '_>) {
    cites(&m.cites, show);
    match &m.kind {
        TraitMemberKind::Replace { value, when, .. } | TraitMemberKind::Modify { value, when, .. } => {
            expr(value, show);
            exprs(when, show);
        }
        TraitMemberKind::Forbid { when, .. } => exprs(when, show),
        TraitMemberKind::Let(l) => exprs(&l.value, show),
        TraitMemberKind::Rule(r) => rule(r, show),
    }
}

fn rule<'a>(r: &'a Rule, show: Show<'a, '_>) {
    exprs(&r.when, show);
    block(&r.body, show);
}

fn args<'a>(found: &'a [Arg], show: Show<'a, '_>) {
    found.iter().for_each(|a| expr(&a.value, show));
}

fn range<'a>(r: &'a Range, show: Show<'a, '_>) {
    expr(&r.low, show);
    exprs(r.high.as_deref(), show);
}

fn block<'a>(b: &'a Block, show: Show<'a, '_>) {
    b.stmts.iter().for_each(|s| stmt(s, show));
}

fn body<'a>(b: &'a Body, show: Show<'a, '_>) {
    match b {
        Body::Block(b) => block(b, show),
        Body::Stmt(s) => stmt(s, show),
        Body::Value(e) => expr(e, show),
    }
}

fn in_match<'a>(m: &'a Match, show: Show<'a, '_>) {
    expr(&m.subject, show);
    for row in &m.rows {
        cites(&row.cites, show);
        exprs(&row.when, show);
        body(&row.body, show);
    }
}

fn until<'a>(u: &'a Option<Until>, show: Show<'a, '_>) {
    exprs(u.iter().filter_map(|u| u.key.as_ref()), show);
}

fn stmt<'a>(s: &'a Stmt, show: Show<'a, '_>) {
    cites(&s.cites, show);
    match &s.kind {
        StmtKind::Let { value, .. } => match value {
            Source::Value(e) => expr(e, show),
            Source::Do(c) | Source::Test(c) => args(&c.args, show),
            Source::Move(m) => motion(m, show),
        },
        StmtKind::If { arms, otherwise } => {
            for (condition, b) in arms {
                expr(condition, show);
                block(b, show);
            }
            otherwise.iter().for_each(|b| block(b, show));
        }
        StmtKind::Match(m) => in_match(m, show),
        StmtKind::ChooseOption { by, options, .. } => {
            exprs(by, show);
            for option in options {
                cites(&option.cites, show);
                exprs(option.when.iter().chain(option.prefer.iter().flatten()), show);
                body(&option.body, show);
            }
        }
        StmtKind::May { by, when, prefer, body: b, .. } => {
            exprs(by.iter().chain(when).chain(prefer), show);
            block(b, show);
        }
        StmtKind::Each { from, filter, body: b, .. } => {
            range(from, show);
            exprs(filter, show);
            block(b, show);
        }
        StmtKind::Repeat { body: b, condition } => {
            exprs(condition, show);
            block(b, show);
        }
        StmtKind::Move { motion: m, otherwise } => {
            motion(m, show);
            otherwise.iter().for_each(|b| block(b, show));
        }
        other => values_of(other, show),
    }
}

/// Statements that hold values only: a value may be a `match`, whose rows cite.
fn values_of<'a>(s: &'a StmtKind, show: Show<'a, '_>) {
    match s {
        StmtKind::Var { value, .. } => expr(value, show),
        StmtKind::Roll { by, count, dice, .. } => exprs(by.iter().chain(count).chain([dice]), show),
        StmtKind::Draw { by, from, filter, weight, .. } => {
            range(from, show);
            exprs(by.iter().chain(filter).chain(weight), show);
        }
        StmtKind::Reroll { filter, at_most, .. } => exprs(filter.iter().chain(at_most), show),
        StmtKind::Set { value, until: u, .. } => {
            expr(value, show);
            until(u, show);
        }
        StmtKind::Grant { args: a, until: u, .. } => {
            args(a, show);
            until(u, show);
        }
        StmtKind::ChooseAction { by, stop_when, .. } => exprs(by.iter().chain(stop_when), show),
        StmtKind::Choose { by, from, filter, prefer, .. } => {
            range(from, show);
            exprs(by.iter().chain(filter), show);
            if let Some(Prefer::Extreme { by: e, .. } | Prefer::When { condition: e, .. }) = prefer {
                expr(e, show);
            }
        }
        StmtKind::Limit { times, key, when, .. } => exprs([times].into_iter().chain(key).chain(when), show),
        StmtKind::Spawn { fields, .. } => exprs(fields.iter().map(|f| &f.1), show),
        StmtKind::Place { at: e, .. } | StmtKind::Turn { angle: e, .. } => expr(e, show),
        StmtKind::Do(c) | StmtKind::Test(c) | StmtKind::Run(c) | StmtKind::Emit(c) => args(&c.args, show),
        StmtKind::Return(e) => exprs(e, show),
        StmtKind::PassWhen(e) | StmtKind::Grade(e) => expr(e, show),
        StmtKind::Needs { condition: e, .. } | StmtKind::Cost { amount: e, .. } => expr(e, show),
        _ => {}
    }
}

fn motion<'a>(m: &'a Move, show: Show<'a, '_>) {
    for line in &m.lines {
        cites(&line.cites, show);
        exprs(&line.when, show);
        use MoveLineKind as L;
        match &line.kind {
            L::Heading(r) => range(r, show),
            L::EndsWithin { distance, of } => exprs([distance, of], show),
            L::KeepsFacing => {}
            L::StopsOnContact(e) => exprs(e, show),
            L::AtLeast(e) | L::AtMost(e) | L::Exactly(e) | L::Toward(e) | L::AwayFrom(e) => expr(e, show),
            L::NoNearerTo(e) | L::EndsWhere(e) | L::NeverWhere(e) | L::Along(e) | L::StraightFor(e) => expr(e, show),
            L::BendsAtMost(e) | L::Avoids(e) | L::Through(e) | L::StopsWhere(e) => expr(e, show),
            L::Costs { cost: e, .. } => expr(e, show),
        }
    }
}

fn expr<'a>(e: &'a Expr, show: Show<'a, '_>) {
    use ExprKind as K;
    match &e.kind {
        K::Number(_) | K::Dice { .. } | K::Yes | K::No | K::None | K::Name(_) | K::Upper(_) => {}
        K::Call(f, a) => {
            expr(f, show);
            args(a, show);
        }
        K::Tuple(all) | K::List(all) | K::And(all) | K::Or(all) | K::Otherwise(all) => exprs(all, show),
        K::Paren(x) | K::Neg(x) | K::Was(x) | K::Not(x) | K::Field(x, _) => expr(x, show),
        K::Rounded { value: x, .. } | K::Has { thing: x, .. } | K::Is { value: x, .. } => expr(x, show),
        K::Arith { first, rest } => {
            expr(first, show);
            exprs(rest.iter().map(|r| &r.1), show);
        }
        K::Shift { die: a, by: b, .. } | K::Compare { left: a, right: b, .. } | K::Sees { from: a, to: b } => {
            expr(a, show);
            expr(b, show);
        }
        K::In { value, range: r, .. } => {
            expr(value, show);
            range(r, show);
        }
        K::Within { place, distance, of } => exprs([place.as_ref(), distance, of], show),
        K::If { arms, otherwise } => {
            for (a, b) in arms {
                expr(a, show);
                expr(b, show);
            }
            expr(otherwise, show);
        }
        K::Match(m) => in_match(m, show),
        K::Query { binds, filter, body, .. } => {
            binds.iter().for_each(|(_, r)| range(r, show));
            exprs(filter.as_deref().into_iter().chain(body.as_deref()), show);
        }
        K::PoolQuery { pool, than, .. } => {
            expr(pool, show);
            expr(than, show);
        }
    }
}
