//! The shipped scenarios, loaded and played for tests.
#![allow(dead_code)] // each test uses a part of it

use crate::common::{Shipped, root};
use grognard::base::Sources;
use grognard::machine::{Decide, Dice, NoTrace, Run, Stop, call};
use grognard::play::record::{About, Event, Recorder, script_of, to_jsonl};
use grognard::play::{self, Options, Outcome};
use grognard::program::Detail;
use grognard::rules::{self, Library};
use grognard::scenario::{self, Answerer, Expected, Mode, Repeat, Scenario};
use std::path::Path;

/// Names of the shipped scenarios of all games, sorted; no two are alike.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = folders().into_iter().map(|(_, name)| name).collect();
    names.sort();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "two scenarios of one name");
    }
    names
}

/// Each shipped scenario with the folder of its game.
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

/// A shipped scenario by its name.
pub fn shipped(name: &str) -> (Scenario, Sources) {
    let folders = folders();
    let (game, _) = folders.iter().find(|(_, n)| n == name).unwrap_or_else(|| panic!("no scenario {name}"));
    let path = format!("{game}/scenarios/{name}.toml");
    let text = Shipped::default().read(&path).unwrap().unwrap();
    read(&path, text)
}

/// A scenario from a text.
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

/// True if it leaves a trace.
pub fn traced(scenario: &Scenario) -> bool {
    scenario.plan.mode == Mode::Scripted
}

fn about(name: &str, scenario: &Scenario) -> About {
    let word = |a: &Answerer| match a {
        Answerer::Policy(id) => format!("policy:{}", scenario.rules.policies[id.at()].name),
        other => format!("{other:?}").to_lowercase(),
    };
    let plan = &scenario.plan;
    let dice = if plan.dice.is_empty() { format!("seed {}", plan.seed) } else { "scripted".into() };
    let players = plan.players.iter();
    let players = players
        .map(|(who, list)| (scenario.game.packed_name(*who), list.iter().map(word).collect::<Vec<_>>().join(", ")));
    About { command: format!("run {name}"), dice, players: players.collect() }
}

/// Plays a scenario and keeps what happened.
pub fn played(name: &str, scenario: &Scenario, sources: &Sources) -> (Outcome, Vec<Event>) {
    let recorder = Recorder::new(&scenario.game, &about(name, scenario), Some(sources));
    let (outcome, recorder) = play::play(scenario, Options::default(), recorder);
    (outcome, recorder.finish())
}

/// Plays it again with the dice and decisions of its trace alone; the JSON lines, and what was not asked for.
pub fn replayed(name: &str, scenario: &Scenario, sources: &Sources, events: &[Event]) -> (String, (usize, usize)) {
    let (dice, decisions) = script_of(events).expect("a whole trace").drivers();
    let recorder = Recorder::new(&scenario.game, &about(name, scenario), Some(sources));
    let mut again = Again {
        scenario,
        state: scenario.game.start.clone(),
        with: Run::new(&scenario.game, dice, decisions, recorder),
        rounds: 0,
    };
    again.all();
    let Run { dice, decide, trace, .. } = again.with;
    (to_jsonl(&trace.finish()), (dice.left(), decide.left()))
}

struct Again<'a, D, C> {
    scenario: &'a Scenario,
    state: grognard::machine::State,
    with: Run<D, C, Recorder<'a>>,
    rounds: u64,
}

impl<D: Dice, C: Decide> Again<'_, D, C> {
    fn all(&mut self) {
        let plan = &self.scenario.plan;
        self.with.halt = plan.stop.map(|m| grognard::machine::Halt { phase: m.phase, start: m.start, key: m.key });
        if let Some((start, _)) = plan.start {
            loop {
                self.call(start);
                self.rounds += 1;
                match plan.repeat {
                    Repeat::Times(n) if self.rounds < n => {}
                    Repeat::Until(done) if !self.holds(done, &[]) => {}
                    _ => break,
                }
            }
        }
        for step in &plan.steps {
            let mut before = Vec::new();
            for expect in &step.expects {
                before.push(expect.earlier.iter().flat_map(|p| self.value(*p, &[])).collect::<Vec<i64>>());
            }
            self.with.trace.step(&step.text);
            self.call(step.action);
            for (expect, before) in step.expects.iter().zip(before) {
                let holds = self.holds(expect.piece, &before);
                self.with.trace.expect(&expect.text, holds, "");
            }
        }
        for expect in &plan.expects {
            if let Expected::That(piece) = expect.what {
                let holds = self.holds(piece, &[]);
                self.with.trace.expect(&expect.text, holds, "");
            }
        }
    }

    fn call(&mut self, piece: scenario::PieceId) {
        let game = &self.scenario.game;
        self.with.fuel = game.fuel;
        let func = self.scenario.pieces[piece.0].func;
        match call(game, &mut self.state, &mut self.with, func, &[]) {
            Ok(Stop::Reached) => {
                self.with.trace.remark("the scenario stops here");
                self.state.running.clear();
            }
            Ok(_) => {}
            Err(fault) => panic!("{}: {}", self.scenario.plan.name, fault.message),
        }
    }

    fn value(&mut self, piece: scenario::PieceId, earlier: &[i64]) -> Vec<i64> {
        let mut args = vec![self.rounds as i64];
        args.extend_from_slice(earlier);
        self.scenario.value(&mut self.state, piece, &self.with.tallies, &args).unwrap()
    }

    fn holds(&mut self, piece: scenario::PieceId, earlier: &[i64]) -> bool {
        self.value(piece, earlier).first() == Some(&1)
    }
}

/// How a scenario ends without being watched.
pub fn unwatched(scenario: &Scenario) -> Outcome {
    play::play(scenario, Options::default(), NoTrace).0
}
