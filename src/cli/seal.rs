//! Checksums (SHA-256) in files that this program writes and reads again: damage is found, whatever bit it is in. They are no
//! signatures: whoever changes a file on purpose can make its checksum anew.

use super::files::sha256;

/// What stands in front of the checksum of a line, and behind it.
const LINE: (&str, &str) = ("{\"sum\":\"", "\",");
/// Hexadecimal digits of the checksum of a line.
const DIGITS: usize = 16;
/// What stands in front of the checksum of a text, in its last line.
const TEXT: &str = "# sha256 of all lines above: ";

/// The checksum of a line that belongs to what `of` tells.
fn sum(json: &str, of: &str) -> String {
    let mut sum = sha256(format!("{of}\n{json}").as_bytes());
    sum.truncate(DIGITS);
    sum
}

/// A JSON object with members, as a line with a checksum. Lines that belong together have the same `of`.
pub fn line(json: &str, of: &str) -> String {
    let (before, behind) = LINE;
    format!("{before}{}{behind}{}\n", sum(json, of), json.strip_prefix('{').unwrap_or(json))
}

/// The JSON object of a line without its end; none if it is not as it was written.
pub fn unsealed(line: &str, of: &str) -> Option<String> {
    let (before, behind) = LINE;
    let (found, members) = line.strip_prefix(before)?.split_at_checked(DIGITS)?;
    let json = format!("{{{}", members.strip_prefix(behind)?);
    (found == sum(&json, of)).then_some(json)
}

/// A text of whole lines with its checksum in a comment at the end.
pub fn text(text: &str) -> String {
    format!("{text}{TEXT}{}\n", sha256(text.as_bytes()))
}

/// How a text stands that once had a checksum at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// It is as it was written.
    Whole,
    /// Its end is missing.
    Cut,
    /// Something in it is not as it was written.
    Changed,
}

/// Looks at the checksum of a text.
pub fn seal(whole: &str) -> Seal {
    let Some(lines) = whole.strip_suffix('\n') else { return Seal::Cut };
    let last = lines.rfind('\n').map_or(0, |at| at + 1);
    match lines[last..].strip_prefix(TEXT) {
        None => Seal::Cut,
        Some(sum) if sum == sha256(&whole.as_bytes()[..last]) => Seal::Whole,
        Some(_) => Seal::Changed,
    }
}
