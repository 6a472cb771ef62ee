//! The outline of a file: its sections, items and members.

use super::Workspace;
use grognard_base::Span;
use grognard_rules::{item_about, item_title, item_word};
use grognard_syntax::tree::{self, Item, ItemKind, MemberKind, TraitMemberKind};

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The name of the entry.
    pub name: String,
    /// The keyword, such as `rule` or `stat`.
    pub word: &'static str,
    /// The title. Can be empty.
    pub title: String,
    /// The byte range of the whole entry.
    pub whole: (usize, usize),
    /// The byte range of the name.
    pub at: (usize, usize),
    /// The nested entries.
    pub inside: Vec<OutlineEntry>,
}

impl Workspace {
    /// Returns the outline of a file. Items that do not parse are omitted.
    pub fn outline(&self, path: &str) -> Vec<OutlineEntry> {
        let Some(id) = self.id(path) else { return Vec::new() };
        let texts = self.texts.borrow();
        let Some(file) = texts.known.file(id) else { return Vec::new() };
        let end = texts.sources.get(id).map_or(0, |s| s.text.len());
        let mut all: Vec<OutlineEntry> = Vec::new();
        for item in &file.items {
            let entry = entry(item);
            match all.last_mut().filter(|last| last.word == "section" && entry.word != "section") {
                Some(section) => {
                    section.whole.1 = entry.whole.1.max(section.whole.1);
                    section.inside.push(entry);
                }
                None => all.push(entry),
            }
        }
        all.retain(|entry| entry.whole.1 <= end);
        all
    }
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

fn entry(item: &Item) -> OutlineEntry {
    let own = |name: &tree::Name| (name.text.clone(), name.span);
    let (name, at) = match &item.kind {
        ItemKind::Section(text) => own(text),
        ItemKind::Example(example) => own(&example.title),
        ItemKind::Remove { name, .. } => own(name),
        ItemKind::Change(change) => own(&change.name),
        kind => item_about(kind).unwrap_or_else(|| (String::new(), item.span)),
    };
    let title = item_title(&item.kind).map_or(String::new(), |t| t.text.clone());
    let word = match &item.kind {
        ItemKind::Remove { .. } => "remove",
        kind => item_word(kind),
    };
    // The range of an item must contain its name, even in a faulty tree.
    let whole = bytes(item.span);
    let at = bytes(at);
    let whole = (whole.0.min(at.0), whole.1.max(at.1));
    let name = if name.trim().is_empty() { word.to_string() } else { name };
    OutlineEntry { name, word, title, whole, at, inside: members(&item.kind) }
}

fn small(word: &'static str, name: &tree::Name, title: Option<&tree::Text>, whole: Span) -> OutlineEntry {
    let (whole, at) = (bytes(whole), bytes(name.span));
    OutlineEntry {
        name: name.text.clone(),
        word,
        title: title.map_or(String::new(), |t| t.text.clone()),
        whole: (whole.0.min(at.0), whole.1.max(at.1)),
        at,
        inside: Vec::new(),
    }
}

fn members(kind: &ItemKind) -> Vec<OutlineEntry> {
    match kind {
        ItemKind::Kind(tree::Kind { members, .. }) | ItemKind::ExtendKind { members, .. } => {
            let entry = |m: &tree::Member| match &m.kind {
                MemberKind::Stat(s) => Some(small("stat", &s.name, s.title.as_ref(), m.span)),
                MemberKind::State(s) => Some(small("state", &s.name, s.title.as_ref(), m.span)),
                MemberKind::Link { name, .. } => Some(small("link", name, None, m.span)),
                MemberKind::Let(l) => Some(small("let", &l.name, l.title.as_ref(), m.span)),
                MemberKind::Owner(_) => None,
            };
            members.iter().filter_map(entry).collect()
        }
        ItemKind::Enum(e) => e.cases.iter().map(|case| small("case", case, None, case.span)).collect(),
        ItemKind::Trait(t) => {
            let entry = |m: &tree::TraitMember| match &m.kind {
                TraitMemberKind::Rule(rule) => Some(small("rule", &rule.name, rule.title.as_ref(), m.span)),
                TraitMemberKind::Let(l) => Some(small("let", &l.name, l.title.as_ref(), m.span)),
                TraitMemberKind::Replace { name, .. } => Some(small("replace", name, None, m.span)),
                TraitMemberKind::Modify { name, .. } => Some(small("modify", name, None, m.span)),
                TraitMemberKind::Forbid { .. } => None,
            };
            t.members.iter().filter_map(entry).collect()
        }
        _ => Vec::new(),
    }
}
