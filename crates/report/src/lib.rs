//! Reports: turns results into findings, and renders them as text, JSON, CSV and HTML.
//!
//! The inputs are the results of `grognard-play`, `grognard-odds`, `grognard-stats` and `grognard-lab`. One function
//! for each kind of result returns a [`Finding`](finding::Finding): sentences, numbers, tables, plots, facts and rows,
//! in the order in which they are shown. Four renderers show a finding: human-readable
//! [`text`](finding::Finding::text), machine-readable [`json`](finding::Finding::json) and
//! [`csv`](finding::Finding::csv), and a page of HTML ([`html`](finding::Finding::html)). The command line, the
//! rulebook and the studio use them.
//!
//! Two outputs are not findings: [`render`] prints diagnostics in a [`Format`] for terminals, CI or editors, and
//! [`map`](map()) draws a run as SVG.
//!
//! # Example
//!
//! ```
//! use grognard_report::finding::{Finding, Table};
//! use serde_json::json;
//!
//! let mut found = Finding::new("Casualties");
//! found.say("Two of six raiders fell.");
//! found.fact("fallen", json!(2));
//! found.add(Table::new("Squads", &["squad", "men"], [vec!["raiders".into(), "4".into()]]));
//! assert!(found.text().starts_with("Two of six raiders fell."));
//! assert_eq!(found.json(), json!({ "fallen": 2 }));
//! assert!(found.html().starts_with("<!DOCTYPE html>"));
//! ```
//!
//! No function reads files or panics, and no control character of a text reaches the output ([`grognard_base::safe`]).

#[doc(hidden)]
pub mod bounds;
pub mod compared;
pub mod diff;
pub mod finding;
mod coverage;
pub mod holes;
pub mod open_points;
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
pub mod story;
pub mod sweep;
mod undecided;

pub use coverage::coverage;
pub use explain::explain;
pub use grognard_base::safe::clean;
pub use map::{map, map_steps};
pub use sampled::value_text;

use grognard_base::order;
use grognard_base::{Diagnostic, Sources, fold, render_lines};

/// An output format for diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Human-readable, with the source lines. The same as [`Format::Short`] without the feature `cli`.
    Human {
        /// Whether to use terminal colors.
        colour: bool,
        /// Width of the terminal, in columns.
        width: usize,
    },
    /// One line for each diagnostic.
    Short,
    /// One JSON document, schema 1, always with all diagnostics.
    Json,
    /// A GitHub workflow command for each diagnostic.
    Github,
    /// A SARIF log.
    Sarif,
}

/// Renders all diagnostics by file and position. Diagnostics without a position come first. A diagnostic that follows from
/// another is folded into one line after it.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, format: Format) -> String {
    let folded = fold(diagnostics.to_vec(), sources);
    let placed = || -> Vec<Diagnostic> { folded.iter().map(|found| found.placed(sources)).collect() };
    let program = |render: fn(&[&Diagnostic], &Sources) -> String| {
        let placed = placed();
        let mut sorted: Vec<&Diagnostic> = placed.iter().collect();
        order::sort_by_key(&mut sorted, |d| (d.follows.is_some(), d.span));
        render(&sorted, sources)
    };
    match format {
        Format::Json => program(json::render),
        Format::Github => program(elsewhere::github),
        Format::Sarif => program(elsewhere::sarif),
        #[cfg(feature = "cli")]
        Format::Human { colour, width } => human::render_all(&placed(), sources, colour, width),
        _ => render_lines(&folded, sources),
    }
}

/// Formats a number with its noun, such as `1 clause` or `2 clauses`.
fn counted(n: impl TryInto<u64>, what: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
