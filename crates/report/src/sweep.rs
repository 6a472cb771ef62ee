//! What a sweep found: rows for programs, one for each point and measure, and lines for people.

#![allow(clippy::float_arithmetic)] // numbers are turned for printing here, and nowhere else

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
pub struct SweepTable<'t> {
    /// The scenario.
    pub scenario: &'t str,
    /// It with its rules.
    pub prepared: &'t Prepared,
}

impl SweepTable<'_> {
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

/// The finding of these rows: each point, and below it what was found.
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
        for point in table.chunk_by(|a, b| same(a, b, &["point"])) {
            finding.words(Block::Item(place(turned, point[0]), lines(point)));
        }
    }
    page::add(&mut finding, turned, &rows, done);
    finding
}

/// What was found at a point.
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

/// What a row found, in a line.
fn line(row: &Row) -> String {
    let (measure, sort) = (words(row, "measure"), words(row, "sort"));
    let value = if sort == "hist" { format!(" = {}", value_of(row)) } else { String::new() };
    let told = match (words(row, "label"), page::found(row)) {
        ("", _) => format!("not known: {}", words(row, "error")),
        ("sampled", number) if number.at.is_none() && number.ends.is_none() => "no run counted".into(),
        ("sampled", number) if number.ends.is_none() => format!("{}, no interval, as nothing bounds it", number.text),
        ("sampled", number) => number.told(),
        (label, number) => {
            let fraction = words(row, "fraction").parse::<Fraction>().map_or(String::new(), |f| short(&f));
            let fraction =
                if fraction.is_empty() || fraction == number.text { String::new() } else { fraction + " = " };
            let fault = words(row, "first_fault");
            let fault = if fault.is_empty() { String::new() } else { format!("; {fault}") };
            format!("{fraction}{}  ({label}){fault}", number.told())
        }
    };
    format!("{sort} {measure}{value}: {told}")
}

fn words<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// `need 3, order First`.
fn place(names: &[String], row: &Row) -> String {
    let told = names.iter().filter_map(|name| Some(format!("{name} {}", bare(row.get(name)?))));
    told.collect::<Vec<String>>().join(", ")
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
fn unit(row: &Row) -> Unit {
    match (words(row, "sort"), words(row, "unit")) {
        ("mean", "inches") => Unit::Inches,
        ("mean", _) => Unit::Plain,
        _ => Unit::Percent,
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
