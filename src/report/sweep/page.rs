//! Sweeps as pages to look at: curves over one param, heat maps over two, one below the other for what else is turned.

use super::super::page::{
    Block, Cell, Curve, CurvePoint, Effect, Heat, How, Intervals, Line, Number, Page, Table, millionths,
};
use super::super::sampled::estimated;
use super::{HEAD, Row, TAIL, Value, bare, unit, value_of};
use std::collections::BTreeSet;

/// Plots of one measure on one table; what else is turned is left to the table of numbers.
const MOST_PLOTS: usize = 24;
/// Curves of one plot.
const MOST_LINES: usize = 6;
/// Rows of the table of numbers.
const MOST_ROWS: usize = 1_000;

/// A param or reading with the values it takes.
type Turned<'r> = (&'r str, Vec<&'r Value>);

/// The page of these rows; `done` says how many points they are of.
pub fn page(columns: &[String], rows: &[Row], done: &str) -> Page {
    let mut page = Page::new("sweep");
    page.add(Block::Text(format!("{done}.")));
    let names = &columns[HEAD.len()..columns.len().saturating_sub(TAIL).max(HEAD.len())];
    for row in rows.iter().filter(|row| !words(row, "error").is_empty()) {
        page.add(Block::Note(format!("{}: the table cannot be set: {}", place(names, row), words(row, "error"))));
    }
    let measured: Vec<&Row> = rows.iter().filter(|row| !words(row, "measure").is_empty()).collect();
    // tables, and measures of each, in the order of the rows
    let mut plots: Vec<[&str; 4]> = Vec::new();
    for row in measured.iter().filter(|row| words(row, "sort") != "hist") {
        let key = ["scenario", "rules", "sort", "measure"].map(|name| words(row, name));
        if !plots.contains(&key) {
            plots.push(key);
        }
    }
    for key in plots {
        let [scenario, rules, sort, measure] = key;
        let of = |row: &&Row| ["scenario", "rules", "sort", "measure"].map(|name| words(row, name)) == key;
        let rows: Vec<&Row> = measured.iter().copied().filter(of).collect();
        page.add(Block::Heading(format!("{sort} {measure}")));
        page.add(Block::Text(format!("{scenario} with {rules}")));
        drawn(&mut page, &format!("{sort} {measure}"), names, &rows);
    }
    page.add(Block::Heading("All numbers".into()));
    page.add(Block::Table(table(names, &measured)));
    if measured.len() > MOST_ROWS {
        page.add(Block::Note(format!(
            "{} more rows are not listed; `--format csv` has all.",
            measured.len() - MOST_ROWS
        )));
    }
    page
}

fn words<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// `need 3, order First`.
fn place(names: &[String], row: &Row) -> String {
    let told = names.iter().filter_map(|name| Some(format!("{name} {}", bare(row.get(name)?))));
    told.collect::<Vec<String>>().join(", ")
}

/// What a row found, as a number of the page.
fn found(row: &Row) -> Number {
    let of = |name: &str| row.get(name).and_then(Value::as_f64);
    let level = row.get("level").map_or(String::new(), Value::to_string);
    let (unit, interval) = (unit(row), of("low").zip(of("high")));
    let place = |x: f64| millionths(unit.scaled(x));
    match (words(row, "label"), interval) {
        ("sampled", _) => estimated(unit, of("estimate"), interval, level.trim_end_matches(".0")),
        ("bounded", Some((low, high))) => {
            let ends = unit.ends((low, high)).join(" to ");
            Number::new("between", None, How::Bounded).within((place(low), place(high)), ends)
        }
        ("exact", _) => {
            let text = of("estimate").map_or("none".into(), |value| unit.plain(value));
            Number::new(text, of("estimate").map(place), How::Exact)
        }
        _ => Number::new("not known", None, How::Bounded),
    }
}

/// The plots of one measure on one table.
fn drawn(page: &mut Page, caption: &str, names: &[String], rows: &[&Row]) {
    let mut turned: Vec<Turned<'_>> = names.iter().map(|name| (name.as_str(), values(name, rows))).collect();
    turned.retain(|(_, values)| values.len() > 1);
    // what can stand on an axis comes first
    turned.sort_by_key(|(_, values)| !values.iter().all(|v| v.is_number()));
    let (across, down) = (turned.first(), turned.get(1));
    let mut seen = BTreeSet::new();
    for row in rows {
        let rest: Vec<String> =
            turned.iter().skip(2).filter_map(|(name, _)| Some(format!("{name} {}", bare(row.get(*name)?)))).collect();
        if !seen.insert(rest.clone()) {
            continue;
        }
        if seen.len() > MOST_PLOTS {
            page.add(Block::Note("There are more plots than can be looked at; all numbers stand below.".into()));
            break;
        }
        let same = |other: &&&Row| turned.iter().skip(2).all(|(name, _)| other.get(*name) == row.get(*name));
        let part: Vec<&Row> = rows.iter().filter(same).copied().collect();
        let caption = [vec![caption.to_string()], rest].concat().join(", ");
        let numbers = across.is_some_and(|(_, values)| values.iter().all(|v| v.is_number()));
        match (across, down) {
            (Some(across), None) if numbers => page.add(curve(caption, across, None, &part)),
            (Some(across), Some(down)) => {
                if numbers && down.1.len() <= MOST_LINES {
                    page.add(curve(caption.clone(), across, Some(down), &part));
                }
                page.add(heat(caption, across, down, &part));
            }
            _ => page.add(scale(caption, names, &part)),
        }
    }
}

/// The values a param takes in these rows, numbers in their order.
fn values<'r>(name: &str, rows: &[&'r Row]) -> Vec<&'r Value> {
    let mut values: Vec<&Value> = Vec::new();
    for value in rows.iter().filter_map(|row| row.get(name)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.sort_by_key(|v| v.as_f64().map(millionths));
    values
}

fn curve(caption: String, across: &Turned<'_>, lines: Option<&Turned<'_>>, rows: &[&Row]) -> Block {
    let line = |name: String, of: &dyn Fn(&Row) -> bool| Line {
        name,
        points: across
            .1
            .iter()
            .filter_map(|at| {
                let row = rows.iter().find(|row| row.get(across.0) == Some(*at) && of(row))?;
                Some(CurvePoint { at: millionths(at.as_f64()?), label: bare(at), number: found(row) })
            })
            .collect(),
    };
    let lines = match lines {
        None => vec![line(caption.clone(), &|_| true)],
        Some((name, values)) => {
            let own = |value: &&Value| line(format!("{name} {}", bare(value)), &|row| row.get(*name) == Some(*value));
            values.iter().map(own).collect()
        }
    };
    let sign = rows.first().map_or("", |row| unit(row).sign());
    let (across, unit) = (across.0.to_string(), sign.to_string());
    Block::Curve(Curve { caption, across, unit, lines, ..Curve::default() })
}

fn heat(caption: String, across: &Turned<'_>, down: &Turned<'_>, rows: &[&Row]) -> Block {
    let cell = |at: &Value, below: &Value| {
        let here = |row: &&&Row| row.get(across.0) == Some(at) && row.get(down.0) == Some(below);
        rows.iter().find(here).map(|row| found(row))
    };
    Block::Heat(Heat {
        caption,
        across: across.0.into(),
        down: down.0.into(),
        columns: across.1.iter().map(|v| bare(v)).collect(),
        rows: down.1.iter().map(|v| bare(v)).collect(),
        cells: down.1.iter().map(|below| across.1.iter().map(|at| cell(at, below)).collect()).collect(),
        effects: false,
    })
}

/// What cannot stand on an axis: a row for each value.
fn scale(caption: String, names: &[String], rows: &[&Row]) -> Block {
    let effect = |row: &&Row| Effect {
        label: place(names, row),
        verdict: String::new(),
        number: found(row),
        within: None,
        series: 0,
    };
    let unit = rows.first().map_or("", |row| unit(row).sign()).to_string();
    Block::Intervals(Intervals { caption, unit, rows: rows.iter().map(effect).collect(), ..Intervals::default() })
}

/// How many runs count; nothing where none were played.
fn runs(row: &Row) -> String {
    row.get("n")
        .and_then(Value::as_u64)
        .filter(|_| words(row, "label") == "sampled")
        .map_or(String::new(), |n| n.to_string())
}

fn table(names: &[String], rows: &[&Row]) -> Table {
    let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<String>>();
    let cells = |row: &&Row| {
        let text = |name: &str| Cell::Text(row.get(name).filter(|v| !v.is_null()).map_or(String::new(), bare));
        let head = ["point", "scenario", "rules"].map(text).into_iter().chain(names.iter().map(|name| text(name)));
        let tail = [
            text("measure"),
            Cell::Text(value_of(row)),
            Cell::Number(found(row)),
            Cell::Text(runs(row)),
            text("method"),
        ];
        head.chain(tail).collect()
    };
    Table {
        caption: String::new(),
        heads: [fixed(&HEAD), names.to_vec(), fixed(&["measure", "value", "estimate", "n", "method"])].concat(),
        rows: rows.iter().take(MOST_ROWS).map(cells).collect(),
    }
}
