//! Compares two texts side by side (a two-column line diff), and finds the rule in which two traces diverge.

use super::clean;
use super::parting::wrap;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::fmt::Write;

/// Number of context lines before and after each difference.
const AROUND: usize = 3;
/// Maximum number of differences that are shown; the output counts the others.
const MOST: usize = 20;
/// Column separators: for equal lines, and for lines that differ.
const GAPS: [&str; 2] = [" | ", " # "];

/// Returns the differences of two texts in two columns. The text is empty if the texts are equal.
pub fn beside(old: &str, new: &str, heads: [&str; 2], width: usize) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let each = (width.saturating_sub(GAPS[0].len()) / 2).max(16);
    let mut out = String::new();
    let hunks: Vec<_> = diff.hunks().collect();
    if hunks.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{:each$}{}{}", heads[0], GAPS[0], heads[1]);
    let mut shown = 0;
    for hunk in hunks.iter().take(MOST) {
        let (was, is) = (range(&hunk.before), range(&hunk.after));
        let from = was.0.saturating_sub(AROUND).max(shown);
        if from > shown || shown == 0 && from > 0 {
            let _ = writeln!(out, "... line {}", from + 1);
        }
        for line in old.get(from..was.0).unwrap_or_default() {
            row(&mut out, line, line, GAPS[0], each);
        }
        for n in 0..(was.1 - was.0).max(is.1 - is.0) {
            let side = |lines: &[&'_ str], (start, end): (usize, usize)| {
                (start + n < end).then(|| lines.get(start + n).copied().unwrap_or_default().to_string())
            };
            row(&mut out, &side(&old, was).unwrap_or_default(), &side(&new, is).unwrap_or_default(), GAPS[1], each);
        }
        let next = hunks.iter().map(|h| h.before.start as usize).find(|start| *start >= was.1 && *start > was.0);
        let end = (was.1 + AROUND).min(old.len()).min(next.unwrap_or(usize::MAX)).max(was.1);
        for line in old.get(was.1..end).unwrap_or_default() {
            row(&mut out, line, line, GAPS[0], each);
        }
        shown = end;
    }
    if hunks.len() > MOST {
        let _ = writeln!(out, "... {} more differences", hunks.len() - MOST);
    }
    out
}

fn range(of: &std::ops::Range<u32>) -> (usize, usize) {
    (of.start as usize, of.end as usize)
}

/// Writes one line of both columns, and wraps cells that are too long.
fn row(out: &mut String, left: &str, right: &str, gap: &str, each: usize) {
    let column = |text: &str| if text.trim().is_empty() { Vec::new() } else { wrap(&clean(text), each) };
    let (left, right) = (column(left), column(right));
    for n in 0..left.len().max(right.len()).max(1) {
        let cell = |lines: &[String]| lines.get(n).cloned().unwrap_or_default();
        let pad = " ".repeat(each.saturating_sub(cell(&left).chars().count()));
        let _ = writeln!(out, "{}", format!("{}{pad}{gap}{}", cell(&left), cell(&right)).trim_end());
    }
}

/// Returns the rule, as a trace names it, in which two traces diverge: the innermost rule that has begun and not ended.
pub fn parted_in(old: &str, new: &str) -> Option<String> {
    let at = old.lines().zip(new.lines()).position(|(a, b)| a != b);
    let at = at.unwrap_or_else(|| old.lines().count().min(new.lines().count()));
    let lines: Vec<&str> = new.lines().take(at + 1).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indent(lines.last()?);
    if lines.last()?.trim_start().starts_with('>') {
        inside += 1;
    }
    let around = lines.iter().rev().find(|line| line.trim_start().starts_with("> ") && indent(line) < inside)?;
    Some(around.trim_start().trim_start_matches('>').split_whitespace().collect::<Vec<_>>().join(" "))
}
