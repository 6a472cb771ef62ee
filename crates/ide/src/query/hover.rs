//! Hover texts: the declaration of a name, its type, clauses and value, and its overrides.

use super::find::Found;
use super::{Analysis, Place, Workspace, card};
use grognard_base::Span;
use grognard_base::value::ops::{self, Op};
use grognard_base::value::*;
use grognard_rules::index::Means;
use grognard_rules::ruleset::{ClauseStatus, Item, ValueName};
use grognard_syntax::tree::ItemKind;
use std::fmt::Write;

/// Maximum number of lines of a declaration.
const MOST_LINES: usize = 12;
/// Maximum number of overriding rulesets that are listed.
const MOST_NAMED: usize = 8;

/// The hover text of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The location of the name.
    pub at: Place,
    /// The text, as Markdown.
    pub text: String,
}

impl Workspace {
    /// Returns the hover text at a byte offset, or `None` if there is nothing to show.
    pub fn hover(&self, path: &str, offset: usize) -> Option<Hover> {
        if let Some(found) = self.find(path, offset) {
            let text = self.rendered(&found);
            return Some(Hover { at: found.at, text });
        }
        if path.ends_with(".toml") {
            return self.toml_hover(path, offset);
        }
        if let Some((id, at)) = self.cited_at(path, offset) {
            let analysis = self.analysis(path);
            return clause(&analysis, &id).map(|text| Hover { at, text });
        }
        let text = self.text(path)?;
        let (start, end) = super::find::word_at(&text, offset)?;
        let word = &text[start..end];
        let at = Place { file: path.to_string(), start, end };
        if let Some(op) = Op::ALL.iter().find(|op| op.sort() == ops::OpSort::Builtin && op.written() == word) {
            return Some(Hover { at, text: format!("```grognard\n{}\n```\n{}", op.signature(), op.doc()) });
        }
        let card = card(word)?;
        let snippet = card.plain().map_or(String::new(), |plain| format!("\n```grognard\n{}\n```", plain.trim()));
        Some(Hover { at, text: format!("`{}`: {}{snippet}", card.form.as_ref().unwrap_or(&card.word), card.says) })
    }

    fn rendered(&self, found: &Found) -> String {
        let Found { analysis, declared, means, .. } = found;
        let rules = &analysis.rules;
        let mut out = String::new();
        match means {
            Some(Means::Item(id)) => {
                if let Some(item) = rules.items.get(id.at()) {
                    self.item(&mut out, analysis, *id, item);
                }
            }
            Some(Means::Case(id, at)) => {
                if let Some(of) = rules.enums.get(id.at()) {
                    let case = of.cases.get(*at).map_or("", String::as_str);
                    let order =
                        if of.ordered { format!(", number {} of {}", at + 1, of.cases.len()) } else { String::new() };
                    let _ = writeln!(out, "case `{case}` of `{}`{order}", of.name);
                    if let Some(item) = rules.items.get(of.item.at()) {
                        titled(&mut out, item);
                        reading(&mut out, analysis, of.item);
                    }
                }
            }
            Some(Means::Part(record, name)) => {
                if let Some(record) = rules.records.get(record.at()) {
                    let ty = record.fields.iter().find(|(n, _)| n == name).map(|(_, ty)| rules.type_name(ty));
                    let _ = writeln!(out, "`{name}: {}`, part of `{}`", ty.unwrap_or_default(), record.name);
                }
            }
            _ => {
                let name = analysis.sources.slice(*declared);
                match analysis.variable(*declared) {
                    Some(ty) => drop(writeln!(out, "`{name}: {}`", rules.type_name(&ty))),
                    None => drop(writeln!(out, "`{name}`")),
                }
            }
        }
        self.versions(&mut out, found);
        out.trim_end().to_string()
    }

    fn item(&self, out: &mut String, analysis: &Analysis, id: ItemId, item: &Item) {
        let rules = &analysis.rules;
        let text = declaration(analysis, item.span);
        if !text.is_empty() {
            let _ = writeln!(out, "```grognard\n{text}\n```");
        }
        titled(out, item);
        if let Some(ty) = type_of(analysis, id) {
            let _ = writeln!(out, "\nof type `{ty}`");
        }
        value(out, analysis, id);
        reading(out, analysis, id);
        let changed = rules.traits.iter().filter(|t| t.changes.iter().any(|c| rules.fields[c.field.at()].item == id));
        let changed: Vec<String> = changed.map(|t| format!("`{}`", t.name)).collect();
        if !changed.is_empty() {
            let _ = writeln!(out, "\nchanged by {}", changed.join(", "));
        }
        for cite in &item.cites {
            if let Some(text) = clause(analysis, cite) {
                let _ = writeln!(out, "\n{text}");
            }
        }
        if let Some((path, _)) = rules.chain.get(item.from)
            && *path != rules.path
        {
            let _ = writeln!(out, "\ndeclared in `{path}`");
        }
    }

    /// Adds the declaration that it replaces, and the rulesets that override it.
    fn versions(&self, out: &mut String, found: &Found) {
        let analysis = &found.analysis;
        let index = &analysis.names.index;
        if let Some(below) = index.below.get(&found.declared) {
            let place = analysis.place(*below);
            let was = line_of(&self.text(&place.file).unwrap_or_default(), place.start);
            let _ = writeln!(out, "\nreplaces that of `{}`: `{was}`", ruleset(&place.file));
        }
        let root = analysis.place(index.root(found.declared));
        let mut said = Vec::new();
        for path in self.resting_on(&root.file) {
            // The last analyses are sufficient here. Checking the other rulesets after each keystroke would be too expensive.
            let Some(other) = self.newest(&path).filter(|other| other.path != analysis.path) else { continue };
            for (new, old) in &other.names.index.below {
                let place = other.place(*new);
                if other.place(other.names.index.root(*old)) == root && place.file == path && !said.contains(&place) {
                    said.push(place);
                }
            }
        }
        for place in said.iter().take(MOST_NAMED) {
            let text = self.text(&place.file).unwrap_or_default();
            let _ = writeln!(out, "\noverridden in `{}`: `{}`", ruleset(&place.file), line_of(&text, place.start));
        }
    }
}

fn ruleset(path: &str) -> &str {
    path.strip_suffix(".rules").unwrap_or(path)
}

/// Returns the line at a byte offset, trimmed.
fn line_of(text: &str, at: usize) -> String {
    let start = text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |n| n + 1);
    text.get(start..).and_then(|tail| tail.lines().next()).unwrap_or("").trim().replace('`', "'")
}

fn titled(out: &mut String, item: &Item) {
    if !item.title.is_empty() {
        let _ = writeln!(out, "**{}**", item.title);
    }
}

/// Returns the source of an item, or its first lines if it is long.
fn declaration(analysis: &Analysis, name: Span) -> String {
    let item = analysis
        .names
        .items
        .iter()
        .find(|i| i.span.file == name.file && i.span.start <= name.start && name.end <= i.span.end);
    let Some(item) = item else { return String::new() };
    let whole = analysis.sources.slice(item.span);
    // For a member of a kind, its own line is shown.
    let head = grognard_rules::item_name(&item.kind).is_some_and(|own| own.span == name);
    if !head {
        let at = (name.start - item.span.start) as usize;
        return line_of(whole, at);
    }
    let lines: Vec<&str> = whole.lines().collect();
    if lines.len() <= MOST_LINES { whole.to_string() } else { format!("{}\n..", lines[..MOST_LINES - 1].join("\n")) }
}

/// Returns the text of a clause.
fn clause(analysis: &Analysis, id: &str) -> Option<String> {
    let clause = analysis.rules.register.iter().find(|c| c.id == id)?;
    let status = match clause.status {
        ClauseStatus::Modelled => "",
        ClauseStatus::External => " (another chapter)",
        ClauseStatus::Commentary => " (commentary)",
        ClauseStatus::Hole => " (left open by the book)",
    };
    let mut text = format!("`{id}` {}{status}: {}", clause.section, clause.says);
    if !clause.decided.is_empty() {
        let _ = write!(text, "\n\ndecided: {}", clause.decided);
    }
    Some(text)
}

/// Returns the type of an item, if it is a value.
fn type_of(analysis: &Analysis, id: ItemId) -> Option<String> {
    let rules = &analysis.rules;
    let ty = rules.settings.iter().find(|s| s.item == id && s.alternatives.is_empty()).map(|s| &s.ty);
    let ty = ty.or_else(|| rules.fields.iter().find(|f| f.item == id).map(|f| &f.ty));
    let ty = ty.or_else(|| {
        let item = rules.items.get(id.at()).filter(|i| matches!(i.word, "let" | "table"))?;
        let func = rules.names.values.get(&item.name)?;
        let ValueName::Let(func) = func else { return None };
        rules.functions.get(func.at()).map(|f| &f.result)
    });
    ty.filter(|ty| **ty != Type::Unknown).map(|ty| rules.type_name(ty))
}

/// Adds the value of a param in this ruleset.
fn value(out: &mut String, analysis: &Analysis, id: ItemId) {
    let rules = &analysis.rules;
    let Some(setting) = rules.settings.iter().find(|s| s.item == id && s.alternatives.is_empty()) else { return };
    let mut params = analysis.names.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Param(param) if param.name.text == setting.name => Some(param),
        _ => None,
    });
    if let Some(param) = params.next_back() {
        let _ = writeln!(
            out,
            "
is `{}` in `{}`",
            analysis.sources.slice(param.value.span),
            rules.path
        );
    }
}

/// Adds the alternatives of a reading, and marks the current one.
fn reading(out: &mut String, analysis: &Analysis, id: ItemId) {
    let rules = &analysis.rules;
    let Some(setting) = rules.settings.iter().find(|s| s.item == id && !s.alternatives.is_empty()) else { return };
    for ((cells, written), gloss) in setting.alternatives.iter().zip(&setting.glosses) {
        let holds = if *cells == setting.value { "**" } else { "" };
        let gloss = if gloss.is_empty() { String::new() } else { format!(": {gloss}") };
        let _ = writeln!(out, "\n* {holds}`{written}`{holds}{gloss}");
    }
    if !setting.because.is_empty() {
        let _ = writeln!(out, "\nopen because {}", setting.because);
    }
    if !setting.default_because.is_empty() {
        let _ = writeln!(out, "\nread so because {}", setting.default_because);
    }
}
