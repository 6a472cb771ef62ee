//! Values and their types, dice, fractions, bands, and the table of operators and builtins.

pub mod bands;
pub mod denominator;
pub mod dice;
pub mod fraction;
pub mod id_set;
pub mod lehmer;
pub mod ops;
pub mod plain;
pub mod ratio;
mod short_text;
pub mod types;

pub use denominator::Denominator;
pub use fraction::{Fraction, Toward};
pub use id_set::IdSet;
pub use ops::Op;
pub use plain::{Value, angle, length};
pub use ratio::Ratio;
pub use types::*;
