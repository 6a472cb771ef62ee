//! Two versions of a book, item by item: what is new, what is gone, and what says something else.
//!
//! Items are compared as they stand after merging, by what they say: layout, comments and order mean nothing.

pub(crate) mod parts;

use grognard_base::Sources;
use grognard_rules::head::{self, Head};
use grognard_syntax::Plain;
use grognard_syntax::tree::{Item, ItemKind};
use imara_diff::{Algorithm, Diff, InternedInput};
use parts::{ItemBody, parts};
use std::sync::Arc;

/// An item that differs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ItemChange {
    /// The word the item begins with: `rule`, `table`.
    pub word: &'static str,
    /// Its name, with the kind for fields.
    pub name: String,
    /// Its title in the new version, else in the old one; maybe empty.
    pub title: String,
    /// What became of it.
    pub what: ChangeSort,
    /// What differs, for an item that both have.
    pub parts: Vec<Part>,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ChangeSort {
    Added,
    Removed,
    Changed,
}

/// One thing an item says, in the old version and in the new one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Part {
    /// What it is: `value`, `title`, `[Soft, d8]`, `line`.
    pub what: String,
    /// Before, if it was there.
    pub old: Option<String>,
    /// Now, if it is there.
    pub new: Option<String>,
}

/// An item under the name by which it is found again.
pub(super) struct Named<'a> {
    /// The word it begins with.
    pub word: &'static str,
    /// Its name, with the kind for fields.
    pub name: String,
    title: String,
    /// The item.
    pub item: &'a Item,
    /// Lines that other items add: `extend kind`, `override reading`.
    pub more: Vec<&'a Item>,
}

/// What changed between two merged rulesets: first what both have, in the order of the old one, then what is gone and
/// what is new. The sources are those of both.
pub fn diff(old: &[Arc<Item>], new: &[Arc<Item>], sources: &Sources) -> Vec<ItemChange> {
    let plain = Plain::new(sources);
    let (old, new) = (named(old), named(new));
    let other = |all: &[Named<'_>], one: &Named<'_>| all.iter().position(|n| n.word == one.word && n.name == one.name);
    let mut found = Vec::new();
    for was in &old {
        let Some(is) = other(&new, was).map(|n| &new[n]) else { continue };
        let parts = compare(was, is, &plain);
        if !parts.is_empty() {
            found.push(change(is, ChangeSort::Changed, parts));
        }
    }
    found.extend(old.iter().filter(|o| other(&new, o).is_none()).map(|o| change(o, ChangeSort::Removed, Vec::new())));
    found.extend(new.iter().filter(|n| other(&old, n).is_none()).map(|n| change(n, ChangeSort::Added, Vec::new())));
    found
}

fn change(of: &Named<'_>, what: ChangeSort, parts: Vec<Part>) -> ItemChange {
    ItemChange { word: of.word, name: of.name.clone(), title: of.title.clone(), what, parts }
}

/// The items of a book under their names.
pub(super) fn named(items: &[Arc<Item>]) -> Vec<Named<'_>> {
    let mut all: Vec<Named<'_>> = Vec::new();
    for item in items {
        let adds_to = match &item.kind {
            ItemKind::ExtendKind { name, .. } => Some(("kind", &name.text)),
            ItemKind::SetReading { name, .. } => Some(("reading", &name.text)),
            _ => None,
        };
        if let Some((word, name)) = adds_to {
            all.iter_mut().filter(|n| n.word == word && n.name == *name).for_each(|n| n.more.push(item));
            continue;
        }
        let name = match (&item.kind, Head::of(&item.kind)) {
            (ItemKind::Example(example), _) => example.title.text.clone(),
            (_, Some(head)) => head.full_name(),
            _ => continue,
        };
        let title = if matches!(item.kind, ItemKind::Example(_)) { None } else { head::title(&item.kind) };
        all.push(Named {
            word: head::word(&item.kind),
            name,
            title: title.map_or(String::new(), |t| t.text.clone()),
            item,
            more: Vec::new(),
        });
    }
    all
}

fn compare(old: &Named<'_>, new: &Named<'_>, plain: &Plain<'_>) -> Vec<Part> {
    let (was, is) = (parts(old.item, &old.more, plain), parts(new.item, &new.more, plain));
    let mut found = Vec::new();
    let at = |all: &[(String, String)], what: &str| all.iter().find(|(w, _)| w == what).map(|(_, text)| text.clone());
    for (what, text) in &was.facts {
        let now = at(&is.facts, what);
        if now.as_ref() != Some(text) {
            found.push(Part { what: what.clone(), old: Some(text.clone()), new: now });
        }
    }
    for (what, text) in &is.facts {
        if at(&was.facts, what).is_none() {
            found.push(Part { what: what.clone(), old: None, new: Some(text.clone()) });
        }
    }
    found.extend(lines(&was, &is));
    found
}

/// Lines of a body that differ; a line that took the place of another stands beside it.
fn lines(old: &ItemBody, new: &ItemBody) -> Vec<Part> {
    let mut found = Vec::new();
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.lines.iter().map(String::as_str));
    input.update_after(new.lines.iter().map(String::as_str));
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        let at = |lines: std::ops::Range<u32>| lines.start as usize..lines.end as usize;
        let (was, is) = (&old.lines[at(hunk.before)], &new.lines[at(hunk.after)]);
        for n in 0..was.len().max(is.len()) {
            found.push(Part { what: "line".into(), old: was.get(n).cloned(), new: is.get(n).cloned() });
        }
    }
    found
}
