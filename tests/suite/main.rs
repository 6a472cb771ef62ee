//! All tests of the program as one binary: one link, and one pool of threads for all of them.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod api;
mod book;
mod browser;
mod bytes;
mod cache;
mod captions;
mod cli;
mod common;
mod coverage;
mod docs;
mod door;
mod editor;
mod held;
mod formats;
mod games;
mod gaming;
mod help;
mod holes;
mod house;
mod literate;
mod manual;
mod map;
mod mutants;
mod notations;
mod odds;
mod page;
mod pages;
mod paper;
mod pinned;
mod play;
mod projects;
mod readings;
mod receipts;
mod register;
mod scenario_words;
mod simulate;
mod story;
mod studio;
mod studio_host;
mod sweep;
mod told_once;
mod traps;
mod unit;
mod watch;
mod which;
mod why;
mod words;
