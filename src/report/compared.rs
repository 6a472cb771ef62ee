//! Comparisons as text: for people, as JSON, as CSV and as pages, however the difference was found.

#[doc(hidden)]
pub mod exact;
mod page;
mod together;
mod which;

pub(super) use exact::sensible;
pub use page::page;
pub use which::{Group, Row, Which, which_csv, which_human, which_json, which_page};

use super::sampled::{Unit, trimmed};
use super::{clean, sampled, table};
use crate::sample::{Compared, Judgement, together as taken_together};
use crate::scenario::Good;
use serde_json::{Value, json};

/// What two versions are called in a report.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The first.
    pub a: &'n str,
    /// The second.
    pub b: &'n str,
    /// The scenario.
    pub scenario: &'n str,
    /// The seed.
    pub seed: u64,
    /// Each threw dice of its own.
    pub unpaired: bool,
    /// Why it was not worked out exactly, if that was tried.
    pub why: Option<&'n str>,
    /// Comparisons that share the error rate.
    pub family: u64,
    /// It is told below how the numbers were found.
    pub explain: bool,
}

/// What is said of a difference: better or worse where somebody said which direction is good, else more or less.
pub(super) fn verdict(judgement: Judgement, good: Option<Good>, share: bool) -> &'static str {
    match (judgement.is_better(good), judgement, share) {
        (Some(true), ..) => "B is better",
        (Some(false), ..) => "B is worse",
        (None, Judgement::More, true) => "more often in B",
        (None, Judgement::More, false) => "more in B",
        (None, Judgement::Less, true) => "less often in B",
        (None, Judgement::Less, false) => "less in B",
        (None, Judgement::Same, _) => "the same",
        (None, Judgement::Undecided, _) => "no difference shown",
    }
}

/// Where a margin comes from that nobody named, in a line; empty if somebody did.
pub(super) fn margin(unit: Unit, within: f64, range: Option<(f64, f64)>) -> String {
    let Some((low, high)) = range else { return String::new() };
    let margin = match unit {
        Unit::Percent => trimmed(unit.scaled(within)) + if within == 0.01 { " point" } else { " points" },
        _ => unit.plain(within),
    };
    let (low, high) = (unit.plain(low), unit.plain(high));
    format!("margin {margin}: a hundredth of the range {low} to {high}; `--within` sets another\n")
}

/// How often values stay at or below a threshold, in words.
pub(super) fn at_most(value: &str, least: bool, a: &str, b: &str) -> String {
    let or_less = if least { "" } else { " or less" };
    format!("{value}{or_less} comes in {a} of the runs of A and {b} of those of B")
}

/// A comparison for people.
pub fn human(names: &Names<'_>, found: &Compared) -> String {
    let head = format!("{}: A {}, B {}\n", clean(names.scenario), clean(names.a), clean(names.b));
    head + &match found {
        Compared::Exact(found) => exact::human(found),
        Compared::Sampled(found) => {
            let why = names.why.map_or(String::new(), |why| format!("not exact: {}\n", clean(why)));
            why + &sampled::comparison(names, found)
        }
    }
}

/// What has to be known of all comparisons of a command, and several scenarios taken together, for people; empty for a
/// single one.
pub fn below(all: &[(Names<'_>, &Compared)]) -> String {
    let notes: String = sampled::notes(all).into_iter().map(|note| note + "\n").collect();
    let whole: String = pairs(all).into_iter().map(|(names, found)| together::human(&names, &found)).collect();
    if whole.is_empty() { notes } else { format!("{notes}\n{whole}") }
}

/// The comparisons of each two versions.
fn pairs<'n, 'c>(all: &[(Names<'n>, &'c Compared)]) -> Vec<(Names<'n>, Vec<&'c Compared>)> {
    let mut pairs: Vec<(Names<'n>, Vec<&'c Compared>)> = Vec::new();
    for (names, found) in all {
        match pairs.iter_mut().find(|(other, _)| (other.a, other.b) == (names.a, names.b)) {
            Some((_, list)) => list.push(found),
            None => pairs.push((*names, vec![found])),
        }
    }
    pairs
}

/// Comparisons as one JSON object.
pub fn json(all: &[(Names<'_>, &Compared)]) -> Value {
    let comparisons = all.iter().map(|(names, found)| match found {
        Compared::Exact(found) => exact::json(names, found),
        Compared::Sampled(found) => sampled::comparison_json(names, found),
    });
    let whole = pairs(all).into_iter().flat_map(|(names, found)| {
        let found = taken_together(&found);
        found.iter().map(|t| together::json(&names, t)).collect::<Vec<Value>>()
    });
    json!({
        "schema": 2,
        "comparisons": comparisons.collect::<Vec<Value>>(),
        "together": whole.collect::<Vec<Value>>(),
    })
}

/// The columns of a table of differences.
fn columns() -> Vec<String> {
    table::columns(&[&["scenario", "a", "b", "what", "edits"], &table::FOUND, &table::VERSIONS])
}

/// The same with what all rows of a comparison begin with.
fn headed(names: &Names<'_>, rows: Vec<table::Row>) -> impl Iterator<Item = table::Row> {
    let head = table::row(json!({ "scenario": names.scenario, "a": names.a, "b": names.b }));
    rows.into_iter().map(move |row| head.clone().into_iter().chain(row).collect())
}

/// Comparisons as CSV: a line for each measure.
pub fn csv(all: &[(Names<'_>, &Compared)]) -> String {
    let rows = all.iter().flat_map(|(names, found)| {
        let mut rows = match found {
            Compared::Exact(found) => exact::rows(found),
            Compared::Sampled(found) => sampled::comparison_rows(names, found),
        };
        rows.iter_mut().for_each(|row| drop(row.insert("what".into(), json!("whole"))));
        headed(names, rows)
    });
    table::csv(&columns(), &rows.collect::<Vec<table::Row>>())
}
