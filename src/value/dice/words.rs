//! The words of one roll in a row, behind the trait that other crates know.

use super::{Site, Stream};
use rand::rand_core::TryRng;
use std::convert::Infallible;

/// The words of one roll from index 0 on, for embedders that want a generator. It implements rand's `TryRng`
/// with no error, and so `Rng`. The faces that rand's helpers make of the words may change between its
/// versions; the words do not.
#[derive(Clone, Debug)]
pub struct Words {
    stream: Stream,
    site: Site,
    throw: u32,
    index: u64,
    block: [u32; 4],
}

impl Words {
    /// The words of `site` in the run of `stream`.
    pub fn new(stream: Stream, site: Site) -> Words {
        Words { stream, site, throw: 0, index: 0, block: [0; 4] }
    }

    /// The next word. After 2^34 of them they go on as those of the next throw.
    pub fn next_word(&mut self) -> u32 {
        let lane = (self.index % 4) as usize;
        if lane == 0 {
            self.throw = (self.index >> 34) as u32;
            self.block = self.stream.block(self.site, (self.index >> 2) as u32, self.throw);
        }
        self.index = self.index.wrapping_add(1);
        self.block[lane]
    }
}

impl TryRng for Words {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let low = u64::from(self.next_word());
        Ok(low | u64::from(self.next_word()) << 32)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(4) {
            part.copy_from_slice(&self.next_word().to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}
