//! Findings as text for people and for programs. Never reads files, never panics, lets no control character through.

#[doc(hidden)]
pub mod bounds;
pub mod compared;
pub mod diff;
pub mod finding;
mod coverage;
pub mod holes;
pub mod left_open;
pub mod readings;
#[doc(hidden)]
pub mod explain;
pub mod beside;
mod elsewhere;
pub mod tests;
#[cfg(feature = "cli")]
mod human;
mod json;
#[doc(hidden)]
pub mod map;
pub mod plain_map;
pub mod play;
pub mod mutants;
pub mod parting;
#[doc(hidden)]
pub mod markup;
pub mod page;
#[doc(hidden)]
pub mod svg;
pub mod table;
pub mod why;
pub mod odds;
pub mod sampled;
pub mod sweep;

pub use coverage::coverage;
pub use explain::explain;
pub use grognard_base::safe::clean;
pub use map::{map, map_steps};
pub use sampled::value_text;

use grognard_base::order;
use grognard_base::{Diagnostic, Severity, Source, Sources, Span};
use std::fmt::Write;

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With the lines they are about, for people; without the feature `cli` as [`Format::Short`].
    Human {
        /// With terminal colours.
        colour: bool,
        /// Columns of the terminal.
        width: usize,
    },
    /// One line each.
    Short,
    /// One JSON document, schema 1, always with all findings.
    Json,
    /// A workflow command of GitHub for each.
    Github,
    /// A SARIF log.
    Sarif,
}

/// How many findings people are shown at once; errors go before warnings, the rest is counted.
pub const MOST_SHOWN: usize = 50;

/// All findings as text, by file and place; those without a place come first.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, format: Format) -> String {
    let diagnostics: Vec<Diagnostic> = diagnostics.iter().map(|found| placed(found, sources)).collect();
    let mut order: Vec<&Diagnostic> = diagnostics.iter().collect();
    let programs = match format {
        Format::Json => Some(json::render as fn(&[&Diagnostic], &Sources) -> String),
        Format::Github => Some(elsewhere::github as _),
        Format::Sarif => Some(elsewhere::sarif as _),
        Format::Human { .. } | Format::Short => None,
    };
    if let Some(render) = programs {
        order::sort_by_key(&mut order, |d| d.span);
        return render(&order, sources);
    }
    order::sort_by_key(&mut order, |d| std::cmp::Reverse(d.severity));
    let rest = order.split_off(order.len().min(MOST_SHOWN));
    order::sort_by_key(&mut order, |d| d.span);
    let mut out = String::new();
    for diagnostic in &order {
        match format {
            #[cfg(feature = "cli")]
            Format::Human { colour, width } => {
                out.push_str(if out.is_empty() { "" } else { "\n" });
                human::render(&mut out, diagnostic, sources, colour, width);
            }
            _ => out.push_str(&short(diagnostic, sources)),
        }
    }
    if !rest.is_empty() {
        let gap = if matches!(format, Format::Human { .. }) { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{} more not shown: {}", rest.len(), tally(&rest));
    }
    out
}

/// A finding at the places where what it is about was written.
fn placed(found: &Diagnostic, sources: &Sources) -> Diagnostic {
    let mut found = found.clone();
    if let Some(span) = found.span
        && let Some(at) = sources.changed_at(span.file)
        && sources.origin(span).file != at.file
    {
        found = found.and(at, "changed here");
    }
    found.span.iter_mut().chain(found.others.iter_mut().map(|o| &mut o.span)).for_each(|s| *s = sources.origin(*s));
    found
}

/// `1 clause`, `2 clauses`.
fn counted(n: impl TryInto<u64>, what: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `2 errors, 1 warning`; what there is none of is left out.
fn tally(diagnostics: &[&Diagnostic]) -> String {
    let words = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "remark", "remarks"),
    ];
    let counts =
        words.map(|(severity, one, many)| match diagnostics.iter().filter(|d| d.severity == severity).count() {
            0 => String::new(),
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        });
    counts.into_iter().filter(|c| !c.is_empty()).collect::<Vec<_>>().join(", ")
}

fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = place(diagnostic.span, sources).map_or(String::new(), |place| place + ": ");
    format!("{place}{}: {}\n", head(diagnostic), clean(&diagnostic.message))
}

/// `error[R0201]`.
fn head(diagnostic: &Diagnostic) -> String {
    format!("{}[{}]", word(diagnostic.severity), diagnostic.code)
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// `a/b.rules:14:7`, if the span lies in a text that is there.
fn place(span: Option<Span>, sources: &Sources) -> Option<String> {
    let span = span?;
    let source = sources.get(span.file)?;
    let place = source.place(inside(source, span).0 as u32);
    Some(format!("{}:{}:{}", clean(&source.shown), place.line, place.column))
}

/// The span cut to the text and to whole characters, as bytes.
fn inside(source: &Source, span: Span) -> (usize, usize) {
    let cut = |offset: u32| {
        let mut offset = (offset as usize).min(source.text.len());
        while !source.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let start = cut(span.start);
    (start, cut(span.end).max(start))
}
