//! Runs wargame rules that are written as text: plays them, computes exact odds, compares versions.
//!
//! A designer writes rules in `.rules` files. This crate checks them and runs them against a table, in three modes on one
//! machine: one run with a trace, many runs with estimates, and all outcomes with exact fractions.
//!
//! # Example
//!
//! ```
//! use grognard::Rules;
//!
//! let rules = Rules::from_text("ruleset game/volley
//!
//! param hit_on = 4
//!
//! kind Squad { state men : 0..20 }
//!
//! proc volley(shooters: Squad, target: Squad) {
//!   roll aim = shooters.men of d6
//!   set target.men -= count aim >= hit_on
//! }
//! ")?;
//! let table = rules
//!     .table()
//!     .thing("Squad", "guards").set("men", 3)
//!     .thing("Squad", "raiders").set("men", 2)
//!     .call("volley", ["guards", "raiders"])
//!     .chance("raiders.men == 0")
//!     .build()?;
//!
//! // exact odds
//! let odds = table.odds().compute()?;
//! assert_eq!(odds.first().chance().to_string(), "1/2");
//!
//! // one run, line by line
//! let played = table.run().seed(7).play()?;
//! println!("{}", played.trace());
//!
//! // another version, compared
//! let easier = table.with("hit_on", 3)?;
//! let found = table.compare(&easier).compute()?;
//! assert_eq!(found.first().exact().unwrap()[1].to_string(), "20/27");
//! # Ok::<(), grognard::Error>(())
//! ```
//!
//! # Overview
//!
//! | type | what it is |
//! |---|---|
//! | [`Library`], [`Texts`], [`Folder`] | where texts come from |
//! | [`Rules`], [`Param`], [`Item`] | a checked ruleset |
//! | [`Table`] | a scenario that is built in code |
//! | [`Scenario`] | rules on a table |
//! | [`Run`], [`Played`], [`Trace`] | one run: its dice, its players, what happened |
//! | [`Game`], [`Pending`], [`Answer`] | a run that waits for each decision |
//! | [`Dice`], [`Decider`] | dice and players of the caller |
//! | [`Odds`], [`Distribution`], [`Chance`] | exact results |
//! | [`Sample`], [`Estimate`] | results of many runs |
//! | [`Comparison`], [`Effect`] | the difference between two versions |
//! | [`Value`] | a value of the rules |
//! | [`Progress`] | the progress of long work, for a function that can end it |
//! | [`Error`], [`Diagnostic`] | what is wrong, where, and what to write |
//!
//! All types are `Send + Sync` and cheap to copy where they hold rules. Nothing here is asynchronous: a server calls it
//! from a thread. The rules language is described in the [documentation](https://docs.rs/crate/grognard/latest/source/docs/language.md).
//!
//! # Promises
//!
//! * A result [says](Distribution::label) whether it is exact, proven or bounded. Its bounds always enclose the true value.
//! * The same scenario, seed and run give the same dice on every machine, with any number of threads.
//! * Bad input returns an [`Error`]. A panic is a bug.
//! * Before version 1.0, a change of the minor number can break callers. The oldest supported compiler is Rust 1.89.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the program `grognard` |
//! | `files` (default) | [`Folder`] |
//! | `books` (default) | the shipped rulebooks: [`Texts::shipped`], [`Rules::shipped`], [`Scenario::shipped`] |
//! | `report` | [`Report`], [`Sweep`], [`Readings`] |
//! | `parquet` | `grognard sweep --out FILE.parquet` |

#![warn(missing_docs)]

mod chance;
mod comparison;
mod decide;
mod dice;
mod engine;
mod error;
#[cfg(feature = "files")]
mod folder;
mod game;
mod json;
mod library;
mod limits;
mod odds;
#[cfg(feature = "report")]
mod readings;
#[cfg(feature = "report")]
mod report;
mod rules;
mod run;
mod sample;
mod scenario;
#[cfg(feature = "report")]
mod sweep;
mod table;
pub mod trace;
mod value;
mod view;
mod watch;

#[cfg(feature = "scale")]
#[doc(hidden)]
pub mod scale;
#[cfg(feature = "books")]
#[doc(hidden)]
pub mod shipped;

pub use chance::{Chance, Fraction, Label};
pub use comparison::{CompareRequest, Comparison, Effect, Verdict};
pub use decide::{Choice, Decider, Decision, Refusal};
pub use dice::{Dice, Draw, KeyedRng, RngDice, Roll};
pub use error::{Diagnostic, Error, ErrorKind, Place, Severity};
#[cfg(feature = "files")]
pub use folder::Folder;
pub use game::{Answer, Game, Pending};
pub use library::{Library, Texts};
pub use odds::{Call, Distribution, Effort, Odds, OddsRequest};
#[cfg(feature = "report")]
pub use readings::{Readings, ReadingsRequest};
#[cfg(feature = "report")]
pub use report::Report;
pub use rules::{Item, Param, Rules};
pub use run::{Played, Run, Thing};
pub use sample::{Estimate, Sample, SampleRequest};
pub use scenario::Scenario;
#[cfg(feature = "report")]
pub use sweep::{Sweep, SweepRequest};
pub use table::Table;
pub use trace::{Event, EventKind, Trace};
pub use value::{ShortText, Value};
pub use watch::Progress;

#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct Embedding;
