//! Source texts, diagnostics, budgets and values: the vocabulary that all stages of the pipeline share.
//!
//! This crate uses no other crate of the workspace, and all others except `grognard-board` use it.
//!
//! * **Texts and diagnostics.** A [`Source`] is a text with a table of its line starts. [`Sources`] holds all texts of
//!   a run, and a [`Span`] is a range of bytes in one of them. Every stage reports errors as a [`Diagnostic`]: a
//!   [`Code`], a message, locations and a help line. [`render_lines`] prints diagnostics as plain text; the crate
//!   `grognard-report` has the other formats.
//! * **Values.** [`value`] has the types of the rules language with their layout in 64-bit cells, the table of
//!   operators, dice, and the [bands](value::bands) of a `match`. Its exact numbers are [`Ratio`](value::Ratio) in 64
//!   bits and [`Fraction`](value::Fraction) of unlimited size.
//! * **Budgets.** A [`Budget`] limits the cost of an answer, and a [`Meter`] charges work against it. A [`Watch`] can
//!   end the work earlier: at a deadline, by Ctrl-C, or because the answer is no longer needed.
//! * **Output encoding.** [`safe`] decides which characters of a text can reach a terminal, a table, a page or a line
//!   of JSON.
//!
//! # Example
//!
//! A diagnostic refers to a byte range, and is printed with its line and column. A die is a function of its address, so
//! earlier rolls do not affect it:
//!
//! ```
//! use grognard_base::value::Fraction;
//! use grognard_base::value::dice::{Site, Stream, name};
//! use grognard_base::{Code, Diagnostic, Source, Sources, Span, render_lines};
//!
//! let mut sources = Sources::default();
//! let file = sources.add(Source::new("first/volley.rules", "param hit_on = 4\nparam hit_on = 5\n"));
//! let twice = Diagnostic::new(Code::Twice, Span::new(file, 23, 29), "`hit_on` is declared twice");
//! assert_eq!(
//!     render_lines(&[twice], &sources),
//!     "first/volley.rules:2:7: error[R0205]: `hit_on` is declared twice\n"
//! );
//!
//! let run = Stream::new(4, 0); // seed 4, run 0
//! let aim = Site::new(name("volley.aim"), name("guards"), 0);
//! let third = run.die(aim, 2, 0, 6);
//! let mut pool = [0; 10];
//! run.pool(aim, 6, &mut pool);
//! assert_eq!(pool[2], third); // the third die of the pool of ten, without the other nine
//!
//! let sixth: Fraction = "1/6".parse().unwrap();
//! assert_eq!((&sixth * &Fraction::whole(4)).to_string(), "2/3");
//! ```

mod code;
mod diagnostic;
mod effort;
mod flat;
mod follow;
#[doc(hidden)]
pub mod meter;
#[doc(hidden)]
pub mod near;
pub mod order;
pub mod safe;
mod render;
mod shared;
mod source;
pub mod value;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use effort::Effort;
pub use flat::{OrdMap, OrdSet};
pub use follow::{Follows, counts, fold, rules_name};
pub use meter::{Allowance, Budget, Limit, Meter, Reading, Watch};
pub use near::{LOOKED_AT, did_you_mean, near_miss};
pub use render::{MOST_SHOWN, most_severe, not_shown, render_lines};
pub use shared::Shared;
pub use source::{FileId, Place, Source, Sources, Span};
