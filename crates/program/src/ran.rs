//! Which clauses and items ran: flags that are set as code goes. They lie beside the program: whoever wants to know hands
//! them in.

use super::{Detail, Program};
use grognard_base::value::ItemId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One flag for each clause of the register, and behind them one for each item, set by [`super::Instr::Ran`]; none if nobody
/// wants to know. Copies share them, so what is judged on the side and on other tables counts too.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    flags: Arc<[AtomicBool]>,
}

impl Ran {
    /// For a program that is compiled with [`Detail::Covered`], of which nothing ran; others tell of nothing.
    pub fn of(program: &Program) -> Ran {
        let all = program.schema.register.len() + program.schema.items.len();
        let flags = if program.detail == Detail::Covered { all } else { 0 };
        Ran { flags: (0..flags).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Code that stands under the clause at this place of the register, or that an item behind it declares, was reached.
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
        let clauses = program.schema.register.len();
        self.taken().filter_map(|n| n.checked_sub(clauses)).map(ItemId::from).collect()
    }
}
