//! The grid of a sweep over two settings: a row for each value of the first setting, a column for each value of the second.

use super::super::finding::Table;
use super::{Row, bare, page, words};
use serde_json::Value;

/// Returns a grid for each measure of a table, or `None` if a list of points shows the rows better: unless exactly two
/// settings are varied, or if a row is an error, a value of a distribution, or has no number.
pub(super) fn grids(turned: &[String], rows: &[&Row]) -> Option<Vec<Table>> {
    let [down, across] = turned else { return None };
    if !rows.iter().all(|row| is_plain(row, [down, across])) {
        return None;
    }
    let measure = |row: &Row| (words(row, "sort").to_string(), words(row, "measure").to_string());
    let measures = distinct(rows.iter().map(|row| measure(row)));
    let (downs, acrosses) = (values(down, rows), values(across, rows));
    let grid = |(sort, text): (String, String)| {
        let own: Vec<&Row> =
            rows.iter().copied().filter(|row| words(row, "sort") == sort && words(row, "measure") == text).collect();
        let labels = distinct(own.iter().map(|row| words(row, "label")));
        let cell = |first: &Value, second: &Value| {
            let row = own.iter().find(|row| row.get(down) == Some(first) && row.get(across) == Some(second));
            row.map_or_else(String::new, |row| rendered(row, labels.len() > 1))
        };
        let how = match labels.as_slice() {
            ["sampled"] => "  (sampled; `--format csv` has the intervals)".to_string(),
            [label] => format!("  ({label})"),
            _ => String::new(),
        };
        let heads = acrosses.iter().map(|value| format!("{across} {}", bare(value)));
        let lines = downs.iter().map(|first| {
            let cells = acrosses.iter().map(|second| cell(first, second).into());
            std::iter::once(format!("{down} {}", bare(first)).into()).chain(cells).collect()
        });
        Table {
            caption: format!("{sort} {text}{how}"),
            heads: std::iter::once(String::new()).chain(heads).collect(),
            rows: lines.collect(),
        }
    };
    Some(measures.into_iter().map(grid).collect())
}

/// Returns whether a cell of a grid can show the row.
fn is_plain(row: &Row, names: [&String; 2]) -> bool {
    let has = |name: &&String| row.get(name.as_str()).is_some_and(|value| !value.is_null());
    let number = page::found(row);
    names.iter().all(has)
        && matches!(words(row, "sort"), "chance" | "mean")
        && ["error", "first_fault"].iter().all(|name| words(row, name).is_empty())
        && (number.at.is_some() || number.ends.is_some())
}

/// Returns the number of a row, with its label if the labels of the grid differ.
fn rendered(row: &Row, labeled: bool) -> String {
    let number = page::found(row);
    let label = words(row, "label");
    let text = if label == "sampled" { number.text.clone() } else { number.rendered() };
    if labeled { format!("{text} ({label})") } else { text }
}

/// Returns the values of a setting, in the order of the points.
fn values(name: &str, rows: &[&Row]) -> Vec<Value> {
    distinct(rows.iter().filter_map(|row| row.get(name)).cloned())
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
