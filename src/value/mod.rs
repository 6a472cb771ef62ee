//! Values of the language without their text: exact fractions, bands of values, dice.

pub mod bands;
pub mod dice;
pub mod ratio;

pub use ratio::Ratio;
