//! Tests of exact odds.

mod block;
mod exact;
mod unit;
