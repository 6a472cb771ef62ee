//! Reports the effects of readings on a scenario, ranked by size.

#![allow(clippy::float_arithmetic)] // rounds numbers only for printing

use super::compared::{NOTHING, more_or_less};
use super::counted;
use super::finding::{Block, Finding};
use super::odds::{number as exactly, scaled, short};
use super::page::{Cell, How, IntervalRow, Intervals, Number, Table as Grid, millionths};
use super::sampled::{Unit, digits, first_fault, level_number, level_of, rounded, trimmed};
use super::table::{self, KnownNumber};
use grognard_base::order;
use grognard_base::value::{Fraction, Type};
use grognard_base::{Limit, OrdSet};
use grognard_rules::ruleset::{Ruleset, Setting};
use grognard_stats::readings::{Base, Exact, Measured, Outcome, Pairs, ReadingEffect, Readings, Turned};
use grognard_stats::stats::Seen;
use serde_json::{Value, json};

/// Maximum number of effects on one scale.
const MOST_ROWS: usize = 40;

/// The scenario on which readings were measured, and the results.
#[derive(Clone, Copy, Debug)]
pub struct ReadingsTable<'t> {
    /// The file of the scenario.
    pub scenario: &'t str,
    pub rules: &'t Ruleset,
    /// The seed of the sampled runs.
    pub seed: u64,
    /// The effects of all readings.
    pub found: &'t Readings,
}

/// The description of the statistical methods.
pub const METHOD: &str = "Method: intervals are betting confidence sequences (Waudby-Smith and Ramdas 2024); all of \
                          them, one for each reading and measure, share 5% (Bonferroni). An exact effect is the \
                          difference of two exact answers.";

/// The verdict on one alternative and one measure.
///
/// Invariant: the order of the variants is the order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadingVerdict {
    /// It changes the value.
    Moves,
    /// It changes the distribution but not the mean. Exact.
    Shape,
    /// Its effect is smaller than the equivalence margin, with confidence.
    Small,
    /// The runs do not suffice for a verdict.
    Open,
    /// No pair of runs differs.
    NoPair,
    /// The distribution is the same. Exact.
    Same,
    /// No code that the scenario can reach reads it. Proven.
    Unread,
    /// The scenario cannot be set up with it, or no run counts.
    Fails,
    /// It was not computed.
    Beyond,
}

impl ReadingVerdict {
    fn word(self) -> &'static str {
        match self {
            ReadingVerdict::Moves => "moves it",
            ReadingVerdict::Shape => "other odds, the same mean",
            ReadingVerdict::Small => "smaller than the margin",
            ReadingVerdict::Open => "not enough runs",
            ReadingVerdict::NoPair => "no pair differs",
            ReadingVerdict::Same => "the same",
            ReadingVerdict::Unread => "never read",
            ReadingVerdict::Fails => "fails",
            ReadingVerdict::Beyond => "not computed",
        }
    }
}

/// The effect of an alternative on one measure. Differences are shares or numbers, and lengths are in inches.
struct ReadingRow<'t> {
    measure: &'t Measured,
    setting: &'t Setting,
    turned: &'t Turned,
    cites: &'t [String],
    verdict: ReadingVerdict,
    /// How the difference was found: `exact` or `sampled`.
    label: &'static str,
    difference: Option<f64>,
    fraction: Option<Fraction>,
    interval: Option<(f64, f64)>,
    pairs: Option<&'t Pairs>,
    discordant: u64,
    /// The effect in the sampled pairs, if it was sampled.
    sampled: Option<&'t ReadingEffect>,
}

impl ReadingRow<'_> {
    /// Returns the name of the alternative, such as `at_half = MustMove`.
    fn name(&self) -> String {
        format!("{} = {}", self.setting.name, self.value())
    }

    fn value(&self) -> &str {
        self.setting.alternatives.get(self.turned.alternative).map_or("", |(_, written)| written.as_str())
    }

    /// Returns the alternative that the scenario uses.
    fn instead(&self) -> &str {
        self.turned.current.and_then(|n| self.setting.alternatives.get(n)).map_or("", |(_, written)| written.as_str())
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

/// Returns a row for every alternative and measure, grouped by measure and ranked by verdict and size.
fn rows<'t>(table: &ReadingsTable<'t>) -> Vec<ReadingRow<'t>> {
    let mut all = Vec::new();
    for (n, measure) in table.found.measures.iter().enumerate() {
        let mut rows: Vec<ReadingRow<'t>> =
            table.found.turned.iter().map(|turned| row(table, n, measure, turned)).collect();
        // Sorting is stable, so ties stay in the order of the rules.
        order::sort_by(&mut rows, |a, b| {
            let rank = |row: &ReadingRow<'_>| row.verdict as u8;
            rank(a).cmp(&rank(b)).then(b.size().total_cmp(&a.size()))
        });
        all.extend(rows);
    }
    all
}

fn row<'t>(table: &ReadingsTable<'t>, n: usize, measure: &'t Measured, turned: &'t Turned) -> ReadingRow<'t> {
    let setting = &table.rules.settings[turned.setting.at()];
    let cites = table.rules.items.get(setting.item.at()).map_or(&[][..], |item| &item.cites);
    let (verdict, label) = (ReadingVerdict::Beyond, "");
    let plain = ReadingRow {
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
        Outcome::Unread => {
            ReadingRow { verdict: ReadingVerdict::Unread, label: "exact", difference: Some(0.0), ..plain }
        }
        Outcome::Unset(_) => ReadingRow { verdict: ReadingVerdict::Fails, ..plain },
        Outcome::Beyond => plain,
        Outcome::Exact(all) => {
            let Some(Exact { difference, same }) = all.get(n) else { return plain };
            let difference = scaled(&measure.ty, difference);
            let verdict = match (difference.is_zero(), same) {
                (false, _) => ReadingVerdict::Moves,
                (true, true) => ReadingVerdict::Same,
                (true, false) => ReadingVerdict::Shape,
            };
            ReadingRow {
                verdict,
                label: "exact",
                difference: Some(difference.float()),
                fraction: Some(difference),
                ..plain
            }
        }
        Outcome::Sampled(pairs) => {
            let Some(effect) = pairs.effects.get(n) else { return plain };
            let verdict = match (pairs.counted, effect.discordant) {
                (0, _) => ReadingVerdict::Fails,
                (_, 0) => ReadingVerdict::NoPair,
                _ => match effect.seen {
                    Seen::More | Seen::Less => ReadingVerdict::Moves,
                    Seen::Same => ReadingVerdict::Small,
                    Seen::Open => ReadingVerdict::Open,
                },
            };
            ReadingRow {
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

/// Returns a line about how the numbers were found.
fn found(table: &ReadingsTable<'_>) -> String {
    let found = table.found;
    let mut parts = Vec::new();
    let sampled = found.measures.iter().any(|m| matches!(m.base, Base::Sampled(..)));
    if found.states > 0 {
        let enough = if sampled { ", too few for exact odds" } else { "" };
        parts.push(format!("{} explored{enough}", counted(found.states, "state")));
    }
    if found.runs > 0 {
        parts.push(format!("{} pairs of runs each, same dice, seed {}", found.runs, table.seed));
    }
    parts.join("; ")
}

/// Returns a sentence about the joint confidence level of the intervals.
fn corrected(found: &Readings) -> String {
    format!(
        "Each interval is at {}%, so that in 95 of 100 such commands all intervals are right.",
        level_of(found.alpha)
    )
}

/// Returns the value of a measure with the scenario's own readings.
fn current(measure: &Measured) -> String {
    let unit = unit(measure);
    match &measure.base {
        Base::Exact(value) if measure.ty == Type::Flag => {
            format!("{} = {}  (exact)", short(value), value.percent())
        }
        Base::Exact(value) => {
            let (rendered, exact) = (exactly(&measure.ty, value), scaled(&measure.ty, value));
            let fraction = if exact.den() == &1u32.into() { String::new() } else { format!("{} = ", short(&exact)) };
            format!("{fraction}{rendered}  (exact)")
        }
        Base::Sampled(value, n) => {
            let rendered = value.map_or("not known".into(), |v| rounded(unit.scaled(v), 2, None) + unit.sign());
            format!("{rendered}  (sampled, from {n} runs)")
        }
    }
}

/// Returns the size and direction of an effect, in the unit of the measure.
fn effect(row: &ReadingRow<'_>, alpha: f64) -> String {
    let unit = row.unit();
    match (&row.fraction, row.difference, row.interval) {
        (Some(fraction), ..) => more_or_less(unit, fraction),
        (_, Some(difference), Some(ends)) => unit.differs(difference, ends, (alpha, unit.places(ends)), ""),
        _ => String::new(),
    }
}

/// Returns the finding: the effects by measure, ranked, and then the alternatives without an effect.
pub fn finding(table: &ReadingsTable<'_>) -> Finding {
    let (found, rules) = (table.found, &table.rules.path);
    let mut out = Finding::new(format!("readings of {}", table.scenario));
    let names: OrdSet<usize> = found.turned.iter().map(|t| t.setting.at()).collect();
    let head = match (names.len(), found.turned.len()) {
        (0, _) => "no ambiguities, because the rules have no readings".to_string(),
        (readings, ways) => format!("{}, {}", counted(readings, "reading"), counted(ways, "alternative")),
    };
    out.head(format!("{} with {rules}: {head}", table.scenario));
    Some(self::found(table)).filter(|how| !how.is_empty()).into_iter().for_each(|how| out.say(how));
    if found.stopped {
        out.warn("interrupted before all effects were measured");
    }
    let rows = rows(table);
    deciding(&rows).into_iter().for_each(|line| out.say(line));
    for measure in &found.measures {
        one(&mut out, found, measure, &rows);
    }
    nothing(&mut out, &rows, found);
    if found.unread() {
        out.warn(NOTHING);
        out.fact("verdict", json!(NOTHING));
    }
    if found.runs > 0 {
        out.say(corrected(found));
    }
    let numbers = numbers(found.alpha, &rows);
    if !numbers.rows.is_empty() {
        out.draw(Block::Heading("All numbers".into()));
        out.draw(numbers);
    }
    facts(&mut out, table, &rows);
    out
}

/// Returns a sentence with the readings that change a measure, each with its clauses.
fn deciding(rows: &[ReadingRow<'_>]) -> Option<String> {
    let moves = rows.iter().filter(|row| matches!(row.verdict, ReadingVerdict::Moves | ReadingVerdict::Shape));
    let mut named: Vec<String> = Vec::new();
    for row in moves {
        let cites = row.cites.join(", ");
        let open = if cites.is_empty() { String::new() } else { format!(" ({cites})") };
        let name = format!("`{}`{open}", row.setting.name);
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let verb = if named.len() == 1 { "reading decides" } else { "readings decide" };
    let open = rows.iter().any(|row| row.verdict == ReadingVerdict::Open);
    let more = if open { "; others are undecided" } else { "" };
    (!named.is_empty()).then(|| format!("{} {verb} this table: {}{more}", named.len(), named.join(", ")))
}

/// Adds the section of one measure.
fn one(out: &mut Finding, found: &Readings, measure: &Measured, rows: &[ReadingRow<'_>]) {
    let of = || rows.iter().filter(|row| row.measure.text == measure.text);
    let among = |verdicts: &'static [ReadingVerdict]| of().filter(move |row| verdicts.contains(&row.verdict));
    out.head(format!("{}: {}", measure.text, current(measure)));
    let seen = [ReadingVerdict::Moves, ReadingVerdict::Shape, ReadingVerdict::Small, ReadingVerdict::Open];
    let drawn: Vec<&ReadingRow<'_>> = of().filter(|row| seen.contains(&row.verdict)).collect();
    if drawn.is_empty() {
        out.say("no reading changes it");
    } else {
        out.draw(effects(unit(measure), found.alpha, &drawn));
    }
    for (n, row) in among(&[ReadingVerdict::Moves, ReadingVerdict::Shape]).enumerate() {
        out.words(Block::Item(format!("{:>4}  {}", n + 1, ranked(row, found.alpha)), Vec::new()));
    }
    let small = format!("shown to be smaller than {}:", margin(of()));
    for (head, verdicts) in
        [(small, &[ReadingVerdict::Small]), ("undecided, with too few runs:".into(), &[ReadingVerdict::Open])]
    {
        let lines: Vec<String> = among(verdicts).map(|row| slight(row, found.alpha)).collect();
        if !lines.is_empty() {
            out.words(Block::Item(head, lines));
        }
    }
    let hidden = hidden(rows, measure).unwrap_or_default();
    let no_pair = format!("no pair differs, so they are shown to change less than {hidden}");
    for (verdict, head) in [(ReadingVerdict::Same, "no effect (exact)"), (ReadingVerdict::NoPair, no_pair.as_str())] {
        out.list(head, only_here(rows, measure, verdict));
    }
}

/// Returns the effects on one scale, in the order of `rows`.
fn effects(unit: Unit, alpha: f64, rows: &[&ReadingRow<'_>]) -> Intervals {
    let bar = |row: &&ReadingRow<'_>| IntervalRow {
        verdict: if row.verdict == ReadingVerdict::Moves { String::new() } else { row.verdict.word().into() },
        series: usize::from(matches!(row.verdict, ReadingVerdict::Small | ReadingVerdict::Open)),
        ..IntervalRow::new(format!("{}, not {}", row.name(), row.instead()), number(row, alpha))
    };
    let (points, sides) = (unit.points(), ["less with it", "more with it"]);
    let bars = rows.iter().take(MOST_ROWS).map(bar).collect();
    Intervals::effects("Effects", points == " points", points, sides, bars)
}

/// Formats an effect, such as `at_half = MustMove, not OwnChoice: 0.62 more, 99.9% 0.41 to 0.83  (sampled, n 10000, 1203 differ)
/// WA-H1`.
fn ranked(row: &ReadingRow<'_>, alpha: f64) -> String {
    let rendered = match row.verdict {
        ReadingVerdict::Shape => "same mean, other distribution".to_string(),
        _ => effect(row, alpha),
    };
    let how = match row.pairs {
        Some(pairs) => {
            let faults = if pairs.faults > 0 { format!(", {} ended in an error", pairs.faults) } else { String::new() };
            format!("sampled, {} of {} pairs differ{faults}", row.discordant, pairs.counted)
        }
        None => row.label.to_string(),
    };
    format!("{}, not {}: {rendered}  ({how})  {}", row.name(), row.instead(), row.cites.join(", "))
        .trim_end()
        .to_string()
}

fn slight(row: &ReadingRow<'_>, alpha: f64) -> String {
    let differ = format!("{} pairs differ", row.discordant);
    let more = match (row.verdict, row.sampled.and_then(|e| e.more)) {
        (ReadingVerdict::Open, Some(more)) => format!("; about {more} more pairs would decide it"),
        (ReadingVerdict::Open, None) => "; no feasible number of runs would decide it".into(),
        _ => String::new(),
    };
    format!("{}: {}, {differ}{more}", row.name(), effect(row, alpha))
}

/// Returns the equivalence margin, in the unit of the measure.
fn margin<'r, 't: 'r>(mut rows: impl Iterator<Item = &'r ReadingRow<'t>>) -> String {
    let Some((row, effect)) = rows.find_map(|row| Some((row, row.sampled?))) else { return String::new() };
    size_of(row.unit(), effect.within)
}

/// Formats a size in the unit of a measure, such as `0.06`, `1 point` or `2"`.
fn size_of(unit: Unit, size: f64) -> String {
    let rendered = trimmed(unit.scaled(size));
    let sign = if rendered == "1" && matches!(unit, Unit::Percent) { " point" } else { unit.points() };
    rendered + sign
}

/// Returns the upper bound on the effects for which no pair of runs differs.
fn hidden(rows: &[ReadingRow<'_>], measure: &Measured) -> Option<String> {
    let of = rows.iter().filter(|row| row.measure.text == measure.text && row.verdict == ReadingVerdict::NoPair);
    let most = of.filter_map(|row| row.interval).map(|(low, high)| high.max(-low)).reduce(f64::max)?;
    let unit = unit(measure);
    let most = unit.scaled(most);
    Some(rounded(most, digits(most), Some(true)) + unit.points())
}

/// Returns the alternatives with this verdict on this measure, but with another verdict on some other measure.
fn only_here(rows: &[ReadingRow<'_>], measure: &Measured, verdict: ReadingVerdict) -> Vec<String> {
    let everywhere = everywhere(rows, verdict);
    let here = rows.iter().filter(|row| row.measure.text == measure.text && row.verdict == verdict);
    here.map(ReadingRow::name).filter(|name| !everywhere.contains(name)).collect()
}

/// Adds the alternatives that change no measure, grouped by the evidence, and the alternatives that failed.
fn nothing(out: &mut Finding, rows: &[ReadingRow<'_>], found: &Readings) {
    let most = found.measures.iter().filter_map(|m| Some(format!("{} by {}", m.text, hidden(rows, m)?)));
    let most = most.collect::<Vec<String>>().join(", ");
    let runs = format!("no pair of {} differs, so each is shown to change less than: {most}", found.runs);
    let groups = [
        (ReadingVerdict::Unread, "no effect: no code that this table can reach reads it"),
        (ReadingVerdict::Same, "no effect: the odds are exactly the same"),
        (ReadingVerdict::NoPair, runs.as_str()),
        (ReadingVerdict::Fails, "cannot be run"),
        (ReadingVerdict::Beyond, "not computed, because more states must be explored"),
    ];
    for (verdict, head) in groups {
        let names = everywhere(rows, verdict);
        if !names.is_empty() {
            out.head(head);
            out.say(names.join(", "));
        }
    }
    for turned in &found.turned {
        let name = |row: &ReadingRow<'_>| row.name();
        let name = rows.iter().find(|r| std::ptr::eq(r.turned, turned)).map(name).unwrap_or_default();
        match &turned.outcome {
            Outcome::Unset(problems) => {
                let why = problems.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message));
                out.warn(format!("{name}: the table cannot be set: {why}"));
            }
            Outcome::Sampled(Pairs { first_fault: Some((run, fault)), faults, .. }) => {
                let why = &fault.message;
                out.warn(format!("{name}: {faults} pairs ended in an error, first run {run}: {why}"));
            }
            _ => {}
        }
    }
}

/// Returns the alternatives with this verdict on every measure.
fn everywhere(rows: &[ReadingRow<'_>], verdict: ReadingVerdict) -> Vec<String> {
    let mut found: Vec<(&Turned, String)> = Vec::new();
    for row in rows.iter().filter(|r| r.verdict == verdict) {
        let all = rows.iter().filter(|r| std::ptr::eq(r.turned, row.turned)).all(|r| r.verdict == verdict);
        if all && !found.iter().any(|(t, _)| std::ptr::eq(*t, row.turned)) {
            found.push((row.turned, row.name()));
        }
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// Returns the columns of a table of readings.
fn columns() -> Vec<String> {
    let places = ["scenario", "rules", "reading", "alternative", "instead", "cites"];
    table::columns(&[&places, &table::FOUND, &["discordant"]])
}

/// Returns a table row. Alternatives are written in the form of `--set`, so that programs do not parse the column as numbers.
fn table_row(found: &ReadingsTable<'_>, row: &ReadingRow<'_>) -> table::Row {
    let name = &row.setting.name;
    let mut rendered = table::row(json!({
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
    let exact = row.fraction.clone().or((row.verdict == ReadingVerdict::Unread).then(Fraction::zero));
    if let Some(exact) = exact {
        KnownNumber::Exact(exact).tell(&mut rendered);
        rendered.insert("label".into(), json!(row.label));
    } else if let (Some(pairs), Some((low, high))) = (row.pairs, row.interval) {
        rendered.append(&mut table::row(json!({
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
        rendered.insert("error".into(), json!(problems.first().map(|d| format!("{}: {}", d.code, d.message))));
    }
    rendered
}

/// Returns the difference as a number for a page.
fn number(row: &ReadingRow<'_>, alpha: f64) -> Number {
    let unit = row.unit();
    let at = row.difference.map(|d| millionths(unit.scaled(d)));
    let how = if row.label == "sampled" { How::Sampled } else { How::Exact };
    let rendered = match row.verdict {
        ReadingVerdict::Unread | ReadingVerdict::Same | ReadingVerdict::NoPair | ReadingVerdict::Shape => {
            format!("0{}", unit.points())
        }
        ReadingVerdict::Fails | ReadingVerdict::Beyond => "not known".into(),
        _ => effect(row, alpha),
    };
    let (text, ends_text) = rendered.split_once(", ").unwrap_or((&rendered, ""));
    let number = Number::new(text, at, how);
    match row.interval {
        Some((low, high)) => number.within((millionths(unit.scaled(low)), millionths(unit.scaled(high))), ends_text),
        None => number,
    }
}

fn numbers(alpha: f64, rows: &[ReadingRow<'_>]) -> Grid {
    let rendered = |row: &&ReadingRow<'_>| {
        matches!(
            row.verdict,
            ReadingVerdict::Moves | ReadingVerdict::Shape | ReadingVerdict::Small | ReadingVerdict::Open
        )
    };
    let cells = |row: &ReadingRow<'_>| {
        let pairs = row.pairs.map_or(String::new(), |p| format!("{} of {}", row.discordant, p.counted));
        vec![
            row.name().into(),
            row.instead().into(),
            row.measure.text.clone().into(),
            Cell::Number(number(row, alpha)),
            row.verdict.word().into(),
            pairs.into(),
            row.cites.join(", ").into(),
        ]
    };
    let heads = ["read as", "instead of", "measure", "more with it", "", "pairs that differ", "clauses"];
    Grid::new("", &heads, rows.iter().filter(rendered).map(cells))
}

/// Adds the machine-readable form: the effects, ranked, as rows and as entries.
fn facts(out: &mut Finding, table: &ReadingsTable<'_>, rows: &[ReadingRow<'_>]) {
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
    out.columns = columns();
    out.rows = rows.iter().map(|row| table_row(table, row)).collect();
    let effects = out.rows.iter().map(|row| Value::Object(table::whole(&out.columns[2..], row)));
    out.facts = table::row(json!({
        "schema": 2,
        "scenario": table.scenario,
        "rules": table.rules.path,
        "seed": table.seed,
        "states": table.found.states,
        "ended_by": table.found.ended_by.map(Limit::word),
        "pairs": table.found.runs,
        "stopped": table.found.stopped,
        "as_it_stands": table.found.measures.iter().map(measure).collect::<Vec<Value>>(),
        "effects": effects.collect::<Vec<Value>>(),
    }));
}
