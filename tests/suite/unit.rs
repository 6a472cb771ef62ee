//! Tests of single functions of the command line.

mod cli_compare;
mod cli_compare_side;
mod cli_receipt;
mod cli_seal;
