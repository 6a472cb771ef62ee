//! Samples many runs of one scenario.

use super::alias::AliasTable;
use super::batch::{ALL_FAIL, CHUNK, Watcher, Work, batch, looks, until};
use super::estimate::{Estimate, PointEstimate, estimate};
use super::runner::{Runner, Speed};
use super::stats::Level;
use super::tally::Tally;
use grognard_base::value::dice::{Site, Stream, name};
use grognard_base::{Code, Diagnostic, Watch};
use grognard_play::{Checked, Person, Play, Verdict, checked};
use grognard_scenario::{FigureSort, Scenario};
use grognard_vm::Fault;
use std::ops::Range;

/// The site name of draws from exact odds.
const DRAWN: u64 = name("drawn");

/// The settings of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of dice that the scenario does not fix.
    pub seed: u64,
    /// Number of runs, or the maximum if `until` is set.
    pub runs: u64,
    /// Number of threads, at least 1. It does not affect the result.
    pub threads: usize,
    /// Number of runs that a thread takes at a time, at least 1. It does not affect the result.
    pub chunk: u64,
    /// The level of the intervals.
    pub level: Level,
    /// The condition for stopping before all runs are played.
    pub until: Option<Until>,
}

impl Settings {
    /// Creates settings with the default level and chunk size.
    pub fn of(seed: u64, runs: u64, threads: usize) -> Settings {
        Settings { seed, runs, threads, chunk: CHUNK, level: Level::USUAL, until: None }
    }
}

/// Half the width of an interval at which sampling stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// For every condition, as a share: 0.001 is 0.1%.
    Share(f64),
    /// For every mean, in its own unit; inches for lengths.
    Mean(f64),
}

/// The reason why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All runs were played.
    Done,
    /// The intervals are as narrow as requested.
    Narrow,
    /// All runs so far ended in an error.
    Failed,
    /// The watcher stopped the sampling.
    Stopped,
    /// The input of a person ended.
    Gone,
}

/// The result of sampling, in integers. It does not depend on the number of threads.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The settings of the sample.
    pub settings: Settings,
    /// Number of runs played, numbered from 0.
    pub runs: u64,
    /// Number of runs that ended in an error.
    pub faults: u64,
    /// The number of the first such run, and the error.
    pub first_fault: Option<(u64, Fault)>,
    /// The expectations with their verdicts.
    pub checks: Vec<Checked>,
    /// For each measure of the report, the frequencies of its values.
    pub tallies: Vec<Tally>,
    /// The reason why sampling ended.
    pub end: End,
    /// Whether the values were drawn from exact odds, without playing runs.
    pub drawn: bool,
    /// Statistics of how the runs were played.
    pub speed: Speed,
}

/// A worker with its counts. It is aligned so that two workers never share a cache line (false sharing).
#[repr(align(128))]
struct SampleCounts<'a> {
    runner: Runner<'a>,
    seed: u64,
    faults: u64,
    first_fault: Option<(u64, Fault)>,
    verdicts: Vec<Verdict>,
    tallies: Vec<Tally>,
    /// The alias tables to draw from, if runs are not played.
    tables: Option<&'a [AliasTable]>,
}

/// Draws each measure of a scenario independently from its exact odds, without playing runs. The values drawn for a run
/// depend only on the seed and the run number.
pub fn drawn(scenario: &Scenario, tables: &[AliasTable], settings: Settings, watch: &Watcher<'_>) -> Sample {
    let worker = |_| SampleCounts { tables: Some(tables), ..SampleCounts::new(scenario, settings.seed, None) };
    let mut workers: Vec<SampleCounts<'_>> = (0..settings.threads.max(1)).map(worker).collect();
    all_runs(scenario, settings, &mut workers, watch)
}

/// Samples a scenario. If a person is asked, it uses one thread.
pub fn sample<'a>(
    scenario: &'a Scenario,
    settings: Settings,
    person: Option<&'a mut dyn Person>,
    watch: &Watcher<'_>,
) -> Sample {
    let mut workers: Vec<SampleCounts<'a>> = match person {
        Some(person) => vec![SampleCounts::new(scenario, settings.seed, Some(person))],
        None => (0..settings.threads.max(1)).map(|_| SampleCounts::new(scenario, settings.seed, None)).collect(),
    };
    all_runs(scenario, settings, &mut workers, watch)
}

/// A sample that grows on the current thread. It keeps its counts and the transition cache.
pub struct Growing<'a> {
    scenario: &'a Scenario,
    settings: Settings,
    workers: [SampleCounts<'a>; 1],
    runs: u64,
    watch: Option<Watch>,
}

impl<'a> Growing<'a> {
    /// Creates an empty sample. `watch` can end it.
    pub fn new(scenario: &'a Scenario, settings: Settings, watch: Option<Watch>) -> Growing<'a> {
        Growing { scenario, settings, workers: [SampleCounts::new(scenario, settings.seed, None)], runs: 0, watch }
    }

    /// Plays runs until there are `runs` of them, and returns the sample of all. The result is the same as if they were
    /// played in one call.
    pub fn grow(&mut self, runs: u64) -> Sample {
        self.runs = batch(&mut self.workers, self.runs..runs, self.settings.chunk.max(1), &until(self.watch.clone()));
        gathered(self.scenario, Settings { runs, ..self.settings }, &self.workers, self.runs, End::Done)
    }

    /// Returns the approximate number of steps taken so far. It depends only on the runs.
    pub fn steps(&self) -> u64 {
        self.workers.iter().map(Work::steps).sum()
    }
}

/// Plays runs with the workers until all are done or the intervals are narrow enough.
fn all_runs(scenario: &Scenario, settings: Settings, workers: &mut [SampleCounts<'_>], watch: &Watcher<'_>) -> Sample {
    let marks: Vec<u64> = match settings.until {
        Some(_) => looks(settings.runs).collect(),
        None => vec![settings.runs],
    };
    let early = (settings.runs > ALL_FAIL).then_some(ALL_FAIL);
    let mut done = 0;
    let mut sample = gathered(scenario, settings, workers, 0, End::Done);
    for mark in early.into_iter().chain(marks) {
        let reached = batch(workers, done..mark, settings.chunk.max(1), watch);
        done = reached;
        let gone = workers.iter().any(|w| w.runner.play.gone());
        let end = match () {
            () if gone => End::Gone,
            () if reached < mark => End::Stopped,
            () => End::Done,
        };
        sample = gathered(scenario, settings, workers, done, end);
        if end == End::Done && done < settings.runs && sample.faults == done {
            sample.end = End::Failed;
        }
        if sample.end != End::Done {
            break;
        }
        if early != Some(mark) && settings.until.is_some_and(|until| narrow(scenario, &sample, until)) {
            sample.end = End::Narrow;
            break;
        }
    }
    sample
}

/// Adds up the counts of all workers.
fn gathered(scenario: &Scenario, settings: Settings, workers: &[SampleCounts<'_>], runs: u64, end: End) -> Sample {
    let mut tallies = vec![Tally::default(); scenario.plan.report.len()];
    let mut verdicts = Vec::new();
    let mut speed = Speed::default();
    for worker in workers {
        worker.runner.speed(&mut speed);
        tallies.iter_mut().zip(&worker.tallies).for_each(|(all, part)| all.merge(part));
        merge(&mut verdicts, &worker.verdicts);
    }
    let faults = workers.iter().filter_map(|w| w.first_fault.clone());
    let drawn = workers.iter().any(|w| w.tables.is_some());
    Sample {
        settings,
        runs,
        faults: workers.iter().map(|w| w.faults).sum(),
        first_fault: faults.min_by_key(|(run, _)| *run),
        checks: if drawn { Vec::new() } else { checked(&scenario.plan, &verdicts) },
        tallies,
        end,
        drawn,
        speed,
    }
}

/// Returns whether every requested interval is narrow enough.
fn narrow(scenario: &Scenario, sample: &Sample, until: Until) -> bool {
    let estimates = sample.estimates(scenario);
    estimates.iter().all(|e| match (until, &e.point) {
        (Until::Share(half), PointEstimate::Share { .. }) => e.reach().is_some_and(|reach| reach <= half),
        (Until::Mean(half), PointEstimate::Mean(_)) => e.reach().is_some_and(|reach| reach <= half),
        _ => true,
    })
}

impl<'a> SampleCounts<'a> {
    fn new(scenario: &'a Scenario, seed: u64, person: Option<&'a mut dyn Person>) -> SampleCounts<'a> {
        SampleCounts {
            runner: Runner::new(scenario, person),
            seed,
            faults: 0,
            first_fault: None,
            verdicts: Vec::new(),
            tallies: vec![Tally::default(); scenario.plan.report.len()],
            tables: None,
        }
    }
}

/// The measures of one run. The buffers are reused between runs.
#[derive(Default)]
pub(super) struct Figures {
    cells: Vec<i64>,
    /// The end of the cells of each measure, or `None` if the condition of `given` did not hold.
    ends: Vec<Option<usize>>,
}

impl Figures {
    /// Plays a started run and stores its first `count` measures. After an error the measures are incomplete.
    pub(super) fn play(&mut self, play: &mut Play<'_>, count: usize) -> Result<(), Fault> {
        self.cells.clear();
        self.ends.clear();
        play.once()?;
        for n in 0..count {
            let cells = play.figure(n)?;
            self.cells.extend_from_slice(cells.unwrap_or_default());
            self.ends.push(cells.is_some().then_some(self.cells.len()));
        }
        Ok(())
    }

    /// Removes the measures of the previous run.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.ends.clear();
    }

    /// Adds the cells of a measure, or `None` if the condition of `given` did not hold.
    pub(super) fn add(&mut self, cells: Option<impl Iterator<Item = i64>>) {
        let given = cells.is_some();
        self.cells.extend(cells.into_iter().flatten());
        self.ends.push(given.then_some(self.cells.len()));
    }

    /// Draws the measures of a run.
    fn draw(&mut self, tables: &[AliasTable], stream: &Stream) {
        self.cells.clear();
        self.ends.clear();
        for (n, table) in tables.iter().enumerate() {
            self.cells.extend_from_slice(table.draw(stream, Site::new(DRAWN, n as u64, 0)));
            self.ends.push(Some(self.cells.len()));
        }
    }

    /// Returns the cells of each measure.
    pub(super) fn all(&self) -> impl Iterator<Item = Option<&[i64]>> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let cells = &self.cells[start..(*end)?];
            start += cells.len();
            Some(cells)
        })
    }
}

impl Work for SampleCounts<'_> {
    fn steps(&self) -> u64 {
        self.runner.steps()
    }

    fn expect(&mut self, runs: u64) {
        self.runner.expect(runs);
    }

    fn together(&mut self, runs: Range<u64>) -> u64 {
        let counted = self.tables.is_none() && self.runner.count(self.seed, &runs, &mut self.tallies);
        if counted { runs.end } else { runs.start }
    }

    fn run(&mut self, run: u64) -> bool {
        let outcome = match self.tables {
            Some(tables) => {
                self.runner.figures.draw(tables, &Stream::new(self.seed, run));
                Ok(())
            }
            None => {
                let outcome = self.runner.run(self.seed, run, self.tallies.len());
                merge(&mut self.verdicts, self.runner.verdicts());
                outcome
            }
        };
        match outcome {
            Ok(()) => {
                for (tally, cells) in self.tallies.iter_mut().zip(self.runner.figures.all()) {
                    cells.into_iter().for_each(|cells| tally.add(cells));
                }
            }
            Err(fault) => {
                self.faults += 1;
                if self.first_fault.as_ref().is_none_or(|(first, _)| run < *first) {
                    self.first_fault = Some((run, fault));
                }
            }
        }
        !self.runner.play.gone()
    }
}

/// Merges the verdicts of further runs: adds up failures. One run that did not reach an expectation makes it "not
/// reached".
fn merge(all: &mut Vec<Verdict>, more: &[Verdict]) {
    if all.is_empty() {
        all.extend_from_slice(more);
        return;
    }
    for (old, new) in all.iter_mut().zip(more) {
        *old = match (*old, *new) {
            (Verdict::Fails(n), Verdict::Fails(m)) => Verdict::Fails(n + m),
            (Verdict::Fails(n), _) | (_, Verdict::Fails(n)) => Verdict::Fails(n),
            (Verdict::Unreached, _) | (_, Verdict::Unreached) => Verdict::Unreached,
            (old, _) => old,
        };
    }
}

impl Sample {
    /// Returns the estimate of each measure of the report.
    pub fn estimates(&self, scenario: &Scenario) -> Vec<Estimate> {
        let anytime = self.settings.until.is_some();
        let figures = scenario.plan.report.iter().zip(&self.tallies);
        figures.map(|(figure, tally)| estimate(figure, tally, &self.settings, anytime)).collect()
    }

    /// Returns the problems of the sample: the first run that ended in an error, expectations that do not hold in every
    /// run, and measures with too many distinct values for a tally.
    pub fn problems(&self, scenario: &Scenario) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        if let Some((run, fault)) = &self.first_fault {
            let mut found = fault.diagnostic();
            found.message = format!("in run {run}: {}", found.message);
            problems.push(found);
        }
        for checked in &self.checks {
            if let Verdict::Fails(times) = checked.verdict {
                let message = format!("`{}` does not hold in {times} of {} runs", checked.text, self.runs);
                problems.push(Diagnostic::new(Code::Expectation, checked.span, message));
            }
        }
        for (figure, tally) in scenario.plan.report.iter().zip(&self.tallies) {
            if tally.values().is_none() && figure.sort != FigureSort::Chance {
                let most = super::tally::MOST_VALUES;
                let message =
                    format!("`{}` has more than {most} different values, so they were not counted", figure.text);
                problems
                    .push(Diagnostic::new(Code::ListFull, figure.span, message).help("round it, or ask for a band"));
            }
        }
        problems
    }
}
