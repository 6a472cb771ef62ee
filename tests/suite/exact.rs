//! Exact odds: known answers, thousands of small distributions against every fall of the dice, and reference twins.

mod bags;
mod brute;
mod counts;
mod games;
mod known;
pub mod lab;
mod operators;
mod plans;
mod pools;
mod random;
mod turns;
