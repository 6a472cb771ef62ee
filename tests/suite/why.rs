//! Why: what made a value what it is in a run, and why an action was not to be had.

use crate::common::{folder, said};

const RULES: &str = r#"ruleset game version "1"
kind Side { link units : list of Unit }
kind Unit {
  link  side  : Side
  stat  nerve : 0..6 = 3
  state hits  : 0..9 = 0
}
status Shaken on Unit
param calm = 2
test Stand(u: Unit) "It holds its nerve" {
  roll dice = 2 of d6
  pass when any dice <= u.nerve - u.hits
}
event Hit(u: Unit)
rule Shock "A hit shakes who cannot stand" on Hit as h {
  set h.u.hits += 1
  let t = test Stand(h.u)
  if not t.passed { grant Shaken to h.u }
}
phase Turn(side: Side) { repeat choose action or stop }
action Shoot "Fire" in Turn by unit {
  choose unit   in side.units
  choose target in Unit where target.side != side
  needs unit has no Shaken else "it is shaken"
  limit 1 per Turn for unit
  emit Hit(target)
}
"#;

const SCENE: &str = r#"rules = "game"
mode = "scripted"
[players]
red  = ["script"]
blue = ["script"]
[dice]
rolls = [{ roll = "Stand.dice", give = [5, 6] }]
[Side]
red  = {}
blue = {}
[Unit]
a = { side = "red" }
b = { side = "blue", nerve = 2 }
[[step]]
do = "run Turn(red)"
decide = [{ choice = "action", pick = "Shoot(a, b)" }]
expect = ["b has Shaken"]
[[step]]
do = "run Turn(blue)"
"#;

#[track_caller]
fn why(name: &str, args: &[&str]) -> (i32, String) {
    let shelf = folder(name, &[("game.rules", RULES), ("scene.toml", SCENE)]);
    let all: Vec<&str> = ["why", "scene.toml"].iter().chain(args).copied().collect();
    said(&shelf, &all)
}

#[test]
fn a_status_is_told_by_the_chain_that_led_to_it() {
    let (code, text) = why("1", &["b has Shaken"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn each_change_of_a_number_has_its_chain() {
    let (code, text) = why("2", &["b.hits * 2"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("b.hits * 2: 0 at the start, 2 at the end\n\n1. 0 -> 2\n"), "{text}");
    assert!(text.contains("> Shock") && text.contains("+ b.hits") && !text.contains("Stand"), "{text}");
}

#[test]
fn what_nothing_changed_is_said_to_be_as_it_was() {
    let (code, text) = why("3", &["not", "a has Shaken"]);
    assert_eq!(
        (code, text.as_str()),
        (0, "a has Shaken: no from the start to the end; nothing in this run changed it\n")
    );
}

#[test]
fn an_action_is_refused_by_a_line_of_its_header() {
    let (code, text) = why("4", &["not", "Shoot(b, a)"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.starts_with("Shoot(b, a): 1 menu in this run; refused at 1, not chosen at 0, chosen at 0\n"),
        "{text}"
    );
    assert!(text.contains("it is shaken"), "{text}");
    let (_, text) = why("5", &["not Shoot(unit: a)"]);
    assert!(text.contains("chosen at 1") && text.contains("its limit of 1 per Turn is used up"), "{text}");
}

#[test]
fn json_has_the_same_chains_as_events() {
    let (code, text) = why("6", &["b has Shaken", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &told["start"], &told["end"]), (0, &false.into(), &true.into()));
    let chain = told["changes"][0]["chain"].as_array().expect("a chain");
    assert!(chain.iter().any(|e| e["event"] == "roll") && chain.last().is_some_and(|e| e["event"] == "gain"), "{text}");
}

#[test]
fn bad_questions_are_told_apart() {
    for (args, wanted) in [
        (&["b has Shakn"][..], "Shaken"),
        (&["not", "Shot(b)"], "these rules have no action `Shot`; did you mean `Shoot`?"),
        (&["b.hits >"], "the question"),
        (&["b.hits", "2"], "one question is asked at a time"),
    ] {
        let (code, text) = why("7", args);
        assert!(code > 0 && text.contains(wanted), "{args:?}\n{text}");
    }
}
