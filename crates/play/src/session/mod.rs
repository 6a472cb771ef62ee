//! Interactive session: a run that waits for its answers. [`Course`] is the run at the pending question with the log of
//! its answers. A step back plays on from an earlier point with a shorter log, and reaches the same position.

mod course;
mod hand;
mod odds;
mod save;

pub use course::Course;
pub(crate) use hand::Take;
pub use hand::{Ahead, AwaitedDecision, Done, Draw, Hand, Pause, PickText, Reply, Roll};
pub use odds::{Entry, Found, Shares};
pub use save::{Saved, Settings, save};

use super::players::{self, PersonQuestion};
use super::record::{About, Event, Recorder};
use super::watch::{Look, Looked};
use super::why::{Change, Follow, Provenance};
use super::{Outcome, Play, Watch};
use grognard_base::{Code, Sources};
use grognard_scenario::{Answerer, Scenario};
use grognard_vm::{Answer, Game, MachineEvent, State};

/// Settings for the start of a session.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Contents of the first line of the trace.
    pub about: About,
    /// Seed for dice that are not given.
    pub seed: u64,
    /// Index of the run of that seed.
    pub run: u64,
    /// Packed players whom the human player answers for; `None` for all.
    pub sides: Option<Vec<i64>>,
}

/// Why a command is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A decision is pending.
    Decides,
    /// No decision is pending.
    NoDecision,
    /// No roll or draw is pending.
    NoRoll,
    /// The run is over.
    Over,
    /// This entry is not on the menu.
    NotOffered(String),
    /// Several menu entries begin with this text; the numbers of the first and the last, from 1.
    Several(String, usize, usize),
    /// The rules reject the answer with this message.
    Rules(String),
    /// There is nothing to undo.
    AtStart,
}

/// An interactive run.
pub struct Session<'a> {
    scenario: &'a Scenario,
    sources: &'a Sources,
    start: Start,
    /// Whether the session also waits before each roll.
    pub by_hand: bool,
    course: Course,
    /// Number of replies and of shown events before each command that moved the session.
    past: Vec<(usize, usize)>,
    shown: usize,
}

/// Prepares a scenario for a session. A player who would be prompted takes the answer that the rules prefer.
pub fn playable(mut scenario: Scenario) -> Scenario {
    for (_, sources) in &mut scenario.plan.players {
        sources.retain(|source| *source != Answerer::Prompt);
        if sources.is_empty() {
            sources.push(Answerer::Prefer);
        }
    }
    scenario
}

impl<'a> Session<'a> {
    /// Creates a session before its first event.
    pub fn new(scenario: &'a Scenario, sources: &'a Sources, start: Start) -> Session<'a> {
        let course = Course::new(scenario, Some(sources), &start, false);
        let mut session = Session::of(scenario, sources, start, course);
        session.advance(None, Ahead::default());
        session.shown = 1;
        session
    }

    /// Continues a course of the same scenario.
    pub fn of(scenario: &'a Scenario, sources: &'a Sources, start: Start, course: Course) -> Session<'a> {
        let shown = course.events().len();
        Session { scenario, sources, start, by_hand: false, course, past: Vec::new(), shown }
    }

    /// Returns the run without the scenario, to copy it or to continue later.
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Restores a session from its replies, up to the next pause.
    pub fn resumed(
        scenario: &'a Scenario,
        sources: &'a Sources,
        start: Start,
        replies: Vec<Reply>,
        by_hand: bool,
    ) -> Session<'a> {
        let mut course = Course::new(scenario, Some(sources), &start, false);
        course.replay(scenario, Some(sources), replies, Ahead { rolls: !by_hand, ..Ahead::default() });
        Session { by_hand, ..Session::of(scenario, sources, start, course) }
    }

    /// Returns the replies so far.
    pub fn replies(&self) -> &[Reply] {
        self.course.replies()
    }

    /// Replays the same run on `scenario`, whose report has other measures.
    pub fn asked<'b>(&self, scenario: &'b Scenario, sources: &'b Sources) -> Session<'b> {
        let mut course = Course::new(scenario, Some(sources), &self.start, false);
        course.replay(scenario, Some(sources), self.replies().to_vec(), Ahead::default());
        Session { shown: self.shown, ..Session::of(scenario, sources, self.start.clone(), course) }
    }

    pub fn scenario(&self) -> &'a Scenario {
        self.scenario
    }

    /// Returns the settings of the start.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Returns the events shown so far.
    pub fn events(&self) -> &[Event] {
        &self.course.events()[..self.shown.min(self.course.events().len())]
    }

    /// Returns whether all events up to the pause or the end are shown.
    pub fn caught_up(&self) -> bool {
        self.shown >= self.course.events().len()
    }

    /// Returns the pending pause, or `None` until all earlier events are shown.
    pub fn pause(&self) -> Option<&Pause> {
        self.course.pause().filter(|_| self.caught_up())
    }

    pub fn decision(&self) -> Option<&AwaitedDecision> {
        match self.pause() {
            Some(Pause::Decision(decision)) => Some(decision),
            _ => None,
        }
    }

    /// Returns the outcome if the run is over and all events are shown.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.course.outcome().filter(|_| self.caught_up())
    }

    /// Returns the decisions, rolls, and draws so far.
    pub fn done(&self) -> &[Done] {
        self.course.done()
    }

    /// Returns the number of replies in the log.
    pub fn answers(&self) -> usize {
        self.replies().len()
    }

    // -------------------------------------------------------------------- moving

    /// Shows one more event. If a roll or draw is pending, it is rolled first.
    ///
    /// # Errors
    ///
    /// Returns `Over` or `Decides` if no event can follow.
    pub fn step(&mut self) -> Result<(), Refused> {
        if !self.caught_up() {
            self.note();
            self.shown += 1;
            return Ok(());
        }
        match self.course.pause() {
            None => return Err(Refused::Over),
            Some(Pause::Decision(_)) => return Err(Refused::Decides),
            Some(Pause::Roll(_) | Pause::Draw(_)) => {}
        }
        self.note();
        self.advance(Some(Reply::Auto), Ahead::default());
        self.shown = (self.shown + 1).min(self.course.events().len());
        Ok(())
    }

    /// Shows one more event without recording a new undo step.
    pub fn step_on(&mut self) {
        self.shown = (self.shown + 1).min(self.course.events().len());
    }

    /// Rolls the pending dice or makes the pending draw.
    ///
    /// # Errors
    ///
    /// Returns an error if no roll or draw is pending.
    pub fn next_roll(&mut self) -> Result<(), Refused> {
        match self.pause() {
            Some(Pause::Roll(_) | Pause::Draw(_)) => self.say(Reply::Auto),
            Some(Pause::Decision(_)) => Err(Refused::Decides),
            None if self.outcome().is_some() => Err(Refused::Over),
            None => Err(Refused::NoRoll),
        }
    }

    /// Continues to the next decision, or to the next roll if the session waits for rolls.
    ///
    /// # Errors
    ///
    /// Returns `Over` or `Decides` if the session cannot continue.
    pub fn go_on(&mut self) -> Result<(), Refused> {
        let rolls = matches!(self.course.pause(), Some(Pause::Roll(_) | Pause::Draw(_)));
        if self.caught_up() {
            match self.course.pause() {
                None => return Err(Refused::Over),
                Some(Pause::Decision(_)) => return Err(Refused::Decides),
                Some(_) => {}
            }
        }
        self.note();
        if rolls && self.caught_up() {
            self.advance(Some(Reply::Auto), Ahead { rolls: !self.by_hand, ..Ahead::default() });
        } else if rolls && !self.by_hand {
            self.advance(None, Ahead { rolls: true, ..Ahead::default() });
        }
        self.shown = self.course.events().len();
        Ok(())
    }

    /// Answers the given number of decisions, or the pending roll, from the players' own sources. If the session waits
    /// for rolls, it stops at the next roll unless `decisions` is `u64::MAX`.
    ///
    /// # Errors
    ///
    /// Returns `Over` if the run is over.
    pub fn auto(&mut self, decisions: u64) -> Result<(), Refused> {
        if self.caught_up() && self.course.pause().is_none() {
            return Err(Refused::Over);
        }
        self.note();
        if self.by_hand && matches!(self.pause(), Some(Pause::Roll(_) | Pause::Draw(_))) {
            self.advance(Some(Reply::Auto), Ahead::default());
        } else {
            self.advance(None, Ahead { rolls: !self.by_hand || decisions == u64::MAX, decisions, ..Ahead::default() });
        }
        self.shown = self.course.events().len();
        Ok(())
    }

    /// Answers the pending decision.
    ///
    /// # Errors
    ///
    /// Returns an error if no decision is pending or the rules reject the answer.
    pub fn choose(&mut self, answer: Answer) -> Result<(), Refused> {
        if self.decision().is_none() {
            return Err(if self.outcome().is_some() { Refused::Over } else { Refused::NoDecision });
        }
        self.say(Reply::Answer(answer))
    }

    /// Answers the pending decision from a line of text: a number or name from the menu, several of them, or a point.
    ///
    /// # Errors
    ///
    /// Returns an error if no decision is pending, the line does not match exactly one entry, or the rules reject it.
    pub fn choose_line(&mut self, line: &str) -> Result<(), Refused> {
        let Some(decision) = self.decision() else {
            return Err(if self.outcome().is_some() { Refused::Over } else { Refused::NoDecision });
        };
        let reply = decision.question.understood(line.trim());
        match reply.and_then(|reply| decision.question.answer(reply)) {
            Some(answer) => self.choose(answer),
            None => match decision.question.beginning(line.trim())[..] {
                [first, .., last] => Err(Refused::Several(line.trim().to_string(), first + 1, last + 1)),
                _ => Err(Refused::NotOffered(line.trim().to_string())),
            },
        }
    }

    /// Supplies the faces of the pending roll, or the names of the pending draw.
    ///
    /// # Errors
    ///
    /// Returns an error if no roll or draw is pending or the faces do not fit.
    pub fn roll(&mut self, words: &[String]) -> Result<(), Refused> {
        let game = &self.scenario.game;
        let reply = match self.pause() {
            Some(Pause::Roll(roll)) => roll.given(game, words),
            Some(Pause::Draw(draw)) => draw.given(game, words),
            Some(Pause::Decision(_)) => return Err(Refused::Decides),
            None if self.outcome().is_some() => return Err(Refused::Over),
            None => return Err(Refused::NoRoll),
        };
        self.say(reply.map_err(|fault| Refused::Rules(fault.message))?)
    }

    /// Appends a reply to the log, and removes it again if the rules reject it.
    fn say(&mut self, reply: Reply) -> Result<(), Refused> {
        let at = self.replies().len();
        let before = (self.course.events().len(), self.shown);
        self.note();
        self.advance(Some(reply), Ahead { rolls: !self.by_hand, ..Ahead::default() });
        if self.course.events().len() <= before.0 + 2
            && let Some(fault) = self.script_fault()
        {
            self.past.pop();
            self.back_to(at);
            self.shown = before.1;
            return Err(Refused::Rules(fault));
        }
        self.shown = self.course.events().len();
        Ok(())
    }

    /// Returns the message about a wrong answer, if it ended the run.
    fn script_fault(&self) -> Option<String> {
        let found = self.course.outcome()?.problems.iter().find(|p| p.code == Code::Script)?;
        Some(found.message.clone())
    }

    /// Undoes the given number of commands that moved the session. Returns how many it undid.
    ///
    /// # Errors
    ///
    /// Returns `AtStart` if there is nothing to undo.
    pub fn back(&mut self, commands: usize) -> Result<usize, Refused> {
        if self.past.is_empty() {
            return Err(Refused::AtStart);
        }
        let to = self.past.len().saturating_sub(commands.max(1));
        let (replies, shown) = self.past[to];
        let gone = self.past.len() - to;
        self.past.truncate(to);
        self.back_to(replies);
        self.shown = shown.min(self.course.events().len());
        Ok(gone)
    }

    fn note(&mut self) {
        self.past.push((self.replies().len(), self.shown));
    }

    fn advance(&mut self, reply: Option<Reply>, ahead: Ahead) {
        self.course.advance(self.scenario, Some(self.sources), reply, ahead);
    }

    fn back_to(&mut self, replies: usize) {
        self.course.back_to(self.scenario, Some(self.sources), replies, Ahead::default());
    }

    fn recorder(&self) -> Recorder<'a> {
        Recorder::new(&self.scenario.game, &self.start.about, Some(self.sources))
    }

    /// Plays the run again up to the pause, with a watcher. Returns the state.
    fn watched(&self, watch: &mut dyn Watch) -> State {
        let hand = Hand::new(self.replies().to_vec(), Ahead::default(), self.start.sides.clone());
        let mut play = Play::new(self.scenario, None, Some(watch));
        play.by_hand(&hand);
        play.start(self.start.seed, self.start.run);
        // an error is an event that the watcher receives
        let _ = play.advance();
        play.here().state
    }

    // -------------------------------------------------------------------- inspecting

    /// Returns the state after the last shown event.
    pub fn state(&self) -> State {
        if self.caught_up()
            && let Some(state) = self.course.state()
        {
            return state.clone();
        }
        let mut still = Looked { recorder: self.recorder(), look: Still { at: self.shown as u64, state: None } };
        let last = self.watched(&mut still);
        still.look.state.unwrap_or(last)
    }

    /// Traces the first measure of the report from the start to the last shown event.
    pub fn provenance(&self) -> Provenance {
        let mut follow = Looked { recorder: self.recorder(), look: Follow::new(self.scenario, 0) };
        self.watched(&mut follow);
        let Looked { recorder, mut look } = follow;
        look.note(&self.state(), recorder.seen());
        let mut found = look.finish(recorder, self.outcome().is_some());
        found.events.truncate(self.shown);
        found.changes.retain(|change: &Change| change.at < self.shown);
        found
    }
}

/// Returns each entry of a single-choice question with its answer. Returns an empty list for a question that takes
/// several entries.
pub fn answers(question: &PersonQuestion) -> Vec<(String, Answer)> {
    let entries = question.entries.iter().enumerate();
    let one = |n: usize| question.answer(players::PersonReply::Entries(vec![n]));
    match question.several {
        None => entries.filter_map(|(n, words)| Some((words.clone(), one(n)?))).collect(),
        Some(_) => Vec::new(),
    }
}

/// Captures the state after an event.
struct Still {
    at: u64,
    state: Option<State>,
}

impl Look for Still {
    fn look(&mut self, _: &Game, state: &State, _: &MachineEvent<'_>, seen: u64) {
        if self.state.is_none() && seen >= self.at {
            self.state = Some(state.clone());
        }
    }
}
