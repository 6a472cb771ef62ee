//! Draws sweeps on pages: curves over one param and heat maps over two, with a separate plot for each combination of the other
//! params.

use super::super::compared::sensible;
use super::super::finding::{Block, Cell, Finding, Table};
use super::super::page::{Curve, CurvePoint, Heat, How, IntervalRow, Intervals, Number, Series, millionths};
use super::super::sampled::{Unit, estimated};
use super::{HEAD, Row, Value, bare, place, unit, value_of, words};
use grognard_base::OrdSet;
use grognard_base::order;
use grognard_base::value::Fraction;

/// Maximum number of plots of one measure in one scenario. The table of numbers shows the rest.
const MOST_PLOTS: usize = 24;
/// Maximum number of curves in one plot.
const MOST_LINES: usize = 6;
/// Maximum number of rows in the table of numbers.
const MOST_ROWS: usize = 1_000;

/// A param or reading with its values.
type SweptParam<'r> = (&'r str, Vec<&'r Value>);

/// Draws these rows. `done` states the number of points.
pub(super) fn add(page: &mut Finding, names: &[String], rows: &[&Row], done: &str) {
    page.draw(Block::Text(format!("{done}.")));
    for row in rows.iter().filter(|row| !words(row, "error").is_empty()) {
        let error = words(row, "error");
        page.draw(Block::Note(format!("{}: the table cannot be set: {error}", place(names, row))));
    }
    let measured: Vec<&Row> = rows.iter().copied().filter(|row| !words(row, "measure").is_empty()).collect();
    // Scenarios and their measures, in the order of the rows.
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
        page.draw(Block::Heading(format!("{sort} {measure}")));
        page.draw(Block::Text(format!("{scenario} with {rules}")));
        drawn(page, names, &rows);
    }
    page.draw(Block::Heading("All numbers".into()));
    page.draw(Block::Table(table(names, &measured)));
    if measured.len() > MOST_ROWS {
        page.draw(Block::Note(format!(
            "{} more rows are not listed; `--format csv` lists all.",
            measured.len() - MOST_ROWS
        )));
    }
}

/// Returns the result of a row as a number of the page.
pub(super) fn found(row: &Row) -> Number {
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
        (label @ ("exact" | "proven"), _) => {
            let how = if label == "exact" { How::Exact } else { How::Proven };
            let text = of("estimate").map_or("none".into(), |value| readable(unit, value, words(row, "fraction")));
            Number::new(text, of("estimate").map(place), how)
        }
        _ => Number::new("not known", None, How::Bounded),
    }
}

/// Formats an exact number with a readable number of digits. The machine-readable tables contain its fraction.
fn readable(unit: Unit, value: f64, fraction: &str) -> String {
    match (fraction.parse::<Fraction>(), unit) {
        (Ok(exact), Unit::Percent) => exact.percent(),
        (Ok(exact), _) => sensible(&exact) + unit.sign(),
        (Err(_), _) => unit.plain(value),
    }
}

/// Draws the plots of one measure in one scenario, all on the same scales. If the number is the same at every point, writes a
/// sentence instead.
fn drawn(page: &mut Finding, names: &[String], rows: &[&Row]) {
    let numbers: Vec<Number> = rows.iter().map(|row| found(row)).collect();
    if let Some(first) = numbers.first().filter(|first| first.at.is_some() && numbers.len() > 1)
        && numbers
            .iter()
            .all(|n| (n.at, &n.text, &n.ends_text, n.how) == (first.at, &first.text, &first.ends_text, first.how))
    {
        let (ends, how) = (first.ends_text.as_str(), first.how.word());
        let ends = if ends.is_empty() { String::new() } else { format!(", {ends}") };
        page.draw(Block::Text(format!("{}{ends} ({how}) at each of {} points.", first.text, numbers.len())));
        return;
    }
    let reach = || numbers.iter().flat_map(|n| n.at.into_iter().chain(n.ends.into_iter().flat_map(|(a, b)| [a, b])));
    let span = reach().min().zip(reach().max());
    let mut turned: Vec<SweptParam<'_>> = names.iter().map(|name| (name.as_str(), values(name, rows))).collect();
    turned.retain(|(_, values)| values.len() > 1);
    // Settings with numeric values come first, because they fit on an axis.
    order::sort_by_key(&mut turned, |(_, values)| !values.iter().all(|v| v.is_number()));
    let (across, down) = (turned.first(), turned.get(1));
    let mut seen = OrdSet::new();
    for row in rows {
        let rest: Vec<String> =
            turned.iter().skip(2).filter_map(|(name, _)| Some(format!("{name} {}", bare(row.get(*name)?)))).collect();
        if !seen.insert(rest.clone()) {
            continue;
        }
        if seen.len() > MOST_PLOTS {
            page.draw(Block::Note("There are too many plots to show; all numbers are listed below.".into()));
            break;
        }
        let same = |other: &&&Row| turned.iter().skip(2).all(|(name, _)| other.get(*name) == row.get(*name));
        let part: Vec<&Row> = rows.iter().filter(same).copied().collect();
        let caption = |over: &str| [vec![over.to_string()], rest.clone()].concat().join(", ");
        let is_number = across.is_some_and(|(_, values)| values.iter().all(|v| v.is_number()));
        match (across, down) {
            (Some(across), None) if is_number => {
                page.draw(Block::Curve(Curve {
                    span,
                    ..curve(caption(&format!("over {}", across.0)), across, None, &part)
                }));
            }
            (Some(across), Some(down)) => {
                if is_number && down.1.len() <= MOST_LINES {
                    let over = caption(&format!("over {}", across.0));
                    page.draw(Block::Curve(Curve { span, ..curve(over, across, Some(down), &part) }));
                }
                let over = caption(&format!("{} by {}", down.0, across.0));
                page.draw(Block::Heat(Heat { beside: numbers.clone(), ..heat(over, across, down, &part) }));
            }
            _ => page.draw(scale(caption("each point"), names, &part)),
        }
    }
}

/// Returns the values that a param takes in these rows. Numbers are sorted.
fn values<'r>(name: &str, rows: &[&'r Row]) -> Vec<&'r Value> {
    let mut values: Vec<&Value> = Vec::new();
    for value in rows.iter().filter_map(|row| row.get(name)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    order::sort_by_key(&mut values, |v| v.as_f64().map(millionths));
    values
}

fn curve(caption: String, across: &SweptParam<'_>, lines: Option<&SweptParam<'_>>, rows: &[&Row]) -> Curve {
    let line = |name: String, of: &dyn Fn(&Row) -> bool| Series {
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
        None => vec![line(rows.first().map_or("", |row| words(row, "measure")).to_string(), &|_| true)],
        Some((name, values)) => {
            let own = |value: &&Value| line(format!("{name} {}", bare(value)), &|row| row.get(*name) == Some(*value));
            values.iter().map(own).collect()
        }
    };
    let sign = rows.first().map_or("", |row| unit(row).sign());
    let (across, unit) = (across.0.to_string(), sign.to_string());
    Curve { caption, across, unit, lines, ..Curve::default() }
}

fn heat(caption: String, across: &SweptParam<'_>, down: &SweptParam<'_>, rows: &[&Row]) -> Heat {
    let cell = |at: &Value, below: &Value| {
        let here = |row: &&&Row| row.get(across.0) == Some(at) && row.get(down.0) == Some(below);
        rows.iter().find(here).map(|row| found(row))
    };
    Heat {
        caption,
        across: across.0.into(),
        down: down.0.into(),
        columns: across.1.iter().map(|v| bare(v)).collect(),
        rows: down.1.iter().map(|v| bare(v)).collect(),
        cells: down.1.iter().map(|below| across.1.iter().map(|at| cell(at, below)).collect()).collect(),
        ..Heat::default()
    }
}

/// Draws a row for each value, for settings that do not fit on an axis.
fn scale(caption: String, names: &[String], rows: &[&Row]) -> Block {
    let effect = |row: &&Row| IntervalRow::new(place(names, row), found(row));
    let unit = rows.first().map_or("", |row| unit(row).sign()).to_string();
    Block::Intervals(Intervals { caption, unit, rows: rows.iter().map(effect).collect(), ..Intervals::default() })
}

/// Returns the sample size of a row, or an empty text if the row is not sampled.
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
    let heads = [fixed(&HEAD), names.to_vec(), fixed(&["measure", "value", "estimate", "n", "method"])].concat();
    let mut rows: Vec<Vec<Cell>> = rows.iter().take(MOST_ROWS).map(cells).collect();
    // A column with the same text in every row carries no information.
    let word = |cell: &Cell| if let Cell::Text(text) = cell { Some(text.clone()) } else { None };
    let first: Vec<Option<String>> = rows.first().into_iter().flatten().map(word).collect();
    let same = |n: usize| first[n].is_some() && rows.iter().all(|row| word(&row[n]) == first[n]);
    let kept: Vec<bool> = (0..first.len()).map(|n| heads[n] == "measure" || !same(n)).collect();
    for row in &mut rows {
        let mut keep = kept.iter();
        row.retain(|_| *keep.next().unwrap_or(&true));
    }
    let heads = heads.into_iter().zip(kept).filter(|(_, keep)| *keep).map(|(head, _)| head).collect();
    Table { caption: String::new(), heads, rows }
}
