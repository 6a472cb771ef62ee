//! Questions in units that other processes answer. This is the interface of `grognard.scale` in the Python package. It is
//! not part of the promises of this crate.
//!
//! A [`Job`] is a question as a text, from which every process builds the same work. A *unit* is a range of runs, of
//! pairs of runs, or of points of a sweep. It is a pure function of the text and the range: its result has the same bytes
//! on every machine. A [`Gatherer`] takes the parts of units in the order of runs, and yields the result that one process
//! gives. Only the gatherer applies the stopping rule, at the interim analyses, so neither the sizes of units nor the
//! order of their arrival changes a result.

use crate::comparison::{Versions, unanswered};
use crate::library::Shelf;
use crate::scenario::Changes;
use crate::sweep::Points;
use crate::watch::Watching;
use crate::{
    CompareRequest, Comparison, Effort, Error, Progress, Rules, Sample, SampleRequest, Scenario, Sweep, SweepRequest,
    Texts,
};
use grognard_ask::{Begun, Compare, Compared, KnownAnswers};
use grognard_play::odds::NotExact;
use grognard_report::sweep::Row;
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, PairGatherer, Question, SampleGatherer, Settings, Until, pair_parts, sample_parts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Maximum number of runs of a sample, or of pairs of a comparison. It is below
/// [`OWN_DICE`](grognard_stats::OWN_DICE), from which the runs of B are numbered in an unpaired comparison.
pub const MOST_RUNS: u64 = 1_000_000_000_000;

/// A scenario as data: all texts that it is loaded from, and the changes after it was loaded.
#[derive(Serialize, Deserialize)]
pub struct Packed {
    pub texts: BTreeMap<String, String>,
    pub path: String,
    pub text: String,
    /// The path of rules in place of those that the scenario names.
    pub rules: Option<String>,
    pub(crate) changes: Changes,
}

/// Returns a scenario as a text that another process can [`unpack`].
///
/// # Errors
///
/// If the scenario cannot be loaded from the texts that were read for it.
pub fn pack(scenario: &Scenario) -> Result<String, Error> {
    json(&scenario.packed()?)
}

/// Loads a scenario from the text of [`pack`].
///
/// # Errors
///
/// If the text is not one of these.
pub fn unpack(text: &str) -> Result<Scenario, Error> {
    Scenario::unpacked(read(text)?)
}

/// Returns the texts that rules are loaded from.
///
/// # Errors
///
/// If the rules cannot be loaded from the texts that were read for them.
pub fn texts_of(rules: &Rules) -> Result<BTreeMap<String, String>, Error> {
    let shelf = Shelf::new(rules.shelf().seen().into_iter().collect::<Texts>());
    Rules::of(shelf.clone(), rules.path())?;
    Ok(shelf.seen())
}

/// A question as data.
#[derive(Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Asked {
    Simulate {
        scenario: Packed,
        seed: u64,
        runs: u64,
        /// The half-width at which the sample ends, and whether it is that of a share.
        until: Option<(f64, bool)>,
        level: String,
    },
    Compare {
        a: Packed,
        b: Packed,
        seed: u64,
        runs: u64,
        within: Option<f64>,
        unpaired: bool,
        every: bool,
        /// Whether the measures were named.
        named: bool,
        /// Why the answer is not exact, if an exact answer was tried.
        not_exact: Option<NotExact>,
        left_out: Vec<String>,
    },
    Sweep {
        scenario: Packed,
        over: Vec<String>,
        of: Vec<String>,
        mode: Option<String>,
        /// The amount of work of an exact answer; `None` for that of the mode.
        effort: Option<Effort>,
        seed: Option<u64>,
        runs: Option<u64>,
        level: String,
    },
}

/// A question that other processes can answer in units.
pub struct Job {
    text: String,
    key: String,
    work: Work,
}

enum Work {
    Simulate { scenario: Scenario, settings: Settings },
    Compare { versions: Box<Versions>, not_exact: Option<NotExact>, left_out: Vec<String> },
    Sweep(Box<Points>),
}

/// A part of the result of a unit: its range, and its counts as a text.
pub type Part = (Range<u64>, String);

impl SampleRequest<'_> {
    /// Returns the question as a job.
    pub fn job(self) -> Result<Job, Error> {
        let (scenario, question) = self.question(MOST_RUNS)?;
        let settings = question.settings(&scenario.plain().scenario.plan);
        Job::new(&Asked::Simulate {
            scenario: scenario.packed()?,
            seed: settings.seed,
            runs: settings.runs,
            until: settings.until.map(|until| match until {
                Until::Share(width) => (width, true),
                Until::Mean(width) => (width, false),
            }),
            level: settings.level.name.to_string(),
        })
    }
}

impl CompareRequest<'_> {
    /// Tries an exact answer, as the question demands, and otherwise returns a job that answers it from runs.
    pub fn job(self) -> Result<Result<Comparison, Job>, Error> {
        let Versions { scenarios, mut sides, compare } = self.versions(MOST_RUNS)?;
        let mut left_out = Vec::new();
        let begun = compare.begin(&mut sides, &mut |why| left_out.push(why.to_string())).map_err(unanswered)?;
        let not_exact = match begun {
            Begun::Exact(found) => return Ok(Ok(Comparison::found(&scenarios, compare.question, *found, left_out))),
            Begun::Runs(why) => why,
        };
        let Question { seed, runs, within, unpaired, every, .. } = compare.question;
        let [a, b] = &scenarios;
        let (a, b, named) = (a.packed()?, b.packed()?, compare.named);
        let asked = Asked::Compare { a, b, seed, runs, within, unpaired, every, named, not_exact, left_out };
        Job::new(&asked).map(Err)
    }
}

impl SweepRequest<'_> {
    /// Returns the question as a job.
    pub fn job(self) -> Result<Job, Error> {
        Job::new(&Asked::Sweep {
            scenario: self.scenario.packed()?,
            over: self.over,
            of: self.of,
            mode: self.mode.map(|mode| mode.word().to_string()),
            effort: self.effort,
            seed: self.runs.seed,
            runs: self.runs.runs,
            level: self.runs.level.name.to_string(),
        })
    }
}

impl Job {
    fn new(asked: &Asked) -> Result<Job, Error> {
        Job::read(json(asked)?)
    }

    /// Builds the work from the text of a job.
    ///
    /// # Errors
    ///
    /// If the text is not that of a job.
    pub fn read(text: String) -> Result<Job, Error> {
        let level = |name: &str| Level::of(name).ok_or_else(|| broken("an unknown level"));
        let work = match read(&text)? {
            Asked::Simulate { scenario, seed, runs, until, level: name } => {
                let until = until.map(|(width, share)| if share { Until::Share(width) } else { Until::Mean(width) });
                let settings = Settings { until, level: level(&name)?, ..Settings::of(seed, runs, 1) };
                Work::Simulate { scenario: Scenario::unpacked(scenario)?, settings }
            }
            Asked::Compare { a, b, seed, runs, within, unpaired, every, named, not_exact, left_out } => {
                let (a, b) = (Scenario::unpacked(a)?, Scenario::unpacked(b)?);
                let mut request = a.compare(&b).pairs(runs).seed(seed);
                if every {
                    request = request.every();
                }
                if unpaired {
                    request = request.unpaired();
                }
                if let Some(within) = within {
                    request = request.within(within);
                }
                let mut versions = request.versions(MOST_RUNS)?;
                let compare = Compare { named, ..versions.compare };
                compare.fit(&mut versions.sides);
                Work::Compare { versions: Box::new(Versions { compare, ..versions }), not_exact, left_out }
            }
            Asked::Sweep { scenario, over, of, mode, effort, seed, runs, level: name } => {
                let scenario = Scenario::unpacked(scenario)?;
                let mut request = scenario.sweep().level(level(&name)?.name);
                request.over = over;
                request.of = of;
                request.mode = mode.as_deref().and_then(grognard_ask::Mode::of);
                request.effort = effort;
                (request.runs.seed, request.runs.runs) = (seed, runs);
                Work::Sweep(Box::new(request.points()?))
            }
        };
        let mut sum = Sha256::new();
        for part in [env!("CARGO_PKG_VERSION"), "\n", &text] {
            sum.update(part.as_bytes());
        }
        let mut key = String::new();
        for byte in sum.finalize() {
            let _ = write!(key, "{byte:02x}");
        }
        Ok(Job { text, key, work })
    }

    /// Returns the text, from which other processes build the same job.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash of the text and of the version of this crate. Equal keys have equal results.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the maximum number of runs or of pairs, or the number of points.
    pub fn size(&self) -> u64 {
        match &self.work {
            Work::Simulate { settings, .. } => settings.runs,
            Work::Compare { versions, .. } => versions.compare.question.runs,
            Work::Sweep(points) => points.grid.points(),
        }
    }

    /// Returns whether it is a sweep, whose units are points.
    pub fn is_sweep(&self) -> bool {
        matches!(self.work, Work::Sweep(_))
    }

    /// Computes a unit. Its parts are those between interim analyses, or single points. Returns `None` if `look` ends the
    /// work.
    ///
    /// # Errors
    ///
    /// If the range is not one of the job.
    pub fn unit(
        &self,
        range: Range<u64>,
        look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Result<Option<Vec<Part>>, Error> {
        if range.start >= range.end || range.end > self.size() {
            return Err(broken("a unit out of range"));
        }
        let watching = Watching::new(look);
        let watch = |runs| watching.continues(runs);
        match &self.work {
            Work::Simulate { scenario, settings } => {
                texts(sample_parts(&scenario.plain().scenario, *settings, range, &watch))
            }
            Work::Compare { versions, .. } => {
                let [a, b] = &versions.sides;
                let question = Question { threads: 1, chunk: CHUNK, ..versions.compare.question };
                texts(pair_parts([a, b], question, range, &watch))
            }
            Work::Sweep(points) => {
                let mut known = KnownAnswers::default();
                texts(range.map(|n| Some((n..n + 1, points.rows(n, &mut known, &watching)?))).collect())
            }
        }
    }

    /// Returns a gatherer without parts.
    ///
    /// # Errors
    ///
    /// If a measure cannot be compared.
    pub fn gatherer(self: &Arc<Job>) -> Result<Gatherer, Error> {
        let state = match &self.work {
            Work::Simulate { scenario, settings } => {
                State::Simulate(Box::new(SampleGatherer::new(&scenario.plain().scenario, *settings)))
            }
            Work::Compare { versions, .. } => {
                let [a, b] = &versions.sides;
                let gatherer = PairGatherer::new([a, b], versions.compare.question).map_err(unfit)?;
                State::Compare(Box::new(gatherer))
            }
            Work::Sweep(_) => State::Sweep(Vec::new(), 0),
        };
        Ok(Gatherer { job: Arc::clone(self), state })
    }
}

/// The result of a job.
pub enum Found {
    Sample(Sample),
    Comparison(Comparison),
    Sweep(Sweep),
}

/// Takes the parts of a job in order, and decides when it ends.
pub struct Gatherer {
    job: Arc<Job>,
    state: State,
}

enum State {
    Simulate(Box<SampleGatherer>),
    Compare(Box<PairGatherer>),
    /// The rows and the number of finished points.
    Sweep(Vec<Row>, u64),
}

impl Gatherer {
    /// Returns the number of the run, pair or point that comes next.
    pub fn reached(&self) -> u64 {
        match &self.state {
            State::Simulate(gatherer) => gatherer.runs(),
            State::Compare(gatherer) => gatherer.runs(),
            State::Sweep(_, finished) => *finished,
        }
    }

    /// Returns the number up to which parts can be added now, or `None` if no more are needed.
    fn goal(&self) -> Option<u64> {
        match &self.state {
            State::Simulate(gatherer) => gatherer.goal(),
            State::Compare(gatherer) => gatherer.goal(),
            State::Sweep(_, finished) => Some(self.job.size()).filter(|size| finished < size),
        }
    }

    /// Returns whether no more parts are needed.
    pub fn is_done(&self) -> bool {
        self.goal().is_none()
    }

    /// Adds the part that comes next.
    ///
    /// # Errors
    ///
    /// If it is another one, or its text is not the result of a unit.
    pub fn add(&mut self, range: Range<u64>, text: &str) -> Result<(), Error> {
        if range.start != self.reached() || range.is_empty() || self.goal().is_none_or(|goal| range.end > goal) {
            return Err(broken("a part that does not come next"));
        }
        match (&mut self.state, &self.job.work) {
            (State::Simulate(gatherer), Work::Simulate { scenario, .. }) => {
                gatherer.add(&scenario.plain().scenario, read(text)?, range.end);
            }
            (State::Compare(gatherer), Work::Compare { versions, .. }) => {
                let [a, b] = &versions.sides;
                gatherer.add([a, b], read(text)?, range.end).map_err(unfit)?;
            }
            (State::Sweep(rows, finished), Work::Sweep(_)) => {
                rows.extend(read::<Vec<Row>>(text)?);
                *finished = range.end;
            }
            _ => return Err(broken("a gatherer of another job")),
        }
        Ok(())
    }

    /// Returns the result of the parts so far. If more are needed, it counts as stopped.
    ///
    /// # Errors
    ///
    /// If every run ended in an error.
    pub fn finish(self) -> Result<Found, Error> {
        let stopped = !self.is_done();
        match (self.state, &self.job.work) {
            (State::Simulate(gatherer), Work::Simulate { scenario, .. }) => {
                let sample = gatherer.finish(&scenario.plain().scenario);
                Sample::of(scenario.clone(), sample).map(Found::Sample)
            }
            (State::Compare(gatherer), Work::Compare { versions, not_exact, left_out }) => {
                let [a, b] = &versions.sides;
                let found = grognard_stats::Compared::Sampled(gatherer.finish([a, b]).map_err(unfit)?);
                let found = Compared { found, not_exact: not_exact.clone() };
                let question = versions.compare.question;
                Ok(Found::Comparison(Comparison::found(&versions.scenarios, question, found, left_out.clone())))
            }
            (State::Sweep(rows, finished), Work::Sweep(points)) => {
                Ok(Found::Sweep(points.sweep(rows, finished, stopped)))
            }
            _ => Err(broken("a gatherer of another job")),
        }
    }
}

fn unfit(unfit: grognard_stats::Unfit) -> Error {
    unanswered(grognard_ask::Unanswered::Unfit(unfit.why))
}

/// Writes the counts of parts.
fn texts<C: Serialize>(parts: Option<Vec<(Range<u64>, C)>>) -> Result<Option<Vec<Part>>, Error> {
    parts.map(|parts| parts.into_iter().map(|(range, counts)| Ok((range, json(&counts)?))).collect()).transpose()
}

fn broken(what: &str) -> Error {
    Error::input(format!("{what}: this is not a result of the same version"), "use one version on all machines")
}

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|why| broken(&why.to_string()))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|why| broken(&why.to_string()))
}
