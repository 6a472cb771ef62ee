//! The names of the rules that a scenario uses, with their spans, for an editor.

use super::build::Builder;
use super::document::{Document, Entry, Node, Value, get};
use super::things::Things;
use grognard_base::{Sources, Span};
use grognard_rules::checker::Checker;
use grognard_rules::index::Means;
use grognard_rules::ruleset::Ruleset;
use grognard_vm::Setup;

/// Returns the uses of names of the rules in a document, in source order. A name of the rules that is written in a value without
/// quotes, or in several headers, can be missing.
pub fn names(document: &Document, rules: Ruleset, sources: &Sources) -> Vec<(Span, Means)> {
    let mut problems = Vec::new();
    let things = Things::declare(document, &rules, &mut problems);
    let named = |name: &str| things.named(name);
    let mut checker = Checker::new(rules, &named);
    checker.noted = Some(Box::default());
    let mut builder = Builder {
        doc: document,
        sources,
        checker,
        others: &[],
        problems,
        table: &things,
        functions: Vec::new(),
        step_names: super::step_names::StepNames::default(),
        setup: Setup::default(),
        traced: false,
    };
    builder.draft();
    for entry in &document.entries {
        let keys = entry.node.table().unwrap_or_default();
        match entry.key.as_str() {
            "reserve" => keys.iter().for_each(|entry| builder.note_kind(entry.span, &entry.key)),
            "line" => entry.node.all().iter().for_each(|line| builder.note_line(line)),
            _ => {}
        }
    }
    builder.checker.noted.map(|noted| noted.uses()).unwrap_or_default()
}

impl Builder<'_> {
    /// Records the referent of a key.
    pub(super) fn note_key(&mut self, entry: &Entry, means: Means) {
        self.checker.means(entry.span, || means);
    }

    /// Records the referent of a part of a quoted text.
    pub(super) fn note(&mut self, node: &Node, from: usize, length: usize, means: Means) {
        if let Value::Text(_, at) = node.value {
            self.checker.means(Span::new(node.span.file, at + from, at + from + length), || means);
        }
    }

    fn note_kind(&mut self, at: Span, name: &str) {
        if let Some(kind) = self.rs().names.types.get(name).copied() {
            self.checker.means(at, || Means::Type(kind));
        }
    }

    fn note_line(&mut self, line: &Node) {
        let entries = line.table().unwrap_or_default();
        if let Some(Node { span, value: Value::Text(name, at) }) = get(entries, "kind").map(|entry| &entry.node) {
            self.note_kind(Span::new(span.file, *at, at + name.len()), name);
        }
        let each = get(entries, "each").and_then(|entry| entry.node.table()).unwrap_or_default();
        each.iter().for_each(|entry| self.note_kind(entry.span, &entry.key));
    }
}
