//! Examples of rules files, for `grognard test`.

use super::Findings;
use super::files::Root;
use super::mode::{Cost, Mode};
use super::out::{Out, Stop};
use crate::base::{Diagnostic, Sources};
use crate::play::examples::{self, ExampleResult, Verdict};
use crate::program::{Built, Detail};
use crate::{report, rules};
use std::path::PathBuf;

/// Runs the examples of each ruleset, those of the files below it too, and tells how they did; with them how many files
/// have errors.
pub fn run(
    paths: &[PathBuf],
    filter: Option<&str>,
    cost: Cost,
    colour: bool,
    out: &mut Out,
) -> Result<(Vec<ExampleResult>, usize), Stop> {
    let mut unread = 0;
    let mut all = Vec::new();
    for path in paths {
        let name = report::clean(&path.display().to_string());
        if filter.is_some_and(|f| !name.contains(f)) {
            continue;
        }
        let mut sources = Sources::default();
        let (root, file) = Root::of_rules(path)?;
        let loaded = rules::load(&file, &root, &mut sources);
        let Some(set) = loaded.ruleset else {
            unread += 1;
            out.line(&format!("FAILED {name}"))?;
            let found: Vec<Diagnostic> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
            out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
            continue;
        };
        // what is open is filled in by the rulesets above, which run these examples again
        if !set.open.is_empty() || set.examples.is_empty() {
            continue;
        }
        let top = set.path.clone();
        let built = Built::new(set, Detail::Plain);
        for example in &built.rules.examples {
            let question = cost.question(Mode::Exact)?;
            let result = examples::run_example(&built, example, &sources, question.budget);
            drop(question);
            let through = if result.ruleset == top { String::new() } else { format!("  [in {top}]") };
            out.line(&report::clean(&format!("{}{through}", examples::line(&result))))?;
            if result.verdict == Verdict::Fails {
                out.text(&report::render(&result.problems, &sources, Findings::Human.format(colour)))?;
            }
            all.push(result);
        }
    }
    Ok((all, unread))
}
