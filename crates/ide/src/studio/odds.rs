//! Computes the margin of a ruleset: the odds of each test and of each proc with a result, and whether each example holds. All
//! lenses are computed with a small budget first, and those that reach a limit again with larger budgets (iterative deepening).

use super::scenes::DialSettings;
use super::{Asker, Engine};
use crate::lsp::Lines;
use crate::query::{Analysis, CallOdds, call_odds};
use grognard_base::value::Fraction;
use grognard_base::{Budget, Effort, OrdMap, Sources, Watch};
use grognard_play::examples::{ExampleResult, ExampleVerdict, run_example};
use grognard_program::{Built, Detail};
use grognard_report::finding::Finding;
use grognard_report::table::Row;
use grognard_syntax::tree::ItemKind;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::rc::Rc;

/// The budgets of the rounds.
const ROUNDS: [Effort; 3] = [Effort::Glance, Effort::Quick, Effort::Usual];
/// Number of lenses between progress messages in the first round.
const TOLD: usize = 4;

/// Returns the budget of a query that the user has requested.
pub fn budget(watch: Option<Watch>) -> Budget {
    Effort::Long.watched(watch)
}

#[derive(Deserialize)]
struct MarginParams {
    path: String,
    lens: Option<String>,
    #[serde(default)]
    settings: DialSettings,
    /// Texts that replace the current ones.
    #[serde(default)]
    texts: OrdMap<String, String>,
}

/// A test, proc or example of a file.
struct TestItem {
    sort: &'static str,
    name: String,
    title: String,
    /// The byte range of the name in the text.
    at: (usize, usize),
}

impl TestItem {
    fn id(&self) -> String {
        format!("{} {}", self.sort, self.name)
    }
}

/// Computes the odds of all lenses of a file.
pub fn odds(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let MarginParams { path, settings, texts, .. } = super::requests::read(params)?;
    if texts.is_empty() {
        let of = engine.filled_in(&path)?;
        let built = engine.built(&of, &path, Detail::Plain);
        return margin(&of, built, &path, &settings, asker);
    }
    let mut aside = engine.service.server.space(Path::new("/")).copy();
    for (other, text) in &texts {
        aside.set(other, text);
    }
    let of = super::filled_in(&aside, &path)?;
    let built = Rc::new(Built::new((*of.rules).clone(), Detail::Plain));
    margin(&of, built, &path, &settings, asker)
}

fn margin(
    of: &Analysis,
    built: Rc<Built>,
    path: &str,
    settings: &DialSettings,
    asker: &mut Asker<'_>,
) -> Result<Value, String> {
    let items = items(of, path);
    let text = of.file(path).and_then(|file| of.sources.get(file)).map_or("", |source| source.text.as_str());
    let lenses = items.iter().map(|item| head(item, text)).collect();
    let (sources, set) = (of.sources.clone(), settings.of(&of.rules));
    Margin { built, set, sources, items, lenses }.computed(asker)
}

/// Computes the full result of one lens, with its causes.
pub fn distribution(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let params: MarginParams = super::requests::read(params)?;
    let of = engine.filled_in(&params.path)?;
    let wanted = params.lens.unwrap_or_default();
    let found = items(&of, &params.path).into_iter().find(|item| item.id() == wanted);
    let item = found.ok_or_else(|| format!("`{wanted}` is no longer in this text"))?;
    let set = params.settings.of(&of.rules);
    let mut sources = of.sources.clone();
    let built = engine.built(&of, &params.path, Detail::Covered);
    let found = call_odds(&built, (&item.name, &set), &mut sources, budget(asker.watch.clone()), true);
    let Some(CallOdds { example, found }) = found else { return Err("write an example that calls it".into()) };
    let (finding, _) = found?;
    let mut answer = json!({ "title": item.title, "measures": measures(&finding), "text": finding.text() });
    if let Some(example) = example {
        answer["at"] = json!(example);
    }
    let finding = finding.json();
    let answers = finding["answers"].as_array();
    if let Some(why) = answers.into_iter().flatten().map(|answer| &answer["why"]).find(|why| why.is_object()) {
        let list = |key: &str| why[key].as_array().cloned().unwrap_or_default();
        let roll =
            |roll: Value| json!({ "name": roll["name"], "title": roll["title"], "share": share(&roll["share"]) });
        let reading = |of: Value| json!({ "name": of["name"], "title": of["title"], "value": of["value"] });
        answer["rolls"] = list("rolls").into_iter().map(roll).collect();
        answer["readings"] = list("readings").into_iter().map(reading).collect();
        answer["clauses"] = json!(list("clauses"));
    }
    answer["finding"] = finding;
    Ok(answer)
}

/// Converts a fraction in text form to a number.
fn share(text: &Value) -> Value {
    let parts: Option<Vec<i64>> =
        text.as_str().map(|text| text.split('/').filter_map(|part| part.parse().ok()).collect());
    match parts.as_deref() {
        Some([num, den]) if *den != 0 => json!((&Fraction::whole(*num) / &Fraction::whole(*den)).float()),
        Some([num]) => json!(num),
        _ => text.clone(),
    }
}

fn items(analysis: &Analysis, path: &str) -> Vec<TestItem> {
    let Some(file) = analysis.file(path) else { return Vec::new() };
    let item = |item: &std::sync::Arc<grognard_syntax::tree::Item>| {
        // an item with exceptions is in a merged text, and its origin is in the file
        if analysis.sources.origin(item.span).file != file {
            return None;
        }
        let (sort, name, title) = match &item.kind {
            // An extern test or proc uses its default, or the definition of the ruleset that fills it in.
            ItemKind::Test(test) => ("test", &test.name, test.title.as_ref()),
            ItemKind::Proc(proc) if proc.result.is_some() => ("proc", &proc.name, proc.title.as_ref()),
            ItemKind::Example(example) => {
                let span = analysis.sources.origin(example.title.span);
                let at = (span.start as usize, span.end as usize);
                let title = example.title.text.clone();
                return Some(TestItem { sort: "example", name: title.clone(), title, at });
            }
            _ => return None,
        };
        let span = analysis.sources.origin(name.span);
        let at = (span.start as usize, span.end as usize);
        let title = title.map_or_else(|| name.text.clone(), |title| title.text.clone());
        Some(TestItem { sort, name: name.text.clone(), title, at })
    };
    analysis.names.items.iter().filter_map(item).collect()
}

fn head(item: &TestItem, text: &str) -> Value {
    json!({
        "id": item.id(),
        "range": Lines::of(text).range(item.at.0, item.at.1),
        "title": item.title,
        "sort": item.sort,
        "measures": [],
    })
}

/// The lenses of a file during the computation.
struct Margin {
    built: Rc<Built>,
    /// The values of the dials. Examples ignore them, because they state what holds in the rules as written.
    set: Vec<(String, String)>,
    sources: Sources,
    items: Vec<TestItem>,
    lenses: Vec<Value>,
}

impl Margin {
    fn computed(mut self, asker: &mut Asker<'_>) -> Result<Value, String> {
        let mut open: Vec<usize> = (0..self.items.len()).collect();
        for (round, effort) in ROUNDS.into_iter().enumerate() {
            if round > 0 && !open.is_empty() {
                asker.tell(json!({ "lenses": self.lenses, "open": open.len() }));
            }
            let mut later = Vec::new();
            for (n, at) in open.iter().enumerate() {
                asker.still()?;
                if self.limited(*at, effort.watched(asker.watch.clone())) {
                    later.push(*at);
                }
                let left = open.len() - n - 1 + later.len();
                if round > 0 || left.is_multiple_of(TOLD) {
                    asker.tell(json!({ "lenses": self.lenses, "open": left }));
                }
            }
            open = later;
        }
        Ok(json!({ "lenses": self.lenses, "open": open.len() }))
    }

    /// Computes one lens. Returns whether a limit was reached.
    fn limited(&mut self, at: usize, budget: Budget) -> bool {
        let (item, lens) = (&self.items[at], &mut self.lenses[at]);
        if item.sort == "example" {
            let examples = &self.built.rules.examples;
            let Some(example) = examples.iter().rev().find(|e| e.tree.title.text == item.name) else { return false };
            let result = run_example(&self.built, example, &self.sources, budget);
            lens["holds"] = json!(result.verdict == ExampleVerdict::Holds);
            lens["why"] = json!(said(&result));
            return result.limit;
        }
        match call_odds(&self.built, (&item.name, &self.set), &mut self.sources, budget, false) {
            None => lens["why"] = json!("write an example that calls it"),
            Some(CallOdds { example, found }) => {
                if let Some(example) = example {
                    lens["at"] = json!(example);
                }
                match found {
                    Ok((finding, limit)) => {
                        lens["measures"] = measures(&finding);
                        return limit;
                    }
                    Err(why) => lens["why"] = json!(why),
                }
            }
        }
        false
    }
}

fn said(result: &ExampleResult) -> String {
    let mut lines: Vec<String> = result.problems.iter().map(|problem| problem.message.clone()).collect();
    if lines.is_empty() && !result.why.is_empty() {
        lines.push(format!("waits {}", result.why));
    }
    if result.limit {
        lines.push("too large to compute here".into());
    }
    lines.join("\n")
}

/// Returns the rows of a result by measure, in the format of the page.
pub fn measures(finding: &Finding) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for row in &finding.rows {
        let (name, sort) = (&row["measure"], row["sort"].as_str().unwrap_or_default());
        let bars = sort == "hist";
        if all.last().is_none_or(|last| last["measure"] != *name) {
            all.push(json!({ "measure": name, "sort": if bars { "outcome" } else { sort } }));
        }
        let Some(last) = all.last_mut() else { continue };
        if bars {
            // Numbers are in a separate column.
            let value = match row["value"].as_str() {
                None | Some("") => row["number"].as_f64().map_or_else(String::new, |number| number.to_string()),
                Some(value) => value.to_string(),
            };
            let bar = json!({ "value": value, "chance": chance(row) });
            match last["bars"].as_array_mut() {
                Some(bars) => bars.push(bar),
                None => last["bars"] = json!([bar]),
            }
        } else {
            last["value"] = chance(row);
            last["sort"] = json!(sort);
        }
    }
    Value::Array(all)
}

/// Returns a number as JSON, with its bounds and its label.
pub fn chance(row: &Row) -> Value {
    let mut chance = json!({ "label": row.get("label") });
    for name in ["fraction", "estimate", "low", "high", "error"] {
        let known = row.get(name).filter(|value| !value.is_null() && value.as_str() != Some(""));
        known.into_iter().for_each(|value| chance[name] = value.clone());
    }
    // The sample size, if the number is sampled.
    if row.get("label").and_then(Value::as_str) == Some("sampled")
        && let Some(runs) = row.get("n").filter(|runs| runs.is_u64())
    {
        chance["runs"] = runs.clone();
    }
    chance
}
