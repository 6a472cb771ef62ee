//! What many tests need: rules in memory, the shipped ones, and the program in a folder of a test's own. Each test file uses
//! a part of it.

#![allow(dead_code, unused_imports)]

pub mod calls;
mod program;
pub mod session;

pub use grognard_kit::*;
pub use program::{err, folder, grognard, out, output, said, said_apart};
