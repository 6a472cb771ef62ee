//! Odds from the current point of a session: the results of the report for each menu entry. The exact exploration
//! starts at the pending question. If it does not finish, sampled runs continue from there with other dice.

use super::{Ahead, Hand, Pause, Reply, Session, answers};
use crate::Play;
use crate::odds::{self, Here, OddsOptions, odds_options, report};
use grognard_odds::{Budget, Label, Reading};
use grognard_vm::{Answer, Fault};

/// Maximum number of menu entries whose odds are computed.
pub const MOST_ENTRIES: usize = 60;

/// An action that is possible at the current pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Text of the menu entry; empty for continuing with the default.
    pub words: String,
    /// The answer, or `None` if the players' own sources decide.
    pub answer: Option<Answer>,
}

/// Results of the report for one entry.
#[derive(Clone, Debug)]
pub struct Found {
    /// One result for each measure.
    pub answers: Vec<Result<odds::OddsAnswer, Fault>>,
    /// Sampled runs, if not all results are exact.
    pub shares: Option<Shares>,
    /// Cost of the exact results, and the limit that ended them early.
    pub cost: Reading,
}

impl Found {
    /// Returns the weakest label of the successful results.
    pub fn label(&self) -> Label {
        self.answers.iter().flatten().map(|answer| answer.label).max().unwrap_or(Label::Exact)
    }
}

/// Values of the measures at the ends of sampled runs.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// Number of runs that finished.
    pub runs: u64,
    /// Number of runs that ended in an error.
    pub faults: u64,
    /// For each measure, its cells at the end of each run; `None` if its condition did not hold.
    pub figures: Vec<Vec<Option<Vec<i64>>>>,
}

impl Session<'_> {
    /// Returns the possible actions here, and the number of menu entries beyond the maximum (`MOST_ENTRIES`). The list is empty if
    /// the run is over.
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

    /// Computes the report if `entry` is taken here. Results that are not exact are supplemented by sampled runs with
    /// other dice, for as long as `more` returns true.
    ///
    /// # Errors
    ///
    /// Returns a fault if the scenario cannot be explored.
    pub fn odds(&self, entry: &Entry, budget: Budget, more: &mut dyn FnMut(u64) -> bool) -> Result<Found, Fault> {
        let here = Here { answer: entry.answer.clone(), ..self.course.here(self.scenario) };
        let odds_options = OddsOptions { from: Some(&here), ..odds_options(self.scenario, budget) };
        let report = report(self.scenario, &odds_options)?;
        let mut found = Found { cost: report.cost(), answers: report.answers, shares: None };
        if found.label() == Label::Bounded {
            // players who optimize cannot be sampled
            found.shares = self.sampled(entry, more).ok().filter(|shares| shares.runs > 0);
        }
        Ok(found)
    }

    fn sampled(&self, entry: &Entry, more: &mut dyn FnMut(u64) -> bool) -> Result<Shares, Fault> {
        let mut replies = self.course.fixed().to_vec();
        replies.extend(entry.answer.clone().map(Reply::Answer));
        let count = self.scenario.plan.report.len();
        let mut shares = Shares { figures: vec![Vec::new(); count], ..Shares::default() };
        let mut play = Play::of_many(self.scenario, None, None);
        let mut last = None;
        while more(shares.runs + shares.faults) {
            // past rolls are fixed; later dice come from another run of the seed
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
