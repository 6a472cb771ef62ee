//! Short assertions for expected diagnostics.

use crate::Shelf;
use grognard_base::{Code, Diagnostic, Sources};
use grognard_rules::Loaded;
use grognard_rules::ruleset::Ruleset;

/// Loads `path` from files given as path and text.
pub fn load_from(files: &[(&str, &str)], path: &str) -> (Loaded, Sources) {
    Shelf::of(files).load(path)
}

/// Loads one file after the header `ruleset g/x`.
pub fn check(text: &str) -> Loaded {
    load_from(&[("g/x.rules", &format!("ruleset g/x version \"1\"\n{text}\n"))], "g/x").0
}

/// Loads a base file and a file that extends it.
pub fn check_two(base: &str, top: &str) -> Loaded {
    let base = format!("ruleset g/base version \"1\"\n{base}\n");
    let top = format!("ruleset g/top version \"1\" extends g/base\n{top}\n");
    load_from(&[("g/base.rules", &base), ("g/top.rules", &top)], "g/top").0
}

/// Loads a base file and a variant of it.
pub fn check_variant(base: &str, top: &str) -> Loaded {
    let base = format!("ruleset g/base version \"1\"\n{base}\n");
    let top = format!("variant g/top of g/base version \"1\"\n{top}\n");
    load_from(&[("g/base.rules", &base), ("g/top.rules", &top)], "g/top").0
}

/// Formats one line for each diagnostic.
pub fn shown(problems: &[Diagnostic]) -> String {
    problems.iter().map(|p| format!("{} {}\n", p.code, p.message)).collect()
}

/// Returns the ruleset.
///
/// # Panics
///
/// Panics if there are errors.
#[track_caller]
pub fn good(loaded: Loaded) -> Ruleset {
    let text = shown(&loaded.problems);
    loaded.ruleset.unwrap_or_else(|| panic!("errors:\n{text}"))
}

/// Returns the diagnostic with this code.
///
/// # Panics
///
/// Panics unless exactly one diagnostic has this code and its message contains the words.
#[track_caller]
pub fn bad(loaded: Loaded, code: Code, words: &str) -> Diagnostic {
    let found: Vec<&Diagnostic> = loaded.problems.iter().filter(|p| p.code == code).collect();
    let text = shown(&loaded.problems);
    assert_eq!(found.len(), 1, "wanted one {code}; found:\n{text}");
    assert!(found[0].message.contains(words), "wanted `{words}` in:\n{text}");
    found[0].clone()
}

/// Checks that no diagnostic has this code.
///
/// # Panics
///
/// Panics if a diagnostic has this code.
#[track_caller]
pub fn none(loaded: &Loaded, code: Code) {
    assert!(loaded.problems.iter().all(|p| p.code != code), "no {code} wanted:\n{}", shown(&loaded.problems));
}
