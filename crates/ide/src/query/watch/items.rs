//! Compares two versions of a ruleset item by item, and determines which runs a change can affect (change impact analysis).

use super::super::Analysis;
use grognard_base::{OrdMap, OrdSet, Sources, Span};
use grognard_rules::{item_about, item_word};
use grognard_syntax::tree::{Item, ItemKind};
use grognard_syntax::{Lexeme, scan};

/// The items of a ruleset, by keyword and name.
pub(super) type Items = OrdMap<String, Stands>;

/// The content of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stands {
    /// The text, without layout and comments.
    text: String,
    /// For code: the part that can affect runs that do not execute it. `None` if the whole item can affect any run.
    head: Option<String>,
    /// The names of the schema items that it declares, as [`reach`] formats them.
    declares: OrdSet<String>,
    /// Whether the item is an example.
    example: bool,
}

/// The difference between two versions, and its impact.
#[derive(Clone, Debug, Default)]
pub(super) struct Impact {
    /// Items that were changed, added or removed.
    pub names: Vec<String>,
    /// Whether all runs can be affected.
    pub all: bool,
    /// Runs that reach one of these schema items can be affected.
    pub reached: OrdSet<String>,
    /// Examples that were changed, added or removed.
    pub examples: OrdSet<String>,
}

/// Returns the name of a schema item in sets of reached items.
pub(super) fn reach(word: &str, name: &str) -> String {
    format!("{word} {name}")
}

/// Returns the items of a ruleset after merging.
pub(super) fn items(analysis: &Analysis) -> Items {
    let mut all = Items::new();
    let sources = &analysis.sources;
    for item in &analysis.names.items {
        if matches!(item.kind, ItemKind::Section(_) | ItemKind::Clause(_)) {
            continue;
        }
        let inside = |at: Span| at.file == item.span.file && item.span.start <= at.start && at.end <= item.span.end;
        let declared = analysis.rules.items.iter().filter(|other| inside(other.span));
        let declares: OrdSet<String> = declared.map(|other| reach(other.word, &other.name)).collect();
        let cites: Vec<&str> = item.cites.iter().map(|cite| cite.text.as_str()).collect();
        let text = format!("{} {}", cites.join(" "), words(sources.slice(item.span)));
        // Several declarations of the same item are concatenated.
        let entry = all.entry(called(item)).or_default();
        entry.text += &text;
        entry.head = head(item, sources);
        entry.declares.extend(declares);
        entry.example = matches!(item.kind, ItemKind::Example(_));
    }
    all
}

/// Returns the name of an item in messages.
fn called(item: &Item) -> String {
    let name = match &item.kind {
        ItemKind::Example(example) => example.title.text.clone(),
        kind => item_about(kind).map_or(String::new(), |(name, _)| name),
    };
    format!("{} {name}", item_word(&item.kind))
}

/// Returns the part of an item that can affect runs that do not execute it, or `None` if the whole item can.
fn head(item: &Item, sources: &Sources) -> Option<String> {
    let until = |body: Span| words(sources.slice(Span { end: body.start.max(item.span.start), ..item.span }));
    match &item.kind {
        ItemKind::Let(_) | ItemKind::Table(_) | ItemKind::Test(_) | ItemKind::Proc(_) => Some(String::new()),
        ItemKind::SetReading { .. } | ItemKind::SetCell { .. } => Some(String::new()),
        ItemKind::Param(param) => Some(until(param.value.span)),
        ItemKind::Reading(reading) => {
            let names = reading.alternatives.iter().map(|other| words(sources.slice(other.value.span)));
            Some(names.collect::<OrdSet<_>>().into_iter().collect::<Vec<_>>().join(" "))
        }
        ItemKind::Phase(phase) => phase.body.as_ref().map(|body| until(body.span)),
        ItemKind::Action(action) => Some(until(action.body.span)),
        ItemKind::Rule(rule) => Some(until(rule.body.span)),
        _ => None,
    }
}

/// Normalizes a text: removes comments and layout.
fn words(text: &str) -> String {
    let tokens = scan(text).filter(|t| !matches!(t.kind, Lexeme::Comment));
    // Line ends separate statements, and repeated line ends are equivalent to one.
    let mut all: Vec<&str> = tokens.map(|t| if t.kind == Lexeme::Newline { "\n" } else { t.text(text) }).collect();
    all.dedup_by(|a, b| *a == "\n" && *b == "\n");
    all.join(" ").trim().to_string()
}

/// Computes the difference between two versions, and its impact.
pub(super) fn impact(old: &Items, new: &Items) -> Impact {
    let mut found = Impact::default();
    let names: OrdSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let (was, is) = (old.get(name), new.get(name));
        if was.map(|s| &s.text) == is.map(|s| &s.text) {
            continue;
        }
        found.names.push(name.clone());
        let example = [was, is].into_iter().flatten().any(|s| s.example);
        match (was, is) {
            _ if example => drop(found.examples.insert(name.clone())),
            (Some(was), Some(is)) if was.head.is_some() && was.head == is.head && was.declares == is.declares => {
                found.reached.extend(is.declares.iter().cloned());
            }
            _ => found.all = true,
        }
    }
    found
}

impl Impact {
    /// Returns whether a run that reached these items can be affected.
    pub fn touches(&self, reached: &OrdSet<String>) -> bool {
        self.all || !self.reached.is_disjoint(reached)
    }
}

/// Returns the name of an example among the items.
pub(super) fn example(title: &str) -> String {
    format!("example {title}")
}
