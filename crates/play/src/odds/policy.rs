//! The best line of play: the entry taken in each state in which a player decides.

use super::Explored;
use grognard_base::safe::clean;
use grognard_base::value::*;
use grognard_odds::PolicyRow;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::Counted;
use grognard_vm::{Fault, Game, State, granted};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The names and values that distinguish a state from the start and from other states.
type DecisionPlace = Vec<(String, String)>;

/// A decision on the line of play. It combines the states with the same known values and the same entry taken.
#[derive(Clone)]
pub struct PolicyDecision {
    /// The names and values that distinguish these states from the start and from other states.
    pub known: DecisionPlace,
    /// The name of the decision.
    pub choice: String,
    /// The subject of the decision, or an empty string.
    pub of: String,
    /// `best` or `worst`.
    pub aim: &'static str,
    /// The entry that is taken.
    pub taken: String,
    /// The entries with the same value.
    pub ties: Vec<String>,
    /// The lower and the upper bound on the value.
    pub worth: (Fraction, Fraction),
    /// Expected number of times that the decision is reached in a run, or `None` if it is unbounded.
    pub reached: Option<Fraction>,
    /// Whether everything was explored, so that no other line of play is better.
    pub sure: bool,
}

/// Returns the decisions that the line of play reaches, in the order of discovery. Returns an empty list if no player optimizes.
///
/// # Errors
///
/// Returns the fault if the policy cannot be computed.
pub fn decisions(explored: &Explored<'_>) -> Result<Vec<PolicyDecision>, Fault> {
    let Some(objective) = explored.objective else { return Ok(Vec::new()) };
    let game = &explored.scenario.game;
    let rows = explored.graph.policy(objective)?;
    let informative = informative(game, &rows);
    let mut lines: Vec<PolicyDecision> = Vec::new();
    let mut rendered: BTreeMap<_, usize> = BTreeMap::new();
    for row in rows {
        let entry = |n: usize| clean(row.menu.get(n).map_or("", String::as_str));
        let mut place = differences(game, &game.start, &row.state);
        let variables = row.variables.iter().filter(|(func, local, _)| informative.contains(&(func.0, local.0)));
        place.extend(variables.map(|variable| value(game, &row, variable)));
        let counted = row.counts.iter().filter(|(_, count, _)| *count != 0);
        place.extend(counted.map(|(what, count, more)| {
            let name = match what {
                Counted::Rounds => "rounds",
                Counted::Tally(tally) => game.program.schema.tallies[tally.at()].name.as_str(),
            };
            (name.to_string(), if *more { format!("{count} or more") } else { count.to_string() })
        }));
        let line = PolicyDecision {
            known: place.into_iter().map(|(name, value)| (clean(&name), clean(&value))).collect(),
            choice: clean(&game.program.schema.sites[row.site.at()].name),
            of: clean(&game.packed_name(row.who.subject)),
            aim: if row.best { "best" } else { "worst" },
            taken: entry(row.taken),
            ties: row.ties.iter().filter(|n| **n != row.taken).map(|n| entry(*n)).collect(),
            worth: row.worth.clone(),
            reached: row.reached.clone(),
            sure: !explored.graph.provisional(),
        };
        // States with the same known values share a line if the same entry is taken.
        let PolicyDecision { known, choice, of, aim, taken, ties, worth, .. } = line.clone();
        match rendered.entry((known, choice, of, aim, taken, ties, worth)) {
            Entry::Occupied(at) => {
                let known = &mut lines[*at.get()].reached;
                *known = known.take().zip(line.reached).map(|(a, b)| &a + &b);
            }
            Entry::Vacant(free) => {
                free.insert(lines.len());
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// Returns the variables whose value differs between states with the same decision. The others carry no information.
fn informative(game: &Game, rows: &[PolicyRow]) -> BTreeSet<(u32, u32)> {
    let mut informative = BTreeSet::new();
    let mut known: BTreeMap<(u32, u32, u32), String> = BTreeMap::new();
    for row in rows {
        for variable in &row.variables {
            let (func, local, _) = variable;
            // Lists are compared by their entries, not by their addresses.
            let rendered = value(game, row, variable).1;
            if *known.entry((row.site.0, func.0, local.0)).or_insert_with(|| rendered.clone()) != rendered {
                informative.insert((func.0, local.0));
            }
        }
    }
    informative
}

/// Returns the name and the value of a variable in a state.
fn value(game: &Game, row: &PolicyRow, (func, local, cells): &(FuncId, LocalId, Vec<i64>)) -> (String, String) {
    let local = &game.program.functions[func.at()].locals[local.at()];
    (local.name.clone(), game.tell(&row.state, &local.ty, cells))
}

/// Returns the names and new values of everything that differs between two states: things that left or entered play, stored
/// fields, statuses with their bearers, and the state of the game.
pub fn differences(game: &Game, from: &State, to: &State) -> DecisionPlace {
    let rules = &game.program.schema;
    let mut shown = Vec::new();
    for (kind, layout) in game.layout.kinds.iter().enumerate() {
        for thing in 0..layout.slots {
            let name = || game.name(KindId::from(kind), thing as i64);
            let alive = layout.alive + thing;
            if from.cells[alive] != to.cells[alive] {
                shown.push((name(), if to.cells[alive] == 0 { "out" } else { "new" }.to_string()));
            }
            for field in &rules.kinds[kind].fields {
                let (info, place) = (&rules.fields[field.at()], game.layout.fields[field.at()]);
                if matches!(info.sort, FieldSort::State | FieldSort::Link) {
                    for figure in 0..place.figures {
                        let at = game.layout.field(*field, thing as i64, figure as i64);
                        if from.cells[at..at + place.width] != to.cells[at..at + place.width] {
                            shown
                                .push((format!("{}.{}", name(), info.name), game.tell_stored(to, &info.ty, place, at)));
                        }
                    }
                }
            }
        }
    }
    for (global, place) in rules.globals.iter().zip(&game.layout.globals).filter(|(global, _)| !global.hidden) {
        let cells = place.base..place.base + place.width;
        if from.cells[cells.clone()] != to.cells[cells] {
            shown.push((global.name.clone(), game.tell_stored(to, &global.ty, *place, place.base)));
        }
    }
    let (before, after) = (granted(game, from), granted(game, to));
    let times = |rows: &[(String, String)], row| rows.iter().filter(|other| *other == row).count();
    let mut seen = Vec::new();
    for row in after.iter().chain(&before) {
        if seen.contains(&row) || times(&before, row) == times(&after, row) {
            continue;
        }
        seen.push(row);
        let now = match times(&after, row) {
            0 => "off".to_string(),
            1 => "on".to_string(),
            many => format!("on {many} times"),
        };
        shown.push((format!("{} {}", row.1, row.0), now));
    }
    shown
}
