//! A run that gives each decision as plain data and takes the index of an answer: for search and machine learning. It has
//! no texts and records no trace.

use super::players::MOST_SUBSETS;
use super::{Play, Progress};
use grognard_base::Code;
use grognard_base::value::SiteId;
use grognard_board::motion::Path;
use grognard_scenario::Scenario;
use grognard_vm::{Answer, Asked, Fault, Flow, Form, Instance, Menu, State, Subsets};
use std::rc::Rc;
use std::sync::Arc;

/// A run that waits for each decision. A copy continues like the original and costs the size of the state.
///
/// Answers are counted from 0, in the order of the menu: `none` before candidates, `yes` before `no`, `stop` after
/// actions. An end point of a move is a decision about all legal end points, of which the first is the canonical one.
///
/// ```
/// # use grognard_base::Sources;
/// # use grognard_kit::Shelf;
/// # use grognard_program::Detail;
/// # use grognard_scenario::{build, read};
/// use grognard_play::Stepped;
/// use std::sync::Arc;
///
/// let rules = "ruleset first/hold
/// kind Squad { state men : 0..20 }
/// phase Fight(squad: Squad) {
///   each n in 1 .. 3 { may brave by squad { roll hits = 2 of d6; set squad.men -= count hits >= 5 } }
/// }";
/// let text = r#"
/// rules = "first/hold"
/// start = "Fight(guards)"
/// Squad = { guards = { men = 8 } }
/// report = { mean = "guards.men" }
/// "#;
/// # let library = Shelf::of(&[("first/hold.rules", rules)]);
/// # let mut sources = Sources::default();
/// # let document = read("hold.toml", text.into(), &library, &mut sources).unwrap();
/// # let rules = grognard_rules::load("first/hold", &library, &mut sources).sound().unwrap();
/// let scenario = build(&document, rules, &[], &sources, Detail::Plain).unwrap();
/// let mut run = Stepped::start(Arc::new(scenario), 4, 0, None).unwrap();
/// let mut decisions = 0;
/// while let Some(question) = run.question() {
///     assert_eq!(question.count(), 2);
///     decisions += 1;
///     let mut other = run.clone();
///     other.answer(1).unwrap(); // no
///     run.answer(0).unwrap(); // yes
/// }
/// assert_eq!(decisions, 3);
/// ```
#[derive(Clone)]
pub struct Stepped {
    scenario: Arc<Scenario>,
    /// The run at its question or its end. It is taken out only while the run continues.
    progress: Option<Progress>,
    asks: Stepper,
    steps: u64,
}

/// A decision as ids and cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Site of the choice.
    pub site: SiteId,
    /// Packed player who decides, or -1.
    pub player: i64,
    /// Packed subject, or -1.
    pub subject: i64,
    /// The entries of the menu.
    pub entries: Entries,
}

/// The entries of a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entries {
    /// Candidates of `width` cells each, after `none` if `or_none`. End points of a move have two cells.
    Values {
        /// The cells of all candidates.
        cells: Vec<i64>,
        /// Cells of one candidate.
        width: usize,
        /// Whether the first entry is `none`.
        or_none: bool,
    },
    /// Sets of candidates of `width` cells each.
    Sets {
        /// The cells of all candidates.
        cells: Vec<i64>,
        /// Cells of one candidate.
        width: usize,
        /// Minimum number of candidates.
        least: usize,
        /// Maximum number of candidates.
        most: usize,
        /// Number of answers. Sets beyond 4,096 have no index; see [`Stepped::give`].
        count: usize,
    },
    /// Options, by their indices in the declaration.
    Options(Vec<i64>),
    /// Yes and no.
    May,
    /// Actions with their choices, then `stop` if `or_stop`.
    Actions {
        /// The actions that can be picked.
        offered: Vec<Instance>,
        /// Whether the last entry is `stop`.
        or_stop: bool,
    },
}

impl Question {
    fn of(asked: &Asked<'_>) -> Question {
        let entries = match &asked.form {
            Form::Choose { candidates, width, or_none } => {
                Entries::Values { cells: candidates.to_vec(), width: *width, or_none: *or_none }
            }
            Form::Next { candidates, width } => {
                Entries::Values { cells: candidates.to_vec(), width: *width, or_none: false }
            }
            Form::Subset { candidates, width, least, most } => {
                let count = Subsets::of(candidates, *width, *least, *most).count(MOST_SUBSETS).min(MOST_SUBSETS);
                let (cells, count) = (candidates.to_vec(), count as usize);
                Entries::Sets { cells, width: *width, least: *least, most: *most, count }
            }
            Form::Option { places } => Entries::Options(places.to_vec()),
            Form::May => Entries::May,
            Form::Menu { menu, or_stop } => Entries::Actions { offered: menu.offered.clone(), or_stop: *or_stop },
            // end points are listed before they are asked
            Form::Move { .. } => Entries::Values { cells: Vec::new(), width: 2, or_none: false },
        };
        Question { site: asked.ask.site, player: asked.who.player, subject: asked.who.subject, entries }
    }

    /// Returns the number of answers.
    pub fn count(&self) -> usize {
        match &self.entries {
            Entries::Values { cells, width, or_none } => cells.len() / (*width).max(1) + usize::from(*or_none),
            Entries::Sets { count, .. } => *count,
            Entries::Options(places) => places.len(),
            Entries::May => 2,
            Entries::Actions { offered, or_stop } => offered.len() + usize::from(*or_stop),
        }
    }

    /// Returns the answer with this index, or `None` if there are fewer answers.
    pub fn answer(&self, index: usize) -> Option<Answer> {
        if index >= self.count() {
            return None;
        }
        Some(match &self.entries {
            Entries::Values { or_none: true, .. } => index.checked_sub(1).map_or(Answer::None, Answer::Pick),
            Entries::Values { .. } | Entries::Options(_) => Answer::Pick(index),
            Entries::Sets { cells, width, least, most, .. } => {
                Answer::Several(Subsets::of(cells, *width, *least, *most).nth(index as u64))
            }
            Entries::May => Answer::Pick(1 - index),
            Entries::Actions { offered, .. } if index == offered.len() => Answer::Stop,
            Entries::Actions { .. } => Answer::Pick(index),
        })
    }
}

impl Stepped {
    /// Starts a run of a sample and plays to its first decision. `sides` are the packed players whose decisions are asked,
    /// or `None` for all. The others follow their sources in the scenario; what those cannot answer is asked too.
    ///
    /// # Errors
    ///
    /// Returns the fault in which the run ends.
    pub fn start(scenario: Arc<Scenario>, seed: u64, run: u64, sides: Option<Vec<i64>>) -> Result<Stepped, Fault> {
        let mut play = Play::of_many(&scenario, None, None);
        play.start(seed, run);
        let progress = Some(play.suspend());
        let asks = Stepper { sides: sides.map(Into::into), ..Stepper::default() };
        let mut stepped = Stepped { scenario, progress, asks, steps: 0 };
        stepped.advance()?;
        Ok(stepped)
    }

    /// Returns the decision that the run waits for, or `None` if it is over.
    pub fn question(&self) -> Option<&Question> {
        self.asks.question.as_ref()
    }

    /// Answers the decision with the index of an answer, and plays to the next one.
    ///
    /// # Errors
    ///
    /// Returns a fault if there is no such answer, which leaves the run as it was, or the fault in which the run ends.
    pub fn answer(&mut self, index: usize) -> Result<Option<&Question>, Fault> {
        match self.question().map(|question| question.answer(index)) {
            Some(Some(answer)) => self.give(answer),
            Some(None) => Err(Fault::new(Code::Script, format!("the decision has no answer {index}"))),
            None => Err(over()),
        }
    }

    /// Answers the decision with any answer, and plays to the next one.
    ///
    /// # Errors
    ///
    /// Returns a fault if the run is over, or the fault in which it ends. An answer that the rules refuse ends it.
    pub fn give(&mut self, answer: Answer) -> Result<Option<&Question>, Fault> {
        let Some(question) = self.asks.question.take() else { return Err(over()) };
        if let Entries::Actions { offered, .. } = question.entries {
            self.asks.menu = Some(offered);
        }
        (self.asks.answer, self.asks.departed) = (Some(answer), true);
        self.advance()?;
        Ok(self.question())
    }

    fn advance(&mut self) -> Result<(), Fault> {
        let Some(progress) = self.progress.take() else { return Err(over()) };
        let mut play = Play::resume(&self.scenario, progress, None);
        let before = play.steps();
        play.with.drivers.dice.departed = self.asks.departed;
        play.with.drivers.decide.stepper = Some(std::mem::take(&mut self.asks));
        let ended = play.advance();
        self.steps += play.steps() - before;
        self.asks = play.with.drivers.decide.stepper.take().unwrap_or_default();
        if ended != Ok(Flow::Wait) {
            self.asks.question = None;
        }
        self.progress = Some(play.suspend());
        ended.map(|_| ())
    }

    /// Returns the scenario that the run plays.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Returns the state of the machine.
    pub fn state(&self) -> &State {
        self.progress.as_ref().map_or(&self.scenario.game.start, Progress::state)
    }

    /// Returns the rounds and calls that the machine executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of times that the start of the scenario was run.
    pub fn rounds(&self) -> u64 {
        self.progress.as_ref().map_or(0, Progress::rounds)
    }

    /// Evaluates a measure of the report on the table as it is. Returns `None` if its condition does not hold.
    ///
    /// # Errors
    ///
    /// Returns a fault if the evaluation fails or the value of a mean is missing.
    ///
    /// # Panics
    ///
    /// Panics if the report has no measure `n`.
    pub fn figure(&mut self, n: usize) -> Result<Option<Vec<i64>>, Fault> {
        let Some(mut progress) = self.progress.take() else { return Ok(None) };
        // the evaluation uses the registers of the state
        let state = progress.evaluates();
        let mut play = Play::resume(&self.scenario, progress, None);
        let found = play.figure(n).map(|cells| cells.map(<[i64]>::to_vec));
        self.progress = Some(play.suspend().at(state));
        found
    }
}

fn over() -> Fault {
    Fault::new(Code::Script, "the run is over")
}

/// The decisions of a [`Stepped`] run: the given answer, and the next question.
#[derive(Clone, Default)]
pub(super) struct Stepper {
    sides: Option<Arc<[i64]>>,
    answer: Option<Answer>,
    question: Option<Question>,
    /// The end points of the move that is asked, so that the answer does not search for them again.
    ends: Option<Arc<[Path]>>,
    /// The actions that were asked, so that the answer does not build the menu again.
    menu: Option<Vec<Instance>>,
    /// Whether any answer was given, so that dice and decisions of the scenario may not fit.
    pub departed: bool,
}

impl Stepper {
    /// Returns whether a decision is asked.
    pub fn asks(&self, asked: &Asked<'_>) -> bool {
        self.sides.as_ref().is_none_or(|sides| sides.contains(&asked.who.player))
    }

    /// Takes the given answer, or keeps the question.
    pub fn take(&mut self, asked: &Asked<'_>) -> Option<Answer> {
        let answer = self.answer.take();
        if answer.is_none() {
            self.question = Some(Question::of(asked));
        }
        answer
    }

    /// Returns the end points of the move that was asked before the run waited.
    pub fn known(&self) -> Option<Rc<[Path]>> {
        self.ends.as_deref().map(Rc::from)
    }

    /// Takes the menu that was asked before the run waited. It has no refused actions: only a trace shows them.
    pub fn known_menu(&mut self) -> Option<Menu> {
        self.menu.take().map(|offered| Menu { offered, refused: Vec::new() })
    }

    /// Keeps the end points of a move until they are chosen from.
    pub fn found(&mut self, ends: Option<&[Path]>) {
        self.ends = ends.map(Arc::from);
    }
}
