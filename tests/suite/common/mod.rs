//! What many tests need: rules in memory, the shipped ones, and the program in a folder of a test's own. Each test file uses
//! a part of it.

#![allow(dead_code, unused_imports)]

mod program;
pub mod session;
mod schema;
mod sight;

pub use grognard_kit::{Shelf, Shipped};
pub use program::{err, folder, grognard, out, output, said, said_apart};
pub use schema::Schema;
pub use sight::{inside, point_along, sees};

use std::path::Path;

/// The folder of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file of this repository.
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}
