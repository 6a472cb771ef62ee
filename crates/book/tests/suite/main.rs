//! Tests of the rulebook of a player and of the reference sheet.

#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod player;
mod sheet;
