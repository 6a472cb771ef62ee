//! What can be said about rules that have no errors.
use super::ruleset::Ruleset;
use crate::base::Diagnostic;
use crate::syntax::tree::Item;

/// All audits.
pub fn audit(_rs: &mut Ruleset, _items: &[Item], _register: bool) -> Vec<Diagnostic> { Vec::new() }
/// Register.
pub fn audit_register(_rulesets: &[Ruleset]) -> Vec<Diagnostic> { Vec::new() }
