//! The start page of the studio: its figures are those of the engine.

use crate::common::{root, text_of};
use grognard_ide::studio::Engine;
use serde_json::{Value, json};

const FIGURES: &str = "studio/src/start/figures.json";
/// The line in the dice box, and the examples that the page names.
const LINE: &str = "4d6kh3";
const EXAMPLES: [&str; 3] = ["risk", "recoil", "reaction"];
/// The templates in the order of the page, with their sentences.
const TEMPLATES: [(&str, &str, &str); 4] = [
    ("duel", "Duel", "two fighters"),
    ("squads", "Squads", "fire and morale"),
    ("provinces", "Provinces", "who holds most"),
    ("cards", "Cards", "a deck, a turn"),
];

/// Returns an answer of the engine.
fn ask(engine: &mut Engine, method: &str, params: &Value) -> Value {
    let question = json!({ "jsonrpc": "2.0", "id": 1, "method": format!("grognard/{method}"), "params": params });
    let mut answer = Value::Null;
    engine.send(&question.to_string(), &mut |message| {
        let message: Value = serde_json::from_str(&message).unwrap();
        if message["id"] == 1 {
            answer = message;
        }
    });
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].take()
}

fn engine() -> Engine {
    Engine::new(grognard::shipped::SHIPPED, None)
}

#[test]
fn the_start_page_has_the_figures_of_the_engine() {
    let engine = &mut engine();
    let mut dice = ask(engine, "dice", &json!({ "text": LINE }));
    dice["text"] = json!(LINE);
    let template = |engine: &mut Engine, (name, title, says)| {
        let path = format!("templates/scenarios/{name}.toml");
        let found = ask(engine, "outlook", &json!({ "path": path, "settings": { "params": {}, "readings": {} } }));
        let figure = &found["measures"][0];
        assert_eq!(figure["value"]["label"], "exact", "{name}");
        json!({ "name": name, "title": title, "says": says, "figure": figure })
    };
    let templates: Vec<Value> = TEMPLATES.into_iter().map(|one| template(engine, one)).collect();
    let games = ask(engine, "gallery", &json!({}))["games"].take();
    let example = |name: &str| {
        let game = games.as_array().unwrap().iter().find(|game| game["name"] == name).unwrap();
        json!({ "name": name, "title": game["title"], "question": game["question"] })
    };
    let examples: Vec<Value> = EXAMPLES.into_iter().map(example).collect();
    let wanted = json!({ "dice": dice, "templates": templates, "examples": examples });
    let wanted = serde_json::to_string_pretty(&wanted).unwrap() + "\n";
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::write(root().join(FIGURES), &wanted).unwrap();
    }
    assert!(text_of(FIGURES) == wanted, "{FIGURES} differs from the engine: GROGNARD_PIN=1 writes it, then run studio/build");
}
