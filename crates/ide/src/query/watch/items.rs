//! What a new version of a ruleset says differently, item by item, and which runs that can touch (change impact analysis).

use super::super::Analysis;
use grognard_base::{OrdMap, OrdSet, Sources, Span};
use grognard_rules::{item_about, item_word};
use grognard_syntax::tree::{Item, ItemKind};
use grognard_syntax::{Lexeme, scan};

/// The items of a ruleset, by word and name.
pub(super) type Items = OrdMap<String, Stands>;

/// How an item stands in a ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stands {
    /// Its words, without layout and comments.
    text: String,
    /// Of what is code: all that matters to others than those who run it. None for what may matter to anybody.
    head: Option<String>,
    /// Items that it declares, as [`reach`] calls them.
    declares: OrdSet<String>,
    /// It is an example.
    example: bool,
}

/// What is different in a new version.
#[derive(Clone, Debug, Default)]
pub(super) struct Impact {
    /// Items that are other, new or gone.
    pub names: Vec<String>,
    /// All runs may be other.
    pub all: bool,
    /// Runs that reach one of these may be.
    pub reached: OrdSet<String>,
    /// Examples that say something else.
    pub examples: OrdSet<String>,
}

/// What an item of the schema is called.
pub(super) fn reach(word: &str, name: &str) -> String {
    format!("{word} {name}")
}

/// The items of a ruleset after merging.
pub(super) fn items(analysis: &Analysis) -> Items {
    let mut all = Items::new();
    let sources = &analysis.sources;
    for item in &analysis.names.items {
        if matches!(item.kind, ItemKind::Section(_)) {
            continue;
        }
        let inside = |at: Span| at.file == item.span.file && item.span.start <= at.start && at.end <= item.span.end;
        let declared = analysis.rules.items.iter().filter(|other| inside(other.span));
        let declares: OrdSet<String> = declared.map(|other| reach(other.word, &other.name)).collect();
        let cites: Vec<&str> = item.cites.iter().map(|cite| cite.text.as_str()).collect();
        let text = format!("{} {}", cites.join(" "), words(sources.slice(item.span)));
        // what several places say of one thing is one text
        let entry = all.entry(called(item)).or_default();
        entry.text += &text;
        entry.head = head(item, sources);
        entry.declares.extend(declares);
        entry.example = matches!(item.kind, ItemKind::Example(_));
    }
    all
}

/// What an item is called in messages.
fn called(item: &Item) -> String {
    let name = match &item.kind {
        ItemKind::Example(example) => example.title.text.clone(),
        kind => item_about(kind).map_or(String::new(), |(name, _)| name),
    };
    format!("{} {name}", item_word(&item.kind))
}

/// What of an item matters to those who do not run it; none if all of it may.
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

/// The words of a text.
fn words(text: &str) -> String {
    let tokens = scan(text).filter(|t| !matches!(t.kind, Lexeme::Comment));
    // line ends part statements, and several of them part no more than one
    let mut all: Vec<&str> = tokens.map(|t| if t.kind == Lexeme::Newline { "\n" } else { t.text(text) }).collect();
    all.dedup_by(|a, b| *a == "\n" && *b == "\n");
    all.join(" ").trim().to_string()
}

/// What a new version says differently.
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
    /// True if a run that reached these items can come out otherwise.
    pub fn touches(&self, reached: &OrdSet<String>) -> bool {
        self.all || !self.reached.is_disjoint(reached)
    }
}

/// The name of an example among the items.
pub(super) fn example(title: &str) -> String {
    format!("example {title}")
}
