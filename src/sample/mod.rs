//! Many runs: on all cores, counted in whole numbers, told with intervals, and set against each other in pairs.

mod batch;
mod compare;
mod estimate;
pub mod readings;
mod simulate;
pub mod stats;
pub mod sweep;
mod tally;

pub use batch::{CHUNK, Watcher, Work, batch, looks};
pub use compare::{
    ALPHA, BETA, Comparison, Differing, Effect, Found, Judgement, OWN_DICE, Question, Test, Unfit, compare,
    first_differing, same_within, unfit,
};
pub use estimate::{Estimate, Method, Point, estimate};
pub use simulate::{End, Sample, Settings, Until, sample};
pub use tally::{MOST_VALUES, Tally, mean};
