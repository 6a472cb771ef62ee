//! Block execution (SIMT, single instruction, multiple threads): many runs of one program in lockstep, a lane to each.
//!
//! An instruction is decoded once for all lanes that stand before it and carried out on rows of cells, one row to a register
//! (structure of arrays), under a mask. Lanes that part at a jump wait where they are; of those in the innermost call the
//! lowest place goes on first, so lanes meet again at the latest where their paths join (reconvergence at the minimum program
//! counter; code jumps back only at the foot of a loop). A call is left when all that entered it have come back. Dice are
//! thrown for all lanes of a group at once; as random numbers are addressed, each lane throws what its run throws alone.
//!
//! A lane that comes to what a block does not do (a question, a move, a number of more than 30 bits, any fault) leaves the
//! block, and its run is played by the machine from its start. So a block changes how fast a result is there, never what it is.
//!
//! The loops are compiled for the vectors that the processor turns out to have.

// a new instruction or operator is thought of everywhere
#![deny(clippy::wildcard_enum_match_arm)]
// rows are walked side by side, and change places instead of being copied
#![allow(clippy::needless_range_loop, clippy::vec_box)]

mod calls;
mod cells;
mod dice;
mod groups;
mod lists;
mod operate;
mod steps;
mod uniform;
mod vectors;

use calls::{Level, Phase};
use cells::{Row, decode, encode, fold};
use dice::Sites;
use grognard_base::value::dice::bulk::{Counters, Faces, Streams};
use grognard_program::Pc;
use grognard_vm::{Game, State};
use uniform::Uniform;
use vectors::{Loops, Vectors};

pub use grognard_base::value::dice::bulk::LANES;

/// Most rows of registers, and of lists.
const ROWS: usize = 4096;

/// Most cells of a table: a block holds each of them for every lane.
const CELLS: usize = 4096;

/// As many runs as there are lanes at one place.
pub struct Block<'g> {
    game: &'g Game,
    cells: Vec<Box<Row>>,
    regs: Vec<Box<Row>>,
    /// What is known of each register and each cell.
    uniform: Vec<Uniform>,
    uniform_cells: Vec<Uniform>,
    heap: Vec<Box<Row>>,
    tallies: Vec<Box<Row>>,
    /// How many rows of the heap each lane uses.
    tops: Box<Row>,
    /// Lanes of the running group: -1, others 0.
    mask: Box<Row>,
    /// Where lanes wait that do not run: the depth of their call and the place.
    keys: Box<[u32; LANES]>,
    /// Lanes of the group, and lanes that wait.
    count: usize,
    waiting: usize,
    /// The number of the group: another one when lanes have joined it.
    group: u64,
    /// The next place at which lanes of this call wait.
    next: u32,
    pc: Pc,
    base: usize,
    levels: Vec<Level>,
    depth: usize,
    phases: Vec<Phase>,
    fuel: u64,
    /// Rounds and calls so far, each for all lanes that were in it.
    burnt: u64,
    /// Lanes whose runs have not left: -1, others 0.
    live: Box<Row>,
    /// By place in the code: how often a lane left there.
    left: Vec<u64>,
    // room for what is worked out
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

/// Starts a block, compiled for the vectors of the processor.
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
    /// A block of runs on a table; none if its cells do not fit.
    pub fn new(game: &'g Game) -> Option<Block<'g>> {
        let few = game.start.cells.len() <= CELLS;
        let fits = few && game.start.tags.is_empty() && game.start.cells.iter().all(|cell| encode(*cell).is_some());
        let row = || Box::new(Row::all(0));
        fits.then(|| Block {
            game,
            cells: game.start.cells.iter().map(|_| row()).collect(),
            regs: Vec::new(),
            uniform: Vec::new(),
            uniform_cells: vec![Uniform::NOTHING; game.start.cells.len()],
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

    /// Begins so many runs from a number on.
    pub fn start(&mut self, seed: u64, first: u64, lanes: usize) {
        let vectors = self.vectors;
        vectors.run(Start { block: self, seed, first, lanes });
    }

    #[inline(always)]
    fn start_lanes(&mut self, seed: u64, first: u64, lanes: usize) {
        let game = self.game;
        for (at, cell) in game.start.cells.iter().enumerate() {
            let cell = encode(*cell).unwrap_or(0);
            if !self.uniform_cells[at].is_everywhere(cell) {
                self.cells[at].0.fill(cell);
                self.uniform_cells[at] = Uniform::everywhere(cell);
            }
        }
        self.tallies.iter_mut().for_each(|row| row.0.fill(0));
        for (lane, live) in self.live.0.iter_mut().enumerate() {
            *live = -i32::from(lane < lanes);
        }
        self.streams.start(seed, first);
        self.sites.start();
    }

    /// True if any lane has not left.
    pub fn any(&self) -> bool {
        self.live.0.iter().any(|live| *live != 0)
    }

    /// True for a lane whose run has not left.
    pub fn runs(&self, lane: usize) -> bool {
        self.live.0[lane] != 0
    }

    /// A cell of the result of the last call.
    pub fn result(&self, lane: usize, cell: usize) -> i64 {
        decode(self.regs[cell].0[lane])
    }

    /// The same in all lanes; 0 in those that have left.
    pub fn results(&self, cell: usize, out: &mut [i64]) {
        // without a register nothing has run
        let (Some(row), live) = (self.regs.get(cell), &self.live) else { return out.fill(0) };
        let wide = fold(row, live, 0, |wide, cell, live| wide | ((cell ^ (cell << 1)) & live));
        for (lane, out) in out.iter_mut().enumerate().take(LANES) {
            let cell = row.0[lane] & live.0[lane];
            // numbers are themselves
            *out = if wide >= 0 { i64::from(cell) } else { decode(cell) };
        }
    }

    /// A cell of the table.
    pub fn cell(&self, lane: usize, cell: usize) -> i64 {
        decode(self.cells[cell].0[lane])
    }

    /// How often lanes left at each place of the code.
    pub fn left(&self) -> &[u64] {
        &self.left
    }
}
