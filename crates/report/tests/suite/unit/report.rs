//! Pinned forms, and any spans at all.

use grognard_base::Diagnostic;
use grognard_base::Source;
use grognard_base::Sources;
use grognard_base::Span;
use grognard_base::{Code, FileId};
use grognard_report::*;
use proptest::prelude::*;

const RULES: &str =
    "ruleset demo/first\n\nkind Unit { stat nv : 0..6 }\n\nlet Unit.shaky = gon or nv < 2\nlet Unit.shaky = no\n";

fn two_files() -> Sources {
    let mut sources = Sources::default();
    sources.add(Source::new("demo/first.rules", RULES));
    sources.add(Source::new("demo/second.rules", "variant demo/second of demo/first\r\nparam reach = 6\"\r\n"));
    sources
}

fn find(file: u16, text: &str, word: &str) -> Span {
    let at = text.find(word).unwrap();
    Span::new(FileId(file), at, at + word.len())
}

fn findings() -> Vec<Diagnostic> {
    let again = RULES.rfind("Unit.shaky").unwrap();
    vec![
        Diagnostic::new(Code::Twice, Span::new(FileId(0), again, again + 10), "`Unit.shaky` is declared already")
            .label("again here")
            .and(find(0, RULES, "Unit.shaky"), "first here"),
        Diagnostic::new(Code::UnknownName, find(0, RULES, "gon"), "unknown name `gon`; did you mean `gone`?"),
        Diagnostic::new(Code::NotInVariant, Span::new(FileId(1), 35, 41), "a variant may not redo `reach`")
            .and(find(0, RULES, "kind Unit"), "the base begins here"),
        Diagnostic::general(Code::Unreadable, "demo/third.rules: no such file"),
    ]
}

fn human(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    render(diagnostics, sources, Format::Human { colour: false, width: 80 })
}

#[test]
fn for_people() {
    insta::assert_snapshot!(human(&findings(), &two_files()));
}

#[test]
fn in_colour() {
    let text = render(&findings()[1..2], &two_files(), Format::Human { colour: true, width: 80 });
    insta::assert_snapshot!(text.replace('\u{1b}', "^"));
}

#[test]
fn in_one_line() {
    insta::assert_snapshot!(grognard_base::render_lines(&findings(), &two_files()));
}

#[test]
fn for_programs() {
    insta::assert_snapshot!(render(&findings()[..1], &two_files(), Format::Json));
    let all: serde_json::Value = serde_json::from_str(&render(&findings(), &two_files(), Format::Json)).unwrap();
    assert_eq!(all["diagnostics"][0]["file"], serde_json::Value::Null);
    assert_eq!(all["diagnostics"].as_array().unwrap().len(), 4);
}

#[test]
fn hostile_texts() {
    let mut sources = Sources::default();
    let text = "let a = \u{1b}[31mred\u{202e}evil\u{7}\nlet\tb\u{9b}2J = 1\n";
    sources.add(Source::new("a\u{1b}]0;x\u{7}.rules", text));
    let span = Span::new(FileId(0), text.find("red").unwrap(), text.find("evil").unwrap());
    let all =
        [Diagnostic::new(Code::Syntax, span, "no \u{1b}[2J\u{2066}\nthing").label("he\u{202e}re").help("do\r\nit")];
    insta::assert_snapshot!(human(&all, &sources));
    for format in [Format::Human { colour: false, width: 80 }, Format::Short, Format::Json] {
        let text = render(&all, &sources, format);
        assert!(text.chars().all(|c| c == '\n' || !grognard_base::safe::is_unsafe(c)), "{text:?}");
    }
    let json: serde_json::Value = serde_json::from_str(&render(&all, &sources, Format::Json)).unwrap();
    assert_eq!(json["diagnostics"][0]["message"], "no \u{1b}[2J\u{2066}\nthing");
}

#[test]
fn odd_places() {
    let mut sources = Sources::default();
    sources.add(Source::new("empty.rules", ""));
    sources.add(Source::new("end.rules", "ruleset a/b\r\n"));
    sources.add(Source::new("long.rules", format!("let a = {}\nlet b = 1", "x".repeat(70_000))));
    let at = |file, start, end| Diagnostic::new(Code::Syntax, Span { file: FileId(file), start, end }, "here");
    let all = [at(0, 0, 0), at(1, 13, 13), at(1, 11, u32::MAX), at(2, 69_000, 69_001), at(9, 1, 2), at(2, 0, u32::MAX)];
    insta::assert_snapshot!(human(&all, &sources));
}

#[test]
fn no_more_than_fifty() {
    let one = |code| Diagnostic::general(code, "x");
    let all: Vec<Diagnostic> =
        (0..70).map(|n| one(if n % 7 == 0 { Code::Gap } else { Code::Unused })).chain([one(Code::Uncited)]).collect();
    let text = grognard_base::render_lines(&all, &Sources::default());
    assert_eq!(text.lines().count(), grognard_base::MOST_SHOWN + 1);
    assert_eq!(text.matches("error[R0501]").count(), 10);
    assert_eq!(text.lines().last(), Some("21 more not shown: 20 warnings, 1 remark"));
    assert_eq!(render(&all, &Sources::default(), Format::Json).matches("\"code\"").count(), 71);
    assert_eq!(grognard_base::render_lines(&[], &Sources::default()), "");
}

/// Text with all that is awkward to draw.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z ]{0,12}",
        2 => Just("\n".to_string()),
        1 => Just("\r\n".to_string()),
        1 => Just("\t".to_string()),
        1 => Just("é日本🎲👨‍👩‍👧".to_string()),
        1 => Just("a\u{301}\u{1b}[1m\u{202e}\u{0}".to_string()),
        1 => any::<char>().prop_map(String::from),
        1 => Just("y".repeat(4200)),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|p| p.concat())
}

proptest! {
    #[test]
    fn never_panics(
        texts in proptest::collection::vec(awkward(), 0..3),
        spans in proptest::collection::vec(
            (0u16..4, prop_oneof![0u32..60, any::<u32>()], prop_oneof![0u32..60, any::<u32>()]), 0..6),
        message in awkward(), label in awkward(), width in prop_oneof![0usize..200, any::<usize>()], colour: bool,
    ) {
        let mut sources = Sources::default();
        for (n, text) in texts.iter().enumerate() {
            sources.add(Source::new(format!("{n}{message}"), text.clone()));
        }
        let span = |(file, start, end): &(u16, u32, u32)| Span { file: FileId(*file), start: *start, end: *end };
        let mut all = Vec::new();
        for n in 0..spans.len() {
            let mut d = Diagnostic::new(Code::Gap, span(&spans[n]), message.clone()).label(label.clone()).help(label.clone());
            for other in &spans[n + 1..] {
                d = d.and(span(other), label.clone());
            }
            all.push(d);
        }
        let text = render(&all, &sources, Format::Human { colour, width });
        prop_assert!(!text.contains("Failed to read"), "{}", text);
        prop_assert!(text.chars().all(|c| c == '\n' || (colour && c == '\u{1b}') || !grognard_base::safe::is_unsafe(c)), "{:?}", text);
        let _ = grognard_base::render_lines(&all, &sources);
        let json = render(&all, &sources, Format::Json);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }
}
