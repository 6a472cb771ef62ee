//! Finds params and readings that every test sets, so that no test can notice a change of them.

use super::suite::{Suite, Test, TestSort};
use super::{Book, Mutation};

/// Maximum number of tests that are named.
const MOST: usize = 3;

/// Returns the reason why no test can notice a change of a param or a reading: the tests that set it. Returns `None` if
/// a test reads the value of the rules, or if no test sets it.
pub(super) fn held(suite: &Suite<'_>, book: &Book, change: &Mutation) -> Option<String> {
    let name = change.item.strip_prefix("param ").or_else(|| change.item.strip_prefix("reading "))?;
    let mut by: Vec<String> = Vec::new();
    for test in suite.tests.iter().filter(|test| suite.stands_on(&test.rules, book)) {
        if sets(suite, test, name) {
            let rendered =
                if let TestSort::Example(_) = test.what { format!("example {}", test.name) } else { test.name.clone() };
            by.push(rendered);
        } else if reads(suite, test, name) {
            return None;
        }
    }
    let verb = if by.len() > 1 { "set" } else { "sets" };
    let more = by.len().saturating_sub(MOST);
    by.truncate(MOST);
    let by = if more > 0 { format!("{} and {more} more", by.join(", ")) } else { by.join(", ") };
    (!by.is_empty()).then(|| format!("held: {by} {verb} {name}, and no change of it can be noticed"))
}

/// Returns whether a test sets a param or reading.
fn sets(suite: &Suite<'_>, test: &Test, name: &str) -> bool {
    match test.what {
        TestSort::Scene(at) => {
            let path = suite.project.scenes.get(at).map(|scene| &scene.path);
            path.and_then(|path| suite.plans.get(path)).is_some_and(|plan| plan.sets.contains(name))
        }
        TestSort::Example(at) => {
            let Some(Ok(set)) = suite.base.sets.get(&test.rules) else { return false };
            set.examples.get(at).is_some_and(|example| example.tree.under.iter().any(|(own, _)| own.text == name))
        }
    }
}

/// Returns whether a run of a test reads a param or reading.
fn reads(suite: &Suite<'_>, test: &Test, name: &str) -> bool {
    let Some(Ok(set)) = suite.base.sets.get(&test.rules) else { return true };
    let setting = set.settings.iter().find(|setting| setting.name == name);
    setting.is_none_or(|setting| test.reached.contains(&set.items[setting.item.at()].span))
}
