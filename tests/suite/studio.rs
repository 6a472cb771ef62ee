//! The engine of the studio: its numbers are those of the command line, parts come while it works, and what it answers is of
//! the texts as they stand.

use crate::common::{err, out, output, root, text_of};
use grognard_ide::studio::{Engine, is_long};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The shipped texts, as the program has them.
fn books() -> &'static [(&'static str, &'static str)] {
    static BOOKS: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    BOOKS.get_or_init(|| {
        let mut all = Vec::new();
        walk(&root().join("rulesets"), "", &mut all);
        all.sort();
        all
    })
}

fn walk(folder: &std::path::Path, below: &str, found: &mut Vec<(&'static str, &'static str)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
        } else {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            found.push((Box::leak(name.into_boxed_str()), Box::leak(text.into_boxed_str())));
        }
    }
}

/// An engine and the last id that was used.
struct Page {
    engine: Engine,
    id: u64,
    parts: Vec<Value>,
}

impl Page {
    fn new() -> Page {
        Page { engine: Engine::new(books(), None), id: 0, parts: Vec::new() }
    }

    fn send(&mut self, method: &str, params: Value) -> (u64, Vec<Value>) {
        self.id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        (self.id, self.heard(&message))
    }

    fn tell(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.heard(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn heard(&mut self, message: &Value) -> Vec<Value> {
        let mut reply = Vec::new();
        self.engine.send(&message.to_string(), &mut |text| reply.push(serde_json::from_str(&text).unwrap()));
        reply
    }

    /// Asks and works until there is an answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let (id, mut reply) = self.send(method, params);
        self.parts.clear();
        loop {
            for message in reply.drain(..) {
                if message["id"] == json!(id) {
                    return match message.get("error") {
                        Some(error) => Err(error["message"].as_str().unwrap().to_string()),
                        None => Ok(message["result"].clone()),
                    };
                }
                if message["method"] == "grognard/progress" {
                    self.parts.push(message["params"].clone());
                }
            }
            let more = self.engine.work(&mut |text| reply.push(serde_json::from_str(&text).unwrap()));
            assert!(more || !reply.is_empty(), "no answer to {method}");
        }
    }
}

fn settings() -> Value {
    json!({ "params": {}, "readings": {} })
}

/// What the program prints as JSON from the folder of the shipped rules.
fn printed(args: &[&str]) -> Value {
    let reply = output(&root().join("rulesets"), args);
    serde_json::from_str(&out(&reply)).unwrap_or_else(|why| panic!("{args:?}: {why}: {}", err(&reply)))
}

#[test]
fn the_numbers_are_those_of_the_command_line() {
    let mut page = Page::new();
    let mut compared = 0;
    // runs cannot play for the best
    let best = |text: &str| [r#""best""#, r#""worst""#].iter().any(|source| text.contains(source));
    let reports = |text: &str| text.lines().any(|line| line.starts_with("[report")) && !best(text);
    for (path, _) in books().iter().filter(|(path, text)| path.ends_with(".toml") && reports(text)) {
        let reply = page.ask("grognard/outlook", json!({ "path": path, "settings": settings(), "runs": 3 })).unwrap();
        assert_eq!(reply["finding"], printed(&["simulate", path, "--runs", "3", "--format", "json"]), "{path}");
        compared += 1;
    }
    assert!(compared > 4, "{compared}");
    let path = "warstrike/scenarios/exchange-of-fire.toml";
    let reply = page.ask("grognard/outlook", json!({ "path": path, "settings": settings() })).unwrap();
    assert_eq!(reply["finding"], printed(&["odds", path, "--format", "json"]));
    let path = "warstrike/scenarios/firefight.toml";
    let b = json!({ "settings": { "params": { "hit_on": "5" } } });
    let of = json!({ "path": path, "a": {}, "b": &b, "runs": 30 });
    let reply = page.ask("grognard/compare", of).unwrap();
    let args = ["compare", ":hit_on=5", path, "--runs", "30", "--mode", "sampled", "--format", "json"];
    let shown = printed(&args)["comparisons"][0].clone();
    assert_eq!(reply["finding"]["effects"], shown["effects"]);
    assert!(shown["effects"].is_array());
    assert_eq!(reply["effects"].as_array().unwrap().len(), 4);
    assert_eq!(reply["differences"], json!([{ "title": "hit_on", "before": null, "after": "5" }]));
    assert!(reply["parting"]["at"].as_u64() > Some(0));
    // where nobody says how many, it is planned for as many pairs as on the command line, and its intervals are the same
    let quick = json!({ "path": path, "a": {}, "b": { "settings": { "params": { "hit_on": "6" } } } });
    let reply = page.ask("grognard/compare", quick).unwrap();
    let shown =
        printed(&["compare", ":hit_on=6", path, "--mode", "sampled", "--format", "json"])["comparisons"][0].clone();
    assert_eq!((&reply["finding"]["pairs"], &reply["finding"]["effects"]), (&shown["pairs"], &shown["effects"]));
    assert_eq!(reply["asked"], 100_000);
    // the first measure ends it, others may be undecided; who goes on has all of them decided
    let args = ["compare", ":hit_on=5", path, "--mode", "sampled", "--format", "json"];
    for (every, more, pairs) in [(false, &[][..], 1_000), (true, &["--every"][..], 2_000)] {
        let of = json!({ "path": path, "a": {}, "b": b, "runs": 100_000, "every": every });
        let found = page.ask("grognard/compare", of).unwrap()["finding"].clone();
        let shown = printed(&[&args[..], more].concat())["comparisons"][0].clone();
        assert_eq!((&found["pairs"], &found["effects"]), (&json!(pairs), &shown["effects"]));
        let undecided = found["effects"].as_array().unwrap().iter().any(|each| each["verdict"] == "undecided");
        assert_eq!(undecided, !every, "{found}");
    }
    let reply = page.ask("grognard/readings", json!({ "path": path, "settings": settings(), "runs": 6 })).unwrap();
    let shown = printed(&["readings", path, "--runs", "6", "--mode", "sampled", "--format", "json"]);
    assert_eq!(reply["finding"]["effects"], shown["effects"]);
    // a dial that is turned has all of its values, wherever it stands
    let mut swept = |settings: Value| {
        let of = json!({ "path": path, "settings": settings, "dials": ["hit_on"], "runs": 6 });
        page.parts.clear();
        let points = page.ask("grognard/sweep", of).unwrap()["points"].as_array().unwrap().clone();
        assert!(points.len() > 2 && points[0]["measures"].as_array().unwrap().len() == 4);
        assert_eq!(page.parts.len(), points.len());
        points
    };
    assert_eq!(swept(settings()), swept(json!({ "params": { "hit_on": "5" } })));
}

/// What exact odds leave out is reply beside them, and a run has the dice of its scenario unless others are asked for.
#[test]
fn runs_without_an_end_and_the_seed_of_a_scenario_are_told() {
    let mut page = Page::new();
    let rules = "ruleset g/odd\nkind U { state n : 0..1 = 0 }
proc go(u: U) {\n roll d = d6\n repeat { roll e = d2\n set u.n = e - 1 } while d == 6\n}\n";
    let scene = "rules = \"g/odd\"\nseed = 77\n[U.u]\n[[step]]\ndo = \"do go(u)\"\n[report]\nmean = [\"u.n\"]\n";
    for (path, text) in [("g/odd.rules", rules), ("g/s.toml", scene)] {
        page.ask("grognard/put", json!({ "path": path, "text": text })).unwrap();
    }
    let reply = page.ask("grognard/outlook", json!({ "path": "g/s.toml", "settings": settings() })).unwrap();
    let notes = reply["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("1/6 = 16.67% of all cases")), "{notes:?}");
    let mut seed = |asked: Value| {
        let mut of = json!({ "path": "g/s.toml", "settings": settings(), "script": [], "byHand": true, "as": [] });
        of["seed"] = asked;
        page.ask("grognard/play", of).unwrap()["seed"].clone()
    };
    assert_eq!((seed(Value::Null), seed(json!(3))), (json!(77), json!(3)));
    // a loop without dice ends in an error: all else is known without a run
    let rules = rules.replace("roll e = d2\n set u.n = e - 1", "set u.n = 1 - u.n");
    page.ask("grognard/put", json!({ "path": "g/odd.rules", "text": rules })).unwrap();
    let reply = page.ask("grognard/outlook", json!({ "path": "g/s.toml", "settings": settings() })).unwrap();
    assert!(reply["runs"].is_null() && reply["fault"].as_str().unwrap().contains("rounds and calls"), "{reply}");
    let ends: Vec<&str> =
        reply["measures"][0]["bars"].as_array().unwrap().iter().map(|bar| bar["value"].as_str().unwrap()).collect();
    assert_eq!(ends, ["error", "0"]);
}

/// Every scenario that is shipped has a table, dials and a first question or an end.
#[test]
fn every_scenario_can_be_shown() {
    let mut page = Page::new();
    let scene = |path: &&(&str, &str)| path.0.contains("/scenarios/");
    for (path, _) in books().iter().filter(scene).step_by(24) {
        let of = json!({ "path": path, "settings": settings() });
        let table = page.ask("grognard/table", of.clone()).unwrap();
        assert!(table["width"].as_i64() > Some(0), "{path}");
        let figures = table["units"].as_array().unwrap().iter().flat_map(|unit| unit["figures"].as_array().unwrap());
        for figure in figures.filter(|figure| figure["name"] == "nv") {
            assert_eq!((&figure["low"], &figure["high"]), (&json!(0), &json!(6)), "{path}");
        }
        page.ask("grognard/dials", of.clone()).unwrap();
        // as it is shipped, everything that it expects holds
        let tested = page.ask("grognard/test", of.clone()).unwrap();
        assert!(tested["checks"].as_array().unwrap().iter().all(|check| check["holds"] == true), "{path}: {tested}");
        let run = page.ask("grognard/play", of).unwrap();
        assert!(run["ended"] == true || run["waits"].is_object(), "{path}");
    }
}

#[test]
fn a_dial_shows_which_expectations_of_a_scenario_no_longer_hold() {
    let mut page = Page::new();
    let of = |hit_on: &str| {
        let settings = json!({ "params": { "hit_on": hit_on }, "readings": {} });
        json!({ "path": "warstrike/scenarios/exchange-of-fire.toml", "settings": settings })
    };
    let holds = |reply: &Value| -> Vec<bool> {
        reply["checks"].as_array().unwrap().iter().map(|check| check["holds"] == true).collect()
    };
    assert_eq!(holds(&page.ask("grognard/test", of("4")).unwrap()), [true; 4]);
    let reply = page.ask("grognard/test", of("5")).unwrap();
    assert_eq!(holds(&reply), [false, true, false, false]);
    let why = reply["checks"][3]["why"].as_str().unwrap();
    assert!(why.ends_with("it is 48283756283/62762119218"), "{why}");
    assert_eq!(reply["checks"][1]["why"], Value::Null);
}

#[test]
fn a_text_tells_the_odds_of_its_tests_in_parts() {
    let mut page = Page::new();
    let reply = page.ask("grognard/odds", json!({ "path": "edits/dig-in.rules", "revision": 7 })).unwrap();
    assert_eq!(reply["revision"], 7);
    let path = "warstrike/leadership.rules";
    let reply = page.ask("grognard/odds", json!({ "path": path })).unwrap();
    let lenses = reply["lenses"].as_array().unwrap();
    assert!(!lenses.is_empty());
    for lens in lenses {
        let known = lens["holds"].is_boolean() || !lens["why"].is_null() || lens["measures"][0].is_object();
        assert!(known, "{lens}");
    }
}

#[test]
fn what_a_margin_said_before_an_edit_can_be_asked_behind_it() {
    let mut page = Page::new();
    let (path, rest) = ("warstrike/leadership.rules", "warstrike/core.rules");
    let first = page.ask("grognard/odds", json!({ "path": path })).unwrap();
    let before: Vec<String> = [path, rest].map(|path| text_of(&format!("rulesets/{path}"))).into();
    let put = |page: &mut Page, path: &str, text: &str| {
        page.ask("grognard/put", json!({ "path": path, "text": text })).unwrap();
    };
    // lines shift, a test is another one, and then the text has an error
    put(&mut page, path, &format!("{}\n", before[0].replacen("pass when", "\n  pass when not", 1)));
    put(&mut page, rest, &before[1].replacen("\nproc ", "\nprok ", 1));
    assert!(page.ask("grognard/odds", json!({ "path": path })).is_err());
    put(&mut page, rest, &format!("{}\nparam further = 1\n", before[1]));
    let edited = page.ask("grognard/odds", json!({ "path": path })).unwrap();
    assert_ne!(edited["lenses"], first["lenses"]);
    let asked = json!({ "path": path, "texts": { path: before[0], rest: before[1] } });
    assert_eq!(page.ask("grognard/odds", asked.clone()).unwrap(), first);
    put(&mut page, path, "nothing of the kind");
    assert_eq!(page.ask("grognard/odds", asked).unwrap(), first);
}

#[test]
fn what_is_answered_is_of_the_texts_as_they_stand() {
    let mut page = Page::new();
    let text = text_of("rulesets/warstrike/core.rules");
    let document = json!({ "uri": "file:///warstrike/core.rules", "languageId": "rules", "version": 1, "text": text });
    page.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let change = json!({ "textDocument": { "uri": "file:///warstrike/core.rules", "version": 2 },
                         "contentChanges": [{ "text": text.replacen("\nproc ", "\nprok ", 1) }] });
    page.tell("textDocument/didChange", change);
    let text = page.ask("grognard/text", json!({ "path": "warstrike/core.rules" })).unwrap();
    assert!(text["text"] != text["shipped"] && text["text"].as_str().unwrap().contains("prok"));
    let why = page.ask("grognard/odds", json!({ "path": "warstrike/core.rules" })).unwrap_err();
    assert_eq!(why, "the rules have errors");
    let reply =
        page.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": "file:///warstrike/core.rules" } }));
    assert!(!reply.unwrap().as_array().unwrap().is_empty());
}

#[test]
fn a_dial_changes_the_report_and_is_kept_as_a_variant() {
    let mut page = Page::new();
    let path = "warstrike/scenarios/firefight.toml";
    let reply = page.ask("grognard/dials", json!({ "path": path, "settings": settings() })).unwrap();
    let hit = reply["params"].as_array().unwrap().iter().find(|dial| dial["name"] == "hit_on").unwrap().clone();
    assert_eq!(hit["value"], "4");
    // what asks for it, and the clauses of that: the page says which clause a change comes from
    let asks = hit["used"].as_array().unwrap();
    assert_eq!(asks.len(), 1, "{asks:?}");
    assert_eq!(asks[0]["title"], "How many hit, and how many are not saved");
    let cited: Vec<&Value> = asks[0]["clauses"].as_array().unwrap().iter().map(|clause| &clause["id"]).collect();
    assert!(cited.is_empty(), "a stand-in has no clause: {cited:?}");
    assert_eq!(asks[0]["place"]["path"], "warstrike/table.rules");
    assert!(hit["sweep"].as_array().unwrap().contains(&json!("5")));
    let set = json!({ "params": { "hit_on": "5" }, "readings": {} });
    let reply = page.ask("grognard/outlook", json!({ "path": path, "settings": set, "runs": 60 })).unwrap();
    let args = ["simulate", path, "--runs", "60", "--set", "hit_on=5", "--format", "json"];
    // as many as are reply in several parts
    let more = page.ask("grognard/outlook", json!({ "path": path, "settings": settings(), "runs": 700 })).unwrap();
    assert_eq!(more["finding"], printed(&["simulate", path, "--runs", "700", "--format", "json"]));
    assert_eq!(reply["finding"], printed(&args));
    let variant = json!({ "path": path, "settings": set, "name": "harder", "title": "Harder to hit" });
    let variant = page.ask("grognard/variant", variant).unwrap();
    assert_eq!(variant["path"], "warstrike/harder.rules");
    page.ask("grognard/put", json!({ "path": variant["path"], "text": variant["text"] })).unwrap();
    let of = json!({ "path": path, "settings": settings(), "rules": "warstrike/harder", "runs": 60 });
    let with = page.ask("grognard/outlook", json!({ "path": path, "settings": set, "runs": 60 })).unwrap();
    // the scenario leaves it to the rules on what a shot hits, so the variant does what the dial did
    assert_eq!(page.ask("grognard/outlook", of).unwrap()["measures"], with["measures"]);
}

/// A page that is loaded anew compares with the texts as they came, while edited ones stand; and every number says of how many
/// runs it is.
#[test]
fn texts_as_they_came_are_asked_beside_edited_ones() {
    let mut page = Page::new();
    let core = "warstrike/table.rules";
    let came = page.ask("grognard/text", json!({ "path": core })).unwrap()["shipped"].as_str().unwrap().to_string();
    let edited = came.replace("a shot hits on\" = 4", "a shot hits on\" = 5");
    assert_ne!(edited, came);
    let path = "warstrike/scenarios/firefight.toml";
    let plain = json!({ "path": path, "settings": settings(), "runs": 40 });
    let before = page.ask("grognard/outlook", plain.clone()).unwrap();
    assert_eq!(before["measures"][0]["value"]["runs"], 40);
    page.ask("grognard/put", json!({ "path": core, "text": edited })).unwrap();
    let texts = json!({ core: came });
    let dials = page.ask("grognard/dials", json!({ "path": path, "settings": settings(), "texts": texts })).unwrap();
    let hit = dials["params"].as_array().unwrap().iter().find(|dial| dial["name"] == "hit_on").unwrap().clone();
    assert_eq!((&hit["book"], &hit["value"]), (&json!("4"), &json!("4")));
    let set = json!({ "params": { "hit_on": "5" }, "readings": {} });
    let now = page.ask("grognard/outlook", json!({ "path": path, "settings": set, "runs": 40 })).unwrap();
    let mut asked = plain;
    asked["texts"] = texts;
    let then = page.ask("grognard/outlook", asked).unwrap();
    assert_eq!(then["measures"], before["measures"]);
    assert_ne!(now["measures"], before["measures"]);
}

#[test]
fn the_page_of_a_code_is_told() {
    let mut page = Page::new();
    let reply = page.ask("grognard/explain", json!({ "code": "R0602" })).unwrap();
    assert!(reply["text"].as_str().unwrap().starts_with("# R0602: an item cites no clause"), "{reply}");
    assert!(page.ask("grognard/explain", json!({ "code": "R9999" })).is_err());
}

#[test]
fn a_unit_is_dragged_in_the_text() {
    let mut page = Page::new();
    let path = "warstrike/scenarios/firefight.toml";
    let table = page.ask("grognard/table", json!({ "path": path, "settings": settings() })).unwrap();
    let unit = |table: &Value, id: &str| {
        table["units"].as_array().unwrap().iter().find(|unit| unit["id"] == id).unwrap().clone()
    };
    let l2 = unit(&table, "l2");
    assert_eq!(
        (&l2["x"], &l2["y"], &l2["of"], &l2["side"]),
        (&json!(21000), &json!(8000), &json!("laans"), &json!("red"))
    );
    // a line is moved as a whole: the page draws it so
    let line = |id: &str| unit(&table, id)["line"].clone();
    assert!(line("l2").is_u64() && line("l1") == line("l2") && line("r1") != line("l1"));
    assert!(line("laans").is_null() && line("ditch").is_null());
    let edits = json!([{ "unit": "l2", "x": 23500, "y": 9250 }, { "unit": "laans", "figure": "nv", "value": "4" },
                       { "unit": "ditch", "x": 25000, "y": 30000 }]);
    let text = page.ask("grognard/edit", json!({ "path": path, "edits": edits })).unwrap()["text"].clone();
    page.ask("grognard/put", json!({ "path": path, "text": text })).unwrap();
    let table = page.ask("grognard/table", json!({ "path": path, "settings": settings() })).unwrap();
    assert_eq!((&unit(&table, "l2")["x"], &unit(&table, "l2")["y"]), (&json!(23500), &json!(9250)));
    assert_eq!(unit(&table, "l1")["x"], 22500);
    let nv = unit(&table, "laans")["figures"].as_array().unwrap().iter().find(|f| f["name"] == "nv").unwrap().clone();
    assert_eq!(nv["value"], "4");
    let own = text_of(&format!("rulesets/{path}"));
    let changed = own.lines().zip(text.as_str().unwrap().lines()).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 3);
}

#[test]
fn what_a_unit_sees_is_what_the_rules_see() {
    let mut page = Page::new();
    let (mut clear, mut blocked) = (0, 0);
    for name in ["behind-a-wall", "hold-the-farm"] {
        let whole = text_of(&format!("rulesets/warstrike/scenarios/{name}.toml"));
        let path = format!("warstrike/scenarios/{name}.toml");
        let ask = json!({ "path": path, "settings": settings() });
        let table = page.ask("grognard/table", ask.clone()).unwrap();
        assert_eq!(table["sight"], true);
        let mut expected = Vec::new();
        for unit in table["units"].as_array().unwrap() {
            let unit = unit["id"].as_str().unwrap();
            let ask = json!({ "path": path, "settings": settings(), "unit": unit });
            let reply = page.ask("grognard/sight", ask).unwrap();
            for seen in reply["seen"].as_array().unwrap() {
                let (to, sees) = (seen["to"].as_str().unwrap(), seen["sees"] == true);
                *(if sees { &mut clear } else { &mut blocked }) += 1;
                assert_eq!(seen["by"].as_array().is_none_or(Vec::is_empty), sees, "{unit} {seen}");
                expected.push(if sees { format!("{unit} sees {to}") } else { format!("not ({unit} sees {to})") });
            }
        }
        assert!(!expected.is_empty(), "{name}: {table}");
        // the same asked of the rules, before anything happens
        let head = whole.split("\n[[step]]").next().unwrap().split("\n[report]").next().unwrap();
        let runs = |line: &&str| !["start ", "repeat ", "mode ", "runs "].iter().any(|key| line.starts_with(key));
        let head: Vec<&str> = head.lines().filter(runs).collect();
        let first = table["units"].as_array().unwrap().iter().find(|unit| unit["x"].is_i64()).unwrap();
        let at = |key: &str| first[key].as_i64().unwrap() as f64 / 1000.0;
        let stays = format!("place {} at [{}, {}]", first["id"].as_str().unwrap(), at("x"), at("y"));
        let text = format!("{}\n[[step]]\ndo = \"{stays}\"\nexpect = {}\n", head.join("\n"), json!(expected));
        page.ask("grognard/put", json!({ "path": path, "text": text })).unwrap();
        let reply = page.ask("grognard/test", ask).unwrap();
        let checks = reply["checks"].as_array().unwrap();
        assert_eq!(checks.len(), expected.len());
        for check in checks {
            assert_eq!(check["holds"], true, "{check}");
        }
    }
    assert!(clear > 100 && blocked > 50, "{clear} {blocked}");
    // rules that ask nobody what he sees
    let path = "recoil/scenarios/along-the-wall.toml";
    assert_eq!(page.ask("grognard/table", json!({ "path": path, "settings": settings() })).unwrap()["sight"], false);
}

#[test]
fn a_run_is_its_script() {
    let mut page = Page::new();
    let path = "warstrike/scenarios/firefight.toml";
    let of = |script: Value| json!({ "path": path, "settings": settings(), "seed": 7, "script": script });
    let first = page.ask("grognard/play", of(json!([]))).unwrap();
    assert_eq!(first["waits"]["sort"], "choose");
    let line = first["waits"]["options"][0]["line"].clone();
    let second = page.ask("grognard/play", of(json!([{ "choose": line }, { "auto": true }]))).unwrap();
    assert!(second["misfit"].is_null(), "{}", second["misfit"]);
    assert_eq!(second["marks"].as_array().unwrap().len(), 3);
    // the lines of the story follow each other and cover all events up to the question
    let number = |line: &Value, key: &str| line[key].as_u64().unwrap();
    let story = second["story"].as_array().unwrap();
    assert!(story.len() > 2 && story[0]["event"] == "heading", "{story:?}");
    assert!(story.windows(2).all(|pair| {
        number(&pair[0], "n") <= number(&pair[1], "n") && number(&pair[0], "from") <= number(&pair[1], "from")
    }));
    let last = story.last().unwrap();
    assert!(number(last, "n") < second["events"].as_array().unwrap().len() as u64);
    let all = |lines: &Value, key: &str| -> Vec<Value> {
        lines.as_array().unwrap().iter().flat_map(|line| line[key].as_array().cloned().unwrap_or_default()).collect()
    };
    assert_eq!(all(&second["story"], "moved"), all(&second["events"], "moved"));
    let text: Vec<&str> = story.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert!(text.iter().any(|text| text.contains("(or: ")), "{text:?}");
    // a shorter script is the run as it was, and a page that knew nothing before sees the same
    assert_eq!(page.ask("grognard/play", of(json!([]))).unwrap(), first);
    assert_eq!(Page::new().ask("grognard/play", of(json!([{ "choose": line }, { "auto": true }]))).unwrap(), second);
    let wrong = page.ask("grognard/play", of(json!([{ "choose": "no such thing" }]))).unwrap();
    assert_eq!(wrong["misfit"]["at"], 0);
    assert_eq!(wrong["events"], first["events"]);
    // an answer that says what it was asked fits nothing else
    let asked = &first["waits"]["asked"];
    let fits = page.ask("grognard/play", of(json!([{ "choose": line, "asked": asked }]))).unwrap();
    assert!(fits["misfit"].is_null(), "{}", fits["misfit"]);
    let other = page.ask("grognard/play", of(json!([{ "choose": line, "asked": "fold of red" }]))).unwrap();
    let why = format!("expected an answer for `{}`, found one for `fold of red`", asked.as_str().unwrap());
    assert_eq!(other["misfit"], json!({ "at": 0, "why": why }));
    // nobody sits there: it plays as the scenario says; or one does, for one side
    let mut alone = of(json!([]));
    alone["as"] = json!([]);
    assert_eq!(page.ask("grognard/play", alone).unwrap()["ended"], true);
    let mut blue = of(json!([]));
    (blue["as"], blue["seed"]) = (json!(["blue"]), json!(1));
    assert_eq!(page.ask("grognard/play", blue).unwrap()["waits"]["who"], "blue");
    let mut saving = of(json!([{ "choose": line }]));
    saving["name"] = json!("mine");
    let saved = page.ask("grognard/save", saving).unwrap();
    assert_eq!(saved["path"], "warstrike/scenarios/mine.toml");
    assert!(saved["notes"].to_string().contains("not over, so nothing is expected"), "{}", saved["notes"]);
    page.ask("grognard/put", saved.clone()).unwrap();
    let table = page.ask("grognard/table", json!({ "path": saved["path"], "settings": settings() }));
    assert!(table.unwrap()["units"].as_array().unwrap().len() > 10);
    // one that is over says what came of it, which is judged when it is played again
    let mut over = of(json!([]));
    (over["as"], over["name"]) = (json!([]), json!("to-the-end"));
    let report = page.ask("grognard/play", over.clone()).unwrap()["report"].clone();
    let saved = page.ask("grognard/save", over).unwrap();
    let text = saved["text"].as_str().unwrap();
    assert!(text.contains("name = ") && text.contains("to the end") && saved["notes"] == json!([]), "{text}");
    page.ask("grognard/put", saved.clone()).unwrap();
    let tested = page.ask("grognard/test", json!({ "path": saved["path"], "settings": settings() })).unwrap();
    let checks = tested["checks"].as_array().unwrap();
    assert_eq!(checks.len(), report.as_array().unwrap().len(), "{text}");
    assert!(checks.iter().all(|check| check["holds"] == true), "{tested}");
    // and no longer holds where it is said otherwise
    let other = text.replace("(laans.present) == 6", "(laans.present) == 5");
    page.ask("grognard/put", json!({ "path": saved["path"], "text": other })).unwrap();
    let tested = page.ask("grognard/test", json!({ "path": saved["path"], "settings": settings() })).unwrap();
    assert!(tested["checks"].as_array().unwrap().iter().any(|check| check["holds"] == false), "{tested}");
}

/// What is asked of a unit, or of the group it stands in, is about it, whether or not an entry names it.
#[test]
fn a_unit_that_is_asked_has_the_whole_menu() {
    let mut page = Page::new();
    let menu = |page: &mut Page, unit: &str| {
        let path = "warstrike/scenarios/firefight.toml";
        let menu = page.ask("grognard/menu", json!({ "path": path, "settings": settings(), "unit": unit })).unwrap();
        menu["offered"].as_array().unwrap().len()
    };
    let whole = menu(&mut page, "laans");
    assert!(whole > 1);
    assert_eq!(menu(&mut page, "l1"), whole);
    assert!(menu(&mut page, "raiders") < whole);
}

/// The page and the program send the same requests to engines of their own.
#[test]
fn the_page_has_the_same_long_requests() {
    let text = text_of("studio/src/engine/wasm.ts");
    let line = text.lines().find_map(|line| line.strip_prefix("const LONG = new Set([")).unwrap();
    let names = line.split(']').next().unwrap().split(", ").map(|name| name.trim_matches('\''));
    let long: Vec<String> = names.map(|name| format!("grognard/{name}")).collect();
    assert!(long.iter().all(|name| is_long(name)), "{long:?}");
    let all = text_of("studio/src/protocol.ts");
    let all = all.lines().filter_map(|line| line.trim().strip_prefix('\'')?.split('\'').next());
    assert_eq!(all.filter(|name| is_long(name)).count(), long.len());
}

#[test]
fn what_nobody_understands_is_told() {
    let mut page = Page::new();
    let mut reply = String::new();
    page.engine.send("{", &mut |text| reply = text);
    assert!(reply.contains("-32700"));
    assert!(page.ask("grognard/nothing", json!({})).unwrap_err().contains("is not known"));
    assert!(page.ask("grognard/odds", json!({ "path": 3 })).is_err());
    assert!(page.ask("grognard/table", json!({ "path": "no/such.toml" })).unwrap_err().contains("there is no file"));
}

#[test]
fn a_test_that_gives_a_number_shows_how_often_each_comes() {
    let mut page = Page::new();
    let rules = "ruleset mine/volley version \"1\"\n\ntest Fire(shots: 0..10) {\n  roll aim = shots of d6\n  let hits = count aim >= 5\n}\n\n\
                 example \"three shots\" for Fire(3) rolling aim = [5, 5, 1] { hits = 2 }\n";
    page.ask("grognard/put", json!({ "path": "mine/volley.rules", "text": rules })).unwrap();
    let all = page.ask("grognard/odds", json!({ "path": "mine/volley.rules" })).unwrap();
    let measures = all["lenses"][0]["measures"].as_array().unwrap();
    let hits = measures.iter().find(|measure| measure["measure"] == "hits").unwrap();
    let bars: Vec<(&str, &str)> = hits["bars"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bar| (bar["value"].as_str().unwrap(), bar["chance"]["fraction"].as_str().unwrap()))
        .collect();
    assert_eq!(bars, [("0", "8/27"), ("1", "4/9"), ("2", "2/9"), ("3", "1/27")]);
}

#[test]
fn an_extern_test_that_has_a_default_shows_its_odds() {
    let mut page = Page::new();
    let rules = "ruleset mine/open version \"1\"\n\nextern test Fire(shots: Int) \"A volley\"\n  gives hits: Int\n  default {\n    \
                 roll aim = shots of d6\n    let hits = count aim >= 5\n  }\n\n\
                 example \"two shots\" for Fire(2) { chance hits == 0 = 4/9 }\n";
    page.ask("grognard/put", json!({ "path": "mine/open.rules", "text": rules })).unwrap();
    let reply = page.ask("grognard/odds", json!({ "path": "mine/open.rules" })).unwrap();
    let lens = reply["lenses"].as_array().unwrap().iter().find(|lens| lens["id"] == "test Fire").unwrap();
    assert_eq!((&lens["title"], &lens["at"]), (&json!("A volley"), &json!("two shots")), "{lens}");
    assert_eq!(lens["measures"][0]["bars"].as_array().map(Vec::len), Some(3), "{lens}");
    let whole = page.ask("grognard/distribution", json!({ "path": "mine/open.rules", "lens": "test Fire" })).unwrap();
    assert_eq!(whole["title"], "A volley");
}

/// The margin follows the dials, but for what an example sets or claims.
#[test]
fn the_odds_of_a_test_follow_the_dials() {
    let mut page = Page::new();
    let rules = "ruleset mine/dial version \"1\"\n\nparam need \"Needed\" = 4 sweep 2 .. 6\nreading ties \"A tie\"\n  = Miss or Hit\n  \
                 because \"nothing is said\"\n  default because \"a hit is more than that\"\n\n\
                 test Shot() { roll aim = d6; pass when aim > need or aim == need and ties == Hit }\n\
                 test Late() { roll aim = d6; pass when aim > need }\n\n\
                 example \"a shot\" for Shot() { chance passed = 1/3 }\n\
                 example \"late\" for Late() under need = 5 { chance passed = 1/6 }\n";
    page.ask("grognard/put", json!({ "path": "mine/dial.rules", "text": rules })).unwrap();
    let mut chances = |settings: Value| -> Vec<String> {
        let asked = json!({ "path": "mine/dial.rules", "settings": settings });
        let all = page.ask("grognard/odds", asked).unwrap();
        let lenses = all["lenses"].as_array().unwrap();
        assert!(lenses[2]["holds"] == true && lenses[3]["holds"] == true, "{all}");
        let reply = |lens: &Value| lens["measures"][0]["value"]["fraction"].as_str().unwrap_or("none").to_string();
        let whole = json!({ "path": "mine/dial.rules", "lens": "test Shot", "settings": settings });
        let whole = page.ask("grognard/distribution", whole).unwrap();
        lenses[..2].iter().chain([&whole]).map(reply).collect()
    };
    assert_eq!(chances(settings()), ["1/3", "1/6", "1/3"]);
    let turned = json!({ "params": { "need": "3", "gone": "1" }, "readings": { "ties": "Hit" } });
    assert_eq!(chances(turned), ["2/3", "1/6", "2/3"]);
}

#[test]
fn a_dial_of_a_param_that_is_not_there_turns_nothing() {
    let mut page = Page::new();
    let path = "warstrike/scenarios/exchange-of-fire.toml";
    let none = page.ask("grognard/outlook", json!({ "path": path, "settings": settings() })).unwrap();
    let other = json!({ "params": { "renamed": "3" }, "readings": {} });
    let found = page.ask("grognard/outlook", json!({ "path": path, "settings": other })).unwrap();
    assert_eq!(found["measures"], none["measures"]);
    assert!(none["measures"][0]["value"].is_object());
}

#[test]
fn the_page_takes_the_runs_of_a_scenario() {
    let mut page = Page::new();
    let rules = "ruleset g/few\nparam need \"Needed\" = 4 sweep 3 .. 4\nkind U { state n : 0..1 = 0 }
proc go(u: U) {\n roll d = d6\n if d >= need { set u.n = 1 }\n}\n";
    let scene = "rules = \"g/few\"\nmode = \"sampled\"\nruns = 48\n[U.u]\n[[step]]\ndo = \"do go(u)\"\n[report]\nmean = [\"u.n\"]\n";
    let person = scene.replace("[U.u]", "[players]\nu = \"prompt\"\n[U.u]");
    for (path, text) in [("g/few.rules", rules), ("g/s.toml", scene), ("g/p.toml", &person)] {
        page.ask("grognard/put", json!({ "path": path, "text": text })).unwrap();
    }
    let of = |path: &str| json!({ "path": path, "settings": settings(), "dials": ["need"] });
    assert_eq!(page.ask("grognard/readings", of("g/s.toml")).unwrap()["all"], 48);
    assert_eq!(page.ask("grognard/sweep", of("g/s.toml")).unwrap()["points"].as_array().unwrap().len(), 2);
    assert!(page.ask("grognard/sweep", of("g/p.toml")).unwrap_err().contains("a person answers"));
}
