//! The parser, its messages and the formatter.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

mod syntax {
    pub mod books;
    mod forms;
    mod limits;
    mod messages;
}
