//! What a sweep found: rows for programs, one for each point and measure, and lines for people.

#![allow(clippy::float_arithmetic)] // numbers are turned for printing here, and nowhere else

mod page;
#[cfg(feature = "parquet")]
mod parquet;

pub use page::page;
#[cfg(feature = "parquet")]
pub use parquet::parquet;

use super::clean;
use super::odds::{answer_rows, told_row};
use super::sampled::{Unit, first_fault, sample_rows, trimmed};
use super::table::{self, FOUND, column};
use crate::base::Diagnostic;
use crate::rules::ruleset::Setting;
use crate::sample::sweep::{Answer, Point};
use crate::scenario::{Prepared, Scenario};
use crate::value::Type;
use serde_json::{Value, json};
use std::fmt::Write;

pub use super::table::{Row, csv, jsonl};

/// Columns before those of the params and readings that are turned.
const HEAD: [&str; 3] = ["point", "scenario", "rules"];
/// How many stand behind them.
const TAIL: usize = FOUND.len();

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
    [table::columns(&[&HEAD]), turned, table::columns(&[&FOUND])].concat()
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
            Answer::Exact(answers) => {
                let figures = scenario.plan.report.iter().zip(answers);
                let asked =
                    figures.map(|(f, a)| answer_rows(&scenario.game, (&f.text, f.sort, &f.asked.ty), a.as_ref()));
                asked.flatten().collect()
            }
            Answer::Sampled(sampled) => {
                let made = (sampled.seed, sampled.faults, first_fault(sampled.first_fault.as_ref()));
                sample_rows(&scenario.game, "sampled", &sampled.estimates, made)
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
        (Type::Die, [sides, ..]) if *sides > 0 => json!(format!("d{sides}")),
        _ => json!(setting.alternatives.iter().find(|(own, _)| own == cells).map(|(_, text)| text)),
    }
}

/// Rows for people: each point, and below it what was found.
pub fn human(columns: &[String], rows: &[Row]) -> String {
    let turned = &columns[HEAD.len()..columns.len().saturating_sub(TAIL).max(HEAD.len())];
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

/// A value of a row without quotes, and a number without needless digits.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(String::new, trimmed),
        other => other.to_string(),
    }
}

/// The value that a row of a histogram is about.
fn value_of(row: &Row) -> String {
    let number = || row.get("number").and_then(Value::as_f64).map(trimmed);
    let words = row.get("value").and_then(Value::as_str).filter(|words| !words.is_empty()).map(str::to_string);
    words.or_else(number).unwrap_or_default()
}

/// The unit in which the number of a row is told.
pub(super) fn unit(row: &Row) -> Unit {
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
        "exact" | "bounded" => told_row(row),
        "" => format!("not known: {}", clean(words("error"))),
        _ => estimated(row),
    };
    let value = if sort == "hist" { format!(" = {}", value_of(row)) } else { String::new() };
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
