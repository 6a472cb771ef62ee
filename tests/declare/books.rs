//! The rulesets of this repository.

use super::kit::{Folder, shown};
use grognard::base::{Severity, Sources};
use grognard::rules::{audit_register, dump::dump, load};

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
        for p in loaded.problems.iter().filter(|p| p.severity >= Severity::Warning || std::env::var("DUMP").is_ok()) {
            let place = p.span.and_then(|s| sources.get(s.file).map(|f| (f.name.clone(), f.place(s.start))));
            let (name, place) =
                place.map_or((String::new(), String::new()), |(n, p)| (n, format!("{}:{}", p.line, p.column)));
            text += &format!("{book}: {name}:{place}: {}", shown(std::slice::from_ref(p)));
        }
    }
    assert!(text.is_empty(), "{text}");
}

#[test]
fn the_registers_agree_with_the_books() {
    for folder in ["warstrike", "alternate", "recoil"] {
        let books = BOOKS.iter().filter(|b| b.starts_with(folder));
        let loaded: Vec<_> = books.filter_map(|b| load(b, &Folder, &mut Sources::default()).ruleset).collect();
        assert!(!loaded.is_empty());
        let found = audit_register(&loaded);
        assert!(found.is_empty(), "{folder}:\n{}", shown(&found));
    }
}

#[test]
fn every_book_can_be_listed() {
    for book in BOOKS {
        let Some(rs) = load(book, &Folder, &mut Sources::default()).ruleset else { panic!("{book} does not load") };
        let text = dump(&rs);
        assert!(rs.functions.iter().all(|f| text.contains(&f.name)));
        if let Ok(folder) = std::env::var("DUMP") {
            let _ = std::fs::write(format!("{folder}/{}.txt", book.replace('/', "-")), text);
        }
    }
}

#[test]
fn loading_is_fast() {
    let start = std::time::Instant::now();
    load("warstrike/salvo-threshold", &Folder, &mut Sources::default());
    if std::env::var("DUMP").is_ok() {
        eprintln!("loaded in {:?}", start.elapsed());
    }
    assert!(start.elapsed().as_secs() < 20);
}
