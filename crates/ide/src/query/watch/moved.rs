//! Compares the results of two runs of a test.

use super::runs::{Claim, Seen};
use grognard_report::beside::parted_in;

/// The difference between the last two runs of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The name of the example or scenario.
    pub name: String,
    /// Whether the test is new.
    pub new: bool,
    /// Whether the test failed before, and whether it fails now.
    pub fails: (bool, bool),
    /// The first line of the trace that differs.
    pub trace: Option<Step>,
    /// Claims that held before and fail now.
    pub fell: Vec<String>,
    /// Claims that failed before and hold now.
    pub rose: Vec<String>,
    /// Reported measures that differ, with their old and new values.
    pub odds: Vec<(String, String, String)>,
    /// The rendered diagnostics, if they differ from the previous ones.
    pub rendered: String,
}

/// A line of a trace in two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line number, from 1.
    pub line: usize,
    /// The old line, or an empty text after the end of the trace.
    pub was: String,
    /// The new line, or an empty text after the end of the trace.
    pub is: String,
    /// The rule in which the two traces diverge.
    pub rule: Option<String>,
}

/// Returns the difference between two results, or `None` if they are equal. In the first round, only failing tests are returned.
pub(super) fn moved(name: &str, old: Option<&Seen>, new: &Seen, first: bool) -> Option<Moved> {
    let fails = (old.is_some_and(|old| old.fails), new.fails);
    let mut moved = Moved { name: name.to_string(), new: old.is_none() && !first, fails, ..Moved::default() };
    let Some(old) = old else {
        moved.rendered.clone_from(&new.rendered);
        moved.fell = new.claims.iter().filter(|claim| claim.holds == Some(false)).map(|c| c.text.clone()).collect();
        return (new.fails || !first).then_some(moved);
    };
    // A test that could not run has nothing to compare.
    let ran = |seen: &Seen| [&seen.trace, &seen.odds, &seen.sample].iter().any(|text| !text.is_empty());
    if ran(old) && ran(new) {
        moved.trace = step(&old.trace, &new.trace);
        // Estimates are compared unless both results are exact.
        let exact = !old.odds.is_empty() && !new.odds.is_empty();
        moved.odds = if exact { figures(&old.odds, &new.odds) } else { figures(&old.sample, &new.sample) };
    }
    for (n, claim) in new.claims.iter().enumerate() {
        match (before(&old.claims, claim, n), claim.holds) {
            (Some(true), Some(false)) => moved.fell.push(claim.text.clone()),
            (Some(false), Some(true)) => moved.rose.push(claim.text.clone()),
            _ => {}
        }
    }
    if old.rendered != new.rendered {
        moved.rendered.clone_from(&new.rendered);
    }
    let still = moved.trace.is_none() && moved.odds.is_empty() && moved.fell.is_empty() && moved.rose.is_empty();
    (!still || fails.0 != fails.1 || !moved.rendered.is_empty()).then_some(moved)
}

/// Returns the previous result of a claim. If several claims have the same text, the one at the same index is used.
fn before(old: &[Claim], claim: &Claim, n: usize) -> Option<bool> {
    let same = |other: &&Claim| other.text == claim.text;
    old.get(n).filter(same).or_else(|| old.iter().find(same))?.holds
}

/// Returns the first line that differs.
fn step(was: &str, is: &str) -> Option<Step> {
    let at = was.lines().zip(is.lines()).position(|(a, b)| a != b);
    let at = at.unwrap_or_else(|| was.lines().count().min(is.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or_default().trim().to_string();
    let (old, new) = (line(was), line(is));
    (was != is).then(|| Step { line: at + 1, was: old, is: new, rule: parted_in(was, is) })
}

/// Returns the measures that differ, with their old and new values. If only the distribution differs, returns its first differing
/// line.
fn figures(was: &str, is: &str) -> Vec<(String, String, String)> {
    if was == is {
        return Vec::new();
    }
    let figure = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((name.trim().to_string(), bare(value)))
    };
    let old: Vec<(String, String)> = was.lines().filter_map(figure).collect();
    let mut found = Vec::new();
    for (name, value) in is.lines().filter_map(figure) {
        match old.iter().find(|(other, _)| *other == name) {
            Some((_, before)) if *before == value => {}
            Some((_, before)) => found.push((name, before.clone(), value)),
            None => found.push((name, "nothing".into(), value)),
        }
    }
    if found.is_empty()
        && let Some(Step { was, is, .. }) = step(was, is)
    {
        found.push(("the spread".into(), bare(&was), bare(&is)));
    }
    found
}

/// Returns a line without its bar.
fn bare(line: &str) -> String {
    let bar = |word: &&str| !(word.len() > 1 && word.bytes().all(|b| matches!(b, b'#' | b'.')));
    line.split_whitespace().filter(bar).collect::<Vec<_>>().join(" ")
}
