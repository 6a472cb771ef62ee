//! Examines rules: differences between two versions, mutation testing, and the search for holes.
//!
//! The input is rules texts, and for most questions the scenarios of a project too. The outputs are lists that
//! `grognard-report` shows. Each question has its own module:
//!
//! * [`diff`]: which items differ between two versions, and how. [`mix`] builds the versions in between, with some of
//!   the edits. [`force`] determines which of them can affect a scenario.
//! * [`mutants`]: mutation testing. It makes one small change of the rules at a time, and checks whether any test of
//!   the project notices it.
//! * [`holes`]: gaps and overlaps of bands, contradicting rules, actions that are never available or never the best,
//!   rules that no scenario reaches, laws that random play breaks.
//!
//! # Example
//!
//! ```
//! use grognard_base::Sources;
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_lab::diff::{ChangeSort, diff};
//! use grognard_rules::merged;
//!
//! let old = "ruleset first/volley\nparam hit_on = 4 # to hit\nparam save_on = 5";
//! let new = "ruleset first/volley\nparam save_on  = 5\nparam hit_on = 3";
//! let mut sources = Sources::default();
//! let items = [old, new].map(|text| {
//!     let library = Shelf::of(&[("first/volley.rules", text)]);
//!     merged("first/volley", &library, &mut sources)
//! });
//!
//! let changes = diff(&items[0], &items[1], &sources);
//! assert_eq!(changes.len(), 1); // order, layout and comments do not matter
//! assert_eq!((changes[0].name.as_str(), changes[0].what), ("hit_on", ChangeSort::Changed));
//! assert_eq!((changes[0].parts[0].old.as_deref(), changes[0].parts[0].new.as_deref()), (Some("4"), Some("3")));
//! ```

pub mod diff;
pub mod force;
pub mod holes;
pub mod mix;
pub mod mutants;
