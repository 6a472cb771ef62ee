//! Counts phrases that are not standard English in the docs, the help, the messages, the page and the comments. The list and the
//! budgets are in `tests/words.toml`.

use crate::common::root;
use fancy_regex::Regex;
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// A text that a reader sees, with its first line in the file.
struct Passage {
    file: String,
    line: usize,
    text: String,
}

/// Maximum number of places that a failure lists.
const SHOWN: usize = 20;
/// A budget must be lowered if the count is lower by more than this.
const SLACK: usize = 20;

#[test]
fn texts_are_in_standard_english() {
    let list: toml::Table = read_to_string(root().join("tests/words.toml")).unwrap().parse().unwrap();
    let phrases: Vec<(Regex, &str)> = list["phrase"].as_table().unwrap().iter().map(|(p, i)| phrase(p, i)).collect();
    let mut passages: BTreeMap<&str, Vec<Passage>> = BTreeMap::new();
    for file in files() {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let Ok(text) = read_to_string(&file) else { continue };
        match file.extension().and_then(|e| e.to_str()) {
            Some("md") if name.starts_with("docs/commands/") => {
                passages.entry("help").or_default().push(Passage { file: name, line: 1, text: without_code(&text) });
            }
            Some("md") => passages.entry("docs").or_default().extend(paragraphs(&name, &text)),
            // the files of a new project: their comments, and the words of their clauses
            Some("rules" | "toml") => {
                let words = |line| if str::starts_with(line, ['#', 's']) { line } else { "" };
                let text = text.lines().map(words).collect::<Vec<_>>().join("\n");
                passages.entry("docs").or_default().extend(paragraphs(&name, &text));
            }
            Some("txt" | "html") => {
                let register = if name.starts_with("studio") { "page" } else { "messages" };
                passages.entry(register).or_default().extend(paragraphs(&name, &text));
            }
            _ => {
                let strings = if name.starts_with("studio/src") { "page" } else { "messages" };
                for (comment, passage) in pieces(&name, &text) {
                    passages.entry(if comment { "comments" } else { strings }).or_default().push(passage);
                }
            }
        }
    }
    let mut wrong = String::new();
    for (register, budget) in list["budget"].as_table().unwrap() {
        let all = passages.get(register.as_str()).map_or(&[][..], Vec::as_slice);
        assert!(!all.is_empty(), "no text is read for {register}");
        let found: Vec<String> = all.iter().flat_map(|passage| places(passage, &phrases)).collect();
        let budget = budget.as_integer().unwrap() as usize;
        if found.len() > budget {
            let places = found.iter().take(SHOWN).map(|place| format!("  {place}\n")).collect::<String>();
            wrong += &format!("{register}: {} places, and the budget is {budget}:\n{places}", found.len());
        } else if found.len() + SLACK < budget {
            wrong += &format!("{register}: {} places; lower the budget of {budget} in tests/words.toml\n", found.len());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A phrase that is in the list is found, and code is skipped.
#[test]
fn a_listed_phrase_is_found_in_each_kind_of_text() {
    let instead = toml::Value::String("fix".into());
    let mend = [phrase(r"\bmend(s|ed)?\b", &instead)];
    let count = |passages: &[Passage]| passages.iter().flat_map(|p| places(p, &mend)).count();
    assert_eq!(count(&paragraphs("a.md", "It is mended.\n\n```\nmend\n```\n\n`mend` and mend\n")), 2);
    let code =
        "// mends it\nlet x = \"the mended text\"; // a \"mended\" quote\nlet mend = 'm'; let y = r#\"x mends y\"#;\n";
    let (comments, strings): (Vec<_>, Vec<_>) = pieces("a.rs", code).into_iter().partition(|(comment, _)| *comment);
    assert_eq!(count(&comments.into_iter().map(|(_, p)| p).collect::<Vec<_>>()), 2);
    assert_eq!(count(&strings.into_iter().map(|(_, p)| p).collect::<Vec<_>>()), 2);
}

fn phrase<'l>(pattern: &str, instead: &'l toml::Value) -> (Regex, &'l str) {
    (Regex::new(&format!("(?i){}", pattern.replace(' ', r"\s+"))).unwrap(), instead.as_str().unwrap())
}

/// Returns the places of phrases in a text, as `file:line: phrase -> instead`.
fn places(passage: &Passage, phrases: &[(Regex, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (regex, instead) in phrases {
        for place in regex.find_iter(&passage.text).map(Result::unwrap) {
            let line = passage.line + passage.text[..place.start()].matches('\n').count();
            let words = place.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(format!("{}:{line}: {words} -> {instead}", passage.file));
        }
    }
    found
}

/// Returns the files whose texts are counted.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "rulesets/README.md", "studio/src/index.html"]
            .iter()
            .map(|name| root().join(name))
            .collect();
    for (folder, kinds) in [
        ("docs", &["md"][..]),
        ("src", &["rs"]),
        ("crates/cli/src/new", &["rules", "toml"]),
        ("crates", &["rs", "txt"]),
        ("studio/src", &["ts"]),
    ] {
        walk(&root().join(folder), kinds, &mut files);
    }
    files.retain(|file| !file.ends_with("SUMMARY.md"));
    files.sort();
    files
}

fn walk(folder: &Path, kinds: &[&str], files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap();
        if entry.is_dir() && !["tests", "target", "snapshots"].contains(&name) {
            walk(&entry, kinds, files);
        } else if kinds.iter().any(|kind| entry.extension().is_some_and(|e| e == *kind)) {
            files.push(entry);
        }
    }
}

/// Replaces the text between code marks, so that no phrase is found in code. Line ends stay.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        let code = n % 2 == 1 && part.matches('\n').count() <= 1;
        out.push_str(if code { "_" } else { part });
        out.extend(part.matches('\n').filter(|_| code));
    }
    out
}

/// Returns the lines of a Markdown text, where those of code blocks are empty.
fn unfenced(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let line = |line| {
        let fence = str::trim_start(line).starts_with("```");
        fenced ^= fence;
        if fence || fenced { "" } else { line }
    };
    text.lines().map(line).collect()
}

/// Returns the paragraphs of a Markdown page outside its code blocks.
fn paragraphs(file: &str, text: &str) -> Vec<Passage> {
    let lines = unfenced(text);
    let mut found = Vec::new();
    let mut start = 0;
    for (n, line) in lines.iter().chain([&""]).enumerate() {
        if line.trim().is_empty() {
            if start < n {
                let text = without_code(&lines[start..n].join("\n"));
                found.push(Passage { file: file.into(), line: start + 1, text });
            }
            start = n + 1;
        }
    }
    found
}

/// Returns the comments (`true`) and the string literals of a Rust or TypeScript file. Comments on consecutive lines are one text.
fn pieces(file: &str, text: &str) -> Vec<(bool, Passage)> {
    let bytes = text.as_bytes();
    let script = file.ends_with(".ts");
    let mut found: Vec<(bool, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let from = |end: Option<usize>| end.map_or(text.len(), |end| at + end);
        if rest.starts_with("//") {
            let end = from(rest.find('\n'));
            found.push((true, at, end));
            at = end;
        } else if rest.starts_with("/*") {
            let end = from(rest.find("*/"));
            found.push((true, at, end));
            at = (end + 2).min(text.len());
        } else if !script && (rest.starts_with("r\"") || rest.starts_with("r#")) && !is_word(bytes, at) {
            let marks = rest[1..].bytes().take_while(|b| *b == b'#').count();
            if !rest[1 + marks..].starts_with('"') {
                at += 1;
                continue;
            }
            let start = at + marks + 2;
            let end = text[start..].find(&format!("\"{}", "#".repeat(marks))).map_or(text.len(), |end| start + end);
            found.push((false, start, end));
            at = (end + 1 + marks).min(text.len());
        } else if bytes[at] == b'"' || script && (bytes[at] == b'`' || bytes[at] == b'\'') {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != bytes[at] {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let end = end.min(bytes.len());
            found.push((false, at + 1, end));
            at = end + 1;
        } else if script && bytes[at] == b'/' && opens_regex(&text[..at]) {
            // a regular expression may contain quotes
            let mut end = at + 1;
            while end < bytes.len() && !matches!(bytes[end], b'/' | b'\n') {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            at = (end + 1).min(bytes.len());
        } else if bytes[at] == b'\'' {
            // a character, or a lifetime
            at += match rest.as_bytes() {
                [_, b'\\', _, ..] => 3 + rest[3..].find('\'').unwrap_or(0) + 1,
                _ => rest
                    .chars()
                    .nth(1)
                    .map_or(1, |c| if rest[1 + c.len_utf8()..].starts_with('\'') { 2 + c.len_utf8() } else { 1 }),
            };
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let mut all: Vec<(bool, Passage)> = Vec::new();
    for (comment, start, end) in found {
        let body = text.get(start..end).unwrap_or_default();
        let first = line(start);
        if let Some((true, last)) = all.last_mut()
            && comment
            && last.line + last.text.matches('\n').count() + 1 == first
        {
            last.text += &format!("\n{}", unmarked(body));
        } else if comment {
            all.push((true, Passage { file: file.into(), line: first, text: unmarked(body) }));
        } else if body.contains(' ') {
            let text = without_code(&body.replace("\\n", " "));
            all.push((false, Passage { file: file.into(), line: first, text }));
        }
    }
    for (comment, passage) in &mut all {
        if *comment {
            passage.text = without_code(&unfenced(&passage.text).join("\n"));
        }
    }
    all
}

/// Returns whether a `/` after this text begins a regular expression of TypeScript.
fn opens_regex(before: &str) -> bool {
    before.trim_end().ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '+', '>'])
}

/// Returns whether the byte before `at` belongs to a name.
fn is_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
}

/// Returns a comment without its marks.
fn unmarked(comment: &str) -> String {
    comment.trim_start_matches(['/', '!', '*']).trim_end().to_string()
}
