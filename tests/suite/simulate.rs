//! The commands `simulate` and `compare`, and `run --run`: what they print, and how they end.

use crate::common;
use crate::common::{grognard, said};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const RULES: &str = "ruleset g/x version \"1\"

param need \"Need\" = 4

kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no; state luck : Luck = Bad }
enum Luck { Bad < Good }

phase Go(s: Side) \"Goes\" {
  roll dice = 2 of d6
  each d in dice { set s.pips += d }
  roll aim = d6
  set s.hit = aim >= need
  if aim == 6 { set s.luck = Good }
}
";
const VARIANT: &str = "variant g/y of g/x\n\noverride param need = 5\n";
const SCENE: &str = "rules = \"g/x\"\nagainst = [\"g/y\"]\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 2000\n[Side.red]\n[report]\nchance = \"red.hit\"\nmean = \"red.pips\"\nhist = \"red.luck\"\n";

/// A folder with rules, a variant and a scenario.
fn folder(name: &str) -> PathBuf {
    let files = [("g/x.rules", RULES), ("g/y.rules", VARIANT), ("s.toml", SCENE), ("scenarios/t.toml", SCENE)];
    common::folder(name, &files)
}

#[test]
fn estimates_are_labelled() {
    let folder = folder("labels");
    let (code, text) = said(&folder, &["simulate", "s.toml"]);
    assert_eq!(code, 0, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "sampled: 2000 runs, seed 1, 0 ended in an error");
    assert!(lines.iter().any(|l| l.starts_with("mean red.pips: ")
        && l.contains(", 95% ")
        && l.ends_with("  (sampled, from 2000 runs)")));
    assert!(lines.iter().any(|l| l.starts_with("chance red.hit: ") && l.ends_with(" of 2000 runs)")));
    assert!(lines.iter().any(|l| l.starts_with("  Good  ") && l.contains("%, 95% ")), "{text}");
    // `run` of a sampled scenario is the same sample
    assert_eq!(said(&folder, &["run", "s.toml"]), (0, text.clone()));
    for threads in ["1", "3"] {
        assert_eq!(said(&folder, &["simulate", "s.toml", "--threads", threads]).1, text);
    }
    // how it was found is told to who asks
    let (_, explained) = said(&folder, &["simulate", "s.toml", "--explain"]);
    assert!(explained.starts_with(&text) && explained.contains("Wilson score intervals"), "{explained}");
    let (_, high) = said(&folder, &["simulate", "s.toml", "--level", "99.9", "--seed", "4", "--set", "need=1"]);
    assert!(high.contains("seed 4") && high.contains("chance red.hit: 100.00%, 99.9% 99."), "{high}");
}

/// What the rules or the table call `rounds` is that, and not how often the start was run.
#[test]
fn a_name_of_the_rules_hides_the_count_of_rounds() {
    let rules =
        "ruleset g/x version \"1\"\n\nstate rounds : 0..9 = 0\nlet left = 6 - rounds\nphase Day { set rounds += 2 }\n";
    let scene = "rules = \"g/x\"\nstart = \"Day\"\nrepeat = 3\n[report]\nmean = [\"rounds\", \"left\"]\n[[expect]]\nthat = \"rounds == 6\"\n";
    let thing =
        "ruleset g/y version \"1\"\n\nkind Squad { state men : 0..9 = 4 }\nphase Day(s: Squad) { set s.men -= 1 }\n";
    let named =
        "rules = \"g/y\"\nstart = \"Day(rounds)\"\nrepeat = 3\n[Squad.rounds]\n[report]\nmean = \"rounds.men\"\n";
    let files = [("g/x.rules", rules), ("g/y.rules", thing), ("s.toml", scene), ("t.toml", named)];
    let folder = common::folder("own-rounds", &files);
    let (code, text) = said(&folder, &["odds", "s.toml"]);
    assert!(code == 0 && text.contains("mean rounds: 6, ") && text.contains("mean left: 0, "), "{text}");
    assert_eq!(said(&folder, &["test", "s.toml"]).0, 0);
    let (code, text) = said(&folder, &["odds", "t.toml"]);
    assert!(code == 0 && text.contains("mean rounds.men: 1, "), "{text}");
}

/// Runs that never end are told where their loop stands, and not played ten thousand times.
#[test]
fn runs_that_all_fail_end_soon() {
    let endless = "ruleset g/x version \"1\"\n\nkind Side { state men : 0..9 = 3 }\nphase Go(s: Side) {\n  repeat {\n    \
                   roll x = d6\n    if x > 9 {\n      set s.men -= 1\n    }\n  } while s.men > 0\n}\n";
    let scene = "rules = \"g/x\"\nstart = \"Go(red)\"\nfuel = 5000\n[Side.red]\n[report]\nmean = \"red.men\"\n";
    let folder = common::folder("endless", &[("g/x.rules", endless), ("s.toml", scene)]);
    for threads in ["1", "3"] {
        let (code, text) = said(&folder, &["simulate", "s.toml", "--threads", threads]);
        assert_eq!(code, 3, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "sampled: 100 runs, seed 1, 100 ended in an error");
        assert!(lines[1].ends_with("each of these runs ended in an error, so the sample stopped"), "{text}");
        assert!(text.contains("g/x.rules:5:3") && text.contains("more than 5000 rounds"), "{text}");
    }
    // as many as were asked for, where these are fewer
    let (_, few) = said(&folder, &["simulate", "s.toml", "--runs", "40"]);
    assert!(few.starts_with("sampled: 40 runs, seed 1, 40 ended in an error\nred.men"), "{few}");
}

/// A scenario that is not played as a sample may still say how many runs a sample of it has.
#[test]
fn runs_of_a_scenario_count_in_every_mode() {
    let folder = folder("own-runs");
    let runs = |text: &str| {
        std::fs::write(folder.join("s.toml"), text).unwrap();
        let (code, text) = said(&folder, &["simulate", "s.toml"]);
        assert_eq!(code, 0, "{text}");
        text.lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(runs(&SCENE.replace("sampled", "exact")), "sampled: 2000 runs, seed 1, 0 ended in an error");
    let silent = SCENE.replace("mode = \"sampled\"\nruns = 2000\n", "");
    assert_eq!(runs(&silent), "sampled: 10000 runs, seed 1, 0 ended in an error");
}

/// What other rules do not know of a scenario is left out of it, and that is said.
#[test]
fn what_other_rules_do_not_know_is_told() {
    let more = RULES.replace("g/x", "g/z").replace("state luck", "state fear : 0..9 = 0; state luck");
    let scene = SCENE.replace("g/x", "g/z").replace("[Side.red]", "[Side.red]\nfear = 2");
    let files = [("g/x.rules", RULES), ("g/y.rules", VARIANT), ("g/z.rules", &more), ("s.toml", &scene)];
    let folder = common::folder("left-out", &files);
    let (code, _, rendered) = common::said_apart(&folder, &["odds", "s.toml"]);
    assert_eq!((code, rendered.as_str()), (0, ""));
    let (code, _, rendered) = common::said_apart(&folder, &["odds", "s.toml", "--rules", "g/x.rules"]);
    assert_eq!(code, 0, "{rendered}");
    assert!(
        rendered.contains("omitted from the scenario, because g/x does not know it: a Side has no `fear`"),
        "{rendered}"
    );
}

/// Rolls, draws and random picks of one name in one body: each has dice of its own, as in the exact odds.
#[test]
fn what_has_one_name_twice_is_two_throws() {
    let twice = |what: &str, a: &str, b: &str| {
        [a, b].map(|slot| format!("  if s.on {{\n    {what}\n    set s.{slot} = got\n  }}\n")).concat()
    };
    let list = "got in [1, 2, 3, 4, 5, 6]";
    let rules = format!(
        "ruleset g/x version \"1\"\n\nkind Side {{ state on : Flag = yes; state a : 0..6 = 0; state b : 0..6 = 0\n  \
         state c : 0..6 = 0; state d : 0..6 = 0; state e : 0..6 = 0; state f : 0..6 = 0 }}\n\nphase Go(s: Side) {{\n{}{}{}}}\n",
        twice("roll got = d6", "a", "b"),
        twice(&format!("draw {list}"), "c", "d"),
        twice(&format!("choose {list}"), "e", "f")
    );
    let pairs = ["red.a == red.b", "red.c == red.d", "red.e == red.f"];
    let scene = format!(
        "rules = \"g/x\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 4000\n[players]\nred = \"random\"\n[Side.red]\n[report]\nchance = {pairs:?}\n"
    );
    let folder = common::folder("twice", &[("g/x.rules", &rules), ("s.toml", &scene)]);
    let (_, odds) = said(&folder, &["odds", "s.toml"]);
    let (_, sampled) = said(&folder, &["simulate", "s.toml"]);
    for pair in pairs {
        assert!(odds.contains(&format!("chance {pair}: 1/6 = 16.67%")), "{odds}");
        let share = sampled.split(&format!("chance {pair}: ")).nth(1).and_then(|t| t.split('%').next()).unwrap();
        assert!((14.0..19.5).contains(&share.parse::<f64>().unwrap()), "{sampled}");
    }
}

#[test]
fn any_expression_may_be_asked() {
    let folder = folder("of");
    let of = ["--of", "red.pips > 7", "--of", "red.luck", "--of", "red.pips", "--given", "red.hit"];
    let (code, text) = said(&folder, &[&["simulate", "s.toml", "--runs", "500", "--format", "json"], &of[..]].concat());
    assert_eq!(code, 0, "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let figures = json["figures"].as_array().unwrap();
    let sorts: Vec<&str> = figures.iter().map(|f| f["sort"].as_str().unwrap()).collect();
    assert_eq!(sorts, ["chance", "hist", "mean"]);
    for figure in figures {
        assert!(figure["n"].as_u64().unwrap() < 400 && figure["label"] == "sampled" && figure["level"] == 95.0);
        let values = figure["values"].as_array().unwrap();
        let around =
            |v: &serde_json::Value| ["low", "estimate", "high"].map(|name| v[name].as_f64().unwrap()).is_sorted();
        assert!(values.iter().all(around), "{figure}");
        let counts = values.iter().map(|v| v["count"].as_u64().unwrap());
        assert_eq!(Some(counts.sum()), figure["n"].as_u64());
    }
    let (code, text) = said(&folder, &["simulate", "s.toml", "--of", "red.pips, 1", "--format", "csv"]);
    assert_eq!(code, 1, "{text}");
    let (_, text) = said(&folder, &["simulate", "s.toml", "--of", "[red.pips, 1]", "--runs", "9", "--format", "csv"]);
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("scenario,rules,measure,sort,value,number,label,ended_by,n,estimate,low,high,level,")
    );
    assert!(lines.next().unwrap().starts_with("s.toml,g/x,\"[red.pips, 1]\",hist,\"["), "{text}");
    let (code, text) = said(&folder, &["simulate", "s.toml", "--of", "red.pisp"]);
    assert!(code == 1 && text.contains("did you mean `pips`") && text.contains("--of"), "{text}");
}

#[test]
fn sampling_stops_when_it_is_asked_to() {
    let folder = folder("until");
    let (code, text) = said(&folder, &["simulate", "s.toml", "--of", "red.hit", "--until", "±2%"]);
    assert!(code == 0 && text.contains("as narrow as requested"), "{text}");
    let (code, text) = said(&folder, &["simulate", "s.toml", "--of", "red.pips", "--until", "0.001", "--runs", "3000"]);
    assert!(code == 3 && text.contains("the maximum number of runs is reached"), "{text}");
    for (until, of) in [("2%", "red.pips"), ("0.1", "red.hit"), ("nix", "red.hit"), ("0%", "red.hit")] {
        let (code, text) = said(&folder, &["simulate", "s.toml", "--of", of, "--until", until]);
        assert!(code == 2 && text.contains("--until"), "{text}");
    }
    assert_eq!(said(&folder, &["simulate", "s.toml", "--runs", "0"]).0, 2);
}

#[test]
fn a_run_of_a_sample_can_be_seen() {
    let folder = folder("replay");
    let rules =
        RULES.replace("if aim == 6", "if s.pips == 12 and aim == 6 { set s.pips = 1 / 0 rounded down }\n  if aim == 6");
    let rules = rules.replace("1 / 0", "1 / (s.pips - 12)");
    std::fs::write(folder.join("g/x.rules"), rules).unwrap();
    let (code, text) = said(&folder, &["simulate", "s.toml"]);
    assert!(code == 1 && text.contains("R0906"), "{text}");
    let (_, after) = text.split_once("grognard run s.toml ").unwrap();
    let command: Vec<&str> = after.split('`').next().unwrap().split_whitespace().collect();
    let number = command.last().unwrap();
    let (code, seen) = said(&folder, &[&["run", "s.toml"], &command[..]].concat());
    assert!(code == 1 && seen.contains("R0906") && seen.contains("2 of d6: 6 6"), "{seen}");
    assert!(seen.contains(&format!("seed 1 run {number}")), "{seen}");
    assert!(text.contains(&format!("in run {number}: ")), "{text}");
    assert_eq!(said(&folder, &["run", "s.toml", "--run", "1", "--runs", "2"]).0, 2);
}

#[test]
fn versions_are_named_in_many_ways() {
    let folder = folder("compare");
    let worse = |args: &[&str]| {
        let sampled = ["--of", "red.hit", "--mode", "sampled"];
        let (code, text) = said(&folder, &[&["compare"], args, &sampled].concat());
        assert!(code == 0 && text.contains("primary red.hit: less often in B\n"), "{args:?}: {text}");
        assert!(
            text.contains(" points less in B, 95% ") && text.contains("  the change alters the result of "),
            "{text}"
        );
        assert!(text.contains("  (sampled, from 1000 pairs of runs)\n") && !text.contains("betting"), "{text}");
        text
    };
    let named = worse(&["g/x", "g/y", "s.toml"]);
    assert!(named.starts_with("s.toml: A g/x, B g/y\n"), "{named}");
    assert_eq!(worse(&["s.toml"]), named);
    assert_eq!(worse(&["g/x.rules", "g/y.rules", "s.toml"]), named);
    assert_eq!(worse(&["s.toml", "--threads", "3"]), named);
    assert!(worse(&[":need=5", "s.toml"]).contains("B g/x:need=5"));
    assert!(worse(&["g/y:need=3", "g/y", "scenarios"]).contains("A g/y:need=3, B g/y"));
    let (code, same) = said(&folder, &["compare", "g/x", "g/x", "s.toml", "--of", "red.hit", "--mode", "sampled"]);
    assert!(
        code == 0 && same.contains("red.hit: same within 1 point") && same.contains("the result of 0.00% of the runs"),
        "{same}"
    );
    // better and worse only where somebody said which direction is good
    for (good, word) in [(["--less", "red.hit"], "B is better"), (["--more", "red. hit"], "B is worse")] {
        let (code, text) = said(&folder, &[&["compare", "s.toml", "--of", "red.hit"][..], &good].concat());
        assert!(code == 0 && text.contains(&format!("primary red.hit: {word}\n")), "{text}");
    }
    let declared = SCENE.replace("[report]", "[report]\ngood = { less = [\"red.hit\"] }");
    std::fs::write(folder.join("good.toml"), declared).unwrap();
    for of in [&[][..], &["--of", "red.hit"], &["--of", "red.pips", "--of", "red.hit"]] {
        let (_, text) = said(&folder, &[&["compare", "good.toml", "--format", "json"], of].concat());
        let json: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let hit = json["comparisons"][0]["effects"].as_array().unwrap().iter().find(|e| e["measure"] == "red.hit");
        let rendered = hit.map(|e| (e["verdict"].clone(), e["better"].clone()));
        assert_eq!(rendered, Some(("less".into(), true.into())), "{of:?}");
    }
    let (code, text) = said(&folder, &["compare", "s.toml", "--of", "red.hit", "--less", "red.hat"]);
    assert!(code == 2 && text.contains("`--less red.hat` is not a measure"), "{text}");
    let explained = said(&folder, &["compare", "s.toml", "--of", "red.hit", "--mode", "sampled", "--explain"]).1;
    assert!(explained.contains("betting confidence sequences"), "{explained}");
    let (_, text) = said(&folder, &["compare", "s.toml", "--of", "red.hit", "--of", "red.pips", "--format", "csv"]);
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn what_can_be_worked_out_is_not_sampled() {
    let folder = folder("exact");
    let compare = |args: &[&str]| said(&folder, &[&["compare"], args].concat());
    let (code, text) = compare(&["s.toml"]);
    assert!(code == 0 && text.contains("\nexact: "), "{text}");
    assert!(text.contains("also red.pips: no difference\n  A 7, B 7: no difference  (exact)\n"), "{text}");
    let hit =
        "primary red.hit: less often in B\n  A 1/2 = 50%, B 1/3 = 33.33%: 1/6 = 16.67 points less in B  (exact)\n";
    assert!(text.contains(hit) && !text.contains("95%") && !text.contains("seed"), "{text}");
    assert!(compare(&["g/x", "g/x", "s.toml", "--of", "red.hit"]).1.contains("primary red.hit: no difference"));
    let (_, text) = compare(&["s.toml", "--of", "red.hit", "--format", "csv"]);
    assert!(
        text.lines().nth(1).is_some_and(|l| l.contains(",-1/6,") && l.contains(",less,") && l.contains(",1/2,1/3,0,")),
        "{text}"
    );
    let (_, text) = compare(&["s.toml", "--of", "red.hit", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let effect = &json["comparisons"][0]["effects"][0];
    assert_eq!((&effect["label"], &effect["fraction"]), (&"exact".into(), &"-1/6".into()));
    assert!(effect["level"] == 100.0 && effect["values"][1]["fraction_a"] == "1/2", "{text}");
    // where there is too much, runs are played, and it is said why; or nothing is, if that is wanted
    let (code, text) = compare(&["s.toml", "--of", "red.hit", "--budget", "1"]);
    assert!(code == 0 && text.contains("\nnot exact: of A: ") && text.contains("\nsampled: "), "{text}");
    let (code, text) = compare(&["s.toml", "--of", "red.hit", "--budget", "1", "--mode", "exact"]);
    assert!(code == 3 && text.contains("s.toml: cannot be computed exactly: of A: "), "{text}");
}

#[test]
fn known_odds_can_be_drawn_from() {
    let folder = folder("drawn");
    let (code, text) = said(&folder, &["simulate", "s.toml", "--drawn", "--runs", "5000"]);
    assert!(
        code == 0 && text.starts_with("drawn from exact odds: 5000 values of each measure separately, seed 1"),
        "{text}"
    );
    assert!(text.contains("chance red.hit: ") && text.contains(" of 5000 values)"), "{text}");
    assert!(text.contains("red.luck: how often each value came in 5000 draws  (drawn)\n   Bad  "), "{text}");
    let (_, text) = said(&folder, &["simulate", "s.toml", "--drawn", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json["figures"].as_array().unwrap().iter().all(|f| f["label"] == "drawn"), "{text}");
    std::fs::write(
        folder.join("g/z.rules"),
        RULES
            .replace("g/x", "g/z")
            .replace("if aim == 6", "set s.pips = 5 / (s.pips - 12) rounded down\n  if aim == 6"),
    )
    .unwrap();
    let (code, text) = said(&folder, &["simulate", "s.toml", "--rules", "g/z", "--drawn"]);
    assert!(code == 3 && text.contains("cannot draw from exact odds: a run may end in an error"), "{text}");
}

#[test]
fn scenarios_of_a_folder_are_told_one_by_one_and_together() {
    let folder = folder("together");
    let longer = SCENE.replace("[Side.red]", "repeat = 3\n[Side.red]");
    std::fs::write(folder.join("scenarios/u.toml"), longer).unwrap();
    let compare = |args: &[&str]| said(&folder, &[&["compare", "g/x", "g/y", "scenarios"], args].concat());
    let (code, text) = compare(&[]);
    let (one, whole) = text.split_once("\n2 scenarios together: A g/x, B g/y\n").unwrap();
    assert!(code == 0 && one.contains("t.toml: A g/x, B g/y\n") && one.contains("u.toml: A g/x, B g/y\n"), "{text}");
    assert!(
        whole.contains("primary red.hit: less often in B in 2\n  on average 1/6 = 16.67 points less in B"),
        "{text}"
    );
    let (_, text) = compare(&["--mode", "sampled"]);
    assert!(text.contains("points less in B, 97.5% ") && text.contains("These are 2 comparisons with"), "{text}");
    assert!(
        text.contains("points less in B, 95% ") && text.contains("with equal weight for each scenario  (sampled)\n"),
        "{text}"
    );
    // what was left out is said beside it
    let (_, text) = compare(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&json["together"][0]["less"], &json["together"][0]["fraction"]), (&2.into(), &"-1/6".into()));
}

#[test]
fn a_folder_may_hold_scenarios_of_other_rules() {
    let folder = folder("misfits");
    std::fs::write(folder.join("scenarios/u.toml"), SCENE.replace("[Side.red]", "[Side.red]\nlukc = 1")).unwrap();
    let (code, text) = said(&folder, &["compare", "g/x", "g/y", "scenarios"]);
    assert!(code == 1 && text.contains("scenarios/t.toml: A g/x, B g/y\n"), "{text}");
    assert!(text.contains("scenarios/u.toml: cannot be run with A: R0802 "), "{text}");
    // what is wrong spoils no JSON
    let output = grognard(&folder, &["compare", "g/x", "g/y", "scenarios", "--of", "red.hit", "--format", "json"])
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 1);
    let output = grognard(&folder, &["simulate", "scenarios/u.toml", "--format", "json"]).output().unwrap();
    assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("R0802"));
}

#[test]
fn what_cannot_be_compared_is_told() {
    let folder = folder("refused");
    let (code, text) = said(
        &folder,
        &["compare", ":need=5", "s.toml", "--of", "red.hit", "--within", "0.1%", "--runs", "20", "--unpaired"],
    );
    assert!(code == 3 && text.contains("undecided (same would be within 0.1 points)"), "{text}");
    let refused = |args: &[&str], why: &str| {
        let (code, text) = said(&folder, &[&["compare"], args].concat());
        assert!(code == 2 && text.contains(why), "{args:?}: {text}");
    };
    refused(&["g/x", "g/y"], "name a scenario");
    refused(&["g/x", "g/y", "g/x", "s.toml"], "two versions");
    refused(&["s.toml", "--of", "red.luck"], "not a number or a condition");
    refused(&["s.toml", "--of", "red.hit", "--within", "1"], "write `1%`");
    refused(&[":nede=5", "s.toml"], "did you mean `need`?");
    let (code, text) = said(&folder, &["compare", "g/x", "g/z", "s.toml"]);
    assert!(code == 1 && text.contains("g/z"), "{text}");
    // what nothing bounds is refused before the work, unless it is so little that it is worked out
    let unbounded = "rounds";
    let (code, text) = said(&folder, &["compare", "s.toml", "--of", unbounded]);
    assert!(code == 0 && text.contains("(exact)"), "{text}");
    refused(&["s.toml", "--of", unbounded, "--mode", "sampled"], "has no bounds");
    refused(&["s.toml", "--of", unbounded, "--budget", "1"], "`--mode exact`");
    std::fs::write(folder.join("s.toml"), SCENE.replace("against = [\"g/y\"]\n", "")).unwrap();
    refused(&["s.toml"], "nothing to compare");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_done() {
    let folder = folder("stop");
    let mut command = grognard(&folder, &["simulate", "s.toml", "--runs", "100000000", "--format", "json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["end"], "stopped");
    // what was done are the first runs, and so many runs give the same again
    let runs = json["runs"].as_u64().unwrap();
    assert!(runs > 0 && runs < 100_000_000);
    if runs < 200_000 {
        let args = ["simulate", "s.toml", "--runs", &runs.to_string(), "--format", "json", "--threads", "1"];
        let again: serde_json::Value = serde_json::from_str(&said(&folder, &args).1).unwrap();
        let counts = |json: &serde_json::Value| {
            let figures = json["figures"].as_array().unwrap();
            figures.iter().map(|f| f["values"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(counts(&again), counts(&json));
    }
}

const READ: &str = "ruleset g/x version \"1\"

param need \"Need\" = 4  cite GX-1
reading at_six : Flag \"A six brings luck\" = no or yes because \"not said\"

kind Side \"A side\" { state hit : Flag = no; state luck : 0..9 = 0 }

phase Go(s: Side) \"Goes\" {
  roll aim = d6
  if aim >= need { set s.hit = yes }
  if aim == 6 and at_six { do bless(s) }
  run Rest(s)
}

proc bless(s: Side) \"Blessed\" { set s.luck += 1 }

phase Rest(s: Side) \"Rests\" { roll pause = d6 }
";

#[test]
fn the_first_difference_is_shown_and_blamed() {
    let folder = folder("first");
    std::fs::write(folder.join("g/x.rules"), READ.replace("  cite GX-1", "")).unwrap();
    let scene = SCENE.replace("hist = \"red.luck\"\n", "").replace("red.pips", "red.luck");
    std::fs::write(folder.join("s.toml"), scene).unwrap();
    let first = |args: &[&str]| said(&folder, &[&["compare"], args, &["s.toml", "--first-difference"]].concat());
    // a param
    let (code, text) = first(&["g/x", "g/y"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(code == 1 && lines[0] == "s.toml: A g/x, B g/y", "{text}");
    assert_eq!(lines[2], "the versions diverge at Go", "{text}");
    let run = lines[1].split_whitespace().nth(1).unwrap();
    let (_, alone) = said(&folder, &["run", "s.toml", "--run", run]);
    assert!(alone.contains("aim") && alone.contains("d6: 4"), "{alone}");
    let (before, after) = text.split_once("\nA ").unwrap();
    assert!(before.contains("the same in both") && before.contains("* aim d6: 4"), "{text}");
    assert!(after.contains("red.hit no -> yes") && text.contains("  red.hit: A yes, B no\n"), "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    // a reading
    let (code, text) = first(&[":at_six=yes"]);
    assert!(code == 1 && text.contains("\nthe versions diverge at the reading at_six\n"), "{text}");
    // nothing
    let (code, text) = first(&["g/x", "g/x"]);
    assert!(code == 0 && text.contains("no run differs: 100000 runs of seed 1"), "{text}");
    // for programs, and the same on any number of threads
    let (_, text) = first(&["g/x", "g/y", "--format", "json", "--threads", "1"]);
    assert_eq!(first(&["g/x", "g/y", "--format", "json", "--threads", "3"]).1, text);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let found = &json["differences"][0];
    assert_eq!((found["run"].to_string().as_str(), &found["parted_by"]["name"]), (run, &"Go".into()));
    assert_eq!(first(&["g/x", "g/y", "--format", "csv"]).0, 2);
}

/// A value that is another one, in a test that came to the same: it is told where it stands, and is not the same in both.
#[test]
fn a_value_that_came_to_the_same_for_a_while_is_where_they_part() {
    let folder = folder("value");
    let rules = "ruleset g/x\nparam need = 4\nkind Unit { state men : 0..10 = 6 }\n\
                 test Hits(u: Unit) {\n  roll aim = u.men of d6\n  let hits = count aim >= need\n  pass when hits >= 0\n}\n\
                 proc fire(u: Unit) {\n  let t = test Hits(u)\n  set u.men -= t.hits\n}\n";
    let scene = "rules = \"g/x\"\n[Unit]\nu = {}\n[[step]]\ndo = \"do fire(u)\"\n[report]\nmean = \"u.men\"\n";
    std::fs::write(folder.join("g/x.rules"), rules).unwrap();
    std::fs::write(folder.join("s.toml"), scene).unwrap();
    let (code, text) = said(&folder, &["compare", ":need=2", "s.toml", "--first-difference"]);
    assert!(code == 1 && text.contains("\nthe versions diverge at Hits\n"), "{text}");
    let (before, after) = text.split_once("\nA ").unwrap();
    assert!(before.contains("* aim 6 of d6") && !before.contains("= hits"), "{text}");
    let line = after.lines().find(|l| l.contains("= hits")).unwrap();
    assert_eq!(line.matches("= hits").count(), 2, "{text}");
}

#[test]
fn a_rule_that_one_version_has_is_blamed() {
    let folder = folder("added");
    std::fs::write(folder.join("g/x.rules"), READ.replace("  cite GX-1", "")).unwrap();
    let more = "variant g/y of g/x\n\noverride phase Rest(s: Side) \"Rests\" {\n  roll pause = d6\n  if pause == 1 { set s.luck = 3 }\n}\n";
    std::fs::write(folder.join("g/y.rules"), more).unwrap();
    let (code, text) = said(&folder, &["compare", "g/x", "g/y", "s.toml", "--of", "red.luck", "--first-difference"]);
    assert!(code == 1 && text.contains("\nthe versions diverge at Rest, as in y\n"), "{text}");
}

#[test]
fn given_dice_mean_the_same_to_every_command() {
    let dice = "[dice]\nrolls = [{ roll = \"Go.aim\", of = \"red\", give = [6] }]\n";
    let scene = |mode: &str| format!("{}{dice}", SCENE.replace("mode = \"sampled\"\n", mode));
    let (script, sampled, exact) = (scene(""), scene("mode = \"sampled\"\n"), scene("mode = \"exact\"\n"));
    let files = [
        ("g/x.rules", RULES),
        ("g/y.rules", VARIANT),
        ("script.toml", &script),
        ("sampled.toml", &sampled),
        ("exact.toml", &exact),
    ];
    let folder = common::folder("given-dice", &files);
    // a script is for the run that it plays; elsewhere chance throws all dice of it
    let (_, trace) = said(&folder, &["run", "script.toml", "--trace", "full"]);
    assert!(trace.contains("d6: 6"), "{trace}");
    for (file, odds, share) in [
        ("script.toml", "1/2 = 50.00%", "50.0"),
        ("sampled.toml", "1 = 100.00%", "100.0"),
        ("exact.toml", "1 = 100.00%", "100.0"),
    ] {
        let (_, text) = said(&folder, &["odds", file, "--of", "red.hit"]);
        assert!(text.contains(&format!("chance red.hit: {odds}")), "{file}: {text}");
        let (_, text) = said(&folder, &["sweep", file, "--over", "need=4", "--mode", "exact"]);
        assert!(text.contains(&format!("chance red.hit: {odds}")), "{file}: {text}");
        let (_, text) = said(&folder, &["simulate", file, "--of", "red.hit", "--runs", "4000"]);
        let counted = text.lines().find(|l| l.starts_with("chance red.hit: ")).unwrap();
        let found: f64 = counted["chance red.hit: ".len()..].split('%').next().unwrap().parse().unwrap();
        assert!((found - share.parse::<f64>().unwrap()).abs() < 4.0, "{file}: {text}");
    }
}

#[test]
fn claims_of_chances_are_judged_in_a_sampled_run_too() {
    let claim = |chance: &str| format!("{SCENE}[[expect]]\nchance = {{ \"red.hit\" = \"{chance}\" }}\n");
    let (good, bad) = (claim("1/2"), claim("1/3"));
    let folder = common::folder(
        "sampled-claims",
        &[("g/x.rules", RULES), ("g/y.rules", VARIANT), ("good.toml", &good), ("bad.toml", &bad)],
    );
    assert_eq!(said(&folder, &["run", "good.toml"]).0, 0);
    let (code, text) = said(&folder, &["run", "bad.toml"]);
    assert!(code == 1 && text.contains("R0807") && text.contains("it is 1/2"), "{text}");
}

#[test]
fn until_is_how_far_an_interval_reaches() {
    let folder = folder("reach");
    let (_, text) = said(
        &folder,
        &["simulate", "s.toml", "--of", "red.pips > 10", "--until", "1%", "--runs", "100000", "--format", "json"],
    );
    let rendered: serde_json::Value = serde_json::from_str(&text).unwrap();
    let number = |key: &str| rendered["figures"][0][key].as_f64().unwrap_or_else(|| panic!("{text}"));
    let (estimate, low, high) = (number("estimate"), number("low"), number("high"));
    assert!(high - estimate <= 0.01 && estimate - low <= 0.01, "{low} {estimate} {high}");
}
