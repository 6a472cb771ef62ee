//! House rules that neither cargo nor clippy checks: what the pages say about the source is true, only the command line
//! touches files, clocks and terminals, each file says what it is, and none is too long.

use crate::common::{root, text_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The page with a table of the crates and what each of them uses.
const MAP: &str = "docs/architecture.md";

/// Names that only the command line uses.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::process", "std::thread", "Instant", "SystemTime", "println!", "eprintln!"];

/// Files below the command line that use one of them, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/folder.rs", "std::fs", "a folder of texts is the one library on a disk"),
    ("src/main.rs", "std::process", "the program returns the exit code of the command line"),
    ("crates/syntax/src/parse.rs", "std::thread", "the parser needs a stack of known size, whatever its caller has"),
    ("crates/stats/src/batch.rs", "std::thread", "runs are spread over threads; the result does not depend on how"),
];

/// The most lines of a source file.
const LONGEST: usize = 600;

/// A source file: its path in the repository, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Returns the crate it belongs to; the root package is `grognard`.
    fn package(&self) -> &str {
        self.path.strip_prefix("crates/").and_then(|path| path.split('/').next()).unwrap_or("grognard")
    }

    /// Returns its path below `src`.
    fn below(&self) -> &str {
        self.path.split_once("src/").map_or(&self.path, |(_, below)| below)
    }

    /// Returns its lines without comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().map(|l| l.split("//").next().unwrap_or_default()).enumerate().map(|(n, l)| (n + 1, l))
    }
}

/// Returns the source files of all crates, without those that only tests use.
fn files() -> Vec<File> {
    let mut found = Vec::new();
    walk("src", &mut found);
    for package in packages().iter().filter(|name| *name != "kit") {
        walk(&format!("crates/{package}/src"), &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100);
    found
}

fn packages() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn walk(folder: &str, found: &mut Vec<File>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&path, found);
        } else if path.ends_with(".rs") {
            found.push(File { text: std::fs::read_to_string(entry.path()).unwrap(), path });
        }
    }
}

/// Returns the crates of this workspace that a manifest lists under `[dependencies]`.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    let listed = manifest["dependencies"].as_table().unwrap().keys();
    listed.filter_map(|name| Some(name.strip_prefix("grognard-")?.to_string())).collect()
}

#[test]
fn the_map_lists_the_crates_and_what_they_use() {
    let map = text_of(MAP);
    let rows = map.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
        let (name, uses) = (cells.next()?.strip_suffix('`')?, cells.next()?);
        Some((name.to_string(), uses.split(", ").filter(|u| !u.is_empty()).map(str::to_string).collect()))
    });
    let rows: Vec<(String, BTreeSet<String>)> = rows.collect();
    let mut manifests: BTreeMap<String, BTreeSet<String>> =
        BTreeMap::from([("grognard".to_string(), dependencies(&root().join("Cargo.toml")))]);
    for name in packages() {
        let uses = dependencies(&root().join(format!("crates/{name}/Cargo.toml")));
        manifests.insert(name, uses);
    }
    for (n, (name, uses)) in rows.iter().enumerate() {
        let above = &rows[..n];
        assert!(uses.iter().all(|u| above.iter().any(|(row, _)| row == u)), "{name} uses a crate that comes after it");
    }
    assert_eq!(rows.into_iter().collect::<BTreeMap<_, _>>(), manifests, "left: {MAP}, right: the manifests");
}

#[test]
fn the_files_that_pages_name_exist() {
    let mut gone = String::new();
    for page in ["CONTRIBUTING.md", MAP] {
        let text = text_of(page);
        let named = text.split('`').skip(1).step_by(2).filter(|word| {
            let first = word.split('/').next().unwrap_or_default();
            ["src", "crates", "tests", "docs", "grammar", "benches", "fuzz", ".ci"].contains(&first)
                && !word.contains(['…', '<', ' '])
        });
        for path in named.filter(|path| !root().join(path).exists()) {
            writeln!(gone, "{page}: {path}").unwrap();
        }
    }
    assert!(gone.is_empty(), "\n{gone}");
}

#[test]
fn the_names_in_the_glossary_exist() {
    let files = files();
    let mut gone = String::new();
    for row in text_of("docs/glossary.md").lines().filter(|l| l.starts_with("| ")) {
        let code = row.split('|').nth(2).unwrap_or_default();
        for name in code.split('`').skip(1).step_by(2) {
            let path = name.replace("::", "/");
            let module = |f: &File| {
                let below = format!("{}/{}", f.package(), f.below());
                [format!("{path}.rs"), format!("{path}/mod.rs"), format!("{path}/lib.rs")]
                    .iter()
                    .any(|wanted| below == *wanted || below.ends_with(&format!("/{wanted}")))
            };
            let last = name.rsplit("::").next().unwrap_or(name);
            let word = |f: &File| last.starts_with(char::is_uppercase) && f.text.contains(last);
            if !files.iter().any(|f| module(f) || word(f)) {
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
fn only_the_command_line_uses_files_clocks_threads_and_terminals() {
    let mut faults = String::new();
    let mut used = BTreeSet::new();
    for file in files().iter().filter(|f| f.package() != "cli") {
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

/// The libraries are built without their own tests, so a test in one of them would never run.
#[test]
fn no_source_file_contains_a_test() {
    let named = |f: &File| f.code().any(|(_, line)| line.contains("cfg(test)") || line.trim() == "#[test]");
    let found: Vec<String> = files().into_iter().filter(named).map(|f| f.path).collect();
    assert!(found.is_empty(), "tests of single functions are in tests/suite/unit of their crate: {found:?}");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = files().into_iter().filter(|f| f.text.lines().count() > LONGEST).map(|f| f.path).collect();
    assert!(long.is_empty(), "over {LONGEST} lines: {long:?}");
}

#[test]
fn no_crate_is_too_large() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for file in files() {
        *lines.entry(file.package().to_string()).or_default() += file.text.lines().count();
    }
    lines.retain(|_, lines| *lines > 17_000);
    assert!(lines.is_empty(), "over 17,000 lines: {lines:?}");
}
