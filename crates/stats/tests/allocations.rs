//! Sampling allocates nothing from run to run: twice as many runs take as many allocations, once all that they need is there.
//! The allocator that counts is one for the whole process, so this is a process of its own.

#![allow(clippy::panic, clippy::unwrap_used)]

use allocation_counter::measure;
use grognard_base::value::{Fraction, FuncId};
use grognard_base::{Budget, OrdMap, Sources};
use grognard_odds::{ExploreOptions, Prefer, Task, explore};
use grognard_program::{Detail, compile};
use grognard_rules::load;
use grognard_scenario::{Scenario, build, read};
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Settings, sample};
use grognard_vm::{Setup, set_up};

fn files() -> OrdMap<String, String> {
    let texts = [
        ("w1/w1.rules", include_str!("../../../benches/ratios/rules/w1.rules")),
        ("w2/w2.rules", include_str!("../../../benches/ratios/rules/w2.rules")),
        ("w3/w3.rules", include_str!("../../../benches/ratios/rules/w3.rules")),
        ("w4/w4.rules", include_str!("../../../benches/ratios/rules/w4.rules")),
        ("big/big.rules", BIG),
    ];
    texts.map(|(path, text)| (path.to_string(), text.to_string())).into()
}

/// Pools of which each weight has kilobytes: in all lists of their best dice it would take gigabytes.
const BIG: &str = "ruleset big/big

proc best() -> Int {
  roll dice = 3000 of d1000
  return total(highest(3, dice))
}
";

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
    let loaded = load(rules, &files(), &mut sources);
    let rules = loaded.ruleset.unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let document = read("s.toml", text, &files(), &mut sources).unwrap_or_else(|e| panic!("{e:?}"));
    build(&document, rules, &[], &sources, Detail::Plain).unwrap_or_else(|e| panic!("{e:?}"))
}

fn allocations(scenario: &Scenario, runs: u64) -> u64 {
    let settings = Settings { seed: 1, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let count = measure(|| {
        let sample = sample(scenario, settings, None, &|_| true);
        // the first run, and the one behind the first look, tell how long runs take
        assert_eq!((sample.faults, sample.speed.in_blocks), (0, runs - 2));
    });
    count.count_total
}

/// What is worked out of large numbers stays within the budget of bytes, give or take what is copied.
#[test]
fn large_numbers_take_no_more_than_their_budget() {
    let rules = load("big/big", &files(), &mut Sources::default()).ruleset.expect("rules");
    let game = set_up(compile(&rules, Detail::Plain), Setup::default()).expect("a table");
    let budget = Budget { bytes: 8 << 20, work: 2_000_000, ..Budget::default() };
    let most = 4 * budget.bytes as u64;
    let count = measure(|| {
        let task = Task::Call { func: FuncId::from(0), args: &[], keep: None };
        let graph =
            explore(&game, &game.start, task, &mut Prefer, ExploreOptions { budget, ..ExploreOptions::default() });
        assert_eq!(graph.results().unexplored(), Fraction::one());
    });
    assert!(count.bytes_max < most, "{} bytes", count.bytes_max);
}

#[test]
fn runs_allocate_nothing() {
    for case in CASES {
        let scenario = scenario(case);
        // facts about the code are kept with the game
        allocations(&scenario, 2 * CHUNK);
        let (once, twice) = (allocations(&scenario, 100 * CHUNK), allocations(&scenario, 200 * CHUNK));
        assert!(once > 0, "{}: the allocator counts", case[0]);
        assert_eq!(once, twice, "{}", case[0]);
    }
}
