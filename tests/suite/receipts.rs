//! Receipts: a result says what it was made from, can be made again anywhere, and what differs is named.

use crate::common;
use crate::common::{err, grognard, out};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

const RULES: &str = "ruleset g/x version \"1.2\"

param need \"Need\" = 4
reading twice : Flag \"Twice\" = no or yes because \"not said\"

kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no }

phase Go(s: Side) \"Goes\" {
  roll dice = 2 of d6
  each d in dice { set s.pips += d }
  roll aim = d6
  set s.hit = aim >= need
  if twice and s.hit { set s.pips += 1 }
}
";
const VARIANT: &str = "variant g/y of g/x\n\noverride param need = 5\n";
const SCENE: &str = "rules = \"g/x\"\nagainst = [\"g/y\"]\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 300\n[Side.red]\n[report]\nchance = \"red.hit\"\nmean = \"red.pips\"\n";

/// A folder with rules, a variant and a scenario.
fn folder(name: &str) -> PathBuf {
    let folder = common::folder(name, &[("p/g/x.rules", RULES), ("p/g/y.rules", VARIANT), ("p/s.toml", SCENE)]);
    std::fs::create_dir(folder.join("kept")).unwrap();
    folder
}

/// The exit code and what is printed, with what is said on standard error behind it; in a window that is not as wide as usual.
fn said(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = grognard(folder, args).env("COLUMNS", "90").output().unwrap();
    (output.status.code().unwrap(), out(&output) + &err(&output))
}

/// A receipt without its last line, the checksum.
fn opened(receipt: &str) -> String {
    let last = receipt.trim_end().rfind('\n').unwrap() + 1;
    assert!(receipt[last..].starts_with("# sha256 of all lines above: "), "{receipt}");
    receipt[..last].to_string()
}

/// The same with a checksum that fits.
fn sealed(text: &str) -> String {
    let sum: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}# sha256 of all lines above: {sum}\n")
}

/// A receipt that misses its end says so, wherever it was cut: its last list of files is no list of fewer files.
#[test]
fn a_cut_receipt_says_so() {
    let folder = folder("cut");
    assert_eq!(said(&folder, &["diff", "p/g/x.rules", "p/g/y.rules", "--receipt", "r.toml"]).0, 1);
    let whole = std::fs::read(folder.join("r.toml")).unwrap();
    let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    for cut in ends.clone().chain(ends.skip(1).map(|at| at - 3)).chain([1, whole.len() - 1]) {
        std::fs::write(folder.join("b.toml"), &whole[..cut]).unwrap();
        let (code, text) = said(&folder, &["replay", "b.toml"]);
        assert!(code == 1 && text.contains("R1101") && text.contains("incomplete"), "{cut}: {text}");
    }
}

const KEPT: &[&[&str]] = &[
    &["simulate", "s.toml", "--format", "json", "--threads", "2"],
    &["run", "s.toml", "--run", "7", "--set", "need=2"],
    &["run", "s.toml"],
    &["compare", "s.toml", "--of", "red.hit", "--runs", "400"],
    &["compare", "s.toml", "--of", "red.hit", "--mode", "exact", "--format", "csv"],
    &["compare", ":need=2,twice=yes", "s.toml", "--of", "red.pips", "--which"],
    &["diff", "g/x.rules", "g/y.rules"],
    &["odds", "s.toml", "--of", "red.pips", "--format", "csv"],
    &["odds", "g/x.rules", "Go(s)", "--of", "s.hit", "--set", "need=3"],
    &["odds", "2d6"],
    &["odds", "s.toml", "--of", "red.pips", "--budget", "3"],
    &["sweep", "s.toml", "--over", "need=2,3", "--mode", "exact", "--format", "jsonl"],
    &["readings", "s.toml", "--format", "json", "--mode", "sampled", "--threads", "2"],
    &["readings", "s.toml"],
    &["readings", "g"],
    // findings with lines drawn round them, as wide as the terminal
    &["simulate", "s.toml", "--of", "red.luck"],
];

#[test]
fn results_are_made_again() {
    let folder = folder("again");
    let moved = folder.with_file_name("again-moved");
    let _ = std::fs::remove_dir_all(&moved);
    for (n, args) in KEPT.iter().enumerate() {
        let file = format!("../kept/{n}.toml");
        let (code, text) = said(&folder.join("p"), args);
        assert_eq!(said(&folder.join("p"), &[args, &["--receipt", &file][..]].concat()), (code, text), "{args:?}");
    }
    // elsewhere, and from another folder
    std::fs::rename(&folder, &moved).unwrap();
    for (n, args) in KEPT.iter().enumerate() {
        let (code, text) = said(&moved, &["replay", &format!("kept/{n}.toml")]);
        assert!(code == 0 && text.starts_with("same output: ") && text.lines().count() == 1, "{args:?}: {text}");
        let (code, text) = said(&moved.join("kept"), &["replay", &format!("{n}.toml")]);
        assert!(code == 0, "{args:?}: {text}");
    }
}

#[test]
fn a_receipt_says_what_a_result_was_made_from() {
    let folder = folder("says");
    // an absolute path is kept as a relative one, and so printed
    let scene = folder.join("p/s.toml").canonicalize().unwrap();
    let args = ["simulate", scene.to_str().unwrap(), "--set", "need=3", "--seed", "9", "--receipt", "kept/r.toml"];
    assert_eq!(said(&folder, &args).0, 0);
    let text = std::fs::read_to_string(folder.join("kept/r.toml")).unwrap();
    assert!(!text.contains(folder.to_str().unwrap()), "{text}");
    let receipt: toml::Table = toml::from_str(&text).unwrap();
    assert_eq!(receipt["grognard"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(receipt["folder"].as_str(), Some(".."));
    let words: Vec<&str> = receipt["command"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
    assert_eq!(words, ["simulate", "p/s.toml", "--set", "need=3", "--seed", "9"]);
    let result = &receipt["result"][0];
    assert_eq!((result["seed"].as_integer(), result["runs"].as_integer()), (Some(9), Some(300)));
    assert_eq!((result["rules"][0].as_str(), result["set"]["need"].as_str()), (Some("g/x 1.2"), Some("3")));
    let files: Vec<&str> = receipt["file"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["p/g/x.rules", "p/g/y.rules", "p/s.toml"]);
    let output = receipt["output"].clone();
    assert!(output["sha256"].as_str().unwrap().len() == 64 && output["code"].as_integer() == Some(0));
}

/// What is written besides is written with a receipt too, and belongs to no receipt.
#[test]
fn a_receipt_keeps_no_file_from_being_written() {
    let folder = folder("beside");
    let sweep = ["sweep", "p/s.toml", "--over", "need=2,3", "--runs", "20"];
    let files = ["--journal", "j", "--report", "page.html", "--out=rows.csv", "--receipt", "r.toml"];
    assert_eq!(said(&folder, &[&sweep[..], &files].concat()).0, 0);
    for file in ["j", "page.html", "rows.csv", "r.toml"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    let text = std::fs::read_to_string(folder.join("r.toml")).unwrap();
    assert!(!text.contains("journal") && !text.contains("page.html") && !text.contains("rows.csv"), "{text}");
    std::fs::remove_file(folder.join("page.html")).unwrap();
    let (code, text) = said(&folder, &["replay", "r.toml"]);
    assert!(code == 0 && !folder.join("page.html").exists(), "{text}");
}

/// Odds have no seed: their receipts have the budget, and whether that was enough.
#[test]
fn a_receipt_of_odds_says_what_was_asked() {
    let folder = folder("odds");
    let result = |args: &[&str], code: i32| {
        let (found, text) = said(&folder, &[&["odds", "--receipt", "r.toml"], args].concat());
        assert_eq!(found, code, "{text}");
        let receipt: toml::Table = toml::from_str(&std::fs::read_to_string(folder.join("r.toml")).unwrap()).unwrap();
        receipt["result"][0].as_table().unwrap().clone()
    };
    let of = |result: &toml::Table, name: &str| result[name].as_str().unwrap_or_default().to_string();
    let whole = result(&["p/s.toml", "--set", "need=2"], 0);
    assert_eq!((of(&whole, "found"), of(&whole, "scenario")), ("exact".into(), "p/s.toml".into()));
    assert_eq!((whole["set"]["need"].as_str(), whole["budget"].as_integer()), (Some("2"), Some(2_000_000)));
    let part = result(&["p/s.toml", "--budget", "3"], 3);
    assert_eq!((of(&part, "found"), part["budget"].as_integer()), ("bounded".into(), Some(3)));
    let call = result(&["p/g/x.rules", "Go(s)", "--of", "s.pips"], 0);
    assert_eq!((of(&call, "asked"), call["rules"][0].as_str()), ("Go(s)".into(), Some("g/x 1.2")));
    assert_eq!(of(&result(&["3d6"], 0), "asked"), "3d6");
}

#[test]
fn what_differs_is_named() {
    let folder = folder("differs");
    let put = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
    assert_eq!(said(&folder, &["simulate", "p/s.toml", "--receipt", "r.toml"]).0, 0);
    let replay = || said(&folder, &["replay", "r.toml"]);
    // a file that changes nothing is named, and the result stands
    put("p/g/x.rules", &format!("{RULES}# said\n"));
    let (code, text) = replay();
    assert!(code == 0 && text.contains("\n  but p/g/x.rules has changed\n"), "{text}");
    put("p/g/x.rules", &RULES.replace("= 4", "= 5"));
    let (code, text) = replay();
    assert!(code == 1 && text.contains("R1102") && text.contains("p/g/x.rules has changed"), "{text}");
    put("p/g/x.rules", RULES);
    put("p/s.toml", &SCENE.replace("runs = 300", "runs = 30"));
    let (_, text) = replay();
    assert!(text.contains("p/s.toml has changed") && text.contains("`runs` was 300 and is 30"), "{text}");
    put("p/s.toml", SCENE);
    let old = opened(&std::fs::read_to_string(folder.join("r.toml")).unwrap());
    let version = format!("grognard = \"{}\"", env!("CARGO_PKG_VERSION"));
    put("r.toml", &sealed(&old.replace(&version, "grognard = \"0.0.1\"").replace("bytes = ", "bytes = 1")));
    let (code, text) = replay();
    assert!(code == 1 && text.contains("it was written by grognard 0.0.1"), "{text}");
    put("r.toml", &sealed(&old));
    std::fs::remove_file(folder.join("p/g/x.rules")).unwrap();
    let (code, text) = replay();
    assert!(code == 1 && text.contains("p/g/x.rules"), "{text}");
}

#[test]
fn a_bad_receipt_is_told() {
    let folder = folder("bad");
    assert_eq!(said(&folder, &["simulate", "p/s.toml", "--receipt", "r.toml"]).0, 0);
    let kept = std::fs::read_to_string(folder.join("r.toml")).unwrap();
    let good = opened(&kept);
    let bad = [
        (String::new(), "missing field"),
        ("receipt = ".to_string(), "R1101"),
        (sealed(&good.replace("receipt = 2", "receipt = 1")), "format 1"),
        (sealed(&good.replace("colour", "color")), "unknown field"),
        (sealed(&good.replace("folder = \".\"", "folder = \"/tmp\"")), "relative"),
        (sealed(&good.replace("\"simulate\"", "\"--receipt=x\", \"simulate\"")), "command"),
        (sealed(&good.replace("sha256 = \"", "sha256 = \"\u{1b}[2J\n")), "R1101"),
        (good.clone(), "incomplete"),
        (kept.replace("p/s.toml", "p/t.toml"), "damaged or edited"),
        (kept.replacen("0", "1", 1), "damaged or edited"),
    ];
    for (text, why) in bad {
        std::fs::write(folder.join("b.toml"), &text).unwrap();
        let (code, said) = said(&folder, &["replay", "b.toml"]);
        assert!(code == 1 && said.contains("R1101") && said.contains(why), "{why}: {said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    // a command that keeps no receipts is not carried out, whatever a receipt says
    let rules = std::fs::read_to_string(folder.join("p/g/x.rules")).unwrap();
    let text = good.replace("[\"simulate\", \"p/s.toml\"]", "[\"fmt\", \"p/g/x.rules\"]");
    assert_ne!(text, good);
    std::fs::write(folder.join("b.toml"), sealed(&text)).unwrap();
    let (code, text) = said(&folder, &["replay", "b.toml"]);
    assert!(code == 1 && text.contains("its `command` cannot have a receipt"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.join("p/g/x.rules")).unwrap(), rules);
}

#[test]
fn what_cannot_be_done_again_keeps_no_receipt() {
    let folder = folder("once");
    let (code, text) = said(&folder, &["check", "p/g/x.rules", "--receipt", "r.toml"]);
    assert!(code == 2 && text.contains("receipt"), "{text}");
    std::fs::write(folder.join("p/s.toml"), SCENE.replace("[report]", "[players]\nred = \"prompt\"\n[report]"))
        .unwrap();
    let (code, text) = said(&folder, &["run", "p/s.toml", "--run", "1", "--receipt", "r.toml"]);
    assert!(code == 2 && text.contains("a person answers"), "{text}");
    assert!(!folder.join("r.toml").exists());
    // a player who looks for the best move has no runs to be counted
    std::fs::write(folder.join("p/s.toml"), SCENE.replace("[report]", "[players]\nred = \"best\"\n[report]")).unwrap();
    let (code, text) = said(&folder, &["simulate", "p/s.toml", "--runs", "10"]);
    assert!(code == 2 && text.contains("red plays for the best"), "{text}");
    assert_eq!(said(&folder, &["replay", "none.toml"]).0, 2);
}
