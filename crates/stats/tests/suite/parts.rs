//! Samples and comparisons from parts that somebody else played are those that one process plays: for every way to split
//! the runs, and after the parts were written and read.

use crate::sample::scenario;
use grognard_scenario::Scenario;
use grognard_stats::{
    End, PairCounts, PairGatherer, Question, SampleCounts, SampleGatherer, Settings, Until, compare, pair_parts,
    sample, sample_parts,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::ops::Range;

/// Sizes of units: one run, a few, across several interim analyses, and more than all.
const SIZES: [u64; 4] = [1, 7, 2_600, 1 << 40];

/// Writes and reads counts, and checks that equal counts have equal bytes.
fn sent<C: Serialize + DeserializeOwned + PartialEq + Debug>(counts: &C) -> C {
    let text = serde_json::to_string(counts).unwrap();
    let read: C = serde_json::from_str(&text).unwrap();
    assert_eq!((&read, &serde_json::to_string(&read).unwrap()), (counts, &text));
    read
}

/// Returns the ranges of units of this size, the first of which has 40 runs.
fn units(size: u64, runs: u64) -> Vec<Range<u64>> {
    let mut firsts = vec![0];
    while let Some(last) = firsts.last().copied().filter(|last| *last < runs) {
        firsts.push(if last == 0 { 40.min(runs) } else { last.saturating_add(size).min(runs) });
    }
    firsts.windows(2).map(|ends| ends[0]..ends[1]).collect()
}

fn gathered(scenario: &Scenario, settings: Settings, size: u64) -> grognard_stats::Sample {
    let mut gatherer = SampleGatherer::new(scenario, settings);
    'all: for unit in units(size, settings.runs) {
        for (runs, counts) in sample_parts(scenario, settings, unit, &|_| true).unwrap() {
            if gatherer.goal().is_none() {
                break 'all;
            }
            assert_eq!(runs.start, gatherer.runs());
            let counts: SampleCounts = sent(&counts);
            gatherer.add(scenario, counts, runs.end);
        }
    }
    gatherer.finish(scenario)
}

#[track_caller]
fn same_sample(scenario: &Scenario, settings: Settings, sizes: &[u64]) -> End {
    let whole = sample(scenario, settings, None, &|_| true);
    for size in sizes {
        let own = gathered(scenario, settings, *size);
        assert_eq!((own.runs, own.faults, own.end), (whole.runs, whole.faults, whole.end), "units of {size}");
        assert_eq!((&own.first_fault, &own.checks), (&whole.first_fault, &whole.checks));
        assert_eq!(own.tallies, whole.tallies);
        assert_eq!(format!("{:?}", own.estimates(scenario)), format!("{:?}", whole.estimates(scenario)));
    }
    whole.end
}

#[test]
fn samples_from_parts_are_the_same() {
    let firefight = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    assert_eq!(same_sample(&firefight, Settings::of(3, 700, 2), &SIZES), End::Done);
    let until = |width| Settings { until: Some(Until::Share(width)), ..Settings::of(3, 6_000, 1) };
    assert_eq!(same_sample(&firefight, until(0.05), &SIZES[1..]), End::Narrow);
    assert_eq!(same_sample(&firefight, until(0.000_1), &SIZES[2..]), End::Done);
}

#[test]
fn errors_and_expectations_are_in_the_parts() {
    let rules = "ruleset game/core\nkind Squad { state men : 0..20\n state luck : 0..6 = 1 }\n\
                 proc volley(s: Squad) {\n roll aim = d6\n set s.men -= aim\n set s.luck = 6 / (6 - aim) rounded down }";
    let text = "rules = \"game/core\"\nSquad = { guards = { men = 10 } }\nmode = \"sampled\"\n\
                step = [{ do = \"do volley(guards)\", expect = [\"guards.men <= 8\"] }]\nexpect = [{ that = \"guards.men >= 0\" }]\n\
                report = { mean = [\"guards.men\"], hist = [\"guards.men\"], chance = [\"guards.men == 5\"] }\n";
    let own = [("game/core.rules", rules), ("game/scenarios/volley.toml", text)];
    let scenario = scenario("game/scenarios/volley.toml", None, &[], &own);
    assert_eq!(same_sample(&scenario, Settings::of(3, 900, 1), &SIZES), End::Done);
    let whole = sample(&scenario, Settings::of(3, 900, 1), None, &|_| true);
    assert!(whole.faults > 50 && whole.first_fault.is_some() && !whole.problems(&scenario).is_empty());
}

#[test]
fn comparisons_from_parts_are_the_same() {
    let a = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    let b = scenario("warstrike/scenarios/firefight.toml", Some("warstrike/every-hit"), &[], &[]);
    let question = Question {
        seed: 3,
        runs: 20_000,
        threads: 2,
        chunk: 64,
        within: None,
        unpaired: false,
        family: 1,
        every: false,
    };
    let mut ends = Vec::new();
    for question in [
        Question { runs: 300, ..question },
        question,
        Question { runs: 4_000, every: true, unpaired: true, ..question },
    ] {
        let whole = compare(&a, &b, question, &|_| true).unwrap();
        for size in [7, 2_600, 1 << 40] {
            let sides = [&a, &b];
            let mut gatherer = PairGatherer::new(sides, question).unwrap();
            'all: for unit in units(size, question.runs) {
                for (runs, counts) in pair_parts(sides, question, unit, &|_| true).unwrap() {
                    if gatherer.goal().is_none() {
                        break 'all;
                    }
                    let counts: PairCounts = sent(&counts);
                    gatherer.add(sides, counts, runs.end).unwrap();
                }
            }
            assert_eq!(format!("{:?}", gatherer.finish(sides).unwrap()), format!("{whole:?}"), "units of {size}");
        }
        ends.push(whole.pairs < question.runs);
    }
    assert!(ends.contains(&true) && ends.contains(&false), "{ends:?}");
}

#[test]
fn a_watcher_ends_a_part() {
    let a = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    assert!(sample_parts(&a, Settings::of(1, 100_000, 1), 0..100_000, &|_| false).is_none());
}
