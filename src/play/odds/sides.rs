//! The players and the given dice of a scenario while odds are computed.

use super::super::players::Said;
use super::super::{Players, Scripted, Seeded, memory};
use crate::base::Code;
use crate::exact::{Choice, Deciders};
use crate::machine::{Asked, DrawAsk, Fault, Form, Game, Throw};
use crate::scenario::{Decision, Scenario};
use crate::value::SiteId;
use std::collections::BTreeSet;

/// Answers as a scenario says, and throws what it gives.
pub(super) struct Sides<'a> {
    scenario: &'a Scenario,
    players: Players<'a>,
    dice: Scripted<'a>,
    /// The step at work, from 1.
    step: usize,
    /// Moves whose end was somebody's to choose.
    pub free: BTreeSet<SiteId>,
}

impl<'a> Sides<'a> {
    /// The players of a scenario; `instead` are answers before all others. Without `dice` chance throws them all.
    pub fn new(scenario: &'a Scenario, instead: &'a [Decision], dice: bool) -> Self {
        let seeded = || Seeded::new(&scenario.game, 0, 0);
        let mut players = Players::new(scenario, seeded(), None);
        players.instead = instead;
        let given: &[_] = if dice { &scenario.plan.dice } else { &[] };
        Sides { scenario, players, dice: Scripted::new(given, seeded()), step: 0, free: BTreeSet::new() }
    }

    fn to_step(&mut self, step: usize) {
        self.step = step;
        match step.checked_sub(1).and_then(|n| self.scenario.plan.steps.get(n)) {
            Some(step) => self.players.begin_step(&step.decides, &step.always),
            None => self.players.begin_step(&[], &[]),
        }
    }
}

impl Deciders for Sides<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault> {
        let choice = match self.players.say(asked)? {
            Said::Answer(answer, _) => return Ok(Choice::Answer(answer)),
            Said::Random => Choice::Random,
            Said::Best => Choice::Best,
            Said::Worst => Choice::Worst,
            Said::Prompt => {
                let message = "a person answers in this scenario; give the player a policy, `random`, `best` or `worst`";
                return Err(Fault::new(Code::Script, message));
            }
        };
        if matches!(asked.form, Form::Move { open: true }) {
            self.free.insert(asked.ask.site);
        }
        Ok(choice)
    }

    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<bool, Fault> {
        self.dice.given_throw(game, throw, faces)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<bool, Fault> {
        self.dice.given_draw(game, draw, picks)
    }

    fn begin_step(&mut self, step: Option<usize>) {
        self.to_step(step.map_or(0, |n| n + 1));
    }

    fn memory(&self) -> Vec<i64> {
        let mut memory = vec![self.step as i64];
        self.players.remember(&mut memory);
        self.dice.remember(&mut memory);
        memory
    }

    fn recall(&mut self, mut memory: &[i64]) {
        let from = &mut memory;
        let step = memory::take(from) as usize;
        if step != self.step {
            self.to_step(step);
        }
        self.players.recall(from);
        self.dice.recall(from);
    }
}
