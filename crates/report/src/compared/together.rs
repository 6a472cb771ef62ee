//! Reports the combined results of several scenarios.

use super::super::finding::Finding;
use super::super::sampled::{Unit, level_number, level_of};
use super::super::table;
use super::exact::more_or_less;
use super::{Names, verdict};
use grognard_stats::{Compared, Judgement, Together, together};
use serde_json::{Value, json};

/// Adds the combined results of several scenarios, and returns them as JSON. Does nothing for a single scenario.
pub(super) fn tell(finding: &mut Finding, names: &Names<'_>, found: &[&Compared]) -> Vec<Value> {
    let all = together(found);
    if found.len() < 2 {
        return Vec::new();
    }
    finding.head(format!("{} scenarios together: A {}, B {}", found.len(), names.a, names.b));
    if all.is_empty() {
        finding.say("no common measure");
    }
    for t in &all {
        let order = if t.primary { "primary" } else { "also" };
        let how = if t.exact.is_some() { "exact" } else { "sampled" };
        finding.item(format!("{order} {}: {}", t.text, counts(t)), vec![format!("{}  ({how})", rendered(t))]);
    }
    all.iter().map(|t| json(names, t)).collect()
}

/// Returns the number of scenarios with each verdict, such as `more in B in 2, no difference shown in 1`.
fn counts(t: &Together) -> String {
    let judgements = [Judgement::More, Judgement::Less, Judgement::Same, Judgement::Undecided];
    let word = |judgement| match judgement {
        Judgement::Undecided if t.primary => "undecided",
        judgement => verdict(judgement, t.good, t.share),
    };
    let parts = judgements.iter().zip(t.judged).filter(|(_, count)| *count > 0);
    parts.map(|(judgement, count)| format!("{} in {count}", word(*judgement))).collect::<Vec<String>>().join(", ")
}

/// Returns a sentence about the mean difference.
fn rendered(t: &Together) -> String {
    let unit = Unit::of(&t.ty, t.share);
    let Some(difference) = t.difference else { return "the mean difference is unknown".into() };
    let differs = match &t.exact {
        Some(exact) if exact.is_zero() => "no difference".into(),
        Some(exact) => more_or_less(unit, exact) + " in B",
        None => unit.differs(difference, t.interval, (t.alpha, unit.places(t.interval)), " in B"),
    };
    format!("on average {differs}, with equal weight for each scenario")
}

/// Returns the combined result in one measure as a JSON object.
fn json(names: &Names<'_>, t: &Together) -> Value {
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
