//! Sampling on two threads against one, measured side by side in one run, on the workload of `benches/w1`.
//!
//! `cargo bench --bench sampling` prints every figure. Times are the medians of interleaved rounds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a bench may

use grognard::base::Sources;
use grognard::program::Detail;
use grognard::rules::{Library, load};
use grognard::sample::stats::Level;
use grognard::sample::{CHUNK, Settings, sample};
use grognard::scenario::{build, read};
use std::time::Instant;

const SCENE: &str = "rules = \"w1/w1\"\nstart = \"Battle(squad)\"\n[Squad.squad]\n[report]\nmean = \"squad.models\"\n";

struct One;

impl Library for One {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok((path == "w1/w1.rules").then(|| include_str!("w1/w1.rules").to_string()))
    }
}

fn main() {
    // the test runner asks for nothing
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let mut sources = Sources::default();
    let rules = load("w1/w1", &One, &mut sources).ruleset.expect("the workload is sound");
    let document = read("w1/s.toml", SCENE.to_string(), &One, &mut sources).expect("the scene is sound");
    let table = build(&document, rules, &[], &sources, Detail::Plain).expect("the table is sound");
    const RUNS: u64 = 400_000;
    let mut times = [Vec::new(), Vec::new()];
    let mut found = Vec::new();
    for round in 0..11 {
        for threads in 1..=2 {
            let settings =
                Settings { seed: round, runs: RUNS, threads, chunk: CHUNK, level: Level::USUAL, until: None };
            let start = Instant::now();
            let sample = sample(&table, settings, None, &|_| true);
            times[threads - 1].push(start.elapsed().as_nanos() as f64 / RUNS as f64);
            found.push(sample.tallies);
        }
    }
    assert!(found.chunks(2).all(|both| both[0] == both[1]), "threads left a trace");
    let [one, two] = times.map(|mut rounds: Vec<f64>| {
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    });
    println!("W1, sampled with one figure");
    println!("  one thread    {one:8.0} ns a run");
    println!("  two threads   {two:8.0} ns a run");
    println!("  ratio         {:8.2}", one / two);
}
