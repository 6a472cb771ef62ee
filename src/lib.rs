//! Runs wargame rules that are written as text: plays them, computes exact odds, compares versions.
//!
//! This crate is the facade of the workspace: it re-exports the crates of the pipeline under short names and adds the
//! project file ([`project`]) and the command line (`cli`, with the feature of that name).
//!
//! # Example
//!
//! Rules text and scenario go in; a trace and exact odds come out. `docs/first` has the two files:
//!
//! ```
//! use grognard::base::{Budget, Sources};
//! use grognard::play::{self, record};
//! use grognard::program::Detail;
//! use grognard::rules::{Library, load};
//! use grognard::scenario;
//! use std::io::ErrorKind;
//!
//! struct Folder(&'static str);
//!
//! impl Library for Folder {
//!     fn read(&self, path: &str) -> Result<Option<String>, String> {
//!         match std::fs::read_to_string(format!("{}/{path}", self.0)) {
//!             Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
//!             read => read.map(Some).map_err(|e| e.to_string()),
//!         }
//!     }
//! }
//!
//! let (library, mut sources) = (Folder("docs"), Sources::default());
//! let text = library.read("first/volley.toml").unwrap().unwrap();
//! let document = scenario::read("first/volley.toml", text, &library, &mut sources).unwrap();
//! let rules = load("first/volley", &library, &mut sources).sound().unwrap();
//! let volley = scenario::build(&document, rules, &[], &sources, Detail::Traced).unwrap();
//!
//! let recorder = record::Recorder::new(&volley.game, &record::About::default(), Some(&sources));
//! let (_, events) = play::record(&volley, play::Options::default(), recorder);
//! assert!(record::render(&events, record::TraceDetail::Full).contains("+ raiders.men         6 -> 4"));
//!
//! let odds = play::odds::whole(&volley, Budget::default()).unwrap();
//! assert_eq!(odds.figures[0].mean.as_ref().unwrap().to_string(), "158848/59049");
//! ```
//!
//! # The crates
//!
//! Each crate is a stage of the pipeline, and uses only crates above it in this table:
//!
//! | module | what it does |
//! |---|---|
//! | [`base`] | source texts, diagnostics, budgets and values |
//! | [`board`] | the table in integers: distances, sight, the search for moves |
//! | [`syntax`] | parses and formats rules texts |
//! | [`rules`] | checks rules: loads files, merges editions, resolves names, infers types |
//! | [`program`] | compiles checked rules to register code, and analyzes the code |
//! | [`vm`] | interprets the code on a state, and asks drivers for dice and decisions |
//! | [`batch`] | runs many runs in lockstep, for sampling |
//! | [`scenario`] | reads a table, dice, decisions and expectations, and binds them to rules |
//! | [`odds`] | explores all possible rolls, and answers in fractions |
//! | [`play`] | plays scenarios and examples, and records traces |
//! | [`stats`] | samples many runs, estimates, compares and sweeps |
//! | [`lab`] | diffs, mutation tests, the search for holes |
//! | [`report`] | shows results as text, JSON, CSV and HTML |
//! | [`book`] | writes rules as a rulebook |
//! | [`ask`] | plans questions: exact or sampled, with how much work |
//! | [`ide`] | editor services, the language server, the engine of the studio |
//!
//! `docs/architecture.md` has the invariants and where to add something, `docs/glossary.md` the terms.

#![warn(missing_docs)]

pub use grognard_ask as ask;
pub use grognard_base as base;
pub use grognard_batch as batch;
pub use grognard_board as board;
pub use grognard_book as book;
pub use grognard_ide as ide;
pub use grognard_lab as lab;
pub use grognard_odds as odds;
pub use grognard_play as play;
pub use grognard_program as program;
pub use grognard_report as report;
pub use grognard_rules as rules;
pub use grognard_scenario as scenario;
pub use grognard_stats as stats;
pub use grognard_syntax as syntax;
pub use grognard_vm as vm;

pub mod project;
#[cfg(feature = "cli")]
pub mod cli;
