//! Words, dice, shuffles and draws of one run.

use super::RNG_CONTRACT;
use super::lanes::Lanes;
use super::philox::{Keys, philox, rounds, rounds_wide, schedule};

/// All chance of one run: cheap to copy, holds no position.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    seed: u64,
    run: u64,
    salt: u64,
    keys: Keys,
}

/// One roll: its address, its subject, and how often it was made for this subject before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// [`name`](super::name) of the address, such as `SuppressionCheck.dice`.
    pub address: u64,
    /// [`name`](super::name) of the thing it is rolled for.
    pub subject: u64,
    /// How often this roll was made for this subject in this run.
    pub ordinal: u32,
}

impl Site {
    /// The roll at `address` for `subject`, for the `ordinal`-th time (from 0).
    pub fn new(address: u64, subject: u64, ordinal: u32) -> Site {
        Site { address, subject, ordinal }
    }

    /// What this roll has in common with the same roll of another run, or at another time: worth keeping.
    #[inline]
    pub fn place(self) -> Place {
        Place(mix(mix(self.address).wrapping_add(self.subject)))
    }
}

/// A roll of a subject, whichever run and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub(super) u64);

/// A mixer of 64 bits in which every bit of the outcome hangs on every bit that goes in; no two inputs agree.
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Words below this would favour low faces. 0 for a power of two.
#[inline]
fn unfair_below(sides: u32) -> u32 {
    sides.wrapping_neg() % sides
}

impl Stream {
    /// The chance of run `run` under `seed`.
    pub fn new(seed: u64, run: u64) -> Stream {
        let counter = [run as u32, (run >> 32) as u32, u32::from_be_bytes(*b"Grog"), RNG_CONTRACT];
        let [k0, k1, s0, s1] = philox(counter, [seed as u32, (seed >> 32) as u32]);
        Stream { seed, run, salt: u64::from(s0) | u64::from(s1) << 32, keys: schedule([k0, k1]) }
    }

    /// The seed it was made of.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The run it belongs to.
    pub fn run(&self) -> u64 {
        self.run
    }

    #[inline]
    fn place(&self, site: Site) -> u64 {
        site.place().0 ^ self.salt
    }

    #[inline]
    fn later(place: u64, throw: u32, attempt: u32) -> u64 {
        let extra = u64::from(attempt) << 32 | u64::from(throw);
        if extra == 0 { place } else { mix(place.wrapping_add(extra)) }
    }

    #[inline]
    fn at(&self, place: u64, ordinal: u32, block: u32) -> [u32; 4] {
        rounds([place as u32, (place >> 32) as u32, ordinal, block], &self.keys)
    }

    /// The words of the dice `4 * block` to `4 * block + 3`.
    #[inline]
    pub fn block(&self, site: Site, block: u32, throw: u32) -> [u32; 4] {
        self.at(Stream::later(self.place(site), throw, 0), site.ordinal, block)
    }

    /// The word of one die.
    #[inline]
    pub fn word(&self, site: Site, index: u32, throw: u32) -> u32 {
        self.block(site, index / 4, throw)[(index % 4) as usize]
    }

    /// The face of one die, 1 to `sides`. A die of no sides counts as one of a single side.
    pub fn die(&self, site: Site, index: u32, throw: u32, sides: u32) -> u32 {
        self.below(site, index, throw, sides) + 1
    }

    /// A number from 0 to `count - 1`, all alike; 0 if `count` is 0. The answer of a `random` player.
    pub fn below(&self, site: Site, index: u32, throw: u32, count: u32) -> u32 {
        self.below_at(self.place(site), site.ordinal, index, throw, count.max(1))
    }

    /// The face of one die where the place is known already.
    pub fn die_at(&self, place: Place, ordinal: u32, index: u32, sides: u32) -> u32 {
        self.below_at(place.0 ^ self.salt, ordinal, index, 0, sides.max(1)) + 1
    }

    /// The words that would make it unfair are passed over for those of the next attempt.
    fn below_at(&self, place: u64, ordinal: u32, index: u32, throw: u32, count: u32) -> u32 {
        let (limit, mut attempt) = (unfair_below(count), 0u32);
        loop {
            let block = self.at(Stream::later(place, throw, attempt), ordinal, index / 4);
            let product = u64::from(block[(index % 4) as usize]) * u64::from(count);
            if product as u32 >= limit {
                return (product >> 32) as u32;
            }
            attempt = attempt.wrapping_add(1);
        }
    }

    /// The faces of a pool of like dice, thrown for the first time: die `n` has index `n`.
    pub fn pool(&self, site: Site, sides: u32, out: &mut [u32]) {
        let mut faces = Vec::with_capacity(out.len());
        self.pool_at(site.place(), site.ordinal, sides, out.len(), &mut faces);
        out.iter_mut().zip(faces).for_each(|(slot, face)| *slot = face as u32);
    }

    /// The same where the place is known already; the faces come behind what `out` holds.
    #[inline]
    pub fn pool_at(&self, place: Place, ordinal: u32, sides: u32, dice: usize, out: &mut Vec<i64>) {
        let (place, sides) = (place.0 ^ self.salt, sides.max(1));
        let (start, limit) = (out.len(), unfair_below(sides));
        let (mut left, mut block, mut spoilt) = (dice, 0u32, false);
        // whole blocks, cut afterwards: a loop over just so many dice would seldom be foreseen
        while left > 4 {
            if left > 8 {
                spoilt |= self.blocks::<2>(place, ordinal, block, (sides, limit), out);
                (left, block) = (left.saturating_sub(16), block.wrapping_add(4));
            } else {
                spoilt |= self.blocks::<1>(place, ordinal, block, (sides, limit), out);
                left = 0;
            }
        }
        if left > 0 {
            let products = self.at(place, ordinal, block).map(|word| u64::from(word) * u64::from(sides));
            spoilt |= products.iter().any(|product| (*product as u32) < limit);
            out.extend_from_slice(&products.map(|product| (product >> 32) as i64 + 1));
        }
        out.truncate(start + dice);
        if spoilt {
            for (index, face) in (0u32..).zip(&mut out[start..]) {
                *face = i64::from(self.below_at(place, ordinal, index, 0, sides)) + 1;
            }
        }
    }

    /// The faces of `2 * N` blocks; true if a word of them would make a die unfair.
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
        let (low, one) = (Lanes::all(u64::from(u32::MAX)), Lanes::all(1));
        // below the limit the difference is negative
        let mut unfair = Lanes::all(0);
        let faces = words.map(|word| {
            let product = word.times(sides);
            unfair = unfair.or(product.and(low).minus(limit));
            product.high().plus(one).numbers()
        });
        for pair in 0..N {
            for lane in 0..2 {
                out.extend_from_slice(&faces.map(|word| word[pair][lane] as i64));
            }
        }
        unfair.numbers().as_flattened().iter().any(|n| (*n as i64) < 0)
    }

    /// Puts a list in an order of chance: from the back, each place gets one of those before it or itself.
    pub fn shuffle<T>(&self, site: Site, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let count = u32::try_from(last + 1).unwrap_or(u32::MAX);
            let pick = self.below(site, last as u32, 0, count);
            list.swap(last, pick as usize);
        }
    }

    /// The key of a name in a draw: the lowest of as many keys as it weighs. The lowest keys of all are drawn.
    /// A name has the same keys whoever else is in the draw.
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

    /// Draws up to `count` different candidates, given as name and weight; the indices of those drawn, first
    /// drawn first. A weight of 0 is never drawn.
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
