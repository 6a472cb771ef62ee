//! Returns the table of a scenario for drawing, in thousandths of an inch, and applies drags to its text.

use super::Engine;
use super::requests::read;
use super::scenes::{Of, Unbound, scene};
use super::units::{kinds, tree};
use grognard_base::Sources;
use grognard_base::value::{KindId, Range, Type, fixed};
use grognard_board::{LIMIT, Point, Shape};
use grognard_play::map::{groups, owner};
use grognard_program::Detail;
use grognard_report::play::figures;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{self as scenario, Entry, Node};
use grognard_vm::{Game, Sight, State, granted};
use serde::Deserialize;
use serde_json::{Value, json};

/// Returns the table of a scenario before its first step.
pub fn table(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let of: Of = read(params)?;
    let scene = scene(engine, &of, Detail::Plain)?;
    let mut table = drawn(&scene.scenario.game, &scene.scenario.game.start);
    table["kinds"] = kinds(&scene.scenario.game);
    let text = engine.texts.get(&of.path).unwrap_or_default();
    // A thing in a line of the scenario moves with the whole line.
    if let (Ok(document), Some(units)) = (document(engine, &of.path, &text), table["units"].as_array_mut()) {
        for unit in units {
            let Some(id) = unit["id"].as_str() else { continue };
            if let Some((line, _)) = line_of(&document, id) {
                let own = own(&document, id).is_some();
                unit["line"] = json!(line.first().map(|entry| entry.node.span.start));
                unit["own"] = json!(own);
            }
        }
    }
    Ok(table)
}

/// Returns the positions of all things in a state.
pub fn drawn(game: &Game, state: &State) -> Value {
    let rules = &game.program.schema;
    let (mut areas, mut barriers, mut units) = (Vec::new(), Vec::new(), Vec::new());
    let groups = groups(game);
    let statuses = granted(game, state);
    for (k, names) in game.names.iter().enumerate() {
        let (kind, info) = (KindId::from(k), &rules.kinds[k]);
        for (n, name) in names.iter().enumerate() {
            let thing = n as i64;
            let body = game.body(state, kind, thing);
            let shown = figures(game, state, kind, thing);
            if let Some(body) = body.as_ref().filter(|body| !matches!(body.shape, Shape::Disc { .. })) {
                let points: Vec<Value> = body.outline().iter().map(|p| json!([p.x, p.y])).collect();
                let filled = matches!(&body.shape, Shape::Polygon(corners) if corners.len() > 2);
                let rendered = json!({ "id": name, "title": title(name, &shown), "points": points, "sort": info.name });
                if filled {
                    areas.push(rendered)
                } else {
                    barriers.push(rendered)
                }
                continue;
            }
            let rows = shown.iter().map(|(id, value)| {
                let field = &rules.fields[id.at()];
                let stored = matches!(field.sort, FieldSort::Stat | FieldSort::State);
                let choices: Vec<&str> = match field.ty.present() {
                    Type::Enum(id) => rules.enums[id.at()].cases.iter().map(String::as_str).collect(),
                    Type::Flag => vec!["yes", "no"],
                    _ => Vec::new(),
                };
                let title = &rules.items[field.item.at()].title;
                let title = if title.is_empty() { &field.name } else { title };
                let mut row =
                    json!({ "name": field.name, "title": title, "value": value, "given": stored, "choices": choices });
                if let Type::Int(range) = field.ty.present()
                    && *range != Range::ALL
                {
                    (row["low"], row["high"]) = (json!(range.low), json!(range.high));
                }
                row
            });
            let alive = state.cells.get(game.layout.kinds[k].alive + n).is_none_or(|cell| *cell != 0);
            let bears = statuses.iter().filter(|(_, bearer)| bearer == name).map(|(status, _)| status);
            let mut unit = json!({
                "id": name,
                "title": name,
                "kind": info.name,
                "side": owner(game, kind, thing).unwrap_or_default(),
                "base": {},
                "alive": alive,
                "figures": rows.collect::<Vec<Value>>(),
                "statuses": bears.collect::<Vec<&String>>(),
            });
            if let Some(group) = groups.get(&(kind, thing)) {
                unit["of"] = json!(group);
            }
            if let Some(body) = body {
                (unit["x"], unit["y"], unit["facing"]) = (json!(body.at.x), json!(body.at.y), json!(body.facing));
                if let Shape::Disc { radius } = body.shape {
                    unit["base"] = json!({ "round": 2 * radius });
                }
            }
            units.push(unit);
        }
    }
    let (width, height) = if game.size.0 < LIMIT && game.size.1 < LIMIT { game.size } else { (48_000, 48_000) };
    let sight = game.has_sight();
    json!({ "width": width, "height": height, "areas": areas, "barriers": barriers, "units": units, "sight": sight })
}

#[derive(Deserialize)]
struct SightParams {
    #[serde(flatten)]
    of: Of,
    unit: String,
}

/// Returns the lines of sight of a unit before the first step: one to each other thing on the table, except terrain. A
/// blocked line includes its obstacles.
pub fn sight(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let SightParams { of, unit } = read(params)?;
    let scene = Unbound::find(engine, of)?.bind(Detail::Plain)?;
    let game = &scene.scenario.game;
    let own = game.thing(&unit).ok_or_else(|| format!("the scenario has no `{unit}`"))?;
    let mut seen = Vec::new();
    for (k, names) in game.names.iter().enumerate() {
        for (n, name) in names.iter().enumerate() {
            let other = (KindId::from(k), n as i64);
            let body = game.body(&game.start, other.0, other.1);
            if other == own || body.is_some_and(|body| !matches!(body.shape, Shape::Disc { .. })) {
                continue;
            }
            if let Some(sight) = game.sight(&game.start, own, other) {
                seen.push(line_of_sight(game, name, &sight));
            }
        }
    }
    Ok(json!({ "unit": unit, "seen": seen }))
}

fn line_of_sight(game: &Game, to: &str, sight: &Sight) -> Value {
    let point = |p: &Point| json!([p.x, p.y]);
    match sight {
        Sight::Clear(p, q) => json!({ "to": to, "sees": true, "line": [point(p), point(q)] }),
        Sight::Blocked { line: (p, q), stop, by } => {
            let by: Vec<String> = by.iter().map(|(kind, thing)| game.name(*kind, *thing)).collect();
            json!({ "to": to, "sees": false, "line": [point(p), point(q)], "stop": point(stop), "by": by })
        }
    }
}

/// Returns a name with the fields whose values are names.
fn title(name: &str, shown: &[(grognard_base::value::FieldId, String)]) -> String {
    let words = shown.iter().map(|(_, value)| value.as_str());
    let words: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).collect();
    if words.is_empty() { name.to_string() } else { format!("{name}: {}", words.join(", ")) }
}

#[derive(Deserialize)]
struct Edits {
    path: String,
    edits: Vec<TableEdit>,
}

#[derive(Deserialize)]
struct TableEdit {
    unit: String,
    x: Option<i64>,
    y: Option<i64>,
    facing: Option<i64>,
    figure: Option<String>,
    value: Option<String>,
}

/// Returns the text of a scenario after a drag or a change of a field, with the places of its entries. All other text
/// is unchanged.
pub fn edit(engine: &mut Engine, params: Value) -> Result<Value, String> {
    let Edits { path, edits } = read(params)?;
    let mut text = engine.texts.get(&path).ok_or_else(|| format!("there is no file {path}"))?;
    for edit in &edits {
        if let (Some(x), Some(y)) = (edit.x, edit.y) {
            text = moved(engine, &path, text, &edit.unit, (x, y))?;
        }
        if let Some(facing) = edit.facing {
            text = put(engine, &path, text, &edit.unit, "facing", &fixed(facing, 100))?;
        }
        if let (Some(figure), Some(value)) = (&edit.figure, &edit.value) {
            text = put(engine, &path, text, &edit.unit, figure, &as_toml(value))?;
        }
    }
    let document = document(engine, &path, &text).ok();
    Ok(json!({ "text": text, "tree": document.as_ref().map(tree) }))
}

/// Formats a value as TOML.
fn as_toml(value: &str) -> String {
    let value = value.trim().trim_end_matches(['"', '°']).trim_start_matches('"');
    let number = value.contains(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.'));
    match value {
        "true" | "yes" => "true".into(),
        "false" | "no" => "false".into(),
        value if number => value.into(),
        value => toml::Value::String(value.into()).to_string(),
    }
}

/// Parses a scenario with its base scenarios.
fn document(engine: &Engine, path: &str, text: &str) -> Result<scenario::Document, String> {
    let mut aside = Sources::default();
    scenario::read(path, text.to_string(), &*engine.texts, &mut aside)
        .map_err(|found| super::scenes::rendered(&found, &aside))
}

/// Moves a thing: changes its own `at`, or that of the line that contains it, which moves the whole line.
fn moved(engine: &Engine, path: &str, text: String, unit: &str, (x, y): (i64, i64)) -> Result<String, String> {
    let document = document(engine, path, &text)?;
    if let Some((line, n)) = line_of(&document, unit) {
        let pair = |key: &str| scenario::get(line, key).and_then(|entry| point(&entry.node));
        let (step, at) = (pair("step").unwrap_or((0, 0)), scenario::get(line, "at"));
        let Some(at) = at.filter(|at| at.node.span.file == document.file) else {
            return Err(format!("{unit} is in a line of the scenario below; move it there"));
        };
        let first = (x - step.0 * n, y - step.1 * n);
        return Ok(replaced(text, &at.node, &place(first)));
    }
    put(engine, path, text, unit, "at", &place((x, y)))
}

fn place((x, y): (i64, i64)) -> String {
    format!("[{}, {}]", fixed(x, 1000), fixed(y, 1000))
}

fn point(node: &Node) -> Option<(i64, i64)> {
    let scenario::Value::List(list) = &node.value else { return None };
    let number = |node: &Node| match &node.value {
        scenario::Value::Number(text) => scenario::thousandths(text),
        _ => None,
    };
    Some((number(list.first()?)?, number(list.get(1)?)?))
}

/// Returns the line that contains a thing, and the index of the thing.
fn line_of<'d>(document: &'d scenario::Document, unit: &str) -> Option<(&'d [Entry], i64)> {
    let scenario::Value::List(lines) = &scenario::get(&document.entries, "line")?.node.value else { return None };
    lines.iter().filter_map(Node::table).find_map(|line| {
        let scenario::Value::List(ids) = &scenario::get(line, "ids")?.node.value else { return None };
        let n = ids.iter().position(|id| id.text() == Some(unit))?;
        Some((line, n as i64))
    })
}

/// Returns the entry of a thing, with the entry of its kind.
fn own<'d>(document: &'d scenario::Document, unit: &str) -> Option<(&'d Entry, &'d Entry)> {
    let mut kinds = document.entries.iter().filter(|entry| entry.key.starts_with(|c: char| c.is_ascii_uppercase()));
    kinds.find_map(|kind| Some((kind, scenario::get(kind.node.table()?, unit)?)))
}

/// Sets a field of a thing.
fn put(engine: &Engine, path: &str, text: String, unit: &str, key: &str, value: &str) -> Result<String, String> {
    let document = document(engine, path, &text)?;
    let Some((kind, thing)) = own(&document, unit) else {
        return Err(match line_of(&document, unit) {
            Some(_) => format!("{unit} is in a line; edit its values there"),
            None => format!("the scenario has no `{unit}`"),
        });
    };
    let figures = thing.node.table().unwrap_or_default();
    if let Some(figure) = scenario::get(figures, key).filter(|figure| figure.node.span.file == document.file) {
        return Ok(replaced(text, &figure.node, value));
    }
    let span = thing.node.span;
    let own = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    if span.file == document.file && own.starts_with('{') {
        let gap = if own.trim_matches(['{', '}', ' ']).is_empty() { " " } else { ", " };
        let end = span.start as usize + own.trim_end_matches('}').trim_end().len();
        let mut text = text;
        text.insert_str(end, &format!("{gap}{key} = {value}"));
        return Ok(text);
    }
    let head = format!("[{}.{unit}]", kind.key);
    if let Some(at) = text.find(&head) {
        let mut text = text;
        text.insert_str(at + head.len(), &format!("\n{key} = {value}"));
        return Ok(text);
    }
    Ok(format!("{}\n\n{head}\n{key} = {value}\n", text.trim_end()))
}

fn replaced(mut text: String, node: &Node, value: &str) -> String {
    let (start, end) = (node.span.start as usize, node.span.end as usize);
    if text.get(start..end).is_some() {
        text.replace_range(start..end, value);
    }
    text
}
