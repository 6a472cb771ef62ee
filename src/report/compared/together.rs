//! Several scenarios taken together.

#![allow(clippy::float_arithmetic)] // numbers are rounded here for printing, and nowhere else

use super::super::clean;
use super::super::sampled::{Unit, between, digits, level_number, level_of, rounded};
use super::super::table;
use super::exact::more_or_less;
use super::{Names, verdict};
use crate::sample::{Compared, Judgement, Together, together};
use serde_json::{Value, json};
use std::fmt::Write;

/// For people; empty for a single scenario.
pub(super) fn human(names: &Names<'_>, found: &[&Compared]) -> String {
    let all = together(found);
    if found.len() < 2 {
        return String::new();
    }
    let mut text = format!("{} scenarios together: A {}, B {}\n", found.len(), clean(names.a), clean(names.b));
    if all.is_empty() {
        text += "they have no measure in common\n";
    }
    for t in &all {
        let order = if t.primary { "primary" } else { "also" };
        let _ = writeln!(text, "{order} {}: {}", clean(&t.text), counts(t));
        let how = if t.exact.is_some() { "exact" } else { "sampled" };
        let _ = writeln!(text, "  {}  ({how})", told(t));
    }
    text
}

/// In how many scenarios what was said: `more in B in 2, no difference shown in 1`.
pub(super) fn counts(t: &Together) -> String {
    let judgements = [Judgement::More, Judgement::Less, Judgement::Same, Judgement::Undecided];
    let word = |judgement| match judgement {
        Judgement::Undecided if t.primary => "undecided",
        judgement => verdict(judgement, t.good, t.share),
    };
    let parts = judgements.iter().zip(t.judged).filter(|(_, count)| *count > 0);
    parts.map(|(judgement, count)| format!("{} in {count}", word(*judgement))).collect::<Vec<String>>().join(", ")
}

/// The mean difference, in words.
pub(super) fn told(t: &Together) -> String {
    let unit = Unit::of(&t.ty, t.share);
    let points = if t.share { " points" } else { unit.sign() };
    let Some(difference) = t.difference else { return "the mean difference is not known".into() };
    let scaled = |x: f64| unit.scaled(x);
    let ends = (scaled(t.interval.0), scaled(t.interval.1));
    let word = if difference < 0.0 { "less" } else { "more" };
    let bare = scaled(difference).abs();
    match &t.exact {
        Some(exact) if exact.is_zero() => "on average no difference, every scenario counted alike".into(),
        Some(exact) => format!("on average {} in B, every scenario counted alike", more_or_less(unit, exact)),
        None => {
            let places = digits((ends.1 - ends.0) / 2.0);
            let size = match difference {
                0.0 => "no difference".to_string(),
                _ => format!("{}{points} {word} in B", rounded(bare, places, None)),
            };
            format!(
                "on average {size}, {}% {}, every scenario counted alike",
                level_of(t.alpha),
                between(ends, difference, places)
            )
        }
    }
}

/// As a JSON object.
pub(super) fn json(names: &Names<'_>, t: &Together) -> Value {
    let [more, less, same, undecided] = t.judged;
    json!({
        "a": names.a,
        "b": names.b,
        "measure": t.text,
        "primary": t.primary,
        "label": if t.exact.is_some() { "exact" } else { "sampled" },
        "more": more,
        "less": less,
        "same": same,
        "undecided": undecided,
        "estimate": t.difference,
        "fraction": t.exact.as_ref().map(table::fraction),
        "low": t.interval.0,
        "high": t.interval.1,
        "level": if t.exact.is_some() { Some(100.0) } else { level_number(&level_of(t.alpha)) },
        "unit": table::unit(&t.ty, t.share),
    })
}
