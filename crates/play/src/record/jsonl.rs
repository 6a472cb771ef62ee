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
