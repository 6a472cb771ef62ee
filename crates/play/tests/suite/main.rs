//! Tests of traces, examples and the odds of scenarios.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod exact;
mod examples;
mod steps;
mod traces;
