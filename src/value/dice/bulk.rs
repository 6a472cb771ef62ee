//! Random words of many runs at once: the counter-based generator in lanes, a run to each.
//!
//! The functions are inlined into their callers, so that they are compiled for whatever vectors these are compiled for.

#![allow(clippy::needless_range_loop)] // rows are walked side by side

use super::philox::{M0, M1, ROUNDS, W0, W1};
use super::{Place, RNG_CONTRACT, Stream};

/// Runs that are worked on at once.
pub const LANES: usize = 256;

/// A word for each lane.
pub type Words = [u32; LANES];

/// The chance of as many runs as there are lanes, under one seed.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    first: u64,
    keys: [Words; 2],
    salts: [Words; 2],
}

/// Where a roll lies in each lane: the low and the high half of its place under the salt of the run, and its ordinal.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Low halves.
    pub low: Words,
    /// High halves.
    pub high: Words,
    /// How often the roll was made before.
    pub ordinal: Words,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { low: [0; LANES], high: [0; LANES], ordinal: [0; LANES] }
    }
}

/// Blocks of four words that are made at once at most: two of one roll share the keys of their rounds, and fill the
/// processor's pipelines.
const BLOCKS: usize = 2;

/// Rows for the faces of the dice of as many blocks.
pub type Faces = [[i32; LANES]; 4 * BLOCKS];

/// No faces yet.
pub const NO_FACES: Faces = [[0; LANES]; 4 * BLOCKS];

const LOW: u64 = 0xffff_ffff;

/// The rounds of some counters under one key. What is in the high halves is nobody's.
#[inline(always)]
fn rounds<const N: usize>(mut counters: [[u64; 4]; N], [x, y]: [u32; 2]) -> [[u64; 4]; N] {
    // the high halves are nobody's here too
    let (mut x, mut y) = (u64::from(x), u64::from(y));
    for _ in 0..ROUNDS {
        for [a, b, c, d] in &mut counters {
            let (p, q) = (u64::from(M0) * (*a & LOW), u64::from(M1) * (*c & LOW));
            (*a, *c) = (*b ^ x ^ (q >> 32), *d ^ y ^ (p >> 32));
            (*b, *d) = (q, p);
        }
        (x, y) = (x.wrapping_add(u64::from(W0)), y.wrapping_add(u64::from(W1)));
    }
    counters
}

/// The keys and salts of runs that follow each other.
#[inline(always)]
fn keys(first: u64, fixed: [u64; 2], key: [u32; 2], k0: &mut Words, k1: &mut Words, s0: &mut Words, s1: &mut Words) {
    for n in 0..LANES {
        let run = first.wrapping_add(n as u64);
        let [[a, b, c, d]] = rounds([[run & LOW, run >> 32, fixed[0], fixed[1]]], key);
        (k0[n], k1[n], s0[n], s1[n]) = (a as u32, b as u32, c as u32, d as u32);
    }
}

#[inline(always)]
fn salted(out: &mut Words, salts: &Words, place: u32) {
    for n in 0..LANES {
        out[n] = salts[n] ^ place;
    }
}

// the rows lie apart from all that is read: so the loop becomes vectors
#[inline(always)]
fn faces<const N: usize>(
    at: &Counters,
    keys: &[Words; 2],
    block: u32,
    sides: &Words,
    out: &mut Faces,
    dice: usize,
) -> bool {
    let mut unfair = 0;
    for n in 0..LANES {
        let counter = |add: usize| {
            let block = u64::from(block).wrapping_add(add as u64);
            [u64::from(at.low[n]), u64::from(at.high[n]), u64::from(at.ordinal[n]), block]
        };
        let words = rounds::<N>(std::array::from_fn(counter), [keys[0][n], keys[1][n]]);
        let sides = u64::from(sides[n]);
        for die in 0..dice {
            let product = (words[die / 4][die % 4] & LOW) * sides;
            unfair |= u32::from((product & LOW) < sides);
            // sums that could overflow, as the compiler sees it, would be no vectors where that is checked
            out[die][n] = ((product >> 32) as i32).wrapping_add(1);
        }
    }
    unfair != 0
}

impl Streams {
    /// No runs yet.
    pub fn new() -> Streams {
        Streams { seed: 0, first: 0, keys: [[0; LANES]; 2], salts: [[0; LANES]; 2] }
    }

    /// The chance of the runs from `first` on.
    #[inline(always)]
    pub fn start(&mut self, seed: u64, first: u64) {
        (self.seed, self.first) = (seed, first);
        let key = [seed as u32, (seed >> 32) as u32];
        let fixed = [u64::from(u32::from_be_bytes(*b"Grog")), u64::from(RNG_CONTRACT)];
        let ([k0, k1], [s0, s1]) = (&mut self.keys, &mut self.salts);
        keys(first, fixed, key, k0, k1, s0, s1);
    }

    /// Fills in where a roll lies that has the same place in every lane.
    #[inline(always)]
    pub fn places(&self, Place(place): Place, counters: &mut Counters) {
        salted(&mut counters.low, &self.salts[0], place as u32);
        salted(&mut counters.high, &self.salts[1], (place >> 32) as u32);
    }

    /// The same for one lane.
    pub fn place(&self, lane: usize, Place(place): Place, counters: &mut Counters) {
        counters.low[lane] = self.salts[0][lane] ^ place as u32;
        counters.high[lane] = self.salts[1][lane] ^ (place >> 32) as u32;
    }

    /// The faces of dice from `4 * block` on, from 1 to so many: of all that are left, or as many as are thrown at once.
    /// Gives how many blocks that were, and whether a word of them may make its die unfair: then [`Streams::fair`] knows
    /// better.
    #[inline(always)]
    pub fn faces(&self, at: &Counters, block: u32, sides: &Words, left: usize, out: &mut Faces) -> (u32, bool) {
        match left {
            // no more words are worked out than are needed
            0 | 1 => (1, faces::<1>(at, &self.keys, block, sides, out, 1)),
            2 => (1, faces::<1>(at, &self.keys, block, sides, out, 2)),
            3 | 4 => (1, faces::<1>(at, &self.keys, block, sides, out, 4)),
            _ => (2, faces::<BLOCKS>(at, &self.keys, block, sides, out, 8)),
        }
    }

    /// The face of one die of one lane, whatever its word.
    pub fn fair(&self, lane: usize, at: Place, ordinal: u32, index: u32, sides: u32) -> u32 {
        Stream::new(self.seed, self.first.wrapping_add(lane as u64)).die_at(at, ordinal, index, sides)
    }
}

impl Default for Streams {
    fn default() -> Streams {
        Streams::new()
    }
}
