//! What the parser's findings mean to a designer.

use super::grammar::Rule;
use crate::base::{Code, Diagnostic, FileId, Span};
use pest::error::{Error, InputLocation};

pub(super) fn item(file: FileId, text: &str, base: usize, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(p) => p,
        InputLocation::Span((p, _)) => p,
    };
    let _ = text;
    Diagnostic::new(
        Code::Syntax,
        Span::new(file, base + at, base + at + 1),
        format!("{error}"),
    )
}

pub(super) fn fragment(file: FileId, text: &str, error: &Error<Rule>) -> Diagnostic {
    item(file, text, 0, error)
}
