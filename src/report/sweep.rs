//! What a sweep found: rows for programs, one for each point and measure, and lines for people.

#![allow(clippy::float_arithmetic)] // numbers are turned for printing here, and nowhere else

mod exact;
mod page;
#[cfg(feature = "parquet")]
mod parquet;

pub use page::page;
#[cfg(feature = "parquet")]
pub use parquet::parquet;

use super::clean;
use super::sampled::{Unit, line, value_text};
use crate::base::Diagnostic;
use crate::base::safe;
use crate::rules::ruleset::Setting;
use crate::sample::sweep::{Answer, Point};
use crate::sample::{self, Estimate};
use crate::scenario::{Prepared, Scenario};
use crate::value::Type;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// One row: a value for each column.
pub type Row = Map<String, Value>;

/// Columns before those of the params and readings that are turned.
const HEAD: [&str; 3] = ["point", "scenario", "rules"];
/// Columns behind them.
const TAIL: [&str; 16] = [
    "measure",
    "sort",
    "value",
    "label",
    "n",
    "estimate",
    "low",
    "high",
    "level",
    "method",
    "unit",
    "fraction",
    "faults",
    "first_fault",
    "seed",
    "error",
];

/// The column of a param or reading: its name, unless another column is called so.
fn column(name: &str) -> String {
    let taken = HEAD.iter().chain(&TAIL).any(|column| *column == name);
    if taken { format!("set_{name}") } else { name.to_string() }
}

/// All columns, in their order: of every param and reading that is turned on one of the tables.
pub fn columns<'t>(tables: impl IntoIterator<Item = &'t Prepared>) -> Vec<String> {
    let mut turned: Vec<String> = Vec::new();
    for table in tables {
        for (id, _) in &table.plan().sweep.over {
            let name = column(&table.rules().settings[id.at()].name);
            if !turned.contains(&name) {
                turned.push(name);
            }
        }
    }
    let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<String>>();
    [fixed(&HEAD), turned, fixed(&TAIL)].concat()
}

/// A table of a sweep, as rows name it.
#[derive(Clone, Copy, Debug)]
pub struct Table<'t> {
    /// The scenario.
    pub scenario: &'t str,
    /// It with its rules.
    pub prepared: &'t Prepared,
}

impl Table<'_> {
    /// What is turned on it: names with the values they take.
    pub fn turned(&self) -> Row {
        let turned = self.prepared.plan().sweep.over.iter();
        turned
            .map(|(id, values)| {
                let setting = &self.prepared.rules().settings[id.at()];
                (setting.name.clone(), values.iter().map(|cells| value(setting, cells)).collect())
            })
            .collect()
    }

    /// The start of every row of a point.
    fn head(&self, point: &Point) -> Row {
        let mut row = Row::new();
        row.insert("point".into(), json!(point.number));
        row.insert("scenario".into(), json!(self.scenario));
        row.insert("rules".into(), json!(self.prepared.rules().path));
        for (id, cells) in &point.settings {
            let setting = &self.prepared.rules().settings[id.at()];
            row.insert(column(&setting.name), value(setting, cells));
        }
        row
    }

    /// The rows of a point that was measured.
    pub fn rows(&self, point: &Point, scenario: &Scenario, answer: &Answer) -> Vec<Row> {
        let tails = match answer {
            Answer::Exact(answers) => exact::parts(scenario, answers),
            Answer::Sampled(sampled) => {
                let first = sampled.first_fault.as_ref().map(|(run, fault)| format!("run {run}: {}", fault.message));
                let mut tails: Vec<Row> = sampled.estimates.iter().flat_map(|e| parts(scenario, e)).collect();
                for tail in &mut tails {
                    tail.insert("faults".into(), json!(sampled.faults));
                    tail.insert("first_fault".into(), json!(first));
                    tail.insert("seed".into(), json!(sampled.seed));
                }
                tails
            }
        };
        let whole = |mut tail: Row| {
            let mut row = self.head(point);
            row.append(&mut tail);
            row
        };
        tails.into_iter().map(whole).collect()
    }

    /// The row of a point whose table cannot be set.
    pub fn unset(&self, point: &Point, problems: &[Diagnostic]) -> Vec<Row> {
        let told = problems.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message));
        let mut row = self.head(point);
        row.insert("error".into(), json!(told));
        vec![row]
    }
}

/// The value of a param or reading as programs read it: numbers, lengths in inches, yes and no; others by their name.
fn value(setting: &Setting, cells: &[i64]) -> Value {
    match (&setting.ty, cells) {
        (Type::Int(_), [n, ..]) => json!(n),
        (Type::Length, [n, ..]) => json!(*n as f64 / 1_000.0),
        (Type::Ratio, [num, den, ..]) if *den != 0 => json!(*num as f64 / *den as f64),
        (Type::Flag, [n, ..]) => json!(*n == 1),
        _ => json!(setting.alternatives.iter().find(|(own, _)| own == cells).map(|(_, text)| text)),
    }
}

/// What is told of one measure: a row, or one for each value of a histogram.
fn parts(scenario: &Scenario, e: &Estimate) -> Vec<Row> {
    let row = |sort: &str, value: Option<String>, estimate: Option<f64>, interval: Option<(f64, f64)>| {
        let object = json!({
            "measure": e.text,
            "sort": sort,
            "value": value,
            "label": "sampled",
            "n": e.counted,
            "estimate": estimate,
            "low": interval.map(|i| i.0),
            "high": interval.map(|i| i.1),
            "level": e.level.name.parse::<f64>().ok(),
            "method": e.method.name(),
            "unit": if e.ty == Type::Length { "inches" } else { "" },
        });
        if let Value::Object(row) = object { row } else { Row::new() }
    };
    match &e.point {
        sample::Point::Share { .. } => vec![row("chance", None, e.value(), e.interval)],
        sample::Point::Mean(_) => vec![row("mean", None, e.value(), e.interval)],
        sample::Point::Values(values) => {
            let share = |times: u64| (e.counted > 0).then(|| times as f64 / e.counted as f64);
            let told = |cells: &[i64]| Some(value_text(&scenario.game, &e.ty, cells));
            values.iter().map(|(cells, times, i)| row("hist", told(cells), share(*times), Some(*i))).collect()
        }
    }
}

/// Rows as CSV.
pub fn csv(columns: &[String], rows: &[Row]) -> String {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut text = line(&names);
    for row in rows {
        let cells = columns.iter().map(|column| match row.get(column) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        });
        let cells: Vec<String> = cells.collect();
        text += &line(&cells.iter().map(String::as_str).collect::<Vec<&str>>());
    }
    text
}

/// Rows as JSON Lines, each with every column.
pub fn jsonl(columns: &[String], rows: &[Row]) -> String {
    let whole = |row: &Row| -> Row {
        columns.iter().map(|column| (column.clone(), row.get(column).cloned().unwrap_or(Value::Null))).collect()
    };
    rows.iter().map(|row| safe::json(&Value::Object(whole(row)).to_string()).into_owned() + "\n").collect()
}

/// Rows for people: each point, and below it what was found.
pub fn human(columns: &[String], rows: &[Row]) -> String {
    let turned = &columns[HEAD.len()..columns.len().saturating_sub(TAIL.len()).max(HEAD.len())];
    let mut text = String::new();
    let (mut table, mut point) = (String::new(), None);
    for row in rows {
        let words = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
        let here = format!("{} with {}", words("scenario"), words("rules"));
        if here != table {
            let _ = writeln!(text, "{}{}", if table.is_empty() { "" } else { "\n" }, clean(&here));
            table = here;
        }
        if row.get("point") != point {
            point = row.get("point");
            let told = turned.iter().filter_map(|name| Some(format!("{name} {}", bare(row.get(name)?))));
            let _ = writeln!(text, "{}", clean(&told.collect::<Vec<String>>().join(", ")));
            match (words("error"), row.get("faults").and_then(Value::as_u64).unwrap_or(0)) {
                ("", 0) => {}
                ("", faults) => {
                    let _ = writeln!(text, "  {faults} ended in an error; {}", clean(words("first_fault")));
                }
                (_, _) if !words("measure").is_empty() => {}
                (error, _) => {
                    let _ = writeln!(text, "  the table cannot be set: {}", clean(error));
                }
            }
        }
        text += &found(row);
    }
    text
}

/// A value of a row without quotes.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// The unit in which the number of a row is told.
fn unit(row: &Row) -> Unit {
    let words = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    match (words("sort"), words("unit")) {
        ("mean", "inches") => Unit::Inches,
        ("mean", _) => Unit::Plain,
        _ => Unit::Percent,
    }
}

/// What a row found, in a line.
fn found(row: &Row) -> String {
    let words = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let (measure, sort) = (words("measure"), words("sort"));
    if measure.is_empty() {
        return String::new();
    }
    let told = match words("label") {
        "exact" | "bounded" => exact::told(row),
        "" => format!("not known: {}", clean(words("error"))),
        _ => estimated(row),
    };
    let value = if sort == "hist" { format!(" = {}", words("value")) } else { String::new() };
    format!("  {sort} {}{}: {told}\n", clean(measure), clean(&value))
}

/// An estimate with its interval.
fn estimated(row: &Row) -> String {
    let number = |name: &str| row.get(name).and_then(Value::as_f64);
    let unit = unit(row);
    let level = number("level").map_or(String::new(), |level| level.to_string());
    match (number("estimate"), number("low").zip(number("high"))) {
        (estimate, Some(interval)) => unit.told(estimate, interval, &level),
        (Some(estimate), None) => {
            format!("{}, no interval, as nothing bounds it", unit.told(Some(estimate), (estimate, estimate), ""))
        }
        (None, None) => "no run counted".to_string(),
    }
}

/// How all of it was found; `tables` are those of the sweep, `done` says how many points there are.
pub fn summary(tables: &[Value], done: &str) -> String {
    let fact = |name: &str| tables.first().and_then(|t| t.get(name)).map_or(String::new(), bare);
    let runs = fact("runs");
    if tables.iter().any(|t| ["mode", "runs", "budget"].iter().any(|name| t.get(*name) != tables[0].get(*name))) {
        return format!("exact or sampled with the same dice at every point, as each scenario says: {done}");
    }
    match fact("mode").as_str() {
        "exact" => format!("exact, {} positions at a point at most: {done}", fact("budget")),
        "auto" => format!(
            "exact where {} positions are enough, else sampled with the same dice at every point: {done}, {runs} runs each",
            fact("budget")
        ),
        _ => format!("sampled, with the same dice at every point: {done}, {runs} runs each"),
    }
}
