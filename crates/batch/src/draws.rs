//! Random numbers of a block of runs that are not played.

use super::vectors::{Loops, Vectors};
use grognard_base::value::dice::RollKey;
use grognard_base::value::dice::bulk::{Numbers, Streams};

/// Draws numbers for [`super::LANES`] consecutive runs at once.
pub struct Draws {
    streams: Streams,
    numbers: Numbers,
    vectors: Vectors,
}

struct Begin<'d>(&'d mut Streams, u64, u64);

impl Loops for Begin<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.start(self.1, self.2);
    }
}

struct Below<'d>(&'d mut Draws, RollKey, u32);

impl Loops for Below<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.streams.below(self.1, self.2, &mut self.0.numbers);
    }
}

impl Draws {
    /// Creates the buffers for all lanes.
    pub fn new() -> Draws {
        Draws { streams: Streams::new(), numbers: Numbers::default(), vectors: Vectors::new() }
    }

    /// Starts the runs from `first` on.
    pub fn start(&mut self, seed: u64, first: u64) {
        self.vectors.run(Begin(&mut self.streams, seed, first));
    }

    /// Draws a number below `count`, at least 1, in each run, for a purpose that draws once a run.
    pub fn below(&mut self, place: RollKey, count: u32) -> &Numbers {
        self.vectors.run(Below(self, place, count));
        &self.numbers
    }
}

impl Default for Draws {
    fn default() -> Draws {
        Draws::new()
    }
}
