//! The report of a scenario: exact where it can be worked out within few positions, else sampled in growing numbers of runs
//! until those that were asked for are done. A sweep is the same at each point of its grid, a point a slice.

use super::odds::{counted, measures};
use super::requests::read;
use super::scenes::{Of, Scene, Settings as Dials, prepare, scene, told};
use super::{Engine, Job, Reply, Step};
use crate::base::{Budget, Sources};
use crate::play::odds::{problems, report, wish};
use crate::program::Detail;
use crate::report::odds::{answers, finding};
use crate::report::sampled;
use crate::sample::stats::Level;
use crate::sample::sweep::{Grid, Point};
use crate::sample::{CHUNK, Growing, Sample, Settings, sample};
use crate::scenario::{Answerer, Mode, Over, Scenario};
use serde::Deserialize;
use serde_json::{Value, json};

/// Positions that are explored before a scenario is sampled, and of one whose players seek the best line.
const STATES: usize = 20_000;
const SOUGHT: usize = 200_000;
/// Positions and steps of work of one that is meant to be sampled, after its first runs were shown.
const FEW: (usize, u64) = (300, 1 << 14);
/// Runs where nobody says how many, and at most.
const RUNS: u64 = 10_000;
const MOST_RUNS: u64 = 1_000_000;
/// Runs of a point of a sweep.
const POINT_RUNS: u64 = 1_000;
/// Runs after which something is shown first; then after four times as many, and so on.
const FIRST: u64 = 250;
/// Runs of the first slice, which tells whether all of them end in an error, and of the others.
const TRIED: u64 = 16;
const SLICE: u64 = 1_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Params {
    path: String,
    settings: Dials,
    rules: Option<String>,
    runs: Option<u64>,
    seed: Option<u64>,
    dials: Vec<String>,
}

impl Params {
    fn of(&self) -> Of {
        Of { path: self.path.clone(), settings: self.settings.clone(), rules: self.rules.clone(), ..Of::default() }
    }

    fn how(&self, scenario: &Scenario, runs: u64) -> Settings {
        let seed = self.seed.unwrap_or(scenario.plan.seed);
        Settings { seed, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None }
    }

    fn sampled(&self, scenario: &Scenario, runs: u64) -> Sample {
        sample(scenario, self.how(scenario, runs), None, &|_| true)
    }
}

/// The report of a scenario.
pub fn outlook(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let scene = scene(engine, &params.of(), Detail::Plain)?;
    if scene.scenario.plan.report.is_empty() {
        return Ok(Reply::Now(json!({ "measures": [] })));
    }
    let exact = params.runs.is_some();
    Ok(Reply::Later(Box::new(Outlook { params, scene, done: Growing::default(), shown: 0, exact })))
}

struct Outlook {
    params: Params,
    scene: Scene,
    done: Growing,
    /// Runs after which something was shown last.
    shown: u64,
    /// Exact answers were looked for, or are not wanted.
    exact: bool,
}

impl Job for Outlook {
    fn step(&mut self) -> Step {
        let scenario = &self.scene.scenario;
        let seeks = scenario.plan.players.iter().any(|(_, list)| list.iter().any(is_seeking));
        // what is meant to be sampled is seldom worked out in few positions, and is shown sooner by its runs
        let later = scenario.plan.mode == Mode::Sampled && !seeks && self.done.runs() == 0;
        if !self.exact && !later {
            self.exact = true;
            let budget = match scenario.plan.mode {
                _ if seeks => counted(SOUGHT),
                Mode::Sampled => Budget { work: FEW.1, ..counted(FEW.0) },
                Mode::Exact | Mode::Scripted => counted(STATES),
            };
            match exactly(scenario, &self.params.path, budget) {
                Ok((found, whole)) if whole || seeks => return Step::Done(Ok(found)),
                Err(why) if scenario.plan.mode == Mode::Exact || seeks => return Step::Done(Err(why)),
                _ => return Step::More(None),
            }
        }
        let most = self.params.runs.unwrap_or(RUNS).clamp(1, MOST_RUNS);
        let mark = if self.shown == 0 { FIRST } else { self.shown.saturating_mul(4) }.min(most);
        let slice = if self.done.runs() == 0 { TRIED } else { SLICE };
        let runs = mark.min(self.done.runs() + slice);
        let sample = self.done.grow(scenario, self.params.how(scenario, runs), runs);
        // rules that end every run in an error do so after more of them too
        let fails = sample.faults == sample.runs;
        if runs < mark && !fails {
            return Step::More(None);
        }
        self.shown = mark;
        let found = sampled::sample(&self.params.path, scenario, &sample);
        let mut answer = json!({
            "measures": measures(&found),
            "runs": sample.runs,
            "asked": most,
            "faults": sample.faults,
            "text": found.text(),
            "finding": found.json(),
        });
        if let Some((run, fault)) = &sample.first_fault {
            answer["fault"] = json!(format!("run {run}: {}", fault.message));
        }
        let given = fails && self.params.runs.is_none();
        if given || runs >= most { Step::Done(Ok(answer)) } else { Step::More(Some(answer)) }
    }
}

fn is_seeking(source: &Answerer) -> bool {
    matches!(source, Answerer::Best | Answerer::Worst)
}

/// Exact odds of a report, and whether all of it was worked out.
fn exactly(scenario: &Scenario, name: &str, budget: Budget) -> Result<(Value, bool), String> {
    let found = report(scenario, &wish(scenario, budget)).map_err(|fault| fault.message)?;
    let problems = problems(scenario, &found);
    let finding = finding(name, &answers((name, scenario), &found, &[]), None);
    let mut answer = json!({ "measures": measures(&finding), "text": finding.text(), "finding": finding.json() });
    if let Some(problem) = problems.first() {
        answer["fault"] = json!(problem.message);
    }
    Ok((answer, problems.is_empty()))
}

/// The report at every value of some dials.
pub fn sweep(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let mut aside = Sources::default();
    let over = params.dials.iter().map(|name| {
        let file = aside.add(crate::base::Source::new("dials", name.as_str()));
        Over::read(name, file)
    });
    let over: Vec<Over> = over.collect();
    let (prepared, sources) = prepare(engine, &params.of(), Some(&over), Detail::Plain)?;
    let grid = Grid::new(vec![prepared]).ok_or_else(|| "these are too many points".to_string())?;
    Ok(Reply::Later(Box::new(Sweep { params, grid, sources, points: Vec::new() })))
}

struct Sweep {
    params: Params,
    grid: Grid,
    sources: Sources,
    points: Vec<Value>,
}

impl Job for Sweep {
    fn step(&mut self) -> Step {
        let Some(point) = self.grid.point(self.points.len() as u64) else {
            return Step::Done(Ok(json!({ "points": self.points, "open": 0 })));
        };
        match self.point(&point) {
            Ok(told) => self.points.push(told),
            Err(why) => return Step::Done(Err(why)),
        }
        let open = self.grid.points() - self.points.len() as u64;
        Step::More(Some(json!({ "points": self.points.last(), "open": open })))
    }
}

impl Sweep {
    fn point(&self, point: &Point) -> Result<Value, String> {
        let scenario = self.grid.set(point).map_err(|found| told(&found, &self.sources))?;
        let rules = &scenario.rules;
        let at = point.settings.iter().map(|(id, cells)| {
            let setting = &rules.settings[id.at()];
            (setting.name.clone(), json!(super::scenes::text(rules, &setting.ty, cells)))
        });
        let at: serde_json::Map<String, Value> = at.collect();
        let whole = if self.params.runs.is_none() { exactly(&scenario, "", counted(STATES)).ok() } else { None };
        let measures = match whole {
            Some((found, true)) => found["measures"].clone(),
            _ => {
                let runs = self.params.runs.unwrap_or(POINT_RUNS).clamp(1, MOST_RUNS);
                measures(&sampled::sample("", &scenario, &self.params.sampled(&scenario, runs)))
            }
        };
        Ok(json!({ "at": at, "measures": measures }))
    }
}
