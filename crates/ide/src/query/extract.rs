//! The code action that makes a param of a number.

use super::{Edit, Place, Workspace};
use grognard_syntax::scan;
use grognard_syntax::tree::ItemKind;

/// A change that no diagnostic asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refactoring {
    /// The title, for menus.
    pub title: String,
    /// The edits to apply.
    pub edits: Vec<Edit>,
}

impl Workspace {
    /// Returns the change that makes a param of the number at a byte offset. Returns `None` if there is no number, if the file
    /// has errors, or if the result would have one.
    pub fn param_of_number(&self, path: &str, offset: usize) -> Option<Refactoring> {
        let text = self.text(path)?;
        let token = scan(&text).find(|token| token.start <= offset && offset < token.end)?;
        if !token.text(&text).starts_with(|c: char| c.is_ascii_digit()) || self.errors(path) > 0 {
            return None;
        }
        let end = token.end + usize::from(text[token.end..].starts_with('"'));
        let number = text.get(token.start..end)?;
        let (after, owner) = {
            let id = self.id(path)?;
            let texts = self.texts.borrow();
            let file = texts.known.file(id)?;
            let holds = |item: &&std::sync::Arc<grognard_syntax::tree::Item>| {
                item.span.start as usize <= token.start && end <= item.span.end as usize
            };
            let owner = file.items.iter().find(holds)?;
            if matches!(owner.kind, ItemKind::Param(_) | ItemKind::Reading(_)) {
                return None;
            }
            let mut params = file.items.iter().filter(|item| matches!(item.kind, ItemKind::Param(_)));
            let after = params.next_back().map(|item| item.span.end);
            let after = after.or_else(|| file.header.as_ref().map(|header| header.span.end))?;
            (after as usize, text.get(owner.span.start as usize..owner.span.end as usize)?.to_string())
        };
        let line = text[after..].find('\n').map_or(text.len(), |n| after + n);
        let name = unused(&text, &owner);
        let gap = if text[..after].contains("\nparam ") { "\n" } else { "\n\n" };
        let place = |start, end| Place { file: path.to_string(), start, end };
        let edits = vec![
            Edit { place: place(line, line), text: format!("{gap}param {name} = {number}") },
            Edit { place: place(token.start, end), text: name.clone() },
        ];
        let mut new = text.clone();
        let mut backward: Vec<&Edit> = edits.iter().collect();
        grognard_base::order::sort_by_key(&mut backward, |edit| std::cmp::Reverse(edit.place.start));
        for edit in backward {
            new.replace_range(edit.place.start..edit.place.end, &edit.text);
        }
        let sound = self.supposing(path, &new).errors(path) == 0;
        sound.then(|| Refactoring { title: format!("make a param of `{number}`"), edits })
    }

    fn errors(&self, path: &str) -> usize {
        self.problems(path, []).iter().filter(|problem| problem.found.is_error()).count()
    }
}

/// Returns a name that the text does not use, from the name of the item with the number.
fn unused(text: &str, owner: &str) -> String {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_string).collect()
    };
    let head = words(owner.split(['(', '{', '=', '"']).next().unwrap_or_default());
    let mut base = String::new();
    for c in head.iter().rfind(|word| !word.is_empty()).map_or("", String::as_str).chars() {
        if c.is_ascii_uppercase() && !base.is_empty() {
            base.push('_');
        }
        base.push(c.to_ascii_lowercase());
    }
    let taken = words(text);
    let names = (1..).map(|n| if n == 1 { format!("{base}_number") } else { format!("{base}_number_{n}") });
    names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default()
}
