//! Grognard runs wargame rules written as text.
//!
//! The modules stand in the order of the pipeline; each uses only those above it.

pub mod base;
pub mod value;
pub mod syntax;
pub mod board;
pub mod rules;
pub mod program;
pub mod machine;
pub mod scenario;
pub mod exact;
pub mod play;
pub mod sample;
pub mod report;
pub mod cli;
