//! Loading, merging, declaring and auditing: what each finding looks like, and that good rules have none.

mod audits;
mod books;
mod chain;
mod kinds;
mod merging;
mod register;
mod values;
