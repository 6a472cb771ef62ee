//! Contextual output encoding: makes a text from rules, scenarios or file names safe for its destination. Only this
//! module decides which characters can reach a terminal, a table, a page or a line of JSON.

use std::borrow::Cow;
use std::fmt::Write;
use toml::{Table, Value};

/// Returns whether a character must not reach a terminal: control characters (C0, DEL, C1), line and paragraph
/// separators, bidirectional controls, zero-width characters, and tags.
pub fn is_unsafe(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether a text has no unsafe characters other than `but`. Most texts are pure ASCII, which is checked first.
fn is_safe(text: &str, but: &[u8]) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~') || but.contains(&b))
        || text.chars().all(|c| !is_unsafe(c) || u8::try_from(c).is_ok_and(|b| but.contains(&b)))
}

/// Maximum number of characters of a quoted text in a message.
const LONGEST_QUOTE: usize = 200;

/// Shortens each text between backquotes in the middle if it is long: a path or a name of the user has no maximum length.
pub fn short_quotes(message: String) -> String {
    if message.len() <= LONGEST_QUOTE {
        return message;
    }
    let short = |(n, part): (usize, &str)| {
        let count = part.chars().count();
        if n % 2 == 0 || count <= LONGEST_QUOTE {
            return part.to_string();
        }
        let half = LONGEST_QUOTE / 2 - 2;
        let (head, tail) = (part.chars().take(half), part.chars().skip(count - half));
        head.chain(" .. ".chars()).chain(tail).collect()
    };
    message.split('`').enumerate().map(short).collect::<Vec<_>>().join("`")
}

fn visible(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_unsafe(c) => '\u{fffd}',
        _ => c,
    }
}

/// Makes a text safe for one line on a terminal. Unsafe characters become visible symbols, and tabs and newlines become
/// spaces. Each character maps to exactly one, so columns do not change.
pub fn clean(text: &str) -> String {
    if is_safe(text, b"") {
        return text.to_string();
    }
    text.chars().map(|c| if matches!(c, '\t' | '\n') { ' ' } else { visible(c) }).collect()
}

/// Same as [`clean`], but keeps tabs, for a line of source.
pub fn clean_source(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { c } else { visible(c) }).collect()
}

/// Same as [`clean`], for a whole output: keeps newlines and tabs and, if `colour` is set, color sequences (`ESC [ 1;31
/// m`). Idempotent.
pub fn clean_output(text: &str, colour: bool) -> Cow<'_, str> {
    if is_safe(text, b"\n\t") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let kept = matches!(c, '\n' | '\t') || (colour && c == '\u{1b}' && changes_colour(&text[at + 1..]));
        out.push(if kept { c } else { visible(c) });
    }
    Cow::Owned(out)
}

/// Returns whether the text after an ESC is a color sequence.
fn changes_colour(after: &str) -> bool {
    let Some(rest) = after.strip_prefix('[') else { return false };
    rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')
}

/// Makes a text safe for a CSV field (RFC 4180): clean, quoted if necessary, and never a formula. A text that begins
/// with `=`, `+`, `-` or `@` and is not a number is prefixed with an apostrophe, as spreadsheets do.
pub fn csv_field(text: &str) -> String {
    let mut field = clean(text);
    if field.starts_with(['=', '+', '-', '@']) && !is_number(&field) {
        field.insert(0, '\'');
    }
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// Returns whether a text is a number: `-3`, `+0.5`, `-1/2`, `-3"`, `-1e-9`.
fn is_number(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '%', '°']);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('/') {
        Some((top, below)) => digits(top.trim_start_matches(['-', '+'])) && digits(below),
        None => text.parse::<f64>().is_ok(),
    }
}

/// Escapes a text for the content or a quoted attribute of HTML and SVG, without control characters.
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // noncharacters are not allowed in a document
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Makes serialized JSON safe. Unsafe characters can occur only inside strings, where an escape is equivalent.
pub fn json(text: &str) -> Cow<'_, str> {
    if is_safe(text, b"\n") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_unsafe(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

/// Serializes a table as TOML. Every text is a basic string with unsafe characters escaped.
pub fn toml(table: &Table) -> String {
    let mut out = String::new();
    toml_members(table, "", &mut out);
    out
}

/// Writes the members of the table at `path`: first its values, then its tables.
fn toml_members(table: &Table, path: &str, out: &mut String) {
    let tables = |value: &Value| match value {
        Value::Table(table) => vec![table.clone()],
        Value::Array(entries) => entries.iter().filter_map(Value::as_table).cloned().collect(),
        _ => Vec::new(),
    };
    let bare = |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let named = |key: &str| if bare(key) { key.to_string() } else { toml_text(key) };
    for (key, value) in table.iter().filter(|(_, value)| tables(value).is_empty()) {
        let _ = writeln!(out, "{} = {}", named(key), toml_value(value));
    }
    for (key, value) in table {
        let path = if path.is_empty() { named(key) } else { format!("{path}.{}", named(key)) };
        for inner in tables(value) {
            let _ = if value.is_table() { writeln!(out, "\n[{path}]") } else { writeln!(out, "\n[[{path}]]") };
            toml_members(&inner, &path, out);
        }
    }
}

fn toml_value(value: &Value) -> String {
    match value {
        Value::String(text) => toml_text(text),
        Value::Array(entries) => format!("[{}]", entries.iter().map(toml_value).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn toml_text(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_unsafe(c) => drop(write!(out, "\\U{:08x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}
