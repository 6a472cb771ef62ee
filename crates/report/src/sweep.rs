//! Reports the results of a sweep: machine-readable rows, one for each point and measure, and human-readable lines.

#![allow(clippy::float_arithmetic)] // converts numbers only for printing

mod grid;
mod page;
#[cfg(feature = "parquet")]
mod parquet;

#[cfg(feature = "parquet")]
pub use parquet::parquet;

use super::finding::{Block, Finding};
use super::odds::{answer_rows, short};
use super::sampled::{Unit, first_fault, sample_rows, trimmed};
use super::table::{self, FOUND, column};
use grognard_base::Diagnostic;
use grognard_base::value::{Fraction, Type};
use grognard_rules::ruleset::Setting;
use grognard_scenario::{Prepared, Scenario};
use grognard_stats::sweep::{MeasuredPoint, Point, PointAnswer};
use serde_json::{Value, json};

pub use super::table::{Row, csv, jsonl};

/// Columns before those of the varied params and readings.
const HEAD: [&str; 3] = ["point", "scenario", "rules"];
/// Number of columns after those of the varied params and readings.
const TAIL: usize = FOUND.len();

/// Returns all columns in order, including every param and reading that is varied in any of the scenarios.
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

/// A scenario of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweepTable<'t> {
    /// The file of the scenario, as rows name it.
    pub scenario: &'t str,
    /// The scenario with its rules.
    pub prepared: &'t Prepared,
}

impl SweepTable<'_> {
    /// Returns the varied params and readings with their values.
    pub fn turned(&self) -> Row {
        let turned = self.prepared.plan().sweep.over.iter();
        turned
            .map(|(id, values)| {
                let setting = &self.prepared.rules().settings[id.at()];
                (setting.name.clone(), values.iter().map(|cells| value(setting, cells)).collect())
            })
            .collect()
    }

    /// Returns the fields at the start of every row of a point.
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

    /// Returns the rows of a point that was measured.
    pub fn rows(&self, point: &Point, scenario: &Scenario, answer: &MeasuredPoint) -> Vec<Row> {
        let tails = match &answer.answer {
            PointAnswer::Exact(answers) => {
                let figures = scenario.plan.report.iter().zip(answers);
                let asked =
                    figures.map(|(f, a)| answer_rows(&scenario.game, (&f.text, f.sort, &f.asked.ty), a.as_ref()));
                asked.flatten().collect()
            }
            PointAnswer::Sampled(sampled) => {
                let made = (sampled.seed, sampled.faults, first_fault(sampled.first_fault.as_ref()));
                sample_rows(&scenario.game, "sampled", &sampled.estimates, made)
            }
        };
        let whole = |mut tail: Row| {
            let mut row = self.head(point);
            row.append(&mut tail);
            row
        };
        let mut rows: Vec<Row> = tails.into_iter().map(whole).collect();
        table::ended(&mut rows, answer.ended_by);
        rows
    }

    /// Returns the row of a point at which the scenario cannot be set up.
    pub fn unset(&self, point: &Point, problems: &[Diagnostic]) -> Vec<Row> {
        let rendered = problems.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message));
        let mut row = self.head(point);
        row.insert("error".into(), json!(rendered));
        vec![row]
    }
}

/// Returns the value of a param or reading as JSON: numbers, lengths in inches, flags, and names for other types.
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

/// Returns the rows as one JSON document, with the number of finished points and of all points.
pub fn document(columns: &[String], rows: &[Row], [finished, points]: [u64; 2]) -> Value {
    let rows: Vec<Row> = rows.iter().map(|row| table::whole(columns, row)).collect();
    json!({ "schema": 1, "points": points, "finished": finished, "rows": rows })
}

/// Returns the finding of these rows: each point with its results.
pub fn finding(columns: &[String], rows: &[Row], done: &str) -> Finding {
    let turned = &columns[HEAD.len()..columns.len().saturating_sub(TAIL).max(HEAD.len())];
    let mut finding = Finding::new(format!("sweep over {}", turned.join(", ")));
    finding.columns = columns.to_vec();
    finding.rows = rows.to_vec();
    let same = |a: &&Row, b: &&Row, names: &[&str]| names.iter().all(|name| a.get(*name) == b.get(*name));
    let rows: Vec<&Row> = rows.iter().collect();
    for table in rows.chunk_by(|a, b| same(a, b, &["scenario", "rules"])) {
        let words = |name: &str| words(table[0], name);
        finding.words(Block::Heading(format!("{} with {}", words("scenario"), words("rules"))));
        if let Some(grids) = grid::grids(turned, table) {
            grids.into_iter().for_each(|grid| finding.words(grid));
            continue;
        }
        for point in table.chunk_by(|a, b| same(a, b, &["point"])) {
            finding.words(Block::Item(place(turned, point[0]), lines(point)));
        }
    }
    page::add(&mut finding, turned, &rows, done);
    finding
}

/// Returns the lines about a point.
fn lines(rows: &[&Row]) -> Vec<String> {
    let first = rows[0];
    let faults = first.get("faults").and_then(Value::as_u64).unwrap_or(0);
    let mut lines = Vec::new();
    match words(first, "error") {
        "" if faults > 0 => lines.push(format!("{faults} ended in an error; {}", words(first, "first_fault"))),
        error if !error.is_empty() && words(first, "measure").is_empty() => {
            lines.push(format!("the table cannot be set: {error}"));
        }
        _ => {}
    }
    lines.extend(rows.iter().filter(|row| !words(row, "measure").is_empty()).map(|row| line(row)));
    lines
}

/// Returns the result of a row in one line.
fn line(row: &Row) -> String {
    let (measure, sort) = (words(row, "measure"), words(row, "sort"));
    let value = if sort == "hist" { format!(" = {}", value_of(row)) } else { String::new() };
    let rendered = match (words(row, "label"), page::found(row)) {
        ("", _) => format!("not known: {}", words(row, "error")),
        ("sampled", number) if number.at.is_none() && number.ends.is_none() => "no run counted".into(),
        ("sampled", number) if number.ends.is_none() => {
            format!("{}, no interval, as nothing bounds it  (sampled)", number.text)
        }
        ("sampled", number) => format!("{}  (sampled)", number.rendered()),
        (label, number) => {
            let fraction = words(row, "fraction").parse::<Fraction>().map_or(String::new(), |f| short(&f));
            let fraction =
                if fraction.is_empty() || fraction == number.text { String::new() } else { fraction + " = " };
            let fault = words(row, "first_fault");
            let fault = if fault.is_empty() { String::new() } else { format!("; {fault}") };
            format!("{fraction}{}  ({label}){fault}", number.rendered())
        }
    };
    format!("{sort} {measure}{value}: {rendered}")
}

fn words<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the settings of a point, such as `need 3, order First`.
fn place(names: &[String], row: &Row) -> String {
    let rendered = names.iter().filter_map(|name| Some(format!("{name} {}", bare(row.get(name)?))));
    rendered.collect::<Vec<String>>().join(", ")
}

/// Returns a value of a row without quotes. Floating-point numbers have no trailing zeros.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(String::new, trimmed),
        other => other.to_string(),
    }
}

/// Returns the value that a histogram row counts.
fn value_of(row: &Row) -> String {
    let number = || row.get("number").and_then(Value::as_f64).map(trimmed);
    let words = row.get("value").and_then(Value::as_str).filter(|words| !words.is_empty()).map(str::to_string);
    words.or_else(number).unwrap_or_default()
}

/// Returns the unit of the number in a row.
fn unit(row: &Row) -> Unit {
    match (words(row, "sort"), words(row, "unit")) {
        ("mean", "inches") => Unit::Inches,
        ("mean", _) => Unit::Plain,
        _ => Unit::Percent,
    }
}

/// Returns a summary of the methods. `tables` are the scenarios of the sweep, and `done` states the number of points.
pub fn summary(tables: &[Value], done: &str) -> String {
    let fact = |name: &str| tables.first().and_then(|t| t.get(name)).map_or(String::new(), bare);
    let runs = fact("runs");
    if tables.iter().any(|t| ["mode", "runs", "budget"].iter().any(|name| t.get(*name) != tables[0].get(*name))) {
        return format!("exact, or sampled with the same dice at every point, by scenario: {done}");
    }
    match fact("mode").as_str() {
        "exact" => format!("exact, at most {} states at a point: {done}", fact("budget")),
        "auto" => format!(
            "exact with at most {} states, otherwise sampled in {runs} runs with the same dice at every point: {done}",
            fact("budget")
        ),
        _ => format!("sampled, with the same dice at every point: {done}, {runs} runs each"),
    }
}
