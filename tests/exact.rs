//! Exact odds: known answers, thousands of small distributions against every fall of the dice, and reference twins.

#[path = "exact/brute.rs"]
mod brute;
mod common;
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
