//! Reads comments in rules that excuse the findings of a command: `# mutants: skip because "reason"`, `# holes: skip
//! because "reason"`.
//!
//! A comment at the end of a line excuses that line. A comment on its own line excuses the next line, or the whole item
//! that begins there.

use super::tree::File;
use grognard_base::Source;

/// A range of excused lines with the reason. Line numbers begin at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// The first line.
    pub first: usize,
    /// The last line, inclusive.
    pub last: usize,
    pub reason: String,
}

/// The content of such a comment.
enum Comment {
    Skip(String),
    Unclear,
}

/// Finds the comment for a command in a line. Returns its byte offset and its content.
fn comment(line: &str, command: &str) -> Option<(usize, Comment)> {
    let at = line.find('#')?;
    let mark = format!("# {command}:");
    let Some(at) = line[at..].find(&mark).map(|behind| at + behind) else {
        // report a near miss, because it would excuse nothing without a warning
        let meant = line[at..].to_lowercase();
        let one = format!("{}:", command.trim_end_matches('s'));
        let near = meant.contains("skip because") && (meant.contains(command) || meant.contains(&one));
        return near.then_some((at, Comment::Unclear));
    };
    let says = line[at + mark.len()..].trim();
    let reason = says.strip_prefix("skip because").map(str::trim).and_then(|r| r.strip_prefix('"')?.strip_suffix('"'));
    let says = match reason {
        Some(reason) if !reason.trim().is_empty() => Comment::Skip(reason.to_string()),
        _ => Comment::Unclear,
    };
    Some((at, says))
}

/// Returns the lines, counted from 1, with a comment for a command that is malformed.
pub fn unclear(source: &Source, command: &str) -> Vec<usize> {
    let lines = source.text.lines().enumerate();
    lines.filter(|(_, l)| matches!(comment(l, command), Some((_, Comment::Unclear)))).map(|(n, _)| n + 1).collect()
}

/// Returns the lines of a file that are excused from a command.
pub fn excuses(file: &File, source: &Source, command: &str) -> Vec<Excuse> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut found = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let Some((at, Comment::Skip(reason))) = comment(line, command) else { continue };
        let (mut first, mut last) = (n + 1, n + 1);
        if line[..at].trim().is_empty() {
            let skipped = |l: &&&str| l.trim().is_empty() || l.trim().starts_with('#') || l.trim().starts_with("cite ");
            first = n + 2 + lines[n + 1..].iter().take_while(skipped).count();
            let begins = |at: u32| source.place(at).line == first;
            let item = file.items.iter().find(|item| begins(item.span.start));
            last = item.map_or(first, |item| source.place(item.span.end).line);
        }
        found.push(Excuse { first, last, reason });
    }
    found
}
