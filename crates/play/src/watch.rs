//! Watchers of a scenario: its events, steps, expectations, and the error that ends it.

use super::record::Recorder;
use grognard_base::value::plain::Measure;
use grognard_vm::{Fault, Game, MachineEvent, Remark, State, Trace};

/// Receives the events of a scenario.
pub trait Watch: Send {
    /// Receives an event, in the order of the run.
    fn happen(&mut self, _game: &Game, _state: &State, _what: &MachineEvent<'_>) {}
    /// Returns whether to explain the path of each move.
    fn asks_why(&self) -> bool {
        true
    }
    /// Receives the text of a step that begins.
    fn step(&mut self, _statement: &str) {}
    /// Receives an expectation and its verdict.
    fn expect(&mut self, _claim: &str, _holds: bool, _measures: Vec<Measure>) {}
    /// Receives a remark between steps.
    fn remark(&mut self, _remark: Remark) {}
    /// Receives the error that ended the run.
    fn fault(&mut self, _fault: &Fault) {}
}

/// An optional watcher.
pub(super) type Watcher<'w> = Option<&'w mut (dyn Watch + 'w)>;

impl Trace for dyn Watch + '_ {
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        Watch::happen(self, game, state, what);
    }

    fn asks_why(&self) -> bool {
        Watch::asks_why(self)
    }
}

/// Inspects the state after each event.
pub(super) trait Look: Send {
    /// Receives an event and the number of events recorded so far.
    fn look(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>, seen: u64);
}

/// Records a run and inspects the state after each event.
pub(super) struct Looked<'a, L> {
    pub recorder: Recorder<'a>,
    pub look: L,
}

impl<L: Look> Watch for Looked<'_, L> {
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        self.recorder.happen(game, state, what);
        self.look.look(game, state, what, self.recorder.seen());
    }

    fn step(&mut self, statement: &str) {
        self.recorder.step(statement);
    }

    fn expect(&mut self, claim: &str, holds: bool, measures: Vec<Measure>) {
        self.recorder.expect(claim, holds, measures);
    }

    fn remark(&mut self, remark: Remark) {
        self.recorder.remark(remark);
    }

    fn fault(&mut self, fault: &Fault) {
        self.recorder.fault(fault);
    }
}
