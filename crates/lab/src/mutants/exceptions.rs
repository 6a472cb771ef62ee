//! Changes of items with exceptions under readings. A change of the item also changes the lines of the exceptions that name its
//! text, so that they still fit. The lines that an exception adds are changed like those of an item.

use super::Mutation;
use super::find::Finder;
use grognard_base::order;
use grognard_base::{Sources, Span};
use grognard_rules::exceptions;
use grognard_syntax::tokens;
use grognard_syntax::tree::{ChangeSort, File, ItemKind};

/// Adds what the exceptions in a file need to the changes of its items, and the changes of the exceptions.
pub(super) fn complete(file: &File, sources: &Sources, changes: &mut Vec<Mutation>) {
    let Some(found) = exceptions(file, sources) else { return };
    for change in changes.iter_mut() {
        let follow: Vec<(Span, String)> =
            change.edits.iter().flat_map(|edit| followed(edit, &found.named, sources)).collect();
        change.edits.extend(follow);
        order::sort_by_key(&mut change.edits, |(span, _)| *span);
        change.edits.dedup();
    }
    let mut added: Vec<Span> = Vec::new();
    for item in &file.items {
        if let ItemKind::Change(change) = &item.kind {
            let new = change.lines.iter().filter(|line| line.sort == ChangeSort::Comes);
            added.extend(new.map(|line| line.text.span));
        }
    }
    for item in &found.items {
        let Some(source) = found.sources.get(item.span.file) else { continue };
        for mut change in Finder::of(&source.text, item.span.file).all(item) {
            // an edit of a line that an exception adds, and of nothing else
            let own = |span: Span| {
                let at = found.sources.origin(span);
                let inside =
                    added.iter().any(|line| line.file == at.file && line.start <= at.start && at.end <= line.end);
                (inside && found.sources.slice(at) == found.sources.slice(span)).then_some(at)
            };
            let edits = change.edits.into_iter().map(|(span, new)| Some((own(span)?, new)));
            let Some(edits) = edits.collect::<Option<Vec<(Span, String)>>>() else { continue };
            let Some((first, _)) = edits.first() else { continue };
            let line = added.iter().find(|line| line.start <= first.start && first.end <= line.end);
            change.shown = own(change.shown).or(line.copied()).unwrap_or(*first);
            change.reached = change.reached.map(|name| found.sources.origin(name));
            changes.push(Mutation { edits, ..change });
        }
    }
}

/// Returns the edits of the lines of exceptions that name the text of an edit.
fn followed((span, new): &(Span, String), named: &[(Span, Span)], sources: &Sources) -> Vec<(Span, String)> {
    let follow = |(part, line): &(Span, Span)| {
        if part.file != span.file || !(part.start <= span.start && span.end <= part.end) {
            return None;
        }
        let at = |offset: u32| {
            let place = mapped(sources.slice(*part), sources.slice(*line), (offset - part.start) as usize)?;
            Some(line.start + place as u32)
        };
        Some((Span { start: at(span.start)?, end: at(span.end)?, ..*line }, new.clone()))
    };
    named.iter().filter_map(follow).collect()
}

/// Returns the place in a text that corresponds to a place in another text of the same tokens.
fn mapped(old: &str, line: &str, at: usize) -> Option<usize> {
    let pair = tokens(old).zip(tokens(line)).take_while(|((_, start, _), _)| *start <= at).last();
    let ((_, start, end), (_, new_start, new_end)) = pair?;
    Some(if at < end { new_start + (at - start) } else { new_end })
}
