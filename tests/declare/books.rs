//! The rulesets of this repository.

use super::kit::{Folder, shown};
use grognard::base::Sources;
use grognard::rules::load;

const BOOKS: &[&str] = &[
    "warstrike/core",
    "warstrike/action-phase",
    "warstrike/leadership",
    "warstrike/salvo-threshold",
    "alternate/activation",
    "recoil/results",
];

#[test]
fn every_book_loads() {
    for book in BOOKS {
        let mut sources = Sources::default();
        let loaded = load(book, &Folder, &mut sources);
        let mut text = String::new();
        for p in loaded.problems.iter().filter(|p| p.is_error()) {
            let at = p.span.and_then(|s| sources.get(s.file).map(|f| (f.name.clone(), f.place(s.start))));
            text += &format!("{at:?}: {}", shown(std::slice::from_ref(p)));
        }
        assert!(loaded.ruleset.is_some(), "{book}:\n{text}");
    }
}
