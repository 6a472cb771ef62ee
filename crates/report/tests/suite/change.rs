//! `change`: a part of an item is said anew, and the rest stays as the book has it.

use grognard_base::{Code, FileId, Source, Sources, Span};
use grognard_kit::Shelf;
use grognard_kit::checked::{bad, check_variant, good};
use grognard_lab::diff::diff;
use grognard_report::diff::finding;
use grognard_rules::merged;
use grognard_syntax::format;

const BOOK: &str = r#"param hit_on "A shot hits on" = 4
kind Unit {
  stat nv : 1..9 = 3 "Nerve"
  state markers : 0..nv = 0 "Markers"
  let shaken : Flag = markers >= nv
}
event Hit(target: Unit, hits: Int)
phase Turn(u: Unit) { choose action }
table bite(pip: 1..6): Int "Men lost" {
  | 1 to 3 | 0 |  # a scratch
  | 4 to 6 | 1 |
}
test Aim(u: Unit) "Fire" {
  roll aim = 3 of d6
  let hits = count aim >= hit_on
  pass when hits > 0
}
action Fire in Turn by u {
  needs u.markers == 0 else "it is shaken"
  emit Hit(u, 2)
}
rule Rattled "Hits give a marker" on Hit as h when h.hits >= 2 {
  set h.target.markers += 1
  if h.hits > 4 {
    set h.target.markers += 1
  }
}
let Unit.heart = nv - markers
law Brave = every u in Unit: u.markers <= 9
"#;

/// What a variant says differently from another variant, both of the book.
fn between(one: &str, other: &str) -> String {
    let mut sources = Sources::default();
    let mut read = |text: &str| {
        let base = format!("ruleset g/base version \"1\"\n{BOOK}");
        let top = format!("variant g/top of g/base version \"1\"\n{text}\n");
        merged("g/top", &Shelf::of(&[("g/base.rules", &base), ("g/top.rules", &top)]), &mut sources)
    };
    let (one, other) = (read(one), read(other));
    finding(&diff(&one, &other, &sources)).text()
}

/// A change says what an override says that writes the item once more.
#[test]
fn a_change_is_an_override_with_the_rest_copied() {
    let rule = |head: &str, body: &str| {
        format!("override rule Rattled \"Hits give a marker\" on Hit as h {head} {{ {body} }}")
    };
    let (head, first) = ("when h.hits >= 2", "set h.target.markers += 1");
    let second = "if h.hits > 4 { set h.target.markers += 1 }";
    let fire = |needs: &str| format!("override action Fire in Turn by u {{ {needs}; emit Hit(u, 2) }}");
    let needs = "needs u.markers == 0 else \"it is shaken\"";
    let aim = |lines: &str| format!("override test Aim(u: Unit) \"Fire\" {{ {lines} }}");
    for (change, whole) in [
        // one number, one die, one row, one range
        ("rule Rattled {\n- h.hits >= 2\n+ h.hits >= 3\n}", rule("when h.hits >= 3", &format!("{first}; {second}"))),
        (
            "test Aim {\n  - of d6\n  + of d8\n}",
            aim("roll aim = 3 of d8; let hits = count aim >= hit_on; pass when hits > 0"),
        ),
        (
            "table bite {\n- | 4 to 6 | 1 |\n+ | 4, 5 | 1 |\n+ | 6 | 2 |\n}",
            "override table bite(pip: 1..6): Int \"Men lost\" {\n| 1 to 3 | 0 |\n| 4, 5 | 1 |\n| 6 | 2 |\n}".into(),
        ),
        // an `or`, and a line before, behind and in place of another
        (
            "rule Rattled {\nh.hits >= 2\n+ or h.target.nv == 1\n}",
            rule("when h.hits >= 2 or h.target.nv == 1", &format!("{first}; {second}")),
        ),
        (
            "rule Rattled {\n+ set h.target.markers -= 1\n  set h.target.markers += 1\n  if h.hits > 4 {\n}",
            rule(head, &format!("set h.target.markers -= 1; {first}; {second}")),
        ),
        (
            "rule Rattled {\n  if h.hits > 4 {\n- set h.target.markers += 1\n+ set h.target.markers = 0\n}",
            rule(head, &format!("{first}; if h.hits > 4 {{ set h.target.markers = 0 }}")),
        ),
        ("rule Rattled {\n- if h.hits > 4 {\n- set h.target.markers += 1\n- }\n}", rule(head, first)),
        // with no line to go by it comes at the end
        (
            "rule Rattled {\n+ set h.target.markers -= 1\n}",
            rule(head, &format!("{first}; {second}; set h.target.markers -= 1")),
        ),
        (
            "action Fire {\n+ needs u.nv > 1 else \"it is raw\"\n  emit\n}",
            fire(&format!("{needs}; needs u.nv > 1 else \"it is raw\"")),
        ),
        (
            "action Fire {\n- needs u.markers == 0 else \"it is shaken\"\n}",
            "override action Fire in Turn by u { emit Hit(u, 2) }".into(),
        ),
        // values, of a kind too, and a title
        ("let Unit.heart {\n- nv\n+ nv + 1\n}", "override let Unit.heart = nv + 1 - markers".into()),
        ("param hit_on {\n- 4\n+ 5\n}", "override param hit_on \"A shot hits on\" = 5".into()),
        ("law Brave {\n- 9\n+ 8\n}", "override law Brave = every u in Unit: u.markers <= 8".into()),
        (
            "test Aim {\n- \"Fire\"\n+ \"Volley\"\n}",
            aim("roll aim = 3 of d6; let hits = count aim >= hit_on; pass when hits > 0")
                .replace("\"Fire\"", "\"Volley\""),
        ),
        // twice
        (
            "rule Rattled {\n- h.hits >= 2\n+ h.hits >= 3\n}\nchange rule Rattled {\n- h.hits >= 3\n+ h.hits >= 5\n}",
            rule("when h.hits >= 5", &format!("{first}; {second}")),
        ),
    ] {
        assert_eq!(between(&format!("change {change}"), &whole), "no differences\n", "{change}");
        assert_ne!(between(&format!("change {change}"), ""), "no differences\n", "{change}");
        good(check_variant(BOOK, &format!("change {change}")));
    }
    // a value that stands in its kind
    let rendered = between("change let Unit.shaken {\n- >=\n+ >\n}", "");
    assert!(
        rendered.contains("- let shaken : Flag = markers > nv\n    + let shaken : Flag = markers >= nv"),
        "{rendered}"
    );
}

#[test]
fn what_is_not_changed_keeps_its_place_and_its_clauses() {
    let base = BOOK.replace("rule Rattled", "cite XX-1\nrule Rattled").replace("  set h", "  cite XX-2\n  set h");
    let files = [
        ("g/base.rules", format!("ruleset g/base version \"1\"\n{base}")),
        (
            "g/top.rules",
            "variant g/top of g/base version \"1\"\ncite XX-3\nchange rule Rattled {\n- > 4\n+ > 5\n}\n".into(),
        ),
        (
            "g/more.rules",
            "variant g/more of g/top version \"1\"\nchange rule Rattled {\n- h.hits >= 2\n+ h.hits >= 3\n}\n".into(),
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let shelf = Shelf::of(&files);
    let (loaded, sources) = shelf.load("g/more");
    let rules = good(loaded);
    let item = rules.items.iter().find(|i| i.name == "Rattled").unwrap();
    assert_eq!(item.cites, ["XX-1", "XX-3"]);
    assert_eq!(item.from, 2, "the last file that changed it");
    // each part of the text stands where it was written
    let (file, source) = sources.iter().find(|(_, s)| s.text.contains("h.hits >= 3") && s.name.contains(',')).unwrap();
    let line = |part: &str| {
        let at = source.text.find(part).unwrap();
        let origin = sources.origin(Span::new(file, at, at + part.len()));
        let source: &Source = sources.get(origin.file).unwrap();
        assert_eq!(sources.slice(origin), part);
        format!("{}:{}", source.name, source.place(origin.start).line)
    };
    assert_eq!(line("h.hits >= 3"), "g/more.rules:4");
    assert_eq!(line("> 5"), "g/top.rules:5");
    let written = base.lines().position(|l| l.contains("if h.hits > 4")).unwrap() + 2;
    assert_eq!(line("if h.hits"), format!("g/base.rules:{written}"));
}

#[test]
fn a_line_that_cannot_be_placed_is_told() {
    let wrong = |text: &str, code, words: &str| bad(check_variant(BOOK, &format!("change {text}")), code, words);
    wrong("rule Rattle {\n- 1\n}", Code::NoOverride, "did you mean `Rattled`?");
    wrong("rule Rattled {\n- h.hits >= 22\n+ 1\n}", Code::NoOverride, "is not in `Rattled`");
    wrong("rule Rattled {\n- set h.target.markers += 1\n}", Code::NoOverride, "occurs 2 times");
    wrong(
        "rule Rattled {\n  set h.target.markers += 1\n  if h.hits > 4 {\n}",
        Code::NoOverride,
        "this change removes and adds no lines",
    );
    wrong("rule Rattled {\n}", Code::NoOverride, "this change is empty");
    wrong("rule Rattled {\n- ;\n}", Code::NoOverride, "is empty");
    wrong("rule Rattled {\n-\n}", Code::NoOverride, "is empty");
    wrong("proc Aim {\n- d6\n}", Code::NoOverride, "`Aim` is a test in the rules below, not a proc");
    wrong("rule Rattled {\n  if h.hits > 4 {\n- h.hits >= 2\n}", Code::NoOverride, "below the line before it");
    // a mistake behind a change of several lines is told once, and where it stands
    let lines = "change rule Rattled {\n- if h.hits > 4 {\n+ let more = 1\n+ if h.hits > 5 {\n}\n";
    let found =
        bad(check_variant(BOOK, &format!("{lines}change rule Rattled {{\n- > 5\n+ > > 5\n}}")), Code::Syntax, "");
    assert_eq!(found.span.map(|s| s.end - s.start), Some(1));
    let found = check_variant(BOOK, &format!("{lines}change rule Rattled {{\n- > 5\n+ > > 5\n}}"));
    let errors = found.problems.iter().filter(|p| p.is_error()).count();
    assert_eq!(errors, 1, "{:?}", found.problems);
    wrong("law Brave {\n+ 8\n}", Code::NoOverride, "no block");
    wrong("action Rattled {\n- 1\n+ 2\n}", Code::NoOverride, "`Rattled` is a rule in the rules below, not an action");
    wrong("test Aim {\n- Aim\n+ Shoot\n}", Code::Signature, "cannot change");
    wrong("test Aim {\n- u: Unit\n+ v: Unit\n}", Code::Signature, "took (u: Unit)");
    wrong("let bite {\n- 0\n+ 1\n}", Code::Signature, "is a table in the rules below, not a let");
    wrong("rule Rattled {\n- h.hits >= 2\n+ h.hitz >= 2\n}", Code::UnknownField, "hitz");
    wrong("rule Rattled {\n- >= 2\n+ >= >= 2\n}", Code::Syntax, "");
    let cells = "override bite[6] = 2\nchange table bite {\n- 1 to 3\n+ 1 to 2\n}";
    bad(check_variant(BOOK, cells), Code::NoOverride, "cells of `bite`");
    bad(check_variant(BOOK, "change rule Rattled { - h.hits >= 2\n}"), Code::Syntax, "`{` is not expected here");
    let found = bad(check_variant(BOOK, "change rule Rattled { - h.hits >= 2 }"), Code::Unclosed, "not closed");
    assert!(found.help.contains("on a separate line"), "{}", found.help);
}

#[test]
fn its_layout_is_kept_line_by_line() {
    let text = "variant g/top of g/base version \"1\"\nchange rule Rattled {\n   if h.hits > 4 {\n -  set h.target.markers += 1 # why\n+ set a=1\n}\n";
    let laid_out = "variant g/top of g/base version \"1\"\n\nchange rule Rattled {\n    if h.hits > 4 {\n  -  set h.target.markers += 1  # why\n  + set a=1\n}\n";
    let once = format(FileId(0), &Source::new("g/top.rules", text)).unwrap();
    assert_eq!(once, laid_out);
    assert_eq!(format(FileId(0), &Source::new("g/top.rules", once.clone())).unwrap(), once);
}
