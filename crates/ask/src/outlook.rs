//! The report of a scenario: exactly if that fits the effort, otherwise from a growing sample.

use super::{Mode, Odds, OddsReport, Runs};
use grognard_base::{Effort, Watch};
use grognard_play::odds::odds_options;
use grognard_scenario::{Mode as Own, Scenario};
use grognard_stats::{Growing, Sample};
use grognard_vm::Fault;

/// Number of runs that show whether every run ends in an error.
const TRIED: u64 = 16;

/// A question about the report of a scenario.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Exact, from runs, or as the scenario suggests.
    pub mode: Mode,
    /// The runs of a sample.
    pub runs: Runs,
    /// A watch that can end the computation before its answer is known.
    pub watch: Option<Watch>,
}

/// The answer to an [`Outlook`].
pub enum Answer {
    /// From all outcomes.
    Exact(Box<OddsReport>),
    /// From runs.
    Sampled(Box<Sample>),
}

impl Outlook {
    /// Answers the question. A growing sample passes its current estimate to `partial` after 16 runs, then after four
    /// times as many, and so on.
    ///
    /// # Errors
    ///
    /// If only exact odds can answer and they fail.
    pub fn answer(&self, scenario: &Scenario, partial: &mut dyn FnMut(&Sample)) -> Result<Answer, String> {
        let seeks = scenario.plan.optimizer().is_some();
        let only_exact = seeks || self.mode == Mode::Exact || scenario.plan.mode == Own::Exact;
        // a scenario that is meant to be sampled is rarely small, so its first runs are shown first
        let later = scenario.plan.mode == Own::Sampled && !seeks;
        let mut open = self.mode.explores();
        if open && !later {
            open = false;
            let effort = if seeks { Effort::Long } else { Effort::Usual };
            match self.explored(scenario, effort) {
                // if all outcomes were explored and some end in an error, runs are less informative and can take long
                // to find the error
                Ok(found) if found.whole() || found.explored || seeks => return Ok(Answer::Exact(Box::new(found))),
                Err(fault) if only_exact => return Err(fault.message),
                _ => {}
            }
        }
        self.sampled(scenario, open, partial)
    }

    fn sampled(&self, scenario: &Scenario, mut open: bool, partial: &mut dyn FnMut(&Sample)) -> Result<Answer, String> {
        let settings = self.runs.settings(&scenario.plan);
        let most = settings.runs;
        let mut growing = Growing::new(scenario, settings, self.watch.clone());
        let first = Effort::FIRST_RUNS.min(most);
        let mut sample = growing.grow(1);
        for tried in [2, 4, 8, TRIED].map(|tried| tried.min(first)) {
            // a run that ends in an error can take long, so its result is shown at once
            if sample.faults > 0 && sample.faults < sample.runs {
                partial(&sample);
            }
            sample = growing.grow(tried);
        }
        for mark in Effort::run_marks(most) {
            // rules that end every run in an error also do so in later runs
            let fails = sample.faults == sample.runs && self.mode.explores();
            if !fails {
                sample = growing.grow(mark);
            }
            if fails || sample.runs < mark || mark >= most {
                break;
            }
            partial(&sample);
            if std::mem::take(&mut open)
                && let Ok(found) = self.explored(scenario, Effort::Glance)
                && found.whole()
            {
                return Ok(Answer::Exact(Box::new(found)));
            }
        }
        Ok(Answer::Sampled(Box::new(sample)))
    }

    fn explored(&self, scenario: &Scenario, effort: Effort) -> Result<OddsReport, Fault> {
        Odds::plain(odds_options(scenario, effort.watched(self.watch.clone()))).answer(scenario)
    }
}
