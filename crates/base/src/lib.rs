//! Spans, source texts, diagnostics and their codes: what every stage needs to point at a place and say what is wrong;
//! the budget of a question; and texts made safe for where they go.

mod code;
mod diagnostic;
mod effort;
mod flat;
#[doc(hidden)]
pub mod meter;
#[doc(hidden)]
pub mod near;
pub mod order;
pub mod safe;
mod render;
mod shared;
pub mod slices;
mod source;
pub mod value;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use effort::Effort;
pub use flat::{OrdMap, OrdSet};
pub use meter::{Budget, Limit, Meter, Watch};
pub use near::{LOOKED_AT, did_you_mean, near_miss};
pub use render::{MOST_SHOWN, most_severe, not_shown, render_lines};
pub use shared::Shared;
pub use source::{FileId, Place, Source, Sources, Span};
