//! Tree to ruleset: what the rules mean. Names end here; after this there are ids.

pub mod audit;
pub mod bands;
pub mod bodies;
pub mod checker;
pub mod code;
mod declare;

pub mod index;
pub mod load;
mod memo;
mod merge;

pub mod reads;
mod register;
pub mod ruleset;
pub mod schema;
pub mod telling;
mod types;

pub use audit::audit_register;

pub use load::{
    EditorNames, Known, Library, Loaded, OUTSIDE, Version, check_between, load, load_in_slices, load_indexed,
    load_known, load_with, merged, merged_known, unreadable, version,
};
pub use memo::Memo;
pub use merge::head;
pub use merge::head::{about as item_about, name as item_name, short_text, title as item_title, word as item_word};
pub use register::{Registers, read as read_register};
