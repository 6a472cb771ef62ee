//! Reports the states in which a scenario can end, as differences from its start.

use super::super::bounds::at_most;
use super::{between, float, label};
use crate::clean;
use crate::finding::{Cell, Finding, Table};
use grognard_base::value::*;
use grognard_odds::Label;
use grognard_play::odds::Ends;
use grognard_play::odds::differences;
use grognard_vm::{Game, State};
use serde_json::{Map, Value, json};

/// Returns the names and values that differ from the start. A status is named with its bearer.
pub(crate) fn place(game: &Game, state: &State) -> Vec<(String, String)> {
    let place = differences(game, &game.start, state);
    place.into_iter().map(|(name, value)| (clean(&name), clean(&value))).collect()
}

/// Adds a table of the end states, the most likely ones first.
pub(super) fn add(finding: &mut Finding, game: &Game, found: &Ends) {
    let least = if found.label == Label::Bounded { "at least " } else { "" };
    let positions = if found.list.len() == 1 { "final state" } else { "final states" };
    let row = |(state, ends): &(State, [Fraction; 2])| {
        let known: Vec<String> = place(game, state).iter().map(|(name, value)| format!("{name} {value}")).collect();
        let known = if known.is_empty() { "unchanged".to_string() } else { known.join(", ") };
        vec![known.into(), Cell::Number(between(ends, found.label))]
    };
    let caption = format!("{least}{} {positions}  ({})", found.list.len(), label(found.label));
    finding.add(Table::new(&caption, &["final state", "chance"], found.list.iter().map(row)));
    if !found.open.is_zero() {
        finding.say(format!("other final states: at most {}", at_most(&found.open)));
    }
    finding.fact("ends", json(game, found));
}

/// Returns the end states as JSON.
fn json(game: &Game, found: &Ends) -> Value {
    let row = |(state, [low, high]): &(State, [Fraction; 2])| {
        let place = place(game, state).into_iter().map(|(name, value)| (name, json!(value)));
        let exact = low == high;
        json!({
            "place": place.collect::<Map<String, Value>>(),
            "chance": exact.then(|| low.to_string()),
            "chance_decimal": exact.then(|| float(low)),
            "chance_between": (!exact).then(|| [low.to_string(), high.to_string()]),
        })
    };
    json!({
        "count": found.list.len(),
        "label": label(found.label),
        "unexplored": found.open.to_string(),
        "positions": found.list.iter().map(row).collect::<Vec<Value>>(),
    })
}
