//! Tests of single functions.

mod syntax_thrown;
mod syntax_tree_moves;
