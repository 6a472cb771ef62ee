//! Dispatches the requests of the studio by name.

use super::{Asker, Engine, OWN, compare, copies, dice, odds, outlook, play, scenes, table, tests};
use grognard_base::{Code, OrdMap};
use grognard_scenario::scene::is_scene;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Requests that can take long, without their prefix.
const LONG: [&str; 9] =
    ["odds", "distribution", "outlook", "sweep", "compare", "readings", "test", "sight", "play/odds"];

/// Returns whether a request can take long, so that a second engine should answer it.
pub fn is_long(method: &str) -> bool {
    method.strip_prefix(OWN).is_some_and(|name| LONG.contains(&name))
}

/// Answers a request, or returns `None` if the name is unknown.
pub fn ask(engine: &mut Engine, method: &str, params: Value, asker: &mut Asker<'_>) -> Option<Result<Value, String>> {
    Some(match method {
        "books" => Ok(books(engine)),
        "text" => text(engine, params),
        "put" => put(engine, params),
        "explain" => explain(params),
        "cards" => Ok(json!({ "cards": crate::query::cards() })),
        "gallery" => copies::gallery(engine),
        "copy" => copies::copy(engine, params),
        "dice" => dice::dice(params, asker),
        "rule" => dice::rule(params, asker),
        "odds" => odds::odds(engine, params, asker),
        "distribution" => odds::distribution(engine, params, asker),
        "outlook" => outlook::outlook(engine, params, asker),
        "sweep" => outlook::sweep(engine, params, asker),
        "compare" => compare::compare(engine, params, asker),
        "readings" => compare::readings(engine, params, asker),
        "test" => tests::test(engine, params, asker),
        "dials" => scenes::dials(engine, params),
        "variant" => scenes::variant(engine, params),
        "table" => table::table(engine, params),
        "sight" => table::sight(engine, params),
        "edit" => table::edit(engine, params),
        "play" => play::play(engine, params),
        "play/odds" => play::play_odds(engine, params, asker),
        "menu" => play::menu(engine, params),
        "save" => play::saved(engine, params),
        _ => return None,
    })
}

/// Parses the params of a request.
pub fn read<P: DeserializeOwned>(params: Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|why| why.to_string())
}

/// Returns all texts, grouped by the first folder of their paths.
fn books(engine: &Engine) -> Value {
    let mut books: OrdMap<String, Vec<String>> = OrdMap::new();
    for path in engine.texts.paths() {
        let Some((book, _)) = path.split_once('/') else { continue };
        books.entry(book.to_string()).or_default().push(path);
    }
    let book = |(name, files): (String, Vec<String>)| {
        let scenario =
            |path: &&String| path.ends_with(".toml") && engine.texts.get(path).is_some_and(|text| is_scene(&text));
        let scenarios = files.iter().filter(scenario).map(|path| scenario_row(engine, path));
        let scenarios: Vec<Value> = scenarios.collect();
        json!({ "name": name, "title": name, "files": files, "scenarios": scenarios })
    };
    let books: Vec<Value> = books.into_iter().map(book).collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "books": books })
}

/// Returns a scenario with its name and its rules, from its top-level keys.
fn scenario_row(engine: &Engine, path: &str) -> Value {
    let text = engine.texts.get(path).unwrap_or_default();
    let key = |key: &str| {
        let line = text.lines().take_while(|line| !line.starts_with('[')).find_map(|line| {
            line.strip_prefix(key)?.trim_start().strip_prefix('=').map(|value| value.trim().trim_matches('"'))
        });
        line.unwrap_or_default().to_string()
    };
    let name = key("name");
    let title = if name.is_empty() { path.rsplit('/').next().unwrap_or(path).to_string() } else { name };
    json!({ "path": path, "title": title, "rules": key("rules") })
}

#[derive(Deserialize)]
struct PathRequest {
    path: String,
    text: Option<String>,
}

fn text(engine: &Engine, params: Value) -> Result<Value, String> {
    let PathRequest { path, .. } = read(params)?;
    let mut answer = json!({ "text": engine.texts.get(&path) });
    if let Some(shipped) = engine.texts.shipped(&path) {
        answer["shipped"] = json!(shipped);
    }
    Ok(answer)
}

fn put(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let PathRequest { path, text } = read(params)?;
    if !engine.texts.put(&path, text) {
        return Err("there are too many files".into());
    }
    engine.service.server.changed_elsewhere(&format!("file:///{path}"));
    Ok(json!({}))
}

#[derive(Deserialize)]
struct CodeRequest {
    code: String,
}

/// Returns the page of a diagnostic code.
fn explain(params: Value) -> Result<Value, String> {
    let CodeRequest { code } = read(params)?;
    let known = Code::of(&code).ok_or_else(|| format!("there is no code `{code}`"))?;
    Ok(json!({ "text": grognard_report::explain(known) }))
}
