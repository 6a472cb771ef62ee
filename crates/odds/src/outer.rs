//! The steps of a task: the part of a state that is outside the machine.

use super::canonical::Canonical;
use super::driver::Shared;
use super::interner::{Reader, Writer};
use super::{Midway, Task};
use grognard_base::value::{FuncId, TallyId};
use grognard_program::Instr;
use grognard_program::flow::Flow;
use grognard_scenario::counts::Saturation;
use grognard_scenario::{Counted, PieceId, Repeat, Scenario};
use grognard_vm::{Fault, Game, State};
use std::cell::RefCell;

/// The stage after the last one.
pub const END: u32 = u32::MAX;

/// The progress of a run: stage 0 is the call, or the repeated start; the others are steps.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outer {
    /// The current stage, or [`END`].
    pub stage: u32,
    /// Whether the machine runs the stage now.
    pub inside: bool,
    /// Number of runs of the start.
    pub round: i64,
    /// Values that `was` reads in the expectations of this step.
    pub kept: Vec<i64>,
}

/// Implemented by hand so that `clone_from` reuses the allocation of the old list.
impl Clone for Outer {
    fn clone(&self) -> Self {
        Outer { kept: self.kept.clone(), ..*self }
    }

    fn clone_from(&mut self, from: &Self) {
        (self.stage, self.inside, self.round) = (from.stage, from.inside, from.round);
        if !(self.kept.is_empty() && from.kept.is_empty()) {
            self.kept.clone_from(&from.kept);
        }
    }
}

/// The next action of a run.
pub enum Next {
    /// A call of a function with its arguments.
    Call(FuncId, Vec<i64>),
    /// The run is over.
    End,
}

/// The steps of a task, and the sums of a run: tallies, then rounds, then failures of expectations.
pub struct Outside<'g> {
    game: &'g Game,
    task: Task<'g>,
    /// Whether rounds belong to the state.
    pub rounds: bool,
    /// Whether tallies belong to the state.
    pub tallies: bool,
    /// Saturation: counts from this one on are merged.
    most: Saturation,
    sums: usize,
}

impl<'g> Outside<'g> {
    pub fn new(
        game: &'g Game,
        task: Task<'g>,
        history: bool,
        counts: &Saturation,
        canonical: &RefCell<Canonical<'_>>,
    ) -> Self {
        let (mut rounds, mut tallies) = (history, history);
        let mut most = if history { counts.clone() } else { Saturation::UNREAD };
        if let Task::Plan(scenario) = task {
            match scenario.plan.repeat {
                Repeat::Times(n) => {
                    rounds = true;
                    most.rounds = most.rounds.max(i64::try_from(n).unwrap_or(i64::MAX));
                }
                Repeat::Until(done) => {
                    let (reads_rounds, reads_tallies) = read(scenario, done, canonical.borrow_mut().flow());
                    rounds |= reads_rounds;
                    tallies |= reads_tallies;
                    most.join(&scenario.plan.decided[done.0]);
                }
            }
            for condition in scenario.plan.steps.iter().flat_map(|s| &s.expects) {
                for piece in condition.earlier.iter().chain([&condition.piece]) {
                    let (reads_rounds, reads_tallies) = read(scenario, *piece, canonical.borrow_mut().flow());
                    rounds |= reads_rounds;
                    tallies |= reads_tallies;
                    most.join(&scenario.plan.decided[piece.0]);
                }
            }
        }
        let steps = match task {
            Task::Plan(scenario) => scenario.plan.steps.iter().map(|s| s.expects.len()).sum(),
            Task::Call { .. } => 0,
        };
        Outside { game, task, rounds, tallies, most, sums: game.program.schema.tallies.len() + 1 + steps }
    }

    /// Returns the first stage and its sums. Tallies and rounds that do not belong to the state begin at 0.
    pub fn begin(&self, from: Option<&Midway>) -> (Outer, Vec<i64>) {
        let mut sums = vec![0; self.sums];
        let Some(from) = from else { return (Outer::default(), sums) };
        if self.tallies {
            sums.iter_mut().zip(&from.tallies).for_each(|(sum, tally)| *sum = *tally);
        }
        let round = if self.rounds { from.rounds.min(self.most.rounds) } else { 0 };
        (Outer { stage: from.stage, inside: true, round, kept: from.kept.clone() }, sums)
    }

    /// Returns the index of the number of rounds among the sums.
    pub fn rounds_at(&self) -> usize {
        self.game.program.schema.tallies.len()
    }

    /// Returns the next action when no call is running.
    pub fn next(
        &self,
        outer: &mut Outer,
        state: &mut State,
        sums: &[i64],
        shared: &RefCell<Shared<'_>>,
    ) -> Result<Next, Fault> {
        let scenario = match self.task {
            Task::Call { func, args, .. } if outer.stage == 0 => return Ok(Next::Call(func, args.to_vec())),
            Task::Call { .. } => return Ok(Next::End),
            Task::Plan(scenario) => scenario,
        };
        let plan = &scenario.plan;
        let func = |piece: PieceId| scenario.pieces[piece.0].func;
        if outer.stage == 0 {
            match plan.start {
                Some((start, _)) if !matches!(plan.repeat, Repeat::Times(n) if outer.round as u64 >= n) => {
                    return Ok(Next::Call(func(start), Vec::new()));
                }
                _ => outer.stage = 1,
            }
        }
        let Some(step) = plan.steps.get(outer.stage as usize - 1) else {
            outer.stage = END;
            return Ok(Next::End);
        };
        outer.kept.clear();
        for piece in step.expects.iter().flat_map(|c| &c.earlier) {
            outer.kept.extend(self.value(scenario, state, *piece, sums, outer.round, &[])?);
        }
        if let Some(deciders) = &mut shared.borrow_mut().deciders {
            deciders.begin_step(Some(outer.stage as usize - 1));
        }
        Ok(Next::Call(func(step.action), Vec::new()))
    }

    /// Ends a call: counts the round or the failed expectations, and selects the next stage.
    pub fn over(
        &self,
        outer: &mut Outer,
        state: &mut State,
        sums: &mut [i64],
        shared: &RefCell<Shared<'_>>,
    ) -> Result<(), Fault> {
        let Task::Plan(scenario) = self.task else {
            outer.stage = END;
            return Ok(());
        };
        if outer.stage == 0 {
            sums[self.rounds_at()] += 1;
            let round = outer.round + 1;
            if self.rounds {
                outer.round = round.min(self.most.rounds);
            }
            if let Repeat::Until(done) = scenario.plan.repeat
                && self.value(scenario, state, done, sums, round, &[])?.first() == Some(&1)
            {
                outer.stage = 1;
            }
        } else {
            let before = &scenario.plan.steps[..outer.stage as usize - 1];
            let step = &scenario.plan.steps[outer.stage as usize - 1];
            let first = self.rounds_at() + 1 + before.iter().map(|s| s.expects.len()).sum::<usize>();
            if let Some(deciders) = &mut shared.borrow_mut().deciders {
                deciders.begin_step(None);
            }
            let kept = std::mem::take(&mut outer.kept);
            let mut from = 0;
            for (at, condition) in (first..).zip(&step.expects) {
                let width: usize = condition.earlier.iter().map(|p| scenario.pieces[p.0].width).sum();
                let earlier = &kept[from..from + width];
                from += width;
                let holds = self.value(scenario, state, condition.piece, sums, outer.round, earlier)?;
                if holds.first() != Some(&1) {
                    sums[at] += 1;
                }
            }
            outer.stage += 1;
        }
        // No function runs now.
        state.stack.clear();
        state.heap.clear();
        state.frames.clear();
        (state.pc, state.base) = (0, 0);
        Ok(())
    }

    fn value(
        &self,
        scenario: &Scenario,
        state: &mut State,
        piece: PieceId,
        sums: &[i64],
        round: i64,
        earlier: &[i64],
    ) -> Result<Vec<i64>, Fault> {
        let mut args = vec![round];
        args.extend_from_slice(earlier);
        scenario.value(state, piece, &sums[..self.rounds_at()], &args)
    }

    /// Returns the counts that belong to the state; `true` if the count is a lower bound.
    pub fn counts(&self, outer: &Outer, sums: &[i64]) -> Vec<(Counted, i64, bool)> {
        let rounds = self.rounds.then_some((Counted::Rounds, outer.round, outer.round >= self.most.rounds));
        let tallies = if self.tallies { self.rounds_at() } else { 0 };
        let tally = |n: usize| (Counted::Tally(TallyId::from(n)), sums[n], sums[n] >= self.most.tally(n));
        rounds.into_iter().chain((0..tallies).map(tally)).collect()
    }

    /// Returns the number of sums.
    pub fn sums(&self) -> usize {
        self.sums
    }

    /// Writes the part of a state outside the machine.
    pub fn write(&self, outer: &Outer, sums: &[i64], memory: &[i64], to: &mut Writer<'_>) {
        // The end has the smallest number, because it is written most often.
        to.put((i64::from(outer.stage.wrapping_add(1)) << 1) | i64::from(outer.inside));
        if self.rounds {
            to.put(outer.round);
        }
        if self.tallies {
            (0..self.rounds_at()).for_each(|n| to.put(sums[n].min(self.most.tally(n))));
        }
        to.all(&outer.kept);
        to.all(memory);
    }

    /// Reads the part outside the machine: the stage, the sums that belong to the state, and the memory of the deciders.
    pub fn read(&self, from: &mut Reader<'_>, outer: &mut Outer, sums: &mut Vec<i64>, memory: &mut Vec<i64>) {
        let head = from.take();
        (outer.stage, outer.inside) = (((head >> 1) as u32).wrapping_sub(1), head & 1 != 0);
        outer.round = if self.rounds { from.take() } else { 0 };
        sums.clear();
        sums.resize(self.sums, 0);
        if self.tallies {
            sums[..self.rounds_at()].iter_mut().for_each(|n| *n = from.take());
        }
        from.into(&mut outer.kept);
        from.into(memory);
    }
}

/// Returns whether a part of a scenario reads the number of rounds, and whether it reads tallies.
pub fn reads(scenario: &Scenario, piece: PieceId) -> (bool, bool) {
    read(scenario, piece, &mut Flow::knowing(&scenario.game.program, scenario.game.facts()))
}

fn read(scenario: &Scenario, piece: PieceId, flow: &mut Flow<'_>) -> (bool, bool) {
    let program = &scenario.game.program;
    let func = scenario.pieces[piece.0].func;
    let rounds = flow.reads_first(func);
    let tallies = flow.code_of(func).iter().any(|pc| matches!(program.code[*pc as usize], Instr::Tally { .. }));
    (rounds, tallies)
}
