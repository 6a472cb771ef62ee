//! Scenarios: a table, its dice and decisions, and what is expected, written as TOML and bound to a ruleset.

mod bounds;
mod build;
pub mod counts;
mod document;
mod expects;
mod externs;
mod forms;

mod picks;
mod prepared;
mod snippets;
mod stands;
mod things;
mod values;

pub use build::{build, prepare, rulesets};
pub use document::{Document, Entry, Node, Over, Value, entries, get, read};
pub use picks::{Answerer, Decision, Given, GivenDice, Pick, PickValue};
pub use prepared::Prepared;
pub use snippets::{Condition, PieceId};
pub use values::{thousandths, whole};

use crate::base::Span;
use crate::machine::{Fault, Game, Handle, NoDice, NoTrace, Run, State, call};
use crate::program::Snippet;
use crate::rules::ruleset::Ruleset;
use crate::value::*;
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
    /// Where it stands.
    pub span: Span,
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
    /// Something about all that can happen, which exact odds decide.
    Odds(Claim),
}

/// A claim about all ends of a scenario.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed of the value.
    pub what: Claimed,
    /// The value.
    pub asked: Question,
    /// Answers that hold every time while it is worked out, before all others.
    pub instead: Vec<Decision>,
}

impl Claim {
    /// What is asked of the value.
    pub fn sort(&self) -> FigureSort {
        match self.what {
            Claimed::Mean(_) => FigureSort::Mean,
            Claimed::Always | Claimed::Chance(_) => FigureSort::Chance,
        }
    }
}

/// What is claimed of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
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
    pub counted: Option<Counted>,
}

/// What is counted on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// How often the start was run.
    Rounds,
    /// A tally.
    Tally(TallyId),
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

/// What works pieces out between two steps: it throws nothing, asks nobody, and tells nothing.
pub type Pure = Run<NoDice, NoDice, NoTrace>;

/// A new one, with tallies at 0.
pub fn pure(game: &Game) -> Pure {
    Run::new(game, NoDice, NoDice, NoTrace)
}

/// Works a piece out on a position between two steps; of a list its entries. What runs on the position is lost.
pub fn evaluate(
    game: &Game,
    piece: &Snippet,
    state: &mut State,
    tallies: &[i64],
    args: &[i64],
) -> Result<Vec<i64>, Fault> {
    let mut pure = pure(game);
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

impl Scenario {
    /// Works a piece out on a position between two steps, with `rounds` as its first parameter.
    pub fn value(&self, state: &mut State, piece: PieceId, tallies: &[i64], args: &[i64]) -> Result<Vec<i64>, Fault> {
        evaluate(&self.game, &self.pieces[piece.0], state, tallies, args)
    }
}
