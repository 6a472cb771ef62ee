//! Which clauses and items ran: flags that are set as code goes. They lie beside the program: whoever wants to know hands
//! them in.

use super::schema::Schema;
use super::{Detail, Program};
use grognard_base::value::{FuncId, ItemId};
use grognard_rules::ruleset::Ruleset;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One flag for each clause of the register, and behind them one for each item, for each function of the rules and for each
/// cell of a table, set by [`super::Instr::Ran`]; none if nobody wants to know. Copies share them, so what is judged on the
/// side and on other tables counts too.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    flags: Arc<[AtomicBool]>,
}

/// Where the flags of functions begin.
fn functions(schema: &Schema) -> usize {
    schema.register.len() + schema.items.len()
}

impl Ran {
    /// For a program that is compiled with [`Detail::Covered`], of which nothing ran; others tell of nothing.
    pub fn of(program: &Program) -> Ran {
        let all = functions(&program.schema) + program.functions.len() + program.cells.len();
        let flags = if program.detail == Detail::Covered { all } else { 0 };
        Ran { flags: (0..flags).map(|_| AtomicBool::new(false)).collect() }
    }

    /// The flag of a function of the rules.
    pub(super) fn of_function(rules: &Ruleset, func: FuncId) -> u32 {
        (functions(rules) + func.at()) as u32
    }

    /// The flag of the n-th cell of a table.
    pub(super) fn of_cell(rules: &Ruleset, n: usize) -> u32 {
        (functions(rules) + rules.functions.len() + n) as u32
    }

    /// Code that stands under the clause at this place of the register, or that something behind it declares, was reached.
    pub fn note(&self, at: u32) {
        if let Some(flag) = self.flags.get(at as usize) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The flags that were set since this was asked last.
    fn taken(&self) -> impl Iterator<Item = usize> {
        (0..self.flags.len()).filter(|n| self.flags[*n].swap(false, Ordering::Relaxed))
    }

    /// Ids of the clauses under which code ran since this or [`Ran::items`] was asked last, in the order of the register.
    pub fn take(&self, program: &Program) -> Vec<String> {
        let register = &program.schema.register;
        self.taken().filter_map(|n| register.get(n)).map(|clause| clause.id.clone()).collect()
    }

    /// Items whose code was reached since this or [`Ran::take`] was asked last, guards and conditions too.
    pub fn items(&self, program: &Program) -> Vec<ItemId> {
        let (clauses, items) = (program.schema.register.len(), program.schema.items.len());
        let item = |n: usize| n.checked_sub(clauses).filter(|n| *n < items);
        self.taken().filter_map(item).map(ItemId::from).collect()
    }

    /// True if code of an item was reached, a guard or a condition too. Asking takes nothing away.
    pub fn has_item(&self, program: &Program, item: ItemId) -> bool {
        self.is_set(program.schema.register.len() + item.at())
    }

    /// True if a function of the rules was entered.
    pub fn has_function(&self, program: &Program, func: FuncId) -> bool {
        self.is_set(functions(&program.schema) + func.at())
    }

    /// True if the n-th of [`Program::cells`] was taken.
    pub fn has_cell(&self, program: &Program, n: usize) -> bool {
        self.is_set(functions(&program.schema) + program.functions.len() + n)
    }

    fn is_set(&self, at: usize) -> bool {
        self.flags.get(at).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
