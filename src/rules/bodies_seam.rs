//! Stands in for the checker of bodies.
use super::checker::Checker;
use super::ruleset::Ruleset;
use crate::value::*;
impl<'a> Checker<'a> {
    /// New.
    pub fn new(rs: Ruleset, things: &'a dyn Fn(&str) -> Option<(KindId, i64)>) -> Self {
        Checker { rs, problems: Vec::new(), pending: Vec::new(), things }
    }
    pub fn ensure(&mut self, _f: FuncId) {}
    pub fn ensure_all(&mut self) {}
}
