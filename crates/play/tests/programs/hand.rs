//! Gives the machine the answers of the reference evaluator.

use crate::reference::Step;
use grognard_play::Players;
use grognard_vm::*;
use std::cell::RefCell;
use std::collections::VecDeque;

/// The remaining answers.
pub struct Hand {
    pub steps: VecDeque<Step>,
    /// The first unexpected question.
    pub wrong: Option<String>,
}

impl Hand {
    fn next(&mut self, asked: String) -> Option<Step> {
        let step = self.steps.pop_front();
        if step.is_none() && self.wrong.is_none() {
            self.wrong = Some(format!("{asked}, after all that were expected"));
        }
        step
    }

    fn wrong(&mut self, asked: String, step: Step) {
        self.wrong.get_or_insert_with(|| format!("{asked}, expected {step:?}"));
    }
}

/// Throws dice and makes decisions. The players decide where the reference worked out a preference.
pub struct Both<'h>(pub &'h RefCell<Hand>, pub Option<Players<'h>>);

impl Dice for Both<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            let of = die.sides(game) as usize;
            let mut hand = self.0.borrow_mut();
            match hand.next(format!("a die of {of} sides")) {
                Some(Step::Side { side, sides }) if sides == of => faces.push(die.face(game, side as u32 + 1)),
                Some(other) => {
                    hand.wrong(format!("a die of {of} sides"), other);
                    return Ok(Flow::Wait);
                }
                None => return Ok(Flow::Wait),
            }
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        for _ in 0..draw.count {
            let left: Vec<u64> = draw
                .weights
                .iter()
                .enumerate()
                .map(|(n, w)| if picks.contains(&n) { 0 } else { u64::from(*w) })
                .collect();
            let mut hand = self.0.borrow_mut();
            match hand.next(format!("a draw among {left:?}")) {
                Some(Step::Drawn { place, weights }) if weights == left => picks.push(place),
                Some(other) => {
                    hand.wrong(format!("a draw among {left:?}"), other);
                    return Ok(Flow::Wait);
                }
                None => return Ok(Flow::Wait),
            }
        }
        Ok(Flow::Go)
    }
}

impl Decide for Both<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let name = &asked.game.program.schema.sites[asked.ask.site.at()].name;
        let answer = match self.0.borrow_mut().next(format!("decision {name}")) {
            Some(Step::Preferred) => return self.1.as_mut().expect("players").decide(asked),
            Some(Step::Pick(n)) => Answer::Pick(n),
            Some(Step::None) => Answer::None,
            Some(Step::Stop) => Answer::Stop,
            Some(Step::Several(places)) => Answer::Several(places),
            Some(other) => {
                self.0.borrow_mut().wrong(format!("decision {name}"), other);
                Answer::Wait
            }
            None => Answer::Wait,
        };
        Ok((answer, "hand"))
    }
}
