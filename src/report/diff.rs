//! Changes between two versions of a book, in words.

use super::clean::clean;
use crate::rules::diff::{Change, Part, What};
use serde::Serialize;

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
    serde_json::to_string(&Document { schema: 1, changes }).unwrap_or_default() + "\n"
}
