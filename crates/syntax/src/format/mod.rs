//! The formatter: keeps the lines and comments of the author, and sets indentation, spaces, columns and blank lines.

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

/// Returns the text in canonical layout. Formatting is idempotent and preserves the tree.
///
/// # Errors
///
/// Returns the syntax errors if the file does not parse.
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
    // if the layout changed the meaning, which is a bug of the formatter, keep the original text
    if found.is_empty() && alike(&source.text, &after.text) { Ok(after.text) } else { Ok(source.text.clone()) }
}

/// Maximum number of layout rounds. In almost all texts, the second round changes nothing.
const ROUNDS: usize = 8;

/// Repeats the layout to a fixed point. The text determines which columns an author meant, and one round can align
/// operators that were not aligned before.
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
    // breaking a line changes the indentation, which can make another line too long
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

/// Returns whether two texts that parse differ only in layout: they have the same tokens and comments, and the grammar
/// parses them to the same forms.
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

/// Returns the start and end tokens of the grammar's forms, in the order of the text.
fn forms(text: &str) -> Vec<(bool, Rule)> {
    let form = |token| match token {
        Token::Start { rule, .. } => (true, rule),
        Token::End { rule, .. } => (false, rule),
    };
    pieces(text).into_iter().filter_map(|(_, pairs)| pairs).flat_map(|pairs| pairs.tokens().map(form)).collect()
}
