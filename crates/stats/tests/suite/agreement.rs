//! What is sampled lies where the exact odds say: every shipped scenario with its dice left to chance, asked about all that
//! may change in it.

use grognard_base::value::*;
use grognard_base::{Source, Sources};
use grognard_kit as common;
use grognard_kit::Shipped;
use grognard_kit::scenes;
use grognard_odds::{Budget, Label, Worth};
use grognard_play::odds::{OddsAnswer, OddsOptions, report};
use grognard_program::Detail;
use grognard_rules as rules;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{self as scenario, Figure, Scenario};
use grognard_stats::stats::{Level, wilson};
use grognard_stats::{self as sample, Settings, Tally};
use grognard_vm::Fault;
use std::collections::BTreeMap;

/// Scenarios that are left out, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("firefight", BOUNDED),
    ("squads-to-the-end", BOUNDED),
    ("hold-the-farm", BOUNDED),
    ("skirmish-at-the-ford", BOUNDED),
    ("three-turns-at-the-farm", BOUNDED),
    ("three-turns-at-the-farm-led", BOUNDED),
    ("fight-to-the-end", BOUNDED),
    ("skirmish-to-the-end", BOUNDED),
    ("stand-in-players", BOUNDED),
    ("moves-of-the-skirmish", SLOW),
    ("assaults-read-otherwise", BOUNDED),
    ("combat-moves", BOUNDED),
    ("who-hides-there", BOUNDED),
    ("two-actions-and-no-more", BOUNDED),
    ("fire-read-otherwise", SLOW),
    ("attackers", BOUNDED),
    ("across-the-road", BOUNDED),
    ("skirmish", BOUNDED),
    ("temple", BOUNDED),
    ("dungeon", BEST),
    ("cards", BEST),
    ("provinces", BEST),
    ("majority", BEST),
    ("reaction", BEST),
];
const BOUNDED: &str = "its odds are bounded: too many positions";
const BEST: &str = "a player plays for the best, which runs cannot do";
const SLOW: &str = "its odds take too long for a test";

/// Scenarios that are looked at under other rules too.
const ALSO: &[(&str, &str)] =
    &[("shaken-or-steadfast", "warstrike/salvo-threshold"), ("defensive-fire", "warstrike/salvo-threshold")];

/// The game whose scenarios take longest.
const ALTERNATE: &str = "alternate";

/// Rulesets of the others that are played: in each of them some shares are compared.
const RULESETS: &[&str] =
    &["warstrike/action-phase", "warstrike/leadership", "warstrike/salvo-threshold", "recoil/results"];

/// Most questions to a scenario.
const QUESTIONS: usize = 100;
/// Runs of a scenario in which something may come one way or the other; and of the slow ones.
const RUNS: u64 = 400;
const SLOW_RUNS: u64 = 40;

/// An interval that misses once in 26 million times: a whole family of thousands misses less than once in 1,000.
const SURE: Level = Level { name: "sure", alpha: 3.8e-8, z: 5.5 };

/// A scenario with its dice left to chance, its expectations taken away, and other questions.
fn open(path: &str, text: &str, rules: Option<&str>, of: &[String]) -> Scenario {
    let mut table: toml::Table = text.parse().unwrap();
    for key in ["expect", "mode", "sweep"] {
        table.remove(key);
    }
    if let Some(rules) = rules {
        table.insert("rules".into(), rules.into());
    }
    for step in table.get_mut("step").and_then(toml::Value::as_array_mut).into_iter().flatten() {
        step.as_table_mut().unwrap().remove("expect");
    }
    let mut sources = Sources::default();
    let mut document =
        scenario::read(path.trim_start_matches("rulesets/"), table.to_string(), &Shipped::default(), &mut sources)
            .unwrap_or_else(|found| panic!("{path}: {found:?}"));
    // its own and those of the scenario it stands on
    document.entries.retain(|entry| entry.key != "dice");
    let figures = of.iter().map(|text| (text.clone(), sources.add(Source::new("of", text.as_str()))));
    document.ask(&figures.collect::<Vec<_>>(), &[]);
    let names = scenario::rulesets(&document).unwrap();
    let load = |(name, _): (String, _)| rules::load(&name, &Shipped::default(), &mut sources).ruleset.unwrap();
    let mut sets: Vec<_> = names.into_iter().map(load).collect();
    let first = sets.remove(0);
    scenario::build(&document, first, &sets, &sources, Detail::Plain)
        .unwrap_or_else(|found| panic!("{path}: {found:?}"))
}

/// What may change of each thing.
fn questions(scenario: &Scenario) -> Vec<String> {
    let game = &scenario.game;
    let rules = &game.program.schema;
    let mut found = vec!["rounds".to_string()];
    for (kind, layout) in game.layout.kinds.iter().enumerate() {
        let fields = rules.kinds[kind].fields.iter().map(|field| &rules.fields[field.at()]);
        for field in fields.filter(|f| f.sort == FieldSort::State && f.keys.is_empty()) {
            let names = (0..layout.slots).map(|thing| game.name(KindId::from(kind), thing as i64));
            found.extend(names.map(|name| format!("{name}.{}", field.name)));
        }
    }
    found.truncate(QUESTIONS);
    found
}

/// What is compared: the exact answers to a scenario's questions, and what so many runs came to.
struct Compared {
    name: String,
    scenario: Scenario,
    /// Nothing of a mean of runs that may end in an error.
    answers: Vec<Option<OddsAnswer>>,
    runs: u64,
    faults: u64,
    tallies: Vec<Tally>,
}

impl Compared {
    fn of(name: &str, path: &str, text: &str, rules: Option<&str>, runs: u64) -> Compared {
        let of = questions(&open(path, text, rules, &["rounds".to_string()]));
        let scenario = open(path, text, rules, &of);
        let name = rules.map_or(name.to_string(), |rules| format!("{name} under {rules}"));
        let odds_options = OddsOptions::plain(Budget { states: 5_000, ..Budget::default() });
        let found = report(&scenario, &odds_options).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        let failing = found.graph().is_some_and(|explored| !explored.graph.faults().is_empty());
        let rendered = |answer: Result<OddsAnswer, Fault>| match answer {
            Err(fault) if !failing => panic!("{name}: {}", fault.message),
            answer => answer.ok(),
        };
        let answers: Vec<Option<OddsAnswer>> = found.answers.into_iter().map(rendered).collect();
        let found = |a: &OddsAnswer| a.found.as_ref().is_some_and(|found| found.outcomes.len() == 1);
        let sure = |a: &Option<OddsAnswer>| a.as_ref().is_some_and(found);
        // where nothing comes one way or the other one run would do
        let runs = if answers[1..].iter().all(sure) { 5 } else { runs };
        let settings = Settings { seed: 20_011, runs, threads: 2, chunk: 16, level: Level::USUAL, until: None };
        let sample = sample::sample(&scenario, settings, None, &|_| true);
        Compared { name, scenario, answers, runs, faults: sample.faults, tallies: sample.tallies }
    }

    /// Compares all answers; disagreements by name, and how many shares that could differ were compared.
    fn judge(&self, wrong: &mut Vec<String>) -> usize {
        let figures = self.scenario.plan.report.iter().zip(&self.answers).zip(&self.tallies);
        let one = |((figure, answer), tally): ((&Figure, &Option<OddsAnswer>), &Tally)| {
            answer.as_ref().map_or(0, |answer| self.question(&figure.text, answer, tally, wrong))
        };
        figures.map(one).sum()
    }

    fn question(&self, text: &str, answer: &OddsAnswer, tally: &Tally, wrong: &mut Vec<String>) -> usize {
        let mut say = |what: String| wrong.push(format!("{}, `{text}`: {what}", self.name));
        if answer.label != Label::Exact {
            say("its odds are bounded; leave the scenario out by name".to_string());
            return 0;
        }
        let times: Vec<(&[i64], u64)> = tally.values().unwrap().collect();
        let Some(found) = &answer.found else {
            // a mean that was counted on the way
            let count = times.iter().map(|(_, n)| n).sum::<u64>() as f64;
            let mean = times.iter().map(|(cells, n)| cells[0] as f64 * *n as f64).sum::<f64>() / count;
            let spread =
                times.iter().map(|(cells, n)| (cells[0] as f64 - mean).powi(2) * *n as f64).sum::<f64>() / count;
            let exact = decimal(answer.mean.as_ref().unwrap());
            if (mean - exact).abs() > SURE.z * (spread / count).sqrt() + 1e-9 {
                say(format!("the mean of {count} runs is {mean}, and {exact} by the odds"));
            }
            return usize::from(spread > 0.0);
        };
        let mut chances: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
        let mut failing = 0.0;
        for outcome in &found.outcomes {
            match &outcome.worth {
                Worth::Cells(cells) => *chances.entry(cells.clone()).or_default() += decimal(&found.share(outcome)),
                Worth::Fault(_) => failing += decimal(&found.share(outcome)),
                Worth::Never => say("it may never end".to_string()),
            }
        }
        for (cells, n) in &times {
            if !chances.contains_key(*cells) {
                say(format!("{cells:?} came {n} times of {}, and cannot come by the odds", self.runs));
            }
        }
        let held = |cells: &Vec<i64>| times.iter().find(|(own, _)| own == cells).map_or(0, |(_, n)| *n);
        let mut shares: Vec<(String, f64, u64)> = vec![("an error".to_string(), failing, self.faults)];
        let (mut rare, mut rare_times) = (0.0, 0);
        for (cells, chance) in &chances {
            // what should come less than once is taken together
            if chance * (self.runs as f64) < 1.0 {
                rare += chance;
                rare_times += held(cells);
            } else {
                shares.push((format!("{cells:?}"), *chance, held(cells)));
            }
        }
        shares.push(("any rare value".to_string(), rare, rare_times));
        for (what, chance, n) in &shares {
            let (low, high) = wilson(*n, self.runs, SURE);
            if *chance < low - 1e-9 || *chance > high + 1e-9 {
                say(format!("{what} came {n} times of {}, and has a chance of {chance} by the odds", self.runs));
            }
        }
        shares.iter().filter(|(_, chance, _)| *chance > 1e-9 && *chance < 1.0 - 1e-9).count()
    }
}

fn decimal(fraction: &Fraction) -> f64 {
    fraction.decimal(15).parse().unwrap()
}

/// Compares the scenarios of the folders for which `which` holds.
fn compare(which: impl Fn(&str) -> bool, rulesets: &[&str]) {
    let mut wrong = Vec::new();
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    let mut one = |name: &str, path: &str, rules: Option<&str>, runs: u64| {
        let text = std::fs::read_to_string(common::root().join(path)).unwrap();
        let both = Compared::of(name, path, &text, rules, runs);
        *compared.entry(both.scenario.game.program.schema.path.clone()).or_default() += both.judge(&mut wrong);
    };
    for (game, name) in scenes::folders().into_iter().filter(|(game, _)| which(game)) {
        let path = format!("rulesets/{game}/scenarios/{name}.toml");
        if LEFT_OUT.iter().all(|(left, _)| *left != name) {
            one(&name, &path, None, if game == ALTERNATE { SLOW_RUNS } else { RUNS });
        }
        for (_, rules) in ALSO.iter().filter(|(own, _)| *own == name) {
            one(&name, &path, Some(rules), RUNS);
        }
    }
    if which("agreement") {
        one("indoors", "crates/stats/tests/fixtures/agreement/indoors.toml", None, RUNS);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    // each game is compared where chance has a say
    for rules in rulesets {
        assert!(compared.get(*rules).is_some_and(|n| *n >= 4), "{rules}: {compared:?}");
    }
}

#[test]
fn samples_lie_where_the_odds_say() {
    compare(|game| game != ALTERNATE, RULESETS);
}

#[test]
fn and_in_the_game_of_alternate_activations() {
    compare(|game| game == ALTERNATE, &["alternate/activation"]);
}

#[test]
fn what_is_left_out_is_there() {
    let names = scenes::names();
    for (name, why) in LEFT_OUT {
        assert!(names.iter().any(|n| n == name), "there is no scenario {name} to leave out ({why})");
    }
}
