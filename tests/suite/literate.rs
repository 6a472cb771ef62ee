//! Rules files that carry the paragraphs of a book, exceptions under readings, and files of examples: through the commands.

use crate::common::{folder, said};
use std::path::PathBuf;

const RULES: &str = "ruleset game/fire version \"1\"

section \"Fire\"

FR-1  Each soldier rolls one die. A shot hits on a 4 or more,
      and the target loses a soldier for each hit.
param hit_on = 4

kind Squad { state men : 0..20 = 10 }

proc volley(a: Squad, b: Squad) {
  roll aim = a.men of d6
  set b.men -= count aim >= hit_on
}

section \"Morale\"

FR-2 (commentary) Nobody likes to be shot at.
FR-3  A squad that lost half its soldiers is shaken.
FR-H1 (hole) How is the half of an odd number rounded?
reading odd_half = Down or Up
  default because \"the squad then stands longer\"

let shaken(s: Squad): Flag = s.men <= 5 / 2 rounded down

change let shaken under odd_half = Up {
  - 5 / 2 rounded down
  + 5 / 2 rounded up
}

FR-H2 (decided: it stays shaken) How does a squad recover?
";

const EXAMPLES: &str = "# The examples of the book.
example \"a volley\" for volley(a, b) with a.men = 3, b.men = 4 rolling [4, 1, 6] { b.men = 2 }

example \"half of five\" for s: Squad {
  | s.men | odd_half || shaken(s) |
  |   2   |   Down   ||    yes    |
  |   3   |   Down   ||    no     |
  |   3   |    Up    ||    yes    |
}
";

const TABLE: &str = "rules = \"game/fire\"\n[[step]]\ndo = \"do volley(a, b)\"\n[Squad]\na = { men = 2 }\nb = { men = 4 }\n[report]\nchance = [\"shaken(b)\"]\n";

fn game(name: &str, more: &[(&str, &str)]) -> PathBuf {
    let files = [("game/fire.rules", RULES), ("game/fire.examples.rules", EXAMPLES), ("game/table.toml", TABLE)];
    folder(&format!("literate-{name}"), &[&files, more].concat())
}

#[test]
fn a_book_with_its_paragraphs() {
    let here = game("whole", &[]);
    let ok = |args: &[&str]| {
        let (code, text) = said(&here, args);
        assert_eq!(code, 0, "{args:?}\n{text}");
        text
    };
    ok(&["check", "--strict", "."]);
    ok(&["fmt", "."]);
    ok(&["fmt", "--check", "."]);
    let text = std::fs::read_to_string(here.join("game/fire.rules")).unwrap();
    let paragraph = "4 or more,\n      and the target loses a soldier for each hit.\nparam hit_on = 4\n";
    assert!(text.contains(paragraph), "{text}");
    // the examples are run once, and are named in their own file
    assert!(ok(&["test", "game"]).contains("2 examples"), "{}", ok(&["test", "game"]));
    let coverage = ok(&["coverage", "."]);
    assert!(coverage.contains("FR-3"), "{coverage}");
    let readings = ok(&["readings", "game/fire.rules"]);
    assert!(readings.contains("FR-H1") && readings.contains("used by: let shaken"), "{readings}");
    assert!(readings.contains("How is the half of an odd number rounded?"), "{readings}");
    // four men: of two shots, one or two hit; three men are shaken only under the other reading
    assert!(ok(&["odds", "game/table.toml"]).contains("1/4"));
    assert!(ok(&["odds", "game/table.toml", "--set", "odd_half=Up"]).contains("3/4"));
    // a file of examples stands for its rules
    assert!(ok(&["test", "game/fire.examples.rules"]).contains("2 examples"));
}

#[test]
fn a_file_of_examples_has_only_examples() {
    let wrong = format!("{EXAMPLES}\nparam more = 5\n");
    let here = game("wrong", &[("game/fire.examples.rules", wrong.as_str())]);
    let (code, text) = said(&here, &["check", "game/fire.rules"]);
    assert!(code == 1 && text.contains("R0217") && text.contains("fire.examples.rules:11"), "{text}");
}

#[test]
fn an_example_that_fails_is_shown_in_its_file() {
    let wrong = EXAMPLES.replace("b.men = 2 }", "b.men = 3 }");
    let here = game("fails", &[("game/fire.examples.rules", wrong.as_str())]);
    let (code, text) = said(&here, &["test", "game"]);
    assert!(code == 1 && text.contains("game/fire.examples.rules:2"), "{text}");
}

#[test]
fn an_edition_builds_on_a_book_with_paragraphs() {
    let edition = "ruleset game/night version \"1\" extends game/fire\n\nNT-1  At night a shot hits on a 5.\noverride param hit_on = 5\n\nremove example \"a volley\"\n";
    let here = game("edition", &[("game/night.rules", edition)]);
    let (code, text) = said(&here, &["check", "--strict", "."]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(&here, &["test", "game/night.rules"]);
    assert!(code == 0 && text.contains("1 example"), "{text}");
}

/// A paragraph that no rule implements, an open hole, and a clause, a section and an example that are written wrongly are reported.
#[test]
fn paragraphs_without_rules_are_reported() {
    let rules = "ruleset game/gaps\nsection \"A\"\nX-1  Men are brave.\nkind K { state s : 0..9 = 4 \"S\" }\n\
        X-H1 (hole) Nothing is said.\nproc p(k: K) { set k.s -= 1 }\nX-2  And they fly.\nX-3 (external) More.\n";
    let here = folder("literate-gaps", &[("game/gaps.rules", rules)]);
    let (code, text) = said(&here, &["check", "game", "--strict"]);
    assert_eq!(code, 1, "{text}");
    for found in [
        "X-H1 is a hole with neither a reading nor a decision",
        "no item implements X-2: nothing cites it",
        "2 warnings",
    ] {
        assert!(text.contains(found), "{found}\n{text}");
    }
    let wrong = "ruleset game/wrong\nsection \"\"\nX-1 (decided: ) Men are brave.\nkind K { state s : 0..9 = 4 \"S\" }\n\
        X-1  Again.\nproc p(k: K) { set k.s -= 1 }\nexample \"both\" for p(k) { k.s = 3 }\n\
        example \"both\" for p(k) with k.s = 2 { k.s = 1 }\n";
    let here = folder("literate-wrong", &[("game/wrong.rules", wrong)]);
    let (code, text) = said(&here, &["check", "game/wrong.rules"]);
    assert_eq!(code, 1, "{text}");
    for found in [
        "a section has no title",
        "X-1 has no decision",
        "clause X-1 is declared twice",
        "two examples are named \"both\"",
    ] {
        assert!(text.contains(found), "{found}\n{text}");
    }
}

/// The rulebook of a variant names what it changes, also a procedure or a computed value, and shows it as rules.
#[test]
fn a_variant_shows_its_changes_in_the_rulebook() {
    let variant = "variant game/hard of game/fire\noverride proc volley(a: Squad, b: Squad) {\n  roll aim = a.men of d6\n  \
        set b.men -= 2 * count aim >= hit_on\n}\noverride let shaken(s: Squad): Flag = s.men <= 3\n";
    let here = game("hard", &[("game/hard.rules", variant)]);
    let (code, text) = said(&here, &["book", "game/hard.rules", "-o", "out"]);
    assert_eq!(code, 0, "{text}");
    let page = std::fs::read_to_string(here.join("out/index.html")).unwrap();
    for shown in ["In Hard:", "Volley.", "Shaken.", "set b.men -= 2 * count aim", "s.men &lt;= 3"] {
        assert!(page.contains(shown), "{shown}\n{page}");
    }
}
