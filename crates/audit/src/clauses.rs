//! Compares the register with the rules: clauses that no item cites, and holes that are still open.

use crate::ruleset::{Clause, ClauseStatus, Ruleset};
use grognard_base::{Code, Diagnostic, FileId, Follows, OrdSet};
use std::borrow::Borrow;

/// Reports clauses with the status `modelled` that no ruleset cites, and holes without a reading or a decision. Pass
/// all rulesets of a folder, because another ruleset may cite a clause that one omits.
pub fn audit_register(rulesets: &[impl Borrow<Ruleset>]) -> Vec<Diagnostic> {
    let mut cited: OrdSet<&str> = OrdSet::new();
    let mut read: OrdSet<&str> = OrdSet::new();
    let rulesets: Vec<&Ruleset> = rulesets.iter().map(Borrow::borrow).collect();
    for rs in &rulesets {
        cited.extend(rs.cited.keys().map(String::as_str));
        let readings = rs.items.iter().filter(|i| i.word == "reading");
        read.extend(readings.flat_map(|i| &i.cites).map(String::as_str));
    }
    let clauses = || rulesets.iter().flat_map(|rs| &rs.register);
    let used: OrdSet<FileId> =
        clauses().filter(|clause| cited.contains(clause.id.as_str())).map(|clause| clause.span.file).collect();
    let mut seen: OrdSet<&str> = OrdSet::new();
    let mut problems = Vec::new();
    for clause in clauses() {
        if seen.insert(&clause.id)
            && let Some(found) = judge(clause, &cited, &read)
        {
            let alone = found.code == Code::Uncovered && !used.contains(&clause.span.file);
            problems.push(if alone { found.following(Follows::Uncited(clause.span.file)) } else { found });
        }
    }
    problems
}

fn judge(clause: &Clause, cited: &OrdSet<&str>, read: &OrdSet<&str>) -> Option<Diagnostic> {
    let id = clause.id.as_str();
    match clause.status {
        ClauseStatus::Modelled if !cited.contains(id) => {
            let message = format!("no item implements {id}: nothing cites it");
            Some(Diagnostic::new(Code::Uncovered, clause.span, message))
        }
        ClauseStatus::Hole if clause.decided.is_empty() && !read.contains(id) => {
            let message = format!("{id} is a hole with neither a reading nor a decision");
            Some(Diagnostic::new(Code::HoleOpen, clause.span, message))
        }
        _ => None,
    }
}
