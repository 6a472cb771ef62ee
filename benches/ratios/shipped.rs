//! Runs of shipped scenarios as a sample plays them against the same runs one at a time, interleaved in one run.
//!
//! `cargo bench --bench ratios -- shipped` prints one line for each. Times are those of the processor, medians of rounds; what
//! the sample counts has to be what the runs come to one at a time.

use super::files::Shipped;
use grognard_base::Sources;
use grognard_bench::{median, time};
use grognard_play::Play;
use grognard_program::Detail;
use grognard_rules::{Library, load};
use grognard_scenario::{Scenario, build, read, rulesets};
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Settings, Tally, sample};

/// The scenarios, and how many runs of each make a round.
const SCENES: [(&str, u64); 3] = [
    ("warstrike/scenarios/firefight.toml", 2_000),
    ("alternate/scenarios/fight-to-the-end.toml", 40),
    ("recoil/scenarios/skirmish-to-the-end.toml", 40),
];

const ROUNDS: usize = 5;

fn scenario(path: &str) -> Scenario {
    let mut sources = Sources::default();
    let text = Shipped.read(path).unwrap().expect("the scenario is there");
    let document = read(path, text, &Shipped, &mut sources).expect("the scenario is sound");
    let names = rulesets(&document).expect("it names its rules");
    let set = |(name, _): &(String, _)| load(name, &Shipped, &mut sources).ruleset.expect("the rules are sound");
    let mut sets: Vec<_> = names.iter().map(set).collect();
    let first = sets.remove(0);
    build(&document, first, &sets, &sources, Detail::Plain).expect("the scenario fits")
}

/// What so many runs come to, one at a time.
fn alone(scenario: &Scenario, runs: u64) -> Vec<Tally> {
    let mut play = Play::new(scenario, None, None);
    let mut tallies = vec![Tally::default(); scenario.plan.report.len()];
    for run in 0..runs {
        play.start(1, run);
        play.once().expect("no run fails");
        for (n, tally) in tallies.iter_mut().enumerate() {
            play.figure(n).expect("each figure is told").into_iter().for_each(|cells| tally.add(cells));
        }
    }
    tallies
}

/// Prints a line for each scenario.
pub fn print() {
    println!("{:44} {:>14} {:>14} {:>8}", "microseconds a run", "sampled", "one at a time", "ratio");
    for (path, runs) in SCENES {
        let scenario = scenario(path);
        let settings = Settings { seed: 1, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
        let (mut batch, mut single) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (mut one, mut two) = (Vec::new(), Vec::new());
            batch.push(time(runs, || one = sample(&scenario, settings, None, &|_| true).tallies) / 1_000.0);
            single.push(time(runs, || two = alone(&scenario, runs)) / 1_000.0);
            assert!(one == two, "{path}: a sample is not what its runs come to");
        }
        let (batch, single) = (median(batch), median(single));
        println!("{path:44} {batch:14.1} {single:14.1} {:8.3}", batch / single);
    }
}
