//! Helpers shared by the tests of several crates. Each feature adds the helpers that need one more layer of the
//! program, so the tests of a lower crate do not build any higher layer.

#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

#[cfg(feature = "rules")]
pub mod checked;
#[cfg(feature = "odds")]
mod lab;
#[cfg(feature = "odds")]
mod lanes;
#[cfg(feature = "play")]
pub mod scenes;
#[cfg(feature = "json")]
mod schema;
#[cfg(feature = "rules")]
mod shelf;
#[cfg(feature = "board")]
mod sight;
#[cfg(feature = "play")]
pub mod steps;

#[cfg(feature = "odds")]
pub use lab::{All, Lab, rendered};
#[cfg(feature = "odds")]
pub use lanes::{RUNS, SEED, agrees};
#[cfg(feature = "json")]
pub use schema::Schema;
#[cfg(feature = "rules")]
pub use shelf::{Shelf, Shipped};
#[cfg(feature = "board")]
pub use sight::{inside, point_along, sees};

use std::path::Path;

/// Returns the root folder of this repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the text of a file of this repository.
///
/// # Panics
///
/// If it cannot be read.
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A sequence of pseudorandom numbers (xorshift).
pub struct Lots(pub u64);

impl Lots {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    pub fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}
