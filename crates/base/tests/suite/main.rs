//! Tests of diagnostics, values, dice and fractions.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod rng_contract;
mod unit;
