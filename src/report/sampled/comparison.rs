//! Comparisons that were sampled: for people, as JSON, and as rows of a table.

#![allow(clippy::float_arithmetic)] // numbers are rounded here for printing, and nowhere else

use super::super::clean;
use super::super::compared::{Names, at_most, margin, verdict};
use super::super::table;
use super::{Unit, between, clear, level_number, level_of, rounded, trimmed, value_label};
use crate::sample::{Compared, Comparison, Effect, Judgement, Spread};
use crate::value::Type;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is said of the effect on measure `n`.
pub(super) fn judged(found: &Comparison, n: usize, e: &Effect) -> String {
    let unit = Unit::of(&e.ty, e.share);
    let margin = trimmed(unit.scaled(found.within));
    let margin = match margin.as_str() {
        "1" if e.share => "1 point".to_string(),
        _ => margin + if e.share { " points" } else { unit.sign() },
    };
    match (e.judgement, n) {
        (Judgement::Same, _) => format!("same within {margin}"),
        (Judgement::Undecided, 0) => format!("undecided (same would be within {margin})"),
        (judgement, _) => verdict(judgement, e.good, e.share).into(),
    }
}

/// Digits after the point with which an effect is told: so many that its interval, rounded outward, still shows what was
/// read off it.
pub(super) fn places(found: &Comparison, e: &Effect) -> usize {
    let unit = Unit::of(&e.ty, e.share);
    let ((low, high), within) = ((unit.scaled(e.interval.0), unit.scaled(e.interval.1)), unit.scaled(found.within));
    clear((low, high), |least, most| match e.judgement {
        Judgement::Same => least >= -within && most <= within,
        _ => true,
    })
}

/// What has to be known of every comparison that was sampled.
const STOPS: &str =
    "Runs end once the answer is clear, so a difference looks a little larger than it is: trust the range.";
/// And of one with several questions.
const SIDES: &str = "Side questions have wider ranges, so that asking more of them raises no false alarm.";
/// How numbers of comparisons are found, for who asks.
pub const METHOD: &str = "How it was found: intervals are betting confidence sequences (Waudby-Smith and Ramdas 2024), which \
                      hold at every look, and every verdict is read off its interval. For the primary measure most of \
                      the stake is on one bet, tuned on the first 1000 pairs. \"Same\" is two one-sided tests at 5% each, \
                      so its interval is at 90%. Measures after the first, and the spreads of all measures, share 5% \
                      (Bonferroni); a spread is the greatest difference of the two cumulative distributions.";

/// A comparison for people, below the line with the names.
pub(in super::super) fn comparison(names: &Names<'_>, found: &Comparison) -> String {
    let dice = if names.unpaired { "each with dice of its own" } else { "on the same dice" };
    let mut text = format!(
        "sampled: {} pairs of runs, seed {}, {dice}, {} ended in an error\n",
        found.pairs, names.seed, found.faults
    );
    if found.stopped {
        text += "stopped by hand before it was decided\n";
    }
    let counted = found.pairs - found.faults;
    if counted == 0 && found.pairs > 0 {
        text += "no pair counts, so there is nothing to compare\n";
        return text;
    }
    if let Some(first) = found.effects.first() {
        text += &margin(Unit::of(&first.ty, first.share), found.within, found.range);
    }
    for (n, e) in found.effects.iter().enumerate() {
        let order = if n == 0 { "primary" } else { "also" };
        let _ = writeln!(text, "{order} {}: {}", clean(&e.text), judged(found, n, e));
        for line in effect_lines(names, found, n, e) {
            let _ = writeln!(text, "  {line}");
        }
        let _ = writeln!(text, "  (sampled, from {counted} pairs of runs)");
    }
    text
}

/// What is said of an effect below its verdict.
fn effect_lines(names: &Names<'_>, found: &Comparison, n: usize, e: &Effect) -> Vec<String> {
    let Some([a, b, difference]) = e.means else { return Vec::new() };
    let unit = Unit::of(&e.ty, e.share);
    let (places, sign) = (places(found, e), unit.sign());
    let points = if e.share { " points" } else { sign };
    let told = |x: f64| rounded(unit.scaled(x), places, None);
    let size = match difference {
        0.0 => "no difference".to_string(),
        d => format!("{}{points} {} in B", told(d.abs()), if d < 0.0 { "less" } else { "more" }),
    };
    let ends = between((unit.scaled(e.interval.0), unit.scaled(e.interval.1)), difference, places);
    let level = level_of(e.alpha);
    let mut lines = vec![format!("A {}{sign}, B {}{sign}: {size}, {level}% {ends}", told(a), told(b))];
    lines.extend(e.spread.as_ref().map(|s| spread(unit, s)));
    let counted = found.pairs - found.faults;
    let share = rounded(100.0 * e.discordant as f64 / counted.max(1) as f64, 2, None);
    lines.push(match names.unpaired {
        true => format!("the results differ in {share}% of the pairs"),
        false => format!("the change alters the result of {share}% of the runs"),
    });
    if let (Judgement::Undecided, 0) = (e.judgement, n) {
        lines.push(match e.more {
            Some(more) => format!("about {more} more pairs would decide it: `--runs {}`", found.pairs + more),
            None => "no number of runs in reach would decide it".into(),
        });
    }
    lines
}

/// Where values come more or less often in B, in words.
pub(in super::super) fn spread(unit: Unit, s: &Spread) -> String {
    let ends = (100.0 * s.interval.0, 100.0 * s.interval.1);
    let difference = s.shares[1] - s.shares[0];
    let places = clear(ends, |_, _| true);
    let [a, b] = s.shares.map(|x| rounded(100.0 * x, places, None) + "%");
    let (way, size) = (if difference < 0.0 { "less" } else { "more" }, rounded(100.0 * difference.abs(), places, None));
    let told = at_most(&unit.plain(s.at), s.least, &a, &b);
    format!("{told}: {size} points {way}, {}% {}", level_of(s.alpha), between(ends, difference, places))
}

/// What has to be known of those comparisons of a command that were sampled.
pub(in super::super) fn notes(all: &[(Names<'_>, &Compared)]) -> Vec<String> {
    let sampled = all.iter().filter_map(|(names, found)| match found {
        Compared::Sampled(found) => Some((names, found)),
        Compared::Exact(_) => None,
    });
    let sampled: Vec<(&Names<'_>, &Comparison)> = sampled.collect();
    let any = |holds: fn(&Comparison) -> bool| sampled.iter().any(|(_, found)| holds(found));
    let mut notes = Vec::new();
    if any(|found| found.pairs > found.faults) {
        notes.push(STOPS.to_string());
    }
    if any(|found| found.effects.len() > 1 || found.effects.iter().any(|e| e.spread.is_some())) {
        notes.push(SIDES.to_string());
    }
    if let Some(family) = sampled.iter().map(|(names, _)| names.family).max().filter(|family| *family > 1) {
        notes.push(format!(
            "These are {family} comparisons. Their ranges are wider for that: all of them together raise a false alarm in \
             at most 5 of 100 such commands."
        ));
    }
    if sampled.iter().any(|(names, _)| names.explain) {
        notes.push(METHOD.to_string());
    }
    notes
}

/// A comparison as a JSON object.
pub(in super::super) fn comparison_json(names: &Names<'_>, found: &Comparison) -> Value {
    let effects = found.effects.iter().enumerate().map(|(n, e)| {
        json!({
            "measure": e.text,
            "primary": n == 0,
            "label": "sampled",
            "verdict": e.judgement.word(),
            "better": e.judgement.is_better(e.good),
            "n": found.pairs - found.faults,
            "in_a": e.means.map(|m| m[0]),
            "in_b": e.means.map(|m| m[1]),
            "estimate": e.means.map(|m| m[2]),
            "low": e.interval.0,
            "high": e.interval.1,
            "level": level_number(&level_of(e.alpha)),
            "discordant": e.discordant,
            "method": "betting",
            "more_pairs": e.more,
            "spread": e.spread.as_ref().map(|s| json!({
                "at_most": s.at,
                "in_a": s.shares[0],
                "in_b": s.shares[1],
                "low": s.interval.0,
                "high": s.interval.1,
                "level": level_number(&level_of(s.alpha)),
            })),
            "unit": table::unit(&e.ty, e.share),
            "values": both_values(e),
        })
    });
    json!({
        "schema": 1,
        "scenario": names.scenario,
        "a": names.a,
        "b": names.b,
        "label": "sampled",
        "not_exact": names.why,
        "seed": names.seed,
        "paired": !names.unpaired,
        "within": found.within,
        "pairs": found.pairs,
        "faults": found.faults,
        "stopped": found.stopped,
        "effects": effects.collect::<Vec<Value>>(),
    })
}

/// How often each value came in A and in B.
fn both_values(e: &Effect) -> Vec<Value> {
    let mut times: BTreeMap<&[i64], [u64; 2]> = BTreeMap::new();
    for (side, tally) in e.values.iter().enumerate() {
        for (cells, count) in tally.values().into_iter().flatten() {
            times.entry(cells).or_default()[side] = count;
        }
    }
    let value = |cells: &[i64]| match (&e.ty, cells) {
        (Type::Flag, [n, ..]) => if *n == 1 { "yes" } else { "no" }.to_string(),
        _ => value_label(&e.ty, cells).unwrap_or_default(),
    };
    let share = |side: usize, count: u64| count as f64 / e.values[side].counted.max(1) as f64;
    let row = |(cells, [a, b]): (&[i64], [u64; 2])| json!({ "value": value(cells), "count_a": a, "count_b": b, "in_a": share(0, a), "in_b": share(1, b) });
    times.into_iter().map(row).collect()
}

/// A comparison as rows.
pub(in super::super) fn comparison_rows(names: &Names<'_>, found: &Comparison) -> Vec<table::Row> {
    let row = |e: &Effect| {
        table::row(json!({
            "measure": e.text,
            "sort": "difference",
            "label": "sampled",
            "n": found.pairs - found.faults,
            "in_a": e.means.map(|m| m[0]),
            "in_b": e.means.map(|m| m[1]),
            "estimate": e.means.map(|m| m[2]),
            "low": e.interval.0,
            "high": e.interval.1,
            "level": level_number(&level_of(e.alpha)),
            "method": "betting",
            "unit": table::unit(&e.ty, e.share),
            "faults": found.faults,
            "first_fault": found.first_fault.as_ref().map(|(run, _, fault)| format!("run {run}: {}", fault.message)),
            "seed": names.seed,
            "verdict": e.judgement.word(),
            "discordant": e.discordant,
            "within": found.within,
        }))
    };
    found.effects.iter().map(row).collect()
}
