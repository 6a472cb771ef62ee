//! Plays scenarios and examples, and tells what happened.

pub mod coverage;
pub mod examples;
pub mod left_open;
pub mod map;
mod offers;
pub mod odds;
mod outcome;
pub mod parting;
mod players;
pub mod record;
mod run;
mod scripted;
pub mod session;
mod watch;
pub mod why;

pub use grognard_vm::Seeded;
pub use outcome::{Checked, Outcome, Verdict, count, is_limit, waiting};
pub use players::{EntrySort, Person, PersonReply, Players, Question, Scripts, Terminal};
pub use run::{Options, Play, checked, play, record, watch};
pub(crate) use scripted::DiceScript;
pub use scripted::Scripted;
pub use watch::Watch;
