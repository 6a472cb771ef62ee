//! Splits an item into named facts and the lines of its body.

use grognard_base::Span;
use grognard_rules::head::title;
use grognard_syntax::Plain;
use grognard_syntax::tree::*;

/// The content of an item.
pub(super) struct ItemBody {
    /// The facts with their names, in source order.
    pub facts: Vec<(String, String)>,
    /// The lines of its block, without indentation.
    pub lines: Vec<String>,
}

/// Splits an item. `more` are the items that add to it in extending rulesets.
pub(super) fn parts(item: &Item, more: &[&Item], plain: &Plain<'_>) -> ItemBody {
    let value = |e: &Expr| plain.line(e.span);
    let mut facts = Vec::new();
    let mut fact = |what: &str, text: String| {
        if !text.is_empty() {
            facts.push((what.to_string(), text));
        }
    };
    fact("title", title(&item.kind).map_or(String::new(), |t| t.text.clone()));
    fact("cites", item.cites.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(", "));
    let mut lines = Vec::new();
    match &item.kind {
        ItemKind::Param(param) => {
            fact("type", param.ty.as_ref().map(|ty| plain.line(ty.span)).unwrap_or_default());
            fact("value", value(&param.value));
            let values: Vec<String> = param.sweep.iter().map(|range| plain.line(range.span)).collect();
            fact("sweep", values.join(", "));
        }
        ItemKind::Reading(reading) => {
            let set = more.iter().rev().find_map(|item| match &item.kind {
                ItemKind::SetReading { value: set, because, .. } => Some((value(set), because.as_ref())),
                _ => None,
            });
            let (set, why) = set.map_or((None, reading.default_because.as_ref()), |(set, why)| (Some(set), why));
            let first = reading.alternatives.first().map(|a| value(&a.value));
            fact("default", set.or(first).unwrap_or_default());
            for alternative in &reading.alternatives {
                let gloss = alternative.gloss.as_ref().map_or("offered", |g| g.text.as_str());
                fact(&format!("alternative {}", value(&alternative.value)), gloss.to_string());
            }
            fact("because", reading.because.as_ref().map_or(String::new(), |why| why.text.clone()));
            fact("default because", why.map_or(String::new(), |why| why.text.clone()));
        }
        ItemKind::Enum(e) => {
            let between = if e.ordered { " < " } else { ", " };
            fact("cases", e.cases.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(between));
        }
        ItemKind::Table(table) => cells(table, plain, &mut fact),
        ItemKind::Law { holds, .. } => fact("promise", value(holds)),
        kind => {
            let mut without: Vec<Span> = title(kind).map(|t| t.span).into_iter().collect();
            let mut part = |what: &str, span: Option<Span>| {
                fact(what, span.map(|span| plain.line(span)).unwrap_or_default());
                without.extend(span);
            };
            match kind {
                ItemKind::Rule(rule) => part("when", rule.when.as_ref().map(|e| e.span)),
                ItemKind::Let(l) => {
                    part("type", l.ty.as_ref().map(|ty| ty.span));
                    // a `match` keeps its rows as lines
                    let rendered = l.value.as_ref().filter(|v| !matches!(v.kind, ExprKind::Match(_)));
                    part("value", rendered.map(|v| v.span));
                }
                _ => {}
            }
            let mut all = own_lines(item.span, &item.cites, without, plain).into_iter();
            fact("head", all.next().unwrap_or_default().trim_end_matches(" {").to_string());
            if let ItemKind::Kind(kind) = kind {
                let added = more.iter().filter_map(|item| match &item.kind {
                    ItemKind::ExtendKind { members, .. } => Some(members),
                    _ => None,
                });
                for member in kind.members.iter().chain(added.flatten()) {
                    let own = own_lines(member.span, &[], Vec::new(), plain);
                    lines.extend(own);
                }
            } else {
                lines.extend(all);
            }
            lines.retain(|line| line != "}");
        }
    }
    ItemBody { facts, lines }
}

/// Returns the lines of an item or a member without `override`, the citations after it, and the parts that are separate
/// facts.
fn own_lines(span: Span, cites: &[ClauseRef], mut without: Vec<Span>, plain: &Plain<'_>) -> Vec<String> {
    let behind = cites.iter().map(|c| c.span).find(|c| c.file == span.file && c.start >= span.start);
    without.extend(behind.map(|first| first.to(Span { start: span.end, ..span })));
    let mut lines = plain.lines(span, &without);
    if let Some(line) = lines.first_mut() {
        *line = line.strip_prefix("override ").unwrap_or(line).to_string();
    }
    lines
}

/// Adds each cell under its keys.
fn cells(table: &Table, plain: &Plain<'_>, fact: &mut impl FnMut(&str, String)) {
    for (row, cells) in grid(table, plain) {
        for (keys, _, cell) in cells {
            fact(&keys, text(cell, plain));
        }
        let key = row.cells.first().map(|cell| text(cell, plain)).unwrap_or_default();
        let cites: Vec<&str> = row.cites.iter().map(|c| c.text.as_str()).collect();
        fact(&format!("cites of [{key}]"), cites.join(", "));
    }
}

/// A row with its value cells: the keys of each, such as `[Soft, d8]`, and its index in the row.
type Row<'t> = (&'t TableRow, Vec<(String, usize, &'t Cell)>);

/// Returns the rows of a table that contain values.
pub(in super::super) fn grid<'t>(table: &'t Table, plain: &Plain<'_>) -> impl Iterator<Item = Row<'t>> {
    let two = table.keys.len() == 2;
    let head: Vec<String> = match table.rows.first() {
        Some(row) if two => row.cells.iter().map(|cell| text(cell, plain)).collect(),
        _ => Vec::new(),
    };
    table.rows.iter().skip(usize::from(two)).map(move |row| {
        let key = row.cells.first().map(|cell| text(cell, plain)).unwrap_or_default();
        let under = |n: usize| head.get(n).map_or(key.clone(), |column| format!("{key}, {column}"));
        let cells = row.cells.iter().enumerate().skip(1);
        (row, cells.map(|(n, cell)| (format!("[{}]", under(n)), n, cell)).collect())
    })
}

fn text(cell: &Cell, plain: &Plain<'_>) -> String {
    match &cell.kind {
        CellKind::Value(value) => cell_value(value, plain),
        CellKind::Blank | CellKind::Dash | CellKind::Keys(_) => plain.line(cell.span),
    }
}

/// Returns the text of a cell value. A partial override includes its condition.
fn cell_value(value: &Expr, plain: &Plain<'_>) -> String {
    let inside = |e: &Expr| e.span.file == value.span.file && value.span.start <= e.span.start;
    match &value.kind {
        ExprKind::If { arms, otherwise } if !inside(otherwise) => {
            let [(condition, new)] = arms.as_slice() else { return String::new() };
            let tests = match &condition.kind {
                ExprKind::And(all) => all.as_slice(),
                _ => std::slice::from_ref(condition),
            };
            let test = |test: &Expr| match &test.kind {
                ExprKind::Compare { left, right, .. } => match &left.kind {
                    ExprKind::Name(key) => format!("{key} == {}", plain.line(right.span)),
                    _ => String::new(),
                },
                _ => String::new(),
            };
            let tests: Vec<String> = tests.iter().map(test).collect();
            format!("if {} then {} else {}", tests.join(" and "), plain.line(new.span), cell_value(otherwise, plain))
        }
        _ => plain.line(value.span),
    }
}
