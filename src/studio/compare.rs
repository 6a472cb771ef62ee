//! Two versions of the rules on one scenario, and what each reading changes: exact where that is little work, else from
//! growing numbers of runs until those that were asked for are done.

use super::odds::{chance, counted};
use super::play::trace;
use super::requests::read;
use super::scenes::{Of, Settings as Dials, prepare, scene, told};
use super::{Engine, Job, Reply, Step};
use crate::base::Sources;
use crate::play::parting::parting;
use crate::play::record::{About, Event, Recorder};
use crate::play::{Options, play};
use crate::program::Detail;
use crate::report::compared::{self as shown, Names};
use crate::report::diff::brief;
use crate::report::finding::Finding;
use crate::report::readings as ranked;
use crate::rules::ruleset::Ruleset;
use crate::sample::compare::{Compared, Question, compare as sampled, exactly, first_differing, unfit};
use crate::sample::readings::{Misfit, Settings as Measures, readings as measured};
use crate::sample::stats::Level;
use crate::sample::{CHUNK, Settings};
use crate::scenario::{Mode, Prepared, Scenario};
use crate::value::{SettingId, Type};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Positions that are explored of each version before runs are played.
const STATES: usize = 10_000;
/// Pairs of runs where nobody says how many, and at most.
const RUNS: u64 = 4_000;
const MOST_RUNS: u64 = 1_000_000;
/// Runs that differ, of which the one is shown that parts first.
const LOOKED_AT: usize = 8;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Version {
    title: String,
    settings: Dials,
    rules: Option<String>,
    texts: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Params {
    path: String,
    a: Version,
    b: Version,
    settings: Dials,
    runs: Option<u64>,
    seed: Option<u64>,
}

/// Compares two versions.
pub fn compare(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let of = |own: &Version, other: &Version| Of {
        path: params.path.clone(),
        settings: own.settings.clone(),
        rules: own.rules.clone(),
        texts: own.texts.clone(),
        beside: other.rules.iter().cloned().collect(),
        report: Vec::new(),
    };
    let sides = [of(&params.a, &params.b), of(&params.b, &params.a)];
    let mut plain = Vec::new();
    let mut traced = Vec::new();
    for side in &sides {
        plain.push((*scene(engine, side, Detail::Plain)?.scenario).clone());
        traced.push(scene(engine, side, Detail::Traced)?);
    }
    let (Some(mut b), Some(mut a)) = (plain.pop(), plain.pop()) else { return Err("nothing to compare".into()) };
    while let Some(left) = unfit(&a, &b) {
        if a.plan.report.len() <= 1 {
            return Err(left.why);
        }
        a.plan.report.remove(left.at);
        b.plan.report.remove(left.at);
    }
    if a.plan.report.is_empty() {
        return Err("the scenario reports nothing that could be compared".into());
    }
    let differences = differences(&traced[0].scenario.rules, &traced[1].scenario.rules, engine, &sides);
    let name = |version: &Version, n: usize| match version.title.as_str() {
        "" => traced[n].scenario.plan.rules.clone(),
        title => title.to_string(),
    };
    let names = [name(&params.a, 0), name(&params.b, 1)];
    let question = Question {
        seed: params.seed.unwrap_or(a.plan.seed),
        runs: params.runs.unwrap_or(RUNS).clamp(1, MOST_RUNS),
        threads: 1,
        chunk: CHUNK,
        within: None,
        unpaired: false,
        family: 1,
    };
    let exact = params.runs.is_none();
    Ok(Reply::Later(Box::new(Pair {
        names,
        path: params.path,
        plain: [a, b],
        traced,
        question,
        differences,
        exact,
        done: 0,
        answer: None,
    })))
}

/// What differs in the rules, a line for each item; settings that differ besides.
fn differences(a: &Ruleset, b: &Ruleset, engine: &Engine, sides: &[Of; 2]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut sources = Sources::default();
    let mut items = |rules: &Ruleset, side: &Of| {
        let texts = super::scenes::replaced(&engine.texts, &side.texts);
        crate::rules::merged(&rules.path, &texts, &mut sources)
    };
    let both = [items(a, &sides[0]), items(b, &sides[1])];
    let changes = crate::rules::diff::diff(&both[0], &both[1], &sources);
    all.extend(changes.iter().map(|change| json!({ "title": brief(change) })));
    let set = |side: &Of| -> BTreeMap<String, String> {
        side.settings.params.iter().chain(&side.settings.readings).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let (before, after) = (set(&sides[0]), set(&sides[1]));
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
        all.push(json!({ "title": name, "before": before.get(name), "after": after.get(name) }));
    }
    all
}

struct Pair {
    names: [String; 2],
    path: String,
    plain: [Scenario; 2],
    traced: Vec<super::scenes::Scene>,
    question: Question,
    differences: Vec<Value>,
    /// It is to be worked out, if that is little work.
    exact: bool,
    done: u64,
    answer: Option<Value>,
}

impl Job for Pair {
    fn step(&mut self) -> Step {
        if let Some(mut answer) = self.answer.take() {
            if let Some(parting) = self.parting() {
                answer["parting"] = parting;
            }
            return Step::Done(Ok(answer));
        }
        let [a, b] = &self.plain;
        if std::mem::take(&mut self.exact)
            && let Ok(found) = exactly(a, b, &self.question, counted(STATES))
        {
            let answer = self.told(&Compared::Exact(found));
            self.answer = Some(answer.clone());
            return Step::More(Some(answer));
        }
        let most = self.question.runs;
        let runs = if self.done == 0 { 250.min(most) } else { self.done.saturating_mul(4).min(most) };
        self.done = runs;
        match sampled(a, b, Question { runs, ..self.question }, &|_| true) {
            Ok(found) => {
                let answer = self.told(&Compared::Sampled(found));
                if runs >= most {
                    self.answer = Some(answer.clone());
                }
                Step::More(Some(answer))
            }
            Err(unfit) => Step::Done(Err(unfit.why)),
        }
    }
}

impl Pair {
    fn told(&self, found: &Compared) -> Value {
        let [a, b] = &self.names;
        let scenario = self.path.as_str();
        let seed = self.question.seed;
        let names = Names { a, b, scenario, seed, unpaired: false, why: None, family: 1, explain: false };
        let finding = shown::one(&names, found);
        json!({
            "differences": self.differences,
            "effects": effects(&finding),
            "text": finding.text(),
            "finding": finding.json(),
        })
    }

    /// The first run that parts them, as both tell it.
    fn parting(&self) -> Option<Value> {
        let [a, b] = &self.plain;
        let question = Question { runs: self.question.runs.min(RUNS), ..self.question };
        let found = first_differing(a, b, question, LOOKED_AT, &|_| true);
        let played = |n: usize, run: u64| -> Vec<Event> {
            let scene = &self.traced[n];
            let mut scenario = (*scene.scenario).clone();
            // one of its runs is played, whatever the scenario is for
            scenario.plan.mode = Mode::Sampled;
            let recorder = Recorder::new(&scenario.game, &About::default(), Some(&scene.sources));
            let options = Options { seed: Some(question.seed), run: Some(run), person: None };
            play(&scenario, options, recorder).1.finish()
        };
        let runs = found.first.iter().map(|run| (*run, played(0, *run), played(1, *run)));
        let at = |a: &[Event], b: &[Event]| parting(a, b).map(|parting| parting.common.len());
        let parted = runs.filter_map(|(run, a, b)| Some((at(&a, &b)?, run, a, b)));
        let (at, run, a, b) = parted.min_by_key(|(at, run, ..)| (*at, *run))?;
        let lines = |n: usize, events: &[Event]| trace(&self.traced[n].scenario.game, events);
        Some(json!({ "run": run, "a": lines(0, &a), "b": lines(1, &b), "at": at }))
    }
}

/// What a comparison says of each measure.
fn effects(finding: &Finding) -> Vec<Value> {
    let facts = finding.json();
    let effect = |effect: &Value| {
        let side = |estimate: &str, fraction: &str| {
            let mut told = json!({ "label": effect["label"], "estimate": effect[estimate] });
            if effect[fraction].as_str().is_some_and(|fraction| !fraction.is_empty()) {
                told["fraction"] = effect[fraction].clone();
            }
            told
        };
        let bar = |bar: &Value| json!({ "value": bar["value"], "a": bar["in_a"], "b": bar["in_b"] });
        json!({
            "measure": effect["measure"],
            "verdict": effect["verdict"],
            "difference": effect.as_object().map_or(Value::Null, chance),
            "a": side("in_a", "fraction_a"),
            "b": side("in_b", "fraction_b"),
            "bars": effect["values"].as_array().into_iter().flatten().map(bar).collect::<Vec<Value>>(),
        })
    };
    facts["effects"].as_array().into_iter().flatten().map(effect).collect()
}

/// What each alternative of each reading changes in the report.
pub fn readings(engine: &mut Engine, params: Value) -> Result<Reply, String> {
    let params: Params = read(params)?;
    let mut of = Of { path: params.path.clone(), settings: params.settings.clone(), ..Of::default() };
    let (table, _) = prepare(engine, &of, None, Detail::Plain)?;
    let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag);
    for figure in table.plan().report.iter().filter(|figure| is_number(&figure.asked.ty)) {
        if !of.report.contains(&figure.text) {
            of.report.push(figure.text.clone());
        }
    }
    if of.report.is_empty() {
        return Err("the scenario reports no number and no condition".into());
    }
    let (table, sources) = prepare(engine, &of, None, Detail::Plain)?;
    let most = params.runs.unwrap_or(RUNS).clamp(1, MOST_RUNS);
    Ok(Reply::Later(Box::new(Ranked { params, table, sources, most, done: 0 })))
}

struct Ranked {
    params: Params,
    table: Prepared,
    sources: Sources,
    most: u64,
    done: u64,
}

impl Job for Ranked {
    fn step(&mut self) -> Step {
        let runs = if self.done == 0 { 250.min(self.most) } else { self.done.saturating_mul(4).min(self.most) };
        self.done = runs;
        let rules = self.table.rules();
        let all = rules.settings.iter().enumerate().filter(|(_, setting)| setting.alternatives.len() > 1);
        let wanted: Vec<SettingId> = all.map(|(n, _)| SettingId::from(n)).collect();
        let seed = self.params.seed.unwrap_or(self.table.plan().seed);
        let sampled = Settings { seed, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
        let exact = self.params.runs.is_none().then(|| counted(STATES));
        let how = Measures { exact, sampled: Some(sampled), within: None };
        match measured(&self.table, &wanted, how, &|_| true) {
            Ok(found) => {
                let name = self.params.path.as_str();
                let finding = ranked::finding(&ranked::Table { scenario: name, rules, seed, found: &found });
                let answer = ranking(&finding, rules);
                if runs >= self.most || found.runs == 0 {
                    return Step::Done(Ok(answer));
                }
                Step::More(Some(answer))
            }
            Err(Misfit::Table(found)) => Step::Done(Err(told(&found, &self.sources))),
            Err(Misfit::Measure(unfit)) => Step::Done(Err(unfit.why)),
            Err(Misfit::Beyond) => Step::Done(Err("this takes more positions than are explored here".into())),
        }
    }
}

/// Effects by alternative, in the order of the ranking.
fn ranking(finding: &Finding, rules: &Ruleset) -> Value {
    let facts = finding.json();
    let mut all: Vec<Value> = Vec::new();
    for effect in facts["effects"].as_array().into_iter().flatten() {
        let (name, alternative) = (&effect["reading"], &effect["alternative"]);
        let same = |one: &&mut Value| one["name"] == *name && one["alternative"] == *alternative;
        let told = json!({ "measure": effect["measure"], "verdict": effect["verdict"], "difference": effect });
        match all.iter_mut().find(same).and_then(|one| one["effects"].as_array_mut()) {
            Some(effects) => effects.push(told),
            None => {
                let setting = rules.settings.iter().find(|setting| *name == json!(setting.name));
                let title = setting.map_or("", |setting| rules.items[setting.item.at()].title.as_str());
                all.push(json!({ "name": name, "title": title, "alternative": alternative, "effects": [told] }));
            }
        }
    }
    json!({ "readings": all, "open": 0, "text": finding.text(), "finding": facts })
}
