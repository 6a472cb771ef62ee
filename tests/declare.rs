//! Loading, merging, declaring and auditing: what each finding looks like, and that good rules have none.

mod declare {
    pub mod kit;
    mod books;
}
