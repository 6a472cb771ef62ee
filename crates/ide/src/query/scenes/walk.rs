//! Walks a TOML text that can be incomplete: its keys with their paths, its quoted values, and the context of its end.
//!
//! The parser of scenarios needs valid TOML and merges headers. An editor needs every key where it is written, and the context of
//! a cursor in a line that is not finished.

/// A key with the path of the table that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The names of the keys above it.
    pub above: Vec<String>,
    /// The key.
    pub name: String,
    /// The start of the name, in bytes, without quotes.
    pub start: usize,
    /// The end of the name, in bytes.
    pub end: usize,
}

/// The context of the end of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Context {
    /// A key, or a part of a dotted key.
    Key {
        /// The names of the keys above it.
        above: Vec<String>,
        /// The start of the name.
        start: usize,
    },
    /// A part of a header.
    Header {
        /// The parts before it.
        above: Vec<String>,
        /// The start of the name.
        start: usize,
    },
    /// A value.
    Value {
        /// The path of its key.
        path: Vec<String>,
        /// The start of the content of a quoted text, or `None` outside of quotes.
        text: Option<usize>,
    },
    /// A comment, or a place after a header.
    Nothing,
}

/// The result of a walk.
#[derive(Debug)]
pub struct Walk {
    /// Every key, in source order.
    pub keys: Vec<KeyUse>,
    /// The context of the end of the text.
    pub end: Context,
}

#[derive(Default)]
struct Walker {
    keys: Vec<KeyUse>,
    header: Vec<String>,
    /// Open brackets, each with the path of its value.
    stack: Vec<(u8, Vec<String>)>,
    /// The parts of the current key.
    parts: Vec<(String, usize, usize)>,
    /// The path of the current value.
    value: Option<Vec<String>>,
}

impl Walker {
    fn base(&self) -> &[String] {
        self.stack.last().map_or(&self.header, |(_, path)| path)
    }

    /// Returns whether the next token is a part of a key.
    fn in_key(&self) -> bool {
        self.value.is_none() && self.stack.last().is_none_or(|(sign, _)| *sign == b'{')
    }

    /// Records the current key and returns its path.
    fn key(&mut self, base: Vec<String>) -> Vec<String> {
        let mut above = base;
        for (name, start, end) in std::mem::take(&mut self.parts) {
            self.keys.push(KeyUse { above: above.clone(), name: name.clone(), start, end });
            above.push(name);
        }
        above
    }
}

/// Walks a text from its start to its end.
pub fn walk(text: &str) -> Walk {
    let bytes = text.as_bytes();
    let mut w = Walker::default();
    let mut at = 0;
    let mut end = None;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'#' => match text[at..].find('\n') {
                Some(n) => at += n,
                None => {
                    end = Some(Context::Nothing);
                    break;
                }
            },
            b'\n' => {
                if w.stack.is_empty() {
                    w.parts.clear();
                    w.value = None;
                }
                at += 1;
            }
            b'"' | b'\'' => {
                let (start, content, next) = quoted(text, at);
                match content {
                    None if !w.in_key() => {
                        let path = w.value.clone().unwrap_or_else(|| w.base().to_vec());
                        end = Some(Context::Value { path, text: Some(start) });
                    }
                    None => end = Some(Context::Key { above: w.base().to_vec(), start }),
                    Some(content) if w.in_key() => {
                        w.parts.push((text[start..content].to_string(), start, content));
                    }
                    Some(_) => {}
                }
                at = next;
            }
            b'[' if w.stack.is_empty() && w.value.is_none() && w.parts.is_empty() => {
                let (next, open) = header(text, at, &mut w);
                end = open;
                at = next;
            }
            b'[' | b'{' => {
                let path = w.value.clone().unwrap_or_else(|| w.base().to_vec());
                w.stack.push((byte, path));
                w.value = None;
                w.parts.clear();
                at += 1;
            }
            b']' | b'}' => {
                w.value = w.stack.pop().map(|(_, path)| path);
                w.parts.clear();
                at += 1;
            }
            b',' => {
                w.value = None;
                w.parts.clear();
                at += 1;
            }
            b'=' if w.in_key() => {
                let base = w.base().to_vec();
                w.value = Some(w.key(base));
                at += 1;
            }
            _ if is_bare(byte) => {
                let stop = text[at..].find(|c: char| !c.is_ascii() || !is_bare(c as u8)).map_or(text.len(), |n| at + n);
                if w.in_key() {
                    w.parts.push((text[at..stop].to_string(), at, stop));
                }
                at = stop;
            }
            _ => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    let end = end.unwrap_or_else(|| rest(text, &w));
    Walk { keys: w.keys, end }
}

/// Returns the context of the end of a text that does not end in a comment, a quoted text or a header.
fn rest(text: &str, w: &Walker) -> Context {
    if !w.in_key() {
        let path = w.value.clone().unwrap_or_else(|| w.base().to_vec());
        return Context::Value { path, text: None };
    }
    // the last part is unfinished if the text ends with it
    let unfinished = w.parts.last().filter(|(.., end)| *end == text.len());
    let whole = w.parts.len() - usize::from(unfinished.is_some());
    let above = w.base().iter().cloned().chain(w.parts[..whole].iter().map(|(name, ..)| name.clone())).collect();
    Context::Key { above, start: unfinished.map_or(text.len(), |(_, start, _)| *start) }
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+')
}

/// Returns the start of the content of a quoted text, its end if it is closed, and the offset after the quotes.
fn quoted(text: &str, at: usize) -> (usize, Option<usize>, usize) {
    let sign = &text[at..=at];
    let long = text[at..].starts_with(&sign.repeat(3));
    let close = if long { sign.repeat(3) } else { sign.to_string() };
    let start = at + close.len();
    let mut from = start;
    while let Some(rest) = text.get(from..) {
        let Some(next) = rest.find([sign.chars().next().unwrap_or('"'), '\\', '\n']) else { break };
        let place = from + next;
        match text.as_bytes()[place] {
            b'\\' if sign == "\"" => {
                from = place + 1 + text[place + 1..].chars().next().map_or(0, char::len_utf8);
            }
            // a text without its end ends with its line
            b'\n' if !long => return (start, Some(place), place),
            b'\\' | b'\n' => from = place + 1,
            _ if text[place..].starts_with(&close) => return (start, Some(place), place + close.len()),
            _ => from = place + 1,
        }
    }
    (start, None, text.len())
}

/// Reads a header. Returns the offset after it, and the context if the text ends in it.
fn header(text: &str, at: usize, w: &mut Walker) -> (usize, Option<Context>) {
    let line = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let mut from = at + if text[at..].starts_with("[[") { 2 } else { 1 };
    let mut closed = false;
    w.parts.clear();
    while from < line {
        match text.as_bytes()[from] {
            b']' => {
                closed = true;
                break;
            }
            b'"' | b'\'' => {
                let (start, content, next) = quoted(text, from);
                let content = content.unwrap_or(text.len());
                w.parts.push((text[start..content].to_string(), start, content));
                from = next.min(line);
            }
            byte if is_bare(byte) => {
                let own = &text[from..line];
                let stop = own.find(|c: char| !c.is_ascii() || !is_bare(c as u8)).map_or(line, |n| from + n);
                w.parts.push((text[from..stop].to_string(), from, stop));
                from = stop;
            }
            _ => from += text[from..].chars().next().map_or(1, char::len_utf8),
        }
    }
    if !closed && line == text.len() {
        let unfinished = w.parts.last().filter(|(.., end)| *end == text.len());
        let whole = w.parts.len() - usize::from(unfinished.is_some());
        let start = unfinished.map_or(text.len(), |(_, start, _)| *start);
        let above = w.parts[..whole].iter().map(|(name, ..)| name.clone()).collect();
        return (line, Some(Context::Header { above, start }));
    }
    w.header = w.key(Vec::new());
    let open = (line == text.len()).then_some(Context::Nothing);
    (line, open)
}
