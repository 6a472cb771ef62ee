//! The command line: what it prints, its exit codes, and what it does when nobody reads.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)] // a test may

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn grognard(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command
}

fn output(args: &[&str]) -> Output {
    grognard(args).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What was printed, without its line ends and frames: they depend on how long a path is.
fn words(output: &Output) -> String {
    let text = out(output);
    text.split(|c: char| c.is_whitespace() || c == '│').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("g")).unwrap();
    folder
}

const GOOD: &str = "ruleset g/x version \"1\"\n\nparam most \"Most\" = 3  sweep 1 .. 5\n\nkind Side \"A side\" {\n  state pips : 0..9 = 0\n}\n\nproc gain(s: Side) {\n  roll dice = d6\n  set s.pips += min(dice, most)\n}\n\nphase Go(s: Side) \"Goes\" {\n  do gain(s)\n}\n";
const SCENE: &str = "rules = \"g/x\"\n[Side.red]\n[dice]\nrolls = [{ roll = \"gain.dice\", of = \"red\", give = 2 }]\n[[step]]\ndo = \"do gain(red)\"\nexpect = [\"red.pips == 2\", \"red.pips == was red.pips + 2\"]\n";

#[test]
fn version_and_help_are_fine() {
    assert_eq!(output(&["--version"]).status.code(), Some(0));
    assert_eq!(output(&["--help"]).status.code(), Some(0));
    assert_eq!(output(&["chek"]).status.code(), Some(2));
    assert_eq!(output(&[]).status.code(), Some(2));
}

#[test]
fn check_counts_and_finds() {
    let folder = folder("check");
    let file = folder.join("g/x.rules");
    std::fs::write(&file, GOOD).unwrap();
    let fine = output(&["check", file.to_str().unwrap()]);
    assert_eq!(fine.status.code(), Some(0), "{}{}", out(&fine), err(&fine));
    assert_eq!(out(&fine), "1 rule file, 0 rules, 0 problems\n");
    std::fs::write(&file, GOOD.replace("min(dice, most)", "min(dice, mots)")).unwrap();
    let bad = output(&["check", "--format", "short", folder.to_str().unwrap()]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(out(&bad).starts_with("g/x.rules:11:27: error[R0201]"), "{}", out(&bad));
    let json = output(&["check", "--format", "json", folder.to_str().unwrap()]);
    assert!(out(&json).contains("\"schema\": 1") || out(&json).contains("\"schema\":1"));
    let missing = output(&["check", "no/such.rules"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(err(&missing).contains("no/such.rules"));
}

#[test]
fn colour_can_be_turned_on_and_off() {
    let folder = folder("colour");
    std::fs::write(folder.join("g/x.rules"), "ruleset g/x\n\nlet a = b\n").unwrap();
    let path = folder.to_str().unwrap().to_string();
    assert!(out(&output(&["check", &path, "--color", "always"])).contains('\u{1b}'));
    assert!(!out(&output(&["check", &path])).contains('\u{1b}'));
    let forced = grognard(&["check", &path]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(out(&forced).contains('\u{1b}'));
    let not = grognard(&["check", &path]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap();
    assert!(!out(&not).contains('\u{1b}'));
}

#[test]
fn fmt_checks_shows_and_writes() {
    let folder = folder("fmt");
    let file = folder.join("g/x.rules");
    let loose = GOOD.replace("  state pips", "     state pips");
    std::fs::write(&file, &loose).unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(output(&["fmt", "--check", path]).status.code(), Some(1));
    let diff = output(&["fmt", "--diff", path]);
    assert_eq!(diff.status.code(), Some(1));
    assert!(out(&diff).contains("-     state pips"), "{}", out(&diff));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), loose);
    assert_eq!(output(&["fmt", path]).status.code(), Some(0));
    assert_eq!(output(&["fmt", "--check", path]).status.code(), Some(0));
    assert_eq!(std::fs::read_dir(folder.join("g")).unwrap().count(), 1);
    let mut child = grognard(&["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(loose.as_bytes()).unwrap();
    let piped = child.wait_with_output().unwrap();
    assert_eq!(out(&piped), std::fs::read_to_string(&file).unwrap());
}

#[test]
fn run_tells_and_judges() {
    let folder = folder("run");
    std::fs::write(folder.join("g/x.rules"), GOOD).unwrap();
    let scene = folder.join("scene.toml");
    std::fs::write(&scene, SCENE).unwrap();
    let path = scene.to_str().unwrap();
    let fine = output(&["run", path]);
    assert_eq!(fine.status.code(), Some(0), "{}{}", out(&fine), err(&fine));
    assert!(out(&fine).contains("2 of 2 hold"), "{}", out(&fine));
    let capped = output(&["run", path, "--set", "most=1", "--trace", "none"]);
    assert_eq!(capped.status.code(), Some(1));
    assert!(out(&capped).contains("R0807"), "{}", out(&capped));
    let unknown = output(&["run", path, "--set", "mots=1"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("did you mean `most`?"));
    let lines = output(&["run", path, "--format", "jsonl"]);
    assert!(out(&lines).lines().all(|l| l.starts_with('{') && l.ends_with('}')));
    std::fs::write(
        &scene,
        SCENE
            .replace("[Side.red]", "fuel = 10\n[Side.red]")
            .replace("do gain(red)", "repeat { do gain(red) } while red.pips < 0 or red.pips >= 0"),
    )
    .unwrap();
    assert_eq!(output(&["run", path, "--trace", "none"]).status.code(), Some(3));
    std::fs::write(&scene, SCENE.replace("\"g/x\"", "\"g/x")).unwrap();
    let broken = output(&["run", path]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("R0801"), "{}", out(&broken));
}

#[test]
fn the_scenarios_of_the_books_hold() {
    let outcome = output(&["test", "rulesets"]);
    assert_eq!(outcome.status.code(), Some(0), "{}", out(&outcome));
    assert!(out(&outcome).contains("0 failed"));
}

#[test]
fn explain_and_dump() {
    let page = output(&["explain", "r0201"]);
    assert_eq!(page.status.code(), Some(0));
    assert!(out(&page).contains("R0201"));
    assert!(out(&output(&["explain"])).lines().count() > 80);
    assert_eq!(output(&["explain", "R9999"]).status.code(), Some(2));
    let folder = folder("dump");
    let file = folder.join("g/x.rules");
    std::fs::write(&file, GOOD).unwrap();
    for stage in ["syntax", "rules", "program"] {
        let dump = output(&["dump", "--stage", stage, file.to_str().unwrap()]);
        assert_eq!(dump.status.code(), Some(0), "{stage}");
        assert!(out(&dump).contains("gain"), "{stage}: {}", out(&dump));
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = grognard(&["dump", "--stage", "syntax", "rulesets/warstrike/core.rules"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(said, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let outcome = grognard(&["explain"]).stdout(full).output().unwrap();
    assert_eq!(outcome.status.code(), Some(2));
    assert!(err(&outcome).contains("cannot be written"), "{}", err(&outcome));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_refused() {
    let folder = folder("links");
    let other = folder.join("other");
    std::fs::create_dir_all(folder.join("root/g")).unwrap();
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("y.rules"), "ruleset g/y\n").unwrap();
    std::os::unix::fs::symlink(other.join("y.rules"), folder.join("root/g/y.rules")).unwrap();
    std::fs::write(folder.join("root/g/x.rules"), "ruleset g/x extends g/y\n").unwrap();
    let outcome = output(&["check", "--format", "short", folder.join("root/g/x.rules").to_str().unwrap()]);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(out(&outcome).contains("R0212"), "{}", out(&outcome));
}

#[test]
fn a_pinned_trace_is_compared() {
    let folder = folder("pinned");
    std::fs::write(folder.join("g/x.rules"), GOOD).unwrap();
    let scene = folder.join("scene.toml");
    std::fs::write(&scene, format!("{SCENE}[[expect]]\ntrace = \"scene.trace\"\n")).unwrap();
    let path = scene.to_str().unwrap();
    let missing = output(&["test", path]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(out(&missing).contains("there is no trace `scene.trace`"), "{}", out(&missing));
    for detail in ["full", "brief"] {
        let told = output(&["run", path, "--trace", detail]);
        let told = out(&told).split("\nerror").next().unwrap().to_string();
        std::fs::write(folder.join("scene.trace"), &told).unwrap();
        let fine = output(&["test", path]);
        assert_eq!(fine.status.code(), Some(0), "{}", out(&fine));
        std::fs::write(folder.join("scene.trace"), told.replace("0 -> 2", "0 -> 3")).unwrap();
        for command in ["test", "run"] {
            let found = output(&[command, path]);
            assert_eq!(found.status.code(), Some(1));
            assert!(out(&found).contains("the run is not told as in"), "{}", out(&found));
        }
    }
    assert_eq!(output(&["run", path, "--seed", "3"]).status.code(), Some(0));
    std::fs::write(&scene, format!("mode = \"sampled\"\n{SCENE}[[expect]]\ntrace = \"scene.trace\"\n")).unwrap();
    assert!(out(&output(&["check", path])).contains("pinned where the mode is scripted"));
}

#[test]
fn one_unreadable_scenario_hides_no_other() {
    let folder = folder("unreadable");
    std::fs::write(folder.join("g/x.rules"), GOOD).unwrap();
    std::fs::create_dir(folder.join("g/scenarios")).unwrap();
    std::fs::write(folder.join("g/scenarios/a.toml"), [0xff, 0xfe, 0]).unwrap();
    std::fs::write(folder.join("g/scenarios/b.toml"), format!("\u{feff}{}", SCENE.replace('\n', "\r\n"))).unwrap();
    let path = folder.to_str().unwrap();
    let found = output(&["check", path]);
    assert_eq!(found.status.code(), Some(1), "{}{}", out(&found), err(&found));
    assert!(words(&found).contains("not plain UTF-8") && words(&found).contains("2 scenarios"), "{}", out(&found));
    let tested = output(&["test", path]);
    assert!(out(&tested).contains("2 scenarios, 1 good, 1 failed"), "{}", out(&tested));
}

/// A small game of which one thing is told.
fn told(name: &str, rules: &str, scene: &str) -> String {
    let folder = folder(name);
    std::fs::write(folder.join("g/x.rules"), format!("ruleset g/x version \"1\"\n{rules}")).unwrap();
    std::fs::write(folder.join("scene.toml"), format!("rules = \"g/x\"\n{scene}")).unwrap();
    let ran = output(&["run", folder.join("scene.toml").to_str().unwrap(), "--trace", "full"]);
    assert_eq!(ran.status.code(), Some(0), "{}{}", out(&ran), err(&ran));
    out(&ran)
}

#[test]
fn derived_values_and_refusals_tell_their_figures() {
    let rules = "param free = 1\n\
        kind U { stat nv: 0..6 = 4; state m: 0..nv = 3; state lost: 0..6 = 0; stat hero: U?\n\
        let strain = max(0, m - free)\nlet nerve = nv - strain }\n\
        let nerve_of(u: U, h: U?) = match h { none => u.nerve; some x => x.nv - u.strain }\n\
        phase P(u: U) shares go: 0..9 = 1 { repeat choose action or stop while go > 0 }\n\
        action A in P { needs u.nerve > 5 else \"too shaken\"; set u.lost += 1 }\n\
        action D in P { needs u.strain > 3; set u.lost += 1 }\n\
        action B in P { cost 2 go; set u.lost += 1 }\n\
        action C in P { limit 1 per P; cost 1 go; set u.lost += 0; let n = nerve_of(u, u.hero); set u.lost += n; set go += 1\n\
        if u.strain > 1 { set go = 1 } }\n";
    let told =
        told("figures", rules, "start = \"P(a)\"\n[U.a]\nhero = \"b\"\n[U.b]\nnv = 5\n[players]\na = \"prefer\"\n");
    for line in [
        "too shaken (u.nerve 2 (nv 4 - strain 2) > 5)",
        "needs u.strain 2 (max(0, m 3 - free 1)) > 3",
        "not enough go (1 left of 2)",
        "its limit of 1 per P is used up",
        "= n           3: x.nv 5 - u.strain 2",
        "+ go                  1 -> 0",
        ". a.lost      stays 0",
        "u.strain 2 (max(0, m 3 - free 1)) > 1",
    ] {
        assert!(told.contains(line), "no `{line}` in\n{told}");
    }
}

#[test]
fn a_law_is_silent_where_a_figure_is_missing() {
    let rules = "kind U { stat men: 0..9; state lost: 0..9 = 0 }\n\
        law Some = every u in U: u.lost <= u.men\nphase P(u: U) { set u.lost += 2; set u.lost -= 1 }\n";
    let found = told("silent", rules, "start = \"P(a)\"\n[U.a]\nmen = 3\n[U.b]\n[[expect]]\nthat = \"a.lost == 1\"\n");
    assert!(found.contains("law Some is not judged: nobody has given `b.men` a value"), "{found}");
    let folder = folder("broken-law");
    std::fs::write(folder.join("g/x.rules"), format!("ruleset g/x version \"1\"\n{rules}")).unwrap();
    std::fs::write(folder.join("s.toml"), "rules = \"g/x\"\nstart = \"P(a)\"\n[U.a]\nmen = 1\n").unwrap();
    let broken = output(&["run", folder.join("s.toml").to_str().unwrap()]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("R0904"), "{}", out(&broken));
}

#[test]
fn every_answer_of_a_stand_in_is_told() {
    let rules =
        "kind U { state n: 0..9 = 0 }\nextern let heart(u: U): Int default 3\nphase P(u: U) { set u.n = heart(u) }\n";
    let scene = "[U.a]\n[U.b]\n[extern]\nheart = { by = { b = 1 } }\n[[step]]\ndo = \"run P(a)\"\n[[step]]\ndo = \"run P(b)\"\n";
    let found = told("stand-ins", rules, scene);
    assert!(found.contains("~ heart       stand-in for a missing chapter, default"), "{found}");
    assert!(found.contains("~ heart       stand-in for a missing chapter, fixed: 1"), "{found}");
}
