//! The rulebooks that come with the crate: they parse, and printing and formatting change nothing.

use grognard::base::{FileId, Source};
use grognard::syntax::{self, tree::File};

/// Every `.rules` file under `rulesets`, by path.
pub fn books() -> Vec<Source> {
    let mut all = Vec::new();
    for folder in std::fs::read_dir("rulesets").expect("rulesets").flatten() {
        for book in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = book.path();
            if path.extension().is_some_and(|e| e == "rules") {
                let text = std::fs::read_to_string(&path).expect("text");
                all.push(Source::new(path.display().to_string(), text));
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(all.len() >= 6);
    all
}

pub fn tree(source: &Source) -> File {
    let (tree, found) = syntax::parse(FileId(0), source);
    assert_eq!(found, [], "{}", source.name);
    assert!(tree.header.is_some() && !tree.items.is_empty());
    tree
}

#[test]
fn every_book_parses() {
    for book in books() {
        tree(&book);
    }
}

#[test]
fn printed_items_read_the_same() {
    for book in books() {
        let before = tree(&book);
        let mut text = "ruleset a/b\n".to_string();
        for item in &before.items {
            text.push_str(&syntax::print_item(item));
            text.push('\n');
        }
        let after = tree(&Source::new("printed", text));
        assert_eq!(before.items.len(), after.items.len());
        for (a, b) in before.items.iter().zip(&after.items) {
            assert!(syntax::same(a, b), "{}\n{}", syntax::print_item(a), syntax::print_item(b));
        }
    }
}

#[test]
fn the_dump_is_short_and_has_no_places() {
    for book in books() {
        let dump = syntax::dump(&tree(&book));
        assert!(!dump.contains("span:"), "{dump}");
        assert!(dump.len() < 12 * book.text.len());
    }
}
