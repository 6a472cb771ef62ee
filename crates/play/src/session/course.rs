//! The owned part of a session: the run at its pending question, the log, the trace, and earlier points to go back to.

use super::hand::{Log, LogMark};
use super::{Ahead, Done, Hand, Pause, Reply, Start};
use crate::odds::Here;
use crate::record::{Event, Recorder, Tape, TapeMark};
use crate::{Outcome, Play, Progress, Watch};
use grognard_base::{Code, Sources};
use grognard_scenario::Scenario;
use grognard_vm::{Fault, Flow, State};
use std::sync::Arc;

/// Maximum number of points that are kept to go back to.
const MOST_MARKS: usize = 64;

/// A run that waits for its answers, without its scenario. Each function takes the scenario of the start. A copy
/// continues like the original, and shares the trace and the earlier points with it.
#[derive(Clone)]
pub struct Course {
    /// The run at its pending question or its end. It is taken out only while the run continues.
    progress: Option<Progress>,
    log: Log,
    /// The trace, if one is recorded.
    tape: Option<Tape>,
    outcome: Option<Arc<Outcome>>,
    /// Earlier points, in order. The first is the start.
    marks: Vec<Arc<Mark>>,
    /// Minimum number of replies from one mark to the next.
    stride: usize,
    /// Rounds and calls of the machine.
    steps: u64,
}

/// A point of a course.
struct Mark {
    progress: Progress,
    log: LogMark,
    tape: Option<TapeMark>,
}

impl Course {
    /// Creates a course before the first event of its run. With `sources`, it records a trace. With `many`, dice that the
    /// scenario gives only for its single run are rolled.
    pub fn new(scenario: &Scenario, sources: Option<&Sources>, start: &Start, many: bool) -> Course {
        let new = if many { Play::of_many } else { Play::new };
        let mut play = new(scenario, None, None);
        play.start(start.seed, start.run);
        let progress = play.suspend();
        let log = Log::new(start.sides.clone());
        let tape = sources.map(|_| Recorder::new(&scenario.game, &start.about, sources).suspend());
        let mark = Mark { progress: progress.clone(), log: log.mark(), tape: tape.as_ref().map(Tape::mark) };
        Course { progress: Some(progress), log, tape, outcome: None, marks: vec![Arc::new(mark)], stride: 1, steps: 0 }
    }

    /// Answers the pending question, if there is a reply, and plays on as far as `ahead` allows.
    pub fn advance(&mut self, scenario: &Scenario, sources: Option<&Sources>, reply: Option<Reply>, ahead: Ahead) {
        let Some(progress) = self.progress.take_if(|_| self.outcome.is_none()) else { return };
        self.log.go_on(reply, ahead);
        let mut recorder = self.tape.take().map(|mut tape| {
            tape.open();
            Recorder::resumed(tape, sources)
        });
        let hand = Hand::of(std::mem::take(&mut self.log));
        let mut play = Play::resume(scenario, progress, recorder.as_mut().map(|recorder| recorder as &mut dyn Watch));
        play.by_hand(&hand);
        let before = play.steps();
        let ended = play.advance();
        self.steps += play.steps() - before;
        let progress = play.suspend();
        if ended != Ok(Flow::Wait) {
            let end = Play::resume(scenario, progress.clone(), None);
            let mut outcome = end.finish(ended.map(|_| ()));
            // script entries that the human player's answers replaced are not unused entries
            outcome.problems.retain(|p| !matches!(p.code, Code::Unasked | Code::Unthrown));
            self.outcome = Some(Arc::new(outcome));
        }
        self.progress = Some(progress);
        self.log = hand.into_log();
        self.log.settle();
        self.tape = recorder.map(|recorder| {
            let mut tape = recorder.suspend();
            tape.close(self.outcome.is_some());
            tape
        });
        self.mark();
    }

    /// Keeps the pending question to go back to, unless a near one is kept.
    fn mark(&mut self) {
        let Some(progress) = self.progress.as_ref().filter(|_| self.outcome.is_none()) else { return };
        let last = self.marks.last().map_or(0, |mark| mark.log.replies());
        if self.log.replies.len() < last + self.stride {
            return;
        }
        if self.marks.len() >= MOST_MARKS {
            let mut n = 0;
            self.marks.retain(|_| {
                n += 1;
                n % 2 == 1
            });
            self.stride *= 2;
        }
        let tape = self.tape.as_ref().map(Tape::mark);
        self.marks.push(Arc::new(Mark { progress: progress.clone(), log: self.log.mark(), tape }));
    }

    /// Goes back to the question after the first `replies` replies: plays on from the last point that was kept before it.
    pub fn back_to(&mut self, scenario: &Scenario, sources: Option<&Sources>, replies: usize, ahead: Ahead) {
        let later = self.marks.iter().skip(1).position(|mark| mark.log.replies() > replies);
        self.marks.truncate(later.map_or(self.marks.len(), |n| n + 1));
        let Some(mark) = self.marks.last().cloned() else { return };
        self.log.back_to(&mark.log, replies);
        if let (Some(tape), Some(mark)) = (&mut self.tape, &mark.tape) {
            tape.back_to(mark);
        }
        self.progress = Some(mark.progress.clone());
        self.outcome = None;
        self.advance(scenario, sources, None, ahead);
    }

    /// Replaces the replies, and plays from the start.
    pub(super) fn replay(&mut self, scenario: &Scenario, sources: Option<&Sources>, replies: Vec<Reply>, ahead: Ahead) {
        self.marks.truncate(1);
        self.log.replies = replies;
        self.back_to(scenario, sources, self.log.replies.len(), ahead);
    }

    /// Returns what the run waits for, or `None` if it is over.
    pub fn pause(&self) -> Option<&Pause> {
        self.log.pause.as_ref()
    }

    /// Returns the replies so far.
    pub fn replies(&self) -> &[Reply] {
        &self.log.replies
    }

    /// Returns the replies with every random result written out.
    pub(super) fn fixed(&self) -> &[Reply] {
        &self.log.fixed
    }

    /// Returns the result of each question.
    pub(super) fn done(&self) -> &[Done] {
        &self.log.done
    }

    /// Returns the events up to the pending question or the end. The list is empty without a trace.
    pub fn events(&self) -> &[Event] {
        self.tape.as_ref().map(Tape::events).unwrap_or_default()
    }

    /// Returns the outcome if the run is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_deref()
    }

    /// Returns the state of the machine.
    pub fn state(&self) -> Option<&State> {
        self.progress.as_ref().map(Progress::state)
    }

    /// Returns the rounds and calls of the machine that this course executed so far, also those that an undone answer
    /// executed or repeated.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Evaluates a measure of the report of `scenario` on the table as it is. Returns `None` if its condition does not hold.
    ///
    /// # Errors
    ///
    /// Returns a fault if the evaluation fails or the value of a mean is missing.
    pub fn figure(&self, scenario: &Scenario, n: usize) -> Result<Option<Vec<i64>>, Fault> {
        let Some(progress) = self.progress.clone() else { return Ok(None) };
        Ok(Play::resume(scenario, progress, None).figure(n)?.map(<[i64]>::to_vec))
    }

    /// Returns the pending question, or the end, as a start for odds.
    pub(super) fn here(&self, scenario: &Scenario) -> Here {
        let progress = self.progress.clone();
        progress.map_or_else(Here::default, |progress| Play::resume(scenario, progress, None).here())
    }
}
