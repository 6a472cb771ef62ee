//! The parser, its messages and the formatter.

mod syntax {
    mod books;
}
