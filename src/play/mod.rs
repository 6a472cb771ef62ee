//! Plays scenarios and examples, and tells what happened.

pub mod examples;
pub mod record;
mod seeded;

pub use seeded::Seeded;
