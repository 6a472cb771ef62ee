//! Reports holes in rules: the evidence for each hole, how reliable the evidence is, and how often scenarios reach the hole.

use super::finding::Finding;
use super::table::{self, row};
use grognard_lab::holes::{Basis, Hole, HoleSort, Replay, SORTS, Share};
use serde_json::{Value, json};

/// The scope of the search for holes.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Number of rulesets that were searched.
    pub rulesets: usize,
    /// Number of scenarios.
    pub scenarios: u64,
    /// Number of runs of the scenarios.
    pub runs: u64,
    /// The kinds of hole that were searched for.
    pub looked_for: Vec<HoleSort>,
    /// The reason for each search that was skipped.
    pub left_out: Vec<String>,
}

/// Returns the finding of all holes, grouped by kind.
pub fn finding(holes: &[Hole], played: &Played) -> Finding {
    let mut out = Finding::new("holes in the rules");
    for sort in SORTS {
        let own: Vec<&Hole> = holes.iter().filter(|hole| hole.sort == sort && hole.excuse.is_none()).collect();
        if own.is_empty() {
            continue;
        }
        let (name, what) = sort.rendered();
        out.head(format!("{name}: {what}"));
        own.into_iter().for_each(|hole| one(&mut out, hole));
    }
    played.left_out.iter().for_each(|why| out.say(why.clone()));
    out.head(summary(holes, played));
    facts(&mut out, holes, played);
    out
}

fn one(out: &mut Finding, hole: &Hole) {
    let item = if hole.item.is_empty() { String::new() } else { format!("  {}", hole.item) };
    let elsewhere = hole.at.file.strip_suffix(".rules") != Some(hole.rules.as_str()) && hole.at.line > 0;
    let item = if elsewhere { format!("{item}, in {}", hole.rules) } else { item };
    let mut lines = vec![format!("  {}", hole.says)];
    lines.extend(hole.lines.iter().map(|line| format!("  {line}")));
    lines.push(format!("  {}", trust(hole)));
    match &hole.replay {
        Some(Replay::Example(text) | Replay::Scenario(text)) => {
            lines.extend(text.lines().map(|line| format!("  | {line}")));
        }
        None => {}
    }
    out.item(format!("{}{item}", hole.at), lines);
}

/// Returns how reliable the evidence is, and how often scenarios reach the hole.
fn trust(hole: &Hole) -> String {
    let word = hole.basis.word();
    match (hole.basis, hole.weight) {
        (Basis::Unseen, _) => "not observed, which is not a proof".to_string(),
        (_, None) => word.to_string(),
        (_, Some(Share { hit, of })) => format!("{word}; {hit} of {of} runs of scenarios reach it"),
    }
}

fn of(holes: &[Hole], sort: HoleSort) -> usize {
    holes.iter().filter(|hole| hole.sort == sort && hole.excuse.is_none()).count()
}

fn summary(holes: &[Hole], played: &Played) -> String {
    let counts = SORTS.iter().map(|sort| (sort.rendered().0, of(holes, *sort)));
    let counts: Vec<String> = counts.filter(|(_, n)| *n > 0).map(|(name, n)| format!("{n} {name}")).collect();
    let found = if counts.is_empty() { "no hole found".to_string() } else { counts.join(", ") };
    let excused = holes.iter().filter(|hole| hole.excuse.is_some()).count();
    let found = if excused > 0 { format!("{found}; {excused} excused") } else { found };
    let rulesets = super::counted(played.rulesets, "ruleset");
    let scenarios = super::counted(usize::try_from(played.scenarios).unwrap_or(usize::MAX), "scenario");
    format!("{rulesets}, {scenarios}, {} runs: {found}", played.runs)
}

/// Adds every hole as a machine-readable fact and row.
fn facts(out: &mut Finding, holes: &[Hole], played: &Played) {
    let rendered = |hole: &Hole| {
        let (kind, text) = match &hole.replay {
            Some(Replay::Example(text)) => ("example", text.as_str()),
            Some(Replay::Scenario(text)) => ("scenario", text.as_str()),
            None => ("", ""),
        };
        json!({
            "sort": hole.sort.rendered().0,
            "rules": hole.rules,
            "file": hole.at.file,
            "line": hole.at.line,
            "item": hole.item,
            "says": hole.says,
            "more": hole.lines.join("; "),
            "basis": hole.basis.word(),
            "hit": hole.weight.map(|w| w.hit),
            "of": hole.weight.map(|w| w.of),
            "replay": kind,
            "text": text,
            "excuse": hole.excuse,
        })
    };
    out.fact("schema", json!(1));
    out.fact("rulesets", json!(played.rulesets));
    out.fact("scenarios", json!(played.scenarios));
    out.fact("runs", json!(played.runs));
    let looked_for: Vec<&str> = played.looked_for.iter().map(|sort| sort.rendered().0).collect();
    out.fact("looked_for", json!(looked_for));
    out.fact("left_out", json!(played.left_out));
    out.fact("holes", holes.iter().map(rendered).collect::<Vec<Value>>().into());
    let first = ["sort", "rules", "file", "line", "item", "says", "more"];
    out.columns = table::columns(&[&first, &["basis", "hit", "of", "replay", "text", "excuse"]]);
    out.rows = holes.iter().map(|hole| row(rendered(hole))).collect();
}
