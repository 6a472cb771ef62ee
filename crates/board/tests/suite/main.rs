//! Tests of the table: distances, sight and moves.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod board;
mod motion;
mod shortcuts;
mod twin;
mod unit;
