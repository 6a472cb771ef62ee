//! One type for everything that can be wrong; worded here, coloured at the edge.

use super::{Code, Follows, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong; worth knowing.
    Info,
    /// It runs, but probably not as meant.
    Warning,
    /// It cannot run.
    Error,
}

/// A place and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to see there; may be empty.
    pub text: String,
}

/// One finding: a code, a sentence in a designer's words, one or more places, and a line of help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// The sentence.
    pub message: String,
    /// The place; none for findings about a whole file or command.
    pub span: Option<Span>,
    /// What is to be seen at the place.
    pub label: String,
    /// Other places that matter, most often the first of two.
    pub others: Vec<Label>,
    /// What to do.
    pub help: String,
    /// The cause, if the finding only follows from another.
    pub follows: Option<Follows>,
}

impl Diagnostic {
    /// A finding of `code` at `span`, with the severity and the help line the code has by default.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span: Some(span), ..Diagnostic::general(code, message) }
    }

    /// A finding without a place.
    pub fn general(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            span: None,
            label: String::new(),
            others: Vec::new(),
            help: code.help().to_string(),
            follows: None,
        }
    }

    /// Says what is to be seen at the place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds a second place.
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Replaces the help line.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }

    /// True if it keeps the rules from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
