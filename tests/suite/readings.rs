//! Readings: what books leave open is listed, and what each reading changes on a table is measured, or proven to be nothing.

use crate::common;
use crate::common::{Shipped, root, said_apart as said};
use grognard_base::Sources;
use grognard_base::value::SettingId;
use grognard_play::{Options, play};
use grognard_program::{Detail, settings_reached};
use grognard_rules::load;
use grognard_rules::ruleset::{Ruleset, Setting};
use grognard_scenario::{Answerer, Mode, Prepared, prepare, read};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const RULES: &str = "ruleset g/x version \"1\"

param need \"Need\" = 4
reading ties \"Ties\" = Lose or Win \"who throws as high wins\" because \"not said\"\n  default because \"a tie is no win\"  cite T-H1
reading steady : Flag \"Steady\" = no or yes because \"not said\" default because \"steadiness is named where it is meant\"  cite T-H2
reading flipped : Flag \"Which side of the coin\" = no or yes because \"not said\"
reading parade = Left or Right because \"not said\"
reading spread = Even or Wild because \"not said\"
reading broken = Fine or Fatal because \"not said\"

kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no; state luck : Luck = Bad }
enum Luck { Bad < Good }

cite T-01
phase Go(s: Side) \"Goes\" {
  roll aim = d6
  set s.hit = aim > need or (ties == Win and aim == need)
  roll coin = d6
  set s.luck = if (coin > 3) == flipped then Good else Bad
  roll dice = d6
  set s.pips = if spread == Even then dice else if dice > 3 then 6 else 1
  if steady and s.pips == 1 { set s.pips = 2 }
  if broken == Fatal and aim == 1 { set s.pips = 1 / (aim - 1) rounded down }
}

cite T-01
phase Parade(s: Side) \"Nothing of this is played\" {
  if parade == Right { set s.pips = 60 }
}
";
const REGISTER: &str = "[[clause]]\nid = \"T-01\"\nsection = \"S\"\nsays = \"Go.\"\nstatus = \"modelled\"\n\n[[clause]]\nid = \"T-H1\"\nsection = \"S\"\nsays = \"Ties are not told.\"\nstatus = \"hole\"\n\n[[clause]]\nid = \"T-H2\"\nsection = \"S\"\nsays = \"Steady, or not.\"\nstatus = \"hole\"\n\n[[clause]]\nid = \"T-H3\"\nsection = \"S\"\nsays = \"More.\"\nstatus = \"hole\"\ndecided = \"at the table\"\n";
const VARIANT: &str = "variant g/y of g/x\n\noverride reading ties = Win because \"at our table it is\"\n";
const SCENE: &str = "rules = \"g/x\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 2000\nseed = 5\n[Side.red]\n[report]\nmean = \"red.pips\"\nchance = [\"red.hit\", \"red.luck == Good\"]\nhist = [\"red.luck\"]\n";

/// A folder with rules, a register, a variant and a scenario.
fn folder(name: &str) -> PathBuf {
    let files = [("p/g/x.rules", RULES), ("p/g/y.rules", VARIANT), ("p/g/clauses.toml", REGISTER), ("p/s.toml", SCENE)];
    common::folder(name, &files)
}

/// The effects on a measure: by `reading=alternative` the row.
fn effects(folder: &Path, args: &[&str], code: i32) -> Vec<(String, Value)> {
    let (found, text, errors) = said(folder, &[&["readings", "p/s.toml", "--format", "json"], args].concat());
    assert_eq!(found, code, "{text}{errors}");
    let all: Value = serde_json::from_str(&text).unwrap();
    let name = |row: &Value| format!("{} {}", row["measure"], row["alternative"]).replace('"', "");
    all["effects"].as_array().unwrap().iter().map(|row| (name(row), row.clone())).collect()
}

fn of<'a>(rows: &'a [(String, Value)], name: &str) -> &'a Value {
    let found: Vec<&Value> = rows.iter().filter(|(n, _)| n == name).map(|(_, row)| row).collect();
    assert_eq!(found.len(), 1, "{name}");
    found[0]
}

const ONLY: [&str; 10] =
    ["--only", "ties", "--only", "steady", "--only", "flipped", "--only", "parade", "--only", "spread"];

#[test]
fn effects_are_exact_where_they_can_be() {
    let folder = folder("exact");
    let rows = effects(&folder, &ONLY, 0);
    let rendered = |name: &str| {
        let row = of(&rows, name);
        ["verdict", "label", "fraction"].map(|key| row[key].as_str().unwrap_or("-").to_string())
    };
    assert_eq!(rendered("red.hit ties=Win"), ["moves it", "exact", "1/6"]);
    assert_eq!(rendered("red.pips steady=yes"), ["moves it", "exact", "1/6"]);
    assert_eq!(rendered("red.pips ties=Win"), ["the same", "exact", "0/1"]);
    assert_eq!(rendered("red.luck == Good flipped=yes"), ["the same", "exact", "0/1"]);
    assert_eq!(rendered("red.pips spread=Wild"), ["other odds, the same mean", "exact", "0/1"]);
    assert_eq!(rendered("red.pips parade=Right"), ["never read", "exact", "0/1"]);
    // ranked, measure by measure
    let sizes: Vec<f64> = rows.iter().filter(|(n, _)| n.starts_with("red.pips ")).map(size).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    insta::assert_snapshot!(said(&folder, &[&["readings", "p/s.toml"], &ONLY[..]].concat()).1);
}

/// Rules that end every run in an error do so in later runs too: nobody waits for thousands of them.
#[test]
fn a_game_that_never_ends_stops_early() {
    let rules = "ruleset g/x version \"1\"\nkind S { state p : 0..9 = 0 }\nreading r \"r\" = Aa or Bb because \"x\"\n\
                 phase G(a: S) { if r == Aa { set a.p = 1 } else { set a.p = 2 } }\n";
    let scene = "rules = \"g/x\"\nstart = \"G(a)\"\nrepeat = \"until a.p == 5\"\n[S.a]\n[report]\nmean = [\"a.p\"]\n";
    let folder = common::folder("never", &[("p/g/x.rules", rules), ("p/s.toml", scene)]);
    let (_, text, errors) = said(&folder, &["readings", "p/s.toml", "--mode", "sampled", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}{errors}"));
    assert_eq!((&found["pairs"], &found["stopped"]), (&json!(100), &json!(false)), "{text}");
    assert!(errors.is_empty() || !errors.contains("stopped"), "{errors}");
}

fn size((_, row): &(String, Value)) -> f64 {
    row["estimate"].as_f64().unwrap_or(0.0).abs()
}

#[test]
fn samples_agree_with_exact_odds() {
    let folder = folder("sampled");
    let exact = effects(&folder, &ONLY, 0);
    let sampled = effects(&folder, &[&ONLY[..], &["--mode", "sampled", "--threads", "3"]].concat(), 0);
    let again = effects(&folder, &[&ONLY[..], &["--mode", "sampled", "--threads", "1"]].concat(), 0);
    assert_eq!(sampled, again);
    let mut inside = 0;
    for (name, row) in &exact {
        let other = of(&sampled, name);
        if row["verdict"] == "never read" {
            assert_eq!(row, other);
            continue;
        }
        let (truth, low, high) = (row["estimate"].as_f64(), other["low"].as_f64(), other["high"].as_f64());
        assert!(low <= truth && truth <= high, "{name}: {row} {other}");
        assert_eq!(other["n"], 2000);
        inside += 1;
    }
    assert_eq!(inside, 12);
    let verdict = |name: &str| of(&sampled, name)["verdict"].as_str().unwrap().to_string();
    assert_eq!(verdict("red.hit ties=Win"), "moves it");
    assert_eq!(verdict("red.hit steady=yes"), "no pair differs");
    // the coin falls otherwise, and as often
    assert_eq!(verdict("red.luck == Good flipped=yes"), "not enough runs");
    insta::assert_snapshot!(said(&folder, &[&["readings", "p/s.toml", "--mode", "sampled"], &ONLY[..]].concat()).1);
}

#[test]
fn the_margin_of_the_first_measure_can_be_given() {
    let folder = folder("within");
    let asked = |within: &[&str]| {
        let measures = ["--of", "red.luck == Good", "--of", "red.hit", "--only", "flipped", "--mode", "sampled"];
        effects(&folder, &[&measures[..], within].concat(), 0)
    };
    let (usual, wide) = (asked(&[]), asked(&["--within", "40%"]));
    let first = "red.luck == Good flipped=yes";
    assert_eq!(of(&usual, first)["verdict"], "not enough runs");
    assert_eq!(of(&wide, first)["verdict"], "smaller than the margin");
    // it is the same range, and the other measure keeps its own margin
    assert_eq!(
        (&of(&usual, first)["low"], &of(&usual, first)["high"]),
        (&of(&wide, first)["low"], &of(&wide, first)["high"])
    );
    assert_eq!(of(&usual, "red.hit flipped=yes"), of(&wide, "red.hit flipped=yes"));
    let run = |more: &[&str]| said(&folder, &[&["readings", "p/s.toml", "--only", "flipped"], more].concat());
    let (code, _, why) = run(&["--of", "red.hit", "--within", "0.1"]);
    assert!(code == 2 && why.contains("`1%` for a condition"), "{why}");
    let (code, text, _) = run(&["--explain"]);
    assert!(code == 0 && text == run(&[]).1 + "Method: " + text.split("Method: ").nth(1).unwrap(), "{text}");
    let (code, _, why) = said(&folder, &["readings", "p", "--within", "1%"]);
    assert!(code == 2 && why.contains("`--within` needs a scenario"), "{why}");
}

#[test]
fn a_reading_that_cannot_be_played_is_told() {
    let folder = folder("broken");
    let rows = effects(&folder, &["--only", "broken"], 1);
    let row = of(&rows, "red.pips broken=Fatal");
    assert!(row["label"] == "sampled" && row["faults"].as_u64().unwrap() > 200, "{row}");
    let (code, text, _) = said(&folder, &["readings", "p/s.toml", "--only", "broken"]);
    assert!(
        code == 1 && text.contains("broken = Fatal: ") && text.contains("pairs ended in an error, first run "),
        "{text}"
    );
    // nothing is sampled in its place if only exact answers are wanted
    let (code, text, _) = said(&folder, &["readings", "p/s.toml", "--only", "broken", "--mode", "exact"]);
    assert!(code == 3 && text.contains("not computed"), "{text}");
    let (code, text, why) = said(&folder, &["readings", "p/s.toml", "--mode", "exact", "--budget", "1"]);
    assert!(code == 3 && text.is_empty() && why.contains("did not finish within 1 state;"), "{text}{why}");
}

#[test]
fn the_table_as_it_stands_is_what_the_scenario_says() {
    let folder = folder("stands");
    let rows = effects(&folder, &["--only", "ties", "--rules", "g/y"], 0);
    assert_eq!(of(&rows, "red.hit ties=Lose")["fraction"], "-1/6");
    let rows = effects(&folder, &["--only", "ties", "--set", "ties=Win", "--set", "need=5"], 0);
    assert_eq!(of(&rows, "red.hit ties=Lose")["instead"], "ties=Win");
    let (code, _, why) = said(&folder, &["readings", "p/s.toml", "--only", "tie"]);
    assert!(code == 2 && why.contains("did you mean"), "{why}");
    let twice = effects(&folder, &["--only", "ties", "--only", "ties"], 0);
    assert_eq!(twice, effects(&folder, &["--only", "ties"], 0));
    for option in [["--report", "page.html"], ["--set", "ties=Win"], ["--of", "1"], ["--runs", "5"]] {
        let (code, text, why) = said(&folder, &[&["readings", "p"], &option[..]].concat());
        assert!(code == 2 && text.is_empty() && why.contains("needs a scenario"), "{why}");
    }
    let (code, _, why) = said(&folder, &["readings", "p/s.toml", "--of", "red.luck"]);
    assert!(code == 2 && why.contains("is not a number and not a condition"), "{why}");
    let csv = said(&folder, &["readings", "p/s.toml", "--only", "ties", "--format", "csv"]).1;
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

#[test]
fn holes_are_listed() {
    let folder = folder("list");
    let (code, text, why) = said(&folder, &["readings", "p"]);
    assert_eq!(code, 0, "{why}");
    insta::assert_snapshot!(text);
    let all: Value = serde_json::from_str(&said(&folder, &["readings", "p", "--format", "json"]).1).unwrap();
    assert_eq!(all["holes"].as_array().unwrap().len(), 3);
    let ties = all["readings"].as_array().unwrap().iter().find(|r| r["name"] == "ties").unwrap();
    assert_eq!((&ties["defaults"]["g/x"], &ties["defaults"]["g/y"]), (&Value::from("Lose"), &Value::from("Win")));
    assert_eq!(ties["leaning"][0]["item"], "phase Go");
    assert_eq!(ties["default_because"], json!({ "g/x": "a tie is no win", "g/y": "at our table it is" }));
    let text = said(&folder, &["readings", "p", "--only", "steady"]).1;
    assert!(text.starts_with("g/clauses.toml\n\nT-H2 ") && text.contains("\n1 hole: 1 with a reading"), "{text}");
    let (code, _, why) = said(&folder, &["readings", "p", "--only", "stedy"]);
    assert!(code == 2 && why.contains("did you mean `steady`"), "{why}");
    let csv = said(&folder, &["readings", "p/g/x.rules", "--format", "csv"]).1;
    assert_eq!(csv.lines().count(), 1 + 2 * 6 + 1, "{csv}");
    let rendered = csv.lines().filter(|row| row.contains("a tie is no win")).collect::<Vec<_>>();
    assert!(rendered.len() == 1 && rendered[0].contains(",Lose,"), "{csv}");
}

#[test]
fn that_nothing_is_left_open_is_no_error() {
    let rules = "ruleset g/plain version \"1\"\nkind Side { state pips : 0..6 = 0 }\nphase Go(s: Side) { roll aim = d6; set s.pips = aim }\n";
    let scene = "rules = \"g/plain\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 50\n[Side.red]\n[report]\nmean = \"red.pips\"\n";
    let folder = common::folder("plain", &[("g/plain.rules", rules), ("s.toml", scene)]);
    let fine = |args: &[&str]| {
        let (code, text, why) = said(&folder, &[&["readings"], args].concat());
        assert_eq!((code, why.as_str()), (0, ""), "{args:?}: {text}");
        text
    };
    for listed in ["g/plain.rules", "."] {
        assert!(fine(&[listed]).starts_with("no ambiguities: "));
        let all: Value = serde_json::from_str(&fine(&[listed, "--format", "json"])).unwrap();
        assert_eq!((&all["holes"], &all["readings"]), (&json!([]), &json!([])));
        assert_eq!(fine(&[listed, "--format", "csv"]).lines().count(), 1);
    }
    for mode in ["auto", "exact", "sampled"] {
        let measured = |form| fine(&["s.toml", "--mode", mode, "--format", form]);
        assert!(measured("human").starts_with("s.toml with g/plain: no ambiguities, "));
        let all: Value = serde_json::from_str(&measured("json")).unwrap();
        assert_eq!((&all["effects"], &all["as_it_stands"][0]["measure"]), (&json!([]), &json!("red.pips")));
        assert_eq!(measured("csv").lines().count(), 1);
    }
    fine(&["s.toml", "--report", "page.html"]);
    assert!(std::fs::read_to_string(folder.join("page.html")).unwrap().contains("no ambiguities"));
}

/// What is proven to change nothing changes nothing: every scenario that ships is played with every alternative that no
/// code of it reads, and ends as before.
#[test]
fn what_is_never_read_changes_nothing() {
    let root = root().join("rulesets");
    let library = Shipped::default();
    let (mut proven, mut open) = (0, 0);
    let mut sources = Sources::default();
    let mut loaded: BTreeMap<String, Ruleset> = BTreeMap::new();
    for game in ["warstrike", "alternate", "recoil"] {
        let folder = root.join(game).join("scenarios");
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        for file in files {
            let name = file.strip_prefix(&root).unwrap().display().to_string();
            let text = std::fs::read_to_string(&file).unwrap();
            let document = read(&name, text, &library, &mut sources).unwrap();
            let names = grognard_scenario::rulesets(&document).unwrap();
            for (name, _) in &names {
                loaded.entry(name.clone()).or_insert_with(|| load(name, &library, &mut sources).ruleset.unwrap());
            }
            let mut sets: Vec<Ruleset> = names.iter().map(|(name, _)| loaded[name].clone()).collect();
            let set = sets.remove(0);
            let table: Prepared = prepare(&document, set, &sets, &sources, Detail::Plain).unwrap();
            let asks = table.plan().players.iter().any(|(_, list)| list.contains(&Answerer::Prompt));
            if asks || table.plan().mode == Mode::Exact {
                continue;
            }
            let base = table.clone().settle().unwrap();
            let reached = settings_reached(&base.game.program);
            let end = |scene: &grognard_scenario::Scenario| {
                let mut outcome = play(scene, Options { run: Some(3), ..Options::default() });
                for (at, width) in &scene.game.layout.settings {
                    outcome.state.cells[*at..at + width].fill(0);
                }
                format!("{:?}", (outcome.checks, outcome.figures, outcome.state.cells))
            };
            let settings = table.rules().settings.iter().enumerate().filter(|(_, s)| !s.alternatives.is_empty());
            let (read, unread): (Vec<_>, Vec<_>) = settings.partition(|(n, _)| reached.contains(SettingId::from(*n)));
            let other = |(n, s): &(usize, &Setting)| (SettingId::from(*n), s.alternatives.last().unwrap().0.clone());
            let turned = table.with(&unread.iter().map(other).collect::<Vec<_>>()).unwrap();
            assert_eq!(end(&turned), end(&base), "{name}");
            (proven, open) = (proven + unread.len(), open + read.len());
        }
    }
    println!("{proven} proven, {open} open");
    assert!(proven > 20 && open > 20, "{proven} {open}");
}
