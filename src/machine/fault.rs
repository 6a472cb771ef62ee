//! Errors that end a run.

use crate::base::{Code, Diagnostic, Span};

/// Why a run ended early: the kind of error, its words, where it happened, and who was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub code: Code,
    /// What happened, in words.
    pub message: String,
    /// Where in the rules.
    pub span: Option<Span>,
    /// Names of the running functions, innermost first.
    pub stack: Vec<String>,
}

impl Fault {
    /// A fault whose place is not known yet; the machine fills it in.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault { code, message: message.into(), span: None, stack: Vec::new() }
    }

    /// As a finding.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut message = self.message.clone();
        if let Some((first, rest)) = self.stack.split_first() {
            message += &format!(" (in {first}");
            for name in rest.iter().take(6) {
                message += &format!(", called by {name}");
            }
            if rest.len() > 6 {
                message += &format!(", and {} more", rest.len() - 6);
            }
            message += ")";
        }
        match self.span {
            Some(span) => Diagnostic::new(self.code, span, message),
            None => Diagnostic::general(self.code, message),
        }
    }
}
