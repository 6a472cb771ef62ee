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
    let rendered = |one: &Value| {
        let message = one["message"].as_str().unwrap().lines().next().unwrap();
        let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
        format!("{} {line} {message}", one["code"].as_str().unwrap())
    };
    all.as_array().into_iter().flatten().map(rendered).collect()
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
fn toml_files_are_formatted() {
    let mut session = Session::start();
    let loose = "name=\"x\"   # a\n[a]\nb=[1,2]\n";
    for path in ["grognard.toml", "game/clauses.toml", "game/scenarios/march.toml"] {
        session.open(path, loose);
        let params =
            json!({ "textDocument": { "uri": Session::uri(path) }, "options": { "tabSize": 2, "insertSpaces": true } });
        let edits = session.ask("textDocument/formatting", params).unwrap();
        let edit = &edits.as_array().unwrap()[0];
        let (start, end) = (byte(loose, &edit["range"]["start"]), byte(loose, &edit["range"]["end"]));
        let after = format!("{}{}{}", &loose[..start], edit["newText"].as_str().unwrap(), &loose[end..]);
        assert_eq!(after, "name = \"x\"  # a\n\n[a]\nb = [1, 2]\n", "{path}");
    }
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

/// Rules below the `rules` folder of the project are named from there, in any depth, and the whole folder is checked.
#[test]
fn rules_of_a_project_have_the_findings_of_a_check_of_its_folder() {
    let far = "ruleset game/old/far extends game/core\n\nparam far = 1  cite G-1\n";
    let entry =
        |id: &str| format!("[[clause]]\nid = \"{id}\"\nsection = \"S\"\nsays = \"So.\"\nstatus = \"modelled\"\n\n");
    let register = entry("G-1") + &entry("G-2");
    let files = [
        ("grognard.toml", "rules = \"books\"\n"),
        ("books/game/core.rules", RULES),
        ("books/game/old/far.rules", far),
        ("books/game/old/clauses.toml", &register),
    ];
    let root = folder("rules_of_a_project", &files);
    let out = output(&root, &["check", "--format", "short"]);
    let printed = String::from_utf8(out.stdout).unwrap();
    let mut session = Session::start();
    let uri = |path: &str| format!("file://{}", root.join(path).display());
    for (path, text) in &files[2..] {
        let document = json!({ "uri": uri(path), "languageId": "x", "version": 1, "text": text });
        session.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }
    let found = problems(&mut session, &uri("books/game/old/far.rules"));
    assert_eq!(found, ["R0214 3 param `far` is never read here"]);
    let found = problems(&mut session, &uri("books/game/old/clauses.toml"));
    assert!(found.len() == 1 && found[0].contains("no item implements G-2: nothing cites it"), "{found:?}");
    assert!(printed.contains("no item implements G-2: nothing cites it"), "{printed}");
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
            if Path::new(&name).extension().is_none_or(|end| end != "toml") {
                continue;
            }
            let found = space.problems(&format!("{game}/scenarios/{name}"), []);
            assert!(found.iter().all(|one| !one.found.is_error()), "{game} {name}: {found:?}");
            seen += 1;
        }
    }
    assert!(seen > 5);
}

/// The shipped schemas are those that the program prints; `GROGNARD_PIN=1` writes them anew. They know every key.
#[test]
fn schemas_are_shipped_as_they_are_generated() {
    for name in ["scenario", "project", "clauses"] {
        let printed = String::from_utf8(output(root(), &["schema", name]).stdout).unwrap();
        let path = root().join(format!("editors/schemas/{name}.json"));
        if std::env::var_os("GROGNARD_PIN").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &printed).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), printed, "{name}");
        let schema: Value = serde_json::from_str(&printed).unwrap();
        let all = schema["properties"].as_object().unwrap();
        assert!(!all.is_empty() && all.values().all(|one| one["description"].is_string()), "{name}");
    }
}

/// Every top-level key and every type of shipped scenarios, project files and registers fits its schema.
#[test]
fn shipped_files_fit_their_schemas() {
    let schema =
        |name: &str| -> Value { serde_json::from_str(&text_of(&format!("editors/schemas/{name}.json"))).unwrap() };
    let (scenario, clauses, project) = (schema("scenario"), schema("clauses"), schema("project"));
    let mut seen = 0;
    let mut fits = |schema: &Value, path: &Path| {
        let value: Value = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        if let Some(why) = misfit(schema, &value) {
            panic!("{}: {why}", path.display());
        }
        seen += 1;
    };
    for game in std::fs::read_dir(root().join("rulesets")).unwrap() {
        let game = game.unwrap().path();
        let register = game.join("clauses.toml");
        if register.is_file() {
            fits(&clauses, &register);
        }
        for file in std::fs::read_dir(game.join("scenarios")).into_iter().flatten() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "toml") {
                fits(&scenario, &path);
            }
        }
    }
    let folder = folder("schemas", &[("grognard.toml", "name = \"x\"\nbudget = 3\n[players]\nred = \"first\"\n")]);
    fits(&project, &folder.join("grognard.toml"));
    assert!(seen > 30, "{seen}");
}

/// Why a value does not fit a schema of the forms that are generated.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    if let Some(any) = schema.get("anyOf") {
        let all = any.as_array().unwrap();
        return all.iter().all(|one| misfit(one, value).is_some()).then(|| format!("{value} fits none of {any}"));
    }
    if let Some(words) = schema.get("enum") {
        return (!words.as_array().unwrap().contains(value)).then(|| format!("{value} is not one of {words}"));
    }
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        other => panic!("{other}"),
    };
    let sort = schema.get("type").unwrap_or(&Value::Null);
    if !sort.is_null() && !sort.as_array().map_or_else(|| is(sort), |all| all.iter().any(is)) {
        return Some(format!("{value} is not {sort}"));
    }
    for item in value.as_array().into_iter().flatten() {
        if let Some(why) = schema.get("items").and_then(|items| misfit(items, item)) {
            return Some(why);
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let known = schema.pointer(&format!("/properties/{key}"));
        let known = known
            .or_else(|| schema.pointer("/patternProperties/^[A-Z]").filter(|_| key.starts_with(char::is_uppercase)));
        match known.or_else(|| schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => return Some(format!("`{key}` is not known")),
            Some(schema @ Value::Object(_)) => {
                if let Some(why) = misfit(schema, inner) {
                    return Some(format!("{key}: {why}"));
                }
            }
            _ => {}
        }
    }
    None
}

/// A rename in rules reaches scenarios on disk that are not open, also beside the rules root of the project.
#[test]
fn a_rename_reaches_scenarios_on_disk() {
    let files = [
        ("grognard.toml", "rules = \"books\"\nscenarios = [\"play\"]\n"),
        ("books/game/core.rules", RULES),
        ("books/game/scenarios/inner.toml", SCENE),
        ("play/march.toml", SCENE),
        ("play/other.toml", "rules = \"game/other\"\n[params]\nhit_on = 3\n"),
    ];
    let root = folder("rename_on_disk", &files);
    let uri = |path: &str| format!("file://{}", root.join(path).display());
    let mut session = Session::start();
    let core = uri("books/game/core.rules");
    let document = json!({ "uri": core, "languageId": "grognard", "version": 1, "text": RULES });
    session.tell("textDocument/didOpen", json!({ "textDocument": document }));
    session.settle();
    let at = crate::common::session::position(RULES, RULES.find("hit_on").unwrap());
    let params = json!({ "textDocument": { "uri": core }, "position": at, "newName": "needs" });
    let edit = session.ask("textDocument/rename", params).unwrap();
    let changes = edit["documentChanges"].as_array().unwrap();
    let mut changed: Vec<&str> = changes.iter().map(|one| one["textDocument"]["uri"].as_str().unwrap()).collect();
    changed.sort_unstable();
    let wanted = ["books/game/core.rules", "books/game/scenarios/inner.toml", "play/march.toml"].map(&uri);
    assert_eq!(changed, wanted);
    session.end();
}

/// A scenario is no rules file: what is only for rules has no answer there.
#[test]
fn requests_about_rules_have_no_answer_in_a_scenario() {
    let mut session = Session::start();
    let path = "game/scenarios/march.toml";
    session.open("game/core.rules", RULES);
    session.open(path, SCENE);
    let document = json!({ "textDocument": { "uri": Session::uri(path) } });
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
        assert_eq!(session.ask(&format!("textDocument/{method}"), document.clone()), Ok(Value::Null), "{method}");
    }
    let at = SCENE.find("marched").unwrap() + 2;
    let hover = session.ask_at("textDocument/hover", path, at, Value::Null).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("state marched"), "{hover}");
    let found = session.ask_at("textDocument/definition", path, at, Value::Null).unwrap();
    assert!(found[0]["uri"].as_str().unwrap().ends_with("core.rules"), "{found}");
    session.end();
}
