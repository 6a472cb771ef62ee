//! Changes between two versions of a book, in words.

use super::clean;
use crate::base::safe;
use crate::rules::diff::{Change, Part, What};
use serde::Serialize;

/// The longest change that is told in a line.
const LONGEST: usize = 80;

/// What an item that differs is called: `param hit_on`; of a single cell with its keys.
pub fn name(change: &Change) -> String {
    let cell = match change.parts.as_slice() {
        [part] if part.what.starts_with('[') => part.what.as_str(),
        _ => "",
    };
    clean(&format!("{} {}{cell}", change.word, change.name))
}

/// A change in one line: `param hit_on: value 4 -> 5`.
pub fn brief(change: &Change) -> String {
    let name = name(change);
    match (change.what, change.parts.as_slice()) {
        (What::Added, _) => format!("{name}: new"),
        (What::Removed, _) => format!("{name}: gone"),
        (What::Changed, [part]) => {
            let what = if part.what.starts_with('[') || part.what == "line" { "" } else { part.what.as_str() };
            let word = |side: &Option<String>| side.clone().unwrap_or("nothing".into());
            let both = format!("{} -> {}", word(&part.old), word(&part.new));
            match both.chars().count() {
                ..=LONGEST if what.is_empty() => clean(&format!("{name}: {both}")),
                ..=LONGEST => clean(&format!("{name}: {what} {both}")),
                _ => clean(&format!("{name}: another {}", part.what)),
            }
        }
        (What::Changed, parts) => format!("{name}: {} changes", parts.len()),
    }
}

/// For people: a line for each item, and below it what differs.
pub fn human(changes: &[Change]) -> String {
    let mut lines = Vec::new();
    for change in changes {
        let title = if change.title.is_empty() { String::new() } else { format!("  \"{}\"", change.title) };
        let mark = match change.what {
            What::Added => "+ ",
            What::Removed => "- ",
            What::Changed => "",
        };
        let name = if change.word == "example" { format!("\"{}\"", change.name) } else { change.name.clone() };
        lines.push(format!("{mark}{} {name}{title}", change.word));
        change.parts.iter().for_each(|part| tell(&mut lines, part));
    }
    let count = |what| changes.iter().filter(|c| c.what == what).count();
    lines.push(match changes.len() {
        0 => "the two say the same".to_string(),
        _ => {
            let (changed, added, removed) = (count(What::Changed), count(What::Added), count(What::Removed));
            format!("{changed} changed, {added} added, {removed} removed")
        }
    });
    lines.iter().map(|line| clean(line) + "\n").collect()
}

fn tell(lines: &mut Vec<String>, part: &Part) {
    match (part.what.as_str(), &part.old, &part.new) {
        ("line", old, new) => {
            lines.extend(old.iter().map(|old| format!("    - {old}")));
            lines.extend(new.iter().map(|new| format!("    + {new}")));
        }
        (what, Some(old), Some(new)) => lines.push(format!("    {what}: {old} -> {new}")),
        (what, Some(old), None) => lines.push(format!("    {what}: {old}, now gone")),
        (what, None, Some(new)) => lines.push(format!("    {what}: {new}, new")),
        (_, None, None) => {}
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    changes: &'a [Change],
}

/// For programs: one document.
pub fn json(changes: &[Change]) -> String {
    safe::json(&serde_json::to_string(&Document { schema: 1, changes }).unwrap_or_default()).into_owned() + "\n"
}
