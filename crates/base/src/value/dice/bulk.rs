//! Random words of many runs at once: the counter-based generator with one run per lane.
//!
//! The functions are inlined into their callers, so that they use the vector instructions for which the callers are
//! compiled.

#![allow(clippy::needless_range_loop)] // several rows are indexed in parallel

use super::philox::{M0, M1, ROUNDS, W0, W1};
use super::stream::{LARGE, SINGLE, SMALL, later, unfair_half, unfair_word};
use super::wide::Wide;
use super::{RNG_CONTRACT, RollKey, Stream};

/// Number of runs processed at once.
pub const LANES: usize = 256;

/// One word for each lane.
pub type LaneWords = [u32; LANES];

/// The random numbers of [`LANES`] consecutive runs under one seed.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    first: u64,
    keys: [LaneWords; 2],
    salts: [LaneWords; 2],
}

/// The counters of a roll in each lane: the low and the high half of its place, salted by the run, and its ordinal.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Low halves of the salted place.
    pub low: LaneWords,
    /// High halves of the salted place.
    pub high: LaneWords,
    /// How many times the roll was made before.
    pub ordinal: LaneWords,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { low: [0; LANES], high: [0; LANES], ordinal: [0; LANES] }
    }
}

/// The dice of each lane: their sides, and their limits for a fair half word.
#[derive(Clone, Debug)]
pub struct Sides {
    sides: LaneWords,
    limits: LaneWords,
    /// The number of sides, if it is the same in all lanes.
    alike: Option<u32>,
}

impl Default for Sides {
    fn default() -> Sides {
        Sides { sides: [1; LANES], limits: [0; LANES], alike: Some(1) }
    }
}

impl Sides {
    /// Sets dice with `sides` sides, at least 1, in all lanes.
    #[inline(always)]
    pub fn fill(&mut self, sides: u32) {
        if self.alike != Some(sides) {
            *self = Sides { sides: [sides; LANES], limits: [limit(sides); LANES], alike: Some(sides) };
        }
    }

    /// Sets the dice of one lane.
    pub fn set(&mut self, lane: usize, sides: u32) {
        (self.sides[lane], self.limits[lane], self.alike) = (sides, limit(sides), None);
    }

    /// Returns the number of sides in a lane.
    pub fn of(&self, lane: usize) -> u32 {
        self.sides[lane]
    }
}

/// A roll in the lanes of a mask.
pub struct LaneThrow<'t> {
    /// Its place, if it is the same in all lanes. If `None`, the counters hold it.
    pub place: Option<RollKey>,
    /// Its dice.
    pub sides: &'t Sides,
    /// -1 in the lanes that roll, otherwise 0.
    pub mask: &'t [i32; LANES],
}

/// Returns the limit below which a half word is rejected. For a large die, every half word is rejected.
fn limit(sides: u32) -> u32 {
    if sides > SMALL { u32::MAX } else { unfair_half(sides) }
}

/// The last words that dice of several rolls share, in each lane, cached for the next roll.
#[derive(Clone, Debug)]
pub struct KeptWords {
    /// The shared ordinal in their counter, plus 1; 0 if there are no words.
    held: LaneWords,
    words: [LaneWords; 4],
}

impl Default for KeptWords {
    fn default() -> KeptWords {
        KeptWords { held: [0; LANES], words: [[0; LANES]; 4] }
    }
}

impl KeptWords {
    pub fn clear(&mut self) {
        self.held.fill(0);
    }
}

/// Maximum number of four-word blocks computed at once. Two blocks of one roll share their round keys and fill the
/// pipelines of the processor.
const BLOCKS: usize = 2;

/// Maximum number of dice rolled at once.
pub const AT_ONCE: usize = 8 * BLOCKS;

/// Faces of the dice rolled at once, one row per die, with buffers for their words. Lanes with an unfair die are
/// marked; [`Streams::fair`] computes its correct face.
#[derive(Clone, Debug)]
pub struct Faces {
    /// Faces, counted from 1.
    pub rows: [[i32; LANES]; AT_ONCE],
    /// Nonzero in lanes in which a die must be rolled again; valid only if any die is unfair.
    pub unfair: LaneWords,
    words: [LaneWords; 4 * BLOCKS],
}

impl Default for Faces {
    fn default() -> Faces {
        Faces { rows: [[0; LANES]; AT_ONCE], unfair: [0; LANES], words: [[0; LANES]; 4 * BLOCKS] }
    }
}

/// For each lane, a number below a count, and the words that draw with it.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The result of [`Stream::below`] for index 0.
    pub below: LaneWords,
    counters: Counters,
    words: [LaneWords; 4 * BLOCKS],
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers { below: [0; LANES], counters: Counters::default(), words: [[0; LANES]; 4 * BLOCKS] }
    }
}

impl Numbers {
    /// Returns [`Stream::word`] of index 1 in a lane, followed by that of index 2.
    #[inline]
    pub fn further(&self, lane: usize) -> u64 {
        u64::from(self.words[1][lane]) << 32 | u64::from(self.words[2][lane])
    }
}

const HALF: u32 = 0xffff;

/// Applies the rounds to several counters under one key.
#[inline(always)]
fn rounds<const N: usize>(mut counters: [[Wide; 4]; N], [mut x, mut y]: [Wide; 2]) -> [[Wide; 4]; N] {
    for _ in 0..ROUNDS {
        for [a, b, c, d] in &mut counters {
            let ((p, p_high), (q, q_high)) = (a.times(M0), c.times(M1));
            (*a, *c) = (b.xor(x).xor(q_high), d.xor(y).xor(p_high));
            (*b, *d) = (q, p);
        }
        (x, y) = (x.plus(W0), y.plus(W1));
    }
    counters
}

/// Computes the keys and salts of consecutive runs.
#[inline(always)]
fn keys(
    first: u64,
    fixed: [u32; 2],
    key: [u32; 2],
    k0: &mut LaneWords,
    k1: &mut LaneWords,
    s0: &mut LaneWords,
    s1: &mut LaneWords,
) {
    for n in 0..LANES {
        let run = first.wrapping_add(n as u64);
        (k0[n], k1[n]) = (run as u32, (run >> 32) as u32);
    }
    for n in 0..LANES / Wide::LANES {
        let counter = [Wide::of(k0, n), Wide::of(k1, n), Wide::all(fixed[0]), Wide::all(fixed[1])];
        let [[a, b, c, d]] = rounds([counter], key.map(Wide::all));
        a.put(k0, n);
        b.put(k1, n);
        c.put(s0, n);
        d.put(s1, n);
    }
}

#[inline(always)]
fn salted(out: &mut LaneWords, salts: &LaneWords, place: u32) {
    for n in 0..LANES {
        out[n] = salts[n] ^ place;
    }
}

// Loops over rows are separate functions: parameters are known not to alias, so the loops are vectorized.

/// Computes the words of `N` blocks, starting at `block`.
#[inline(always)]
fn words<const N: usize>(at: &Counters, keys: &[LaneWords; 2], block: u32, out: &mut [LaneWords; 4 * BLOCKS]) {
    for n in 0..LANES / Wide::LANES {
        let counter = |add: usize| {
            let block = Wide::all(block.wrapping_add(add as u32));
            [Wide::of(&at.low, n), Wide::of(&at.high, n), Wide::of(&at.ordinal, n), block]
        };
        let words = rounds::<N>(std::array::from_fn(counter), [Wide::of(&keys[0], n), Wide::of(&keys[1], n)]);
        for word in 0..4 * N {
            words[word / 4][word % 4].put(&mut out[word], n);
        }
    }
}

/// Computes the words of the block that several rolls share, and caches them. Lanes that do not roll get the words of
/// their next roll.
#[inline(always)]
fn shared(at: &Counters, keys: &[LaneWords; 2], shift: u32, block: u32, kept: &mut KeptWords) {
    let KeptWords { held, words: rows } = kept;
    for n in 0..LANES {
        held[n] = at.ordinal[n] >> shift;
    }
    for n in 0..LANES / Wide::LANES {
        let counter = [Wide::of(&at.low, n), Wide::of(&at.high, n), Wide::of(held, n), Wide::all(block)];
        let [words] = rounds([counter], [Wide::of(&keys[0], n), Wide::of(&keys[1], n)]);
        for (word, row) in words.into_iter().zip(&mut *rows) {
            word.put(row, n);
        }
    }
    for n in 0..LANES {
        held[n] = held[n].wrapping_add(1);
    }
}

/// Returns whether a lane of a mask lacks the words of its ordinal, and the ordinal if all lanes of the mask have the
/// same one.
#[inline(always)]
fn look(ordinal: &LaneWords, held: &LaneWords, shift: u32, mask: &[i32; LANES]) -> (bool, Option<u32>) {
    let (mut stale, mut least, mut most) = (0, u32::MAX, 0);
    for n in 0..LANES {
        let mask = mask[n] as u32;
        stale |= ((ordinal[n] >> shift).wrapping_add(1) ^ held[n]) & mask;
        least = least.min(ordinal[n] | !mask);
        most = most.max(ordinal[n] & mask);
    }
    (stale != 0, (least == most).then_some(most))
}

/// Computes the faces of one die in each lane from half words, the words shifted by `shift`. Returns whether one of
/// them can be unfair.
#[inline(always)]
fn cut_alike(words: &LaneWords, shift: u32, sides: u32, out: &mut [i32; LANES]) -> bool {
    // only the minimum is compared: comparing each value takes two more instructions in WebAssembly
    let mut least = HALF;
    for n in 0..LANES {
        let product = ((words[n] >> shift) & HALF).wrapping_mul(sides);
        least = least.min(product & HALF);
        out[n] = (product >> 16).wrapping_add(1) as i32;
    }
    least < limit(sides)
}

/// Computes numbers below `count`, at most [`SMALL`], from the low half words. Returns whether one of them can be
/// unfair.
#[inline(always)]
fn cut_small(words: &LaneWords, count: u32, out: &mut LaneWords) -> bool {
    let mut least = HALF;
    for n in 0..LANES {
        let product = (words[n] & HALF).wrapping_mul(count);
        least = least.min(product & HALF);
        out[n] = product >> 16;
    }
    least < unfair_half(count)
}

/// Same as [`cut_alike`], for dice that differ between lanes. Marks lanes with an unfair half word.
#[inline(always)]
fn cut(words: &LaneWords, shift: impl Fn(usize) -> u32, sides: &Sides, out: &mut [i32; LANES], unfair: &mut LaneWords) {
    for n in 0..LANES {
        let product = ((words[n] >> shift(n)) & HALF).wrapping_mul(sides.sides[n]);
        unfair[n] |= u32::from((product & HALF) < sides.limits[n]);
        // the compiler does not vectorize a checked sum unless it can prove that no overflow occurs
        out[n] = (product >> 16).wrapping_add(1) as i32;
    }
}

/// Computes numbers below `count` from whole words. Returns whether one of them can be unfair.
#[inline(always)]
fn cut_whole(words: &LaneWords, count: u32, out: &mut LaneWords) -> bool {
    let mut least = u32::MAX;
    for n in 0..LANES {
        let product = u64::from(words[n]) * u64::from(count);
        least = least.min(product as u32);
        out[n] = (product >> 32) as u32;
    }
    least < unfair_word(count)
}

/// Returns whether the word of a number below `count` must be rejected.
fn unfair(word: u32, count: u32) -> bool {
    if count > SMALL {
        word.wrapping_mul(count) < unfair_word(count)
    } else {
        (word & HALF).wrapping_mul(count) & HALF < unfair_half(count)
    }
}

/// Computes the places of the words of large dice in each lane.
#[inline(always)]
fn large(at: &mut Counters) {
    for n in 0..LANES {
        let place = later(u64::from(at.low[n]) | u64::from(at.high[n]) << 32, 0, LARGE);
        (at.low[n], at.high[n]) = (place as u32, (place >> 32) as u32);
    }
}

/// Marks the lanes in which a word makes a die unfair, after recomputing all rows.
#[cold]
fn mark<'w>(
    dice: impl Iterator<Item = (&'w LaneWords, u32)>,
    sides: &Sides,
    rows: &mut [[i32; LANES]],
    unfair: &mut LaneWords,
) {
    unfair.fill(0);
    for ((words, shift), row) in dice.zip(rows) {
        cut(words, |_| shift, sides, row, unfair);
    }
}

/// Selects the word of each lane's ordinal from the four cached words.
#[inline(always)]
fn chosen(kept: &[LaneWords; 4], ordinal: &LaneWords, out: &mut LaneWords) {
    let [a, b, c, d] = kept;
    for n in 0..LANES {
        let (odd, high) = ((ordinal[n] & 1).wrapping_neg(), (ordinal[n] >> 1 & 1).wrapping_neg());
        let (low_pair, high_pair) = ((a[n] & !odd) | (b[n] & odd), (c[n] & !odd) | (d[n] & odd));
        out[n] = (low_pair & !high) | (high_pair & high);
    }
}

/// Returns whether any lane is marked.
fn any(marks: &LaneWords) -> bool {
    marks.iter().fold(0, |any, mark| any | mark) != 0
}

impl Streams {
    /// Creates an empty set of streams. [`Streams::start`] initializes it.
    pub fn new() -> Streams {
        Streams { seed: 0, first: 0, keys: [[0; LANES]; 2], salts: [[0; LANES]; 2] }
    }

    /// Initializes the streams of the runs from `first` on.
    #[inline(always)]
    pub fn start(&mut self, seed: u64, first: u64) {
        (self.seed, self.first) = (seed, first);
        let key = [seed as u32, (seed >> 32) as u32];
        let fixed = [u32::from_be_bytes(*b"Grog"), RNG_CONTRACT];
        let ([k0, k1], [s0, s1]) = (&mut self.keys, &mut self.salts);
        keys(first, fixed, key, k0, k1, s0, s1);
    }

    /// Fills in the place of a roll that is the same in every lane.
    #[inline(always)]
    pub fn places(&self, RollKey(place): RollKey, counters: &mut Counters) {
        salted(&mut counters.low, &self.salts[0], place as u32);
        salted(&mut counters.high, &self.salts[1], (place >> 32) as u32);
    }

    /// Fills in the place of a roll in one lane.
    pub fn place(&self, lane: usize, RollKey(place): RollKey, counters: &mut Counters) {
        counters.low[lane] = self.salts[0][lane] ^ place as u32;
        counters.high[lane] = self.salts[1][lane] ^ (place >> 32) as u32;
    }

    /// Ensures that the cached words belong to the ordinals of the lanes of a mask. The counters have the ordinals of all
    /// lanes, unless the words are discarded after the roll. Returns the ordinal if all lanes of the mask have the same
    /// one.
    #[inline(always)]
    fn renew(&self, at: &mut Counters, throw: &LaneThrow<'_>, shift: u32, kept: &mut KeptWords) -> Option<u32> {
        let LaneThrow { place, mask, .. } = *throw;
        let (stale, ordinal) = look(&at.ordinal, &kept.held, shift, mask);
        if stale {
            if let Some(place) = place {
                self.places(place, at);
            }
            shared(at, &self.keys, shift, if shift == 3 { SINGLE } else { 0 }, kept);
        }
        ordinal
    }

    /// Computes the faces of single-die rolls. Returns whether one can be unfair; if so, its lanes are marked.
    #[inline(always)]
    pub fn single(&self, at: &mut Counters, throw: &LaneThrow<'_>, kept: &mut KeptWords, out: &mut Faces) -> bool {
        let (ordinal, sides) = (self.renew(at, throw, 3, kept), throw.sides);
        let Faces { rows, unfair, words } = out;
        if let (Some(ordinal), Some(sides_of_all)) = (ordinal, sides.alike) {
            let (words, shift) = (&kept.words[ordinal as usize % 4], ordinal << 2 & 16);
            let any = cut_alike(words, shift, sides_of_all, &mut rows[0]);
            if any {
                mark(std::iter::once((words, shift)), sides, rows, unfair);
            }
            return any;
        }
        unfair.fill(0);
        chosen(&kept.words, &at.ordinal, &mut words[0]);
        let ordinal = &at.ordinal;
        cut(&words[0], |n| ordinal[n] << 2 & 16, sides, &mut rows[0], unfair);
        any(unfair)
    }

    /// Computes the faces of the first dice of pools, at most four. Returns whether one can be unfair; if so, its lanes
    /// are marked.
    #[inline(always)]
    pub fn first(
        &self,
        at: &mut Counters,
        throw: &LaneThrow<'_>,
        dice: usize,
        kept: &mut KeptWords,
        out: &mut Faces,
    ) -> bool {
        let (ordinal, sides) = (self.renew(at, throw, 1, kept), throw.sides);
        let Faces { rows, unfair, .. } = out;
        if let (Some(ordinal), Some(sides_of_all)) = (ordinal, sides.alike) {
            let shift = ordinal << 4 & 16;
            let mut any = false;
            for (words, row) in kept.words.iter().zip(rows.iter_mut()).take(dice) {
                any |= cut_alike(words, shift, sides_of_all, row);
            }
            if any {
                mark(kept.words.iter().take(dice).map(|words| (words, shift)), sides, rows, unfair);
            }
            return any;
        }
        unfair.fill(0);
        let ordinal = &at.ordinal;
        for (words, row) in kept.words.iter().zip(rows).take(dice) {
            cut(words, |n| ordinal[n] << 4 & 16, sides, row, unfair);
        }
        any(unfair)
    }

    /// Computes the faces of further dice from `block` on, at most [`AT_ONCE`]. The counters must hold their place.
    /// Returns the number of blocks and whether a die can be unfair.
    #[inline(always)]
    pub fn further(&self, at: &Counters, block: u32, sides: &Sides, left: usize, out: &mut Faces) -> (u32, bool) {
        let Faces { rows, unfair, words: room } = out;
        let blocks = if left > 8 { 2 } else { 1 };
        match blocks {
            1 => words::<1>(at, &self.keys, block, room),
            _ => words::<BLOCKS>(at, &self.keys, block, room),
        }
        let half = |die: usize| (die / 8 * 4 + die % 4, (die % 8 / 4 * 16) as u32);
        let dice = left.min(AT_ONCE);
        if let Some(sides_of_all) = sides.alike {
            let mut any = false;
            for (die, row) in rows.iter_mut().enumerate().take(dice) {
                let (word, shift) = half(die);
                any |= cut_alike(&room[word], shift, sides_of_all, row);
            }
            if any {
                let room = &*room;
                mark((0..dice).map(|die| (&room[half(die).0], half(die).1)), sides, rows, unfair);
            }
            return (blocks, any);
        }
        unfair.fill(0);
        for (die, row) in rows.iter_mut().enumerate().take(dice) {
            let (word, shift) = half(die);
            cut(&room[word], |_| shift, sides, row, unfair);
        }
        (blocks, any(unfair))
    }

    /// Draws a number below `count`, at least 1, in each lane, for a purpose that draws once a run.
    #[inline(always)]
    pub fn below(&self, place: RollKey, count: u32, out: &mut Numbers) {
        let Numbers { below, counters, words: room } = out;
        self.places(place, counters);
        words::<1>(counters, &self.keys, 0, room);
        let any = if count > SMALL {
            let [_, first, second, ..] = *room;
            large(counters);
            words::<1>(counters, &self.keys, 0, room);
            (room[1], room[2]) = (first, second);
            cut_whole(&room[0], count, below)
        } else {
            cut_small(&room[0], count, below)
        };
        if any {
            for lane in (0..LANES).filter(|lane| unfair(room[0][*lane], count)) {
                below[lane] = self.fair(lane, place, 0, Some(0), count) - 1;
            }
        }
    }

    /// Computes the fair face of one die of one lane. Without an index, it is the face of a single-die roll.
    pub fn fair(&self, lane: usize, at: RollKey, ordinal: u32, index: Option<u32>, sides: u32) -> u32 {
        let stream = Stream::new(self.seed, self.first.wrapping_add(lane as u64));
        match index {
            Some(index) => stream.die_at(at, ordinal, index, sides),
            None => stream.single_at(at, ordinal, sides, &mut super::KeptBlock::default()),
        }
    }
}

impl Default for Streams {
    fn default() -> Streams {
        Streams::new()
    }
}
