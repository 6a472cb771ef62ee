//! Reports the questions that books leave open: every hole with its readings.

use super::counted;
use super::finding::Finding;
use super::table::{self, row};
use grognard_base::OrdSet;
use grognard_play::coverage::Citer;
use grognard_play::open_points::{Alternative, Hole, Holes, Reading};
use serde_json::{Value, json};

/// Returns the finding of all holes with their readings, and their totals.
pub fn finding(holes: &Holes) -> Finding {
    let mut out = Finding::new("ambiguities");
    facts(&mut out, holes);
    if holes.holes().next().is_none() && holes.readings().next().is_none() {
        out.say("no ambiguities: the rules have no readings, and their registers have no holes");
        return out;
    }
    let mut book = "";
    let mut rendered: Vec<&Reading> = Vec::new();
    for hole in holes.holes() {
        if hole.book != book {
            book = &hole.book;
            out.head(book);
        }
        out.head(format!("{:<7}  {}", hole.clause.id, hole.clause.says));
        decided(hole).into_iter().for_each(|rendered| out.say(rendered));
        for reading in holes.of(hole) {
            if rendered.iter().any(|t| t.at == reading.at && t.root == reading.root) {
                out.item(format!("  {}, see above", reading.name), Vec::new());
            } else {
                rendered.push(reading);
                one(&mut out, reading, &hole.clause.says);
            }
        }
    }
    if holes.loose().next().is_some() {
        out.head("Readings without a hole in a register");
    }
    holes.loose().for_each(|reading| one(&mut out, reading, ""));
    let all = holes.holes().count();
    let read = holes.holes().filter(|h| !h.readings.is_empty()).count();
    let decided = holes.holes().filter(|h| h.readings.is_empty() && !h.clause.decided.is_empty()).count();
    let open = all - read - decided;
    let (all, readings) = (counted(all, "hole"), counted(holes.readings().count(), "reading"));
    out.head(format!(
        "{all}: {read} with a reading, {decided} with a decision, {open} with neither in these rules; {readings}"
    ));
    out
}

/// Returns the line about a hole without a reading.
fn decided(hole: &Hole) -> Option<String> {
    let rendered = match hole.clause.decided.as_str() {
        "" => "no reading in these rules, and no decision".to_string(),
        decided => format!("decided: {decided}"),
    };
    hole.readings.is_empty().then_some(rendered)
}

/// Adds a reading below the text of its hole, under a head such as `reading at_half "Exactly half"  (core.rules:12)`.
fn one(out: &mut Finding, reading: &Reading, above: &str) {
    let title = if reading.title.is_empty() { String::new() } else { format!(" \"{}\"", reading.title) };
    let wide = reading.alternatives.iter().map(|a| a.value.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for alternative in &reading.alternatives {
        let parts = [alternative.gloss.clone(), default(reading, &alternative.value)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        lines.push(format!("{:<wide$}  {}", alternative.value, parts.join("; ")));
    }
    if reading.because != above {
        lines.push(format!("open: {}", reading.because));
    }
    let apart = reading.defaults.values().collect::<OrdSet<&String>>().len() > 1;
    for alternative in &reading.alternatives {
        let whose =
            if apart { format!("{} is the default because", alternative.value) } else { "default because".into() };
        lines.extend(reasons(reading, &alternative.value).iter().map(|why| format!("{whose}: {why}")));
    }
    let leaning: Vec<String> = reading.leaning.iter().map(leaner).collect();
    let leaning = if leaning.is_empty() { "no rule".to_string() } else { leaning.join(", ") };
    lines.push(format!("used by: {leaning}"));
    let lines = lines.into_iter().map(|line| format!("  {line}")).collect();
    out.item(format!("  {}{title}  ({})", reading.name, reading.at), lines);
}

fn leaner(citer: &Citer) -> String {
    format!("{} ({})", citer.item, citer.at)
}

/// Returns the rules in which an alternative is the default.
fn default(reading: &Reading, value: &str) -> String {
    let of: Vec<&str> = reading.defaults.iter().filter(|(_, v)| *v == value).map(|(rules, _)| rules.as_str()).collect();
    match of.len() {
        0 => String::new(),
        n if n == reading.defaults.len() => "default".to_string(),
        _ => format!("default in {}", of.join(", ")),
    }
}

/// Returns the reasons for the default, from all rules in which the alternative is the default.
fn reasons<'r>(reading: &'r Reading, value: &str) -> OrdSet<&'r str> {
    let of = reading.defaults.iter().filter(|(_, v)| *v == value);
    of.filter_map(|(rules, _)| reading.reasons.get(rules)).map(String::as_str).collect()
}

/// Adds the machine-readable form: holes, readings, a row for each alternative of each hole, and a row for each hole without a
/// reading.
fn facts(out: &mut Finding, holes: &Holes) {
    let hole = |hole: &Hole| {
        json!({
            "id": hole.clause.id,
            "book": hole.book,
            "section": hole.clause.section,
            "says": hole.clause.says,
            "decided": hole.clause.decided,
            "readings": holes.of(hole).map(|r| r.name.as_str()).collect::<Vec<&str>>(),
        })
    };
    let reading = |r: &Reading| {
        let alternatives = r.alternatives.iter().map(|a| json!({ "value": a.value, "means": a.gloss }));
        let leaning = r.leaning.iter().map(|c| json!({ "item": c.item, "title": c.title, "at": c.at.to_string() }));
        json!({
            "name": r.name,
            "title": r.title,
            "at": r.at.to_string(),
            "alternatives": alternatives.collect::<Vec<Value>>(),
            "defaults": r.defaults,
            "because": r.because,
            "default_because": r.reasons,
            "cites": r.cites,
            "leaning": leaning.collect::<Vec<Value>>(),
        })
    };
    out.fact("schema", json!(1));
    out.fact("holes", holes.holes().map(hole).collect());
    out.fact("readings", holes.readings().map(reading).collect());
    let (first, last) = (["hole", "book", "reading", "title", "alternative", "means"], ["default", "because"]);
    out.columns = table::columns(&[&first, &last, &["default_because", "leaning", "decided"]]);
    let rows = |id: &str, book: &str, reading: &Reading| {
        let leaning: Vec<&str> = reading.leaning.iter().map(|c| c.item.as_str()).collect();
        let of = |a: &Alternative| {
            row(json!({
                "hole": id,
                "book": book,
                "reading": reading.name,
                "title": reading.title,
                "alternative": a.value,
                "means": a.gloss,
                "default": default(reading, &a.value),
                "because": reading.because,
                "default_because": reasons(reading, &a.value).into_iter().collect::<Vec<&str>>().join("; "),
                "leaning": leaning.join("; "),
            }))
        };
        reading.alternatives.iter().map(of).collect::<Vec<table::Row>>()
    };
    let read = holes.holes().flat_map(|hole| holes.of(hole).flat_map(|r| rows(&hole.clause.id, &hole.book, r)));
    let bare = holes
        .holes()
        .filter(|hole| hole.readings.is_empty())
        .map(|hole| row(json!({ "hole": hole.clause.id, "book": hole.book, "decided": hole.clause.decided })));
    out.rows = read.chain(holes.loose().flat_map(|r| rows("", "", r))).chain(bare).collect();
}
