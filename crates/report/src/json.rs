//! Renders diagnostics as JSON.

use grognard_base::{Diagnostic, Sources, Span, safe};
use serde::Serialize;

#[derive(Serialize)]
struct JsonReport<'a> {
    schema: u32,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    label: &'a str,
    help: &'a str,
    others: Vec<Other<'a>>,
}

#[derive(Serialize)]
struct Other<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    label: &'a str,
}

/// A location. Lines and columns count from 1, and columns are characters. Bytes count from 0.
#[derive(Default, Serialize)]
struct JsonPlace<'a> {
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    byte_start: Option<usize>,
    byte_end: Option<usize>,
}

impl<'a> JsonPlace<'a> {
    fn of(span: Option<Span>, sources: &'a Sources) -> JsonPlace<'a> {
        let Some((span, source)) = span.and_then(|span| Some((span, sources.get(span.file)?))) else {
            return JsonPlace::default();
        };
        let (start, end) = source.within(span);
        let place = source.place(start as u32);
        JsonPlace {
            file: Some(&source.shown),
            line: Some(place.line),
            column: Some(place.column),
            byte_start: Some(start),
            byte_end: Some(end),
        }
    }
}

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let report = JsonReport {
        schema: 1,
        diagnostics: diagnostics
            .iter()
            .map(|d| JsonDiagnostic {
                code: d.code.id(),
                severity: d.severity.word(),
                message: &d.message,
                place: JsonPlace::of(d.span, sources),
                label: &d.label,
                help: &d.help,
                others: d
                    .others
                    .iter()
                    .map(|o| Other { place: JsonPlace::of(Some(o.span), sources), label: &o.text })
                    .collect(),
            })
            .collect(),
    };
    pretty(&report)
}

/// Returns a value as indented JSON, with control characters escaped.
pub(super) fn pretty(value: &impl Serialize) -> String {
    // Text and numbers always have a JSON form.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    safe::json(&text).into_owned() + "\n"
}
