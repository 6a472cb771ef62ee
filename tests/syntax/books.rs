//! The rulebooks that come with the crate.

use grognard::base::{FileId, Source};
use grognard::syntax;

#[test]
fn every_book_parses() {
    for folder in std::fs::read_dir("rulesets").expect("rulesets").flatten() {
        for book in std::fs::read_dir(folder.path()).expect("folder").flatten() {
            let path = book.path();
            if path.extension().is_none_or(|e| e != "rules") {
                continue;
            }
            let source = Source::new(
                path.display().to_string(),
                std::fs::read_to_string(&path).expect("text"),
            );
            let (tree, found) = syntax::parse(FileId(0), &source);
            assert_eq!(found, [], "{}", path.display());
            assert!(tree.header.is_some() && !tree.items.is_empty());
        }
    }
}
