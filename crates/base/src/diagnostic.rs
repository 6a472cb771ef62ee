//! The type of all diagnostics. Messages are written here; the frontends add color.

use super::{Code, Follows, Span, safe};

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Useful information that is not a problem.
    Info,
    /// The rules run, but probably not as intended.
    Warning,
    /// The rules cannot run.
    Error,
}

/// A location with an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// The explanation; can be empty.
    pub text: String,
}

/// A diagnostic: a code, a message in a designer's terms, locations, and a help line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// The message, one sentence.
    pub message: String,
    /// The location, or `None` for a diagnostic about a whole file or command.
    pub span: Option<Span>,
    /// The explanation of the location.
    pub label: String,
    /// Other relevant locations, most often the first of two declarations.
    pub others: Vec<Label>,
    /// The help line.
    pub help: String,
    /// The cause, if the diagnostic only follows from another problem.
    pub follows: Option<Follows>,
}

impl Diagnostic {
    /// Creates a diagnostic at `span`, with the default severity and help line of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span: Some(span), ..Diagnostic::general(code, message) }
    }

    /// Creates a diagnostic without a location.
    pub fn general(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: safe::short_quotes(message.into()),
            span: None,
            label: String::new(),
            others: Vec::new(),
            help: code.help().to_string(),
            follows: None,
        }
    }

    /// Sets the explanation of the location.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Returns the diagnostic with another help line.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }

    /// Returns whether it keeps the rules from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
