//! Emits coverage marks where code begins that belongs to a clause or an item.
//!
//! A clause cited at a function counts when its body runs, not when a guard or a condition rejects it. A clause cited
//! at a field, param or status counts when the code reads, writes or grants it.

use super::*;
use grognard_syntax::tree::TraitSort;
use std::collections::HashSet;

impl Compiler<'_> {
    /// Marks the following code with these clauses.
    pub(super) fn ran(&mut self, cites: &[String]) {
        if self.program.detail != Detail::Covered {
            return;
        }
        for id in cites {
            // an unknown id was already reported
            if let Some(&clause) = self.clause_at.get(id) {
                self.emit(Instr::Ran { clause });
            }
        }
    }

    /// Marks the following code as using what an item declares.
    pub(super) fn ran_item(&mut self, item: ItemId) {
        if self.program.detail == Detail::Covered
            && let Some(found) = self.rules.items.get(item.at())
        {
            let cites = found.cites.clone();
            self.ran(&cites);
        }
        self.reached(item);
    }

    /// Marks the following code as belonging to an item, whether or not the item takes effect.
    pub(super) fn reached(&mut self, item: ItemId) {
        if self.program.detail == Detail::Covered && item.at() < self.rules.items.len() {
            let clause = (self.rules.register.len() + item.at()) as u32;
            self.emit(Instr::Ran { clause });
        }
    }

    /// Marks the evaluation of a value of a declared type.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other type is declared")]
    pub(super) fn ran_type(&mut self, ty: &Type) {
        if self.program.detail != Detail::Covered {
            return;
        }
        let rules = self.rules;
        let item = match ty.present() {
            Type::Enum(id) => rules.enums[id.at()].item,
            Type::Chain(id) | Type::Shifted(id) => rules.chains[id.at()].item,
            Type::Faces(id) => rules.dice[id.at()].item,
            Type::Record(id) => rules.records[id.at()].item,
            Type::Kind(id) => rules.kinds[id.at()].item,
            _ => return,
        };
        self.ran_item(item);
    }

    /// Marks a read or write of a field. Derived fields are functions, which have separate marks.
    pub(super) fn ran_field(&mut self, field: FieldId) {
        let info = &self.rules.fields[field.at()];
        if !matches!(info.sort, grognard_rules::ruleset::FieldSort::Let(_)) {
            self.ran_item(info.item);
        }
    }

    /// Marks the start of the body of a function of the ruleset.
    pub(super) fn ran_function(&mut self, id: FuncId) {
        let item = self.rules.functions[id.at()].item;
        if self.program.detail == Detail::Covered {
            self.emit(Instr::Ran { clause: Ran::of_function(self.rules, id) });
        }
        if self.aside.contains(&id) {
            self.reached(item);
        } else {
            self.ran_item(item);
        }
    }

    /// Marks the read of a table cell in this row and column.
    pub(super) fn ran_cell(&mut self, row: usize, column: usize) {
        if self.program.detail != Detail::Covered || self.own.is_some() {
            return;
        }
        let item = self.rules.functions[self.frame.func.at()].item;
        let clause = Ran::of_cell(self.rules, self.program.cells.len());
        self.program.cells.push((item, row, column));
        self.emit(Instr::Ran { clause });
    }

    /// Returns the functions without separate marks: those that only decide whether their item takes effect, and those
    /// that compute defaults and bounds.
    pub(super) fn functions_aside(&self) -> HashSet<FuncId> {
        let rules = self.rules;
        let mut aside: HashSet<FuncId> = rules.rules.iter().filter_map(|r| r.guard).collect();
        for tr in &rules.traits {
            aside.extend(tr.when.filter(|_| tr.sort != TraitSort::Condition));
            aside.extend(tr.changes.iter().filter_map(|c| c.when));
            aside.extend(tr.forbids.iter().filter_map(|f| f.when));
        }
        for field in &rules.fields {
            aside.extend([field.low, field.high, field.default].into_iter().flatten());
        }
        for global in &rules.globals {
            aside.extend([global.low, global.high, global.default].into_iter().flatten());
        }
        aside
    }
}
