//! Text to tree. Nothing outside this folder knows pest.

pub mod tree;
