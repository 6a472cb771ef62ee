//! Samples and comparisons as text: for people, as JSON, and as CSV. Every estimate says that it is one, of how many runs, by
//! which method and at which level.

#![allow(clippy::float_arithmetic)] // numbers are rounded here for printing, and nowhere else

mod comparison;
mod page;

pub use comparison::METHOD;
pub(super) use comparison::{comparison, comparison_json, comparison_rows, notes};
use comparison::{judged, places};
pub use page::sample_page;
pub(super) use page::{comparison_page, estimated, label as value_label, place};

use super::bounds::{bounds, percents};
use super::clean;
use super::table;
use crate::base::{Sources, Span};
use crate::machine::{Fault, Game};
use crate::sample::{End, Estimate, Method, Point, Sample, Speed, Tally, share_interval};
use crate::scenario::Scenario;
use crate::value::{Fraction, NONE, Toward, Type};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Most digits after the point.
const MOST_DIGITS: usize = 6;

/// Digits after the point with which a width of this size is told to two places.
pub fn digits(half: f64) -> usize {
    let mut scaled = half;
    (0..MOST_DIGITS)
        .find(|_| {
            let enough = scaled >= 9.5 || scaled <= 0.0;
            scaled *= 10.0;
            enough
        })
        .unwrap_or(MOST_DIGITS)
}

/// A number with so many digits; `up` or down if it may not be rounded to the other side.
pub fn rounded(x: f64, digits: usize, up: Option<bool>) -> String {
    match up {
        Some(up) if x.is_finite() => {
            Fraction::of_float(x).rounded(digits as u32, if up { Toward::Above } else { Toward::Below })
        }
        _ => format!("{:.digits$}", if x == 0.0 { 0.0 } else { x }),
    }
}

/// How numbers of a figure are written.
#[derive(Clone, Copy)]
pub enum Unit {
    /// A share, in percent.
    Percent,
    /// A length.
    Inches,
    /// A number.
    Plain,
}

impl Unit {
    pub(super) fn of(ty: &Type, share: bool) -> Unit {
        match ty {
            _ if share => Unit::Percent,
            Type::Length => Unit::Inches,
            _ => Unit::Plain,
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Unit::Percent => "%",
            Unit::Inches => "\"",
            Unit::Plain => "",
        }
    }

    pub(super) fn scaled(self, x: f64) -> f64 {
        if matches!(self, Unit::Percent) { x * 100.0 } else { x }
    }

    /// A number as it is, to six places, and its unit.
    pub(super) fn plain(self, value: f64) -> String {
        format!("{}{}", trimmed(self.scaled(value)), self.sign())
    }

    /// Bounds and their unit, rounded outward.
    pub(super) fn ends(self, (low, high): (f64, f64)) -> [String; 2] {
        let [low, high] = [low, high].map(Fraction::of_float);
        let sign = self.sign();
        match self {
            Unit::Percent => percents(&low, &high),
            _ => bounds(&low, &high, 4).map(|end| end.trim_end_matches('0').trim_end_matches('.').to_string() + sign),
        }
    }

    /// A number, told as exactly as its interval allows, and the interval, rounded outward.
    pub fn told(self, value: Option<f64>, (low, high): (f64, f64), level: &str) -> String {
        if let Some(value) = value.filter(|_| low == high) {
            return self.plain(value);
        }
        let [low, high] = [low, high].map(|x| self.scaled(x));
        let (digits, sign) = (digits((high - low) / 2.0), self.sign());
        let value = value.map_or("not known".into(), |v| rounded(self.scaled(v), digits, None) + sign);
        let (low, high) = (rounded(low, digits, Some(false)), rounded(high, digits, Some(true)));
        format!("{value}, {level}% {low}{sign} to {high}{sign}")
    }
}

/// What stands behind every estimate.
fn label(how: &str, n: u64) -> String {
    format!("({how}, from {n} {})", if how == "drawn" { "values" } else { "runs" })
}

/// How the numbers of a sample are found, in a line, for who asks.
pub fn method(estimates: &[Estimate]) -> String {
    let any = |method| estimates.iter().any(|e| e.method == method);
    let wilson = "chances have Wilson's score interval (1927), for a number of runs fixed beforehand";
    let betting = "means, and with `--until` chances, have betting confidence sequences (Waudby-Smith and Ramdas 2024), which \
                   need bounds and no normal distribution, and hold at every look";
    let parts = [(Method::Wilson, wilson), (Method::Betting, betting)];
    let told: Vec<&str> = parts.into_iter().filter(|(method, _)| any(*method)).map(|(_, told)| told).collect();
    format!("How it was found: {}.\n", told.join("; "))
}

/// Most lines of rules that are named.
const MOST_LINES: usize = 10;

/// How the runs were played, for who asks why it takes so long: many at once, along positions that are known, or one at a
/// time; and which lines did that.
pub fn speed(sample: &Sample, sources: &Sources) -> String {
    let Speed { blocks, in_blocks, left, followed, known, anew } = &sample.speed;
    let alone = sample.runs.saturating_sub(*in_blocks + *followed);
    if !blocks && *followed == 0 {
        return "How it was played: one run at a time; what the scenario itself gives, such as dice, a stop before the end or \
                a player who decides by chance, wants that.\n"
            .into();
    }
    let share = |runs: u64| 100 * runs / sample.runs.max(1);
    let mut text = format!(
        "How it was played: {in_blocks} runs many at once ({}%), {followed} along positions that earlier runs came to ({}%), \
         {alone} one at a time, which takes longer.\n",
        share(*in_blocks),
        share(*followed)
    );
    lines(&mut text, left, sources, "left at");
    let made: u64 = anew.values().sum();
    if made > 0 {
        let share = 100 * known / (known + made).max(1);
        writeln!(
            text,
            "Between two looks at dice it was known in {known} of {} cases ({share}%) what comes.",
            known + made
        )
        .unwrap_or_default();
        lines(&mut text, anew, sources, "played on from");
    }
    text
}

/// The lines of the rules at which something happened most often.
fn lines(text: &mut String, found: &BTreeMap<Option<Span>, u64>, sources: &Sources, what: &str) {
    let mut places: Vec<_> = found.iter().collect();
    places.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
    for (span, times) in places.iter().take(MOST_LINES) {
        let at = span.map(|span| sources.origin(span)).and_then(|span| Some((span, sources.get(span.file)?)));
        let place = at.map_or("the scenario".to_string(), |(span, source)| {
            let line = source.place(span.start).line;
            format!("{}:{line}: {}", source.name, source.line(line).trim())
        });
        writeln!(text, "  {times} {what} {}", clean(&place)).unwrap_or_default();
    }
}

/// How a sample was made, in a word.
fn how(sample: &Sample) -> &'static str {
    if sample.drawn { "drawn" } else { "sampled" }
}

/// The same in a line.
fn made(sample: &Sample) -> String {
    let (runs, seed) = (sample.runs, sample.settings.seed);
    match sample.drawn {
        true => {
            format!("drawn from exact odds: {runs} values of each figure by itself, seed {seed}; no run was played")
        }
        false => format!("sampled: {runs} runs, seed {seed}, {} ended in an error", sample.faults),
    }
}

/// A sample for people.
pub fn sample(scenario: &Scenario, sample: &Sample) -> String {
    let settings = &sample.settings;
    let mut text = made(sample) + "\n";
    match sample.end {
        End::Done if settings.until.is_some() => {
            text += "all runs are used up, and the intervals are wider than was asked for\n";
        }
        End::Done => {}
        End::Narrow => text += "stopped when the intervals were as narrow as was asked for\n",
        End::Stopped => {
            let _ = writeln!(text, "stopped by hand: these are the first {} of {} runs", sample.runs, settings.runs);
        }
        End::Gone => text += "stopped where the input ended\n",
    }
    for (estimate, tally) in sample.estimates(scenario).iter().zip(&sample.tallies) {
        text += &one(scenario, how(sample), estimate, tally.values().is_none());
    }
    text
}

fn one(scenario: &Scenario, how: &str, estimate: &Estimate, too_many: bool) -> String {
    let name = clean(&estimate.text);
    let level = estimate.level.name;
    let label = label(how, estimate.counted);
    match &estimate.point {
        _ if estimate.counted == 0 => format!("{name}: no run counted ({how}, from 0 runs)\n"),
        Point::Share { held } => {
            let told = Unit::Percent.told(estimate.value(), estimate.interval.unwrap_or((0.0, 1.0)), level);
            format!("chance {name}: {told}, held in {held}  {label}\n")
        }
        Point::Mean(exact) => {
            let unit = Unit::of(&estimate.ty, false);
            let told = match (estimate.interval, estimate.value()) {
                (Some(interval), value) => unit.told(value, interval, level),
                (None, Some(value)) if !too_many => {
                    let value = rounded(value, 2, None);
                    let sign = unit.sign();
                    return format!(
                        "mean {name}: {value}{sign}, no interval, as nothing bounds it; `min(max(x, 0), 40)` would  {label}\n"
                    );
                }
                _ => "not known, the values are too many".into(),
            };
            let exact = exact.filter(|m| m.is_whole() && estimate.interval.is_some_and(|(a, b)| a == b));
            format!("mean {name}: {told}{}  {label}\n", exact.map_or("", |_| ", always the same"))
        }
        Point::Values(values) => {
            let mut text = format!("hist {name}:  {label}\n");
            for (cells, times, interval) in values {
                let share = *times as f64 / estimate.counted as f64;
                let told = Unit::Percent.told(Some(share), *interval, level);
                let _ =
                    writeln!(text, "  {}: {times}, {told}", clean(&value_text(&scenario.game, &estimate.ty, cells)));
            }
            text
        }
    }
}

/// A value of a figure in words; of a list its entries are the cells.
pub fn value_text(game: &Game, ty: &Type, cells: &[i64]) -> String {
    match ty {
        Type::List(inner) => {
            let width = game.program.schema.width(inner).max(1);
            let parts: Vec<String> = cells.chunks(width).map(|c| game.tell(&game.start, inner, c)).collect();
            format!("[{}]", parts.join(", "))
        }
        ty => game.tell(&game.start, ty, cells),
    }
}

fn end_word(end: End) -> &'static str {
    match end {
        End::Done => "done",
        End::Narrow => "narrow",
        End::Stopped => "stopped",
        End::Gone => "gone",
    }
}

/// A sample as a JSON object.
pub fn sample_json(scenario: &Scenario, sample: &Sample) -> Value {
    let (hold, looked) = crate::play::count(&sample.checks);
    let figures: Vec<Value> = sample
        .estimates(scenario)
        .iter()
        .zip(&sample.tallies)
        .map(|(e, t)| figure_json(scenario, sample, e, t))
        .collect();
    json!({
        "schema": 2,
        "rules": scenario.plan.rules,
        "seed": sample.settings.seed,
        "runs": sample.runs,
        "asked": sample.settings.runs,
        "end": end_word(sample.end),
        "faults": sample.faults,
        "first_fault": sample.first_fault.as_ref().map(|(run, f)| json!({ "run": run, "message": f.diagnostic().message })),
        "hold": hold,
        "expected": looked,
        "waiting": crate::play::waiting(&sample.checks),
        "figures": figures,
    })
}

/// A figure as JSON: what its row says, and all values with how often each came and the interval of that share.
fn figure_json(scenario: &Scenario, sample: &Sample, e: &Estimate, tally: &Tally) -> Value {
    let values = tally.values().into_iter().flatten().map(|(cells, times)| {
        let (low, high) = share_interval(times, tally.counted, &sample.settings, sample.settings.until.is_some());
        let share = times as f64 / tally.counted.max(1) as f64;
        let value = value_text(&scenario.game, &e.ty, cells);
        let number = told_value(&scenario.game, &e.ty, cells).1;
        json!({ "value": value, "number": number, "count": times, "estimate": share, "low": low, "high": high })
    });
    let (sort, exact) = match &e.point {
        Point::Share { held } => ("chance", Some(format!("{held}/{}", e.counted))),
        Point::Mean(mean) => ("mean", mean.map(|m| m.to_string())),
        Point::Values(_) => ("hist", None),
    };
    json!({
        "measure": e.text,
        "sort": sort,
        "label": how(sample),
        "n": e.counted,
        "estimate": e.value(),
        "exact_of_sample": exact,
        "low": e.interval.map(|i| i.0),
        "high": e.interval.map(|i| i.1),
        "level": level_number(e.level.name),
        "method": e.method.name(),
        "unit": table::unit(&e.ty, sort != "mean"),
        "values": values.collect::<Vec<Value>>(),
    })
}

/// A value of a figure in words and as a number, as rows tell it: a whole number has no words, so that no
/// program takes a column of words for one of numbers.
pub(super) fn told_value(game: &Game, ty: &Type, cells: &[i64]) -> (String, Option<f64>) {
    match (ty, cells) {
        (_, [NONE, ..]) => (value_text(game, ty, cells), None),
        (Type::Int(_), [n, ..]) => (String::new(), Some(*n as f64)),
        (Type::Length, [n, ..]) => (value_text(game, ty, cells), Some(*n as f64 / 1_000.0)),
        (Type::Ratio, [num, den, ..]) => (format!("{num}/{den}"), Some(*num as f64 / *den as f64)),
        _ => (value_text(game, ty, cells), None),
    }
}

/// Rows of an estimate: one, or one for each value of a histogram.
pub(super) fn rows(game: &Game, how: &str, e: &Estimate) -> Vec<table::Row> {
    let row = |sort: &str, estimate: Option<f64>, interval: Option<(f64, f64)>| {
        table::row(json!({
            "measure": e.text,
            "sort": sort,
            "label": how,
            "n": e.counted,
            "estimate": estimate,
            "low": interval.map(|i| i.0),
            "high": interval.map(|i| i.1),
            "level": level_number(e.level.name),
            "method": e.method.name(),
            "unit": table::unit(&e.ty, sort != "mean"),
        }))
    };
    let of = |(cells, times, interval): &(Vec<i64>, u64, (f64, f64))| {
        let share = (e.counted > 0).then(|| *times as f64 / e.counted as f64);
        let mut row = row("hist", share, Some(*interval));
        let (value, number) = told_value(game, &e.ty, cells);
        row.insert("value".into(), json!(value));
        row.insert("number".into(), json!(number));
        row
    };
    match &e.point {
        Point::Share { .. } => vec![row("chance", e.value(), e.interval)],
        Point::Mean(_) => vec![row("mean", e.value(), e.interval)],
        Point::Values(values) => values.iter().map(of).collect(),
    }
}

/// Rows of a sample, with what belongs to all of them.
pub(super) fn sample_rows(
    game: &Game,
    how: &str,
    sampled: &[Estimate],
    made: (u64, u64, Option<String>),
) -> Vec<table::Row> {
    let (seed, faults, first) = made;
    let mut all: Vec<table::Row> = sampled.iter().flat_map(|e| rows(game, how, e)).collect();
    for row in &mut all {
        row.insert("faults".into(), json!(faults));
        row.insert("first_fault".into(), json!(first));
        row.insert("seed".into(), json!(seed));
    }
    all
}

/// The first error of a sample in words.
pub(super) fn first_fault(first: Option<&(u64, Fault)>) -> Option<String> {
    first.map(|(run, fault)| format!("run {run}: {}", fault.message))
}

/// The columns of a table of figures.
pub(super) fn figure_columns() -> Vec<String> {
    table::columns(&[&["scenario", "rules"], &table::FOUND])
}

/// A sample as CSV: a line for each share and mean, and one for each value of a histogram.
pub fn sample_csv(name: &str, scenario: &Scenario, sample: &Sample) -> String {
    let made = (sample.settings.seed, sample.faults, first_fault(sample.first_fault.as_ref()));
    let mut rows = sample_rows(&scenario.game, how(sample), &sample.estimates(scenario), made);
    for row in &mut rows {
        row.insert("scenario".into(), json!(name));
        row.insert("rules".into(), json!(scenario.game.program.schema.path));
    }
    table::csv(&figure_columns(), &rows)
}

/// A level as a number.
pub(super) fn level_number(level: &str) -> Option<f64> {
    level.parse().ok()
}

/// A level in percent, such as `97.5`.
pub fn level_of(alpha: f64) -> String {
    let text = format!("{:.2}", 100.0 * (1.0 - alpha));
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The ends of an interval of a difference, rounded outward, in the direction of what was found: `0.4 to 0.8` of
/// what is more or less; where both may be, each end says which it is.
pub fn between((low, high): (f64, f64), difference: f64, places: usize) -> String {
    let (least, most) = (rounded(low, places, Some(false)), rounded(high, places, Some(true)));
    let bare = |end: &str| end.trim_start_matches('-').to_string();
    match (low < 0.0, high > 0.0) {
        (true, true) => format!("{} less to {most} more", bare(&least)),
        (true, false) if difference < 0.0 => format!("{} to {}", bare(&most), bare(&least)),
        _ => format!("{least} to {most}"),
    }
}

/// Digits after the point with which an interval, rounded outward, still leaves out 0 if it does, and shows what it has to.
pub fn clear((low, high): (f64, f64), shows: impl Fn(f64, f64) -> bool) -> usize {
    let clear = |places: &usize| {
        let end = |x, up| rounded(x, *places, Some(up)).parse::<f64>().unwrap_or(x);
        let (least, most) = (end(low, false), end(high, true));
        (least > 0.0 || low <= 0.0) && (most < 0.0 || high >= 0.0) && shows(least, most)
    };
    (digits((high - low) / 2.0)..=MOST_DIGITS).find(clear).unwrap_or(MOST_DIGITS)
}

/// A number without needless digits.
pub(super) fn trimmed(x: f64) -> String {
    let text = rounded(x, MOST_DIGITS, None);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
