//! Clauses cited above statements, found again by the place in the text that runs.

use crate::base::Span;
use crate::program::Program;
use crate::rules::code::{Stmt, StmtKind};
use crate::rules::reads::walk::{Node, walk_body};
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
            walk_body(&function.body, &mut |node| {
                let Node::Stmt(stmt) = node else { return };
                let mut note = |stmt: &Stmt, cites: &[String]| {
                    if !cites.is_empty() {
                        cited.push((stmt.span, cites.to_vec()));
                    }
                };
                note(stmt, &stmt.cites);
                let parts: Vec<(&[Stmt], &[String])> = match &stmt.kind {
                    StmtKind::Match { rows, .. } => rows.iter().map(|row| (&row.body[..], &row.cites[..])).collect(),
                    StmtKind::ChooseOption { options, .. } => {
                        options.iter().map(|o| (&o.body[..], &o.cites[..])).collect()
                    }
                    _ => Vec::new(),
                };
                for (body, cites) in parts {
                    body.iter().filter(|inner| inner.cites.is_empty()).for_each(|inner| note(inner, cites));
                }
            });
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
