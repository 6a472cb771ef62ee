//! Any bytes as rules end in findings, never in a panic, and soon.

use crate::common;
use crate::common::{Shelf, root};
use crate::paper;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Longer than any of these small texts may take, on a slow and busy machine.
const SOON: Duration = Duration::from_secs(5);

/// The shipped rules, cut at empty lines into pieces that are small enough to be read many times.
static PIECES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut pieces = Vec::new();
    for book in
        ["warstrike/core", "warstrike/action-phase", "warstrike/leadership", "alternate/activation", "recoil/results"]
    {
        let text = std::fs::read_to_string(root().join(format!("rulesets/{book}.rules"))).unwrap();
        let items: Vec<&str> = text.split("\n\n").skip(1).collect();
        pieces.extend(items.chunks(6).map(|chunk| chunk.join("\n\n")));
    }
    pieces
});

/// The shipped files of WarStrike.
static WARSTRIKE: LazyLock<Shelf> = LazyLock::new(|| {
    let mut shelf = Shelf::default();
    for file in ["table.rules", "core.rules", "action-phase.rules", "leadership.rules", "salvo-threshold.rules"] {
        let path = format!("warstrike/{file}");
        let text = common::text_of(&format!("rulesets/{path}"));
        shelf.0.insert(path, text);
    }
    shelf
});

/// Loads a text as a whole ruleset.
fn read(text: &str) {
    let mut shelf = Shelf::default();
    shelf.0.insert("page/bad.rules".into(), text.to_string());
    load_soon(&shelf, "page/bad", text);
}

/// Loads a ruleset of the shelf; `text` is shown if that goes wrong.
fn load_soon(shelf: &Shelf, path: &str, text: &str) {
    let began = Instant::now();
    let (loaded, sources) = shelf.load(path);
    let said = paper::shown(&loaded.problems, &sources);
    assert!(began.elapsed() < SOON, "took {:?}:\n{text}", began.elapsed());
    assert!(loaded.ruleset.is_some() || !said.is_empty(), "refused without a word:\n{text}");
}

/// One small change to a text.
#[derive(Clone, Debug)]
enum Change {
    Cut(prop::sample::Index, usize),
    Put(prop::sample::Index, String),
    Double(prop::sample::Index, usize),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let index = any::<prop::sample::Index>;
    let signs = prop::sample::select(vec![
        "{", "}", "(", ")", "[", "]", "|", "\"", "\n", ";", ",", "=", "=>", "..", "+", "-", "?", ".", "no ", "of ",
        "match ", "if ", "when ", "d6", "9999999999", "0", "-1", "X", "x", "é", "\u{202e}", "\0", "\t", "#",
        "cite WA-1", "none", "up ", "rounded down",
    ]);
    let change = prop_oneof![
        (index(), 1..40usize).prop_map(|(at, n)| Change::Cut(at, n)),
        (index(), signs).prop_map(|(at, sign)| Change::Put(at, sign.to_string())),
        (index(), 1..60usize).prop_map(|(at, n)| Change::Double(at, n)),
        (index(), index()).prop_map(|(a, b)| Change::Swap(a, b)),
    ];
    prop::collection::vec(change, 1..5)
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for change in changes {
        let len = signs.len().max(1);
        match change {
            Change::Cut(at, n) => {
                let at = at.index(len);
                let end = (at + n).min(signs.len());
                signs.drain(at.min(end)..end);
            }
            Change::Put(at, sign) => {
                let at = at.index(len).min(signs.len());
                signs.splice(at..at, sign.chars());
            }
            Change::Double(at, n) => {
                let at = at.index(len).min(signs.len());
                let piece: Vec<char> = signs[at..(at + n).min(signs.len())].to_vec();
                signs.splice(at..at, piece);
            }
            Change::Swap(a, b) => {
                if !signs.is_empty() {
                    let (a, b) = (a.index(signs.len()), b.index(signs.len()));
                    signs.swap(a, b);
                }
            }
        }
    }
    signs.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_words(words in prop::collection::vec("[a-zA-Z0-9 .,|=<>(){}\\[\\]\"\n+-]{1,12}", 0..40)) {
        read(&format!("ruleset page/bad\n{}", words.join(" ")));
    }

    #[test]
    fn shipped_rules_with_mistakes(at in any::<prop::sample::Index>(), changes in changes()) {
        let piece = &PIECES[at.index(PIECES.len())];
        read(&format!("ruleset page/bad\n{}", changed(piece, &changes)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn whole_books_with_mistakes(file in 0..5usize, changes in changes()) {
        let mut shelf = WARSTRIKE.clone();
        let text = shelf.0.values_mut().nth(file).unwrap();
        *text = changed(text, &changes);
        let text = text.clone();
        load_soon(&shelf, "warstrike/salvo-threshold", &text);
        load_soon(&shelf, "warstrike/action-phase", &text);
    }
}
