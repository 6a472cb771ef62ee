//! Params and readings that a value depends on.

use grognard_base::value::*;
use grognard_rules::code::{Expr, ExprKind};
use grognard_rules::reads::Reads;
use grognard_rules::reads::walk::{Node, walk_expr};
use grognard_rules::ruleset::{FieldSort, Ruleset};

/// Returns the params and readings that a value reads, also through calls and derived fields.
pub(super) fn read(rs: &Ruleset, reads: &[Reads], e: &Expr) -> IdSet<SettingId> {
    let mut found = Found { rs, reads, settings: IdSet::default() };
    walk_expr(e, &mut |node| {
        if let Node::Expr(e) = node {
            found.expr(e);
        }
    });
    found.settings
}

struct Found<'a> {
    rs: &'a Ruleset,
    reads: &'a [Reads],
    settings: IdSet<SettingId>,
}

impl Found<'_> {
    fn function(&mut self, func: FuncId) {
        if let Some(reads) = self.reads.get(func.at()) {
            self.settings.extend(&reads.settings);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value reads a setting or calls what does")]
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Setting(id) => {
                self.settings.insert(*id);
            }
            ExprKind::Call { func, .. } => self.function(*func),
            ExprKind::Field { field, .. } => {
                if let FieldSort::Let(func) = self.rs.fields[field.at()].sort {
                    self.function(func);
                }
                let rs = self.rs;
                for change in rs.traits.iter().flat_map(|t| &t.changes).filter(|c| c.field == *field) {
                    self.function(change.value);
                }
            }
            ExprKind::Has { what, .. } => {
                if let Some(when) = self.rs.traits[what.at()].when {
                    self.function(when);
                }
            }
            _ => {}
        }
    }
}
