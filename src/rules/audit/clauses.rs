//! The register against the rules: clauses without an item, holes left open.

use crate::base::{Code, Diagnostic};
use crate::rules::ruleset::{Clause, ClauseStatus, Ruleset};
use std::collections::BTreeSet;

/// Clauses that none of these rulesets carries out, and holes none of them settles. Give it all rulesets of a folder:
/// what one leaves out, another may cite.
pub fn audit_register(rulesets: &[Ruleset]) -> Vec<Diagnostic> {
    let mut cited: BTreeSet<&str> = BTreeSet::new();
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for rs in rulesets {
        cited.extend(rs.cited.keys().map(String::as_str));
        let readings = rs.items.iter().filter(|i| i.word == "reading");
        read.extend(readings.flat_map(|i| &i.cites).map(String::as_str));
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut problems = Vec::new();
    for clause in rulesets.iter().flat_map(|rs| &rs.register) {
        if seen.insert(&clause.id) {
            problems.extend(judge(clause, &cited, &read));
        }
    }
    problems
}

fn judge(clause: &Clause, cited: &BTreeSet<&str>, read: &BTreeSet<&str>) -> Option<Diagnostic> {
    let id = clause.id.as_str();
    match clause.status {
        ClauseStatus::Modelled if !cited.contains(id) => {
            let message = format!("{id} is marked modelled, but nothing cites it");
            Some(Diagnostic::new(Code::Uncovered, clause.span, message))
        }
        ClauseStatus::Hole if clause.decided.is_empty() && !read.contains(id) => {
            let message = format!("{id} has neither a reading nor a `decided` line");
            Some(Diagnostic::new(Code::HoleOpen, clause.span, message))
        }
        _ => None,
    }
}
