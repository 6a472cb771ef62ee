//! Text to tree. Nothing outside this folder knows pest.

mod cut;
mod grammar;
pub mod limits;
mod lower;
mod parse;
mod scan;
pub mod tree;
mod wording;
mod words;

pub use parse::{parse, parse_expr, parse_mark, parse_pick, parse_query, parse_stmt};
