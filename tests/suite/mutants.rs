//! Changes of the rules and what notices them: the edits that are made, verdicts, journals, and forms of the result.

use crate::common;
use crate::common::{root, said_apart as said, text_of};
use grognard_base::{Budget, Diagnostic, FileId, Source, Sources};
use grognard_lab::mutants::{Book, Mutation, MutationSort, Project, ProjectScene, SORTS, Shelf, Suite, changes};
use grognard_rules::Library;
use grognard_scenario::{self as scenario, Scenario};
use grognard_syntax as syntax;
use serde_json::Value;
use std::path::{Path, PathBuf};

const BOOK: &str = "tests/fixtures/mutants/skirmish";

/// The fixture in a folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let files = ["book.rules", "clauses.toml", "scenarios/volley.toml"];
    let texts: Vec<(String, String)> =
        files.iter().map(|file| (format!("skirmish/{file}"), text_of(&format!("{BOOK}/{file}")))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    common::folder(&format!("mutants-{name}"), &texts)
}

fn found(text: &str) -> (Source, Vec<Mutation>) {
    let source = Source::new("page/bad.rules", text);
    let mut sources = Sources::default();
    let (file, problems) = syntax::parse(sources.add(source.clone()), &source);
    assert!(!problems.iter().any(Diagnostic::is_error), "{text}\n{problems:?}");
    let found = changes(&file, &sources);
    (source, found)
}

/// Every sort of change with an item it is made in, and the item with the change.
const EDITS: &[(MutationSort, &str, &str)] = &[
    (MutationSort::Number, "let a = 2", "let a = 3"),
    (MutationSort::Number, "let a = 2.5\"", "let a = 1.5\""),
    (MutationSort::Number, "let a = 45°", "let a = 46°"),
    (
        MutationSort::Number,
        "proc p(n: Int) { if n is at least 3 { do p(1) } }",
        "proc p(n: Int) { if n is at least 4 { do p(1) } }",
    ),
    (MutationSort::Die, "proc p() { roll a = d6 }", "proc p() { roll a = d8 }"),
    (MutationSort::Die, "proc p() { roll a = 2d6 }", "proc p() { roll a = 3d6 }"),
    (MutationSort::Flag, "let a = yes", "let a = no"),
    (MutationSort::Comparison, "let a = b < c", "let a = b <= c"),
    (MutationSort::Comparison, "let a = b >= c", "let a = b < c"),
    (MutationSort::Comparison, "let a = b == c", "let a = b != c"),
    (MutationSort::Comparison, "let a = count b <= c", "let a = count b < c"),
    (MutationSort::Junction, "let a = b and c and d", "let a = b or c or d"),
    (MutationSort::Junction, "let a = b or c", "let a = b and c"),
    (MutationSort::Condition, "let a = b and c and d", "let a = b and d"),
    (MutationSort::Condition, "let a = b or c", "let a = c"),
    (MutationSort::Condition, "let a = not b", "let a = b"),
    (MutationSort::Condition, "let a = b has T", "let a = b has no T"),
    (MutationSort::Condition, "let a = b is not none", "let a = b is none"),
    (MutationSort::Condition, "let a = b in c", "let a = b not in c"),
    (MutationSort::Condition, "let a = any x in b where c", "let a = any x in b"),
    (MutationSort::Condition, "let a = if b then 1 else 2", "let a = if yes then 1 else 2"),
    (MutationSort::Condition, "rule R on E as e when e.a { do p() }", "rule R on E as e { do p() }"),
    (MutationSort::Condition, "proc p(u: U) { grant S to u until end of P }", "proc p(u: U) { grant S to u }"),
    (
        MutationSort::Condition,
        "proc p() { set a = b until match c { 1 => end of P; else => none } }",
        "proc p() { set a = b until match c { 1 => none; else => none } }",
    ),
    (MutationSort::Condition, "proc p() { set a = b until end of P }", "proc p() { set a = b }"),
    (MutationSort::Condition, "proc p() { may x when b { stop } }", "proc p() { may x { stop } }"),
    (
        MutationSort::Condition,
        "proc p() { each x in b where c ordered by d { stop } }",
        "proc p() { each x in b where c { stop } }",
    ),
    (MutationSort::Word, "let a = min(b, c)", "let a = max(b, c)"),
    (MutationSort::Word, "let a = b + c", "let a = b - c"),
    (MutationSort::Word, "let a = b / 2 rounded down", "let a = b / 2 rounded up"),
    (MutationSort::Word, "let a = b up 1", "let a = b down 1"),
    (MutationSort::Word, "let a = nearest x in b to c", "let a = farthest x in b to c"),
    (MutationSort::Word, "let a = any x in b where c", "let a = no x in b where c"),
    (MutationSort::Word, "proc p() { set a += b }", "proc p() { set a -= b }"),
    (MutationSort::Word, "proc p() { choose x in b prefer most x.c }", "proc p() { choose x in b prefer least x.c }"),
    (MutationSort::Line, "proc p() { do q(); stop }", "proc p() { ; stop }"),
    (MutationSort::Line, "proc p() {\n  do q()\n  cite WA-1\n  set a = b\n}", "proc p() {\n  do q()\n  \n}"),
    (MutationSort::Line, "proc p() { match a { 1 => do q() } }", "proc p() { match a { 1 => { } } }"),
    (MutationSort::Line, "proc p() { each x in b set x.c = 1 }", "proc p() { each x in b { } }"),
    (MutationSort::Line, "action A in P { needs b else \"no\"; do q() }", "action A in P { ; do q() }"),
    (
        MutationSort::Line,
        "proc p() { move u { at most b  cite WA-1 } }",
        "proc p() { move u { at most b when no  cite WA-1 } }",
    ),
    (MutationSort::Line, "proc p() { move u { at most b when c } }", "proc p() { move u { at most b when no } }"),
    (MutationSort::Line, "trait T on U { forbid A }", "trait T on U { forbid A when no }"),
    (MutationSort::Line, "let a = match first b { 1 => c; else => d }", "let a = match first b { ; else => d }"),
    (MutationSort::Rows, "let a = match b { 1 => c; else => d }", "let a = match b { 1 => d; else => c }"),
    (MutationSort::Rows, "let a = if b then c else d", "let a = if b then d else c"),
    (MutationSort::Rows, "policy P { x = a, b }", "policy P { x = b, a }"),
    (
        MutationSort::Band,
        "let a = match b { at most 2 => c; over 2 => d }",
        "let a = match b { at most 3 => c; over 3 => d }",
    ),
    (MutationSort::Band, "let a = match b { 1 to 2 => c; 3, 4 => d }", ""),
    (
        MutationSort::Band,
        "let a = match b { over 50% => c; 50% => d; 25% to under 50% => e; under 25% => f }",
        "let a = match b { over 50% => c; 50% => d; 35% to under 50% => e; under 35% => f }",
    ),
    (
        MutationSort::Band,
        "let a = match (b, c) { (1 to 2, 1) => d; (over 2, _) => e; else => f }",
        "let a = match (b, c) { (1 to 3, 1) => d; (over 3, _) => e; else => f }",
    ),
    (
        MutationSort::Band,
        "table t(n: 1..6): Int { | 1 to 3 | 4 |\n | 4 to 6 | 5 | }",
        "table t(n: 1..6): Int { | 1 to 4 | 4 |\n | 5 to 6 | 5 | }",
    ),
    (
        MutationSort::Cell,
        "table t(n: 1..2): Int { | 1 | 4 |\n | 2 | 6 | }",
        "table t(n: 1..2): Int { | 1 | 5 |\n | 2 | 6 | }",
    ),
    (
        MutationSort::Cell,
        "table t(n: 1..2): M { | 1 | Calm |\n | 2 | Shaken | }",
        "table t(n: 1..2): M { | 1 | Shaken |\n | 2 | Shaken | }",
    ),
    (MutationSort::Range, "kind U { state a : 0..6 = b }", "kind U { state a : 0..7 = b }"),
    (MutationSort::Range, "proc p(n: 1..6) { stop }", "proc p(n: 2..6) { stop }"),
    (MutationSort::Default, "param a = 4", "param a = 5"),
    (MutationSort::Default, "param a : Die = d6 sweep d6, d8", "param a : Die = d8 sweep d6, d8"),
    (MutationSort::Default, "reading r = A or B or C because \"why\"", "reading r = C or B or A because \"why\""),
    (MutationSort::Order, "enum M { Calm < Shaken }", "enum M { Shaken < Calm }"),
    (MutationSort::Rule, "rule R on E as e { do p(); do q() }", "rule R on E as e {  }"),
    (MutationSort::Sequence, "proc p() { do q(); set a = 1 }", "proc p() { set a = 1; do q() }"),
    (MutationSort::Sequence, "proc p() { set b = 2; set a = 1 }", ""),
    (MutationSort::Twice, "proc p() { do q() }", "proc p() { do q(); do q() }"),
    (
        MutationSort::Twice,
        "proc p() { each x in b set x.c += 1 }",
        "proc p() { each x in b { set x.c += 1; set x.c += 1 } }",
    ),
    (MutationSort::Subject, "proc p(a: U, b: U) { set a.n = 1 }", "proc p(a: U, b: U) { set b.n = 1 }"),
    (MutationSort::Subject, "proc p(a: U, b: U) { do q(a.n) }", "proc p(a: U, b: U) { do q(b.n) }"),
    (
        MutationSort::Subject,
        "phase P(a: U, b: U) { choose action by b.side }",
        "phase P(a: U, b: U) { choose action by a.side }",
    ),
    (
        MutationSort::Duration,
        "phase P() { run Q() }\nphase Q() { set a = 1 until end of Q }",
        "phase P() { run Q() }\nphase Q() { set a = 1 until end of P }",
    ),
    (MutationSort::May, "proc p() { may x when b { stop } }", "proc p() { if b { stop } }"),
    (MutationSort::Field, "proc p() { spawn u: U { a = 1, b = 2 } }", "proc p() { spawn u: U {  b = 2 } }"),
];

#[test]
fn every_sort_of_change_is_made() {
    let head = "ruleset page/bad\n\n";
    for (sort, item, wanted) in EDITS.iter().filter(|(_, _, wanted)| !wanted.is_empty()) {
        let (source, found) = found(&format!("{head}{item}\n"));
        let made: Vec<(MutationSort, String)> = found.iter().map(|c| (c.sort, c.applied(&source.text))).collect();
        let wanted = (*sort, format!("{head}{wanted}\n"));
        assert!(made.contains(&wanted), "{wanted:?} is not among {made:#?}");
    }
    assert!(SORTS.iter().all(|sort| EDITS.iter().any(|(made, ..)| made == sort)));
}

/// A change is never a mistake in the form of the rules, so that whatever is refused is refused for what it says.
#[test]
fn changed_rules_can_be_read() {
    for path in ["rulesets/recoil/core.rules", "rulesets/warstrike/core.rules", "docs/first/volley.rules"] {
        let (source, found) = found(&text_of(path));
        assert!(found.len() > 5, "{path}");
        for change in found.iter().step_by(if found.len() > 100 { 3 } else { 1 }) {
            let text = Source::new("changed.rules", change.applied(&source.text));
            let (_, problems) = syntax::parse(FileId(0), &text);
            assert!(!problems.iter().any(Diagnostic::is_error), "{path}: {change:?}\n{problems:?}");
        }
    }
}

fn judged(folder: &Path, args: &[&str]) -> (i32, String, String) {
    said(folder, &[&["mutants", "skirmish"], args].concat())
}

fn document(folder: &Path, args: &[&str]) -> (i32, Value) {
    let (code, text, errors) = judged(folder, &[&["--format", "json"], args].concat());
    (code, serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{errors}")))
}

/// The change in a line that makes this of it.
fn change<'d>(document: &'d Value, new: &str) -> &'d Value {
    let all = document["changes"].as_array().unwrap();
    all.iter().find(|c| c["new"] == new).unwrap_or_else(|| panic!("no change gives {new}: {all:#?}"))
}

#[test]
fn what_no_test_notices_survives() {
    let (code, found) = document(&folder("verdicts"), &[]);
    assert_eq!(code, 1);
    for (new, verdict) in [
        // the scenario counts the men that are left, and nothing looks at markers
        ("set t.men += hits", "noticed"),
        ("count aim < hit_on", "noticed"),
        ("set h.target.markers -= 1", "survived"),
        ("rule Rattled on Hit as h", "survived"),
        // a shot of 4 hits with hit_on 4, and misses with 5; nothing shows a 3
        ("param hit_on \"A shot hits on\" = 5 sweep 3, 4, 5 cite SK-1", "noticed"),
        ("param hit_on \"A shot hits on\" = 3 sweep 3, 4, 5 cite SK-1", "survived"),
        // the examples name both sides of these borders
        ("1 to 3 => Shaken at least 4 => Broken", "noticed"),
        ("| 1 to 5 | 0 | | 6, 7 | 1 |", "noticed"),
        ("state men : 0..9 = 10", "refused"),
        ("set s.markers += 1", "excused"),
        ("param unread \"Nothing reads it\" = 3", "excused"),
    ] {
        assert_eq!(change(&found, new)["verdict"], verdict, "{new}");
    }
    let noticed = change(&found, "set t.men += hits");
    assert_eq!(noticed["by"], "skirmish/scenarios/volley.toml");
    assert_eq!(change(&found, "set s.markers += 1")["because"], "nobody is asked to wait");
    let counts = &found["summary"];
    let sum: u64 =
        ["noticed", "survived", "same", "excused", "refused"].iter().map(|k| counts[k].as_u64().unwrap()).sum();
    assert_eq!(counts["changes"].as_u64(), Some(sum));
    assert_eq!(counts["changes"].as_u64(), found["changes"].as_array().map(|all| all.len() as u64));
    let of_clause = &found["clauses"]["SK-4"];
    assert_eq!(of_clause["noticed"], 0, "{of_clause}");
    assert!(of_clause["survived"].as_u64() > Some(0));
}

/// What is proposed is a test: it holds with the rules as they are, and with the change it fails.
#[test]
fn the_missing_test_is_one() {
    let folder = folder("witness");
    let (_, found) = document(&folder, &["--clause", "SK-2"]);
    let survivor = change(&found, "set h.target.markers -= 1");
    assert_eq!(survivor["told"], serde_json::json!(["blue.markers is 1", "it is 0"]));
    let scenario = survivor["test"].as_str().unwrap();
    std::fs::write(folder.join("skirmish/scenarios/missing.toml"), scenario).unwrap();
    let (code, text, _) = said(&folder, &["test", "skirmish"]);
    assert_eq!(code, 0, "{text}");
    let (_, found) = document(&folder, &["--clause", "SK-2"]);
    let noticed = change(&found, "set h.target.markers -= 1");
    assert_eq!((&noticed["verdict"], &noticed["by"]), (&"noticed".into(), &"skirmish/scenarios/missing.toml".into()));
}

/// What an edition writes anew makes no difference below it.
#[test]
fn a_program_that_is_the_same_is_told_apart() {
    let core = "ruleset g/core\n\nopen let less: Int\nlet far = 3\nlet near = 1\nexample \"far\" { far > 2 }\n";
    let edition = "ruleset g/edition extends g/core\n\nlet less: Int = 0\noverride let far = 8\n";
    let folder = common::folder("mutants-same", &[("g/core.rules", core), ("g/edition.rules", edition)]);
    let (_, text, errors) = said(&folder, &["mutants", "g", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{errors}"));
    assert_eq!(change(&found, "let far = 4")["verdict"], "same");
    assert_eq!(change(&found, "let near = 2")["verdict"], "survived");
    assert_eq!(change(&found, "override let far = 9")["verdict"], "survived");
    assert_eq!(found["summary"]["same"], 2);
}

/// Of a value the missing test is an example, under a reading if need be.
#[test]
fn the_missing_example_is_one() {
    let folder = folder("example");
    let (_, found) = document(&folder, &[]);
    for (new, test) in [
        ("1 to 1 => Shaken at least 2 => Broken", "mood(2) = Shaken }"),
        ("at_half != Runs", "runs(50/100) = no }"),
        ("over 50% => at_half == Runs 50% => no", " under at_half = Runs { runs(50/100) = yes }"),
    ] {
        assert!(change(&found, new)["test"].as_str().is_some_and(|t| t.contains(test)), "{new}");
    }
    let examples = found["changes"].as_array().unwrap().iter().filter_map(|c| c["test"].as_str());
    let mut examples: Vec<&str> = examples.filter(|test| test.starts_with("example ")).collect();
    examples.sort_unstable();
    examples.dedup();
    assert!(examples.len() > 2, "{examples:?}");
    let book = text_of(&format!("{BOOK}/book.rules")) + "\n" + &examples.concat();
    std::fs::write(folder.join("skirmish/book.rules"), book).unwrap();
    let (code, text, _) = said(&folder, &["test", "skirmish"]);
    assert_eq!(code, 0, "{text}");
    let (_, after) = document(&folder, &[]);
    assert!(after["summary"]["noticed"].as_u64() > found["summary"]["noticed"].as_u64());
}

#[test]
fn threads_and_journals_change_nothing() {
    let folder = folder("journal");
    let (code, alone, _) = judged(&folder, &["--threads", "1"]);
    assert_eq!(code, 1);
    assert_eq!(judged(&folder, &["--threads", "4"]).1, alone);
    let kept = ["--journal", "m.journal"];
    assert_eq!(judged(&folder, &kept).1, alone);
    let whole = std::fs::read_to_string(folder.join("m.journal")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // ended in the middle of a line, and a line that is damaged
    let half = lines.len() / 2;
    let cut = format!(
        "{}\n{}\n{}",
        lines[..half].join("\n"),
        lines[half].replace("verdict", "verdikt"),
        &lines[half + 1][..20]
    );
    std::fs::write(folder.join("m.journal"), cut).unwrap();
    let (code, again, errors) = judged(&folder, &kept);
    assert_eq!((code, again), (1, alone.clone()));
    assert!(errors.contains("1 damaged line"), "{errors}");
    let after = std::fs::read_to_string(folder.join("m.journal")).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&after), sorted(&whole));
    // of other rules, and of no sweep
    let (code, text, _) = judged(&folder, &["--journal", "m.journal", "--clause", "SK-1"]);
    assert_eq!(code, 1);
    assert!(text.contains("R1104") && text.contains("belongs to another command"), "{text}");
}

#[test]
fn only_some_changes_and_a_share_that_is_enough() {
    let folder = folder("some");
    let (code, found) = document(&folder, &["--sample", "5", "--seed", "2"]);
    assert_eq!(found["changes"].as_array().map(Vec::len), Some(5));
    assert_eq!(code, i32::from(found["summary"]["survived"] != 0));
    assert_eq!(document(&folder, &["--sample", "5", "--seed", "2"]).1, found);
    assert_ne!(document(&folder, &["--sample", "5", "--seed", "3"]).1, found);
    assert_eq!(judged(&folder, &["--at-least", "10"]).0, 0);
    let (code, text, _) = judged(&folder, &["--at-least", "99"]);
    assert_eq!(code, 1);
    assert!(text.contains(" noticed, ") && text.lines().last().is_some_and(|line| line.contains("survived")), "{text}");
    let (_, found) = document(&folder, &["--clause", "SK-3"]);
    let clauses = found["changes"].as_array().unwrap().iter().map(|c| &c["clauses"]);
    assert!(clauses.clone().count() > 5);
    assert!(clauses.into_iter().all(|ids| *ids == serde_json::json!(["SK-3"])));
}

/// A folder of this repository as a library.
struct Folder(PathBuf);

impl Library for Folder {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(std::fs::read_to_string(self.0.join(path)).ok())
    }
}

/// All that is tested of a book, and its changes.
fn project(folder: &str, name: &str) -> (Suite<'static>, Book, Vec<Mutation>) {
    let root = root().join(folder);
    let mut sources = Sources::default();
    let library = Shelf::new(Folder(root.clone()));
    let game = name.split('/').next().unwrap();
    let mut scenes = Vec::new();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root.join(game).join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let path = path.strip_prefix(&root).unwrap().display().to_string();
        let text = library.read(&path).unwrap().unwrap();
        let document = scenario::read(&path, text, &library, &mut sources).unwrap();
        let rules = scenario::rulesets(&document).unwrap().into_iter().map(|(name, _)| name).collect();
        scenes.push(ProjectScene { own: (0, path.clone()), path, root: 0, rules, document });
    }
    let (source, file) = {
        let text = library.read(&format!("{name}.rules")).unwrap().unwrap();
        let source = Source::new(format!("{name}.rules"), text);
        (source.clone(), sources.add(source))
    };
    let found = changes(&syntax::parse(file, &source).0, &sources);
    let book = Book { root: 0, name: name.to_string() };
    let (libraries, books) = (vec![library], vec![book.clone()]);
    let check_scene = &|_: &str, _: &Scenario, _: &Sources| Vec::new();
    let project = Project { sources, libraries, books, scenes, budget: Budget::default(), check_scene };
    (Suite::new(project).unwrap_or_else(|(failed, _)| panic!("{failed:?}")), book, found)
}

/// Tests that do not reach an item are passed over, and would not have noticed the change.
#[test]
fn what_does_not_reach_a_change_does_not_notice_it() {
    let mut passed_over = 0;
    for (folder, name, step) in [("tests/fixtures/mutants", "skirmish/book", 1), ("rulesets", "recoil/recoil", 60)] {
        let (suite, book, changes) = project(folder, name);
        for change in changes.iter().step_by(step).filter(|change| change.reached.is_some()) {
            let reaching = suite.judge(&book, change, None);
            let everything = suite.judge(&book, &Mutation { reached: None, ..change.clone() }, None);
            assert_eq!(reaching.word(), everything.word(), "{change:?}");
            passed_over += 1;
        }
    }
    assert!(passed_over > 30, "{passed_over}");
}

#[test]
fn sarif_has_what_the_standard_asks_for() {
    let (code, text, _) = judged(&folder("sarif"), &["--format", "sarif"]);
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(run["tool"]["driver"]["name"], "grognard");
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 3);
    let book: Vec<String> = text_of(&format!("{BOOK}/book.rules")).lines().map(str::to_string).collect();
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "skirmish/book.rules");
        let region = |key: &str| place["region"][key].as_u64().unwrap() as usize;
        let line = &book[region("startLine") - 1];
        assert!(region("startColumn") <= line.chars().count() + 1 && region("endLine") <= book.len());
        assert!((region("startLine"), region("startColumn")) <= (region("endLine"), region("endColumn")));
    }
}

#[test]
fn tests_that_fail_by_themselves_are_told_first() {
    let folder = folder("failing");
    let scene = text_of(&format!("{BOOK}/scenarios/volley.toml")).replace("== 8", "== 7");
    std::fs::write(folder.join("skirmish/scenarios/volley.toml"), scene).unwrap();
    let (code, text, errors) = judged(&folder, &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("volley.toml fails with unchanged rules"), "{errors}");
    assert!(text.contains("`blue.men == 7` does not hold"), "{text}");
    // a comment that excuses nothing is named
    let book = text_of(&format!("{BOOK}/book.rules")).replace("skip because \"nobody is asked to wait\"", "skip");
    std::fs::write(folder.join("skirmish/book.rules"), book).unwrap();
    let (code, _, errors) = judged(&folder, &["--list"]);
    assert_eq!(code, 0);
    assert!(errors.contains("skip because"), "{errors}");
}

/// A param that each scenario sets, or each example, is said to be so; one that some test leaves to the rules is not.
#[test]
fn a_param_that_every_test_sets_is_named() {
    let rules = "ruleset m/x version \"1\"\nparam p = 5\nkind Squad { state men : 0..9 = 6 }\n\
                 phase Hit(s: Squad) { set s.men -= p }\n";
    let scene = |more: &str| {
        format!("rules = \"m/x\"\nstart = \"Hit(a)\"\n{more}[Squad.a]\n[[expect]]\nthat = \"a.men <= 1\"\n")
    };
    let (set, free) = (scene("[params]\np = 5\n"), scene(""));
    let folder = common::folder("mutants-held", &[("m/x.rules", rules), ("s.toml", &set)]);
    let (_, text, _) = said(&folder, &["mutants", "."]);
    assert_eq!(text.matches("held: s.toml sets p, and no change of it can be noticed").count(), 2, "{text}");
    let folder = common::folder("mutants-free", &[("m/x.rules", rules), ("s.toml", &set), ("t.toml", &free)]);
    let (_, text, _) = said(&folder, &["mutants", "."]);
    assert!(!text.contains("no change of it can be noticed"), "{text}");
    let example = "example \"hit\" for Hit(s) with s.men = 6 under p = 5 { s.men = 1 }\n";
    let book = format!("{rules}{example}");
    let folder = common::folder("mutants-under", &[("m/x.rules", &book)]);
    let (_, text, _) = said(&folder, &["mutants", "."]);
    assert!(text.contains("held: example m/x: hit sets p, and no change of it can be noticed"), "{text}");
}

#[test]
fn a_change_that_never_ends_is_noticed() {
    let book = "ruleset g/x\n\nkind Side { state men : 0..6 = 3 }\n\nproc drain(s: Side) {\n  repeat { set s.men -= 1 } while s.men > 0\n}\n\nexample \"it ends\" for drain(s) { s.men = 0 }\n";
    let folder = common::folder("mutants-endless", &[("g/x.rules", book)]);
    let (_, text, errors) = said(&folder, &["mutants", "g", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{errors}"));
    assert_eq!(change(&found, "s.men >= 0")["never_ends"], true);
    assert!(found["summary"]["never_ends"].as_u64() > Some(0));
}

/// The list of the changes of a shipped book is as long as the book is.
#[test]
fn shipped_books_can_be_changed() {
    let (code, text, _) = said(root(), &["mutants", "rulesets/recoil", "--list"]);
    assert_eq!(code, 0);
    let last = text.lines().last().unwrap();
    let count: usize = last.split(' ').next().unwrap().parse().unwrap();
    assert!(count > 300, "{last}");
}

/// A change of a text that an exception names also changes the exception, and the lines that exceptions add are changed too.
#[test]
fn items_with_exceptions() {
    let text = "ruleset page/bad
reading deep : Flag = no or yes because \"nothing is said\"
let few(n: Int): Flag = n < 3 and n > 0
change let few under deep = yes {
  - n  <  3
  + n < 4
}
change let few under deep = yes {
  and n > 0
  + or n > 8
}
";
    let (_, found) = found(text);
    let applied: Vec<String> = found.iter().map(|change| change.applied(text)).collect();
    let has = |edits: &[(&str, &str)]| {
        let wanted = edits.iter().fold(text.to_string(), |text, (old, new)| text.replacen(old, new, 1));
        assert!(applied.contains(&wanted), "{edits:?}\\n{applied:#?}");
    };
    has(&[("= n < 3", "= n < 4"), ("- n  <  3", "- n  <  4")]);
    has(&[("= n < 3", "= n <= 3"), ("- n  <  3", "- n  <=  3")]);
    has(&[("3 and n > 0", "3 and n > 1"), ("  and n > 0", "  and n > 1")]);
    has(&[("+ n < 4", "+ n < 5")]);
    has(&[("or n > 8", "or n > 9")]);
    for (change, text) in found.iter().zip(&applied) {
        let mut sources = Sources::default();
        let files = grognard_kit::Shelf::of(&[("page/bad.rules", text.as_str())]);
        let loaded = grognard_rules::load("page/bad", &files, &mut sources);
        let refused = loaded.problems.iter().any(|problem| problem.code == grognard_base::Code::NoOverride);
        assert!(
            !refused || matches!(change.sort, MutationSort::Junction | MutationSort::Condition),
            "{change:?}\\n{text}"
        );
    }
}
