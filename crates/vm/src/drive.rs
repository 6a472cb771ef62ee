//! Who throws, who decides, who watches.

use super::throws::Die;
use super::{Fault, Game, State};
use grognard_base::Meter;
use grognard_base::value::plain::{Measure, Words};
use grognard_base::value::*;
use grognard_board::motion::Path;
use grognard_program::schema::Stored;
use grognard_program::{Ask, LineCode, Note};
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;

/// Whether the machine goes on or waits for an answer from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Answered.
    Go,
    /// Not now: the machine stops before the question and asks it again when it is resumed.
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

/// The dice of a throw.
#[derive(Clone, Copy, Debug)]
pub enum Thrown<'a> {
    /// So many like dice.
    Same(Die, usize),
    /// Each its own.
    Each(&'a [Die]),
}

impl Thrown<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Thrown::Same(_, n) => *n,
            Thrown::Each(dice) => dice.len(),
        }
    }

    /// True if no die is thrown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The n-th die, from 0.
    pub fn die(&self, n: usize) -> Die {
        match self {
            Thrown::Same(die, _) => *die,
            Thrown::Each(dice) => dice.get(n).copied().unwrap_or(Die::Sides(1)),
        }
    }
}

/// A wanted throw.
#[derive(Clone, Copy, Debug)]
pub struct Throw<'a> {
    /// The site of the roll; for dice thrown again that of the first throw.
    pub site: SiteId,
    /// Whose roll it is, packed, or -1.
    pub subject: i64,
    /// The dice.
    pub dice: Thrown<'a>,
    /// True if the dice stay dice, and are not added up at once.
    pub pool: bool,
    /// Places in the pool of dice that are thrown again or made others explode; empty for a first throw.
    pub again: &'a [i64],
    /// True if the dice come on top of those that made them explode.
    pub explode: bool,
}

/// A wanted draw: chance picks among candidates.
#[derive(Clone, Copy, Debug)]
pub struct DrawAsk<'a> {
    /// The site.
    pub site: SiteId,
    /// Whose draw it is, packed, or -1.
    pub subject: i64,
    /// What each candidate is called, for keys and scripts.
    pub names: &'a [String],
    /// For each the place of the first that is equal to it: which of them is drawn does not matter.
    pub alike: &'a [usize],
    /// How much each weighs.
    pub weights: &'a [u32],
    /// How many are drawn.
    pub count: usize,
}

/// Throws dice.
pub trait Dice {
    /// True while odds are computed: pools may then hold [`super::LazyDice`] dice.
    fn exact(&self) -> bool {
        false
    }
    /// True for code that throws nothing and changes nothing: then what its functions came to may be known.
    fn pure(&self) -> bool {
        false
    }
    /// A function is called; told only while odds are computed.
    fn enters(&mut self, _func: FuncId) {}
    /// A setting is read; told only while odds are computed.
    fn reads(&mut self, _id: SettingId) {}
    /// Code under a clause is reached, by its place in the register; told only while odds are computed.
    fn comes_by(&mut self, _clause: u32) {}
    /// Adds the faces of a throw behind what `faces` holds, in the order of its dice.
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault>;
    /// The face of a first throw of a single die, where that is known without more ado; nothing is done otherwise.
    fn single(&mut self, _game: &Game, _site: SiteId, _subject: i64, _die: Die) -> Option<i64> {
        None
    }
    /// The same for a first throw of a pool of like dice: its faces come behind what `faces` holds. False if nothing was done.
    fn pool(&mut self, _: &Game, _: SiteId, _subject: i64, _dice: (Die, usize), _faces: &mut Vec<i64>) -> bool {
        false
    }
    /// Fills in the places of the candidates that are drawn.
    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault>;
}

/// Subject and player of a question, packed, or -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Who {
    pub subject: i64,
    pub player: i64,
}

/// A menu of actions.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// The instances that can be picked, in order.
    pub offered: Vec<Instance>,
    /// The instances that a line of their header refused.
    pub refused: Vec<Refused>,
}

/// An instance of an action: an action with values for the variables of its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The action.
    pub action: ActionId,
    /// The registers of its header.
    pub cells: Vec<i64>,
}

/// A refused instance, and the line of the header that refused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The action.
    pub action: ActionId,
    /// The line.
    pub line: u16,
    /// The registers of its header, filled up to that line.
    pub cells: Vec<i64>,
}

/// What a question looks like from outside.
#[allow(missing_docs)] // parts of a form are told of where the form is
pub enum Form<'a> {
    /// One of the candidates (cells of `width` each), or none if the last flag says so.
    Choose { candidates: &'a [i64], width: usize, or_none: bool },
    /// Between `least` and `most` of the candidates.
    Subset { candidates: &'a [i64], width: usize, least: usize, most: usize },
    /// One of the options, by their places in the declaration.
    Option { places: &'a [i64] },
    /// Yes or no.
    May,
    /// One of the instances, or stop.
    Menu { menu: &'a Menu, or_stop: bool },
    /// Who of these is next.
    Next { candidates: &'a [i64], width: usize },
    /// An end point. If it is not `open` the lines leave one path or none, and only what was written down beforehand is
    /// asked for.
    Move { open: bool },
}

/// A question to a decider, with the means to judge it.
pub struct Asked<'a> {
    /// The table.
    pub game: &'a Game,
    /// The position, for fragments.
    pub state: &'a mut State,
    /// The question as compiled.
    pub ask: &'a Ask,
    /// Whose.
    pub who: Who,
    /// What may be answered.
    pub form: Form<'a>,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The n-th candidate, option or instance on the menu, from 0; for `may` 1 is yes.
    Pick(usize),
    /// None.
    None,
    /// Stop.
    Stop,
    /// Those candidates.
    Several(Vec<usize>),
    /// An end point.
    Point(i64, i64),
    /// The legal end points of a move: they are then put as a choice.
    List,
    /// What the rules prefer.
    Prefer,
    /// Not now.
    Wait,
}

impl Answer {
    /// The place that it names among so many; none if it names no such place.
    pub(super) fn among(&self, count: usize) -> Option<usize> {
        if let Answer::Pick(n) = self { Some(*n).filter(|n| *n < count) } else { None }
    }
}

/// Decides.
pub trait Decide {
    /// Answers a question, and says who it was that answered (`script`, `policy Cautious`).
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault>;
    /// Receives each answer that neither a player nor the rules gave: the first entry of the menu was taken.
    fn undecided(&mut self, _site: SiteId) {}
    /// What the steps of a search are charged to, if anybody counts.
    fn meter(&self) -> Option<Rc<Meter>> {
        None
    }
    /// The ends of the move at which the machine stands, if it stood there before and they were found then.
    fn known(&self) -> Option<Rc<[Path]>> {
        None
    }
    /// All ends of a move are found, and are about to be put as a choice.
    fn found(&mut self, _ends: &Rc<[Path]>) {}
}

/// An instance of an action that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOffered {
    /// The instance, as far as it was chosen.
    pub instance: Value,
    /// The line that refused it, with its figures.
    pub why: Words,
    /// Clauses of that line.
    pub clauses: Vec<String>,
    /// Nothing in a game could have made it fit.
    pub never: bool,
}

/// Words of a note with their values.
#[derive(Clone, Debug, Default)]
pub struct Worded {
    /// The words.
    pub words: Words,
    /// Distances that they ask for.
    pub measures: Vec<Measure>,
    /// A number or the table decided.
    pub figure: bool,
    /// It is a guard that failed, and nothing in a game could have made it hold.
    pub never: bool,
}

/// Readings that mattered, and for each other alternative what it would have given.
pub type Leaned = Vec<(SettingId, Vec<(String, Words)>)>;

/// What is told of a run besides what happens in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "remark", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Remark {
    /// What a choice prefers is not on its menu.
    Unpreferred { choice: String },
    /// A law looks at a figure that was never given.
    Unjudged { law: String, why: String },
    /// An effect on something missing does nothing.
    Missing { what: String },
    /// A move ended at a thing in its way.
    Stopped { by: String },
    /// The scenario ends the run here.
    Stops,
}

/// What keeps a move from having a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hindrance {
    /// What stands in the way.
    Things,
    /// The table's edge.
    Edge,
    /// A line of the move.
    #[serde(untagged)]
    Line {
        /// As it is written.
        line: String,
        /// Its clauses.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        clauses: Vec<String>,
    },
}

/// What a watcher sees, in the order it happens.
#[allow(missing_docs)]
#[derive(Debug)]
pub enum Happening<'a> {
    /// A function begins; its parameters are cells.
    Enter { func: FuncId, args: &'a [i64] },
    /// It ends with a result.
    Leave { func: FuncId, result: &'a [i64] },
    /// Dice fell.
    Roll { throw: &'a Throw<'a>, name: SiteId, faces: &'a [i64] },
    /// Chance picked.
    Draw { draw: &'a DrawAsk<'a>, among: &'a [Value], picks: &'a [usize] },
    /// A decision fell. With one entry nobody is asked: `source` is then empty.
    Decided { site: SiteId, who: Who, source: &'a str, menu: &'a [Value], answer: &'a Value, refused: &'a [NotOffered] },
    /// A slot was written.
    Set { slot: Stored, thing: i64, old: &'a [i64], new: &'a [i64], wanted: &'a [i64] },
    /// A status came.
    Granted { status: TraitId, thing: i64, data: &'a [i64], renewed: bool },
    /// A status went: by a revoke, or because its time was over.
    Revoked { status: TraitId, thing: i64, expired: bool },
    /// A status that was to go was not there.
    Unborne { status: TraitId, thing: i64 },
    /// What was written last is for a time.
    Until { phase: PhaseId, start: bool, key: Option<i64> },
    /// A slot went back to its default because its time was over.
    Expired { slot: Stored, thing: i64, old: &'a [i64], new: &'a [i64] },
    /// A limited action was used.
    Used { action: ActionId, line: u16, count: i64, times: i64, key: i64 },
    /// A thing left play.
    Destroyed { kind: KindId, thing: i64, why: &'a str },
    /// A thing came into play.
    Spawned { kind: KindId, thing: i64 },
    /// A thing was put, turned or moved: from and to, as points; `None` is off the board. `via` is where the way bent.
    Moved {
        kind: KindId,
        thing: i64,
        from: Option<(i64, i64)>,
        via: &'a [(i64, i64)],
        to: Option<(i64, i64)>,
        covered: i64,
    },
    /// A line that the move just told kept: the length it asks for, and the places it had to end near (two cells each).
    Kept { line: &'a LineCode, asked: Option<i64>, near: &'a [i64] },
    /// A thing faces elsewhere.
    Turned { kind: KindId, thing: i64, old: i64, new: i64 },
    /// One thing went into another.
    Merged { kind: KindId, from: i64, into: i64 },
    /// A stand-in answered for a missing chapter: how.
    StandIn { func: FuncId, how: &'a str, result: &'a [i64] },
    /// A note of the compiler: its value, its words, and what hung on readings. Whoever keeps the words takes them.
    Note { note: &'a Note, value: Option<i64>, told: &'a RefCell<Worded>, leaned: &'a Leaned },
    /// A move that found no legal path; `but` is what it would take away one of to have one.
    Stuck { kind: KindId, thing: i64, why: &'a str, but: &'a [Hindrance] },
    /// What came of a move, and what hung on readings.
    Leaned { here: &'a Words, leaned: &'a Leaned },
    /// Something to be told besides.
    Remark(&'a Remark),
}

/// Watches.
pub trait Trace {
    /// False if nothing is to be told: then nothing is prepared either.
    fn on(&self) -> bool {
        true
    }
    /// Something happened.
    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>);
    /// False if nobody asks why a move went as it did: that is searched for, move by move.
    fn asks_why(&self) -> bool {
        self.on()
    }
}

/// Who throws, who decides and who watches.
pub struct Drivers<D, C, T> {
    /// Throws.
    pub dice: D,
    /// Decides.
    pub decide: C,
    /// Watches.
    pub trace: T,
}

/// Drivers of any sort.
pub trait Drive {
    /// Who throws.
    fn dice(&mut self) -> &mut dyn Dice;
    /// Who decides.
    fn decide(&mut self) -> &mut dyn Decide;
    /// Who watches.
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

/// Who watches, if anybody does.
impl<T: Trace + ?Sized> Trace for Option<&mut T> {
    fn on(&self) -> bool {
        self.is_some()
    }

    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
        if let Some(watcher) = self {
            watcher.happen(game, state, what);
        }
    }

    fn asks_why(&self) -> bool {
        self.as_ref().is_some_and(|watcher| watcher.asks_why())
    }
}

/// Watches nothing.
pub struct NoTrace;

impl Trace for NoTrace {
    fn on(&self) -> bool {
        false
    }
    fn happen(&mut self, _: &Game, _: &State, _: &Happening<'_>) {}
}

/// For pure code, which never throws and never asks; also for single answers from outside.
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

/// Takes what the rules prefer.
pub struct First;

impl Decide for First {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        Ok((Answer::Prefer, "prefer"))
    }
}
