//! Traces as JSON Lines: one event a line.

use super::event::Event;
use grognard_base::safe;

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
