//! What is said about faulty rules.

use grognard_base::{Code, Diagnostic, FileId, Source};
use grognard_syntax as syntax;
use std::fmt::Write;

fn report(source: &Source) -> String {
    let (tree, found) = syntax::parse(FileId(0), source);
    let mut out = String::new();
    for one in &found {
        let place = source.place(one.span.map_or(0, |s| s.start));
        let line = source.line(place.line);
        let under: String = line.chars().take(place.column - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let _ = writeln!(
            out,
            "{} {}:{}\n  {line}\n  {under}^ {}\n  help: {}",
            one.code, place.line, place.column, one.message, one.help
        );
        for other in &one.others {
            let at = source.place(other.span.start);
            let _ = writeln!(out, "  {}:{} {}", at.line, at.column, other.text);
        }
    }
    let _ = writeln!(out, "{} items read, {} faults", tree.items.len(), found.len());
    out
}

fn fixture(name: &str) -> Source {
    Source::new(
        name,
        std::fs::read_to_string(format!("tests/fixtures/syntax/{}", name.replace(".rules", ".txt"))).expect("fixture"),
    )
}

fn found(text: &str) -> Vec<Diagnostic> {
    syntax::parse(FileId(0), &Source::new("x", text)).1
}

#[test]
fn what_newcomers_write() {
    insta::assert_snapshot!(report(&fixture("newcomer.rules")));
}

#[test]
fn other_mistakes() {
    insta::assert_snapshot!(report(&fixture("mistakes.rules")));
}

#[test]
fn a_question_that_is_misspelt() {
    for (text, word) in [("let hits = coutn aim >= 4", "coutn"), ("let hits = 2 + summ x in aim of x", "summ")] {
        let text = format!("ruleset a/b\ntest T() {{\n  roll aim = 3 of d6\n  {text}\n  pass when hits > 1\n}}\n");
        let found = found(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        let meant = if word == "coutn" { "count" } else { "sum" };
        assert_eq!(found[0].message, format!("no question begins with `{word}`; did you mean `{meant}`?"));
        assert_eq!(found[0].span.unwrap().start as usize, text.find(word).unwrap());
    }
}

#[test]
fn a_sign_with_nothing_behind_it() {
    let rendered = |text: &str| {
        let found = found(&format!("ruleset a/b\n{text}\n"));
        found.iter().map(|d| (d.span.unwrap().start as usize, d.message.clone())).next().expect(text)
    };
    for (text, sign) in [
        ("proc p(u: U) { if u.hp > { set u.hp = 0 } }", ">"),
        ("proc p(u: U) { repeat { set u.hp -= 1 } while u.hp >= }", ">="),
        ("proc p(u: U) { if u.hp > 3 and { stop } }", "and"),
        ("proc p(u: U) { let x = u.hp + }", "+"),
        ("let f(n: Int): Int = (n * ) + 1", "*"),
        ("proc p(u: U) {\n  let x = u.hp +\n  if x > 3 { stop }\n}", "+"),
        ("test T() {\n  roll dice =\n  pass when dice > 3\n}", "="),
        ("test T() {\n  roll dice = d6\n  pass when dice >\n  each m in xs { stop }\n}", ">"),
        ("param hit =   sweep 3 .. 5", "="),
        ("proc p(u: U) { set u.hp -= }", "-="),
    ] {
        let at =
            "ruleset a/b\n".len() + text.rfind(&format!(" {sign} ")).or(text.rfind(&format!(" {sign}\n"))).unwrap() + 1;
        assert_eq!(rendered(text), (at, format!("a value is missing after `{sign}`")), "{text}");
    }
    for (text, what) in [
        ("proc p(u: U) { if { stop } }", "a condition is missing after `if`"),
        ("proc p(u: U) { each v in { stop } }", "a list is missing after `in`"),
        ("let f(u: U): Flag = (any m in u.models where)", "a condition is missing after `where`"),
    ] {
        assert_eq!(rendered(text).1, what, "{text}");
    }
    // where an `if` is a value, it stands in brackets
    assert_eq!(
        rendered("let f(n: Int): Int = n +\n  if n > 3 then 1 else 0").1,
        "an `if` inside a larger value needs ( )"
    );
}

/// What begins on the line of the last is told to need a line or a `;`, whatever the block is made of.
#[test]
fn what_stands_behind_another() {
    let rendered = |text: &str| {
        let found = found(&format!("ruleset a/b\n{text}\n"));
        found.iter().map(|d| format!("{} | {}", d.message, d.help)).collect::<Vec<_>>().join("\n")
    };
    for (text, what) in [
        ("proc p() { do a() do b() }", "statements"),
        ("proc p() { each x in U { } do b(x) }", "statements"),
        ("proc p(u: U) { do a(u) set u.a = 1 }", "statements"),
        ("proc p() { choose act { go => { } wait => { } } }", "options"),
        ("proc p(n: Int) { match n { 1 => { do a() } else => { } } }", "rows"),
        ("let f(n: Int): Int = match n { 1 => 2 else => 3 }", "rows"),
        ("kind U { state a : 0..3 = 1 state b : 0..3 = 1 }", "members"),
        ("example \"x\" for u: U { u.a = 1 u.b = 2 }", "claims"),
    ] {
        assert_eq!(
            rendered(text).matches(&format!("{what} must be on separate lines")).count(),
            1,
            "{}",
            rendered(text)
        );
    }
    for text in [
        "proc p(n: Int) { match n { 1 => do a(), else => do b() } }",
        "proc p() { choose act { go => do a(), wait => do b() } }",
        "kind U { state a : 0..3 = 1, state b : 0..3 = 1 }",
        "example \"x\" for u: U { u.a = 1, u.b = 2 }",
    ] {
        assert!(rendered(text).contains("remove the comma"), "{}", rendered(text));
    }
    assert!(rendered("let f(n: Int): Int = match n { 1, 2 => 3; else => 4 }").contains("`1 | 2 => ..`"));
    assert!(rendered("enum A { X Y Z }").contains("a `,` between two cases"));
    assert!(rendered("table t {1: 2}").contains("`table t(n: 1..3): Int {`"));
}

/// All faults of an item are told in one run.
#[test]
fn several_faults_of_one_item() {
    let text = "\
ruleset a/b
kind Unit {
  state hp : 0..10 = 3
  state nerve : 0..10 5
  stat x == 4
}
table hits(n: 1..3): Int \"Hits\" {
  | 1 | 2 |
  | 2 | 3 3 |
  | 3 | + |
}
proc hit(u: Unit) -> Int \"Hit\" {
  roll x = d6
  if x > 3 {
    giv u.hp
    set u.hp -= 1 1
    set u.hp -= 1
  }
  let y = x +
    4 5
  set u.hp = x
  let z = x + + 4
  retrun x
}
";
    let source = Source::new("x", text);
    let lines = |text: &str| -> Vec<usize> {
        let source = Source::new("x", text);
        let found = syntax::parse(FileId(0), &source).1;
        found.iter().map(|one| source.place(one.span.map_or(0, |s| s.start)).line).collect()
    };
    assert_eq!(lines(text), [4, 5, 9, 10, 15, 16, 20, 22, 23], "{}", report(&source));
    // what hangs on a fault is none: a line that it goes on in, the end of a block that it should have begun
    assert_eq!(
        lines(&text.replace("let y = x +", "let y = = x +").replace("4 5", "4")),
        [4, 5, 9, 10, 15, 16, 19, 22, 23]
    );
    assert_eq!(lines(&text.replace("if x > 3 {", "if x > > 3 {")), [4, 5, 9, 10, 14, 15, 16, 20, 22, 23]);
    // a line of its own is no value of the one before that waits for one; what begins a block hides nothing of it
    let waits = "\
ruleset a/b
proc deep(u: Unit) {
  roll dice =
  let n = cuont dice >= 4
  each v in {
    if v.hp > {
      set v.hp = = 2
    } else {
      roll d =
    }
    emmit Gone(v)
  }
  let m =
    if n > 2 then else 3
  if {
    set u.hp = = 3
  }
}
";
    assert_eq!(lines(waits), [3, 4, 5, 6, 7, 9, 11, 14, 15], "{}", report(&Source::new("x", waits)));
    // a loop of another language does not go on with the line above it
    let looped = text.replace("-= 1 1\n", "-= 1 1\n    while x > 2 do\n");
    assert_eq!(lines(&looped), [4, 5, 9, 10, 15, 16, 17, 21, 23, 24]);
}

/// A fault in one line of a shipped ruleset brings no others.
#[test]
fn one_fault_is_told_once() {
    let mut planted = 0;
    for (n, book) in super::books::books().iter().enumerate() {
        let lines: Vec<&str> = book.text.lines().collect();
        let prose = super::books::prose(&book.text);
        for at in (n % 7..lines.len()).step_by(7) {
            let sound = |line: &str| {
                !line.is_empty() && !line.ends_with(',') && !line.contains(['{', '}', '(', ')', '[', ']', '#', '"'])
            };
            // a line of a `change` is checked with the item that it changes
            let outer = lines[..=at].iter().rev().find(|line| !line.is_empty() && !line.starts_with(' '));
            if !sound(lines[at]) || prose[at] || outer.is_some_and(|line| line.starts_with("change ")) {
                continue;
            }
            let mut text = lines.clone();
            let broken = format!("{} = = 4", lines[at]);
            text[at] = &broken;
            let source = Source::new("x", text.join("\n"));
            let rendered = report(&source);
            assert!(rendered.ends_with(" 1 faults\n"), "{}:{}\n{broken}\n{rendered}", book.name, at + 1);
            planted += 1;
        }
    }
    assert!(planted > 50, "{planted}");
}

#[test]
fn no_message_speaks_of_the_grammar() {
    for name in ["newcomer.rules", "mistakes.rules"] {
        let text = report(&fixture(name));
        for word in ["= expected", "EOI", "k_", "_d,", "arith", "cond,", "pest"] {
            assert!(!text.contains(word), "{word} in\n{text}");
        }
    }
}

/// Each word that the reference lists as reserved gets its own message where a name is expected.
#[test]
fn words_that_are_kept_name_nothing() {
    let docs = std::fs::read_to_string("../../docs/language/text.md").expect("the reference");
    let list =
        docs.split_once("cannot use them as names: `").and_then(|(_, rest)| rest.split_once('`')).expect("a list").0;
    let words: Vec<&str> = list.split_whitespace().collect();
    assert_eq!(words.len(), 32);
    for word in words {
        for text in [
            format!("param {word} = 4"),
            format!("kind U {{ stat {word} : 0..3 }}"),
            format!("proc p() {{ roll {word} = d6 }}"),
        ] {
            let rendered = found(&format!("ruleset x\n{text}\n"));
            assert!(rendered.iter().any(|d| d.code == Code::Reserved), "{text}: {rendered:?}");
        }
    }
}

#[test]
fn a_band_is_written_in_words() {
    let help = |case: &str| {
        found(&format!("ruleset g/x\nlet f(n: Int): Int = match n {{ {case} => 1; other => 2 }}"))[0].help.clone()
    };
    assert_eq!(help("2 .. 3"), "write `2 to 3`");
    assert_eq!(help("5 .."), "write `at least 5`");
    assert_eq!(help("5 +"), "write `at least 5`");
}

#[test]
fn headers() {
    assert_eq!(found("")[0].code, Code::NoHeader);
    assert_eq!(found("# only a comment\n")[0].code, Code::NoHeader);
    assert_eq!(found("param a = 1\n")[0].code, Code::NoHeader);
    assert_eq!(found("ruleset a/b\nruleset c/d\n")[0].code, Code::NoHeader);
    assert_eq!(found("\u{feff}ruleset a/b\r\nparam a = 1\r\n"), []);
    let wrong = found("ruleset A/b\nparam a = 1\n");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

/// Folders and files have the names that the reference says; of others it is told what their names may have.
#[test]
fn names_of_folders_and_files() {
    for path in ["two_words/a", "a/two.words", "a/2nd", "a-b/1", "a/b_c-d.e", "game/version-1.2"] {
        assert_eq!(found(&format!("ruleset {path}\n")), [], "{path}");
        assert_eq!(found(&format!("variant a/b of {path}\n")), [], "{path}");
    }
    for (path, wrong) in [("A/b", "A"), ("a/Big", "Big"), ("a/große", "ß"), ("a/Two_words", "Two_words")] {
        for head in [format!("ruleset {path}\n"), format!("variant a/b of {path}\n")] {
            let rendered = found(&head);
            assert!(rendered[0].message.starts_with(&format!("`{wrong}`")), "{head}: {rendered:?}");
            assert!(rendered[0].help.contains("small letters, digits"), "{head}: {rendered:?}");
        }
    }
}

#[test]
fn one_broken_item_hides_no_other() {
    let good = "let a = 1\n";
    for bad in [
        "proc p() {\n  if x {\n",
        "proc p() {\n}}\n",
        "let b = (\n",
        "let b = \"x\n",
        "foo bar\n",
        "}\n",
        "cite AA-1\n\n",
    ] {
        let text = format!("ruleset a/b\n{good}{bad}{good}{bad}{good}");
        let (tree, found) = syntax::parse(FileId(0), &Source::new("x", text.clone()));
        assert_eq!(tree.items.len(), 3, "{text}\n{found:?}");
        assert!(found.len() >= 2 && found.len() <= 4, "{text}\n{found:?}");
    }
}

#[test]
fn blocks_without_indentation_are_no_fault() {
    let text = "ruleset a/b\nproc p() {\nlet a = 1\nset b = a\ntest T(a)\n}\nlet c = 1\n";
    assert_eq!(found(text), []);
}

#[test]
fn what_stands_on_the_next_line_begins_a_statement() {
    let helped = |line: &str| {
        let text = format!("ruleset a/b\nproc f(t: Unit) {{\n  let v = size(t)\n  {line}\n}}\n");
        found(&text).iter().map(|d| format!("{}: {}", d.message, d.help)).collect::<Vec<_>>().join("; ")
    };
    assert!(helped("t.men -= v.lost").contains("write `set t.men -= v.lost`"), "{}", helped("t.men -= v.lost"));
    assert!(helped("hurt(t)").contains("write `do hurt(..)`"), "{}", helped("hurt(t)"));
    assert!(helped("let y = 6 of D6").contains("write `d6`"), "{}", helped("let y = 6 of D6"));
}
