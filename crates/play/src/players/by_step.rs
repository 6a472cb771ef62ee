//! Decisions of a run that waits for each of them: see [`crate::Stepped`].

use super::Players;
use grognard_base::Code;
use grognard_vm::{Answer, Asked, Decide, Fault, Form};

impl Players<'_> {
    /// Answers a decision with the given answer, or waits for one.
    pub(super) fn by_step(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let Some(mut stepper) = self.stepper.take() else { return self.decide(asked) };
        // a move whose lines leave no choice is not put to the player
        let own = matches!(asked.form, Form::Move { open: false }) || !stepper.asks(asked);
        let found = if own { self.own(asked, stepper.departed) } else { Ok(None) };
        let found = found.map(|answer| {
            answer.unwrap_or_else(|| {
                // the end points of a move are asked as a choice
                if matches!(asked.form, Form::Move { .. }) {
                    return (Answer::List, "script");
                }
                let Some(answer) = stepper.take(asked) else { return (Answer::Wait, "") };
                self.note(asked);
                self.pass(asked);
                (answer, "script")
            })
        });
        if !matches!(found, Ok((Answer::List | Answer::Wait, _))) {
            stepper.found(None);
        }
        self.stepper = Some(stepper);
        found
    }

    /// Returns the answer of the player's own sources, or `None` if they cannot answer: best play requires odds, and after
    /// a given answer the menus no longer match the script.
    fn own(&mut self, asked: &mut Asked<'_>, departed: bool) -> Result<Option<(Answer, &'static str)>, Fault> {
        let before = self.memory.uses.clone();
        match self.decide(asked) {
            Err(fault) if fault.code == Code::NeedsOdds || fault.code == Code::Script && departed => {
                self.memory.uses = before;
                Ok(None)
            }
            found => found.map(Some),
        }
    }
}
