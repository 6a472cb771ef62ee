//! Tree to ruleset: what the rules mean. Names end here; after this there are ids.

pub mod bodies;
pub mod checker;
pub mod code;
pub mod ruleset;
