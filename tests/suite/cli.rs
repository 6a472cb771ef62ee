//! The command line: what it prints, its exit codes, and what it does when nobody reads.

use crate::common::{err, folder, grognard, out, output, root, said};
use std::io::{Read, Write};
use std::process::Stdio;

const GOOD: &str = "ruleset g/x version \"1\"\n\nparam most \"Most\" = 3  sweep 1 .. 5\n\nkind Side \"A side\" {\n  state pips : 0..9 = 0\n}\n\nproc gain(s: Side) {\n  roll dice = d6\n  set s.pips += min(dice, most)\n}\n\nphase Go(s: Side) \"Goes\" {\n  do gain(s)\n}\n";
const SCENE: &str = "rules = \"g/x\"\n[Side.red]\n[dice]\nrolls = [{ roll = \"gain.dice\", of = \"red\", give = 2 }]\n[[step]]\ndo = \"do gain(red)\"\nexpect = [\"red.pips == 2\", \"red.pips == was red.pips + 2\"]\n";

#[test]
fn version_and_help_are_fine() {
    assert_eq!(output(root(), &["--version"]).status.code(), Some(0));
    let rendered = said(root(), &["--version", "--format", "json"]);
    assert_eq!((0, &rendered), (rendered.0, &said(root(), &["version", "--format", "json"])));
    assert!(rendered.1.starts_with("{\"schema\":1,\"name\":\"grognard\""), "{}", rendered.1);
    assert_eq!(output(root(), &["--help"]).status.code(), Some(0));
    assert_eq!(output(root(), &["chek"]).status.code(), Some(2));
    assert_eq!(output(root(), &[]).status.code(), Some(2));
}

#[test]
fn check_counts_and_finds() {
    let folder = folder("check", &[("g/x.rules", GOOD)]);
    let file = folder.join("g/x.rules");
    let fine = output(&folder, &["check", "g/x.rules"]);
    assert_eq!(fine.status.code(), Some(0), "{}{}", out(&fine), err(&fine));
    assert_eq!(out(&fine), "1 rules file, 4 items, no problems\n");
    std::fs::write(&file, GOOD.replace("min(dice, most)", "min(dice, mots)")).unwrap();
    let bad = output(&folder, &["check", "--format", "short", "."]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(out(&bad).starts_with("g/x.rules:11:27: error[R0201]"), "{}", out(&bad));
    let json = output(&folder, &["check", "--format", "json", "."]);
    assert!(out(&json).contains("\"schema\": 1") || out(&json).contains("\"schema\":1"));
    // what a register says and nothing does is told where the whole folder is looked at
    let clause = |id: &str, is: &str| {
        format!("[[clause]]\nid = \"{id}\"\nsection = \"One\"\nsays = \"A rule.\"\nstatus = \"{is}\"\n")
    };
    std::fs::write(&file, GOOD.replace("proc gain", "cite G-1\nproc gain")).unwrap();
    let clauses = [("G-1", "modelled"), ("G-2", "modelled"), ("G-H1", "hole")].map(|(id, is)| clause(id, is));
    std::fs::write(folder.join("g/clauses.toml"), clauses.concat()).unwrap();
    let (whole, one) = (said(&folder, &["check", "."]), said(&folder, &["check", "g/x.rules"]));
    assert!(whole.0 == 0 && whole.1.contains("R0603") && whole.1.contains("no item implements G-2"), "{}", whole.1);
    assert!(
        whole.1.contains("R0604")
            && whole.1.contains("G-H1 is a hole with neither")
            && !whole.1.contains("implements G-1"),
        "{}",
        whole.1
    );
    assert!(!one.1.contains("R0603") && !one.1.contains("R0604"), "{}", one.1);
    let missing = output(root(), &["check", "no/such.rules"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(err(&missing).contains("no/such.rules"));
}

#[test]
fn colour_can_be_turned_on_and_off() {
    let folder = folder("colour", &[("g/x.rules", "ruleset g/x\n\nlet a = b\n")]);
    assert!(out(&output(&folder, &["check", ".", "--color", "always"])).contains('\u{1b}'));
    assert!(!out(&output(&folder, &["check", "."])).contains('\u{1b}'));
    let forced = grognard(&folder, &["check", "."]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(out(&forced).contains('\u{1b}'));
    let not = grognard(&folder, &["check", "."]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap();
    assert!(!out(&not).contains('\u{1b}'));
}

#[test]
fn fmt_checks_shows_and_writes() {
    let loose = GOOD.replace("  state pips", "     state pips");
    let folder = folder("fmt", &[("g/x.rules", &loose)]);
    let file = folder.join("g/x.rules");
    let path = "g/x.rules";
    assert_eq!(output(&folder, &["fmt", "--check", path]).status.code(), Some(1));
    let diff = output(&folder, &["fmt", "--diff", path]);
    assert_eq!(diff.status.code(), Some(1));
    assert!(out(&diff).contains("-     state pips"), "{}", out(&diff));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), loose);
    assert_eq!(output(&folder, &["fmt", path]).status.code(), Some(0));
    assert_eq!(output(&folder, &["fmt", "--check", path]).status.code(), Some(0));
    assert_eq!(std::fs::read_dir(folder.join("g")).unwrap().count(), 1);
    let mut child = grognard(root(), &["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(loose.as_bytes()).unwrap();
    let piped = child.wait_with_output().unwrap();
    assert_eq!(out(&piped), std::fs::read_to_string(&file).unwrap());
}

#[test]
fn fmt_formats_scenarios_projects_and_registers() {
    let other = "[package]\nname=\"x\"\n";
    let register = "[[clause]]\nid=\"G-1\"\n";
    let files = [
        ("grognard.toml", "rules='.'\n"),
        ("g/clauses.toml", register),
        ("g/scenarios/s.toml", "rules=\"g/x\"\n[params]\nmost=[1,\n2]\n"),
        ("t.toml", "base='s.toml'\r\n"),
        ("other.toml", other),
    ];
    let folder = folder("fmt-toml", &files);
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let listed = ["g/clauses.toml", "g/scenarios/s.toml", "grognard.toml", "t.toml"];
    let lines = |what: &str| listed.map(|file| format!("{file} {what}\n")).concat();
    assert_eq!(said(&folder, &["fmt", "--check"]), (1, lines("would be reformatted")));
    let (code, diff) = said(&folder, &["fmt", "--diff", "."]);
    assert!(code == 1 && diff.contains("-most=[1,") && diff.contains("+most = ["), "{diff}");
    assert_eq!(text("g/clauses.toml"), register);
    assert_eq!(said(&folder, &["fmt"]), (0, lines("formatted")));
    assert_eq!(said(&folder, &["fmt", "--check"]), (0, String::new()));
    assert_eq!(text("grognard.toml"), "rules = '.'\n");
    assert_eq!(text("g/scenarios/s.toml"), "rules = \"g/x\"\n\n[params]\nmost = [\n  1,\n  2,\n]\n");
    assert_eq!(text("t.toml"), "base = 's.toml'\r\n");
    // a file of another program is formatted only if it is named
    assert_eq!(text("other.toml"), other);
    assert_eq!(said(&folder, &["fmt", "other.toml"]).0, 0);
    assert_eq!(text("other.toml"), "[package]\nname = \"x\"\n");
    std::fs::write(folder.join("t.toml"), "base='s.toml'\nx=[\n").unwrap();
    let (code, said) = said(&folder, &["fmt", "."]);
    assert!(code == 1 && said.contains("R0801") && said.contains("t.toml:2:3"), "{said}");
    let mut child = grognard(&folder, &["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"rules='g/x'\n").unwrap();
    assert_eq!(out(&child.wait_with_output().unwrap()), "rules = 'g/x'\n");
}

#[test]
fn run_tells_and_judges() {
    let folder = folder("run", &[("g/x.rules", GOOD), ("scene.toml", SCENE)]);
    let scene = folder.join("scene.toml");
    let path = "scene.toml";
    let fine = output(&folder, &["run", path]);
    assert_eq!(fine.status.code(), Some(0), "{}{}", out(&fine), err(&fine));
    assert!(out(&fine).contains("2 of 2 expectations hold"), "{}", out(&fine));
    let capped = output(&folder, &["run", path, "--set", "most=1", "--trace", "none"]);
    assert_eq!(capped.status.code(), Some(1));
    assert!(out(&capped).contains("R0807"), "{}", out(&capped));
    let unknown = output(&folder, &["run", path, "--set", "mots=1"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("did you mean `most`?"));
    let lines = output(&folder, &["run", path, "--format", "jsonl"]);
    assert!(out(&lines).lines().all(|l| l.starts_with('{') && l.ends_with('}')));
    std::fs::write(
        &scene,
        SCENE
            .replace("[Side.red]", "fuel = 10\n[Side.red]")
            .replace("do gain(red)", "repeat { do gain(red) } while red.pips < 0 or red.pips >= 0"),
    )
    .unwrap();
    assert_eq!(output(&folder, &["run", path, "--trace", "none"]).status.code(), Some(3));
    std::fs::write(&scene, SCENE.replace("\"g/x\"", "\"g/x")).unwrap();
    let broken = output(&folder, &["run", path]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("R0801"), "{}", out(&broken));
    let rules = output(&folder, &["run", "g/x.rules"]);
    assert_eq!(rules.status.code(), Some(1));
    assert!(out(&rules).contains("expected a scenario, found a rules file"), "{}", out(&rules));
}

#[test]
fn explain_and_dump() {
    let page = output(root(), &["explain", "r0201"]);
    assert_eq!(page.status.code(), Some(0));
    assert!(out(&page).contains("R0201"));
    for pasted in [&["explain", "error[R0201]"][..], &["explain", "error[R0201]", "g/x.rules:11:27"]] {
        assert_eq!(out(&output(root(), pasted)), out(&page));
    }
    assert!(out(&output(root(), &["explain"])).lines().count() > 80);
    assert_eq!(output(root(), &["explain", "R9999"]).status.code(), Some(2));
    let folder = folder("dump", &[("g/x.rules", GOOD)]);
    for stage in ["syntax", "rules", "program"] {
        let dump = output(&folder, &["dump", "--stage", stage, "g/x.rules"]);
        assert_eq!(dump.status.code(), Some(0), "{stage}");
        assert!(out(&dump).contains("gain"), "{stage}: {}", out(&dump));
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = grognard(root(), &["dump", "--stage", "syntax", "rulesets/warstrike/core.rules"])
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
    let outcome = grognard(root(), &["explain"]).stdout(full).output().unwrap();
    assert_eq!(outcome.status.code(), Some(2));
    assert!(err(&outcome).contains("cannot be written"), "{}", err(&outcome));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_refused() {
    let files = [("other/y.rules", "ruleset g/y\n"), ("root/g/x.rules", "ruleset g/x extends g/y\n")];
    let folder = folder("links", &files);
    std::os::unix::fs::symlink(folder.join("other/y.rules"), folder.join("root/g/y.rules")).unwrap();
    let outcome = output(&folder, &["check", "--format", "short", "root/g/x.rules"]);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(out(&outcome).contains("R0212"), "{}", out(&outcome));
}

#[test]
fn a_pinned_trace_is_compared() {
    let folder = folder("pinned", &[("g/x.rules", GOOD)]);
    let scene = folder.join("scene.toml");
    std::fs::write(&scene, format!("{SCENE}[[expect]]\ntrace = \"scene.trace\"\n")).unwrap();
    let path = "scene.toml";
    let missing = output(&folder, &["test", path]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(out(&missing).contains("the trace `scene.trace` does not exist"), "{}", out(&missing));
    for detail in ["full", "brief"] {
        let rendered = output(&folder, &["run", path, "--trace", detail]);
        let rendered = out(&rendered).split("\nerror").next().unwrap().to_string();
        std::fs::write(folder.join("scene.trace"), &rendered).unwrap();
        let fine = output(&folder, &["test", path]);
        assert_eq!(fine.status.code(), Some(0), "{}", out(&fine));
        std::fs::write(folder.join("scene.trace"), rendered.replace("0 -> 2", "0 -> 3")).unwrap();
        for command in ["test", "run"] {
            let found = output(&folder, &[command, path]);
            assert_eq!(found.status.code(), Some(1));
            assert!(out(&found).contains("the trace differs from"), "{}", out(&found));
        }
    }
    assert_eq!(output(&folder, &["run", path, "--seed", "3"]).status.code(), Some(0));
    let unsampled_fault = output(&folder, &["run", path, "--trace", "none"]);
    assert!(out(&unsampled_fault).contains("the pinned trace is not compared"), "{}", out(&unsampled_fault));
    std::fs::write(&scene, format!("mode = \"sampled\"\n{SCENE}[[expect]]\ntrace = \"scene.trace\"\n")).unwrap();
    assert!(out(&output(&folder, &["check", path])).contains("pin it where the mode is scripted"));
}

#[test]
fn one_unreadable_scenario_hides_no_other() {
    let folder = folder("unreadable", &[("g/x.rules", GOOD)]);
    std::fs::create_dir(folder.join("g/scenarios")).unwrap();
    std::fs::write(folder.join("g/scenarios/a.toml"), [0xff, 0xfe, 0]).unwrap();
    std::fs::write(folder.join("g/scenarios/b.toml"), format!("\u{feff}{}", SCENE.replace('\n', "\r\n"))).unwrap();
    let path = ".";
    let found = output(&folder, &["check", path]);
    assert_eq!(found.status.code(), Some(1), "{}{}", out(&found), err(&found));
    assert!(
        out(&found).contains("not plain UTF-8 text: line 1") && out(&found).contains("2 scenarios"),
        "{}",
        out(&found)
    );
    let tested = output(&folder, &["test", path]);
    assert!(out(&tested).contains("2 scenarios, 1 passed, 1 failed"), "{}", out(&tested));
}

/// A small game of which one thing is told.
fn rendered(name: &str, rules: &str, scene: &str) -> String {
    let rules = format!("ruleset g/x version \"1\"\n{rules}");
    let scene = format!("rules = \"g/x\"\n{scene}");
    let folder = folder(name, &[("g/x.rules", &rules), ("scene.toml", &scene)]);
    let ran = output(&folder, &["run", "scene.toml", "--trace", "full"]);
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
    let rendered =
        rendered("figures", rules, "start = \"P(a)\"\n[U.a]\nhero = \"b\"\n[U.b]\nnv = 5\n[players]\na = \"prefer\"\n");
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
        assert!(rendered.contains(line), "no `{line}` in\n{rendered}");
    }
}

#[test]
fn a_law_is_silent_where_a_figure_is_missing() {
    let rules = "kind U { stat men: 0..9; state lost: 0..9 = 0 }\n\
        law Some = every u in U: u.lost <= u.men\nphase P(u: U) { set u.lost += 2; set u.lost -= 1 }\n";
    let found =
        rendered("silent", rules, "start = \"P(a)\"\n[U.a]\nmen = 3\n[U.b]\n[[expect]]\nthat = \"a.lost == 1\"\n");
    assert!(found.contains("law Some is not judged: `b.men` has no value"), "{found}");
    let rules = format!("ruleset g/x version \"1\"\n{rules}");
    let scene = "rules = \"g/x\"\nstart = \"P(a)\"\n[U.a]\nmen = 1\n";
    let folder = folder("broken-law", &[("g/x.rules", &rules), ("s.toml", scene)]);
    let broken = output(&folder, &["run", "s.toml"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(out(&broken).contains("R0904"), "{}", out(&broken));
}

#[test]
fn every_answer_of_a_stand_in_is_told() {
    let rules =
        "kind U { state n: 0..9 = 0 }\nextern let heart(u: U): Int default 3\nphase P(u: U) { set u.n = heart(u) }\n";
    let scene = "[U.a]\n[U.b]\n[extern]\nheart = { by = { b = 1 } }\n[[step]]\ndo = \"run P(a)\"\n[[step]]\ndo = \"run P(b)\"\n";
    let found = rendered("stand-ins", rules, scene);
    assert!(found.contains("~ heart       stand-in for a missing chapter, default"), "{found}");
    assert!(found.contains("~ heart       stand-in for a missing chapter, fixed: 1"), "{found}");
}

/// Every way for one rule to lead to the next, to the limit of 200 and beyond it.
#[test]
fn traces_nest_as_deep_as_rules_do() {
    let rules = "kind P { state m: 0..999 = 0 }\nevent Pushed(p: P, left: Int)\n\
        proc procs(p: P, n: Int) { set p.m += 1\nif n > 0 { do procs(p, n - 1) } }\n\
        test Tests(p: P, n: Int) { roll aim = 2d6\nif n > 0 { let t = test Tests(p, n - 1) }\n\
        pass when aim > 1 }\n\
        rule Push on Pushed as e when e.left > 0 { emit Pushed(e.p, e.left - 1) }\n\
        phase Phases(p: P, n: Int) { set p.m += 1\nif n > 0 { run Phases(p, n - 1) } }\n\
        phase Turn(p: P, n: Int) shares go: 0..1 = 1 { repeat choose action or stop while go > 0 }\n\
        action Deeper in Turn { needs n > 0 else \"deep enough\"; cost 1 go; run Turn(p, n - 1) }\n\
        phase Start(p: P, n: Int, how: Int) {\nif how == 0 { do procs(p, n) }\nif how == 1 { let t = test Tests(p, n) }\n\
        if how == 2 { emit Pushed(p, n) }\nif how == 3 { run Phases(p, n) }\nif how == 4 { run Turn(p, n) } }\n";
    let rules = format!("ruleset g/x version \"1\"\n{rules}");
    let folder = folder("deep", &[("g/x.rules", &rules)]);
    for how in 0..5 {
        for (n, code) in [(22, 0), (90, 0), (190, if how == 2 || how == 4 { 3 } else { 0 }), (220, 3)] {
            let scene = format!("rules = \"g/x\"\nstart = \"Start(a, {n}, {how})\"\n[P.a]\n[players]\na = \"first\"\n");
            std::fs::write(folder.join("s.toml"), scene).unwrap();
            for form in [&["--trace", "full"][..], &["--trace", "brief"], &["--format", "jsonl"], &["--trace", "none"]]
            {
                let ran = output(&folder, &[&["run", "s.toml"], form].concat());
                let (rendered, wrong) = (out(&ran), err(&ran));
                assert_eq!(ran.status.code(), Some(code), "{how} {n} {form:?} {wrong}{rendered}");
                assert!(code == 0 || (rendered + &wrong).contains("R0912"), "{how} {n} {form:?}");
            }
        }
    }
}

/// A trace of very many dice is cut short, and says so; the run and its error go on.
#[test]
fn a_trace_takes_no_more_than_its_bytes() {
    let rules = "ruleset g/x version \"1\"\nkind U { state m: 0..9 = 0 }\n\
        phase G(u: U) { repeat { roll x = 10000 of d6\nroll y = copies(5000, d4) + copies(5000, d1000)\nset u.m = 1 } while yes }\n";
    let scene = "rules = \"g/x\"\nfuel = 200\nstart = \"G(a)\"\n[U.a]\n";
    let folder = folder("bytes", &[("g/x.rules", rules), ("s.toml", scene)]);
    for (form, most) in [(&["--format", "jsonl"][..], 9 << 20), (&["--trace", "full"], 1 << 20)] {
        let ran = output(&folder, &[&["run", "s.toml"], form].concat());
        let (rendered, wrong) = (out(&ran), err(&ran));
        assert_eq!(ran.status.code(), Some(3), "{wrong}");
        assert!(rendered.len() < most, "{}", rendered.len());
        assert!(rendered.contains("\"truncated\"") || rendered.contains("the trace ends here; "), "{wrong}");
        assert!(rendered.contains("R0911"), "the error stands behind it");
        assert!(
            form[1] == "jsonl"
                || rendered.contains("10000 of d6: ") && rendered.contains("5000 of d4 + 5000 of d1000: ")
        );
    }
}

/// A roll under another name, in a helper, or split in two throws the same dice if it keeps its key.
#[test]
fn a_lasting_key_keeps_the_pairing() {
    let game = |fire: &str, more: &str| {
        format!(
            "ruleset g/x version \"1\"\nkind U {{ state hits: 0..999 = 0 }}\n{more}\n\
             proc fire(u: U) {{ {fire} }}\nphase G(u: U) {{ do fire(u)\ndo fire(u) }}\n"
        )
    };
    let old = game("roll aim = 9 of d6\nset u.hits += count aim >= 4", "");
    let renamed = "roll shots as \"fire.aim\" = 9 of d6\nset u.hits += count shots >= 4";
    let split = "roll a as \"fire.aim\" = 4 of d6\nroll b as \"fire.aim\" = 5 of d6\nset u.hits += (count a >= 4) + (count b >= 4)";
    let helper =
        "proc volley(n: Int, w: U) { roll shots as \"fire.aim\" by w = n of d6\nset w.hits += count shots >= 4 }";
    let news = [
        ("renamed", game(renamed, ""), true),
        ("split", game(split, ""), true),
        ("helped", game("do volley(9, u)", helper), true),
        ("lost", game("roll shots = 9 of d6\nset u.hits += count shots >= 4", ""), false),
    ];
    let scene = "rules = \"g/x\"\nstart = \"G(a)\"\n[U.a]\n[report]\nmean = \"a.hits\"\n";
    for (name, text, same) in news {
        let new = text.replace("g/x", "g/y");
        let folder = folder(&format!("key-{name}"), &[("g/x.rules", &old), ("g/y.rules", &new), ("s.toml", scene)]);
        let ran = output(
            &folder,
            &["compare", "g/x", "g/y", "s.toml", "--mode", "sampled", "--runs", "300", "--format", "json"],
        );
        let (rendered, remarks) = (out(&ran), err(&ran));
        assert_eq!(rendered.contains("\"discordant\":0"), same, "{name} {rendered}{remarks}");
        let remark = remarks.contains("in A `fire.aim`, in B `fire.shots`") && remarks.contains("as \"key\"");
        assert_eq!(remark, !same, "{name} {remarks}");
    }
}

/// A draw under another name draws the same entries if it keeps its key.
#[test]
fn a_lasting_key_keeps_the_pairing_of_draws() {
    let game = |path: &str, draw: &str| {
        let set = "set u.got = total(chips)";
        format!(
            "ruleset g/{path}\nkind U {{ state got : 0..99 = 0 }}\nphase G(u: U) {{ {draw} in [1, 2, 3, 4, 5, 6]\n{set} }}\n"
        )
    };
    let files = [
        ("g/x.rules", game("x", "draw 2 of chips")),
        ("g/kept.rules", game("kept", "draw 2 of chips as \"G.chips\" by u")),
        ("g/named.rules", game("named", "draw 2 of tokens as \"G.chips\"").replace("chips)", "tokens)")),
        ("g/lost.rules", game("lost", "draw 2 of tokens").replace("chips)", "tokens)")),
        ("s.toml", "rules = \"g/x\"\nstart = \"G(a)\"\n[U.a]\n[report]\nmean = \"a.got\"\n".to_string()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = folder("key-draws", &files);
    for (new, same) in [("g/kept", true), ("g/named", true), ("g/lost", false)] {
        let args = ["compare", "g/x", new, "s.toml", "--mode", "sampled", "--runs", "300", "--format", "json"];
        let rendered = out(&output(&folder, &args));
        assert_eq!(rendered.contains("\"discordant\":0"), same, "{new} {rendered}");
    }
}

/// A brief trace of a shipped scenario.
fn brief(path: &str) -> String {
    let ran = output(root(), &["run", path, "--trace", "brief"]);
    assert_eq!(ran.status.code(), Some(0), "{}{}", out(&ran), err(&ran));
    out(&ran)
}

#[test]
fn readings_in_the_lines_of_a_move_are_told_where_they_decide() {
    let rendered = brief("rulesets/warstrike/scenarios/no-way-out.toml");
    let flat = rendered.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "- l1 stuck: no legal path;",
        "there is one without `exactly 2 * u.mv`, or without `no nearer to seen`",
        "! rout_checked = EachSeen stuck (NearestSeen [24, 30] after 10\", SeenAtEnd stuck)",
        "! rout_length = ExactlyTwice stuck (NoLimit",
        "+ l1 is destroyed: could not rout",
        "depends on driven_up refuge_from rout_length rout_checked",
    ] {
        assert!(flat.contains(words), "no `{words}` in\n{rendered}");
    }
    let rendered = brief("rulesets/warstrike/scenarios/refuge-too-near.toml");
    assert!(rendered.contains("! run_at_enemy = yes  [26, 20] after 6\" (no stuck)"), "{rendered}");
    assert!(rendered.contains("depends on  driven_up  refuge_from  run_at_enemy"), "{rendered}");
}

#[test]
fn a_brief_trace_tells_what_decided_and_no_refusal_that_could_not_have_happened() {
    let rendered = brief("rulesets/alternate/scenarios/fight-to-the-end.toml");
    for words in
        ["= difficulty  3: leader.lv 1 + target.lv 2", "= effective   d10: d4 up bands(reach, band, target) up cover"]
    {
        assert!(rendered.contains(words), "no `{words}` in\n{rendered}");
    }
    for words in ["ActForParent", "ReconAPlace"] {
        assert!(!rendered.contains(&format!("- {words}")), "{words} in\n{rendered}");
    }
    let refusals = rendered.lines().filter(|l| l.trim_start().starts_with("- ")).count();
    assert!(5 * refusals < rendered.lines().count(), "{refusals} of {}", rendered.lines().count());
    let rules = "kind U { link side: Side\nowner side\nstat horse: Flag = no\nstate tired: Flag = no\nstate lost: 0..9 = 0 }\n\
        kind Side { link units: list of U }\nkind Cart { state n: 0..1 = 0 }\nreading night: Flag \"Is it night\"\n= no or yes because \"unsaid\"\n\
        event Hit(whom: U, hard: Flag)\ntrait Tough on U { rule Shrug on Hit as h when h.whom == self and h.hard { set self.lost -= 1 } }\n\
        phase Turn(side: Side) shares go: 0..3 = 3 { repeat choose action while go > 0 }\n\
        action Shoot in Turn { choose u in side.units\nneeds not u.horse else \"horse carry no bows\"\n\
        needs not u.tired else \"it is tired\"\ncost 1 go; set u.tired = yes; emit Hit(u, no) }\n\
        action Wait in Turn { cost 1 go }\naction Rest in Turn { cost 1 go }\naction Hide in Turn { needs night; cost 1 go }\n";
    let scene = "start = \"Turn(red)\"\n[Side.red]\n[U]\na = { side = \"red\" }\nb = { side = \"red\", traits = [\"Tough\"] }\n\
        c = { side = \"red\", horse = true }\n[players]\nred = \"first\"\n";
    let full = self::rendered("brief", rules, scene);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/brief");
    let rendered = out(&output(&folder, &["run", "scene.toml", "--trace", "brief"]));
    for words in ["horse carry no bows", "- Hide", "needs night"] {
        assert!(full.contains(words) && !rendered.contains(words), "{words} in\n{rendered}\n{full}");
    }
    assert_eq!(full.matches("- Shrug(b)").count(), 2, "{full}");
    // the first blow was at somebody else, the second could have been hard
    assert_eq!(rendered.matches("- Shrug(b)").count(), 1, "{rendered}");
    assert_eq!(rendered.matches("it is tired").count(), 2, "{rendered}");
    assert!(rendered.contains("- 1 other") && rendered.contains("refused as before"), "{rendered}");
}

/// Titles, names of files and texts of scenarios that would move the cursor or hide something.
#[test]
fn nothing_from_a_file_reaches_the_terminal_as_it_is() {
    let evil = "\u{9b}2J\u{85}\u{202e}\u{2066}\u{200b}\u{200f}\u{2028}\u{61c}\u{e0061}\t<b>";
    let rules = format!(
        "ruleset g/x version \"1\"\nkind U {{ state m: 0..9 = 0 }}\nevent Hit(u: U)\nphase G(u: U) \"t{evil}\" {{\n\
         roll aim \"a{evil}\" = d6\nset u.m = aim\nemit Hit(u) }}\nrule R \"r{evil}\" on Hit as h when h.u.m > 9 {{ }}\n\
         reading way \"w{evil}\" = One \"o{evil}\" or Two because \"b{evil}\"\n"
    )
    .replace("roll aim \"a", "# roll aim \"a")
    .replace("\nset u.m = aim", "\nroll aim = d6\nset u.m = aim");
    let toml = evil.escape_unicode().to_string().replace("\\u{", "\\U").replace('}', "");
    let toml: String = toml.split("\\U").skip(1).map(|hex| format!("\\U{hex:0>8}")).collect();
    let scene = format!(
        "rules = \"g/x\"\nname = \"n{toml}\"\nmode = \"sampled\"\nruns = 20\nstart = \"G(a)\"\n[U.a]\n[[expect]]\nthat = \"a.m > 0 {toml}\"\n",
    );
    let good = scene.replace(&format!(" 0 {toml}"), " 0");
    let file = "s\u{9b}\u{202e}.toml";
    let folder = folder("evil", &[("g/x.rules", &rules), ("bad.toml", &scene), (file, &good)]);
    let commands: &[&[&str]] = &[
        &["check", "."],
        &["run", file, "--run", "1"],
        &["run", file, "--run", "1", "--trace", "full"],
        &["run", file, "--run", "1", "--format", "jsonl"],
        &["run", "bad.toml"],
        &["simulate", file, "--of", "a.m"],
        &["simulate", file, "--of", "a.m", "--format", "json"],
        &["odds", file, "--of", "a.m", "--why"],
        &["compare", file, "--mode", "exact"],
        &["readings", "."],
        &["readings", ".", "--format", "csv"],
        &["readings", file, "--of", "a.m"],
        &["coverage", "."],
        &["test", "."],
        &["dump", "g/x.rules", "--stage", "ast"],
        &["run", "no\u{9b}such.toml"],
        &["no\u{9b}such"],
        &["compare", file, ":way=Two", "--first-difference"],
        &["sweep", file, "--over", "way", "--of", "a.m", "--runs", "9", "--format", "csv"],
    ];
    let kept = |c: char| c == '\n' || c == '\t' || !grognard_base::safe::is_unsafe(c);
    for command in commands {
        let ran = output(&folder, command);
        let rendered = out(&ran) + &err(&ran);
        assert!(!rendered.is_empty() && rendered.chars().all(kept), "{command:?} {rendered:?}");
    }
    let sweep = ["sweep", file, "--over", "way", "--of", "a.m", "--runs", "9"];
    let first = output(&folder, &[&sweep[..], &["--journal", "rows.jsonl", "--receipt", "r.toml"]].concat());
    for written in ["rows.jsonl", "r.toml"] {
        let text = std::fs::read_to_string(folder.join(written)).unwrap();
        assert!(text.contains("9b") && text.chars().all(kept), "{written} {text:?}");
    }
    // and both are read again
    let again = output(&folder, &[&sweep[..], &["--journal", "rows.jsonl"]].concat());
    assert_eq!((again.status.code(), out(&again)), (first.status.code(), out(&first)), "{}", err(&again));
    let replayed = output(&folder, &["replay", "r.toml"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", err(&replayed));
}

const CHANCE: &str = "rules = \"g/x\"\nmode = \"sampled\"\nruns = 20\n[Side.red]\n[[step]]\ndo = \"do gain(red)\"\n[report]\nmean = \"red.pips\"\n";

/// A table with a band that is no band.
const KEYED: &str =
    "ruleset g/t\ntable wound_on(d: 4..12): Int \"To wound\" {\n  | 4-5 | 5 |\n  | at least 6 | 4 |\n}\n";

/// What is wrong is said by name, with the exit code of its sort, and before any work.
#[test]
fn wrong_words_are_named() {
    let folder =
        folder("wrong", &[("g/x.rules", GOOD), ("s.toml", CHANCE), ("empty/none.txt", ""), ("g/t.rules", KEYED)]);
    for (args, code, why) in [
        (&["simulate", "s.toml", "--until", "-1%"][..], 2, "`--until -1%` is not a half-width"),
        (&["simulate", "s.toml", "--set", "most=99999999999"], 1, "99999999999 is not a number of at most 9 digits"),
        (&["simulate", "s.toml", "--set", "most=2.0005"], 1, "2.0005 is not a number of at most 9 digits"),
        (&["check", "g/t.rules"], 1, "write `4 to 5`"),
        (&["sweep", "s.toml", "--over", "most=1..3"], 1, "with commas: `1,2,3`"),
        (&["sweep", "s.toml", "--over", "most=2", "--over", "most=3"], 1, "`most` is varied twice"),
        (&["simulate", "s.toml", "--seed", "9223372036854775808"], 2, "is not in 0..=9223372036854775807"),
        (&["sweep", "s.toml", "--over", "most=two"], 1, "`most` must be a plain number, not a text"),
        (&["sweep", "s.toml", "--over", "most=2,3,2"], 1, "`most` has the value 2 twice"),
        (&["sweep", "s.toml", "--over", "most=2", "--set", "most=3"], 2, "`--over` varies `most`"),
        (&["simulate", "s.toml", "--set", "most=2", "--set", "most=3"], 2, "set twice, by `most=2` and by `most=3`"),
        (&["simulate", "s.toml", "--set", "most=2,3"], 2, "`sweep --over most=2,3` measures with each"),
        (&["run", "s.toml", "--set", "red.pips=3"], 2, "`red.pips`; initial values are set in the scenario"),
        (&["odds", "s.tml"], 2, "file not found: s.tml; did you mean `s.toml`?"),
        (&["simulate", "s.toml", "--runs", "-1"], 2, "'--runs <N>': expected a whole number"),
        (&["simulate", "s.toml", "--runs", "1e5"], 2, "'--runs <N>': expected a whole number"),
        (&["diff", "g/y", "g/z"], 2, "file not found: g/y; file not found: g/z"),
        (&["explain", "R9999"], 2, "the codes go from R0101 to R1105"),
        (&["explain", "R0599"], 2, "the codes of this subject go from R0501 to R0506"),
        (
            &["readings", "s.toml", "--mode", "exact", "--budget", "1"],
            3,
            "the exploration did not finish within 1 state;",
        ),
        (&["sweep", "s.toml", "--over", "most", "--out", "none/rows.csv"], 2, "the folder none does not exist"),
        (&["simulate", "s.toml", "--receipt", "none/r.toml"], 2, "the folder none does not exist"),
        (&["simulate", "s.toml", "--receipt", "g"], 2, "g is a folder"),
        (&["compare", ":most=2", "empty"], 2, "no scenario found in the given paths"),
        (&["readings", "empty"], 2, "no rules found in the given paths"),
        (&["odds", ""], 2, "the expression is empty"),
        (&["compare", "g/y", "g/x", "s.toml"], 1, "there is no ruleset `g/y`"),
        (&["compare", ":most", "s.toml"], 2, "`most` is not of the form name=value"),
        (&["odds", "g/x.rules", "gain"], 2, "`gain` needs parentheses"),
    ] {
        let (found, text) = said(&folder, args);
        assert_eq!(found, code, "{args:?}: {text}");
        assert!(text.contains(why), "{args:?}: {text}");
        assert!(!text.contains("has no values to try") && !text.contains("R0809"), "{args:?}: {text}");
        assert!(!text.contains("sampled"), "{args:?}: {text}");
    }
    let ask = ["simulate", "s.toml", "--of", "red.pips > 2", "--format", "csv", "--until"];
    let width = |width| said(&folder, &[&ask[..], &[width]].concat());
    assert_eq!(width("±50%"), width("50%"));
    assert_eq!((width("+-50%").0, width("50%").0), (0, 0));
}

/// In `/proc` nobody may make a file.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_told_before_the_work() {
    let folder = folder("no-file", &[("g/x.rules", GOOD), ("s.toml", CHANCE)]);
    for file in [["--report", "/proc/page.html"], ["--receipt", "/proc/r.toml"]] {
        let (code, text) = said(&folder, &[&["simulate", "s.toml"], &file[..]].concat());
        assert!(code == 2 && text.contains("cannot be written") && !text.contains("sampled"), "{text}");
    }
    assert_eq!(said(&folder, &["simulate", "s.toml", "--report", "page.html"]).0, 0);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
}

/// A pipe with a name waits for a reader, so it is refused; those of the shell have one.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_not_written_to() {
    let folder = folder("pipe", &[]);
    assert!(std::process::Command::new("mkfifo").arg(folder.join("page.html")).status().unwrap().success());
    for option in ["--report", "--receipt"] {
        let (code, text) = said(&folder, &["odds", "2d6", option, "page.html"]);
        assert!(code == 2 && text.contains("page.html is a pipe") && !text.contains("exact"), "{text}");
    }
    let (code, text) = said(&folder, &["odds", "2d6", "--report", "/dev/stdout"]);
    assert!(code == 0 && text.contains("<!DOCTYPE html>"), "{text}");
}

/// What is formatted is a product: no byte of it is replaced, as it is where people read.
#[test]
fn a_formatted_text_keeps_its_signs() {
    let family = "ruleset g/x version \"1\"\n# \u{1F468}\u{200D}\u{1F469} a soft\u{AD}hyphen\nlet one = 1\n";
    let carriage = "ruleset g/x version \"1\"\r\n\r\nlet one = = 1\r\n";
    for (text, ends) in [(family, 0), (carriage, 1)] {
        let folder = folder("signs", &[]);
        let mut child = grognard(&folder, &["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let written = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(ends), "{written}");
        assert!(!written.contains(['\u{FFFD}', '\u{240D}']), "{written}");
        assert!(ends > 0 || written.contains("\u{1F468}\u{200D}\u{1F469} a soft\u{AD}hyphen"), "{written}");
    }
}

#[test]
fn dice_thrown_again_are_called_so() {
    let rules = "ruleset g/x version \"1\"\ntally hits\nproc strike() \"Strike\" {\n  roll blow = 2 of d6\n  \
        reroll x in blow where x == 1\n  explode y in blow where y == 6 at most 2\n  set hits += size(all x in blow where x >= 5)\n}\n";
    let folder = folder("again", &[("g/x.rules", rules)]);
    let text = said(&folder, &["odds", "g/x.rules", "strike()", "--of", "hits", "--why"]).1;
    for line in ["roll blow in strike", "reroll blow in strike", "explode blow in strike"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn what_a_call_counts_can_be_asked_for() {
    let rules = "ruleset g/x version \"1\"\nkind Unit { state n : 0..20 = 0 }\ntally lost\n\
        proc fall(u: Unit) { roll d = d6; set u.n += d; set lost += d; if d > 4 { set lost += 1 } }\n";
    let folder = folder("counts", &[("g/x.rules", rules)]);
    let odds = |more: &[&str]| said(&folder, &[&["odds", "g/x.rules", "fall(u)", "--of"], more].concat());
    assert!(odds(&["lost > 5"]).1.starts_with("chance lost > 5: 1/3 = "), "{}", odds(&["lost > 5"]).1);
    assert!(odds(&["lost", "--why"]).1.starts_with("mean lost: 23/6 = "), "{}", odds(&["lost", "--why"]).1);
    assert!(odds(&["u.n", "--given", "lost > 5"]).1.starts_with("mean u.n given lost > 5: 11/2 = "));
}

#[test]
fn a_stat_of_an_example_lies_in_its_range() {
    let rules = "ruleset g/x version \"1\"\nkind Unit { stat nerve : 0..6 = 2; state lost : 0..nerve = 0 }\n\
        let band(u: Unit): Int = match u.nerve { 0 to 3 => 1; over 3 => 2 }\n\
        test Check(u: Unit) { roll d = d6; pass when d > band(u) + u.lost }\n\
        example \"cut\" for Check(u) with u.lost = 5 rolling [6] { u.lost = 2 }\n";
    let folder = folder("range", &[("g/x.rules", rules)]);
    assert_eq!(said(&folder, &["test", "."]).0, 0);
    for (given, code) in [("0", 0), ("6", 0), ("7", 1), ("-1", 1)] {
        let (found, text) = said(&folder, &["odds", "g/x.rules", "Check(u)", "--with", &format!("u.nerve = {given}")]);
        assert_eq!(found, code, "{given}: {text}");
        assert_eq!(text.contains(&format!("`u.nerve` is 0..6; {given} is out of range")), code == 1, "{text}");
    }
    // a state is cut to a bound that another figure makes, and never lies where no such figure could put it
    let (found, text) = said(&folder, &["odds", "g/x.rules", "Check(u)", "--with", "u.lost = 9"]);
    assert!(found == 1 && text.contains("`u.lost` is 0..6; 9 is out of range"), "{text}");
    let aimed = "ruleset g/x version \"1\"\nparam most : 1..3 = 2\ntest Aim(bonus: 0..3) { roll d = d6; pass when d + bonus > most + 3 }\n";
    std::fs::write(folder.join("g/x.rules"), aimed).unwrap();
    for (given, set, why) in [("2", "1", ""), ("7", "1", "7 is not within 0..3"), ("2", "4", "4 is not within 1..3")] {
        let with = [&format!("bonus = {given}"), "--set", &format!("most = {set}")];
        let (found, text) = said(&folder, &[&["odds", "g/x.rules", "Aim(bonus)", "--with"], &with[..]].concat());
        assert_eq!(found == 0, why.is_empty(), "{text}");
        assert!(text.contains(why), "{text}");
    }
}

/// What is read is never written over, whatever option names it, and two results do not go to one file.
#[test]
fn what_is_read_is_not_written_over() {
    let folder = folder("inputs", &[("g/x.rules", GOOD), ("s.toml", CHANCE), ("run.toml", SCENE)]);
    let sweep = ["sweep", "s.toml", "--over", "most=2", "--runs", "20"];
    assert_eq!(said(&folder, &[&sweep[..], &["--journal", "j"]].concat()).0, 0);
    let files = ["g/x.rules", "s.toml", "run.toml", "j"].map(|file| folder.join(file));
    let before = files.clone().map(|file| std::fs::read(file).unwrap());
    for (args, written) in [
        (&["simulate", "s.toml"][..], &["--report", "g/x.rules"][..]),
        (&["simulate", "s.toml"], &["--report", "g/../s.toml"]),
        (&["simulate", "s.toml"], &["--receipt", "g/x.rules"]),
        (&["odds", "g/x.rules", "gain(s)", "--of", "s.pips"], &["--report", "g/x.rules"]),
        (&["compare", ":most=2", "s.toml"], &["--receipt", "s.toml"]),
        (&["run", "run.toml"], &["--map", "g/x.rules"]),
        (&sweep, &["--journal", "g/x.rules"]),
        (&sweep, &["--journal", "s.toml"]),
        (&sweep, &["--journal", "j", "--report", "j"]),
        (&sweep, &["--journal", "new", "--out", "new.csv", "--receipt", "new.csv"]),
        (&sweep, &["--journal", "new.csv", "--out", "new.csv"]),
        (&["sweep", "--plan", "s.toml"], &["--report", "s.toml"]),
    ] {
        let (code, text) = said(&folder, &[args, written].concat());
        assert!(code == 1 || code == 2, "{args:?} {written:?}: {text}");
        let same = files.clone().map(|file| std::fs::read(file).unwrap()) == before;
        assert!(same, "{args:?} {written:?}: {text}");
        assert!(!folder.join("new.csv").exists(), "{text}");
    }
}

/// One file of a folder that cannot be read, or that leads out of it, is named and keeps no other from being looked at.
#[cfg(unix)]
#[test]
fn pipes_and_links_in_a_folder_are_named() {
    let loose = GOOD.replace("  state pips", "     state pips");
    let register = "[[clause]]\nid = \"G-1\"\nsection = \"Any\"\nsays = \"Any.\"\nstatus = \"commentary\"\n";
    let scene = ("p/g/scenarios/s.toml", SCENE);
    let files = [("p/g/x.rules", &*loose), ("out/far.rules", &*loose), scene, ("p/g/clauses.toml", register)];
    let folder = folder("odd-files", &files);
    let place = folder.join("p");
    let make =
        |file: &str| assert!(std::process::Command::new("mkfifo").arg(place.join(file)).status().unwrap().success());
    make("g/pipe.rules");
    make("g/scenarios/pipe.toml");
    std::fs::write(place.join("g/odd.rules"), [0xff, 0xfe, 0]).unwrap();
    std::os::unix::fs::symlink(folder.join("out/far.rules"), place.join("g/far.rules")).unwrap();
    std::os::unix::fs::symlink("/no/such/file", place.join("g/gone.rules")).unwrap();
    for (args, ends) in [
        (&["check", "."][..], 1),
        (&["test", "."], 1),
        (&["coverage", "."], 1),
        (&["readings", "."], 1),
        (&["mutants", "."], 1),
        (&["holes", "."], 1),
        (&["fmt", "--check", "."], 1),
        (&["fmt", "."], 1),
        (&["check", "g/pipe.rules"], 1),
        (&["fmt", "g/pipe.rules"], 2),
        (&["run", "g/scenarios/pipe.toml"], 2),
        (&["replay", "g/pipe.rules"], 2),
        (&["merge", "g/pipe.rules"], 2),
        (&["merge", "/dev/zero"], 2),
        (&["sweep", "g/scenarios/s.toml", "--over", "most", "--journal", "g/pipe.rules"], 2),
        (&["dump", "--stage", "syntax", "g/pipe.rules"], 2),
    ] {
        let (code, text) = said(&place, args);
        assert_eq!(code, ends, "{args:?}: {text}");
        if args.ends_with(&["."]) {
            for file in ["g/pipe.rules", "g/odd.rules", "g/far.rules", "g/gone.rules"] {
                assert!(text.contains(file), "{args:?} says nothing of {file}: {text}");
            }
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("out/far.rules")).unwrap(), loose);
    assert_eq!(std::fs::read_to_string(place.join("g/x.rules")).unwrap(), GOOD);
}

/// A program that was killed while it wrote leaves temporary files, and the next one that writes there removes them.
#[test]
fn temporary_files_of_killed_writes_are_removed() {
    let running = format!(".grognard-{}-other.tmp", std::process::id());
    let mut dead = std::process::Command::new(env!("CARGO_BIN_EXE_grognard"))
        .arg("version")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ended = dead.id();
    dead.wait().unwrap();
    let [page, folder_of, notes] =
        ["-page.html.tmp", "-new.tmp/half", "-notes"].map(|name| format!(".grognard-{ended}{name}"));
    let texts =
        [("g/x.rules", GOOD), ("s.toml", CHANCE), (&*page, "half"), (&*folder_of, ""), (&*notes, ""), (&*running, "")];
    let folder = folder("left", &texts);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in [&page, &notes] {
        std::fs::File::options().append(true).open(folder.join(name)).unwrap().set_modified(old).unwrap();
    }
    assert_eq!(said(&folder, &["odds", "d6", "--report", "any.html"]).0, 0);
    let left = |name: &str| folder.join(name).exists();
    assert!(!left(&page) && left(&notes) && left(&running));
    assert!(!cfg!(target_os = "linux") || !left(&folder_of));
}

/// A limit on the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn no_half_file_stays_on_a_full_disk() {
    let folder = folder("full", &[("g/x.rules", GOOD), ("s.toml", CHANCE), ("run.toml", SCENE)]);
    let sweep = "sweep s.toml --over most=1,2,3,4,5 --runs 20";
    for (command, file) in [
        ("simulate s.toml --report new", "new"),
        ("simulate s.toml --receipt new", "new"),
        (&format!("{sweep} --out new.csv"), "new.csv"),
        (&format!("{sweep} --journal new"), "new"),
    ] {
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {} {command}", env!("CARGO_BIN_EXE_grognard"));
        let outcome = std::process::Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap();
        assert_eq!(outcome.status.code(), Some(2), "{command}: {}{}", out(&outcome), err(&outcome));
        assert!(err(&outcome).contains("cannot be written"), "{}", err(&outcome));
        assert!(!folder.join(file).exists() && std::fs::read_dir(&folder).unwrap().count() == 3, "{command}");
    }
    // a journal that fills the disk keeps whole lines
    let script = format!("trap '' XFSZ; ulimit -f 2; exec {} {sweep} --journal j", env!("CARGO_BIN_EXE_grognard"));
    let outcome = std::process::Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap();
    let kept = std::fs::read_to_string(folder.join("j")).unwrap();
    assert!(outcome.status.code() == Some(2) && kept.ends_with('\n') && kept.lines().count() > 1, "{kept}");
    assert!(said(&folder, &[&sweep.split(' ').collect::<Vec<_>>()[..], &["--journal", "j"]].concat()).0 == 0);
}

/// Warnings are told; only `--strict` makes them an exit code. What examples are made of is looked at as well.
#[test]
fn check_looks_at_everything_and_strict_at_warnings() {
    let unused = GOOD.replace("param most", "param spare = 1\n\nparam most");
    let example = "\nexample \"two cells\" for gain(s) {\n  | s.pips || s.pips |\n  | 1 | 2 || 3 |\n}\n";
    let folder = folder("strict", &[("g/x.rules", &unused)]);
    let (code, text) = said(&folder, &["check", "."]);
    assert!(code == 0 && text.contains("R0214") && text.ends_with("\n1 rules file, 5 items, 1 warning\n"), "{text}");
    assert_eq!(said(&folder, &["check", ".", "--strict"]).0, 1);
    std::fs::write(folder.join("g/x.rules"), format!("{GOOD}{example}")).unwrap();
    let (code, text) = said(&folder, &["check", "."]);
    assert!(code == 1 && text.contains("R0701") && text.contains("1 error"), "{text}");
}

/// A scenario is found wherever it lies below a folder, and other TOML files are none.
#[test]
fn scenarios_are_found_wherever_they_lie() {
    let files = [
        ("p/g/x.rules", GOOD),
        ("p/battles/deep/s.toml", SCENE),
        ("p/own.toml", "# said\nbase = \"battles/deep/s.toml\"\n"),
        ("p/Cargo.toml", "[package]\nrules = \"none\"\n"),
        ("p/plan.toml", "scenarios = [\"s.toml\"]\nrules = [\"g/x\"]\n"),
        ("p/scenarios/broken.toml", "= 1\n"),
        ("none/readme.txt", ""),
    ];
    let folder = folder("wherever", &files);
    let (code, text) = said(&folder, &["test", "p"]);
    assert!(code == 1 && text.ends_with("3 scenarios, 2 passed, 1 failed\n"), "{text}");
    assert!(said(&folder, &["check", "p"]).1.contains("3 scenarios, 1 error"));
    // finding nothing is no success
    for args in [&["test", "none"][..], &["check", "none"], &["fmt", "none"], &["coverage", "none"]] {
        let (code, text) = said(&folder, args);
        assert!(code == 2 && text.contains(" found in the given paths"), "{args:?}: {code} {text}");
    }
    let (code, text) = said(&folder, &["test", "p", "--filter", "nowhere"]);
    assert!(code == 2 && text.contains("`nowhere`"), "{text}");
}

/// An example that an extension breaks may be mended there, and the last line says that it fails.
#[test]
fn an_inherited_example_is_mended_where_it_fails() {
    let example = "\nexample \"at most three\" for most = most { most = 3 }\n".replace("for most = most ", "");
    let files =
        [("g/x.rules", &*format!("{GOOD}{example}")), ("g/y.rules", "variant g/y of g/x\n\noverride param most = 4\n")];
    let folder = folder("inherited", &files);
    let (code, text) = said(&folder, &["test", "."]);
    assert_eq!(code, 1);
    let help = "If g/y intends the change, let `grognard restate` rewrite the example there, or remove it: `remove example \"at most three\"`";
    assert!(text.contains("R0702") && text.split_whitespace().collect::<Vec<_>>().join(" ").contains(help), "{text}");
    assert!(text.ends_with("\n2 examples: 1 holds, 1 fails; 0 scenarios, 0 passed, 0 failed\n"), "{text}");
    std::fs::write(
        folder.join("g/y.rules"),
        "variant g/y of g/x\n\noverride param most = 4\n\nremove example \"at most three\"\n",
    )
    .unwrap();
    assert_eq!(said(&folder, &["test", "."]).0, 0);
}

/// Examples that a change made wrong are written anew: those of the book in the variant, its own where they stand.
#[test]
fn examples_are_restated() {
    let book = r#"ruleset g/book
kind U { stat nv: 0..6 = 3; state lost: 0..9 = 0; let shaken = lost > nv }
param sides = 6
test T(u: U) { roll pips = 2 of d6; pass when total(pips) <= sides }
proc lose(u: U, n: Int) -> Int { set u.lost += n * sides; return n * sides }
phase P(u: U) { choose action }
action Go in P { needs sides < 7 else "too many"; do lose(unit, 1) }
action Stay in P { }

cite A-1
example "chances" for T(u) with u.nv = 3 { chance passed = 5/12 }
example "rows" for lose(u, n) with u.nv = 3 {
  | n || result | u.shaken |
  | 0 ||   0    |    no    |
  | 1 ||   6    |   yes    |
}
example "it goes" for P(u) { offered Go }
example "conditions" for lose(u, 1) { u.lost == 6; not u.lost == 7 }
example "what holds" for lose(u, 1) with u.nv = 3 { u.shaken }
example "beyond what it can be" for lose(u, 1) with u.lost = 3 { u.lost = 9 }
"#
    .replace("in P { needs", "in P by unit { choose unit in U; needs");
    let variant = "variant g/most of g/book\n\noverride param sides = 7\n\nexample \"own\" { sides = 6 }\n";
    let clauses = "[[clause]]\nid = \"A-1\"\nsection = \"One\"\nsays = \"It rains.\"\nstatus = \"modelled\"\n";
    let files = [("g/book.rules", &*book), ("g/most.rules", variant), ("g/clauses.toml", clauses)];
    let folder = folder("restate", &files);
    let (code, text) = said(&folder, &["test", "g/book.rules"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(&folder, &["restate", "g/most.rules"]);
    assert!(code == 1 && text.contains("+override example \"chances\" for T(u)"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.join("g/most.rules")).unwrap(), variant);
    let (code, text) = said(&folder, &["restate", "g/most.rules", "--write"]);
    assert_eq!((code, text.as_str()), (0, "g/most.rules: 5 examples updated, 0 removed\n"));
    insta::assert_snapshot!(std::fs::read_to_string(folder.join("g/most.rules")).unwrap());
    let (code, text) = said(&folder, &["test", "g/most.rules"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(said(&folder, &["restate", "g/most.rules"]).0, 0, "a second time there is nothing to do");
    // an example that cannot be run any more is taken away; one of the file itself stays, and that is said
    let own = "variant g/most of g/book\n\noverride proc lose(u: U, n: Int) -> Int { roll x = d6; set u.lost = x; return x }\n\nexample \"own\" for lose(u, 1) { u.lost = 6 }\n";
    std::fs::write(folder.join("g/most.rules"), own).unwrap();
    let (code, text) = said(&folder, &["restate", "g/most.rules", "--write"]);
    assert!(code == 1 && text.ends_with("0 examples updated, 4 removed, 1 unchanged\n"), "{text}");
    assert!(text.contains("removed \"rows\", row 1: ") && text.contains("FAILED  \"own\": "), "{text}");
    let written = std::fs::read_to_string(folder.join("g/most.rules")).unwrap();
    assert!(written.starts_with(own) && written.contains("remove example \"rows\"\n"), "{written}");
    // what was not worked out is not known to be wrong
    std::fs::write(folder.join("g/most.rules"), "variant g/most of g/book\n").unwrap();
    let (code, text) = said(&folder, &["restate", "g/most.rules", "--budget", "1", "--write"]);
    assert!(code == 1 && text.ends_with("g/most.rules: 0 examples updated, 0 removed, 1 unchanged\n"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.join("g/most.rules")).unwrap(), "variant g/most of g/book\n");
    // what cannot be loaded is told as `check` tells it
    std::fs::write(folder.join("g/most.rules"), "variant g/most of g/book\n\noverride param side = 7\n").unwrap();
    let (code, text) = said(&folder, &["restate", "g/most.rules", "--write"]);
    assert!(code == 1 && text.contains("did you mean `sides`?"), "{text}");
}

/// How small the stack of the program is changes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough() {
    let all: String = (0..60).map(|n| format!("every s{n} in Side: ")).collect();
    let files = [
        ("g/x.rules", GOOD),
        ("s.toml", CHANCE),
        ("g/deep.rules", &format!("ruleset g/deep extends g/x\nlaw Deep = {all}s1.pips >= 0\n")),
    ];
    let folder = folder("small", &files);
    let under = |limit: &str, command: &str| {
        let script = format!("ulimit {limit}; exec {} {command}", env!("CARGO_BIN_EXE_grognard"));
        std::process::Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap()
    };
    let small = under("-s 256", "check g/deep.rules");
    assert_eq!(small.status.code(), Some(0), "{}{}", out(&small), err(&small));
}

const SPENDS: &str = "ruleset g/x\nparam slope : Angle = 45°\nparam far : Length = 2\"\nparam men = 3\nkind U { state n : 0..9 = 0 }\nproc strike(u: U) { roll d = 3 of d6; set u.n = count d >= 4 }\nphase P(u: U) { if slope > 60° and far > 3\" { set u.n = men } else { do strike(u) } }\n";
const SPENT: &str = "rules = \"g/x\"\nstart = \"P(a)\"\n[U.a]\n[report]\nmean = \"a.n\"\nchance = \"a.n > 1\"\n";

/// Rules are found through the base of a scenario too; what cannot be found or read is said once, with a way out.
#[test]
fn messages_of_the_command_line_lead_on() {
    let folder = folder(
        "messages",
        &[
            ("p/rulesets/g/x.rules", SPENDS),
            ("p/tables/a.toml", SPENT),
            ("p/tables/b.toml", "base = \"a.toml\"\nname = \"b\"\n"),
            ("p/tables/c.toml", &SPENT.replace("g/x", "/abs/g/x")),
            ("p/tables/d.toml", &SPENT.replace("g/x", "g/none")),
            ("p/rulesets/e.toml", &SPENT.replace("g/x", "g/xx")),
            ("p/tables/tom's.toml", SPENT),
            ("p/tables/f.toml", "base = \"tom's.toml\"\n"),
        ],
    );
    let folder = folder.join("p/tables");
    assert_eq!(said(&folder, &["run", "b.toml"]).0, 0);
    assert_eq!(said(&folder, &["run", "f.toml"]).0, 0);
    for (args, code, why, not) in [
        (&["run", "c.toml"][..], 1, "`--rules FILE` takes any path", "R0212"),
        (&["run", "d.toml"], 1, "there are no rules `g/none`", "grognard check"),
        (&["run", "../rulesets/e.toml"], 1, "mean `g/x`?", "zz"),
        (&["run", "a.toml", "--set", "slope=90°", "--set", "far=4\""], 0, "a.n = 3", "error"),
        (&["run", "a.toml", "--set", "men=4\""], 1, "`men` must be a plain number", "zz"),
        (&["sweep", "a.toml", "--over", "men"], 1, "`--over men=2,3,4`", "zz"),
        (&["sweep", "a.toml", "--over", "brave"], 1, "they have slope, far, men", "table of scenario keys"),
        (&["check", "../rulesets/g/x.rules"], 0, "no problems", "R0214"),
    ] {
        let (found, text) = said(&folder, args);
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(found == code && flat.contains(why) && !flat.contains(not), "{args:?}: {found} {text}");
    }
}

/// Two scenarios with the same measures are compared with each other, whatever the order in which they report them.
#[test]
fn two_scenarios_are_compared() {
    let other = SPENT.replace("[U.a]", "[params]\nslope = 90\nfar = 5\n[U.a]");
    let other =
        other.replace("mean = \"a.n\"\nchance = \"a.n > 1\"", "chance = [\"a.n > 1\", \"a.n > 2\"]\nmean = \"a.n\"");
    let folder = folder(
        "two",
        &[("g/x.rules", SPENDS), ("a.toml", SPENT), ("b.toml", &other), ("c.toml", &SPENT.replace("a.n", "a.n + 1"))],
    );
    let (code, text) = said(&folder, &["compare", "a.toml", "b.toml"]);
    assert!(code == 0 && text.starts_with("a.toml and b.toml: A a.toml, B b.toml\n"), "{text}");
    assert!(
        text.contains("A 3/2 = 1.5, B 3: 3/2 = 1.5 more in B")
            && text.contains("A 1/2 = 50%, B 1 = 100%") | text.contains("A 1/2 = 50%, B 100%"),
        "{text}"
    );
    assert_eq!(said(&folder, &["compare", "a.toml", "b.toml", "--mode", "sampled"]).0, 0);
    assert!(said(&folder, &["compare", "a.toml", "c.toml"]).1.contains("a.toml and c.toml: no common measure"));
    assert!(said(&folder, &["compare", "a.toml", "b.toml", "--which"]).1.contains("two scenarios"));
    assert!(said(&folder, &["compare", "a.toml"]).1.contains("or two scenarios"));
}

/// Whoever asks for exact odds can say how much they may cost, by the same options.
#[test]
fn exact_answers_have_the_same_limits_everywhere() {
    let piglet = "tests/fixtures/games/piglet.toml";
    for args in
        [&["odds", piglet, "--of", "red.points"][..], &["test", piglet], &["readings", piglet], &["sweep", piglet]]
    {
        let (code, text) = said(root(), &[args, &["--time", "0"]].concat());
        assert!(code == 2 && text.contains("--time"), "{args:?}: {text}");
    }
    let (code, text) = said(root(), &["test", piglet, "--time", "30"]);
    assert!(code == 0 && text.contains("1 passed, 0 failed"), "{text}");
    let (code, text) = said(root(), &["test", piglet, "--budget", "3"]);
    assert!(code == 3 && text.contains("R1001"), "{text}");
}

/// A table that a value looks something up in is told by its name, with the figures that were looked up.
#[test]
fn a_trace_names_the_table() {
    let rules = "ruleset g/x\n\nkind Unit { state pace : 0..9 = 4 }\nenum Ground { Open, Wood }\n\
                 table hop(pace: 0..9, on: Ground): Int {\n  | | Open | Wood |\n  | 0 to 3 | 1 | 1 |\n  | 4 to 9 | 2 | 1 |\n}\n\
                 proc go(u: Unit) {\n  let far = hop(u.pace, Open)\n  set u.pace += far\n}\n";
    let scene = "rules = \"g/x\"\n[Unit.u]\n[[step]]\ndo = \"do go(u)\"\n";
    let folder = folder("table-told", &[("g/x.rules", rules), ("s.toml", scene)]);
    let rendered = said(&folder, &["run", "s.toml", "--trace", "brief"]).1;
    assert!(rendered.contains("far         2: hop(u.pace 4, Open)"), "{rendered}");
}

/// What is no message is answered or told; neither a broken one nor a length beyond reason ends the program in any other way.
#[test]
fn the_language_server_survives_what_is_no_message() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let begun = framed(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#)
        + &framed(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    let ended =
        framed(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#) + &framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    for (sent, code, says) in [
        (format!("{}{ended}", framed("{broken")), 0, "\"code\":-32700"),
        (format!("{}{ended}", framed(&"[".repeat(100_000))), 0, "\"code\":-32700"),
        ("Content-Length: 99999999999999\r\n\r\n".to_string(), 2, "the length `99999999999999` is not"),
        ("Content-Length: -1\r\n\r\n".to_string(), 2, "the length `-1` is not"),
        ("hello\r\n\r\n".to_string(), 2, "`hello` is not a header"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_grognard"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        program.stdin.take().unwrap().write_all(format!("{begun}{sent}").as_bytes()).unwrap();
        let out = program.wait_with_output().unwrap();
        let rendered = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(code) && rendered.contains(says), "{says}: {:?}\n{rendered}", out.status);
    }
}
