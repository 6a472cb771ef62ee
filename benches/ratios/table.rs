//! The table's speed: sight, the nearest of a kind and constrained moves, as things out of reach grow in number, and a
//! unit that falls back, as a multiple of plain sight queries in the same run.
//!
//! `cargo bench -p grognard-bench -- growth fall` prints every figure. Times are the medians of
//! interleaved rounds; an empty call is taken off.

use super::growth::Axis;
use super::world::{Chance, Plan, UNIT, World};
use grognard_bench::median;
use std::ops::RangeInclusive;

/// So many tables are fought on, and so many times one looks at another on each.
const TABLES: u64 = 10;
const LOOKS: u64 = 200;

/// Models and woods on the tables that are set side by side.
const SIZES: [(usize, usize); 6] = [(20, 4), (200, 4), (2_000, 4), (20, 40), (20, 400), (2_000, 400)];

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

/// Prints how sight, the nearest and moves grow with what is out of reach. Returns the times of a move by the models.
pub fn growth() -> Axis {
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
    let (mut first, mut moves): (Vec<f64>, Vec<(u64, f64)>) = Default::default();
    for ((models, woods), rounds) in SIZES.iter().zip(times) {
        let medians: Vec<f64> = rounds.into_iter().map(median).collect();
        let net: Vec<f64> = medians[1..].iter().map(|t| (t - medians[0]) / 1000.0).collect();
        if first.is_empty() {
            first.clone_from(&net);
        }
        if *woods == SIZES[0].1 {
            moves.push((*models as u64, net[3] * 1000.0));
        }
        print!("  {models:>7} {woods:>6}");
        net.iter().zip(&first).for_each(|(t, f)| print!(" {t:>7.2} x{:>5.2}", t / f));
        println!();
    }
    Axis { title: "A move toward a model: all but 20 are out of reach", piece: "models", points: moves, reason: "" }
}

/// How a fall back went, by how many of the unit found no path.
const OUTCOMES: [(&str, RangeInclusive<i64>); 3] =
    [("all ten go", 0..=0), ("some go", 1..=UNIT as i64 - 1), ("no path for any", UNIT as i64..=UNIT as i64)];

/// Prints what it costs that a unit falls back.
pub fn fall_back() {
    let mut worlds: Vec<World> = (0..TABLES).map(|seed| World::new(&Plan::battle(200, 40, seed))).collect();
    // the units of each table that fall back, with what came of it; one whose head sees no spot is gone instead
    let falls = |world: &mut World, unit: i64| {
        world.reset();
        let time = world.run(world.proc("fall_back"), &[unit, unit * UNIT as i64]);
        world.fell(unit).then(|| (world.stuck(unit), time))
    };
    let mut rounds: Vec<[f64; 4]> = Vec::new();
    let mut units = [0; 3];
    for seed in 0..9 {
        let mut c = Chance(seed);
        let (mut sight, mut times) = (0.0, [0.0; 3]);
        units = [0; 3];
        for world in &mut worlds {
            world.reset();
            let (look, idle) = (world.proc("look"), world.proc("idle"));
            for _ in 0..LOOKS {
                let (a, b) = (world.model(&mut c, 200), world.model(&mut c, 200));
                sight += world.run(look, &[a, b]) - world.run(idle, &[a]);
            }
            for unit in 0..20 {
                if let Some((stuck, time)) = falls(world, unit) {
                    let n = OUTCOMES.iter().position(|(_, range)| range.contains(&stuck)).unwrap_or(0);
                    units[n] += 1;
                    times[n] += time;
                }
            }
        }
        let sight = sight / (LOOKS * TABLES) as f64;
        rounds.push([sight, times[0], times[1], times[2]]);
    }
    let column = |n: usize| median(rounds.iter().map(|r| r[n]).collect());
    let sight = column(0);
    println!("A unit of {UNIT} falls back among 200 models and 40 woods on one table, on {TABLES} tables");
    println!("  a plain sight query {:8.2} microseconds", sight / 1000.0);
    let tell = |what: &str, time: f64, units: usize| {
        let mean = time / units.max(1) as f64;
        let (micro, queries) = (mean / 1000.0, mean / sight);
        println!("  {what:<19} {micro:8.2} microseconds, {queries:4.0} sight queries, the mean of {units} units");
    };
    for (n, (what, _)) in OUTCOMES.iter().enumerate() {
        tell(what, column(n + 1), units[n]);
    }
    let all = rounds.iter().map(|r| r[1] + r[2] + r[3]).collect();
    tell("all of them", median(all), units.iter().sum());
}
