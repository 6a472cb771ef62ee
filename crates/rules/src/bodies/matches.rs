//! Checks `match` as a value and as a statement.

use super::super::code::{Expr, ExprKind, Pat, Stmt, StmtKind, StmtRow, ValueRow};
use super::body::{BodyChecker, expr};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, PatternKind};

/// The left side of a checked row.
struct Left {
    patterns: Vec<Pat>,
    when: Option<Expr>,
}

impl BodyChecker<'_, '_> {
    /// Checks a `match` whose rows are values.
    pub fn match_value(&mut self, m: &tree::Match, hint: Option<&Type>) -> Expr {
        let subject = self.expr(&m.subject, None);
        let mut rendered = hint.cloned();
        let mut rows: Vec<Option<(Left, Expr)>> = m.rows.iter().map(|_| None).collect();
        for needy in [false, true] {
            for (at, row) in m.rows.iter().enumerate() {
                if rows[at].is_some() || self.row_needs_hint(row) != needy {
                    continue;
                }
                let mark = self.mark();
                let left = self.row_left(row, &subject);
                let value = self.row_value(row, rendered.as_ref());
                self.leave(mark);
                if hint.is_none() && value.ty != Type::Unknown && !needy {
                    rendered = Some(value.ty.clone());
                }
                rows[at] = Some((left, value));
            }
        }
        let (lefts, values): (Vec<_>, Vec<_>) = rows.into_iter().flatten().unzip();
        self.judge_match(m, &subject, &lefts);
        let (values, ty) = self.unify(values, m.span);
        let mut made = Vec::new();
        for ((left, value), row) in lefts.into_iter().zip(values).zip(&m.rows) {
            made.push(ValueRow { patterns: left.patterns, when: left.when, value, cites: ids(&row.cites) });
        }
        expr(ExprKind::Match { subject: Box::new(subject), rows: made }, ty, m.span)
    }

    /// Checks a `match` whose rows are statements.
    pub fn match_stmt(&mut self, m: &tree::Match) -> StmtKind {
        self.match_rows(m, &mut |body, row| body.body(&row.body, &row.cites))
    }

    /// Checks a `match` whose rows are statements. `done` checks the body of each row.
    pub fn match_rows(
        &mut self,
        m: &tree::Match,
        done: &mut dyn FnMut(&mut Self, &tree::MatchRow) -> Vec<Stmt>,
    ) -> StmtKind {
        let subject = self.expr(&m.subject, None);
        let mut lefts = Vec::new();
        let mut rows = Vec::new();
        for row in &m.rows {
            let mark = self.mark();
            let left = self.row_left(row, &subject);
            let body = done(self, row);
            self.leave(mark);
            rows.push(StmtRow {
                patterns: left.patterns.clone(),
                when: left.when.clone(),
                body,
                cites: ids(&row.cites),
            });
            lefts.push(left);
        }
        self.judge_match(m, &subject, &lefts);
        StmtKind::Match { subject, rows }
    }

    fn row_needs_hint(&self, row: &tree::MatchRow) -> bool {
        match &row.body {
            tree::Body::Value(value) => self.needs_hint(value),
            tree::Body::Block(_) | tree::Body::Stmt(_) | tree::Body::Lasts(..) => false,
        }
    }

    fn row_left(&mut self, row: &tree::MatchRow, subject: &Expr) -> Left {
        let patterns = row.patterns.iter().map(|p| self.pattern(p, subject)).collect::<Vec<_>>();
        if row.patterns.len() > 1 && binds(&row.patterns) {
            self.say(
                Code::BandForm,
                row.span,
                "a row with several patterns cannot bind a name; write one row for each",
            );
        }
        self.note_row(subject, &patterns);
        let when = row.when.as_ref().map(|w| self.condition(w));
        Left { patterns, when }
    }

    fn row_value(&mut self, row: &tree::MatchRow, hint: Option<&Type>) -> Expr {
        match &row.body {
            tree::Body::Value(value) => self.expr(value, hint),
            tree::Body::Block(_) | tree::Body::Stmt(_) | tree::Body::Lasts(..) => {
                self.wrong(Code::Effect, row.span, "expected a value, found an action in this row")
            }
        }
    }

    fn judge_match(&mut self, m: &tree::Match, subject: &Expr, lefts: &[Left]) {
        if subject.ty == Type::Unknown || lefts.iter().any(|l| l.patterns.iter().any(faulty)) {
            return;
        }
        let domain = self.subject_domain(subject);
        let mut judged = Vec::new();
        for (left, row) in lefts.iter().zip(&m.rows) {
            let is_else =
                matches!(row.patterns.as_slice(), [p] if matches!(p.kind, PatternKind::Else | PatternKind::Any));
            judged.push(self.judged(&left.patterns, &subject.ty, left.when.is_some(), is_else, row.span));
        }
        self.judge_rows(&domain, judged, m.first, true, "", m.span);
    }

    /// Checks the body of a row or an option as statements.
    pub fn body(&mut self, body: &tree::Body, cites: &[tree::ClauseRef]) -> Vec<Stmt> {
        let outer = std::mem::replace(&mut self.cites, ids(cites));
        let stmts = match body {
            tree::Body::Block(block) => self.block(block),
            tree::Body::Stmt(stmt) => {
                let mark = self.mark();
                let made = self.stmts(std::slice::from_ref(stmt));
                self.leave(mark);
                made
            }
            tree::Body::Value(value) => self.value_as_stmt(value),
            tree::Body::Lasts(..) => Vec::new(),
        };
        self.cites = outer;
        stmts
    }

    /// Checks a `match` in a row that is parsed as a value but is a statement.
    fn value_as_stmt(&mut self, value: &tree::Expr) -> Vec<Stmt> {
        if let tree::ExprKind::Match(m) = &value.kind {
            let kind = self.match_stmt(m);
            return vec![Stmt { kind, span: value.span, cites: self.cites.clone() }];
        }
        let message = "expected a statement in this row, found a value";
        self.say_help(Code::WrongType, value.span, message, "to do nothing, write an empty block: `=> { }`");
        Vec::new()
    }
}

/// Returns whether a pattern has an error, so that gaps cannot be determined.
pub(super) fn faulty(p: &Pat) -> bool {
    let unknown = |e: &Expr| e.ty == Type::Unknown;
    match p {
        Pat::Equal(value) => unknown(value),
        Pat::Between { low, high } => low.iter().chain(high).any(|(e, _)| unknown(e)),
        Pat::Present(inner) => faulty(inner),
        Pat::Tuple(rows) => rows.iter().flatten().any(faulty),
        Pat::Any | Pat::None | Pat::Some(_) | Pat::OnChain(_) | Pat::Past { .. } | Pat::MetKind(..) | Pat::MetEdge => {
            false
        }
    }
}

/// Returns whether one of the patterns binds a name.
fn binds(patterns: &[tree::Pattern]) -> bool {
    patterns.iter().any(|p| match &p.kind {
        PatternKind::Some(_)
        | PatternKind::SomeKind { bound: Some(_), .. }
        | PatternKind::Past { bound: Some(_), .. }
        | PatternKind::Kind { .. } => true,
        PatternKind::Tuple(rows) => rows.iter().any(|row| binds(row)),
        _ => false,
    })
}

/// Returns clause ids as strings.
pub(super) fn ids(cites: &[tree::ClauseRef]) -> Vec<String> {
    cites.iter().map(|c| c.text.clone()).collect()
}
