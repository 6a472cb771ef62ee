//! Watchers of a whole scenario: what happens in it, its steps, its expectations and the error it ends in.

use super::record::Recorder;
use grognard_base::value::plain::Measure;
use grognard_vm::{Fault, Game, Happening, Remark, State, Trace};

/// Watches a scenario.
pub trait Watch: Send {
    /// Something happened, in the order of the run.
    fn happen(&mut self, _game: &Game, _state: &State, _what: &Happening<'_>) {}
    /// False if it is of no use why a move went as it did.
    fn asks_why(&self) -> bool {
        true
    }
    /// A step begins: the statement as written.
    fn step(&mut self, _statement: &str) {}
    /// An expectation was judged.
    fn expect(&mut self, _claim: &str, _holds: bool, _measures: Vec<Measure>) {}
    /// Something to be told between steps.
    fn remark(&mut self, _remark: Remark) {}
    /// The run ended in an error.
    fn fault(&mut self, _fault: &Fault) {}
}

/// Who watches, if anybody does.
pub(super) type Watcher<'w> = Option<&'w mut (dyn Watch + 'w)>;

impl Trace for dyn Watch + '_ {
    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
        Watch::happen(self, game, state, what);
    }

    fn asks_why(&self) -> bool {
        Watch::asks_why(self)
    }
}

/// Looks at the position behind each event.
pub(super) trait Look: Send {
    /// What happened, and how many events were recorded by now.
    fn look(&mut self, game: &Game, state: &State, what: &Happening<'_>, seen: u64);
}

/// Records a run, with something that looks at it meanwhile.
pub(super) struct Looked<'a, L> {
    pub recorder: Recorder<'a>,
    pub look: L,
}

impl<L: Look> Watch for Looked<'_, L> {
    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
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
