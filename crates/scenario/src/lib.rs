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
mod format;
mod forms;
pub mod keys;
pub mod manifest;
mod names;
mod picks;
mod prepared;
mod programs;
mod puts;
mod remarks;
pub mod scene;
mod snippets;
mod step_names;
mod positions;
mod things;
mod values;

pub use build::{Uncompiled, bind, build, prepare, rulesets};
pub use counted::{Counted, Counts};
pub use document::{Document, Entry, Node, Over, Value, beside, entries, get, read};
pub use fixed::Fixed;
pub use format::format;
pub use names::names;
pub use picks::{Answerer, Decision, Given, GivenDice, Pick, PickValue};
pub use prepared::Prepared;
pub use programs::Programs;
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
    /// One run. Dice that the scenario does not fix come from the seed.
    #[default]
    Scripted,
    /// Many runs.
    Sampled,
    /// All possible outcomes of the dice.
    Exact,
}

/// A scenario bound to a ruleset, ready to be run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The checked rules that it is bound to.
    pub rules: Arc<Ruleset>,
    /// The compiled game with its setup.
    pub game: Game,
    /// The compiled strings of the scenario, by [`PieceId`].
    pub pieces: Vec<Snippet>,
    /// The actions and expectations of the scenario.
    pub plan: Plan,
}

/// The actions and expectations of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The ruleset that it is bound to.
    pub rules: String,
    /// Further rulesets with which the same scenario is run.
    pub against: Vec<String>,
    /// The name, or an empty text.
    pub name: String,
    /// The description, or an empty text.
    pub about: String,
    /// How the scenario is run.
    pub mode: Mode,
    /// The seed of dice that the scenario does not fix.
    pub seed: u64,
    /// Number of runs of a sample.
    pub runs: u64,
    /// The call of the initial phase, and its source text.
    pub start: Option<(PieceId, String)>,
    /// The mark at which the start ends early.
    pub stop: Option<Mark>,
    /// How often the start is run.
    pub repeat: Repeat,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Decisions of the whole run. Each is used once.
    pub decides: Vec<Decision>,
    /// Answers that always apply, after those that are used once.
    pub always: Vec<Decision>,
    /// Fixed dice and draws.
    pub dice: Vec<GivenDice>,
    /// The answer sources of each player. A player without an entry takes the preference of the rules.
    pub players: Vec<(i64, Vec<Answerer>)>,
    /// The expectations at the end.
    pub expects: Vec<Expect>,
    /// Pinned traces that an expectation names, with their spans.
    pub traces: Vec<(String, Span)>,
    /// The figures of the report.
    pub report: Vec<Figure>,
    /// The sweep.
    pub sweep: Sweep,
    /// The objective of `best` and `worst` players: its source text and its value.
    pub objective: Option<(String, Question)>,
    /// The minimum and maximum of the objective, if it is bounded.
    pub objective_bounds: Option<(Ratio, Ratio)>,
    /// The objective of a run that never ends; lengths in thousandths of an inch.
    pub objective_never: Fraction,
    /// For each string, the saturation of the counts that it reads.
    pub decided: Vec<counts::Saturation>,
    /// A single call, instead of a start and steps.
    pub call: Option<Call>,
    /// The parameters of strings about the end.
    pub params: Params,
    /// The condition that replaces a law which reads unset figures, for an example. In an example, all deciders use its
    /// decisions, and a roll without given dice is an error.
    pub alone: Option<PieceId>,
    /// The span of `repeat = "until .."`.
    pub until_at: Option<Span>,
    /// The values that the scenario sets, so that no default of the rules applies.
    pub fixed: Fixed,
    /// Warnings about text that suggests another meaning.
    pub remarks: Vec<Diagnostic>,
}

impl Scenario {
    /// Returns the warnings about text that suggests another meaning, and about the setup.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        let mut found = self.plan.remarks.clone();
        let mut state = self.game.start.clone();
        if let (Repeat::Until(done), Some(at)) = (self.plan.repeat, self.plan.until_at)
            && let Ok(held) = evaluate(&self.game, &self.pieces[done.0], &mut state, &[], &[0])
            && held.first() == Some(&1)
        {
            let message = "this is already true at the start, but one round runs anyway";
            let help = "it is checked after each round; to run no round at all, check it in the phase that it starts";
            found.push(Diagnostic::new(Code::Lasting, at, message).help(help));
        }
        found
    }
}

impl Plan {
    /// Returns the first player who plays for the best or the worst. Only exact odds can answer for such a player.
    pub fn optimizer(&self) -> Option<i64> {
        let optimizes = |source: &Answerer| matches!(source, Answerer::Best | Answerer::Worst);
        self.players.iter().find(|(_, sources)| sources.iter().any(optimizes)).map(|(player, _)| *player)
    }

    /// Returns the number of runs of a sample: the one in the scenario or `usual` if it sets none.
    pub fn runs_or(&self, usual: u64) -> u64 {
        if self.mode == Mode::Sampled || self.runs > 1 { self.runs } else { usual }
    }

    /// Returns the dice that are fixed in every run. In scripted mode, the given dice apply only to the one run that is
    /// played. Sampling and exact odds then use random dice.
    pub fn fixed_dice(&self) -> &[GivenDice] {
        if self.mode == Mode::Scripted { &[] } else { &self.dice }
    }

    /// Keeps the measures that another plan has, without duplicates.
    pub fn keep_measures(&mut self, other: &Plan) {
        self.measure_once();
        self.report.retain(|figure| other.report.iter().any(|kept| kept.measures_as(figure)));
    }

    /// Removes duplicate measures. Versions are compared by measures, not by how those are reported.
    pub fn measure_once(&mut self) {
        let all = std::mem::take(&mut self.report);
        for figure in all {
            if !self.report.iter().any(|other| other.measures_as(&figure)) {
                self.report.push(figure);
            }
        }
    }
}

/// A call of the rules.
#[derive(Clone, Debug)]
pub struct Call {
    /// The called function.
    pub func: FuncId,
    /// The arguments. Lists are on the heap of the start.
    pub args: Vec<i64>,
    /// The cells of the result that the requested odds read, or `None` for all cells that the rules read.
    pub keep: Option<Vec<bool>>,
}

/// The parameters of strings about the end.
#[derive(Clone, Debug, Default)]
pub enum Params {
    /// The number of rounds.
    #[default]
    Rounds,
    /// The result of the call.
    Result,
    /// The arguments of the call that are not things.
    Given(Vec<i64>),
}

/// A mark: `end of P for x`, `start of P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Whether the mark is the start of the phase.
    pub start: bool,
    /// The phase.
    pub phase: PhaseId,
    /// The required value of the first parameter of the phase, if any.
    pub key: Option<i64>,
}

/// How often the start is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// A fixed number of times.
    Times(u64),
    /// Until this condition holds, which is evaluated after each round.
    Until(PieceId),
}

impl Default for Repeat {
    fn default() -> Self {
        Repeat::Times(1)
    }
}

/// A step of a scenario.
#[derive(Clone, Debug)]
pub struct Step {
    /// The source text of the statement.
    pub text: String,
    /// The statement.
    pub action: PieceId,
    /// Decisions of this step. Each is used once.
    pub decides: Vec<Decision>,
    /// Answers that always apply in this step.
    pub always: Vec<Decision>,
    /// The conditions that must hold after the step.
    pub expects: Vec<Condition>,
}

/// An expectation at the end.
#[derive(Clone, Debug)]
pub struct Expect {
    /// The source text.
    pub text: String,
    /// The span.
    pub span: Span,
    /// The expected result.
    pub what: Expected,
    /// Distances in the condition, for the trace.
    pub measures: Vec<PieceId>,
}

/// An expected result.
#[derive(Clone, Debug)]
pub enum Expected {
    /// A condition holds.
    That(PieceId),
    /// Two values of a type are equal.
    Same(PieceId, PieceId, Type),
    /// An action is, or is not, on the menu after the last picked action.
    Offered(Offer),
    /// A claim about all outcomes, which exact odds decide.
    Odds(Claim),
}

/// A claim about a menu.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Whether the action must not be on the menu.
    pub not: bool,
    /// The action.
    pub action: String,
    /// The choices of its header that are given.
    pub wanted: Vec<(String, Type, PieceId)>,
    /// The expected truth of the claim, if it is given.
    pub value: Option<PieceId>,
}

/// A claim about all outcomes of a scenario.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim about the value.
    pub what: ClaimedValue,
    /// The value.
    pub asked: Question,
    /// Answers that always apply while the claim is evaluated, before all others.
    pub instead: Vec<Decision>,
}

impl Claim {
    /// Returns the kind of figure that the claim requires.
    pub fn sort(&self) -> FigureSort {
        match self.what {
            ClaimedValue::Mean(_) => FigureSort::Mean,
            ClaimedValue::Always | ClaimedValue::Chance(_) => FigureSort::Chance,
        }
    }
}

/// A claim about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedValue {
    /// The condition holds in every outcome.
    Always,
    /// The condition has this probability.
    Chance(Within),
    /// The value has this mean; lengths in thousandths of an inch.
    Mean(Within),
}

/// A range of numbers, both ends inclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The minimum.
    pub low: Fraction,
    /// The maximum.
    pub high: Fraction,
}

impl From<Fraction> for Within {
    fn from(number: Fraction) -> Within {
        Within { low: number.clone(), high: number }
    }
}

/// A value at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The value.
    pub piece: PieceId,
    /// The condition that restricts the runs that count, if any.
    pub given: Option<PieceId>,
    /// The type of the value.
    pub ty: Type,
    /// The linear sum of counts that the value is, if it is one.
    pub counted: Option<Counts>,
}

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The caption, or the source text of a figure without a caption. Outputs show it.
    pub text: String,
    /// The source text of the value.
    pub expr: String,
    /// The span.
    pub span: Span,
    /// How the figure is reported.
    pub sort: FigureSort,
    /// The value.
    pub asked: Question,
    /// The minimum and maximum, if the figure is a bounded number or a condition.
    pub bounds: Option<(Ratio, Ratio)>,
    /// The direction that is declared good, if any.
    pub good: Option<Good>,
}

/// The direction in which a figure is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Good {
    /// More is better.
    More,
    /// Less is better.
    Less,
}

impl Figure {
    /// Returns whether this is the caption or the source text of the figure, ignoring spaces.
    pub fn is_written(&self, text: &str) -> bool {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        [&self.text, &self.expr].into_iter().any(|own| bare(own) == bare(text))
    }

    /// Returns whether both figures measure the same value, for example as a mean and as a distribution.
    pub fn measures_as(&self, other: &Figure) -> bool {
        self.expr == other.expr && self.asked.given.is_some() == other.asked.given.is_some()
    }
}

/// How a figure is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FigureSort {
    Mean,
    Chance,
    Hist,
}

/// A checked `[sweep]`.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The params and readings of the sweep, with their values.
    pub over: Vec<(SettingId, Arc<[Vec<i64>]>)>,
}

/// Evaluates a piece on a state between two steps. A list is returned as its entries. The call stack and the heap of
/// the state are lost.
///
/// # Errors
///
/// Returns the fault of the evaluation.
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

/// Evaluates a piece like [`evaluate`], with the tallies of `pure`, which can be reused to avoid allocations.
///
/// # Errors
///
/// Returns the fault of the evaluation.
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

/// Evaluates a piece on a state whose lists are in use. They stay valid, and a resulting list is added to the heap.
///
/// # Errors
///
/// Returns the fault of the evaluation.
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
    /// Calls `work`. In an example, calls it again without each law that cannot be evaluated because it reads unset
    /// figures.
    ///
    /// # Errors
    ///
    /// Returns the fault of `work`.
    pub fn in_spite_of_laws<T>(&mut self, work: impl Fn(&Scenario) -> Result<T, Fault>) -> Result<T, Fault> {
        loop {
            match work(self) {
                Err(fault) if self.silence(&fault) => {}
                outcome => return outcome,
            }
        }
    }

    /// Disables the law in which a run ended because of an unset figure. Returns `false` if the run ended for another
    /// reason.
    fn silence(&mut self, fault: &Fault) -> bool {
        let Some(yes) = self.plan.alone.filter(|_| fault.code == Code::Unset) else { return false };
        let program = &mut self.game.program;
        let Some(law) = program.schema.laws.iter().find(|l| fault.stack.contains(&l.name)) else { return false };
        let (law, yes) = (law.func, program.funcs[self.pieces[yes.0].func.at()].clone());
        let silent = program.funcs[law.at()].entry == yes.entry;
        program.funcs[law.at()] = yes;
        !silent
    }

    /// Returns the arguments of the call that are not things.
    pub fn given(&self) -> &[i64] {
        if let Params::Given(cells) = &self.plan.params { cells } else { &[] }
    }

    /// Evaluates a piece and returns a value that includes its lists. The state is unchanged.
    ///
    /// # Errors
    ///
    /// Returns the fault of the evaluation.
    pub fn value_at(
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

    /// Evaluates a piece on a state between two steps. The first argument is the number of rounds.
    ///
    /// # Errors
    ///
    /// Returns the fault of the evaluation.
    pub fn value(&self, state: &mut State, piece: PieceId, tallies: &[i64], args: &[i64]) -> Result<Vec<i64>, Fault> {
        evaluate(&self.game, &self.pieces[piece.0], state, tallies, args)
    }
}
