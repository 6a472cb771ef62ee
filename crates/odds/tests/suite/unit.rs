//! Tests of single functions.

mod exact_cycles;
mod exact_num;
mod exact_store;
