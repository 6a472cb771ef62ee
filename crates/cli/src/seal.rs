//! Checksums (SHA-256) in files that this program writes and reads. They detect damage. They are not signatures: the checksum of
//! an edited file can be recomputed.

use super::files::sha256;

/// Prefix and suffix of the checksum of a line.
const LINE: (&str, &str) = ("{\"sum\":\"", "\",");
/// Number of hexadecimal digits of the checksum of a line.
const DIGITS: usize = 16;
/// Prefix of the checksum of a text, in its last line.
const TEXT: &str = "# sha256 of all lines above: ";

/// Returns the checksum of a line of the file with the header `of`.
fn sum(json: &str, of: &str) -> String {
    let mut sum = sha256(format!("{of}\n{json}").as_bytes());
    sum.truncate(DIGITS);
    sum
}

/// Returns a JSON object with members as a line with a checksum. All lines of a file have the same `of`.
pub fn line(json: &str, of: &str) -> String {
    let (before, behind) = LINE;
    format!("{before}{}{behind}{}\n", sum(json, of), json.strip_prefix('{').unwrap_or(json))
}

/// Returns the JSON object of a line without its end, or `None` if the checksum is wrong.
pub fn unsealed(line: &str, of: &str) -> Option<String> {
    let (before, behind) = LINE;
    let (found, members) = line.strip_prefix(before)?.split_at_checked(DIGITS)?;
    let json = format!("{{{}", members.strip_prefix(behind)?);
    (found == sum(&json, of)).then_some(json)
}

/// Returns a text of whole lines with its checksum in a comment at the end.
pub fn text(text: &str) -> String {
    format!("{text}{TEXT}{}\n", sha256(text.as_bytes()))
}

/// The state of a text with a checksum at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The text is unchanged.
    Whole,
    /// The end of the text is missing.
    Cut,
    /// The text was changed.
    Changed,
}

/// Checks the checksum of a text.
pub fn seal(whole: &str) -> Seal {
    let Some(lines) = whole.strip_suffix('\n') else { return Seal::Cut };
    let last = lines.rfind('\n').map_or(0, |at| at + 1);
    match lines[last..].strip_prefix(TEXT) {
        None => Seal::Cut,
        Some(sum) if sum == sha256(&whole.as_bytes()[..last]) => Seal::Whole,
        Some(_) => Seal::Changed,
    }
}
