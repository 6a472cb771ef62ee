//! One run of an environment: its question, its actions, its rewards.

use super::actions::{Actions, Asked, Pick, preferred, several};
use super::layout::{Here, Layout};
use grognard_base::Code;
use grognard_base::value::{NONE, Type};
use grognard_play::{Entries, Stepped};
use grognard_scenario::Scenario;
use grognard_vm::{Answer, Fault};
use std::sync::Arc;

/// The parts that all runs of an environment share.
pub struct Shared {
    pub scenario: Arc<Scenario>,
    /// The players who are asked, as packed things.
    pub agents: Vec<i64>,
    pub actions: Actions,
    pub layout: Layout,
    /// For each agent, the measure that rewards it, and its sign.
    pub rewards: Vec<(usize, f64)>,
    /// Maximum number of decisions of an episode.
    pub most: u64,
}

/// One run of an environment, with its pending decision.
#[derive(Default)]
pub struct Table {
    pub run: Option<Stepped>,
    pub seed: u64,
    pub number: u64,
    /// The agent who decides, or -1 if the episode is over.
    pub agent: i64,
    pub terminated: bool,
    pub truncated: bool,
    /// Whether the last action was not on the mask.
    pub illegal: bool,
    pub fault: Option<Fault>,
    /// The action of each entry of the menu.
    pub menu: Vec<u32>,
    pub mask: Vec<i8>,
    /// The reward of each agent in the last step.
    pub rewards: Vec<f64>,
    /// The chosen entries of a set.
    picked: Vec<usize>,
    worths: Vec<f64>,
    decisions: u64,
}

impl Table {
    /// Begins a run and plays to its first decision.
    pub fn reset(&mut self, shared: &Shared, seed: u64, number: u64) {
        let (menu, mut mask) = (std::mem::take(&mut self.menu), std::mem::take(&mut self.mask));
        mask.resize(shared.actions.count(), 0);
        *self = Table { seed, number, menu, mask, ..Table::default() };
        match Stepped::start(Arc::clone(&shared.scenario), seed, number, Some(shared.agents.clone())) {
            Ok(run) => self.run = Some(run),
            Err(fault) => self.fault = Some(fault),
        }
        self.onward(shared);
        self.rewards.fill(0.0);
    }

    pub fn over(&self) -> bool {
        self.terminated || self.truncated
    }

    /// Takes an action, and plays to the next decision of an agent. An action that is not on the mask is replaced by what the
    /// rules prefer.
    pub fn step(&mut self, shared: &Shared, action: i64) {
        self.rewards.fill(0.0);
        let over = self.over();
        let Some(run) = self.run.as_mut().filter(|_| !over) else { return };
        let Some(question) = run.question() else { return };
        let entry = self.menu.iter().position(|entry| *entry != u32::MAX && i64::from(*entry) == action);
        self.illegal = entry.is_none();
        let pick = entry.map(|entry| Asked { question, picked: &self.picked }.pick(entry));
        let answer = match pick {
            None => {
                self.picked.clear();
                preferred(&shared.scenario.game, question)
            }
            Some(Pick::Answer(n)) => question.answer(n).unwrap_or(Answer::Prefer),
            Some(Pick::Done) => several(&mut self.picked),
            Some(Pick::One(n)) => {
                self.picked.push(n);
                match &question.entries {
                    Entries::Sets { most, .. } if self.picked.len() < *most => Answer::Wait,
                    _ => several(&mut self.picked),
                }
            }
        };
        self.decisions += 1;
        if answer != Answer::Wait
            && let Err(fault) = run.give(answer)
        {
            self.fault = Some(fault);
        }
        self.onward(shared);
    }

    /// Plays to a decision of an agent, and brings all else up to date.
    fn onward(&mut self, shared: &Shared) {
        while self.fault.is_none()
            && let Some(run) = &mut self.run
            && let Some(question) = run.question()
            && !shared.agents.contains(&question.player)
        {
            // the player has no source that can answer, so the rules decide
            let answer = preferred(&shared.scenario.game, question);
            self.fault = run.give(answer).err();
        }
        let before = std::mem::take(&mut self.worths);
        self.evaluate(shared, &before);
        let change = |n: usize, sign: f64| match (self.worths.get(n), before.get(n)) {
            (Some(now), Some(before)) => sign * (now - before),
            _ => 0.0,
        };
        self.rewards = shared.rewards.iter().enumerate().map(|(n, (_, sign))| change(n, *sign)).collect();
        let question = self.run.as_ref().filter(|_| self.fault.is_none()).and_then(Stepped::question);
        let agent = question.and_then(|question| shared.agents.iter().position(|agent| *agent == question.player));
        self.truncated = self.fault.is_some() || agent.is_some() && self.decisions >= shared.most;
        self.terminated = !self.truncated && agent.is_none();
        self.agent = agent.map_or(-1, |agent| agent as i64);
        match (question, &self.run) {
            (Some(question), Some(run)) => {
                let asked = Asked { question, picked: &self.picked };
                shared.actions.list(&shared.scenario.game, run.state(), &asked, &mut self.menu, &mut self.mask);
            }
            _ => {
                self.menu.clear();
                self.mask.fill(0);
            }
        }
        // a mask is never all zero
        if self.mask.iter().all(|bit| *bit == 0)
            && let Some(bit) = self.mask.last_mut()
        {
            *bit = 1;
        }
    }

    /// Evaluates the measures that reward the agents. A measure without a value keeps its last one.
    fn evaluate(&mut self, shared: &Shared, before: &[f64]) {
        let Some(run) = &mut self.run else { return };
        for (n, (measure, _)) in shared.rewards.iter().enumerate() {
            let first = shared.rewards[..n].iter().position(|(other, _)| other == measure);
            let worth = match first {
                Some(first) => self.worths[first],
                None => match run.figure(*measure) {
                    Ok(cells) => cells
                        .and_then(|cells| number(&shared.scenario.plan.report[*measure].asked.ty, &cells))
                        .unwrap_or(before.get(n).copied().unwrap_or(0.0)),
                    Err(fault) => {
                        // a mean can be missing before the end
                        if fault.code != Code::Missing && self.fault.is_none() {
                            self.fault = Some(fault);
                        }
                        before.get(n).copied().unwrap_or(0.0)
                    }
                },
            };
            self.worths.push(worth);
        }
    }

    /// Writes the observation of the run into a row.
    pub fn observe(&self, shared: &Shared, out: &mut [i64]) {
        let state = self.run.as_ref().map_or(&shared.scenario.game.start, Stepped::state);
        let question = self.run.as_ref().and_then(Stepped::question);
        let choice = question.and_then(|question| shared.actions.sites.binary_search(&question.site).ok());
        let here = Here {
            agent: self.agent,
            choice: choice.map_or(-1, |n| n as i64),
            subject: question.map_or(-1, |question| shared.layout.thing(question.subject)),
            chosen: self.picked.len() as i64,
            rounds: self.run.as_ref().map_or(0, Stepped::rounds),
        };
        shared.layout.observe(state, &here, out);
    }

    /// Returns the pending question, or `None` if the episode is over.
    pub fn asked(&self) -> Option<Asked<'_>> {
        let question = self.run.as_ref().filter(|_| !self.over()).and_then(Stepped::question)?;
        Some(Asked { question, picked: &self.picked })
    }
}

/// Returns a measure as a number: a flag as 0 or 1, a length in inches.
pub fn number(ty: &Type, cells: &[i64]) -> Option<f64> {
    let cell = *cells.first().filter(|cell| **cell != NONE)? as f64;
    match ty {
        Type::Optional(inner) => number(inner, cells),
        Type::Int(_) | Type::Flag => Some(cell),
        Type::Length => Some(cell / 1_000.0),
        Type::Angle => Some(cell / 100.0),
        Type::Ratio => cells.get(1).map(|whole| cell / *whole as f64),
        _ => None,
    }
}

/// Returns whether a measure can be a reward.
pub fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => is_number(inner),
        ty => matches!(ty, Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Ratio),
    }
}
