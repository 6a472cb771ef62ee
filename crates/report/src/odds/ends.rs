//! Reports the states in which a scenario can end, as differences from its start.

use super::super::bounds::at_most;
use super::policy::differences;
use super::{float, label, share};
use crate::clean;
use crate::finding::{Cell, Finding, Table};
use grognard_base::value::*;
use grognard_odds::Label;
use grognard_play::odds::Ends;
use grognard_vm::{Game, State, granted};
use serde_json::{Map, Value, json};

/// Returns the names and values that differ from the start. A status is named with its bearer.
pub(crate) fn place(game: &Game, state: &State) -> Vec<(String, String)> {
    let mut place = differences(game, &game.start, state);
    place.extend(lists(game, state));
    let (before, after) = (granted(game, &game.start), granted(game, state));
    let told = |(status, bearer): &(String, String)| format!("{bearer} {status}");
    place.extend(after.iter().filter(|row| !before.contains(row)).map(|row| (told(row), "on".to_string())));
    place.extend(before.iter().filter(|row| !after.contains(row)).map(|row| (told(row), "off".to_string())));
    place.into_iter().map(|(name, value)| (clean(&name), clean(&value))).collect()
}

/// Returns the fields with lists that differ from the start.
fn lists(game: &Game, state: &State) -> Vec<(String, String)> {
    let mut told = Vec::new();
    for (kind, layout) in game.layout.kinds.iter().enumerate() {
        for (thing, field) in (0..layout.slots)
            .flat_map(|thing| game.program.schema.kinds[kind].fields.iter().map(move |field| (thing as i64, *field)))
        {
            let (info, place) = (&game.program.schema.fields[field.at()], game.layout.fields[field.at()]);
            for figure in 0..if place.entry > 0 { place.figures } else { 0 } {
                let at = game.layout.field(field, thing, figure as i64);
                let cells = &state.cells[at..at + place.width];
                if *cells != game.start.cells[at..at + place.width] {
                    let mut aside = State::default();
                    let entries = usize::try_from(cells[0]).unwrap_or(0) * place.entry;
                    let list = aside.new_list(cells.get(1..1 + entries).unwrap_or_default(), place.entry);
                    let name = format!("{}.{}", game.name(KindId::from(kind), thing), info.name);
                    told.push((name, game.tell(&aside, &info.ty, &[list])));
                }
            }
        }
    }
    told
}

/// Adds a table of the end states, the most likely ones first.
pub(super) fn add(finding: &mut Finding, game: &Game, found: &Ends) {
    let least = if found.label == Label::Exact { "" } else { "at least " };
    let positions = if found.list.len() == 1 { "position" } else { "different positions" };
    let row = |(state, chance): &(State, Fraction)| {
        let known: Vec<String> = place(game, state).iter().map(|(name, value)| format!("{name} {value}")).collect();
        let known = if known.is_empty() { "as at the start".to_string() } else { known.join(", ") };
        vec![known.into(), Cell::Number(share(chance, &found.open, found.label))]
    };
    let caption = format!("ends in {least}{} {positions}  ({})", found.list.len(), label(found.label));
    finding.add(Table::new(&caption, &["position", "chance"], found.list.iter().map(row)));
    if !found.open.is_zero() {
        finding.say(format!("any other positions: {} at most", at_most(&found.open)));
    }
    finding.fact("ends", json(game, found));
}

/// Returns the end states as JSON.
fn json(game: &Game, found: &Ends) -> Value {
    let row = |(state, share): &(State, Fraction)| {
        let place = place(game, state).into_iter().map(|(name, value)| (name, json!(value)));
        let (low, high) = (share.clone(), share + &found.open);
        let exact = found.open.is_zero();
        json!({
            "place": place.collect::<Map<String, Value>>(),
            "chance": exact.then(|| share.to_string()),
            "chance_decimal": exact.then(|| float(share)),
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
