//! Machine-readable tables as tidy data (Wickham 2014): a row for each number, and a column for each attribute. Names, types and
//! units of columns are the same in every command. `docs/tables.md` documents them.

use super::odds::ends;
use grognard_base::value::{Fraction, Type};
use grognard_base::{Limit, safe};
use grognard_odds::Label;
use serde_json::{Map, Value, json};

/// A row: the values of the columns that apply to it.
pub type Row = Map<String, Value>;

/// Columns that hold the result. Every table has them, in this order.
pub const FOUND: [&str; 23] = [
    "measure", "sort", "value", "number", "label", "ended_by", "n", "estimate", "low", "high", "level", "method",
    "unit", "fraction", "fraction_low", "fraction_high", "faults", "first_fault", "seed", "error", "verdict",
    "or_fewer", "or_more",
];

/// Columns that compare two versions.
pub const VERSIONS: [&str; 6] = ["in_a", "in_b", "fraction_a", "fraction_b", "discordant", "within"];

/// Columns that identify the source of a result. Each table has some of them.
const PLACES: [&str; 11] =
    ["point", "scenario", "rules", "a", "b", "what", "edits", "reading", "alternative", "instead", "cites"];

/// Columns of the table of events, with the names of the fields in the trace.
pub const EVENT_COLUMNS: [&str; 27] = [
    "seq", "event", "sort", "name", "title", "of", "args", "dice", "faces", "sum", "player", "source", "menu",
    "answer", "statement", "action", "thing", "status", "slot", "before", "after", "value", "result", "depth",
    "clauses", "rule", "at",
];

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Text. Empty if it does not apply.
    Text,
    /// A nonnegative whole number. 0 if it does not apply.
    Count,
    /// A floating-point number. `NaN` in CSV and null in JSON if it is not known.
    Number,
    /// The value of a param or reading: a number, text or a flag. Empty in CSV and null in JSON if the setting is not varied.
    Setting,
}

impl Sort {
    /// Returns the type of a column.
    pub fn of(column: &str) -> Sort {
        match column {
            "point" | "n" | "faults" | "seed" | "discordant" => Sort::Count,
            "number" | "estimate" | "low" | "high" | "level" | "in_a" | "in_b" | "within" | "or_fewer" | "or_more" => {
                Sort::Number
            }
            _ if is_own(column) => Sort::Text,
            _ => Sort::Setting,
        }
    }

    /// Returns the default value for rows to which the column does not apply.
    fn nothing(self) -> Value {
        match self {
            Sort::Text => json!(""),
            Sort::Count => json!(0),
            Sort::Number | Sort::Setting => Value::Null,
        }
    }
}

/// Returns whether a column has a fixed meaning in every table.
fn is_own(column: &str) -> bool {
    PLACES.iter().chain(&FOUND).chain(&VERSIONS).any(|own| *own == column)
}

/// Returns the column name of a param or reading: its name, or `set_` and its name if that is the name of a fixed column.
pub fn column(name: &str) -> String {
    if is_own(name) { format!("set_{name}") } else { name.to_string() }
}

/// Stores the limit that ended the exact computation in all rows that are not exact.
pub fn ended(rows: &mut [Row], by: Option<Limit>) {
    let Some(limit) = by else { return };
    for row in rows.iter_mut().filter(|row| row.get("label").is_none_or(|label| label != "exact" && label != "proven"))
    {
        row.insert("ended_by".into(), json!(limit.word()));
    }
}

/// Converts a JSON object to a row. Returns an empty row for other values.
pub fn row(object: Value) -> Row {
    if let Value::Object(row) = object { row } else { Row::new() }
}

/// Concatenates several lists of column names.
pub fn columns(names: &[&[&str]]) -> Vec<String> {
    names.concat().into_iter().map(String::from).collect()
}

/// Returns a cell of a row, or the default value of the column.
fn value(column: &str, row: &Row) -> Value {
    row.get(column).filter(|value| !value.is_null()).cloned().unwrap_or_else(|| Sort::of(column).nothing())
}

/// Renders rows as CSV, with a header line.
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

/// Returns a row with a value in every column.
pub fn whole(columns: &[String], row: &Row) -> Row {
    columns.iter().map(|column| (column.clone(), value(column, row))).collect()
}

/// Renders a list of JSON objects as CSV, with the given fields as columns. A list in a cell is joined with semicolons.
pub fn listed(columns: &[&str], list: &Value) -> String {
    let names = self::columns(&[columns]);
    csv(&names, &list_rows(columns, list))
}

/// Returns the rows of a list of JSON objects, with the given fields.
pub fn list_rows(columns: &[&str], list: &Value) -> Vec<Row> {
    let objects = list.as_array().into_iter().flatten();
    let row = |object: &Value| {
        let fields = columns.iter().filter_map(|name| Some(((*name).to_string(), flat(object.get(name)?))));
        fields.collect()
    };
    objects.map(row).collect()
}

/// Returns a value without nesting. An object is shown by the values of its fields.
fn flat(value: &Value) -> Value {
    let words = |value: &Value| flat(value).as_str().map_or_else(|| value.to_string(), str::to_string);
    match value {
        Value::Array(list) => json!(list.iter().map(words).collect::<Vec<String>>().join("; ")),
        Value::Object(fields) => json!(fields.values().map(words).collect::<Vec<String>>().join(" ")),
        other => other.clone(),
    }
}

/// Renders rows as JSON Lines, each with every column.
pub fn jsonl(columns: &[String], rows: &[Row]) -> String {
    let line = |row: &Row| safe::json(&Value::Object(whole(columns, row)).to_string()).into_owned() + "\n";
    rows.iter().map(line).collect()
}

/// Renders a line of CSV.
pub fn line(fields: &[&str]) -> String {
    fields.iter().map(|f| safe::csv_field(f)).collect::<Vec<String>>().join(",") + "\n"
}

/// Formats a fraction with both parts, such as `149/1`, so that programs do not parse it as a number.
pub fn fraction(value: &Fraction) -> String {
    format!("{}/{}", value.num(), value.den())
}

/// The knowledge about a number: its value, its bounds, or neither.
#[derive(Clone, Debug)]
pub enum KnownNumber {
    /// The exact value.
    Exact(Fraction),
    /// The ends of a proven interval.
    Proven(Fraction, Fraction),
    /// A lower and an upper bound.
    Between(Fraction, Fraction),
    /// No value. The flag is true if everything was explored, so that the number does not exist.
    Nothing(bool),
}

impl KnownNumber {
    /// Returns the exact value if the bounds are equal, and otherwise the bounds of an answer with this label.
    pub fn between([low, high]: [Fraction; 2], label: Label) -> KnownNumber {
        match label {
            _ if low == high => KnownNumber::Exact(low),
            Label::Proven => KnownNumber::Proven(low, high),
            Label::Exact | Label::Bounded => KnownNumber::Between(low, high),
        }
    }

    /// Stores the value in a row. `low` and `high` are rounded outward, so that the interval contains the value.
    pub fn tell(&self, row: &mut Row) {
        let exact = |exact: bool| json!(if exact { "exact" } else { "bounded" });
        let middle = |low: &Fraction, high: &Fraction| (&(low + high) / &Fraction::whole(2)).float();
        let mut put = |column: &str, value: Value| drop(row.insert(column.into(), value));
        put("level", json!(100.0));
        match self {
            KnownNumber::Exact(value) => {
                let [low, high] = ends(value, value);
                put("label", exact(true));
                put("estimate", json!(value.float()));
                put("fraction", json!(fraction(value)));
                put("low", json!(low));
                put("high", json!(high));
            }
            KnownNumber::Proven(low, high) => {
                let [least, most] = ends(low, high);
                put("label", json!("proven"));
                put("estimate", json!(middle(low, high)));
                put("low", json!(least));
                put("high", json!(most));
            }
            KnownNumber::Between(low, high) => {
                put("label", exact(false));
                let [least, most] = ends(low, high);
                put("low", json!(least));
                put("high", json!(most));
                put("fraction_low", json!(fraction(low)));
                put("fraction_high", json!(fraction(high)));
            }
            KnownNumber::Nothing(all) => put("label", exact(*all)),
        }
    }
}

/// Returns the unit of a number in rows: shares of 1, inches, or no unit.
pub fn unit(ty: &Type, share: bool) -> &'static str {
    match ty {
        _ if share => "share",
        Type::Length => "inches",
        _ => "",
    }
}
