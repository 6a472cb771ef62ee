//! The paragraphs of WarStrike against the rules that carry them out.

use crate::common::Shipped;
use crate::paper;
use grognard_base::Sources;
use grognard_rules::ruleset::{Clause, ClauseStatus, Ruleset};
use grognard_rules::{audit_register, load};
use paper::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const FILES: &[&str] = &["core", "action-phase", "leadership", "salvo-threshold"];

/// The four files with their register, loaded.
fn books() -> (Vec<Ruleset>, Sources) {
    let mut sources = Sources::default();
    let mut books = Vec::new();
    for file in FILES {
        let loaded = load(&format!("warstrike/{file}"), &Shipped::default(), &mut sources);
        let text = shown(&loaded.problems, &sources);
        books.push(loaded.ruleset.unwrap_or_else(|| panic!("{file}:\n{text}")));
    }
    (books, sources)
}

/// Every clause once.
fn clauses(books: &[Ruleset]) -> BTreeMap<&str, &Clause> {
    books.iter().flat_map(|b| &b.register).map(|c| (c.id.as_str(), c)).collect()
}

/// Ids that an item, a member or a line of any of the files cites.
fn cited(books: &[Ruleset]) -> BTreeSet<&str> {
    books.iter().flat_map(|b| b.cited.keys()).map(String::as_str).collect()
}

/// How many clauses of each status there are, and how many of them are cited.
fn counts(books: &[Ruleset]) -> String {
    let cited = cited(books);
    let mut rows: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (id, clause) in clauses(books) {
        let status = match clause.status {
            ClauseStatus::Modelled => "modelled",
            ClauseStatus::External => "external",
            ClauseStatus::Commentary => "commentary",
            ClauseStatus::Hole if clause.decided.is_empty() => "hole, read",
            ClauseStatus::Hole => "hole, decided",
        };
        let row = rows.entry((&id[..2], status)).or_default();
        row.0 += 1;
        row.1 += usize::from(cited.contains(id));
    }
    let mut text = String::from("book  status         clauses  cited\n");
    for ((book, status), (all, cited)) in rows {
        writeln!(text, "{book}    {status:<14} {all:>7} {cited:>6}").unwrap();
    }
    text
}

#[test]
fn all_clauses_are_there() {
    let (books, _) = books();
    let clauses = clauses(&books);
    let wanted = |book: &str, letter: &str, last: usize, width: usize| {
        (1..=last)
            .map(|n| format!("{book}-{letter}{n:0width$}"))
            .filter(|id| !clauses.contains_key(id.as_str()))
            .collect()
    };
    let missing: [Vec<String>; 4] =
        [wanted("WA", "", 74, 2), wanted("WA", "H", 46, 0), wanted("WL", "", 45, 2), wanted("WL", "H", 34, 0)];
    assert!(missing.concat().is_empty(), "{missing:?}\n{}", counts(&books));
    assert_eq!(clauses.len(), 74 + 46 + 45 + 34, "\n{}", counts(&books));
}

#[test]
fn what_is_modelled_or_called_is_cited() {
    let (books, _) = books();
    let cited = cited(&books);
    let left: Vec<&str> = clauses(&books)
        .into_iter()
        .filter(|(_, c)| matches!(c.status, ClauseStatus::Modelled | ClauseStatus::External))
        .filter_map(|(id, _)| (!cited.contains(id)).then_some(id))
        .collect();
    assert!(left.is_empty(), "cited by nothing: {left:?}\n{}", counts(&books));
}

#[test]
fn every_cited_clause_exists() {
    let (books, _) = books();
    let clauses = clauses(&books);
    let unknown: Vec<&str> = cited(&books).into_iter().filter(|id| !clauses.contains_key(id)).collect();
    assert!(unknown.is_empty(), "not in the register: {unknown:?}\n{}", counts(&books));
}

#[test]
fn every_hole_is_read_or_decided() {
    let (books, sources) = books();
    let found = audit_register(&books);
    assert!(found.is_empty(), "{}\n{}", shown(&found, &sources), counts(&books));
    let cited = cited(&books);
    let both: Vec<&str> = clauses(&books)
        .into_iter()
        .filter(|(_, c)| c.status == ClauseStatus::Hole && c.decided.is_empty())
        .filter_map(|(id, _)| (!cited.contains(id)).then_some(id))
        .collect();
    assert!(both.is_empty(), "holes with a reading that nothing cites: {both:?}\n{}", counts(&books));
}

#[test]
fn clauses_are_sentences() {
    let (books, _) = books();
    for (id, clause) in clauses(&books) {
        assert!(clause.says.ends_with(['.', '!']), "{id}: {}", clause.says);
        assert!(!clause.says.contains('?'), "{id} asks instead of saying: {}", clause.says);
        assert!(clause.says.chars().count() <= 250, "{id} is long: {}", clause.says);
    }
}

/// Each reading of the shipped books says what the book leaves open, and why its default is the default.
#[test]
fn every_reading_gives_its_reasons() {
    for path in ["warstrike/action-phase", "warstrike/leadership", "alternate/activation", "recoil/skirmish"] {
        let set = load(path, &Shipped::default(), &mut Sources::default()).ruleset.unwrap();
        let readings: Vec<_> = set.settings.iter().filter(|s| !s.alternatives.is_empty()).collect();
        assert!(readings.len() > 20, "{path}");
        for reading in readings {
            assert!(!reading.because.is_empty() && !reading.default_because.is_empty(), "{path}: {}", reading.name);
        }
    }
}
