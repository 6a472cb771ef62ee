//! Tests of single functions.

mod sample_batch;
mod sample_compare_exact;
mod sample_stats_means;
mod sample_stats_real;
mod sample_stats_shares;
mod sample_table;
mod sample_tally;
