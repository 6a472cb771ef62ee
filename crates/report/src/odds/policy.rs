//! Reports the best line of play as a table.

use super::super::bounds::bounds;
use super::{float, short};
use crate::counted;
use crate::finding::{Cell, Finding, Table};
use crate::page::{How, Number};
use grognard_base::value::*;
use grognard_play::odds::PolicyDecision;
use serde_json::{Map, Value, json};

/// The texts of a decision.
trait Shown {
    /// Returns the known values as text.
    fn place(&self) -> String;
    /// Returns the name of the decision and its subject.
    fn what(&self) -> String;
    /// Returns the value or its bounds as text.
    fn worth(&self) -> String;
    /// Returns the expected number of times that the decision is reached, as text.
    fn times(&self) -> String;
}

impl Shown for PolicyDecision {
    fn place(&self) -> String {
        let known: Vec<String> = self.known.iter().map(|(name, value)| format!("{name} {value}")).collect();
        if known.is_empty() { "at the start".to_string() } else { known.join(", ") }
    }

    fn what(&self) -> String {
        if self.of.is_empty() { self.choice.clone() } else { format!("{} of {}", self.choice, self.of) }
    }

    fn worth(&self) -> String {
        let (low, high) = &self.worth;
        if low == high { short(low) } else { bounds(low, high, 4).join(" to ") }
    }

    fn times(&self) -> String {
        match &self.reached {
            None => "forever".to_string(),
            Some(times) if *times > Fraction::one() => format!("{} times", times.decimal(2)),
            Some(share) => share.percent(),
        }
    }
}

/// Adds the line of play as a table.
pub(super) fn add(finding: &mut Finding, line: &[PolicyDecision]) {
    let row = |d: &PolicyDecision| {
        let how = if d.worth.0 == d.worth.1 { How::Exact } else { How::Bounded };
        vec![
            d.place().into(),
            format!("{} ({})", d.what(), d.aim).into(),
            d.taken.as_str().into(),
            Cell::Number(Number::new(d.worth(), None, how)),
            d.times().into(),
            d.ties.join(", ").into(),
        ]
    };
    finding.head(format!("line of play: {}", counted(line.len(), "decision")));
    match line.is_empty() {
        true => finding.say("no decision for the best or the worst"),
        false => {
            let heads = ["state", "decision", "choice", "value", "reached", "tied"];
            finding.add(Table::new("", &heads, line.iter().map(row)));
            if line.iter().any(|decision| !decision.sure) {
                finding.warn("not all states were explored, so another line of play can be better");
            }
        }
    }
    finding.fact("policy", json(line));
}

/// Returns the line of play as JSON.
fn json(decisions: &[PolicyDecision]) -> Value {
    let line = |one: &PolicyDecision| {
        let (low, high) = &one.worth;
        let exact = (low == high).then_some(low);
        let between = exact.is_none().then(|| [low, high].map(Fraction::to_string));
        let known = one.known.iter().map(|(name, value)| (name.clone(), json!(value)));
        json!({
            "place": known.collect::<Map<String, Value>>(),
            "choice": one.choice,
            "of": one.of,
            "aim": one.aim,
            "taken": one.taken,
            "as_good": one.ties,
            "worth": exact.map(Fraction::to_string),
            "worth_decimal": exact.map(float),
            "worth_between": between,
            "sure": one.sure,
            "reached": one.reached.as_ref().map(Fraction::to_string),
            "reached_decimal": one.reached.as_ref().map(float),
        })
    };
    decisions.iter().map(line).collect()
}
