//! Bodies of rules: what each finding about them looks like, and that good rules have none.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

mod bodies {
    mod cases;
    mod effects;
    pub mod kit;
    mod limits;
    mod names;
    mod numbers;
    pub mod show;
    mod snippets;
    mod typed;
}
