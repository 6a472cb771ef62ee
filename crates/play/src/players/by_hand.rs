//! Decisions of an interactive session: the log answers first, then the player's own sources.

use super::Players;
use crate::session::{Hand, Take};
use grognard_base::Code;
use grognard_vm::{Answer, Asked, Decide, Fault};

impl Players<'_> {
    /// Answers a decision from the log of the session.
    pub(super) fn by_hand(&mut self, hand: &Hand, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        match hand.decide(asked) {
            Take::Wait => Ok((Answer::Wait, "")),
            Take::Answer(answer) => {
                self.note(asked);
                self.pass(asked);
                hand.decided(asked, &answer, "script", true);
                Ok((answer, "script"))
            }
            Take::Own => {
                // a choice of end points belongs to the move before it
                if !hand.lists() {
                    self.before = self.memory.uses.clone();
                }
                self.hand = None;
                let found = self.decide(asked);
                self.hand = Some(hand.clone());
                match found {
                    Ok((answer, source)) => {
                        hand.decided(asked, &answer, source, false);
                        Ok((answer, source))
                    }
                    // best play requires odds, and after a different decision the menus no longer match the script
                    Err(fault) if fault.code == Code::NeedsOdds || fault.code == Code::Script && hand.departed() => {
                        hand.unable(asked, fault);
                        self.memory.uses = std::mem::take(&mut self.before);
                        Ok((Answer::Wait, ""))
                    }
                    Err(fault) => Err(fault),
                }
            }
        }
    }
}
