//! Differences between versions of rules, mutation testing, and the search for holes.

pub mod diff;
pub mod holes;
pub mod mix;
pub mod mutants;
