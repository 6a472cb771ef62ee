//! The formatter: keeps the lines and comments of the writer, and sets indentation, blanks, columns and blank lines.

mod align;
mod layout;
mod lines;
mod marks;
mod spacing;

use super::parse::{no_stack, parse, with_stack};
use super::shape::same_here;
use crate::base::{Diagnostic, FileId, Source};

/// The text in canonical layout. Formatting twice changes nothing, and the tree stays the same; a file that does not
/// parse is not touched.
pub fn format(file: FileId, source: &Source) -> Result<String, Vec<Diagnostic>> {
    with_stack(|| laid_out(file, source), || Err(vec![no_stack()]))
}

fn laid_out(file: FileId, source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (tree, found) = parse(file, source);
    if !found.is_empty() {
        return Err(found);
    }
    let after = Source::new(source.name.clone(), settled(&source.text));
    let (again, found) = parse(file, &after);
    // A layout that changed the meaning would be our fault; the writer's text is then left alone.
    if found.is_empty() && same_here(&tree, &again) { Ok(after.text) } else { Ok(source.text.clone()) }
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
