//! Values and their types, dice, fractions, and the one table of operators and builtins.

pub mod ops;
pub mod types;

pub use ops::Op;
pub use types::*;
