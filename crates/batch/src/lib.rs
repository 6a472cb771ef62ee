//! Block execution: runs many runs of one program in lockstep, one lane for each.
//!
//! The input is a [`Game`] of `grognard-vm`, a seed and a range of runs. A [`Block`] has up to [`LANES`] lanes:
//! [`Block::start`] begins their runs, and [`Block::call`] runs a function in all of them. The results are cells and
//! tallies of each lane. Only sampling (`grognard-stats`) uses this crate.
//!
//! # Example
//!
//! Each lane of a block ends as its run does outside of it:
//!
//! ```
//! use grognard_base::value::FuncId;
//! use grognard_batch::Block;
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_program::{Detail, compile};
//! use grognard_vm::{First, NoTrace, Run, Seeded, Setup, call, set_up};
//!
//! let text = "ruleset first/hits
//! proc hits() -> Int {
//!   roll aim = 10 of d6
//!   return count aim >= 4
//! }";
//! let (loaded, _) = Shelf::of(&[("first/hits.rules", text)]).load("first/hits");
//! let game = set_up(compile(&loaded.sound().unwrap(), Detail::Plain), Setup::default()).unwrap();
//!
//! let mut block = Block::new(&game).unwrap();
//! block.start(4, 0, 32); // seed 4, runs 0 to 31
//! block.call(FuncId(0), &[]);
//! for lane in 0..32 {
//!     let mut state = game.start.clone();
//!     let mut alone = Run::new(&game, Seeded::new(&game, 4, lane as u64), First, NoTrace);
//!     call(&game, &mut state, &mut alone, FuncId(0), &[]).unwrap();
//!     assert!(block.runs(lane));
//!     assert_eq!(block.result(lane, 0), state.stack[0]);
//! }
//! ```
//!
//! # How it works
//!
//! Blocks are SIMT (single instruction, multiple threads). An instruction is decoded once for all lanes at the same
//! program counter. It is executed under a mask on rows of cells, one row for each register (structure of arrays).
//! Lanes that diverge at a jump wait. Of the lanes in the innermost call, those with the lowest program counter
//! continue first (reconvergence at the minimum program counter). Code jumps back only at the end of a loop, so lanes
//! meet again at the latest where their paths join. A register that no waiting lane reads is written in all lanes,
//! without the mask. A call ends when all lanes that entered it have returned. Dice are rolled for all lanes of a group
//! at once. Because random numbers are addressed, each lane rolls the dice of its run.
//!
//! A lane leaves the block at an operation that blocks do not support: a question, a move, a number of more than 30
//! bits, or a fault. Its run is then played by `grognard-vm` from the start. A block therefore affects the speed of a
//! result, never the result itself. [`Block::new`] returns `None` for a table whose cells do not fit. A cell of the
//! table has a row from its first write on, so that things that never change take no memory.
//!
//! The loops are compiled for several vector instruction sets. The best one that the processor has is chosen at run
//! time.

// a new instruction or operator must be handled in every match
#![deny(clippy::wildcard_enum_match_arm)]
// Loops index several rows at once, and boxed rows are swapped instead of copied.
#![allow(clippy::needless_range_loop, clippy::vec_box)]

mod calls;
mod cells;
mod dice;
mod draws;
mod groups;
mod lists;
mod operate;
mod steps;
mod table;
mod uniform;
mod vectors;
mod waits;

use calls::{Level, Phase};
use cells::{Row, decode, encode, fold};
use dice::Sites;
use grognard_base::value::dice::bulk::{Counters, Faces, Streams};
use grognard_program::Pc;
use grognard_vm::{Game, State};
use table::Cells;
use uniform::Uniform;
use vectors::{Loops, Vectors};
use waits::Wait;

pub use draws::Draws;
pub use grognard_base::value::dice::bulk::LANES;

/// Maximum number of rows of registers.
const ROWS: usize = 4096;

/// Maximum number of rows of lists. The first row and the length of a list share a cell.
const LIST_ROWS: usize = 1 << 14;

/// Maximum size of the rows of cells of a table, in bytes. A lane that would write to one more row leaves.
pub const MOST_ROWS: usize = 32 << 20;

/// Maximum number of cells of a table.
const CELLS: usize = 1 << 20;

/// Lockstep execution of up to [`LANES`] runs of one game.
pub struct Block<'g> {
    game: &'g Game,
    cells: Cells,
    regs: Vec<Box<Row>>,
    /// Known values of each register.
    uniform: Vec<Uniform>,
    heap: Vec<Box<Row>>,
    tallies: Vec<Box<Row>>,
    /// Number of heap rows in use in each lane.
    tops: Box<Row>,
    /// -1 in the lanes of the running group, 0 in others.
    mask: Box<Row>,
    /// Keys of waiting lanes: the depth of their call and the place.
    keys: Box<[u32; LANES]>,
    /// Number of lanes in the group, and of waiting lanes.
    count: usize,
    waiting: usize,
    /// Version of the group, which changes when lanes join it.
    group: u64,
    /// The next place at which lanes of this call wait.
    next: u32,
    pc: Pc,
    /// For each instruction, whether waiting lanes read what it writes; the first row of which this holds; and both for the
    /// running instruction.
    waits: Vec<Wait>,
    floor: usize,
    unread: bool,
    base: usize,
    levels: Vec<Level>,
    depth: usize,
    phases: Vec<Phase>,
    fuel: u64,
    /// Number of loop rounds and calls so far, each counted once for all its lanes.
    burnt: u64,
    /// -1 in the lanes that have not left, 0 in others.
    live: Box<Row>,
    /// For each instruction, the number of lanes that left there.
    left: Vec<u64>,
    // buffers
    constant: i32,
    out: Box<Row>,
    taken: Box<Row>,
    lens: Box<Row>,
    faces: Box<Faces>,
    sorted: Vec<Box<Row>>,
    counters: Counters,
    streams: Streams,
    sites: Sites,
    scratch: State,
    vectors: Vectors,
}

/// Starts a block, compiled for the vector instructions of the processor.
struct Start<'b, 'g> {
    block: &'b mut Block<'g>,
    seed: u64,
    first: u64,
    lanes: usize,
}

impl Loops for Start<'_, '_> {
    #[inline(always)]
    fn run(self) {
        self.block.start_lanes(self.seed, self.first, self.lanes);
    }
}

impl<'g> Block<'g> {
    /// Creates a block for a table. Returns `None` if its cells do not fit.
    pub fn new(game: &'g Game) -> Option<Block<'g>> {
        let fits = game.start.cells.len() <= CELLS && game.start.tags.is_empty();
        let cells = game.start.cells.iter().map(|cell| encode(*cell)).collect::<Option<Vec<i32>>>().filter(|_| fits)?;
        let row = || Box::new(Row::all(0));
        Some(Block {
            game,
            cells: Cells::new(cells),
            regs: Vec::new(),
            uniform: Vec::new(),
            heap: Vec::new(),
            tallies: game.program.schema.tallies.iter().map(|_| row()).collect(),
            tops: row(),
            mask: row(),
            keys: Box::new([u32::MAX; LANES]),
            count: 0,
            waiting: 0,
            group: 1,
            next: 0,
            pc: 0,
            waits: vec![Wait::Unknown; game.program.code.len()],
            floor: usize::MAX,
            unread: false,
            base: 0,
            levels: Vec::new(),
            depth: 0,
            phases: Vec::new(),
            fuel: 0,
            burnt: 0,
            live: row(),
            left: vec![0; game.program.code.len()],
            constant: 0,
            out: row(),
            taken: row(),
            lens: row(),
            faces: Box::default(),
            sorted: Vec::new(),
            counters: Counters::default(),
            streams: Streams::new(),
            sites: Sites::new(game),
            scratch: State::default(),
            vectors: Vectors::new(),
        })
    }

    /// Starts `lanes` runs, numbered from `first` on.
    pub fn start(&mut self, seed: u64, first: u64, lanes: usize) {
        let vectors = self.vectors;
        vectors.run(Start { block: self, seed, first, lanes });
    }

    #[inline(always)]
    fn start_lanes(&mut self, seed: u64, first: u64, lanes: usize) {
        self.cells.start();
        self.tallies.iter_mut().for_each(|row| row.0.fill(0));
        for (lane, live) in self.live.0.iter_mut().enumerate() {
            *live = -i32::from(lane < lanes);
        }
        self.streams.start(seed, first);
        self.sites.start();
    }

    /// Returns whether any lane is live.
    pub fn any(&self) -> bool {
        self.live.0.iter().any(|live| *live != 0)
    }

    /// Returns whether a lane is live.
    pub fn runs(&self, lane: usize) -> bool {
        self.live.0[lane] != 0
    }

    /// Returns a cell of the result of the last call.
    pub fn result(&self, lane: usize, cell: usize) -> i64 {
        decode(self.regs[cell].0[lane])
    }

    /// Writes a cell of the result for all lanes; 0 for lanes that have left.
    pub fn results(&self, cell: usize, out: &mut [i64]) {
        // Without a register nothing has run.
        let (Some(row), live) = (self.regs.get(cell), &self.live) else { return out.fill(0) };
        let wide = fold(row, live, 0, |wide, cell, live| wide | ((cell ^ (cell << 1)) & live));
        for (lane, out) in out.iter_mut().enumerate().take(LANES) {
            let cell = row.0[lane] & live.0[lane];
            // Numbers need no decoding.
            *out = if wide >= 0 { i64::from(cell) } else { decode(cell) };
        }
    }

    /// Returns a cell of the table in a lane.
    pub fn cell(&self, lane: usize, cell: usize) -> i64 {
        decode(self.cells.of(cell, lane))
    }

    /// Returns whether lanes left because the rows of the table would exceed [`MOST_ROWS`].
    pub fn full(&self) -> bool {
        self.cells.full()
    }

    /// Returns for each instruction the number of lanes that left there.
    pub fn left(&self) -> &[u64] {
        &self.left
    }
}
