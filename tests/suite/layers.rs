//! The house rules of the source tree: who may use whom, where the parser library, files, clocks and printing may be
//! named, that every file says what it is, and that none is too long.

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The page whose table says which module uses which.
const MAP: &str = "docs/architecture.md";

/// Names that belong to the command line alone.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::process", "std::thread", "Instant", "SystemTime", "println!", "eprintln!"];

/// What may name one of them below the command line, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("syntax/parse.rs", "std::thread", "the parser works on a stack of known size, whatever stack its caller has"),
    ("sample/batch.rs", "std::thread", "runs are spread over threads, and what comes out does not hang on how"),
];

/// No file may have more lines.
const LONGEST: usize = 600;

/// Files that were longer when the limit came. None may be added.
const LONG: &[&str] = &[];

/// One source file: its path below `src`, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    /// The module it belongs to; empty for `lib.rs`, `main.rs` and the texts that are shipped.
    fn layer(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        let name = first.strip_suffix(".rs").unwrap_or(first);
        if matches!(name, "lib" | "main" | "shipped") { "" } else { name }
    }

    /// Its lines of code, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines();
        lines.map(|l| l.split("//").next().unwrap_or_default()).enumerate().map(|(n, l)| (n + 1, l))
    }
}

fn files() -> Vec<File> {
    let mut found = Vec::new();
    walk(&root().join("src"), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100);
    found
}

fn walk(folder: &Path, below: &str, found: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else if path.ends_with(".rs") {
            found.push(File { text: std::fs::read_to_string(entry.path()).unwrap(), path });
        }
    }
}

/// The modules named after `crate::` in a line, also those in `crate::{a, b}`.
fn named(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for after in line.split("crate::").skip(1) {
        let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        match after.strip_prefix('{') {
            Some(list) => found.extend(list.split([',', '}']).map(|part| &part.trim()[..word(part.trim())])),
            None => found.push(&after[..word(after)]),
        }
    }
    found
}

/// The rows of the map, lowest module first: each with those it uses.
fn layers() -> Vec<(String, BTreeSet<String>)> {
    let map = std::fs::read_to_string(root().join(MAP)).unwrap();
    let rows = map.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
        let (name, uses) = (cells.next()?.strip_suffix('`')?, cells.next()?);
        Some((name.to_string(), uses.split(", ").filter(|u| !u.is_empty()).map(str::to_string).collect()))
    });
    rows.collect()
}

#[test]
fn modules_use_what_the_map_says() {
    let layers = layers();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files().iter().filter(|f| !f.layer().is_empty()) {
        let own = used.entry(file.layer().to_string()).or_default();
        let names = file.code().flat_map(|(_, line)| named(line));
        own.extend(names.filter(|n| *n != file.layer() && layers.iter().any(|(l, _)| l == n)).map(str::to_string));
    }
    assert_eq!(used, layers.iter().cloned().collect(), "left: the source, right: {MAP}");
    for (n, (layer, uses)) in layers.iter().enumerate() {
        assert!(uses.iter().all(|u| layers[..n].iter().any(|(below, _)| below == u)), "{layer} uses what is above it");
    }
}

#[test]
fn modules_stand_in_the_order_of_the_pipeline() {
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let listed: Vec<&str> = lib.lines().filter_map(|l| l.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(listed, layers().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
}

/// Whoever follows the pages for contributors finds the files they name.
#[test]
fn the_files_that_pages_name_are_there() {
    let mut gone = String::new();
    for page in ["CONTRIBUTING.md", MAP] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let named = text.split('`').skip(1).step_by(2).filter(|word| {
            let first = word.split('/').next().unwrap_or_default();
            ["src", "tests", "docs", "grammar", "benches", "fuzz", ".ci"].contains(&first)
                && !word.contains(['…', '<', ' '])
        });
        for path in named.filter(|path| !root().join(path).exists()) {
            writeln!(gone, "{page}: {path}").unwrap();
        }
    }
    assert!(gone.is_empty(), "\n{gone}");
}

/// The glossary names what the code has: modules, types, fields of modules.
#[test]
fn the_glossary_speaks_of_code_that_is_there() {
    let text = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let files = files();
    let mut gone = String::new();
    for row in text.lines().filter(|l| l.starts_with("| ")) {
        let code = row.split('|').nth(2).unwrap_or_default();
        for name in code.split('`').skip(1).step_by(2) {
            let path = name.replace("::", "/");
            let file = |f: &File| f.path == format!("{path}.rs") || f.path == format!("{path}/mod.rs");
            let below = |f: &File| f.path.ends_with(&format!("/{path}.rs"));
            let last = name.rsplit("::").next().unwrap_or(name);
            let word = |f: &File| last.starts_with(char::is_uppercase) && f.text.contains(last);
            if !files.iter().any(|f| file(f) || below(f) || word(f)) {
                writeln!(gone, "{name}").unwrap();
            }
        }
    }
    assert!(gone.is_empty(), "\n{gone}");
}

#[test]
fn every_file_says_what_it_is() {
    let silent: Vec<String> = files().into_iter().filter(|f| !f.text.starts_with("//! ")).map(|f| f.path).collect();
    assert!(silent.is_empty(), "no `//!` in the first line: {silent:?}");
}

#[test]
fn the_parser_library_is_named_in_syntax_alone() {
    let mut faults = String::new();
    for file in files().iter().filter(|f| f.layer() != "syntax") {
        for (n, line) in file.code() {
            if line.contains("pest::") || line.contains("pest_derive") {
                writeln!(faults, "{}:{n}", file.path).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn files_clocks_threads_and_printing_belong_to_the_command_line() {
    let mut faults = String::new();
    let mut used = BTreeSet::new();
    for file in files().iter().filter(|f| !matches!(f.layer(), "cli" | "")) {
        for (n, line) in file.code() {
            for word in OUTSIDE.iter().filter(|w| line.contains(*w)) {
                match EXCEPTIONS.iter().find(|(path, what, _)| *path == file.path && what == word) {
                    Some((path, _, _)) => drop(used.insert(*path)),
                    None => writeln!(faults, "{}:{n}: {word}", file.path).unwrap(),
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert_eq!(used.len(), EXCEPTIONS.len(), "an exception that nothing needs");
}

/// The library is built without its own tests, so nothing would run one that stands in it.
#[test]
fn no_test_stands_where_nothing_runs_it() {
    let named = |f: &File| f.code().any(|(_, line)| line.contains("cfg(test)") || line.trim() == "#[test]");
    let found: Vec<String> = files().into_iter().filter(named).map(|f| f.path).collect();
    assert!(found.is_empty(), "tests of single functions stand in tests/suite/unit: {found:?}");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = files().into_iter().filter(|f| f.text.lines().count() > LONGEST).map(|f| f.path).collect();
    let new: Vec<&String> = long.iter().filter(|path| !LONG.contains(&path.as_str())).collect();
    assert!(new.is_empty(), "over {LONGEST} lines: {new:?}");
}
