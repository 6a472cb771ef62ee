//! Formatting keeps the value and the comments of a TOML text, and formatted text stays as it is.

use grognard_base::{Code, FileId};
use grognard_kit::root;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use toml::Table;

/// Returns the formatted text, after checks that hold for every text.
fn formatted(text: &str) -> String {
    let format =
        |text: &str| grognard_scenario::format(FileId::default(), text).unwrap_or_else(|why| panic!("{why:?}"));
    let after = format(text);
    let value = |text: &str| text.parse::<Table>().unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(format!("{:?}", value(&after)), format!("{:?}", value(text)), "{text}\n{after}");
    assert_eq!(comments(&after), comments(text), "{text}\n{after}");
    assert_eq!(format(&after), after, "{text}");
    let bare = |text: &str| text.replace("\r\n", "\n");
    assert!(after.is_empty() || bare(&after).ends_with('\n') && !bare(&after).ends_with("\n\n"), "{after:?}");
    after
}

/// Returns the comments of a text, without the spaces around them.
fn comments(text: &str) -> Vec<String> {
    let tokens = toml_parser::Source::new(text).lex();
    let comments = tokens.filter(|token| token.kind() == toml_parser::lexer::TokenKind::Comment);
    comments.map(|token| text[token.span().start() + 1..token.span().end()].trim().to_string()).collect()
}

#[track_caller]
fn is(text: &str, wanted: &str) {
    assert_eq!(formatted(text), wanted);
}

#[test]
fn entries_have_single_spaces() {
    is("a=1\n  b   =\t\"x  y\"   \nc . d  = 'z'", "a = 1\nb = \"x  y\"\nc.d = 'z'\n");
    is(
        "at = 1979-05-27 07:32:00\nhex = 0xFF_00\nf = -1.50e3\n",
        "at = 1979-05-27 07:32:00\nhex = 0xFF_00\nf = -1.50e3\n",
    );
    is("", "");
    is("\n\n", "");
    is("\n\na = 1\n\n\n", "a = 1\n");
}

#[test]
fn arrays_and_tables_on_one_line_have_single_spaces() {
    is("a = [1,2 ,3,]\nb={x=1,y=[ ],z={ }}\n", "a = [1, 2, 3]\nb = { x = 1, y = [], z = {} }\n");
    is("a = [ [1],\t[ {b.c=2} ] ]\n", "a = [[1], [{ b.c = 2 }]]\n");
    is("a = [\n\n]\n", "a = []\n");
}

#[test]
fn arrays_over_lines_keep_their_lines() {
    is("rolls = [1,2,\n        3\n]\nnext = 1\n", "rolls = [\n  1, 2,\n  3,\n]\nnext = 1\n");
    is("a = [\n[\n1\n]\n,\n\n\n{ b = 1}]\n", "a = [\n  [\n    1,\n  ],\n\n  { b = 1 },\n]\n");
    is("a = [{ b = [\n1,\n] }]\n", "a = [{ b = [\n  1,\n] }]\n");
    is("a = {\nb = 1,\n  c = 2 }\n", "a = {\n  b = 1,\n  c = 2,\n}\n");
}

#[test]
fn comments_stay_at_their_lines() {
    is("#a\n#!b\n##c\n#:schema x\n#\n#  d  \nk = 1 #e\n", "# a\n#!b\n##c\n#:schema x\n#\n#  d\nk = 1  # e\n");
    is("k  =  1     # far\nlong = 22   # far\n", "k = 1       # far\nlong = 22   # far\n");
    is(
        "a = [ # open\n  1 # one\n  , # comma\n  2 # two\n# last\n] # done\n",
        "a = [  # open\n  1,  # one\n  # comma\n  2,  # two\n  # last\n]  # done\n",
    );
    is("a = [\n# only\n]\n", "a = [\n  # only\n]\n");
}

#[test]
fn one_blank_line_separates_tables() {
    is("[ a ]\nx = 1\n[[ b . \"c\" ]]\n\n\n\ny = 2\n\n\n[d]\n", "[a]\nx = 1\n\n[[b.\"c\"]]\n\ny = 2\n\n[d]\n");
    // the comments directly above a header belong to it
    is("a = 1\n# of b\n# too\n[b]\n", "a = 1\n\n# of b\n# too\n[b]\n");
    is("# file\n\n# of b\n[b]\n", "# file\n\n# of b\n[b]\n");
    is("# of b\n[b]\n", "# of b\n[b]\n");
    is("a = 1\n# of a\n\n[b]\n", "a = 1\n# of a\n\n[b]\n");
    is("[a]  # one\n# two\n[b]\n", "[a]  # one\n\n# two\n[b]\n");
}

#[test]
fn line_ends_and_texts_are_kept() {
    is("a=1\r\n\r\n\r\n# c\r\n[b]\r\nx=[1,\r\n2]", "a = 1\r\n\r\n# c\r\n[b]\r\nx = [\r\n  1,\r\n  2,\r\n]\r\n");
    is("a = \"\"\"  \n  x  \n\n\n\"\"\"\nb=1\n", "a = \"\"\"  \n  x  \n\n\n\"\"\"\nb = 1\n");
    is("\u{feff}a=1\n", "\u{feff}a = 1\n");
}

#[test]
fn a_text_with_errors_is_refused() {
    for text in ["a = ", "a = [1\nb = 2\n", "a = 1\na = 2\n", "ruleset g/x\n"] {
        let found = grognard_scenario::format(FileId::default(), text).unwrap_err();
        assert_eq!(found.code, Code::ScenarioForm, "{text}");
        assert!(found.message.starts_with("the file is not valid TOML: "), "{}", found.message);
    }
}

fn toml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && name != "node_modules" && !name.to_string_lossy().starts_with('.') {
            toml_files(&path, found);
        } else if path.extension().is_some_and(|end| end == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_the_project_can_be_formatted() {
    let mut files = Vec::new();
    for folder in ["crates", "docs", "examples", "rulesets", "tests"] {
        toml_files(&root().join(folder), &mut files);
    }
    // a template with a place for the name of the project is not TOML
    files.retain(|file| !file.ends_with("cli/src/new/grognard.toml"));
    assert!(files.len() > 300, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let after = formatted(&text);
        for line in after.lines().filter(|_| !text.contains("\"\"\"") && !text.contains("'''")) {
            assert_eq!(line.trim_end(), line, "{}", file.display());
        }
    }
}

/// Returns a blank, or nothing, with the spaces of a careless author.
fn spaces() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " ", "  ", "\t", "      "])
}

fn scalar() -> impl Strategy<Value = String> {
    let all = [
        "1",
        "0xFF",
        "1_000",
        "-1.5e3",
        "inf",
        "true",
        "1979-05-27T07:32:00Z",
        "1979-05-27 07:32:00",
        "07:32:00",
        "\"\"",
        "\"a # b\"",
        "'c, ] }'",
        "\"\"\"\n  two  \n\n\nlines\"\"\"",
        "'''x\n'y'''",
        "\"\\\"[\"",
        "\"é\"",
    ];
    let all = all.into_iter().map(str::to_string).collect::<Vec<String>>();
    prop::sample::select(all)
}

/// Returns what can be between two entries of an array.
fn between() -> impl Strategy<Value = String> {
    (spaces(), prop::sample::select(vec!["", "", "", "\n", "\n\n\n", "#c\n", "# d\n", "\n# e, [\n\n", "   ## f\n"]))
        .prop_map(|(space, text)| format!("{space}{text}"))
}

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        let entry = (between(), inner, between()).prop_map(|(a, value, b)| format!("{a}{value}{b}")).boxed();
        let comma = prop::bool::ANY;
        let joined = move |entries: Vec<String>, last: bool, end: String| {
            let comma = if last && !entries.is_empty() { "," } else { "" };
            format!("{}{comma}{end}", entries.join(","))
        };
        let array = (prop::collection::vec(entry.clone(), 0..4), comma, between())
            .prop_map(move |(entries, last, end)| format!("[{}]", joined(entries, last, end)));
        let table = (prop::collection::vec((between(), spaces(), entry), 0..3), comma, between()).prop_map(
            move |(entries, last, end)| {
                // a value begins on the line of its key
                let entry = |(n, (a, space, value)): (usize, (String, &str, String))| {
                    let value = value.trim_start();
                    let value = if value.starts_with('#') { "1" } else { value };
                    format!("{a}k{n}{space}={space}{value}")
                };
                let entries = entries.into_iter().enumerate().map(entry).collect();
                format!("{{{}}}", joined(entries, last, end))
            },
        );
        prop_oneof![array, table]
    })
}

fn line() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec!["", "", "#c", "# c", "##", "    # far"]);
    let entry = (spaces(), spaces(), value(), spaces(), comment)
        .prop_map(|(a, b, value, c, comment)| format!("{a}key{b}={b}{value}{c}{comment}"));
    let header = (spaces(), spaces(), prop::bool::ANY, spaces()).prop_map(|(a, b, list, c)| match list {
        true => format!("{a}[[{b}table{c}.{b}\"x\"]]{c}"),
        false => format!("{a}[{b}table{c}]{c}# h"),
    });
    let other = prop::sample::select(vec!["", "", "  ", "# c", "  #c", "#", "#!x"]).prop_map(str::to_string);
    prop_oneof![3 => entry, 2 => header, 3 => other]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_documents_keep_their_meaning(lines in prop::collection::vec(line(), 0..12), carriage in prop::bool::ANY) {
        // each name is used once
        let lines: Vec<String> = lines.iter().enumerate().map(|(n, line)| {
            line.replacen("key", &format!("key{n}"), 1).replacen("table", &format!("table{n}"), 1)
        }).collect();
        let text = lines.join("\n") + "\n";
        prop_assert!(text.parse::<Table>().is_ok(), "{text}");
        formatted(&if carriage { text.replace('\n', "\r\n") } else { text });
    }

    #[test]
    fn random_texts_are_refused_or_keep_their_meaning(text in "([abc]|=|1|\\[|\\]|\\{|\\}|,|\\.|\"|'| |\t|\n|\r\n|#){0,24}") {
        if text.parse::<Table>().is_ok() {
            formatted(&text);
        } else {
            prop_assert!(grognard_scenario::format(FileId::default(), &text).is_err());
        }
    }
}
