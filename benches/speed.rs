//! Speed as ratios measured side by side in one run: rules text against plain hand-written Rust, and loading against
//! pest's own parse.
//!
//! `cargo bench` prints every figure. Times are the medians of interleaved rounds.

#[path = "w1/hand.rs"]
mod hand;
#[path = "w1/loading.rs"]
mod loading;
#[path = "w1/machine.rs"]
mod machine;

use std::time::Instant;

/// Nanoseconds a unit of work takes, the median of the rounds.
pub fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Times `work`, which does `units` units of it.
pub fn time(units: u64, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / units as f64
}

fn main() {
    // the test runner asks for nothing
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    const TRIALS: u64 = 50_000;
    let mut rules = machine::W1::new();
    let (mut by_hand, mut by_rules) = (Vec::new(), Vec::new());
    let (mut hand_sum, mut rules_sum) = (0u64, 0u64);
    for round in 0..11 {
        by_hand.push(time(TRIALS, || hand_sum += hand::trials(round, TRIALS)));
        by_rules.push(time(TRIALS, || rules_sum += rules.trials(round, TRIALS)));
    }
    let (hand, rules) = (median(by_hand), median(by_rules));
    println!("W1, one run at a time, tracing off");
    println!("  hand-written Rust   {hand:8.0} ns a trial");
    println!("  rules text          {rules:8.0} ns a trial");
    println!("  ratio               {:8.2}", rules / hand);
    println!(
        "  mean code           {:8.3} by hand, {:.3} by rules",
        hand_sum as f64 / (11 * TRIALS) as f64,
        rules_sum as f64 / (11 * TRIALS) as f64
    );
    loading::print();
}
