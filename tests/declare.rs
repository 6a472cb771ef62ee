//! Loading, merging, declaring and auditing: what each finding looks like, and that good rules have none.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

mod declare {
    mod audits;
    mod books;
    mod chain;
    mod kinds;
    pub mod kit;
    mod merging;
    mod register;
    mod values;
}
