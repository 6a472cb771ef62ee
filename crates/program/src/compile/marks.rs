//! Marks for coverage: where code begins that stands under a clause, or belongs to an item.
//!
//! What is cited above a function counts when its body is reached, not when a guard or a condition kept it from
//! running; what is cited at a figure, param or status counts when the code reads, writes or gives it.

use super::*;
use grognard_syntax::tree::TraitSort;
use std::collections::HashSet;

impl Compiler<'_> {
    /// The code from here on stands under these clauses.
    pub(super) fn ran(&mut self, cites: &[String]) {
        if self.program.detail != Detail::Covered {
            return;
        }
        for id in cites {
            // an id that is in no register has been found wrong before
            if let Some(&clause) = self.clause_at.get(id) {
                self.emit(Instr::Ran { clause });
            }
        }
    }

    /// The code from here on uses what an item declares.
    pub(super) fn ran_item(&mut self, item: ItemId) {
        if self.program.detail == Detail::Covered
            && let Some(found) = self.rules.items.get(item.at())
        {
            let cites = found.cites.clone();
            self.ran(&cites);
        }
        self.reached(item);
    }

    /// The code from here on belongs to an item, whether or not it comes into play.
    pub(super) fn reached(&mut self, item: ItemId) {
        if self.program.detail == Detail::Covered && item.at() < self.rules.items.len() {
            let clause = (self.rules.register.len() + item.at()) as u32;
            self.emit(Instr::Ran { clause });
        }
    }

    /// A value of a type was worked out.
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

    /// A field was read or written. Derived ones are functions, which tell of themselves.
    pub(super) fn ran_field(&mut self, field: FieldId) {
        let info = &self.rules.fields[field.at()];
        if !matches!(info.sort, grognard_rules::ruleset::FieldSort::Let(_)) {
            self.ran_item(info.item);
        }
    }

    /// The body of a function of the ruleset begins.
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

    /// The cell of a table that stands in this row and column is taken.
    pub(super) fn ran_cell(&mut self, row: usize, column: usize) {
        if self.program.detail != Detail::Covered || self.own.is_some() {
            return;
        }
        let item = self.rules.functions[self.frame.func.at()].item;
        let clause = Ran::of_cell(self.rules, self.program.cells.len());
        self.program.cells.push((item, row, column));
        self.emit(Instr::Ran { clause });
    }

    /// Functions that only decide whether their item comes into play, or give a figure its first value and bounds.
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
