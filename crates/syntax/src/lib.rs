//! Text to tree. Nothing outside this folder knows pest.

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
#[doc(hidden)]
pub mod hoist;
mod words;

pub use format::{format, same};
pub use grammar::{Class, classes_known, dump};
pub use hoist::{Tangled, Thrown, thrown};
pub use parse::{
    Part, Trees, parse, parse_again, parse_expr, parse_item, parse_mark, parse_odds, parse_part, parse_pick,
    parse_query, parse_stmt,
};
pub use plain::Plain;
pub use scan::{Token as LexToken, TokenKind as Lexeme, scan, tokens};
pub use short::short_text;
pub use wording::{Dialect, dialect};
pub use words::{is_reserved, leading};
