//! W1 to W4, and second texts of two of them: sampled by the program as `simulate` does it, by the machine one run at a time, and by hand.

use super::files::prepared;
use super::hand::{self, SIZE};
use super::{Asked, twins};
use grognard_bench::{Row, median, time};
use grognard_play::record::{About, Recorder};
use grognard_play::{Options, Play, record};
use grognard_program::Detail;
use grognard_scenario::Scenario;
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Settings, sample};
use num_traits::ToPrimitive;
use rand::rngs::SmallRng;
use std::hint::black_box;

/// A workload: its rules, its start, its things, the code of its outcome, the trials of its twin, and what a batch may cost.
struct Case {
    name: &'static str,
    /// The workload that its scripts are written for. A second text has none.
    #[cfg_attr(not(feature = "scripts"), allow(dead_code))]
    scripts: Option<&'static str>,
    rules: &'static str,
    start: &'static str,
    things: &'static str,
    code: &'static str,
    by_hand: fn(u64, u64, &mut [u64]),
    most: f64,
    odds: fn() -> Vec<f64>,
}

/// The trials of a hand-written workload.
macro_rules! by_hand {
    ($trial:path) => {
        |seed, trials, counts| hand::count(seed, trials, counts, |rng: &mut SmallRng| $trial(rng))
    };
}

// The worse of two texts of one workload counts.
const CASES: [Case; 6] = [
    Case {
        name: "W1",
        scripts: Some("W1"),
        rules: include_str!("rules/w1.rules"),
        start: "Battle(squad)",
        things: "[Squad.squad]",
        code: "squad.models * 10 + squad.markers * 2 + (if squad.destroyed then 1 else 0)",
        by_hand: by_hand!(hand::w1),
        most: 0.6,
        odds: || of_twin(twins::under_fire()),
    },
    Case {
        name: "W1 with params",
        scripts: None,
        rules: include_str!("rules/heldout.rules"),
        start: "Game()",
        things: "",
        code: "alive * 10 + markers * 2 + (if destroyed then 1 else 0)",
        by_hand: by_hand!(hand::w1),
        most: 0.6,
        odds: || of_twin(twins::under_fire()),
    },
    Case {
        name: "W2",
        scripts: Some("W2"),
        rules: include_str!("rules/w2.rules"),
        start: "Duel(ours, theirs)",
        things: "[Army.ours]\n[Army.theirs]",
        code: "(10 - ours.men) * 32 + 10 - theirs.men",
        by_hand: by_hand!(hand::w2),
        most: 0.8,
        odds: hand::odds_of_w2,
    },
    Case {
        name: "W3",
        scripts: Some("W3"),
        rules: include_str!("rules/w3.rules"),
        start: "Battle(squad)",
        things: "[Squad.squad]",
        code: "squad.models * 4 + squad.suppression",
        by_hand: by_hand!(hand::w3),
        most: 0.8,
        odds: hand::odds_of_w3,
    },
    Case {
        name: "W3 with a helper",
        scripts: None,
        rules: include_str!("rules/helper.rules"),
        start: "Game()",
        things: "",
        code: "men * 4 + supp",
        by_hand: by_hand!(hand::w3),
        most: 0.8,
        odds: hand::odds_of_w3,
    },
    Case {
        name: "W4",
        scripts: Some("W4"),
        rules: include_str!("rules/w4.rules"),
        start: "Throw()",
        things: "",
        code: "best",
        by_hand: by_hand!(hand::w4),
        most: 0.25,
        odds: || of_twin(twins::keep_in_closed_form(10, 6)),
    },
];

/// Exact odds as shares by code.
fn of_twin((list, whole): twins::Odds) -> Vec<f64> {
    let mut odds = vec![0.0; SIZE];
    for (code, ways) in list {
        odds[code as usize] = ways.to_f64().unwrap() / whole.to_f64().unwrap();
    }
    odds
}

/// Fails unless counts fit the odds: Pearson's chi-square, no more than seven deviations above its mean; outcomes that are
/// seldom expected count together.
fn fits(name: &str, counts: &[u64], odds: &[f64]) {
    let trials = counts.iter().sum::<u64>() as f64;
    let (mut square, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
    let mut add = |seen: f64, wanted: f64| {
        square += (seen - wanted) * (seen - wanted) / wanted;
        cells += 1.0;
    };
    for (code, (count, share)) in counts.iter().zip(odds).enumerate() {
        assert!(*share > 0.0 || *count == 0, "{name}: {code} cannot come");
        let (seen, wanted) = (*count as f64, share * trials);
        if wanted < 10.0 {
            rare = (rare.0 + seen, rare.1 + wanted);
        } else {
            add(seen, wanted);
        }
    }
    if rare.1 > 1.0 {
        add(rare.0, rare.1);
    }
    let free: f64 = cells - 1.0;
    assert!(square < free + 7.0 * (2.0 * free).sqrt(), "{name}: chi-square {square:.1} with {free} degrees of freedom");
}

/// The scenario of a workload, ready to be played with a trace or without.
fn set(case: &Case, detail: Detail) -> Scenario {
    let scene = format!("start = \"{}\"\n{}\n[report]\nmean = \"{}\"\n", case.start, case.things, case.code);
    prepared(case.rules, &scene, detail)
}

/// Runs as `simulate` does them on one thread; their outcomes are counted.
fn by_rules(scenario: &Scenario, seed: u64, runs: u64, counts: &mut [u64]) {
    let settings = Settings { seed, runs, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let sample = sample(scenario, settings, None, &|_| true);
    assert!(sample.faults == 0, "{:?}", sample.first_fault);
    for (cells, times) in sample.tallies[0].values().expect("few values") {
        counts[cells[0] as usize] += times;
    }
}

/// The same runs one at a time on the machine.
fn one_by_one(scenario: &Scenario, seed: u64, runs: u64, counts: &mut [u64]) {
    let mut play = Play::new(scenario, None, None);
    for run in 0..runs {
        play.start(seed, run);
        play.once().expect("a run");
        let code = play.figure(0).expect("a figure").expect("nothing is given")[0];
        counts[code as usize] += 1;
    }
}

/// The same runs with all that happens kept as events.
fn traced(scenario: &Scenario, seed: u64, runs: u64, counts: &mut [u64]) {
    for run in 0..runs {
        let recorder = Recorder::new(&scenario.game, &About::default(), None);
        let options = Options { seed: Some(seed), run: Some(run), ..Options::default() };
        let (outcome, events) = record(scenario, options, recorder);
        black_box(events);
        let code = outcome.figures[0].as_ref().expect("a figure")[0];
        counts[code as usize] += 1;
    }
}

/// Measures what is asked for, and gives its rows.
pub fn measure(asked: &Asked, take: &mut impl FnMut(Row)) {
    let (rounds, trials) = if asked.quick { (5, 20_480) } else { (15, 102_400) };
    for case in CASES.iter().filter(|case| asked.wants(case.name)) {
        let (scenario, rendered) = (set(case, Detail::Plain), set(case, Detail::Traced));
        // each with what part of the trials it is given
        let ways: [(u64, &dyn Fn(u64, u64, &mut [u64])); 4] = [
            (1, &|seed, runs, counts| by_rules(&scenario, seed, runs, counts)),
            (4, &|seed, runs, counts| one_by_one(&scenario, seed, runs, counts)),
            (64, &|seed, runs, counts| traced(&rendered, seed, runs, counts)),
            (1, &|seed, runs, counts| (case.by_hand)(seed, runs, counts)),
        ];
        let mut counts = [(); 4].map(|()| vec![0u64; SIZE]);
        let mut times = [(); 4].map(|()| Vec::new());
        for seed in 0..rounds {
            for (n, (part, way)) in ways.iter().enumerate() {
                let runs = trials / part;
                times[n].push(time(runs, || way(seed, runs, black_box(&mut counts[n]))));
            }
        }
        let odds = (case.odds)();
        counts.iter().for_each(|counts| fits(case.name, counts, &odds));
        let [rules, one, traced, hand] = times.map(median);
        take(Row { name: case.name, how: "sampled, one thread", rules, hand, most: Some(case.most) });
        take(Row { name: case.name, how: "one run at a time", rules: one, hand, most: Some(4.0) });
        take(Row { name: case.name, how: "one run, all of it traced", rules: traced, hand, most: Some(10.0) });
        #[cfg(feature = "scripts")]
        if let Some(name) = case.scripts {
            against_scripts(name, case, rules, asked.quick, take);
        }
    }
}

/// The same workload as scripts, in rounds of their own; ours is what it took before.
#[cfg(feature = "scripts")]
fn against_scripts(name: &str, case: &Case, ours: f64, quick: bool, take: &mut impl FnMut(Row)) {
    let scripts = super::scripts::Scripts::of(name);
    let (rounds, trials) = if quick { (3, 2_048) } else { (9, 20_480) };
    let most = |least: f64| (name == "W1").then_some(1.0 / least);
    let ways: [(&str, f64, &dyn Fn(u64, u64, &mut [u64])); 2] = [
        ("batch against a Rhai script", 400.0, &|seed, runs, counts| scripts.rhai(seed, runs, counts)),
        ("batch against a Lua script", 14.0, &|seed, runs, counts| scripts.lua(seed, runs, counts)),
    ];
    for (how, least, way) in ways {
        let mut counts = vec![0u64; SIZE];
        let times = (0..rounds).map(|seed| time(trials, || way(seed + 1, trials, black_box(&mut counts)))).collect();
        fits(case.name, &counts, &(case.odds)());
        take(Row { name: case.name, how, rules: ours, hand: median(times), most: most(least) });
    }
}
