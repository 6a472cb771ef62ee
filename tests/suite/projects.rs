//! A designer's project: its beginning, its file, the shipped books by name, pins and their review, and the conventions
//! that all commands keep.

use crate::common::{err, folder, grognard, out, output, root, said, said_apart};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A project that was begun in a folder of a test's own.
#[track_caller]
fn begun(name: &str, template: &str) -> PathBuf {
    let place = folder(name, &[]);
    let (code, text) = said(&place, &["new", "game", "--template", template]);
    assert_eq!(code, 0, "{text}");
    place.join("game")
}

/// The project has a number changed that examples and traces lean on.
fn with_another_number(project: &Path) {
    let rules = project.join("rules/game.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    let text = text.replace("\"A shot hits on\" = 4", "\"A shot hits on\" = 3");
    std::fs::write(rules, text).unwrap();
}

/// What came of a command that reads answers.
fn answered(folder: &Path, args: &[&str], answers: &str) -> (i32, String) {
    let mut child =
        grognard(folder, args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // the program may end before it has read all of it
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    let done = child.wait_with_output().unwrap();
    (done.status.code().unwrap(), out(&done) + &err(&done))
}

fn walk(folder: &Path, below: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
        } else if name.ends_with(".rules") || name.ends_with(".toml") {
            found.push(name);
        }
    }
}

#[test]
fn every_ruleset_is_in_the_program() {
    let mut files = Vec::new();
    walk(&root().join("rulesets"), "", &mut files);
    files.sort();
    let main = root().join("src/shipped.rs");
    let text = std::fs::read_to_string(&main).unwrap();
    let (head, rest) = text.split_once("texts! {\n").unwrap();
    let (_, tail) = rest.split_once("};\n").unwrap();
    let rows = files.iter().fold(String::new(), |mut rows, file| {
        let _ = writeln!(rows, "    \"{file}\"");
        rows
    });
    let wanted = format!("{head}texts! {{\n{rows}}};\n{tail}");
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::write(&main, &wanted).unwrap();
    }
    assert!(text == wanted, "the list in src/shipped.rs is not that of rulesets; GROGNARD_PIN=1 writes it anew");
    // and the program has their texts, as far as it is the one of this source
    let shown = output(root(), &["books", "warstrike/core.rules"]);
    assert_eq!(out(&shown), std::fs::read_to_string(root().join("rulesets/warstrike/core.rules")).unwrap());
}

#[test]
fn a_new_project_runs_at_once() {
    let templates = ["blank", "duel", "squads", "provinces", "cards", "warstrike", "leadership", "alternate", "recoil"];
    let examples = ["risk", "rally", "skirmish"];
    let all = templates.map(|name| ("--template", name)).into_iter().chain(examples.map(|name| ("--example", name)));
    for (option, template) in all {
        let place = folder(&format!("new-{template}"), &[]);
        let (code, text) = said(&place, &["new", "my game", option, template]);
        assert_eq!(code, 0, "{text}");
        let next: Vec<&str> = text.split_once("next:\n").unwrap().1.lines().map(str::trim).collect();
        assert_eq!(next.len(), 3, "{text}");
        let project = place.join("my game");
        let first = next[0].strip_prefix("cd 'my game' && grognard ").unwrap();
        for line in [first].into_iter().chain(next[1..].iter().map(|l| l.strip_prefix("grognard ").unwrap())) {
            let (code, text) = said(&project, &line.split(' ').collect::<Vec<_>>());
            assert_eq!(code, 0, "{template}: {line}\n{text}");
            // the house rule makes a difference, and it is worked out
            assert!(!line.starts_with("compare") || text.contains(" in B  (exact)"), "{template}: {text}");
        }
        assert_eq!(said(&project, &["check", "--strict"]).0, 0, "{template}");
        assert_eq!(said(&project, &["fmt", "--check"]), (0, String::new()), "{template}");
        // the games of the gallery are also covered by their scenarios
        if option == "--template" {
            let (code, text) = said(&project, &["coverage", "rules"]);
            assert_eq!(code, 0, "{template}: {text}");
        }
    }
}

#[test]
fn new_writes_all_or_nothing() {
    let place = folder("refuses", &[("full/notes.txt", "mine"), ("file", "x")]);
    let (code, text) = said(&place, &["new", "full"]);
    assert!(code == 2 && text.contains("full is not empty"), "{text}");
    assert_eq!(std::fs::read_dir(place.join("full")).unwrap().count(), 1);
    let (code, text) = said(&place, &["new", "file"]);
    assert!(code == 2 && text.contains("file"), "{text}");
    std::fs::create_dir(place.join("empty")).unwrap();
    let (code, text) = said(&place.join("empty"), &["new", "."]);
    assert!(code == 0 && text.contains("\n  grognard run scenarios/first.toml\n"), "{text}");
    assert!(std::fs::read_to_string(place.join("empty/grognard.toml")).unwrap().contains("name = \"empty\""));
    let (code, text) = said(&place, &["new", "x", "--template", "warstrik"]);
    assert!(code == 2 && text.contains("'warstrike'"), "{text}");
    let (code, text) = said(&place, &["new", "x", "--example", "chess"]);
    assert!(code == 2 && text.contains("the gallery has no game `chess`"), "{text}");
    assert!(!place.join("x").exists());
}

#[test]
fn shipped_books_are_there_by_name() {
    let place = folder("names", &[]);
    let (code, text) = said(&place, &["run", "warstrike/scenarios/orders-under-fire.toml"]);
    assert_eq!(code, 0, "{text}");
    // beside a folder `rulesets` that has the same book too
    let (code, text) = said(crate::common::root(), &["run", "warstrike/scenarios/orders-under-fire.toml"]);
    assert_eq!(code, 0, "{text}");
    // as the documentation calls it, where there is no such folder
    let (code, text) = said(&place, &["run", "rulesets/warstrike/scenarios/orders-under-fire.toml"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(&place, &["check", "recoil"]);
    assert!(code == 0 && text.starts_with("5 rules files"), "{text}");
    let (code, text) =
        said(&place, &["odds", "warstrike/leadership.rules", "LeadershipTest(u)", "--with", "u.ld = 2, u.nv = 3"]);
    assert!(code == 0 && text.contains("3/4"), "{text}");
    // a variant and a scenario of one's own, and messages that say where what they quote stands
    let rules = "variant my/house of warstrike/action-phase version \"1\"\n\noverride param hit_on = 2\n";
    let scene = "base = \"warstrike/scenarios/firefight.toml\"\nrules = \"my/house\"\n";
    let place = folder("names", &[("my/house.rules", rules), ("fight.toml", scene)]);
    let (code, text) = said(&place, &["simulate", "fight.toml", "--runs", "100", "--receipt", "r.toml"]);
    assert_eq!(code, 0, "{text}");
    let receipt = std::fs::read_to_string(place.join("r.toml")).unwrap();
    assert!(receipt.contains("\"shipped:warstrike/core.rules\""), "{receipt}");
    let (code, text) = said(&place, &["replay", "r.toml"]);
    assert!(code == 0 && text.starts_with("same output"), "{text}");
    std::fs::write(place.join("my/house.rules"), format!("{rules}\noverride rule Rattled on start of Round {{ }}\n"))
        .unwrap();
    let (code, text) = said(&place, &["check", "my"]);
    assert!(code == 1 && text.contains("my/house.rules"), "{text}");
    let (code, text) = said(&place, &["fmt", "shipped:warstrike/core.rules", "--check"]);
    assert_eq!((code, text.as_str()), (0, ""));
    let (code, text) = said(&place, &["books", "warstrke"]);
    assert!(code == 2 && text.contains("did you mean `warstrike`?"), "{text}");
}

#[test]
fn a_folder_of_ones_own_hides_a_book_whole() {
    let rules = "variant my/house of recoil/skirmish version \"1\"\n";
    let place = folder("hides", &[("my/house.rules", rules)]);
    assert_eq!(said(&place, &["check", "my"]).0, 0);
    assert_eq!(said(&place, &["books", "recoil", "--copy", "recoil"]).0, 0);
    assert_eq!(said(&place, &["check", "my", "--strict"]).0, 0);
    // what is missing in the copy is not taken from the shipped book
    std::fs::remove_file(place.join("recoil/core.rules")).unwrap();
    let (code, text) = said(&place, &["check", "my"]);
    assert!(code == 1 && text.contains("there is no ruleset `recoil/core`"), "{text}");
    let (code, text) = said(&place, &["books", "recoil", "--copy", "recoil"]);
    assert!(code == 2 && text.contains("not empty"), "{text}");
}

#[test]
fn what_is_shipped_is_not_written() {
    let place = folder("readonly", &[]);
    let (code, text) = said(&place, &["restate", "edits/another-die.rules", "--write"]);
    assert!(code != 1, "{text}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}

#[test]
fn the_project_file_is_found_from_below_and_its_faults_are_told() {
    let project = begun("file", "blank");
    let below = project.join("scenarios");
    assert_eq!(said(&below, &["test"]).0, 0);
    let file = project.join("grognard.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let faults: &[(&str, &[&str])] = &[
        ("budgte = 3\n", &["R1105", "did you mean `budget`?", "../grognard.toml"]),
        ("budget = 0\n", &["`budget` must be a whole number from 1", "not `0`"]),
        ("trace = \"ful\"\n", &["did you mean `full`?"]),
        ("rules = \"../other\"\n", &["must be a folder below the project, not `../other`"]),
        ("scenarios = \"scenarios\"\n", &["a list of folders"]),
        ("scenarios = [\"none\"]\n", &["the folder none of `scenarios` does not exist"]),
        ("rules = \"rulez\"\n", &["the folder rulez of `rules` does not exist", "did you mean `rules`?"]),
        ("name = \n", &["R1105", "TOML"]),
    ];
    for (fault, wanted) in faults {
        std::fs::write(&file, fault).unwrap();
        let (code, printed, rendered) = said_apart(&below, &["test"]);
        assert!(code == 2 && printed.is_empty(), "{fault}: {printed}");
        assert!(wanted.iter().all(|w| rendered.contains(w)), "{fault}: {rendered}");
        // help and what needs no project work all the same
        assert_eq!(said(&below, &["test", "--help"]).0, 0);
        assert_eq!(said(&below, &["explain", "R1105"]).0, 0);
    }
    std::fs::write(&file, text).unwrap();
    assert_eq!(said(&below, &["test"]).0, 0);
}

#[test]
fn a_flag_goes_before_the_environment_and_that_before_the_file() {
    let project = begun("order", "blank");
    let file = project.join("grognard.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines = |vars: &[(&str, &str)], args: &[&str]| {
        let mut command = grognard(&project, &[&["run", "scenarios/first.toml"], args].concat());
        command.envs(vars.iter().copied());
        let done = command.output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", err(&done));
        out(&done).lines().count()
    };
    let story = lines(&[], &[]);
    std::fs::write(&file, text.replace("# trace  = \"story\"", "trace = \"none\"")).unwrap();
    let none = lines(&[], &[]);
    let full = lines(&[("GROGNARD_TRACE", "full")], &[]);
    assert!(none < story && story < full, "{none} {story} {full}");
    assert_eq!(lines(&[("GROGNARD_TRACE", "full")], &["--trace", "story"]), story);
    let bad = grognard(&project, &["run", "scenarios/first.toml"]).env("GROGNARD_TRACE", "nne").output().unwrap();
    assert!(bad.status.code() == Some(2) && err(&bad).contains("GROGNARD_TRACE"), "{}", err(&bad));
}

#[test]
fn the_project_answers_for_players() {
    let rules = "ruleset g/x version \"1\"\n\nkind Side { state pips : 0..9 = 0 }\n\nphase Go(s: Side) { choose n in [3, 5]\n  set s.pips = n\n}\n";
    let scene = "rules = \"g/x\"\nstart = \"Go(red)\"\n[Side.red]\n[[expect]]\nthat = \"red.pips == 3\"\n";
    let place = folder(
        "players",
        &[("g/x.rules", rules), ("s.toml", scene), ("grognard.toml", "[players]\nred = \"first\"\nblue = \"first\"\n")],
    );
    let (code, text) = said(&place, &["run", "s.toml"]);
    assert_eq!(code, 0, "{text}");
    std::fs::write(place.join("grognard.toml"), "[players]\nred = \"policy:None\"\n").unwrap();
    let (code, text) = said(&place, &["run", "s.toml"]);
    assert!(code == 1 && text.contains("grognard.toml:2:8"), "{text}");
}

#[test]
fn what_moved_is_reviewed_and_accepted() {
    let project = begun("review", "blank");
    let (code, text) = said(&project, &["review", "--list"]);
    assert_eq!((code, text.as_str()), (1, "new    scenarios/first.toml: trace\nnew    scenarios/first.toml: odds\n"));
    assert_eq!(said(&project, &["review", "--accept-all"]).0, 0);
    assert_eq!(said(&project, &["review"]), (0, "nothing to review\n".to_string()));
    assert_eq!(said(&project, &["test"]).0, 0);
    with_another_number(&project);
    let (code, text) = said(&project, &["test", "scenarios"]);
    assert!(code == 1 && text.contains("  changed: param hit_on\n"), "{text}");
    assert!(text.contains("-  * armour      3 of d6") && text.contains("+  * armour      4 of d6"), "{text}");
    let pin = project.join("pins/scenarios/first.pin");
    let before = std::fs::read_to_string(&pin).unwrap();
    // no answer, the end of the input, nothing decided: nothing is written
    for answers in ["", "what\n", "s\ns\n", "q\n"] {
        let (code, text) = answered(&project, &["review"], answers);
        assert!(code == 1 && text.contains("0 accepted"), "{text}");
        assert!(text.contains("first difference in volley(raiders, guards)"), "{text}");
        assert_eq!(std::fs::read_to_string(&pin).unwrap(), before);
    }
    // one of two
    let (code, text) = answered(&project, &["review"], "a\nr\n");
    assert!(code == 1 && text.contains("1 accepted, 1 rejected, 0 skipped"), "{text}");
    let (code, text) = said(&project, &["review", "--list"]);
    assert_eq!((code, text.as_str()), (1, "rejected  scenarios/first.toml: odds\n"));
    let (code, text) = answered(&project, &["review", "--again"], "accept\n");
    assert!(code == 0 && text.contains("changed since the last acceptance: param hit_on"), "{text}");
    // a scenario that is gone leaves a pin
    std::fs::remove_file(project.join("scenarios/first.toml")).unwrap();
    let (code, text) = said(&project, &["review", "--list"]);
    assert!(code == 1 && text.contains("gone   pins/scenarios/first.pin"), "{text}");
    assert_eq!(answered(&project, &["review"], "a\n").0, 0);
    assert!(!pin.exists());
}

#[test]
fn a_rejection_stands_until_the_rules_or_the_trace_change_again() {
    let project = begun("rejected", "blank");
    assert_eq!(said(&project, &["review", "--accept-all"]).0, 0);
    with_another_number(&project);
    let (code, text) = answered(&project, &["review"], "r\nr\n");
    assert!(code == 1 && text.contains("0 accepted, 2 rejected, 0 skipped"), "{text}");
    let kept = project.join("pins/scenarios/first.rejected");
    let before = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(before.lines().count(), 3, "{before}");
    let both = "rejected  scenarios/first.toml: trace\nrejected  scenarios/first.toml: odds\n";
    assert_eq!(said(&project, &["review", "--list"]), (1, both.to_string()));
    // nobody is asked, and nothing is accepted unseen
    for args in [&["review"][..], &["review", "--accept-all"]] {
        let (code, text) = said(&project, args);
        assert!(code == 1 && text.starts_with(both) && text.contains("`--again` asks"), "{text}");
    }
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), before);
    // another number in a rule that moves nothing else is another difference
    let rules = project.join("rules/game.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("sweep 3, 4, 5", "sweep 3, 4, 5, 6")).unwrap();
    let (_, listed) = said(&project, &["review", "--list"]);
    assert_eq!(listed, "moved  scenarios/first.toml: trace\nmoved  scenarios/first.toml: odds\n");
    // and the old one is the old one
    std::fs::write(&rules, &text).unwrap();
    assert_eq!(said(&project, &["review", "--list"]), (1, both.to_string()));
    assert_eq!(said(&project, &["review", "--accept-all", "--again"]).0, 0);
    assert!(!kept.exists());
    assert_eq!(said(&project, &["review"]), (0, "nothing to review\n".to_string()));
}

/// A limit on the size of files stands for a full disk; what is kept of rejections is whole there, and after kill -9.
#[cfg(target_os = "linux")]
#[test]
fn rejections_are_kept_whole_on_a_full_disk_and_after_a_kill() {
    let project = begun("unkilled", "blank");
    assert_eq!(said(&project, &["review", "--accept-all"]).0, 0);
    with_another_number(&project);
    let folder = project.join("pins/scenarios");
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().map(|e| e.file_name()).collect();
        names.sort();
        names
    };
    let full = || {
        let script =
            format!("trap '' XFSZ; ulimit -f 0; printf 'r\\nr\\n' | {} review --again", env!("CARGO_BIN_EXE_grognard"));
        let outcome = std::process::Command::new("sh").args(["-c", &script]).current_dir(&project).output().unwrap();
        assert_eq!(outcome.status.code(), Some(2), "{}{}", out(&outcome), err(&outcome));
        assert!(err(&outcome).contains("cannot be written"), "{}", err(&outcome));
    };
    // none is begun
    full();
    assert_eq!(names(), ["first.pin"]);
    // the first answer is kept when the program is killed before the second
    let mut child = grognard(&project, &["review"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut answers = child.stdin.take().unwrap();
    answers.write_all(b"r\n").unwrap();
    let kept = folder.join("first.rejected");
    let began = std::time::Instant::now();
    while !kept.exists() && began.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(answers);
    let before = std::fs::read_to_string(&kept).unwrap();
    assert!(before.lines().count() == 2 && before.ends_with('\n'), "{before}");
    let listed = "rejected  scenarios/first.toml: trace\nmoved  scenarios/first.toml: odds\n";
    assert_eq!(said(&project, &["review", "--list"]), (1, listed.to_string()));
    // what was kept stays on a full disk, and what a killed program left beside it is no rejection, and the next write removes it
    let left = folder.join(".grognard-4294967295-first.rejected.tmp");
    std::fs::write(&left, "odds 12").unwrap();
    let hour = std::time::Duration::from_secs(3600);
    let file = std::fs::File::options().append(true).open(&left).unwrap();
    file.set_modified(std::time::SystemTime::now() - hour).unwrap();
    assert_eq!(said(&project, &["review", "--list"]), (1, listed.to_string()));
    full();
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), before);
    assert_eq!(answered(&project, &["review"], "r\n").0, 1);
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 3);
    assert_eq!(names(), ["first.pin", "first.rejected"]);
}

#[test]
fn a_pin_is_text_that_merges_and_nothing_else_is_written() {
    let project = begun("merge", "blank");
    assert_eq!(said(&project, &["review", "--accept-all"]).0, 0);
    let pins = project.join("pins/scenarios");
    assert_eq!(std::fs::read_dir(&pins).unwrap().count(), 1, "no temporary file is left");
    let pin = std::fs::read_to_string(pins.join("first.pin")).unwrap();
    assert!(pin.lines().all(|line| line == line.trim_end()) && pin.ends_with('\n'));
    // a conflict that nobody resolved shows
    std::fs::write(pins.join("first.pin"), pin.replace("=== odds\n", "=== odds\n<<<<<<< ours\n")).unwrap();
    let (code, text) = said(&project, &["test"]);
    assert!(code == 1 && text.contains("-<<<<<<< ours"), "{text}");
    // another comment or layout of the rules moves nothing
    std::fs::write(pins.join("first.pin"), pin).unwrap();
    let rules = project.join("rules/game.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("section \"Shooting\"", "# more\nsection \"Shooting\"")).unwrap();
    assert_eq!(said(&project, &["test"]).0, 0);
    let place = folder("alone", &[]);
    let (code, text) = said(&place, &["review"]);
    assert!(code == 2 && text.contains("no grognard.toml"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_pin_that_cannot_be_written_stays_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let project = begun("locked", "blank");
    assert_eq!(said(&project, &["review", "--accept-all"]).0, 0);
    with_another_number(&project);
    let pin = project.join("pins/scenarios/first.pin");
    let before = std::fs::read_to_string(&pin).unwrap();
    std::fs::set_permissions(&pin, std::fs::Permissions::from_mode(0o444)).unwrap();
    let (code, text) = said(&project, &["review", "--accept-all"]);
    assert!(code == 2 && text.contains("read-only"), "{text}");
    assert_eq!(std::fs::read_to_string(&pin).unwrap(), before);
}

#[test]
fn tests_are_told_to_programs() {
    let project = begun("formats", "blank");
    let (code, printed, rendered) = said_apart(&project, &["test", "--coverage", "--threshold", "100"]);
    assert!(code == 0 && rendered.is_empty() && printed.ends_with("2 of 2 rule clauses executed: 100%\n"), "{printed}");
    with_another_number(&project);
    let (code, printed, rendered) = said_apart(&project, &["test", "--format", "json"]);
    assert!(code == 1 && rendered.is_empty());
    let read: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((read["tests"].as_u64(), read["failed"].as_u64()), (Some(4), Some(2)));
    assert!(read["cases"][1]["told"].as_str().unwrap().contains("4/9"));
    let (_, xml, _) = said_apart(&project, &["test", "--format", "junit", "--color", "always"]);
    assert!(
        xml.starts_with("<?xml") && xml.contains("<testsuites name=\"grognard\" tests=\"4\" failures=\"2\">"),
        "{xml}"
    );
    assert!(!xml.contains('\u{1b}') && xml.matches("<failure").count() == 2);
    // the same whatever the number of threads, and only what is asked for
    let of = |args: &[&str]| said(&project, args);
    assert_eq!(of(&["test", "--threads", "1"]), of(&["test", "--threads", "7"]));
    let (code, text) = of(&["test", "--filter", "two hits"]);
    assert!(code == 0 && text.starts_with("ok     rules/game: two hits, one stopped\n1 example: 1 holds"), "{text}");
    assert_eq!(of(&["test", "--threshold", "3"]).0, 2);
}

#[test]
fn findings_are_told_to_other_programs() {
    let place = folder(
        "findings",
        &[("g/x.rules", "ruleset g/x\n\nlet a = b, c: 100%\n"), ("g/y.rules", "ruleset g/y\n\nlet a = nope\n")],
    );
    let (code, text) = said(&place, &["check", "--format", "github"]);
    assert!(code == 1 && text.lines().all(|line| line.starts_with("::")), "{text}");
    assert!(text.contains("::error file=g/y.rules,line=3,endLine=3,col=9,title=R0201::"), "{text}");
    let (code, text) = said(&place, &["check", "--format", "sarif"]);
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    let results = read["runs"][0]["results"].as_array().unwrap();
    assert!(code == 1 && results.iter().any(|r| r["ruleId"] == "R0201"), "{text}");
    for result in results {
        let rule = &read["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
}

#[test]
fn the_help_of_every_command_ends_with_two_lines_that_run() {
    let (_, all) = said(root(), &["help", "--all"]);
    let names: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert!(names.len() > 20, "{names:?}");
    let project = begun("help", "blank");
    let mut faults = String::new();
    for name in &names {
        let (_, help) = said(root(), &[name, "--help"]);
        let lines: Vec<&str> =
            help.rsplit_once("Examples:\n").map_or("", |(_, lines)| lines).lines().map(str::trim).collect();
        if lines.len() != 2 || !lines.iter().all(|line| line.starts_with("grognard ")) {
            let _ = writeln!(faults, "{name}: {lines:?}");
            continue;
        }
        if !lines[1].starts_with(&format!("grognard {name}")) {
            let _ = writeln!(faults, "{name}: {}", lines[1]);
        }
        for line in lines {
            let line = line.replacen("grognard", env!("CARGO_BIN_EXE_grognard"), 1);
            if *name == "studio" {
                faults += &served(&line.replace("8080", "0"), &project);
                continue;
            }
            let done = std::process::Command::new("sh")
                .args(["-c", &line])
                .current_dir(&project)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            // 1 is for what was found, as mutants that survive are
            if !matches!(done.status.code(), Some(0 | 1)) || !err(&done).is_empty() {
                let _ = writeln!(faults, "{line}: {:?} {}", done.status.code(), err(&done));
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// A command that serves a page until it is ended tells first where.
fn served(line: &str, folder: &Path) -> String {
    let mut words = line.split_whitespace();
    let mut server = std::process::Command::new(words.next().unwrap());
    let mut server = server.args(words).current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map_while(Result::ok);
    let rendered = lines.find(|line| line.contains("http://127.0.0.1:"));
    server.kill().unwrap();
    server.wait().unwrap();
    if rendered.is_some() { String::new() } else { format!("{line}: it does not say where\n") }
}

#[test]
fn shells_and_packagers_are_served() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, text) = said(root(), &["completions", shell]);
        assert!(code == 0 && text.contains("simulate"), "{shell}");
    }
    let (code, page) = said(root(), &["man"]);
    assert!(code == 0 && page.contains(".TH grognard 1"), "{page}");
    let (code, page) = said(root(), &["man", "run"]);
    assert!(code == 0 && page.contains("grognard\\-run") && page.contains("Examples:"), "{page}");
    let (code, text) = said(root(), &["man", "rn"]);
    assert!(code == 2 && text.contains("did you mean `run`?"), "{text}");
    let (_, version) = said(root(), &["version", "--format", "json"]);
    let read: serde_json::Value = serde_json::from_str(&version).unwrap();
    assert_eq!(read["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(said(root(), &["version"]).1, said(root(), &["--version"]).1);
    let (_, printed, rendered) = said_apart(root(), &["odds", "2d6", "--verbose"]);
    assert!(rendered.starts_with("note: ") && !printed.contains("note"), "{rendered}");
    assert_eq!(said(root(), &["odds", "2d6", "--quiet", "--verbose"]).0, 2);
    let (_, _, rendered) = said_apart(root(), &["odds", "total((3 of d20) - [3, 4])", "--verbose"]);
    assert!(rendered.contains("note: line 1: \"(3 of d20) - [3, 4]\" uses an operator"), "{rendered}");
    assert!(rendered.contains("so the dice are distinguished (1540 cases)"), "{rendered}");
}

#[cfg(unix)]
#[test]
fn odd_names_and_locked_folders_are_said() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = folder("odd", &[]);
    let odd = OsStr::from_bytes(b"g\xffme");
    let mut command = grognard(&place, &["new"]);
    let done = command.arg(odd).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let done = grognard(&place.join(odd), &["test"]).output().unwrap();
    assert!(matches!(done.status.code(), Some(0 | 2)), "{}{}", out(&done), err(&done));
    let (code, text) = said(&place, &["new", "/proc/none/game"]);
    assert!(code == 2 && text.contains("/proc/none/game"), "{text}");
}

#[test]
fn scenarios_are_found_by_name() {
    let project = begun("by-name", "blank");
    let by_path = said(&project, &["run", "scenarios/first.toml"]);
    assert_eq!(by_path.0, 0, "{}", by_path.1);
    assert_eq!(said(&project, &["run", "first"]), by_path);
    assert_eq!(said(&project.join("rules"), &["run", "first"]).0, 0);
    for args in [
        &["odds", "first", "--of", "raiders.men"][..],
        &["simulate", "first", "--runs", "50"],
        &["compare", ":hit_on=3", "first", "--runs", "50"],
        &["sweep", "first", "--over", "hit_on=3"],
        &["readings", "first"],
        &["why", "first", "raiders.men"],
        &["test", "first"],
        &["check", "first"],
    ] {
        let path: Vec<&str> =
            args.iter().map(|word| if *word == "first" { "scenarios/first.toml" } else { word }).collect();
        assert_eq!(said(&project, args), said(&project, &path), "{args:?}");
    }
    // a near name, and a name that two scenarios have
    let (code, text) = said(&project, &["run", "frist"]);
    assert!(code == 2 && text.contains("did you mean `first`?"), "{text}");
    std::fs::create_dir(project.join("scenarios/more")).unwrap();
    std::fs::copy(project.join("scenarios/first.toml"), project.join("scenarios/more/first.toml")).unwrap();
    let (code, text) = said(&project, &["run", "first"]);
    assert!(code == 2 && text.contains("scenarios/first.toml, scenarios/more/first.toml"), "{text}");
    assert_eq!(said(&project, &["run", "more/first"]).0, 0);
    let (_, text) = said(&project, &["scenarios"]);
    assert_eq!(text, "first       scenarios/first.toml\nmore/first  scenarios/more/first.toml\n");
    // a real path comes first, and shipped scenarios have names too
    std::fs::write(project.join("first"), "not a scenario").unwrap();
    assert_ne!(said(&project, &["run", "first"]).0, 0);
    assert_eq!(said(&folder("by-name-shipped", &[]), &["run", "salvo-threshold"]).0, 0);
}
