//! Clauses cited above statements, found again by the place in the text that runs.

use crate::base::Span;
use crate::program::Program;
use crate::rules::code::{Body, Stmt, StmtKind};
use crate::rules::ruleset::Ruleset;

/// Statements with clauses of their own, and rows and options whose statements have none.
pub(super) struct Clauses {
    cited: Vec<(Span, Vec<String>)>,
}

impl Clauses {
    /// All cites of statements of a ruleset.
    pub(super) fn of(rules: &Ruleset) -> Clauses {
        let mut cited = Vec::new();
        for function in &rules.functions {
            if let Body::Block(stmts) = &function.body {
                block(stmts, &[], &mut cited);
            }
        }
        Clauses { cited }
    }

    /// The clauses of the innermost statement around a place; those of its item are not repeated.
    pub(super) fn around(&self, span: Span) -> Vec<String> {
        let covers = |s: &Span| s.file == span.file && s.start <= span.start && span.end <= s.end;
        let found = self.cited.iter().filter(|(s, _)| covers(s)).min_by_key(|(s, _)| s.end - s.start);
        found.map_or(Vec::new(), |(_, cites)| cites.clone())
    }
}

/// The place in the text of the instruction before `pc`.
pub(super) fn place_of(program: &Program, pc: u32) -> Option<Span> {
    let at = program.places.partition_point(|(first, _)| *first < pc);
    at.checked_sub(1).and_then(|n| program.places.get(n)).map(|(_, span)| *span)
}

fn block(stmts: &[Stmt], outer: &[String], cited: &mut Vec<(Span, Vec<String>)>) {
    for stmt in stmts {
        let own = if stmt.cites.is_empty() { outer } else { stmt.cites.as_slice() };
        if !own.is_empty() {
            cited.push((stmt.span, own.to_vec()));
        }
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                for (_, body) in arms {
                    block(body, &[], cited);
                }
                block(otherwise, &[], cited);
            }
            StmtKind::Match { rows, .. } => {
                for row in rows {
                    block(&row.body, &row.cites, cited);
                }
            }
            StmtKind::ChooseOption { options, .. } => {
                for option in options {
                    block(&option.body, &option.cites, cited);
                }
            }
            StmtKind::May { body, .. } | StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } => {
                block(body, &[], cited);
            }
            StmtKind::Move { otherwise: Some(body), .. } => block(body, &[], cited),
            _ => {}
        }
    }
}
