//! Adds, copies and deletes things in the text of a scenario. All other text is unchanged.

use super::table::{as_toml, line_of, own, place, point};
use grognard_base::OrdSet;
use grognard_base::value::Type;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{self as scenario, Document, Entry, Node};
use grognard_vm::Game;
use serde_json::{Value, json};
use std::ops::Range;

/// Returns all kinds with the fields that a scenario can set.
pub fn kinds(game: &Game) -> Value {
    let rules = &game.program.schema;
    let kinds = rules.kinds.iter().map(|kind| {
        let set = |field: &FieldSort| matches!(field, FieldSort::Stat | FieldSort::State | FieldSort::Link);
        let fields = kind.fields.iter().map(|id| &rules.fields[id.at()]).filter(|field| set(&field.sort));
        let fields = fields.filter(|field| !matches!(field.ty.present(), Type::List(_)) && field.keys.is_empty());
        let fields = fields.map(|field| {
            let title = &rules.items[field.item.at()].title;
            let title = if title.is_empty() { &field.name } else { title };
            let optional = !std::ptr::eq(field.ty.present(), &raw const field.ty);
            let mut row = json!({ "name": field.name, "title": title, "needed": field.default.is_none() && !optional });
            match field.ty.present() {
                Type::Enum(id) => row["choices"] = json!(rules.enums[id.at()].cases),
                Type::Flag => row["choices"] = json!(["yes", "no"]),
                Type::Kind(id) => row["choices"] = json!(game.names[id.at()]),
                Type::Int(range) => (row["low"], row["high"]) = (json!(range.low), json!(range.high)),
                _ => {}
            }
            row
        });
        json!({ "name": kind.name, "board": kind.on_board, "fields": fields.collect::<Vec<_>>() })
    });
    kinds.collect()
}

/// The lines of a thing: those of its entry, or its block from the header to the last line before the next one.
fn lines(text: &str, entry: &Entry) -> Range<usize> {
    let start = text[..entry.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    if text[start..].starts_with('[') {
        return start..start + block(&text[start..]);
    }
    let end = entry.node.span.end.max(entry.span.end) as usize;
    start..text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

/// Returns the length of the block whose header begins a text, without the blank lines and comments above the next header.
fn block(text: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if n > 0 && line.starts_with('[') {
            break;
        }
        at += line.len();
        if !line.trim().is_empty() && !line.starts_with('#') {
            end = at;
        }
    }
    end
}

/// Returns the lines of a `[[line]]` that contains this node.
fn line_lines(text: &str, node: &Node) -> Option<Range<usize>> {
    let start = text[..node.span.start as usize].rfind("[[line]]")?;
    Some(start..start + block(&text[start..]))
}

/// Returns a part of a text with changes at places of the whole text.
fn patched(text: &str, part: Range<usize>, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
    let mut found = text[part.clone()].to_string();
    for (at, value) in changes {
        found.replace_range(at.start - part.start..at.end - part.start, &value);
    }
    found
}

fn at(node: &Node) -> Range<usize> {
    node.span.start as usize..node.span.end as usize
}

/// Inserts lines into a text, with an empty line before a block.
fn inserted(mut text: String, at: usize, lines: &str) -> String {
    let gap = if text[..at].ends_with('\n') || at == 0 { "" } else { "\n" };
    let space = if lines.starts_with('[') && at > 0 { "\n" } else { "" };
    let end = if lines.ends_with('\n') { "" } else { "\n" };
    text.insert_str(at, &format!("{gap}{space}{lines}{end}"));
    text
}

fn foreign(unit: &str) -> String {
    format!("{unit} is in the scenario below; change it there")
}

/// Adds a thing with these fields: below the last thing of its kind, or else above the lists and the report.
pub fn added(document: &Document, text: String, kind: &str, unit: &str, fields: &[(String, String)]) -> String {
    let value = |(name, value): &(String, String)| match name.as_str() {
        "at" => format!("at = {value}"),
        _ => format!("{name} = {}", as_toml(value)),
    };
    let fields: Vec<String> = fields.iter().map(value).collect();
    let inline = format!("{unit} = {{ {} }}", fields.join(", ")).replace("{  }", "{ }");
    let things = scenario::get(&document.entries, kind).and_then(|entry| entry.node.table()).unwrap_or_default();
    if let Some(last) = things.iter().rev().find(|thing| thing.span.file == document.file) {
        let lines = lines(&text, last);
        let new = match text[lines.clone()].starts_with('[') {
            true => format!("[{kind}.{unit}]\n{}", fields.join("\n")),
            false => inline,
        };
        return inserted(text, lines.end, &new);
    }
    let end = text.find("\n[[").or_else(|| text.find("\n[report]")).map_or(text.len(), |at| at + 1);
    let new = format!("[{kind}]\n{inline}\n");
    let space = if text[end..].is_empty() { "" } else { "\n" };
    inserted(text, end, &format!("{new}{space}")).replacen("\n\n\n", "\n\n", 1)
}

/// Deletes a thing. A row in which it stood keeps the places of the others.
pub fn deleted(document: &Document, mut text: String, unit: &str) -> Result<String, String> {
    if let Some((_, thing)) = own(document, unit) {
        if thing.span.file != document.file {
            return Err(foreign(unit));
        }
        let lines = lines(&text, thing);
        // an empty line before a block goes with it
        let gap = text[lines.clone()].starts_with('[') && text[..lines.start].ends_with("\n\n");
        text.replace_range(lines.start - usize::from(gap)..lines.end, "");
    }
    let Some((line, n)) = line_of(document, unit) else {
        return if own(document, unit).is_some() { Ok(text) } else { Err(format!("the scenario has no `{unit}`")) };
    };
    let ids = scenario::get(line, "ids").ok_or_else(|| foreign(unit))?;
    if ids.node.span.file != document.file {
        return Err(foreign(unit));
    }
    let names: Vec<&str> = ids.node.all().iter().filter_map(Node::text).collect();
    let whole = line_lines(&text, &ids.node).ok_or_else(|| foreign(unit))?;
    let pair = |key: &str| scenario::get(line, key).and_then(|entry| Some((entry, point(&entry.node)?)));
    // the row with these names, whose first one stood at a place of the old row
    let row = |names: &[&str], first: i64| {
        let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut changes = vec![(at(&ids.node), format!("[{}]", list.join(", ")))];
        if let (Some((entry, (x, y))), Some((_, step))) = (pair("at"), pair("step")) {
            changes.push((at(&entry.node), place((x + step.0 * first, y + step.1 * first))));
        }
        patched(&text, whole.clone(), changes)
    };
    let n = n as usize;
    let (before, after) = (names.get(..n).unwrap_or_default(), names.get(n + 1..).unwrap_or_default());
    let rows = [(before, 0), (after, n as i64 + 1)].into_iter().filter(|(names, _)| !names.is_empty());
    let new: Vec<String> = rows.map(|(names, first)| row(names, first)).collect();
    let gap = new.is_empty() && text[..whole.start].ends_with("\n\n");
    text.replace_range(whole.start - usize::from(gap)..whole.end, &new.join("\n"));
    Ok(text)
}

/// Returns a name that no thing has: the next number of its row.
fn fresh(taken: &mut OrdSet<String>, of: &str) -> String {
    let stem = of.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = if stem == of { format!("{of}_") } else { stem.to_string() };
    let free = (2..).map(|n| format!("{stem}{n}")).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

fn names(document: &Document) -> OrdSet<String> {
    let kinds = document.entries.iter().filter(|entry| entry.key.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut all: OrdSet<String> =
        kinds.flat_map(|kind| kind.node.table().unwrap_or_default()).map(|thing| thing.key.clone()).collect();
    let lines = scenario::get(&document.entries, "line").map(|entry| entry.node.all()).unwrap_or_default();
    let ids = lines.iter().filter_map(Node::table).filter_map(|line| scenario::get(line, "ids"));
    all.extend(ids.flat_map(|ids| ids.node.all()).filter_map(Node::text).map(str::to_string));
    all
}

/// Copies a thing, moved by a distance, and for a group also its members. A thing of a row is added to the end of the row.
/// Returns the text and the name of the copy.
pub fn copied(
    document: &Document,
    text: String,
    unit: &str,
    members: &[String],
    by: (i64, i64),
) -> Result<(String, String), String> {
    let mut taken = names(document);
    let copy = fresh(&mut taken, unit);
    if own(document, unit).is_none() {
        let (line, _) = line_of(document, unit).ok_or_else(|| format!("the scenario has no `{unit}`"))?;
        let ids = scenario::get(line, "ids").filter(|ids| ids.node.span.file == document.file);
        let last = ids.and_then(|ids| ids.node.all().last()).ok_or_else(|| foreign(unit))?;
        let mut text = text;
        text.insert_str(last.span.end as usize, &format!(", \"{copy}\""));
        return Ok((text, copy));
    }
    // each copy, with the place below the original
    let mut copies: Vec<(usize, String)> = Vec::new();
    let moved = |keys: &[Entry]| {
        let entry = scenario::get(keys, "at")?;
        let (x, y) = point(&entry.node)?;
        Some((at(&entry.node), place((x + by.0, y + by.1))))
    };
    let linked = |keys: &[Entry]| -> Vec<(Range<usize>, String)> {
        let to = keys.iter().filter(|entry| entry.node.text() == Some(unit));
        to.map(|entry| (at(&entry.node), format!("\"{copy}\""))).collect()
    };
    for name in std::iter::once(unit).chain(members.iter().map(String::as_str)) {
        let Some((_, thing)) = own(document, name) else { continue };
        if thing.span.file != document.file {
            return Err(foreign(name));
        }
        let keys = thing.node.table().unwrap_or_default();
        let new = if name == unit { copy.clone() } else { fresh(&mut taken, name) };
        let mut changes = linked(keys);
        changes.extend(moved(keys));
        changes.push((thing.span.start as usize..thing.span.end as usize, new));
        let lines = lines(&text, thing);
        copies.push((lines.end, patched(&text, lines, changes)));
    }
    let rows = scenario::get(&document.entries, "line").map(|entry| entry.node.all()).unwrap_or_default();
    for line in rows.iter().filter_map(Node::table) {
        let Some(ids) = scenario::get(line, "ids").filter(|ids| ids.node.span.file == document.file) else { continue };
        let named: Vec<&str> = ids.node.all().iter().filter_map(Node::text).collect();
        if !named.iter().any(|name| members.iter().any(|member| member == name)) {
            continue;
        }
        let Some(lines) = line_lines(&text, &ids.node) else { continue };
        let new: Vec<String> = named.iter().map(|name| format!("\"{}\"", fresh(&mut taken, name))).collect();
        let mut changes = linked(line);
        changes.extend(moved(line));
        changes.push((at(&ids.node), format!("[{}]", new.join(", "))));
        copies.push((lines.end, patched(&text, lines, changes)));
    }
    copies.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let text = copies.into_iter().fold(text, |text, (at, lines)| inserted(text, at, &lines));
    Ok((text, copy))
}
