//! Watchers of a whole scenario: they also see its steps, its expectations and the error it ends in.

use super::record::Recorder;
use crate::machine::{Fault, Game, Happening, NoTrace, Remark, State, Trace};
use crate::value::plain::Measure;

/// Watches a scenario.
pub trait Watch: Trace {
    /// A step begins: the statement as written.
    fn step(&mut self, _statement: &str) {}
    /// An expectation was judged.
    fn expect(&mut self, _claim: &str, _holds: bool, _measures: Vec<Measure>) {}
    /// Something to be told between steps.
    fn remark(&mut self, _remark: Remark) {}
    /// The run ended in an error.
    fn fault(&mut self, _fault: &Fault) {}
}

impl Watch for NoTrace {}

impl Watch for Recorder<'_> {
    fn step(&mut self, statement: &str) {
        Recorder::step(self, statement);
    }

    fn expect(&mut self, claim: &str, holds: bool, measures: Vec<Measure>) {
        Recorder::expect(self, claim, holds, measures);
    }

    fn remark(&mut self, remark: Remark) {
        Recorder::remark(self, remark);
    }

    fn fault(&mut self, fault: &Fault) {
        Recorder::fault(self, fault);
    }
}

/// Looks at the position behind each event.
pub(super) trait Look {
    /// What happened, and how many events were recorded by now.
    fn look(&mut self, game: &Game, state: &State, what: &Happening<'_>, seen: u64);
}

/// Records a run, with something that looks at it meanwhile.
pub(super) struct Looked<'a, L> {
    pub recorder: Recorder<'a>,
    pub look: L,
}

impl<L: Look> Trace for Looked<'_, L> {
    const ON: bool = true;

    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
        self.recorder.happen(game, state, what);
        self.look.look(game, state, what, self.recorder.seen());
    }
}

impl<L: Look> Watch for Looked<'_, L> {
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
