//! The parser, its messages and the formatter.

mod syntax {
    pub mod books;
    mod forms;
    mod limits;
    mod messages;
}
