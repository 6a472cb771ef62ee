//! Runs the examples of rules files for `grognard test`.

use super::cache::Cache;
use super::files::{self, Root};
use super::mode::{CostArgs, ModeArg};
use super::out::Stop;
use grognard_base::{Diagnostic, Sources};
use grognard_lab::force::{HeldOverride, held_overrides};
use grognard_play::examples::{self, ExampleVerdict};
use grognard_program::{Built, Detail};
use grognard_report as report;
use grognard_report::Format;
use grognard_report::tests::Case;
use grognard_rules as rules;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The results of the examples of a rules file, or the errors of the file.
pub type Examples = Result<ExamplesDone, Box<Unread>>;

/// The results of the examples of a rules file.
#[derive(Default, Serialize, Deserialize)]
pub struct ExamplesDone {
    /// The verdict on each example, and the number of its claims that wait.
    pub verdicts: Vec<(ExampleVerdict, usize)>,
    pub cases: Vec<Case>,
    /// Messages about overrides that no example tests.
    pub held: Vec<String>,
}

/// A file that cannot be read, with its errors.
pub struct Unread {
    /// The test case of the file, without a text.
    pub case: Case,
    /// The errors of the file.
    pub found: Vec<Diagnostic>,
    /// The texts of the file.
    pub sources: Sources,
}

/// Maximum number of examples in a message.
const MOST: usize = 3;

/// Runs the examples of a ruleset and of the files that it extends. `counts` selects examples by title.
pub fn run(
    path: &Path,
    counts: impl Fn(&str) -> bool,
    cost: CostArgs,
    format: Format,
    cache: &Cache,
) -> Result<Examples, Stop> {
    let began = files::changes();
    let name = report::clean(&path.display().to_string());
    let mut sources = Sources::default();
    let (root, file) = Root::of_rules(path)?;
    let loaded = rules::load(&file, &root, &mut sources).sound();
    let case = |title: &str, good: bool, line: String, found: &[Diagnostic]| Case {
        sort: "example".into(),
        file: name.clone(),
        name: title.to_string(),
        good,
        line,
        rendered: report::render(found, &sources, format),
    };
    let set = match loaded {
        Ok(set) => set,
        Err(found) => {
            let case = Case { sort: "rules".into(), ..case(&name, false, format!("FAILED {name}"), &[]) };
            return Ok(Err(Box::new(Unread { case, found, sources })));
        }
    };
    // the rulesets above fill in the open items and run these examples
    if !set.open.is_empty() || set.examples.is_empty() {
        return Ok(Ok(Default::default()));
    }
    let wanted: Vec<bool> = set.examples.iter().map(|example| counts(&example.tree.title.text)).collect();
    let key = cache.key("examples", |inputs| {
        let inputs = inputs.text(&name).text(format!("{cost:?} {format:?} {wanted:?}"));
        inputs.sources(sources.iter().map(|(_, source)| source))
    });
    let done = cache.get_or(key.as_deref(), began, || {
        let top = set.path.clone();
        let built = Built::new(set, Detail::Plain);
        let mut done = ExamplesDone::default();
        for example in built.rules.examples.iter().filter(|example| counts(&example.tree.title.text)) {
            let question = cost.question(ModeArg::Exact)?;
            let result = examples::run_example(&built, example, &sources, question.budget.clone());
            drop(question);
            let through = if result.ruleset == top { String::new() } else { format!("  [in {top}]") };
            let line = report::clean(&format!("{}{through}", examples::line(&result)));
            let good = result.verdict != ExampleVerdict::Fails;
            let found = if good { &[][..] } else { &result.problems };
            done.cases.push(case(&format!("{}: {}", result.ruleset, result.title), good, line, found));
            done.verdicts.push((result.verdict, result.waiting));
        }
        let held = held_overrides(&built, &sources);
        let held = held.into_iter().filter(|held| held.examples.iter().any(|title| counts(title)));
        done.held = held.map(|held| untested(&held)).collect();
        Ok(done)
    })?;
    Ok(Ok(done))
}

/// Returns the message about an override that no example tests.
fn untested(held: &HeldOverride) -> String {
    let HeldOverride { name, by, examples } = held;
    let titles: Vec<String> = examples.iter().take(MOST).map(|title| format!("\"{title}\"")).collect();
    let more = examples.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    report::clean(&format!(
        "held   {by}: {name} is set by {}{more} with `under`, and no other example reads it, so no example tests the override in {by}",
        titles.join(", ")
    ))
}
