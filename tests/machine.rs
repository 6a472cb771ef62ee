//! The machine on small rulesets: every kind of statement, with scripted dice and decisions.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

mod machine {
    pub mod bench;
    mod crowd;
    mod linked;
    mod shipped;
    mod small;
}
