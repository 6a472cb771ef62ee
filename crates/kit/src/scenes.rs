//! The shipped scenarios, loaded and played for tests.

use crate::{Shipped, root};
use grognard_base::Sources;
use grognard_play::record::{About, Event, Recorder};
use grognard_play::{self as play, Options, Outcome};
use grognard_program::Detail;
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Mode, Scenario};
use std::path::Path;

/// Returns the names of the shipped scenarios of all games, sorted and without duplicates.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = folders().into_iter().map(|(_, name)| name).collect();
    names.sort();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "two scenarios of one name");
    }
    names
}

/// Returns each shipped scenario with the folder of its game.
pub fn folders() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for game in std::fs::read_dir(root().join("rulesets")).unwrap() {
        let game = game.unwrap().path();
        if !game.is_dir() {
            continue;
        }
        let word = |p: &Path| p.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok(files) = std::fs::read_dir(game.join("scenarios")) else { continue };
        let files = files.map(|f| f.unwrap().path());
        let scenes = files.filter(|f| f.extension().is_some_and(|e| e == "toml"));
        found.extend(scenes.map(|f| (word(&game), word(&f))));
    }
    found
}

/// Loads a shipped scenario by name.
pub fn shipped(name: &str) -> (Scenario, Sources) {
    let folders = folders();
    let (game, _) = folders.iter().find(|(_, n)| n == name).unwrap_or_else(|| panic!("no scenario {name}"));
    let path = format!("{game}/scenarios/{name}.toml");
    let text = Shipped::default().read(&path).unwrap().unwrap();
    read(&path, text)
}

/// Returns whether a scenario states only its differences from another one.
pub fn builds_on_another(name: &str) -> bool {
    let folders = folders();
    let (game, _) = folders.iter().find(|(_, n)| n == name).unwrap_or_else(|| panic!("no scenario {name}"));
    let text = Shipped::default().read(&format!("{game}/scenarios/{name}.toml")).unwrap().unwrap();
    text.lines().any(|line| line.starts_with("base "))
}

/// Builds a scenario from a text.
pub fn read(path: &str, text: String) -> (Scenario, Sources) {
    let mut sources = Sources::default();
    let document = scenario::read(path, text, &Shipped::default(), &mut sources)
        .unwrap_or_else(|found| panic!("{path}: {found:?}"));
    let mut sets = Vec::new();
    for (name, _) in scenario::rulesets(&document).unwrap() {
        sets.push(
            rules::load(&name, &Shipped::default(), &mut sources)
                .ruleset
                .unwrap_or_else(|| panic!("{name} has errors")),
        );
    }
    let first = sets.remove(0);
    let built = scenario::build(&document, first, &sets, &sources, Detail::Traced);
    (built.unwrap_or_else(|found| panic!("{path}: {found:?}")), sources)
}

/// Returns whether the scenario produces a trace.
pub fn traced(scenario: &Scenario) -> bool {
    scenario.plan.mode == Mode::Scripted
}

/// Plays a scenario and records its events.
pub fn played(name: &str, scenario: &Scenario, sources: &Sources) -> (Outcome, Vec<Event>) {
    let recorder = Recorder::new(&scenario.game, &About::of(name, scenario, None, None), Some(sources));
    play::record(scenario, Options::default(), recorder)
}

/// Plays a scenario without a watcher and returns its outcome.
pub fn unwatched(scenario: &Scenario) -> Outcome {
    play::play(scenario, Options::default())
}
