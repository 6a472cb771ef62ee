//! The random number contract: every word is a function of its address, never of earlier rolls.
//!
//! A word is addressed by a seed, a run, the address of its roll, its subject, an ordinal (how many times this roll was
//! made for this subject in this run), the index of the die, and its throw (how many times that die was rolled in this
//! roll). So a rule that rolls more dice changes no other die, any word can be computed independently, and two rulesets
//! that share a roll share its faces. The algorithm never changes under one [`RNG_CONTRACT`];
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
//! fairness | a word that would make a die unfair is rejected (Lemire, 2019) and replaced by that of the next attempt |

pub mod bulk;
mod lanes;
#[doc(hidden)]
pub mod philox;
mod stream;
mod wide;

pub use philox::philox;
pub use stream::{KeptBlock, RollKey, Site, Stream};

/// Maximum number of dice in one roll.
pub const MOST_DICE: usize = 10_000;

/// Version of the contract that this build implements. Receipts store it.
pub const RNG_CONTRACT: u32 = 2;

/// Returns the name of a roll, a thing or a decision in the contract: the 64-bit FNV-1a hash of its text. Computed
/// once, when a program is bound to a table.
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
