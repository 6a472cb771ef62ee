//! Exact odds: known answers, thousands of small distributions against every fall of the dice, and reference twins.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

#[path = "exact/brute.rs"]
mod brute;
#[path = "exact/games.rs"]
mod games;
#[path = "exact/known.rs"]
mod known;
#[path = "exact/lab.rs"]
mod lab;
#[path = "exact/plans.rs"]
mod plans;
#[path = "exact/random.rs"]
mod random;
#[path = "exact/turns.rs"]
mod turns;
