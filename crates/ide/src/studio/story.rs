//! The story of a run, in the form of the lines of a trace.

use super::scenes::clauses;
use grognard_play::record::{Event, What};
use grognard_report::story::{LineSort, Story, StoryLine};
use grognard_vm::Game;
use serde_json::{Value, json};

/// Returns the lines of the story of `events`, whose lines in the trace are `lines`. A line covers the events from `from` up to the
/// next line, and `n` is the last event that it shows.
pub fn story(game: &Game, events: &[Event], lines: &[Value]) -> Vec<Value> {
    let at = |seq: &u64| events.binary_search_by_key(seq, |event| event.seq).ok();
    let told = Story::of(events).lines.into_iter().map(|line| {
        let mut shown: Vec<usize> = line.events.iter().filter_map(at).collect();
        shown.sort_unstable();
        (line, shown)
    });
    // the page shows the rules and the settings of a run elsewhere
    let header = |shown: &[usize]| shown.first().is_some_and(|n| matches!(events[*n].what, What::Header { .. }));
    let told: Vec<_> = told.filter(|(_, shown)| !header(shown)).collect();
    // a heading begins where its first line does
    let from = |line: usize| told[line..].iter().find_map(|(_, shown)| shown.first().copied()).unwrap_or(lines.len());
    let mut last = 0;
    let rendered = told.iter().enumerate().map(|(n, (line, shown))| {
        last = shown.last().copied().unwrap_or(from(n).saturating_sub(1)).max(last);
        let mut rendered = merged(game, line, shown.iter().map(|n| &lines[*n]), (from(n), last));
        // a heading is at the phase that it names
        let entered = lines[..from(n)].iter().rev().find(|line| line["event"] == "enter");
        if let Some(entered) = entered.filter(|_| line.sort == LineSort::Heading) {
            rendered["place"] = entered["place"].clone();
        }
        rendered
    });
    rendered.collect()
}

/// Returns a line with what its events say together.
fn merged<'l>(
    game: &Game,
    line: &StoryLine,
    events: impl Iterator<Item = &'l Value>,
    (from, n): (usize, usize),
) -> Value {
    let (sort, depth) = match line.sort {
        LineSort::Event => ("", 1),
        LineSort::Heading => ("heading", 0),
        LineSort::Plain => ("plain", 0),
    };
    let mut rendered = json!({ "n": n, "from": from, "depth": depth, "event": sort, "text": line.words() });
    for event in events {
        for key in ["touches", "moved", "wrote"] {
            for each in event[key].as_array().into_iter().flatten() {
                if !rendered[key].is_array() {
                    rendered[key] = json!([]);
                }
                if let Some(all) = rendered[key].as_array_mut().filter(|all| key != "touches" || !all.contains(each)) {
                    all.push(each.clone());
                }
            }
        }
        // a line is a roll if there is one in it, and else what its first event is
        if sort.is_empty() && (rendered["event"] == "" || event["event"] == "roll") {
            rendered["event"] = event["event"].clone();
        }
        for key in ["place", "rule", "dice"] {
            if rendered[key].is_null() && !event[key].is_null() {
                rendered[key] = event[key].clone();
            }
        }
    }
    if line.sort == LineSort::Event && !line.who.is_empty() {
        rendered["who"] = json!(line.who);
    }
    if !line.clauses.is_empty() {
        rendered["clauses"] = clauses(&game.program.schema, &line.clauses);
    }
    for (key, marked) in [("standIn", line.stand_in), ("gap", line.reading)] {
        if marked {
            rendered[key] = json!(true);
        }
    }
    rendered
}
