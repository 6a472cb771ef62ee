//! What readings change on a table as text: ranked for people, as JSON, as CSV, and as a page.

#![allow(clippy::float_arithmetic)] // numbers are rounded here for printing, and nowhere else

mod page;

pub use page::page;

use super::clean;
use super::coverage::{counted, wrap};
use super::odds::{number as exactly, scaled, short};
use super::sampled::{Unit, between, clear, digits, first_fault, level_number, level_of, rounded, trimmed};
use super::table::{self, Known};
use crate::rules::ruleset::{Ruleset, Setting};
use crate::sample::readings::{Base, Effect, Exact, Measured, Outcome, Pairs, Readings, Turned};
use crate::sample::stats::Seen;
use crate::value::{Fraction, Type};
use serde_json::{Value, json};
use std::fmt::Write;

/// What readings were measured on.
#[derive(Clone, Copy, Debug)]
pub struct Table<'t> {
    /// The scenario.
    pub scenario: &'t str,
    /// Its rules.
    pub rules: &'t Ruleset,
    /// The seed of what was sampled.
    pub seed: u64,
    /// What was found.
    pub found: &'t Readings,
}

/// How the numbers were found.
pub fn method() -> String {
    const METHOD: &str = "How it was found: ranges are betting confidence sequences (Waudby-Smith and Ramdas 2024); all of \
                          them, one for each reading and measure, share 5% (Bonferroni). What was worked out is a \
                          difference of two exact answers.";
    wrap(METHOD, 100).join("\n") + "\n"
}

/// What is said of an alternative and a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It changes the number.
    Moves,
    /// It changes how often values come, and not the number: exact.
    Shape,
    /// If it changes the number, then by less than the margin: shown.
    Small,
    /// The runs were not enough to tell.
    Open,
    /// No pair of runs differs.
    NoPair,
    /// The odds are the same: exact.
    Same,
    /// No code of the table reads it: proven.
    Unread,
    /// The table cannot be set with it, or no run counts.
    Fails,
    /// It was not worked out.
    Beyond,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Moves => "moves it",
            Verdict::Shape => "other odds, the same mean",
            Verdict::Small => "smaller than the margin",
            Verdict::Open => "not enough runs",
            Verdict::NoPair => "no pair differs",
            Verdict::Same => "the same",
            Verdict::Unread => "never read",
            Verdict::Fails => "fails",
            Verdict::Beyond => "not worked out",
        }
    }
}

/// An alternative and what it does to one measure. Numbers are shares or numbers; lengths in inches.
struct Row<'t> {
    measure: &'t Measured,
    setting: &'t Setting,
    turned: &'t Turned,
    cites: &'t [String],
    verdict: Verdict,
    /// How the difference was found.
    label: &'static str,
    difference: Option<f64>,
    fraction: Option<Fraction>,
    interval: Option<(f64, f64)>,
    pairs: Option<&'t Pairs>,
    discordant: u64,
    /// What the pairs say of it, if it was sampled.
    sampled: Option<&'t Effect>,
}

impl Row<'_> {
    /// `at_half = MustMove`.
    fn name(&self) -> String {
        format!("{} = {}", self.setting.name, self.value())
    }

    fn value(&self) -> &str {
        self.setting.alternatives.get(self.turned.alternative).map_or("", |(_, written)| written.as_str())
    }

    /// What the table has.
    fn instead(&self) -> &str {
        self.turned.stands.and_then(|n| self.setting.alternatives.get(n)).map_or("", |(_, written)| written.as_str())
    }

    fn unit(&self) -> Unit {
        unit(self.measure)
    }

    fn size(&self) -> f64 {
        self.difference.map_or(0.0, |d| d.max(-d))
    }
}

fn unit(measure: &Measured) -> Unit {
    Unit::of(&measure.ty, measure.ty == Type::Flag)
}

/// What stands behind a difference.
fn points(unit: Unit) -> &'static str {
    if matches!(unit, Unit::Percent) { " points" } else { unit.sign() }
}

/// Every alternative on every measure, measure by measure, the largest effect first.
fn rows<'t>(table: &Table<'t>) -> Vec<Row<'t>> {
    let mut all = Vec::new();
    for (n, measure) in table.found.measures.iter().enumerate() {
        let mut rows: Vec<Row<'t>> = table.found.turned.iter().map(|turned| row(table, n, measure, turned)).collect();
        // as many as there are, equals in the order of the rules
        rows.sort_by(|a, b| {
            let rank = |row: &Row<'_>| row.verdict as u8;
            rank(a).cmp(&rank(b)).then(b.size().total_cmp(&a.size()))
        });
        all.extend(rows);
    }
    all
}

fn row<'t>(table: &Table<'t>, n: usize, measure: &'t Measured, turned: &'t Turned) -> Row<'t> {
    let setting = &table.rules.settings[turned.setting.at()];
    let cites = table.rules.items.get(setting.item.at()).map_or(&[][..], |item| &item.cites);
    let (verdict, label) = (Verdict::Beyond, "");
    let plain = Row {
        measure,
        setting,
        turned,
        cites,
        verdict,
        label,
        difference: None,
        fraction: None,
        interval: None,
        pairs: None,
        discordant: 0,
        sampled: None,
    };
    match &turned.outcome {
        Outcome::Unread => Row { verdict: Verdict::Unread, label: "proven", difference: Some(0.0), ..plain },
        Outcome::Unset(_) => Row { verdict: Verdict::Fails, ..plain },
        Outcome::Beyond => plain,
        Outcome::Exact(all) => {
            let Some(Exact { difference, same }) = all.get(n) else { return plain };
            let difference = scaled(&measure.ty, difference);
            let verdict = match (difference.is_zero(), same) {
                (false, _) => Verdict::Moves,
                (true, true) => Verdict::Same,
                (true, false) => Verdict::Shape,
            };
            Row { verdict, label: "exact", difference: Some(difference.float()), fraction: Some(difference), ..plain }
        }
        Outcome::Sampled(pairs) => {
            let Some(effect) = pairs.effects.get(n) else { return plain };
            let verdict = match (pairs.counted, effect.discordant) {
                (0, _) => Verdict::Fails,
                (_, 0) => Verdict::NoPair,
                _ => match effect.seen {
                    Seen::More | Seen::Less => Verdict::Moves,
                    Seen::Same => Verdict::Small,
                    Seen::Open => Verdict::Open,
                },
            };
            Row {
                verdict,
                label: "sampled",
                difference: effect.difference,
                interval: Some(effect.interval),
                pairs: Some(pairs),
                discordant: effect.discordant,
                sampled: Some(effect),
                ..plain
            }
        }
    }
}

/// How the numbers were found, in a line.
fn found(table: &Table<'_>) -> String {
    let found = table.found;
    let mut parts = Vec::new();
    let sampled = found.measures.iter().any(|m| matches!(m.base, Base::Sampled(..)));
    if found.states > 0 {
        let enough = if sampled { ", not enough for exact odds" } else { "" };
        parts.push(format!("{} explored{enough}", counted(found.states, "position")));
    }
    if found.runs > 0 {
        parts.push(format!("{} pairs of runs each, on the same dice, seed {}", found.runs, table.seed));
    }
    parts.join("; ")
}

/// What has to be known of intervals.
fn corrected(found: &Readings) -> String {
    format!(
        "Ranges are at {}% each, so that in 95 of 100 such commands all of them hold together.",
        level_of(found.alpha)
    )
}

/// What a measure is as the table stands.
fn stands(measure: &Measured) -> String {
    let unit = unit(measure);
    match &measure.base {
        Base::Exact(value) if measure.ty == Type::Flag => {
            format!("{} = {}  (exact)", short(value), value.percent())
        }
        Base::Exact(value) => {
            let (told, exact) = (exactly(&measure.ty, value), scaled(&measure.ty, value));
            let fraction = if exact.den() == &1u32.into() { String::new() } else { format!("{} = ", short(&exact)) };
            format!("{fraction}{told}  (exact)")
        }
        Base::Sampled(value, n) => {
            let told = value.map_or("not known".into(), |v| rounded(unit.scaled(v), 2, None) + unit.sign());
            format!("{told}  (sampled, from {n} runs)")
        }
    }
}

/// How much more or less it is, in the units of the measure.
fn effect(row: &Row<'_>, alpha: f64) -> String {
    let unit = row.unit();
    let way = |x: f64| if x < 0.0 { "less" } else { "more" };
    if let (Some(fraction), Some(near)) = (&row.fraction, row.difference) {
        let size = if near < 0.0 { -fraction } else { fraction.clone() };
        let scale = if matches!(unit, Unit::Percent) { 100 } else { 1 };
        let told = (&size * &Fraction::whole(scale)).decimal(4);
        let told = told.trim_end_matches('0').trim_end_matches('.');
        return format!("{} = {told}{} {}", short(&size), points(unit), way(near));
    }
    let (Some(difference), Some((low, high))) = (row.difference, row.interval) else { return String::new() };
    let [difference, low, high] = [difference, low, high].map(|x| unit.scaled(x));
    let places = clear((low, high), |_, _| true);
    let size = rounded(difference.max(-difference), places, None);
    format!(
        "{size}{} {}, {}% {}",
        points(unit),
        way(difference),
        level_of(alpha),
        between((low, high), difference, places)
    )
}

/// For people: by measure, the largest effect first, then what changes nothing.
pub fn human(table: &Table<'_>) -> String {
    let found = table.found;
    let mut out = String::new();
    let rules = &table.rules.path;
    let names: std::collections::BTreeSet<usize> = found.turned.iter().map(|t| t.setting.at()).collect();
    let head = match (names.len(), found.turned.len()) {
        (0, _) => "nothing is left open, as the rules have no readings".to_string(),
        (readings, ways) => format!("{}, read in {}", counted(readings, "reading"), counted(ways, "other way")),
    };
    let _ = writeln!(out, "{} with {}: {head}", clean(table.scenario), clean(rules));
    let how = self::found(table);
    if !how.is_empty() {
        let _ = writeln!(out, "{how}");
    }
    if found.stopped {
        out += "stopped by hand before all of it was done\n";
    }
    let rows = rows(table);
    for measure in &found.measures {
        let of = || rows.iter().filter(|row| row.measure.text == measure.text);
        let _ = writeln!(out, "\n{}: {}", clean(&measure.text), stands(measure));
        let seen: Vec<&Row<'_>> = of().filter(|r| matches!(r.verdict, Verdict::Moves | Verdict::Shape)).collect();
        for (n, row) in seen.iter().enumerate() {
            let _ = writeln!(out, "{:>4}  {}", n + 1, clean(&ranked(row, found.alpha)));
        }
        let told = |verdict| -> Vec<String> {
            of().filter(|r| r.verdict == verdict).map(|r| slight(r, found.alpha)).collect()
        };
        let (small, open) = (told(Verdict::Small), told(Verdict::Open));
        listed(&mut out, &format!("smaller than {}, which is shown", margin(of())), &small);
        listed(&mut out, "not enough runs to tell", &open);
        if seen.is_empty() && small.is_empty() && open.is_empty() {
            out += "      nothing moves it\n";
        }
        let hidden = hidden(&rows, measure).unwrap_or_default();
        let no_pair = format!("no pair differs, so they change less than {hidden}, which is shown");
        for (verdict, head) in [(Verdict::Same, "not changed, exactly"), (Verdict::NoPair, no_pair.as_str())] {
            let names = only_here(&rows, measure, verdict);
            for (n, line) in wrap(&names.join(", "), 92).iter().enumerate().filter(|_| !names.is_empty()) {
                let start = if n == 0 { format!("      {head}:\n") } else { String::new() };
                let _ = writeln!(out, "{start}        {}", clean(line));
            }
        }
    }
    out += &nothing(&rows, found);
    for (n, line) in wrap(&corrected(found), 100).iter().enumerate().filter(|_| found.runs > 0) {
        let _ = writeln!(out, "{}{line}", if n == 0 { "\n" } else { "" });
    }
    out
}

/// `at_half = MustMove, not OwnChoice: 0.62 more, 99.9% 0.41 to 0.83  (sampled, n 10000, 1203 differ)  WA-H1`.
fn ranked(row: &Row<'_>, alpha: f64) -> String {
    let told = match row.verdict {
        Verdict::Shape => "the same mean, but other odds".to_string(),
        _ => effect(row, alpha),
    };
    let how = match row.pairs {
        Some(pairs) => {
            let faults = if pairs.faults > 0 { format!(", {} ended in an error", pairs.faults) } else { String::new() };
            format!("sampled, {} of {} pairs differ{faults}", row.discordant, pairs.counted)
        }
        None => row.label.to_string(),
    };
    format!("{}, not {}: {told}  ({how})  {}", row.name(), row.instead(), row.cites.join(", ")).trim_end().to_string()
}

fn slight(row: &Row<'_>, alpha: f64) -> String {
    let differ = format!("{} pairs differ", row.discordant);
    let more = match (row.verdict, row.sampled.and_then(|e| e.more)) {
        (Verdict::Open, Some(more)) => format!("; about {more} more pairs would tell"),
        (Verdict::Open, None) => "; no number of runs in reach would tell".into(),
        _ => String::new(),
    };
    format!("{}: {}, {differ}{more}", row.name(), effect(row, alpha))
}

/// Below what an effect does not matter, in the units of the measure.
fn margin<'r, 't: 'r>(mut rows: impl Iterator<Item = &'r Row<'t>>) -> String {
    let Some((row, effect)) = rows.find_map(|row| Some((row, row.sampled?))) else { return String::new() };
    size_of(row.unit(), effect.within)
}

/// A size in the units of a measure: `0.06`, `1 point`, `2"`.
fn size_of(unit: Unit, size: f64) -> String {
    let told = trimmed(unit.scaled(size));
    let sign = if told == "1" && matches!(unit, Unit::Percent) { " point" } else { points(unit) };
    told + sign
}

/// How great an effect can be at most of which no pair of runs differs.
fn hidden(rows: &[Row<'_>], measure: &Measured) -> Option<String> {
    let of = rows.iter().filter(|row| row.measure.text == measure.text && row.verdict == Verdict::NoPair);
    let most = of.filter_map(|row| row.interval).map(|(low, high)| high.max(-low)).reduce(f64::max)?;
    let unit = unit(measure);
    let most = unit.scaled(most);
    Some(rounded(most, digits(most), Some(true)) + points(unit))
}

/// Alternatives of which this is said on one measure, and something else on another.
fn only_here(rows: &[Row<'_>], measure: &Measured, verdict: Verdict) -> Vec<String> {
    let everywhere = everywhere(rows, verdict);
    let here = rows.iter().filter(|row| row.measure.text == measure.text && row.verdict == verdict);
    here.map(Row::name).filter(|name| !everywhere.contains(name)).collect()
}

/// A heading with a list below it, each entry in a line of its own.
fn listed(out: &mut String, head: &str, entries: &[String]) {
    if !entries.is_empty() {
        let _ = writeln!(out, "      {head}:");
        for entry in entries {
            let _ = writeln!(out, "        {}", clean(entry));
        }
    }
}

/// What changes none of the measures, and why that is known.
fn nothing(rows: &[Row<'_>], found: &Readings) -> String {
    let mut out = String::new();
    let most = found.measures.iter().filter_map(|m| Some(format!("{} by {}", clean(&m.text), hidden(rows, m)?)));
    let most = most.collect::<Vec<String>>().join(", ");
    let runs =
        format!("no pair of {} differs, so what each changes is less than this, which is shown: {most}", found.runs);
    let groups = [
        (Verdict::Unread, "changes nothing, which is proven, as nothing that this table can come to reads it"),
        (Verdict::Same, "changes nothing, as the odds are exactly the same"),
        (Verdict::NoPair, runs.as_str()),
        (Verdict::Fails, "cannot be played"),
        (Verdict::Beyond, "not worked out, as more would have to be explored"),
    ];
    for (verdict, head) in groups {
        let names = everywhere(rows, verdict);
        for (n, line) in wrap(&names.join(", "), 96).iter().enumerate().filter(|_| !names.is_empty()) {
            let start = if n == 0 { format!("\n{head}:\n") } else { String::new() };
            let _ = writeln!(out, "{start}    {}", clean(line));
        }
    }
    for turned in &found.turned {
        let name = |row: &Row<'_>| row.name();
        let name = rows.iter().find(|r| std::ptr::eq(r.turned, turned)).map(name).unwrap_or_default();
        match &turned.outcome {
            Outcome::Unset(problems) => {
                let why = problems.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message));
                let _ = writeln!(out, "\n{}: the table cannot be set: {}", clean(&name), clean(&why));
            }
            Outcome::Sampled(Pairs { first_fault: Some((run, fault)), faults, .. }) => {
                let why = clean(&fault.message);
                let _ = writeln!(out, "\n{}: {faults} pairs ended in an error, first run {run}: {why}", clean(&name));
            }
            _ => {}
        }
    }
    out
}

/// Alternatives of which the same is said on every measure.
fn everywhere(rows: &[Row<'_>], verdict: Verdict) -> Vec<String> {
    let mut found: Vec<(&Turned, String)> = Vec::new();
    for row in rows.iter().filter(|r| r.verdict == verdict) {
        let all = rows.iter().filter(|r| std::ptr::eq(r.turned, row.turned)).all(|r| r.verdict == verdict);
        if all && !found.iter().any(|(t, _)| std::ptr::eq(*t, row.turned)) {
            found.push((row.turned, row.name()));
        }
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// The columns of a table of readings.
fn columns() -> Vec<String> {
    let places = ["scenario", "rules", "reading", "alternative", "instead", "cites"];
    table::columns(&[&places, &table::FOUND, &["discordant"]])
}

/// A row for programs. Alternatives stand as `--set` takes them, so that a number among them is no number to others.
fn told_row(found: &Table<'_>, row: &Row<'_>) -> table::Row {
    let name = &row.setting.name;
    let mut told = table::row(json!({
        "scenario": found.scenario,
        "rules": found.rules.path,
        "reading": name,
        "alternative": row.name().replace(" = ", "="),
        "instead": if row.instead().is_empty() { String::new() } else { format!("{name}={}", row.instead()) },
        "cites": row.cites.join(" "),
        "measure": row.measure.text,
        "sort": "difference",
        "label": row.label,
        "unit": table::unit(&row.measure.ty, row.measure.ty == Type::Flag),
        "verdict": row.verdict.word(),
    }));
    let exact = row.fraction.clone().or((row.verdict == Verdict::Unread).then(Fraction::zero));
    if let Some(exact) = exact {
        Known::Exact(exact).tell(&mut told);
        told.insert("label".into(), json!(row.label));
    } else if let (Some(pairs), Some((low, high))) = (row.pairs, row.interval) {
        told.append(&mut table::row(json!({
            "n": pairs.counted,
            "estimate": row.difference,
            "low": low,
            "high": high,
            "level": level_number(&level_of(found.found.alpha)),
            "method": "betting",
            "discordant": row.discordant,
            "faults": pairs.faults,
            "first_fault": first_fault(pairs.first_fault.as_ref()),
            "seed": found.seed,
        })));
    }
    if let Outcome::Unset(problems) = &row.turned.outcome {
        told.insert("error".into(), json!(problems.first().map(|d| format!("{}: {}", d.code, d.message))));
    }
    told
}

/// As a JSON object.
pub fn json(table: &Table<'_>) -> Value {
    let measure = |m: &Measured| {
        let (label, value, exact, n) = match &m.base {
            Base::Exact(value) => {
                let value = scaled(&m.ty, value);
                ("exact", Some(value.float()), Some(table::fraction(&value)), 0)
            }
            Base::Sampled(value, n) => ("sampled", *value, None, *n),
        };
        json!({ "measure": m.text, "label": label, "estimate": value, "fraction": exact, "n": n })
    };
    let columns = columns();
    let effect = |row: &Row<'_>| Value::Object(table::whole(&columns[2..], &told_row(table, row)));
    json!({
        "schema": 2,
        "scenario": table.scenario,
        "rules": table.rules.path,
        "seed": table.seed,
        "states": table.found.states,
        "pairs": table.found.runs,
        "stopped": table.found.stopped,
        "as_it_stands": table.found.measures.iter().map(measure).collect::<Vec<Value>>(),
        "effects": rows(table).iter().map(effect).collect::<Vec<Value>>(),
    })
}

/// As CSV: a line for each alternative and measure, ranked.
pub fn csv(found: &Table<'_>) -> String {
    let told: Vec<table::Row> = rows(found).iter().map(|row| told_row(found, row)).collect();
    table::csv(&columns(), &told)
}
