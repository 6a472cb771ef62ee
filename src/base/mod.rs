//! Spans, source texts, diagnostics and their codes: what every stage needs to point at a place and say what is wrong;
//! a table with a plain hash; and the budget of a question.

mod code;
mod diagnostic;
mod meter;
mod near;
mod quick;
mod source;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use meter::{Budget, Limit, Meter, Watch};
pub use near::{did_you_mean, near_miss};
pub use quick::QuickMap;
pub use source::{FileId, Place, Source, Sources, Span};
