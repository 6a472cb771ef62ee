//! Coverage of clauses: what counts as cited and as run, and that the shipped rules are.

use crate::common;
use crate::common::{err, out, output, root};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;

/// Books of which every clause with a rule is run, and how many clauses each has besides its holes.
const COMPLETE: &[(&str, usize)] = &[("alternate/", 131), ("recoil/", 41), ("warstrike/", 119)];

fn coverage(args: &[&str]) -> Output {
    output(root(), &[&["coverage"], args].concat())
}

fn json(args: &[&str]) -> (Option<i32>, Value) {
    let output = coverage(&[args, &["--format", "json"]].concat());
    let text = out(&output);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code(), value)
}

#[test]
fn shipped_clauses_are_cited_and_run() {
    let (code, found) = json(&["rulesets"]);
    assert_eq!(code, Some(0));
    assert_eq!(found["schema"], 1);
    assert_eq!(found["uncited"], serde_json::json!([]));
    assert_eq!(found["totals"]["failed"], 0);
    let clauses = found["clauses"].as_array().unwrap();
    let unrun: Vec<&Value> = found["unrun"].as_array().unwrap().iter().collect();
    for (book, size) in COMPLETE {
        let own = |c: &&Value| c["book"].as_str().unwrap().starts_with(book) && c["status"] != "hole";
        let of: Vec<&Value> = clauses.iter().filter(own).collect();
        assert_eq!(of.len(), *size, "{book}");
        let missing: Vec<&Value> = of.iter().map(|c| &c["id"]).filter(|id| unrun.contains(id)).collect();
        assert!(missing.is_empty(), "{book}: cited and never run: {missing:?}");
    }
    for hole in clauses.iter().filter(|c| c["status"] == "hole") {
        let settled = hole["readings"] != serde_json::json!([]) || hole["decided"] != "";
        assert!(settled, "{}", hole["id"]);
    }
}

const RULES: &str = r#"ruleset g/x version "1"

param top "Highest" = 3  cite X-1
param idle "Never read" = 3  cite X-2

trait Swift on Man { modify speed += 1  cite X-3 }
trait Slow  on Man { modify speed -= 1  cite X-4 }

kind Man {
  stat  weight : 0..9 = 1 "Weight"  cite X-5
  stat  speed  : 0..9 = 4           cite X-6
  state pips   : 0..9 = 0
}

cite X-7
let fresh(m: Man) = m.pips == 0

let pace(m: Man) = match m.speed {
  0 to 3 => 1  cite X-8
  else   => 2  cite X-9
}

event Gained(man: Man)

cite X-10
proc gain() "Somebody gains" {
  choose who in Man where fresh(who)
  set who.pips += min(pace(who), top)
  emit Gained(who)
}

cite X-11
rule Heavy "A guard that fails" on Gained as g when g.man.pips > 5 {
  set g.man.pips = 0
}

cite X-12
rule Light "A guard that holds" on Gained as g when g.man.pips <= 5 {
  if g.man.pips > 4 {
    cite X-13
    set g.man.pips = 1
  }
}

cite X-14
let spare(m: Man) = m.weight

cite X-15
example "a claim runs what it names" for m: Man with m.weight = 2 { spare(m) = 2 }
"#;

const SCENE: &str = r#"rules = "g/x"
[Man.ann]
traits = ["Swift"]
[[step]]
do = "do gain()"
expect = ["ann.pips == 2"]
"#;

fn folder(name: &str, scene: &str) -> PathBuf {
    let clause = |n: usize, status: &str| {
        format!("[[clause]]\nid = \"X-{n}\"\nsection = \"One\"\nsays = \"says {n}\"\nstatus = \"{status}\"\n")
    };
    let mut register: String = (1..=17).map(|n| clause(n, "modelled")).collect();
    register += &clause(18, "commentary");
    register += &clause(19, "external");
    register += &(clause(20, "hole") + "decided = \"as it is\"\n");
    common::folder(name, &[("g/clauses.toml", &register), ("g/x.rules", RULES), ("g/scenarios/one.toml", scene)])
}

fn ids(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

#[test]
fn what_ran_is_what_was_reached() {
    let folder = folder("coverage", SCENE);
    let (code, found) = json(&[folder.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    // an example cites no rule into being
    assert_eq!(ids(&found["uncited"]), ["X-15", "X-16", "X-17"]);
    assert_eq!(ids(&found["unrun"]), ["X-2", "X-4", "X-8", "X-11", "X-13"]);
    let first = &found["clauses"][0];
    assert_eq!(first["cited_by"][0]["item"], "param top");
    assert_eq!(first["cited_by"][0]["at"], "g/x.rules:3");
    assert!(first["run_by"][0]["scenario"].as_str().unwrap().ends_with("one.toml"));
    assert_eq!(found["clauses"][4]["cited_by"][0]["item"], "stat Man.weight");
    assert_eq!(found["clauses"][13]["run_by"][0]["example"], "a claim runs what it names");
    assert_eq!((&found["totals"]["with_rule"], &found["totals"]["run"]), (&17.into(), &9.into()));
}

#[test]
fn a_run_that_fails_does_not_count() {
    let folder = folder("coverage-fails", &SCENE.replace("pips == 2", "pips == 3"));
    let (code, found) = json(&[folder.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert_eq!(found["totals"]["failed"], 1);
    assert!(ids(&found["unrun"]).contains(&"X-10"));
}

const THROWN: &str = r#"ruleset g/x version "1"
kind Man { state pips : 0..9 = 0 }
phase Throw(m: Man) {
  roll one = d6
  if one == 6 {
    cite X-1
    set m.pips = 2
  }
}
"#;

/// Clauses that nothing ran, by rules in which a six is under X-1, and how many runners failed.
fn thrown(name: &str, example: &str, mode: &str, scene: &str) -> (Vec<String>, u64) {
    let head = format!("rules = \"g/x\"\nmode = \"{mode}\"\nstart = \"Throw(ann)\"\n[Man.ann]\n");
    let folder = folder(name, &(head + scene));
    std::fs::write(folder.join("g/x.rules"), format!("{THROWN}{example}")).unwrap();
    let (_, found) = json(&[folder.to_str().unwrap()]);
    (ids(&found["unrun"]).iter().map(|id| id.to_string()).collect(), found["totals"]["failed"].as_u64().unwrap())
}

#[test]
fn what_the_dice_may_bring_is_run_by_claims_of_chances() {
    let given = "[dice]\nrolls = [{ roll = \"Throw.one\", give = [1] }]\n";
    let claim = |chance| format!("[[expect]]\nchance = {{ \"ann.pips == 2\" = \"{chance}\" }}\n");
    let example = "example \"one in six\" for Throw(m) { chance m.pips == 2 = 1/6 }\n";
    let ran = (Vec::new(), 0);
    let not = |failed| (vec!["X-1".to_string()], failed);
    assert_eq!(thrown("thrown", "", "scripted", given), not(0));
    assert_eq!(thrown("thrown-example", example, "scripted", given), ran);
    assert_eq!(thrown("thrown-claimed", "", "scripted", &format!("{given}{}", claim("1/6"))), ran);
    assert_eq!(thrown("thrown-wrong", "", "scripted", &format!("{given}{}", claim("1/5"))), not(1));
    assert_eq!(thrown("thrown-exact", "", "exact", &claim("1/6")), ran);
    assert_eq!(thrown("thrown-exact-wrong", "", "exact", &claim("5/6")), not(1));
    assert_eq!(thrown("thrown-exact-told", "", "exact", "[report]\nmean = \"ann.pips\"\n"), ran);
}

#[test]
fn the_page_for_people() {
    let folder = folder("coverage-page", SCENE);
    let output = coverage(&[folder.to_str().unwrap()]);
    insta::assert_snapshot!(out(&output));
}

#[test]
fn what_cannot_be_read_ends_with_two() {
    assert_eq!(coverage(&["no/such/folder"]).status.code(), Some(2));
    let folder = folder("coverage-broken", SCENE);
    std::fs::write(folder.join("g/x.rules"), "ruleset g/x\nlet = 3\n").unwrap();
    let output = coverage(&[folder.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(err(&output).contains("g/x.rules:2"));
    std::fs::remove_file(folder.join("g/clauses.toml")).unwrap();
    std::fs::write(folder.join("g/x.rules"), RULES).unwrap();
    let output = coverage(&[folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no `clauses.toml`"));
}
