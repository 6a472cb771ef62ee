//! The rulesets of this repository.

use super::kit::{Folder, shown};
use grognard::base::{Severity, Sources};
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
    let mut text = String::new();
    for book in BOOKS {
        let mut sources = Sources::default();
        let loaded = load(book, &Folder, &mut sources);
        for p in loaded.problems.iter().filter(|p| p.severity >= Severity::Warning) {
            let place = p.span.and_then(|s| sources.get(s.file).map(|f| (f.name.clone(), f.place(s.start))));
            let (name, place) = place.map_or((String::new(), String::new()), |(n, p)| (n, format!("{}:{}", p.line, p.column)));
            text += &format!("{book}: {name}:{place}: {}", shown(std::slice::from_ref(p)));
        }
    }
    assert!(text.is_empty(), "{text}");
}
