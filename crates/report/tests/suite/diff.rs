//! Two versions of a book set side by side: what is told, and what is no difference.

use grognard_base::Sources;
use grognard_kit::{Shelf, Shipped};
use grognard_lab::diff::diff;
use grognard_report::diff::finding;
use grognard_rules::merged;

fn rendered(old: &str, new: &str) -> String {
    let mut sources = Sources::default();
    let mut read = |text: &str| {
        let shelf = Shelf::of(&[("g/x.rules", &format!("ruleset g/x version \"1\"\n{text}"))]);
        merged("g/x", &shelf, &mut sources)
    };
    let (old, new) = (read(old), read(new));
    finding(&diff(&old, &new, &sources)).text()
}

fn shipped(old: &str, new: &str) -> (String, String) {
    let mut sources = Sources::default();
    let mut read = |path| merged(path, &Shipped::default(), &mut sources);
    let (old, new) = (read(old), read(new));
    let changes = diff(&old, &new, &sources);
    let found = finding(&changes);
    (found.text(), found.json().to_string())
}

const BOOK: &str = r#"
param hit_on "A shot hits on" = 4  sweep 3 .. 5
reading ties "Equal dice" = Holds "the defender stays" or Gives because "the book is silent"
enum Cover { Bare < Soft }
kind Unit { stat nv : 0..6 = 3; state lost : 0..9 = 0 }
table bite(pip: 1..6, cover: Cover): Int "Men lost" {
  |        | Bare | Soft |
  | 1 to 3 | 0    | 0    |
  | 4 to 6 | 2    | 1    |
}
let Unit.nerve "Nerve now" = max(0, nv - lost)
event Hit(u: Unit, n: Int)
cite AA-01
rule Drop "Hits drop men" on Hit as h when h.n > 0 {
  set h.u.lost += h.n
  if h.u.lost > 3 { set h.u.lost += 1 }
}
example "one" for Hit(u, 1) { u.lost = 1 }
"#;

#[test]
fn layout_comments_and_order_are_no_difference() {
    let mut items: Vec<&str> = BOOK.split("\nevent").collect();
    let event = format!("event{}", items.pop().unwrap());
    let moved = format!(
        "# a comment\n{event}\n\n{}\n",
        items[0].replace(" = 4  sweep", " =  4 sweep").replace("| 0    |", "| 0 |")
    );
    let moved = moved
        .replace("{ set h.u.lost += 1 }", "{\n\n # why\n  set h.u.lost +=\n 1;\n}")
        .replace("3; state lost", "3 # at first\n state lost")
        .replace(" on Hit as h when h.n > 0", "\n  on Hit as h # all\n when h.n >\n 0")
        .replace("max(0, nv - lost)", "max(\n  0,\n  nv-lost)");
    assert_eq!(rendered(BOOK, &moved), "no differences\n");
}

#[test]
fn an_override_of_a_part_is_told_with_what_it_leaves() {
    let variant = r#"
variant g/y of g/x
override bite[5, Soft] = 3
override let Unit.nerve = max(1, nv - lost)
override let hurt = lost > 1
"#;
    let book = BOOK.replace("state lost : 0..9 = 0", "state lost : 0..9 = 0; let hurt: Flag \"Hurt\" = lost > 0");
    let shelf = Shelf::of(&[
        ("g/x.rules", &format!("ruleset g/x version \"1\"\n{book}")),
        ("g/y.rules", &variant.trim_start().replace("let hurt", "let Unit.hurt")),
    ]);
    let mut sources = Sources::default();
    let (old, new) = (merged("g/x", &shelf, &mut sources), merged("g/y", &shelf, &mut sources));
    assert_eq!(
        finding(&diff(&old, &new, &sources)).text(),
        "kind Unit\n    - let hurt : Flag \"Hurt\" = lost > 0\n    + let Unit.hurt = lost > 1\n\
         table bite  \"Men lost\"\n    [4 to 6, Soft]: 1 -> if pip == 5 then 3 else 1\n\
         let Unit.nerve  \"Nerve now\"\n    value: max(0, nv - lost) -> max(1, nv - lost)\n\
         3 changed, 0 added, 0 removed\n"
    );
}

#[test]
fn each_sort_of_change_is_told_in_words() {
    let changes: [(&str, &str, &str); 11] = [
        (
            "= 4  sweep",
            "= 3  sweep",
            "param hit_on  \"A shot hits on\"\n    value: 4 -> 3\n1 changed, 0 added, 0 removed\n",
        ),
        ("sweep 3 .. 5", "sweep 2 .. 5", "    sweep: 3 .. 5 -> 2 .. 5\n"),
        (
            "Holds \"the defender stays\" or Gives",
            "Gives or Holds \"the defender stays\"",
            "    default: Holds -> Gives\n",
        ),
        ("Bare < Soft", "Bare < Soft < Hard", "    cases: Bare < Soft -> Bare < Soft < Hard\n"),
        ("| 2    | 1", "| 2    | 3", "table bite  \"Men lost\"\n    [4 to 6, Soft]: 1 -> 3\n"),
        ("max(0, nv", "max(1, nv", "    value: max(0, nv - lost) -> max(1, nv - lost)\n"),
        (
            "let Unit.nerve \"Nerve now\" = max(0, nv - lost)",
            "let Unit.nerve \"Nerve now\" = match lost {\n 0 => nv\n else => 0\n}",
            "    head: let Unit.nerve -> let Unit.nerve = match lost\n",
        ),
        ("when h.n > 0", "when h.n > 1", "    when: h.n > 0 -> h.n > 1\n"),
        ("set h.u.lost += 1 }", "set h.u.lost += 2 }", "    - set h.u.lost += 1\n    + set h.u.lost += 2\n"),
        ("cite AA-01", "cite AA-02", "    cites: AA-01 -> AA-02\n"),
        ("example \"one\"", "example \"two\"", "- example \"one\"\n+ example \"two\"\n0 changed, 1 added, 1 removed\n"),
    ];
    for (old, new, wanted) in changes {
        assert!(BOOK.contains(old), "{old}");
        let found = rendered(BOOK, &BOOK.replace(old, new));
        assert!(found.contains(wanted), "{old} -> {new}:\n{found}");
    }
}

#[test]
fn a_variant_is_told_against_its_book() {
    let (words, document) = shipped("warstrike/leadership", "warstrike/salvo-threshold");
    insta::assert_snapshot!(words);
    let read: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(read["schema"], 1);
    assert_eq!(read["changes"].as_array().unwrap().len(), words.lines().filter(|l| !l.starts_with(' ')).count() - 1);
}

#[test]
fn two_editions_are_told_against_each_other() {
    insta::assert_snapshot!(shipped("warstrike/action-phase", "warstrike/leadership").0);
}
