//! Exact odds: known answers, thousands of small distributions against every fall of the dice, and reference twins.

mod bags;
mod brute;
mod games;
mod known;
#[allow(dead_code)] // the tests of blocks use all of it
pub mod lab;
mod operators;
mod pools;
mod random;
mod turns;
