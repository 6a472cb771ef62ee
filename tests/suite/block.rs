//! A block of runs ends as its runs do one at a time: every die, every cell, every result.

use crate::common::root;
use crate::exact::lab::Lab;
use crate::scenes;
use grognard::block::{Block, LANES};
use grognard::machine::{First, Game, NoTrace, Run, call};
use grognard::play::{Play, Seeded};
use grognard::sample::stats::Level;
use grognard::sample::{Settings, Tally, sample};
use grognard::scenario::Scenario;
use grognard::value::*;

/// Runs of a function that are compared, and their seed.
const RUNS: usize = 40;
const SEED: u64 = 0x0b10_c0de;

/// Compares the runs of a function in a block with the same one at a time; gives how many stayed in the block.
pub fn agrees(game: &Game, func: FuncId, args: &[i64], what: &str) -> usize {
    let Some(mut block) = Block::new(game) else { return 0 };
    block.start(SEED, 7, RUNS);
    block.call(func, args);
    let info = &game.program.funcs[func.at()];
    let mut run = Run::new(game, Seeded::new(game, SEED, 0), First, NoTrace);
    let mut stayed = 0;
    for lane in (0..RUNS).filter(|lane| block.runs(*lane)) {
        let mut state = game.start.clone();
        run.dice.start(SEED, 7 + lane as u64);
        run.fuel = game.fuel;
        run.tallies.fill(0);
        let ended = call(game, &mut state, &mut run, func, args);
        assert!(ended.is_ok(), "{what}: run {lane} fails alone: {ended:?}");
        for cell in (0..info.result).filter(|cell| info.lists.iter().all(|(list, _)| list != cell)) {
            let (alone, here) = (state.stack[cell as usize], block.result(lane, cell as usize));
            assert_eq!(alone, here, "{what}: cell {cell} of the result of run {lane}");
        }
        for (n, cell) in state.cells.iter().enumerate() {
            assert_eq!(*cell, block.cell(lane, n), "{what}: cell {n} of the table of run {lane}");
        }
        for (n, count) in run.tallies.iter().enumerate() {
            assert_eq!(*count, block.tally(lane, TallyId::from(n)), "{what}: tally {n} of run {lane}");
        }
        stayed += 1;
    }
    stayed
}

/// Scenarios whose runs are long: others have the same rules.
const LONG: &[&str] = &[
    "hold-the-farm",
    "three-turns-at-the-farm",
    "three-turns-at-the-farm-led",
    "fight-to-the-end",
    "skirmish-to-the-end",
    "assaults-read-otherwise",
    "combat-moves",
    "fire-read-otherwise",
    "who-hides-there",
];

/// What so many runs came to, one at a time.
fn alone(scenario: &Scenario, seed: u64, runs: u64) -> (Vec<Tally>, u64) {
    let mut play = Play::new(scenario, None, NoTrace);
    let mut tallies = vec![Tally::default(); scenario.plan.report.len()];
    let mut faults = 0;
    for run in 0..runs {
        play.start(seed, run);
        let ended = play.once();
        let figures = (0..tallies.len()).map(|n| play.figure(n).map(|cells| cells.map(<[i64]>::to_vec)));
        match ended.and_then(|()| figures.collect::<Result<Vec<_>, _>>()) {
            Ok(figures) => {
                let pairs = tallies.iter_mut().zip(figures);
                pairs.for_each(|(tally, cells)| cells.into_iter().for_each(|cells| tally.add(&cells)));
            }
            Err(_) => faults += 1,
        }
    }
    (tallies, faults)
}

/// Samples of every shipped scenario, with its dice left to chance, are what its runs come to one at a time.
#[test]
fn shipped_scenarios_are_sampled_as_they_are_played() {
    for (game, name) in scenes::folders().into_iter().filter(|(_, name)| !LONG.contains(&name.as_str())) {
        let (mut scenario, _) = scenes::shipped(&name);
        scenario.plan.dice.clear();
        let runs = 16;
        let (tallies, faults) = alone(&scenario, SEED, runs);
        let settings = Settings { seed: SEED, runs, threads: 1, chunk: LANES as u64, level: Level::USUAL, until: None };
        let found = sample(&scenario, settings, None, &|_| true);
        assert_eq!((found.tallies, found.faults), (tallies, faults), "{game}/{name}");
    }
}

/// The workloads that speed is measured with stay in the block to their end.
#[test]
fn the_workloads_stay() {
    for (file, phase) in [("w1", "Battle"), ("w2", "Duel"), ("w3", "Battle"), ("w4", "Throw")] {
        let text = std::fs::read_to_string(root().join(format!("benches/ratios/rules/{file}.rules"))).unwrap();
        let items = text.split_once('\n').unwrap().1;
        let lab = Lab::of_two(items);
        let args: &[i64] = if file == "w2" { &[0, 1] } else { &[0] };
        let stayed = agrees(&lab.game, lab.func(phase), if file == "w4" { &[] } else { args }, file);
        assert_eq!(stayed, RUNS, "{file}");
    }
}
