//! Analyzes the control flow of a body: whether every path ends in a result, and in only one.

use super::super::code::{Stmt, StmtKind};

/// Returns whether no path reaches the end of these statements.
pub(super) fn always_ends(stmts: &[Stmt]) -> bool {
    stmts.iter().any(ends)
}

fn ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) | StmtKind::End(_) => true,
        StmtKind::If { arms, otherwise } => arms.iter().all(|(_, body)| always_ends(body)) && always_ends(otherwise),
        StmtKind::Match { rows, .. } => !rows.is_empty() && rows.iter().all(|r| always_ends(&r.body)),
        StmtKind::ChooseOption { options, .. } => !options.is_empty() && options.iter().all(|o| always_ends(&o.body)),
        StmtKind::Repeat { body, condition: None } => !body.iter().any(stops),
        _ => false,
    }
}

/// Returns whether a statement can leave the enclosing loop.
fn stops(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Stop => true,
        StmtKind::ChooseAction { or_stop, .. } => *or_stop,
        StmtKind::If { arms, otherwise } => {
            arms.iter().any(|(_, body)| body.iter().any(stops)) || otherwise.iter().any(stops)
        }
        StmtKind::Match { rows, .. } => rows.iter().any(|r| r.body.iter().any(stops)),
        StmtKind::ChooseOption { options, .. } => options.iter().any(|o| o.body.iter().any(stops)),
        StmtKind::May { body, .. } => body.iter().any(stops),
        StmtKind::Move { otherwise, .. } => otherwise.iter().flatten().any(stops),
        _ => false,
    }
}

/// Returns the minimum and maximum number of verdicts on a path through these statements.
pub(super) fn verdicts(stmts: &[Stmt]) -> (usize, usize) {
    stmts.iter().map(verdict).fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
}

fn verdict(stmt: &Stmt) -> (usize, usize) {
    let branches = |all: Vec<(usize, usize)>| {
        let least = all.iter().map(|b| b.0).min().unwrap_or(0);
        (least, all.iter().map(|b| b.1).max().unwrap_or(0))
    };
    match &stmt.kind {
        StmtKind::Pass(_) | StmtKind::Grade(_) => (1, 1),
        StmtKind::If { arms, otherwise } => {
            let bodies = arms.iter().map(|(_, body)| body).chain([otherwise]);
            branches(bodies.map(|b| verdicts(b)).collect())
        }
        StmtKind::Match { rows, .. } => branches(rows.iter().map(|r| verdicts(&r.body)).collect()),
        StmtKind::ChooseOption { options, .. } => branches(options.iter().map(|o| verdicts(&o.body)).collect()),
        StmtKind::May { body, .. } => (0, verdicts(body).1),
        StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } => match verdicts(body).1 {
            0 => (0, 0),
            _ => (0, 2),
        },
        _ => (0, 0),
    }
}
