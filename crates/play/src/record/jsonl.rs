//! Traces as JSON Lines: one event per line.

use super::event::Event;
use grognard_base::safe;

/// Writes one JSON object per line, with a newline after each.
pub fn to_jsonl(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        // an event holds only texts, flags and whole numbers, which JSON can always represent
        if let Ok(line) = serde_json::to_string(event) {
            out.push_str(&safe::json(&line));
            out.push('\n');
        }
    }
    out
}

/// Reads the events of a trace. Empty lines are skipped.
///
/// # Errors
///
/// Returns the number of the first line that is not an event, from 1, and the reason.
pub fn from_jsonl(text: &str) -> Result<Vec<Event>, (usize, String)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(n, line)| serde_json::from_str(line).map_err(|why| (n + 1, why.to_string()))).collect()
}

/// Returns the size of an event in JSON Lines, in bytes.
pub(super) fn size(event: &Event) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(1);
    // nothing is written, so this cannot fail
    let _ = serde_json::to_writer(&mut count, event);
    count.0
}
