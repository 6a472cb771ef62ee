//! Debug information for traces and errors: names of functions and variables, source locations of instructions, and
//! clauses.

use super::instr::Pc;
use grognard_base::Span;
use grognard_base::order;
use grognard_base::value::*;
use grognard_rules::code::{Body, Function, Local, Stmt, StmtKind};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::Ruleset;
use std::cmp::Reverse;
use std::sync::Arc;

/// Source locations and clauses of code.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// Spans of instructions: (first program point, span), in ascending order.
    pub(super) places: Vec<(Pc, Span)>,
    /// Statements with separate clauses, and those in rows and options that have clauses. Sorted by their start, outer
    /// statements first.
    cited: Arc<[(Span, Vec<String>)]>,
}

impl Debug {
    /// Collects the clauses of the statements of a ruleset, without code.
    pub(super) fn of(rules: &Ruleset) -> Debug {
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
        order::sort_by_key(&mut cited, |(span, _)| (span.file, span.start, Reverse(span.end)));
        cited.dedup_by_key(|(span, _)| *span);
        Debug { places: Vec::new(), cited: cited.into() }
    }

    /// Returns the source location of the instruction before `pc`, or `None` if it has none.
    pub fn place(&self, pc: Pc) -> Option<Span> {
        let at = self.places.partition_point(|(first, _)| *first < pc);
        at.checked_sub(1).and_then(|n| self.places.get(n)).map(|(_, span)| *span)
    }

    /// Returns the clauses of the innermost statement around a location, without those of its item.
    pub fn clauses(&self, span: Span) -> &[String] {
        let before = self.cited.partition_point(|(s, _)| (s.file, s.start) <= (span.file, span.start));
        let around = self.cited[..before].iter().rev().take_while(|(s, _)| s.file == span.file);
        around.into_iter().find(|(s, _)| span.end <= s.end).map_or(&[], |(_, cites)| cites)
    }
}

/// Signature of a function of the rules.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Name of its declaration, as written: `SuppressionCheck`, `Unit.nerve`.
    pub name: String,
    /// The item whose title and clauses are shown.
    pub item: ItemId,
    /// Number of locals that are parameters.
    pub params: usize,
    /// Variables, parameters first.
    pub locals: Vec<Local>,
    /// Type of the result.
    pub result: Type,
    /// Name of the returned value, or empty if it has no separate name.
    pub gives: String,
}

impl Signature {
    pub(super) fn of(function: &Function, rules: &Ruleset) -> Signature {
        let named = match &function.body {
            Body::Value(value) => rules.called(value),
            Body::Block(_) | Body::Open => None,
        };
        Signature {
            name: function.name.clone(),
            item: function.item,
            params: function.params,
            locals: function.locals.clone(),
            result: function.result.clone(),
            gives: named.unwrap_or_default().to_string(),
        }
    }
}
