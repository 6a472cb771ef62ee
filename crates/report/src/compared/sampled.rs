//! Reports sampled comparisons: estimates with intervals, and verdicts that follow from the intervals.

#![allow(clippy::float_arithmetic)] // rounds numbers only for printing

use super::super::finding::Finding;
use super::super::page::{How, Number, millionths};
use super::super::sampled::{Unit, bars, clear, level_number, level_of, rounded, trimmed, value_label};
use super::super::table;
use super::{Difference, Names, at_most, verdict, yes_or_no};
use grognard_stats::{Compared, Comparison, Effect, Judgement, Spread};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the verdict on the effect on measure `n`.
fn judged(found: &Comparison, n: usize, e: &Effect) -> String {
    let unit = Unit::of(&e.ty, e.share);
    let margin = trimmed(unit.scaled(found.within));
    let margin = match margin.as_str() {
        "1" if e.share => "1 point".to_string(),
        _ => margin + if e.share { " points" } else { unit.sign() },
    };
    match (e.judgement, n) {
        // a measure that cannot vary has no margin
        (Judgement::Same, _) if found.within <= f64::MIN_POSITIVE => "the same".into(),
        (Judgement::Same, _) => format!("same within {margin}"),
        (Judgement::Undecided, 0) => format!("undecided (same would be within {margin})"),
        (judgement, _) => verdict(judgement, e.good, e.share).into(),
    }
}

/// Returns the number of decimal places for an effect, so that its outward-rounded interval still supports the verdict.
fn places(found: &Comparison, e: &Effect) -> usize {
    let unit = Unit::of(&e.ty, e.share);
    let ((low, high), within) = ((unit.scaled(e.interval.0), unit.scaled(e.interval.1)), unit.scaled(found.within));
    clear((low, high), |least, most| match e.judgement {
        Judgement::Same => least >= -within && most <= within,
        _ => true,
    })
}

/// The note on every sampled comparison.
const STOPS: &str =
    "The comparison stops when the result is clear, so the estimate is biased away from 0: use the interval.";
/// The note on comparisons with several measures.
const SIDES: &str = "Further measures have wider intervals, so that more measures do not cause more false alarms.";
/// The description of the statistical methods.
pub const METHOD: &str = "Method: intervals are betting confidence sequences (Waudby-Smith and Ramdas 2024), which hold at \
                      every interim analysis, and every verdict follows from its interval. For the primary measure, \
                      most of the stake is on one bet, tuned on the first 1000 pairs. \"Same\" is two one-sided tests at \
                      5% each, so its interval is at 90%. Measures after the first, and the distances between the \
                      distributions of all measures, share 5% (Bonferroni). The distance of two distributions is the \
                      maximum difference of their cumulative distribution functions.";

/// Adds the facts about the runs, and returns the differences in all measures.
pub(super) fn differences(finding: &mut Finding, names: &Names<'_>, found: &Comparison) -> Vec<Difference> {
    let dice = if names.unpaired { "independent dice" } else { "same dice" };
    finding.say(format!(
        "sampled: {} pairs of runs, seed {}, {dice}, {} ended in an error",
        found.pairs, names.seed, found.faults
    ));
    names.not_exact().into_iter().for_each(|(name, value)| finding.fact(name, value));
    finding.all_facts(json!({
        "seed": names.seed,
        "paired": !names.unpaired,
        "pairs": found.pairs,
        "faults": found.faults,
        "stopped": found.stopped,
    }));
    if found.stopped {
        finding.warn("interrupted before the result was clear");
    }
    if found.pairs == found.faults && found.pairs > 0 {
        finding.warn("no pair has a result, so there is nothing to compare");
    }
    found.effects.iter().enumerate().map(|(n, e)| difference(names, found, n, e)).collect()
}

fn difference(names: &Names<'_>, found: &Comparison, n: usize, e: &Effect) -> Difference {
    let (unit, [a, b]) = (Unit::of(&e.ty, e.share), &e.values);
    let counted = a.counted > 0 && b.counted > 0;
    let mean = |n: usize| {
        let value = e.means.map(|means| means[n]).filter(|_| !e.share)?;
        Some((n, Number::new(rounded(value, 2, None) + unit.sign(), Some(millionths(value)), How::Sampled)))
    };
    let label = |cells: &[i64]| yes_or_no(&e.ty, cells).or_else(|| value_label(&e.ty, cells)).unwrap_or_default();
    let mut lines = effect_lines(names, found, n, e);
    lines.push(format!("(sampled, from {} pairs of runs)", found.pairs - found.faults));
    Difference {
        text: e.text.clone(),
        judged: judged(found, n, e),
        unit,
        lines,
        number: signed(found, e),
        values: if counted { bars(&e.ty, &[a, b], (None, How::Sampled), label) } else { Vec::new() },
        means: (0..2).filter_map(mean).collect(),
        row: row(names, found, e),
        more: json!({
            "better": e.judgement.is_better(e.good),
            "more_pairs": e.more,
            "spread": e.spread.as_ref().map(|s| json!({
                "at_most": s.at,
                "in_a": s.shares[0],
                "in_b": s.shares[1],
                "low": s.interval.0,
                "high": s.interval.1,
                "level": level_number(&level_of(s.alpha)),
            })),
            "values": both_values(e),
        }),
    }
}

/// Returns the difference with a sign, and its interval.
fn signed(found: &Comparison, e: &Effect) -> Number {
    let unit = Unit::of(&e.ty, e.share);
    let [low, high] = [e.interval.0, e.interval.1].map(|x| unit.scaled(x));
    let (places, sign) = (places(found, e), unit.points());
    let signed = |x: f64, up| {
        let text = rounded(x, places, up);
        if text.starts_with('-') || x == 0.0 { text } else { format!("+{text}") }
    };
    let difference = e.means.map(|[_, _, difference]| unit.scaled(difference));
    let text = difference.map_or("not known".into(), |d| signed(d, None) + sign);
    let ends = format!("{}% {} to {}", level_of(e.alpha), signed(low, Some(false)), signed(high, Some(true)));
    Number::new(text, difference.map(millionths), How::Sampled).within((millionths(low), millionths(high)), ends)
}

/// Returns the lines below the verdict of an effect.
fn effect_lines(names: &Names<'_>, found: &Comparison, n: usize, e: &Effect) -> Vec<String> {
    let Some([a, b, difference]) = e.means else { return Vec::new() };
    let unit = Unit::of(&e.ty, e.share);
    let places = places(found, e);
    let [a, b] = [a, b].map(|x| rounded(unit.scaled(x), places, None) + unit.sign());
    let differs = unit.differs(difference, e.interval, (e.alpha, places), " in B");
    let mut lines = vec![format!("A {a}, B {b}: {differs}")];
    lines.extend(e.spread.as_ref().map(|s| spread(unit, s)));
    let counted = found.pairs - found.faults;
    let share = rounded(100.0 * e.discordant as f64 / counted.max(1) as f64, 2, None);
    lines.push(match names.unpaired {
        true => format!("the results differ in {share}% of the pairs"),
        false => format!("the change alters the result of {share}% of the runs"),
    });
    if let (Judgement::Undecided, 0) = (e.judgement, n) {
        lines.push(match e.more {
            Some(more) => format!(
                "about {more} more pairs would decide it, if they differ as often: `--runs {}`",
                found.pairs + more
            ),
            None => "no feasible number of runs would decide it".into(),
        });
    }
    lines
}

/// Returns a sentence about the threshold at which the two distributions differ most.
fn spread(unit: Unit, s: &Spread) -> String {
    let (share, [a, b]) = (Unit::Percent, s.shares);
    let places = share.places(s.interval);
    let rendered = [a, b].map(|x| rounded(share.scaled(x), places, None) + "%");
    let rendered = at_most(&unit.plain(s.at), s.least, &rendered[0], &rendered[1]);
    format!("{rendered}: {}", share.differs(b - a, s.interval, (s.alpha, places), ""))
}

/// Returns the notes on the sampled comparisons of a command.
pub(super) fn notes(all: &[(Names<'_>, &Compared)]) -> Vec<String> {
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
            "These are {family} comparisons with wider intervals: at most 5 of 100 such commands have a false alarm in any of \
             them."
        ));
    }
    if sampled.iter().any(|(names, _)| names.explain) {
        notes.push(METHOD.to_string());
    }
    notes
}

/// Returns the number of occurrences of each value in A and in B, as JSON.
fn both_values(e: &Effect) -> Vec<Value> {
    let mut times: BTreeMap<&[i64], [u64; 2]> = BTreeMap::new();
    for (side, tally) in e.values.iter().enumerate() {
        for (cells, count) in tally.values().into_iter().flatten() {
            times.entry(cells).or_default()[side] = count;
        }
    }
    let value = |cells: &[i64]| yes_or_no(&e.ty, cells).or_else(|| value_label(&e.ty, cells)).unwrap_or_default();
    let share = |side: usize, count: u64| count as f64 / e.values[side].counted.max(1) as f64;
    let row = |(cells, [a, b]): (&[i64], [u64; 2])| json!({ "value": value(cells), "count_a": a, "count_b": b, "in_a": share(0, a), "in_b": share(1, b) });
    times.into_iter().map(row).collect()
}

fn row(names: &Names<'_>, found: &Comparison, e: &Effect) -> table::Row {
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
}
