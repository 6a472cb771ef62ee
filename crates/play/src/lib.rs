//! Plays scenarios and examples: drives the machine with dice and players, and records the events.
//!
//! The input is a [`Scenario`](grognard_scenario::Scenario). [`play`](play()) plays it once and returns an [`Outcome`]:
//! the verdict of each expectation, the reported values, the problems and the final state. [`record`](record()) also
//! returns the events of the run, which [`record::render`] prints as a trace. `grognard-stats` plays many runs,
//! `grognard-lab` plays variants of the rules, and `grognard-report` shows the results.
//!
//! * **Drivers.** [`Scripted`] gives the dice that a scenario names, and takes the others from [`Seeded`]. [`Players`]
//!   answers decisions from scripts, policies, preferences, chance or a [`Person`]. A [`Watch`] receives the events;
//!   a [`record::Recorder`] is one.
//! * **Exact odds** of a scenario, its claims and its best play: [`odds`].
//! * **By hand.** [`session`] plays step by step, with undo. [`Stepped`] does the same without texts, for search and
//!   machine learning. Both keep a [`Progress`]: a run between two questions, as a value.
//! * [`examples`] runs the examples of rules, and [`coverage`] finds the clauses and items that ran. [`why`] explains a
//!   value, and [`parting`] finds where two traces diverge. [`open_points`] lists the open questions of a book, and
//!   [`map`] measures a run for a map.
//!
//! # Example
//!
//! The scenario gives three dice. (`grognard-scenario` shows how a scenario is read.)
//!
//! ```
//! # use grognard_base::Sources;
//! # use grognard_kit::Shelf;
//! # use grognard_program::Detail;
//! # use grognard_scenario::{build, read};
//! use grognard_play::record::{self, About, Recorder, render};
//! use grognard_play::{Options, Verdict};
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
//! dice = { rolls = [{ roll = "volley.aim", give = [4, 1, 6] }] }
//! expect = [{ that = "raiders.men == 4" }]
//! "#;
//! # let library = Shelf::of(&[("first/volley.rules", rules)]);
//! # let mut sources = Sources::default();
//! # let document = read("volley.toml", text.into(), &library, &mut sources).unwrap();
//! # let rules = grognard_rules::load("first/volley", &library, &mut sources).sound().unwrap();
//! let scenario = build(&document, rules, &[], &sources, Detail::Traced).unwrap();
//! let recorder = Recorder::new(&scenario.game, &About::default(), Some(&sources));
//! let (outcome, events) = grognard_play::record(&scenario, Options::default(), recorder);
//! assert_eq!(outcome.checks[0].verdict, Verdict::Holds);
//! assert!(render(&events, record::TraceDetail::Full).contains("3 of d6: 4 1 6"));
//! ```

pub mod coverage;
pub mod examples;
pub mod open_points;
pub mod map;
mod offers;
pub mod odds;
mod outcome;
pub mod parting;
mod players;
mod progress;
pub mod record;
mod run;
mod scripted;
pub mod session;
mod stepped;
mod undecided;
mod watch;
pub mod why;

pub use grognard_vm::Seeded;
pub use outcome::{Checked, Outcome, Verdict, count, is_limit, waiting};
pub use players::{EntrySort, Person, PersonQuestion, PersonReply, Players, Scripts, Terminal};
pub use progress::Progress;
pub use run::{Options, Play, checked, play, record, undecided, watch};
pub(crate) use scripted::DiceScript;
pub use scripted::{OutsideDice, Scripted};
pub use stepped::{Entries, Question, Stepped};
pub use undecided::{NoDecision, Undecided, named};
pub use watch::Watch;
