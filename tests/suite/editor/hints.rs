//! Inlay hints, signature help, links, and the action that makes a param of a number.

use super::*;

const PATH: &str = "game/core.rules";
const BASE: &str = "ruleset game/base\n\nlet reach = 6\"\n";
const TEXT: &str = "ruleset game/core extends game/base

param need = 4  sweep 3 .. 5

kind Side \"A side\" { state pips : 0..60 = 0 }

let far(n: Int, more: Int) = n + more

let near = far(3, 2)

phase Go(s: Side) \"Goes\" {
  let total = far(need, 7)
  let plain = 5
  set s.pips = total + far(1, 1) + plain + near
}
";

fn open(text: &str) -> Session {
    let mut session = Session::start();
    session.open("game/base.rules", BASE);
    session.open(PATH, text);
    session.settle();
    assert_eq!(session.problems.get(PATH).map_or(0, |all| all.as_array().unwrap().len()), 0, "{:?}", session.problems);
    session
}

fn document() -> Value {
    json!({ "uri": Session::uri(PATH) })
}

fn after(what: &str) -> usize {
    TEXT.find(what).unwrap() + what.len()
}

#[test]
fn the_server_announces_them() {
    let abilities = grognard_ide::lsp::abilities();
    assert_eq!(abilities["inlayHintProvider"], json!(true));
    assert_eq!(abilities["signatureHelpProvider"]["triggerCharacters"], json!(["(", ","]));
    assert!(abilities["documentLinkProvider"].is_object());
    assert_eq!(abilities["codeActionProvider"]["codeActionKinds"], json!(["quickfix", "refactor.extract"]));
}

#[test]
fn inferred_types_are_hints() {
    let mut session = open(TEXT);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = session.ask("textDocument/inlayHint", json!({ "textDocument": document(), "range": range })).unwrap();
    let hints: Vec<(usize, &str, u64)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| (byte(TEXT, &hint["position"]), hint["label"].as_str().unwrap(), hint["kind"].as_u64().unwrap()))
        .collect();
    let (need, total) = (after("param need"), after("let total"));
    assert_eq!((hints[0].0, hints[0].2), (need, 1), "{hints:?}");
    assert!(hints.iter().any(|hint| (hint.0, hint.2) == (total, 1)), "{hints:?}");
    // a literal shows its type, and the value of `near` does not
    let of_near = [after("let near"), after("let near = far(3, 2)")];
    assert_eq!(hints.iter().filter(|hint| !of_near.contains(&hint.0)).count(), 2, "{hints:?}");
    session.end();
}

#[test]
fn values_that_depend_only_on_settings_are_hints() {
    let text = "ruleset game/core extends game/base

param need = 4  sweep 3 .. 5
state light : 0..9 = 3

let half = need / 2 rounded up
let plain = 5
let twice = half + half
let long = reach * 2
let chance = 1 / 6
let dim = light - 1
let more(n: Int) = n + need
let broken = 1 / (need - 4)
";
    let mut session = Session::start();
    session.open("game/base.rules", BASE);
    session.open(PATH, text);
    session.settle();
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = session.ask("textDocument/inlayHint", json!({ "textDocument": document(), "range": range })).unwrap();
    let label = |hint: &Value| hint["label"].as_str().unwrap().to_string();
    let lines = |hint: &Value| hint["position"]["line"].as_u64().unwrap();
    let values: Vec<(u64, String)> = found.as_array().unwrap().iter().map(|hint| (lines(hint), label(hint))).collect();
    let values: Vec<(u64, &str)> =
        values.iter().filter_map(|(line, hint)| Some((*line, hint.strip_prefix(" = ")?))).collect();
    assert_eq!(values, [(5, "2"), (7, "4"), (8, "12\"")]);
    session.end();
}

#[test]
fn a_call_shows_its_signature() {
    let mut session = open(TEXT);
    let mut at = |byte: usize| session.ask_at("textDocument/signatureHelp", PATH, byte, Value::Null).unwrap();
    let first = at(after("let near = far("));
    assert_eq!(first["signatures"][0]["label"], "far(n: Int, more: Int)");
    assert_eq!(
        (&first["activeParameter"], &first["signatures"][0]["parameters"][1]["label"]),
        (&json!(0), &json!("more: Int"))
    );
    assert_eq!(at(after("far(1, "))["activeParameter"], json!(1));
    assert_eq!(at(after("far(need, "))["activeParameter"], json!(1));
    assert_eq!(at(after("let plain = ")), Value::Null);
    // while the text has an error, and for a built-in function
    let end = after("let plain = 5");
    session.edit(PATH, end - 1, end, "max(far(");
    let found = session.ask_at("textDocument/signatureHelp", PATH, end - 1 + "max(far(".len(), Value::Null).unwrap();
    assert_eq!(found["signatures"][0]["label"], "far(n: Int, more: Int)");
    let found = session.ask_at("textDocument/signatureHelp", PATH, end - 1 + "max(".len(), Value::Null).unwrap();
    assert!(found["signatures"][0]["label"].as_str().unwrap().starts_with("max("), "{found}");
    session.end();
}

#[test]
fn actions_and_tests_show_their_signatures() {
    let text = "ruleset game/core

kind Squad { state pips : 0..60 = 0 }

test Nerve(s: Squad, more: Int) \"Nerve\" {
  roll die = d6
  pass when die + more >= 4
}

phase Turn(s: Squad) { choose action by s }

action Rally \"Rallies\" in Turn by unit {
  choose unit in Squad
  choose other in Squad where other != unit
  let tried = test Nerve(unit, 2)
  if tried.passed { set other.pips += 1 }
}

example \"rally\" for Turn(s), t: Squad rolling 6 choosing action = Rally(s, t) { t.pips = 1 }
";
    let mut session = Session::start();
    session.open(PATH, text);
    session.settle();
    assert_eq!(session.problems.get(PATH).map_or(0, |all| all.as_array().unwrap().len()), 0, "{:?}", session.problems);
    for (call, label, about) in [
        ("test Nerve(", "Nerve(s: Squad, more: Int)", "Nerve"),
        ("test Nerve(unit, ", "Nerve(s: Squad, more: Int)", "Nerve"),
        ("= Rally(s, ", "Rally(unit, other)", "Rallies"),
    ] {
        let at = text.rfind(call).unwrap() + call.len();
        let found = session.ask_at("textDocument/signatureHelp", PATH, at, Value::Null).unwrap();
        assert_eq!(found["signatures"][0]["label"], label, "{call}");
        assert_eq!(found["signatures"][0]["documentation"], about, "{call}");
        assert_eq!(found["activeParameter"], json!(call.matches(',').count()), "{call}");
    }
    session.end();
}

#[test]
fn the_base_is_a_link() {
    let mut session = open(TEXT);
    let found = session.ask("textDocument/documentLink", json!({ "textDocument": document() })).unwrap();
    assert_eq!(found[0]["target"], Session::uri("game/base.rules"));
    assert_eq!(byte(TEXT, &found[0]["range"]["start"]), TEXT.find("game/base").unwrap());
    session.end();
}

#[test]
fn a_number_becomes_a_param() {
    let mut session = open(TEXT);
    let mut ask = |byte: usize| {
        let at = position(TEXT, byte);
        let range = json!({ "start": at, "end": at });
        session.ask("textDocument/codeAction", json!({ "textDocument": document(), "range": range })).unwrap()
    };
    let found = ask(TEXT.find("let plain = 5").unwrap() + "let plain = ".len());
    assert_eq!((&found[0]["title"], &found[0]["kind"]), (&json!("make a param of `5`"), &json!("refactor.extract")));
    let edits = found[0]["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
    let mut text = TEXT.to_string();
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|e| (byte(TEXT, &e["range"]["start"]), byte(TEXT, &e["range"]["end"]), e["newText"].as_str().unwrap()))
        .collect();
    edits.sort_unstable();
    edits.iter().rev().for_each(|(start, end, new)| text.replace_range(*start..*end, new));
    assert!(text.contains("sweep 3 .. 5\nparam go_number = 5\n") && text.contains("let plain = go_number\n"), "{text}");
    // the number of a param stays
    assert_eq!(ask(TEXT.find("= 4").unwrap() + 2), json!([]));
    session.end();
    open(&text).end();
}
