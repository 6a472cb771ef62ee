//! `compare --gaming`: what best play gains over plain play, and at which decisions.

use super::common::{folder, said};
use serde_json::Value;

/// Two salvos from one pool of shots: a salvo of `bite` hits or more costs its target a marker. Plain play fires one salvo.
const RULES: &str = r#"ruleset g/g version "1"
param bite = 2 sweep 1 .. 4
kind Side { }
kind Squad { link side : Side; stat shots : 0..4 = 0; state markers : 0..9 = 0 }
proc volley(a: Squad, t: Squad, n: Int) {
  roll aim = n of d6
  if (count aim >= 4) >= bite { set t.markers += 1 }
}
phase Fire(a: Squad, x: Squad, y: Squad) {
  choose split by a.side in 0 .. a.shots prefer least split
  do volley(a, x, a.shots - split)
  do volley(a, y, split)
}
policy Halves {
  split = most (if split == 2 then 1 else 0)
}
"#;

const TABLE: &str = r#"rules = "g/g"
objective = "x.markers + y.markers"
players = { red = "prefer", blue = "prefer" }
start = "Fire(r, x, y)"
[Side]
red = {}
blue = {}
[Squad]
r = { side = "red", shots = 4 }
x = { side = "blue" }
y = { side = "blue" }
"#;

fn answer(name: &str, rules: &str, args: &[&str]) -> (i32, String) {
    let folder = folder(name, &[("g/g.rules", rules), ("g.toml", TABLE)]);
    let mut all = vec!["compare", "g/g", "g/g:bite=1", "g.toml", "--gaming"];
    all.extend(args);
    said(&folder, &all)
}

fn found(name: &str, args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.extend(["--format", "json"]);
    let (code, text) = answer(name, RULES, &all);
    assert_eq!(code, 0, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["gaming"][0].clone()
}

/// Returns the fraction of a value of a version.
fn exact<'v>(found: &'v Value, version: &str, what: &str) -> &'v str {
    found[version][what]["fraction"].as_str().unwrap_or("none")
}

#[test]
fn a_player_splits_a_salvo_if_each_part_counts() {
    let found = found("gaming-splits", &["red"]);
    // two hits of four dice: 11/16; two salvos of two dice: 1/4 each; salvos of three and one: 1/2
    assert_eq!([exact(&found, "in_a", "plain"), exact(&found, "in_a", "best")], ["11/16", "11/16"]);
    assert_eq!(found["in_a"]["decisions"].as_array().map(Vec::len), Some(0));
    // one hit of four dice: 15/16; two salvos of two dice: 3/4 each
    assert_eq!([exact(&found, "in_b", "plain"), exact(&found, "in_b", "best")], ["15/16", "3/2"]);
    let decision = &found["in_b"]["decisions"][0];
    assert_eq!([&decision["plain"], &decision["best"]], ["0", "2"]);
    assert_eq!(decision["gain"]["fraction"], "9/16");
    assert_eq!(exact(&found, "in_b", "gain"), "9/16");
}

#[test]
fn a_side_can_want_little_and_plain_play_can_be_a_policy() {
    let found = found("gaming-least", &["red=worst", "--plain", "policy:Halves"]);
    // two salvos of two dice: 1/2 in all, and nothing is less
    assert_eq!([exact(&found, "in_a", "plain"), exact(&found, "in_a", "best")], ["1/2", "1/2"]);
    assert_eq!([exact(&found, "in_b", "plain"), exact(&found, "in_b", "best")], ["3/2", "15/16"]);
    assert_eq!(exact(&found, "in_b", "gain"), "-9/16");
}

#[test]
fn the_text_names_the_decisions() {
    let text = answer("gaming-text", RULES, &["red"]).1;
    insta::assert_snapshot!(text, @r"
    g.toml: A g/g, B g/g:bite=1
    red makes x.markers + y.markers as large as possible: exact
    x.markers + y.markers
      version       plain play  best play  gain    of plain play
      A g/g         0.688       0.688      0       0 %
      B g/g:bite=1  0.938       1.5        +0.563  60 %
    Best play gains 0.563 more in B than in A.
    Decisions where best play differs from plain play, and their gain
      decision                    A  B
      red, split: 2 instead of 0  0  +0.563
    ");
}

#[test]
fn a_question_that_does_not_fit_is_refused() {
    for (args, part) in [
        (&["green"] as &[&str], "the scenario has no player `green`"),
        (&["red=often"], "write `--gaming red` or `--gaming red=worst`"),
        (&["red", "--plain", "random"], "`random` is not plain play"),
        (&["blue"], "`blue` decides nothing on this table"),
    ] {
        let (code, text) = answer("gaming-refused", RULES, args);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part), "{text}");
    }
}

/// An error has no value, so a decision that can lead to one leaves no answer.
#[test]
fn a_decision_that_leads_to_an_error_leaves_no_answer() {
    let rules = RULES.replace("set t.markers += 1", "set t.markers += 1 / (4 - n) rounded down");
    let (code, text) = answer("gaming-error", &rules, &["red"]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("R1006") && !text.contains("gain"), "{text}");
}
