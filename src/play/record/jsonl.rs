//! Traces as JSON Lines: one event a line.

use super::event::Event;
use crate::base::safe;

/// One object a line, each line ended.
pub fn to_jsonl(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        // an event holds texts, flags and whole numbers only, which JSON can always say
        if let Ok(line) = serde_json::to_string(event) {
            out.push_str(&safe::json(&line));
            out.push('\n');
        }
    }
    out
}

/// Bytes that an event takes in JSON Lines.
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
    // nothing is written, so nothing can fail
    let _ = serde_json::to_writer(&mut count, event);
    count.0
}

/// The events of a trace; the message names the line that cannot be read.
pub fn from_jsonl(text: &str) -> Result<Vec<Event>, String> {
    let mut events = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let event: Event = serde_json::from_str(line).map_err(|e| format!("line {}: {e}", n + 1))?;
        if event.v != 1 {
            return Err(format!("line {}: this trace is of version {}; only version 1 can be read", n + 1, event.v));
        }
        events.push(event);
    }
    Ok(events)
}
