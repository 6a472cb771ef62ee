//! Renders diagnostics in the formats of other programs: GitHub workflow commands and SARIF 2.1.0.

use super::{clean, json};
use grognard_base::order;
use grognard_base::{Diagnostic, Severity, Sources, Span};
use serde_json::{Value, json};

/// Returns a workflow command for each diagnostic. GitHub shows it next to the line.
pub(super) fn github(found: &[&Diagnostic], sources: &Sources) -> String {
    let text = |text: &str| clean(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let field = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    let one = |d: &&Diagnostic| {
        let word = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place =
            d.span.and_then(|span| region(span, sources)).map_or(String::new(), |(file, [line, column, end, _])| {
                format!("file={},line={line},endLine={end},col={column},", field(&file))
            });
        let help = if d.help.is_empty() { String::new() } else { format!("%0Ahelp: {}", text(&d.help)) };
        format!("::{word} {place}title={}::{}{help}\n", field(d.code.id()), text(&d.message))
    };
    found.iter().map(one).collect()
}

/// Returns the file of a span, and its first and last line and column, counted from 1.
fn region(span: Span, sources: &Sources) -> Option<(String, [usize; 4])> {
    let source = sources.get(span.file)?;
    let (start, end) = source.within(span);
    let (start, end) = (source.place(start as u32), source.place(end as u32));
    Some((clean(&source.shown), [start.line, start.column, end.line, end.column]))
}

/// Returns a SARIF log with one run.
pub(super) fn sarif(found: &[&Diagnostic], sources: &Sources) -> String {
    let mut codes: Vec<_> = found.iter().map(|d| d.code).collect();
    order::sort(&mut codes);
    codes.dedup();
    let rules = codes.iter().map(|code| {
        json!({ "id": code.id(), "shortDescription": { "text": code.title() }, "help": { "text": code.help() } })
    });
    let place = |span: Span| {
        region(span, sources).map(|(file, [line, column, last, end])| {
            json!({ "physicalLocation": {
                "artifactLocation": { "uri": file },
                "region": { "startLine": line, "startColumn": column, "endLine": last, "endColumn": end },
            } })
        })
    };
    let results = found.iter().map(|d| {
        let level = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        json!({
            "ruleId": d.code.id(),
            "ruleIndex": codes.iter().position(|code| *code == d.code),
            "level": level,
            "message": { "text": d.message },
            "locations": d.span.and_then(place).into_iter().collect::<Vec<Value>>(),
            "relatedLocations": d.others.iter().filter_map(|other| place(other.span)).collect::<Vec<Value>>(),
        })
    });
    run_of_sarif(rules.collect(), results.collect())
}

/// Returns a SARIF log with one run: its rules and its results.
pub(super) fn run_of_sarif(rules: Vec<Value>, results: Vec<Value>) -> String {
    let tool = json!({ "driver": {
        "name": "grognard", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
    } });
    json::pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": tool, "columnKind": "unicodeCodePoints", "results": results }],
    }))
}
