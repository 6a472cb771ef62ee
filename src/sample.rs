//! Many runs: estimates with intervals.

use crate::limits;
use crate::value::same_text;
use crate::watch::Watching;
use crate::{Diagnostic, Error, ErrorKind, Fraction, Progress, Scenario, Value};
use grognard_ask::{Runs, Simulate};
use grognard_base as base;
use grognard_base::value;
use grognard_stats::stats::Level;
use grognard_stats::{self as stats, End, PointEstimate, Until};
use serde::Serialize;
use std::ops::ControlFlow;
#[cfg(feature = "report")]
use std::sync::Arc;

/// A question about many runs of a scenario.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct SampleRequest<'s> {
    scenario: &'s Scenario,
    of: Vec<String>,
    hist: Vec<String>,
    runs: Option<u64>,
    seed: Option<u64>,
    threads: usize,
    until: Option<Until>,
    level: Option<String>,
    watching: Watching,
}

impl<'s> SampleRequest<'s> {
    pub(crate) fn new(scenario: &'s Scenario, runs: u64) -> SampleRequest<'s> {
        SampleRequest {
            scenario,
            of: Vec::new(),
            hist: Vec::new(),
            runs: Some(runs),
            seed: None,
            threads: 1,
            until: None,
            level: None,
            watching: Watching::default(),
        }
    }

    /// Measures this expression at the end, in place of the report of the scenario. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Counts the values of this expression at the end, in place of the report of the scenario: see [`Estimate::values`].
    /// Call it again for further measures. They follow those of [`of`](SampleRequest::of).
    pub fn hist(mut self, expression: &str) -> Self {
        self.hist.push(expression.to_string());
        self
    }

    /// Sets the seed. The default is the seed of the scenario.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the number of threads, at least 1; at most 256 are used. The result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Ends the sample early when the interval of every condition is at most this far from its estimate, such as 0.01 for
    /// one percentage point. The number of runs is then a maximum. Of this and [`until_mean`](SampleRequest::until_mean),
    /// the last call counts.
    pub fn until_share(mut self, half_width: f64) -> Self {
        self.until = Some(Until::Share(half_width));
        self
    }

    /// Ends the sample early when the interval of every mean is at most this far from its estimate. The number of runs
    /// is then a maximum. The mean must have bounds.
    pub fn until_mean(mut self, half_width: f64) -> Self {
        self.until = Some(Until::Mean(half_width));
        self
    }

    /// Plays the number of runs that the scenario states, or else 10,000. With a width, it is at most 10,000,000.
    pub fn usual_runs(mut self) -> Self {
        self.runs = None;
        self
    }

    /// Sets the confidence level of the intervals in percent: `90`, `95`, `99`, `99.9` or `99.99`.
    pub fn level(mut self, percent: &str) -> Self {
        self.level = Some(percent.to_string());
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the sample then has the runs so far.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Plays the runs.
    ///
    /// # Errors
    ///
    /// If there is nothing to measure, an expression does not fit the table, a person answers in the scenario, or a
    /// player needs exact odds. If the number of runs or of threads, the width or the confidence level is out of range, or
    /// the sample has no measure that a width is for. If every run ends in an error of the rules.
    pub fn compute(self) -> Result<Sample, Error> {
        let watching = self.watching.clone();
        let (scenario, question) = self.question(base::Effort::MOST_RUNS)?;
        let sample = question.answer(&scenario.plain().scenario, &|runs| watching.continues(runs));
        Sample::of(scenario, sample.map_err(|why| refused(why.to_string()))?)
    }

    /// Checks the question, which has at most `most` runs.
    pub(crate) fn question(self, most: u64) -> Result<(Scenario, Simulate), Error> {
        match self.until {
            Some(Until::Share(width)) => limits::width("the width", width, true)?,
            Some(Until::Mean(width)) => limits::width("the width", width, false)?,
            None => {}
        }
        self.runs.map_or(Ok(0), |runs| limits::runs(runs, "runs", most))?;
        let level = self.level.as_deref().map_or(Ok(Level::USUAL), limits::level)?;
        let threads = limits::threads(self.threads)?;
        let reported = self.of.is_empty() && self.hist.is_empty();
        let scenario = if reported { self.scenario.clone() } else { self.scenario.measured(self.of, self.hist)? };
        let runs = Runs { seed: self.seed, runs: self.runs, threads, level, ..Runs::of(base::Effort::Usual) };
        let question = Simulate { runs, until: self.until, drawn: None };
        question.check(&scenario.plain().scenario).map_err(|why| refused(why.to_string()))?;
        Ok((scenario, question))
    }
}

fn refused(why: String) -> Error {
    Error::input(why, "change the measures or the players of the scenario")
}

impl Sample {
    pub(crate) fn of(scenario: Scenario, sample: stats::Sample) -> Result<Sample, Error> {
        let bound = scenario.plain();
        let estimates = sample.estimates(&bound.scenario);
        let estimates = estimates.into_iter().map(|one| Estimate::of(&bound.scenario.game, one)).collect();
        let fault =
            |(run, fault): &(u64, grognard_vm::Fault)| (*run, Diagnostic::of(&fault.diagnostic(), &bound.sources));
        if sample.faults == sample.runs
            && let Some((_, fault)) = &sample.first_fault
        {
            return Err(Error::found(ErrorKind::Run, &[fault.diagnostic()], &bound.sources));
        }
        let first_fault = sample.first_fault.as_ref().map(fault);
        Ok(Sample {
            runs: sample.runs,
            seed: sample.settings.seed,
            faults: sample.faults,
            first_fault,
            estimates,
            stopped: sample.end == End::Stopped,
            #[cfg(feature = "report")]
            kept: Arc::new((scenario.clone(), sample)),
        })
    }
}

/// The result of many runs. It depends only on the scenario, the seed and the number of runs.
///
/// With `serde`, it has the fields `runs`, `seed`, `faults`, `first_fault` (its `run` and `error`), `estimates` and
/// `stopped`. An estimate has `text`, `counted`, `value`, `share`, `interval`, `level`, `method` and `values` (each a
/// `value` and its `runs`).
///
/// ```
/// use grognard::{Folder, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let sample = scenario.sample(10_000).of("raiders.men <= 2").seed(1).threads(2).compute()?;
/// let estimate = sample.first();
/// let (low, high) = estimate.interval().unwrap();
/// let exact = scenario.odds().of("raiders.men <= 2").compute()?.first().chance().to_f64();
/// assert!(low <= exact && exact <= high);
///
/// let sample = scenario.sample(100).hist("raiders.men").compute()?;
/// assert_eq!(sample.first().values().iter().map(|(_, runs)| runs).sum::<u64>(), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    runs: u64,
    seed: u64,
    faults: u64,
    #[serde(serialize_with = "crate::json::fault")]
    first_fault: Option<(u64, Diagnostic)>,
    estimates: Vec<Estimate>,
    stopped: bool,
    #[cfg(feature = "report")]
    #[serde(skip)]
    kept: Arc<(Scenario, stats::Sample)>,
}

impl Sample {
    /// Returns the result as the command line reports it.
    #[cfg(feature = "report")]
    pub fn report(&self) -> crate::Report {
        let (scenario, sample) = &*self.kept;
        crate::Report(grognard_report::sampled::sample(scenario.path(), &scenario.plain().scenario, sample))
    }

    /// Returns whether the function of [`SampleRequest::watch`] ended the runs.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the number of runs that were played.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the seed of the runs.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the estimate of the first measure.
    pub fn first(&self) -> &Estimate {
        &self.estimates[0]
    }

    /// Returns the estimate of the measure with this text.
    pub fn get(&self, expression: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|one| same_text(&one.text, expression))
    }

    /// Returns the estimate of each measure.
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// Returns the number of runs that ended in an error. They do not count for any measure.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Returns the number of the first run that ended in an error, and the error. [`Run::number`](crate::Run::number)
    /// plays it again.
    pub fn first_fault(&self) -> Option<(u64, &Diagnostic)> {
        self.first_fault.as_ref().map(|(run, fault)| (*run, fault))
    }
}

/// The estimate of one measure from a sample.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    text: String,
    counted: u64,
    value: Option<f64>,
    share: Option<Fraction>,
    interval: Option<(f64, f64)>,
    level: &'static str,
    method: &'static str,
    #[serde(serialize_with = "crate::json::values")]
    values: Vec<(Value, u64)>,
}

impl Estimate {
    fn of(game: &grognard_vm::Game, found: stats::Estimate) -> Estimate {
        let values = match &found.point {
            PointEstimate::Values(values) => {
                values.iter().map(|(c, n, _)| (crate::value::of(game, &found.ty, c), *n)).collect()
            }
            PointEstimate::Share { .. } | PointEstimate::Mean(_) => Vec::new(),
        };
        let share = match &found.point {
            PointEstimate::Share { held } if found.counted > 0 => {
                Some(Fraction(value::Fraction::new((*held).into(), found.counted.into())))
            }
            _ => None,
        };
        Estimate {
            counted: found.counted,
            value: found.value(),
            share,
            interval: found.interval,
            level: found.level.name,
            method: found.method.name(),
            values,
            text: found.text,
        }
    }

    /// Returns the expression that was measured.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of runs that count: those without an error in which the condition of the measure holds.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// Returns the share of a condition, or the mean of a number; lengths are in inches. `None` for other values.
    pub fn value(&self) -> Option<f64> {
        self.value
    }

    /// Returns the share of a condition as a fraction of the runs.
    pub fn share(&self) -> Option<&Fraction> {
        self.share.as_ref()
    }

    /// Returns the confidence interval, or `None` for a mean without bounds and for a histogram.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.interval
    }

    /// Returns the confidence level of the interval in percent, such as `95`.
    pub fn level(&self) -> &str {
        self.level
    }

    /// Returns the method of the interval.
    pub fn method(&self) -> &str {
        self.method
    }

    /// Returns the values of a histogram with the number of their runs, in ascending order.
    pub fn values(&self) -> &[(Value, u64)] {
        &self.values
    }
}
