//! Words, dice, shuffles and draws of one run.

use super::RNG_CONTRACT;
use super::lanes::Lanes;
use super::philox::{Keys, philox, rounds, rounds_wide, schedule};

/// All random numbers of one run. Cheap to copy and stateless.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    salt: u64,
    keys: Keys,
}

/// One roll: its address, its subject, and its ordinal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// [`name`](super::name) of the address, such as `SuppressionCheck.dice`.
    pub address: u64,
    /// [`name`](super::name) of the thing that it is rolled for.
    pub subject: u64,
    /// How many times this roll was made for this subject in this run before.
    pub ordinal: u32,
}

impl Site {
    /// Creates the roll at `address` for `subject`, with `ordinal` counted from 0.
    pub fn new(address: u64, subject: u64, ordinal: u32) -> Site {
        Site { address, subject, ordinal }
    }

    /// Returns the part that this roll shares with the same roll in other runs and at other times. Callers can cache
    /// it.
    #[inline]
    pub fn place(self) -> RollKey {
        RollKey(mix(mix(self.address).wrapping_add(self.subject)))
    }
}

/// A roll for a subject, independent of run and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RollKey(pub(super) u64);

/// Mixes 64 bits bijectively; every output bit depends on every input bit.
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Maximum number of sides for a die that uses half a word. A larger die uses a word.
pub(super) const SMALL: u32 = 256;

/// First attempt number of large dice, so that they share no word with the small dice of their roll.
pub(super) const LARGE: u32 = 1 << 31;

/// Mask of half a word.
const HALF: u32 = 0xffff;

/// The block of rolls of a single die. Each half word serves one roll.
pub(super) const SINGLE: u32 = u32::MAX;

/// Location of a small die: the ordinal and the block in the counter, and the index of its half word.
type Spot = (u32, u32, u32);

/// Locates a die of a pool. The first four dice of two rolls share a block; each further block has eight dice of one
/// roll.
#[inline]
fn of_pool(ordinal: u32, index: u32) -> Spot {
    match index.checked_sub(4) {
        None => (ordinal / 2, 0, ordinal % 2 * 4 + index),
        Some(further) => (ordinal, 1 + further / 8, further % 8),
    }
}

/// Locates the die of a single-die roll. Eight rolls share a block.
#[inline]
fn of_single(ordinal: u32) -> Spot {
    (ordinal / 8, SINGLE, ordinal % 8)
}

/// Returns the limit below which half words would favor low faces; 0 for a power of two.
#[inline]
pub(super) fn unfair_half(sides: u32) -> u32 {
    (HALF + 1) % sides
}

/// Returns the limit below which whole words would favor low numbers.
#[inline]
pub(super) fn unfair_word(count: u32) -> u32 {
    count.wrapping_neg() % count
}

/// Returns the place of the words of a later throw or attempt.
#[inline]
pub(super) fn later(place: u64, throw: u32, attempt: u32) -> u64 {
    let extra = u64::from(attempt) << 32 | u64::from(throw);
    if extra == 0 { place } else { mix(place.wrapping_add(extra)) }
}

/// Returns half word `n`: first the low halves of the four words, then the high halves.
#[inline]
fn half(words: [u32; 4], n: u32) -> u32 {
    words[(n % 4) as usize] >> (n / 4 * 16) & HALF
}

/// The last block that rolls from one place share in one run, cached for the next roll.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptBlock {
    /// Ordinal and block in its counter.
    of: Option<(u32, u32)>,
    words: [u32; 4],
}

impl KeptBlock {
    /// Clears the cache, because another run begins or another subject rolls.
    #[inline]
    pub fn clear(&mut self) {
        self.of = None;
    }
}

/// Returns the faces of small dice, one per half word, and whether a half word is below the limit and makes a die
/// unfair.
#[inline(always)]
fn faces<const N: usize>(halves: [u32; N], sides: u32, limit: u32) -> ([i64; N], bool) {
    let (mut faces, mut unfair) = ([0; N], false);
    for (face, half) in faces.iter_mut().zip(halves) {
        let product = half.wrapping_mul(sides);
        unfair |= product & HALF < limit;
        *face = i64::from(product >> 16) + 1;
    }
    (faces, unfair)
}

impl Stream {
    /// Creates the stream of run `run` under `seed`.
    pub fn new(seed: u64, run: u64) -> Stream {
        let counter = [run as u32, (run >> 32) as u32, u32::from_be_bytes(*b"Grog"), RNG_CONTRACT];
        let [k0, k1, s0, s1] = philox(counter, [seed as u32, (seed >> 32) as u32]);
        Stream { salt: u64::from(s0) | u64::from(s1) << 32, keys: schedule([k0, k1]) }
    }

    #[inline]
    fn place(&self, site: Site) -> u64 {
        site.place().0 ^ self.salt
    }

    #[inline]
    fn at(&self, place: u64, ordinal: u32, block: u32) -> [u32; 4] {
        rounds([place as u32, (place >> 32) as u32, ordinal, block], &self.keys)
    }

    /// Returns the words of the dice `4 * block` to `4 * block + 3`.
    #[inline]
    pub fn block(&self, site: Site, block: u32, throw: u32) -> [u32; 4] {
        self.at(later(self.place(site), throw, 0), site.ordinal, block)
    }

    /// Returns the word of one die.
    #[inline]
    pub fn word(&self, site: Site, index: u32, throw: u32) -> u32 {
        self.block(site, index / 4, throw)[(index % 4) as usize]
    }

    /// Returns the face of one die, 1 to `sides`. A die with 0 sides counts as one with a single side.
    pub fn die(&self, site: Site, index: u32, throw: u32, sides: u32) -> u32 {
        self.below(site, index, throw, sides) + 1
    }

    /// Returns a number in `0..count` with equal probability, or 0 if `count` is 0. A `random` player uses it as its
    /// answer.
    pub fn below(&self, site: Site, index: u32, throw: u32, count: u32) -> u32 {
        self.below_at(self.place(site), site.ordinal, index, throw, count.max(1))
    }

    /// Returns the face of one die of a pool at a known place.
    pub fn die_at(&self, place: RollKey, ordinal: u32, index: u32, sides: u32) -> u32 {
        self.below_at(place.0 ^ self.salt, ordinal, index, 0, sides.max(1)) + 1
    }

    fn below_at(&self, place: u64, ordinal: u32, index: u32, throw: u32, count: u32) -> u32 {
        if count > SMALL {
            self.large(place, ordinal, index, throw, count)
        } else {
            self.small(place, of_pool(ordinal, index), throw, count)
        }
    }

    /// Returns a number below `count`, at most [`SMALL`]. Half words that would be unfair are rejected (Lemire, 2019).
    fn small(&self, place: u64, (ordinal, block, n): Spot, throw: u32, count: u32) -> u32 {
        let (limit, mut attempt) = (unfair_half(count), 0u32);
        loop {
            let words = self.at(later(place, throw, attempt), ordinal, block);
            let product = half(words, n) * count;
            if product & HALF >= limit {
                return product >> 16;
            }
            attempt = attempt.wrapping_add(1);
        }
    }

    /// Same as `small`, for a large `count`, from whole words.
    fn large(&self, place: u64, ordinal: u32, index: u32, throw: u32, count: u32) -> u32 {
        let (limit, mut attempt) = (unfair_word(count), LARGE);
        loop {
            let words = self.at(later(place, throw, attempt), ordinal, index / 4);
            let product = u64::from(words[(index % 4) as usize]) * u64::from(count);
            if product as u32 >= limit {
                return (product >> 32) as u32;
            }
            attempt = LARGE | attempt.wrapping_add(1);
        }
    }

    /// Returns the words of a block that several rolls share.
    #[inline(always)]
    fn shared<'k>(&self, place: RollKey, ordinal: u32, block: u32, kept: &'k mut KeptBlock) -> &'k [u32; 4] {
        if kept.of != Some((ordinal, block)) {
            self.share(place, ordinal, block, kept);
        }
        &kept.words
    }

    #[inline(never)]
    fn share(&self, place: RollKey, ordinal: u32, block: u32, kept: &mut KeptBlock) {
        *kept = KeptBlock { of: Some((ordinal, block)), words: self.at(place.0 ^ self.salt, ordinal, block) };
    }

    /// Returns the face of a single-die roll.
    #[inline(always)]
    pub fn single_at(&self, place: RollKey, ordinal: u32, sides: u32, kept: &mut KeptBlock) -> u32 {
        let sides = sides.max(1);
        if sides > SMALL {
            return self.large(place.0 ^ self.salt, ordinal, 0, 0, sides) + 1;
        }
        let (shared, block, n) = of_single(ordinal);
        let product = half(*self.shared(place, shared, block, kept), n) * sides;
        if product & HALF < sides {
            return self.small(place.0 ^ self.salt, of_single(ordinal), 0, sides) + 1;
        }
        (product >> 16) + 1
    }

    /// Computes the faces of a pool of equal dice, rolled for the first time. Die `n` has index `n`.
    pub fn pool(&self, site: Site, sides: u32, out: &mut [u32]) {
        let mut faces = Vec::with_capacity(out.len());
        self.pool_at(site.place(), site.ordinal, sides, out.len(), &mut KeptBlock::default(), &mut faces);
        out.iter_mut().zip(faces).for_each(|(slot, face)| *slot = face as u32);
    }

    /// Same as [`Stream::pool`], for a known place. Appends the faces to `out`.
    #[inline(always)]
    pub fn pool_at(
        &self,
        place: RollKey,
        ordinal: u32,
        sides: u32,
        dice: usize,
        kept: &mut KeptBlock,
        out: &mut Vec<i64>,
    ) {
        let (salted, sides) = (place.0 ^ self.salt, sides.max(1));
        if sides > SMALL {
            return self.large_pool(salted, ordinal, sides, dice, out);
        }
        if dice == 0 {
            return;
        }
        let (start, limit) = (out.len(), unfair_half(sides));
        // whole blocks, truncated afterward: the length of an exact loop would be mispredicted
        let ([a, b, c, d], n) = (*self.shared(place, ordinal / 2, 0, kept), ordinal % 2 * 16);
        let (four, mut spoilt) = faces([a >> n & HALF, b >> n & HALF, c >> n & HALF, d >> n & HALF], sides, limit);
        out.extend_from_slice(&four);
        if dice > 12 {
            spoilt |= self.further(salted, ordinal, dice - 4, (sides, limit), out);
        } else if dice > 4 {
            let [a, b, c, d] = self.at(salted, ordinal, 1);
            let halves = [a & HALF, b & HALF, c & HALF, d & HALF, a >> 16, b >> 16, c >> 16, d >> 16];
            let (eight, unfair) = faces(halves, sides, limit);
            out.extend_from_slice(&eight);
            spoilt |= unfair;
        }
        out.truncate(start + dice);
        if spoilt {
            self.fair_pool(salted, ordinal, sides, &mut out[start..]);
        }
    }

    /// Appends the faces of a pool of large dice.
    #[cold]
    fn large_pool(&self, place: u64, ordinal: u32, sides: u32, dice: usize, out: &mut Vec<i64>) {
        out.extend((0..dice as u32).map(|index| i64::from(self.large(place, ordinal, index, 0, sides)) + 1));
    }

    /// Recomputes the faces of a pool die by die, because one of them can be unfair.
    #[cold]
    fn fair_pool(&self, place: u64, ordinal: u32, sides: u32, out: &mut [i64]) {
        for (index, face) in (0u32..).zip(out) {
            *face = i64::from(self.small(place, of_pool(ordinal, index), 0, sides)) + 1;
        }
    }

    /// Appends the faces of the dice after the first four of a pool, at least `left` of them. Returns whether one can
    /// be unfair.
    #[inline(never)]
    fn further(&self, place: u64, ordinal: u32, mut left: usize, of: (u32, u32), out: &mut Vec<i64>) -> bool {
        let (mut block, mut spoilt) = (1u32, false);
        while left > 16 {
            spoilt |= self.blocks::<2>(place, ordinal, block, of, out);
            (left, block) = (left.saturating_sub(32), block.wrapping_add(4));
        }
        if left > 0 {
            spoilt |= self.blocks::<1>(place, ordinal, block, of, out);
        }
        spoilt
    }

    /// Appends the faces of `2 * N` blocks of words. Returns whether one of them would make a die unfair.
    #[inline]
    fn blocks<const N: usize>(
        &self,
        place: u64,
        ordinal: u32,
        block: u32,
        (sides, limit): (u32, u32),
        out: &mut Vec<i64>,
    ) -> bool {
        let words = rounds_wide::<N>([place as u32, (place >> 32) as u32, ordinal, block], &self.keys);
        let (sides, limit) = (Lanes::all(u64::from(sides)), Lanes::all(u64::from(limit)));
        let (low, one) = (Lanes::all(u64::from(HALF)), Lanes::all(1));
        // below the limit, the difference is negative
        let mut unfair = Lanes::all(0);
        let mut face = |half: Lanes<N>| {
            let product = half.and(low).times(sides);
            unfair = unfair.or(product.and(low).minus(limit));
            product.half().plus(one).numbers()
        };
        let faces = [words.map(&mut face), words.map(|word| face(word.half()))];
        for pair in 0..N {
            for lane in 0..2 {
                for four in &faces {
                    out.extend_from_slice(&four.map(|word| word[pair][lane] as i64));
                }
            }
        }
        unfair.numbers().as_flattened().iter().any(|n| (*n as i64) < 0)
    }

    /// Shuffles a list (Fisher-Yates), from the last element to the first.
    pub fn shuffle<T>(&self, site: Site, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let count = u32::try_from(last + 1).unwrap_or(u32::MAX);
            let pick = self.below(site, last as u32, 0, count);
            list.swap(last, pick as usize);
        }
    }

    /// Returns the key of a name in a draw: the minimum of `weight` keys. A draw takes the names with the lowest keys.
    /// The key of a name does not depend on the other names.
    pub fn draw_key(&self, site: Site, name: u64, weight: u32) -> u64 {
        let place = mix(self.place(site).wrapping_add(mix(name ^ u64::MAX)));
        let mut lowest = u64::MAX;
        for block in 0..weight.div_ceil(2) {
            let [a, b, c, d] = self.at(place, site.ordinal, block);
            lowest = lowest.min(u64::from(a) << 32 | u64::from(b));
            if 2 * block + 1 < weight {
                lowest = lowest.min(u64::from(c) << 32 | u64::from(d));
            }
        }
        lowest
    }

    /// Draws up to `count` distinct candidates, given as name and weight. Returns their indices in the order drawn. A
    /// candidate with weight 0 is never drawn.
    pub fn draw(&self, site: Site, candidates: &[(u64, u32)], count: usize) -> Vec<usize> {
        let mut keys: Vec<(u64, u64, usize)> = candidates
            .iter()
            .enumerate()
            .filter(|(_, (_, weight))| *weight > 0)
            .map(|(n, (name, weight))| (self.draw_key(site, *name, *weight), *name, n))
            .collect();
        keys.sort_unstable();
        keys.truncate(count);
        keys.into_iter().map(|(_, _, n)| n).collect()
    }
}
