//! The best line of play as a table: for each position at which somebody decides, what is taken.

use super::{float, percent, short};
use crate::exact::Row;
use crate::machine::{Fault, Game, State};
use crate::play::odds::Explored;
use crate::report::clean;
use crate::rules::ruleset::FieldSort;
use crate::value::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What tells a position from the start and from the others: names and values.
type Place = Vec<(String, String)>;

/// Positions at which the same is known and done.
struct Line {
    place: Place,
    /// The decision, whose it is, and what it is made for.
    choice: String,
    of: String,
    aim: &'static str,
    taken: String,
    /// What would be as good.
    ties: Vec<String>,
    worth: Fraction,
    /// How often they are reached in a run.
    reached: Fraction,
}

/// The lines of the table, in the order in which they were found.
fn lines(explored: &Explored<'_>) -> Result<Vec<Line>, Fault> {
    let Some(objective) = explored.objective else { return Ok(Vec::new()) };
    let game = &explored.scenario.game;
    let rows = explored.graph.policy(objective)?;
    let telling = telling(&rows);
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let entry = |n: usize| clean(row.menu.get(n).map_or("", String::as_str));
        let mut place = differences(game, &game.start, &row.state);
        let variables = row.variables.iter().filter(|(func, local, _)| telling.contains(&(func.0, local.0)));
        place.extend(variables.map(|(func, local, cells)| {
            let local = &game.program.rules.functions[func.at()].locals[local.at()];
            (local.name.clone(), game.tell(&row.state, &local.ty, cells))
        }));
        let line = Line {
            place: place.into_iter().map(|(name, value)| (clean(&name), clean(&value))).collect(),
            choice: clean(&game.program.rules.sites[row.site.at()].name),
            of: clean(&game.packed_name(row.who.subject)),
            aim: if row.best { "best" } else { "worst" },
            taken: entry(row.taken),
            ties: row.ties.iter().filter(|n| **n != row.taken).map(|n| entry(*n)).collect(),
            worth: row.worth.clone(),
            reached: row.reached.clone(),
        };
        // positions that only differ in what is not told are one line, if the same is done there
        let key = |l: &Line| (l.place.clone(), l.choice.clone(), l.of.clone(), l.aim, l.taken.clone(), l.ties.clone());
        match lines.iter_mut().find(|l| l.worth == line.worth && key(l) == key(&line)) {
            Some(same) => same.reached += &line.reached,
            None => lines.push(line),
        }
    }
    Ok(lines)
}

/// Variables that are not the same wherever a decision is made: the others tell nothing.
fn telling(rows: &[Row]) -> BTreeSet<(u32, u32)> {
    let mut telling = BTreeSet::new();
    let mut known: Vec<((u32, u32, u32), &[i64])> = Vec::new();
    for row in rows {
        for (func, local, cells) in &row.variables {
            let key = (row.site.0, func.0, local.0);
            match known.iter().find(|(own, _)| *own == key) {
                Some((_, first)) if *first == cells.as_slice() => {}
                Some(_) => drop(telling.insert((func.0, local.0))),
                None => known.push((key, cells)),
            }
        }
    }
    telling
}

/// The line of play that was found, for people: each decision that it reaches, what is taken, and what is as good.
pub fn policy(explored: &Explored<'_>) -> Result<String, Fault> {
    if explored.objective.is_none() {
        return Ok("nobody looks for the best or the worst\n".to_string());
    }
    let lines = lines(explored)?;
    let decisions = if lines.len() == 1 { "1 decision".to_string() } else { format!("{} decisions", lines.len()) };
    let mut text = format!("line of play: {decisions}\n");
    for line in &lines {
        let place: Vec<String> = line.place.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let place = if place.is_empty() { "at the start".to_string() } else { place.join(", ") };
        let of = if line.of.is_empty() { String::new() } else { format!(" of {}", line.of) };
        let reached = match line.reached > Fraction::one() {
            true => format!("{} times", line.reached.decimal(2)),
            false => percent(&line.reached),
        };
        let _ = writeln!(text, "  {place}");
        let (choice, aim, taken, worth) = (&line.choice, line.aim, &line.taken, short(&line.worth));
        let _ = writeln!(text, "    {choice}{of} ({aim}): {taken}  worth {worth}, reached {reached}");
        if !line.ties.is_empty() {
            let _ = writeln!(text, "      as good: {}", line.ties.join(", "));
        }
    }
    Ok(text)
}

/// The same for programs: one object.
pub fn policy_json(explored: &Explored<'_>) -> Result<Value, Fault> {
    let line = |line: Line| {
        let place: Map<String, Value> = line.place.into_iter().map(|(name, value)| (name, json!(value))).collect();
        json!({
            "place": place,
            "choice": line.choice,
            "of": line.of,
            "aim": line.aim,
            "taken": line.taken,
            "as_good": line.ties,
            "worth": line.worth.to_string(),
            "worth_decimal": float(&line.worth),
            "reached": line.reached.to_string(),
            "reached_decimal": float(&line.reached),
        })
    };
    let lines: Vec<Value> = lines(explored)?.into_iter().map(line).collect();
    Ok(json!({ "schema": 1, "policy": lines }))
}

/// What differs between two positions, figure by figure: its name, and what it is now.
fn differences(game: &Game, from: &State, to: &State) -> Place {
    let rules = &game.program.rules;
    let mut told = Vec::new();
    for (kind, layout) in game.layout.kinds.iter().enumerate() {
        for thing in 0..layout.slots {
            let id = KindId::from(kind);
            let name = || game.name(id, thing as i64);
            let alive = layout.alive + thing;
            if from.cells[alive] != to.cells[alive] {
                told.push((name(), if to.cells[alive] == 0 { "out" } else { "new" }.to_string()));
            }
            for field in &rules.kinds[kind].fields {
                let (info, place) = (&rules.fields[field.at()], game.layout.fields[field.at()]);
                if !matches!(info.sort, FieldSort::State | FieldSort::Link) || place.entry > 0 {
                    continue;
                }
                for figure in 0..place.figures {
                    let at = game.layout.field(*field, thing as i64, figure as i64);
                    let (was, is) = (&from.cells[at..at + place.width], &to.cells[at..at + place.width]);
                    if was != is {
                        told.push((format!("{}.{}", name(), info.name), game.tell(to, &info.ty, is)));
                    }
                }
            }
        }
    }
    for (global, (at, width)) in rules.globals.iter().zip(&game.layout.globals) {
        let (was, is) = (&from.cells[*at..at + width], &to.cells[*at..at + width]);
        if was != is {
            told.push((global.name.clone(), game.tell(to, &global.ty, is)));
        }
    }
    told
}
