//! Compares two versions of a book item by item: added, removed and changed items.
//!
//! Items are compared after merging, by content. Layout, comments and order do not matter.

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
    /// The keyword of the item: `rule`, `table`.
    pub word: &'static str,
    /// The name; a field includes its kind.
    pub name: String,
    /// The title in the new version, otherwise in the old one; can be empty.
    pub title: String,
    /// The kind of change.
    pub what: ChangeSort,
    /// The differences, for an item that both versions have.
    pub parts: Vec<Part>,
}

/// The kind of change of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ChangeSort {
    Added,
    Removed,
    Changed,
}

/// One fact of an item, in the old version and in the new one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Part {
    /// The name of the fact: `value`, `title`, `[Soft, d8]`, `line`.
    pub what: String,
    /// The old text, if the fact existed.
    pub old: Option<String>,
    /// The new text, if the fact exists.
    pub new: Option<String>,
}

/// An item with the name that identifies it in both versions.
pub(super) struct Named<'a> {
    /// The keyword of the item.
    pub word: &'static str,
    /// The name; a field includes its kind.
    pub name: String,
    title: String,
    pub item: &'a Item,
    /// Items that add to it: `extend kind`, `override reading`.
    pub more: Vec<&'a Item>,
}

/// Returns the changes between two merged rulesets: changed items in the order of the old version, then removed items,
/// then added ones. `sources` must contain both versions.
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

/// Returns the items of a book with their identifying names.
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

/// Returns the lines of a body that differ. A line that replaces another is paired with it.
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
