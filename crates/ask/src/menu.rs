//! The odds of each entry of a menu at a decision of a run.

use grognard_base::{Budget, Effort};
use grognard_play::session::{Entry, Found, Session};
use grognard_vm::Fault;

/// A question about the entries of a menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The budget of the exact answer to one entry.
    pub budget: Budget,
}

impl Menu {
    /// Answers each entry, exactly or from runs, and passes the answer to `row`. The entries share the runs. Ends early
    /// if `wanted` returns `false`.
    ///
    /// # Errors
    ///
    /// If an entry cannot be explored.
    pub fn answer(
        &self,
        session: &Session<'_>,
        entries: &[Entry],
        wanted: &dyn Fn() -> bool,
        row: &mut dyn FnMut(&Entry, Found),
    ) -> Result<(), Fault> {
        let runs = Effort::runs_each(entries.len());
        for entry in entries.iter().take_while(|_| wanted()) {
            row(entry, session.odds(entry, self.budget.clone(), &mut |done| done < runs && wanted())?);
        }
        Ok(())
    }
}
