//! What tests of several crates need: rules in memory, the shipped ones, a small generator of numbers.

#![allow(missing_docs)]

mod shelf;

pub use shelf::{Shelf, Shipped};

use grognard_base::{Diagnostic, Sources};
use std::path::{Path, PathBuf};

/// The folder of this repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Problems in a line each.
pub fn told(problems: &[Diagnostic], sources: &Sources) -> String {
    let line = |one: &Diagnostic| {
        let at = one.span.and_then(|span| Some((sources.get(span.file)?, span)));
        let place = at.map(|(source, span)| format!("{}:{}: ", source.shown, source.place(span.start).line));
        format!("{}{}: {}\n", place.unwrap_or_default(), one.code, one.message)
    };
    problems.iter().map(line).collect()
}

/// Numbers in a row that looks like chance.
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
