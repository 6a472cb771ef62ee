//! The machine on small rulesets: every kind of statement, with scripted dice and decisions.

mod machine {
    pub mod bench;
    mod shipped;
    mod small;
}
