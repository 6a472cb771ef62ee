//! Coverage flags: which clauses and items ran. The flags are separate from the program, and callers that need coverage
//! supply them.

use super::schema::Schema;
use super::{Detail, Program};
use grognard_base::value::{FuncId, ItemId};
use grognard_rules::ruleset::Ruleset;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Coverage flags, set by [`super::Instr::Ran`]: one for each clause of the register, then one for each item, each
/// function of the rules and each cell of a table.
///
/// Empty if coverage is off. Clones share the flags, so side evaluations and runs on other tables count too.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    flags: Arc<[AtomicBool]>,
}

/// Returns the index of the first flag of a function.
fn functions(schema: &Schema) -> usize {
    schema.register.len() + schema.items.len()
}

impl Ran {
    /// Creates cleared flags for a program compiled with [`Detail::Covered`]. For other programs there are no flags.
    pub fn of(program: &Program) -> Ran {
        let all = functions(&program.schema) + program.functions.len() + program.cells.len();
        let flags = if program.detail == Detail::Covered { all } else { 0 };
        Ran { flags: (0..flags).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Returns the flag of a function of the rules.
    pub(super) fn of_function(rules: &Ruleset, func: FuncId) -> u32 {
        (functions(rules) + func.at()) as u32
    }

    /// Returns the flag of the `n`th of [`Program::cells`].
    pub(super) fn of_cell(rules: &Ruleset, n: usize) -> u32 {
        (functions(rules) + rules.functions.len() + n) as u32
    }

    /// Records that the code with flag `at` was reached.
    pub fn note(&self, at: u32) {
        if let Some(flag) = self.flags.get(at as usize) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the flags that were set since the last call, and clears them.
    fn taken(&self) -> impl Iterator<Item = usize> {
        (0..self.flags.len()).filter(|n| self.flags[*n].swap(false, Ordering::Relaxed))
    }

    /// Returns the ids of clauses whose code ran since the last call of this or [`Ran::items`], in the order of the
    /// register.
    pub fn take(&self, program: &Program) -> Vec<String> {
        let register = &program.schema.register;
        self.taken().filter_map(|n| register.get(n)).map(|clause| clause.id.clone()).collect()
    }

    /// Returns items whose code ran since the last call of this or [`Ran::take`], including guards and conditions.
    pub fn items(&self, program: &Program) -> Vec<ItemId> {
        let (clauses, items) = (program.schema.register.len(), program.schema.items.len());
        let item = |n: usize| n.checked_sub(clauses).filter(|n| *n < items);
        self.taken().filter_map(item).map(ItemId::from).collect()
    }

    /// Returns whether code of an item ran, including guards and conditions. The flag stays set.
    pub fn has_item(&self, program: &Program, item: ItemId) -> bool {
        self.is_set(program.schema.register.len() + item.at())
    }

    /// Returns whether a function of the rules was entered.
    pub fn has_function(&self, program: &Program, func: FuncId) -> bool {
        self.is_set(functions(&program.schema) + func.at())
    }

    /// Returns whether the `n`th of [`Program::cells`] was read.
    pub fn has_cell(&self, program: &Program, n: usize) -> bool {
        self.is_set(functions(&program.schema) + program.functions.len() + n)
    }

    fn is_set(&self, at: usize) -> bool {
        self.flags.get(at).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
