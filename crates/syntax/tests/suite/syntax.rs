//! The parser, its messages and the formatter.

pub mod books;
mod forms;
mod hints;
mod limits;
mod messages;
