//! Many runs of one scenario.

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

/// What draws from odds are for.
const DRAWN: u64 = name("drawn");

/// How a scenario is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of dice that are not given.
    pub seed: u64,
    /// How many runs, or how many at most.
    pub runs: u64,
    /// Threads that share them, 1 or more. The result does not hang on it.
    pub threads: usize,
    /// Runs a thread takes at a time, 1 or more. The result does not hang on it.
    pub chunk: u64,
    /// The level of intervals.
    pub level: Level,
    /// When to stop before all runs are done.
    pub until: Option<Until>,
}

impl Settings {
    /// So many runs at the usual level.
    pub fn of(seed: u64, runs: u64, threads: usize) -> Settings {
        Settings { seed, runs, threads, chunk: CHUNK, level: Level::USUAL, until: None }
    }
}

/// Half the width of an interval at which sampling stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// Of every condition, as a share: 0.001 is 0.1%.
    Share(f64),
    /// Of every mean, in its own units; lengths in inches.
    Mean(f64),
}

/// Why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All runs were done.
    Done,
    /// The intervals are as narrow as was asked for.
    Narrow,
    /// All runs so far ended in an error.
    Failed,
    /// Somebody stopped it.
    Stopped,
    /// The input of a person ended.
    Gone,
}

/// What came of a sample: whole numbers, the same on any number of threads.
#[derive(Clone, Debug)]
pub struct Sample {
    /// How it was sampled.
    pub settings: Settings,
    /// Runs that were done: those numbered from 0.
    pub runs: u64,
    /// Runs that ended in an error.
    pub faults: u64,
    /// The first of them, and its error.
    pub first_fault: Option<(u64, Fault)>,
    /// Every expectation and its verdict.
    pub checks: Vec<Checked>,
    /// For each figure of the report, how often each value came.
    pub tallies: Vec<Tally>,
    /// Why it ended.
    pub end: End,
    /// Values were drawn from exact odds, and no run was played.
    pub drawn: bool,
    /// How the runs were played.
    pub speed: Speed,
}

/// A worker and what it counted. Two of them share no line of the cache, so that neither waits for the other.
#[repr(align(128))]
struct SampleCounts<'a> {
    runner: Runner<'a>,
    seed: u64,
    faults: u64,
    first_fault: Option<(u64, Fault)>,
    verdicts: Vec<Verdict>,
    tallies: Vec<Tally>,
    /// What is drawn instead of playing.
    tables: Option<&'a [AliasTable]>,
}

/// Draws the figures of a scenario from their exact odds, each by itself, instead of playing runs. What a run draws hangs
/// on its number alone, as if it were played.
pub fn drawn(scenario: &Scenario, tables: &[AliasTable], settings: Settings, watch: &Watcher<'_>) -> Sample {
    let worker = |_| SampleCounts { tables: Some(tables), ..SampleCounts::new(scenario, settings.seed, None) };
    let mut workers: Vec<SampleCounts<'_>> = (0..settings.threads.max(1)).map(worker).collect();
    all_runs(scenario, settings, &mut workers, watch)
}

/// Samples a scenario. With a person who is asked there is one thread.
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

/// A sample that grows on this thread: what was counted so far, and what is known of positions.
pub struct Growing<'a> {
    scenario: &'a Scenario,
    settings: Settings,
    workers: [SampleCounts<'a>; 1],
    runs: u64,
    watch: Option<Watch>,
}

impl<'a> Growing<'a> {
    /// Nothing is played yet; `watch` may end it.
    pub fn new(scenario: &'a Scenario, settings: Settings, watch: Option<Watch>) -> Growing<'a> {
        Growing { scenario, settings, workers: [SampleCounts::new(scenario, settings.seed, None)], runs: 0, watch }
    }

    /// Plays more runs, up to so many, and gives the sample of all so far: the same as if they were played at once.
    pub fn grow(&mut self, runs: u64) -> Sample {
        self.runs = batch(&mut self.workers, self.runs..runs, self.settings.chunk.max(1), &until(self.watch));
        gathered(self.scenario, Settings { runs, ..self.settings }, &self.workers, self.runs, End::Done)
    }

    /// Returns about how many steps of play the runs took so far. It depends only on the runs.
    pub fn steps(&self) -> u64 {
        self.workers.iter().map(Work::steps).sum()
    }
}

/// Has the workers do the runs, until they are done or the intervals are narrow enough.
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

/// Adds up what the workers counted.
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

/// True if every interval that was asked about is narrow enough.
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

/// The figures of one run, with the room they took in the run before.
#[derive(Default)]
pub(super) struct Figures {
    cells: Vec<i64>,
    /// Where the cells of each end; none where what is given did not hold.
    ends: Vec<Option<usize>>,
}

impl Figures {
    /// Plays a run that was started, and keeps its first so many figures: all of them or, after an error, none.
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

    /// Forgets those of the run before.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.ends.clear();
    }

    /// Adds the cells of one more, if what is given held.
    pub(super) fn add(&mut self, cells: Option<impl Iterator<Item = i64>>) {
        let given = cells.is_some();
        self.cells.extend(cells.into_iter().flatten());
        self.ends.push(given.then_some(self.cells.len()));
    }

    /// Draws the figures of a run.
    fn draw(&mut self, tables: &[AliasTable], stream: &Stream) {
        self.cells.clear();
        self.ends.clear();
        for (n, table) in tables.iter().enumerate() {
            self.cells.extend_from_slice(table.draw(stream, Site::new(DRAWN, n as u64, 0)));
            self.ends.push(Some(self.cells.len()));
        }
    }

    /// The cells of each figure.
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

/// Verdicts of more runs: failures are counted, and one run that did not come so far is enough for "not reached".
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
    /// What the sample says about each figure of the report.
    pub fn estimates(&self, scenario: &Scenario) -> Vec<Estimate> {
        let anytime = self.settings.until.is_some();
        let figures = scenario.plan.report.iter().zip(&self.tallies);
        figures.map(|(figure, tally)| estimate(figure, tally, &self.settings, anytime)).collect()
    }

    /// What was found wrong: the first run that ended in an error, expectations that do not hold in every run, and
    /// figures with more values than are told apart.
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
