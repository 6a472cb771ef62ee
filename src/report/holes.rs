//! What books leave open as text: a page for people, a document and a table for programs.

use super::coverage::{counted, wrap};
use super::table::line;
use super::{clean, json};
use crate::play::coverage::Citer;
use crate::play::holes::{Hole, Holes, Reading};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Columns of a line.
const WIDTH: usize = 100;

/// Every hole with its readings, and how many there are.
pub fn human(holes: &Holes) -> String {
    if holes.holes().next().is_none() && holes.readings().next().is_none() {
        return "nothing is left open: the rules have no readings, and no register of theirs has a hole\n".to_string();
    }
    let mut out = String::new();
    let mut book = "";
    let mut told: Vec<&Reading> = Vec::new();
    for hole in holes.holes() {
        if hole.book != book {
            book = &hole.book;
            let _ = writeln!(out, "{}\n", clean(book));
        }
        head(&mut out, hole);
        for reading in holes.of(hole) {
            if told.iter().any(|t| t.at == reading.at && t.root == reading.root) {
                let _ = writeln!(out, "  {}, see above", clean(&reading.name));
            } else {
                told.push(reading);
                one(&mut out, reading);
            }
        }
        out.push('\n');
    }
    let mut loose = holes.loose().peekable();
    if loose.peek().is_some() {
        out += "Readings of no hole in a register\n\n";
    }
    for reading in loose {
        one(&mut out, reading);
        out.push('\n');
    }
    let all = holes.holes().count();
    let read = holes.holes().filter(|h| !h.readings.is_empty()).count();
    let decided = holes.holes().filter(|h| h.readings.is_empty() && !h.clause.decided.is_empty()).count();
    let open = all - read - decided;
    let (all, readings) = (counted(all, "hole"), counted(holes.readings().count(), "reading"));
    let _ = writeln!(
        out,
        "{all}: {read} with a reading, {decided} decided otherwise, {open} without either in these rules; {readings}"
    );
    out
}

fn head(out: &mut String, hole: &Hole) {
    let id = clean(&hole.clause.id);
    for (n, text) in wrap(&clean(&hole.clause.says), WIDTH - 9).iter().enumerate() {
        let _ = writeln!(out, "{:<7}  {text}", if n == 0 { id.as_str() } else { "" });
    }
    if hole.readings.is_empty() {
        let text = match hole.clause.decided.as_str() {
            "" => "no reading in these rules, and nothing decided".to_string(),
            decided => format!("decided: {}", clean(decided)),
        };
        indented(out, &text, 2);
    }
}

/// A paragraph with blanks in front; what does not fit its first line stands four further in.
fn indented(out: &mut String, text: &str, blanks: usize) {
    for (n, line) in wrap(text, WIDTH - blanks - 4).iter().enumerate() {
        let more = if n == 0 { 0 } else { 4 };
        let _ = writeln!(out, "{:1$}{line}", "", blanks + more);
    }
}

/// `core.rules:12  reading at_half "Exactly half"`.
fn one(out: &mut String, reading: &Reading) {
    let title = if reading.title.is_empty() { String::new() } else { format!(" \"{}\"", reading.title) };
    let _ = writeln!(out, "  {}{}  ({})", clean(&reading.name), clean(&title), clean(&reading.at.to_string()));
    let wide = reading.alternatives.iter().map(|a| a.value.chars().count()).max().unwrap_or(0);
    for alternative in &reading.alternatives {
        let parts = [alternative.gloss.clone(), default(reading, &alternative.value)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let text = format!("{:<wide$}  {}", alternative.value, parts.join("; "));
        let _ = writeln!(out, "    {}", clean(text.trim_end()));
    }
    indented(out, &format!("open: {}", clean(&reading.because)), 4);
    let apart = reading.defaults.values().collect::<BTreeSet<&String>>().len() > 1;
    for alternative in &reading.alternatives {
        let whose =
            if apart { format!("{} is the default because", alternative.value) } else { "default because".into() };
        let reasons = reasons(reading, &alternative.value);
        reasons.iter().for_each(|why| indented(out, &clean(&format!("{whose}: {why}")), 4));
    }
    let leaning: Vec<String> = reading.leaning.iter().map(leaner).collect();
    let leaning = if leaning.is_empty() { "nothing".to_string() } else { leaning.join(", ") };
    indented(out, &format!("leaning on it: {}", clean(&leaning)), 4);
}

fn leaner(citer: &Citer) -> String {
    format!("{} ({})", citer.item, citer.at)
}

/// Where an alternative is the default.
fn default(reading: &Reading, value: &str) -> String {
    let of: Vec<&str> = reading.defaults.iter().filter(|(_, v)| *v == value).map(|(rules, _)| rules.as_str()).collect();
    match of.len() {
        0 => String::new(),
        n if n == reading.defaults.len() => "default".to_string(),
        _ => format!("default in {}", of.join(", ")),
    }
}

/// Why an alternative is the default, in the words of all rules in which it is.
fn reasons<'r>(reading: &'r Reading, value: &str) -> BTreeSet<&'r str> {
    let of = reading.defaults.iter().filter(|(_, v)| *v == value);
    of.filter_map(|(rules, _)| reading.reasons.get(rules)).map(String::as_str).collect()
}

/// The same as one JSON document, schema 1.
pub fn json(holes: &Holes) -> String {
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
    json::pretty(&json!({
        "schema": 1,
        "holes": holes.holes().map(hole).collect::<Vec<Value>>(),
        "readings": holes.readings().map(reading).collect::<Vec<Value>>(),
    }))
}

/// The same as CSV: a line for each alternative of each hole, and one for a hole without a reading.
pub fn csv(holes: &Holes) -> String {
    let heads = [
        "hole",
        "book",
        "reading",
        "title",
        "alternative",
        "means",
        "default",
        "because",
        "default_because",
        "leaning",
        "decided",
    ];
    let mut text = line(&heads);
    let mut rows = |id: &str, book: &str, reading: &Reading| {
        let leaning: Vec<&str> = reading.leaning.iter().map(|c| c.item.as_str()).collect();
        let leaning = leaning.join("; ");
        for a in &reading.alternatives {
            let default = default(reading, &a.value);
            let (name, title) = (reading.name.as_str(), reading.title.as_str());
            let why = reasons(reading, &a.value).into_iter().collect::<Vec<&str>>().join("; ");
            text += &line(&[id, book, name, title, &a.value, &a.gloss, &default, &reading.because, &why, &leaning, ""]);
        }
    };
    let mut bare: Vec<String> = Vec::new();
    for hole in holes.holes() {
        holes.of(hole).for_each(|reading| rows(&hole.clause.id, &hole.book, reading));
        if hole.readings.is_empty() {
            bare.push(line(&[&hole.clause.id, &hole.book, "", "", "", "", "", "", "", "", &hole.clause.decided]));
        }
    }
    holes.loose().for_each(|reading| rows("", "", reading));
    text + &bare.concat()
}
