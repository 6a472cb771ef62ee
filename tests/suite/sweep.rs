//! Sweeps: every point once, however the work is ended and parted, and the same as that point alone.

use crate::common;
use crate::common::{grognard, said_apart as said};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const RULES: &str = "ruleset g/x version \"1\"

param need \"Need\" = 4  sweep 3 .. 5
param far \"Far\" = 6\"  sweep 4\", 6.5\"
reading order \"Order\" = First or Last because \"not said\"
reading twice : Flag \"Twice\" = no or yes because \"not said\"

kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no; state luck : Luck = Bad; stat room : 0..60 = 12 / (need - 2) rounded down }
enum Luck { Bad < Good }

phase Go(s: Side) \"Goes\" {
  roll dice = 2 of d6
  each d in dice { set s.pips += d }
  if twice { set s.pips += s.pips }
  roll aim = d6
  set s.hit = aim >= need
  if aim == 6 and order == Last { set s.luck = Good }
  if far > 5\" and s.pips == 24 { set s.pips = 1 / (s.pips - 24) rounded down }
}
";
const VARIANT: &str = "variant g/y of g/x\n\noverride param need = 5\n";
const SCENE: &str = "rules = \"g/x\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 300\nseed = 5\n[Side.red]\n[report]\nchance = \"red.hit\"\nmean = \"red.pips\"\nhist = \"red.luck\"\n";
const PLAN: &str = "scenarios = [\"p/s.toml\"]\nrules = [\"g/x\", \"g/y\"]\nmeasures = [\"red.hit\", \"red.pips\", \"red.luck\"]\nruns = 200\n\n[grid]\nneed = [3, 5]\norder = \"declared\"\nfar = [4, 4.5]\ntwice = true\n";

/// A folder with rules, a variant, a scenario and a plan.
fn folder(name: &str) -> PathBuf {
    common::folder(name, &[("p/g/x.rules", RULES), ("p/g/y.rules", VARIANT), ("p/s.toml", SCENE), ("plan.toml", PLAN)])
}

/// What is printed by a command that ends well.
fn fine(folder: &Path, args: &[&str]) -> String {
    let (code, text, errors) = said(folder, args);
    assert_eq!(code, 0, "{args:?}: {text}{errors}");
    text
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const SWEEP: &[&str] = &["sweep", "--plan", "plan.toml", "--format"];

#[test]
fn a_point_is_what_it_is_alone() {
    let folder = folder("alone");
    let all = rows(&fine(&folder, &[SWEEP, &["jsonl"]].concat()));
    let points: Vec<u64> = all.iter().map(|r| r["point"].as_u64().unwrap()).collect();
    assert!(points.is_sorted() && points.last() == Some(&15), "{points:?}");
    let mut seen = 0;
    for row in all.iter().filter(|r| r["sort"] != "hist") {
        let set = |name: &str| format!("{name}={}", row[name].as_str().map_or(row[name].to_string(), str::to_string));
        let sets = ["need", "order", "far", "twice"].map(set);
        let mut args = vec!["simulate", "p/s.toml", "--format", "json", "--runs", "200"];
        args.extend(["--rules", row["rules"].as_str().unwrap(), "--of", row["measure"].as_str().unwrap()]);
        sets.iter().for_each(|set| args.extend(["--set", set]));
        let alone: Value = serde_json::from_str(&fine(&folder, &args)).unwrap();
        for (own, other) in
            [("estimate", "estimate"), ("low", "low"), ("high", "high"), ("n", "n"), ("method", "method")]
        {
            assert_eq!(row[own], alone["figures"][0][other], "{args:?}");
        }
        seen += 1;
    }
    assert_eq!(seen, 32);
    let shares = all.iter().filter(|r| r["sort"] == "hist" && r["order"] == "Last").filter(|r| r["value"] == "Good");
    assert_eq!(shares.count(), 8);
}

#[test]
fn rows_are_tables_that_programs_read() {
    let folder = folder("rows");
    let csv = fine(&folder, &[SWEEP, &["csv"]].concat());
    let json = rows(&fine(&folder, &[SWEEP, &["jsonl"]].concat()));
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(head[..8], ["point", "scenario", "rules", "need", "order", "far", "twice", "measure"]);
    assert_eq!(csv.lines().count(), json.len() + 1);
    for (line, row) in csv.lines().skip(1).zip(&json) {
        // no text of this sweep has a comma
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{line}");
        let object = row.as_object().unwrap();
        assert!(object.keys().map(String::as_str).eq(head.iter().copied()), "the same columns in every row");
        for (name, cell) in head.iter().zip(cells) {
            let rendered = object[*name].as_str().map_or_else(|| object[*name].to_string(), str::to_string);
            assert_eq!(cell, rendered.replace("null", "NaN"), "{name}");
        }
    }
    assert_eq!((&json[0]["far"], &json[0]["twice"]), (&Value::from(4.0), &Value::from(true)));
    // declared values, and names that are those of a column
    let (code, text, _) = said(&folder, &["sweep", "p/s.toml", "--over", "need", "--over", "far", "--format", "csv"]);
    assert!(code == 0 && text.contains(",g/x,5,6.5,"), "{text}");
    std::fs::write(folder.join("p/g/x.rules"), RULES.replace("far", "low")).unwrap();
    let text = fine(&folder, &["sweep", "p/s.toml", "--over", "low", "--format", "csv"]);
    assert!(text.starts_with("point,scenario,rules,set_low,measure,"), "{text}");
}

#[test]
fn rows_go_to_a_file_too() {
    let folder = folder("out");
    for form in ["csv", "jsonl"] {
        let file = format!("rows.{form}");
        let text = fine(&folder, &[SWEEP, &[form, "--out", &file, "--receipt", "r.toml"]].concat());
        assert_eq!(std::fs::read_to_string(folder.join(file)).unwrap(), text);
        assert!(fine(&folder, &["replay", "r.toml"]).starts_with("same output: "));
    }
    fine(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat());
    fine(&folder, &[SWEEP, &["csv", "--journal", "j", "--out", "again.csv"]].concat());
    assert_eq!(std::fs::read(folder.join("again.csv")).unwrap(), std::fs::read(folder.join("rows.csv")).unwrap());
    let (code, _, why) = said(&folder, &[SWEEP, &["csv", "--out", "rows.xls"]].concat());
    assert!(code == 2 && why.contains(".csv, .jsonl or .parquet"), "{why}");
    if !cfg!(feature = "parquet") {
        let (code, _, why) = said(&folder, &[SWEEP, &["csv", "--out", "rows.parquet"]].concat());
        assert!(code == 2 && why.contains("built without Parquet") && why.contains("--features parquet"), "{why}");
    }
}

#[test]
fn the_scenario_says_what_is_turned() {
    let folder = folder("own");
    let own = "[sweep]\nover = [\"need\", \"order\"]\nvalues = { need = [6] }\nreport = [\"red.hit\"]\n";
    std::fs::write(folder.join("p/s.toml"), format!("{SCENE}{own}")).unwrap();
    let text = fine(&folder, &["sweep", "p/s.toml"]);
    let grid = "p/s.toml with g/x\nchance red.hit  (sampled; `--format csv` has the intervals)\n          order First  order Last\n  need 6  ";
    assert!(text.starts_with(grid), "{text}");
    assert!(text.ends_with("2 of 2 points finished, 300 runs each\n"), "{text}");
}

#[test]
fn two_settings_give_a_grid() {
    let folder = folder("grid");
    let args = ["sweep", "p/s.toml", "--over", "need=3,5", "--over", "order", "--of", "red.hit", "--of", "red.pips"];
    let text = fine(&folder, &[&args[..], &["--mode", "exact"]].concat());
    let wanted = "p/s.toml with g/x
chance red.hit  (exact)
          order First  order Last
  need 3  66.67%       66.67%
  need 5  33.33%       33.33%
mean red.pips  (exact)
          order First  order Last
  need 3  7            7
  need 5  7            7
";
    assert!(text.starts_with(wanted), "{text}");
    // a distribution has no grid
    let text = fine(&folder, &[&args[..], &["--of", "red.luck"]].concat());
    assert!(text.contains("need 3, order First\n"), "{text}");
}

#[test]
fn a_scenario_of_one_run_is_exact_where_it_can_be() {
    let folder = folder("auto");
    std::fs::write(folder.join("p/s.toml"), SCENE.replace("mode = \"sampled\"\n", "")).unwrap();
    let args = ["sweep", "p/s.toml", "--over", "need=3,5", "--of", "red.hit", "--format", "jsonl"];
    let with = |more: &[&str]| fine(&folder, &[&args[..], more].concat());
    let labels = |text: &str| rows(text).iter().map(|row| row["label"].clone()).collect::<Vec<Value>>();
    let exact = with(&[]);
    assert_eq!(labels(&exact), ["exact", "exact"]);
    assert_eq!(exact, with(&["--mode", "auto", "--threads", "3"]));
    let small = with(&["--budget", "20"]);
    assert_eq!(labels(&small), ["sampled", "sampled"]);
    let wide = with(&["--budget", "20", "--journal", "j", "--threads", "2"]);
    assert_eq!((&wide, with(&["--budget", "20", "--journal", "j"])), (&small, small.clone()));
    let args = ["sweep", "p/s.toml", "--over", "need=3", "--of", "red.hit", "--receipt", "r.toml", "--budget", "20"];
    assert!(fine(&folder, &args).contains("%  (sampled)\n"));
    assert!(fine(&folder, &["replay", "r.toml"]).starts_with("same output: "));
}

#[test]
fn threads_and_other_journals_do_not_matter() {
    let folder = folder("parts");
    let whole = fine(&folder, &[SWEEP, &["csv"]].concat());
    assert_eq!(fine(&folder, &[SWEEP, &["csv", "--threads", "3"]].concat()), whole);
    fine(&folder, &[SWEEP, &["csv", "--runs", "10", "--journal", "other.journal"]].concat());
    let (code, _, text) = said(&folder, &[SWEEP, &["csv", "--journal", "other.journal"]].concat());
    assert!(code == 1 && text.contains("R1104") && text.contains("its runs is 10, not 200"), "{text}");
}

#[test]
fn a_journal_that_was_cut_anywhere_goes_on() {
    let folder = folder("cut");
    let whole = fine(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat());
    let full = std::fs::read(folder.join("j")).unwrap();
    assert_eq!(full.iter().filter(|b| **b == b'\n').count(), 17);
    let cuts: Vec<usize> = (0..full.len()).step_by(full.len() / 12).chain([1, full.len() - 1]).collect();
    for cut in cuts {
        std::fs::write(folder.join("j"), &full[..cut]).unwrap();
        assert_eq!(fine(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat()), whole, "cut at {cut}");
        assert_eq!(std::fs::read(folder.join("j")).unwrap(), full, "cut at {cut}");
    }
    // a line that is damaged, and one that is there twice
    let text = String::from_utf8(full).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let damaged = [lines[0], lines[1], "{\"point\":2,\"rows\":[{\"po", lines[1], lines[5], ""].join("\n");
    std::fs::write(folder.join("j"), damaged).unwrap();
    let (code, printed, remark) = said(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat());
    assert!(code == 0 && printed == whole && remark.contains("j: 1 damaged line"), "{remark}");
    let after = std::fs::read_to_string(folder.join("j")).unwrap();
    let mut points: Vec<u64> =
        after.lines().skip(1).map(|l| serde_json::from_str::<Value>(l).unwrap()["point"].as_u64().unwrap()).collect();
    points.sort_unstable();
    assert_eq!(points, (0..16).collect::<Vec<u64>>());
    // one changed digit is as damaged as a torn line: nothing it says is told
    std::fs::write(folder.join("m"), text.replacen("\"estimate\":", "\"estimate\":1", 1)).unwrap();
    let (code, printed, remark) = said(&folder, &[SWEEP, &["csv", "--journal", "m"]].concat());
    assert!(code == 0 && remark.contains("m: 1 damaged line") && printed == whole, "{remark}");
    // a file of somebody else's is left alone, and so is the journal of other rules
    std::fs::write(folder.join("notes"), "my notes\nof today\n").unwrap();
    let (code, _, text) = said(&folder, &[SWEEP, &["csv", "--journal", "notes"]].concat());
    assert!(code == 1 && text.contains("R1104"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.join("notes")).unwrap(), "my notes\nof today\n");
    std::fs::write(folder.join("p/g/x.rules"), format!("{RULES}# said\n")).unwrap();
    let (code, _, text) = said(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat());
    assert!(code == 1 && text.contains("g/x.rules has changed"), "{text}");
}

#[cfg(unix)]
#[test]
fn killed_at_any_time_it_goes_on() {
    let folder = folder("killed");
    let args = [SWEEP, &["csv", "--runs", "4000"]].concat();
    let whole = fine(&folder, &args);
    let with = [&args[..], &["--journal", "j"]].concat();
    let mut cut_short = 0;
    for wait in [3, 10, 30, 60, 100, 200, 400, 800] {
        let mut child = grognard(&folder, &with).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        cut_short += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(cut_short > 0);
    assert_eq!(fine(&folder, &with), whole);
    let journal = std::fs::read_to_string(folder.join("j")).unwrap();
    let mut points: Vec<u64> =
        journal.lines().skip(1).map(|l| serde_json::from_str::<Value>(l).unwrap()["point"].as_u64().unwrap()).collect();
    points.sort_unstable();
    assert_eq!(points, (0..16).collect::<Vec<u64>>());
}

const EXACT: &[&str] = &["sweep", "--plan", "plan.toml", "--mode", "exact", "--format"];

#[test]
fn an_exact_point_is_what_odds_say_of_it_alone() {
    let folder = folder("exact");
    let all = rows(&fine(&folder, &[EXACT, &["jsonl"]].concat()));
    let mut seen = 0;
    for row in &all {
        assert!(
            row["label"] == "exact"
                && row["n"] == 0
                && row["level"] == 100.0
                && row["low"].as_f64() <= row["high"].as_f64(),
            "{row}"
        );
        let set = |name: &str| format!("{name}={}", row[name].as_str().map_or(row[name].to_string(), str::to_string));
        let sets = ["need", "order", "far", "twice"].map(set);
        let mut args = vec!["odds", "p/s.toml", "--format", "json"];
        args.extend(["--rules", row["rules"].as_str().unwrap(), "--of", row["measure"].as_str().unwrap()]);
        sets.iter().for_each(|set| args.extend(["--set", set]));
        let alone: Value = serde_json::from_str(&fine(&folder, &args)).unwrap();
        let share = |value: Value| {
            let outcomes = alone["answers"][0]["outcomes"].as_array().unwrap();
            outcomes.iter().find(|o| o["value"] == value).map_or(Value::from("0/1"), |o| o["fraction"].clone())
        };
        let wanted = match row["sort"].as_str().unwrap() {
            "mean" => alone["answers"][0]["mean"].clone(),
            "chance" => share(Value::from(true)),
            _ => share(row["value"].clone()),
        };
        assert_eq!(row["fraction"], wanted, "{args:?}");
        seen += 1;
    }
    assert_eq!(seen, 56);
    let text = fine(&folder, &["sweep", "p/s.toml", "--over", "need=3,5", "--of", "red.hit", "--mode", "auto"]);
    assert!(text.contains("need 3\n  chance red.hit: 2/3 = 66.67%  (exact)\n"), "{text}");
    assert!(text.contains("\nexact with at most 50000 states, otherwise sampled in 300 runs with "), "{text}");
}

#[test]
fn exact_points_are_resumed() {
    let folder = folder("exact-parts");
    let whole = fine(&folder, &[EXACT, &["csv", "--journal", "j"]].concat());
    let full = std::fs::read(folder.join("j")).unwrap();
    std::fs::write(folder.join("j"), &full[..full.len() / 2]).unwrap();
    assert_eq!(fine(&folder, &[EXACT, &["csv", "--journal", "j"]].concat()), whole);
    assert_eq!(std::fs::read(folder.join("j")).unwrap(), full);
    // sampled is another sweep
    let (code, _, text) = said(&folder, &[SWEEP, &["csv", "--journal", "j"]].concat());
    assert!(code == 1 && text.contains("its mode is \"exact\", not \"sampled\""), "{text}");
    // the plan and the scenario may say it too
    std::fs::write(folder.join("plan.toml"), format!("mode = \"exact\"\n{PLAN}")).unwrap();
    assert_eq!(fine(&folder, &[SWEEP, &["csv"]].concat()), whole);
    std::fs::write(folder.join("p/s.toml"), SCENE.replace("\"sampled\"", "\"exact\"")).unwrap();
    let text = fine(&folder, &["sweep", "p/s.toml", "--over", "need=3"]);
    assert!(
        text.contains("chance red.hit: 2/3") && text.contains("\nexact, at most 2000000 states at a point"),
        "{text}"
    );
    let receipt = fine(&folder, &["sweep", "p/s.toml", "--over", "need=3", "--receipt", "r.toml"]);
    assert!(fine(&folder, &["replay", "r.toml"]).starts_with(&format!("same output: {} bytes", receipt.len())));
}

#[test]
fn what_is_beyond_the_budget_is_told() {
    let folder = folder("beyond");
    let point = |more: &[&str]| {
        let args =
            ["sweep", "p/s.toml", "--over", "need=3", "--of", "red.hit", "--of", "red.pips", "--format", "jsonl"];
        let (code, text, _) = said(&folder, &[&args, more].concat());
        (code, rows(&text))
    };
    let (code, bounded) = point(&["--mode", "exact", "--budget", "20"]);
    assert!(code == 3 && bounded.iter().all(|r| r["label"] == "bounded" && r["estimate"].is_null()), "{bounded:?}");
    let (low, high) = (bounded[0]["low"].as_f64().unwrap(), bounded[0]["high"].as_f64().unwrap());
    assert!(low < 2.0 / 3.0 && 2.0 / 3.0 < high, "{low} {high}");
    let (low, high) = (bounded[1]["low"].as_f64().unwrap(), bounded[1]["high"].as_f64().unwrap());
    assert!(low < 7.0 && 7.0 < high, "{low} {high}");
    let args = ["sweep", "p/s.toml", "--over", "need=3", "--of", "red.hit", "--mode", "exact", "--budget", "20"];
    let (_, text, _) = said(&folder, &args);
    assert!(text.contains("chance red.hit: between ") && text.contains("(bounded)"), "{text}");
    // the stated rule: runs are taken instead, and say so
    let (code, auto) = point(&["--mode", "auto", "--budget", "20"]);
    let mut plain = point(&["--mode", "sampled"]).1;
    plain.iter_mut().for_each(|row| row["ended_by"] = "positions".into());
    assert_eq!((code, &auto), (0, &plain));
    assert!(auto.iter().all(|r| r["label"] == "sampled" && r["n"] == 300));
    // an error is told with how often it comes
    let args = ["sweep", "p/s.toml", "--over", "far=6", "--over", "twice=yes", "--of", "red.pips", "--mode", "exact"];
    let (code, text, _) = said(&folder, &args);
    assert!(code == 1 && text.contains("in 1/36 of all cases"), "{text}");
}

#[test]
fn points_with_errors_are_told() {
    let folder = folder("errors");
    let args = ["sweep", "p/s.toml", "--over", "far=4,6", "--over", "twice", "--of", "red.pips", "--format", "jsonl"];
    let (code, text, _) = said(&folder, &args);
    let rows = rows(&text);
    assert_eq!((code, rows.len()), (1, 4), "{text}");
    let faults: Vec<u64> = rows.iter().map(|r| r["faults"].as_u64().unwrap()).collect();
    assert!(faults[..3] == [0, 0, 0] && faults[3] > 0, "{faults:?}");
    assert!(rows[3]["first_fault"].as_str().unwrap().starts_with("run "), "{text}");
    // a table that cannot be set at one of the points
    let (code, text, _) = said(&folder, &["sweep", "p/s.toml", "--over", "need=2,4", "--of", "red.hit"]);
    assert!(code == 1 && text.contains("need 2\n  the table cannot be set: R0906"), "{text}");
    assert!(text.contains("need 4\n  chance red.hit: "), "{text}");
}

#[test]
fn what_is_wrong_with_a_sweep_is_told() {
    let folder = folder("wrong");
    let refused = |args: &[&str], code: i32, why: &str| {
        let (found, text, errors) = said(&folder, &[&["sweep"], args].concat());
        assert!(found == code && (text.clone() + &errors).contains(why), "{args:?}: {found} {text}{errors}");
    };
    refused(&["p/s.toml"], 2, "`--over NAME` with one of need, far, order, twice");
    refused(&["p/s.toml", "--over", "nede"], 1, "did you mean `need`?");
    refused(&["p/s.toml", "--over", "need=four"], 1, "R0804");
    refused(&["p/s.toml", "--over", "order=Middle"], 1, "Middle");
    refused(&["p/s.toml", "--over", "need", "--of", "red.htis"], 1, "R0203");
    let plan = |text: &str, code: i32, why: &str| {
        std::fs::write(folder.join("b.toml"), text).unwrap();
        refused(&["--plan", "b.toml"], code, why);
    };
    plan("scenarios = [", 1, "R1103");
    plan("", 1, "the key `scenarios` is missing");
    plan("scenarios = \"p/s.toml\"\nmesures = []\n", 1, "did you mean `measures`?");
    plan("scenarios = \"p/s.toml\"\nruns = 0\n", 1, "`runs` must be a whole number from 1");
    plan("scenarios = \"p/s.toml\"\ngrid = [\"need\"]\n", 1, "`grid` must be a table");
    plan("scenarios = \"p/s.toml\"\nmode = \"guessed\"\n", 1, "`mode` must be \"exact\", \"sampled\" or \"auto\"");
    plan("scenarios = \"p/s.toml\"\nlevel = 96\n", 1, "`level` must be one of");
    plan("scenarios = \"p/s.toml\"\nmeasures = [1]\n", 1, "not a number");
    plan("scenarios = \"p/s.toml\"\n[grid]\nnede = [1]\n", 1, "did you mean `need`?");
    plan("scenarios = \"p/none.toml\"\n[grid]\nneed = [1]\n", 2, "file not found");
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_was_done() {
    let folder = folder("stop");
    let args = ["sweep", "p/s.toml", "--over", "need", "--of", "red.hit", "--runs", "100000000", "--journal", "j"];
    let child = grognard(&folder, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(3) && text.contains("interrupted: 0 of 3 points finished"), "{text}");
    // a point is there whole or not at all
    assert_eq!(std::fs::read_to_string(folder.join("j")).unwrap().lines().count(), 1);
}

#[test]
fn a_sweep_keeps_a_receipt() {
    let folder = folder("receipt");
    let args = [SWEEP, &["csv", "--journal", "j", "--receipt", "r.toml"]].concat();
    let text = fine(&folder, &args);
    assert_eq!(fine(&folder, &args), text);
    let replayed = fine(&folder, &["replay", "r.toml"]);
    assert!(replayed.starts_with(&format!("same output: {} bytes", text.len())), "{replayed}");
    std::fs::write(folder.join("plan.toml"), PLAN.replace("runs = 200", "runs = 100")).unwrap();
    let (code, text, _) = said(&folder, &["replay", "r.toml"]);
    assert!(
        code == 1 && text.contains("plan.toml has changed") && text.contains("`runs` was 200 and is 100"),
        "{text}"
    );
}

/// Whatever bit of a journal is flipped, no row is told that is not the one that was measured.
#[test]
fn a_flipped_bit_in_a_journal_is_found() {
    let folder = folder("flipped");
    let args = ["sweep", "p/s.toml", "--over", "need=3", "--runs", "50", "--format", "csv", "--journal"];
    let whole = fine(&folder, &[&args[..], &["j"]].concat());
    let bytes = std::fs::read(folder.join("j")).unwrap();
    for bit in (0..bytes.len() * 8).step_by(bytes.len() * 8 / 90) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(folder.join("m"), &flipped).unwrap();
        let (code, printed, said) = said(&folder, &[&args[..], &["m"]].concat());
        let refused = code == 1 && said.contains("error[R1104]");
        assert!(refused || (code == 0 && printed == whole), "bit {bit}: {printed}{said}");
    }
}
