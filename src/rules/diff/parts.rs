//! An item taken apart into facts that have names, and the lines of its body.

use super::super::merge::head::is_open;
use crate::syntax::tree::*;
use crate::syntax::{print_expr, print_item, print_pattern, print_range, print_type};

/// What an item says.
pub(super) struct Body {
    /// Facts by name, in the order in which they stand.
    pub facts: Vec<(String, String)>,
    /// The lines of its block, each without its indentation.
    pub lines: Vec<String>,
}

/// Takes an item apart; `more` are the items that add to it from above.
pub(super) fn parts(item: &Item, more: &[&Item]) -> Body {
    let mut facts = Vec::new();
    let mut fact = |what: &str, text: String| {
        if !text.is_empty() {
            facts.push((what.to_string(), text));
        }
    };
    fact("title", title(&item.kind).unwrap_or_default());
    fact("cites", item.cites.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(", "));
    let mut lines = Vec::new();
    match &item.kind {
        ItemKind::Param(param) => {
            fact("type", param.ty.as_ref().map(print_type).unwrap_or_default());
            fact("value", print_expr(&param.value));
            let values: Vec<String> = param.sweep.iter().map(print_range).collect();
            fact("sweep", values.join(", "));
        }
        ItemKind::Reading(reading) => {
            let set = more.iter().rev().find_map(|item| match &item.kind {
                ItemKind::SetReading { value, .. } => Some(print_expr(value)),
                _ => None,
            });
            let first = reading.alternatives.first().map(|a| print_expr(&a.value));
            fact("default", set.or(first).unwrap_or_default());
            for alternative in &reading.alternatives {
                let gloss = alternative.gloss.as_ref().map_or("offered", |g| g.text.as_str());
                fact(&format!("alternative {}", print_expr(&alternative.value)), gloss.to_string());
            }
            fact("because", reading.because.text.clone());
        }
        ItemKind::Enum(e) => {
            let between = if e.ordered { " < " } else { ", " };
            fact("cases", e.cases.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(between));
        }
        ItemKind::Table(table) => cells(table, &mut fact),
        ItemKind::Law { holds, .. } => fact("promise", print_expr(holds)),
        _ => {
            let mut plain = item.clone();
            (plain.cites, plain.overrides) = (Vec::new(), false);
            without_title(&mut plain.kind);
            match &mut plain.kind {
                ItemKind::Rule(rule) => fact("when", rule.when.take().as_ref().map(print_expr).unwrap_or_default()),
                // a `match` keeps its rows as lines
                ItemKind::Let(l) if !matches!(l.value.as_ref().map(|v| &v.kind), Some(ExprKind::Match(_))) => {
                    fact("value", l.value.take().as_ref().map(print_expr).unwrap_or_default());
                }
                _ => {}
            }
            if let ItemKind::Kind(kind) = &mut plain.kind {
                let added = more.iter().filter_map(|item| match &item.kind {
                    ItemKind::ExtendKind { members, .. } => Some(members.iter().cloned()),
                    _ => None,
                });
                kind.members.extend(added.flatten());
            }
            let text = print_item(&plain);
            let mut all = text.lines().map(str::trim);
            let first = all.next().unwrap_or_default().trim_end_matches(" {");
            // a value that is told by itself was taken out, which is not to look as if it were left open
            let first = if is_open(&item.kind) { first } else { first.strip_prefix("open ").unwrap_or(first) };
            fact("head", first.to_string());
            lines = all.filter(|line| *line != "}").map(str::to_string).collect();
        }
    }
    Body { facts, lines }
}

/// Each cell under its keys.
fn cells(table: &Table, fact: &mut impl FnMut(&str, String)) {
    for (row, cells) in grid(table) {
        for (keys, _, cell) in cells {
            fact(&keys, text(cell));
        }
        let key = row.cells.first().map(text).unwrap_or_default();
        let cites: Vec<&str> = row.cites.iter().map(|c| c.text.as_str()).collect();
        fact(&format!("cites of [{key}]"), cites.join(", "));
    }
}

/// A row with its cells that hold values: each under its keys, as `[Soft, d8]`, with its place in the row.
type Row<'t> = (&'t TableRow, Vec<(String, usize, &'t Cell)>);

/// The rows of a table that hold values.
pub(in super::super) fn grid(table: &Table) -> impl Iterator<Item = Row<'_>> {
    let two = table.keys.len() == 2;
    let head: Vec<String> = match table.rows.first() {
        Some(row) if two => row.cells.iter().map(text).collect(),
        _ => Vec::new(),
    };
    table.rows.iter().skip(usize::from(two)).map(move |row| {
        let key = row.cells.first().map(text).unwrap_or_default();
        let under = |n: usize| head.get(n).map_or(key.clone(), |column| format!("{key}, {column}"));
        let cells = row.cells.iter().enumerate().skip(1);
        (row, cells.map(|(n, cell)| (format!("[{}]", under(n)), n, cell)).collect())
    })
}

fn text(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::Blank => String::new(),
        CellKind::Dash => "-".to_string(),
        CellKind::Keys(keys) => keys.iter().map(print_pattern).collect::<Vec<_>>().join(", "),
        CellKind::Value(value) => print_expr(value),
    }
}

/// The title of an item, if it can have one.
pub(super) fn title(kind: &ItemKind) -> Option<String> {
    let mut kind = kind.clone();
    title_of(&mut kind).and_then(|t| t.as_ref().map(|t| t.text.clone()))
}

fn without_title(kind: &mut ItemKind) {
    if let Some(title) = title_of(kind) {
        *title = None;
    }
}

fn title_of(kind: &mut ItemKind) -> Option<&mut Option<Text>> {
    Some(match kind {
        ItemKind::Param(p) => &mut p.title,
        ItemKind::Reading(r) => &mut r.title,
        ItemKind::Enum(e) => &mut e.title,
        ItemKind::Chain { title, .. }
        | ItemKind::Die { title, .. }
        | ItemKind::Tally { title, .. }
        | ItemKind::Record { title, .. }
        | ItemKind::Event { title, .. }
        | ItemKind::Law { title, .. }
        | ItemKind::Policy { title, .. } => title,
        ItemKind::Kind(k) => &mut k.title,
        ItemKind::State(s) => &mut s.title,
        ItemKind::Let(l) => &mut l.title,
        ItemKind::Table(t) => &mut t.title,
        ItemKind::Trait(t) => &mut t.title,
        ItemKind::Test(t) => &mut t.title,
        ItemKind::Proc(p) => &mut p.title,
        ItemKind::Phase(p) => &mut p.title,
        ItemKind::Action(a) => &mut a.title,
        ItemKind::Rule(r) => &mut r.title,
        _ => return None,
    })
}
