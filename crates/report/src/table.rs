//! Tables for programs as tidy data (Wickham 2014): a row for each number that was found, a column for each thing said of
//! it. Names, types and units of columns are the same in every command; `docs/tables.md` tells them.

use super::odds::ends;
use grognard_base::value::{Fraction, Type};
use grognard_base::{Limit, safe};
use serde_json::{Map, Value, json};

/// One row: a value for each column that it has something to say in.
pub type Row = Map<String, Value>;

/// Columns that say what was found. Every table has them, in this order.
pub const FOUND: [&str; 21] = [
    "measure", "sort", "value", "number", "label", "ended_by", "n", "estimate", "low", "high", "level", "method",
    "unit", "fraction", "fraction_low", "fraction_high", "faults", "first_fault", "seed", "error", "verdict",
];

/// Columns in which two versions are set beside each other.
pub const VERSIONS: [&str; 6] = ["in_a", "in_b", "fraction_a", "fraction_b", "discordant", "within"];

/// Columns that say where something was found; a table has some of them.
const PLACES: [&str; 11] =
    ["point", "scenario", "rules", "a", "b", "what", "edits", "reading", "alternative", "instead", "cites"];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Words; empty where there is nothing to say.
    Text,
    /// A whole number from 0; 0 where there is nothing to count.
    Count,
    /// A number with a point; `NaN` in CSV and null in JSON where it is not known.
    Number,
    /// What a param or a reading is set to, as it is: a number, words, yes or no; empty where it is not turned.
    Setting,
}

impl Sort {
    /// Of a column.
    pub fn of(column: &str) -> Sort {
        match column {
            "point" | "n" | "faults" | "seed" | "discordant" => Sort::Count,
            "number" | "estimate" | "low" | "high" | "level" | "in_a" | "in_b" | "within" => Sort::Number,
            _ if is_own(column) => Sort::Text,
            _ => Sort::Setting,
        }
    }

    /// What stands in a row that says nothing of the column.
    fn nothing(self) -> Value {
        match self {
            Sort::Text => json!(""),
            Sort::Count => json!(0),
            Sort::Number | Sort::Setting => Value::Null,
        }
    }
}

/// True for a column that means something in every table.
fn is_own(column: &str) -> bool {
    PLACES.iter().chain(&FOUND).chain(&VERSIONS).any(|own| *own == column)
}

/// The column of a param or reading: its name, unless another column is called so.
pub fn column(name: &str) -> String {
    if is_own(name) { format!("set_{name}") } else { name.to_string() }
}

/// Writes what ended the exact answer early into rows that are not exact.
pub fn ended(rows: &mut [Row], by: Option<Limit>) {
    let Some(limit) = by else { return };
    for row in rows.iter_mut().filter(|row| row.get("label").is_none_or(|label| label != "exact")) {
        row.insert("ended_by".into(), json!(limit.word()));
    }
}

/// A row of these values.
pub fn row(object: Value) -> Row {
    if let Value::Object(row) = object { row } else { Row::new() }
}

/// Text columns that stand in a table as they are.
pub fn columns(names: &[&[&str]]) -> Vec<String> {
    names.concat().into_iter().map(String::from).collect()
}

/// A value of a row.
fn value(column: &str, row: &Row) -> Value {
    row.get(column).filter(|value| !value.is_null()).cloned().unwrap_or_else(|| Sort::of(column).nothing())
}

/// Rows as CSV.
pub fn csv(columns: &[String], rows: &[Row]) -> String {
    let mut text = line(&columns.iter().map(String::as_str).collect::<Vec<&str>>());
    for row in rows {
        let cells = columns.iter().map(|column| match (Sort::of(column), value(column, row)) {
            (Sort::Number, Value::Null) => "NaN".to_string(),
            (_, Value::Null) => String::new(),
            (_, Value::String(text)) => text,
            (_, other) => other.to_string(),
        });
        let cells: Vec<String> = cells.collect();
        text += &line(&cells.iter().map(String::as_str).collect::<Vec<&str>>());
    }
    text
}

/// A row with every column.
pub fn whole(columns: &[String], row: &Row) -> Row {
    columns.iter().map(|column| (column.clone(), value(column, row))).collect()
}

/// Rows as JSON Lines, each with every column.
pub fn jsonl(columns: &[String], rows: &[Row]) -> String {
    let line = |row: &Row| safe::json(&Value::Object(whole(columns, row)).to_string()).into_owned() + "\n";
    rows.iter().map(line).collect()
}

/// A line of CSV.
pub fn line(fields: &[&str]) -> String {
    fields.iter().map(|f| safe::csv_field(f)).collect::<Vec<String>>().join(",") + "\n"
}

/// A fraction with both its parts: `149/1`, so that no program takes it for a number.
pub fn fraction(value: &Fraction) -> String {
    format!("{}/{}", value.num(), value.den())
}

/// What is known of a number.
#[derive(Clone, Debug)]
pub enum Known {
    /// It.
    Exact(Fraction),
    /// Where it lies.
    Between(Fraction, Fraction),
    /// Nothing; true if all was explored, and there is no such number.
    Nothing(bool),
}

impl Known {
    /// A share of all, `open` of which is not explored.
    pub fn share(share: Fraction, open: &Fraction) -> Known {
        if open.is_zero() {
            return Known::Exact(share);
        }
        let high = &share + open;
        Known::Between(share, high)
    }

    /// What lies between two numbers.
    pub fn between([low, high]: [Fraction; 2]) -> Known {
        if low == high { Known::Exact(low) } else { Known::Between(low, high) }
    }

    /// Writes it into a row. `low` and `high` are rounded outward: the number surely lies between them.
    pub fn tell(&self, row: &mut Row) {
        let exact = |exact: bool| json!(if exact { "exact" } else { "bounded" });
        let mut put = |column: &str, value: Value| drop(row.insert(column.into(), value));
        put("level", json!(100.0));
        match self {
            Known::Exact(value) => {
                let [low, high] = ends(value, value);
                put("label", exact(true));
                put("estimate", json!(value.float()));
                put("fraction", json!(fraction(value)));
                put("low", json!(low));
                put("high", json!(high));
            }
            Known::Between(low, high) => {
                put("label", exact(false));
                let [least, most] = ends(low, high);
                put("low", json!(least));
                put("high", json!(most));
                put("fraction_low", json!(fraction(low)));
                put("fraction_high", json!(fraction(high)));
            }
            Known::Nothing(all) => put("label", exact(*all)),
        }
    }
}

/// The unit in which numbers of a type stand in rows: shares of 1, inches, or plain numbers.
pub fn unit(ty: &Type, share: bool) -> &'static str {
    match ty {
        _ if share => "share",
        Type::Length => "inches",
        _ => "",
    }
}
