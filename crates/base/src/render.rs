//! Diagnostics as text, one line each. Every crate and test can print this form without a renderer.

use super::safe::clean;
use super::{Diagnostic, Severity, Source, Sources, Span, order};
use std::fmt::Write;

/// Maximum number of diagnostics that are printed; the rest are only counted.
pub const MOST_SHOWN: usize = 50;

/// Renders diagnostics as one line each, sorted by file and location. Those without a location come first, and
/// consequential ones last.
pub fn render_lines(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let placed: Vec<Diagnostic> = diagnostics.iter().map(|found| found.placed(sources)).collect();
    let (shown, rest) = most_severe(&placed);
    let mut out: String = shown.iter().map(|diagnostic| diagnostic.line(sources)).collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "{}", not_shown(&rest));
    }
    out
}

/// Splits diagnostics into the [`MOST_SHOWN`] most severe, sorted by location, and the rest. Consequential diagnostics
/// come after the others.
pub fn most_severe(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, Vec<&Diagnostic>) {
    let mut shown: Vec<&Diagnostic> = diagnostics.iter().collect();
    order::sort_by_key(&mut shown, |d| (d.follows.is_none(), std::cmp::Reverse(d.severity)));
    let rest = shown.split_off(shown.len().min(MOST_SHOWN));
    order::sort_by_key(&mut shown, |d| (d.follows.is_some(), d.span));
    (shown, rest)
}

/// Returns the line that counts the diagnostics not shown: `3 more not shown: 2 errors, 1 warning`.
pub fn not_shown(rest: &[&Diagnostic]) -> String {
    let words = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "remark", "remarks"),
    ];
    let counts = words.map(|(severity, one, many)| match rest.iter().filter(|d| d.severity == severity).count() {
        0 => String::new(),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    });
    let counts: Vec<String> = counts.into_iter().filter(|count| !count.is_empty()).collect();
    format!("{} more not shown: {}", rest.len(), counts.join(", "))
}

impl Severity {
    /// Returns the name of the severity in output.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

impl Diagnostic {
    /// Returns the diagnostic with its spans mapped to the original texts, if rules were merged or changed.
    pub fn placed(&self, sources: &Sources) -> Diagnostic {
        let mut found = self.clone();
        if let Some(span) = found.span
            && let Some(at) = sources.changed_at(span.file)
            && sources.origin(span).file != at.file
        {
            found = found.and(at, "changed here");
        }
        let others = found.others.iter_mut().map(|other| &mut other.span);
        found.span.iter_mut().chain(others).for_each(|span| *span = sources.origin(*span));
        found
    }

    /// Returns severity and code: `error[R0201]`.
    pub fn head(&self) -> String {
        format!("{}[{}]", self.severity.word(), self.code)
    }

    fn line(&self, sources: &Sources) -> String {
        let place = self.span.and_then(|span| sources.locate(span)).map_or(String::new(), |place| place + ": ");
        format!("{place}{}: {}\n", self.head(), clean(&self.message))
    }
}

impl Sources {
    /// Returns `a/b.rules:14:7`, or `None` if the file of the span is not among the sources.
    pub fn locate(&self, span: Span) -> Option<String> {
        let source = self.get(span.file)?;
        let place = source.place(source.within(span).0 as u32);
        Some(format!("{}:{}:{}", clean(&source.shown), place.line, place.column))
    }
}

impl Source {
    /// Returns the start and end of a span in bytes, clamped to the text and to character boundaries.
    pub fn within(&self, span: Span) -> (usize, usize) {
        let cut = |offset: u32| {
            let mut offset = (offset as usize).min(self.text.len());
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let start = cut(span.start);
        (start, cut(span.end).max(start))
    }
}
