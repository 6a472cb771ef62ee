//! Tests of the queries about texts that are being edited.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod links;
mod registers;
mod rolls;
mod scenes;
mod start;
mod watch;
