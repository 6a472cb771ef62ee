//! A sweep: the measures of a scenario at each point of a grid of params and readings.

use crate::limits;
use crate::watch::Watching;
use crate::{Effort, Error, Progress, Report, Scenario, Value};
use grognard_ask::{self as ask, KnownAnswers, Mode, Runs};
use grognard_base as base;
use grognard_base::Limit;
use grognard_report::sweep::{self as shown, Row, SweepTable};
use grognard_stats::sweep::Grid;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// A question about each point of a grid.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct SweepRequest<'s> {
    pub(crate) scenario: &'s Scenario,
    pub(crate) over: Vec<String>,
    pub(crate) of: Vec<String>,
    pub(crate) mode: Option<Mode>,
    pub(crate) effort: Option<Effort>,
    pub(crate) runs: Runs,
    level: Option<String>,
    watching: Watching,
}

impl<'s> SweepRequest<'s> {
    pub(crate) fn new(scenario: &'s Scenario) -> SweepRequest<'s> {
        SweepRequest {
            scenario,
            over: Vec::new(),
            of: Vec::new(),
            mode: None,
            effort: None,
            runs: Runs::of(base::Effort::Usual),
            level: None,
            watching: Watching::default(),
        }
    }

    /// Varies a param or a reading. Without values, it takes those that the rules declare. Call it again for further
    /// ones. Without any call, the scenario sets what is varied.
    pub fn over<V: Into<Value>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        let values: Vec<String> = values.into_iter().map(|value| value.into().to_string()).collect();
        let values = if values.is_empty() { String::new() } else { format!("={}", values.join(",")) };
        self.over.push(format!("{name}{values}"));
        self
    }

    /// Measures this expression at the end, in place of the report of the scenario. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Answers each point exactly or not at all. Of `exact`, [`sampled`](SweepRequest::sampled) and
    /// [`either`](SweepRequest::either), the last call counts.
    pub fn exact(mut self) -> Self {
        self.mode = Some(Mode::Exact);
        self
    }

    /// Answers each point from runs.
    pub fn sampled(mut self) -> Self {
        self.mode = Some(Mode::Sampled);
        self
    }

    /// Answers each point exactly if that fits the effort, and otherwise from runs.
    pub fn either(mut self) -> Self {
        self.mode = Some(Mode::Auto);
        self
    }

    /// Sets the amount of work of the exact answer at a point.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = Some(effort);
        self
    }

    /// Sets the number of runs at each point. The default is the number of the scenario, or else 10,000.
    pub fn runs(mut self, runs: u64) -> Self {
        self.runs.runs = Some(runs);
        self
    }

    /// Sets the seed. The default is the seed of the scenario. All points have the same dice.
    pub fn seed(mut self, seed: u64) -> Self {
        self.runs.seed = Some(seed);
        self
    }

    /// Sets the confidence level of the intervals in percent: `90`, `95`, `99`, `99.9` or `99.99`.
    pub fn level(mut self, percent: &str) -> Self {
        self.level = Some(percent.to_string());
        self
    }

    /// Sets the number of threads, at least 1; at most 256 are used. The result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.runs.threads = threads;
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the sweep then has the points so far.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Measures the points.
    ///
    /// # Errors
    ///
    /// If nothing is varied or measured, a value does not fit its param, or a number of the question is out of range.
    pub fn compute(self) -> Result<Sweep, Error> {
        let watching = self.watching.clone();
        let points = self.points()?;
        let mut known = KnownAnswers::default();
        let (mut rows, mut finished, mut stopped) = (Vec::new(), 0, false);
        for number in 0..points.grid.points() {
            let Some(found) = points.rows(number, &mut known, &watching) else {
                stopped = true;
                break;
            };
            rows.extend(found);
            finished += 1;
            watching.point();
            if !watching.continues(0) {
                stopped = finished < points.grid.points();
                break;
            }
        }
        Ok(points.sweep(rows, finished, stopped))
    }

    /// Binds the scenario with the varied settings. Returns the points, or why the question cannot be answered.
    pub(crate) fn points(self) -> Result<Points, Error> {
        self.runs.runs.map_or(Ok(0), |runs| limits::runs(runs, "runs", base::Effort::MOST_RUNS))?;
        let level = self.level.as_deref().map_or(Ok(self.runs.level), limits::level)?;
        let runs = Runs { threads: limits::threads(self.runs.threads)?, level, ..self.runs };
        let effort = self.effort.map(limits::effort).transpose()?;
        let (prepared, _) = self.scenario.prepared(&self.of, Some(&self.over))?;
        let refused = |why: String| Error::input(why, "change the measures or the players of the scenario");
        ask::Sweep::check(prepared.plan()).map_err(|why| refused(why.to_string()))?;
        if prepared.plan().sweep.over.is_empty() {
            return Err(Error::input("nothing is varied", "name a param and its values with `over`"));
        }
        let Some(grid) = Grid::new(vec![prepared]) else {
            return Err(Error::input("the grid has too many points", "vary fewer values"));
        };
        let asked = ask::Sweep { mode: self.mode, runs };
        let mode = asked.mode(grid.tables()[0].plan());
        let effort = effort.unwrap_or(mode.effort());
        Ok(Points { path: self.scenario.path().to_string(), grid, asked, effort })
    }
}

/// The points of a sweep, and how each is measured.
pub(crate) struct Points {
    path: String,
    pub grid: Grid,
    asked: ask::Sweep,
    effort: base::Effort,
}

impl Points {
    /// Returns the rows of a point, or `None` if it was stopped.
    pub(crate) fn rows(&self, number: u64, known: &mut KnownAnswers, watching: &Watching) -> Option<Vec<Row>> {
        let point = self.grid.point(number)?;
        let table = SweepTable { scenario: &self.path, prepared: &self.grid.tables()[point.table] };
        let scenario = match self.grid.set(&point) {
            Ok(scenario) => scenario,
            Err(problems) => return Some(table.unset(&point, &problems)),
        };
        let answer = known.find(&point, &scenario, || {
            let budget = watching.budget(self.effort.budget());
            let found = self.asked.answer(&scenario, budget, &|runs| watching.continues(runs));
            Ok::<_, Infallible>(found.map(|found| found.measured(&scenario)))
        });
        let Ok(answer) = answer;
        let answer = answer.filter(|answer| answer.ended_by != Some(Limit::Stopped))?;
        Some(table.rows(&point, &scenario, &answer))
    }

    /// Returns the result of the first `finished` points.
    pub(crate) fn sweep(&self, rows: Vec<Row>, finished: u64, stopped: bool) -> Sweep {
        Sweep { columns: shown::columns(self.grid.tables()), rows, finished, points: self.grid.points(), stopped }
    }
}

/// The measures at each point of a grid. Each row has a point, its settings and one measure.
///
/// ```
/// use grognard::{Folder, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let sweep = scenario.sweep().over("hit_on", [3, 4]).of("raiders.men == 0").compute()?;
/// assert_eq!(sweep.points(), 2);
/// assert!(sweep.to_jsonl().contains("1507/19683"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    columns: Vec<String>,
    rows: Vec<Row>,
    finished: u64,
    points: u64,
    stopped: bool,
}

impl Sweep {
    /// Returns the number of points of the grid.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the number of points that are in the result.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Returns whether the function of [`SweepRequest::watch`] ended the work.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the rows as JSON Lines, as `grognard sweep --format jsonl` prints them.
    pub fn to_jsonl(&self) -> String {
        shown::jsonl(&self.columns, &self.rows)
    }

    /// Returns the result as the command line reports it.
    pub fn report(&self) -> Report {
        let done = format!("{} of {} points finished", self.finished, self.points);
        let mut found = shown::finding(&self.columns, &self.rows, &done);
        found.all_facts(shown::document(&self.columns, &self.rows, [self.finished, self.points]));
        Report(found)
    }
}
