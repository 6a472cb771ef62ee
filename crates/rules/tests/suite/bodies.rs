//! Bodies of rules: what each finding about them looks like, and that good rules have none.

mod cases;
mod effects;
mod habits;
mod helped;
pub mod kit;

mod limits;
mod names;
mod numbers;
pub mod show;
mod snippets;
mod typed;
mod wording;
