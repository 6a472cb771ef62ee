//! Computes the report of a scenario: exactly if few states are sufficient, and otherwise from samples of increasing size, up to
//! the requested number of runs. A sweep computes the report at each point of its grid.

use super::odds::measures;
use super::requests::read;
use super::scenes::{DialSettings, Of, Unbound, rendered};
use super::{Asker, Engine};
use grognard_ask::{Answer, Mode as Ask, OddsReport, Outlook, Runs, Sweep as Question};
use grognard_base::{Effort, OrdMap, Sources};
use grognard_program::Detail;
use grognard_report::sampled;
use grognard_scenario::{Over, Scenario};
use grognard_stats::sweep::{Grid, Point};
use grognard_stats::{Sample, until};
use serde::Deserialize;
use serde_json::{Value, json};

const MOST_RUNS: u64 = 1_000_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct OutlookParams {
    path: String,
    settings: DialSettings,
    rules: Option<String>,
    runs: Option<u64>,
    seed: Option<u64>,
    dials: Vec<String>,
    /// Texts that replace the current ones.
    texts: OrdMap<String, String>,
}

impl OutlookParams {
    fn of(&self) -> Of {
        Of {
            path: self.path.clone(),
            settings: self.settings.clone(),
            rules: self.rules.clone(),
            texts: self.texts.clone(),
            ..Of::default()
        }
    }

    /// Returns the settings of the sampled runs. The default number of runs depends on `effort`.
    fn runs(&self, effort: Effort) -> Runs {
        Runs { seed: self.seed, runs: self.runs.map(|runs| runs.clamp(1, MOST_RUNS)), ..Runs::of(effort) }
    }

    /// Returns the mode: a sample if the page requests a number of runs.
    fn mode(&self) -> Ask {
        if self.runs.is_some() { Ask::Sampled } else { Ask::Auto }
    }
}

/// Computes the report of a scenario.
pub fn outlook(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: OutlookParams = read(params)?;
    let scene = Unbound::find(engine, params.of())?.bind(Detail::Plain)?;
    let scenario = &*scene.scenario;
    if scenario.plan.report.is_empty() {
        return Ok(json!({ "measures": [] }));
    }
    let question = Outlook { mode: params.mode(), runs: params.runs(Effort::Usual), watch: asker.watch.clone() };
    let most = question.runs.settings(&scenario.plan).runs;
    let mut partial = |sample: &Sample| asker.tell(rendered_as(&params.path, scenario, sample, most));
    match question.answer(scenario, &mut partial)? {
        Answer::Exact(found) => Ok(exactly(scenario, &params.path, &found)),
        Answer::Sampled(sample) => Ok(rendered_as(&params.path, scenario, &sample, most)),
    }
}

/// Returns the report of a sample as JSON.
fn rendered_as(path: &str, scenario: &Scenario, sample: &Sample, most: u64) -> Value {
    let found = sampled::sample(path, scenario, sample);
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

fn exactly(scenario: &Scenario, name: &str, found: &OddsReport) -> Value {
    let finding = found.finding(name, scenario);
    let mut answer = json!({
        "measures": measures(&finding),
        "notes": finding.notes(),
        "text": finding.text(),
        "finding": finding.json(),
    });
    if let Some(problem) = found.problems.first() {
        answer["fault"] = json!(problem.message);
    }
    if found.explored && !found.whole() {
        ends(&mut answer);
    }
    answer
}

/// Adds the distribution to each mean that has no value because some runs end in an error.
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
            let chance = json!({ "label": of["label"], "estimate": end["estimate"], "fraction": end["fraction"] });
            json!({ "value": value, "chance": chance })
        };
        if measure["value"]["estimate"].is_null() && measure["sort"] == "mean" {
            measure["bars"] = of["outcomes"].as_array().into_iter().flatten().map(bar).collect();
        }
    }
}

/// Computes the report at every combination of values of some dials.
pub fn sweep(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: OutlookParams = read(params)?;
    let mut aside = Sources::default();
    let over = params.dials.iter().map(|name| {
        let file = aside.add(grognard_base::Source::new("dials", name.as_str()));
        Over::read(name, file)
    });
    let over: Vec<Over> = over.collect();
    let (prepared, sources) = Unbound::find(engine, params.of())?.prepare(Some(&over), Detail::Plain)?;
    Question::check(prepared.plan()).map_err(|why| why.to_string())?;
    let grid = Grid::new(vec![prepared]).ok_or_else(|| "these are too many points".to_string())?;
    Sweep { params, grid, sources }.swept(asker)
}

struct Sweep {
    params: OutlookParams,
    grid: Grid,
    sources: Sources,
}

impl Sweep {
    fn swept(self, asker: &mut Asker<'_>) -> Result<Value, String> {
        let mut points = Vec::new();
        while let Some(point) = self.grid.point(points.len() as u64) {
            points.push(self.point(&point, asker)?);
            let open = self.grid.points() - points.len() as u64;
            asker.tell(json!({ "points": points.last(), "open": open }));
        }
        Ok(json!({ "points": points, "open": 0 }))
    }

    fn point(&self, point: &Point, asker: &Asker<'_>) -> Result<Value, String> {
        asker.still()?;
        let scenario = self.grid.set(point).map_err(|found| rendered(&found, &self.sources))?;
        let rules = &scenario.rules;
        let at = point.settings.iter().map(|(id, cells)| {
            let setting = &rules.settings[id.at()];
            (setting.name.clone(), json!(super::scenes::text(rules, &setting.ty, cells)))
        });
        let at: serde_json::Map<String, Value> = at.collect();
        // A point is one of many results, so it has fewer runs than a single scenario.
        let question = Question { mode: Some(self.params.mode()), runs: self.params.runs(Effort::Quick) };
        let answer =
            question.answer(&scenario, Effort::Usual.watched(asker.watch.clone()), &until(asker.watch.clone()));
        let answer = answer.ok_or("the sweep was stopped")?.found.map_err(|fault| fault.message)?;
        let measures = measures(&answer.finding("", &scenario));
        Ok(json!({ "at": at, "measures": measures }))
    }
}
