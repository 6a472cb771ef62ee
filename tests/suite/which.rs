//! Which of several edits makes the difference: books between two versions, and `compare --which`.

use crate::common;
use crate::common::{Shelf, Shipped};
use grognard_base::Sources;
use grognard_lab::diff::diff;
use grognard_lab::mix::Edits;
use grognard_report::diff::brief;
use grognard_rules::merged;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const OLD: &str = "ruleset g/x version \"1\"

param need \"Need\" = 4
param most \"Most\" = 6
enum Cover { Bare < Soft }
table bite(cover: Cover, pip: 1..6): Int \"Bite\" {
  |      | 1 to 5 | 6 |
  | Bare | 0      | 2 |
  | Soft | 0      | 1 |
}
kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no; stat cover : Cover = Bare }

phase Go(s: Side) \"Goes\" {
  roll aim = d6
  set s.hit = aim >= need
  set s.pips += min(bite(s.cover, aim), most)
}
rule Late \"Late\" on end of Go as g { set g.s.pips += 1 }
";
/// Two settings, two cells, a rule that needs a param of its own, a rule that goes, and a title.
const NEW: &str = "variant g/y of g/x

override param need \"Needed\" = 5
override param most = 1
override bite[Bare, 6] = 3
override bite[Soft, 6] = 2
param bonus \"Bonus\" = 1
override phase Go(s: Side) \"Goes\" {
  roll aim = d6
  set s.hit = aim + bonus >= need
  set s.pips += min(bite(s.cover, aim), most)
}
remove rule Late
";

fn shelf() -> Shipped {
    Shipped(Shelf::of(&[("g/x.rules", OLD), ("g/y.rules", NEW)]))
}

#[test]
fn the_edits_between_two_versions_lead_from_one_to_the_other() {
    let shelf = shelf();
    let mut sources = Sources::default();
    let edits = Edits::between(("g/x", &shelf), ("g/y", &shelf), &mut sources);
    let rendered: Vec<String> = edits.list().iter().map(|edit| brief(&edit.change)).collect();
    assert_eq!(
        rendered,
        [
            "param need: value 4 -> 5",
            "param most: value 6 -> 1",
            "table bite[Bare, 6]: 2 -> 3",
            "table bite[Soft, 6]: 1 -> 2",
            "phase Go: set s.hit = aim >= need -> set s.hit = aim + bonus >= need",
            "rule Late: gone",
            "param bonus: new",
        ]
    );
    // none of them is the old version, all of them the new one, and one of them differs in that alone
    for (taken, other) in [(vec![], "g/x"), ((0..7).collect(), "g/y")] {
        let mixed = edits.with(&|n| taken.contains(&n), &sources).ruleset.unwrap();
        let whole = grognard_rules::load(other, &shelf, &mut Sources::default()).ruleset.unwrap();
        let values = |rs: &grognard_rules::ruleset::Ruleset| {
            let settings = rs.settings.iter().map(|s| (s.name.clone(), s.value.clone())).collect::<BTreeMap<_, _>>();
            (settings, rs.rules.len(), rs.functions.len())
        };
        assert_eq!(values(&mixed), values(&whole), "{other}");
    }
    let why = |taken: usize| {
        let loaded = edits.with(&|n| n == taken, &sources);
        loaded.problems.into_iter().filter(|p| p.is_error()).map(|p| p.message).collect::<Vec<String>>()
    };
    assert!((0..7).filter(|n| *n != 4).all(|n| why(n).is_empty()));
    assert_eq!(why(4), ["unknown name `bonus`"]);
}

#[test]
fn between_shipped_editions_stand_books_that_can_be_read() {
    let shelf = Shipped::default();
    for (old, new) in
        [("warstrike/leadership", "warstrike/salvo-threshold"), ("warstrike/action-phase", "warstrike/leadership")]
    {
        let mut sources = Sources::default();
        let edits = Edits::between((old, &shelf), (new, &shelf), &mut sources);
        let (was, is) = (merged(old, &shelf, &mut sources), merged(new, &shelf, &mut sources));
        let changes = diff(&was, &is, &sources);
        assert!(!edits.list().is_empty() && edits.list().len() <= changes.len());
        for all in [true, false] {
            let loaded = edits.with(&|_| all, &sources);
            assert!(loaded.ruleset.is_some(), "{old} {new} {all}: {:?}", loaded.problems);
        }
    }
}

const SCENE: &str = "rules = \"g/x\"\nagainst = [\"g/y\"]\nstart = \"Go(red)\"\nmode = \"sampled\"\n[Side.red]\n[report]\nmean = \"red.pips\"\nchance = \"red.hit\"\n";

fn folder(name: &str) -> PathBuf {
    common::folder(name, &[("g/x.rules", OLD), ("g/y.rules", NEW), ("s.toml", SCENE)])
}

fn said(folder: &Path, args: &[&str]) -> (i32, String) {
    common::said(folder, &[&["compare"], args].concat())
}

fn size(json: &Value, measure: &str, what: &str, edits: &[u64]) -> String {
    let rows = json["which"][0]["effects"].as_array().unwrap();
    let fits =
        |row: &&Value| row["measure"] == measure && row["what"] == what && row["edits"] == Value::from(edits.to_vec());
    rows.iter().find(fits).unwrap()["fraction"].as_str().unwrap().to_string()
}

#[test]
fn each_edit_is_told_alone_and_in_b() {
    let folder = folder("exact");
    let (code, text) = said(&folder, &["s.toml", "--which"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
    let (_, text) = said(&folder, &["s.toml", "--which", "--format", "json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    // in B the cap of one undoes the cell, which alone brings a pip on a six
    assert_eq!(size(&json, "red.pips", "alone", &[2]), "1/6");
    assert_eq!(size(&json, "red.pips", "in_b", &[2]), "0/1");
    // the cap takes one pip off what the old cell gives, and two off what the new one gives
    assert_eq!(size(&json, "red.pips", "alone", &[1]), "-1/6");
    assert_eq!(size(&json, "red.pips", "in_b", &[1]), "-1/3");
    assert_eq!(size(&json, "red.pips", "interaction", &[1, 2]), "-1/6");
    assert_eq!(size(&json, "red.pips", "rest", &[]), "-1/6");
    // need and bonus undo each other
    assert_eq!(size(&json, "red.hit", "whole", &[]), "0/1");
    assert_eq!(size(&json, "red.hit", "alone", &[0]), "-1/6");
}

/// Two edits that only together do something: neither changes the measure alone.
#[test]
fn what_does_nothing_alone_is_told_as_such() {
    let old = "ruleset g/x version \"1\"\n\nparam door = 0\nparam key = 0\nkind Side { state gold : 0..60 = 0 }\n\
               phase Go(s: Side) {\n  roll aim = d6\n  if door + key > 1 { set s.gold = aim }\n}\n";
    let new = "variant g/y of g/x\n\noverride param door = 1\noverride param key = 1\n";
    let scene = "rules = \"g/x\"\nstart = \"Go(red)\"\nseed = 3\n[Side.red]\n[report]\nmean = \"red.gold\"\n";
    let folder = common::folder("idle", &[("g/x.rules", old), ("g/y.rules", new), ("s.toml", scene)]);
    let (_, exact) = said(&folder, &["g/x", "g/y", "s.toml", "--which"]);
    let exact = exact.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(exact.contains("7/2") && exact.contains("; none of them changes it by itself"), "{exact}");
    let (_, sampled) = said(&folder, &["g/x", "g/y", "s.toml", "--which", "--mode", "sampled", "--runs", "2000"]);
    let sampled = sampled.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(sampled.contains("; no edit is shown to change it by itself"), "{sampled}");
}

#[test]
fn sampled_sizes_hold_the_exact_ones() {
    let folder = folder("sampled");
    let json = |args: &[&str]| -> Value {
        let (_, text) = said(&folder, &[&["s.toml", "--which", "--format", "json", "--runs", "4000"], args].concat());
        serde_json::from_str(&text).unwrap()
    };
    let exact = json(&[]);
    let sampled = json(&["--mode", "sampled", "--threads", "1"]);
    assert_eq!(json(&["--mode", "sampled", "--threads", "2"]), sampled);
    let rows = |json: &Value| json["which"][0]["effects"].as_array().unwrap().clone();
    assert_eq!(rows(&exact).len(), rows(&sampled).len());
    for (exact, sampled) in rows(&exact).iter().zip(&rows(&sampled)) {
        let [value, low, high] = [&exact["estimate"], &sampled["low"], &sampled["high"]].map(|v| v.as_f64().unwrap());
        assert!(low <= value && value <= high, "{exact} {sampled}");
        assert_eq!((&exact["measure"], &exact["what"]), (&sampled["measure"], &sampled["what"]));
    }
}

#[test]
fn settings_are_edits_and_the_same_is_none() {
    let folder = folder("settings");
    let (code, text) = said(&folder, &[":need=3", ":need=5,most=1", "s.toml", "--which"]);
    assert!(code == 0 && text.contains("need: 3 -> 5\n") && text.contains("most: 6 -> 1\n"), "{text}");
    assert!(text.contains("red.hit, all edits: 1/3 = 33.33 points less\n"), "{text}");
    let (_, text) = said(&folder, &["g/x", "g/x", "s.toml", "--which"]);
    assert!(text.contains("\nno difference that affects a run\n"), "{text}");
    let (_, text) = said(&folder, &["g/x", "g/y:bonus=2", "s.toml", "--which", "--format", "csv"]);
    // what B sets of a param that only B has goes with that param
    assert!(text.contains("phase Go with param bonus with bonus"), "{text}");
    let (code, text) = said(&folder, &["s.toml", "--which", "--mode", "exact", "--budget", "1"]);
    assert!(code == 3 && text.contains("cannot be computed exactly"), "{text}");
    let (code, text) =
        said(&folder, &["s.toml", "--which", "--report", "p.html", "--mode", "sampled", "--runs", "200"]);
    let page = std::fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(code == 0 && page.matches("<figure class=\"intervals\"").count() == 2, "{text}");
}
