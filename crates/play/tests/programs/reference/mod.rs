//! Reference evaluator: a slow, simple walk over the syntax tree, written from `docs/language`. It shares no code with the
//! compiler, the machine, the batch engine or exact odds. A [`Path`] answers chance and decisions, and [`Path::next`] advances to
//! the next path until all were taken.

mod board;
mod book;
mod builtins;
mod calls;
mod choose;
mod dice;
mod effects;
mod expr;
mod menu;
mod path;
mod pattern;
mod stmt;
pub mod value;
mod world;

pub use book::Book;
pub use path::{Path, Step};
pub use world::{Decisions, Exit, Given, Row, World};
