//! Scenarios: binds a table, dice, decisions and expectations to a ruleset, as one plan.
//!
//! The input is TOML, or an example of the rules. [`read`] parses a scenario and the scenarios that it is based on to a
//! [`Document`]. [`rulesets`] names the rules that it needs, which `grognard-rules` loads. [`build`] resolves the names
//! of the document, compiles its strings with the rules, and sets the table. The output is a [`Scenario`]: the game
//! that `grognard-vm` runs, and a [`Plan`] with its steps, decisions, dice and expectations. `grognard-play` plays the
//! plan, `grognard-odds` explores it, and `grognard-stats` samples it.
//!
//! * [`prepare`] does the same, but leaves params and readings open. One [`Prepared`] scenario serves all points of a
//!   sweep.
//! * [`examples`] makes scenarios of the examples in rules: each row is a table with one call.
//! * [`evaluate`] computes a string of a scenario on a state; [`PieceId`] is its number.
//! * Bounds of the reported values come from interval analysis (abstract interpretation, Cousot and Cousot 1977).
//!   [`counts`] finds from which count on no measure distinguishes counts, so that exact odds need fewer states.
//!
//! # Example
//!
//! ```
//! use grognard_base::Sources;
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_program::Detail;
//! use grognard_scenario::{Expected, build, read, rulesets};
//!
//! let rules = "ruleset first/march
//! kind Squad { stat pace : 1..12; state marched : 0..99 = 0 }
//! proc march(s: Squad) { set s.marched += s.pace }";
//! let text = r#"
//! rules = "first/march"
//! Squad.guards.pace = 6
//! step = [{ do = "do march(guards)" }]
//! expect = [{ that = "guards.marched == 6" }]
//! "#;
//! let library = Shelf::of(&[("first/march.rules", rules)]);
//! let mut sources = Sources::default();
//! let document = read("march.toml", text.into(), &library, &mut sources).unwrap();
//! assert_eq!(rulesets(&document).unwrap()[0].0, "first/march");
//!
//! let rules = grognard_rules::load("first/march", &library, &mut sources).sound().unwrap();
//! let scenario = build(&document, rules, &[], &sources, Detail::Plain).unwrap();
//! assert!(scenario.game.thing("guards").is_some());
//! assert_eq!(scenario.plan.steps[0].text, "do march(guards)");
//!
//! let Expected::That(marched) = scenario.plan.expects[0].what else { panic!("a condition is expected") };
//! let mut state = scenario.game.start.clone();
//! assert_eq!(scenario.value(&mut state, marched, &[], &[0]), Ok(vec![0])); // no: the guards have not marched yet
//! ```
//!
//! This crate plays no scenario. While it sets a table it evaluates defaults, bounds and values that the scenario
//! computes.

mod bounds;
mod build;
mod counted;
pub mod counts;
mod document;
pub mod examples;
mod expects;
mod externs;
mod fixed;
mod forms;
mod keys;
mod picks;
mod prepared;
mod puts;
mod remarks;
mod snippets;
mod stands;
mod things;
mod values;

pub use build::{Uncompiled, bind, build, prepare, rulesets};
pub use counted::{Counted, Counts};
pub use document::{Document, Entry, Node, Over, Value, entries, get, read};
pub use fixed::Fixed;
pub use picks::{Answerer, Decision, Given, GivenDice, Pick, PickValue};
pub use prepared::Prepared;
pub use snippets::{Condition, PieceId};
pub use values::{quoted, thousandths, whole};

use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};
use grognard_program::Snippet;
use grognard_rules::ruleset::Ruleset;
use grognard_vm::{Fault, Game, Handle, Pure, State, call, call_onward};
use std::sync::Arc;

/// How a scenario is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Once; dice that are not given come from the seed.
    #[default]
    Scripted,
    /// Many times.
    Sampled,
    /// Every way the dice can fall.
    Exact,
}

/// A scenario bound to a ruleset, ready to be run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The rules it is bound to, as they were checked.
    pub rules: Arc<Ruleset>,
    /// The program on this table.
    pub game: Game,
    /// Strings of the scenario, compiled, by [`PieceId`].
    pub pieces: Vec<Snippet>,
    /// What is done on it, and what is expected.
    pub plan: Plan,
}

/// What a scenario does, and what it expects.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The ruleset it is bound to.
    pub rules: String,
    /// More rulesets to run the same table with.
    pub against: Vec<String>,
    /// Its name, maybe empty.
    pub name: String,
    /// What it is about, maybe empty.
    pub about: String,
    /// How it is run.
    pub mode: Mode,
    /// The seed of dice that are not given.
    pub seed: u64,
    /// How many runs a sample has.
    pub runs: u64,
    /// The phase call it starts with, and its words.
    pub start: Option<(PieceId, String)>,
    /// When the start is over before its end.
    pub stop: Option<Mark>,
    /// How often it is started.
    pub repeat: Repeat,
    /// Steps, one after the other.
    pub steps: Vec<Step>,
    /// Decisions of the whole run, each used once.
    pub decides: Vec<Decision>,
    /// Answers that hold every time, after those used once.
    pub always: Vec<Decision>,
    /// Dice and draws that are given.
    pub dice: Vec<GivenDice>,
    /// Who answers for whom; who is not here takes what the rules prefer.
    pub players: Vec<(i64, Vec<Answerer>)>,
    /// What is expected at the end.
    pub expects: Vec<Expect>,
    /// Pinned traces that an expectation names, and where.
    pub traces: Vec<(String, Span)>,
    /// What is reported at the end.
    pub report: Vec<Figure>,
    /// What a sweep turns.
    pub sweep: Sweep,
    /// What `best` and `worst` players look at, as written, and its value.
    pub objective: Option<(String, Question)>,
    /// The least and the greatest value of that, if something bounds it.
    pub objective_bounds: Option<(Ratio, Ratio)>,
    /// What it counts if a run never ends; lengths in thousandths of an inch.
    pub objective_never: Fraction,
    /// Of each string, from which count on it tells rounds and tallies apart no more.
    pub decided: Vec<counts::Saturation>,
    /// One call, in the place of a start and steps.
    pub call: Option<Call>,
    /// What strings about the end are given.
    pub params: Params,
    /// Of an example: what holds in the place of a law that reads figures which nobody gave. Everybody looks at its
    /// decisions, and dice that it does not give are missed.
    pub alone: Option<PieceId>,
    /// Where `repeat = "until .."` is written.
    pub until_at: Option<Span>,
    /// What it sets, so that no default of the rules is taken.
    pub fixed: Fixed,
    /// What reads otherwise than it is taken.
    pub remarks: Vec<Diagnostic>,
}

impl Scenario {
    /// Returns what reads otherwise than it is taken, of the text and of the table at its start.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        let mut found = self.plan.remarks.clone();
        let mut state = self.game.start.clone();
        if let (Repeat::Until(done), Some(at)) = (self.plan.repeat, self.plan.until_at)
            && let Ok(held) = evaluate(&self.game, &self.pieces[done.0], &mut state, &[], &[0])
            && held.first() == Some(&1)
        {
            let message = "this holds at the start, and one round is run all the same";
            let help = "it is asked behind each round; where no round is to be run, ask in the phase that it starts";
            found.push(Diagnostic::new(Code::Lasting, at, message).help(help));
        }
        found
    }
}

impl Plan {
    /// How many runs a sample takes where nobody says otherwise: those that the scenario names, else the usual ones.
    pub fn runs_or(&self, usual: u64) -> u64 {
        if self.mode == Mode::Sampled || self.runs > 1 { self.runs } else { usual }
    }

    /// The dice that are given in every run. In scripted mode they are for the one run that is played: where runs are counted or odds worked
    /// out chance throws them.
    pub fn fixed_dice(&self) -> &[GivenDice] {
        if self.mode == Mode::Scripted { &[] } else { &self.dice }
    }

    /// Leaves the measures that another plan has, each once.
    pub fn keep_measures(&mut self, other: &Plan) {
        self.measure_once();
        self.report.retain(|figure| other.report.iter().any(|kept| kept.measures_as(figure)));
    }

    /// Leaves each measure once: versions are compared by what is measured, not by how it is told.
    pub fn measure_once(&mut self) {
        let all = std::mem::take(&mut self.report);
        for figure in all {
            if !self.report.iter().any(|other| other.measures_as(&figure)) {
                self.report.push(figure);
            }
        }
    }
}

/// One call of the rules.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub func: FuncId,
    /// What it is given; lists lie on the heap of the start.
    pub args: Vec<i64>,
    /// Which cells of its result the odds that are asked for read; nothing: all that the rules look at.
    pub keep: Option<Vec<bool>>,
}

/// What the parameters of strings about the end are.
#[derive(Clone, Debug, Default)]
pub enum Params {
    /// The number of rounds.
    #[default]
    Rounds,
    /// What the call gives.
    Result,
    /// What it was given besides things.
    Given(Vec<i64>),
}

/// `end of P for x`, `start of P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// True for the start of the phase.
    pub start: bool,
    /// The phase.
    pub phase: PhaseId,
    /// Only when its first parameter is this.
    pub key: Option<i64>,
}

/// How often the start is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// So many times.
    Times(u64),
    /// Until this holds, looked at after each time.
    Until(PieceId),
}

impl Default for Repeat {
    fn default() -> Self {
        Repeat::Times(1)
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The statement as written.
    pub text: String,
    /// The statement.
    pub action: PieceId,
    /// Decisions of this step, each used once.
    pub decides: Vec<Decision>,
    /// Answers that hold every time in this step.
    pub always: Vec<Decision>,
    /// What holds after it.
    pub expects: Vec<Condition>,
}

/// One expectation on the end.
#[derive(Clone, Debug)]
pub struct Expect {
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What is expected.
    pub what: Expected,
    /// Distances that it asks for, for the trace.
    pub measures: Vec<PieceId>,
}

/// What is expected.
#[derive(Clone, Debug)]
pub enum Expected {
    /// That a condition holds.
    That(PieceId),
    /// That two values of a type are the same.
    Same(PieceId, PieceId, Type),
    /// That an action is on the menu behind the last one that is picked, or is not.
    Offered(Offer),
    /// Something about all that can happen, which exact odds decide.
    Odds(Claim),
}

/// What is claimed of a menu.
#[derive(Clone, Debug)]
pub struct Offer {
    /// That it is not there.
    pub not: bool,
    /// The action.
    pub action: String,
    /// Those choices of its header that are given.
    pub wanted: Vec<(String, Type, PieceId)>,
    /// What the claim comes to, if it is said: yes or no.
    pub value: Option<PieceId>,
}

/// A claim about all ends of a scenario.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed of the value.
    pub what: ClaimedValue,
    /// The value.
    pub asked: Question,
    /// Answers that hold every time while it is worked out, before all others.
    pub instead: Vec<Decision>,
}

impl Claim {
    /// What is asked of the value.
    pub fn sort(&self) -> FigureSort {
        match self.what {
            ClaimedValue::Mean(_) => FigureSort::Mean,
            ClaimedValue::Always | ClaimedValue::Chance(_) => FigureSort::Chance,
        }
    }
}

/// What is claimed of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedValue {
    /// The condition holds at every end.
    Always,
    /// It holds with this chance.
    Chance(Within),
    /// The value has this mean; lengths in thousandths of an inch.
    Mean(Within),
}

/// What a number is at least and at most, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The least.
    pub low: Fraction,
    /// The greatest.
    pub high: Fraction,
}

impl From<Fraction> for Within {
    fn from(number: Fraction) -> Within {
        Within { low: number.clone(), high: number }
    }
}

/// A value that is asked of the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The value.
    pub piece: PieceId,
    /// Only among runs in which this holds at the end.
    pub given: Option<PieceId>,
    /// Its type.
    pub ty: Type,
    /// What was counted on the way, if the value is nothing else.
    pub counted: Option<Counts>,
}

/// One figure of a report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What is told of it.
    pub sort: FigureSort,
    /// The value.
    pub asked: Question,
    /// The least and the greatest value it can have, if it is a number or a condition and something bounds it.
    pub bounds: Option<(Ratio, Ratio)>,
    /// Which direction is good, if somebody said so.
    pub good: Option<Good>,
}

/// Of what there should be more, or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Good {
    /// More is better.
    More,
    /// Less is better.
    Less,
}

impl Figure {
    /// True if that is how the figure is written, spaces aside.
    pub fn is_written(&self, text: &str) -> bool {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        bare(&self.text) == bare(text)
    }

    /// True if both measure the same, however it is told: a mean and a distribution do.
    pub fn measures_as(&self, other: &Figure) -> bool {
        self.text == other.text && self.asked.given.is_some() == other.asked.given.is_some()
    }
}

/// What is told of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FigureSort {
    Mean,
    Chance,
    Hist,
}

/// `[sweep]`, checked.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Params and readings that are turned, and the values they take.
    pub over: Vec<(SettingId, Arc<[Vec<i64>]>)>,
}

/// Works a piece out on a position between two steps; of a list its entries. What runs on the position is lost.
pub fn evaluate(
    game: &Game,
    piece: &Snippet,
    state: &mut State,
    tallies: &[i64],
    args: &[i64],
) -> Result<Vec<i64>, Fault> {
    let mut pure = Pure::pure(game);
    pure.tallies.clear();
    pure.tallies.extend_from_slice(tallies);
    evaluate_with(&mut pure, game, piece, state, args).map(<[i64]>::to_vec)
}

/// The same with the tallies of `pure`, which is used again and again, so that nothing is allocated.
pub fn evaluate_with<'s>(
    pure: &mut Pure,
    game: &Game,
    piece: &Snippet,
    state: &'s mut State,
    args: &[i64],
) -> Result<&'s [i64], Fault> {
    pure.fuel = game.fuel;
    call(game, state, pure, piece.func, args)?;
    let info = &game.program.funcs[piece.func.at()];
    if let (Some((cell, width)), true) = (info.lists.first(), piece.width == 1) {
        let list = Handle::of(state.stack[*cell as usize]);
        let end = list.at + list.len * *width as usize;
        return Ok(state.heap.get(list.at..end).unwrap_or_default());
    }
    Ok(&state.stack[..piece.width])
}

/// Works a piece out where lists of the position are in use: they stay, and a list that it gives lies beside them.
pub fn evaluate_onward(
    game: &Game,
    piece: &Snippet,
    state: &mut State,
    tallies: &[i64],
    args: &[i64],
) -> Result<Vec<i64>, Fault> {
    let mut pure = Pure::pure(game);
    pure.tallies.iter_mut().zip(tallies).for_each(|(count, counted)| *count = *counted);
    call_onward(game, state, &mut pure, piece.func, args)?;
    Ok(state.stack.get(..piece.width).unwrap_or_default().to_vec())
}

impl Scenario {
    /// Does something; of an example again without each law that cannot be judged because nobody gave the figures it reads.
    pub fn in_spite_of_laws<T>(&mut self, work: impl Fn(&Scenario) -> Result<T, Fault>) -> Result<T, Fault> {
        loop {
            match work(self) {
                Err(fault) if self.silence(&fault) => {}
                outcome => return outcome,
            }
        }
    }

    /// From now on the law in which a run ended for want of a figure is not judged. False if that is not why it ended.
    fn silence(&mut self, fault: &Fault) -> bool {
        let Some(yes) = self.plan.alone.filter(|_| fault.code == Code::Unset) else { return false };
        let program = &mut self.game.program;
        let Some(law) = program.schema.laws.iter().find(|l| fault.stack.contains(&l.name)) else { return false };
        let (law, yes) = (law.func, program.funcs[self.pieces[yes.0].func.at()].clone());
        let silent = program.funcs[law.at()].entry == yes.entry;
        program.funcs[law.at()] = yes;
        !silent
    }

    /// What its call was given besides things.
    pub fn given(&self) -> &[i64] {
        if let Params::Given(cells) = &self.plan.params { cells } else { &[] }
    }

    /// A value of the position, with its lists.
    pub fn told(
        &self,
        state: &State,
        piece: PieceId,
        ty: &Type,
        tallies: &[i64],
        args: &[i64],
    ) -> Result<grognard_base::value::Value, Fault> {
        let mut aside = state.clone();
        let cells = evaluate_onward(&self.game, &self.pieces[piece.0], &mut aside, tallies, args)?;
        Ok(self.game.value(&aside, ty, &cells))
    }

    /// Works a piece out on a position between two steps, with `rounds` as its first parameter.
    pub fn value(&self, state: &mut State, piece: PieceId, tallies: &[i64], args: &[i64]) -> Result<Vec<i64>, Fault> {
        evaluate(&self.game, &self.pieces[piece.0], state, tallies, args)
    }
}
