//! Sampling on two threads against one, measured side by side in one run, on W1; as a control the
//! same workload written by hand, which shares nothing between its threads, so that what a machine cannot give is seen;
//! and a point of a sweep against the same point alone, with all its rules read for it.
//!
//! `cargo bench --bench ratios -- threads` prints every figure. Times are the medians of interleaved rounds.

use super::files::{Shipped, scenario};
use super::hand;
use grognard_base::Sources;
use grognard_base::value::dice::{Site, Stream};
use grognard_bench::median;
use grognard_odds::{Distribution, Label, Outcome, Worth};
use grognard_program::Detail;
use grognard_rules::{Library, load};
use grognard_scenario::{prepare, read};
use grognard_stats::stats::Level;
use grognard_stats::{AliasTable, CHUNK, Settings, sample};
use std::time::Instant;

const SCENE: &str = "start = \"Battle(squad)\"\n[Squad.squad]\n[report]\nmean = \"squad.models\"\n";

/// Time of a point of a sweep of the firefight, and of that point alone, in microseconds, with so many runs.
fn point(runs: u64) -> (f64, f64) {
    const SCENE: &str = "warstrike/scenarios/firefight.toml";
    let settings = Settings { seed: 1, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let prepared = || {
        let mut sources = Sources::default();
        let text = Shipped.read(SCENE).unwrap().expect("the scenario is there");
        let document = read(SCENE, text, &Shipped, &mut sources).expect("the scenario is sound");
        let rules = load("warstrike/action-phase", &Shipped, &mut sources).ruleset.expect("the rules are sound");
        let others = ["warstrike/leadership", "warstrike/salvo-threshold"];
        let others = others.map(|n| load(n, &Shipped, &mut sources).ruleset.expect("the rules are sound"));
        prepare(&document, rules, &others, &sources, Detail::Plain).expect("the scenario fits")
    };
    let kept = prepared();
    let (mut in_sweep, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..11 {
        let start = Instant::now();
        let table = kept.with(&[]).expect("the table is set");
        let one = sample(&table, settings, None, &|_| true).tallies;
        in_sweep.push(start.elapsed().as_nanos() as f64 / 1_000.0);
        let start = Instant::now();
        let table = prepared().settle().expect("the table is set");
        let two = sample(&table, settings, None, &|_| true).tallies;
        alone.push(start.elapsed().as_nanos() as f64 / 1_000.0);
        assert!(one == two, "a point of a sweep is not what it is alone");
    }
    (median(in_sweep), median(alone))
}

/// Time of a trial of the workload written by hand, in nanoseconds, on so many threads that share nothing.
fn by_hand(seed: u64, threads: u64) -> f64 {
    let start = Instant::now();
    let sum: u64 = std::thread::scope(|scope| {
        let one = |n: u64| scope.spawn(move || hand::trials(seed + n, HAND / threads));
        let all: Vec<_> = (0..threads).map(one).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(sum > 0);
    start.elapsed().as_nanos() as f64 / HAND as f64
}

/// Trials by hand in a round: as long as a round of samples.
const HAND: u64 = 1_200_000;

/// Prints every figure.
pub fn print() {
    let table = scenario(include_str!("rules/w1.rules"), SCENE);
    const RUNS: u64 = 400_000;
    let mut times = [Vec::new(), Vec::new()];
    let mut control = [Vec::new(), Vec::new()];
    let mut found = Vec::new();
    for round in 0..11 {
        for threads in 1..=2 {
            let settings =
                Settings { seed: round, runs: RUNS, threads, chunk: CHUNK, level: Level::USUAL, until: None };
            let start = Instant::now();
            let sample = sample(&table, settings, None, &|_| true);
            times[threads - 1].push(start.elapsed().as_nanos() as f64 / RUNS as f64);
            found.push(sample.tallies);
            control[threads - 1].push(by_hand(round, threads as u64));
        }
    }
    assert!(found.chunks(2).all(|both| both[0] == both[1]), "threads left a trace");
    let [one, two] = times.map(median);
    println!("W1, sampled with one figure");
    println!("  one thread    {one:8.0} ns a run");
    println!("  two threads   {two:8.0} ns a run");
    println!("  ratio         {:8.2}", one / two);
    let [hand_one, hand_two] = control.map(median);
    println!("the same by hand, as a control of the machine");
    println!("  one thread    {hand_one:8.0} ns a run");
    println!("  two threads   {hand_two:8.0} ns a run");
    println!("  ratio         {:8.2}", hand_one / hand_two);
    println!("two threads of ours against two of the control: {:.2}", (one / two) / (hand_one / hand_two));
    let values = 1_000u32;
    let outcome =
        |n: u32| Outcome { worth: Worth::Cells(vec![i64::from(n)]), weight: (n % 97 + 1).into(), slack: 0u32.into() };
    let outcomes: Vec<Outcome> = (0..values).map(outcome).collect();
    let whole = outcomes.iter().map(|o| &o.weight).sum();
    let odds = Distribution { outcomes, unexplored: 0u32.into(), whole, label: Label::Exact };
    let table = AliasTable::of(&odds).unwrap();
    let draw = |round: u64| {
        let start = Instant::now();
        let draw = |run| table.draw(&Stream::new(round, run), Site::new(1, 2, 0))[0];
        assert!((0..RUNS).map(draw).sum::<i64>() > 0);
        start.elapsed().as_nanos() as f64 / RUNS as f64
    };
    println!("a draw from known odds of {values} values");
    println!("  {:8.0} ns", median((0..11).map(draw).collect()));
    println!("a point of a sweep of the firefight, in microseconds");
    for runs in [1, 100, 1_000] {
        let (in_sweep, alone) = point(runs);
        println!("  {runs:5} runs: {in_sweep:8.0} in the sweep, {alone:8.0} alone");
    }
}
