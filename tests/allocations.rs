//! Sampling allocates nothing from run to run: twice as many runs take as many allocations, once all that they need is there.
//! The allocator that counts is one for the whole process, so this is a process of its own.

use allocation_counter::measure;
use grognard::base::Sources;
use grognard::program::Detail;
use grognard::rules::{Library, load};
use grognard::sample::stats::Level;
use grognard::sample::{CHUNK, Settings, sample};
use grognard::scenario::{Scenario, build, read};

struct Files;

impl Library for Files {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(match path {
            "w1/w1.rules" => Some(include_str!("../benches/ratios/rules/w1.rules").to_string()),
            "w2/w2.rules" => Some(include_str!("../benches/ratios/rules/w2.rules").to_string()),
            "w3/w3.rules" => Some(include_str!("../benches/ratios/rules/w3.rules").to_string()),
            "w4/w4.rules" => Some(include_str!("../benches/ratios/rules/w4.rules").to_string()),
            _ => None,
        })
    }
}

/// The workloads of the bench: their rules, how they start, their things, and a figure.
const CASES: [[&str; 4]; 4] = [
    ["w1/w1", "Battle(squad)", "[Squad.squad]", "squad.models"],
    ["w2/w2", "Duel(ours, theirs)", "[Army.ours]\n[Army.theirs]", "ours.men"],
    ["w3/w3", "Battle(squad)", "[Squad.squad]", "squad.models"],
    ["w4/w4", "Throw()", "", "best"],
];

fn scenario([rules, start, things, figure]: [&str; 4]) -> Scenario {
    let text = format!("rules = \"{rules}\"\nstart = \"{start}\"\n{things}\n[report]\nmean = \"{figure}\"\n");
    let mut sources = Sources::default();
    let loaded = load(rules, &Files, &mut sources);
    let rules = loaded.ruleset.unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let document = read("s.toml", text, &Files, &mut sources).unwrap_or_else(|e| panic!("{e:?}"));
    build(&document, rules, &[], &sources, Detail::Plain).unwrap_or_else(|e| panic!("{e:?}"))
}

fn allocations(scenario: &Scenario, runs: u64) -> u64 {
    let settings = Settings { seed: 1, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let count = measure(|| {
        let sample = sample(scenario, settings, None, &|_| true);
        assert_eq!((sample.faults, sample.speed.in_blocks), (0, runs));
    });
    count.count_total
}

#[test]
fn runs_allocate_nothing() {
    for case in CASES {
        let scenario = scenario(case);
        let (once, twice) = (allocations(&scenario, 100 * CHUNK), allocations(&scenario, 200 * CHUNK));
        assert!(once > 0, "{}: the allocator counts", case[0]);
        assert_eq!(once, twice, "{}", case[0]);
    }
}
