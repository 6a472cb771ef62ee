//! The generated parser. Its rules are those of `grammar/rules.pest`.

#![allow(missing_docs)]

/// The parser of the rules language.
#[derive(pest_derive::Parser)]
#[grammar = "../grammar/rules.pest"]
pub(super) struct Grammar;
