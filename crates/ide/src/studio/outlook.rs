//! The report of a scenario: exact where it can be worked out within few positions, else sampled in growing numbers of runs
//! until those that were asked for are done. A sweep is the same at each point of its grid, a point a slice.

use super::odds::measures;
use super::requests::read;
use super::scenes::{Of, Settings as Dials, Unbound, told};
use super::{Engine, Parts, Reply};
use grognard_base::slices::yield_now;
use grognard_base::{Budget, Effort, OrdMap, Sources};
use grognard_play::odds::{Answer, problems, report, wish};
use grognard_program::Detail;
use grognard_report::odds::{answers, finding};
use grognard_report::sampled;
use grognard_scenario::{Answerer, Mode, Over, Scenario};
use grognard_stats::sweep::{Grid, Point};
use grognard_stats::{Growing, Sample, Settings};
use serde::Deserialize;
use serde_json::{Value, json};

const MOST_RUNS: u64 = 1_000_000;
/// Runs that tell whether all of them end in an error.
const TRIED: u64 = 16;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Params {
    path: String,
    settings: Dials,
    rules: Option<String>,
    runs: Option<u64>,
    seed: Option<u64>,
    dials: Vec<String>,
    /// Texts in the place of those that there are.
    texts: OrdMap<String, String>,
}

impl Params {
    fn of(&self) -> Of {
        Of {
            path: self.path.clone(),
            settings: self.settings.clone(),
            rules: self.rules.clone(),
            texts: self.texts.clone(),
            ..Of::default()
        }
    }

    fn how(&self, scenario: &Scenario, runs: u64) -> Settings {
        let seed = self.seed.unwrap_or(scenario.plan.seed);
        Settings::of(seed, runs, 1)
    }
}

/// The report of a scenario.
pub fn outlook(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let unbound = Unbound::find(engine, params.of())?;
    Ok(Reply::later(|parts| looked_out(parts, params, unbound)))
}

async fn looked_out(parts: Parts, params: Params, unbound: Unbound) -> Result<Value, String> {
    let scene = unbound.bind(Detail::Plain).await?;
    let scenario = &*scene.scenario;
    if scenario.plan.report.is_empty() {
        return Ok(json!({ "measures": [] }));
    }
    let seeks = scenario.plan.players.iter().any(|(_, list)| list.iter().any(is_seeking));
    // what is meant to be sampled is seldom worked out in few positions, and is shown sooner by its runs
    let later = scenario.plan.mode == Mode::Sampled && !seeks;
    let mut wanted = params.runs.is_none();
    if wanted && !later {
        wanted = false;
        let budget = (if seeks { Effort::Long } else { Effort::Usual }).sliced();
        match exactly(scenario, &params.path, budget).await {
            // where all was explored and some of it ends in an error, runs would say less, and may take long to come by it
            Ok(found) if found.whole || found.explored || seeks => return Ok(found.told),
            Err(why) if scenario.plan.mode == Mode::Exact || seeks => return Err(why),
            _ => {}
        }
    }
    let most = params.runs.unwrap_or(Effort::Usual.runs()).clamp(1, MOST_RUNS);
    let mut done = Growing::new(scenario, params.how(scenario, most));
    let mut mark = Effort::FIRST_RUNS.min(most);
    let mut sample = done.grow(1).await;
    for tried in [2, 4, 8, TRIED].map(|tried| tried.min(mark)) {
        // a run that ends in an error may have gone on for long before
        if sample.faults > 0 && sample.faults < sample.runs {
            parts.tell(told_of(&params.path, scenario, &sample, most).await);
            yield_now().await;
        }
        sample = done.grow(tried).await;
    }
    loop {
        // rules that end every run in an error do so after more of them too
        let fails = sample.faults == sample.runs && params.runs.is_none();
        if !fails {
            sample = done.grow(mark).await;
        }
        let answer = told_of(&params.path, scenario, &sample, most).await;
        if fails || mark >= most {
            return Ok(answer);
        }
        parts.tell(answer);
        yield_now().await;
        if std::mem::take(&mut wanted) {
            let budget = Effort::Glance.sliced();
            if let Ok(Exact { told, whole: true, .. }) = exactly(scenario, &params.path, budget).await {
                return Ok(told);
            }
        }
        mark = mark.saturating_mul(4).min(most);
    }
}

/// What a sample says of a report, in slices.
async fn told_of(path: &str, scenario: &Scenario, sample: &Sample, most: u64) -> Value {
    yield_now().await;
    let found = sampled::sample(path, scenario, sample);
    yield_now().await;
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
    answer
}

fn is_seeking(source: &Answerer) -> bool {
    matches!(source, Answerer::Best | Answerer::Worst)
}

/// Exact odds of a report.
struct Exact {
    told: Value,
    /// All of it was worked out.
    whole: bool,
    /// Nothing was left over, though some of it may end in an error.
    explored: bool,
}

async fn exactly(scenario: &Scenario, name: &str, budget: Budget) -> Result<Exact, String> {
    yield_now().await;
    let found = report(scenario, &wish(scenario, budget)).await.map_err(|fault| fault.message)?;
    yield_now().await;
    let problems = problems(scenario, &found);
    let finding = finding(name, &answers((name, scenario), &found, &[]), None);
    let mut answer = json!({
        "measures": measures(&finding),
        "notes": finding.notes(),
        "text": finding.text(),
        "finding": finding.json(),
    });
    if let Some(problem) = problems.first() {
        answer["fault"] = json!(problem.message);
    }
    let closed = |answer: &Answer| answer.found.as_ref().is_some_and(|found| found.unexplored().is_zero());
    let explored = found.answers.iter().all(|answer| answer.as_ref().is_ok_and(closed))
        && found.graph().is_some_and(|explored| explored.free.is_empty());
    let whole = problems.is_empty();
    if explored && !whole {
        ends(&mut answer);
    }
    Ok(Exact { told: answer, whole, explored })
}

/// Gives each measure that has no number, as some of it ends in an error, all of its ends.
fn ends(answer: &mut Value) {
    let answers = answer["finding"]["answers"].as_array().cloned().unwrap_or_default();
    for measure in answer["measures"].as_array_mut().into_iter().flatten() {
        let Some(of) = answers.iter().find(|of| of["measure"] == measure["measure"]) else { continue };
        let bar = |end: &Value| {
            let value = match &end["value"] {
                Value::Null => "error".to_string(),
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            let chance = json!({ "label": "exact", "estimate": end["estimate"], "fraction": end["fraction"] });
            json!({ "value": value, "chance": chance })
        };
        if measure["value"]["estimate"].is_null() && measure["sort"] == "mean" {
            measure["bars"] = of["outcomes"].as_array().into_iter().flatten().map(bar).collect();
        }
    }
}

/// The report at every value of some dials.
pub fn sweep(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let mut aside = Sources::default();
    let over = params.dials.iter().map(|name| {
        let file = aside.add(grognard_base::Source::new("dials", name.as_str()));
        Over::read(name, file)
    });
    let over: Vec<Over> = over.collect();
    let unbound = Unbound::find(engine, params.of())?;
    Ok(Reply::later(|parts| async move {
        let (prepared, sources) = unbound.prepare(Some(&over), Detail::Plain).await?;
        let grid = Grid::new(vec![prepared]).ok_or_else(|| "these are too many points".to_string())?;
        Sweep { params, grid, sources }.swept(parts).await
    }))
}

struct Sweep {
    params: Params,
    grid: Grid,
    sources: Sources,
}

impl Sweep {
    async fn swept(self, parts: Parts) -> Result<Value, String> {
        let mut points = Vec::new();
        while let Some(point) = self.grid.point(points.len() as u64) {
            points.push(self.point(&point).await?);
            let open = self.grid.points() - points.len() as u64;
            parts.tell(json!({ "points": points.last(), "open": open }));
            yield_now().await;
        }
        Ok(json!({ "points": points, "open": 0 }))
    }

    async fn point(&self, point: &Point) -> Result<Value, String> {
        let scenario = self.grid.set(point).map_err(|found| told(&found, &self.sources))?;
        yield_now().await;
        let rules = &scenario.rules;
        let at = point.settings.iter().map(|(id, cells)| {
            let setting = &rules.settings[id.at()];
            (setting.name.clone(), json!(super::scenes::text(rules, &setting.ty, cells)))
        });
        let at: serde_json::Map<String, Value> = at.collect();
        let whole =
            if self.params.runs.is_none() { exactly(&scenario, "", Effort::Usual.sliced()).await.ok() } else { None };
        let measures = match whole {
            Some(Exact { told, whole: true, .. }) => told["measures"].clone(),
            _ => {
                let runs = self.params.runs.unwrap_or(Effort::Quick.runs()).clamp(1, MOST_RUNS);
                let mut done = Growing::new(&scenario, self.params.how(&scenario, runs));
                measures(&sampled::sample("", &scenario, &done.grow(runs).await))
            }
        };
        Ok(json!({ "at": at, "measures": measures }))
    }
}
