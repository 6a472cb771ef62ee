//! Scenarios: what is read, what is refused, and what comes of playing them.

use grognard::base::{Diagnostic, Sources};
use grognard::machine::NoTrace;
use grognard::play::{self, Options, Outcome};
use grognard::program::Detail;
use grognard::rules::{self, Library};
use grognard::scenario::{self, Scenario};
use std::collections::BTreeMap;
use std::path::Path;

/// The rulesets of the project, and files of the test's own.
struct Files(BTreeMap<String, String>);

impl Library for Files {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if let Some(text) = self.0.get(path) {
            return Ok(Some(text.clone()));
        }
        match std::fs::read_to_string(Path::new("rulesets").join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e.to_string()),
        }
    }
}

fn files(own: &[(&str, &str)]) -> Files {
    Files(own.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string())).collect())
}

fn load(path: &str, own: &[(&str, &str)]) -> Result<Scenario, (Vec<Diagnostic>, Sources)> {
    let files = files(own);
    let mut sources = Sources::default();
    let text = files.read(path).unwrap().unwrap_or_else(|| panic!("there is no {path}"));
    let document = match scenario::read(path, text, &files, &mut sources) {
        Ok(document) => document,
        Err(found) => return Err((found, sources)),
    };
    let names = match scenario::rulesets(&document) {
        Ok(names) => names,
        Err(found) => return Err((found, sources)),
    };
    let mut sets = Vec::new();
    for (name, _) in names {
        let loaded = rules::load(&name, &files, &mut sources);
        match loaded.ruleset {
            Some(set) => sets.push(set),
            None => return Err((loaded.problems, sources)),
        }
    }
    let first = sets.remove(0);
    scenario::build(&document, first, &sets, &sources, Detail::Plain).map_err(|found| (found, sources))
}

fn told(found: &[Diagnostic], sources: &Sources) -> String {
    grognard::report::render(found, sources, grognard::report::Format::Short)
}

fn loaded(path: &str, own: &[(&str, &str)]) -> Scenario {
    load(path, own).unwrap_or_else(|(found, sources)| panic!("{}", told(&found, &sources)))
}

fn played(scenario: &Scenario) -> Outcome {
    play::play(scenario, Options::default(), NoTrace).0
}

fn words(outcome: &Outcome) -> String {
    outcome.problems.iter().map(|d| format!("{} {}\n", d.code, d.message)).collect()
}

fn holds(name: &str, count: usize) {
    let outcome = played(&loaded(&format!("warstrike/scenarios/{name}.toml"), &[]));
    assert!(outcome.sound(), "{}", words(&outcome));
    assert_eq!(outcome.count(), (count, count));
}

#[test]
fn orders_under_fire() {
    holds("orders-under-fire", 4);
}

#[test]
fn salvo_order() {
    holds("salvo-order", 25);
}

#[test]
fn shaken_or_steadfast() {
    holds("shaken-or-steadfast", 10);
}

#[test]
fn salvo_threshold_over_its_base() {
    holds("salvo-threshold", 2);
}

#[test]
fn refuge_too_near() {
    holds("refuge-too-near", 2);
}

#[test]
fn rout_from_one() {
    holds("rout-from-one", 2);
}

#[test]
fn exact_scenarios_are_checked_and_wait() {
    let outcome = played(&loaded("warstrike/scenarios/shedding-markers.toml", &[]));
    assert_eq!(outcome.waiting(), 1);
    assert!(words(&outcome).starts_with("R0810"), "{}", words(&outcome));
}

#[test]
fn a_firefight_is_sampled() {
    let scenario = loaded("warstrike/scenarios/firefight.toml", &[]);
    let run = |runs| play::play(&scenario, Options { runs: Some(runs), ..Options::default() }, NoTrace).0;
    let outcome = run(20);
    assert!(outcome.sound(), "{}", words(&outcome));
    assert_eq!(outcome.runs, 20);
    assert_eq!(outcome.figures.len(), 4);
    assert!(outcome.figures.iter().all(|f| f.counted == 20));
    let again = run(20);
    assert_eq!(outcome.figures[0].mean(), again.figures[0].mean());
    assert_eq!(outcome.state, again.state);
}
