//! The checker: loads rules files, resolves names, infers types, and returns a checked ruleset.
//!
//! The input is a path and a [`Library`], which has the texts. [`load`](load()) works in five steps:
//!
//! 1. It reads the file and the files that it extends or varies, which `grognard-syntax` parses.
//! 2. It merges base, extensions and variants into one list of items.
//! 3. It declares the items: each name gets an id.
//! 4. It checks the bodies: types, effects, and whether each `match` covers all values exactly once.
//! 5. It audits rules without errors: cycles, conflicts, loops, unused items.
//!
//! The output is [`Loaded`]: the diagnostics, and the [`Ruleset`](ruleset::Ruleset) if none of them is an error. A
//! ruleset is a [`Schema`](schema::Schema), which holds what the rules declare, and typed [`code`] with ids in place of
//! names. `grognard-program` compiles it and keeps only the schema. `grognard-scenario` resolves the names of scenarios
//! in it.
//!
//! Other questions about rules have their own functions and modules. [`merged`] returns the merged items without
//! checking them. [`load_indexed`] also returns an [`index`] of all names (a cross-reference table) for editors.
//! [`ParsedTexts`] and [`Memo`] keep parse trees between loads. [`reads`] lists what each function reads and writes, and
//! [`bands`] finds gaps in conditions.
//!
//! # Example
//!
//! ```
//! use grognard_base::{Code, OrdMap, Sources};
//! use grognard_rules::load;
//!
//! let text = "ruleset first/panic\n\n\
//!     kind Squad { state men : 0..20 }\n\
//!     let steady(s: Squad): Flag = match s.men { 0 to 4 => no; 6 to 20 => yes }\n";
//! let mut texts = OrdMap::from([("first/panic.rules".to_string(), text.to_string())]); // a library in memory
//! let mut sources = Sources::default();
//! let loaded = load("first/panic", &texts, &mut sources);
//! assert!(loaded.ruleset.is_none());
//! let gap = &loaded.problems[0];
//! assert_eq!(gap.code, Code::Gap); // no row for 5 men
//! assert_eq!(sources.locate(gap.span.unwrap()).unwrap(), "first/panic.rules:4:30");
//!
//! texts.insert("first/panic.rules".to_string(), text.replace("6 to", "5 to"));
//! let rules = load("first/panic", &texts, &mut sources).sound().unwrap();
//! assert_eq!(rules.kinds[0].name, "Squad");
//! ```
//!
//! This crate does not run rules, and it reads no files: the library of the caller does.

pub mod bodies;
pub mod checker;
mod declare;

pub mod index;
mod library;
pub mod load;
mod memo;
mod merge;

mod register;

pub use grognard_audit::{audit_register, bands};
pub use grognard_model::{code, reads, ruleset, schema, wording};

pub use library::{Library, OUTSIDE, Overlay};
pub use load::{
    EditorNames, Loaded, ParsedTexts, Version, check_between, load, load_indexed, load_parsed, load_with, merged,
    merged_parsed, unreadable, version,
};
pub use memo::Memo;
pub use merge::head::{about as item_about, name as item_name, short_text, title as item_title, word as item_word};
pub use merge::{Exceptions, exceptions, head, rules_of};
pub use register::{CLAUSE_KEYS, Registers, STATUSES, read as read_register};
