//! The table's speed: sight, the nearest of a kind and constrained moves, as things out of reach grow in number, and a
//! unit that falls back, as a multiple of plain sight queries in the same run.
//!
//! `cargo bench --bench table` prints every figure, `-- growth` and `-- fall` one of the two. Times are the medians of
//! interleaved rounds; an empty call is taken off.

#[path = "table/world.rs"]
mod world;

use world::{Chance, Plan, UNIT, World};

/// Models and woods on the tables that are set side by side.
const SIZES: [(usize, usize); 6] = [(20, 4), (200, 4), (2_000, 4), (20, 40), (20, 400), (2_000, 400)];

fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// What is timed: its name, how many calls make a round, and whether the position is put back after each.
const WORK: [(&str, usize, bool); 6] = [
    ("idle", 400, false),
    ("look", 400, false),
    ("nearest_foe", 100, false),
    ("nearest_wood", 200, false),
    ("go_toward", 20, true),
    ("close_up", 20, true),
];

/// The mean time of a call in one round.
fn round(world: &mut World, (name, calls, resets): (&str, usize, bool), seed: u64) -> f64 {
    let (func, mut c) = (world.proc(name), Chance(seed));
    let mut sum = 0.0;
    for _ in 0..calls {
        let (a, b) = (world.model(&mut c, 20), world.model(&mut c, 20));
        let args = [a, b];
        let two = matches!(name, "look" | "go_toward" | "close_up");
        sum += world.run(func, &args[..1 + usize::from(two)]);
        if resets {
            world.reset();
        }
    }
    sum / calls as f64
}

fn growth() {
    let mut worlds: Vec<World> = SIZES.iter().map(|(m, w)| World::new(&Plan::far(*m, *w))).collect();
    let mut times = vec![vec![Vec::new(); WORK.len()]; worlds.len()];
    for seed in 0..9 {
        for (n, world) in worlds.iter_mut().enumerate() {
            for (k, work) in WORK.iter().enumerate() {
                times[n][k].push(round(world, *work, seed));
            }
        }
    }
    println!("One query or move, in microseconds, among 20 models and 4 woods near; all others are out of reach");
    print!("  {:>7} {:>6}", "models", "woods");
    WORK[1..].iter().for_each(|(name, ..)| print!(" {name:>14}"));
    println!();
    let mut first: Vec<f64> = Vec::new();
    for ((models, woods), rounds) in SIZES.iter().zip(times) {
        let medians: Vec<f64> = rounds.into_iter().map(median).collect();
        let net: Vec<f64> = medians[1..].iter().map(|t| (t - medians[0]) / 1000.0).collect();
        if first.is_empty() {
            first.clone_from(&net);
        }
        print!("  {models:>7} {woods:>6}");
        net.iter().zip(&first).for_each(|(t, f)| print!(" {t:>7.2} x{:>5.2}", t / f));
        println!();
    }
}

fn fall_back() {
    let mut world = World::new(&Plan::one_table(200, 40));
    let (look, fall, idle) = (world.proc("look"), world.proc("fall_back"), world.proc("idle"));
    let (mut sight, mut falls, mut empty, mut units) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for seed in 0..9 {
        let mut c = Chance(seed);
        let mut sum = 0.0;
        let mut none = 0.0;
        for _ in 0..1_000 {
            let (a, b) = (world.model(&mut c, 200), world.model(&mut c, 200));
            none += world.run(idle, &[a]);
            sum += world.run(look, &[a, b]);
        }
        sight.push(sum / 1_000.0);
        empty.push(none / 1_000.0);
        let mut times = Vec::new();
        for unit in 0..20 {
            world.reset();
            let time = world.run(fall, &[unit, unit * UNIT as i64]);
            times.extend(world.fell(unit).then_some(time));
        }
        units = times.len();
        falls.push(times.iter().sum::<f64>() / units as f64);
    }
    let (sight, falls) = (median(sight) - median(empty), median(falls));
    println!("A unit of {UNIT} falls back among 200 models and 40 woods on one table");
    println!("  a plain sight query {:8.2} microseconds", sight / 1000.0);
    println!(
        "  the fall back       {:8.2} microseconds, of the {units} units of 20 that have a spot to run for",
        falls / 1000.0
    );
    println!("  in sight queries    {:8.0}", falls / sight);
}

fn main() {
    // the test runner asks for nothing
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let parts: [(&str, fn()); 2] = [("growth", growth), ("fall back", fall_back)];
    for (name, part) in parts {
        if names.is_empty() || names.iter().any(|n| name.contains(n.as_str())) {
            part();
        }
    }
}
