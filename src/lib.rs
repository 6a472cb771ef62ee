//! Grognard runs wargame rules written as text.
//!
//! Each crate of the workspace is one stage of the pipeline and uses only the crates above it in this list.

pub use grognard_ask as ask;
pub use grognard_base as base;
pub use grognard_batch as batch;
pub use grognard_board as board;
pub use grognard_book as book;
pub use grognard_ide as ide;
pub use grognard_lab as lab;
pub use grognard_odds as odds;
pub use grognard_play as play;
pub use grognard_program as program;
pub use grognard_report as report;
pub use grognard_rules as rules;
pub use grognard_scenario as scenario;
pub use grognard_stats as stats;
pub use grognard_syntax as syntax;
pub use grognard_vm as vm;

pub mod project;
#[cfg(feature = "cli")]
pub mod cli;
