//! Odds as text: for people, as JSON, and as CSV. Every number says how far it can be trusted.

mod ends;
mod page;
mod policy;
mod rows;
mod why;

pub use ends::{positions, positions_json};
pub use page::page;
pub use policy::{Decision, decisions, policy, policy_json};
pub use rows::{answer_rows, told as told_row};

use super::bounds::{at_most, bounds, percents};
use super::clean;
use super::sampled::{figure_columns, value_text};
use super::table::{self, Known};
use crate::exact::{Distribution, Label, Outcome, Worth};
use crate::machine::{Fault, Game};
use crate::play::odds::{Answer, Ends, Why};
use crate::scenario::FigureSort;
use crate::value::*;
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::fmt::Write;

/// Lines of a distribution for people; more values are told in bands.
const MOST_LINES: usize = 24;
/// Most positions at the end that are told to people.
const LONGEST_LIST: usize = MOST_LINES;
/// Signs of the longest bar.
const BAR: usize = 24;
/// The longest fraction that is written out for people.
const LONGEST: usize = 24;

/// One question and what it comes to.
pub struct Told<'t> {
    /// The question as written.
    pub text: &'t str,
    /// Its type.
    pub ty: &'t Type,
    /// What was asked of it.
    pub sort: FigureSort,
    /// What it comes to.
    pub answer: &'t Answer,
    /// Where it is decided, if that was asked.
    pub why: Option<&'t Why>,
}

/// All answers to one question to the rules.
pub struct Odds<'t> {
    /// The file of the scenario; empty if none was asked.
    pub scenario: &'t str,
    /// The table on which it was asked.
    pub game: &'t Game,
    /// The answers.
    pub told: Vec<Told<'t>>,
    /// Positions that were explored.
    pub states: usize,
    /// How the dice of an expression are written, by the roll that each became.
    pub rolls: Vec<(SiteId, String)>,
    /// The positions in which a scenario can end, if they were asked for.
    pub ends: Option<Ends>,
}

/// How far something can be trusted.
pub fn label(label: Label) -> &'static str {
    match label {
        Label::Exact => "exact",
        Label::Bounded => "bounded",
    }
}

/// A fraction, if it is short enough to be read.
pub fn short(share: &Fraction) -> String {
    let text = share.to_string();
    if text.len() > LONGEST { format!("({} digits)", text.len() - 1) } else { text }
}

/// A bar as long as its share of the longest one.
fn bar(share: &Fraction, longest: &Fraction) -> String {
    if longest.is_zero() {
        return String::new();
    }
    let length = &(share * &Fraction::whole(BAR as i64)) / longest;
    let length = length.decimal(0).parse::<usize>().unwrap_or(0).min(BAR);
    "#".repeat(length)
}

/// A number of a type: lengths in inches.
pub(super) fn scaled(ty: &Type, value: &Fraction) -> Fraction {
    if *ty == Type::Length { value / &Fraction::whole(1000) } else { value.clone() }
}

/// A mean or a deviation to four places, or as it is if it is whole.
pub(super) fn number(ty: &Type, value: &Fraction) -> String {
    let inch = if *ty == Type::Length { "\"" } else { "" };
    format!("{}{inch}", trimmed(&scaled(ty, value).decimal(4)))
}

/// Between which numbers a mean lies.
pub(super) fn numbers(ty: &Type, (low, high): (&Fraction, &Fraction)) -> [String; 2] {
    let inch = if *ty == Type::Length { "\"" } else { "" };
    bounds(&scaled(ty, low), &scaled(ty, high), 4).map(|end| format!("{}{inch}", trimmed(&end)))
}

/// Without digits behind the point that say nothing.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// As a floating number, for programs that want no fraction.
fn float(value: &Fraction) -> Value {
    json!(value.float())
}

/// Bounds as floating numbers, rounded outward.
pub(super) fn ends(low: &Fraction, high: &Fraction) -> [f64; 2] {
    [low.float_toward(Toward::Below), high.float_toward(Toward::Above)]
}

fn word(game: &Game, ty: &Type, worth: &Worth, found: &Distribution) -> String {
    match worth {
        Worth::Cells(cells) => clean(&value_text(game, ty, cells)),
        Worth::Fault(fault) => error_word(fault, found),
        Worth::Never => "never ends".to_string(),
    }
}

/// An error as a row is called: by its code, and where several have that code by what happened too.
fn error_word(fault: &Fault, found: &Distribution) -> String {
    let said = |fault: &Fault| {
        let first = fault.message.split([',', ';']).next().unwrap_or_default();
        format!("error {}: {}", fault.code, first.chars().take(60).collect::<String>())
    };
    let faults = found.outcomes.iter().filter_map(|o| match &o.worth {
        Worth::Fault(other) if other.code == fault.code => Some(other),
        _ => None,
    });
    let faults: Vec<&Fault> = faults.collect();
    let alike: Vec<&&Fault> = faults.iter().filter(|other| said(other) == said(fault)).collect();
    match (faults.len(), alike.len(), alike.iter().position(|other| **other == fault)) {
        (0 | 1, ..) => format!("error {}", fault.code),
        (_, 2.., Some(n)) => format!("{} ({})", said(fault), n + 1),
        _ => said(fault),
    }
}

/// For people.
pub fn human(odds: &Odds<'_>) -> String {
    let mut text = String::new();
    for (n, told) in odds.told.iter().enumerate() {
        text += &one(odds.game, told);
        text += &why::rolls(odds, told);
        // what several answers lean on alike is told once, behind the last of them
        let next = odds.told.get(n + 1).and_then(|told| told.why);
        let same = |why: &&Why| next.is_some_and(|next| next.leans_alike(why));
        text += &told.why.filter(|why| !same(why)).map_or(String::new(), |why| why::leans(odds.game, why));
    }
    text += &odds.ends.as_ref().map_or(String::new(), |found| positions(odds.game, found));
    let opens = odds.told.iter().filter_map(|t| t.answer.found.as_ref()).map(|f| f.unexplored());
    let open = opens.chain(odds.ends.iter().map(|ends| ends.open.clone())).max();
    let positions = if odds.states == 1 { "1 position".to_string() } else { format!("{} positions", odds.states) };
    match open.filter(|open| !open.is_zero()) {
        None => {
            let _ = writeln!(text, "{positions} explored");
        }
        Some(open) => {
            let _ = writeln!(text, "{positions} explored, {} = {} left over", short(&open), open.percent());
        }
    }
    text
}

fn one(game: &Game, told: &Told<'_>) -> String {
    let (name, trust) = (clean(told.text), label(told.answer.label));
    let Some(found) = &told.answer.found else {
        return match &told.answer.mean {
            Some(mean) => {
                let (exact, rounded) = (short(&scaled(told.ty, mean)), number(told.ty, mean));
                let exact = if exact == rounded { String::new() } else { format!("{exact} = ") };
                format!("mean {name}: {exact}{rounded}  ({trust})\n")
            }
            None => format!("mean {name}: not known, not everything was explored  ({trust})\n"),
        };
    };
    if told.sort == FigureSort::Chance {
        let (low, open) = (found.chance(|c| c.first() == Some(&1)), found.unexplored());
        let bar = bar(&low, &Fraction::one());
        if open.is_zero() {
            let rest = ".".repeat(BAR - bar.len());
            return format!(
                "chance {name}: {} = {}  {bar}{rest}  ({trust})\n{}",
                short(&low),
                low.percent(),
                no_values(game, told)
            );
        }
        let [from, to] = percents(&low, &(&low + &open));
        return format!("chance {name}: from {from} to {to}  ({trust})\n{}", no_values(game, told));
    }
    let mut text = match (&told.answer.mean, &told.answer.variance, &told.answer.between) {
        (Some(mean), Some(variance), _) => {
            format!("{name}: mean {}, deviation {}  ({trust})\n", whole(told.ty, mean), scaled_root(told.ty, variance))
        }
        // the mean was counted by the way, and is no less sure for values that have no end
        (Some(mean), None, _) => {
            format!("{name}: mean {}  (exact), values  ({trust})\n", whole(told.ty, mean))
        }
        (_, _, Some((low, high))) => {
            let [from, to] = numbers(told.ty, (low, high));
            format!("{name}: mean from {from} to {to}  ({trust})\n")
        }
        _ => format!("{name}:  ({trust})\n"),
    };
    text += &table(game, told);
    text
}

/// A mean as a fraction and rounded; once, if it is whole.
fn whole(ty: &Type, mean: &Fraction) -> String {
    let exact = scaled(ty, mean);
    let exact = if exact.den() == &1u32.into() { String::new() } else { format!("{} = ", short(&exact)) };
    format!("{exact}{}", number(ty, mean))
}

/// The deviation that belongs to a variance.
fn scaled_root(ty: &Type, variance: &Fraction) -> String {
    number(ty, &variance.root(6))
}

/// Ends of a condition that are neither yes nor no.
fn no_values(game: &Game, told: &Told<'_>) -> String {
    let Some(found) = &told.answer.found else { return String::new() };
    let mut text = String::new();
    let open = found.unexplored();
    for outcome in found.outcomes.iter().filter(|o| !matches!(o.worth, Worth::Cells(_))) {
        let (word, share) = (word(game, told.ty, &outcome.worth, found), found.share(outcome));
        let _ = if open.is_zero() {
            writeln!(text, "  {word}: {} = {}", short(&share), share.percent())
        } else {
            writeln!(text, "  {word}: {}", from_to(&share, &open))
        };
    }
    text
}

/// A share that is so large at least, and so much larger at most: `from 2.77% to 5.56%`.
fn from_to(share: &Fraction, open: &Fraction) -> String {
    let [from, to] = percents(share, &(share + open));
    format!("from {from} to {to}")
}

/// A line of a table: what it is, its share, and for numbers the share of this and all above, in parts of the whole.
struct Band {
    word: String,
    share: BigUint,
    above: Option<BigUint>,
}

fn table(game: &Game, told: &Told<'_>) -> String {
    let Some(found) = &told.answer.found else { return String::new() };
    let open = found.unexplored();
    let ordered = matches!(told.ty, Type::Int(_) | Type::Length | Type::Ratio);
    let mut rows: Vec<Band> = found
        .outcomes
        .iter()
        .map(|o: &Outcome| Band { word: word(game, told.ty, &o.worth, found), share: o.weight.clone(), above: None })
        .collect();
    let plain = |o: &Outcome| matches!(&o.worth, Worth::Cells(cells) if cells.first() != Some(&NONE));
    let all_plain = found.outcomes.iter().all(plain);
    if ordered && all_plain {
        let mut above = BigUint::default();
        for row in rows.iter_mut().rev() {
            above += &row.share;
            row.above = Some(above.clone());
        }
    }
    let of_all = |part: BigUint| Fraction::of(part, found.whole.clone());
    let told = |share: &Fraction| match open.is_zero() {
        true => share.percent(),
        false => percents(share, &(share + &open)).join(" to "),
    };
    let mut note = String::new();
    if rows.len() > MOST_LINES {
        let shown = rows.len();
        if ordered && all_plain {
            rows = banded(rows);
            note = format!("  {shown} values, told in bands; `--format json` tells each\n");
        } else {
            rows.sort_by(|a, b| b.share.cmp(&a.share));
            let rest = rows.split_off(MOST_LINES);
            let share = of_all(rest.iter().map(|r| &r.share).sum());
            note = format!("  and {} more values: {}\n", rest.len(), told(&share));
        }
    }
    if !open.is_zero() {
        let _ = writeln!(note, "  any other values: {} at most", at_most(&open));
    }
    // what is bounded has no fraction of its own
    let fraction = |share: &Fraction| if open.is_zero() { short(share) + "  " } else { String::new() };
    let rows: Vec<(Fraction, [String; 4])> = rows
        .into_iter()
        .map(|row| {
            let share = of_all(row.share);
            let above = row.above.map_or(String::new(), |above| told(&of_all(above)));
            let texts = [row.word, fraction(&share), told(&share), above];
            (share, texts)
        })
        .collect();
    let longest = rows.iter().map(|(share, _)| share.clone()).max().unwrap_or_default();
    let wide = |n: usize| rows.iter().map(|(_, texts)| texts[n].chars().count()).max().unwrap_or(0).min(1_000);
    let (words, fractions, shares, aboves) = (wide(0), wide(1), wide(2).max(7), wide(3).max(8));
    let mut text = String::new();
    for (size, [word, fraction, share, above]) in &rows {
        let above = if above.is_empty() { String::new() } else { format!("  {above:>aboves$} or more") };
        let bar = bar(size, &longest);
        let fields = format!("  {word:>words$}  {fraction:>fractions$}{share:>shares$}{above}  {bar}");
        let _ = writeln!(text, "{}", fields.trim_end());
    }
    text + &note
}

/// Neighbouring values together.
fn banded(rows: Vec<Band>) -> Vec<Band> {
    let width = rows.len().div_ceil(MOST_LINES);
    let mut bands: Vec<Band> = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let band: Vec<Band> = rows.by_ref().take(width).collect();
        let share = band.iter().map(|row| &row.share).sum();
        let (Some(first), Some(last)) = (band.first(), band.last()) else { break };
        let word = if band.len() == 1 { first.word.clone() } else { format!("{} to {}", first.word, last.word) };
        bands.push(Band { word, share, above: first.above.clone() });
    }
    bands
}

/// A value as JSON: numbers and flags as such, lengths in inches, all else in words.
fn value_json(game: &Game, ty: &Type, cells: &[i64]) -> Value {
    match (ty, cells) {
        (_, [NONE, ..]) => Value::Null,
        (Type::Int(_), [n]) => json!(n),
        (Type::Flag, [n]) => json!(*n == 1),
        (Type::Length, [n]) => float(&scaled(ty, &Fraction::whole(*n))),
        _ => json!(clean(&value_text(game, ty, cells))),
    }
}

/// One object, with an answer to each question; and the line of play, if somebody wants it.
pub fn json(odds: &Odds<'_>, line: Option<&[Decision]>) -> Value {
    let object = |told: &Told<'_>| {
        let ty = told.ty;
        let fraction = |value: Option<&Fraction>| value.map_or(Value::Null, |v| json!(table::fraction(v)));
        let found = told.answer.found.as_ref();
        let open = found.map_or(Fraction::zero(), Distribution::unexplored);
        let outcomes = found.iter().flat_map(|f| f.outcomes.iter().map(|o| (f.share(o), &o.worth)));
        let outcomes = outcomes.map(|(share, worth)| {
            let (value, extra) = match worth {
                Worth::Cells(cells) => (value_json(odds.game, ty, cells), None),
                Worth::Fault(fault) => (Value::Null, Some(format!("{}: {}", fault.code, clean(&fault.message)))),
                Worth::Never => (Value::Null, Some("never ends".to_string())),
            };
            let mut object = table::row(json!({ "value": value }));
            Known::share(share, &open).tell(&mut object);
            // the answer says it of all its outcomes
            ["level", "label"].iter().for_each(|of_all| drop(object.shift_remove(*of_all)));
            if let Some(end) = extra {
                object.insert("end".into(), json!(end));
            }
            Value::Object(object)
        });
        let mean = told.answer.mean.as_ref().map(|m| scaled(ty, m));
        let variance = told.answer.variance.as_ref().map(|v| scaled(ty, &scaled(ty, v)));
        let mut object = json!({
            "label": label(told.answer.label),
            "measure": told.text,
            "outcomes": outcomes.collect::<Vec<Value>>(),
            "mean": fraction(mean.as_ref()),
            "variance": fraction(variance.as_ref()),
            "unexplored": found.map_or(Value::Null, |f| json!(table::fraction(&f.unexplored()))),
        });
        if let (Some((low, high)), Some(object)) = (&told.answer.between, object.as_object_mut()) {
            let ends = [low, high].map(|end| table::fraction(&scaled(ty, end)));
            object.insert("mean_between".into(), json!(ends));
        }
        if let (Some(why), Some(object)) = (told.why, object.as_object_mut()) {
            object.insert("why".into(), why::json(odds, told, why));
        }
        object
    };
    let answers: Vec<Value> = odds.told.iter().map(object).collect();
    let mut whole = json!({
        "schema": 2,
        "scenario": odds.scenario,
        "rules": odds.game.program.schema.path,
        "states": odds.states,
        "answers": answers,
    });
    if let (Some(found), Some(whole)) = (&odds.ends, whole.as_object_mut()) {
        whole.insert("ends".into(), positions_json(odds.game, found));
    }
    if let (Some(line), Some(whole)) = (line, whole.as_object_mut()) {
        whole.insert("policy".into(), policy_json(line));
    }
    whole
}

/// A line for each chance and each mean, and one for each value.
pub fn csv(odds: &Odds<'_>) -> String {
    let mut rows = Vec::new();
    for told in &odds.told {
        let number = matches!(told.ty, Type::Int(_) | Type::Length | Type::Ratio);
        let sorts = match told.sort {
            FigureSort::Hist if number => vec![FigureSort::Mean, FigureSort::Hist],
            sort => vec![sort],
        };
        let of = |sort| answer_rows(odds.game, (told.text, sort, told.ty), Ok(told.answer));
        rows.extend(sorts.into_iter().flat_map(of));
    }
    for row in &mut rows {
        row.insert("scenario".into(), json!(odds.scenario));
        row.insert("rules".into(), json!(odds.game.program.schema.path));
    }
    table::csv(&figure_columns(), &rows)
}
