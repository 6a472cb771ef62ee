//! How the time of an exact question grows: with dice, with states of a battle, with measures, and with points of a sweep.

use super::{Axis, asked, once};
use grognard::{Rules, Scenario};
use std::hint::black_box;

/// The sum of dice.
fn sum(dice: u64) -> String {
    format!("ruleset growth\nproc answer() -> Int {{\n  roll a = {dice} of d6\n  return total(a)\n}}\n")
}

/// Two sorted pools, die against die.
fn sorted(dice: u64) -> String {
    format!(
        "ruleset growth
proc answer() -> Int {{
  roll a = {dice} of d20
  roll d = {dice} of d20
  return count x in highest({dice}, a) against y in highest({dice}, d) where x > y
}}
"
    )
}

/// A pool whose ones are rolled again and whose sixes explode.
fn exploded(dice: u64) -> String {
    format!(
        "ruleset growth
proc answer() -> Int {{
  roll a = {dice} of d6
  reroll x in a where x == 1
  explode x in a where x == 6
  return count x in a where x >= 4
}}
"
    )
}

/// A battle to the end between sides of so many men.
fn battle(men: u64) -> Scenario {
    let rules = Rules::from_text(include_str!("../rules/battle.rules")).expect("the rules are sound");
    let scene = format!(
        "rules = \"battle/battle\"\nstart = \"Battle(a, b)\"\nrepeat = \"until a.men == 0 or b.men == 0\"\n\
         [Side.a]\nmen = {men}\n[Side.b]\nmen = {men}\n[report]\nmean = \"rounds\"\n"
    );
    rules.scenario_from_toml(&scene).expect("the scenario fits")
}

/// Measures of a battle; each is another number of survivors.
fn measures(scenario: &Scenario, count: u64) {
    let odds = (0..count).fold(scenario.odds(), |odds, n| odds.of(&format!("a.men > {n}")));
    black_box(odds.compute().expect("an answer"));
}

/// W1 with params, at so many values of one of them.
fn points(scenario: &Scenario, count: u64) {
    let values = (0..count).map(|n| i64::try_from(n).unwrap_or(0) + 1);
    black_box(scenario.sweep().over("start", values).exact().compute().expect("an answer"));
}

/// The axes.
pub fn axes() -> Vec<Axis> {
    let dice = |title, reason, text: fn(u64) -> String, sizes: &[u64]| {
        Axis::new(title, "dice", reason, sizes, |n| asked(&text(n), "answer", &[]).1)
    };
    let rules = Rules::from_text(include_str!("../rules/heldout.rules")).expect("the rules are sound");
    let scene = "rules = \"heldout/heldout\"\nstart = \"Game()\"\n[report]\nmean = \"alive\"\n";
    let turns = rules.scenario_from_toml(scene).expect("the scenario fits");
    let even = battle(20);
    let mut battles = Axis::new(
        "A battle to the end: its proven odds",
        "states",
        "n states have about n to the power of 1.5 transitions.",
        &[5, 10, 20, 40],
        |men| {
            let scenario = battle(men);
            once(|| drop(black_box(scenario.odds().compute().expect("an answer"))))
        },
    );
    battles.points.iter_mut().for_each(|(men, _)| *men = (*men + 1) * (*men + 1));
    vec![
        dice(
            "The sum of dice: its exact odds",
            "n dice have 5n + 1 sums, whose weights have up to n bits times 2.6.",
            sum,
            &[10, 30, 100, 300, 1_000],
        ),
        dice("Sorted pools, die against die: the exact odds of the wins", "", sorted, &[2, 4, 8, 16]),
        dice(
            "Dice rerolled and exploded: the exact odds of a count",
            "A chain is cut after 100 dice, so n dice have up to 101n counts.",
            exploded,
            &[2, 5, 10, 20, 40],
        ),
        battles,
        Axis::new("Measures of a battle: one question", "measures", "", &[1, 2, 4, 8, 16], |n| {
            once(|| measures(&even, n))
        }),
        Axis::new("Values of a param: exact odds at each", "points", "", &[1, 2, 4, 8, 16], |n| {
            once(|| points(&turns, n))
        }),
    ]
}
