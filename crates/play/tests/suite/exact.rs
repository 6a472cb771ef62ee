//! Exact odds of scenarios: counts and plans.

mod counts;
mod plans;
