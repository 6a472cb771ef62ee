//! Tests of single functions.

mod machine_subsets;
