//! The grammar of the rules language: parses texts to trees, formats them, and explains syntax errors.
//!
//! The input is a text ([`Source`](grognard_base::Source)), the output a [`tree::File`] and the diagnostics of the
//! items that do not parse. The text is cut into items before the parser runs, so a faulty item does not hide the
//! others; within an item the parser recovers from line to line (panic mode). The tree has names and spans as they are
//! written; the next stage, `grognard-rules`, resolves them. Scenarios, mutation testing, the rulebook and the editor
//! services use this crate too.
//!
//! * [`parse`] reads a rules file, and [`parse_again`] reads only the edited pieces of it. [`parse_stmt`],
//!   [`parse_expr`], [`parse_query`] and their siblings read the strings of scenarios and of the command line.
//! * [`format`](format()) sets indentation, columns and blank lines, and keeps the lines and comments of the author.
//! * [`scan`] and [`tokens`] split a text into tokens without parsing it, for editors.
//! * [`excuse`] reads the comments that excuse findings of a command, and [`limits`] bounds size, nesting and numbers
//!   of a text.
//!
//! # Example
//!
//! ```
//! use grognard_base::{FileId, Source};
//! use grognard_syntax::{format, parse};
//!
//! let text = "ruleset first/volley\nparam hit_on=4 sweep 3,4,5 # a shot hits\nkind Squad {state men: 0..20}\n";
//! let (file, found) = parse(FileId(0), &Source::new("first/volley.rules", text));
//! assert!(found.is_empty());
//! assert_eq!(file.header.unwrap().path.text, "first/volley");
//! assert_eq!(file.items.len(), 2);
//!
//! let formatted = format(FileId(0), &Source::new("first/volley.rules", text)).unwrap();
//! assert_eq!(
//!     formatted,
//!     "ruleset first/volley\n\nparam hit_on = 4  sweep 3, 4, 5  # a shot hits\n\nkind Squad { state men : 0..20 }\n"
//! );
//!
//! let (file, found) = parse(FileId(0), &Source::new("a.rules", "ruleset a/b\nparam x = = 4\nparam y = 5\n"));
//! assert_eq!((file.items.len(), found.len()), (1, 1)); // `x` is reported, `y` is parsed
//! ```
//!
//! The parser is generated from `grammar/rules.pest` when the crate is built. No other crate of the workspace uses the
//! parser library (pest), and no message shows a rule of the grammar.

mod cell;
mod cut;
pub mod excuse;
mod format;
mod grammar;
pub mod limits;
mod lower;
mod pairs;
mod parse;
mod plain;
mod recover;
mod scan;
mod short;
mod thin;
pub mod tree;
mod wording;
mod words;

pub use format::{format, same};
pub use grammar::{Class, classes_known, dump};
pub use lower::AGAIN;
pub use parse::{
    EXAMPLES, Part, Trees, is_item, parse, parse_again, parse_expr, parse_figure, parse_item, parse_mark, parse_odds,
    parse_part, parse_pick, parse_query, parse_stmt,
};
pub use plain::Plain;
pub use scan::{Token as LexToken, TokenKind as Lexeme, scan, tokens};
pub use short::short_text;
pub use wording::{Dialect, Notation, dialect, notations};
pub use words::{is_reserved, leading};
