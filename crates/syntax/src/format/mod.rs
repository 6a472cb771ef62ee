//! The formatter: keeps the lines and comments of the writer, and sets indentation, blanks, columns and blank lines.

mod align;
mod layout;
mod lines;
mod marks;
mod spacing;

pub(super) use lines::Line;
pub(super) use marks::{Marks, read as marks};

use super::grammar::{Rule, pieces};
use super::parse::{no_stack, parse, with_stack};
use super::scan::{Scan, TokenKind};
use grognard_base::{Diagnostic, FileId, Source};
use pest::Token;

/// The text in canonical layout. Formatting twice changes nothing, and the tree stays the same; a file that does not
/// parse is not touched.
pub fn format(file: FileId, source: &Source) -> Result<String, Vec<Diagnostic>> {
    with_stack(|| laid_out(file, source), || Err(vec![no_stack()]))
}

fn laid_out(file: FileId, source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (_, found) = parse(file, source);
    if !found.is_empty() {
        return Err(found);
    }
    let after = Source::new(source.name.clone(), settled(&source.text));
    let (_, found) = parse(file, &after);
    // A layout that changed the meaning would be our fault; the writer's text is then left alone.
    if found.is_empty() && alike(&source.text, &after.text) { Ok(after.text) } else { Ok(source.text.clone()) }
}

/// Rounds of layout, at most; the second changes nothing in almost all texts.
const ROUNDS: usize = 8;

/// The fixed point of the layout. Which columns a writer meant is read from the text, and one round may bring signs into
/// one column that were not.
fn settled(text: &str) -> String {
    let mut before = text.to_string();
    for _ in 0..ROUNDS {
        let after = lay_out(&before);
        if after == before {
            break;
        }
        before = after;
    }
    before
}

fn lay_out(text: &str) -> String {
    let marks = marks::read(text);
    let mut lines = lines::read(text, &marks);
    // Breaking a line changes indentation, which may make another line too long.
    for _ in 0..4 {
        layout::indent(text, &marks, &mut lines);
        let before = lines.len();
        lines = lines::break_long(text, &marks, lines);
        if lines.len() == before {
            break;
        }
    }
    align::write(text, &marks, &lines)
}

/// Two texts that parse say the same but for their layout: the same tokens, comments included, which the grammar takes
/// for the same things.
pub fn same(a: &str, b: &str) -> bool {
    with_stack(|| alike(a, b), || false)
}

fn alike(a: &str, b: &str) -> bool {
    words(a).eq(words(b)) && forms(a) == forms(b)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let tokens = Scan::new(text, 0, text.len()).filter(|t| t.kind != TokenKind::Newline);
    tokens.map(|t| t.text(text).trim_end()).filter(|word| *word != ";")
}

/// Where the forms of the grammar begin and end, in the order of the text.
fn forms(text: &str) -> Vec<(bool, Rule)> {
    let form = |token| match token {
        Token::Start { rule, .. } => (true, rule),
        Token::End { rule, .. } => (false, rule),
    };
    pieces(text).into_iter().filter_map(|(_, pairs)| pairs).flat_map(|pairs| pairs.tokens().map(form)).collect()
}
