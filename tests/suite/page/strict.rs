//! A reader of pages that takes nothing but what our writer may write: every element is closed, every attribute quoted,
//! every sign of markup in a text escaped. A browser reads such a text in one way only.

/// What a page is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An element begins: its name, its attributes, and whether it holds anything.
    Begin(String, Vec<(String, String)>, bool),
    /// An element ends.
    End(String),
    /// A text, as it was before it was escaped.
    Text(String),
}

/// Reads a page; says what is wrong and where.
pub fn read(page: &str) -> Result<Vec<Part>, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").ok_or("no doctype")?;
    let mut parts = Vec::new();
    let mut open: Vec<String> = Vec::new();
    while !rest.is_empty() {
        let fault = |what: &str| format!("{what}: {}", rest.chars().take(80).collect::<String>());
        if let Some(after) = rest.strip_prefix("</") {
            let (name, after) = after.split_once('>').ok_or_else(|| fault("no end"))?;
            if open.pop().as_deref() != Some(name) {
                return Err(fault("another element ends"));
            }
            parts.push(Part::End(name.into()));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('<') {
            let (name, mut after) = word(after).ok_or_else(|| fault("no name"))?;
            let mut attributes = Vec::new();
            while let Some(next) = after.strip_prefix(' ') {
                let (key, next) = word(next).ok_or_else(|| fault("no attribute"))?;
                let (value, next) =
                    next.strip_prefix("=\"").and_then(|v| v.split_once('"')).ok_or_else(|| fault("no value"))?;
                attributes.push((key.to_string(), plain(value).ok_or_else(|| fault("an open value"))?));
                after = next;
            }
            let holds = !after.starts_with("/>");
            after = after.strip_prefix("/>").or(after.strip_prefix('>')).ok_or_else(|| fault("an open element"))?;
            parts.push(Part::Begin(name.into(), attributes, holds));
            if name == "style" {
                // no text of ours ends a sheet
                let (sheet, next) = after.split_once("</style>").ok_or_else(|| fault("an open sheet"))?;
                parts.extend([Part::Text(sheet.into()), Part::End("style".into())]);
                after = next;
            } else if holds {
                open.push(name.into());
            }
            rest = after;
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            parts.push(Part::Text(plain(&rest[..end]).ok_or_else(|| fault("an open text"))?));
            rest = &rest[end..];
        }
    }
    if open.is_empty() { Ok(parts) } else { Err(format!("not ended: {open:?}")) }
}

fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A text with what was escaped put back; none if a sign of markup was not escaped.
fn plain(text: &str) -> Option<String> {
    const ESCAPES: [(&str, char); 5] = [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("#39;", '\'')];
    let mut parts = text.split('&');
    let mut out = parts.next()?.to_string();
    let bare = |part: &str| part.contains(['<', '>', '"', '\'']);
    if bare(&out) {
        return None;
    }
    for part in parts {
        let (name, sign) = ESCAPES.into_iter().find(|(name, _)| part.starts_with(name))?;
        let after = &part[name.len()..];
        if bare(after) {
            return None;
        }
        out.push(sign);
        out.push_str(after);
    }
    Some(out)
}
