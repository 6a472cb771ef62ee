//! Renders diagnostics with their source lines through `miette`. All text is cleaned and limited in length first.

use grognard_base::safe::{clean, clean_source};
use grognard_base::{Diagnostic, Severity, Source, Sources, Span, most_severe, not_shown};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode};
use miette::{SourceSpan, SpanContents};
use std::fmt::{self, Write};
use textwrap::WordSplitter;

/// Maximum length of a source line that is shown, in bytes.
const LONGEST_LINE: usize = 4096;
/// Locations that are more than this many lines from the main one are shown in a separate excerpt.
const NEAR: usize = 100;
/// Maximum number of other locations that are shown.
const MOST_PLACES: usize = 8;

/// Consecutive lines of a source text, cleaned.
#[derive(Debug)]
struct Excerpt {
    text: String,
    /// Index of the first line, from 0.
    first: usize,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        let line = inner.line() + self.first;
        Ok(Box::new(MietteSpanContents::new(inner.data(), *inner.span(), line, inner.column(), inner.line_count())))
    }
}

/// The diagnostic that is passed to `miette`.
#[derive(Debug)]
struct Picture {
    severity: Severity,
    message: String,
    labels: Vec<LabeledSpan>,
    excerpt: Option<Excerpt>,
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Picture {}

impl miette::Diagnostic for Picture {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|e| e as &dyn SourceCode)
    }
}

/// Renders the most severe diagnostics, and counts the others.
pub(super) fn render_all(diagnostics: &[Diagnostic], sources: &Sources, colour: bool, width: usize) -> String {
    let (shown, rest) = most_severe(diagnostics);
    let mut out = String::new();
    for diagnostic in shown {
        out.push_str(if out.is_empty() { "" } else { "\n" });
        render(&mut out, diagnostic, sources, colour, width);
    }
    if !rest.is_empty() {
        let _ = writeln!(out, "\n{}", not_shown(&rest));
    }
    out
}

/// Renders one diagnostic with its excerpts and help.
fn render(out: &mut String, diagnostic: &Diagnostic, sources: &Sources, colour: bool, width: usize) {
    let place_text =
        diagnostic.span.and_then(|span| sources.locate(span)).map_or(String::new(), |place| format!(" {place}"));
    let (on, off) = match (colour, diagnostic.severity) {
        (false, _) => ("", ""),
        (true, Severity::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
        (true, Severity::Warning) => ("\u{1b}[1;33m", "\u{1b}[0m"),
        (true, Severity::Info) => ("\u{1b}[1;36m", "\u{1b}[0m"),
    };
    let _ = writeln!(out, "{on}{}{off}{place_text}", diagnostic.head());
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width.clamp(40, 400))
        // Keeps words with hyphens, such as `UTF-8`, and long paths in one piece.
        .with_word_splitter(WordSplitter::NoHyphenation)
        .with_break_words(false)
        .with_links(false)
        .without_primary_span_start()
        .without_cause_chain()
        .without_syntax_highlighting();

    let main = diagnostic.span.and_then(|span| Some((sources.get(span.file)?, span)));
    let line = |source: &Source, span: Span| source.place(source.within(span).0 as u32).line;
    let others = diagnostic.others.iter().take(MOST_PLACES);
    let (near, far): (Vec<_>, Vec<_>) = others.partition(|other| {
        main.is_some_and(|(source, span)| {
            other.span.file == span.file && line(source, span).abs_diff(line(source, other.span)) <= NEAR
        })
    });
    let own = diagnostic.span.map(|span| (span, diagnostic.label.as_str()));
    let marks: Vec<(Span, &str)> = own.into_iter().chain(near.iter().map(|o| (o.span, o.text.as_str()))).collect();
    let mut picture = main.map_or_else(Picture::empty, |(source, _)| Picture::of(source, &marks));
    picture.severity = diagnostic.severity;
    picture.message = clean(&diagnostic.message);
    let _ = handler.render_report(out, &picture);
    for other in far {
        let Some(source) = sources.get(other.span.file) else { continue };
        let at = sources.locate(other.span).unwrap_or_default();
        let mut picture = Picture::of(source, &[(other.span, "")]);
        let text = clean(&other.text);
        picture.message = if text.is_empty() { format!("see {at}") } else { format!("{text}: {at}") };
        let _ = handler.render_report(out, &picture);
    }
    help_line(out, &clean(&diagnostic.help), colour, width.clamp(40, 400));
}

/// Writes the help line after all excerpts, wrapped at `width` columns.
fn help_line(out: &mut String, help: &str, colour: bool, width: usize) {
    const HEAD: &str = "  help: ";
    if help.is_empty() {
        return;
    }
    let (on, off) = if colour { ("\u{1b}[36m", "\u{1b}[0m") } else { ("", "") };
    let mut column = HEAD.len();
    let _ = write!(out, "{on}{HEAD}{off}");
    for (n, word) in help.split(' ').enumerate() {
        let length = word.chars().count();
        if n > 0 && column + 1 + length > width {
            let _ = write!(out, "\n{:1$}", "", HEAD.len());
            column = HEAD.len();
        } else if n > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

impl Picture {
    fn empty() -> Picture {
        Picture { severity: Severity::Info, message: String::new(), labels: Vec::new(), excerpt: None }
    }

    /// Creates an excerpt with the lines of all marks and one line before and after. A mark of several lines is cut to its first
    /// line.
    fn of(source: &Source, marks: &[(Span, &str)]) -> Picture {
        let spots: Vec<(usize, usize, usize, &str)> = marks
            .iter()
            .map(|(span, text)| {
                let (start, end) = source.within(*span);
                let place = source.place(start as u32);
                let line = source.line(place.line);
                // Number of bytes of the line before the mark, and of those up to its end.
                let head: usize = line.chars().take(place.column - 1).map(char::len_utf8).sum();
                let tail = (head + end - start).min(line.len());
                (place.line, head, tail.max(head), *text)
            })
            .collect();
        let mut picture = Picture::empty();
        let (Some(first), Some(last)) = (spots.iter().map(|s| s.0).min(), spots.iter().map(|s| s.0).max()) else {
            return picture;
        };
        let first = first.saturating_sub(1).max(1);
        let mut text = String::new();
        let mut starts = Vec::new();
        let end = source.place(u32::MAX).line;
        for n in first..=(last + 1).min(end) {
            let line = source.line(n);
            if n > last && line.is_empty() {
                break;
            }
            if n > first {
                text.push('\n');
            }
            starts.push(text.len());
            text.push_str(&if line.len() > LONGEST_LINE {
                "(a very long line)".to_string()
            } else {
                clean_source(line)
            });
        }
        for (n, head, tail, label) in spots {
            let line = source.line(n);
            let Some(start) = starts.get(n - first) else { continue };
            let (mut from, mut length) = (*start, 0);
            if line.len() <= LONGEST_LINE {
                from += clean_source(line.get(..head).unwrap_or("")).len();
                length = clean_source(line.get(head..tail).unwrap_or("")).len();
            }
            let label = clean(label);
            picture.labels.push(LabeledSpan::new((!label.is_empty()).then_some(label), from, length));
        }
        // `miette` draws no mark after the last character.
        if picture.labels.iter().any(|l| l.is_empty() && l.offset() == text.len()) {
            text.push('\n');
        }
        picture.excerpt = Some(Excerpt { text, first: first - 1 });
        picture
    }
}
