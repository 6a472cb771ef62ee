//! Tests of the syntax.

mod syntax;
mod unit;
