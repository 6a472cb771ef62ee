//! Texts of other people made safe to print: nothing in them can move the cursor or turn the writing round.

/// The text with every control character and every mark that changes the direction of writing shown as a sign.
/// Tabs become blanks. Each character gives exactly one, so columns stay what they were.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\t' | '\n') { ' ' } else { visible(c) }).collect()
}

/// The same for a line of source, where tabs stay.
pub(super) fn clean_line(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { c } else { visible(c) }).collect()
}

/// True for what must not reach a terminal.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn visible(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_unsafe(c) => '\u{fffd}',
        _ => c,
    }
}
