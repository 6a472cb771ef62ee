//! The loop of a run over the parts of its plan: the call, the rounds of the start, the steps, the end. It stops at a
//! question whose answer comes later, and [`Progress`] is the run at that point.

use super::players::PlayersMemory;
use super::run::{dice_script, driven};
use super::scripted::DiceUses;
use super::watch::Watcher;
use super::{Play, Players, Scripted, Seeded, Verdict};
use grognard_base::{Code, Diagnostic};
use grognard_scenario::{Call, PieceId, Repeat, Scenario};
use grognard_vm::{Fault, Flow, Remark, State, Stop, begin, run};

/// Maximum number of rounds of a start that repeats until a condition holds. If more, one round per [`FUEL_OF_A_ROUND`]
/// units of fuel.
const MOST_ROUNDS: u64 = 10_000;
const FUEL_OF_A_ROUND: u64 = 100;

/// A repeated start can use this many times the fuel of a step.
const STEPS_OF_A_RUN: u64 = 100;

/// A run between two questions, as a value without the scenario: [`Play::resume`] continues it. A copy continues like
/// the original.
#[derive(Clone)]
pub struct Progress {
    state: State,
    at: At,
    tallies: Vec<i64>,
    fuel: u64,
    hints: u64,
    dice: DiceUses,
    seeded: Seeded,
    players: PlayersMemory,
}

/// The part of a plan that is executed, or begins next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Call,
    /// A round of the start.
    Round,
    Step(usize),
    Over,
}

/// The point of a run in its plan, and its results so far.
#[derive(Clone, Default)]
pub(super) struct At {
    part: Part,
    /// Whether the machine is in the call of the part.
    inside: bool,
    /// Whether this is one of many runs.
    pub many: bool,
    pub verdicts: Vec<Verdict>,
    pub problems: Vec<Diagnostic>,
    pub rounds: u64,
    /// Result cells of the call.
    pub result: Vec<i64>,
    /// Index of the current step.
    pub step: Option<usize>,
    /// For each expectation of the step, the values that `was` refers to.
    pub earlier: Vec<Vec<i64>>,
    /// Rounds and calls of all runs so far.
    pub steps: u64,
    /// Value of `steps` at the first round of this run.
    begun: u64,
}

impl At {
    /// Resets the point to the start of another run.
    pub fn start(&mut self) {
        (self.part, self.inside, self.rounds, self.step) = (Part::Call, false, 0, None);
        self.verdicts.clear();
        self.problems.clear();
        self.earlier.clear();
    }
}

impl Progress {
    /// Returns the state of the machine.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state, and leaves a copy in its place.
    pub(super) fn evaluates(&mut self) -> State {
        let copy = self.state.clone();
        std::mem::replace(&mut self.state, copy)
    }

    /// Returns the run at another state.
    pub(super) fn at(self, state: State) -> Progress {
        Progress { state, ..self }
    }

    /// Returns the number of times that the start was run.
    pub fn rounds(&self) -> u64 {
        self.at.rounds
    }
}

impl<'a> Play<'a> {
    /// Continues a run of the same scenario.
    pub fn resume(scenario: &'a Scenario, progress: Progress, watcher: Watcher<'a>) -> Play<'a> {
        let Progress { state, at, tallies, fuel, hints, dice, seeded, players } = progress;
        let dice = Scripted::of(dice_script(scenario, at.many).resumed(dice), seeded);
        let mut players = Players::resumed(scenario, players, None);
        if at.inside
            && let Part::Step(n) = at.part
            && let Some(step) = scenario.plan.steps.get(n)
        {
            players.resume_step(&step.decides, &step.always);
        }
        let mut with = driven(scenario, dice, players, watcher);
        (with.tallies, with.fuel, with.hints) = (tallies, fuel, hints);
        Play::of(scenario, state, at, with)
    }

    /// Returns the rounds and calls of all runs so far.
    pub fn steps(&self) -> u64 {
        let call = if self.at.inside { self.scenario.game.fuel - self.with.fuel } else { 0 };
        self.at.steps + call
    }

    /// Returns the run as a value, to continue later.
    pub fn suspend(self) -> Progress {
        let Play { state, at, with, .. } = self;
        let Scripted { script, seeded, .. } = with.drivers.dice;
        let (dice, players) = (script.into_uses(), with.drivers.decide.memory);
        Progress { state, at, tallies: with.tallies, fuel: with.fuel, hints: with.hints, dice, seeded, players }
    }

    /// Plays the run from start to end.
    ///
    /// # Errors
    ///
    /// Returns the fault that ended the run, or a script fault if a question has no answer.
    pub fn once(&mut self) -> Result<(), Fault> {
        let ended = match self.onward() {
            Ok(Flow::Go) => return Ok(()),
            Ok(Flow::Wait) => unanswered(),
            Err(fault) => fault,
        };
        self.tell(|watcher| watcher.fault(&ended));
        Err(ended)
    }

    /// Plays on to the end of the run, or to a question whose answer comes later.
    ///
    /// # Errors
    ///
    /// Returns the fault that ended the run.
    pub fn advance(&mut self) -> Result<Flow, Fault> {
        let flow = self.onward();
        if let Err(fault) = &flow {
            self.tell(|watcher| watcher.fault(fault));
        }
        flow
    }

    /// Executes the call of an example or a measure.
    ///
    /// # Errors
    ///
    /// Returns the fault of the call, or a script fault if a question has no answer.
    pub fn make(&mut self, call: &Call) -> Result<(), Fault> {
        self.begin_call(call)?;
        match self.proceed()? {
            Flow::Go => self.complete(),
            Flow::Wait => Err(unanswered()),
        }
    }

    fn onward(&mut self) -> Result<Flow, Fault> {
        while self.at.inside || self.begin()? {
            if self.proceed()? == Flow::Wait {
                return Ok(Flow::Wait);
            }
            self.complete()?;
        }
        Ok(Flow::Go)
    }

    /// Begins the next call of the plan. Returns `false` at the end of the run.
    fn begin(&mut self) -> Result<bool, Fault> {
        let plan = &self.scenario.plan;
        loop {
            match self.at.part {
                Part::Call => {
                    if let Some(call) = &plan.call {
                        return self.begin_call(call).map(|()| true);
                    }
                    self.begin_rounds();
                }
                Part::Round => match plan.start {
                    Some((start, _)) if self.repeats(plan.repeat)? => return self.begin_piece(start).map(|()| true),
                    _ => self.at.part = Part::Step(0),
                },
                Part::Step(n) => {
                    let Some(step) = plan.steps.get(n) else {
                        self.at.part = Part::Over;
                        return self.at_the_end().map(|()| false);
                    };
                    self.at.earlier.clear();
                    for expect in &step.expects {
                        let earlier = self.earlier(expect)?;
                        self.at.earlier.push(earlier);
                    }
                    self.at.step = Some(n);
                    self.with.drivers.decide.begin_step(&step.decides, &step.always);
                    self.tell(|watcher| watcher.step(&step.text));
                    return self.begin_piece(step.action).map(|()| true);
                }
                Part::Over => return Ok(false),
            }
        }
    }

    fn begin_rounds(&mut self) {
        self.at.part = Part::Round;
        self.at.begun = self.at.steps;
    }

    fn begin_call(&mut self, call: &Call) -> Result<(), Fault> {
        let game = &self.scenario.game;
        self.with.fuel = game.fuel;
        begin(game, &mut self.state, &mut self.with, call.func, &call.args)?;
        self.at.inside = true;
        Ok(())
    }

    /// Begins a statement with full fuel.
    fn begin_piece(&mut self, piece: PieceId) -> Result<(), Fault> {
        let game = &self.scenario.game;
        self.with.fuel = game.fuel;
        self.state.heap.clear();
        begin(game, &mut self.state, &mut self.with, self.scenario.pieces[piece.0].func, &[])?;
        self.at.inside = true;
        Ok(())
    }

    /// Returns whether the start runs another time. Returns a fault if that exceeds the limit on rounds or steps.
    fn repeats(&self, repeat: Repeat) -> Result<bool, Fault> {
        let (fuel, rounds, steps) = (self.scenario.game.fuel, self.at.rounds, self.at.steps - self.at.begun);
        match repeat {
            Repeat::Times(n) if rounds >= n => Ok(false),
            Repeat::Until(_) if rounds >= MOST_ROUNDS.max(fuel / FUEL_OF_A_ROUND) => {
                Err(Fault::new(Code::Fuel, format!("the start was run {rounds} times and is not done")))
            }
            _ if steps > fuel.saturating_mul(STEPS_OF_A_RUN) => {
                Err(Fault::new(Code::Fuel, format!("more than {steps} rounds and calls in one run")))
            }
            _ => Ok(true),
        }
    }

    /// Executes the call of the part, to its end or to a question whose answer comes later.
    fn proceed(&mut self) -> Result<Flow, Fault> {
        let game = &self.scenario.game;
        let ended = run(game, &mut self.state, &mut self.with);
        if matches!(ended, Ok(Stop::Waiting)) {
            return Ok(Flow::Wait);
        }
        self.at.inside = false;
        if self.at.part == Part::Call {
            return ended.map(|_| Flow::Go);
        }
        self.at.steps += game.fuel - self.with.fuel;
        if ended? == Stop::Reached {
            self.tell(|watcher| watcher.remark(Remark::Stops));
            // the running functions are over, and so are the counts within them
            self.state.running.clear();
            self.state.uses.retain(|u| u.running == u32::MAX);
        }
        Ok(Flow::Go)
    }

    /// Completes a part after its call, and finds the next one.
    fn complete(&mut self) -> Result<(), Fault> {
        let plan = &self.scenario.plan;
        match self.at.part {
            Part::Call => {
                let width =
                    plan.call.as_ref().map_or(0, |call| self.scenario.game.program.funcs[call.func.at()].result);
                self.at.result.clear();
                self.at.result.extend_from_slice(self.state.stack.get(..width as usize).unwrap_or_default());
                self.begin_rounds();
            }
            Part::Round => {
                self.at.rounds += 1;
                if let Repeat::Until(done) = plan.repeat
                    && self.holds(done, &[])?
                {
                    self.at.part = Part::Step(0);
                }
            }
            Part::Step(n) => {
                self.at.part = Part::Step(n + 1);
                let left: Vec<Diagnostic> = self.with.drivers.decide.left_of_step().map(|d| self.unasked(d)).collect();
                self.at.problems.extend(left);
                self.with.drivers.decide.begin_step(&[], &[]);
                let earlier = std::mem::take(&mut self.at.earlier);
                for (expect, earlier) in plan.steps[n].expects.iter().zip(&earlier) {
                    let holds = self.holds(expect.piece, earlier)?;
                    self.check(&expect.text, holds, &expect.measures, earlier);
                }
                self.at.earlier = earlier;
            }
            Part::Over => {}
        }
        Ok(())
    }
}

fn unanswered() -> Fault {
    Fault::new(Code::Script, "a question was left without an answer")
}
