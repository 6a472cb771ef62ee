//! The machine on small rulesets: every kind of statement, with scripted dice and decisions.

pub mod bench;
mod crowd;
mod judged;
mod linked;
mod memo;
mod shipped;
mod ranges;
mod small;
