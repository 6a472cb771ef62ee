//! Scenarios, project files and registers in the language server.

use super::*;
use crate::common::{folder, output};
use std::path::Path;

const RULES: &str = "ruleset game/core\n\nparam hit_on \"A shot hits on\" = 4\n\nenum Mood { Calm, Shaken }\n\n\
                     kind Squad {\n  stat pace : 1..12 \"Pace\"\n  state mood : Mood = Calm\n  state marched : 0..99 = 0\n}\n\n\
                     proc march(s: Squad) { set s.marched += s.pace + hit_on }\n";
const SCENE: &str = "rules = \"game/core\"\n\n[params]\nhit_on = 3\n\n[Squad.guards]\npace = 6\nmood = \"Calm\"\n\n\
                     [[step]]\ndo = \"do march(guards)\"\n\n[[expect]]\nthat = \"guards.marched == 9\"\n";

/// The problems of a document, as `code line message`.
fn problems(session: &mut Session, path: &str) -> Vec<String> {
    session.settle();
    let all = session.problems.get(path).cloned().unwrap_or_default();
    let told = |one: &Value| {
        let message = one["message"].as_str().unwrap().lines().next().unwrap();
        let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
        format!("{} {line} {message}", one["code"].as_str().unwrap())
    };
    all.as_array().into_iter().flatten().map(told).collect()
}

/// Puts a text in the place of another.
fn replace(session: &mut Session, path: &str, old: &str, new: &str) {
    let at = session.texts[path].1.find(old).unwrap();
    session.edit(path, at, at + old.len(), new);
}

#[test]
fn a_scenario_has_the_findings_of_check_and_follows_its_rules() {
    let mut session = Session::start();
    let path = "game/scenarios/march.toml";
    // the scenario is opened first, so its rules are not known yet
    session.open(path, SCENE);
    let found = problems(&mut session, path);
    assert!(found.len() == 1 && found[0].contains("there are no rules `game/core`"), "{found:?}");
    session.open("game/core.rules", RULES);
    assert_eq!(problems(&mut session, path), [""; 0]);
    replace(&mut session, path, "hit_on = 3", "hit_onn = 9");
    let found = problems(&mut session, path);
    assert_eq!(found, ["R0802 4 the rules have no param `hit_onn`; did you mean `hit_on`?"]);
    replace(&mut session, path, "hit_onn = 9", "hit_on = 3");
    // a change in the rules that the scenario does not survive
    replace(&mut session, "game/core.rules", "stat pace", "stat speed");
    let found = problems(&mut session, path);
    assert!(found.len() == 1 && found[0].contains("have errors"), "{found:?}");
    replace(&mut session, "game/core.rules", "s.pace", "s.speed");
    let found = problems(&mut session, path);
    assert!(found.len() == 1 && found[0].contains("7 a Squad has no `pace`"), "{found:?}");
    replace(&mut session, path, "[Squad.guards]", "[Squad.guards");
    let found = problems(&mut session, path);
    assert!(found.len() == 1 && found[0].contains("not valid TOML"), "{found:?}");
    session.end();
}

#[test]
fn a_base_in_the_editor_counts_and_its_findings_are_shown_at_base() {
    let mut session = Session::start();
    let (base, path) = ("game/scenarios/base.toml", "game/scenarios/own.toml");
    session.open("game/core.rules", RULES);
    session.open(base, SCENE);
    session.open(path, "base = \"base.toml\"\nname = \"own\"\n");
    assert_eq!(problems(&mut session, path), [""; 0]);
    replace(&mut session, base, "pace = 6", "pace = 60");
    let found = problems(&mut session, path);
    assert!(found.len() == 1 && found[0].contains("1 `pace` is 1..12; 60 is out of range"), "{found:?}");
    let others = &session.problems[path][0]["relatedInformation"];
    assert!(others[0]["location"]["uri"].as_str().unwrap().ends_with(base), "{others}");
    session.end();
}

#[test]
fn project_files_and_registers_have_findings() {
    let mut session = Session::start();
    session.open("grognard.toml", "name = \"x\"\nruels = \"rules\"\n");
    let found = problems(&mut session, "grognard.toml");
    assert!(found.len() == 1 && found[0].contains("2 unknown key `ruels`; did you mean `rules`?"), "{found:?}");
    session.open("game/clauses.toml", "[[clause]]\nid = \"A-1\"\nsays = \"x\"\nstatus = \"modeled\"\n");
    let found = problems(&mut session, "game/clauses.toml");
    assert!(found.iter().any(|one| one.contains("modelled")), "{found:?}");
    // other TOML files are none of our business
    session.open("game/Cargo.toml", "[package]\nname = 1\n");
    assert_eq!(problems(&mut session, "game/Cargo.toml"), [""; 0]);
    session.end();
}

/// What the server publishes about files on disk is what `check` prints; the rules root of the project and its players count.
#[test]
fn findings_on_disk_are_those_of_check() {
    let scene = SCENE.replace("hit_on = 3", "hit_onn = 3").replace("Calm", "Clam");
    let root = folder(
        "scenes_on_disk",
        &[
            ("grognard.toml", "rules = \"books\"\nscenarios = [\"play\"]\n"),
            ("books/game/core.rules", RULES),
            ("play/march.toml", &scene),
            ("play/fine.toml", SCENE),
        ],
    );
    let file = root.join("play/march.toml");
    let out = output(&root, &["check", "--format", "short", file.to_str().unwrap()]);
    let printed = String::from_utf8(out.stdout).unwrap();
    let uri = format!("file://{}", file.display());
    let mut session = Session::start();
    for (name, text) in [("march", scene.as_str()), ("fine", SCENE)] {
        let uri = format!("file://{}", root.join(format!("play/{name}.toml")).display());
        let document = json!({ "uri": uri, "languageId": "toml", "version": 1, "text": text });
        session.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }
    let found = problems(&mut session, &uri);
    assert_eq!(found.len(), 2, "{found:?}");
    for one in &found {
        let message = one.splitn(3, ' ').nth(2).unwrap();
        assert!(printed.contains(message), "{message}\n{printed}");
    }
    let fine = format!("file://{}", root.join("play/fine.toml").display());
    assert_eq!(problems(&mut session, &fine), [""; 0]);
    session.end();
}

/// Every shipped scenario is free of errors in the workspace.
#[test]
fn shipped_scenarios_have_no_errors() {
    let space = Workspace::new(Books::all());
    let mut seen = 0;
    for game in ["warstrike", "recoil", "alternate"] {
        let Ok(files) = std::fs::read_dir(root().join("rulesets").join(game).join("scenarios")) else { continue };
        for file in files.take(6) {
            let name = file.unwrap().file_name().into_string().unwrap();
            if !Path::new(&name).extension().is_some_and(|end| end == "toml") {
                continue;
            }
            let found = space.problems(&format!("{game}/scenarios/{name}"), []);
            assert!(found.iter().all(|one| !one.found.is_error()), "{game} {name}: {found:?}");
            seen += 1;
        }
    }
    assert!(seen > 5);
}
