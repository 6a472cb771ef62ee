//! A sweep: the measures of a scenario at each point of a grid of params and readings.

use crate::limits;
use crate::watch::Watching;
use crate::{Effort, Error, Progress, Report, Scenario, Value};
use grognard_ask::{self as ask, KnownAnswers, Mode, Runs};
use grognard_base as base;
use grognard_base::Limit;
use grognard_report::sweep::{self as shown, Row, SweepTable};
use grognard_stats::sweep::Grid;
use std::ops::ControlFlow;

/// A question about each point of a grid.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct SweepRequest<'s> {
    scenario: &'s Scenario,
    over: Vec<String>,
    of: Vec<String>,
    mode: Option<Mode>,
    effort: Option<Effort>,
    runs: Runs,
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
        self.runs.runs.map_or(Ok(0), |runs| limits::runs(runs, "runs"))?;
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
        let columns = shown::columns(grid.tables());
        let table = SweepTable { scenario: self.scenario.path(), prepared: &grid.tables()[0] };
        let mut known = KnownAnswers::default();
        let (mut rows, mut finished, mut stopped) = (Vec::new(), 0, false);
        for point in (0..grid.points()).filter_map(|number| grid.point(number)) {
            let scenario = match grid.set(&point) {
                Ok(scenario) => scenario,
                Err(problems) => {
                    rows.extend(table.unset(&point, &problems));
                    finished += 1;
                    continue;
                }
            };
            let answer = known.find(&point, &scenario, || {
                let budget = self.watching.budget(effort.budget());
                let found = asked.answer(&scenario, budget, &|runs| self.watching.continues(runs));
                Ok::<_, Error>(found.map(|found| found.measured(&scenario)))
            })?;
            let Some(answer) = answer.filter(|answer| answer.ended_by != Some(Limit::Stopped)) else {
                stopped = true;
                break;
            };
            rows.extend(table.rows(&point, &scenario, &answer));
            finished += 1;
            self.watching.point();
            if !self.watching.continues(0) {
                stopped = finished < grid.points();
                break;
            }
        }
        Ok(Sweep { columns, rows, finished, points: grid.points(), stopped })
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
        let counts = [self.finished, self.points].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        found.all_facts(shown::document(&self.columns, &self.rows, counts));
        Report(found)
    }
}
