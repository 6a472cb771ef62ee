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
