//! The help of the program and of its commands, options that run another command, suggestions, and standard input.

use crate::common::{err, folder, grognard, out, output, root, said, said_apart};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

const GROUPS: [&str; 4] = ["Everyday:", "Measure:", "Review:", "Tools:"];

const RULES: &str = "ruleset g/x version \"1\"\n\nparam most \"Most\" = 3  sweep 1 .. 5\n\nkind Side \"A side\" {\n  state pips : 0..9 = 0\n}\n\nproc gain(s: Side) {\n  roll dice = d6\n  set s.pips += min(dice, most)\n}\n\nphase Go(s: Side) \"Goes\" {\n  do gain(s)\n}\n";
const SCENE: &str = "rules = \"g/x\"\n[Side.red]\n[dice]\nrolls = [{ roll = \"gain.dice\", of = \"red\", give = 2 }]\n[[step]]\ndo = \"do gain(red)\"\nexpect = [\"red.pips == 2\"]\n[report]\nmean = [\"red.pips\"]\n";

/// Returns the commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let groups = help.split_once("Everyday:\n").unwrap().1.split("\nOptions:").next().unwrap();
    groups.lines().filter_map(|line| Some(line.strip_prefix("  ")?.split_whitespace().next()?.to_string())).collect()
}

fn all_commands() -> Vec<String> {
    listed(&out(&output(root(), &["help", "--all"])))
}

#[test]
fn the_help_lists_commands_in_groups() {
    let short = output(root(), &["-h"]);
    let bare = output(root(), &[]);
    assert_eq!((short.status.code(), bare.status.code()), (Some(0), Some(2)));
    assert_eq!(out(&short), err(&bare), "without a command, the same help is on standard error");
    let short = out(&short);
    for part in GROUPS.iter().chain(&["Options:", "Examples:", "Exit codes: 0 success, 1 findings"]) {
        assert!(short.contains(&format!("\n{part}")), "{part}: {short}");
    }
    assert!(!short.contains("--color") && !short.contains("--receipt") && short.contains("--quiet"), "{short}");
    assert!(out(&output(root(), &["--help"])).contains("--color <WHEN>"));
    let (few, all) = (listed(&short), all_commands());
    assert!(few.len() < 20 && few.iter().all(|name| all.contains(name)), "{few:?}");
    assert!(all.len() == 32 && all.contains(&"replay".to_string()), "{all:?}");
    assert_eq!(said(root(), &["help", "--all", "--color", "always"]).1.matches('\u{1b}').count() % 2, 0);
}

#[test]
fn each_command_has_a_help_of_80_columns() {
    let mut faults = String::new();
    for name in all_commands() {
        let (short, long) = (said(root(), &[&name, "-h"]), said(root(), &[&name, "--help"]));
        assert_eq!((short.0, long.0), (0, 0), "{name}");
        assert_eq!(said(root(), &["help", &name]), long, "{name}");
        for line in short.1.lines().chain(long.1.lines()).filter(|line| line.chars().count() > 80) {
            let _ = writeln!(faults, "{name}: {line}");
        }
        // the text of an option is one line; only its default and its values can follow on a second one
        let options = short.1.split_once("Options:\n").map_or("", |(_, options)| options);
        for line in options.lines().filter(|line| line.starts_with("          ") && !line.trim().starts_with('[')) {
            let value = line.trim().ends_with(']') || line.trim().ends_with(',');
            if !value {
                let _ = writeln!(faults, "{name}: {line}");
            }
        }
        if short.1.contains("--color") || long.1.contains("[env:") {
            let _ = writeln!(faults, "{name}: {}", short.1);
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn options_are_offered_only_where_they_have_an_effect() {
    let with = |option: &str| -> Vec<String> {
        let has = |name: &String| said(root(), &[name, "--help"]).1.contains(option);
        all_commands().into_iter().filter(has).collect()
    };
    assert_eq!(with("--receipt <FILE>"), ["run", "odds", "simulate", "compare", "sweep", "diff", "readings"]);
    assert_eq!(with("--threads <N>"), ["test", "watch", "simulate", "compare", "sweep", "readings", "mutants"]);
    let (code, text) = said(root(), &["check", ".", "--receipt", "r.toml"]);
    assert!(code == 2 && text.contains("unexpected argument '--receipt'"), "{text}");
}

#[test]
fn the_help_shows_the_default_limits() {
    let limits = |name: &str| said(root(), &[name, "-h"]).1;
    assert!(limits("odds").contains("State limit for exact answers [default: 2000000]"));
    assert!(limits("odds").contains("Time limit for exact answers [default: none]"));
    assert!(limits("compare").contains("[default: 50000]"));
    assert!(limits("holes").contains("[default: 6000]"));
    let project = folder("help-limits", &[("grognard.toml", "name = \"x\"\nbudget = 70\ntime = 9\n")]);
    let text = said(&project, &["odds", "-h"]).1;
    assert!(text.contains("[default: 70]") && text.contains("[default: 9]") && !text.contains("2000000"), "{text}");
    assert!(said(root(), &["odds", "--help"]).1.contains("Environment variable: GROGNARD_BUDGET"));
}

#[test]
fn misspelt_commands_and_options_have_a_suggestion() {
    for (typed, meant) in
        [("rnu", "run"), ("simluate", "simulate"), ("chekc", "check"), ("tset", "test"), ("mutant", "mutants")]
    {
        for words in [vec![typed], vec!["help", typed]] {
            let (code, text) = said(root(), &words);
            assert!(code == 2 && text.contains(&format!("similar subcommand exists: '{meant}'")), "{typed}: {text}");
        }
    }
    for (words, meant) in [
        (["run", "--sede=3"], "--seed"),
        (["test", "--fitler"], "--filter"),
        (["odds", "--rolilng"], "--rolling"),
        (["check", "--qiuet"], "--quiet"),
    ] {
        let (code, text) = said(root(), &words);
        assert!(code == 2 && text.contains(&format!("similar argument exists: '{meant}'")), "{words:?}: {text}");
    }
    let (code, text) = said(root(), &["qqqqqq"]);
    assert!(code == 2 && !text.contains("similar"), "{text}");
}

/// A project with the template `blank`.
fn begun(name: &str) -> PathBuf {
    let place = folder(name, &[]);
    assert_eq!(said(&place, &["new", "game"]).0, 0);
    place.join("game")
}

#[test]
fn an_option_can_run_another_command() {
    let project = begun("help-forwarded");
    for (short, whole) in [
        (&["check", "--holes", "--only", "gap"][..], &["holes", "--only", "gap"][..]),
        (&["check", "rules", "--readings"], &["readings", "rules"]),
        (
            &["compare", "--text", "warstrike/leadership.rules", "warstrike/every-hit.rules"],
            &["diff", "warstrike/leadership.rules", "warstrike/every-hit.rules"],
        ),
        (&["new", "--list", "warstrike"], &["books", "warstrike"]),
        (&["--color", "never", "new", "--list", "recoil"], &["books", "recoil"]),
        (&["-q", "test", "--mutate", "--list"], &["mutants", "--list"]),
        (&["test", "--review", "--list"], &["review", "--list"]),
        (&["test", "--update", "rules/game.rules"], &["restate", "rules/game.rules"]),
        (&["test", "--watch", "--saves", "0"], &["watch", "--saves", "0"]),
        (&["test", "--watch", "--help"], &["watch", "--help"]),
    ] {
        let (found, wanted) = (said_apart(&project, short), said_apart(&project, whole));
        assert!(wanted.0 < 2, "{whole:?}: {wanted:?}");
        assert_eq!((found.0, found.1), (wanted.0, wanted.1), "{short:?}");
    }
    // after `--`, a word is a path
    assert!(said(&project, &["test", "--", "--watch"]).1.contains("file not found: --watch"));
    // the options of the other command count
    let (code, text) = said(&project, &["test", "--watch", "--filter", "x"]);
    assert!(code == 2 && text.contains("unexpected argument '--filter'"), "{text}");
}

/// Runs a command with a text on standard input.
fn fed(folder: &Path, args: &[&str], text: &str) -> Output {
    let mut child =
        grognard(folder, args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_scenario_from_standard_input_is_run_and_checked() {
    let folder = folder("help-stdin", &[("g/x.rules", RULES), ("s.toml", SCENE)]);
    let (file, input) = (output(&folder, &["run", "s.toml"]), fed(&folder, &["run", "-"], SCENE));
    assert_eq!((file.status.code(), input.status.code()), (Some(0), Some(0)), "{}{}", out(&input), err(&input));
    let below = |text: &str| text.split_once("\n\n").map(|(_, below)| below.to_string());
    assert_eq!(below(&out(&input)), below(&out(&file)));
    assert!(out(&input).starts_with("grognard run <stdin> "), "{}", out(&input));
    assert_eq!(out(&fed(&folder, &["check", "-"], SCENE)), "1 scenario, no problems\n");
    // faults name the input, and rules are found from the current folder
    let wrong = fed(&folder, &["check", "-", "--format", "short"], &SCENE.replace("[Side.red]", "[Sied.red]"));
    assert!(wrong.status.code() == Some(1) && out(&wrong).starts_with("<stdin>:2:2: error[R0802]"), "{}", out(&wrong));
    let lost = fed(&folder, &["run", "-"], &SCENE.replace("g/x", "g/y"));
    assert!(lost.status.code() == Some(1) && out(&lost).contains("<stdin>:1:9"), "{}", out(&lost));
    // a scenario can extend one that is named from the current folder
    let child = "base = \"s.toml\"\n[[step]]\ndo = \"do gain(red)\"\n";
    assert_eq!(fed(&folder, &["check", "-"], child).status.code(), Some(0));
    // a rerun, and a person, cannot read it again
    let kept = fed(&folder, &["run", "-", "--receipt", "r.toml"], SCENE);
    assert!(kept.status.code() == Some(2) && err(&kept).contains("standard input"), "{}", err(&kept));
    let person = fed(&folder, &["run", "-"], &format!("{SCENE}[players]\nred = \"prompt\"\n"));
    assert!(person.status.code() == Some(2) && err(&person).contains("standard input"), "{}", err(&person));
    let binary = fed(&folder, &["check", "-"], "rules = \"g/x\"\n\u{0}");
    assert!(binary.status.code() == Some(1), "{}", out(&binary));
}

#[test]
fn rules_from_standard_input_are_checked() {
    let folder = folder("help-stdin-rules", &[("g/x.rules", RULES), ("g/other.rules", "ruleset g/other\n")]);
    // also in the folder of the book, and with a text that is not saved yet
    for place in [folder.clone(), folder.join("g")] {
        let fine = fed(&place, &["check", "-"], RULES);
        assert_eq!((fine.status.code(), out(&fine)), (Some(0), "1 rules file, 4 items, no problems\n".to_string()));
        let wrong =
            fed(&place, &["check", "-", "--format", "short"], &RULES.replace("min(dice, most)", "min(dice, mots)"));
        assert!(
            wrong.status.code() == Some(1) && out(&wrong).starts_with("<stdin>:11:27: error[R0201]"),
            "{}",
            out(&wrong)
        );
        let above = "# a comment\nvariant g/z of g/x version \"1\"\n\noverride param most \"Most\" = 4\n";
        let variant = fed(&place, &["check", "-"], above);
        assert_eq!(variant.status.code(), Some(0), "{}", out(&variant));
    }
    let shipped = fed(&folder, &["check", "-"], "variant my/house of warstrike/core version \"1\"\n");
    assert_eq!(shipped.status.code(), Some(0), "{}", out(&shipped));
    let empty = fed(&folder, &["check", "-"], "");
    assert!(empty.status.code() == Some(1) && out(&empty).contains("R0109"), "{}", out(&empty));
    // in a project, the rules root counts
    let project = begun("help-stdin-project");
    let rules = std::fs::read_to_string(project.join("rules/game.rules")).unwrap();
    assert_eq!(fed(&project.join("scenarios"), &["check", "-"], &rules).status.code(), Some(0));
}

#[test]
fn a_replay_puts_its_option_before_the_end_of_the_options() {
    let folder = folder("help-replay", &[]);
    assert_eq!(said(&folder, &["odds", "--receipt", "r.toml", "--", "2d6"]).0, 0);
    let (code, text) = said(&folder, &["replay", "r.toml"]);
    assert!(code == 0 && text.starts_with("same output: "), "{text}");
}
