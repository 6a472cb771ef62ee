//! What a scenario reports: exactly if that fits the effort, otherwise from a growing sample.

use super::Mode;
use grognard_base::{Budget, Effort, Watch};
use grognard_play::odds::{self, Report, problems, report, wish};
use grognard_report::finding::Finding;
use grognard_report::odds::{answers, finding};
use grognard_report::sampled;
use grognard_scenario::{Answerer, Mode as Own, Scenario};
use grognard_stats::{Growing, Sample, Settings};

/// The number of runs that show whether every run ends in an error.
const TRIED: u64 = 16;

/// A question about the report of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Exact, from runs, or as the scenario suggests.
    pub mode: Mode,
    /// How a sample is taken: seed and number of runs.
    pub settings: Settings,
    /// Who may end it before its answer is known.
    pub watch: Option<Watch>,
}

/// The answer.
pub enum Answer<'s> {
    /// From all outcomes.
    Exact(Exact<'s>),
    /// From runs.
    Sampled(Sample),
}

/// An exact answer, perhaps with parts that are bounded or missing.
pub struct Exact<'s> {
    /// The result for each measure.
    pub found: Report<'s>,
    /// Whether there is an exact result for every measure.
    pub whole: bool,
    /// Whether every outcome was explored, though some may end in an error.
    pub explored: bool,
}

impl Outlook {
    /// Answers the question. A growing sample passes what it knows to `partial` after 16 runs, then after
    /// four times as many, and so on.
    ///
    /// # Errors
    ///
    /// If only exact odds can answer and they fail.
    pub fn answer<'s>(&self, scenario: &'s Scenario, partial: &mut dyn FnMut(&Sample)) -> Result<Answer<'s>, String> {
        let seeks = scenario.plan.players.iter().any(|(_, list)| list.iter().any(is_seeking));
        let only_exact = seeks || self.mode == Mode::Exact || scenario.plan.mode == Own::Exact;
        // a scenario that is meant to be sampled is rarely small, and its first runs are shown sooner
        let later = scenario.plan.mode == Own::Sampled && !seeks;
        let mut open = self.mode.explores();
        if open && !later {
            open = false;
            let effort = if seeks { Effort::Long } else { Effort::Usual };
            match explored(scenario, effort.watched(self.watch)) {
                // if all outcomes were explored and some end in an error, runs know less and may need long to find it
                Ok(found) if found.whole || found.explored || seeks => return Ok(Answer::Exact(found)),
                Err(why) if only_exact => return Err(why),
                _ => {}
            }
        }
        self.sampled(scenario, open, partial)
    }

    fn sampled<'s>(
        &self,
        scenario: &'s Scenario,
        mut open: bool,
        partial: &mut dyn FnMut(&Sample),
    ) -> Result<Answer<'s>, String> {
        let most = self.settings.runs;
        let mut growing = Growing::new(scenario, self.settings, self.watch);
        let first = Effort::FIRST_RUNS.min(most);
        let mut sample = growing.grow(1);
        for tried in [2, 4, 8, TRIED].map(|tried| tried.min(first)) {
            // a run that ends in an error may have taken long
            if sample.faults > 0 && sample.faults < sample.runs {
                partial(&sample);
            }
            sample = growing.grow(tried);
        }
        for mark in Effort::run_marks(most) {
            // rules that end every run in an error do so in later runs too
            let fails = sample.faults == sample.runs && self.mode.explores();
            if !fails {
                sample = growing.grow(mark);
            }
            if fails || sample.runs < mark || mark >= most {
                break;
            }
            partial(&sample);
            if std::mem::take(&mut open)
                && let Ok(found @ Exact { whole: true, .. }) = explored(scenario, Effort::Glance.watched(self.watch))
            {
                return Ok(Answer::Exact(found));
            }
        }
        Ok(Answer::Sampled(sample))
    }
}

impl<'s> Answer<'s> {
    /// Returns the answer as a finding about a scenario of this name.
    pub fn finding(&self, name: &str, scenario: &'s Scenario) -> Finding {
        match self {
            Answer::Exact(exact) => exact.finding(name, scenario),
            Answer::Sampled(sample) => sampled::sample(name, scenario, sample),
        }
    }
}

impl<'s> Exact<'s> {
    /// Returns the answer as a finding about a scenario of this name.
    pub fn finding(&self, name: &str, scenario: &'s Scenario) -> Finding {
        finding(name, &answers((name, scenario), &self.found, &[]), None)
    }
}

fn is_seeking(source: &Answerer) -> bool {
    matches!(source, Answerer::Best | Answerer::Worst)
}

/// Computes the exact report of a scenario.
///
/// # Errors
///
/// If the scenario cannot be explored at all.
pub fn explored(scenario: &Scenario, budget: Budget) -> Result<Exact<'_>, String> {
    let found = report(scenario, &wish(scenario, budget)).map_err(|fault| fault.message)?;
    let closed = |answer: &odds::Answer| answer.found.as_ref().is_some_and(|found| found.unexplored().is_zero());
    let explored = found.answers.iter().all(|answer| answer.as_ref().is_ok_and(closed))
        && found.graph().is_some_and(|explored| explored.free.is_empty());
    Ok(Exact { whole: problems(scenario, &found).is_empty(), explored, found })
}
