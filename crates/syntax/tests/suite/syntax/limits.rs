//! Size limits: the last value that is read, and the first that is not. And nothing makes the reader crash.

use super::books::books;
use grognard_base::{Code, FileId, Source};
use grognard_syntax::{self as syntax, limits};
use proptest::prelude::*;

fn codes(text: String) -> Vec<Code> {
    syntax::parse(FileId(0), &Source::new("x", text)).1.iter().map(|d| d.code).collect()
}

fn item(item: &str) -> Vec<Code> {
    codes(format!("ruleset a/b\n{item}\nlet last = 1\n"))
}

#[test]
fn bytes_of_a_file() {
    let text = |n: usize| {
        let mut text = "ruleset a/b\nlet a = 1\n".to_string();
        while text.len() + 1000 < n {
            text.push_str(&format!("#{}\n", "x".repeat(998)));
        }
        let rest = n - text.len();
        text.push_str(&"#".repeat(rest));
        text
    };
    assert_eq!(codes(text(limits::FILE_BYTES)), []);
    assert_eq!(codes(text(limits::FILE_BYTES + 1)), [Code::TooLarge]);
}

#[test]
fn lines_of_a_file() {
    let text = |n: usize| format!("ruleset a/b\n{}let a = 1", "\n".repeat(n - 2));
    assert_eq!(codes(text(limits::FILE_LINES)), []);
    assert_eq!(codes(text(limits::FILE_LINES + 1)), [Code::TooLarge]);
}

#[test]
fn bytes_of_a_line() {
    let line = |n: usize| format!("let a = 1 #{}", "x".repeat(n - 11));
    assert_eq!(item(&line(limits::LINE_BYTES)), []);
    assert_eq!(item(&line(limits::LINE_BYTES + 1)), [Code::TooLarge]);
}

#[test]
fn open_brackets() {
    let nest = |n: usize| format!("let a = {}1{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(item(&nest(limits::OPEN_BRACKETS)), []);
    assert_eq!(item(&nest(limits::OPEN_BRACKETS + 1)), [Code::TooDeep]);
}

#[test]
fn nested_queries() {
    let nest = |n: usize| format!("let a = {}yes", "every x in xs: ".repeat(n));
    assert_eq!(item(&nest(limits::NESTED_QUERIES)), []);
    assert_eq!(item(&nest(limits::NESTED_QUERIES + 1)), [Code::TooDeep]);
    let lines = |n: usize| format!("let a = {}yes", "every x in xs:\n".repeat(n));
    assert_eq!(item(&lines(limits::NESTED_QUERIES + 1)), [Code::TooDeep]);
    let loops = |n: usize| format!("proc a() {{ {}stop }}", "repeat ".repeat(n));
    assert_eq!(item(&loops(limits::NESTED_QUERIES)), []);
    assert_eq!(item(&loops(limits::NESTED_QUERIES + 1)), [Code::TooDeep]);
    let moves = |n: usize| format!("proc a() {{ {}stop }}", "move u { at most 1 } else ".repeat(n));
    assert_eq!(item(&moves(limits::NESTED_QUERIES + 1)), [Code::TooDeep]);
    // Queries beside each other do not nest.
    let beside = format!("let a = [{}]", vec!["any x in xs"; 200].join(", "));
    assert_eq!(item(&beside), []);
}

#[test]
fn operators() {
    let chain = |n: usize| {
        format!("let a = 1{}", " + 1".repeat(n))
            .replace("1 + 1 + 1 + 1 + 1 + 1 + 1 + 1", "1 + 1 + 1 + 1 + 1 + 1 + 1 +\n1")
    };
    assert_eq!(item(&chain(limits::OPERATORS)), []);
    assert_eq!(item(&chain(limits::OPERATORS + 1)), [Code::TooLarge]);
}

#[test]
fn names_texts_and_digits() {
    assert_eq!(item(&format!("let {} = 1", "a".repeat(limits::NAME_BYTES))), []);
    assert_eq!(item(&format!("let {} = 1", "a".repeat(limits::NAME_BYTES + 1))), [Code::TooLarge]);
    assert_eq!(item(&format!("let a \"{}\" = 1", "a".repeat(limits::TEXT_BYTES))), []);
    assert_eq!(item(&format!("let a \"{}\" = 1", "a".repeat(limits::TEXT_BYTES + 1))), [Code::TooLarge]);
    assert_eq!(item("let a = 999999999.999"), []);
    assert_eq!(item("let a = 1000000000"), [Code::BadNumber]);
    assert_eq!(item("let a = 1.0001"), [Code::BadNumber]);
    assert_eq!(item(&format!("let a = {}", "9".repeat(limits::DIGITS + 1))), [Code::BadNumber]);
    assert_eq!(item("let a = 99999999999d6"), [Code::BadNumber]);
    assert_eq!(item("let a = 1\u{0}"), [Code::Syntax]);
    assert_eq!(item("let a = 1\u{7}"), [Code::Syntax]);
}

/// The deepest text that is read: 64 brackets and 64 queries, all operators at each level.
fn deepest() -> String {
    let open = "not a otherwise b or c and -d + e * (every x in xs:\n";
    let open = open.replace("not a otherwise b or c and", "not a or c and");
    format!("ruleset a/b\nlet deep = {}f(yes){}\n", open.repeat(63), ")".repeat(63))
}

#[test]
fn the_deepest_text_fits_a_small_thread() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let work = || {
        let source = Source::new("x", deepest());
        let (tree, found) = syntax::parse(FileId(0), &source);
        assert_eq!(found, []);
        assert_eq!(tree.items.len(), 1);
        let formatted = syntax::format(FileId(0), &source);
        assert!(formatted.is_ok());
    };
    small.spawn(work).expect("thread").join().expect("no crash");
}

#[test]
fn blocks_as_deep_as_they_may_be() {
    let text = format!("ruleset a/b\nproc p() {{\n{}stop\n{}}}\n", "if (a) {\n".repeat(62), "}\n".repeat(62));
    assert_eq!(codes(text), []);
    let text = format!("ruleset a/b\nlet p = {}1{}\n", "match n { else => ".repeat(64), " }".repeat(64));
    assert_eq!(codes(text), []);
}

/// Ends, and leaves spans inside the text.
fn survives(text: &str) {
    let source = Source::new("x", text);
    let (tree, found) = syntax::parse(FileId(0), &source);
    for one in &found {
        if let Some(span) = one.span {
            assert!(span.start <= span.end && span.end as usize <= text.len() + 1, "{one:?}");
        }
        assert!(!one.message.is_empty());
    }
    for item in &tree.items {
        assert!(text.get(item.span.start as usize..item.span.end as usize).is_some());
    }
    if found.is_empty() {
        let once = syntax::format(FileId(0), &source).expect("it parses");
        let again = syntax::format(FileId(0), &Source::new("x", once.clone())).expect("it parses");
        assert_eq!(once, again);
        assert!(syntax::same(text, &once));
    }
    let _ = syntax::parse_expr(FileId(0), &source);
    let _ = syntax::parse_stmt(FileId(0), &source);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,300}") {
        survives(&text);
    }

    #[test]
    fn any_signs(text in "[a-eA-E0-9 \n\"#(){}\\[\\]|=<>.,;:+*/-]{0,300}") {
        survives(&format!("ruleset a/b\n{text}"));
    }

    #[test]
    fn words_of_the_language(words in prop::collection::vec(prop::sample::select(vec![
        "let", "a", "=", "if", "then", "else", "match", "{", "}", "(", ")", "any", "x", "in", "where", "1", "d6", "\n", "\n", "each",
        "move", "at", "most", "choose", "or", "none", "and", "B", "=>", "|", "..", "proc", "test", "example", "\"t\"", "cite AA-1\n", "# c\n", ";", ",",
        "repeat", "set", "u.x", "+", "-", "kind", "table", ":", "Int",
    ]), 0..80)) {
        survives(&format!("ruleset a/b\n{}", words.join(" ")));
    }

    #[test]
    fn changed_books(book in 0usize..6, from in 0usize..40_000, len in 0usize..40, put in "[a-z(){}\\[\\]\"\n#;,=|.0-9 ]{0,6}") {
        let books = books();
        let text = &books[book % books.len()].text;
        let mut start = from % text.len();
        while !text.is_char_boundary(start) { start -= 1; }
        let mut end = (start + len).min(text.len());
        while !text.is_char_boundary(end) { end -= 1; }
        let end = end.max(start);
        survives(&format!("{}{put}{}", &text[..start], &text[end..]));
    }
}
