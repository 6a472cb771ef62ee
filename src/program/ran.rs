//! Which clauses ran: flags that are set as code goes. They lie beside the program: whoever wants to know hands them in.

use super::{Detail, Program};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One flag for each clause of the register, set by [`super::Instr::Ran`]; none if nobody wants to know. Copies share them,
/// so what is judged on the side and on other tables counts too.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    flags: Arc<[AtomicBool]>,
}

impl Ran {
    /// For a program that is compiled with [`Detail::Covered`], none of whose clauses ran; others tell of none.
    pub fn of(program: &Program) -> Ran {
        let clauses = if program.detail == Detail::Covered { program.schema.register.len() } else { 0 };
        Ran { flags: (0..clauses).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Code that stands under the clause at this place of the register was reached.
    pub fn note(&self, clause: u32) {
        if let Some(flag) = self.flags.get(clause as usize) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Ids of the clauses under which code ran since this was asked last, in the order of the register of the program.
    pub fn take(&self, program: &Program) -> Vec<String> {
        let ran = program.schema.register.iter().zip(self.flags.iter());
        ran.filter(|(_, flag)| flag.swap(false, Ordering::Relaxed)).map(|(clause, _)| clause.id.clone()).collect()
    }
}
