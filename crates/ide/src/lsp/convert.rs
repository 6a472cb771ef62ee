//! Converts between the protocol and the query layer: URIs and paths, UTF-16 positions and byte offsets.

use super::protocol::{DocumentUri, LspRange, Position};
use std::path::{Path, PathBuf};

/// A text with the byte offsets of its lines.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text. As in the protocol, `\n`, `\r\n` and `\r` end a line.
    pub fn of(text: &'t str) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = |n: &usize| bytes[*n] == b'\n' || bytes[*n] == b'\r' && bytes.get(n + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|n| n + 1)).collect();
        Lines { text, starts }
    }

    /// Returns the position of a byte offset. An offset past the end is clamped to the end.
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let head = self.text.get(self.starts[line]..byte).unwrap_or("");
        Position { line: number(line), character: number(head.encode_utf16().count()) }
    }

    /// Returns the byte offset of a position. A position past the end of its line or of the text is clamped.
    pub fn byte(&self, at: Position) -> usize {
        let Some(start) = self.starts.get(at.line as usize).copied() else { return self.text.len() };
        let end = self.starts.get(at.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        let mut left = at.character as usize;
        let mut byte = start;
        for c in line.chars() {
            // A position inside a character is rounded down to its start.
            if left < c.len_utf16() {
                break;
            }
            left -= c.len_utf16();
            byte += c.len_utf8();
        }
        byte
    }

    /// Returns the range of a byte range.
    pub fn range(&self, start: usize, end: usize) -> LspRange {
        LspRange { start: self.position(start), end: self.position(end) }
    }

    /// Returns the byte range of a range, with its ends in ascending order.
    pub fn bytes(&self, range: LspRange) -> (usize, usize) {
        let (a, b) = (self.byte(range.start), self.byte(range.end));
        (a.min(b), a.max(b))
    }
}

/// Converts a number to the integer type of the protocol. Saturates at the maximum.
pub fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Returns the path of a `file:` URI, or `None` for other URIs and for invalid escapes.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let (_, path) = rest.split_at(rest.find('/')?);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte == b'%' {
            let mut digit = || char::from(left.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/c:/rules` names a drive.
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

/// Returns the `file:` URI of a path, or `None` if the path is not UTF-8.
pub fn uri_of(path: &Path) -> Option<DocumentUri> {
    let path = path.to_str()?.replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            other => uri += &format!("%{other:02X}"),
        }
    }
    Some(uri)
}
