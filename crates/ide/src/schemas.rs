//! JSON Schemas of scenarios, project files and registers, for editors without the language server.
//!
//! They are generated from the tables of keys that the checkers use, so that both know the same keys. A schema does not know the
//! names of the rules: it accepts every kind, field, param and reading.

use grognard_rules::{CLAUSE_KEYS, STATUSES};
use grognard_scenario::keys::{Key, KeyForm, SOURCES, TABLE, THING};
use grognard_scenario::manifest::{KEYS, Sort};
use serde_json::{Map, Value, json};

/// The version of JSON Schema that editors support best.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns an object schema that accepts only these properties.
fn object(title: &str, properties: Map<String, Value>) -> Value {
    json!({
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Adds a description to a schema.
fn described(mut schema: Value, says: &str) -> Value {
    schema["description"] = json!(says);
    schema
}

/// Returns the schema of a project file.
pub fn project() -> Value {
    let folder = json!({ "type": "string", "minLength": 1 });
    let source = json!({ "type": "string", "examples": SOURCES });
    let of = |sort: Sort| match sort {
        Sort::Text => json!({ "type": "string" }),
        Sort::Folder => folder.clone(),
        Sort::Folders => json!({ "type": "array", "items": folder.clone() }),
        Sort::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Sort::Word(words) => json!({ "enum": words }),
        Sort::Players => json!({ "type": "object", "additionalProperties": source.clone() }),
    };
    let properties = KEYS.iter().map(|key| (key.name.to_string(), described(of(key.sort), key.says)));
    object("Grognard project file (grognard.toml)", properties.collect())
}

/// Returns the schema of a register of clauses.
pub fn clauses() -> Value {
    let statuses: Vec<&str> = STATUSES.iter().map(|(word, _)| *word).collect();
    let of = |key: &str| if key == "status" { json!({ "enum": statuses }) } else { json!({ "type": "string" }) };
    let properties: Map<String, Value> =
        CLAUSE_KEYS.iter().map(|(key, says)| (key.to_string(), described(of(key), says))).collect();
    let required: Vec<&str> = CLAUSE_KEYS.iter().map(|(key, _)| *key).filter(|key| *key != "decided").collect();
    let clause =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let list = described(json!({ "type": "array", "items": clause }), "the clauses of the book");
    object("Grognard register of clauses (clauses.toml)", Map::from_iter([("clause".to_string(), list)]))
}

/// Returns the schema of a scenario.
pub fn scenario() -> Value {
    let thing: Map<String, Value> =
        THING.iter().map(|key| (key.path.to_string(), described(form(key), key.says))).collect();
    let thing = json!({ "type": "object", "properties": thing });
    let mut schema = object("Grognard scenario", below(""));
    schema["patternProperties"] = json!({ "^[A-Z]": {
        "type": "object",
        "additionalProperties": thing,
        "description": "the things of a kind of the rules, by name",
    } });
    schema
}

/// Returns the properties whose paths are directly below a path.
fn below(path: &str) -> Map<String, Value> {
    let inner = |key: &&Key| match key.path.rsplit_once('.') {
        Some((above, _)) => above == path,
        None => path.is_empty(),
    };
    let name = |key: &Key| key.path.rsplit('.').next().unwrap_or_default().to_string();
    TABLE.iter().filter(inner).map(|key| (name(key), described(form(key), key.says))).collect()
}

fn form(key: &Key) -> Value {
    let text = json!({ "type": "string" });
    match key.form {
        KeyForm::Text => text,
        KeyForm::Texts => json!({ "anyOf": [text, { "type": "array", "items": text }] }),
        KeyForm::Measures => json!({ "anyOf": [
            text,
            { "type": "array", "items": text },
            { "type": "object", "additionalProperties": text },
        ] }),
        KeyForm::TextList => json!({ "type": "array", "items": text }),
        KeyForm::Count(least) => json!({ "type": "integer", "minimum": least }),
        KeyForm::NumberOrText => json!({ "type": ["number", "string"] }),
        KeyForm::Word(words) => json!({ "enum": words }),
        KeyForm::Pair => json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }),
        KeyForm::Table => json!({ "type": "object", "properties": below(key.path), "additionalProperties": false }),
        KeyForm::Names => json!({ "type": "object" }),
        KeyForm::Tables => {
            // the other keys of a line are fields, and those of a status are statuses
            let open = matches!(key.path, "line" | "status");
            let properties = below(key.path);
            json!({ "type": "array", "items": {
                "type": "object", "properties": properties, "additionalProperties": open,
            } })
        }
        KeyForm::Any => json!({}),
    }
}
