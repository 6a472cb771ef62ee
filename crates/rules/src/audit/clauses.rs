//! The register against the rules: clauses without an item, holes left open.

use crate::ruleset::{Clause, ClauseStatus, Ruleset};
use grognard_base::{Code, Diagnostic, OrdSet};

/// Clauses that none of these rulesets carries out, and holes none of them settles. Give it all rulesets of a folder:
/// what one leaves out, another may cite.
pub fn audit_register(rulesets: &[Ruleset]) -> Vec<Diagnostic> {
    let mut cited: OrdSet<&str> = OrdSet::new();
    let mut read: OrdSet<&str> = OrdSet::new();
    for rs in rulesets {
        cited.extend(rs.cited.keys().map(String::as_str));
        let readings = rs.items.iter().filter(|i| i.word == "reading");
        read.extend(readings.flat_map(|i| &i.cites).map(String::as_str));
    }
    let mut seen: OrdSet<&str> = OrdSet::new();
    let mut problems = Vec::new();
    for clause in rulesets.iter().flat_map(|rs| &rs.register) {
        if seen.insert(&clause.id) {
            problems.extend(judge(clause, &cited, &read));
        }
    }
    problems
}

fn judge(clause: &Clause, cited: &OrdSet<&str>, read: &OrdSet<&str>) -> Option<Diagnostic> {
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
