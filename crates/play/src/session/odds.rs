//! Odds from where a session stands: for each entry of the menu what the figures of the report come to if it is taken. Exact
//! exploring begins at the position that waits; where that is too much, runs are played on from there with other dice.

use super::{Ahead, Hand, Pause, Reply, Session, answers};
use crate::Play;
use crate::odds::{self, Here, Wish, report, wish};
use grognard_odds::{Budget, Label, Reading};
use grognard_vm::{Answer, Fault};

/// Most entries of a menu whose odds are worked out.
pub const MOST_ENTRIES: usize = 60;

/// Something that can be done where a session waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As the menu has it; empty for going on as if nobody sat here.
    pub words: String,
    /// The answer; nothing where none is given.
    pub answer: Option<Answer>,
}

/// What the figures of the report come to.
#[derive(Clone, Debug)]
pub struct Found {
    /// One for each figure.
    pub answers: Vec<Result<odds::OddsAnswer, Fault>>,
    /// Runs that were played on, where the answers are not all exact.
    pub shares: Option<Shares>,
    /// What the exact answers cost, and what ended them early.
    pub cost: Reading,
}

impl Found {
    /// True if everything that was asked is known without bounds.
    pub fn is_whole(&self) -> bool {
        self.answers.iter().flatten().all(|answer| answer.label == Label::Exact)
    }
}

/// The figures at the ends of runs that were played on.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// Runs that came to an end.
    pub runs: u64,
    /// Runs that ended in an error.
    pub faults: u64,
    /// By figure: its cells at the end of each run; none where what is given did not hold.
    pub figures: Vec<Vec<Option<Vec<i64>>>>,
}

impl Session<'_> {
    /// What can be done here, and how many entries of the menu are more than is looked at; nothing if the run is over.
    pub fn entries(&self) -> (Vec<Entry>, usize) {
        let on = Entry { words: String::new(), answer: None };
        match self.pause() {
            None => (Vec::new(), 0),
            Some(Pause::Roll(_) | Pause::Draw(_)) => (vec![on], 0),
            Some(Pause::Decision(decision)) => {
                let mut all = answers(&decision.question);
                if all.is_empty() {
                    return (vec![on], 0);
                }
                let more = all.len().saturating_sub(MOST_ENTRIES);
                all.truncate(MOST_ENTRIES);
                (all.into_iter().map(|(words, answer)| Entry { words, answer: Some(answer) }).collect(), more)
            }
        }
    }

    /// What the report comes to if this is done here: exactly, or bounded if little is left open, else from runs with other
    /// dice, for as long as somebody wants `more`.
    pub fn odds(&self, entry: &Entry, budget: Budget, more: &mut dyn FnMut(u64) -> bool) -> Result<Found, Fault> {
        let here = Here { answer: entry.answer.clone(), ..self.here.clone() };
        let wish = Wish { from: Some(&here), ..wish(self.scenario, budget) };
        let report = report(self.scenario, &wish)?;
        let mut found = Found { cost: report.cost(), answers: report.answers, shares: None };
        if !found.is_whole() {
            // players who look for the best cannot be sampled
            found.shares = self.sampled(entry, more).ok().filter(|shares| shares.runs > 0);
        }
        Ok(found)
    }

    fn sampled(&self, entry: &Entry, more: &mut dyn FnMut(u64) -> bool) -> Result<Shares, Fault> {
        let mut replies = self.fixed.clone();
        replies.extend(entry.answer.clone().map(Reply::Answer));
        let count = self.scenario.plan.report.len();
        let mut shares = Shares { figures: vec![Vec::new(); count], ..Shares::default() };
        let mut play = Play::of_many(self.scenario, None, None);
        let mut last = None;
        while more(shares.runs + shares.faults) {
            // what has fallen is said; all else is thrown by another run of the seed
            let run = self.start.run.wrapping_add(1 + shares.runs + shares.faults);
            let hand = Hand::new(replies.clone(), Ahead::END, None);
            play.by_hand(&hand);
            play.start(self.start.seed, run);
            let mut row = Vec::with_capacity(count);
            let ended = play.once().and_then(|()| {
                for n in 0..count {
                    row.push(play.figure(n)?.map(<[i64]>::to_vec));
                }
                Ok(())
            });
            match ended {
                Ok(()) => {
                    shares.runs += 1;
                    shares.figures.iter_mut().zip(row).for_each(|(all, cells)| all.push(cells));
                }
                Err(fault) => {
                    shares.faults += 1;
                    last = Some(fault);
                }
            }
        }
        match last {
            Some(fault) if shares.runs == 0 => Err(fault),
            _ => Ok(shares),
        }
    }
}
