//! Text to tree. Nothing outside this folder knows pest.

mod cell;
mod cut;
mod format;
mod grammar;
pub mod limits;
mod lower;
mod parse;
mod print;
mod scan;
mod shape;
pub mod tree;
mod wording;
#[doc(hidden)]
pub mod thrown;
mod words;

pub use format::format;
pub use parse::{parse, parse_expr, parse_mark, parse_pick, parse_query, parse_stmt};
pub use print::{print_expr, print_item, print_pattern, print_range, print_stmt, print_type};
pub use shape::{dump, same, same_tree};
pub use thrown::{Thrown, thrown};
