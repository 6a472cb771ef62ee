//! Traces as JSON Lines: one event per line.

use super::event::{Event, VERSION};
use grognard_base::safe;
use serde_json::Value as Json;

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

/// Reads the events of a trace. Empty lines and a byte order mark are skipped. Events can be missing, but those that are
/// left must be in order.
///
/// # Errors
///
/// Returns the number of the first line that is not an event, from 1, and the reason.
pub fn from_jsonl(text: &str) -> Result<Vec<Event>, (usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut events: Vec<Event> = Vec::new();
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let event = read(line).map_err(|why| (n + 1, why))?;
        if let Some(last) = events.last().filter(|last| last.seq >= event.seq) {
            return Err((
                n + 1,
                format!("its `seq` is {}, and that of the event before it is {}", event.seq, last.seq),
            ));
        }
        events.push(event);
    }
    Ok(events)
}

/// Reads one event.
///
/// # Errors
///
/// Returns the reason if the line is not an event of this version, or has a key that the event does not have.
fn read(line: &str) -> Result<Event, String> {
    // the line within a line says nothing
    let reason = |why: serde_json::Error| {
        let why = why.to_string();
        why.split_once(" at line ").map_or(why.clone(), |(why, _)| why.to_string())
    };
    let given: Json = serde_json::from_str(line).map_err(reason)?;
    let version = given.get("v").and_then(Json::as_u64).filter(|version| *version != u64::from(VERSION));
    if let Some(version) = version {
        return Err(format!("the version of its form is {version}, and this program reads version {VERSION}"));
    }
    let event: Event = serde_json::from_str(line).map_err(reason)?;
    let known = serde_json::to_value(&event).map_err(reason)?;
    unknown(&given, &known).map_or(Ok(event), |key| Err(format!("an event has no key `{key}` here")))
}

/// Returns the first key that reading drops. Keys with a default value are dropped too, and are not reported.
fn unknown<'g>(given: &'g Json, known: &Json) -> Option<&'g str> {
    let is_default = |value: &Json| match value {
        Json::Null | Json::Bool(false) => true,
        Json::Number(n) => n.as_u64() == Some(0),
        Json::String(text) => text.is_empty(),
        Json::Array(list) => list.is_empty(),
        Json::Object(_) | Json::Bool(true) => false,
    };
    match (given, known) {
        (Json::Object(given), Json::Object(known)) => given.iter().find_map(|(key, value)| match known.get(key) {
            Some(known) => unknown(value, known),
            None => (!is_default(value)).then_some(key.as_str()),
        }),
        (Json::Array(given), Json::Array(known)) => {
            given.iter().zip(known).find_map(|(one, known)| unknown(one, known))
        }
        _ => None,
    }
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
