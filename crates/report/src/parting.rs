//! Reports the first divergence of two versions: both traces side by side, after the end of their common part.

use super::clean;
use super::compared::{NOTHING, edits, not_in_force};
use grognard_lab::force::Standing;
use grognard_play::parting::{Culprit, Parting};
use grognard_play::record::{Event, TraceDetail, render};
use grognard_stats::Differing;
use serde_json::{Value, json};
use std::fmt::Write;

/// Number of events of the common part that are shown.
const BEFORE: usize = 6;
/// Minimum number of events that are shown on each side. All events that led to the difference are shown.
const AFTER: usize = 14;
/// The column separator.
const GAP: &str = " | ";

/// The data about the first divergence.
#[derive(Clone, Copy, Debug)]
pub struct Divergence<'t> {
    /// The file of the scenario.
    pub scenario: &'t str,
    /// The names of the versions.
    pub names: [&'t str; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// The runs that were examined.
    pub found: &'t Differing,
    /// Index of the run that is shown, or `None` if no run differs.
    pub run: Option<u64>,
    /// The divergence, or `None` if the events are the same in both versions and only the measures differ.
    pub parting: Option<&'t Parting<'t>>,
    /// The edits that lead from A to B, and whether the scenario lets each of them take effect.
    pub edits: &'t [Standing],
    /// The measures with their values at the end.
    pub figures: &'t [(String, [Option<String>; 2])],
}

/// Renders the first divergence as human-readable text with at most `width` columns.
pub fn human(rendered: &Divergence<'_>, width: usize) -> String {
    let [a, b] = rendered.names;
    let Differing { looked, differ, .. } = rendered.found;
    let mut text = format!("{}: A {}, B {}\n", clean(rendered.scenario), clean(a), clean(b));
    let held = not_in_force(rendered.edits);
    for (head, lines) in edits::rendered(rendered.edits) {
        let _ = writeln!(text, "{head}");
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    let Some(run) = rendered.run else {
        if !held.is_empty() && held.len() == rendered.edits.len() {
            let _ = writeln!(text, "{NOTHING}");
            return text;
        }
        let _ = writeln!(text, "no run differs: {looked} runs of seed {}, same dice", rendered.seed);
        return text;
    };
    let _ =
        writeln!(text, "run {run} of seed {}, which diverges early ({differ} of {looked} runs differ)", rendered.seed);
    match rendered.parting {
        None => text += "the events are the same in both; only the measures at the end differ\n",
        Some(parting) => {
            if let Some(culprit) = parting.culprit() {
                let _ = writeln!(text, "{}", clean(&blamed(&culprit)));
            }
            text += &traces(parting, width);
        }
    }
    if !rendered.figures.is_empty() {
        text += "\nat the end\n";
    }
    for (name, [a, b]) in rendered.figures {
        let [a, b] = [a, b].map(|v| v.as_deref().unwrap_or("an error"));
        let same = if a == b { "  the same" } else { "" };
        let _ = writeln!(text, "  {}: A {}, B {}{same}", clean(name), clean(a), clean(b));
    }
    text
}

/// Returns a sentence about the item that caused the divergence.
fn blamed(culprit: &Culprit) -> String {
    let clauses = if culprit.clauses.is_empty() { String::new() } else { format!(" [{}]", culprit.clauses.join(" ")) };
    let variant = if culprit.variant.is_empty() { String::new() } else { format!(", as in {}", culprit.variant) };
    let word = if culprit.reading { "the reading " } else { "" };
    format!("the versions diverge at {word}{}{variant}{clauses}", culprit.name)
}

/// Returns the end of the common part, and the events of both sides after it.
fn traces(parting: &Parting<'_>, width: usize) -> String {
    let mut text = String::new();
    let from = parting.common.len().saturating_sub(BEFORE);
    let skipped = if from > 0 { format!(", after {from} earlier events") } else { String::new() };
    let _ = writeln!(text, "\nthe same in both{skipped}");
    for event in &parting.common[from..] {
        flat(event, 0).iter().for_each(|line| wrap(line, width).iter().for_each(|l| text += &format!("{l}\n")));
    }
    let side = |events: &[Event], led: usize| -> (Vec<String>, bool) {
        let shown = led.max(AFTER).min(events.len());
        let least = events[..shown].iter().map(|e| e.depth).min().unwrap_or(0);
        (events[..shown].iter().flat_map(|e| flat(e, least)).collect(), shown < events.len())
    };
    let (a, more_a) = side(parting.a, parting.led.0);
    let (b, more_b) = side(parting.b, parting.led.1);
    let each = width.saturating_sub(GAP.len()) / 2;
    let column = |lines: &[String], more: bool| -> Vec<String> {
        let end = if more { "..." } else { "the end" };
        lines.iter().chain([&end.to_string()]).flat_map(|line| wrap(line, each)).collect()
    };
    let (a, b) = (column(&a, more_a), column(&b, more_b));
    let _ = writeln!(text, "\n{:each$}{GAP}B", "A");
    for n in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(n).map_or("", String::as_str), b.get(n).map_or("", String::as_str));
        let pad = " ".repeat(each.saturating_sub(left.chars().count()));
        let _ = writeln!(text, "{}", format!("{left}{pad}{GAP}{right}").trim_end());
    }
    text
}

/// Returns the lines of an event without trace columns. `least` is the depth that has no indent.
fn flat(event: &Event, least: u32) -> Vec<String> {
    let text = render(std::slice::from_ref(event), TraceDetail::Full);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    vec![format!("{}{}", "  ".repeat((event.depth - least.min(event.depth)) as usize), clean(&words.join(" ")))]
}

/// Wraps a line at `width` columns, between words. Continuation lines have a larger indent.
pub fn wrap(line: &str, width: usize) -> Vec<String> {
    let indent = (line.len() - line.trim_start().len()).min(width / 2);
    let (first, rest) = (" ".repeat(indent), " ".repeat((indent + 4).min(width / 2)));
    let options = textwrap::Options::new(width).break_words(false).initial_indent(&first).subsequent_indent(&rest);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(line.trim(), options).into_iter().map(|line| line.into_owned()).collect()
}

/// Returns the first divergence as a JSON object.
pub fn json(rendered: &Divergence<'_>) -> Value {
    let culprit = rendered
        .parting
        .and_then(Parting::culprit)
        .map(|c| json!({ "name": c.name, "reading": c.reading, "clauses": c.clauses, "variant": c.variant }));
    let parting =
        rendered.parting.map(|p| json!({ "common": p.common.len(), "led": [p.led.0, p.led.1], "a": p.a, "b": p.b }));
    let figures = rendered.figures.iter().map(|(name, [a, b])| json!({ "measure": name, "a": a, "b": b }));
    json!({
        "schema": 1,
        "not_in_force": edits::facts(rendered.edits),
        "scenario": rendered.scenario,
        "a": rendered.names[0],
        "b": rendered.names[1],
        "seed": rendered.seed,
        "looked": rendered.found.looked,
        "differ": rendered.found.differ,
        "run": rendered.run,
        "parted_by": culprit,
        "parting": parting,
        "figures": figures.collect::<Vec<Value>>(),
    })
}
