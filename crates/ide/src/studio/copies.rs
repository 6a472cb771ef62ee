//! Copies of a shipped game under another name, and the games of the gallery.

use super::Engine;
use super::requests::read;
use grognard_base::OrdMap;
use serde::Deserialize;
use serde_json::{Value, json};

/// The gallery: its games in order of mechanism.
const GALLERY: &str = "gallery/gallery.toml";

/// Names for the texts of a copy.
pub struct CopyNames<'n> {
    /// The ruleset, such as `my-duel/game`.
    pub rules: &'n str,
    /// The folder of the scenarios, such as `my-duel/scenarios`.
    pub scenarios: &'n str,
}

/// Copies the game with the ruleset `of` from `texts`: its rules, then its scenarios, each with its path. The first scenario is that with
/// the name of the game. Returns `None` if there is no such game.
pub fn copied(texts: &[(&str, &str)], of: &str, names: &CopyNames<'_>) -> Option<Vec<(String, String)>> {
    let (folder, game) = of.split_once('/')?;
    let text = texts.iter().find(|(path, _)| path.strip_suffix(".rules") == Some(of))?.1;
    let head = text.lines().next()?;
    let body = text.strip_prefix(head)?;
    let mut files = vec![(format!("{}.rules", names.rules), format!("ruleset {} version \"0.1\"{body}", names.rules))];
    let below = format!("{folder}/scenarios/");
    let (own, base) = (format!("rules = \"{of}\""), format!("base = \"{game}.toml\""));
    let mut scenarios: Vec<(&str, &str)> = texts
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix(&below)?, *text)))
        .filter(|(_, text)| text.lines().any(|line| line == own || line == base))
        .collect();
    grognard_base::order::sort_by_key(&mut scenarios, |(file, _)| file.strip_suffix(".toml") != Some(game));
    for (file, text) in scenarios {
        let text = text.replacen(&own, &format!("rules = \"{}\"", names.rules), 1);
        files.push((format!("{}/{file}", names.scenarios), text));
    }
    Some(files)
}

#[derive(Deserialize)]
struct CopyParams {
    /// The ruleset of the game.
    of: String,
    /// The folder of the copy.
    folder: String,
}

/// Returns the texts of a copy of a shipped game, its rules, and its first scenario.
pub fn copy(engine: &Engine, params: Value) -> Result<Value, String> {
    let CopyParams { of, folder } = read(params)?;
    let (rules, scenarios) = (format!("{folder}/game"), format!("{folder}/scenarios"));
    let names = CopyNames { rules: &rules, scenarios: &scenarios };
    let files = copied(engine.texts.all_shipped(), &of, &names).ok_or_else(|| format!("there is no game `{of}`"))?;
    Ok(game(&files))
}

/// Returns the texts of a new game with its rules and its first scenario.
pub fn game(files: &[(String, String)]) -> Value {
    let named = |n: usize| files.get(n).map(|(path, _)| path);
    let texts: OrdMap<&str, &str> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    json!({ "path": named(0), "scene": named(1), "texts": texts })
}

/// Returns the games of the gallery.
pub fn gallery(engine: &Engine) -> Result<Value, String> {
    let text = engine.texts.shipped(GALLERY).unwrap_or_default();
    let table: toml::Table = toml::from_str(text).map_err(|why| why.to_string())?;
    Ok(json!({ "games": table.get("game") }))
}
