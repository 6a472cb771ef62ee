//! Runs a scenario: its settings, expectations, and the measures of its report. `progress` has the loop over its parts.

use super::odds::Here;
use super::offers::OfferSlot;
use super::outcome::{Checked, Outcome, Verdict};
use super::progress::At;
use super::record::{Event, Recorder};
use super::session::Hand;
use super::undecided::Undecided;
use super::watch::Watcher;
use super::{DiceScript, OutsideDice, Person, Players, Scripted, Seeded, Watch};
use grognard_base::value::plain::Measure;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};
use grognard_odds::Midway;
use grognard_scenario::{
    Condition, Decision, Expected, FigureSort, Mode, Params, PieceId, Plan, Scenario, evaluate_with,
};
use grognard_vm::{Drivers, Fault, Halt, Pure, Run, State};

/// Overrides of the scenario's settings for one run.
#[derive(Default)]
pub struct Options<'p> {
    /// Seed [default: the scenario's seed].
    pub seed: Option<u64>,
    /// Index of the run of that seed [default: 0].
    pub run: Option<u64>,
    /// The human player who answers for players with `prompt`.
    pub person: Option<&'p mut dyn Person>,
    /// Dice of the caller.
    pub dice: Option<&'p mut dyn OutsideDice>,
}

/// One run. The next run reuses its allocations.
pub struct Play<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) state: State,
    pub(super) with: Run<Drivers<Scripted<'a>, Players<'a>, Watcher<'a>>>,
    pub(super) at: At,
    pure: Pure,
    args: Vec<i64>,
}

/// Plays a scenario once. For a sampled scenario, plays one of its runs.
pub fn play<'a>(scenario: &'a Scenario, options: Options<'a>) -> Outcome {
    whole(scenario, options, None)
}

/// Plays the first `runs` runs of a sample, and returns the answers that neither a player nor the rules gave.
pub fn undecided(scenario: &Scenario, seed: u64, runs: u64) -> Undecided {
    let mut play = Play::of_many(scenario, None, None);
    for run in 0..runs {
        play.start(seed, run);
        // a run that ends in an error counts its answers up to that point
        let _ = play.once();
    }
    play.with.drivers.decide.memory.undecided
}

/// Plays a scenario like [`play`], and passes the run to a watcher.
pub fn watch(scenario: &Scenario, options: Options<'_>, watcher: &mut dyn Watch) -> Outcome {
    // the human player can outlive the watcher
    let person = options.person.map(|person| person as &mut dyn Person);
    let dice = options.dice.map(|dice| dice as &mut dyn OutsideDice);
    whole(scenario, Options { person, dice, ..options }, Some(watcher))
}

/// Plays a scenario once and returns its events.
pub fn record(scenario: &Scenario, options: Options<'_>, mut recorder: Recorder<'_>) -> (Outcome, Vec<Event>) {
    let outcome = watch(scenario, options, &mut recorder);
    (outcome, recorder.finish())
}

fn whole<'a>(scenario: &'a Scenario, options: Options<'a>, watcher: Watcher<'a>) -> Outcome {
    let plan = &scenario.plan;
    let seed = options.seed.unwrap_or(plan.seed);
    let mut play = match options.run {
        Some(_) => Play::of_many(scenario, options.person, watcher),
        None => Play::new(scenario, options.person, watcher),
    };
    play.with.drivers.dice.outside = options.dice;
    play.start(seed, options.run.unwrap_or(0));
    let ended = play.once();
    if ended.is_ok() && plan.mode == Mode::Scripted && options.run.is_none() {
        play.left_over();
    }
    play.finish(ended)
}

/// Returns the expectations of a plan in evaluation order: text, span, step, and whether it waits for exact odds.
fn expected(plan: &Plan) -> impl Iterator<Item = (&str, Span, Option<usize>, bool)> {
    let steps = plan.steps.iter().enumerate();
    let steps = steps.flat_map(|(n, s)| s.expects.iter().map(move |e| (e.text.as_str(), e.span, Some(n), false)));
    let waits = |what: &Expected| matches!(what, Expected::Odds(_) | Expected::Offered(_));
    let ends = plan.expects.iter().map(move |e| (e.text.as_str(), e.span, None, waits(&e.what)));
    steps.chain(ends)
}

/// Pairs the expectations with their verdicts. An expectation without a verdict is `Unreached` or `Waiting`.
pub fn checked(plan: &Plan, verdicts: &[Verdict]) -> Vec<Checked> {
    let verdicts = verdicts.iter().copied().map(Some).chain(std::iter::repeat(None));
    let all = expected(plan).zip(verdicts).map(|((text, span, step, waits), verdict)| {
        let none = if waits { Verdict::Waiting } else { Verdict::Unreached };
        Checked { text: text.to_string(), span, step, verdict: verdict.unwrap_or(none) }
    });
    all.collect()
}

/// Returns a diagnostic for an expectation that fails.
fn failed(checked: &Checked) -> Option<Diagnostic> {
    let Verdict::Fails(_) = checked.verdict else { return None };
    let place = checked.step.map_or(String::new(), |n| format!(" after step {}", n + 1));
    Some(Diagnostic::new(Code::Expectation, checked.span, format!("`{}` does not hold{place}", checked.text)))
}

/// Returns the dice that a scenario gives to its one run, or to each of many.
pub(super) fn dice_script(scenario: &Scenario, many: bool) -> DiceScript<'_> {
    let plan = &scenario.plan;
    DiceScript::new(if many { plan.fixed_dice() } else { &plan.dice }, plan.alone.is_some())
}

/// Returns the context of a run with its drivers.
pub(super) fn driven<'a>(
    scenario: &Scenario,
    dice: Scripted<'a>,
    players: Players<'a>,
    watcher: Watcher<'a>,
) -> Run<Drivers<Scripted<'a>, Players<'a>, Watcher<'a>>> {
    let mut with = Run::new(&scenario.game, dice, players, watcher);
    with.halt = scenario.plan.stop.map(|mark| Halt { phase: mark.phase, start: mark.start, key: mark.key });
    with
}

impl<'a> Play<'a> {
    /// Prepares to play a scenario. [`Play::start`] begins a run.
    pub fn new(scenario: &'a Scenario, person: Option<&'a mut dyn Person>, watcher: Watcher<'a>) -> Self {
        let game = &scenario.game;
        let dice = Scripted::new(&scenario.plan, Seeded::new(game, 0, 0));
        let players = Players::new(scenario, Seeded::new(game, 0, 0), person);
        let with = driven(scenario, dice, players, watcher);
        Play::of(scenario, game.start.clone(), At::default(), with)
    }

    /// Creates a run at a point.
    pub(super) fn of(
        scenario: &'a Scenario,
        state: State,
        at: At,
        with: Run<Drivers<Scripted<'a>, Players<'a>, Watcher<'a>>>,
    ) -> Self {
        Play { scenario, state, with, at, pure: Pure::pure(&scenario.game), args: Vec::new() }
    }

    /// Creates a run like [`Play::new`], for one of many runs. Dice that the scenario gives only for its single run are rolled.
    pub fn of_many(scenario: &'a Scenario, person: Option<&'a mut dyn Person>, watcher: Watcher<'a>) -> Self {
        let mut play = Play::new(scenario, person, watcher);
        play.at.many = true;
        play.with.drivers.dice.script = dice_script(scenario, true);
        play
    }

    /// Consults the log of a session first for dice and decisions.
    pub fn by_hand(&mut self, hand: &Hand) {
        self.with.drivers.dice.hand = Some(hand.clone());
        self.with.drivers.decide.hand = Some(hand.clone());
    }

    /// Evaluates the report and returns the outcome.
    pub fn finish(mut self, ended: Result<(), Fault>) -> Outcome {
        let plan = &self.scenario.plan;
        let mut figures = Vec::new();
        if let Err(fault) = ended.and_then(|()| self.all_figures(&mut figures)) {
            self.at.problems.push(fault.diagnostic());
        }
        let checks = checked(plan, &self.at.verdicts);
        let Play { state, with, at: At { mut problems, .. }, .. } = self;
        problems.extend(checks.iter().filter_map(failed));
        let gone = with.drivers.decide.memory.gone;
        Outcome { checks, problems, figures, tallies: with.tallies, state, gone }
    }

    /// Returns the point at which a run waits.
    pub fn here(&self) -> Here {
        let plan = &self.scenario.plan;
        // odds are computed for dice that are not given, except dice that every run is given
        let script = DiceScript::new(&[], false);
        let dice = if plan.mode == Mode::Scripted { &script } else { &self.with.drivers.dice.script };
        let mut memory = Vec::new();
        self.with.drivers.decide.remember(self.at.step, dice, &mut memory);
        let rounds = i64::try_from(self.at.rounds).unwrap_or(i64::MAX);
        let stage = self.at.step.map_or(0, |n| n as u32 + 1);
        let midway = Midway { stage, rounds, kept: self.at.earlier.concat(), tallies: self.with.tallies.clone() };
        Here { state: self.state.clone(), midway, memory, answer: None }
    }

    /// Resets the state and the handlers for another run.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.state.clone_from(&self.scenario.game.start);
        self.with.drivers.dice.start(seed, run);
        self.with.drivers.decide.start(seed, run);
        self.with.tallies.fill(0);
        self.at.start();
    }

    /// Returns whether the human player's input ended before the run did.
    pub fn gone(&self) -> bool {
        self.with.drivers.decide.memory.gone
    }

    /// Returns the verdicts so far, in the order of the plan.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.at.verdicts
    }

    /// Makes the run wait at the first menu after the last scripted action.
    pub fn wait_at_menu(&mut self, slot: OfferSlot) {
        self.with.drivers.decide.wait_at_menu(slot);
    }

    /// Returns the name of a roll that an example gave dice to but that was not rolled.
    pub fn unrolled(&self) -> Option<String> {
        self.with.drivers.dice.script.left_of_name(&self.scenario.game)
    }

    /// Evaluates an expectation at the end: whether it holds, and the actual value. Returns `None` if the end does not
    /// decide it.
    ///
    /// # Errors
    ///
    /// Returns the fault of the evaluation.
    pub fn judge(&self, what: &Expected) -> Result<Option<(bool, Value)>, Fault> {
        let params = match &self.scenario.plan.params {
            Params::Result => &self.at.result,
            Params::Given(cells) => cells,
            Params::Rounds => &vec![self.at.rounds as i64],
        };
        let rendered = |piece, ty: &Type| self.scenario.value_at(&self.state, piece, ty, &self.with.tallies, params);
        Ok(match what {
            Expected::That(piece) => {
                let found = rendered(*piece, &Type::Flag)?;
                Some((found == Value::Flag(true), found))
            }
            Expected::Same(left, right, ty) => {
                let (left, right) = (rendered(*left, ty)?, rendered(*right, ty)?);
                Some((left == right, left))
            }
            Expected::Offered(_) | Expected::Odds(_) => None,
        })
    }

    /// Sets the state to the end of a run after `rounds` rounds and judges the expectations about the end.
    ///
    /// # Errors
    ///
    /// Returns the fault of the evaluation.
    pub fn ends_at(&mut self, state: &State, rounds: u64, tallies: &[i64]) -> Result<(), Fault> {
        self.state.clone_from(state);
        self.with.tallies.copy_from_slice(tallies);
        self.at.rounds = rounds;
        self.at.verdicts.clear();
        self.at_the_end()
    }

    pub(super) fn tell(&mut self, what: impl FnOnce(&mut dyn Watch)) {
        if let Some(watcher) = self.with.drivers.trace.as_deref_mut() {
            what(watcher);
        }
    }

    pub(super) fn at_the_end(&mut self) -> Result<(), Fault> {
        for expect in &self.scenario.plan.expects {
            let holds = match &expect.what {
                Expected::That(piece) => Some(self.holds(*piece, &[])?),
                what => self.judge(what)?.map(|(holds, _)| holds),
            };
            match holds {
                Some(holds) => self.check(&expect.text, holds, &expect.measures, &[]),
                None => self.at.verdicts.push(Verdict::Waiting),
            }
        }
        Ok(())
    }

    pub(super) fn check(&mut self, text: &str, holds: bool, measures: &[PieceId], earlier: &[i64]) {
        let measures = if self.with.drivers.trace.is_some() { self.measures(measures, earlier) } else { Vec::new() };
        self.tell(|watcher| watcher.expect(text, holds, measures));
        self.at.verdicts.push(if holds { Verdict::Holds } else { Verdict::Fails(1) });
    }

    /// Measures the distances in an expectation. A distance that cannot be evaluated is omitted.
    fn measures(&mut self, pieces: &[PieceId], earlier: &[i64]) -> Vec<Measure> {
        let mut found = Vec::new();
        for piece in pieces {
            let Ok(cells) = self.value(*piece, earlier).map(<[i64]>::to_vec) else { continue };
            found.extend(self.scenario.game.measure(&self.state, &cells));
        }
        found
    }

    /// Evaluates the operands of `was` in the state before a step.
    pub(super) fn earlier(&mut self, condition: &Condition) -> Result<Vec<i64>, Fault> {
        let mut cells = Vec::new();
        for piece in &condition.earlier {
            cells.extend_from_slice(self.value(*piece, &[])?);
        }
        Ok(cells)
    }

    pub(super) fn holds(&mut self, piece: PieceId, earlier: &[i64]) -> Result<bool, Fault> {
        Ok(self.value(piece, earlier)?.first() == Some(&1))
    }

    fn value(&mut self, piece: PieceId, earlier: &[i64]) -> Result<&[i64], Fault> {
        self.args.clear();
        match &self.scenario.plan.params {
            Params::Result => self.args.extend_from_slice(&self.at.result),
            Params::Given(cells) => self.args.extend_from_slice(cells),
            Params::Rounds => self.args.push(i64::try_from(self.at.rounds).unwrap_or(i64::MAX)),
        }
        self.args.extend_from_slice(earlier);
        self.pure.tallies.clone_from(&self.with.tallies);
        let Scenario { game, pieces, .. } = self.scenario;
        evaluate_with(&mut self.pure, game, &pieces[piece.0], &mut self.state, &self.args)
    }

    /// Returns the cells of a measure at the end of the run, or `None` if its condition does not hold.
    ///
    /// # Errors
    ///
    /// Returns a fault if the evaluation fails or the value of a mean is missing.
    ///
    /// # Panics
    ///
    /// Panics if the report has no measure `n`.
    pub fn figure(&mut self, n: usize) -> Result<Option<&[i64]>, Fault> {
        let figure = &self.scenario.plan.report[n];
        if let Some(given) = figure.asked.given
            && !self.holds(given, &[])?
        {
            return Ok(None);
        }
        let cells = self.value(figure.asked.piece, &[])?;
        if figure.sort == FigureSort::Mean && cells.first() == Some(&NONE) {
            let message = format!("`{}` is missing at the end of this run, so it has no mean", figure.text);
            return Err(Fault::new(Code::Missing, message));
        }
        Ok(Some(cells))
    }

    fn all_figures(&mut self, figures: &mut Vec<Option<Vec<i64>>>) -> Result<(), Fault> {
        for n in 0..self.scenario.plan.report.len() {
            let cells = self.figure(n)?.map(<[i64]>::to_vec);
            figures.push(cells);
        }
        Ok(())
    }

    /// Returns a diagnostic for each scripted decision that was never asked for, and `None` for the others.
    pub fn unasked_each(&self) -> Vec<Option<Diagnostic>> {
        let each = self.scenario.plan.decides.iter().zip(self.with.drivers.decide.was_asked());
        each.map(|(decision, asked)| (!asked).then(|| self.unasked(decision))).collect()
    }

    /// Reports decisions that were never asked for and dice that were never rolled.
    fn left_over(&mut self) {
        let decides: Vec<Diagnostic> = self.with.drivers.decide.left().map(|d| self.unasked(d)).collect();
        let dice: Vec<Diagnostic> = self
            .with
            .drivers
            .dice
            .left()
            .map(|d| {
                let of = of(self.scenario, d.of);
                Diagnostic::new(Code::Unthrown, d.span, format!("`{}`{of} was never rolled", d.name))
            })
            .collect();
        self.at.problems.extend(decides);
        self.at.problems.extend(dice);
    }

    /// Describes a scripted decision that was not used, and the reason.
    pub(super) fn unasked(&self, decision: &Decision) -> Diagnostic {
        let (name, text) = (&decision.name, &decision.text);
        let of = of(self.scenario, decision.of);
        let times = self.with.drivers.decide.times_asked(decision);
        let often = |n: u32| if n == 1 { "once".to_string() } else { format!("{n} times") };
        let (what, help) = match (decision.nth, times.asked, times.elsewhere, times.of_others) {
            (Some(nth), asked, ..) if asked > 0 && asked < nth => {
                (format!("`{name}`{of} was asked {}, so it has no decision {nth}", often(asked)), "")
            }
            (_, asked, ..) if asked > 0 => (
                format!("`{name}`{of} was asked {}, but got other answers", often(asked)),
                "take it out, or look at what else answers it",
            ),
            (_, _, elsewhere, _) if elsewhere > 0 => (
                format!("`{name}`{of} was asked {}, of a player who does not look at the script", often(elsewhere)),
                "put `script` before the other sources of that player under `[players]`",
            ),
            (_, _, _, others) if others > 0 => {
                (format!("`{name}` was asked {}, and never{of}", often(others)), "check whose decision it is, in `of`")
            }
            _ => (
                format!("`{name}`{of} was never put to a player"),
                "it did not occur, or its menu had one entry, which is taken without asking; the trace shows which",
            ),
        };
        let found = Diagnostic::new(Code::Unasked, decision.span, format!("{what}, so {text} is not used"));
        if help.is_empty() { found } else { found.help(help) }
    }
}

fn of(scenario: &Scenario, subject: i64) -> String {
    if subject < 0 { String::new() } else { format!(" of {}", scenario.game.packed_name(subject)) }
}
