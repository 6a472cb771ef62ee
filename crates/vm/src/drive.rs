//! Interfaces of the drivers: dice, decisions and traces.

use super::throws::Die;
use super::{Fault, Game, State};
use grognard_base::Meter;
use grognard_base::value::plain::{Measure, Need, Words};
use grognard_base::value::*;
use grognard_board::motion::Path;
use grognard_program::schema::Stored;
use grognard_program::{Ask, LineCode, Note};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// Whether the machine continues or waits for an external answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The query was answered.
    Go,
    /// No answer yet. The machine stops before the query and repeats it on resume.
    Wait,
}

impl Die {
    /// Returns its number of sides.
    pub fn sides(self, game: &Game) -> u32 {
        match self {
            Die::Sides(n) => n,
            Die::Faces(id) => game.program.schema.dice[id.at()].faces.len() as u32,
        }
    }

    /// Returns the face on a side; sides count from 1.
    pub fn face(self, game: &Game, side: u32) -> i64 {
        match self {
            Die::Sides(_) => i64::from(side),
            Die::Faces(id) => game.program.schema.dice[id.at()].faces.get(side as usize - 1).copied().unwrap_or(0),
        }
    }
}

/// The dice of a roll.
#[derive(Clone, Copy, Debug)]
pub enum Thrown<'a> {
    /// The given number of equal dice.
    Same(Die, usize),
    /// Individual dice.
    Each(&'a [Die]),
}

impl Thrown<'_> {
    /// Returns the number of dice.
    pub fn len(&self) -> usize {
        match self {
            Thrown::Same(_, n) => *n,
            Thrown::Each(dice) => dice.len(),
        }
    }

    /// Returns whether no die is rolled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the die at index `n`, or a die with one side if `n` is out of range.
    pub fn die(&self, n: usize) -> Die {
        match self {
            Thrown::Same(die, _) => *die,
            Thrown::Each(dice) => dice.get(n).copied().unwrap_or(Die::Sides(1)),
        }
    }
}

/// A roll that the machine requests.
#[derive(Clone, Copy, Debug)]
pub struct Throw<'a> {
    /// The site of the roll. Rerolled dice have the site of the first roll.
    pub site: SiteId,
    /// Subject of the roll as a packed thing, or -1.
    pub subject: i64,
    /// The dice.
    pub dice: Thrown<'a>,
    /// Whether the dice remain a pool instead of being added up at once.
    pub pool: bool,
    /// Indices in the pool of dice that are rerolled or that exploded. Empty for a first roll.
    pub again: &'a [i64],
    /// Whether the dice are added to the pool by exploding dice instead of replacing them.
    pub explode: bool,
}

/// A random draw that the machine requests.
#[derive(Clone, Copy, Debug)]
pub struct DrawAsk<'a> {
    /// The site.
    pub site: SiteId,
    /// Subject of the draw as a packed thing, or -1.
    pub subject: i64,
    /// Name of each candidate, for keys and scripts.
    pub names: &'a [String],
    /// For each candidate, the index of the first candidate equal to it. Equal candidates are interchangeable.
    pub alike: &'a [usize],
    /// Weight of each candidate.
    pub weights: &'a [u32],
    /// Number of draws.
    pub count: usize,
}

/// Source of dice and random draws.
pub trait Dice {
    /// Returns whether exact odds are computed, so that pools can hold [`super::LazyDice`].
    fn exact(&self) -> bool {
        false
    }
    /// Returns whether the running code rolls nothing and has no side effects, so that results of its functions can be
    /// memoized.
    fn pure(&self) -> bool {
        false
    }
    /// Observes a call of a function. Called only while odds are computed.
    fn enters(&mut self, _func: FuncId) {}
    /// Returns whether it observes reads of settings.
    fn marks(&self) -> bool {
        false
    }
    /// Observes a read of a setting. Called only while odds are computed.
    fn reads(&mut self, _id: SettingId) {}
    /// Observes that code of a clause, given by its index in the register, is reached. Called only while odds are
    /// computed.
    fn comes_by(&mut self, _clause: u32) {}
    /// Appends the faces of a roll to `faces`, in the order of its dice.
    ///
    /// # Errors
    ///
    /// Returns a fault if the dice cannot be provided.
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault>;
    /// Returns the face of a first roll of a single die if it is available at once. Otherwise has no effect.
    fn single(&mut self, _game: &Game, _site: SiteId, _subject: i64, _die: Die) -> Option<i64> {
        None
    }
    /// Appends the faces of a first roll of equal dice to `faces` if they are available at once. Otherwise returns
    /// `false` without an effect.
    fn pool(&mut self, _: &Game, _: SiteId, _subject: i64, _dice: (Die, usize), _faces: &mut Vec<i64>) -> bool {
        false
    }
    /// Appends the indices of the drawn candidates to `picks`.
    ///
    /// # Errors
    ///
    /// Returns a fault if the draw cannot be made.
    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault>;
}

/// Subject and player of a query as packed things, or -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Who {
    pub subject: i64,
    pub player: i64,
}

/// A menu of actions.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// Instances that can be picked, in menu order.
    pub offered: Vec<Instance>,
    /// Instances rejected by a line of their header.
    pub refused: Vec<Refused>,
}

/// An instance of an action: an action with values for the variables of its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The action.
    pub action: ActionId,
    /// Registers of its header.
    pub cells: Vec<i64>,
}

/// A rejected instance with the line of the header that rejected it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The action.
    pub action: ActionId,
    /// Index of the line.
    pub line: u16,
    /// Registers of the header. Those of choices after the line are unset.
    pub cells: Vec<i64>,
}

/// The query as presented to a decider.
#[allow(missing_docs)] // the doc of a variant describes its fields
pub enum Form<'a> {
    /// One of the candidates of `width` cells each, or `none` if `or_none`.
    Choose { candidates: &'a [i64], width: usize, or_none: bool },
    /// Between `least` and `most` of the candidates.
    Subset { candidates: &'a [i64], width: usize, least: usize, most: usize },
    /// One of the options, given by their indices in the declaration.
    Option { places: &'a [i64] },
    /// Yes or no.
    May,
    /// One of the instances, or stop if `or_stop`.
    Menu { menu: &'a Menu, or_stop: bool },
    /// Which of the candidates is next.
    Next { candidates: &'a [i64], width: usize },
    /// An end point. If not `open`, the lines allow at most one path, and only answers written beforehand are used.
    Move { open: bool },
}

/// A query to a decider, with the state to evaluate it.
pub struct Asked<'a> {
    /// The table.
    pub game: &'a Game,
    /// The state, in which fragments are evaluated.
    pub state: &'a mut State,
    /// The compiled query.
    pub ask: &'a Ask,
    /// Subject and player.
    pub who: Who,
    /// The allowed answers.
    pub form: Form<'a>,
}

/// Answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Candidate, option or instance at this index, from 0. For `may`, 1 is yes.
    Pick(usize),
    /// Takes no candidate.
    None,
    /// Stops the phase instead of picking an action.
    Stop,
    /// Several candidates, given by their indices.
    Several(Vec<usize>),
    /// An end point.
    Point(i64, i64),
    /// Lists the legal end points of a move and presents them as a choice.
    List,
    /// The default that the rules prefer.
    Prefer,
    /// No answer yet.
    Wait,
}

impl Answer {
    /// Returns the picked index, or `None` if the answer is not an index below `count`.
    pub(super) fn among(&self, count: usize) -> Option<usize> {
        if let Answer::Pick(n) = self { Some(*n).filter(|n| *n < count) } else { None }
    }
}

/// Source of decisions.
pub trait Decide {
    /// Answers a query and returns the name of the source (`script`, `policy Cautious`).
    ///
    /// # Errors
    ///
    /// Returns a fault if the query cannot be answered.
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault>;
    /// Observes each site at which neither a player nor the rules decided, so that the first menu entry was taken.
    fn undecided(&mut self, _site: SiteId) {}
    /// Returns the meter that counts the steps of searches, or `None` if they are not counted.
    fn meter(&self) -> Option<Rc<Meter>> {
        None
    }
    /// Returns the known end points of the move at the current query, or `None` if they were not listed before.
    fn known(&self) -> Option<Rc<[Path]>> {
        None
    }
    /// Observes the complete list of end points of a move before it is presented as a choice.
    fn found(&mut self, _ends: &Rc<[Path]>) {}
    /// Returns the known menu of the current query, or `None` if it was not built before.
    fn known_menu(&mut self) -> Option<Menu> {
        None
    }
}

/// A rejected instance of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOffered {
    /// The instance with the values chosen so far.
    pub instance: Value,
    /// Text of the line that rejected it, with the numbers.
    pub why: Words,
    /// Clauses of the line.
    pub clauses: Vec<String>,
    /// Whether no state of any game can satisfy the line.
    pub never: bool,
}

/// Text of a note with its values.
#[derive(Clone, Debug, Default)]
pub struct Worded {
    /// The text.
    pub words: Words,
    /// Distances that the text refers to.
    pub measures: Vec<Measure>,
    /// Needs of the rolls in the text.
    pub needs: Vec<Need>,
    /// Whether a number or the table decided.
    pub figure: bool,
    /// Whether this is a failed guard that no state of any game can satisfy.
    pub never: bool,
}

/// Readings that affected a result, each with the result of every other alternative.
pub type Leaned = Vec<(SettingId, Vec<(String, Words)>)>;

/// Additional remarks about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "remark", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Remark {
    /// The preferred entry of a choice is not on its menu.
    Unpreferred { choice: String },
    /// A law reads a value that was never given.
    Unjudged { law: String, why: String },
    /// An effect on a missing thing does nothing.
    Missing { what: String },
    /// A move ended at a thing in its path.
    Stopped { by: String },
    /// The scenario ends the run at this point.
    Stops,
}

/// Reason why a move has no path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hindrance {
    /// Things that block the path.
    Things,
    /// The edge of the table.
    Edge,
    /// A line of the move.
    #[serde(untagged)]
    Line {
        /// Text of the line.
        line: String,
        /// Clauses of the line.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clauses: Vec<String>,
    },
}

/// Events of a run in execution order, for a trace.
#[allow(missing_docs)]
#[derive(Debug)]
pub enum MachineEvent<'a> {
    /// A function is entered; its parameters are cells.
    Enter { func: FuncId, args: &'a [i64] },
    /// A function returns a result.
    Leave { func: FuncId, result: &'a [i64] },
    /// Dice were rolled.
    Roll { throw: &'a Throw<'a>, name: SiteId, faces: &'a [i64] },
    /// A candidate was drawn at random.
    Draw { draw: &'a DrawAsk<'a>, among: &'a [Value], picks: &'a [usize] },
    /// A decision was made. If there is only one entry, no decider is queried and `source` is empty.
    Decided { site: SiteId, who: Who, source: &'a str, menu: &'a [Value], answer: &'a Value, refused: &'a [NotOffered] },
    /// A slot was written.
    Set { slot: Stored, thing: i64, old: &'a [i64], new: &'a [i64], wanted: &'a [i64] },
    /// A status was granted.
    Granted { status: TraitId, thing: i64, data: &'a [i64], renewed: bool },
    /// A status was revoked or expired.
    Revoked { status: TraitId, thing: i64, expired: bool },
    /// A status to be revoked was not present.
    Unborne { status: TraitId, thing: i64 },
    /// The previous write has a duration.
    Until { phase: PhaseId, start: bool, key: Option<i64> },
    /// A slot was reset because its duration expired.
    Expired { slot: Stored, thing: i64, old: &'a [i64], new: &'a [i64] },
    /// A limited action was used.
    Used { action: ActionId, line: u16, count: i64, times: i64, key: i64 },
    /// A thing was removed from play.
    Destroyed { kind: KindId, thing: i64, why: &'a str },
    /// A thing was created.
    Spawned { kind: KindId, thing: i64 },
    /// A thing was put, turned or moved. `from` and `to` are points, or `None` off the board. `via` holds the bends of
    /// the path.
    Moved {
        kind: KindId,
        thing: i64,
        from: Option<(i64, i64)>,
        via: &'a [(i64, i64)],
        to: Option<(i64, i64)>,
        covered: i64,
    },
    /// A line that the preceding move satisfied: its length, and the places near which the move had to end (two cells
    /// each).
    Kept { line: &'a LineCode, asked: Option<i64>, near: &'a [i64] },
    /// A thing was turned.
    Turned { kind: KindId, thing: i64, old: i64, new: i64 },
    /// A thing was merged into another.
    Merged { kind: KindId, from: i64, into: i64 },
    /// A stand-in returned a result for a missing chapter; `how` names its kind.
    StandIn { func: FuncId, how: &'a str, result: &'a [i64] },
    /// A note of the compiler: its value, its text, and results that depended on readings. The trace can take the text.
    Note { note: &'a Note, value: Option<i64>, rendered: &'a RefCell<Worded>, leaned: &'a Leaned },
    /// A move found no legal path. Without any one of the hindrances in `but`, it would have a path.
    Stuck { kind: KindId, thing: i64, why: &'a str, but: &'a [Hindrance] },
    /// Result of a move, and results that depended on readings.
    Leaned { here: &'a Words, leaned: &'a Leaned },
    /// An additional remark.
    Remark(&'a Remark),
}

/// Observer of a run.
pub trait Trace {
    /// Returns whether the trace receives events. If not, events are not prepared.
    fn on(&self) -> bool {
        true
    }
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>);
    /// Returns whether the trace receives reasons for the results of moves. They require an extra search for each move.
    fn asks_why(&self) -> bool {
        self.on()
    }
}

/// Dice, decisions and trace of a run.
pub struct Drivers<D, C, T> {
    /// Source of dice.
    pub dice: D,
    /// Source of decisions.
    pub decide: C,
    /// Observer of the run.
    pub trace: T,
}

/// Access to the drivers as trait objects.
pub trait Drive {
    /// Returns the source of dice.
    fn dice(&mut self) -> &mut dyn Dice;
    /// Returns the source of decisions.
    fn decide(&mut self) -> &mut dyn Decide;
    fn trace(&mut self) -> &mut dyn Trace;
}

impl<D: Dice, C: Decide, T: Trace> Drive for Drivers<D, C, T> {
    fn dice(&mut self) -> &mut dyn Dice {
        &mut self.dice
    }
    fn decide(&mut self) -> &mut dyn Decide {
        &mut self.decide
    }
    fn trace(&mut self) -> &mut dyn Trace {
        &mut self.trace
    }
}

/// An optional observer.
impl<T: Trace + ?Sized> Trace for Option<&mut T> {
    fn on(&self) -> bool {
        self.is_some()
    }

    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        if let Some(watcher) = self {
            watcher.happen(game, state, what);
        }
    }

    fn asks_why(&self) -> bool {
        self.as_ref().is_some_and(|watcher| watcher.asks_why())
    }
}

/// An observer that ignores all events.
pub struct NoTrace;

impl Trace for NoTrace {
    fn on(&self) -> bool {
        false
    }
    fn happen(&mut self, _: &Game, _: &State, _: &MachineEvent<'_>) {}
}

/// Drivers for pure code, which rolls no dice and makes no decisions, and for single evaluations from outside.
pub struct NoDice;

impl Dice for NoDice {
    fn pure(&self) -> bool {
        true
    }
    fn throw(&mut self, _: &Game, _: &Throw<'_>, _: &mut Vec<i64>) -> Result<Flow, Fault> {
        Ok(Flow::Wait)
    }
    fn draw(&mut self, _: &Game, _: &DrawAsk<'_>, _: &mut Vec<usize>) -> Result<Flow, Fault> {
        Ok(Flow::Wait)
    }
}

impl Decide for NoDice {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        Ok((Answer::Wait, ""))
    }
}

/// Decides as the rules prefer.
pub struct First;

impl Decide for First {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        Ok((Answer::Prefer, "prefer"))
    }
}
