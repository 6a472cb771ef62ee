//! The parser's work grows with the text, counted in its own calls. The limit is process-wide: this test is alone.

use grognard_base::{FileId, Source};
use grognard_syntax as syntax;
use std::num::NonZeroUsize;

fn fits(source: &Source, calls: usize) -> bool {
    pest::set_call_limit(NonZeroUsize::new(calls));
    let (_, found) = syntax::parse(FileId(0), source);
    found.iter().all(|d| !d.message.contains("takes too long"))
}

/// The calls the dearest item of a text takes.
fn calls(source: &Source) -> usize {
    let (mut low, mut high) = (1, 1000 + 128 * source.text.len());
    assert!(fits(source, high), "{} takes more than {high} calls", &source.text[..200.min(source.text.len())]);
    while low + low / 50 + 1 < high {
        let middle = (low + high) / 2;
        if fits(source, middle) { high = middle } else { low = middle }
    }
    high
}

type Family = (&'static str, fn(usize) -> String);

fn nest(n: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(n), close.repeat(n))
}

const FAMILIES: &[Family] = &[
    ("brackets", |n| format!("let a = {}", nest(n, "(", "1", ")"))),
    ("brackets with a late fault", |n| format!("let a = {}", nest(n, "(", "1 1", ")"))),
    ("lists", |n| format!("let a = {}", nest(n, "[", "1", "]"))),
    ("calls", |n| format!("let a = {}", nest(n, "f(", "1", ")"))),
    ("calls with a late fault", |n| format!("let a = {}", nest(n, "f(", "1 1", ")"))),
    ("named arguments with a late fault", |n| format!("let a = {}", nest(n, "f(a: ", "1 1", ")"))),
    ("statements with a late fault", |n| format!("proc a() {{ {} }}", nest(n - 2, "each x in f(", "1 1", ")"))),
    ("choices with a late fault", |n| format!("proc a() {{ choose {} }}", nest(n - 2, "f(", "1 1", ")"))),
    ("rolls with a late fault", |n| format!("proc a() {{ roll a = {} }}", nest(n - 2, "f(", "1 1", ")"))),
    ("cells with a late fault", |n| format!("table a(b: C): D {{\n| {} |\n}}", nest(n - 2, "f(", "1 1", ")"))),
    ("bands with a late fault", |n| format!("let a = match b {{ over {} => 1 }}", nest(n - 2, "f(", "1 1", ")"))),
    ("tuple patterns", |n| format!("let a = match b {{ {} => 1 }}", nest(n - 2, "(a, ", "1", ")"))),
    ("tuple patterns with a late fault", |n| format!("let a = match b {{ {} => 1 }}", nest(n - 2, "(a, ", "1 1", ")"))),
    ("claims with a late fault", |n| format!("example \"a\" {{ {} }}", nest(n - 2, "f(", "1 1", ")"))),
    ("givens with a late fault", |n| format!("example \"a\" with {} {{ a }}", nest(n - 2, "f(", "1 1", ")"))),
    ("blocks", |n| format!("proc a() {}", nest(n, "{ if b ", "{ stop }", " }").replacen("{ if b ", "{ ", 1))),
    ("if and else", |n| format!("proc a() {{\n{}}}", nest(n - 2, "if b {\n", "stop\n", "} else { stop }\n"))),
    ("if values in brackets", |n| format!("let a = {}", nest(n, "if b then (", "1", ") else 2"))),
    ("matches", |n| format!("let a = {}", nest(n, "match b { c => ", "1", " }"))),
    ("matches with a late fault", |n| format!("let a = {}", nest(n, "match b { c => ", "1 1", " }"))),
    ("queries", |n| format!("let a = {}1", "every x in xs:\n".repeat(n))),
    ("queries with a late fault", |n| format!("let a = {}1 1", "any x in xs where ".repeat(n))),
    ("sums of sums", |n| format!("let a = {}1", "sum x in xs of ".repeat(n))),
    ("queries that lack their last word", |n| format!("let a = {}xs", "most x in ".repeat(n))),
    ("queries in brackets", |n| format!("let a = {}", nest(n, "(any x in xs where ", "1 1", ")"))),
    ("pools", |n| format!("let a = {}", nest(n, "any [", "1", "] > 2"))),
    ("pools with a late fault", |n| format!("let a = {}", nest(n, "any [", "1 1", "] > 2"))),
    ("loops", |n| format!("proc a() {{ {}stop }}", "each x in xs ".repeat(n))),
    ("chains", |n| format!("let a = 1{}", " + 1".repeat(n * 10))),
    ("chains of conditions", |n| format!("let a = b{}", " and b or\nnot b".repeat(n * 5))),
    ("comparisons that chain", |n| format!("let a = b{}", " < b".repeat(n * 10))),
    ("fields", |n| format!("let a = b{}", ".c".repeat(n * 10))),
    ("arguments", |n| format!("let a = f({}1)", "a: 1,\n".repeat(n * 10))),
    ("long lists", |n| format!("let a = [{}1]", "1,\n".repeat(n * 10))),
    ("else if", |n| format!("proc a() {{ if b {{ stop }}{} }}", " else if b { stop }\n".repeat(n))),
    ("rows", |n| format!("let a = match b {{ {} }}", "1 | 2 => 3\n".repeat(n * 10))),
    ("statements", |n| format!("proc a() {{ {} }}", "set b.c = d + 1\n".repeat(n * 10))),
    ("one wrong statement at the end", |n| format!("proc a() {{ {} foo }}", "set b.c = d + 1\n".repeat(n * 10))),
    ("texts", |n| format!("section \"{}\"", "x".repeat(n * 10))),
    ("comments", |n| format!("proc a() {{\n{}stop }}", "# a comment\n".repeat(n * 10))),
    ("blank lines", |n| format!("proc a() {{\n{}stop }}", "\n".repeat(n * 10))),
    ("blanks", |n| format!("let a ={}1", " ".repeat(n * 10))),
    ("cites", |n| format!("cite {}AA-1\nlet a = 1", "AA-1, ".repeat(n * 5))),
    ("members", |n| format!("kind A {{ {} }}", "stat b : 0..9 = 1 \"title\"  cite AA-1\n".repeat(n * 5))),
    ("tables", |n| format!("table a(b: C): D {{ {} }}", "| 1 to 2, 3 | 4 | - | |\n".repeat(n * 5))),
    ("moves", |n| format!("proc a() {{ move b {{ {} }} }}", "at least 3 when b\n".repeat(n * 5))),
];

#[test]
fn work_is_linear() {
    let warm = Source::new("x", "ruleset a/b\n");
    assert!(syntax::parse(FileId(0), &warm).1.is_empty());
    let mut worst = (0, "");
    for (name, text) in FAMILIES {
        let counts: Vec<(usize, usize)> = [15, 30, 60]
            .iter()
            .map(|&n| {
                let source = Source::new(*name, format!("ruleset a/b\n{}\n", text(n)));
                (source.text.len(), calls(&source))
            })
            .collect();
        for pair in counts.windows(2) {
            let ((small, few), (large, many)) = (pair[0], pair[1]);
            let growth = many as u64 * 100 / few as u64;
            let allowed = 115 * large as u64 / small as u64 + 20;
            assert!(growth <= allowed.max(220), "{name}: {counts:?}");
        }
        for (size, calls) in counts {
            assert!(calls <= 1000 + 128 * size, "{name}: {calls} calls for {size} bytes");
            worst = worst.max((calls / size, *name));
        }
    }
    // Real rules are far from the worst case.
    for book in ["warstrike/core", "alternate/activation", "recoil/results"] {
        let path = format!("../../rulesets/{book}.rules");
        let source = Source::new(book, std::fs::read_to_string(path).expect("book"));
        assert!(fits(&source, 1000 + 40 * 4000), "{book}");
    }
    assert!(worst.0 <= 128, "{worst:?}");
}
