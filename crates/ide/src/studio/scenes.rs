//! Binds scenarios to their rules with the settings of the dials, and lists the params and readings.

use super::Engine;
use super::requests::read;
use crate::lsp::Lines;
use crate::query::Analysis;
use grognard_base::value::{Ratio, SettingId, Type};
use grognard_base::{Diagnostic, OrdMap, OrdSet, Sources, Span};
use grognard_program::Detail;
use grognard_program::constant;
use grognard_rules::ruleset::{Ruleset, Setting};
use grognard_rules::schema::Item;
use grognard_rules::{Library, Overlay};
use grognard_scenario::scene::{self, SceneTexts, Wanted};
use grognard_scenario::{self as scenario, Over, Prepared, Scenario};
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// The values of the dials, in the notation of scenarios.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct DialSettings {
    pub params: OrdMap<String, String>,
    pub readings: OrdMap<String, String>,
}

impl DialSettings {
    /// Returns the names and values of the settings that the rules have.
    pub fn of(&self, rules: &Ruleset) -> Vec<(String, String)> {
        self.known(Some(rules)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn known(&self, rules: Option<&Ruleset>) -> impl Iterator<Item = (&String, &String)> {
        let there = move |name: &str| rules.is_none_or(|rules| rules.settings.iter().any(|one| one.name == name));
        self.params.iter().chain(&self.readings).filter(move |(name, _)| there(name))
    }

    /// Returns the settings as `name=value`, in the form of the command line. If the rules are known, settings that they do not
    /// have are omitted, such as the dial of a renamed param.
    pub fn set(&self, rules: Option<&Ruleset>) -> Vec<String> {
        self.known(rules).map(|(name, value)| format!("{name}={}", value.trim_end_matches(['"', '°', '%']))).collect()
    }
}

/// The parameters that identify a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Of {
    pub path: String,
    pub settings: DialSettings,
    /// Rules that replace those of the scenario.
    pub rules: Option<String>,
    /// Texts that replace the current ones.
    pub texts: OrdMap<String, String>,
    /// Other rules that the scenario is run with.
    #[serde(skip)]
    pub beside: Vec<String>,
    /// Measures that replace those of the report.
    #[serde(skip)]
    pub report: Vec<String>,
}

/// A bound scenario with its source texts.
#[derive(Clone)]
pub struct Scene {
    pub scenario: Rc<Scenario>,
    pub sources: Rc<Sources>,
}

/// Returns the diagnostics as text, one on each line.
pub fn rendered(found: &[Diagnostic], sources: &Sources) -> String {
    let text = grognard_report::render(found, sources, grognard_report::Format::Short);
    // A dial has no location in a text.
    let said = |line: &'_ str| match line.strip_prefix("--set:").and_then(|rest| rest.split_once("]: ")) {
        Some((_, said)) => said.to_string(),
        None => line.to_string(),
    };
    text.trim_end().lines().map(said).collect::<Vec<String>>().join("\n")
}

/// A scenario with all data that is needed to bind it.
#[derive(Clone)]
pub struct Unbound {
    pub of: Of,
    text: String,
    texts: Rc<super::Texts>,
    /// The analysis of its rules, if they are sound.
    known: Option<Rc<Analysis>>,
}

impl Unbound {
    /// Finds the scenario and its rules.
    pub fn find(engine: &mut Engine, of: Of) -> Result<Unbound, String> {
        let shared = engine.texts.clone();
        let texts = Overlay { under: &*shared, texts: &of.texts };
        let text = texts.read(&of.path)?.ok_or_else(|| format!("there is no file {}", of.path))?;
        let named = match &of.rules {
            Some(rules) => Some(rules.clone()),
            None => rules_of(&of.path, &text, &texts),
        };
        // Rules that are open in the editor have been read and checked already.
        let named = named.filter(|_| of.texts.is_empty());
        let analysis = named.map(|rules| engine.analysis(&format!("{}.rules", rules.trim_end_matches(".rules"))));
        let known = analysis.filter(|analysis| analysis.sound);
        Ok(Unbound { of, text, texts: shared, known })
    }

    /// Binds the scenario with open settings. `over` lists the settings that a sweep varies.
    pub fn prepare(self, over: Option<&[Over]>, detail: Detail) -> Result<(Prepared, Sources), String> {
        let Unbound { of, text, texts, known } = self;
        let texts = Overlay { under: &*texts, texts: &of.texts };
        let mut sources = known.as_ref().map(|known| known.sources.clone()).unwrap_or_default();
        let instead = known.as_ref().map(|known| &*known.rules);
        let mut set = of.settings.set(instead);
        // A varied dial takes all of its values, so its current value is ignored.
        let turned = |setting: &String| {
            over.iter().flat_map(|all| all.iter()).any(|over| setting.split('=').next() == Some(over.name.0.as_str()))
        };
        set.retain(|setting| !turned(setting));
        // Rules that were not read yet are passed by name.
        let rules = of.rules.as_deref().map(|rules| rules.trim_end_matches(".rules"));
        let overrides =
            Wanted { set: &set, instead, beside: &of.beside, of: &of.report, spares: true, ..Wanted::default() };
        let from = SceneTexts { name: &of.path, text, own: &texts, root: &texts };
        let bound = scene::bind(from, rules.map(str::to_string), overrides, over, |_, _| (), detail, &mut sources)?;
        let bound = bound.map_err(|found| rendered(&found, &sources))?;
        let prepared = bound.compile();
        Ok((prepared, sources))
    }

    /// Binds the scenario with its current settings.
    pub fn bind(self, detail: Detail) -> Result<Scene, String> {
        let (prepared, sources) = self.prepare(None, detail)?;
        let scenario = prepared.settle().map_err(|found| rendered(&found, &sources))?;
        Ok(Scene { scenario: Rc::new(scenario), sources: Rc::new(sources) })
    }
}

/// Binds a scenario with open settings.
pub fn prepare(engine: &mut Engine, of: &Of, detail: Detail) -> Result<(Prepared, Sources), String> {
    Unbound::find(engine, of.clone())?.prepare(None, detail)
}

/// Binds a scenario with its current settings.
pub fn scene(engine: &mut Engine, of: &Of, detail: Detail) -> Result<Scene, String> {
    Unbound::find(engine, of.clone())?.bind(detail)
}

/// Returns the first ruleset that a scenario names.
pub fn rules_of(path: &str, text: &str, texts: &dyn Library) -> Option<String> {
    let mut aside = Sources::default();
    let document = scenario::read(path, text.to_string(), texts, &mut aside).ok()?;
    Some(scenario::rulesets(&document).ok()?.into_iter().next()?.0)
}

/// Returns the settings of a ruleset, or of the rules of a scenario.
pub fn dials(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let of: Of = read(params)?;
    if of.path.ends_with(".rules") {
        let analysis = engine.analysis(&of.path);
        if !analysis.sound {
            return Err("the rules have errors".into());
        }
        let now = |_: usize, setting: &Setting| {
            let said = of.settings.params.get(&setting.name).or_else(|| of.settings.readings.get(&setting.name));
            said.cloned().unwrap_or_else(|| text(&analysis.rules, &setting.ty, &setting.value))
        };
        let used = used(&analysis);
        return Ok(all_dials((&analysis.rules, &analysis.sources, &used), now, |_, _| None));
    }
    let shared = engine.texts.clone();
    let own = shared.get(&of.path).unwrap_or_default();
    let named = of.rules.clone().or_else(|| rules_of(&of.path, &own, &*shared));
    let known = named.map(|rules| engine.analysis(&format!("{}.rules", rules.trim_end_matches(".rules"))));
    let used = known.filter(|known| known.sound).map(|known| used(&known)).unwrap_or_default();
    let (prepared, sources) = prepare(engine, &of, Detail::Plain)?;
    let game = prepared.settle().map_err(|found| rendered(&found, &sources))?;
    let rules = game.rules.clone();
    let own = prepare(engine, &Of { settings: DialSettings::default(), ..of }, Detail::Plain);
    let own = own.ok().and_then(|(prepared, _)| prepared.settle().ok());
    let now = |id: usize, setting: &Setting| text(&rules, &setting.ty, game.game.setting(SettingId(id as u32)));
    let said = |id: usize, setting: &Setting| {
        let own = own.as_ref()?.game.setting(SettingId(id as u32));
        (own != setting.value.as_slice()).then(|| text(&rules, &setting.ty, own))
    };
    Ok(all_dials((&rules, &sources, &used), now, said))
}

/// The rules that read each param or reading, by the location of its declaration. Examples are not included.
type Used = OrdMap<(String, u32), Vec<Value>>;

fn used(analysis: &Analysis) -> Used {
    let (rules, sources) = (&analysis.rules, &analysis.sources);
    let of = |span: Span| {
        let span = sources.origin(span);
        (sources.get(span.file).map_or(String::new(), |source| source.name.clone()), span.start)
    };
    let settings: OrdSet<(String, u32)> =
        rules.settings.iter().map(|setting| of(rules.items[setting.item.at()].span)).collect();
    // The range of each item.
    let whole: Vec<Span> = analysis.names.items.iter().map(|item| item.span).collect();
    let around =
        |at: Span| whole.iter().find(|item| item.file == at.file && item.start <= at.start && at.end <= item.end);
    let mut used = Used::new();
    for (at, declared) in &analysis.names.index.uses {
        let setting = of(*declared);
        if at == declared || !settings.contains(&setting) {
            continue;
        }
        let Some(item) = around(*at) else { continue };
        let inside =
            |one: &&Item| one.span.file == item.file && item.start <= one.span.start && one.span.end <= item.end;
        // The last name before the use. In a kind, this is the field that reads the setting.
        let asks = rules.items.iter().filter(inside).filter(|one| one.span.start <= at.start);
        let Some(asks) = asks.max_by_key(|one| one.span.start) else { continue };
        if of(asks.span) == setting {
            continue;
        }
        let title = if asks.title.is_empty() { &asks.name } else { &asks.title };
        let row = json!({ "title": title, "place": place(sources, asks.span), "clauses": clauses(rules, &asks.cites) });
        let rows = used.entry(setting).or_default();
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    used
}

/// Returns a value in the notation of scenarios: lengths in inches, angles in degrees.
pub fn text(rules: &Ruleset, ty: &Type, cells: &[i64]) -> String {
    let plain = match (ty, cells) {
        (Type::Ratio, [num, den, ..]) => Ratio::new(*num, *den).map_or(String::new(), |ratio| ratio.to_string()),
        (ty, [cell, ..]) => constant(rules, ty, *cell).to_string(),
        _ => String::new(),
    };
    plain.trim_end_matches(['"', '°']).to_string()
}

fn all_dials(
    (rules, sources, used): (&Ruleset, &Sources, &Used),
    now: impl Fn(usize, &Setting) -> String,
    said: impl Fn(usize, &Setting) -> Option<String>,
) -> Value {
    let (mut params, mut readings) = (Vec::new(), Vec::new());
    for (id, setting) in rules.settings.iter().enumerate() {
        let item = &rules.items[setting.item.at()];
        let mut dial = json!({
            "name": setting.name,
            "title": if item.title.is_empty() { &setting.name } else { &item.title },
            "value": now(id, setting),
            "book": text(rules, &setting.ty, &setting.value),
            "clauses": clauses(rules, &item.cites),
        });
        if let Some(place) = place(sources, item.span) {
            dial["place"] = place;
        }
        let name = sources.origin(item.span);
        let file = sources.get(name.file).map_or(String::new(), |source| source.name.clone());
        if let Some(used) = used.get(&(file, name.start)) {
            dial["used"] = json!(used);
        }
        if let Some(said) = said(id, setting) {
            dial["scenario"] = json!(said);
        }
        if setting.alternatives.is_empty() {
            dial["sweep"] = setting.sweep.iter().map(|value| json!(text(rules, &setting.ty, value))).collect();
            let unit = match setting.ty {
                Type::Length => "\"",
                Type::Angle => "°",
                _ => "",
            };
            dial["unit"] = json!(unit);
            params.push(dial);
        } else {
            let glosses = setting.glosses.iter().map(String::as_str).chain(std::iter::repeat(""));
            let alternative = |((value, _), gloss): (&(Vec<i64>, String), &str)| {
                let name = text(rules, &setting.ty, value);
                json!({ "name": name, "title": if gloss.is_empty() { name.as_str() } else { gloss } })
            };
            dial["alternatives"] = setting.alternatives.iter().zip(glosses).map(alternative).collect();
            dial["because"] = json!(setting.because);
            readings.push(dial);
        }
    }
    json!({ "params": params, "readings": readings })
}

/// Returns clauses with their texts as JSON.
pub fn clauses(rules: &grognard_program::schema::Schema, ids: &[impl AsRef<str>]) -> Value {
    let says = |id: &str| rules.register.iter().find(|clause| clause.id == id).map_or("", |c| c.says.as_str());
    ids.iter().map(AsRef::as_ref).map(|id| json!({ "id": id, "says": says(id) })).collect()
}

/// Returns the location of a span as JSON.
pub fn place(sources: &Sources, span: Span) -> Option<Value> {
    let span = sources.origin(span);
    let source = sources.get(span.file)?;
    let range = Lines::of(&source.text).range(span.start as usize, span.end as usize);
    Some(json!({ "path": source.name, "range": range }))
}

#[derive(Deserialize)]
struct Variant {
    #[serde(flatten)]
    of: Of,
    #[serde(default)]
    name: String,
    #[serde(default)]
    title: String,
}

/// Returns a variant file with the values of the dials.
pub fn variant(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let Variant { of, name, title } = read(params)?;
    let rules = if of.path.ends_with(".rules") {
        of.path.trim_end_matches(".rules").to_string()
    } else {
        let text = engine.texts.get(&of.path).unwrap_or_default();
        let named = of.rules.clone().or_else(|| rules_of(&of.path, &text, &*engine.texts));
        named.ok_or_else(|| "the scenario names no rules".to_string())?
    };
    let analysis = engine.analysis(&format!("{rules}.rules"));
    let book = rules.split('/').next().unwrap_or(&rules);
    let own = if name.contains('/') { name.clone() } else { format!("{book}/{name}") };
    let mut text = format!("variant {own} of {rules}\n");
    if !title.is_empty() {
        text += &format!("\n# {}\n", grognard_base::safe::clean(&title));
    }
    text.push('\n');
    for (word, set) in [("param", &of.settings.params), ("reading", &of.settings.readings)] {
        for (name, value) in set {
            let setting = analysis.rules.settings.iter().find(|setting| setting.name == *name);
            let Some(setting) = setting else { return Err(format!("the rules have no {word} `{name}`")) };
            let unit = match setting.ty {
                Type::Length if !value.ends_with('"') => "\"",
                _ => "",
            };
            text += &format!("override {word} {name} = {value}{unit}\n");
        }
    }
    Ok(json!({ "path": format!("{own}.rules"), "text": text }))
}
