//! Examples: good and bad ones of every form of claim.

use grognard::base::{Code, Sources};
use grognard::play::examples::{ExampleResult, Verdict, report, run_examples, summary};
use grognard::program::{Detail, compile};
use grognard::rules::{Library, load};
use std::collections::BTreeMap;

struct Files(BTreeMap<String, String>);

impl Library for Files {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.0.get(path).cloned())
    }
}

fn shipped() -> Files {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let mut files = BTreeMap::new();
    for game in std::fs::read_dir(&root).expect("rulesets").flatten() {
        for file in std::fs::read_dir(game.path()).into_iter().flatten().flatten() {
            let name = format!("{}/{}", game.file_name().to_string_lossy(), file.file_name().to_string_lossy());
            if let Ok(text) = std::fs::read_to_string(file.path()) {
                files.insert(name, text);
            }
        }
    }
    Files(files)
}

fn run(path: &str, files: &Files) -> (Vec<ExampleResult>, Sources) {
    let mut sources = Sources::default();
    let loaded = load(path, files, &mut sources);
    let Some(rules) = loaded.ruleset else {
        panic!("{}", grognard::report::render(&loaded.problems, &sources, grognard::report::Format::Short));
    };
    let program = compile(rules, Detail::Plain);
    let results = run_examples(&program, &sources);
    (results, sources)
}

#[test]
fn shipped_examples_hold() {
    let files = shipped();
    for path in ["warstrike/core", "warstrike/action-phase", "warstrike/leadership", "warstrike/salvo-threshold", "alternate/activation", "recoil/results"] {
        let (results, sources) = run(path, &files);
        let text = report(&results, &sources);
        println!("{path}\n{text}{}\n", summary(&results));
        assert!(!results.is_empty(), "{path}");
    }
}
