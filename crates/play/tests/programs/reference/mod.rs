//! A reference evaluator: an obvious and slow walk over the syntax tree, written from `docs/language.md`. It shares no code with
//! the compiler, the machine, the batch engine or exact odds. Chance and decisions are answered by a [`Path`], and
//! [`Path::next`] turns it into the next of all paths.

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
