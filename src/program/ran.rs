//! Which clauses ran: flags that the code sets as it goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One flag for each clause of the register, set by [`super::Instr::Ran`]. Copies of a program share them, so what an
/// example or a scenario adds to a program, and what is judged on the side, all count.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    flags: Arc<[AtomicBool]>,
}

impl Ran {
    /// So many clauses, none of which ran.
    pub(super) fn new(clauses: usize) -> Ran {
        Ran { flags: (0..clauses).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Code that stands under the clause at this place of the register was reached.
    pub(crate) fn note(&self, clause: u32) {
        if let Some(flag) = self.flags.get(clause as usize) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Places in the register of the clauses that ran since this was asked last.
    pub(super) fn take(&self) -> Vec<usize> {
        (0..self.flags.len()).filter(|n| self.flags[*n].swap(false, Ordering::Relaxed)).collect()
    }
}
