//! Samples many runs of one scenario.

use super::alias::AliasTable;
use super::batch::{ALL_FAIL, CHUNK, Watcher, Work, batch, marks, split_at, until};
use super::estimate::{Estimate, PointEstimate, estimate};
use super::runner::{Runner, Speed};
use super::stats::Level;
use super::tally::Tally;
use grognard_base::value::dice::{Site, name};
use grognard_base::{Code, Diagnostic, Watch};
use grognard_batch::{Draws, LANES};
use grognard_play::{Checked, Person, Play, Verdict, checked};
use grognard_scenario::{FigureSort, Scenario};
use grognard_vm::Fault;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
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

/// The counts of some runs, in integers. The counts of a whole sample are the sum of those of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleCounts {
    /// Number of runs that ended in an error.
    faults: u64,
    /// The number of the first such run, and the error.
    first_fault: Option<(u64, Fault)>,
    /// The verdicts on the expectations.
    verdicts: Vec<Verdict>,
    /// For each measure of the report, the frequencies of its values.
    tallies: Vec<Tally>,
}

impl SampleCounts {
    fn new(scenario: &Scenario) -> SampleCounts {
        SampleCounts { tallies: vec![Tally::default(); scenario.plan.report.len()], ..SampleCounts::default() }
    }

    fn add(&mut self, other: SampleCounts) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(all, part)| all.merge(part));
        merge(&mut self.verdicts, &other.verdicts);
        self.faults += other.faults;
        let faults = self.first_fault.take().into_iter().chain(other.first_fault);
        self.first_fault = faults.min_by_key(|(run, _)| *run);
    }
}

/// A worker with its counts. It is aligned so that two workers never share a cache line (false sharing).
#[repr(align(128))]
struct SampleWorker<'a> {
    runner: Runner<'a>,
    seed: u64,
    counts: SampleCounts,
    /// The source of values, if runs are not played.
    drawn: Option<Drawn<'a>>,
}

/// Draws values in place of runs.
struct Drawn<'a> {
    /// One table for each measure.
    tables: &'a [AliasTable],
    draws: Box<Draws>,
    /// For each table, how often each of its values was drawn since the last [`drained`].
    times: Vec<Vec<u64>>,
}

impl<'a> Drawn<'a> {
    fn new(tables: &'a [AliasTable]) -> Drawn<'a> {
        Drawn { tables, draws: Box::default(), times: vec![Vec::new(); tables.len()] }
    }

    /// Draws the measures of some runs.
    fn draw(&mut self, seed: u64, runs: Range<u64>) {
        for first in runs.clone().step_by(LANES) {
            self.draws.start(seed, first);
            let lanes = (runs.end - first).min(LANES as u64) as usize;
            for ((n, table), times) in (0..).zip(self.tables).zip(&mut self.times) {
                table.draw_each(&mut self.draws, Site::new(DRAWN, n, 0), lanes, times);
            }
        }
    }
}

/// Draws each measure of a scenario independently from its exact odds, without playing runs. The values drawn for a run
/// depend only on the seed and the run number.
pub fn drawn(scenario: &Scenario, tables: &[AliasTable], settings: Settings, watch: &Watcher<'_>) -> Sample {
    let worker =
        |_| SampleWorker { drawn: Some(Drawn::new(tables)), ..SampleWorker::new(scenario, settings.seed, None) };
    let mut workers: Vec<SampleWorker<'_>> = (0..settings.threads.max(1)).map(worker).collect();
    let sample = all_runs(scenario, settings, &mut workers, watch);
    Sample { checks: Vec::new(), drawn: true, ..sample }
}

/// Samples a scenario. If a person is asked, it uses one thread.
pub fn sample<'a>(
    scenario: &'a Scenario,
    settings: Settings,
    person: Option<&'a mut dyn Person>,
    watch: &Watcher<'_>,
) -> Sample {
    let mut workers: Vec<SampleWorker<'a>> = match person {
        Some(person) => vec![SampleWorker::new(scenario, settings.seed, Some(person))],
        None => (0..settings.threads.max(1)).map(|_| SampleWorker::new(scenario, settings.seed, None)).collect(),
    };
    all_runs(scenario, settings, &mut workers, watch)
}

/// Plays some of the runs of a sample, and returns their counts: one part for each range between two numbers of runs at
/// which the sample examines its counts. Returns `None` if `watch` ends the runs.
pub fn sample_parts(
    scenario: &Scenario,
    settings: Settings,
    runs: Range<u64>,
    watch: &Watcher<'_>,
) -> Option<Vec<(Range<u64>, SampleCounts)>> {
    let mut workers: Vec<SampleWorker<'_>> =
        (0..settings.threads.max(1)).map(|_| SampleWorker::new(scenario, settings.seed, None)).collect();
    let marks = marks(settings.runs, settings.until.is_some());
    let part = |runs: Range<u64>| {
        let reached = batch(&mut workers, runs.clone(), settings.chunk.max(1), watch);
        (reached == runs.end).then(|| (runs, drained(scenario, &mut workers)))
    };
    split_at(&marks, runs).map(part).collect()
}

/// Adds up the counts of a sample in the order of its runs, and decides when it ends. It does not matter who played the
/// runs: threads of this process, or other machines that called [`sample_parts`].
pub struct SampleGatherer {
    settings: Settings,
    /// The numbers of runs at which the counts are still to be examined.
    marks: VecDeque<u64>,
    runs: u64,
    counts: SampleCounts,
    end: Option<End>,
}

impl SampleGatherer {
    /// Creates a sample without runs.
    pub fn new(scenario: &Scenario, settings: Settings) -> SampleGatherer {
        let marks = marks(settings.runs, settings.until.is_some()).into();
        SampleGatherer { settings, marks, runs: 0, counts: SampleCounts::new(scenario), end: None }
    }

    /// Returns the number of runs so far, which is the number of the next run.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of runs at which the counts are examined next, or `None` if the sample has ended.
    pub fn goal(&self) -> Option<u64> {
        self.marks.front().copied().filter(|_| self.end.is_none())
    }

    /// Adds the counts of the next runs, up to `reached`, which is at most the goal. At the goal, decides whether the
    /// sample ends.
    pub fn add(&mut self, scenario: &Scenario, counts: SampleCounts, reached: u64) {
        self.counts.add(counts);
        self.runs = reached;
        let Some(mark) = self.goal().filter(|mark| *mark == reached) else { return };
        self.marks.pop_front();
        let early = mark == ALL_FAIL && self.settings.runs > ALL_FAIL;
        let narrow = |until| narrow(scenario, &self.settings, &self.counts.tallies, until);
        self.end = match () {
            () if mark < self.settings.runs && self.counts.faults == mark => Some(End::Failed),
            () if !early && self.settings.until.is_some_and(narrow) => Some(End::Narrow),
            () if self.marks.is_empty() => Some(End::Done),
            () => None,
        };
    }

    /// Returns the sample of the runs so far. If it has not ended, it counts as stopped.
    pub fn finish(self, scenario: &Scenario) -> Sample {
        let end = self.end.unwrap_or(End::Stopped);
        sample_of(scenario, self.settings, self.counts, self.runs, end)
    }
}

/// A sample that grows on the current thread. It keeps its counts and the transition cache.
pub struct Growing<'a> {
    scenario: &'a Scenario,
    settings: Settings,
    workers: [SampleWorker<'a>; 1],
    counts: SampleCounts,
    runs: u64,
    watch: Option<Watch>,
}

impl<'a> Growing<'a> {
    /// Creates an empty sample. `watch` can end it.
    pub fn new(scenario: &'a Scenario, settings: Settings, watch: Option<Watch>) -> Growing<'a> {
        let workers = [SampleWorker::new(scenario, settings.seed, None)];
        Growing { scenario, settings, workers, counts: SampleCounts::new(scenario), runs: 0, watch }
    }

    /// Plays runs until there are `runs` of them, and returns the sample of all. The result is the same as if they were
    /// played in one call.
    pub fn grow(&mut self, runs: u64) -> Sample {
        self.runs = batch(&mut self.workers, self.runs..runs, self.settings.chunk.max(1), &until(self.watch.clone()));
        self.counts.add(drained(self.scenario, &mut self.workers));
        let settings = Settings { runs, ..self.settings };
        let mut sample = sample_of(self.scenario, settings, self.counts.clone(), self.runs, End::Done);
        self.workers.iter().for_each(|worker| worker.runner.speed(&mut sample.speed));
        sample
    }

    /// Returns the approximate number of steps taken so far. It depends only on the runs.
    pub fn steps(&self) -> u64 {
        self.workers.iter().map(Work::steps).sum()
    }
}

/// Plays runs with the workers until all are done or the intervals are narrow enough.
fn all_runs(scenario: &Scenario, settings: Settings, workers: &mut [SampleWorker<'_>], watch: &Watcher<'_>) -> Sample {
    let mut gatherer = SampleGatherer::new(scenario, settings);
    while let Some(goal) = gatherer.goal() {
        let reached = batch(workers, gatherer.runs()..goal, settings.chunk.max(1), watch);
        gatherer.add(scenario, drained(scenario, workers), reached);
        if workers.iter().any(|w| w.runner.play.gone()) {
            gatherer.end = Some(End::Gone);
        } else if reached < goal {
            break;
        }
    }
    let mut sample = gatherer.finish(scenario);
    workers.iter().for_each(|worker| worker.runner.speed(&mut sample.speed));
    sample
}

/// Returns the counts of all workers since the last call.
fn drained(scenario: &Scenario, workers: &mut [SampleWorker<'_>]) -> SampleCounts {
    let mut all = SampleCounts::new(scenario);
    for worker in workers {
        if let Some(Drawn { tables, times, .. }) = &mut worker.drawn {
            let of_tables = tables.iter().zip(times).zip(&mut worker.counts.tallies);
            of_tables.for_each(|((table, times), tally)| table.hand_over(times, tally));
        }
        all.add(std::mem::replace(&mut worker.counts, SampleCounts::new(scenario)));
    }
    all
}

fn sample_of(scenario: &Scenario, settings: Settings, counts: SampleCounts, runs: u64, end: End) -> Sample {
    let SampleCounts { faults, first_fault, verdicts, tallies } = counts;
    let checks = checked(&scenario.plan, &verdicts);
    Sample { settings, runs, faults, first_fault, checks, tallies, end, drawn: false, speed: Speed::default() }
}

/// Returns whether every requested interval is narrow enough.
fn narrow(scenario: &Scenario, settings: &Settings, tallies: &[Tally], until: Until) -> bool {
    estimates(scenario, settings, tallies).iter().all(|e| match (until, &e.point) {
        (Until::Share(half), PointEstimate::Share { .. }) => e.reach().is_some_and(|reach| reach <= half),
        (Until::Mean(half), PointEstimate::Mean(_)) => e.reach().is_some_and(|reach| reach <= half),
        _ => true,
    })
}

/// Returns the estimate of each measure of the report.
fn estimates(scenario: &Scenario, settings: &Settings, tallies: &[Tally]) -> Vec<Estimate> {
    let anytime = settings.until.is_some();
    scenario.plan.report.iter().zip(tallies).map(|(figure, tally)| estimate(figure, tally, settings, anytime)).collect()
}

impl<'a> SampleWorker<'a> {
    fn new(scenario: &'a Scenario, seed: u64, person: Option<&'a mut dyn Person>) -> SampleWorker<'a> {
        SampleWorker { runner: Runner::new(scenario, person), seed, counts: SampleCounts::new(scenario), drawn: None }
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

impl Work for SampleWorker<'_> {
    fn steps(&self) -> u64 {
        self.runner.steps()
    }

    fn expect(&mut self, runs: u64) {
        self.runner.expect(runs);
    }

    fn together_costs(&self) -> Option<u64> {
        self.runner.together_costs()
    }

    fn together(&mut self, runs: Range<u64>) -> u64 {
        if let Some(drawn) = &mut self.drawn {
            drawn.draw(self.seed, runs.clone());
            return runs.end;
        }
        let counted = self.runner.count(self.seed, &runs, &mut self.counts.tallies);
        if counted { runs.end } else { runs.start }
    }

    fn run(&mut self, run: u64) -> bool {
        let outcome = self.runner.run(self.seed, run, self.counts.tallies.len());
        merge(&mut self.counts.verdicts, self.runner.verdicts());
        match outcome {
            Ok(()) => {
                for (tally, cells) in self.counts.tallies.iter_mut().zip(self.runner.figures.all()) {
                    cells.into_iter().for_each(|cells| tally.add(cells));
                }
            }
            Err(fault) => {
                let counts = &mut self.counts;
                counts.faults += 1;
                if counts.first_fault.as_ref().is_none_or(|(first, _)| run < *first) {
                    counts.first_fault = Some((run, fault));
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
        estimates(scenario, &self.settings, &self.tallies)
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
