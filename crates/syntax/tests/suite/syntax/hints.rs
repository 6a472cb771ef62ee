//! The table of hints: each row is told of something in `fixtures/syntax/habits.txt`, and what is told is pinned.

use grognard_base::{Diagnostic, FileId, Source};
use grognard_syntax as syntax;
use std::fmt::Write;

/// What stands in the fixture, and behind it what scenarios and the command line ask.
fn rendered() -> Vec<(String, Vec<Diagnostic>)> {
    let habits = std::fs::read_to_string("tests/fixtures/syntax/habits.txt").expect("fixture");
    let rules = habits.trim_end().split("\n\n").map(|text| {
        let found = syntax::parse(FileId(0), &Source::new("x", format!("ruleset a/b\n{text}\n"))).1;
        (text.to_string(), found)
    });
    let asked = ["mean rounds", "chance red.hp == 0", "maximize rounds", "min rounds", "u.a = 3"].map(|text| {
        let found = syntax::parse_query(FileId(0), &Source::new("x", text)).err();
        (text.to_string(), found.unwrap_or_default())
    });
    rules.chain(asked).collect()
}

#[test]
fn what_other_languages_have() {
    let mut out = String::new();
    for (text, found) in rendered() {
        let _ = writeln!(out, "{text}");
        for one in found {
            let _ = writeln!(out, "    {} {}\n          {}", one.code, one.message, one.help);
        }
    }
    insta::assert_snapshot!(out);
}

/// True if a text is what a row makes of this one: what it keeps may be anything.
fn made_of(text: &str, row: &str) -> bool {
    let mut rest = text;
    let mut row = row;
    while let Some((before, behind)) = row.split_once('{') {
        let kept = behind.split_once('}').filter(|(name, _)| name.len() == 1 || name.get(1..2) == Some(":"));
        let (fixed, after) = kept.map_or_else(|| row.split_at(before.len() + 1), |(_, after)| (before, after));
        let Some((_, behind)) = rest.split_once(fixed) else { return false };
        (rest, row) = (behind, after);
    }
    rest.contains(row)
}

#[test]
fn each_row_is_told_of_something() {
    let table = std::fs::read_to_string("src/wording/hints.txt").expect("the table");
    let (_, groups) = table.split_once("\n# ").expect("a group");
    let all: Vec<Diagnostic> = rendered().into_iter().flat_map(|(_, found)| found).collect();
    let rows = groups.replace("\n    ", " ");
    let rows: Vec<&str> = rows.lines().filter(|line| line.contains(" :: ")).collect();
    assert!(rows.len() > 120, "{}", rows.len());
    let mut silent = Vec::new();
    for row in rows {
        let parts: Vec<&str> = row.split(" :: ").collect();
        let fits = |found: &Diagnostic| match parts[1..] {
            [message, help] => made_of(&found.message, message) && made_of(&found.help, help),
            [text] => made_of(&found.message, text) || made_of(&found.help, text),
            _ => false,
        };
        if !all.iter().any(fits) {
            silent.push(row);
        }
        // what a text names is kept by each pattern
        for letter in ('a'..='z').filter(|c| parts[1..].iter().any(|text| text.contains(&format!("{{{c}}}")))) {
            for pattern in parts[0].split(" // ") {
                assert!(pattern.split(' ').any(|part| part.starts_with(&format!("{letter}="))), "{letter}: {row}");
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
