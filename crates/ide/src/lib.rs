//! Editor services: answers queries about rules texts while they are being edited.
//!
//! These modules build on each other:
//!
//! * [`query`] holds the texts of one root in a [`Workspace`](query::Workspace) and answers by file and byte offset: problems,
//!   hover, completion, definitions, odds of a call. It computes on demand and caches results until a text that they depend on
//!   changes.
//! * [`lsp`] is the Language Server Protocol without a transport: messages in, messages out. The command `grognard lsp` connects
//!   it to standard input and output.
//! * [`schemas`] generates JSON Schemas of scenarios, project files and registers.
//! * [`studio`] is the engine of the studio: the language server and the requests of the page, as JSON-RPC messages. It can also
//!   be compiled to WebAssembly.
//!
//! The input is texts and edits from an editor, and a [`Library`](grognard_rules::Library) for texts that are not open. The
//! results come from `grognard-rules`, `grognard-play`, `grognard-stats` and `grognard-lab`.
//!
//! # Example
//!
//! ```
//! use grognard_ide::query::Workspace;
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use std::rc::Rc;
//!
//! let text = "ruleset first/volley\nparam hit_on \"A shot hits on\" = 4\nlet sure: Flag = hit_on <= 1\n";
//! let mut workspace = Workspace::new(Rc::new(Shelf::default()));
//! workspace.set("first/volley.rules", text);
//! let use_of_hit_on = text.rfind("hit_on").unwrap();
//! let hover = workspace.hover("first/volley.rules", use_of_hit_on).unwrap();
//! assert!(hover.text.contains("A shot hits on"));
//!
//! workspace.set("first/volley.rules", &text.replace("hit_on <=", "hit_onn <="));
//! let problems = workspace.problems("first/volley.rules", []);
//! assert_eq!(problems[0].found.code.id(), "R0201"); // a name is not known
//! ```
//!
//! No module reads files, has a clock or starts threads: the host does that, and uses a second engine for long computations.

pub mod query;
pub mod lsp;
pub mod schemas;
pub mod studio;
#[cfg(target_arch = "wasm32")]
#[path = "../../../src/shipped.rs"]
mod shipped;
