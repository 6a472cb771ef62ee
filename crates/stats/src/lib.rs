//! Many runs: on all cores, counted in whole numbers, told with intervals, and set against each other in pairs.

#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod compare;
mod estimate;
pub mod readings;
mod runner;
mod simulate;
pub mod stats;
pub mod sweep;
#[doc(hidden)]
pub mod alias;
#[doc(hidden)]
pub mod tally;
pub mod tested;
mod transitions;

pub use alias::AliasTable;
pub use batch::{CHUNK, Watcher, Way, Work, batch, batch_by, looks};
pub use compare::{
    ALPHA, BETA, Basis, Compared, Comparison, Contrast, Contrasts, Differing, Effect, ExactEffect, Exactly, Judgement,
    OWN_DICE, Question, Size, Spread, Test, Together, Unfit, compare, compare_by, compare_until, exact_contrasts,
    exactly, first_differing, not_numbers, same_within, sampled_contrasts, together, unfit,
};
pub use estimate::{Estimate, Method, PointEstimate, estimate, share_interval};
pub use runner::Speed;
pub use simulate::{End, Growing, Sample, Settings, Until, drawn, sample};
pub use tally::{MOST_VALUES, Tally, mean};
