//! Watchers of a whole scenario: they also see its steps, its expectations and the error it ends in.

use super::record::Recorder;
use crate::machine::{Fault, NoTrace, Remark, Trace};
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
