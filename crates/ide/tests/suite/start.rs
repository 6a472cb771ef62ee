//! The start page of the studio: its figures are those of the engine, its games are small, and each card of the language can be inserted.

use grognard_ide::query::{Workspace, card, cards};
use grognard_ide::studio::Engine;
use grognard_kit::Shelf;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::rc::Rc;

#[path = "../../../../src/shipped.rs"]
mod shipped;

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

/// Returns the path of a file of the repository.
fn at(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap()
}

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
    Engine::new(shipped::SHIPPED, None)
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
        std::fs::write(at(FIGURES), &wanted).unwrap();
    }
    assert!(
        text_of(FIGURES) == wanted,
        "{FIGURES} differs from the engine: GROGNARD_PIN=1 writes it, then run studio/build"
    );
}

#[test]
fn the_templates_are_small_and_complete() {
    for (name, ..) in TEMPLATES {
        let rules = text_of(&format!("rulesets/templates/{name}.rules"));
        let begins = |word: &str| rules.lines().filter(|line| line.starts_with(word)).count();
        let clauses = rules.lines().filter(|line| line.get(1..2) == Some("-")).count();
        assert!(rules.lines().count() <= 60 && clauses >= 2 && begins("example ") >= 2, "{name}");
    }
}

/// Dice in another notation get the form of the language, and a description.
#[test]
fn a_line_of_dice_is_read_in_each_notation() {
    let engine = &mut engine();
    for (text, form, words, value) in [
        ("4d6kh3", "total(highest(3, 4 of d6))", "the highest 3 of 4 d6, added up", "15869/1296"),
        ("output [count {1,6} in 5d6]", "count k in 5 of d6 where k in [1, 6]", "how many of 5 d6 show 1 or 6", "5/3"),
        ("3d6", "3d6", "3 d6 added up", "21/2"),
        ("2d6+3", "2d6+3", "2 d6 added up plus 3", "10/1"),
        ("d20 + 5 >= 15", "d20 + 5 >= 15", "whether one d20 plus 5 is at least 15", "11/20"),
    ] {
        let found = ask(engine, "dice", &json!({ "text": text }));
        assert_eq!((&found["form"], &found["words"]), (&json!(form), &json!(words)), "{text}");
        assert_eq!(found["measures"][0]["value"]["fraction"], value, "{text}");
        assert_eq!(found["notes"], json!([]), "{text}");
    }
    let noted = ask(engine, "dice", &json!({ "text": "5d6 >= 5" }));
    assert!(noted["notes"][0].as_str().unwrap().ends_with("write `count 5 of d6 >= 5`"), "{noted}");
}

/// A game that is made from a line of dice has no problems, and its example holds.
#[test]
fn a_line_of_dice_becomes_a_game() {
    for text in
        ["4d6kh3", "5d6 hits 5+", "d20 + 5 >= 15", "d6!", "2d6 + d8 + d6", "a = d20; if a == 20 then 4d6 else 0"]
    {
        let engine = &mut engine();
        let asked = ask(engine, "dice", &json!({ "text": text }));
        let made = ask(engine, "rule", &json!({ "text": text, "folder": "my-roll" }));
        for (path, text) in made["texts"].as_object().unwrap() {
            ask(engine, "put", &json!({ "path": path, "text": text }));
        }
        let settings = json!({ "params": {}, "readings": {} });
        let margin = ask(engine, "odds", &json!({ "path": made["path"], "settings": settings }));
        let mut lenses = margin["lenses"].as_array().unwrap().iter();
        assert!(text == "d6!" || lenses.any(|lens| lens["holds"] == true), "{text}: {made}");
        let odds = ask(engine, "outlook", &json!({ "path": made["scene"], "settings": settings }));
        let fraction = |of: &Value| of["measures"][0]["value"]["fraction"].clone();
        assert_eq!(fraction(&odds), fraction(&asked), "{text}");
    }
}

/// A copy of each game that is shipped as an example has the same answers.
#[test]
fn a_copy_of_a_game_stands_alone() {
    let engine = &mut engine();
    let copy = ask(engine, "copy", &json!({ "of": "gallery/rally", "folder": "mine" }));
    let paths: Vec<&String> = copy["texts"].as_object().unwrap().keys().collect();
    assert_eq!(paths, ["mine/game.rules", "mine/scenarios/rally-led.toml", "mine/scenarios/rally.toml"]);
    assert_eq!(copy["scene"], "mine/scenarios/rally.toml");
    for (path, text) in copy["texts"].as_object().unwrap() {
        assert!(!text.as_str().unwrap().contains("gallery/"), "{text}");
        ask(engine, "put", &json!({ "path": path, "text": text }));
    }
    let tested = ask(
        engine,
        "test",
        &json!({ "path": "mine/scenarios/rally-led.toml", "settings": { "params": {}, "readings": {} } }),
    );
    let checks = tested["checks"].as_array().unwrap();
    assert!(!checks.is_empty() && checks.iter().all(|check| check["holds"] == true), "{tested}");
}

/// Each snippet fits into the template `squads`, where its card says.
#[test]
fn each_card_of_the_language_can_be_inserted() {
    let base = text_of("rulesets/templates/squads.rules");
    let mut tried = 0;
    for card in cards() {
        let Some(plain) = card.plain() else { continue };
        let plain = match card.place.as_deref() {
            Some("proc") => format!("proc tried(squad: Squad) {{\n{plain}\n}}"),
            Some("kind") => format!("extend kind Squad {{\n{plain}\n}}"),
            None => plain,
            Some(other) => panic!("{other}"),
        };
        let mut workspace = Workspace::new(Rc::new(Shelf::default()));
        workspace.set("templates/squads.rules", &format!("{base}\n{plain}\n"));
        let problems = workspace.problems("templates/squads.rules", []);
        let errors: Vec<String> =
            problems.iter().filter(|one| one.found.is_error()).map(|one| one.found.message.clone()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}\n{plain}", card.word);
        tried += 1;
    }
    assert!(tried >= 30, "{tried} snippets");
}

/// Each row of the cheat sheet has the form and the sentence of its card.
#[test]
fn the_cheat_sheet_is_that_of_the_cards() {
    let page = "docs/language/cheat-sheet.md";
    let text = text_of(page);
    let (before, rest) = text.split_once("<!-- table: cards -->\n").expect("the mark before the table");
    let (table, after) = rest.split_once("<!-- end -->").expect("the mark after the table");
    let row = |card: &grognard_ide::query::Card| {
        let form = card.form.as_ref().unwrap_or(&card.word);
        let (file, _) = card.more.split_once(".md").unwrap();
        format!("| `{form}` | {} | [{file}]({}) |\n", card.says, card.more)
    };
    let wanted: String = cards().iter().skip(10).map(row).collect();
    let wanted = format!("| form | what it does | more |\n|---|---|---|\n{wanted}");
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::write(at(page), format!("{before}<!-- table: cards -->\n{wanted}<!-- end -->{after}")).unwrap();
    } else {
        assert!(table == wanted, "{page} differs from the cards: GROGNARD_PIN=1 writes it");
    }
    let first: Vec<&str> = before.lines().filter(|line| line.starts_with("| [`")).collect();
    assert_eq!(first.len(), 10);
    for (line, card) in first.iter().zip(cards()) {
        let form = card.form.as_ref().unwrap_or(&card.word);
        assert!(
            line.starts_with(&format!("| [`{form}`](")) && line.contains(&format!(" | {} | ", card.says)),
            "{line}"
        );
    }
}

/// Completion and hover show the card of a keyword. A snippet is offered only on a line of its own.
#[test]
fn completion_and_hover_show_the_cards() {
    let mut workspace = Workspace::new(Rc::new(Shelf::default()));
    let text = "ruleset a/a\npara\nparam x = 1\n";
    workspace.set("a/a.rules", text);
    let offered = |line: &str| {
        let (_, found) = workspace.complete("a/a.rules", text.find(line).unwrap() + 3);
        found.into_iter().find(|one| one.label == "param").unwrap()
    };
    let param = card("param").unwrap();
    assert_eq!((offered("para\n").detail, offered("para\n").snippet), (param.says.clone(), param.snippet.clone()));
    assert_eq!(offered("param x").snippet, None);
    let hover = workspace.hover("a/a.rules", text.find("param x").unwrap()).unwrap();
    assert!(hover.text.contains(&param.says), "{}", hover.text);
}
