//! A skirmish with moves against the same skirmish in plain Python, whose moves are straight and end at the first body.
//!
//! `cargo bench -p grognard-bench -- moves` prints one line. Times are those of the processor, medians of rounds.

use super::files::scenario;
use grognard_bench::{median, time};
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Settings, sample};
use std::process::Command;

const SCENE: &str = r#"start = "Battle(red, blue)"
[board]
size = [48, 36]
[players]
red = "policy:Bold"
blue = "policy:Steady"
[Side.red]
[Side.blue]
[Wood.copse]
shape = [[20, 14], [28, 14], [28, 22], [20, 22]]
[Unit]
r_musk = { side = "red", role = "Musket", at = [24, 6], base = 1 }
r_pike = { side = "red", role = "Pike", at = [16, 6], base = 1 }
r_horse = { side = "red", role = "Horse", at = [34, 6], base = 1, men = 6, pace = 10 }
b_musk = { side = "blue", role = "Musket", at = [24, 18], base = 1 }
b_pike = { side = "blue", role = "Pike", at = [16, 30], base = 1 }
b_horse = { side = "blue", role = "Horse", at = [34, 30], base = 1, men = 6, pace = 10 }
[report]
mean = ["sum u in red.units of u.strength", "sum u in blue.units of u.strength"]
"#;

const ROUNDS: usize = 5;
const RUNS: u64 = 400;

/// Returns the microseconds of a run in Python, or `None` without Python.
fn python() -> Option<f64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/ratios/scripts/skirmish.py");
    let output = Command::new("python3").args([script, "2000"]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Prints the line.
pub fn print() {
    let scenario = scenario(include_str!("rules/skirmish.rules"), SCENE);
    let settings = Settings { seed: 4, runs: RUNS, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(time(RUNS, || assert_eq!(sample(&scenario, settings, None, &|_| true).faults, 0)) / 1_000.0);
        theirs.extend(python());
    }
    println!("{:44} {:>14} {:>14} {:>8}", "microseconds a run", "rules text", "Python", "ratio");
    let ours = median(ours);
    if theirs.is_empty() {
        println!("{:44} {ours:14.1} NOT DONE: python3 could not be run", "a skirmish of six units");
        return;
    }
    let theirs = median(theirs);
    println!("{:44} {ours:14.1} {theirs:14.1} {:8.2}", "a skirmish of six units", ours / theirs);
}
