//! Pins: the last accepted result of each scenario of a project, as plain text that can be merged (golden files).
//! `grognard test` compares, `grognard review` accepts.

use super::cache::{Cache, Inputs};
use super::files::{self, canonical, sha256, text_of};
use super::mode::{CostArgs, ModeArg};
use super::out::Stop;
use super::{FOUND, outputs, project, receipt, run, scenes, shipped};
use grognard_ask::{asks_person, reported};
use grognard_base::order;
use grognard_base::{Effort, Sources};
use grognard_play::record::{Recorder, TraceDetail, render};
use grognard_play::{self as play, Options};
use grognard_program::Detail;
use grognard_report as report;
use grognard_rules as rules;
use grognard_scenario::{Mode, Scenario};
use grognard_stats::tested::few;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The prefix of the first line of a part.
const PART: &str = "=== ";
/// Number of digits of the hash of an item.
const DIGITS: usize = 8;

/// The result of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Each item of the project's own rules with a hash of its text, and the scenario itself.
    pub inputs: Vec<String>,
    /// The texts, by kind: `trace`, `odds` or `sample`.
    pub parts: Vec<(String, String)>,
}

impl Pin {
    /// Parses the text of a pin.
    pub fn read(text: &str) -> Pin {
        let mut pin = Pin::default();
        let mut begun = false;
        for line in text.lines() {
            match (line.strip_prefix(PART), pin.parts.last_mut()) {
                (Some("inputs"), _) => begun = true,
                (Some(sort), _) => pin.parts.push((sort.to_string(), String::new())),
                (None, Some((_, text))) => *text += &format!("{line}\n"),
                (None, None) if begun => pin.inputs.push(line.to_string()),
                (None, None) => {}
            }
        }
        pin
    }

    /// Returns the text of the pin.
    pub fn written(&self, scenario: &str) -> String {
        let inputs: String = self.inputs.iter().map(|line| format!("{line}\n")).collect();
        let parts: String = self.parts.iter().map(|(sort, text)| format!("{PART}{sort}\n{text}")).collect();
        format!(
            "# What {scenario} did when it was last accepted: `grognard test` compares, `grognard review` accepts.\n\
             {PART}inputs\n{inputs}{parts}"
        )
    }

    /// Returns the text of one kind.
    pub fn part(&self, sort: &str) -> Option<&str> {
        self.parts.iter().find(|(other, _)| other == sort).map(|(_, text)| text.as_str())
    }

    /// Returns the kinds for which another pin has a different text.
    pub fn moved(&self, new: &Pin) -> Vec<String> {
        let mut sorts: Vec<String> = Vec::new();
        for (sort, _) in new.parts.iter().chain(&self.parts) {
            if self.part(sort) != new.part(sort) && !sorts.contains(sort) {
                sorts.push(sort.clone());
            }
        }
        sorts
    }

    /// Takes the text of one kind from a newer pin.
    pub fn take(&mut self, new: &Pin, sort: &str) {
        let mut parts: Vec<(String, String)> = Vec::new();
        for (name, text) in &new.parts {
            let text = if name == sort { Some(text.as_str()) } else { self.part(name) };
            parts.extend(text.map(|text| (name.clone(), text.to_string())));
        }
        let kept = self.parts.iter().filter(|(name, _)| name != sort && new.part(name).is_none());
        parts.extend(kept.cloned());
        self.parts = parts;
        // until everything is accepted, the list of changes since then is shown
        if self.parts == new.parts {
            self.inputs.clone_from(&new.inputs);
        }
    }

    /// Returns the names of the items that differ from those of another pin.
    pub fn changed(&self, other: &Pin) -> Vec<String> {
        let name = |line: &String| line.rsplit_once(' ').map_or(line.as_str(), |(name, _)| name).to_string();
        let lines = self.inputs.iter().chain(&other.inputs);
        let moved = lines.filter(|line| !(self.inputs.contains(line) && other.inputs.contains(line)));
        let mut names: Vec<String> = Vec::new();
        for name in moved.map(name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// Returns the file of the pin of a scenario, and the name of the scenario in the project. Returns `None` outside of a
/// project.
pub fn place(path: &Path) -> Option<(PathBuf, String)> {
    let own = project::current()?;
    let full = canonical(path).ok()?;
    let below = files::plain(full.strip_prefix(&own.folder).ok()?)?;
    let stem = below.strip_suffix(".toml").unwrap_or(&below);
    Some((own.pins().join(format!("{stem}.pin")), below))
}

/// Returns the accepted pin of a scenario, or `None` if the scenario has no pin.
pub fn kept(path: &Path) -> Result<Option<Pin>, Stop> {
    let Some((file, _)) = place(path) else { return Ok(None) };
    if !file.exists() {
        files::note(file, None);
        return Ok(None);
    }
    let text = text_of(&file)?;
    Ok(Some(Pin::read(&text)))
}

/// Returns the key of a rejected change: its kind, and a hash of the result, the rules and the scenario.
pub fn difference(sort: &str, old: Option<&Pin>, new: Option<&Pin>) -> String {
    let part = |pin: Option<&Pin>| pin.and_then(|pin| pin.part(sort)).unwrap_or_default().to_string();
    let inputs = new.map_or(String::new(), |new| new.inputs.join("\n"));
    let mut hash = sha256([part(old), part(new), inputs].join("\0").as_bytes());
    hash.truncate(2 * DIGITS);
    format!("{sort} {hash}")
}

/// Returns the file for the rejected changes of a scenario, and the name of the scenario.
fn rejections(path: &Path) -> Option<(PathBuf, String)> {
    place(path).map(|(file, name)| (file.with_extension("rejected"), name))
}

/// Returns the keys of the rejected changes of a scenario, as [`difference`] returns them.
pub fn rejected(path: &Path) -> Vec<String> {
    let text = rejections(path).and_then(|(file, _)| files::peek(&file)).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_string).collect()
}

/// Replaces the rejected changes of a scenario, or deletes their file if no changes remain.
pub fn reject(path: &Path, all: &[String]) -> Result<(), Stop> {
    let Some((file, name)) = rejections(path) else { return Ok(()) };
    if all.is_empty() {
        return match std::fs::remove_file(&file) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
                Err(Stop::failed(format!("{} cannot be removed: {why}", shown(&file))))
            }
            _ => Ok(()),
        };
    }
    let folder = file.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)
        .map_err(|why| Stop::failed(format!("{} cannot be created: {why}", shown(folder))))?;
    let lines: String = all.iter().map(|line| format!("{line}\n")).collect();
    let head =
        format!("# Rejected changes of {name}. Each stays rejected until the rules or the result change again.\n");
    outputs::replace(&file, head + &lines)
}

/// Returns the number of scenarios among these files without a pin.
pub fn missing(files: &[PathBuf]) -> usize {
    let scenarios = files.iter().filter(|path| path.extension().is_some_and(|e| e == "toml"));
    scenarios.filter(|path| place(path).is_some_and(|(file, _)| !file.exists())).count()
}

/// Creates or replaces the pin of a scenario atomically.
pub fn keep(path: &Path, pin: &Pin) -> Result<(), Stop> {
    let Some((file, name)) = place(path) else {
        return Err(Stop::failed(format!("{} is not in a project, so its result cannot be saved", path.display())));
    };
    let folder = file.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)
        .map_err(|why| Stop::failed(format!("{} cannot be created: {why}", shown(folder))))?;
    outputs::replace(&file, pin.written(&name))
}

/// Returns a path as it appears in messages.
pub fn shown(path: &Path) -> String {
    files::here().map_or_else(|_| path.display().to_string(), |here| receipt::from(path, &here))
}

/// Returns the current result of a scenario, or `None` if a person answers in it.
pub fn now(path: &Path, cost: CostArgs, cache: &Cache) -> Result<Option<Pin>, Stop> {
    let began = files::changes();
    let mut sources = Sources::default();
    let scenario = scenes::load(path, None, &[], Detail::Traced, &mut sources)?;
    let texts = |inputs: Inputs| inputs.sources(sources.iter().map(|(_, source)| source));
    let key =
        cache.key("pin", |inputs| texts(inputs.text(path.as_os_str().as_encoded_bytes()).text(format!("{cost:?}"))));
    cache.get_or(key.as_deref(), began, || result(path, &scenario, cost, sources))
}

/// Computes the result of a scenario.
fn result(path: &Path, scenario: &Scenario, cost: CostArgs, mut sources: Sources) -> Result<Option<Pin>, Stop> {
    if asks_person(&scenario.plan) {
        return Ok(None);
    }
    let rendered: Vec<(&str, String)> = match scenario.plan.mode {
        Mode::Scripted => {
            // the odds of a scripted run are pinned only if they are cheap
            let odds = reported(scenario, Effort::Quick.budget(), true).ok().flatten();
            let trace = Some(("trace", trace(path, scenario, &sources)));
            trace.into_iter().chain(odds.map(|text| ("odds", text))).collect()
        }
        Mode::Exact => {
            // a count, not a clock: the same on every machine
            let question = cost.question(ModeArg::Exact)?;
            let odds = reported(scenario, question.budget, false);
            let odds = odds.map_err(|found| Stop::found(&sources, FOUND)(vec![found]))?;
            odds.map(|text| ("odds", text)).into_iter().collect()
        }
        Mode::Sampled => {
            vec![("sample", report::sampled::sample("", scenario, &few(scenario, 1)).text())]
        }
    };
    let bare = |text: String| text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let parts = rendered.into_iter().map(|(sort, text)| (sort.to_string(), bare(text))).collect();
    let inputs = inputs(path, scenario, &mut sources)?;
    Ok(Some(Pin { inputs, parts }))
}

/// Returns the brief trace of a run, without the line with versions.
fn trace(path: &Path, scenario: &Scenario, sources: &Sources) -> String {
    let recorder = Recorder::new(&scenario.game, &run::about(path, scenario, None, None), Some(sources));
    let (_, events) = play::record(scenario, Options::default(), recorder);
    let text = render(&events, TraceDetail::Brief);
    text.split_once("\n\n").map_or(text.clone(), |(_, below)| below.to_string())
}

/// Returns the items of the project's own rules with hashes, and the scenario. Shipped rules change only with the program.
fn inputs(path: &Path, scenario: &Scenario, sources: &mut Sources) -> Result<Vec<String>, Stop> {
    let (root, name) = scenes::home(path, None)?;
    let items = rules::merged(&name, &root, sources);
    let short = |text: &str| {
        let mut hash = sha256(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes());
        hash.truncate(DIGITS);
        hash
    };
    let schema = &scenario.rules.schema;
    let mut lines = Vec::new();
    for item in &items {
        let shipped = sources.get(item.span.file).is_some_and(|source| source.shown.starts_with(shipped::MARK));
        if shipped && sources.changed_at(item.span.file).is_none() {
            continue;
        }
        let inside = |at: grognard_base::Span| {
            at.file == item.span.file && item.span.start <= at.start && at.end <= item.span.end
        };
        let Some(named) = schema.items.iter().find(|other| inside(other.span)) else { continue };
        lines.push(format!("{} {} {}", named.word, named.name, short(sources.slice(item.span))));
    }
    order::sort(&mut lines);
    lines.dedup();
    let text = text_of(path)?;
    lines.push(format!("the scenario {}", short(&text)));
    Ok(lines)
}
