//! Finds parts of a guard or of an action's header that no event of a game can change (loop-invariant conditions of a
//! run).
//!
//! A rule rejected by such a part could not have run at all, so a brief trace omits the refusal.

use super::*;
use crate::Never;
use grognard_rules::code::{Collection, ExprKind, Pat, Quantifier};
use grognard_rules::reads::Reads;
use grognard_rules::reads::walk::{Node, walk_expr};
use grognard_rules::ruleset::{AmbientCase, FieldSort, Ruleset};
use grognard_syntax::tree::TraitSort;

impl Compiler<'_> {
    /// Records for a trace which parts of a condition no event of a game can change, and which require a thing of a
    /// kind.
    pub(super) fn note_never(&mut self, condition: &Expr, of: WordingOf) {
        if self.program.detail != Detail::Traced {
            return;
        }
        let parts = if let ExprKind::And(parts) = &condition.kind { parts } else { std::slice::from_ref(condition) };
        for part in parts {
            let kinds = if self.is_fixed(part) { Vec::new() } else { needed(part) };
            if kinds.is_empty() && !self.is_fixed(part) {
                continue;
            }
            let list = of.never(&mut self.program);
            list.push(Never { fragment: Fragment { entry: 0, result: 0, width: 1, top: 0 }, kinds });
            let at = list.len() - 1;
            self.put_off(part.clone(), LaterSlot::Never { of, at });
        }
    }

    /// Returns whether a condition has the same value throughout a game for the same things, event and action.
    fn is_fixed(&self, e: &Expr) -> bool {
        let mut fixed = true;
        walk_expr(e, &mut |node| {
            fixed &= !node.collections().iter().any(|c| matches!(c, Collection::Kind(_) | Collection::Group(_)));
            fixed &= matches!(node, Node::Expr(e) if self.is_fixed_here(e));
        });
        fixed
    }

    /// Returns the fields that a rule writes, including links that a merge may change.
    pub(super) fn written(rules: &Ruleset) -> HashSet<FieldId> {
        let writes = grognard_rules::reads::writes_of_all(rules);
        writes.iter().flat_map(|w| w.fields.iter()).collect()
    }

    fn field_fixed(&self, field: FieldId) -> bool {
        let rules = self.rules;
        let info = &rules.fields[field.at()];
        let changed = || rules.traits.iter().any(|t| t.changes.iter().any(|c| c.field == field));
        matches!(info.sort, FieldSort::Stat | FieldSort::Link | FieldSort::Let(_))
            && !self.program.links.written.contains(&field)
            && !changed()
    }

    fn reads_fixed(&self, reads: &Reads) -> bool {
        reads.fields.iter().all(|f| self.field_fixed(f))
            && reads.globals.is_empty()
            && reads.counts.is_empty()
            && !reads.positions
            && !reads.running
            && reads.traits.iter().all(|t| self.rules.traits[t.at()].sort == TraitSort::Trait)
    }

    /// Returns whether a value with fixed parts is itself fixed.
    fn is_fixed_here(&self, e: &Expr) -> bool {
        let rules = self.rules;
        let called =
            |func: FuncId| self.program.links.reads.get(func.at()).is_some_and(|reads| self.reads_fixed(reads));
        match &e.kind {
            ExprKind::Global(_) | ExprKind::Tally(_) | ExprKind::Alive(_) | ExprKind::At(_) | ExprKind::Facing(_) => {
                false
            }
            ExprKind::Running(_) | ExprKind::Tree { .. } | ExprKind::Instances { .. } | ExprKind::Crossed { .. } => {
                false
            }
            ExprKind::Ambient(id) => rules.ambients[id.at()].cases.iter().all(|case| match case {
                AmbientCase::Phase(phase, local) | AmbientCase::PhaseOfAction(_, phase, local) => {
                    local.at() < rules.functions[rules.phases[phase.at()].func.at()].params
                }
                AmbientCase::Action(..) => true,
            }),
            ExprKind::Field { field, .. } => {
                let derived =
                    if let FieldSort::Let(func) = rules.fields[field.at()].sort { called(func) } else { true };
                derived && self.field_fixed(*field)
            }
            ExprKind::Has { what, .. } => rules.traits[what.at()].sort == TraitSort::Trait,
            // numbers and flags passed to a rule come from the game; things and enum cases identify its subject
            ExprKind::Local(_) | ExprKind::Part { .. } if is_told(&e.ty) => false,
            ExprKind::Call { func, .. } => called(*func),
            ExprKind::Op(op, _) => !op.asks_board(),
            ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::None | ExprKind::Setting(_) => true,
            ExprKind::Local(_) | ExprKind::Part { .. } | ExprKind::ActionName | ExprKind::Actor => true,
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Otherwise(..) | ExprKind::If { .. } => true,
            ExprKind::Match { .. } | ExprKind::Table { .. } | ExprKind::Is { .. } | ExprKind::Then { .. } => true,
            ExprKind::Map { .. } | ExprKind::Query { .. } | ExprKind::List(_) | ExprKind::Make(_) => true,
            ExprKind::Was(_) => true,
        }
    }
}

fn is_told(ty: &Type) -> bool {
    *ty.present() == Type::Flag || ty.is_figure()
}

/// Returns the kinds of which a thing must exist for the condition to hold.
#[expect(clippy::wildcard_enum_match_arm, reason = "for other expressions it is not known, and nothing is reported")]
fn needed(e: &Expr) -> Vec<KindId> {
    let kind = |ty: &Type| ty.kind().into_iter();
    match &e.kind {
        ExprKind::Is { value, pattern } if !matches!(**pattern, Pat::None) => kind(&value.ty).collect(),
        ExprKind::Op(Op::Ne, args) if args.iter().any(|a| matches!(a.kind, ExprKind::None)) => {
            args.iter().flat_map(|a| kind(&a.ty)).collect()
        }
        ExprKind::Op(Op::Touches | Op::Sees | Op::Inside | Op::Crosses | Op::Within, args) => {
            args.iter().flat_map(|a| kind(&a.ty)).collect()
        }
        ExprKind::Query { what: Quantifier::Any, over, .. } => {
            let over = over.iter().filter_map(|(_, c)| if let Collection::Kind(kind) = c { Some(*kind) } else { None });
            over.collect()
        }
        ExprKind::Call { args, .. } => args.iter().flat_map(|a| kind(&a.ty)).collect(),
        _ => Vec::new(),
    }
}
