//! The rulebooks that come with the crate: they parse.

use grognard_base::{FileId, Source};
use grognard_syntax::{self as syntax, tree::File};

/// Every `.rules` file under `rulesets`, by path.
pub fn books() -> Vec<Source> {
    let mut all = Vec::new();
    for folder in std::fs::read_dir("../../rulesets").expect("rulesets").flatten() {
        for book in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = book.path();
            let name = path.to_string_lossy();
            // a file of examples has no header
            if name.ends_with(".rules") && !name.ends_with(syntax::EXAMPLES) {
                let text = std::fs::read_to_string(&path).expect("text");
                all.push(Source::new(path.display().to_string(), text));
            }
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(all.len() >= 6);
    all
}

/// Whether each line of a text is part of a paragraph.
pub fn prose(text: &str) -> Vec<bool> {
    let mut lines = vec![false; text.lines().count()];
    for token in syntax::scan(text).filter(|token| token.kind == syntax::Lexeme::Prose) {
        let first = text[..token.start].matches('\n').count();
        let count = token.text(text).trim_end().matches('\n').count();
        lines[first..=first + count].fill(true);
    }
    lines
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
fn what_the_grammar_reads_is_short() {
    for book in books() {
        let dump = syntax::dump(&book.text);
        assert!(dump.lines().count() > tree(&book).items.len());
        assert!(dump.len() < 12 * book.text.len());
    }
}
