//! Statistics: samples scenarios on all cores, estimates with intervals, and compares versions.
//!
//! The input is one or more [`Scenario`](grognard_scenario::Scenario)s. [`sample`] plays numbered runs and counts in
//! integers; a [`Sample`] turns its counts into [`Estimate`]s. [`compare`](compare()) plays the runs of two versions on
//! the same dice (common random numbers), and [`exactly`] subtracts two exact answers. `grognard-lab`,
//! `grognard-report` and `grognard-ide` use the results.
//!
//! * [`sweep`] measures a scenario at each point of a grid of params, and [`readings`] measures the effect of each
//!   reading of a book. [`tested`] plays a scenario as the command `grognard test` does.
//! * [`stats`] contains the methods: score intervals (Wilson 1927), confidence sequences (Waudby-Smith and Ramdas 2024),
//!   sequential tests.
//! * Runs are played in blocks (`grognard-batch`), and transitions between states that recur are cached (fast-forwarding,
//!   Schnarr and Larus 1998). Neither changes a result.
//!
//! # Example
//!
//! A run's dice depend only on the seed and on the number of the run, so the number of threads does not change a
//! sample:
//!
//! ```
//! # use grognard_base::Sources;
//! # use grognard_kit::Shelf;
//! # use grognard_program::Detail;
//! # use grognard_scenario::{build, read};
//! use grognard_stats::{Settings, sample};
//!
//! let rules = "ruleset first/volley
//! kind Squad { state men : 0..20 }
//! proc volley(shooters: Squad, target: Squad) {
//!   roll aim = shooters.men of d6
//!   set target.men -= count aim >= 4
//! }";
//! let text = r#"
//! rules = "first/volley"
//! Squad = { guards = { men = 3 }, raiders = { men = 6 } }
//! step = [{ do = "do volley(guards, raiders)" }]
//! report = { mean = ["raiders.men"] }
//! "#;
//! # let library = Shelf::of(&[("first/volley.rules", rules)]);
//! # let mut sources = Sources::default();
//! # let document = read("volley.toml", text.into(), &library, &mut sources).unwrap();
//! # let rules = grognard_rules::load("first/volley", &library, &mut sources).sound().unwrap();
//! let scenario = build(&document, rules, &[], &sources, Detail::Plain).unwrap();
//! let [one, two] = [1, 2].map(|threads| sample(&scenario, Settings::of(4, 2_000, threads), None, &|_| true));
//! assert_eq!(one.runs, 2_000);
//! assert_eq!(one.tallies, two.tallies);
//!
//! let mean = &one.estimates(&scenario)[0]; // the true mean is 4.5
//! assert!((mean.value().unwrap() - 4.5).abs() <= mean.reach().unwrap());
//! ```
//!
//! Counts are integers. Estimates and tests use floating point numbers, and only operations that give the same result
//! on every platform.

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
pub use batch::{CHUNK, Watcher, Work, batch, looks, until};
pub use compare::{
    ALPHA, BETA, Basis, Compared, Comparison, Contrast, Contrasts, Differing, Effect, ExactEffect, Exactly, Judgement,
    OWN_DICE, PairCounts, PairGatherer, Question, Size, Spread, Test, Together, Unfit, compare, compare_until,
    exact_contrasts, exactly, first_differing, not_numbers, pair_parts, same_within, sampled_contrasts, together,
    unfit,
};
pub use estimate::{Estimate, Method, PointEstimate, estimate, share_interval};
pub use grognard_batch::MOST_ROWS;
pub use runner::Speed;
pub use simulate::{End, Growing, Sample, SampleCounts, SampleGatherer, Settings, Until, drawn, sample, sample_parts};
pub use tally::{MOST_VALUES, Tally, mean};
