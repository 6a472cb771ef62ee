//! Grognard runs wargame rules written as text.
//!
//! The modules stand in the order of the pipeline; each uses only those above it.

// what tests and benches may do, and the program may not
#![warn(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

pub mod base;
pub mod value;
pub mod syntax;
pub mod board;
pub mod rules;
pub mod program;
pub mod machine;
pub mod block;
pub mod scenario;
pub mod exact;
pub mod play;
pub mod sample;
pub mod mutants;
pub mod holes;
pub mod report;
pub mod book;
pub mod project;
pub mod query;
pub mod lsp;
pub mod studio;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(target_arch = "wasm32")]
mod shipped;
