//! Exact odds: known answers, thousands of small distributions against every fall of the dice, and reference twins.

mod bags;
mod brute;
mod games;
mod hands;
mod known;
mod limits;
mod lumping;
mod operators;
mod pools;
mod proven;
mod random;
mod sweeps;
mod turns;
