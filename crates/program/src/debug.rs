//! Debug information: what a program keeps of its rules for whoever tells of a run or of an error. Names of functions and
//! variables, where each instruction comes from, and the clauses under which it stands.

use super::instr::Pc;
use grognard_base::Span;
use grognard_base::order;
use grognard_base::value::*;
use grognard_rules::code::{Body, Function, Local, Stmt, StmtKind};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::Ruleset;
use std::cmp::Reverse;
use std::sync::Arc;

/// Where code comes from.
#[derive(Clone, Debug, Default)]
pub struct Debug {
    /// Spans of instructions: (first pc, span), rising.
    pub(super) places: Vec<(Pc, Span)>,
    /// Statements with clauses of their own, and those in rows and options whose clauses are theirs: by where they begin,
    /// those around others first.
    cited: Arc<[(Span, Vec<String>)]>,
}

impl Debug {
    /// The clauses of the statements of a ruleset; no code yet.
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

    /// The place in the text of the instruction before `pc`.
    pub fn place(&self, pc: Pc) -> Option<Span> {
        let at = self.places.partition_point(|(first, _)| *first < pc);
        at.checked_sub(1).and_then(|n| self.places.get(n)).map(|(_, span)| *span)
    }

    /// The clauses of the innermost statement around a place; those of its item are not repeated.
    pub fn clauses(&self, span: Span) -> &[String] {
        let before = self.cited.partition_point(|(s, _)| (s.file, s.start) <= (span.file, span.start));
        let around = self.cited[..before].iter().rev().take_while(|(s, _)| s.file == span.file);
        around.into_iter().find(|(s, _)| span.end <= s.end).map_or(&[], |(_, cites)| cites)
    }
}

/// A function of the rules without its code.
#[derive(Clone, Debug)]
pub struct Signature {
    /// What it belongs to, as written: `SuppressionCheck`, `Unit.nerve`.
    pub name: String,
    /// The item whose title and cites are told.
    pub item: ItemId,
    /// How many of the locals are parameters.
    pub params: usize,
    /// Its variables.
    pub locals: Vec<Local>,
    /// What a call gives.
    pub result: Type,
    /// What the value is called that it gives, if that has a name of its own; else empty.
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
