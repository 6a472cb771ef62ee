//! Formats the changes between two versions of a book as text.

use super::clean;
use super::finding::Finding;
use grognard_lab::diff::{ChangeSort, ItemChange, Part};
use serde_json::{Value, json};

/// Maximum length of a change that is shown in one line, in characters.
const LONGEST: usize = 80;

/// Returns the name of a changed item, such as `param hit_on`. The name of a single table cell includes its keys.
pub fn name(change: &ItemChange) -> String {
    let cell = match change.parts.as_slice() {
        [part] if part.what.starts_with('[') => part.what.as_str(),
        _ => "",
    };
    clean(&format!("{} {}{cell}", change.word, change.name))
}

/// Returns a change in one line, such as `param hit_on: value 4 -> 5`.
pub fn brief(change: &ItemChange) -> String {
    let name = name(change);
    match (change.what, change.parts.as_slice()) {
        (ChangeSort::Added, _) => format!("{name}: new"),
        (ChangeSort::Removed, _) => format!("{name}: gone"),
        (ChangeSort::Changed, [part]) => {
            let what = if part.what.starts_with('[') || part.what == "line" { "" } else { part.what.as_str() };
            let word = |side: &Option<String>| side.clone().unwrap_or("nothing".into());
            let both = format!("{} -> {}", word(&part.old), word(&part.new));
            match both.chars().count() {
                ..=LONGEST if what.is_empty() => clean(&format!("{name}: {both}")),
                ..=LONGEST => clean(&format!("{name}: {what} {both}")),
                _ => clean(&format!("{name}: another {}", part.what)),
            }
        }
        (ChangeSort::Changed, parts) => format!("{name}: {} changes", parts.len()),
    }
}

/// Returns the finding of all changes: a line for each item, followed by its changed parts.
pub fn finding(changes: &[ItemChange]) -> Finding {
    let mut out = Finding::new("differences");
    for change in changes {
        let title = if change.title.is_empty() { String::new() } else { format!("  \"{}\"", change.title) };
        let mark = match change.what {
            ChangeSort::Added => "+ ",
            ChangeSort::Removed => "- ",
            ChangeSort::Changed => "",
        };
        let name = if change.word == "example" { format!("\"{}\"", change.name) } else { change.name.clone() };
        let lines = change.parts.iter().flat_map(rendered).map(|line| format!("  {line}"));
        out.item(format!("{mark}{} {name}{title}", change.word), lines.collect());
    }
    let count = |what| changes.iter().filter(|c| c.what == what).count();
    let (changed, added, removed) = (count(ChangeSort::Changed), count(ChangeSort::Added), count(ChangeSort::Removed));
    out.say(match changes.len() {
        0 => "no differences".to_string(),
        _ => format!("{changed} changed, {added} added, {removed} removed"),
    });
    out.fact("schema", json!(1));
    out.fact("changes", json!(changes));
    let rows = changes.iter().flat_map(|change| {
        let row = |part: Option<&Part>| {
            json!({
                "word": change.word, "name": change.name, "title": change.title, "what": change.what,
                "part": part.map(|part| &part.what),
                "old": part.and_then(|part| part.old.as_ref()), "new": part.and_then(|part| part.new.as_ref()),
            })
        };
        let parts = if change.parts.is_empty() { vec![None] } else { change.parts.iter().map(Some).collect() };
        parts.into_iter().map(row).collect::<Vec<Value>>()
    });
    out.list_rows(&["word", "name", "title", "what", "part", "old", "new"], &json!(rows.collect::<Vec<Value>>()));
    out
}

fn rendered(part: &Part) -> Vec<String> {
    match (part.what.as_str(), &part.old, &part.new) {
        ("line", old, new) => {
            let old = old.iter().map(|old| format!("- {old}"));
            old.chain(new.iter().map(|new| format!("+ {new}"))).collect()
        }
        (what, Some(old), Some(new)) => vec![format!("{what}: {old} -> {new}")],
        (what, Some(old), None) => vec![format!("{what}: {old}, now gone")],
        (what, None, Some(new)) => vec![format!("{what}: {new}, new")],
        (_, None, None) => Vec::new(),
    }
}
