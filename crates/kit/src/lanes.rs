//! Checks that a block of runs has the same results as its runs one at a time.

use grognard_base::value::*;
use grognard_batch::Block;
use grognard_vm::Seeded;
use grognard_vm::{First, Game, NoTrace, Run, call};

/// Number of runs of a function that are compared, and their seed.
pub const RUNS: usize = 40;
pub const SEED: u64 = 0x0b10_c0de;

/// Compares the runs of a function in a block with the same runs one at a time. Returns how many stayed in the block.
///
/// # Panics
///
/// Panics if a result differs.
pub fn agrees(game: &Game, func: FuncId, args: &[i64], what: &str) -> usize {
    let Some(mut block) = Block::new(game) else { return 0 };
    block.start(SEED, 7, RUNS);
    block.call(func, args);
    let info = &game.program.funcs[func.at()];
    let mut run = Run::new(game, Seeded::new(game, SEED, 0), First, NoTrace);
    let mut stayed = 0;
    for lane in (0..RUNS).filter(|lane| block.runs(*lane)) {
        let mut state = game.start.clone();
        run.drivers.dice.start(SEED, 7 + lane as u64);
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
