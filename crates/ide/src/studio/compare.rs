//! Compares two versions of the rules in a scenario, and ranks the effects of readings. Results are exact if that is cheap, and
//! otherwise sampled with an increasing number of runs.

use super::odds::chance;
use super::play::trace;
use super::requests::read;
use super::scenes::{DialSettings, Of, Unbound, rendered};
use super::texts::Texts;
use super::{Asker, Engine};
use grognard_ask::{Compare, Compared, Mode as Ask, NoReadings, Readings as Ranking, Runs, Unanswered};
use grognard_base::{Effort, OrdMap, OrdSet, Sources, Watch};
use grognard_lab::force::{EditOf, Standings};
use grognard_lab::mix;
use grognard_play::parting::parting;
use grognard_play::record::{About, Event, Recorder};
use grognard_play::{Options, record};
use grognard_program::Detail;
use grognard_report::compared::{Names, nothing};
use grognard_report::diff::brief;
use grognard_report::finding::Finding;
use grognard_report::readings as ranked;
use grognard_rules::Overlay;
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::{Prepared, Scenario};
use grognard_stats::compare::Compared::Sampled;
use grognard_stats::compare::{Question, first_differing};
use grognard_stats::readings::Readings;
use grognard_stats::{CHUNK, until};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of runs that a page can request.
const MOST_RUNS: u64 = 1_000_000;
/// Number of differing runs that are examined. The one that diverges first is shown.
const LOOKED_AT: usize = 8;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Version {
    title: String,
    settings: DialSettings,
    rules: Option<String>,
    texts: OrdMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct CompareParams {
    path: String,
    a: Version,
    b: Version,
    settings: DialSettings,
    runs: Option<u64>,
    seed: Option<u64>,
    /// Whether sampling continues until every measure is decided, instead of only the primary one.
    every: bool,
    /// Number of pairs whose result the page already has. Partial results begin at four times this number.
    known: u64,
}

/// Compares two versions of the rules in a scenario.
pub fn compare(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: CompareParams = read(params)?;
    let of = |own: &Version, other: &Version| Of {
        path: params.path.clone(),
        settings: own.settings.clone(),
        rules: own.rules.clone(),
        texts: own.texts.clone(),
        beside: other.rules.iter().cloned().collect(),
        report: Vec::new(),
    };
    let sides = [of(&params.a, &params.b), of(&params.b, &params.a)];
    let [a, b] = sides.map(|side| Unbound::find(engine, side));
    let sides = [a?, b?];
    let mut plain = Vec::new();
    for side in &sides {
        let mut scenario = (*side.clone().bind(Detail::Plain)?.scenario).clone();
        scenario.plan.measure_once();
        plain.push(scenario);
    }
    let (Some(b), Some(a)) = (plain.pop(), plain.pop()) else { return Err("nothing to compare".into()) };
    if a.plan.report.is_empty() {
        return Err("the scenario reports nothing that could be compared".into());
    }
    let standings = standings([&a, &b], &engine.texts, sides.each_ref().map(|side| &side.of));
    let name = |version: &Version, n: usize| match version.title.as_str() {
        "" => [&a, &b][n].plan.rules.clone(),
        title => title.to_string(),
    };
    let names = [name(&params.a, 0), name(&params.b, 1)];
    let question = Question {
        seed: params.seed.unwrap_or(a.plan.seed),
        runs: params.runs.unwrap_or(Effort::Usual.pairs()).clamp(1, MOST_RUNS),
        threads: 1,
        chunk: CHUNK,
        within: None,
        unpaired: false,
        family: 1,
        every: params.every,
    };
    let exact = params.runs.is_none();
    let pair = Pair { names, path: params.path, sides, question, standings, known: params.known };
    pair.compared([a, b], asker, exact)
}

/// Returns the edits of the rules and the settings that differ, with whether each of them takes effect in the scenario.
fn standings([a, b]: [&Scenario; 2], texts: &Texts, sides: [&Of; 2]) -> (Standings, Vec<Value>) {
    let (mut edits, mut rendered, mut shown): (Vec<EditOf>, Vec<String>, Vec<Value>) = Default::default();
    let mut sources = Sources::default();
    let mut items = |rules: &Ruleset, side: &Of| {
        let texts = Overlay { under: texts, texts: &side.texts };
        grognard_rules::merged(&rules.path, &texts, &mut sources)
    };
    // If only dials differ, the texts need not be read again.
    if (&a.rules.path, &sides[0].texts) != (&b.rules.path, &sides[1].texts) {
        let both = [items(&a.rules, sides[0]), items(&b.rules, sides[1])];
        for edit in mix::edits([&both[0], &both[1]], &sources).0 {
            let line = brief(&edit.change);
            shown.push(json!({ "title": line }));
            rendered.push(line);
            edits.push(EditOf::Rules(edit));
        }
    }
    let set = |side: &Of| -> OrdMap<String, String> {
        side.settings.params.iter().chain(&side.settings.readings).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let (before, after) = (set(sides[0]), set(sides[1]));
    let names: OrdSet<&String> = before.keys().chain(after.keys()).collect();
    let (same, other): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| before.get(*name) == after.get(*name));
    for name in other {
        shown.push(json!({ "title": name, "before": before.get(name), "after": after.get(name) }));
        rendered.push(name.clone());
        edits.push(EditOf::Setting(name.clone()));
    }
    let by_hand: Vec<String> = same.into_iter().cloned().collect();
    (Standings::new(edits, rendered, [a, b], &by_hand), shown)
}

struct Pair {
    names: [String; 2],
    path: String,
    sides: [Unbound; 2],
    question: Question,
    /// The edits, and the JSON of each for the page.
    standings: (Standings, Vec<Value>),
    known: u64,
}

impl Pair {
    /// Returns the comparison. It is exact if the page does not request runs and it is cheap enough, and otherwise sampled with
    /// an increasing number of pairs.
    fn compared(mut self, mut plain: [Scenario; 2], asker: &mut Asker<'_>, exact: bool) -> Result<Value, String> {
        let watch = asker.watch.clone();
        if self.standings.0.nothing() {
            let answer = self.rendered(None);
            asker.tell(answer.clone());
            return Ok(answer);
        }
        let most = if exact { Effort::Quick.pairs() } else { self.question.runs };
        let asked = Compare {
            mode: if exact { Ask::Auto } else { Ask::Sampled },
            budget: Effort::Usual.watched(watch.clone()),
            question: self.question,
            named: false,
        };
        let known = self.known.saturating_mul(4);
        let marks: Vec<u64> = Effort::pair_marks(most).filter(|mark| *mark >= known || *mark == most).collect();
        let mut partial = |found: Compared| asker.tell(self.rendered(Some(&found)));
        let answer = asked.answer(&mut plain, &until(watch.clone()), &mut |_| (), (&marks, &mut partial));
        let mut answer = match answer {
            Ok(found) => {
                let sides = &self.sides;
                let bound = |n: usize| Some((*sides[n].clone().bind(Detail::Covered).ok()?.scenario).clone());
                asked.look(&found.found, &mut self.standings.0, &mut || {
                    let mut both = [bound(0)?, bound(1)?];
                    both.iter_mut().zip(&plain).for_each(|(own, side)| own.plan.keep_measures(&side.plan));
                    Some(both)
                });
                self.rendered(Some(&found).filter(|_| !self.standings.0.nothing()))
            }
            Err(Unanswered::Unfit(why) | Unanswered::Unbounded(why)) => return Err(why),
            Err(Unanswered::Beyond(why)) => return Err(why.why),
        };
        asker.tell(answer.clone());
        asker.still()?;
        if self.standings.0.nothing() {
            return Ok(answer);
        }
        // A comparison that succeeded can also be traced.
        if let Ok(Some(parting)) = self.parting(&plain, watch) {
            answer["parting"] = parting;
        }
        Ok(answer)
    }

    /// Returns the result as JSON, or a result without effects if no edit is in force.
    fn rendered(&self, found: Option<&Compared>) -> Value {
        let [a, b] = &self.names;
        let scenario = self.path.as_str();
        let seed = self.question.seed;
        let names = Names {
            a,
            b,
            scenario,
            seed,
            unpaired: false,
            why: None,
            family: 1,
            explain: false,
            edits: self.standings.0.list(),
        };
        let finding = found.map_or_else(|| nothing(&names), |found| found.finding(&names));
        let mut differences = self.standings.1.clone();
        for (shown, standing) in differences.iter_mut().zip(self.standings.0.list()) {
            if let Some(why) = standing.force.rendered() {
                shown["held"] = json!(why);
            }
        }
        let mut rendered = json!({
            "differences": differences,
            "effects": effects(&finding),
            "text": finding.text(),
            "finding": finding.json(),
        });
        if let Some(Sampled(_)) = found.map(|found| &found.found) {
            rendered["asked"] = json!(self.question.runs);
        }
        rendered
    }

    /// Returns the run that diverges first, as the traces of both versions.
    fn parting(&self, [a, b]: &[Scenario; 2], watch: Option<Watch>) -> Result<Option<Value>, String> {
        let question = Question { runs: self.question.runs.min(Effort::Quick.pairs()), ..self.question };
        let found = first_differing(a, b, question, LOOKED_AT, &until(watch));
        if found.first.is_empty() {
            return Ok(None);
        }
        let mut traced = Vec::new();
        for side in &self.sides {
            traced.push(side.clone().bind(Detail::Traced)?);
        }
        let played = |n: usize, run: u64| -> Vec<Event> {
            let scene = &traced[n];
            let recorder = Recorder::new(&scene.scenario.game, &About::default(), Some(&scene.sources));
            let options = Options { seed: Some(question.seed), run: Some(run), ..Options::default() };
            record(&scene.scenario, options, recorder).1
        };
        let mut runs = Vec::new();
        for run in found.first {
            let a = played(0, run);
            runs.push((run, a, played(1, run)));
        }
        let at = |a: &[Event], b: &[Event]| parting(a, b).map(|parting| parting.common.len());
        let parted = runs.into_iter().filter_map(|(run, a, b)| Some((at(&a, &b)?, run, a, b)));
        let Some((at, run, a, b)) = parted.min_by_key(|(at, run, ..)| (*at, *run)) else { return Ok(None) };
        let lines = |n: usize, events: &[Event]| trace(&traced[n].scenario.game, events);
        let a = lines(0, &a);
        Ok(Some(json!({ "run": run, "a": a, "b": lines(1, &b), "at": at })))
    }
}

/// Returns the result of a comparison for each measure.
fn effects(finding: &Finding) -> Vec<Value> {
    let facts = finding.json();
    let effect = |effect: &Value| {
        let side = |estimate: &str, fraction: &str| {
            let mut rendered = json!({ "label": effect["label"], "estimate": effect[estimate] });
            if effect[fraction].as_str().is_some_and(|fraction| !fraction.is_empty()) {
                rendered["fraction"] = effect[fraction].clone();
            }
            rendered
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

/// Returns the effects of each alternative of each reading on the report.
pub fn readings(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: CompareParams = read(params)?;
    let of = Of { path: params.path.clone(), settings: params.settings.clone(), ..Of::default() };
    let unbound = Unbound::find(engine, of)?;
    let mut sources = Sources::default();
    let mut prepare = |measures: &[String]| {
        let mut own = unbound.clone();
        own.of.report = measures.to_vec();
        let (table, read) = own.prepare(None, Detail::Plain)?;
        sources = read;
        Ok::<Prepared, String>(table)
    };
    let runs = params.runs.map(|runs| runs.clamp(1, MOST_RUNS));
    let mode = if runs.is_some() { Ask::Sampled } else { Ask::Auto };
    let runs = Runs { seed: params.seed, runs, ..Runs::of(Effort::Usual) };
    let asked = Ranking { mode, runs, of: Vec::new(), only: Vec::new() };
    let mut asked = match asked.bind(&mut prepare) {
        Ok(asked) => asked,
        Err(why) => return Err(unanswered(why, &sources)),
    };
    let watch = asker.watch.clone();
    loop {
        let (seed, most) = asked.settings().map_or((0, 0), |sampled| (sampled.seed, sampled.runs));
        let marks: Vec<u64> = Effort::pair_marks(most).collect();
        // A page that requests a small sample first also shows the size of the full sample.
        let all = Runs::of(Effort::Usual).settings(asked.table().plan()).runs;
        let rendered_as = |found: &Readings| {
            let (scenario, rules) = (params.path.as_str(), asked.table().rules());
            let ranked = ranked::finding(&ranked::ReadingsTable { scenario, rules, seed, found });
            let mut answer = ranking(&ranked, rules);
            answer["all"] = json!(all);
            answer
        };
        let mut tell = |found: &Readings| asker.tell(rendered_as(found));
        match asked.answer(Effort::Usual.watched(watch.clone()), None, &until(watch.clone()), (&marks, &mut tell)) {
            Ok(found) => return Ok(rendered_as(&found)),
            Err(misfit) => match asked.leave_out(misfit) {
                Ok(_) => {}
                Err(why) => return Err(unanswered(why, &sources)),
            },
        }
    }
}

/// Returns the sentence for a ranking that has no result.
fn unanswered(why: NoReadings<String>, sources: &Sources) -> String {
    match why {
        NoReadings::Unread(why) | NoReadings::Unknown(why) | NoReadings::Unfit(why) => why,
        NoReadings::Refused(why) => why.to_string(),
        NoReadings::Unset(found) => rendered(&found, sources),
        NoReadings::Beyond(why) => why.to_string(),
    }
}

/// Returns the effects by alternative, in the order of the ranking.
fn ranking(finding: &Finding, rules: &Ruleset) -> Value {
    let facts = finding.json();
    let mut all: Vec<Value> = Vec::new();
    for effect in facts["effects"].as_array().into_iter().flatten() {
        let (name, alternative) = (&effect["reading"], &effect["alternative"]);
        let same = |one: &&mut Value| one["name"] == *name && one["alternative"] == *alternative;
        let rendered = json!({ "measure": effect["measure"], "verdict": effect["verdict"], "difference": effect });
        match all.iter_mut().find(same).and_then(|one| one["effects"].as_array_mut()) {
            Some(effects) => effects.push(rendered),
            None => {
                let setting = rules.settings.iter().find(|setting| *name == json!(setting.name));
                let title = setting.map_or("", |setting| rules.items[setting.item.at()].title.as_str());
                all.push(json!({ "name": name, "title": title, "alternative": alternative, "effects": [rendered] }));
            }
        }
    }
    json!({ "readings": all, "open": 0, "text": finding.text(), "finding": facts })
}
