//! Reports samples. Every estimate is printed with its number of runs, its confidence level and, on request, its method.

#![allow(clippy::float_arithmetic)] // rounds numbers only for printing

mod values;

pub(super) use values::{bars, label as value_label, place};

use super::bounds::{bounds, percents};
use super::finding::{Block, Finding};
use super::odds::tell_sums;
use super::page::{Histogram, How, IntervalRow, Number, millionths};
use super::table;
use super::{clean, counted};
use grognard_base::order;
use grognard_base::value::{Fraction, NONE, Toward, Type};
use grognard_base::{OrdMap, Sources, Span};
use grognard_scenario::Scenario;
use grognard_stats::{End, Estimate, Method, PointEstimate, Sample, Speed, Tally, share_interval};
use grognard_vm::{Fault, Game};
use serde_json::{Value, json};
use std::fmt::Write;

/// Maximum number of digits after the decimal point.
const MOST_DIGITS: usize = 6;

/// Returns the number of digits after the decimal point at which a half-width of this size has two significant digits.
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

/// Formats a number with `digits` digits after the decimal point. `up` sets the direction of rounding, or `None` for the nearest
/// value.
pub fn rounded(x: f64, digits: usize, up: Option<bool>) -> String {
    match up {
        Some(up) if x.is_finite() => {
            Fraction::of_float(x).rounded(digits as u32, if up { Toward::Above } else { Toward::Below })
        }
        _ => format!("{:.digits$}", if x == 0.0 { 0.0 } else { x }),
    }
}

/// The unit in which the numbers of a measure are written.
#[derive(Clone, Copy)]
pub enum Unit {
    /// A share, in percent.
    Percent,
    /// A length, in inches.
    Inches,
    /// A number without a unit.
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

    /// Returns the unit that is written after a difference.
    pub(super) fn points(self) -> &'static str {
        if matches!(self, Unit::Percent) { " points" } else { self.sign() }
    }

    pub(super) fn scaled(self, x: f64) -> f64 {
        if matches!(self, Unit::Percent) { x * 100.0 } else { x }
    }

    /// Formats a number with up to six decimal places, and its unit.
    pub(super) fn plain(self, value: f64) -> String {
        format!("{}{}", trimmed(self.scaled(value)), self.sign())
    }

    /// Formats bounds with their unit, rounded outward.
    pub(super) fn ends(self, (low, high): (f64, f64)) -> [String; 2] {
        let [low, high] = [low, high].map(Fraction::of_float);
        let sign = self.sign();
        match self {
            Unit::Percent => percents(&low, &high),
            _ => bounds(&low, &high, 4).map(|end| end.trim_end_matches('0').trim_end_matches('.').to_string() + sign),
        }
    }

    /// Returns the number of digits at which the outward-rounded interval of a difference excludes 0, if the interval itself
    /// does.
    pub(super) fn places(self, (low, high): (f64, f64)) -> usize {
        clear((self.scaled(low), self.scaled(high)), |_, _| true)
    }

    /// Formats a difference and its interval, such as `1.02 less in B, 95% 0.84 to 1.20`. `of` is written after the size.
    pub(super) fn differs(
        self,
        difference: f64,
        (low, high): (f64, f64),
        (alpha, places): (f64, usize),
        of: &str,
    ) -> String {
        let size = match difference {
            0.0 => "no difference".to_string(),
            d => {
                let size = rounded(self.scaled(d.abs()), places, None);
                format!("{size}{} {}{of}", self.points(), if d < 0.0 { "less" } else { "more" })
            }
        };
        let ends = between((self.scaled(low), self.scaled(high)), difference, places);
        format!("{size}, {}% {ends}", level_of(alpha))
    }

    /// Formats a number with the precision that its interval justifies, and the interval, rounded outward.
    pub fn rendered(self, value: Option<f64>, (low, high): (f64, f64), level: &str) -> String {
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

/// Returns an estimate as a number with the precision that its interval justifies.
pub(super) fn estimated(unit: Unit, value: Option<f64>, interval: Option<(f64, f64)>, level: &str) -> Number {
    let at = value.map(|v| millionths(unit.scaled(v)));
    let Some(ends) = interval else {
        let text = value.map_or("not known".into(), |v| rounded(unit.scaled(v), 2, None) + unit.sign());
        return Number::new(text, at, How::Sampled);
    };
    let rendered = unit.rendered(value, ends, level);
    let (text, ends_text) = rendered.split_once(", ").unwrap_or((&rendered, ""));
    let ends = (millionths(unit.scaled(ends.0)), millionths(unit.scaled(ends.1)));
    Number::new(text, at, How::Sampled).within(ends, ends_text)
}

/// Returns the description of the statistical methods that these estimates use.
pub fn method(estimates: &[Estimate]) -> String {
    let any = |method| estimates.iter().any(|e| e.method == method);
    let wilson = "chances have Wilson score intervals (1927), for a fixed number of runs";
    let betting = "means, and with `--until` chances, have betting confidence sequences (Waudby-Smith and Ramdas 2024), which \
                   need bounds but no normal distribution, and hold at every interim analysis";
    let parts = [(Method::Wilson, wilson), (Method::Betting, betting)];
    let rendered: Vec<&str> =
        parts.into_iter().filter(|(method, _)| any(*method)).map(|(_, rendered)| rendered).collect();
    format!("Method: {}.\n", rendered.join("; "))
}

/// Maximum number of lines of the rules that are listed.
const MOST_LINES: usize = 10;

/// Returns a description of how the runs were executed: in batches, along known transitions, or one at a time. Lists the lines of
/// the rules that caused the slower execution.
pub fn speed(sample: &Sample, sources: &Sources) -> String {
    let Speed { blocks, in_blocks, left, full, followed, known, anew } = &sample.speed;
    let alone = sample.runs.saturating_sub(*in_blocks + *followed);
    if !blocks && *followed == 0 {
        return "Execution: one run at a time, because of the scenario: fixed dice, a stop before the end, or a player who \
                decides at random.\n"
            .into();
    }
    let share = |runs: u64| 100 * runs / sample.runs.max(1);
    let mut text = format!(
        "Execution: {in_blocks} runs in batches ({}%), {followed} along known transitions of earlier runs ({}%), {alone} one at \
         a time, which is slower.\n",
        share(*in_blocks),
        share(*followed)
    );
    lines(&mut text, left, sources, "left the batch at");
    if *full {
        let most = grognard_stats::MOST_ROWS >> 20;
        writeln!(text, "A batch holds at most {most} MB of values that change, and these runs change more.")
            .unwrap_or_default();
    }
    let made: u64 = anew.values().sum();
    if made > 0 {
        let share = 100 * known / (known + made).max(1);
        writeln!(
            text,
            "Transitions between two rolls: {known} of {} known from earlier runs ({share}%).",
            known + made
        )
        .unwrap_or_default();
        lines(&mut text, anew, sources, "computed from");
    }
    text
}

/// Adds the lines of the rules at which an event occurred most often.
fn lines(text: &mut String, found: &OrdMap<Option<Span>, u64>, sources: &Sources, what: &str) {
    let mut places: OrdMap<String, u64> = OrdMap::new();
    for (span, times) in found.iter() {
        let at = span.map(|span| sources.origin(span)).and_then(|span| Some((span, sources.get(span.file)?)));
        let place = at.map_or("the scenario".to_string(), |(span, source)| {
            let line = source.place(span.start).line;
            format!("{}:{line}: {}", source.name, source.line(line).trim())
        });
        *places.entry(place).or_default() += times;
    }
    let mut places: Vec<_> = places.into_iter().collect();
    order::sort_by_key(&mut places, |(_, times)| std::cmp::Reverse(*times));
    for (place, times) in places.iter().take(MOST_LINES) {
        writeln!(text, "  {times} times {what} {}", clean(place)).unwrap_or_default();
    }
}

/// Returns the word for the origin of a sample.
fn how(sample: &Sample) -> &'static str {
    if sample.drawn { "drawn" } else { "sampled" }
}

/// Returns a sentence about the origin of a sample.
fn made(sample: &Sample) -> String {
    let (runs, seed) = (sample.runs, sample.settings.seed);
    match sample.drawn {
        true => {
            format!("drawn from exact odds: {runs} values of each measure separately, seed {seed}; no runs")
        }
        false => format!("sampled: {}, seed {seed}, {} ended in an error", counted(runs, "run"), sample.faults),
    }
}

/// Returns the finding of a sample. `name` is the file of the scenario.
pub fn sample(name: &str, scenario: &Scenario, sample: &Sample) -> Finding {
    let settings = &sample.settings;
    let mut finding = Finding::new(format!("simulate {name}"));
    finding.say(made(sample));
    match sample.end {
        End::Done if settings.until.is_some() => {
            finding.warn("the maximum number of runs is reached, and the intervals are wider than requested");
        }
        End::Done => {}
        End::Narrow => finding.say("stopped when the intervals were as narrow as requested"),
        End::Failed => {
            finding.warn("each of these runs ended in an error, so the sample stopped");
        }
        End::Stopped => {
            let (runs, of) = (sample.runs, settings.runs);
            finding.warn(format!("interrupted: the first {runs} of {of} runs"));
        }
        End::Gone => finding.warn("stopped at the end of the input"),
    }
    let estimates = sample.estimates(scenario);
    for (estimate, tally) in estimates.iter().zip(&sample.tallies) {
        let mean_is_drawn =
            |other: &Estimate| matches!(other.point, PointEstimate::Mean(_)) && other.text == estimate.text;
        let again = matches!(estimate.point, PointEstimate::Values(_)) && estimates.iter().any(mean_is_drawn);
        one(&mut finding, (scenario, sample), estimate, (tally, again));
    }
    let (hold, looked) = grognard_play::count(&sample.checks);
    if looked > 0 {
        finding.say(format!("{hold} of {looked} expectations hold in every run"));
    }
    for problem in sample.problems(scenario) {
        finding.draw(Block::Note(problem.message));
    }
    facts(&mut finding, name, scenario, sample);
    finding
}

/// Adds an estimate. For values and means, also adds the distribution, unless another estimate shows it on the page.
fn one(finding: &mut Finding, (scenario, sample): (&Scenario, &Sample), e: &Estimate, (tally, again): (&Tally, bool)) {
    let from = format!("from {}", counted(e.counted, if sample.drawn { "value" } else { "run" }));
    if e.counted == 0 {
        return finding.say(format!("{}: no run counted  ({}, {from})", e.text, how(sample)));
    }
    let found = if sample.drawn { How::Drawn } else { How::Sampled };
    let rendered = |sort: &str, unit: Unit, note: String| {
        let number = Number { how: found, ..estimated(unit, e.value(), e.interval, e.level.name) };
        IntervalRow { note, ..IntervalRow::new(format!("{sort} {}", e.text), number) }
    };
    match &e.point {
        PointEstimate::Share { held } => {
            let note = format!("held in {held} of {}", from.trim_start_matches("from "));
            return finding.chance(rendered("chance", Unit::Percent, note));
        }
        PointEstimate::Mean(exact) => {
            let same = exact.is_some_and(|m| m.is_whole()) && e.interval.is_some_and(|(a, b)| a == b);
            let note = match e.interval {
                _ if tally.values().is_none() => format!("too many values, {from}"),
                None => format!("no interval without bounds; write `min(max(x, 0), 40)`, {from}"),
                Some(_) if same => format!("always the same, {from}"),
                Some(_) => from,
            };
            finding.number(rendered("mean", Unit::of(&e.ty, false), note));
        }
        PointEstimate::Values(_) => {}
    }
    let level = sample.settings.until.is_none().then_some(e.level);
    let label = |cells: &[i64]| value_label(&e.ty, cells).unwrap_or_else(|| value_text(&scenario.game, &e.ty, cells));
    let mean = matches!(e.point, PointEstimate::Mean(_));
    let values = Histogram {
        caption: format!(
            "How often each value came in {}",
            counted(e.counted, if sample.drawn { "draw" } else { "run" })
        ),
        series: vec![e.text.clone()],
        unit: Unit::of(&e.ty, false).sign().into(),
        bars: bars(&e.ty, &[tally], (level, found), label),
        means: mean.then(|| (0, rendered("mean", Unit::of(&e.ty, false), String::new()).number)).into_iter().collect(),
        note: String::new(),
    };
    match (mean, again) {
        (true, _) => {
            finding.draw(Block::Heading(e.text.clone()));
            finding.draw(values);
        }
        (false, true) => finding.words(values),
        (false, false) => finding.add(values),
    }
}

/// Returns a value of a measure as text. For a list, `cells` holds its entries.
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
        End::Failed => "failed",
        End::Stopped => "stopped",
        End::Gone => "gone",
    }
}

/// Adds the machine-readable form: a row for each share and mean, and a row for each value of a histogram.
fn facts(finding: &mut Finding, name: &str, scenario: &Scenario, sample: &Sample) {
    let (hold, looked) = grognard_play::count(&sample.checks);
    let estimates = sample.estimates(scenario);
    let figures = estimates.iter().zip(&sample.tallies).map(|(e, t)| figure(scenario, sample, e, t));
    finding.facts = table::row(json!({
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
        "waiting": grognard_play::waiting(&sample.checks),
        "figures": figures.collect::<Vec<Value>>(),
    }));
    let made = (sample.settings.seed, sample.faults, first_fault(sample.first_fault.as_ref()));
    finding.columns = figure_columns();
    finding.rows = sample_rows(&scenario.game, how(sample), &estimates, made);
    finding.everywhere(json!({ "scenario": name.replace('\\', "/"), "rules": scenario.game.program.schema.path }));
}

/// Returns a measure as JSON: the fields of its row, and all values with their count and the interval of their share.
fn figure(scenario: &Scenario, sample: &Sample, e: &Estimate, tally: &Tally) -> Value {
    let listed: Vec<(&[i64], u64)> = tally.values().into_iter().flatten().collect();
    let sums = sums(&e.ty, tally.counted, listed.iter().copied());
    let values = listed.iter().enumerate().map(|(n, &(cells, times))| {
        let (low, high) = share_interval(times, tally.counted, &sample.settings, sample.settings.until.is_some());
        let share = times as f64 / tally.counted.max(1) as f64;
        let value = value_text(&scenario.game, &e.ty, cells);
        let number = rendered_value(&scenario.game, &e.ty, cells).1;
        let mut row = table::row(
            json!({ "value": value, "number": number, "count": times, "estimate": share, "low": low, "high": high }),
        );
        tell_sums(&mut row, sums.get(n));
        Value::Object(row)
    });
    let (sort, exact) = match &e.point {
        PointEstimate::Share { held } => ("chance", Some(format!("{held}/{}", e.counted))),
        PointEstimate::Mean(mean) => ("mean", mean.map(|m| m.to_string())),
        PointEstimate::Values(_) => ("hist", None),
    };
    let mut figure = row(e, how(sample), sort, e.value(), e.interval);
    figure.insert("exact_of_sample".into(), json!(exact));
    figure.insert("values".into(), values.collect());
    Value::Object(figure)
}

/// Returns the row of an estimate.
fn row(e: &Estimate, how: &str, sort: &str, estimate: Option<f64>, interval: Option<(f64, f64)>) -> table::Row {
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
}

/// Returns a value of a measure as text and as a number, for rows. The text of a whole number is empty, so that programs do not
/// mistake the text column for a numeric one.
pub(super) fn rendered_value(game: &Game, ty: &Type, cells: &[i64]) -> (String, Option<f64>) {
    match (ty.present(), cells) {
        (_, [NONE, ..]) => (value_text(game, ty, cells), None),
        (Type::Int(_), [n, ..]) => (String::new(), Some(*n as f64)),
        (Type::Length, [n, ..]) => (value_text(game, ty, cells), Some(*n as f64 / 1_000.0)),
        (Type::Ratio, [num, den, ..]) => (format!("{num}/{den}"), Some(*num as f64 / *den as f64)),
        _ => (value_text(game, ty, cells), None),
    }
}

/// Returns the share of each value or less, and of each value or more. Returns no shares if a value is not a number.
fn sums<'v>(ty: &Type, counted: u64, values: impl Iterator<Item = (&'v [i64], u64)>) -> Vec<[f64; 2]> {
    let values: Option<Vec<(i64, u64)>> = values
        .map(|(cells, times)| Some((place(ty, cells).filter(|_| cells.first() != Some(&NONE))?, times)))
        .collect();
    let Some(values) = values.filter(|_| counted > 0) else { return Vec::new() };
    let mut ascending: Vec<usize> = (0..values.len()).collect();
    order::sort_by_key(&mut ascending, |n| values[*n].0);
    let all: u64 = values.iter().map(|(_, times)| times).sum();
    let (mut below, mut sums) = (0, vec![[0.0; 2]; values.len()]);
    for n in ascending {
        let least = all - below;
        below += values[n].1;
        sums[n] = [below, least].map(|times| times as f64 / counted as f64);
    }
    sums
}

/// Returns the rows of an estimate: one row, or a row for each value of a histogram.
fn rows(game: &Game, how: &str, e: &Estimate) -> Vec<table::Row> {
    let row = |sort: &str, estimate, interval| row(e, how, sort, estimate, interval);
    let of = |(cells, times, interval): &(Vec<i64>, u64, (f64, f64))| {
        let share = (e.counted > 0).then(|| *times as f64 / e.counted as f64);
        let mut row = row("hist", share, Some(*interval));
        let (value, number) = rendered_value(game, &e.ty, cells);
        row.insert("value".into(), json!(value));
        row.insert("number".into(), json!(number));
        row
    };
    match &e.point {
        PointEstimate::Share { .. } => vec![row("chance", e.value(), e.interval)],
        PointEstimate::Mean(_) => vec![row("mean", e.value(), e.interval)],
        PointEstimate::Values(values) => {
            let sums = sums(&e.ty, e.counted, values.iter().map(|(cells, times, _)| (cells.as_slice(), *times)));
            let mut rows: Vec<table::Row> = values.iter().map(of).collect();
            rows.iter_mut().enumerate().for_each(|(n, row)| tell_sums(row, sums.get(n)));
            rows
        }
    }
}

/// Returns the rows of a sample, with the fields that all of them share.
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

/// Returns the first error of a sample as text.
pub(super) fn first_fault(first: Option<&(u64, Fault)>) -> Option<String> {
    first.map(|(run, fault)| format!("run {run}: {}", fault.message))
}

/// Returns the columns of a table of measures.
pub(super) fn figure_columns() -> Vec<String> {
    table::columns(&[&["scenario", "rules"], &table::FOUND])
}

/// Parses a confidence level such as `97.5`.
pub(super) fn level_number(level: &str) -> Option<f64> {
    level.parse().ok()
}

/// Returns the confidence level for `alpha` in percent, such as `97.5`.
pub fn level_of(alpha: f64) -> String {
    let text = format!("{:.2}", 100.0 * (1.0 - alpha));
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Formats the interval of a difference, rounded outward, relative to the direction of the difference, such as `0.4 to 0.8`. If
/// the interval contains both directions, each end states its direction.
pub fn between((low, high): (f64, f64), difference: f64, places: usize) -> String {
    let (least, most) = (rounded(low, places, Some(false)), rounded(high, places, Some(true)));
    let bare = |end: &str| end.trim_start_matches('-').to_string();
    match (low < 0.0, high > 0.0) {
        (true, true) => format!("{} less to {most} more", bare(&least)),
        (true, false) if difference < 0.0 => format!("{} to {}", bare(&most), bare(&least)),
        _ => format!("{least} to {most}"),
    }
}

/// Returns the smallest number of digits after the decimal point at which the outward-rounded interval excludes 0, if the
/// interval itself does, and satisfies `shows`.
pub fn clear((low, high): (f64, f64), shows: impl Fn(f64, f64) -> bool) -> usize {
    let clear = |places: &usize| {
        let end = |x, up| rounded(x, *places, Some(up)).parse::<f64>().unwrap_or(x);
        let (least, most) = (end(low, false), end(high, true));
        (least > 0.0 || low <= 0.0) && (most < 0.0 || high >= 0.0) && shows(least, most)
    };
    (digits((high - low) / 2.0)..=MOST_DIGITS).find(clear).unwrap_or(MOST_DIGITS)
}

/// Formats a number without trailing zeros.
pub(super) fn trimmed(x: f64) -> String {
    let text = rounded(x, MOST_DIGITS, None);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
