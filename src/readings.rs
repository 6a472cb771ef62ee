//! The effect of each reading of a rulebook on a scenario.

use crate::limits;
use crate::watch::Watching;
use crate::{Effort, Error, ErrorKind, Progress, Report, Scenario};
use grognard_ask::{self as ask, Mode, NoReadings, Runs};
use grognard_base as base;
use grognard_base::Sources;
use grognard_report::readings as shown;
use grognard_scenario::Prepared;
use grognard_stats::readings as stats;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A question about the effects of the readings on a scenario.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct ReadingsRequest<'s> {
    scenario: &'s Scenario,
    of: Vec<String>,
    only: Vec<String>,
    mode: Mode,
    effort: Option<Effort>,
    within: Option<f64>,
    runs: Runs,
    watching: Watching,
}

impl<'s> ReadingsRequest<'s> {
    pub(crate) fn new(scenario: &'s Scenario) -> ReadingsRequest<'s> {
        ReadingsRequest {
            scenario,
            of: Vec::new(),
            only: Vec::new(),
            mode: Mode::Auto,
            effort: None,
            within: None,
            runs: Runs::of(base::Effort::Usual),
            watching: Watching::default(),
        }
    }

    /// Measures this expression at the end, in place of the report of the scenario. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Reports only this reading. Call it again for further ones.
    pub fn only(mut self, reading: &str) -> Self {
        self.only.push(reading.to_string());
        self
    }

    /// Answers exactly or not at all. Of `exact` and [`sampled`](ReadingsRequest::sampled), the last call counts.
    pub fn exact(mut self) -> Self {
        self.mode = Mode::Exact;
        self
    }

    /// Answers from pairs of runs.
    pub fn sampled(mut self) -> Self {
        self.mode = Mode::Sampled;
        self
    }

    /// Sets the amount of work of each exact answer.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = Some(effort);
        self
    }

    /// Sets the largest difference of the first measure that counts as the same: a share such as 0.01, or a number.
    pub fn within(mut self, margin: f64) -> Self {
        self.within = Some(margin);
        self
    }

    /// Sets the number of pairs of runs for each reading. The default is the number of the scenario, or else 10,000.
    pub fn runs(mut self, runs: u64) -> Self {
        self.runs.runs = Some(runs);
        self
    }

    /// Sets the seed. The default is the seed of the scenario.
    pub fn seed(mut self, seed: u64) -> Self {
        self.runs.seed = Some(seed);
        self
    }

    /// Sets the number of threads, at least 1; at most 256 are used. The result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.runs.threads = threads;
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the result then has the readings so far.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Computes the effects.
    ///
    /// # Errors
    ///
    /// If the scenario has no measure with a mean, a reading does not exist, a number of the question is out of range, or
    /// an exact answer was demanded and is too large.
    pub fn compute(self) -> Result<Readings, Error> {
        self.within.map_or(Ok(()), |margin| limits::width("the margin", margin, false))?;
        self.runs.runs.map_or(Ok(0), |runs| limits::runs(runs, "runs", grognard_base::Effort::MOST_RUNS))?;
        let runs = Runs { threads: limits::threads(self.runs.threads)?, ..self.runs };
        let effort = self.effort.map_or(Ok(self.mode.effort()), limits::effort)?;
        let question = ask::Readings { mode: self.mode, runs, of: self.of.clone(), only: self.only.clone() };
        let mut sources = Sources::default();
        let mut prepare = |of: &[String]| {
            let (prepared, texts) = self.scenario.prepared(of, None)?;
            sources = texts;
            Ok::<Prepared, Error>(prepared)
        };
        let unanswered = |why: NoReadings<Error>| match why {
            NoReadings::Unread(error) => error,
            NoReadings::Refused(why) => Error::input(why.to_string(), "name a measure with `of`"),
            NoReadings::Unknown(why) => Error::input(why, "use a reading that the rules declare"),
            NoReadings::Unset(found) => Error::found(ErrorKind::Scenario, &found, &Sources::default()),
            NoReadings::Unfit(why) => Error::input(why, "measure a number or a condition"),
            NoReadings::Beyond(why) => Error::not_exact(&why),
        };
        let mut asked = question.bind(&mut prepare).map_err(unanswered)?;
        let mut left_out = Vec::new();
        let found = loop {
            let budget = self.watching.budget(effort.budget());
            let watch = |runs| self.watching.continues(runs);
            match asked.answer(budget, self.within, &watch, (&[], &mut |_| ())) {
                Ok(found) => break found,
                Err(misfit) => left_out.push(asked.leave_out(misfit).map_err(unanswered)?),
            }
        };
        let seed = asked.settings().map_or(0, |sampled| sampled.seed);
        let kept = Kept { scenario: self.scenario.path().to_string(), table: asked.table().clone(), seed, found };
        Ok(Readings { kept: Arc::new(kept), left_out })
    }
}

/// The effects of the readings on the measures of a scenario.
///
/// ```
/// use grognard::Scenario;
///
/// let scenario = Scenario::shipped("warstrike/scenarios/exchange-of-fire.toml")?;
/// let readings = scenario.readings().runs(100).compute()?;
/// assert!(readings.report().to_csv().starts_with("scenario,rules,reading,alternative"));
/// # Ok::<(), grognard::Error>(())
/// ```
#[derive(Clone)]
pub struct Readings {
    kept: Arc<Kept>,
    left_out: Vec<String>,
}

struct Kept {
    scenario: String,
    table: Prepared,
    seed: u64,
    found: stats::Readings,
}

impl Readings {
    /// Returns the result as the command line reports it.
    pub fn report(&self) -> Report {
        let Kept { scenario, table, seed, found } = &*self.kept;
        Report(shown::finding(&shown::ReadingsTable { scenario, rules: table.rules(), seed: *seed, found }))
    }

    /// Returns whether the function of [`ReadingsRequest::watch`] ended the work.
    pub fn is_stopped(&self) -> bool {
        self.kept.found.stopped
    }

    /// Returns why measures of the report are omitted.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

impl fmt::Debug for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Readings").field(&self.kept.scenario).finish()
    }
}
