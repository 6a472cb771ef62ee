//! Runs a scenario: starts, rounds and steps, expectations, and the figures of its report.

use super::outcome::{Checked, Outcome, Told, Verdict};
use super::{Person, Players, Scripted, Seeded, Watch};
use crate::base::{Code, Diagnostic, Span};
use crate::machine::{Fault, Halt, NoTrace, Run, State, Stop, call};
use crate::scenario::{Condition, Expected, FigureSort, Mode, PieceId, Repeat, Scenario};
use crate::value::*;
use std::collections::BTreeMap;

/// What the caller wants otherwise than the scenario says.
#[derive(Default)]
pub struct Options<'p> {
    /// Another seed.
    pub seed: Option<u64>,
    /// Another number of runs.
    pub runs: Option<u64>,
    /// Who answers for players with `prompt`.
    pub person: Option<&'p mut dyn Person>,
}

/// Most rounds of a start that is repeated until something holds.
const MOST_ROUNDS: u64 = 10_000;

/// One run at work.
struct Play<'a, T> {
    scenario: &'a Scenario,
    state: State,
    with: Run<Scripted<'a>, Players<'a>, T>,
    checks: Vec<Checked>,
    problems: Vec<Diagnostic>,
    rounds: u64,
}

/// Plays a scenario. A sample is not watched; `trace` is then handed back as it came.
pub fn play<'a, T: Watch>(scenario: &'a Scenario, options: Options<'a>, trace: T) -> (Outcome, T) {
    let plan = &scenario.plan;
    let seed = options.seed.unwrap_or(plan.seed);
    if plan.mode == Mode::Exact {
        return (unable(scenario, seed), trace);
    }
    if plan.mode == Mode::Sampled {
        return (sample(scenario, seed, options.runs.unwrap_or(plan.runs), options.person), trace);
    }
    let mut play = Play::new(scenario, seed, options.person, trace);
    let mut faults = 0;
    let mut figures = Vec::new();
    match play.once() {
        Ok(()) => {
            play.left_over();
            match play.figures() {
                Ok(values) => figures = tell(scenario, &play.state, &values),
                Err(fault) => play.problems.push(fault.diagnostic()),
            }
        }
        Err(fault) => {
            faults = 1;
            play.problems.push(fault.diagnostic());
        }
    }
    let Play { state, with, checks, mut problems, rounds, .. } = play;
    problems.extend(checks.iter().filter_map(failed));
    let gone = with.decide.gone;
    let outcome = Outcome {
        mode: plan.mode,
        seed,
        runs: 1,
        faults,
        checks,
        problems,
        figures,
        rounds,
        tallies: with.tallies,
        state,
        gone,
    };
    (outcome, with.trace)
}

/// An expectation that does not hold as a finding.
fn failed(checked: &Checked) -> Option<Diagnostic> {
    let Verdict::Fails(_) = checked.verdict else { return None };
    let place = checked.step.map_or(String::new(), |n| format!(" after step {}", n + 1));
    Some(Diagnostic::new(Code::Expectation, checked.span, format!("`{}` does not hold{place}", checked.text)))
}

/// A scenario in exact mode: all it expects waits.
fn unable(scenario: &Scenario, seed: u64) -> Outcome {
    let span = scenario.plan.start.as_ref().and_then(|(piece, _)| span_of(scenario, *piece));
    let message = "this scenario is in exact mode; exact odds come in a later version";
    let found = match span {
        Some(span) => Diagnostic::new(Code::NeedsOdds, span, message),
        None => Diagnostic::general(Code::NeedsOdds, message),
    };
    let waits = |text: &String, span: Span, step| Checked { text: text.clone(), span, step, verdict: Verdict::Waiting };
    let steps = scenario.plan.steps.iter().enumerate();
    let mut checks: Vec<Checked> =
        steps.flat_map(|(n, s)| s.expects.iter().map(move |e| waits(&e.text, e.span, Some(n)))).collect();
    checks.extend(scenario.plan.expects.iter().map(|e| waits(&e.text, e.span, None)));
    Outcome {
        mode: Mode::Exact,
        seed,
        runs: 0,
        faults: 0,
        checks,
        problems: vec![found],
        figures: Vec::new(),
        rounds: 0,
        tallies: Vec::new(),
        state: scenario.game.start.clone(),
        gone: false,
    }
}

/// Where the code of a piece comes from.
fn span_of(scenario: &Scenario, piece: PieceId) -> Option<Span> {
    let program = &scenario.game.program;
    let entry = program.funcs.get(scenario.pieces[piece.0].func.at())?.entry;
    let at = program.places.partition_point(|(pc, _)| *pc <= entry);
    at.checked_sub(1).and_then(|n| program.places.get(n)).map(|(_, span)| *span)
}

/// Many runs, one after the other.
fn sample<'a>(scenario: &'a Scenario, seed: u64, runs: u64, person: Option<&'a mut dyn Person>) -> Outcome {
    let plan = &scenario.plan;
    let mut play = Play::new(scenario, seed, person, NoTrace);
    let mut figures: Vec<Told> = tell(scenario, &play.state, &vec![None; plan.report.len()]);
    let mut checks: Vec<Checked> = Vec::new();
    let (mut faults, mut problems) = (0, Vec::<Diagnostic>::new());
    let mut done = 0;
    for run in 0..runs {
        play.start(seed, run);
        done += 1;
        let outcome = play.once().and_then(|()| play.figures());
        merge(&mut checks, &play.checks);
        match outcome {
            Ok(values) => {
                for (told, value) in figures.iter_mut().zip(tell(scenario, &play.state, &values)) {
                    add(told, value);
                }
            }
            Err(fault) => {
                faults += 1;
                if faults == 1 {
                    let mut found = fault.diagnostic();
                    found.message = format!("in run {run}: {}", found.message);
                    problems.push(found);
                }
                if play.with.decide.gone {
                    break;
                }
            }
        }
    }
    for checked in &checks {
        if let Verdict::Fails(times) = checked.verdict {
            let message = format!("`{}` does not hold in {times} of {done} runs", checked.text);
            problems.push(Diagnostic::new(Code::Expectation, checked.span, message));
        }
    }
    Outcome {
        mode: Mode::Sampled,
        seed,
        runs: done,
        faults,
        checks,
        problems,
        figures,
        rounds: play.rounds,
        tallies: play.with.tallies,
        state: play.state,
        gone: play.with.decide.gone,
    }
}

/// Verdicts of one more run: a failure is counted, one run is enough to fail.
fn merge(all: &mut Vec<Checked>, more: &[Checked]) {
    if all.is_empty() {
        all.extend_from_slice(more);
        return;
    }
    for (old, new) in all.iter_mut().zip(more) {
        old.verdict = match (old.verdict, new.verdict) {
            (Verdict::Fails(n), Verdict::Fails(m)) => Verdict::Fails(n + m),
            (Verdict::Fails(n), _) | (_, Verdict::Fails(n)) => Verdict::Fails(n),
            (Verdict::Unreached, _) | (_, Verdict::Unreached) => Verdict::Unreached,
            (old, _) => old,
        };
    }
}

/// Adds one run to a figure.
fn add(told: &mut Told, value: Told) {
    told.counted += value.counted;
    told.held += value.held;
    told.sum = told.sum.zip(value.sum).and_then(|(a, b)| a.checked_add(b));
    for (text, times) in value.values {
        *told.values.entry(text).or_insert(0) += times;
    }
}

/// The figures of one run; a value is missing where what is given does not hold.
fn tell(scenario: &Scenario, state: &State, values: &[Option<Vec<i64>>]) -> Vec<Told> {
    let game = &scenario.game;
    let figures = scenario.plan.report.iter().zip(values);
    figures
        .map(|(figure, cells)| {
            let mut told = Told {
                text: figure.text.clone(),
                sort: figure.sort,
                ty: figure.ty.clone(),
                counted: u64::from(cells.is_some()),
                held: 0,
                sum: Some(Ratio::ZERO),
                values: BTreeMap::new(),
            };
            let Some(cells) = cells else { return told };
            match figure.sort {
                FigureSort::Chance => told.held = u64::from(cells.first() == Some(&1)),
                FigureSort::Mean => {
                    told.sum = match (&figure.ty, cells.as_slice()) {
                        (Type::Ratio, [num, den, ..]) => Ratio::new(*num, *den),
                        (_, [n, ..]) => Some(Ratio::whole(*n)),
                        _ => None,
                    };
                }
                FigureSort::Hist => {
                    let text = match &figure.ty {
                        Type::List(inner) => {
                            let width = game.program.rules.width(inner).max(1);
                            let parts: Vec<String> = cells.chunks(width).map(|c| game.tell(state, inner, c)).collect();
                            format!("[{}]", parts.join(", "))
                        }
                        ty => game.tell(state, ty, cells),
                    };
                    told.values.insert(text, 1);
                }
            }
            told
        })
        .collect()
}

impl<'a, T: Watch> Play<'a, T> {
    fn new(scenario: &'a Scenario, seed: u64, person: Option<&'a mut dyn Person>, trace: T) -> Self {
        let game = &scenario.game;
        let dice = Scripted::new(&scenario.plan.dice, Seeded::new(game, seed, 0));
        let players = Players::new(scenario, Seeded::new(game, seed, 0), person);
        let mut with = Run::new(game, dice, players, trace);
        with.halt = scenario.plan.stop.map(|mark| Halt { phase: mark.phase, start: mark.start, key: mark.key });
        Play { scenario, state: game.start.clone(), with, checks: Vec::new(), problems: Vec::new(), rounds: 0 }
    }

    /// Begins another run.
    fn start(&mut self, seed: u64, run: u64) {
        self.state.clone_from(&self.scenario.game.start);
        self.with.dice.start(seed, run);
        self.with.decide.start(seed, run);
        self.with.tallies.fill(0);
        self.checks.clear();
        self.problems.clear();
        self.rounds = 0;
    }

    /// One run from the start to the end.
    fn once(&mut self) -> Result<(), Fault> {
        let outcome = self.inner();
        if let Err(fault) = &outcome {
            self.with.trace.fault(fault);
            self.unreached();
        }
        outcome
    }

    fn inner(&mut self) -> Result<(), Fault> {
        let plan = &self.scenario.plan;
        if let Some((start, _)) = plan.start {
            self.rounds(start, plan.repeat)?;
        }
        for (n, step) in plan.steps.iter().enumerate() {
            let mut earlier = Vec::with_capacity(step.expects.len());
            for expect in &step.expects {
                earlier.push(self.earlier(expect)?);
            }
            self.with.decide.begin_step(&step.decides, &step.always);
            self.with.trace.step(&step.text);
            self.call(step.action)?;
            let left: Vec<Diagnostic> = self.with.decide.left_of_step().map(unasked).collect();
            self.problems.extend(left);
            self.with.decide.begin_step(&[], &[]);
            for (expect, earlier) in step.expects.iter().zip(earlier) {
                let holds = self.holds(expect.piece, &earlier)?;
                self.check(&expect.text, expect.span, Some(n), holds);
            }
        }
        for expect in &plan.expects {
            match expect.what {
                Expected::That(piece) => {
                    let holds = self.holds(piece, &[])?;
                    self.check(&expect.text, expect.span, None, holds);
                }
                Expected::Waiting => {
                    let verdict = Verdict::Waiting;
                    self.checks.push(Checked { text: expect.text.clone(), span: expect.span, step: None, verdict });
                }
            }
        }
        Ok(())
    }

    fn check(&mut self, text: &str, span: Span, step: Option<usize>, holds: bool) {
        self.with.trace.expect(text, holds);
        let verdict = if holds { Verdict::Holds } else { Verdict::Fails(1) };
        self.checks.push(Checked { text: text.to_string(), span, step, verdict });
    }

    /// Expectations that an error kept from being looked at.
    fn unreached(&mut self) {
        let plan = &self.scenario.plan;
        let steps = plan
            .steps
            .iter()
            .enumerate()
            .flat_map(|(n, s)| s.expects.iter().map(move |e| (&e.text, e.span, Some(n), false)));
        let ends = plan.expects.iter().map(|e| (&e.text, e.span, None, matches!(e.what, Expected::Waiting)));
        let rest: Vec<Checked> = steps
            .chain(ends)
            .skip(self.checks.len())
            .map(|(text, span, step, waits)| {
                let verdict = if waits { Verdict::Waiting } else { Verdict::Unreached };
                Checked { text: text.clone(), span, step, verdict }
            })
            .collect();
        self.checks.extend(rest);
    }

    /// The start, as often as it is repeated.
    fn rounds(&mut self, start: PieceId, repeat: Repeat) -> Result<(), Fault> {
        loop {
            match repeat {
                Repeat::Times(n) if self.rounds >= n => return Ok(()),
                Repeat::Until(_) if self.rounds >= MOST_ROUNDS => {
                    return Err(Fault::new(
                        Code::Fuel,
                        format!("the start was run {MOST_ROUNDS} times and is not done"),
                    ));
                }
                _ => {}
            }
            self.call(start)?;
            self.rounds += 1;
            if let Repeat::Until(done) = repeat
                && self.holds(done, &[])?
            {
                return Ok(());
            }
        }
    }

    /// Runs a statement with full fuel.
    fn call(&mut self, piece: PieceId) -> Result<(), Fault> {
        let game = &self.scenario.game;
        self.with.fuel = game.fuel;
        match call(game, &mut self.state, &mut self.with, self.scenario.pieces[piece.0].func, &[])? {
            Stop::Reached => {
                self.with.trace.remark("the scenario stops here");
                // what was running is over, and with it what was counted in it
                self.state.running.clear();
                self.state.uses.retain(|u| u.running == u32::MAX);
                Ok(())
            }
            Stop::Finished | Stop::Judged => Ok(()),
            Stop::Waiting => Err(Fault::new(Code::Script, "a question was left without an answer")),
        }
    }

    /// What `was` looks back at, on the position before a step.
    fn earlier(&mut self, condition: &Condition) -> Result<Vec<i64>, Fault> {
        let mut cells = Vec::new();
        for piece in &condition.earlier {
            cells.extend(self.value(*piece, &[])?);
        }
        Ok(cells)
    }

    fn holds(&mut self, piece: PieceId, earlier: &[i64]) -> Result<bool, Fault> {
        Ok(self.value(piece, earlier)?.first() == Some(&1))
    }

    fn value(&mut self, piece: PieceId, earlier: &[i64]) -> Result<Vec<i64>, Fault> {
        let mut args = vec![i64::try_from(self.rounds).unwrap_or(i64::MAX)];
        args.extend_from_slice(earlier);
        self.scenario.value(&mut self.state, piece, &self.with.tallies, &args)
    }

    /// The values of the report.
    fn figures(&mut self) -> Result<Vec<Option<Vec<i64>>>, Fault> {
        let mut values = Vec::with_capacity(self.scenario.plan.report.len());
        for figure in &self.scenario.plan.report {
            let counts = match figure.given {
                Some(given) => self.holds(given, &[])?,
                None => true,
            };
            if !counts {
                values.push(None);
                continue;
            }
            let cells = self.value(figure.piece, &[])?;
            if figure.sort == FigureSort::Mean && cells.first() == Some(&NONE) {
                return Err(Fault::new(
                    Code::Missing,
                    format!("`{}` is missing at the end of this run, so it has no mean", figure.text),
                ));
            }
            values.push(Some(cells));
        }
        Ok(values)
    }

    /// Decisions that were never asked and dice that were never thrown.
    fn left_over(&mut self) {
        let decides: Vec<Diagnostic> = self.with.decide.left().map(unasked).collect();
        let dice: Vec<Diagnostic> = self
            .with
            .dice
            .left()
            .map(|d| {
                let of = of(self.scenario, d.of);
                Diagnostic::new(Code::Unthrown, d.span, format!("`{}`{of} was never thrown", d.name))
            })
            .collect();
        self.problems.extend(decides);
        self.problems.extend(dice);
    }
}

fn of(scenario: &Scenario, subject: i64) -> String {
    if subject < 0 { String::new() } else { format!(" of {}", scenario.game.packed_name(subject)) }
}

fn unasked(decision: &crate::scenario::Decision) -> Diagnostic {
    Diagnostic::new(
        Code::Unasked,
        decision.span,
        format!("`{}` was never asked, so {} is left over", decision.name, decision.text),
    )
}
