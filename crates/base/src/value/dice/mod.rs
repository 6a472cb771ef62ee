//! The random contract: every word is a function of what it is for, never of what was thrown before.
//!
//! A word is named by a seed, a run, the address of its roll, its subject, an ordinal (how often this roll was
//! made for this subject in this run), the index of the die and its throw (how often that die fell in this
//! roll). So a rule that throws more dice moves no other die, any word can be had alone, and two rulesets that
//! share a roll share its faces. How words are made never changes under one [`RNG_CONTRACT`];
//! `tests/contract/rng_v2.txt` pins it.
//!
//! | step | how |
//! |---|---|
//! | name | FNV-1a, 64 bit, of the address or subject as text |
//! | run key | Philox4x32-10 of counter `[run low, run high, "Grog", contract]` under the key `[seed low, seed high]`: two words of key, two of salt |
//! | site | `mix(mix(address) + subject) ^ salt`; for a later throw or attempt `mix(site + (attempt << 32 \| throw))` |
//! | word | Philox4x32-10 of counter `[site low, site high, ordinal, index / 4]` under the run key, lane `index % 4` |
//! | small die | of at most 256 sides: half a word, `half * sides >> 16`, plus 1; of a block the low halves of its four words, then the high ones |
//! | large die | a word at attempt 2^31 and later, `word * sides >> 32`, plus 1 |
//! | small dice of a pool | die `i` of throw `o`: for `i < 4` half `o % 2 * 4 + i` of block 0 at ordinal `o / 2`; else half `(i - 4) % 8` of block `1 + (i - 4) / 8` at ordinal `o` |
//! | a roll of a single small die | half `o % 8` of block 2^32 - 1 at ordinal `o / 8` |
//! | fairness | what would make a die unfair (Lemire, 2019) is passed over for the same of the next attempt |

pub mod bulk;
mod lanes;
#[doc(hidden)]
pub mod philox;
mod stream;
mod wide;

pub use philox::philox;
pub use stream::{KeptBlock, RollKey, Site, Stream};

/// Most dice in one throw.
pub const MOST_DICE: usize = 10_000;

/// The number of the contract that this build keeps. Receipts carry it.
pub const RNG_CONTRACT: u32 = 2;

/// The name of a roll, a thing or a decision as the contract knows it: FNV-1a of its text, 64 bit.
/// Worked out once, when a program is bound to a table.
pub const fn name(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut n = 0;
    while n < bytes.len() {
        hash = (hash ^ bytes[n] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        n += 1;
    }
    hash
}
