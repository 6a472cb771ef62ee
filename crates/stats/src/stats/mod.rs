//! What a count says about the chance or the mean behind it. The only floating point numbers of the program are here and in
//! what is printed of them; they are made with `+ - * /` and square roots alone, which are the same everywhere.

#![allow(clippy::float_arithmetic)] // see above

#[doc(hidden)]
pub mod level;
#[doc(hidden)]
pub mod means;
#[doc(hidden)]
pub mod real;
#[doc(hidden)]
pub mod shares;
mod sequential;

pub use level::{LEVELS, Level};
pub use means::{Bounded, Sequence};
pub use sequential::{Found, Seen, Trial, more_runs};
pub use shares::wilson;
