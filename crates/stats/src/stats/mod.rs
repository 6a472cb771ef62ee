//! Statistical methods: estimates and tests of a probability or a mean from counts. Only this module and the output of
//! its results use floating point. It uses only `+ - * /` and square roots, which give the same result on every
//! platform.

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
