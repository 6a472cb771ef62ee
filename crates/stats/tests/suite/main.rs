//! Tests of samples, comparisons and their intervals.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod agreement;
mod block;
mod parts;
mod rates;
mod sample;
mod scenario;
mod unit;
mod watched;
