//! Comments in the rules that excuse what a command finds there: `# mutants: skip because "reason"`, `# holes: skip because "reason"`.
//!
//! At the end of a line such a comment excuses that line, on a line of its own the next line, or the whole item that begins there.

use super::tree::File;
use grognard_base::Source;

/// Lines that are excused, from 1, ends included, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excuse {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
    /// Why.
    pub reason: String,
}

/// What such a comment says.
enum Comment {
    Skip(String),
    Unclear,
}

/// The comment for a command in a line.
fn comment(line: &str, command: &str) -> Option<(usize, Comment)> {
    let at = line.find('#')?;
    let mark = format!("# {command}:");
    let Some(at) = line[at..].find(&mark).map(|behind| at + behind) else {
        // nearly the same, which would excuse nothing in silence
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

/// Lines, from 1, whose comment for a command is not of the form that excuses anything.
pub fn unclear(source: &Source, command: &str) -> Vec<usize> {
    let lines = source.text.lines().enumerate();
    lines.filter(|(_, l)| matches!(comment(l, command), Some((_, Comment::Unclear)))).map(|(n, _)| n + 1).collect()
}

/// What a file excuses from a command.
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
