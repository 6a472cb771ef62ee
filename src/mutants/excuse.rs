//! Comments in the rules that excuse changes: `# mutants: skip because "reason"`.
//!
//! At the end of a line it excuses the changes of that line, on a line of its own those of the next line, or of the whole
//! item that begins there.

use super::Change;
use crate::base::Source;
use crate::syntax::tree::File;

/// What such a comment begins with.
const MARK: &str = "# mutants:";

/// What a comment says.
enum Comment {
    Skip(String),
    Unclear,
}

fn comment(line: &str) -> Option<(usize, Comment)> {
    let at = line.find('#')?;
    let Some(at) = line[at..].find(MARK).map(|behind| at + behind) else {
        // nearly the same, which would excuse nothing in silence
        let meant = line[at..].to_lowercase();
        let near = meant.contains("skip because") && (meant.contains("mutants") || meant.contains("mutant:"));
        return near.then_some((at, Comment::Unclear));
    };
    let says = line[at + MARK.len()..].trim();
    let reason = says.strip_prefix("skip because").map(str::trim).and_then(|r| r.strip_prefix('"')?.strip_suffix('"'));
    let says = match reason {
        Some(reason) if !reason.trim().is_empty() => Comment::Skip(reason.to_string()),
        _ => Comment::Unclear,
    };
    Some((at, says))
}

/// Lines, from 1, whose comment is not of the form that excuses changes.
pub fn unclear(source: &Source) -> Vec<usize> {
    let lines = source.text.lines().enumerate();
    lines.filter(|(_, l)| matches!(comment(l), Some((_, Comment::Unclear)))).map(|(n, _)| n + 1).collect()
}

/// Marks what is excused.
pub(super) fn mark(file: &File, source: &Source, changes: &mut [Change]) {
    let lines: Vec<&str> = source.text.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        let Some((at, Comment::Skip(reason))) = comment(line) else { continue };
        let (mut first, mut last) = (n + 1, n + 1);
        if line[..at].trim().is_empty() {
            let skipped = |l: &&&str| l.trim().is_empty() || l.trim().starts_with('#') || l.trim().starts_with("cite ");
            first = n + 2 + lines[n + 1..].iter().take_while(skipped).count();
            let begins = |at: u32| source.place(at).line == first;
            let item = file.items.iter().find(|item| begins(item.span.start));
            last = item.map_or(first, |item| source.place(item.span.end).line);
        }
        for change in changes.iter_mut() {
            if (first..=last).contains(&change.line(source)) {
                change.excuse = Some(reason.clone());
            }
        }
    }
}
