//! Data for adding, copying and deleting things in the page: the kinds with their fields, and the places of a scenario's entries.

use grognard_base::Span;
use grognard_base::value::Type;
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{Document, Entry, Node, Value as Content};
use grognard_vm::Game;
use serde_json::{Value, json};

/// Returns all kinds with the fields that a scenario can set.
pub fn kinds(game: &Game) -> Value {
    let rules = &game.program.schema;
    let kinds = rules.kinds.iter().map(|kind| {
        let set = |field: &FieldSort| matches!(field, FieldSort::Stat | FieldSort::State | FieldSort::Link);
        let fields = kind.fields.iter().map(|id| &rules.fields[id.at()]).filter(|field| set(&field.sort));
        let fields = fields.filter(|field| !matches!(field.ty.present(), Type::List(_)) && field.keys.is_empty());
        let fields = fields.map(|field| {
            let title = &rules.items[field.item.at()].title;
            let title = if title.is_empty() { &field.name } else { title };
            let optional = !std::ptr::eq(field.ty.present(), &raw const field.ty);
            let mut row = json!({ "name": field.name, "title": title, "needed": field.default.is_none() && !optional });
            match field.ty.present() {
                Type::Enum(id) => row["choices"] = json!(rules.enums[id.at()].cases),
                Type::Flag => row["choices"] = json!(["yes", "no"]),
                Type::Kind(id) => row["choices"] = json!(game.names[id.at()]),
                Type::Int(range) => (row["low"], row["high"]) = (json!(range.low), json!(range.high)),
                _ => {}
            }
            row
        });
        json!({ "name": kind.name, "board": kind.on_board, "fields": fields.collect::<Vec<_>>() })
    });
    kinds.collect()
}

/// Returns the entries of a scenario with the places of their keys and values in bytes. Those of its base have no places.
pub fn tree(document: &Document) -> Value {
    document.entries.iter().map(|entry| rendered(document, entry)).collect()
}

fn rendered(document: &Document, entry: &Entry) -> Value {
    json!({ "key": entry.key, "at": at(document, entry.span), "node": node(document, &entry.node) })
}

fn node(document: &Document, node: &Node) -> Value {
    let mut found = json!({ "at": at(document, node.span) });
    match &node.value {
        Content::Text(text, _) => found["text"] = json!(text),
        Content::List(all) => found["list"] = all.iter().map(|each| self::node(document, each)).collect(),
        Content::Table(all) => found["table"] = all.iter().map(|each| rendered(document, each)).collect(),
        _ => {}
    }
    found
}

fn at(document: &Document, span: Span) -> Option<[u32; 2]> {
    (span.file == document.file).then_some([span.start, span.end])
}
